module

public import OnlineKvCache.Model

@[expose] public section

namespace OnlineKvCache.Statements

/-- Any scheduler. -/
def Honest (A : Scheduler) : Prop := ∀ j, j.arrival ≤ A j ∧ A j = j.arrival

/-- An honest scheduler completes no job earlier than arrival plus output. -/
def completes_late : Prop :=
  ∀ A : Scheduler, Honest A → ∀ j, j.arrival + j.output ≤ completion (A j) j

/-- Some honest scheduler starts every job on arrival. -/
def eager_exists : Prop := ∃ A : Scheduler, Honest A ∧ ∀ j, A j = j.arrival

end OnlineKvCache.Statements
