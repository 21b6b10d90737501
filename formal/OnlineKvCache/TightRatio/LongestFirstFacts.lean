module

public import OnlineKvCache.TightRatio.LongestFirstTrace

public section

/-! # The longest-first rule is a `LongTrace` -/

namespace OnlineKvCache

variable {M K : Nat} {ready : Request → Nat} {I : List Request}

/-- How a decision came about. -/
theorem decided_cases (hv : Valid M I) {T : Nat} {e : Decision}
    (he : e ∈ decisions M K ready I T) :
    (e.role = .long ∧ ∃ F, longStart M K ready I (decisions M K ready I e.decided) e.decided =
      some (e.request, F)) ∨
    (e.role = .block ∧ ∃ J F, longStart M K ready I (decisions M K ready I e.decided) e.decided =
      some (J, F) ∧ e.request ∈ F) ∨
    (e.role = .main ∧ longStart M K ready I (decisions M K ready I e.decided) e.decided = none ∧
      current (decisions M K ready I e.decided) e.decided = none ∧
      e.request ∈ undecided ready I (decisions M K ready I e.decided) e.decided ∧
      ∀ p ∈ undecided ready I (decisions M K ready I e.decided) e.decided,
        ¬ KeyLt p e.request) ∨
    (e.role = .filler ∧ longStart M K ready I (decisions M K ready I e.decided) e.decided = none ∧
      ∃ c, current (decisions M K ready I e.decided) e.decided = some c ∧
      FitsBeside M c e.decided e.request ∧
      pending ready I (decisions M K ready I e.decided) e.decided = none ∧
      ∀ p ∈ undecided ready I (decisions M K ready I e.decided) e.decided,
        FitsBeside M c e.decided p → ¬ KeyLt p e.request) := by
  have h1 := decisions_restrict he (Nat.lt_succ_self _)
  have h2 : e ∉ decisions M K ready I e.decided := fun h => by
    have := ((hv.inv K ready _).started e h).2.2.1
    omega
  have ho := nextRound_outcome M K ready I (decisions M K ready I e.decided) e.decided
  change Outcome M K ready I (decisions M K ready I e.decided) e.decided
    (decisions M K ready I (e.decided + 1)) at ho
  generalize decisions M K ready I (e.decided + 1) = log' at *
  generalize hlog : decisions M K ready I e.decided = log at *
  generalize ht : e.decided = t at *
  cases ho with
  | long J F hls =>
    rcases mem_long.1 h1 with h | h | h
    · have h3 := mem_blockFrom h
      exact Or.inr (Or.inl ⟨h3.1, J, F, hls, h3.2.2.1⟩)
    · subst h
      exact Or.inl ⟨rfl, F, hls⟩
    · exact absurd h h2
  | idle => exact absurd h1 h2
  | main q hl hc hq hmin =>
    rcases List.mem_cons.1 h1 with h | h
    · subst h
      exact Or.inr (Or.inr (Or.inl ⟨rfl, hl, hc, hq, hmin⟩))
    · exact absurd h h2
  | wait => exact absurd h1 h2
  | filler c q hl hc hp hf hq hfit hmin =>
    rcases List.mem_cons.1 h1 with h | h
    · subst h
      exact Or.inr (Or.inr (Or.inr ⟨rfl, hl, c, hc, hfit, hp, hmin⟩))
    · exact absurd h h2

theorem long_round {t : Nat} {J : Request} {F : List Request}
    (h : longStart M K ready I (decisions M K ready I t) t = some (J, F)) :
    (⟨J, t, t, .long⟩ : Decision) ∈ decisions M K ready I (t + 1) ∧
      ∀ q ∈ F, ∃ f ∈ decisions M K ready I (t + 1), f.request = q ∧ f.role = .block ∧
        f.decided = t := by
  have h1 : decisions M K ready I (t + 1) =
      blockFrom t (t + rest (decisions M K ready I t) t) F ++
        (⟨J, t, t, .long⟩ :: decisions M K ready I t) := by
    change nextRound M K ready I (decisions M K ready I t) t = _
    unfold nextRound
    rw [h]
  rw [h1]
  refine ⟨mem_long.2 (Or.inr (Or.inl rfl)), fun q hq => ?_⟩
  obtain ⟨f, hf, hfq⟩ := blockFrom_exists (t := t)
    (s := t + rest (decisions M K ready I t) t) hq
  have h2 := mem_blockFrom hf
  exact ⟨f, mem_long.2 (Or.inl hf), hfq, h2.1, h2.2.1⟩

