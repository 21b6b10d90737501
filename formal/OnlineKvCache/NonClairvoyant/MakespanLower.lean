module

public import OnlineKvCache.NonClairvoyant.LowerBound
public import OnlineKvCache.Basic.Cover

@[expose] public section

/-! # No scheduler with kills has a makespan factor below `2 - 1/m`

`m(m-1) + 1` jobs with prompt `m²` at memory `m(m² + m)`: `m` fit at a time, never `m + 1`. All
outputs are 1 but one, which is `m`: that of a job that is not run before round `m - 1`. -/

namespace OnlineKvCache.NonClairvoyant

variable {K n m : Nat} {D : Decider}

/-- All outputs are 1, but that of label `j`. -/
noncomputable def oneLong (m j i : Nat) : Nat := if i = j then m else 1

/-- With output 1 an unfinished request has never run. -/
theorem live_zero {I : List Request} {q : Request} (ho : q.output = 1) : ∀ {t u},
    (run I D t).status q = .live u → u = 0
  | 0, u, h => by cases h; rfl
  | t + 1, u, h => by
    rw [run_status_succ] at h
    cases hs : (run I D t).status q with
    | done c => rw [hs] at h; cases h
    | live w =>
      rw [hs] at h
      have h0 := live_zero ho hs
      subst h0
      simp only [Status.next, ho] at h
      split at h
      · cases h
      · next hne =>
        injection h with h
        cases hm : (run I D t).move D q <;> rw [hm] at h hne <;> simp [Move.grow] at h hne
        exact h.symm

theorem live_prev {I : List Request} {q : Request} {t r u : Nat}
    (h : (run I D t).status q = .live u) (hr : r ≤ t) : ∃ v, (run I D r).status q = .live v := by
  cases hs : (run I D r).status q with
  | live v => exact ⟨v, rfl⟩
  | done c => rw [status_done_le hs hr] at h; cases h

/-- If label `j` has not run before round `t` when all outputs are 1, then before round `t` nothing
depends on its output. -/
theorem same_run {j : Nat} (hj : j < n) (hm : 1 ≤ m) : ∀ {t},
    (run (jobs K (fun _ => 1) n) D t).status (job K (fun _ => 1) j) = .live 0 →
    (run (jobs K (oneLong m j) n) D t).history = (run (jobs K (fun _ => 1) n) D t).history ∧
    (∀ i < n, i ≠ j → (run (jobs K (oneLong m j) n) D t).status (job K (oneLong m j) i) =
      (run (jobs K (fun _ => 1) n) D t).status (job K (fun _ => 1) i)) ∧
    (run (jobs K (oneLong m j) n) D t).status (job K (oneLong m j) j) = .live 0
  | 0, _ => ⟨rfl, fun _ _ _ => rfl, rfl⟩
  | t + 1, h => by
    obtain ⟨v, hv⟩ := live_prev h (Nat.le_succ t)
    have hv0 := live_zero rfl hv
    subst hv0
    obtain ⟨h1, h2, h3⟩ := same_run hj hm hv
    have hmove : ∀ i, (run (jobs K (oneLong m j) n) D t).move D (job K (oneLong m j) i) =
        (run (jobs K (fun _ => 1) n) D t).move D (job K (fun _ => 1) i) := fun i => by
      simp only [State.move, h1, job]
    have hgrow : ((run (jobs K (fun _ => 1) n) D t).move D (job K (fun _ => 1) j)).grow 0 = 0 := by
      rw [run_status_succ, hv] at h
      simp only [Status.next] at h
      split at h
      · cases h
      · injection h
    have hjob : ∀ i, i ≠ j → job K (oneLong m j) i = job K (fun _ => 1) i := fun i hi => by
      simp only [job, oneLong, if_neg hi]
    refine ⟨?_, fun i hi hij => ?_, ?_⟩
    · rw [run_history_succ, run_history_succ, h1]
      congr 1
      simp only [jobs, List.filter_map, List.map_map]
      have e : (List.range n).filter ((fun q => ((run (jobs K (oneLong m j) n) D t).status
          q).completes q.output ((run (jobs K (oneLong m j) n) D t).move D q)) ∘
          job K (oneLong m j)) =
          (List.range n).filter ((fun q => ((run (jobs K (fun _ => 1) n) D t).status
          q).completes q.output ((run (jobs K (fun _ => 1) n) D t).move D q)) ∘
          job K (fun _ => 1)) := by
        refine List.filter_congr fun i hi => ?_
        simp only [Function.comp, hmove i]
        by_cases hij : i = j
        · subst hij
          have e1 : (job K (oneLong m i) i).output = m := if_pos rfl
          rw [h3, hv]
          simp only [Status.completes, hgrow, e1]
          have e2 : ¬ 0 = m := by omega
          simp [e2, job]
        · rw [h2 i (List.mem_range.1 hi) hij, hjob i hij]
      unfold jobs at e
      rw [e]
      rfl
    · rw [run_status_succ, run_status_succ, h2 i hi hij, hmove i, run_history_length,
        run_history_length]
      simp only [job, oneLong, if_neg hij]
    · rw [run_status_succ, h3, hmove j]
      have e1 : (job K (oneLong m j) j).output = m := if_pos rfl
      simp only [Status.next, hgrow]
      exact if_neg (by rw [e1]; omega)

