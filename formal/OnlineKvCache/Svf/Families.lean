module

public import OnlineKvCache.Svf.Scheduler

@[expose] public section

/-! # Families of instances for lower bounds on list schedules -/

namespace OnlineKvCache

/-- Shortest job first at memory `M`: list scheduling in increasing order of output, ties by label.
-/
noncomputable def sjf (M : Nat) (I : List Request) : Schedule :=
  listSchedule M (orderByKey Request.output I)

/-- `2k` wide requests `(k² - 1, 1)` and `k²` thin ones `(0, 2)`, for memory `2k²`: two wide ones
fill the memory, and so do all thin ones together. -/
noncomputable def wideAndThin (k : Nat) : List Request :=
  ((List.range (2 * k)).map fun i => ⟨i, 0, k * k - 1, 1⟩) ++
    (List.range (k * k)).map fun i => ⟨2 * k + i, 0, 0, 2⟩

/-- `n` requests without prompt and with output `L`. -/
noncomputable def identical (L n : Nat) : List Request :=
  (List.range n).map fun i => ⟨i, 0, 0, L⟩

/-- `4c` requests `(0, s²)` and `4cs` requests `(1, s + 1)`, for memory `cs²`. -/
noncomputable def bigAndSmall (c s : Nat) : List Request :=
  ((List.range (4 * c)).map fun i => ⟨i, 0, 0, s * s⟩) ++
    (List.range (4 * c * s)).map fun i => ⟨4 * c + i, 0, 1, s + 1⟩

end OnlineKvCache
