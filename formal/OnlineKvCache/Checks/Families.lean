module

public import OnlineKvCache.Svf.FamiliesShortest
public import OnlineKvCache.Svf.FamiliesIdentical
public import OnlineKvCache.Svf.FamiliesOneBit
public import OnlineKvCache.Svf.CounterexamplesProof
public import OnlineKvCache.Svf.PoissonWaits
public import OnlineKvCache.NonClairvoyant.PriorityOrdersProof

public section

/-! # The families are what they say, and no hypothesis about them is empty -/

namespace OnlineKvCache.Checks

/-! ### Orders -/

/-- Every order of shapes is followed by some feasible schedule of every burst. -/
theorem inOrder_exists {M : Nat} {I : List Request} (h : Burst M I) (rank : Nat → Nat → Nat) :
    ∃ S, Feasible M I S ∧ NonClairvoyant.InOrder rank I S :=
  ⟨_, orderByKey_feasible h fun q => rank q.prompt q.output, fun _ hp _ hq hk =>
    orderByKey_start_le h (fun q => rank q.prompt q.output) hp hq hk⟩

/-- A short job before a long one follows the ranking by output. -/
theorem inOrder_meets : NonClairvoyant.InOrder (fun _ o => o) [⟨0, 0, 1, 1⟩, ⟨1, 0, 1, 2⟩]
    (fun i => i) := by
  unfold NonClairvoyant.InOrder
  decide

/-- There is an order with distinct ranks for distinct shapes: by their sum, then by prompt. -/
theorem rank_injective_exists : ∃ rank : Nat → Nat → Nat,
    ∀ s o s' o', rank s o = rank s' o' → s = s' ∧ o = o' := by
  refine ⟨fun s o => (s + o) * (s + o) + s, fun s o s' o' h => ?_⟩
  dsimp only at h
  have h1 : s + o = s' + o' := by
    rcases Nat.lt_trichotomy (s + o) (s' + o') with hlt | heq | hgt
    · have := Nat.mul_le_mul (show s + o + 1 ≤ s' + o' from hlt) (show s + o + 1 ≤ s' + o' from hlt)
      have e : (s + o + 1) * (s + o + 1) = (s + o) * (s + o) + 2 * (s + o) + 1 := by grind
      omega
    · exact heq
    · have := Nat.mul_le_mul (show s' + o' + 1 ≤ s + o from hgt) (show s' + o' + 1 ≤ s + o from hgt)
      have e : (s' + o' + 1) * (s' + o' + 1) = (s' + o') * (s' + o') + 2 * (s' + o') + 1 := by grind
      omega
  rw [h1] at h
  omega

/-- Starts 0 and 1 in the order by output, and against it. -/
example : NonClairvoyant.InOrder (fun _ o => o) [⟨0, 0, 1, 1⟩, ⟨1, 0, 1, 2⟩] fun i => i := by
  unfold NonClairvoyant.InOrder
  decide +kernel
example : ¬ NonClairvoyant.InOrder (fun _ o => o) [⟨0, 0, 1, 2⟩, ⟨1, 0, 1, 1⟩] fun i => i := by
  unfold NonClairvoyant.InOrder
  decide +kernel
/-- The two families at `t = 2`: memory 80, shapes `(1, 4)` and `(79, 1)`. -/
example : NonClairvoyant.shapesMemory 2 = 80 ∧
    NonClairvoyant.shapes 80 4 1 2 = [⟨0, 0, 1, 4⟩, ⟨1, 0, 79, 1⟩, ⟨2, 0, 79, 1⟩] := by
  decide +kernel

/-! ### List schedules -/

/-- Shortest job first runs the wide requests two at a time, then the thin ones. -/
example : wideAndThin 2 = [⟨0, 0, 3, 1⟩, ⟨1, 0, 3, 1⟩, ⟨2, 0, 3, 1⟩, ⟨3, 0, 3, 1⟩, ⟨4, 0, 0, 2⟩,
    ⟨5, 0, 0, 2⟩, ⟨6, 0, 0, 2⟩, ⟨7, 0, 0, 2⟩] := by decide +kernel
example : (List.range 8).map (sjf 8 (wideAndThin 2)) = [0, 0, 1, 1, 2, 2, 2, 2] := by
  decide +kernel
