module

public import OnlineKvCache.NonClairvoyant.FairShareStage

public section

/-! # The run of one stage -/

namespace OnlineKvCache.NonClairvoyant

open Packing

variable {R : StageRule} {M t₀ r k b : Nat} {I J : List Request} {cap : Request → Nat} {S : Stage}

theorem stateAt_succ (R : StageRule) (M : Nat) (I : List Request) (t : Nat) :
    stateAt R M I (t + 1) = (stateAt R M I t).step R M ((I.filter fun q =>
      ((runAt R M I t).status q).completes q.output ((runAt R M I t).move (decider R M I) q)).map
        Request.id) := rfl

theorem move_at (R : StageRule) (M : Nat) (I : List Request) (t : Nat) (q : Request) :
    (runAt R M I t).move (decider R M I) q = (stateAt R M I t).move q.id := rfl

/-- The completions of round `t`. -/
noncomputable abbrev completed (R : StageRule) (M : Nat) (I : List Request) (t : Nat) : List Nat :=
  (I.filter fun q => ((runAt R M I t).status q).completes q.output
    ((runAt R M I t).move (decider R M I) q)).map Request.id

theorem mem_completed (hn : (I.map Request.id).Nodup) {t : Nat} {q : Request} (hq : q ∈ I) :
    q.id ∈ completed R M I t ↔ ((runAt R M I t).status q).completes q.output
      ((runAt R M I t).move (decider R M I) q) = true := by
  constructor
  · intro h
    obtain ⟨p, hp, he⟩ := List.mem_map.1 h
    have hp' := List.mem_filter.1 hp
    rw [← eq_of_id_eq hn hp'.1 hq he]
    exact hp'.2
  · exact fun h => List.mem_map_of_mem (List.mem_filter.2 ⟨hq, h⟩)

section

variable (hcap : ∀ q, cap q = R.cap r J.length q.prompt) (hI : (I.map Request.id).Nodup)
  (hJ : ∀ q ∈ J, q ∈ I) (ho : ∀ q ∈ J, 1 ≤ q.output)
include hcap hI hJ ho

omit hcap in
/-- A round. -/
theorem Within.pass (h : Within R M I t₀ r J cap k (k + 1) (stateAt R M I (t₀ + k))) :
    Within R M I t₀ r J cap (k + 1) (k + 1)
      ((stateAt R M I (t₀ + k)).pass (completed R M I (t₀ + k))) := by
  refine ⟨h.number, congrArg Nat.succ h.clock, h.jobs, fun q hq => ?_, h.fit, ?_⟩
  · have h1 := h.track q hq
    have hm : (runAt R M I (t₀ + k)).move (decider R M I) q =
        moveOf k ((stateAt R M I (t₀ + k)).entry q.id)
          (q.id ∈ (stateAt R M I (t₀ + k)).gone) := by
      rw [move_at, move_eq, h.clock]
    have h2 := h1.round (gone' := q.id ∈ ((stateAt R M I (t₀ + k)).pass
      (completed R M I (t₀ + k))).gone) (ho q hq) (by
        rw [← hm, ← mem_completed hI (hJ q hq)]
        exact List.mem_append)
    rw [← hm] at h2
    rw [← Nat.add_assoc, run_status_succ, run_history_length]
    exact h2
  · refine Nat.le_trans (sum_map_le_sum_map fun j hj => ?_) h.room
    by_cases h1 : ((stateAt R M I (t₀ + k)).pass (completed R M I (t₀ + k))).runs j.1 = true
    · have h2 : (stateAt R M I (t₀ + k)).runs j.1 = true := by
        rw [runs_iff] at h1 ⊢
        obtain ⟨x, h3, h4, h5⟩ := h1
        refine ⟨x, h3, ?_, fun h => h5 (List.mem_append_right _ h)⟩
        have : ((stateAt R M I (t₀ + k)).pass (completed R M I (t₀ + k))).clock =
          (stateAt R M I (t₀ + k)).clock + 1 := rfl
        omega
      rw [if_pos h1, if_pos h2]
      exact Nat.le_refl _
    · rw [if_neg h1]
      exact Nat.zero_le _

