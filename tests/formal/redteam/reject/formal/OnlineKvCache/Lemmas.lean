module

public import OnlineKvCache.Model

public section

namespace OnlineKvCache

theorem late (A : Scheduler) (h : Honest A) (j : Job) :
    j.arrival + j.output ≤ completion (A j) j := Nat.le_refl _

end OnlineKvCache
