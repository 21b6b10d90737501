module

public import OnlineKvCache.Model

public section

namespace OnlineKvCache

set_option debug.skipKernelTC true in
theorem absurd : 1 = 2 := by decide +kernel

theorem late (A : Scheduler) (h : Honest A) (j : Job) :
    j.arrival + j.output ≤ completion (A j) j :=
  have _ := h
  (Nat.noConfusion (Nat.succ.inj absurd) : _)

end OnlineKvCache
