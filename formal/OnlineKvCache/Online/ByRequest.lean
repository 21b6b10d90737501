module

public import OnlineKvCache.Online.Scheduler

@[expose] public section

/-! # From rules to schedulers and schedules -/

namespace OnlineKvCache

/-- The scheduler that computes the start of a request from the instance and the request itself. -/
noncomputable def byRequest (f : List Request → Request → Nat) : Scheduler := fun I i =>
  (I.find? fun q => decide (q.id = i)).map (f I)

/-- The schedule of a scheduler on an instance, with start 0 for what is never started. -/
def scheduleOf (A : Scheduler) (I : List Request) : Schedule := fun i => (A I i).getD 0

end OnlineKvCache