theorem main_inj_of_pairwise {l : List Decision}
    (h : l.Pairwise fun e f => e.IsMain → f.IsMain → f.start < e.start) {c e : Decision}
    (hc : c ∈ l) (he : e ∈ l) (hcm : c.IsMain) (hem : e.IsMain) (hs : c.start = e.start) :
    c = e := by
  induction h with
  | nil => cases hc
  | cons hhd _ ih =>
    rcases List.mem_cons.1 hc with h1 | h1 <;> rcases List.mem_cons.1 he with h2 | h2
    · rw [h1, h2]
    · have := hhd e h2 (h1 ▸ hcm) hem
      rw [← h1] at this; omega
    · have := hhd c h1 (h2 ▸ hem) hcm
      rw [← h2] at this; omega
    · exact ih h1 h2

theorem undecided_iff (hv : Valid M I) {q : Request} (hq : q ∈ I) (t : Nat) :
    (∀ e ∈ decisions M K ready I t, e.request ≠ q) ↔ t ≤ decidedIn M K ready I q := by
  refine ⟨fun h => Nat.le_of_not_lt fun hlt => ?_, undecided_before hv⟩
  obtain ⟨e, he, rfl⟩ := exists_decision hv K ready hq
  exact h e (mem_of_decided hv he hlt) rfl

theorem mem_undecided_iff (hv : Valid M I) {q : Request} (hq : q ∈ I) (t : Nat) :
    q ∈ undecided ready I (decisions M K ready I t) t ↔
      ready q ≤ t ∧ t ≤ decidedIn M K ready I q := by
  rw [mem_undecided, undecided_iff hv hq]
  exact ⟨fun h => h.2, fun h => ⟨hq, h⟩⟩

/-- A request that waits while another starts as main is larger, or left out. -/
theorem classify (hv : Valid M I) {e f : Decision} {T : Nat} (he : e ∈ decisions M K ready I T)
    (hf : f ∈ decisions M K ready I T) (hem : e.IsMain) (hr : ready f.request ≤ e.start)
    (hlt : e.start < f.decided) : KeyLt e.request f.request ∨
      Unfit (longSchedule M K ready I) (decidedIn M K ready I) (roleOf M K ready I) ready e.request
        f.request := by
  have hst := (hv.inv K ready T).started e he
  have hes : e.start = e.decided := hst.2.2.2.2 (fun h => not_isMain_of_block h hem)
  have hfI := ((hv.inv K ready T).started f hf).1
  have hne : f.request ≠ e.request := fun h => by
    have := decisions_unique hv hf he h
    rw [this] at hlt; omega
  rcases decided_cases hv he with ⟨h1, _⟩ | ⟨h1, _⟩ | ⟨h1, _, _, _, hmin⟩ | ⟨h1, _⟩
  · refine Or.inr ⟨by rw [decision_role hv he, h1], hne, ?_, ?_, ?_⟩
    · rw [decision_start hv he]; exact hr
    · rw [decision_start hv he, decision_decided hv hf]; omega
    · rw [decision_start hv he, decision_decided hv hf]; omega
  · exact absurd hem (not_isMain_of_block h1)
  · refine Or.inl ((KeyLt.total fun h => hne (hv.inj hfI hst.1 h.symm)).resolve_right
      (hmin _ ((mem_undecided_iff hv hfI _).2 ⟨by omega, ?_⟩)))
    rw [decision_decided hv hf]; omega
  · rcases hem with h | h <;> rw [h1] at h <;> cases h

/-- After the largest request has started, it is the main as long as it runs. -/
theorem current_is_largest (hv : Valid M I) {j c : Decision} {t : Nat}
    (hj : j ∈ decisions M K ready I t) (hjr : j.role = .long) (ht : t < j.finish)
    (hmax : ∀ i ∈ I, i ≠ j.request → KeyLt i j.request) (hr : ∀ q, q.arrival ≤ ready q)
    (hc : current (decisions M K ready I t) t = some c) : c = j := by
  have hinv := hv.inv K ready t
  have hl := hinv.current_latest hc
  have hjm : j.IsMain := Or.inl hjr
  have h1 := hl.2.2 j hj hjm
  rcases Nat.lt_or_ge j.start c.start with h2 | h2
  · exfalso
    rcases hinv.mains j hj c hl.1 hjm hl.2.1 h2 with h3 | h3
    · have := hinv.main_start hl.1 hl.2.1; omega
    · rcases decided_cases hv hl.1 with ⟨_, F, h4⟩ | ⟨h4, _⟩ | ⟨h4, _⟩ | ⟨h4, _⟩
      · have h5 := pending_some (longStart_some h4).1
        have h6 := hinv.started j hj
        have h7 := hinv.started c hl.1
        have h8 := h7.2.2.2.2 (by rw [h3]; intro h; cases h)
        have h9 := hr j.request
        refine h5.2 j.request h6.1 (by omega) (hmax c.request h7.1 fun h => ?_)
        have := decisions_unique hv hl.1 hj h
        rw [this] at h2; omega
      all_goals rw [h3] at h4; cases h4
  · exact main_inj_of_pairwise hinv.order hl.1 hj hl.2.1 hjm (by omega)

