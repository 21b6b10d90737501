module

public import OnlineKvCache.Statements
public import OnlineKvCache.Lemmas

public section

namespace OnlineKvCache

theorem completes_late : Statements.completes_late :=
  fun A h j => Nat.le_trans (late A h j) (Nat.le_add_right ..)

theorem eager_exists : Statements.eager_exists :=
  ⟨fun j => j.arrival, fun _ => Nat.le_refl _, fun _ => rfl⟩

end OnlineKvCache
