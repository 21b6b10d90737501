module

public import OnlineKvCache.Checks.Decide
public import OnlineKvCache.Svf.GapRatio

@[expose] public section

/-! # The gap theorem: its hypotheses hold, its conclusion can fail without them -/

namespace OnlineKvCache.Checks

/-- Two requests whose shortest-volume-first schedule is not optimal at memory 6. -/
def gapPair : List Request := [⟨0, 0, 0, 3⟩, ⟨1, 0, 3, 2⟩]

theorem gapPair_burst : Burst 6 gapPair := ⟨by decide, by decide, by decide, by decide⟩

/-- Shortest volume first costs 8, the theorem allows `19 * 6 / (9 * 2) * 6 = 38`. -/
theorem gapPair_svf : TEL gapPair (svf 6 gapPair) = 8 ∧ IsOPT 6 gapPair 6 ∧
    9 * ((6 - 5 + 1) * TEL gapPair (svf 6 gapPair)) ≤ 19 * (6 * 6) := by
  have hopt : IsOPT 6 gapPair 6 := isOPT_of_search (fun i => if i = 0 then 1 else 0)
    (by decide +kernel) (by decide +kernel) (by decide) (by decide +kernel)
  refine ⟨by decide +kernel, hopt, ?_⟩
  obtain ⟨C, hC, h⟩ := hopt.attained
  have := Svf.Gap.svf_bound (P := 5) gapPair_burst (by decide) hC
  rwa [h] at this

/-- The two requests in the order of the list have nonincreasing weight per volume for weights 2 and
3 (volumes 6 and 9), not for weights 2 and 4. -/
example : gapPair.Pairwise fun p q =>
    (2 + q.id) * twiceVolume p ≤ (2 + p.id) * twiceVolume q := by decide
example : ¬ gapPair.Pairwise fun p q =>
    (2 + 2 * q.id) * twiceVolume p ≤ (2 + 2 * p.id) * twiceVolume q := by decide

/-- Four requests that need all of memory 36 for a round, and four of the same volume that run eight
rounds. -/
def gapWide : List Request :=
  [⟨0, 0, 35, 1⟩, ⟨1, 0, 0, 8⟩, ⟨2, 0, 35, 1⟩, ⟨3, 0, 0, 8⟩,
    ⟨4, 0, 35, 1⟩, ⟨5, 0, 0, 8⟩, ⟨6, 0, 35, 1⟩, ⟨7, 0, 0, 8⟩]

/-- A good schedule: first the wide requests, then a long one each round. -/
def gapWideStart (i : Nat) : Nat := if i % 2 = 0 then i / 2 else 4 + i / 2

/-- The loss `M / D` for large peaks is real: here one request may fill the memory, and shortest
volume first costs more than `19 / 9` of the optimum. -/
theorem gapWide_svf : Burst 36 gapWide ∧ Feasible 36 gapWide gapWideStart ∧
    TEL gapWide (svf 36 gapWide) = 148 ∧ TEL gapWide gapWideStart = 64 ∧
    19 * TEL gapWide gapWideStart < 9 * TEL gapWide (svf 36 gapWide) := by
  have h : TEL gapWide (svf 36 gapWide) = 148 := by decide +kernel
  have h' : TEL gapWide gapWideStart = 64 := by decide +kernel
  exact ⟨⟨by decide, by decide, by decide, by decide⟩, by decide +kernel, h, h', by omega⟩

/-- It does obey the theorem, with `P = 36` and `D = 1`. -/
example : 9 * ((36 - 36 + 1) * TEL gapWide (svf 36 gapWide)) ≤
    19 * (36 * TEL gapWide gapWideStart) :=
  Svf.Gap.svf_bound gapWide_svf.1 (by decide) gapWide_svf.2.1

/-! ### The wait certificate accepts and rejects -/

/-- Two requests that fill memory 1, one after the other. -/
def gapSerial : List Request := [⟨0, 0, 0, 1⟩, ⟨1, 0, 0, 1⟩]

theorem gapSerial_burst : Burst 1 (gapSerial ++ []) :=
  ⟨by decide, by decide, by decide, by decide⟩

/-- The wait of the second one is paid at level 1 = M - P + 1 … -/
theorem gapSerial_blocked : Svf.Gap.Blocked 1 gapSerial (listSchedule 1 (gapSerial ++ [])) :=
  Svf.Gap.blocked_list (P := 1) gapSerial_burst (by decide)

/-- … and not at level 2, nor is an idle wait paid at level 1. -/
theorem gapSerial_not_blocked : ¬ Svf.Gap.Blocked 2 gapSerial (fun i => i) ∧
    ¬ Svf.Gap.Blocked 1 gapSerial (fun i => i + 1) := by
  constructor
  · intro h
    obtain ⟨r, -, h2⟩ := h 0 ⟨⟨1, 0, 0, 1⟩, by decide, by decide⟩
    simp only [gapSerial, List.map_cons, List.map_nil, List.sum_cons, List.sum_nil, memory,
      Active, completion, start] at h2
    (repeat' split at h2) <;> omega
  · intro h
    obtain ⟨r, -, h2⟩ := h 0 ⟨⟨1, 0, 0, 1⟩, by decide, by decide⟩
    simp only [gapSerial, List.map_cons, List.map_nil, List.sum_cons, List.sum_nil, start] at h2
    (repeat' split at h2) <;> omega

/-! ### The closed forms of `GapShape` against the model -/

/-- `grown` is twice the volume, `levels` six times the sum of the volumes of the first `x` and
`x - 1` rounds: 3 + 4 + 5 used by prompt 2 in three rounds, (3 + 0) + (7 + 3) + (12 + 7) = 32. -/
example : Svf.Gap.grown 2 3 = 2 * 12 ∧ Svf.Gap.levels 2 3 = 6 * 32 := by decide

/-- `used` counts the rounds before `t`, and all of the volume after completion. -/
example : (List.range 5).map (Svf.Gap.used (fun _ => 1) ⟨0, 0, 2, 2⟩) = [0, 0, 6, 14, 14] := by
  decide

end OnlineKvCache.Checks