/-- The memory of a round is the same. -/
theorem same_memory {j t : Nat} (hj : j < n) (hm : 1 ≤ m)
    (h : (run (jobs K (fun _ => 1) n) D t).status (job K (fun _ => 1) j) = .live 0) :
    runMemory (jobs K (oneLong m j) n) D t = runMemory (jobs K (fun _ => 1) n) D t := by
  obtain ⟨h1, h2, h3⟩ := same_run hj hm h
  simp only [runMemory, jobs, List.map_map]
  refine sum_map_congr fun i hi => ?_
  have hmove : (run (jobs K (oneLong m j) n) D t).move D (job K (oneLong m j) i) =
      (run (jobs K (fun _ => 1) n) D t).move D (job K (fun _ => 1) i) := by
    simp only [State.move, h1, job]
  have hst : (run (jobs K (oneLong m j) n) D t).status (job K (oneLong m j) i) =
      (run (jobs K (fun _ => 1) n) D t).status (job K (fun _ => 1) i) := by
    by_cases hij : i = j
    · subst hij; rw [h3, h]
    · exact h2 i (List.mem_range.1 hi) hij
  unfold jobs at hmove hst
  simp only [Function.comp, hmove, hst]
  rfl

/-- Number of labels done before round `t` when all outputs are 1. -/
noncomputable def doneCount (K n : Nat) (D : Decider) (t : Nat) : Nat :=
  ((List.range n).map fun i =>
    match (run (jobs K (fun _ => 1) n) D t).status (job K (fun _ => 1) i) with
    | .live _ => 0
    | .done _ => 1).sum

/-- A round completes no more than the memory holds. -/
theorem doneCount_succ (t : Nat) : (K + 1) * doneCount K n D (t + 1) ≤
    (K + 1) * doneCount K n D t + runMemory (jobs K (fun _ => 1) n) D t := by
  simp only [runMemory, doneCount, jobs, List.map_map]
  rw [← sum_map_mul, ← sum_map_mul, ← sum_map_add]
  refine sum_map_le_sum_map fun i hi => ?_
  simp only [Function.comp]
  rw [run_status_succ]
  cases hs : (run (jobs K (fun _ => 1) n) D t).status (job K (fun _ => 1) i) with
  | done c =>
    unfold jobs at hs
    simp only [hs, Status.next]; omega
  | live u =>
    unfold jobs at hs
    simp only [hs, Status.next, Status.memory]
    by_cases he : ((run ((List.range n).map (job K fun _ => 1)) D t).move D
      (job K (fun _ => 1) i)).grow u = (job K (fun _ => 1) i).output
    · rw [if_pos he, he]
      simp [job]
    · rw [if_neg he]
      simp