omit hI ho hJ in
/-- Memory in a round of the stage. -/
theorem Within.memory (h : Within R M I t₀ r J cap k (k + 1) (stateAt R M I (t₀ + k)))
    (hJ' : J = unfinished R M I t₀) : runMemory I (decider R M I) (t₀ + k) ≤ M := by
  refine Nat.le_trans ?_ h.room
  unfold runMemory Stage.used
  rw [h.jobs, seen, List.map_map]
  have hfilter : (I.map fun q => if ((runAt R M I t₀).status q).isLive then
      (if (stateAt R M I (t₀ + k)).runs q.id then
        (stateAt R M I (t₀ + k)).width R (q.id, q.prompt) else 0) else 0).sum =
      (J.map fun q => if (stateAt R M I (t₀ + k)).runs q.id then
        (stateAt R M I (t₀ + k)).width R (q.id, q.prompt) else 0).sum := by
    rw [hJ', ← sum_map_ite]
  refine Nat.le_trans (sum_map_le_sum_map fun q hq => ?_) (Nat.le_of_eq hfilter)
  by_cases hl : ((runAt R M I t₀).status q).isLive = true
  · rw [if_pos hl]
    have hqJ : q ∈ J := by rw [hJ']; exact List.mem_filter.2 ⟨hq, hl⟩
    have h1 := (h.track q hqJ).memory_le q.prompt
    have hm : (runAt R M I (t₀ + k)).move (decider R M I) q =
        moveOf k ((stateAt R M I (t₀ + k)).entry q.id)
          (q.id ∈ (stateAt R M I (t₀ + k)).gone) := by
      rw [move_at, move_eq, h.clock]
    rw [← hm] at h1
    refine Nat.le_trans h1 ?_
    by_cases h2 : (stateAt R M I (t₀ + k)).runs q.id = true
    · rw [if_pos h2, h.width hcap]
      unfold widthOf
      split <;> omega
    · rw [if_neg fun h3 => h2 ?_]
      · exact Nat.zero_le _
      · rw [runs_iff, h.clock]
        exact h3
  · rw [if_neg hl]
    cases hs : (runAt R M I t₀).status q with
    | live u => rw [hs] at hl; exact absurd rfl hl
    | done c =>
      have h1 : (run I (decider R M I) (t₀ + k)).status q = .done c := status_done hs k
      rw [h1]
      exact Nat.le_refl _

end

/-- The first round of a stage, before the scan. -/
theorem Within.begin (hJ' : J = unfinished R M I t₀) :
    Within R M I t₀ r J cap 0 0 (Stage.begin r (seen J)) where
  number := rfl
  clock := rfl
  jobs := rfl
  track q hq := by
    rw [hJ'] at hq
    have h1 := (List.mem_filter.1 hq).2
    refine ⟨fun h => (by cases h), ?_⟩
    cases hs : (runAt R M I t₀).status q with
    | live u => exact ⟨u, hs⟩
    | done c => rw [hs] at h1; cases h1
  fit := ⟨fun _ _ => Nat.zero_le _, fun q _ t _ ht => absurd ht (Nat.not_lt_zero _)⟩
  room := by
    have : (Stage.begin r (seen J)).used R = 0 := sum_map_eq_zero fun j _ => rfl
    rw [this]
    exact Nat.zero_le _

section

variable (hcap : ∀ q, cap q = R.cap r J.length q.prompt) (hI : (I.map Request.id).Nodup)
  (ho : ∀ q ∈ I, 1 ≤ q.output) (hJ' : J = unfinished R M I t₀)
include hcap hI ho hJ'

omit hI in
/-- The end of a stage. -/
theorem Within.finish (h : Within R M I t₀ r J cap k k S) (hi : S.idle R = true) {q : Request}
    (hq : q ∈ J) : if q.output ≤ cap q then
      ∃ c, (runAt R M I (t₀ + k)).status q = .done c ∧ c ≤ t₀ + k
      else ((runAt R M I (t₀ + k)).status q).isLive = true := by
  have hqI : q ∈ I := by rw [hJ'] at hq; exact (List.mem_filter.1 hq).1
  have h1 := List.all_eq_true.1 hi _ (h.mem_jobs hq)
  rw [Bool.and_eq_true, Bool.not_eq_true', Bool.not_eq_true'] at h1
  refine (h.track q hq).finish (ho q hqI) (fun h2 => ?_) fun h2 => ?_
  · have : S.runs q.id = true := by rw [runs_iff, h.clock]; exact h2
    rw [h1.1] at this
    cases this
  · have : S.waits R (q.id, q.prompt) = true := by
      rw [waits_iff]
      dsimp only
      rw [h.capOf hcap]
      exact h2
    rw [h1.2] at this
    cases this

omit hcap hI ho in
/-- The requests of the next stage. -/
theorem Within.next_jobs (h : Within R M I t₀ r J cap k k S) :
    S.succ = Stage.begin (r + 1) (seen (unfinished R M I (t₀ + k))) := by
  unfold Stage.succ
  rw [h.number, h.jobs]
  congr 1
  unfold seen
  rw [List.filter_map]
  congr 1
  have e : J.filter ((fun j => !decide (j.1 ∈ S.gone)) ∘ fun q : Request => (q.id, q.prompt)) =
      J.filter fun q => ((runAt R M I (t₀ + k)).status q).isLive := by
    refine List.filter_congr fun q hq => ?_
    show (!decide (q.id ∈ S.gone)) = _
    have h1 := (h.track q hq).isLive
    by_cases hg : q.id ∈ S.gone
    · have : ¬ ((runAt R M I (t₀ + k)).status q).isLive = true := fun h2 => h1.1 h2 hg
      simp [hg, this]
    · simp [hg, h1.2 hg]
  rw [e, hJ', List.filter_filter]
  refine List.filter_congr fun q _ => ?_
  cases hs : (runAt R M I t₀).status q with
  | live u =>
    have : (runAt R M I t₀).status q = .live u := hs
    simp [Status.isLive]
  | done c =>
    have h1 : (run I (decider R M I) (t₀ + k)).status q = .done c := status_done hs k
    simp only [runAt, h1, Status.isLive, Bool.and_false]

omit hI in
/-- What is not idle is not at its end. -/
theorem Within.not_idle (h : Within R M I t₀ r J cap k k S) (hi : S.idle R = false) :
    ∃ q ∈ included cap J, k < startOr S k q + heightOf cap q := by
  obtain ⟨j, hj, h1⟩ := List.all_eq_false.1 hi
  rw [h.jobs] at hj
  obtain ⟨q, hq, rfl⟩ := List.mem_map.1 hj
  have hqI : q ∈ I := by rw [hJ'] at hq; exact (List.mem_filter.1 hq).1
  have ho' := ho q hqI
  have h2 := h.track q hq
  by_cases h3 : S.runs q.id = true
  · obtain ⟨x, h4, h5, h6⟩ := (h.runs hq).1 h3
    rw [h4] at h2
    have h7 : startOr S k q = x.start := by unfold startOr; rw [h4]
    exact ⟨q, List.mem_filter.2 ⟨hq, by simpa using h2.2.1⟩, by omega⟩
  · have h4 : S.waits R (q.id, q.prompt) = true := by
      rw [Bool.not_eq_true] at h3
      simpa [h3] using h1
    rw [waits_iff] at h4
    dsimp only at h4
    rw [h.capOf hcap] at h4
    have h7 : startOr S k q = k := by unfold startOr; rw [h4.2.1]
    refine ⟨q, List.mem_filter.2 ⟨hq, by simpa using h4.1⟩, ?_⟩
    have := h4.1
    unfold heightOf
    omega

/-- **The run of a stage.** If every any-fit packing of the requests of a stage, with widths
`prompt + cap` and heights `min output cap`, ends within `b` rounds, and the stage need not be
longer, then the stage ends within `b` rounds; it keeps within memory; then the next stage begins;
and exactly the requests with output at most their cap complete. -/
theorem stage_run (hb : Begins R M I t₀ r) (hb1 : 1 ≤ b) (hl : R.least r ≤ b)
    (hpack : ∀ σ, AnyFit M (included cap J) σ (widthOf cap) (heightOf cap) 0 →
      ∀ q ∈ included cap J, σ q + heightOf cap q ≤ b) :
    ∃ d, 1 ≤ d ∧ d ≤ b ∧ R.least r ≤ d ∧ Begins R M I (t₀ + d) (r + 1) ∧
      (∀ k, k < d → runMemory I (decider R M I) (t₀ + k) ≤ M) ∧
      ∀ q ∈ J, if q.output ≤ cap q then
        ∃ c, (runAt R M I (t₀ + d)).status q = .done c ∧ c ≤ t₀ + d
        else ((runAt R M I (t₀ + d)).status q).isLive = true := by
  have hJ : ∀ q ∈ J, q ∈ I := fun q hq => by rw [hJ'] at hq; exact (List.mem_filter.1 hq).1
  have hoJ : ∀ q ∈ J, 1 ≤ q.output := fun q hq => ho q (hJ q hq)
  have hJn : (J.map Request.id).Nodup := by
    rw [hJ']
    exact hI.sublist (List.filter_sublist.map _)
  let Done := fun d => 1 ≤ d ∧ R.least r ≤ d ∧ Begins R M I (t₀ + d) (r + 1) ∧
      (∀ k, k < d → runMemory I (decider R M I) (t₀ + k) ≤ M) ∧
      ∀ q ∈ J, if q.output ≤ cap q then
        ∃ c, (runAt R M I (t₀ + d)).status q = .done c ∧ c ≤ t₀ + d
        else ((runAt R M I (t₀ + d)).status q).isLive = true
  have key : ∀ k, (∃ d, d ≤ k ∧ Done d) ∨
      ((∃ S, Within R M I t₀ r J cap k k S ∧ stateAt R M I (t₀ + k) = S.scan R M ∧
        (1 ≤ k → R.least r ≤ k → S.idle R = false)) ∧
        ∀ i, i < k → runMemory I (decider R M I) (t₀ + i) ≤ M) := by
    intro k
    induction k with
    | zero =>
      refine Or.inr ⟨⟨Stage.begin r (seen J), Within.begin hJ', ?_, fun h => by omega⟩,
        fun i h => absurd h (Nat.not_lt_zero _)⟩
      rw [hJ']
      exact hb
    | succ k ih =>
      rcases ih with ⟨d, hd, h⟩ | ⟨⟨S, hS, hst, _⟩, hmem⟩
      · exact Or.inl ⟨d, by omega, h⟩
      · have h1 := hS.scan hcap hJn hoJ
        rw [← hst] at h1
        have hmem' : ∀ i, i < k + 1 → runMemory I (decider R M I) (t₀ + i) ≤ M := fun i hi => by
          rcases Nat.lt_or_ge i k with h2 | h2
          · exact hmem i h2
          · obtain rfl : i = k := by omega
            exact h1.memory hcap hJ'
        have h2 := h1.pass hI hJ hoJ
        have h3 := stateAt_succ R M I (t₀ + k)
        unfold Stage.step at h3
        by_cases hov : ((stateAt R M I (t₀ + k)).pass (completed R M I (t₀ + k))).over R = true
        · rw [if_pos hov, h2.next_jobs hJ'] at h3
          unfold Stage.over at hov
          rw [Bool.and_eq_true, decide_eq_true_eq, h2.number, h2.clock] at hov
          exact Or.inl ⟨k + 1, Nat.le_refl _, by omega, hov.1, h3, hmem',
            fun q hq => h2.finish hcap ho hJ' hov.2 hq⟩
        · rw [if_neg hov] at h3
          refine Or.inr ⟨⟨_, h2, h3, fun _ h5 => ?_⟩, hmem'⟩
          unfold Stage.over at hov
          rw [h2.number, h2.clock] at hov
          simpa [h5] using hov
  rcases key b with ⟨d, hd, h⟩ | ⟨⟨S, hS, _, hid⟩, _⟩
  · exact ⟨d, h.1, hd, h.2⟩
  · obtain ⟨q, hq, h1⟩ := hS.not_idle hcap ho hJ' (hid hb1 hl)
    have := hpack _ hS.fit q hq
    omega

end

/-- The first stage begins in round 0. -/
theorem begins_zero (R : StageRule) (M : Nat) (I : List Request) : Begins R M I 0 0 := by
  have : unfinished R M I 0 = I := List.filter_eq_self.2 fun _ _ => rfl
  unfold Begins
  rw [this]
  rfl

end OnlineKvCache.NonClairvoyant
