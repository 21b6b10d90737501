module

public import OnlineKvCache.TightRatio.MainFillerRun

public section

/-! # The main and filler rule is causal, serves every instance, and is a `Trace` -/

namespace OnlineKvCache

variable {M : Nat} {ready : Request → Nat} {I : List Request}

theorem history_unique {t u : Nat} {e f : Entry} (he : e ∈ history M ready I t)
    (hf : f ∈ history M ready I u) (h : e.request = f.request) : e = f :=
  (history_inv M ready I (max t u)).once e (history_mono (Nat.le_max_left ..) he) f
    (history_mono (Nat.le_max_right ..) hf) h

theorem history_final (hv : Valid M I) {t : Nat} {e : Entry} (he : e ∈ history M ready I t) :
    e ∈ history M ready I (horizon ready I) := by
  obtain ⟨f, hf, hr⟩ := history_serves (M := M) (ready := ready) hv.output_pos
    ((history_inv M ready I t).started e he).2.1
  rw [history_unique he hf hr.symm]
  exact hf

theorem mainFiller_eq (hv : Valid M I) {t : Nat} {e : Entry} (he : e ∈ history M ready I t) :
    mainFiller M ready I e.request.id = some e.start := by
  have he' := history_final hv he
  have hI := ((history_inv M ready I t).started e he).2.1
  unfold mainFiller
  cases hf : (history M ready I (horizon ready I)).find?
      fun f => decide (f.request.id = e.request.id) with
  | none => exact absurd (List.find?_eq_none.1 hf e he') (by simp)
  | some f =>
    have h1 := List.find?_some hf
    have h2 := List.mem_of_find?_eq_some hf
    have h3 := ((history_inv M ready I _).started f h2).2.1
    rw [history_unique h2 he' (hv.inj h3 hI (by simpa using h1))]
    rfl

theorem entry_start (hv : Valid M I) {t : Nat} {e : Entry} (he : e ∈ history M ready I t) :
    start (ruleSchedule M ready I) e.request = e.start := scheduleOf_eq (mainFiller_eq hv he)

theorem entry_completion (hv : Valid M I) {t : Nat} {e : Entry} (he : e ∈ history M ready I t) :
    completion (ruleSchedule M ready I) e.request = e.finish := by
  rw [completion, entry_start hv he, Entry.finish]

theorem exists_entry (hv : Valid M I) {q : Request} (hq : q ∈ I) :
    ∃ e ∈ history M ready I (horizon ready I), e.request = q :=
  history_serves hv.output_pos hq

theorem not_started (hv : Valid M I) {q : Request} {t : Nat}
    (h : t ≤ start (ruleSchedule M ready I) q) : ∀ e ∈ history M ready I t, e.request ≠ q := by
  rintro e he rfl
  rw [entry_start hv he] at h
  have := ((history_inv M ready I t).started e he).1
  omega

theorem isMain_iff (hv : Valid M I) {t : Nat} {e : Entry} (he : e ∈ history M ready I t) :
    IsMain M ready I e.request ↔ e.main = true := by
  constructor
  · rintro ⟨f, hf, hr, hm⟩
    rw [← history_unique hf he hr]; exact hm
  · exact fun h => ⟨e, history_final hv he, rfl, h⟩

theorem rule_trace (hv : Valid M I) :
    Trace M ready I (ruleSchedule M ready I) (IsMain M ready I) where
  ready_le q hq := by
    obtain ⟨e, he, rfl⟩ := exists_entry (ready := ready) hv hq
    rw [entry_start hv he]
    exact ((history_inv M ready I _).started e he).2.2
  main_apart p hp q hq hmp hmq hne := by
    obtain ⟨e, he, rfl⟩ := exists_entry (ready := ready) hv hp
    obtain ⟨f, hf, rfl⟩ := exists_entry (ready := ready) hv hq
    rw [isMain_iff hv he] at hmp
    rw [isMain_iff hv hf] at hmq
    rw [entry_completion hv he, entry_completion hv hf, entry_start hv he, entry_start hv hf]
    exact (history_inv M ready I _).apart e he f hf (hmp.trans hmq.symm) fun h => hne (h ▸ rfl)
  filler_apart p hp q hq hmp hmq hne := by
    obtain ⟨e, he, rfl⟩ := exists_entry (ready := ready) hv hp
    obtain ⟨f, hf, rfl⟩ := exists_entry (ready := ready) hv hq
    rw [isMain_iff hv he, Bool.not_eq_true] at hmp
    rw [isMain_iff hv hf, Bool.not_eq_true] at hmq
    rw [entry_completion hv he, entry_completion hv hf, entry_start hv he, entry_start hv hf]
    exact (history_inv M ready I _).apart e he f hf (hmp.trans hmq.symm) fun h => hne (h ▸ rfl)
  host p hp hmp := by
    obtain ⟨f, hf, rfl⟩ := exists_entry (ready := ready) hv hp
    rw [isMain_iff hv hf, Bool.not_eq_true] at hmp
    obtain ⟨m, hm, hmm, hs, hlt, hfin, hfit⟩ := (history_inv M ready I _).host f hf hmp
    refine ⟨m.request, ((history_inv M ready I _).started m hm).2.1, (isMain_iff hv hm).2 hmm, ?_⟩
    rw [entry_completion hv hm, entry_completion hv hf, entry_start hv hm, entry_start hv hf]
    exact ⟨hs, hfin, hlt, hfit⟩
  busy q hq t hr ht := by
    obtain ⟨m, hm, hmm, hs, hfin⟩ := round_busy (M := M) hq hr (not_started hv ht) hv.output_pos
    refine ⟨m.request, ((history_inv M ready I _).started m hm).2.1, (isMain_iff hv hm).2 hmm, ?_⟩
    rw [Active, entry_completion hv hm, entry_start hv hm]
    exact ⟨hs, hfin⟩
  main_first p hp q hq hmp hne hr hs := by
    obtain ⟨m, hm, rfl⟩ := exists_entry (ready := ready) hv hp
    rw [isMain_iff hv hm] at hmp
    rw [entry_start hv hm] at hr hs
    have h := round_main_first (history_restrict hm (Nat.lt_succ_self _)) hmp rfl hq hr
      (not_started hv hs)
    exact (KeyLt.total fun he => hne (hv.inj hp hq he)).resolve_right h
  filler q hq p hp t hmp hr ht ha hlt hfin hfit := by
    obtain ⟨m, hm, rfl⟩ := exists_entry (ready := ready) hv hp
    rw [isMain_iff hv hm] at hmp
    rw [Active, entry_completion hv hm, entry_start hv hm] at ha
    rw [entry_completion hv hm] at hfin
    rw [entry_start hv hm] at hfit
    have hn := not_started (ready := ready) hv ht
    obtain ⟨f, hf, hfm, hs, hff, hmin⟩ := round_filler
      (history_restrict hm (Nat.lt_succ_of_le ha.1)) hmp ha.1 ha.2 hq hr hn ⟨hlt, hfin, hfit⟩
      hv.output_pos
    have hfI := ((history_inv M ready I _).started f hf).2.1
    refine ⟨f.request, hfI, fun h => ?_, ?_, ?_⟩
    · rw [isMain_iff hv hf, hfm] at h; cases h
    · rw [Active, entry_completion hv hf, entry_start hv hf]; exact ⟨hs, hff⟩
    · rw [entry_start hv hf]
      exact fun h => (KeyLt.total fun he => hn f hf (hv.inj hfI hq he)).resolve_right (hmin h)

theorem rule_starts (hv : Valid M I) {q : Request} (hq : q ∈ I) :
    mainFiller M ready I q.id = some (start (ruleSchedule M ready I) q) := by
  obtain ⟨e, he, rfl⟩ := exists_entry (ready := ready) hv hq
  rw [entry_start hv he]
  exact mainFiller_eq hv he

/-! ### Causality -/

theorem history_congr {J : List Request} {t : Nat} (hr : ∀ q, q.arrival ≤ ready q)
    (hI : Valid M I) (hJ : Valid M J) (h : SameRevealed I J t) :
    ∀ u, u ≤ t + 1 → history M ready I u = history M ready J u
  | 0, _ => rfl
  | u + 1, hu => by
    have ih := history_congr hr hI hJ h u (by omega)
    have hw : ∀ log q, q ∈ waiting ready I log u ↔ q ∈ waiting ready J log u := fun log q => by
      rw [mem_waiting, mem_waiting]
      constructor
      · rintro ⟨h1, h2, h3⟩
        exact ⟨((h q).1 ⟨h1, by have := hr q; omega⟩).1, h2, h3⟩
      · rintro ⟨h1, h2, h3⟩
        exact ⟨((h q).2 ⟨h1, by have := hr q; omega⟩).1, h2, h3⟩
    have hm : ∀ log, startMain ready I log u = startMain ready J log u := fun log => by
      unfold startMain
      rw [smallest_congr (fun p hp q hq he =>
        hI.inj (mem_waiting.1 hp).1 (mem_waiting.1 hq).1 he) (hw log)]
    have hf : ∀ log, startFiller M ready I log u = startFiller M ready J log u := fun log => by
      unfold startFiller
      have : ∀ j, smallest ((waiting ready I log u).filter fun q => decide (FitsUnder M j u q)) =
          smallest ((waiting ready J log u).filter fun q => decide (FitsUnder M j u q)) := fun j =>
        smallest_congr (fun p hp q hq he => hI.inj (mem_waiting.1 (List.mem_filter.1 hp).1).1
          (mem_waiting.1 (List.mem_filter.1 hq).1).1 he)
          (fun q => by rw [List.mem_filter, List.mem_filter, hw log q])
      simp only [this]
    change startFiller M ready I (startMain ready I (history M ready I u) u) u =
      startFiller M ready J (startMain ready J (history M ready J u) u) u
    rw [ih, hm, hf]

theorem startedBy_iff (hv : Valid M I) {q : Request} (hq : q ∈ I) (t : Nat) :
    StartedBy (mainFiller M ready) I q.id t ↔
      ∃ e ∈ history M ready I (t + 1), e.request = q := by
  constructor
  · rintro ⟨b, hb, hle⟩
    obtain ⟨e, he, rfl⟩ := exists_entry (ready := ready) hv hq
    rw [mainFiller_eq hv he] at hb
    cases hb
    exact ⟨e, history_restrict he (by omega), rfl⟩
  · rintro ⟨e, he, rfl⟩
    exact ⟨e.start, mainFiller_eq hv he,
      Nat.le_of_lt_succ ((history_inv M ready I _).started e he).1⟩

theorem mainFiller_causal (M : Nat) {ready : Request → Nat} (hr : ∀ q, q.arrival ≤ ready q) :
    Causal M (mainFiller M ready) := by
  intro I J t hI hJ h q hq
  rw [startedBy_iff hI hq.1, startedBy_iff hJ ((h q).1 hq).1,
    history_congr hr hI hJ h (t + 1) (Nat.le_refl _)]

theorem halfReady_le (q : Request) : q.arrival ≤ halfReady q := Nat.le_add_right ..

/-! ### Feasibility -/

theorem Trace.feasible {S : Schedule} {main : Request → Prop} (hv : Valid M I)
    (hr : ∀ q, q.arrival ≤ ready q) (h : Trace M ready I S main) : Feasible M I S where
  release q hq := Nat.le_trans (hr q) (h.ready_le q hq)
  capacity t := by
    -- two mains, or two fillers, never share a round
    have hmain : ∀ p ∈ I, ∀ q ∈ I, main p → main q → Active S p t → Active S q t → p = q :=
      fun p hp q hq hmp hmq ha hb => Classical.byContradiction fun hne => by
        have := h.main_apart p hp q hq hmp hmq hne
        unfold Active at *; omega
    have hfill : ∀ p ∈ I, ∀ q ∈ I, ¬ main p → ¬ main q → Active S p t → Active S q t → p = q :=
      fun p hp q hq hmp hmq ha hb => Classical.byContradiction fun hne => by
        have := h.filler_apart p hp q hq hmp hmq hne
        unfold Active at *; omega
    rcases Classical.em (∃ f ∈ I, ¬ main f ∧ Active S f t) with ⟨f, hf, hnf, hfa⟩ | hnof
    · obtain ⟨m, hm, hmm, hs, hc, _, hfit⟩ := h.host f hf hnf
      have hma : Active S m t := by unfold Active at *; omega
      have h2 := sum_map_le_two (p := m) (q := f) (f := fun q => memory S q t) hv.nodup_list
        fun r hrI h1 h2 => memory_of_not fun ha => by
          rcases Classical.em (main r) with h3 | h3
          · exact h1 (hmain r hrI m hm h3 hmm ha hma)
          · exact h2 (hfill r hrI f hf h3 hnf ha hfa)
      simp only [memory_of_active hma, memory_of_active hfa] at h2
      refine Nat.le_trans h2 ?_
      unfold Request.peak at hfit
      unfold Active completion at *
      omega
    · refine sum_map_le_of_disjoint hv.nodup_list
        (fun q hq => Nat.le_trans (memory_le ..) (hv.fits q hq)) fun p hp q hq hne => ?_
      rcases Classical.em (Active S p t) with ha | ha
      · rcases Classical.em (Active S q t) with hb | hb
        · have hmp : main p := Classical.byContradiction fun hn => hnof ⟨p, hp, hn, ha⟩
          have hmq : main q := Classical.byContradiction fun hn => hnof ⟨q, hq, hn, hb⟩
          exact absurd (hmain p hp q hq hmp hmq ha hb) hne
        · exact Or.inr (memory_of_not hb)
      · exact Or.inl (memory_of_not ha)

theorem rule_serves (hv : Valid M I) (hr : ∀ q, q.arrival ≤ ready q) :
    Serves M (mainFiller M ready) I (ruleSchedule M ready I) where
  feasible := (rule_trace hv).feasible hv hr
  starts _ hq := rule_starts hv hq

end OnlineKvCache
