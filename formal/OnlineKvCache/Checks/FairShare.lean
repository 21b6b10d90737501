module

public import OnlineKvCache.NonClairvoyant.FairShareBound
public import OnlineKvCache.Checks.Kills

@[expose] public section

/-! # Checks of FairShare

Shares, small runs, and the link from an evaluated run to the completion times of the theorems. -/

namespace OnlineKvCache.Checks

open NonClairvoyant

/-- The share is the largest length whose rectangle fits: 2 * (1 + 2) * 2 ≤ 7 * 2. -/
example : share 7 2 2 1 2 = 2 ∧ 2 * (2 * (1 + 2)) ≤ 7 * 2 := by decide +kernel
/-- With one more request it does not fit any more. -/
example : share 7 2 3 1 2 = 1 ∧ ¬ 3 * (2 * (1 + 2)) ≤ 7 * 2 := by decide +kernel
/-- Nothing fits: the request is left out of the stage. -/
example : share 7 1 3 3 1 = 0 := by decide +kernel
/-- The share never exceeds the memory. -/
example : share 4 64 1 3 4 = 1 := by decide +kernel

/-- The completion times of FairShare, as far as they are before round `t`. -/
noncomputable def fairShareBy (M : Nat) (I : List Request) (t : Nat) : List (Option Nat) :=
  completionsBy I (fairShare M (seen I)) t

/-- A run in which all have completed by round `t` has these completion times. -/
theorem fairShareBy_eq {M t : Nat} {I : List Request} {l : List Nat}
    (h : fairShareBy M I t = l.map some) {C : Nat → Nat}
    (hC : KillServes M I (fairShare M (seen I)) C) : (I.map fun q => C q.id) = l := by
  have key : ∀ {J : List Request} {l : List Nat}, (∀ q ∈ J, q ∈ I) →
      (J.map fun q => match (run I (fairShare M (seen I)) t).status q with
        | .live _ => none
        | .done c => some c) = l.map some → (J.map fun q => C q.id) = l := by
    intro J
    induction J with
    | nil => intro l _ h; cases l with
      | nil => rfl
      | cons a l => cases h
    | cons q J ih =>
      intro l hJ h
      cases l with
      | nil => cases h
      | cons a l =>
        simp only [List.map_cons, List.cons.injEq] at h
        obtain ⟨t', ht'⟩ := hC.completes q (hJ q (List.mem_cons_self ..))
        cases hs : (run I (fairShare M (seen I)) t).status q with
        | live u =>
          rw [hs] at h
          cases h.1
        | done c =>
          rw [hs] at h
          have h1 : c = a := Option.some.inj h.1
          rw [List.map_cons, ih (fun p hp => hJ p (List.mem_cons_of_mem _ hp)) h.2,
            done_unique ht' hs, h1]
  exact key (fun _ h => h) h

/-- Two requests at memory 4: in stage 0 each gets one round, the longer starts afresh later. -/
example : fairShareBy 4 oneTwo 4 = [some 1, some 3] := by decide +kernel
/-- A request too large for its share waits for later stages. -/
example : fairShareBy 7 [⟨0, 0, 1, 1⟩, ⟨1, 0, 1, 2⟩, ⟨2, 0, 3, 4⟩] 8 =
    [some 1, some 3, some 8] := by decide +kernel
/-- Its killed attempts: it holds memory in round 2, and completes only in round 7. -/
example : fairShareBy 7 [⟨0, 0, 1, 1⟩, ⟨1, 0, 1, 2⟩, ⟨2, 0, 3, 4⟩] 7 =
    [some 1, some 3, none] := by decide +kernel

/-- The hypotheses of the theorem are met, and its conclusion is about a real run. -/
theorem fairShare_meets : ∃ C, KillServes 4 twoTwos (fairShare 4 (seen twoTwos)) C ∧
    totalTime twoTwos C ≤ 64 * 6 := by
  obtain ⟨C, hC, h⟩ := fairShare_sixty_four twoTwos_burst
  exact ⟨C, hC, h 6 twoTwos_opt⟩

end OnlineKvCache.Checks
