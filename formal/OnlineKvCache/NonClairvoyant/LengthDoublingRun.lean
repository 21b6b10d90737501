module

public import OnlineKvCache.NonClairvoyant.LengthDoublingSum
public import OnlineKvCache.NonClairvoyant.FairShareStageRun
public import OnlineKvCache.Checks.Decide

public section

/-! # LengthDoubling serves every burst, with at most 76/3, or 67/3, times the least makespan -/

namespace OnlineKvCache.NonClairvoyant

open Packing

variable {c : Nat → Nat} {a b M : Nat} {I : List Request}

/-- What stage `r` adds to the area. -/
noncomputable abbrev stageArea (c : Nat → Nat) (I : List Request) (r : Nat) : Nat :=
  ((I.filter fun q => decide (lower c r ≤ q.output)).map fun q => c r * (q.prompt + c r)).sum

/-- Stage `n` begins in round `T`, and what is known by then. -/
structure StageReached (c : Nat → Nat) (M : Nat) (I : List Request) (n T : Nat) : Prop where
  /-- The stage begins. -/
  begins : Begins (lengthRule c M) M I T n
  /-- The memory sufficed so far. -/
  room : ∀ t, t < T → runMemory I (decider (lengthRule c M) M I) t ≤ M
  /-- Long requests are unfinished. -/
  live : ∀ q ∈ I, lower c n ≤ q.output →
    ((runAt (lengthRule c M) M I T).status q).isLive = true
  /-- Short requests have completed. -/
  done : ∀ q ∈ I, q.output < lower c n →
    ∃ e, (runAt (lengthRule c M) M I T).status q = .done e ∧ e ≤ T
  /-- How long it took. -/
  time : (M + 1) * T ≤ (M + 1) * ((List.range n).map c).sum +
    2 * ((List.range n).map fun r => stageArea c I r).sum

theorem stageReached_zero (hI : Burst M I) (c : Nat → Nat) : StageReached c M I 0 0 where
  begins := begins_zero ..
  room t ht := absurd ht (Nat.not_lt_zero _)
  live _ _ _ := rfl
  done q hq h := by
    have h1 := hI.output_pos q hq
    have h2 : lower c 0 = 1 := rfl
    omega
  time := Nat.zero_le _

theorem StageReached.unfinished_eq {n T : Nat} (h : StageReached c M I n T) :
    unfinished (lengthRule c M) M I T = I.filter fun q => decide (lower c n ≤ q.output) := by
  refine List.filter_congr fun q hq => ?_
  rcases Nat.lt_or_ge q.output (lower c n) with h1 | h1
  · obtain ⟨e, h2, _⟩ := h.done q hq h1
    have h3 : ¬ lower c n ≤ q.output := by omega
    rw [h2]
    simp [Status.isLive, h3]
  · rw [h.live q hq h1]
    simp [h1]

/-- Every packing of a stage ends in time. -/
theorem length_pack (hI : Burst M I) {J : List Request} (hJ : ∀ q ∈ J, q ∈ I) {L : Nat}
    {cap : Request → Nat} (hcap : ∀ q, cap q = min L (M - q.prompt)) {σ : Request → Nat}
    (hσ : AnyFit M (included cap J) σ (widthOf cap) (heightOf cap) 0) :
    ∀ q ∈ included cap J, σ q + heightOf cap q ≤
      L + 2 * (J.map fun q => L * (q.prompt + L)).sum / (M + 1) := by
  intro q hq
  have h1 := hσ.end_area (h := L)
    (fun p hp => by
      have h2 := hI.fits p (hJ p (List.mem_filter.1 hp).1)
      unfold Request.peak at h2
      unfold widthOf
      rw [hcap]
      omega)
    (fun p _ => by
      unfold heightOf
      rw [hcap]
      omega) hq
  have h2 : area (included cap J) (widthOf cap) (heightOf cap) ≤
      (J.map fun q => L * (q.prompt + L)).sum := by
    refine Nat.le_trans (sum_map_le_sum_map (g := fun q => L * (q.prompt + L)) fun p _ => ?_)
      (sum_map_sublist _ List.filter_sublist)
    show widthOf cap p * heightOf cap p ≤ L * (p.prompt + L)
    rw [Nat.mul_comm L]
    refine Nat.mul_le_mul ?_ ?_
    · unfold widthOf
      rw [hcap]
      omega
    · unfold heightOf
      rw [hcap]
      omega
  have h3 : σ q + heightOf cap q - L ≤
      2 * (J.map fun q => L * (q.prompt + L)).sum / (M + 1) := by
    rw [Nat.le_div_iff_mul_le (show 0 < M + 1 by omega), Nat.mul_comm]
    rw [Nat.sub_zero] at h1
    omega
  omega

