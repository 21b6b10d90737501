module

public import OnlineKvCache.Statements

@[expose] public section

namespace OnlineKvCache.Checks

/-- Starts every job on arrival. -/
def eager : Scheduler := fun j => j.arrival

theorem eager_honest : Honest eager := fun _ => Nat.le_refl _

theorem eager_near : Statements.Honest eager := fun _ => ⟨Nat.le_refl _, rfl⟩

end OnlineKvCache.Checks
