module

public import OnlineKvCache.Checks.Decide
public import OnlineKvCache.Svf.EngineRun
public import OnlineKvCache.Svf.Honest

@[expose] public section

/-! # Shortest volume first on concrete bursts

The scheduler runs in the kernel; the hypotheses of its theorems hold for real bursts, and the
definitions accept and reject. -/

namespace OnlineKvCache.Checks

/-- A burst with labels `i, i + 1, …` from prompts and outputs. -/
def burstFrom (i : Nat) : List (Nat × Nat) → List Request
  | [] => []
  | x :: l => ⟨i, 0, x.1, x.2⟩ :: burstFrom (i + 1) l

/-- A burst with labels `0, 1, …` from prompts and outputs. -/
def burst (l : List (Nat × Nat)) : List Request := burstFrom 0 l

theorem burst_iff (M : Nat) (I : List Request) : Burst M I ↔ (I.map Request.id).Nodup ∧
    ∀ q ∈ I, q.arrival = 0 ∧ 1 ≤ q.output ∧ q.peak ≤ M :=
  ⟨fun h => ⟨h.nodup, fun q hq => ⟨h.arrived q hq, h.output_pos q hq, h.fits q hq⟩⟩,
    fun h => ⟨h.1, fun q hq => (h.2 q hq).1, fun q hq => (h.2 q hq).2.1,
      fun q hq => (h.2 q hq).2.2⟩⟩

/-- Whether a list is a valid burst is decidable. -/
noncomputable instance instDecidableBurst (M : Nat) (I : List Request) : Decidable (Burst M I) :=
  decidable_of_iff' _ (burst_iff M I)

/-- Every valid burst has an optimum, and only one. -/
theorem burst_optimum {M : Nat} {I : List Request} (h : Burst M I) :
    ∃ c, IsOPT M I c ∧ ∀ d, IsOPT M I d → d = c := by
  obtain ⟨c, hc⟩ := IsOPT.of_feasible (svf_feasible h)
  refine ⟨c, hc, fun d hd => ?_⟩
  obtain ⟨S, hS, rfl⟩ := hc.attained
  obtain ⟨T, hT, rfl⟩ := hd.attained
  exact Nat.le_antisymm (hd.least S hS) (hc.least T hT)

/-! ### The scheduler -/

/-- The smaller volume goes first; the other one does not fit beside it and waits for its end. -/
example : listStarts 6 (svfOrder (burst [(0, 3), (3, 2)])) = [0, 3] := by decide +kernel

/-- Volume, not length: `(3, 2)` has the larger volume. -/
example : (svfOrder (burst [(3, 2), (0, 3)])).map Request.id = [1, 0] := by decide +kernel

/-- Equal volumes go by label. -/
example : (svfOrder (burst [(1, 1), (3, 3), (1, 1)])).map Request.id = [0, 2, 1] := by
  decide +kernel

/-- The head is not overtaken: the last request would fit in round 0 beside the first one, and waits
for the second one. -/
example : listStarts 5 (svfOrder (burst [(1, 1), (3, 1), (0, 4)])) = [0, 1, 1] ∧
    Feasible 5 (burst [(1, 1), (3, 1), (0, 4)]) (fun i => if i = 1 then 4 else 0) := by
  decide +kernel

/-- Starts in the middle of other runs: the memory staggers equal requests. -/
example : listStarts 7 (burst [(0, 4), (0, 4), (0, 4), (0, 4)]) = [0, 1, 4, 5] := by
  decide +kernel

/-- Synchronous batches. -/
example : listStarts 12 (burst [(0, 4), (0, 4), (0, 4), (0, 4)]) = [0, 0, 0, 4] := by
  decide +kernel

/-- The engine at work: the second request does not fit at instant 0 and is admitted at instant 1,
although nothing completes there. -/
example : engine 7 17 0 [] (burst [(0, 4), (0, 4), (0, 4), (0, 4)]) =
      placeAll 7 [] (burst [(0, 4), (0, 4), (0, 4), (0, 4)]) ∧
    admits 7 [(⟨0, 0, 0, 4⟩, 0)] ⟨1, 0, 0, 4⟩ 0 = false ∧
    admits 7 [(⟨0, 0, 0, 4⟩, 0)] ⟨1, 0, 0, 4⟩ 1 = true := by decide +kernel

/-- Stopped too early it has not placed everything. -/
example : (engine 7 5 0 [] (burst [(0, 4), (0, 4), (0, 4), (0, 4)])).length = 3 := by
  decide +kernel

/-- The schedule by labels: label 0 has the larger volume and starts last. -/
example : start (svf 6 (burst [(3, 2), (0, 3)])) ⟨0, 0, 3, 2⟩ = 3 ∧
    start (svf 6 (burst [(3, 2), (0, 3)])) ⟨1, 0, 0, 3⟩ = 0 := by decide +kernel

/-! ### Every hypothesis is met, and the bounds say something -/

/-- Shortest volume first is not optimal: 8 against 6. -/
theorem svf_eight_six : Burst 6 (burst [(0, 3), (3, 2)]) ∧
    TEL (burst [(0, 3), (3, 2)]) (svf 6 (burst [(0, 3), (3, 2)])) = 8 ∧
    IsOPT 6 (burst [(0, 3), (3, 2)]) 6 := by
  refine ⟨by decide +kernel, by decide +kernel,
    isOPT_of_search (fun i => if i = 0 then 1 else 0) (by decide +kernel) (by decide +kernel)
      (by decide +kernel) ?_⟩
  decide +kernel

