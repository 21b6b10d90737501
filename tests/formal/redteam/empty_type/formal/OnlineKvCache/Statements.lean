module

public import OnlineKvCache.Model

@[expose] public section

namespace OnlineKvCache.Statements

/-- An honest scheduler completes no job earlier than arrival plus output. -/
def completes_late : Prop :=
  ∀ A : Perfect, ∀ j, j.arrival + j.output ≤ completion (A.start j) j

/-- Some honest scheduler starts every job on arrival. -/
def eager_exists : Prop := ∃ A : Scheduler, Honest A ∧ ∀ j, A j = j.arrival

end OnlineKvCache.Statements
