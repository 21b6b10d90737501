module

public import OnlineKvCache.Model.Cost

@[expose] public section

/-! # Remaining work, round by round -/

namespace OnlineKvCache

/-- Rounds that `q` still has to run at the beginning of round `t`. -/
def remaining (S : Schedule) (q : Request) (t : Nat) : Nat := completion S q - max t (start S q)

/-- Remaining work at the beginning of round `t` of the requests that arrived by round `u`. -/
noncomputable def work (I : List Request) (S : Schedule) (u t : Nat) : Nat :=
  (I.map fun q => if q.arrival ≤ u then remaining S q t else 0).sum

/-- Number of the requests that arrived by round `u` and are not complete at the beginning of
round `t`. -/
noncomputable def unfinished (I : List Request) (S : Schedule) (u t : Nat) : Nat :=
  (I.map fun q => if q.arrival ≤ u ∧ t < completion S q then 1 else 0).sum

end OnlineKvCache