/-- Not optimal either when no peak exceeds half of the memory: 7 against at most 6. The theorems
for the parts 1/2 apply to it. -/
theorem svf_seven_six : Burst 6 (burst [(0, 1), (2, 1), (2, 1), (0, 2)]) ∧
    (∀ q ∈ burst [(0, 1), (2, 1), (2, 1), (0, 2)], q.peak * 2 ≤ 1 * 6) ∧
    TEL (burst [(0, 1), (2, 1), (2, 1), (0, 2)])
      (svf 6 (burst [(0, 1), (2, 1), (2, 1), (0, 2)])) = 7 ∧
    Feasible 6 (burst [(0, 1), (2, 1), (2, 1), (0, 2)])
      (fun i => if i = 2 then 1 else 0) ∧
    TEL (burst [(0, 1), (2, 1), (2, 1), (0, 2)]) (fun i => if i = 2 then 1 else 0) = 6 := by
  decide +kernel

/-- Not a burst: a late arrival, a repeated label, no output, too large. -/
example : ¬ Burst 6 [⟨0, 1, 1, 1⟩] ∧ ¬ Burst 6 [⟨0, 0, 1, 1⟩, ⟨0, 0, 1, 2⟩] ∧
    ¬ Burst 6 (burst [(3, 0)]) ∧ ¬ Burst 6 (burst [(3, 4)]) := by decide +kernel

/-- Decreasing volume is an order with inversion factor 9/6, and not with 8/6. -/
example : [⟨1, 0, 3, 2⟩, ⟨0, 0, 0, 3⟩].Pairwise
      (fun p r => 6 * twiceVolume p ≤ 9 * twiceVolume r) ∧
    ¬ [⟨1, 0, 3, 2⟩, ⟨0, 0, 0, 3⟩].Pairwise
      (fun p r => 6 * twiceVolume p ≤ 8 * twiceVolume r) := by decide +kernel

/-- Predictions that are wrong by factors up to 3/2 turn the order around. -/
example : (∀ q ∈ burst [(0, 4), (0, 3)], 2 * (if q.id = 0 then 3 else 4) ≤ 3 * q.output ∧
      2 * q.output ≤ 3 * (if q.id = 0 then 3 else 4)) ∧
    (svfOrder (burst [(0, 4), (0, 3)])).map Request.id = [1, 0] ∧
    (orderByKey (predictedKey fun q => if q.id = 0 then 3 else 4)
      (burst [(0, 4), (0, 3)])).map Request.id = [0, 1] ∧
    predictedSvf 5 (fun q => if q.id = 0 then 3 else 4) (burst [(0, 4), (0, 3)]) 0 = 0 ∧
    predictedSvf 5 (fun q => if q.id = 0 then 3 else 4) (burst [(0, 4), (0, 3)]) 1 = 3 := by
  decide +kernel

/-- The bit of the 1-bit rule with `b = 2`: outputs up to 4 are taken for 2, longer ones for 8. It
cannot tell 1 from 4. -/
example : (burst [(0, 4), (0, 5), (3, 1)]).map (oneBitProxy 2) = [2, 8, 2] ∧
    (∀ q ∈ burst [(0, 4), (3, 1)], q.output ≤ 2 ^ 4) ∧
    (svfOrder (burst [(0, 4), (3, 1)])).map Request.id = [1, 0] ∧
    (orderByKey (predictedKey (oneBitProxy 2)) (burst [(0, 4), (3, 1)])).map Request.id = [0, 1] ∧
    TEL (burst [(0, 4), (3, 1)]) (svf 4 (burst [(0, 4), (3, 1)])) = 6 ∧
    TEL (burst [(0, 4), (3, 1)]) (oneBitSvf 4 2 (burst [(0, 4), (3, 1)])) = 9 := by
  decide +kernel

/-- With reservations the 1-bit rule does not see that three short outputs fit together: each takes
4 of 8, and the third one waits for a completion. A long one reserves all it may need. -/
example : (burst [(0, 1), (3, 2), (0, 5)]).map (oneBitReserve 2 6) = [4, 6, 6] ∧
    (∀ q ∈ burst [(0, 1), (0, 1), (0, 1)], oneBitReserve 2 8 q * 2 ≤ 1 * 8) ∧
    honestOneBit 8 2 8 (burst [(0, 1), (0, 1), (0, 1)]) 1 = 0 ∧
    honestOneBit 8 2 8 (burst [(0, 1), (0, 1), (0, 1)]) 2 = 1 ∧
    oneBitSvf 8 2 (burst [(0, 1), (0, 1), (0, 1)]) 2 = 0 := by decide +kernel

/-- The certificate on two requests that fill the memory: a wait of 1 against 3. -/
example : (3 - 3 + 1) * start (listSchedule 3 (burst [(2, 1), (2, 1)])) ⟨1, 0, 2, 1⟩ = 1 ∧
    ((burst [(2, 1)]).map fun p => p.peak * p.output).sum = 3 := by decide +kernel

/-- All theorems on shortest volume first apply to this burst, with an optimum. -/
theorem svf_theorems_apply : ∃ c, IsOPT 6 (burst [(0, 1), (2, 1), (2, 1), (0, 2)]) c ∧
    (2 - 1) * 7 ≤ (3 * 2 - 1) * c ∧ (2 - 1) * 7 ≤ 2 * 2 * c ∧ 7 ≤ 2 * 6 * c := by
  obtain ⟨hb, hp, h7, _⟩ := svf_seven_six
  obtain ⟨c, hc, _⟩ := burst_optimum hb
  have h1 := svf_ratio hb (by decide) hp hc
  have h2 := (svf_sharp_part hb (by decide) hp hc).2 (by decide)
  have h3 := svf_two_memory hb hc
  rw [h7] at h1 h2 h3
  exact ⟨c, hc, h1, h2, h3⟩

end OnlineKvCache.Checks
