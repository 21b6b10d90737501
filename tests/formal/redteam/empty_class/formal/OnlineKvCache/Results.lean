module

public import OnlineKvCache.Statements
public import OnlineKvCache.Lemmas

public section

namespace OnlineKvCache

theorem completes_late : Statements.completes_late :=
  fun _ h j => absurd (h j).1 (Nat.not_lt.2 (Nat.le_of_lt (h j).2))

theorem eager_exists : Statements.eager_exists :=
  ⟨fun j => j.arrival, fun _ => Nat.le_refl _, fun _ => rfl⟩

end OnlineKvCache
