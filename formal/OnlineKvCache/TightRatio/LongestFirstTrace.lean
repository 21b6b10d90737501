module

public import OnlineKvCache.TightRatio.LongTrace
public import OnlineKvCache.TightRatio.LongestFirstInv

public section

/-! # The longest-first rule is causal, serves every instance, and is a `LongTrace` -/

namespace OnlineKvCache

variable {M K : Nat} {ready : Request → Nat} {I : List Request}

theorem Valid.inv (hv : Valid M I) (K : Nat) (ready : Request → Nat) (t : Nat) :
    LongInv M ready I t (decisions M K ready I t) :=
  decisions_inv hv.nodup_list (fun _ hp _ hq => hv.inj hp hq) t

theorem nextRound_mem {log : List Decision} {t : Nat} {e : Decision} (he : e ∈ log) :
    e ∈ nextRound M K ready I log t := by
  have ho := nextRound_outcome M K ready I log t
  generalize nextRound M K ready I log t = log' at ho
  cases ho with
  | long => exact mem_long.2 (Or.inr (Or.inr he))
  | idle => exact he
  | main => exact List.mem_cons_of_mem _ he
  | wait => exact he
  | filler => exact List.mem_cons_of_mem _ he

theorem nextRound_new {log : List Decision} {t : Nat} {e : Decision}
    (he : e ∈ nextRound M K ready I log t) : e ∈ log ∨ e.decided = t := by
  have ho := nextRound_outcome M K ready I log t
  generalize nextRound M K ready I log t = log' at ho he
  cases ho with
  | long =>
    rcases mem_long.1 he with h | h | h
    · exact Or.inr (mem_blockFrom h).2.1
    · rw [h]; exact Or.inr rfl
    · exact Or.inl h
  | idle => exact Or.inl he
  | main =>
    rcases List.mem_cons.1 he with h | h
    · rw [h]; exact Or.inr rfl
    · exact Or.inl h
  | wait => exact Or.inl he
  | filler =>
    rcases List.mem_cons.1 he with h | h
    · rw [h]; exact Or.inr rfl
    · exact Or.inl h

theorem decisions_mono {t u : Nat} (h : t ≤ u) {e : Decision} (he : e ∈ decisions M K ready I t) :
    e ∈ decisions M K ready I u := by
  induction h with
  | refl => exact he
  | step _ ih => exact nextRound_mem ih

theorem decisions_restrict {e : Decision} : ∀ {t : Nat}, e ∈ decisions M K ready I t →
    ∀ {u : Nat}, e.decided < u → e ∈ decisions M K ready I u
  | 0, he, _, _ => by cases he
  | t + 1, he, u, hu => by
    rcases nextRound_new he with h | h
    · exact decisions_restrict h hu
    · exact decisions_mono (by omega) he

theorem decisions_unique (hv : Valid M I) {t u : Nat} {e f : Decision}
    (he : e ∈ decisions M K ready I t) (hf : f ∈ decisions M K ready I u)
    (h : e.request = f.request) : e = f :=
  (hv.inv K ready (max t u)).once e (decisions_mono (Nat.le_max_left ..) he) f
    (decisions_mono (Nat.le_max_right ..) hf) h