/-- One stage. -/
theorem StageReached.next (h : CapRule c a b) (hI : Burst M I) {n T : Nat}
    (hT : StageReached c M I n T) : ∃ T', StageReached c M I (n + 1) T' := by
  have hpos := h.pos n
  have hlow := lower_succ c n
  have hmono := h.lower_mono n 1
  have hJ : ∀ q ∈ unfinished (lengthRule c M) M I T, q ∈ I := fun q hq => (List.mem_filter.1 hq).1
  obtain ⟨d, h1, h2, _, h4, h5, h6⟩ := stage_run (R := lengthRule c M) (t₀ := T) (r := n)
    (J := unfinished (lengthRule c M) M I T) (cap := fun q => min (c n) (M - q.prompt))
    (b := c n + 2 * ((unfinished (lengthRule c M) M I T).map fun q =>
      c n * (q.prompt + c n)).sum / (M + 1))
    (fun q => rfl) hI.nodup hI.output_pos rfl hT.begins
    (Nat.le_trans hpos (Nat.le_add_right ..)) (Nat.zero_le _)
    fun σ hσ => length_pack hI hJ (fun _ => rfl) hσ
  rw [hT.unfinished_eq] at h2 h6
  refine ⟨T + d, h4, fun t ht => ?_, fun q hq hl => ?_, fun q hq hl => ?_, ?_⟩
  · rcases Nat.lt_or_ge t T with h7 | h7
    · exact hT.room t h7
    · have := h5 (t - T) (by omega)
      have e : T + (t - T) = t := by omega
      rw [e] at this
      exact this
  · have h7 := h6 q (List.mem_filter.2 ⟨hq, decide_eq_true (by omega)⟩)
    rw [if_neg (by omega)] at h7
    exact h7
  · rcases Nat.lt_or_ge q.output (lower c n) with h7 | h7
    · obtain ⟨e, h8, h9⟩ := hT.done q hq h7
      exact ⟨e, status_done h8 d, by omega⟩
    · have h8 := h6 q (List.mem_filter.2 ⟨hq, decide_eq_true h7⟩)
      have h9 := hI.fits q hq
      unfold Request.peak at h9
      rw [if_pos (by omega)] at h8
      exact h8
  · have h7 := Nat.mul_le_mul_left (M + 1) h2
    have h8 : (M + 1) * (2 * ((I.filter fun q => decide (lower c n ≤ q.output)).map fun q =>
        c n * (q.prompt + c n)).sum / (M + 1)) ≤ 2 * stageArea c I n := Nat.mul_div_le ..
    have h9 := hT.time
    rw [Nat.mul_add] at h7
    rw [sum_range_succ, sum_range_succ, Nat.mul_add, Nat.mul_add, Nat.mul_add]
    omega

theorem stageReached (h : CapRule c a b) (hI : Burst M I) : ∀ n, ∃ T, StageReached c M I n T
  | 0 => ⟨0, stageReached_zero hI c⟩
  | n + 1 => by
    obtain ⟨T, hT⟩ := stageReached h hI n
    exact hT.next h hI

/-- Values for the requests give values by label. -/
theorem exists_by_id {P : Request → Nat → Prop} : ∀ {I : List Request},
    (I.map Request.id).Nodup → (∀ q ∈ I, ∃ e, P q e) → ∃ C : Nat → Nat, ∀ q ∈ I, P q (C q.id)
  | [], _, _ => ⟨fun _ => 0, fun _ h => by cases h⟩
  | p :: I, hn, h => by
    rw [List.map_cons] at hn
    have hn' := List.nodup_cons.1 hn
    obtain ⟨C, hC⟩ := exists_by_id hn'.2 fun q hq => h q (List.mem_cons_of_mem _ hq)
    obtain ⟨e, he⟩ := h p (List.mem_cons_self ..)
    refine ⟨fun i => if i = p.id then e else C i, fun q hq => ?_⟩
    dsimp only
    rcases List.mem_cons.1 hq with h1 | h1
    · rw [h1, if_pos rfl]
      exact he
    · have h2 : q.id ≠ p.id := fun h2 => hn'.1 (by rw [← h2]; exact List.mem_map_of_mem h1)
      rw [if_neg h2]
      exact hC q h1

