module

public import OnlineKvCache.Model

public section

namespace OnlineKvCache

axiom late (A : Scheduler) (h : Honest A) (j : Job) :
    j.arrival + j.output ≤ completion (A j) j

end OnlineKvCache
