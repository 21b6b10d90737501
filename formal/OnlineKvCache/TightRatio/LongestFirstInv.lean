module

public import OnlineKvCache.TightRatio.LongestFirstRound

public section

/-! # The invariants of the longest-first rule -/

namespace OnlineKvCache

variable {M K : Nat} {ready : Request → Nat} {I : List Request} {t : Nat} {log : List Decision}

theorem LongInv.succ (h : LongInv M ready I t log) : LongInv M ready I (t + 1) log where
  started e he := by have := h.started e he; exact ⟨this.1, this.2.1, by omega, this.2.2.2⟩
  once := h.once
  order := h.order
  cover e he ht := by
    obtain ⟨c, hc, h1, h2⟩ := h.cover e he (by omega)
    exact ⟨c, hc, by omega, h2⟩
  mains := h.mains
  track c hc u hu := h.track c hc u (by omega)
  pair := h.pair
  host := h.host
  block := h.block

theorem LongInv.main_start (h : LongInv M ready I t log) {e : Decision} (he : e ∈ log)
    (hm : e.IsMain) : e.start < t := by
  have h1 := h.started e he
  have h2 := h1.2.2.2.2 (by rcases hm with h | h <;> rw [h] <;> intro h' <;> cases h')
  omega

/-- The current main is the latest one. -/
theorem LongInv.current_latest (h : LongInv M ready I t log) {m : Decision}
    (hc : current log t = some m) : LatestMain log m := by
  have h1 := current_some hc
  obtain ⟨c, hl, h2, h3⟩ := h.cover m h1.1 h1.2.2
  obtain ⟨_, as, bs, hlog, has⟩ := List.find?_eq_some_iff_append.1 hc
  have hcl : c ∈ as ++ m :: bs := hlog ▸ hl.1
  have hord := h.order
  rw [hlog, List.pairwise_append] at hord
  rcases List.mem_append.1 hcl with h4 | h4
  · have := has c h4
    simp [hl.2.1, h2] at this
  · rcases List.mem_cons.1 h4 with h5 | h5
    · rw [← h5]; exact hl
    · have h6 := (List.pairwise_cons.1 hord.2.1).1 c h5 h1.2.1 hl.2.1
      have h7 := hl.2.2 m h1.1 h1.2.1
      omega

theorem LongInv.finished (h : LongInv M ready I t log) (hc : current log t = none) :
    ∀ e ∈ log, e.finish ≤ t := fun e he => Nat.le_of_not_lt fun hlt => by
  obtain ⟨c, hl, h2, _⟩ := h.cover e he hlt
  have := current_none hc c hl.1 hl.2.1
  omega

theorem trackFree_iff : trackFree log t = true ↔
    ∀ e ∈ log, e.finish ≤ t ∨ (current log t).map Decision.request = some e.request := by
  simp [trackFree]

theorem LongInv.free_others (h : LongInv M ready I t log) {m : Decision}
    (hc : current log t = some m) (hf : trackFree log t = true) :
    ∀ e ∈ log, e = m ∨ e.finish ≤ t := fun e he => by
  rcases trackFree_iff.1 hf e he with h1 | h1
  · exact Or.inr h1
  · rw [hc] at h1
    simp only [Option.map_some, Option.some.injEq] at h1
    exact Or.inl (h.once e he m (current_some hc).1 h1.symm)

theorem trackFree_of (m : Option Decision)
    (hc : current log t = m) (hf : ∀ e ∈ log, m = some e ∨ e.finish ≤ t) :
    trackFree log t = true := trackFree_iff.2 fun e he => by
  rcases hf e he with h1 | h1
  · rw [hc, h1]; exact Or.inr rfl
  · exact Or.inl h1

