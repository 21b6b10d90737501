module

public import OnlineKvCache.Model

public section

namespace OnlineKvCache

/-- Runs for ever. -/
unsafe def loop (n : Nat) : Nat := loop (n + 1)

theorem late (A : Scheduler) (h : Honest A) (j : Job) :
    j.arrival + j.output ≤ completion (A j) j := Nat.add_le_add_right (h j) _

end OnlineKvCache