theorem foldl_max_bound (f : Request → Nat) {T : Nat} : ∀ (l : List Request) (m : Nat), m ≤ T →
    (∀ q ∈ l, f q ≤ T) → l.foldl (fun m q => max m (f q)) m ≤ T
  | [], _, hm, _ => hm
  | q :: l, m, hm, h => by
    rw [List.foldl_cons]
    have := h q (List.mem_cons_self ..)
    exact foldl_max_bound f l _ (by omega) fun p hp => h p (List.mem_cons_of_mem _ hp)

/-- LengthDoubling with any caps. -/
theorem lengthRule_serves (h : CapRule c a b) (hI : Burst M I) :
    ∃ C, KillServes M I (staged (lengthRule c) M (seen I)) C ∧
      ∀ S, Feasible M I S → 3 * lastTime I C ≤ (3 * a + 4 * b) * makespan I S := by
  have hex : ∃ K, ∀ q ∈ I, q.output ≤ c K := by
    have hmono : ∀ r d, c r ≤ c (r + d) := fun r d => by
      induction d with
      | zero => exact Nat.le_refl _
      | succ d ih => exact Nat.le_trans ih (h.mono (r + d))
    obtain ⟨K, hK⟩ := h.unbounded (I.map Request.output).sum
    exact ⟨K, fun q hq => Nat.le_trans (le_sum_map Request.output hq) hK⟩
  obtain ⟨K, hK, hmin⟩ := exists_min hex
  obtain ⟨T, hT⟩ := stageReached h hI (K + 1)
  have hlow := lower_succ c K
  have hdone : ∀ q ∈ I, ∃ e, (runAt (lengthRule c M) M I T).status q = .done e ∧ e ≤ T :=
    fun q hq => hT.done q hq (by have := hK q hq; omega)
  obtain ⟨C, hC⟩ := exists_by_id hI.nodup hdone
  refine ⟨C, KillServes.of_check (T := T) (fun t ht => hT.room t (List.mem_range.1 ht))
    fun q hq => (hC q hq).1, fun S hS => ?_⟩
  by_cases hne : ∃ q ∈ I, lower c K ≤ q.output
  · obtain ⟨q, hq, hlq⟩ := hne
    have h1 : q.output ≤ makespan I S := Nat.le_trans (Nat.le_add_left ..)
      (completion_le_makespan S hq)
    have h2 := h.total hT.time (X := makespan I S) (by omega)
      (volume_by hS (List.Sublist.refl I) fun q hq => completion_le_makespan S hq)
    have h3 : lastTime I C ≤ T := foldl_max_bound (fun q => C q.id) I 0 (Nat.zero_le _)
      fun q hq => (hC q hq).2
    omega
  · have hnil : I = [] := by
      cases I with
      | nil => rfl
      | cons p l =>
        exfalso
        have hall : ∀ q ∈ p :: l, q.output < lower c K := fun q hq =>
          Nat.lt_of_not_le fun h1 => hne ⟨q, hq, h1⟩
        have hp := hall p (List.mem_cons_self ..)
        have hp1 := hI.output_pos p (List.mem_cons_self ..)
        cases K with
        | zero =>
          have : lower c 0 = 1 := rfl
          omega
        | succ K =>
          have hlow' := lower_succ c K
          have := hmin K fun q hq => by
            have := hall q hq
            omega
          omega
    subst hnil
    have : lastTime [] C = 0 := rfl
    omega

/-- LengthDoubling: 76/3. -/
theorem lengthDoubling_serves (hI : Burst M I) :
    ∃ C, KillServes M I (lengthDoubling M (seen I)) C ∧
      ∀ S, Feasible M I S → 3 * lastTime I C ≤ 76 * makespan I S :=
  lengthRule_serves doubling_rule hI

/-- LengthDoubling with the finer caps: 67/3. -/
theorem lengthDoublingFine_serves (hI : Burst M I) :
    ∃ C, KillServes M I (lengthDoublingFine M (seen I)) C ∧
      ∀ S, Feasible M I S → 3 * lastTime I C ≤ 67 * makespan I S :=
  lengthRule_serves fine_rule hI

end OnlineKvCache.NonClairvoyant