/-- Before round `m - 1`, or before the first round that exceeds the memory, some label has not
run. -/
theorem exists_idle {M : Nat} (hM : M < (m + 1) * (K + 1)) (hn : m * (m - 1) < n) (hm : 1 ≤ m) :
    ∀ t, t ≤ m - 1 → ∃ r ≤ t, (r = t ∨ M < runMemory (jobs K (fun _ => 1) n) D r) ∧
      ∃ j < n, (run (jobs K (fun _ => 1) n) D r).status (job K (fun _ => 1) j) = .live 0 := by
  intro t ht
  by_cases hf : ∀ r, r < t → runMemory (jobs K (fun _ => 1) n) D r ≤ M
  · refine ⟨t, Nat.le_refl t, Or.inl rfl, ?_⟩
    have h1 : ∀ r, r ≤ t → doneCount K n D r ≤ m * r := by
      intro r
      induction r with
      | zero => intro _; exact Nat.le_of_eq (sum_map_eq_zero fun _ _ => rfl)
      | succ r ih =>
        intro hr
        have h2 := ih (by omega)
        have h3 := doneCount_succ (K := K) (n := n) (D := D) r
        have h4 := hf r (by omega)
        have h5 : (K + 1) * doneCount K n D (r + 1) < (K + 1) * (doneCount K n D r + (m + 1)) := by
          have e : (K + 1) * (doneCount K n D r + (m + 1)) =
            (K + 1) * doneCount K n D r + (m + 1) * (K + 1) := by grind
          omega
        have h6 := Nat.lt_of_mul_lt_mul_left h5
        have e : m * (r + 1) = m * r + m := Nat.mul_succ ..
        omega
    refine Classical.byContradiction fun hc => ?_
    have h2 : n * 1 ≤ doneCount K n D t := by
      have h3 := sum_map_le_sum_map (f := fun _ => 1) (l := List.range n) (g := fun i =>
        match (run (jobs K (fun _ => 1) n) D t).status (job K (fun _ => 1) i) with
        | .live _ => 0
        | .done _ => 1) fun i hi => by
          dsimp only
          cases hs : (run (jobs K (fun _ => 1) n) D t).status (job K (fun _ => 1) i) with
          | done c => exact Nat.le_refl _
          | live u =>
            have := live_zero rfl hs
            subst this
            exact absurd ⟨i, List.mem_range.1 hi, hs⟩ hc
      rw [sum_map_const, List.length_range] at h3
      exact h3
    have h3 := h1 t (Nat.le_refl t)
    have h4 := Nat.mul_le_mul_left m ht
    omega
  · -- the first round that exceeds the memory
    have h1 : ∃ r, r < t ∧ M < runMemory (jobs K (fun _ => 1) n) D r :=
      Classical.byContradiction fun hc => hf fun r hr =>
        Nat.le_of_not_lt fun hlt => hc ⟨r, hr, hlt⟩
    obtain ⟨r, ⟨hr, hlt⟩, hmin⟩ := exists_min h1
    obtain ⟨r', h2, h3, h4⟩ := exists_idle hM hn hm r (by omega)
    refine ⟨r', by omega, Or.inr ?_, h4⟩
    rcases h3 with rfl | h3
    · exact hlt
    · exact h3
termination_by t => t

/-- The position of a short job among the short ones. -/
def shortRank (j i : Nat) : Nat := if i < j then i else i - 1

