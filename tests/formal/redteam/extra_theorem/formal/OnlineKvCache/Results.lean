module

public import OnlineKvCache.Statements
public import OnlineKvCache.Lemmas

public section

namespace OnlineKvCache

theorem completes_late : Statements.completes_late := late

theorem eager_exists : Statements.eager_exists :=
  ⟨fun j => j.arrival, fun _ => Nat.le_refl _, fun _ => rfl⟩

theorem more : 1 + 1 = 2 := rfl

end OnlineKvCache
