module

public import OnlineKvCache.Model

public section

namespace OnlineKvCache

/-- Some number. -/
opaque hidden : Nat

theorem late (A : Scheduler) (h : Honest A) (j : Job) :
    j.arrival + j.output ≤ completion (A j) j := Nat.add_le_add_right (h j) _

end OnlineKvCache
