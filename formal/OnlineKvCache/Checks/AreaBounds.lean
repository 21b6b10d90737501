module

public import OnlineKvCache.Area.Additive
public import OnlineKvCache.Area.ThreeMachines
public import OnlineKvCache.NonClairvoyant.Sps
public import OnlineKvCache.Checks.Decide
public import OnlineKvCache.Checks.Examples

public section

/-! # Lower bounds and pipelines on concrete instances -/

namespace OnlineKvCache.Checks

/-! ### Sums of minima -/

example : pairMin [3, 1, 2] = 10 ∧ orderedMin [3, 1, 2] = 14 := by decide
/-- Sorted, the sum of all prefix sums is the same; unsorted it is more. -/
example : prefixSums [1, 2, 3] = 10 ∧ prefixSums [3, 1, 2] = 13 := by decide

/-! ### The bounds, and what meets their hypotheses -/

/-- Two requests of one token, one after the other: a burst, feasible, with optimum 3. -/
theorem twins_burst : Burst 2 twins := ⟨by decide, by decide, by decide, by decide⟩

theorem twins_opt : IsOPT 2 twins 3 :=
  isOPT_of_search (fun i => i) (by decide) (by decide) (by decide) (by decide +kernel)

/-- At memory 4 they run together, with optimum 2. -/
theorem twins_burst_four : Burst 4 twins := ⟨by decide, by decide, by decide, by decide⟩

theorem twins_opt_four : IsOPT 4 twins 2 :=
  isOPT_of_search (fun _ => 0) (by decide) (by decide) (by decide) (by decide +kernel)

/-- The area bound is tight there. -/
example : pairMin (twins.map twiceVolume) = 2 * 2 * 3 := by decide
/-- It is violated by a schedule that is not feasible. -/
example : ¬ Feasible 2 twins (fun _ => 0) ∧
    2 * 2 * totalCompletion twins (fun _ => 0) < pairMin (twins.map twiceVolume) := by decide
/-- The additive bound is tight for one request that fills the memory. -/
example : 3 * orderedMin (one.map twiceVolume) +
    2 * 2 * (one.map fun q => 2 * q.output + 1).sum = 12 * 2 * 1 := by decide
/-- With these prompts at most three requests fit at once; the three-machine bound is about them. -/
example : Feasible 15 [⟨0, 0, 4, 1⟩, ⟨1, 0, 4, 1⟩, ⟨2, 0, 4, 1⟩, ⟨3, 0, 4, 1⟩]
    (fun i => if i = 3 then 1 else 0) := by decide
example : ¬ Feasible 15 [⟨0, 0, 4, 1⟩, ⟨1, 0, 4, 1⟩, ⟨2, 0, 4, 1⟩, ⟨3, 0, 4, 1⟩]
    (fun _ => 0) := by decide

/-! ### Pipelines -/

example : (List.range 5).map (spsOffset 5 2) = [0, 2, 5, 7, 10] := by decide +kernel
/-- Rank 1 holds the prompt and its tokens in its own slice, and nothing outside of it. -/
example : (List.range 9).map (spsMemory 5 5 2 1) = [0, 0, 6, 7, 8, 9, 10, 0, 0] := by
  decide +kernel
/-- The peak is attained in round `τ - 1`. -/
example : spsPeak 5 5 2 = 18 ∧ (List.range 9).map (spsOccupancy 9 5 5 2) =
    [6, 7, 14, 16, 18, 15, 17, 14, 16] := by decide +kernel
/-- Without the greatest common divisor the peak would be 2 here: all three ranks start at once. -/
example : spsPeak 0 1 3 = 3 ∧ spsOccupancy 3 0 1 3 0 = 3 := by decide +kernel
/-- The largest parallelism that fits, and none if one slice does not fit. -/
example : kstar 18 5 5 = 2 ∧ kstar 17 5 5 = 1 ∧ kstar 3 3 1 = 0 := by decide +kernel
/-- The constant 7 is nearly attained: at `M = 3.5 τ` less one, one rank fits. -/
example : kstar 34 10 10 = 1 ∧ kstar 35 10 10 = 2 := by decide +kernel

end OnlineKvCache.Checks