/-- One new decision. -/
theorem LongInv.add (h : LongInv M ready I t log) {q : Request} {role : Role}
    (hq : q ∈ undecided ready I log t) (hrole : role ≠ .block)
    (hcov : (role = .main ∧ ∀ e ∈ log, e.finish ≤ t) ∨ (role = .filler ∧ ∃ m,
      current log t = some m ∧ (∀ e ∈ log, e = m ∨ e.finish ≤ t) ∧ FitsBeside M m t q)) :
    LongInv M ready I (t + 1) (⟨q, t, t, role⟩ :: log) := by
  have hq' := mem_undecided.1 hq
  have hs := h.succ
  -- what runs from round `t` on
  have hon : ∀ e ∈ log, ∀ u, t ≤ u → e.On u → role = .filler ∧ current log t = some e ∧
      FitsBeside M e t q := fun e he u hu ho => by
    rcases hcov with ⟨_, h1⟩ | ⟨h1, m, hm, h2, h3⟩
    · have := h1 e he
      unfold Decision.On at ho; omega
    · rcases h2 e he with h4 | h4
      · subst h4; exact ⟨h1, hm, h3⟩
      · unfold Decision.On at ho; omega
  constructor
  · intro e he
    rcases List.mem_cons.1 he with rfl | he
    · exact ⟨hq'.1, hq'.2.1, Nat.lt_succ_self t, Nat.le_refl _, fun _ => rfl⟩
    · exact hs.started e he
  · intro e he f hf hef
    rcases List.mem_cons.1 he with he1 | he1 <;> rcases List.mem_cons.1 hf with hf1 | hf1
    · rw [he1, hf1]
    · rw [he1] at hef; exact absurd hef.symm (hq'.2.2 f hf1)
    · rw [hf1] at hef; exact absurd hef (hq'.2.2 e he1)
    · exact h.once e he1 f hf1 hef
  · refine List.pairwise_cons.2 ⟨fun f hf _ hm => ?_, h.order⟩
    exact h.main_start hf hm
  · intro e he ht
    rcases hcov with ⟨h1, h2⟩ | ⟨h1, m, hm, h2, h3⟩
    · refine ⟨⟨q, t, t, role⟩, ⟨List.mem_cons_self .., Or.inr h1, fun f hf hm => ?_⟩, ?_⟩
      · rcases List.mem_cons.1 hf with rfl | hf
        · exact Nat.le_refl _
        · exact Nat.le_of_lt (h.main_start hf hm)
      · rcases List.mem_cons.1 he with rfl | he
        · exact ⟨ht, Nat.le_refl _⟩
        · have := h2 e he; omega
    · have hl := h.current_latest hm
      have hl' : LatestMain (⟨q, t, t, role⟩ :: log) m := by
        refine ⟨List.mem_cons_of_mem _ hl.1, hl.2.1, fun f hf hfm => ?_⟩
        rcases List.mem_cons.1 hf with rfl | hf
        · rcases hfm with h4 | h4 <;> rw [h1] at h4 <;> cases h4
        · exact hl.2.2 f hf hfm
      rcases List.mem_cons.1 he with rfl | he
      · refine ⟨m, hl', ?_, h3.2.1⟩
        have := h3.2.1
        simp only [Decision.finish] at ht this ⊢
        omega
      · rcases h2 e he with h4 | h4
        · subst h4; exact ⟨e, hl', ht, Nat.le_refl _⟩
        · omega
  · intro e he f hf hem hfm hlt
    rcases List.mem_cons.1 he with rfl | he <;> rcases List.mem_cons.1 hf with rfl | hf
    · simp at hlt
    · have := h.main_start hf hfm
      simp only at hlt; omega
    · rcases hcov with ⟨h1, h2⟩ | ⟨h1, _⟩
      · exact Or.inl (h2 e he)
      · rcases hfm with h4 | h4 <;> simp only [h1] at h4 <;> cases h4
    · exact h.mains e he f hf hem hfm hlt
  · intro c hc u hu e he hne hlt
    refine ⟨⟨q, t, t, role⟩, List.mem_cons_self .., ?_, ?_⟩
    · rintro rfl
      rcases List.mem_cons.1 he with he | he
      · exact hne he
      · rcases hcov with ⟨_, h2⟩ | ⟨h1, _⟩
        · have := h2 e he; omega
        · rcases hc.2.1 with h4 | h4 <;> simp only [h1] at h4 <;> cases h4
    · rcases List.mem_cons.1 he with rfl | he
      · exact ⟨by simp only; omega, hlt⟩
      · rcases hcov with ⟨_, h2⟩ | ⟨h1, m, hm, h2, h3⟩
        · have := h2 e he; omega
        · rcases h2 e he with h4 | h4
          · -- `e` is the main itself, and the latest
            exfalso
            have hl := h.current_latest hm
            subst h4
            have h5 := hc.2.2 e (List.mem_cons_of_mem _ he) hl.2.1
            rcases List.mem_cons.1 hc.1 with h6 | h6
            · have := hc.2.1
              rw [h6] at this
              rcases this with h4 | h4 <;> simp only [h1] at h4 <;> cases h4
            · have h7 := hl.2.2 c h6 hc.2.1
              have hord := h.order
              have h8 : ∀ (l : List Decision), (l.Pairwise fun e f => e.IsMain → f.IsMain →
                  f.start < e.start) → c ∈ l → e ∈ l → e = c := fun l hl' => by
                induction hl' with
                | nil => intro hc; cases hc
                | cons hhd _ ih =>
                  intro hcl hel
                  rcases List.mem_cons.1 hcl with h9 | h9 <;>
                    rcases List.mem_cons.1 hel with h10 | h10
                  · rw [h9, h10]
                  · have := hhd e h10 (h9 ▸ hc.2.1) hl.2.1
                    rw [← h9] at this; omega
                  · have := hhd c h9 (h10 ▸ hl.2.1) hc.2.1
                    rw [← h10] at this; omega
                  · exact ih h9 h10
              exact hne (h8 log hord h6 he)
          · omega
  · intro e he f hf hne u heu hfu
    have hshare : ∀ c e', Share M log c e' u → (c.On u → e'.On u → u < t) →
        c.On u → e'.On u → Share M (⟨q, t, t, role⟩ :: log) c e' u := fun c e' hsh hut ho ho' =>
      ⟨hsh.1, hsh.2.1, fun g hg hgu => by
        rcases List.mem_cons.1 hg with rfl | hg
        · have := hut ho ho'
          unfold Decision.On at hgu; simp only at hgu; omega
        · exact hsh.2.2 g hg hgu⟩
    rcases List.mem_cons.1 he with he1 | he1 <;> rcases List.mem_cons.1 hf with hf1 | hf1
    · exact absurd (he1.trans hf1.symm) hne
    · -- the new decision beside the main
      have hut : t ≤ u := by rw [he1] at heu; exact heu.1
      obtain ⟨h1, h2, h3⟩ := hon f hf1 u hut hfu
      refine Or.inr ⟨(current_some h2).2.1, ?_, fun g hg hgu => ?_⟩
      · have h4 := (h.main_start hf1 (current_some h2).2.1)
        rw [he1] at heu ⊢
        unfold FitsBeside Request.peak at h3
        unfold Decision.On Decision.finish at *
        simp only at heu ⊢
        omega
      · rcases List.mem_cons.1 hg with hg | hg
        · exact Or.inr (hg.trans he1.symm)
        · have h5 := (hon g hg u hut hgu).2.1
          rw [h2] at h5
          cases h5
          exact Or.inl rfl
    · have hut : t ≤ u := by rw [hf1] at hfu; exact hfu.1
      obtain ⟨h1, h2, h3⟩ := hon e he1 u hut heu
      refine Or.inl ⟨(current_some h2).2.1, ?_, fun g hg hgu => ?_⟩
      · have h4 := (h.main_start he1 (current_some h2).2.1)
        rw [hf1] at hfu ⊢
        unfold FitsBeside Request.peak at h3
        unfold Decision.On Decision.finish at *
        simp only at hfu ⊢
        omega
      · rcases List.mem_cons.1 hg with hg | hg
        · exact Or.inr (hg.trans hf1.symm)
        · have h5 := (hon g hg u hut hgu).2.1
          rw [h2] at h5
          cases h5
          exact Or.inl rfl
    · have hut : u < t := Nat.lt_of_not_le fun hle => by
        have h1 := (hon e he1 u hle heu).2.1
        have h2 := (hon f hf1 u hle hfu).2.1
        rw [h1] at h2
        cases h2
        exact hne rfl
      rcases h.pair e he1 f hf1 hne u heu hfu with h1 | h1
      · exact Or.inl (hshare e f h1 (fun _ _ => hut) heu hfu)
      · exact Or.inr (hshare f e h1 (fun _ _ => hut) hfu heu)
  · intro f hf hrf
    rcases List.mem_cons.1 hf with rfl | hf
    · rcases hcov with ⟨h1, _⟩ | ⟨_, m, hm, _, h3⟩
      · simp only [h1] at hrf; cases hrf
      · have hl := h.current_latest hm
        refine ⟨m, List.mem_cons_of_mem _ hl.1, hl.2.1, Nat.le_of_lt (h.main_start hl.1 hl.2.1),
          (current_some hm).2.2, h3, fun g hg hgm _ => ?_⟩
        rcases List.mem_cons.1 hg with rfl | hg
        · rcases hgm with h4 | h4 <;> (cases h4; cases hrf)
        · exact hl.2.2 g hg hgm
    · obtain ⟨c, hc, h1, h2, h3, h4, h5⟩ := h.host f hf hrf
      refine ⟨c, List.mem_cons_of_mem _ hc, h1, h2, h3, h4, fun g hg hgm hgs => ?_⟩
      rcases List.mem_cons.1 hg with rfl | hg
      · have h6 := h.started f hf
        have h7 := h6.2.2.2.2 (by rw [hrf]; intro h'; cases h')
        simp only at hgs; omega
      · exact h5 g hg hgm hgs
  · intro f hf hrf
    rcases List.mem_cons.1 hf with rfl | hf
    · exact absurd hrf hrole
    · obtain ⟨⟨J, hJ, h1⟩, h2⟩ := h.block f hf hrf
      refine ⟨⟨J, List.mem_cons_of_mem _ hJ, h1⟩, fun u hu hu' => ?_⟩
      obtain ⟨e, he, ho, h3⟩ := h2 u hu hu'
      refine ⟨e, List.mem_cons_of_mem _ he, ho, ?_⟩
      rcases h3 with ⟨h3, h4, h5⟩ | h3
      · refine Or.inl ⟨h3, h4, fun g hg hgm hgs => ?_⟩
        rcases List.mem_cons.1 hg with rfl | hg
        · have := (h.started f hf).2.2.1
          simp only at hgs; omega
        · exact h5 g hg hgm hgs
      · exact Or.inr h3

/-! ### The longest with its block -/

theorem blockFrom_order {t : Nat} : ∀ (s : Nat) (F : List Request),
    (blockFrom t s F).Pairwise fun e f => e.IsMain → f.IsMain → f.start < e.start
  | _, [] => .nil
  | s, q :: l => List.pairwise_cons.2
      ⟨fun _ _ h => (by rcases h with h | h <;> cases h), blockFrom_order _ _⟩

theorem not_isMain_of_block {e : Decision} (h : e.role = .block) : ¬ e.IsMain := by
  rintro (h' | h') <;> rw [h] at h' <;> cases h'

theorem rest_of_current {log : List Decision} {t : Nat} {m : Decision}
    (h : current log t = some m) : t + rest log t = m.finish := by
  have := (current_some h).2.2
  unfold rest
  rw [h]
  simp only
  omega

/-- What runs from round `t` on, when the track is free: at most the main, until `t + rest`. -/
theorem LongInv.old (h : LongInv M ready I t log) (hf : trackFree log t = true) :
    ∀ e ∈ log, (current log t = some e ∧ e.finish = t + rest log t) ∨ e.finish ≤ t :=
  fun e he => by
    cases hc : current log t with
    | none => exact Or.inr (h.finished hc e he)
    | some m =>
      rcases h.free_others hc hf e he with h1 | h1
      · subst h1
        exact Or.inl ⟨rfl, (rest_of_current hc).symm⟩
      · exact Or.inr h1

theorem mem_long {B : List Decision} {n e : Decision} :
    e ∈ B ++ (n :: log) ↔ e ∈ B ∨ e = n ∨ e ∈ log := by
  rw [List.mem_append, List.mem_cons]

theorem longStart_facts (hn : I.Nodup)
    (hinj : ∀ p ∈ I, ∀ q ∈ I, p.id = q.id → p = q) {J : Request} {F : List Request}
    (hls : longStart M K ready I log t = some (J, F)) :
    J ∈ undecided ready I log t ∧ (∀ q ∈ F, q ∈ undecided ready I log t ∧ q ≠ J) ∧ F.Nodup ∧
      F.Pairwise KeyLt := by
  obtain ⟨hp, hf, hsub, ha⟩ := longStart_some hls
  have hmem : ∀ q ∈ F, q ∈ undecided ready I log t ∧ q ≠ J := fun q hq =>
    mem_others.1 (hsub.subset hq)
  have hnd := (others_nodup hn).sublist hsub
  refine ⟨(pending_some hp).1, hmem, hnd, ?_⟩
  have hsort := (sortByKey_pairwise
    ((undecided ready I log t).filter fun q => decide (q ≠ J))).sublist hsub
  refine (hsort.and hnd).imp_of_mem fun {a b} ha hb hab => ?_
  have hid : a.id ≠ b.id := fun he => hab.2 (hinj a (mem_undecided.1 (hmem a ha).1).1 b
    (mem_undecided.1 (hmem b hb).1).1 he)
  have := hab.1
  unfold KeyLt
  omega

theorem LongInv.addLong (h : LongInv M ready I t log) (hn : I.Nodup)
    (hinj : ∀ p ∈ I, ∀ q ∈ I, p.id = q.id → p = q) {J : Request} {F : List Request}
    (hls : longStart M K ready I log t = some (J, F)) :
    LongInv M ready I (t + 1) (blockFrom t (t + rest log t) F ++ (⟨J, t, t, .long⟩ :: log)) := by
  obtain ⟨hp, hf, hsub, ha1, ha2, ha3, ha4⟩ := longStart_some hls
  obtain ⟨hJ, hF, hFn, hFp⟩ := longStart_facts hn hinj hls
  have hJ' := mem_undecided.1 hJ
  have hold := h.old hf
  have hs := h.succ
  have hB := fun e => @mem_blockFrom t (t + rest log t) F e
  have hBmain : ∀ e ∈ blockFrom t (t + rest log t) F, ¬ e.IsMain := fun e he =>
    not_isMain_of_block (hB e he).1
  have hlate : LatestMain (blockFrom t (t + rest log t) F ++ (⟨J, t, t, .long⟩ :: log))
      ⟨J, t, t, .long⟩ := by
    refine ⟨mem_long.2 (Or.inr (Or.inl rfl)), Or.inl rfl, fun m hm hmm => ?_⟩
    rcases mem_long.1 hm with h1 | h1 | h1
    · exact absurd hmm (hBmain m h1)
    · rw [h1]; exact Nat.le_refl _
    · exact Nat.le_of_lt (h.main_start h1 hmm)
  -- what runs from round `t` on
  have hon : ∀ e ∈ blockFrom t (t + rest log t) F ++ (⟨J, t, t, .long⟩ :: log), ∀ u, t ≤ u →
      e.On u → e ≠ ⟨J, t, t, .long⟩ → (e ∈ log ∧ current log t = some e ∧ u < t + rest log t) ∨
        (e ∈ blockFrom t (t + rest log t) F ∧ t + rest log t ≤ u) := fun e he u hu ho hne => by
    rcases mem_long.1 he with h1 | h1 | h1
    · have := (hB e h1).2.2.2.1
      unfold Decision.On at ho
      exact Or.inr ⟨h1, by omega⟩
    · exact absurd h1 hne
    · unfold Decision.On at ho
      rcases hold e h1 with h2 | h2
      · exact Or.inl ⟨h1, h2.1, by omega⟩
      · omega
  have hon2 : ∀ e ∈ blockFrom t (t + rest log t) F ++ (⟨J, t, t, .long⟩ :: log),
      ∀ f ∈ blockFrom t (t + rest log t) F ++ (⟨J, t, t, .long⟩ :: log), ∀ u, t ≤ u →
      e.On u → f.On u → e ≠ ⟨J, t, t, .long⟩ → f ≠ ⟨J, t, t, .long⟩ → e = f :=
    fun e he f hf' u hu heu hfu hne hnf => by
      rcases hon e he u hu heu hne with ⟨_, h1, h2⟩ | ⟨h1, h2⟩ <;>
        rcases hon f hf' u hu hfu hnf with ⟨_, h3, h4⟩ | ⟨h3, h4⟩
      · rw [h1] at h3; exact Option.some.inj h3
      · omega
      · omega
      · exact blockFrom_unique h1 h3 heu hfu
  constructor
  · intro e he
    rcases mem_long.1 he with h1 | h1 | h1
    · have h2 := hB e h1
      have h3 := mem_undecided.1 (hF _ h2.2.2.1).1
      refine ⟨h3.1, by omega, by omega, by omega, fun h4 => absurd h2.1 h4⟩
    · rw [h1]; exact ⟨hJ'.1, hJ'.2.1, Nat.lt_succ_self t, Nat.le_refl _, fun _ => rfl⟩
    · exact hs.started e h1
  · intro e he f hf' hef
    rcases mem_long.1 he with h1 | h1 | h1 <;> rcases mem_long.1 hf' with h2 | h2 | h2
    · exact blockFrom_once hFn h1 h2 hef
    · have h3 := hF _ (hB e h1).2.2.1
      rw [hef, h2] at h3; exact absurd rfl h3.2
    · have h3 := mem_undecided.1 (hF _ (hB e h1).2.2.1).1
      exact absurd hef.symm (h3.2.2 f h2)
    · have h3 := hF _ (hB f h2).2.2.1
      rw [← hef, h1] at h3; exact absurd rfl h3.2
    · rw [h1, h2]
    · rw [h1] at hef; exact absurd hef.symm (hJ'.2.2 f h2)
    · have h3 := mem_undecided.1 (hF _ (hB f h2).2.2.1).1
      exact absurd hef (h3.2.2 e h1)
    · rw [h2] at hef; exact absurd hef (hJ'.2.2 e h1)
    · exact h.once e h1 f h2 hef
  · refine List.pairwise_append.2 ⟨blockFrom_order .., List.pairwise_cons.2
      ⟨fun f hf' _ hm => h.main_start hf' hm, h.order⟩, fun a ha' b _ hm => ?_⟩
    exact absurd hm (hBmain a ha')
  · intro e he ht
    refine ⟨_, hlate, ?_⟩
    have : e.finish ≤ t + J.output := by
      rcases mem_long.1 he with h1 | h1 | h1
      · have := (hB e h1).2.2.2.2; omega
      · rw [h1]; exact Nat.le_refl _
      · rcases hold e h1 with h2 | h2 <;> omega
    simp only [Decision.finish] at this ht ⊢
    omega
  · intro e he f hf' hem hfm hlt
    rcases mem_long.1 hf' with h2 | h2 | h2
    · exact absurd hfm (hBmain f h2)
    · rw [h2]; exact Or.inr rfl
    · rcases mem_long.1 he with h1 | h1 | h1
      · exact absurd hem (hBmain e h1)
      · have := h.main_start h2 hfm
        rw [h1] at hlt; simp only at hlt; omega
      · exact h.mains e h1 f h2 hem hfm hlt
  · intro c hc u hu e he hne hlt
    have hcn : c = ⟨J, t, t, .long⟩ := by
      rcases mem_long.1 hc.1 with h1 | h1 | h1
      · exact absurd hc.2.1 (hBmain c h1)
      · exact h1
      · have h2 := h.main_start h1 hc.2.1
        have h3 := hc.2.2 _ hlate.1 (Or.inl rfl)
        simp only at h3; omega
    subst hcn
    rcases Nat.lt_or_ge u (t + rest log t) with h1 | h1
    · cases hcur : current log t with
      | none => unfold rest at h1; rw [hcur] at h1; simp only at h1; omega
      | some m =>
        have h2 := current_some hcur
        have h3 := h.main_start h2.1 h2.2.1
        have h4 := rest_of_current hcur
        refine ⟨m, mem_long.2 (Or.inr (Or.inr h2.1)), ?_, ?_⟩
        · rintro rfl; simp only at h3; omega
        · unfold Decision.On; omega
    · obtain ⟨f, hf', ho⟩ := blockFrom_cover (t := t) (F := F) h1 (by
        rcases mem_long.1 he with h2 | h2 | h2
        · have := (hB e h2).2.2.2.2; omega
        · exact absurd h2 hne
        · rcases hold e h2 with h3 | h3 <;> omega)
      refine ⟨f, mem_long.2 (Or.inl hf'), ?_, ho⟩
      intro h2
      have := (hB f hf').1
      rw [h2] at this; cases this
  · intro e he f hf' hne u heu hfu
    rcases Nat.lt_or_ge u t with hut | hut
    · have hlog : ∀ g ∈ blockFrom t (t + rest log t) F ++ (⟨J, t, t, .long⟩ :: log), g.On u →
          g ∈ log := fun g hg hgu => by
        unfold Decision.On at hgu
        rcases mem_long.1 hg with h1 | h1 | h1
        · have := (hB g h1).2.2.2.1; omega
        · rw [h1] at hgu; simp only at hgu; omega
        · exact h1
      rcases h.pair e (hlog e he heu) f (hlog f hf' hfu) hne u heu hfu with h1 | h1
      · exact Or.inl ⟨h1.1, h1.2.1, fun g hg hgu => h1.2.2 g (hlog g hg hgu) hgu⟩
      · exact Or.inr ⟨h1.1, h1.2.1, fun g hg hgu => h1.2.2 g (hlog g hg hgu) hgu⟩
    · -- one of the two is `J`
      have hshare : ∀ f ∈ blockFrom t (t + rest log t) F ++ (⟨J, t, t, .long⟩ :: log), f.On u →
          f ≠ ⟨J, t, t, .long⟩ →
          Share M (blockFrom t (t + rest log t) F ++ (⟨J, t, t, .long⟩ :: log))
            ⟨J, t, t, .long⟩ f u :=
        fun f hf' hfu hnf => by
          refine ⟨Or.inl rfl, ?_, fun g hg hgu => ?_⟩
          · rcases hon f hf' u hut hfu hnf with ⟨h1, h2, h3⟩ | ⟨h1, h2⟩
            · have h4 := rest_of_current h2
              have h5 := h.main_start h1 (current_some h2).2.1
              unfold mainFits at ha3
              rw [h2] at ha3
              simp only [decide_eq_true_eq] at ha3
              unfold Request.peak at ha3
              unfold Decision.On Decision.finish at *
              simp only at *
              omega
            · have h3 := hB f h1
              have h4 := ha4 f.request h3.2.2.1
              unfold Request.peak at h4
              unfold Decision.On Decision.finish at *
              simp only at *
              omega
          · rcases Classical.em (g = ⟨J, t, t, .long⟩) with h1 | h1
            · exact Or.inl h1
            · exact Or.inr (hon2 g hg f hf' u hut hgu hfu h1 hnf)
      rcases Classical.em (e = ⟨J, t, t, .long⟩) with h1 | h1
      · rw [h1] at hne ⊢
        exact Or.inl (hshare f hf' hfu (Ne.symm hne))
      · rcases Classical.em (f = ⟨J, t, t, .long⟩) with h2 | h2
        · rw [h2] at hne ⊢
          exact Or.inr (hshare e he heu hne)
        · exact absurd (hon2 e he f hf' u hut heu hfu h1 h2) hne
  · intro f hf' hrf
    rcases mem_long.1 hf' with h1 | h1 | h1
    · rw [(hB f h1).1] at hrf; cases hrf
    · rw [h1] at hrf; cases hrf
    · obtain ⟨c, hc, h2, h3, h4, h5, h6⟩ := h.host f h1 hrf
      refine ⟨c, mem_long.2 (Or.inr (Or.inr hc)), h2, h3, h4, h5, fun g hg hgm hgs => ?_⟩
      rcases mem_long.1 hg with h7 | h7 | h7
      · exact absurd hgm (hBmain g h7)
      · have h8 := h.started f h1
        have h9 := h8.2.2.2.2 (by rw [hrf]; intro h'; cases h')
        rw [h7] at hgs; simp only at hgs; omega
      · exact h6 g h7 hgm hgs
  · intro q hq hrq
    rcases mem_long.1 hq with h1 | h1 | h1
    · have h2 := hB q h1
      refine ⟨⟨_, hlate.1, rfl, h2.2.1.symm⟩, fun u hu hu' => ?_⟩
      rcases Nat.lt_or_ge u (t + rest log t) with h3 | h3
      · cases hcur : current log t with
        | none => unfold rest at h3; rw [hcur] at h3; simp only at h3; omega
        | some m =>
          have h4 := current_some hcur
          have h5 := h.main_start h4.1 h4.2.1
          have h6 := rest_of_current hcur
          refine ⟨m, mem_long.2 (Or.inr (Or.inr h4.1)), by unfold Decision.On; omega,
            Or.inl ⟨h4.2.1, by omega, fun g hg hgm hgs => ?_⟩⟩
          rcases mem_long.1 hg with h7 | h7 | h7
          · exact absurd hgm (hBmain g h7)
          · rw [h7] at hgs; simp only at hgs; omega
          · exact (h.current_latest hcur).2.2 g h7 hgm
      · obtain ⟨e, he, ho, hlt⟩ := blockFrom_before hFp h1 h3 hu'
        exact ⟨e, mem_long.2 (Or.inl he), ho,
          Or.inr ⟨(hB e he).1, (hB e he).2.1.trans h2.2.1.symm, hlt⟩⟩
    · rw [h1] at hrq; cases hrq
    · obtain ⟨⟨J', hJ1, h2⟩, h3⟩ := h.block q h1 hrq
      refine ⟨⟨J', mem_long.2 (Or.inr (Or.inr hJ1)), h2⟩, fun u hu hu' => ?_⟩
      obtain ⟨e, he, ho, h4⟩ := h3 u hu hu'
      refine ⟨e, mem_long.2 (Or.inr (Or.inr he)), ho, ?_⟩
      rcases h4 with ⟨h4, h5, h6⟩ | h4
      · refine Or.inl ⟨h4, h5, fun g hg hgm hgs => ?_⟩
        rcases mem_long.1 hg with h7 | h7 | h7
        · exact absurd hgm (hBmain g h7)
        · have := (h.started q h1).2.2.1
          rw [h7] at hgs; simp only at hgs; omega
        · exact h6 g h7 hgm hgs
      · exact Or.inr h4

/-- Every round keeps the invariant. -/
theorem LongInv.next (h : LongInv M ready I t log) (hn : I.Nodup)
    (hinj : ∀ p ∈ I, ∀ q ∈ I, p.id = q.id → p = q) :
    LongInv M ready I (t + 1) (nextRound M K ready I log t) := by
  have ho := nextRound_outcome M K ready I log t
  generalize nextRound M K ready I log t = log' at ho
  cases ho with
  | long J F hls => exact h.addLong hn hinj hls
  | idle => exact h.succ
  | main q _ hc hq _ =>
    exact h.add hq (by intro h; cases h) (Or.inl ⟨rfl, h.finished hc⟩)
  | wait => exact h.succ
  | filler j q _ hc _ hf hq hfit _ =>
    exact h.add hq (by intro h; cases h) (Or.inr ⟨rfl, j, hc, h.free_others hc hf, hfit⟩)

theorem decisions_inv {M K : Nat} {ready : Request → Nat} {I : List Request} (hn : I.Nodup)
    (hinj : ∀ p ∈ I, ∀ q ∈ I, p.id = q.id → p = q) :
    ∀ t, LongInv M ready I t (decisions M K ready I t)
  | 0 => by
    constructor
    case order => exact .nil
    case track => intro c hc; cases hc.1
    all_goals intro e he; cases he
  | t + 1 => (decisions_inv hn hinj t).next hn hinj

end OnlineKvCache
