module

public import OnlineKvCache.Model

public section

namespace OnlineKvCache

theorem native : 2 + 2 = 4 := by native_decide

theorem late (A : Scheduler) (h : Honest A) (j : Job) :
    j.arrival + j.output ≤ completion (A j) j := Nat.add_le_add_right (h j) _

end OnlineKvCache
