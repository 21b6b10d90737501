module

public import OnlineKvCache.Statements
public import OnlineKvCache.Lemmas

public section

namespace OnlineKvCache

theorem completes_late : Statements.completes_late :=
  fun A _ => absurd (A.early ⟨0, 0⟩) (Nat.not_lt_zero _)

theorem eager_exists : Statements.eager_exists :=
  ⟨fun j => j.arrival, fun _ => Nat.le_refl _, fun _ => rfl⟩

end OnlineKvCache