/-- While a ready request is undecided, the latest main runs. -/
theorem decisions_busy (hv : Valid M I) {t : Nat} {q : Request} (hq : q ∈ I) (hr : ready q ≤ t)
    (hn : ∀ e ∈ decisions M K ready I (t + 1), e.request ≠ q) :
    ∃ c, LatestMain (decisions M K ready I (t + 1)) c ∧ c.On t := by
  have hinv := hv.inv K ready t
  have hinv' := hv.inv K ready (t + 1)
  have hlate : ∀ c ∈ decisions M K ready I (t + 1), c.IsMain → t < c.finish →
      (∀ m ∈ decisions M K ready I (t + 1), m.IsMain → m.start ≤ c.start) →
      ∃ c, LatestMain (decisions M K ready I (t + 1)) c ∧ c.On t := fun c hc hm ht hl =>
    ⟨c, ⟨hc, hm, hl⟩, Nat.le_of_lt_succ (hinv'.main_start hc hm), ht⟩
  have hstart : ∀ m ∈ decisions M K ready I (t + 1), m.IsMain → m.start ≤ t := fun m hm hmm =>
    Nat.le_of_lt_succ (hinv'.main_start hm hmm)
  have hcur : ∀ c, current (decisions M K ready I t) t = some c →
      (∀ m ∈ decisions M K ready I (t + 1), m.IsMain → m ∈ decisions M K ready I t) →
      ∃ c, LatestMain (decisions M K ready I (t + 1)) c ∧ c.On t := fun c hc hold =>
    hlate c (nextRound_mem (current_some hc).1) (current_some hc).2.1 (current_some hc).2.2
      fun m hm hmm => (hinv.current_latest hc).2.2 m (hold m hm hmm) hmm
  have hnl : ∀ e ∈ decisions M K ready I t, e.request ≠ q := fun e he => hn e (nextRound_mem he)
  have ho := nextRound_outcome M K ready I (decisions M K ready I t) t
  change Outcome M K ready I (decisions M K ready I t) t (decisions M K ready I (t + 1)) at ho
  generalize decisions M K ready I (t + 1) = log' at *
  cases ho with
  | long J F hls =>
    have hJ := mem_undecided.1 (pending_some (longStart_some hls).1).1
    have := hv.output_pos J hJ.1
    exact hlate ⟨J, t, t, .long⟩ (mem_long.2 (Or.inr (Or.inl rfl))) (Or.inl rfl)
      (by simp only [Decision.finish]; omega) hstart
  | idle _ _ hw => exact absurd (mem_undecided.2 ⟨hq, hr, hnl⟩) (hw q)
  | main p _ _ hp _ =>
    have := hv.output_pos p (mem_undecided.1 hp).1
    exact hlate ⟨p, t, t, .main⟩ (List.mem_cons_self ..) (Or.inr rfl)
      (by simp only [Decision.finish]; omega) hstart
  | wait c _ hc _ => exact hcur c hc fun m hm _ => hm
  | filler c p _ hc _ _ _ _ _ =>
    refine hcur c hc fun m hm hmm => ?_
    rcases List.mem_cons.1 hm with h | h
    · rw [h] at hmm
      rcases hmm with h | h <;> cases h
    · exact h

theorem decisions_nodup (hv : Valid M I) (t : Nat) :
    ((decisions M K ready I t).map Decision.request).Nodup := by
  induction t with
  | zero => exact List.nodup_nil
  | succ t ih =>
    have ho := nextRound_outcome M K ready I (decisions M K ready I t) t
    change Outcome M K ready I (decisions M K ready I t) t (decisions M K ready I (t + 1)) at ho
    generalize decisions M K ready I (t + 1) = log' at *
    have one : ∀ (q : Request) (r : Role), q ∈ undecided ready I (decisions M K ready I t) t →
        ((⟨q, t, t, r⟩ :: decisions M K ready I t).map Decision.request).Nodup := fun q r hq => by
      rw [List.map_cons, List.nodup_cons]
      refine ⟨fun hmem => ?_, ih⟩
      obtain ⟨e, he, heq⟩ := List.mem_map.1 hmem
      exact (mem_undecided.1 hq).2.2 e he heq
    cases ho with
    | long J F hls =>
      obtain ⟨hJ, hF, hFn, _⟩ := longStart_facts hv.nodup_list (fun _ hp _ hq => hv.inj hp hq) hls
      rw [List.map_append, blockFrom_requests]
      refine List.nodup_append.2 ⟨hFn, one J .long hJ, fun a ha b hb hab => ?_⟩
      subst hab
      rw [List.map_cons] at hb
      rcases List.mem_cons.1 hb with h | h
      · exact (hF a ha).2 h
      · obtain ⟨e, he, heq⟩ := List.mem_map.1 h
        exact (mem_undecided.1 (hF a ha).1).2.2 e he heq
    | idle => exact ih
    | main q _ _ hq _ => exact one q _ hq
    | wait => exact ih
    | filler c q _ _ _ _ hq _ _ => exact one q _ hq

theorem decisions_serve (hv : Valid M I) {q : Request} (hq : q ∈ I) :
    ∃ e ∈ decisions M K ready I (horizon ready I), e.request = q := by
  refine Classical.byContradiction fun hno => ?_
  have hn : ∀ e ∈ decisions M K ready I (horizon ready I), e.request ≠ q :=
    fun e he h => hno ⟨e, he, h⟩
  have hcov := cover (x := ready q) (y := horizon ready I)
    (G := (decisions M K ready I (horizon ready I)).map fun e => (e.request, e.start))
    (b := Prod.snd) (o := fun p => p.1.output) (fun t h1 h2 => by
      obtain ⟨m, hm, ho⟩ := decisions_busy (K := K) hv hq h1
        (fun e he => hn e (decisions_mono h2 he))
      exact ⟨_, List.mem_map_of_mem (decisions_mono h2 hm.1), ho.1, ho.2⟩)
  rw [List.map_map] at hcov
  have hle : ((decisions M K ready I (horizon ready I)).map
      ((fun p : Request × Nat => p.1.output) ∘ fun e => (e.request, e.start))).sum ≤
      (I.map Request.output).sum := by
    have : ((fun p : Request × Nat => p.1.output) ∘ fun e : Decision => (e.request, e.start)) =
        Request.output ∘ Decision.request := rfl
    rw [this, ← List.map_map]
    refine sum_map_le_of_subset (decisions_nodup hv _) fun r hr => ?_
    obtain ⟨e, he, rfl⟩ := List.mem_map.1 hr
    exact ((hv.inv K ready _).started e he).1
  have := ready_add_lt_horizon (ready := ready) hq
  omega

theorem decisions_final (hv : Valid M I) {t : Nat} {e : Decision}
    (he : e ∈ decisions M K ready I t) : e ∈ decisions M K ready I (horizon ready I) := by
  obtain ⟨f, hf, hr⟩ := decisions_serve (M := M) (K := K) (ready := ready) hv
    ((hv.inv K ready t).started e he).1
  rw [decisions_unique hv he hf hr.symm]
  exact hf

theorem longestFirst_eq (hv : Valid M I) {t : Nat} {e : Decision}
    (he : e ∈ decisions M K ready I t) :
    longestFirst M K ready I e.request.id = some e.start := by
  have he' := decisions_final hv he
  have hI := ((hv.inv K ready t).started e he).1
  unfold longestFirst
  cases hf : (decisions M K ready I (horizon ready I)).find?
      fun f => decide (f.request.id = e.request.id) with
  | none => exact absurd (List.find?_eq_none.1 hf e he') (by simp)
  | some f =>
    have h1 := List.find?_some hf
    have h2 := List.mem_of_find?_eq_some hf
    have h3 := ((hv.inv K ready _).started f h2).1
    rw [decisions_unique hv h2 he' (hv.inj h3 hI (by simpa using h1))]
    rfl

theorem decisionOf_eq (hv : Valid M I) {t : Nat} {e : Decision}
    (he : e ∈ decisions M K ready I t) : decisionOf M K ready I e.request = some e := by
  have he' := decisions_final hv he
  unfold decisionOf
  cases hf : (decisions M K ready I (horizon ready I)).find?
      fun f => decide (f.request = e.request) with
  | none => exact absurd (List.find?_eq_none.1 hf e he') (by simp)
  | some f =>
    have h1 := List.find?_some hf
    rw [decisions_unique hv (List.mem_of_find?_eq_some hf) he' (by simpa using h1)]

theorem decision_start (hv : Valid M I) {t : Nat} {e : Decision}
    (he : e ∈ decisions M K ready I t) :
    start (longSchedule M K ready I) e.request = e.start := scheduleOf_eq (longestFirst_eq hv he)

theorem decision_completion (hv : Valid M I) {t : Nat} {e : Decision}
    (he : e ∈ decisions M K ready I t) :
    completion (longSchedule M K ready I) e.request = e.finish := by
  rw [completion, decision_start hv he, Decision.finish]

theorem decision_active (hv : Valid M I) {t : Nat} {e : Decision}
    (he : e ∈ decisions M K ready I t) (u : Nat) :
    Active (longSchedule M K ready I) e.request u ↔ e.On u := by
  rw [Active, decision_start hv he, decision_completion hv he, Decision.On]

theorem decision_decided (hv : Valid M I) {t : Nat} {e : Decision}
    (he : e ∈ decisions M K ready I t) : decidedIn M K ready I e.request = e.decided := by
  rw [decidedIn, decisionOf_eq hv he]; rfl

theorem decision_role (hv : Valid M I) {t : Nat} {e : Decision}
    (he : e ∈ decisions M K ready I t) : roleOf M K ready I e.request = e.role := by
  rw [roleOf, decisionOf_eq hv he]; rfl

theorem decision_isMain (hv : Valid M I) {t : Nat} {e : Decision}
    (he : e ∈ decisions M K ready I t) : (roleOf M K ready I e.request).IsMain ↔ e.IsMain := by
  rw [decision_role hv he]; rfl

theorem longestFirst_starts (hv : Valid M I) {q : Request} (hq : q ∈ I) :
    longestFirst M K ready I q.id = some (start (longSchedule M K ready I) q) := by
  obtain ⟨e, he, rfl⟩ := decisions_serve (M := M) (K := K) (ready := ready) hv hq
  rw [decision_start hv he]
  exact longestFirst_eq hv he

/-- The decision about a request, with all its data. -/
theorem exists_decision (hv : Valid M I) (K : Nat) (ready : Request → Nat) {q : Request}
    (hq : q ∈ I) : ∃ e ∈ decisions M K ready I (horizon ready I), e.request = q :=
  decisions_serve hv hq

theorem undecided_before (hv : Valid M I) {q : Request} {t : Nat}
    (h : t ≤ decidedIn M K ready I q) : ∀ e ∈ decisions M K ready I t, e.request ≠ q := by
  rintro e he rfl
  rw [decision_decided hv he] at h
  have := ((hv.inv K ready t).started e he).2.2.1
  omega

theorem mem_of_decided (hv : Valid M I) {e : Decision} {T t : Nat}
    (he : e ∈ decisions M K ready I T) (h : decidedIn M K ready I e.request < t) :
    e ∈ decisions M K ready I t := by
  rw [decision_decided hv he] at h
  exact decisions_restrict he h

/-! ### Feasibility -/

theorem longestFirst_feasible (hv : Valid M I) (hr : ∀ q, q.arrival ≤ ready q) :
    Feasible M I (longSchedule M K ready I) where
  release q hq := by
    obtain ⟨e, he, rfl⟩ := exists_decision hv K ready hq
    rw [decision_start hv he]
    have h1 := (hv.inv K ready _).started e he
    have := hr e.request
    omega
  capacity u := by
    have hinv := hv.inv K ready (horizon ready I)
    rcases Classical.em (∃ p ∈ I, ∃ q ∈ I, p ≠ q ∧ Active (longSchedule M K ready I) p u ∧
        Active (longSchedule M K ready I) q u) with ⟨p, hp, q, hq, hne, hpu, hqu⟩ | hno
    · obtain ⟨e, he, rfl⟩ := exists_decision hv K ready hp
      obtain ⟨f, hf, rfl⟩ := exists_decision hv K ready hq
      have heu := (decision_active hv he u).1 hpu
      have hfu := (decision_active hv hf u).1 hqu
      have key : ∀ c d : Decision, c ∈ decisions M K ready I (horizon ready I) →
          d ∈ decisions M K ready I (horizon ready I) → c.On u → d.On u →
          Share M (decisions M K ready I (horizon ready I)) c d u →
          occupancy I (longSchedule M K ready I) u ≤ M := fun c d hc hd hcu hdu hs => by
        have h2 := sum_map_le_two (p := c.request) (q := d.request)
          (f := fun q => memory (longSchedule M K ready I) q u) hv.nodup_list
          fun r hrI h1 h2 => memory_of_not fun ha => by
            obtain ⟨g, hg, rfl⟩ := exists_decision hv K ready hrI
            rcases hs.2.2 g hg ((decision_active hv hg u).1 ha) with h3 | h3
            · exact h1 (by rw [h3])
            · exact h2 (by rw [h3])
        simp only [memory_of_active ((decision_active hv hc u).2 hcu),
          memory_of_active ((decision_active hv hd u).2 hdu), decision_start hv hc,
          decision_start hv hd] at h2
        exact Nat.le_trans h2 hs.2.1
      rcases hinv.pair e he f hf (fun h => hne (by rw [h])) u heu hfu with h | h
      · exact key e f he hf heu hfu h
      · exact key f e hf he hfu heu h
    · refine sum_map_le_of_disjoint hv.nodup_list
        (fun q hq => Nat.le_trans (memory_le ..) (hv.fits q hq)) fun p hp q hq hne => ?_
      rcases Classical.em (Active (longSchedule M K ready I) p u) with ha | ha
      · refine Or.inr (memory_of_not fun hb => hno ⟨p, hp, q, hq, hne, ha, hb⟩)
      · exact Or.inl (memory_of_not ha)

theorem longestFirst_serves (hv : Valid M I) (hr : ∀ q, q.arrival ≤ ready q) :
    Serves M (longestFirst M K ready) I (longSchedule M K ready I) where
  feasible := longestFirst_feasible hv hr
  starts _ hq := longestFirst_starts hv hq

/-! ### Causality -/

theorem largest_congr {l m : List Request} (hinj : ∀ p ∈ l, ∀ q ∈ l, p.id = q.id → p = q)
    (h : ∀ q, q ∈ l ↔ q ∈ m) : largest l = largest m := by
  cases hl : largest l with
  | none =>
    have h0 := largest_none hl
    subst h0
    cases hm : largest m with
    | none => rfl
    | some q => exact absurd ((h q).2 (largest_some hm).1) (List.not_mem_nil)
  | some p =>
    cases hm : largest m with
    | none =>
      have h0 := largest_none hm
      subst h0
      exact absurd ((h p).1 (largest_some hl).1) (List.not_mem_nil)
    | some q =>
      have hp := largest_some hl
      have hq := largest_some hm
      have hq' := (h q).2 hq.1
      congr 1
      refine hinj p hp.1 q hq' (Decidable.byContradiction fun hne => ?_)
      rcases KeyLt.total hne with h1 | h1
      · exact hp.2 q hq' h1
      · exact hq.2 p ((h p).1 hp.1) h1

theorem nextRound_congr {J : List Request} {t : Nat} (hr : ∀ q, q.arrival ≤ ready q)
    (hI : Valid M I) (hJ : Valid M J) (h : SameRevealed I J t) (log : List Decision) :
    nextRound M K ready I log t = nextRound M K ready J log t := by
  have hw : ∀ q, q ∈ undecided ready I log t ↔ q ∈ undecided ready J log t := fun q => by
    rw [mem_undecided, mem_undecided]
    constructor
    · rintro ⟨h1, h2, h3⟩
      exact ⟨((h q).1 ⟨h1, by have := hr q; omega⟩).1, h2, h3⟩
    · rintro ⟨h1, h2, h3⟩
      exact ⟨((h q).2 ⟨h1, by have := hr q; omega⟩).1, h2, h3⟩
  have hinj : ∀ p ∈ undecided ready I log t, ∀ q ∈ undecided ready I log t, p.id = q.id → p = q :=
    fun p hp q hq he => hI.inj (mem_undecided.1 hp).1 (mem_undecided.1 hq).1 he
  have hs : smallest (undecided ready I log t) = smallest (undecided ready J log t) :=
    smallest_congr hinj hw
  have hf : ∀ j, smallest ((undecided ready I log t).filter fun q => decide (FitsBeside M j t q)) =
      smallest ((undecided ready J log t).filter fun q => decide (FitsBeside M j t q)) := fun j =>
    smallest_congr (fun p hp q hq => hinj p (List.mem_filter.1 hp).1 q (List.mem_filter.1 hq).1)
      fun q => by rw [List.mem_filter, List.mem_filter, hw q]
  have ho : ∀ r, others ready I log t r = others ready J log t r := fun r => by
    unfold others
    refine sortByKey_congr (fun p hp q hq => hinj p (List.mem_filter.1 hp).1 q
      (List.mem_filter.1 hq).1) (perm_of_nodup ?_ ?_ fun q => by
        rw [List.mem_filter, List.mem_filter, hw q])
    · exact (hI.nodup_list.sublist List.filter_sublist).sublist List.filter_sublist
    · exact (hJ.nodup_list.sublist List.filter_sublist).sublist List.filter_sublist
  have hl : largest (I.filter fun q => decide (q.arrival ≤ t)) =
      largest (J.filter fun q => decide (q.arrival ≤ t)) :=
    largest_congr (fun p hp q hq he => hI.inj (List.mem_filter.1 hp).1 (List.mem_filter.1 hq).1 he)
      fun q => by
        rw [List.mem_filter, List.mem_filter, decide_eq_true_eq]
        exact h q
  have hp : pending ready I log t = pending ready J log t := by
    unfold pending
    rw [hl]
  have hls : longStart M K ready I log t = longStart M K ready J log t := by
    unfold longStart
    simp only [hp, ho]
  unfold nextRound
  simp only [hls, hs, hf, hp]

theorem decisions_congr {J : List Request} {t : Nat} (hr : ∀ q, q.arrival ≤ ready q)
    (hI : Valid M I) (hJ : Valid M J) (h : SameRevealed I J t) :
    ∀ u, u ≤ t + 1 → decisions M K ready I u = decisions M K ready J u
  | 0, _ => rfl
  | u + 1, hu => by
    have ih := decisions_congr hr hI hJ h u (by omega)
    have hsub : SameRevealed I J u := fun q => by
      have := h q
      unfold Revealed at *
      constructor
      · rintro ⟨h1, h2⟩; exact ⟨(this.1 ⟨h1, by omega⟩).1, h2⟩
      · rintro ⟨h1, h2⟩; exact ⟨(this.2 ⟨h1, by omega⟩).1, h2⟩
    change nextRound M K ready I (decisions M K ready I u) u =
      nextRound M K ready J (decisions M K ready J u) u
    rw [ih, nextRound_congr hr hI hJ hsub]

theorem longest_startedBy_iff (hv : Valid M I) {q : Request} (hq : q ∈ I) (t : Nat) :
    StartedBy (longestFirst M K ready) I q.id t ↔
      ∃ e ∈ decisions M K ready I (t + 1), e.request = q ∧ e.start ≤ t := by
  constructor
  · rintro ⟨b, hb, hle⟩
    obtain ⟨e, he, rfl⟩ := exists_decision hv K ready hq
    rw [longestFirst_eq hv he] at hb
    cases hb
    have := ((hv.inv K ready _).started e he).2.2.2.1
    exact ⟨e, decisions_restrict he (by omega), rfl, hle⟩
  · rintro ⟨e, he, rfl, hle⟩
    exact ⟨e.start, longestFirst_eq hv he, hle⟩

theorem longestFirst_causal (M K : Nat) {ready : Request → Nat}
    (hr : ∀ q, q.arrival ≤ ready q) : Causal M (longestFirst M K ready) := by
  intro I J t hI hJ h q hq
  rw [longest_startedBy_iff hI hq.1, longest_startedBy_iff hJ ((h q).1 hq).1,
    decisions_congr hr hI hJ h (t + 1) (Nat.le_refl _)]

end OnlineKvCache
