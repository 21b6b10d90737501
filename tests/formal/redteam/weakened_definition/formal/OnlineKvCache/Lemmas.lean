module

public import OnlineKvCache.Model

public section

namespace OnlineKvCache

theorem late (A : Scheduler) (h : Honest A) (j : Job) :
    j.arrival + j.output ≤ completion (A j) j :=
  Nat.le_succ_of_le (Nat.add_le_add_right (h j) _)

end OnlineKvCache