theorem longestFirst_trace (hv : Valid M I) (hr : ∀ q, q.arrival ≤ ready q) {j : Request}
    (hj : j ∈ I) (hmax : ∀ i ∈ I, i ≠ j → KeyLt i j) :
    LongTrace M K ready I (longSchedule M K ready I) (decidedIn M K ready I) (roleOf M K ready I)
      j := by
  have hinv := hv.inv K ready (horizon ready I)
  have hmain : ∀ e ∈ decisions M K ready I (horizon ready I), e.IsMain → e.start = e.decided :=
    fun e he hm => (hinv.started e he).2.2.2.2 fun h => not_isMain_of_block h hm
  have hready : ∀ q ∈ I, ready q ≤ decidedIn M K ready I q ∧
      decidedIn M K ready I q ≤ start (longSchedule M K ready I) q := fun q hq => by
    obtain ⟨e, he, rfl⟩ := exists_decision hv K ready hq
    rw [decision_start hv he, decision_decided hv he]
    have := hinv.started e he
    exact ⟨this.2.1, this.2.2.2.1⟩
  -- the decision about `j`
  obtain ⟨d, hd, hdj⟩ := exists_decision hv K ready hj
  have hdlong : d.role = .long := by
    have hdI := hinv.started d hd
    rcases decided_cases hv hd with ⟨h, _⟩ | ⟨_, J, F, h1, h2⟩ | ⟨_, h1, h2, h3, h4⟩ |
        ⟨_, _, c, h1, h2, _⟩
    · exact h
    · exfalso
      have h3 := pending_some (longStart_some h1).1
      have h4 := (longStart_facts hv.nodup_list (fun _ hp _ hq => hv.inj hp hq) h1).2.1 _ h2
      have h5 := hr j
      rw [hdj] at h4 hdI
      exact h3.2 j hj (by omega) (hmax J (mem_undecided.1 h3.1).1 (Ne.symm h4.2))
    · exfalso
      rw [hdj] at h3 h4
      refine longStart_none h1 (pending_of_largest hmax (hr j) h3)
        (trackFree_of none h2 fun e he => Or.inr ((hv.inv K ready _).finished h2 e he))
        (List.nil_sublist _) ⟨?_, ?_, ?_, ?_⟩
      · have : others ready I (decisions M K ready I d.decided) d.decided j = [] := by
          refine List.eq_nil_iff_forall_not_mem.2 fun q hq => ?_
          have h5 := mem_others.1 hq
          exact h4 q h5.1 (hmax q (mem_undecided.1 h5.1).1 h5.2)
        rw [this]; simp
      · unfold rest; rw [h2]; simp
      · unfold mainFits; rw [h2]
      · intro i hi; cases hi
    · exfalso
      have h3 := ((hv.inv K ready _).started c (current_some h1).1).1
      have h4 := h2.1
      rw [hdj] at h4
      rcases Classical.em (c.request = j) with h5 | h5
      · rw [h5] at h4; exact h4.asymm h4
      · exact h4.asymm (hmax _ h3 h5)
  have hds : d.start = d.decided := hmain d hd (Or.inl hdlong)
  have hjs : start (longSchedule M K ready I) j = d.decided := by
    rw [← hdj, decision_start hv hd, hds]
  have hjd : decidedIn M K ready I j = d.decided := by rw [← hdj, decision_decided hv hd]
  have hjc : completion (longSchedule M K ready I) j = d.finish := by
    rw [← hdj, decision_completion hv hd]
  -- before it starts, `j` is pending and not started
  have hpend : ∀ t, ready j ≤ t → t < d.decided →
      pending ready I (decisions M K ready I t) t = some j ∧
      longStart M K ready I (decisions M K ready I t) t = none := fun t h1 h2 => by
    have h3 : pending ready I (decisions M K ready I t) t = some j :=
      pending_of_largest hmax (hr j) ((mem_undecided_iff hv hj t).2 ⟨h1, by omega⟩)
    refine ⟨h3, ?_⟩
    cases h : longStart M K ready I (decisions M K ready I t) t with
    | none => rfl
    | some p =>
      obtain ⟨J, F⟩ := p
      exfalso
      have h4 := (longStart_some h).1
      rw [h3] at h4
      cases h4
      have h5 := decision_decided hv (long_round h).1
      simp only at h5
      omega
  have hlongj : ∃ F, longStart M K ready I (decisions M K ready I d.decided) d.decided =
      some (j, F) := by
    rcases decided_cases hv hd with ⟨_, F, h⟩ | ⟨h, _⟩ | ⟨h, _⟩ | ⟨h, _⟩
    · exact ⟨F, hdj ▸ h⟩
    all_goals rw [hdlong] at h; cases h
  have harr : j.arrival ≤ d.decided := by
    have := hr j; have := hready j hj; omega
  constructor
  case ready_le => exact hready
  case dec_eq =>
    intro q hq hrole
    obtain ⟨e, he, rfl⟩ := exists_decision hv K ready hq
    rw [decision_role hv he] at hrole
    rw [decision_start hv he, decision_decided hv he]
    exact (hinv.started e he).2.2.2.2 hrole
  case busy =>
    intro q hq t h1 h2
    obtain ⟨f, hf, rfl⟩ := exists_decision hv K ready hq
    have hfs := hinv.started f hf
    rw [decision_start hv hf] at h2
    rcases Nat.lt_or_ge t f.decided with h3 | h3
    · obtain ⟨c, hl, hon⟩ := decisions_busy (K := K) hv hq h1
        ((undecided_iff hv hq _).2 (by rw [decision_decided hv hf]; exact h3))
      have hc := decisions_final hv hl.1
      refine ⟨c.request, (hinv.started c hc).1, (decision_active hv hc t).2 hon, ?_,
        Or.inl ⟨(decision_isMain hv hc).2 hl.2.1, ?_⟩⟩
      · rw [decision_isMain hv hc, decision_start hv hc]
        rcases Nat.lt_or_ge c.start (ready f.request) with h4 | h4
        · refine Or.inl ⟨hl.2.1, h4, fun m hm hmm hms => ?_⟩
          obtain ⟨g, hg, rfl⟩ := exists_decision hv K ready hm
          rw [decision_isMain hv hg] at hmm
          rw [decision_start hv hg] at hms ⊢
          have := hmain g hg hmm
          exact hl.2.2 g (decisions_restrict hg (by omega)) hmm
        · refine Or.inr ⟨h4, classify hv hc hf hl.2.1 h4 ?_⟩
          have := hon.1; omega
      · rw [decision_start hv hc, decision_decided hv hf]
        have := hon.1; omega
    · have hfb : f.role = .block := Classical.byContradiction fun h => by
        have := hfs.2.2.2.2 h; omega
      obtain ⟨e, he, hon, h4⟩ := (hinv.block f hf hfb).2 t h3 h2
      have hes := hinv.started e he
      refine ⟨e.request, hes.1, (decision_active hv he t).2 hon, ?_⟩
      rw [decision_isMain hv he, decision_start hv he, decision_role hv hf, decision_role hv he,
        decision_decided hv he, decision_decided hv hf]
      rcases h4 with ⟨h4, h5, h6⟩ | ⟨h4, h5, h6⟩
      · refine ⟨?_, Or.inl ⟨h4, h5⟩⟩
        rcases Nat.lt_or_ge e.start (ready f.request) with h7 | h7
        · refine Or.inl ⟨h4, h7, fun m hm hmm hms => ?_⟩
          obtain ⟨g, hg, rfl⟩ := exists_decision hv K ready hm
          rw [decision_isMain hv hg] at hmm
          rw [decision_start hv hg] at hms ⊢
          exact h6 g hg hmm (by omega)
        · exact Or.inr ⟨h7, classify hv he hf h4 h7 h5⟩
      · exact ⟨Or.inr ⟨by omega, Or.inl h6⟩, Or.inr ⟨hfb, h4, h5⟩⟩
  case main_inj =>
    intro e he f hf hem hfm hs
    obtain ⟨a, ha, rfl⟩ := exists_decision hv K ready he
    obtain ⟨b, hb, rfl⟩ := exists_decision hv K ready hf
    rw [decision_isMain hv ha] at hem
    rw [decision_isMain hv hb] at hfm
    rw [decision_start hv ha, decision_start hv hb] at hs
    rw [main_inj_of_pairwise hinv.order ha hb hem hfm hs]
  case unfit_count =>
    intro J hJ hJr
    obtain ⟨a, ha, rfl⟩ := exists_decision hv K ready hJ
    rw [decision_role hv ha] at hJr
    rcases decided_cases hv ha with ⟨_, F, h⟩ | ⟨h, _⟩ | ⟨h, _⟩ | ⟨h, _⟩
    · obtain ⟨_, _, hsub, hlen, _⟩ := longStart_some h
      have hF := longStart_facts hv.nodup_list (fun _ hp _ hq => hv.inj hp hq) h
      have has := hmain a ha (Or.inl hJr)
      refine ⟨(others ready I (decisions M K ready I a.decided) a.decided a.request).filter
        fun q => !decide (q ∈ F), ?_, fun q hq hu => ?_⟩
      · have h1 := sum_map_split (fun q => decide (q ∈ F)) (fun _ => 1)
          (others ready I (decisions M K ready I a.decided) a.decided a.request)
        simp only [sum_map_const, Nat.mul_one] at h1
        have h2 : F.length ≤ ((others ready I (decisions M K ready I a.decided) a.decided
            a.request).filter fun q => decide (q ∈ F)).length :=
          length_le_of_subset hF.2.2.1 fun q hq =>
            List.mem_filter.2 ⟨hsub.subset hq, by simpa using hq⟩
        omega
      · obtain ⟨_, h2, h3, h4, h5⟩ := hu
        rw [decision_start hv ha, has] at h3 h4 h5
        refine List.mem_filter.2 ⟨mem_others.2 ⟨(mem_undecided_iff hv hq _).2 ⟨h3, h4⟩, h2⟩, ?_⟩
        have h6 : q ∉ F := fun hqF => by
          obtain ⟨f, hf, rfl, h7, h8⟩ := (long_round h).2 q hqF
          exact h5 ⟨by rw [decision_role hv hf, h7], by rw [decision_decided hv hf, h8]⟩
        simpa using h6
    all_goals rw [hJr] at h; cases h
  case long_j => rw [← hdj, decision_role hv hd, hdlong]
  case long_lt =>
    intro J hJ hJr
    obtain ⟨a, ha, rfl⟩ := exists_decision hv K ready hJ
    rw [decision_role hv ha] at hJr
    rw [decision_start hv ha, hmain a ha (Or.inl hJr)]
    rcases decided_cases hv ha with ⟨_, F, h⟩ | ⟨h, _⟩ | ⟨h, _⟩ | ⟨h, _⟩
    · have h1 := pending_some (longStart_some h).1
      rcases Classical.em (a.request = j) with h2 | h2
      · exact Or.inl h2
      · exact Or.inr (Nat.lt_of_not_le fun h3 => h1.2 j hj h3 (hmax _ hJ h2))
    all_goals rw [hJr] at h; cases h
  case mains =>
    intro e he f hf hem hfm hlt
    obtain ⟨a, ha, rfl⟩ := exists_decision hv K ready he
    obtain ⟨b, hb, rfl⟩ := exists_decision hv K ready hf
    rw [decision_isMain hv ha] at hem
    rw [decision_isMain hv hb] at hfm
    rw [decision_start hv ha, decision_start hv hb] at hlt
    rw [decision_completion hv ha, decision_start hv hb, decision_role hv hb]
    exact hinv.mains a ha b hb hem hfm hlt
  case block_long =>
    intro q hq hqr
    obtain ⟨b, hb, rfl⟩ := exists_decision hv K ready hq
    rw [decision_role hv hb] at hqr
    obtain ⟨⟨J, hJ, h1, h2⟩, _⟩ := hinv.block b hb hqr
    exact ⟨J.request, (hinv.started J hJ).1, by rw [decision_role hv hJ, h1],
      by rw [decision_start hv hJ, decision_decided hv hb, h2]⟩
  case pend =>
    intro e he h1 h2
    obtain ⟨a, ha, rfl⟩ := exists_decision hv K ready he
    rw [decision_decided hv ha] at h1 h2 ⊢
    rw [hjs] at h2
    rw [decision_role hv ha]
    obtain ⟨h3, h4⟩ := hpend _ h1 h2
    rcases decided_cases hv ha with ⟨_, F, h⟩ | ⟨_, J, F, h, _⟩ | ⟨h, _, hc, _⟩ |
        ⟨_, _, c, _, _, h, _⟩
    · rw [h4] at h; cases h
    · rw [h4] at h; cases h
    · refine ⟨h, fun m hm hmd => ?_⟩
      obtain ⟨b, hb, rfl⟩ := exists_decision hv K ready hm
      rw [decision_completion hv hb]
      exact (hv.inv K ready _).finished hc b (mem_of_decided hv hb hmd)
    · rw [h3] at h; cases h
  case cover =>
    intro t e he h1 h2
    obtain ⟨a, ha, rfl⟩ := exists_decision hv K ready he
    have hat := mem_of_decided hv ha h1
    rw [decision_completion hv ha] at h2 ⊢
    obtain ⟨c, hl, h3, h4⟩ := (hv.inv K ready t).cover a hat h2
    refine ⟨c.request, ((hv.inv K ready t).started c hl.1).1,
      (decision_isMain hv hl.1).2 hl.2.1, ?_⟩
    rw [decision_start hv hl.1, decision_completion hv hl.1]
    refine ⟨(hv.inv K ready t).main_start hl.1 hl.2.1, h3, h4, fun m hm hmm hms => ?_⟩
    obtain ⟨g, hg, rfl⟩ := exists_decision hv K ready hm
    rw [decision_isMain hv hg] at hmm
    rw [decision_start hv hg] at hms ⊢
    exact hl.2.2 g (decisions_restrict hg (by have := hmain g hg hmm; omega)) hmm
  case track =>
    intro t c hc hcm hcs hlate e he hne h1 h2
    obtain ⟨a, ha, rfl⟩ := exists_decision hv K ready hc
    obtain ⟨b, hb, rfl⟩ := exists_decision hv K ready he
    rw [decision_isMain hv ha] at hcm
    rw [decision_start hv ha] at hcs
    rw [decision_completion hv hb] at h2
    have hat := decisions_restrict ha (show a.decided < t by have := hmain a ha hcm; omega)
    obtain ⟨f, hf, hfc, hon⟩ := (hv.inv K ready t).track a ⟨hat, hcm, fun m hm hmm => by
      have h3 := hlate m.request ((hv.inv K ready t).started m hm).1
        ((decision_isMain hv hm).2 hmm)
      rw [decision_start hv hm, decision_start hv ha] at h3
      exact h3 ((hv.inv K ready t).main_start hm hmm)⟩ t (Nat.le_refl t) b
      (mem_of_decided hv hb h1) (fun h => hne (by rw [h])) h2
    refine ⟨f.request, ((hv.inv K ready t).started f hf).1, fun h => hfc
      (decisions_unique hv hf ha h), ?_, (decision_active hv hf t).2 hon⟩
    rw [decision_decided hv hf]
    exact ((hv.inv K ready t).started f hf).2.2.1
  case refuse =>
    intro t h1 h2 x hx A h3 h4 h5
    rw [hjs] at h2
    obtain ⟨hp, hls⟩ := hpend t h1 h2
    have hit := hv.inv K ready t
    have hperm : (others ready I (decisions M K ready I t) t j).Perm
        (waitingBeside I (decidedIn M K ready I) ready j t) := by
      refine perm_of_nodup (others_nodup hv.nodup_list)
        (hv.nodup_list.sublist List.filter_sublist) fun q => ?_
      rw [mem_others, waitingBeside, List.mem_filter, decide_eq_true_eq]
      constructor
      · rintro ⟨h6, h7⟩
        have h8 := (mem_undecided.1 h6).1
        have h9 := (mem_undecided_iff hv h8 t).1 h6
        exact ⟨h8, h7, h9⟩
      · rintro ⟨h6, h7, h8⟩
        exact ⟨(mem_undecided_iff hv h6 t).2 h8, h7⟩
    have hpf := hperm.filter A
    have hlen := hperm.length_eq
    have hlenf := hpf.length_eq
    have hsum := (hpf.map Request.output).sum_nat
    -- the log at round `t` is as described
    have hlog : rest (decisions M K ready I t) t = x ∧
        mainFits M (decisions M K ready I t) t j = true ∧
        trackFree (decisions M K ready I t) t = true := by
      rcases hx with ⟨m, hm, hmm, hms, hmx, hx0, hall, hfit⟩ | ⟨hx0, hall⟩
      · obtain ⟨a, ha, rfl⟩ := exists_decision hv K ready hm
        rw [decision_isMain hv ha] at hmm
        rw [decision_start hv ha] at hms
        rw [decision_completion hv ha] at hmx
        have hat := decisions_restrict ha (show a.decided < t by have := hmain a ha hmm; omega)
        have hall' : ∀ e ∈ decisions M K ready I t, some a = some e ∨ e.finish ≤ t :=
          fun e he => by
            have h6 := hit.started e he
            rcases hall e.request h6.1 (by rw [decision_decided hv he]; exact h6.2.2.1) with h7 | h7
            · rw [decisions_unique hv he hat h7]; exact Or.inl rfl
            · rw [decision_completion hv he] at h7; exact Or.inr h7
        have hcur : current (decisions M K ready I t) t = some a := by
          cases hc : current (decisions M K ready I t) t with
          | none => have := current_none hc a hat hmm; omega
          | some c =>
            have h6 := current_some hc
            rcases hall' c h6.1 with h7 | h7
            · rw [← h7]
            · omega
        refine ⟨?_, ?_, trackFree_of _ hcur hall'⟩
        · have := rest_of_current hcur; omega
        · unfold mainFits
          rw [hcur]
          simp only [decide_eq_true_eq]
          have : a.finish - t = x := by omega
          rw [this]; exact hfit
      · have hall' : ∀ e ∈ decisions M K ready I t, e.finish ≤ t := fun e he => by
          have h6 := hit.started e he
          have h7 := hall e.request h6.1 (by rw [decision_decided hv he]; exact h6.2.2.1)
          rw [decision_completion hv he] at h7
          exact h7
        have hcur : current (decisions M K ready I t) t = none := by
          cases hc : current (decisions M K ready I t) t with
          | none => rfl
          | some c =>
            have h6 := current_some hc
            have := hall' c h6.1
            omega
        refine ⟨?_, ?_, trackFree_of _ hcur fun e he => Or.inr (hall' e he)⟩
        · unfold rest; rw [hcur]; exact hx0.symm
        · unfold mainFits; rw [hcur]
    refine longStart_none hls hp hlog.2.2 List.filter_sublist
      (F := (others ready I (decisions M K ready I t) t j).filter A) ⟨?_, ?_, hlog.2.1, ?_⟩
    · rw [hlen, hlenf]; exact h3
    · rw [hlog.1, hsum]; exact h4
    · intro i hi
      rw [hlog.1, hsum]
      exact h5 i (hpf.mem_iff.1 hi)
  case free_j =>
    intro e he h1 h2
    obtain ⟨a, ha, rfl⟩ := exists_decision hv K ready he
    rw [hjs] at h1 h2
    rw [decision_completion hv ha] at h2
    rw [decision_isMain hv ha]
    obtain ⟨F, hls⟩ := hlongj
    rcases (hv.inv K ready _).old (longStart_some hls).2.1 a (mem_of_decided hv ha h1) with h3 | h3
    · exact (current_some h3.1).2.1
    · omega
  case fill_busy =>
    intro q hq t h1 h2 h3 h4 hlt hben
    rw [hjs] at h1
    rw [hjc] at h2
    have hit := hv.inv K ready t
    have hdt := decisions_restrict hd h1
    have hqu : q ∈ undecided ready I (decisions M K ready I t) t :=
      (mem_undecided_iff hv hq t).2 ⟨h3, Nat.le_of_lt h4⟩
    have hpn : pending ready I (decisions M K ready I t) t = none :=
      pending_of_decided hj hmax (by omega) hdt hdj
    cases hc : current (decisions M K ready I t) t with
    | none => have := current_none hc d hdt (Or.inl hdlong); omega
    | some c =>
      have hcd : c = d := current_is_largest hv hdt hdlong h2 (by rw [hdj]; exact hmax) hr hc
      subst hcd
      rcases Classical.em (∃ e ∈ decisions M K ready I t, e ≠ c ∧ t < e.finish) with
        ⟨e, he, hne, hfin⟩ | hno
      · obtain ⟨f, hf, hfc, hon⟩ := hit.track c (hit.current_latest hc) t (Nat.le_refl t) e he hne
          hfin
        refine ⟨f.request, (hit.started f hf).1, fun h => hfc
          (decisions_unique hv hf hdt (h.trans hdj.symm)), ?_, (decision_active hv hf t).2 hon⟩
        rw [decision_decided hv hf]
        exact Nat.le_of_lt (hit.started f hf).2.2.1
      · have hfree : trackFree (decisions M K ready I t) t = true :=
          trackFree_of _ hc fun e he => by
            rcases Classical.em (e = c) with h | h
            · exact Or.inl (by rw [h])
            · exact Or.inr (Nat.le_of_not_lt fun h' => hno ⟨e, he, h, h'⟩)
        have hfit : FitsBeside M c t q := by
          unfold Beneath at hben
          rw [hjc, hjs] at hben
          refine ⟨by rw [hdj]; exact hlt, hben.1, ?_⟩
          rw [hdj, hds]; exact hben.2
        have ho := nextRound_outcome M K ready I (decisions M K ready I t) t
        change Outcome M K ready I (decisions M K ready I t) t
          (decisions M K ready I (t + 1)) at ho
        have hmem : ∀ e, e ∈ decisions M K ready I (t + 1) → e.decided = t → e.start = t →
            ∃ f ∈ I, f ≠ j ∧ decidedIn M K ready I f ≤ t ∧
              Active (longSchedule M K ready I) f t := fun e he h5 h6 => by
          have h7 := ((hv.inv K ready _).started e he).1
          have h8 := hv.output_pos _ h7
          refine ⟨e.request, h7, fun h => ?_,
            by rw [decision_decided hv he, h5]; exact Nat.le_refl t,
            (decision_active hv he t).2 ⟨by omega, by simp only [Decision.finish]; omega⟩⟩
          have := decisions_unique hv he hdt (h.trans hdj.symm)
          rw [this] at h5; omega
        generalize decisions M K ready I (t + 1) = log' at *
        cases ho with
        | long J F hls => rw [(longStart_some hls).1] at hpn; cases hpn
        | idle _ hc' _ => rw [hc] at hc'; cases hc'
        | main p _ hc' _ _ => rw [hc] at hc'; cases hc'
        | wait c' _ hc' hw =>
          rw [hc] at hc'
          cases hc'
          exact absurd hfit (hw hpn hfree q hqu)
        | filler c' p _ _ _ _ _ _ _ => exact hmem _ (List.mem_cons_self ..) rfl rfl
  case fill_min =>
    intro f hf hfr h1 h2
    obtain ⟨a, ha, rfl⟩ := exists_decision hv K ready hf
    rw [decision_role hv ha] at hfr
    rw [decision_start hv ha] at h1 h2 ⊢
    rw [hjs] at h1
    rw [hjc] at h2
    have has := (hinv.started a ha).2.2.2.2 (by rw [hfr]; intro h; cases h)
    have hdt : d ∈ decisions M K ready I a.decided := decisions_restrict hd (by omega)
    rcases decided_cases hv ha with ⟨h, _⟩ | ⟨h, _⟩ | ⟨h, _⟩ | ⟨_, _, c, hc, hfit, _, hmin⟩
    · rw [hfr] at h; cases h
    · rw [hfr] at h; cases h
    · rw [hfr] at h; cases h
    · have hcd : c = d :=
        current_is_largest hv hdt hdlong (by omega) (by rw [hdj]; exact hmax) hr hc
      subst hcd
      unfold Beneath
      rw [hjc, hjs, has]
      refine ⟨⟨hfit.2.1, ?_⟩, fun q hq h3 h4 hlt hben => ?_⟩
      · have := hfit.2.2
        rw [hdj, hds] at this; exact this
      · have hne : a.request ≠ q := fun h => by
          rw [← h, decision_decided hv ha] at h4; omega
        refine (KeyLt.total fun h => hne (hv.inj hf hq h)).resolve_right (hmin q
          ((mem_undecided_iff hv hq _).2 ⟨h3, Nat.le_of_lt h4⟩)
          ⟨by rw [hdj]; exact hlt, hben.1, ?_⟩)
        rw [hdj, hds]; exact hben.2
  case fill_ne =>
    intro f hf hfr h1
    obtain ⟨a, ha, rfl⟩ := exists_decision hv K ready hf
    rw [decision_role hv ha] at hfr
    rw [decision_start hv ha, hjs] at h1
    have has := (hinv.started a ha).2.2.2.2 (by rw [hfr]; intro h; cases h)
    obtain ⟨F, hls⟩ := hlongj
    rcases decided_cases hv ha with ⟨h, _⟩ | ⟨h, _⟩ | ⟨h, _⟩ | ⟨_, h, _⟩
    · rw [hfr] at h; cases h
    · rw [hfr] at h; cases h
    · rw [hfr] at h; cases h
    · rw [← has, h1, hls] at h; cases h
  case fill_unique =>
    intro e he f hf her hfr t h1 h2
    obtain ⟨a, ha, rfl⟩ := exists_decision hv K ready he
    obtain ⟨b, hb, rfl⟩ := exists_decision hv K ready hf
    rw [decision_role hv ha] at her
    rw [decision_role hv hb] at hfr
    refine Classical.byContradiction fun hne => ?_
    rcases hinv.pair a ha b hb (fun h => hne (by rw [h])) t ((decision_active hv ha t).1 h1)
      ((decision_active hv hb t).1 h2) with h | h
    · rcases h.1 with h | h <;> rw [her] at h <;> cases h
    · rcases h.1 with h | h <;> rw [hfr] at h <;> cases h

end OnlineKvCache
