module

public import OnlineKvCache.Statements
public import OnlineKvCache.Lemmas

public section

namespace OnlineKvCache

theorem completes_late : Statements.completes_late := late

theorem eager_exists_renamed : Statements.eager_exists :=
  ⟨fun j => j.arrival, fun _ => Nat.le_refl _, fun _ => rfl⟩

end OnlineKvCache
