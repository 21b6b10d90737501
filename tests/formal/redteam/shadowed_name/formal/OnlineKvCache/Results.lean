module

public import OnlineKvCache.Statements
public import OnlineKvCache.Lemmas

public section

namespace OnlineKvCache

theorem completes_late : Statements.completes_late :=
  fun A h => late A fun j => (h j).1

theorem eager_exists : Statements.eager_exists :=
  ⟨fun j => j.arrival, fun _ => ⟨Nat.le_refl _, rfl⟩, fun _ => rfl⟩

end OnlineKvCache
