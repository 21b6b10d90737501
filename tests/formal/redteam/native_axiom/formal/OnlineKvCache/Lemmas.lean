module

public import OnlineKvCache.Model

public section

namespace OnlineKvCache

/-- Trusts the compiler. -/
def yes : Bool := true

theorem yes_eq : yes = true := Lean.ofReduceBool yes true rfl

theorem late (A : Scheduler) (h : Honest A) (j : Job) :
    j.arrival + j.output ≤ completion (A j) j :=
  (fun (_ : yes = true) => Nat.add_le_add_right (h j) _) yes_eq

end OnlineKvCache
