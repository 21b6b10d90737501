module

public import OnlineKvCache.Statements
public import OnlineKvCache.Lemmas

public section

namespace OnlineKvCache

theorem completes_late : Statements.completes_late := late

theorem eager_exists : ∃ A : Scheduler, Honest A :=
  ⟨fun j => j.arrival, fun _ => Nat.le_refl _⟩

end OnlineKvCache