/-- By volume the thin ones go first; one wide request fits beside their first round. -/
example : (List.range 8).map (svf 8 (wideAndThin 2)) = [0, 2, 2, 3, 0, 0, 0, 0] := by
  decide +kernel
/-- Batches of two, and the cost by the formula. -/
example : (List.range 4).map (svf 6 (identical 3 4)) = [0, 0, 3, 3] ∧
    2 * TEL (identical 3 4) (svf 6 (identical 3 4)) = 3 * (2 * (2 * 3)) := by decide +kernel
/-- The same memory holds three requests at distance one. -/
example : Feasible 6 (identical 3 4) (fun i => i * 1) ∧
    TEL (identical 3 4) (fun i => i * 1) = 18 ∧ ¬ Feasible 5 (identical 3 4) fun i => i * 1 := by
  decide +kernel
/-- The 1-bit rule takes both shapes for long, so that the larger volume goes first. -/
example : (bigAndSmall 1 4).length = 20 ∧ (bigAndSmall 1 4).head? = some ⟨0, 0, 0, 16⟩ ∧
    (bigAndSmall 1 4).getLast? = some ⟨19, 0, 1, 5⟩ := by decide +kernel
example : predictedKey (oneBitProxy 2) ⟨0, 0, 0, 16⟩ = 72 ∧
    predictedKey (oneBitProxy 2) ⟨19, 0, 1, 5⟩ = 88 ∧ twiceVolume ⟨0, 0, 0, 16⟩ = 272 ∧
    twiceVolume ⟨19, 0, 1, 5⟩ = 40 := by decide +kernel
/-- Overtaking: the third request passes the second. Head of line does not. -/
example : (List.range 3).map (skipSchedule 5 7 skipSmall) = [0, 4, 0] ∧
    (List.range 3).map (listSchedule 5 skipSmall) = [0, 1, 1] := by decide +kernel
/-- Where all fits at once the two agree. -/
example : (List.range 3).map (skipSchedule 20 7 skipSmall) = [0, 0, 0] ∧
    (List.range 3).map (listSchedule 20 skipSmall) = [0, 0, 0] := by decide +kernel

/-! ### Waits -/

example : ratSum (fun k => (k : Rat)) 4 = 6 := by decide +kernel

/-- The recurrence of the waits has a solution with equality, for all loads below the rate. -/
theorem waits_exist {ρ : Nat → Rat} {w r : Rat} (hr : ∀ k, r - ratSum ρ k ≠ 0) :
    ∃ W : Nat → Rat, ∀ k, W k * (r - ratSum ρ (k + 1)) = w + ratSum (fun j => ρ j * W j) k := by
  refine ⟨fun k => w * r / ((r - ratSum ρ k) * (r - ratSum ρ (k + 1))), fun k => ?_⟩
  have h : ∀ k, w + ratSum (fun j => ρ j *
      (w * r / ((r - ratSum ρ j) * (r - ratSum ρ (j + 1))))) k = w * r / (r - ratSum ρ k) := by
    intro k
    induction k with
    | zero =>
      have h0 := hr 0
      have h1 : ratSum ρ 0 = 0 := rfl
      have h2 : ratSum (fun j => ρ j *
        (w * r / ((r - ratSum ρ j) * (r - ratSum ρ (j + 1))))) 0 = 0 := rfl
      rw [h1] at h0
      rw [h2, h1]
      grind
    | succ k ih =>
      have h0 := hr k
      have h1 := hr (k + 1)
      have h2 : ratSum ρ (k + 1) = ratSum ρ k + ρ k := rfl
      have h3 : ratSum (fun j => ρ j *
        (w * r / ((r - ratSum ρ j) * (r - ratSum ρ (j + 1))))) (k + 1) =
        ratSum (fun j => ρ j * (w * r / ((r - ratSum ρ j) * (r - ratSum ρ (j + 1))))) k +
          ρ k * (w * r / ((r - ratSum ρ k) * (r - ratSum ρ (k + 1)))) := rfl
      rw [h3]
      grind
  rw [h k]
  have h0 := hr k
  have h1 := hr (k + 1)
  dsimp only
  grind

end OnlineKvCache.Checks
