module

public import OnlineKvCache.Model

@[expose] public section

namespace OnlineKvCache.Statements

local notation:max "completion" => fun (b : Nat) (j : Job) => b + Job.output j + Job.arrival j

/-- An honest scheduler completes no job earlier than arrival plus output. -/
def completes_late : Prop :=
  ∀ A : Scheduler, Honest A → ∀ j : Job, j.arrival + j.output ≤ completion (A j) j

/-- Some honest scheduler starts every job on arrival. -/
def eager_exists : Prop := ∃ A : Scheduler, Honest A ∧ ∀ j, A j = j.arrival

end OnlineKvCache.Statements