/-- The optimal schedule: label `j` throughout, the others `m - 1` at a time. -/
theorem long_beside_short {j M : Nat} (hj : j < n) (hm : 2 ≤ m) (hn : n = m * (m - 1) + 1)
    (hM : m * (K + m) = M) : IsOPTMakespan M (jobs K (oneLong m j) n) m := by
  have hlong : (job K (oneLong m j) j).output = m := if_pos rfl
  have hge : ∀ S, m ≤ makespan (jobs K (oneLong m j) n) S := fun S => by
    have := completion_le_makespan S (job_mem (K := K) (o := oneLong m j) hj)
    rw [completion, hlong] at this
    omega
  generalize hS : (fun i => if i = j then 0 else shortRank j i / (m - 1) : Schedule) = S
  have hSj : S j = 0 := by rw [← hS]; exact if_pos rfl
  have hSi : ∀ i, i ≠ j → S i = shortRank j i / (m - 1) := fun i hi => by
    rw [← hS]; exact if_neg hi
  have hrank : ∀ i < n, i ≠ j → shortRank j i < m * (m - 1) := fun i hi hij => by
    unfold shortRank
    split <;> omega
  refine ⟨⟨S, ⟨fun q hq => by rw [jobs_arrival q hq]; exact Nat.zero_le _, fun t => ?_⟩,
    Nat.le_antisymm (makespan_le fun q hq => ?_) (hge S)⟩, fun S _ => hge S⟩
  · have h1 : occupancy (jobs K (oneLong m j) n) S t ≤ ((List.range n).map fun i =>
        (if i = j then K + m else 0) +
          if decide (i ≠ j ∧ shortRank j i / (m - 1) = t) = true then K + 1 else 0).sum := by
      rw [occupancy, jobs, List.map_map]
      refine sum_map_le_sum_map fun i _ => ?_
      simp only [Function.comp, memory, Active, completion, start, job]
      by_cases hij : i = j
      · subst hij
        rw [hSj]
        simp only [oneLong, if_pos]
        split <;> omega
      · rw [hSi i hij]
        simp only [oneLong, if_neg hij]
        split
        · rw [if_pos (by simp only [decide_eq_true_eq]; exact ⟨hij, by omega⟩)]
          omega
        · omega
    rw [sum_map_add] at h1
    have h2 := sum_map_le_of_disjoint (f := fun i => if i = j then K + m else 0)
      (l := List.range n) (c := K + m) List.nodup_range
      (fun i _ => by dsimp only; split <;> omega)
      (fun i _ k _ hik => by dsimp only; split <;> split <;> omega)
    rw [sum_map_ite (fun i => decide (i ≠ j ∧ shortRank j i / (m - 1) = t)) (fun _ => K + 1),
      sum_map_const] at h1
    have h3 : ((List.range n).filter fun i =>
        decide (i ≠ j ∧ shortRank j i / (m - 1) = t)).length ≤ m - 1 := by
      have h4 := length_le_of_subset (l := ((List.range n).filter fun i =>
        decide (i ≠ j ∧ shortRank j i / (m - 1) = t)).map (shortRank j))
        (m := (List.range (m - 1)).map fun x => (m - 1) * t + x)
        (List.pairwise_map.2 (((List.nodup_range (n := n)).sublist List.filter_sublist).imp_of_mem
          fun {a b} ha hb hab => by
            have ha' := (List.mem_filter.1 ha).2
            have hb' := (List.mem_filter.1 hb).2
            simp only [decide_eq_true_eq] at ha' hb'
            unfold shortRank
            split <;> split <;> omega))
        (fun x hx => by
          obtain ⟨i, hi, rfl⟩ := List.mem_map.1 hx
          have hi' := (List.mem_filter.1 hi).2
          simp only [decide_eq_true_eq] at hi'
          have h5 := Nat.div_add_mod (shortRank j i) (m - 1)
          have h6 := Nat.mod_lt (shortRank j i) (show m - 1 > 0 by omega)
          rw [hi'.2] at h5
          exact List.mem_map.2 ⟨shortRank j i % (m - 1), List.mem_range.2 h6, h5⟩)
      rwa [List.length_map, List.length_map, List.length_range] at h4
    have h4 := Nat.mul_le_mul_right (K + 1) h3
    have h5 := Nat.mul_le_mul_left (m - 1) (show K + 1 ≤ K + m by omega)
    have h6 := Nat.succ_mul (m - 1) (K + m)
    rw [Nat.succ_eq_add_one, show m - 1 + 1 = m by omega, hM] at h6
    omega
  · obtain ⟨i, hi, rfl⟩ := mem_jobs.1 hq
    simp only [completion, start, job]
    by_cases hij : i = j
    · subst hij
      rw [hSj]
      simp only [oneLong, if_pos]
      omega
    · rw [hSi i hij]
      have := (Nat.div_lt_iff_lt_mul (show 0 < m - 1 by omega)).2 (hrank i hi hij)
      simp only [oneLong, if_neg hij]
      omega

theorem kill_makespan_lower (m : Nat) (hm : 2 ≤ m) : ∃ M, ∀ A : KillScheduler, ∃ I, Burst M I ∧
    I.length = m * (m - 1) + 1 ∧ (∀ r ∈ I, 1 ≤ r.prompt) ∧ IsOPTMakespan M I m ∧
    ∀ C, KillServes M I (A M (seen I)) C → 2 * m ≤ lastTime I C + 1 := by
  generalize hK : m * m = K
  generalize hMe : m * (K + m) = M
  generalize hne : m * (m - 1) + 1 = n
  refine ⟨M, fun A => ?_⟩
  generalize hD : A M ((List.range n).map fun i => (i, K)) = D
  have hM : M < (m + 1) * (K + 1) := by
    have e1 : m * (K + m) = m * K + m * m := Nat.mul_add ..
    have e2 : (m + 1) * (K + 1) = m * K + m + K + 1 := by grind
    omega
  have hm2 := Nat.mul_le_mul_right m hm
  obtain ⟨r, hr, hcase, j, hj, hlive⟩ := exists_idle (D := D) (n := n) hM (by omega)
    (show 1 ≤ m by omega) (m - 1) (Nat.le_refl _)
  have hfit : ∀ i < n, 1 ≤ oneLong m j i ∧ K + oneLong m j i ≤ M := fun i _ => by
    have e1 : m * (K + m) = m * K + m * m := Nat.mul_add ..
    have e2 := Nat.mul_le_mul_right K hm
    unfold oneLong
    split <;> omega
  have hK1 : 1 ≤ K := by omega
  refine ⟨jobs K (oneLong m j) n, jobs_burst hK1 hfit, jobs_length,
    (jobs_valid hK1 hfit).prompt_pos, long_beside_short hj hm hne.symm hMe, fun C hC => ?_⟩
  rw [seen_jobs, hD] at hC
  have h1 := hC.feasible r
  rw [same_memory hj (by omega) hlive] at h1
  have hr' : r = m - 1 := by omega
  subst hr'
  obtain ⟨t, ht⟩ := hC.completes _ (job_mem hj)
  have h2 := late_done (same_run hj (by omega) hlive).2.2 rfl (grow_le _ 0) ht
  have h3 := le_lastTime (C := C) (job_mem (K := K) (o := oneLong m j) hj)
  have e1 : (job K (oneLong m j) j).output = m := if_pos rfl
  rw [e1] at h2
  omega

end OnlineKvCache.NonClairvoyant
