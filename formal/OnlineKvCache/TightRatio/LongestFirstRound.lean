module

public import OnlineKvCache.TightRatio.LongestFirstState
public import OnlineKvCache.TightRatio.MainFillerRun

public section

/-! # One round of the longest-first rule -/

namespace OnlineKvCache

/-! ### Choices -/

theorem largest_none : ∀ {l : List Request}, largest l = none → l = []
  | [], _ => rfl
  | q :: l, h => by
    unfold largest at h
    split at h
    · cases h
    · split at h <;> cases h

theorem largest_some : ∀ {l : List Request} {q : Request}, largest l = some q →
    q ∈ l ∧ ∀ p ∈ l, ¬ KeyLt q p
  | [], _, h => by cases h
  | r :: l, q, h => by
    unfold largest at h
    split at h
    next hn =>
      cases h
      rw [largest_none hn]
      refine ⟨List.mem_cons_self .., fun p hp => ?_⟩
      obtain rfl : p = r := by simpa using hp
      exact fun h => h.asymm h
    next p hp =>
      have ih := largest_some hp
      split at h
      next hlt =>
        cases h
        refine ⟨List.mem_cons_of_mem _ ih.1, fun a ha => ?_⟩
        rcases List.mem_cons.1 ha with rfl | ha
        · exact hlt.asymm
        · exact ih.2 a ha
      next hlt =>
        cases h
        refine ⟨List.mem_cons_self .., fun a ha => ?_⟩
        rcases List.mem_cons.1 ha with rfl | ha
        · exact fun h => h.asymm h
        · have := ih.2 a ha
          unfold KeyLt at *; omega

theorem mem_sublists : ∀ {l F : List Request}, F ∈ sublists l ↔ F.Sublist l
  | [], F => by simp [sublists]
  | q :: l, F => by
    rw [sublists, List.mem_append, List.mem_map]
    constructor
    · rintro (⟨r, h, rfl⟩ | h)
      · exact (mem_sublists.1 h).cons₂ _
      · exact (mem_sublists.1 h).cons _
    · intro h
      cases h with
      | cons _ h => exact Or.inr (mem_sublists.2 h)
      | cons₂ _ h => exact Or.inl ⟨_, mem_sublists.2 h, rfl⟩

theorem insertByKey_perm (q : Request) : ∀ l : List Request, (insertByKey q l).Perm (q :: l)
  | [] => .refl _
  | p :: l => by
    unfold insertByKey
    split
    · exact .refl _
    · exact ((insertByKey_perm q l).cons p).trans (.swap ..)

theorem sortByKey_perm : ∀ l : List Request, (sortByKey l).Perm l
  | [] => .refl _
  | q :: l => (insertByKey_perm q _).trans ((sortByKey_perm l).cons q)

theorem insertByKey_pairwise (q : Request) : ∀ {l : List Request}, (l.Pairwise fun p q =>
    p.output < q.output ∨ (p.output = q.output ∧ p.id ≤ q.id)) →
    (insertByKey q l).Pairwise fun p q =>
      p.output < q.output ∨ (p.output = q.output ∧ p.id ≤ q.id)
  | [], _ => List.pairwise_cons.2 ⟨fun _ h => (by cases h), .nil⟩
  | p :: l, h => by
    have h' := List.pairwise_cons.1 h
    unfold insertByKey
    split
    next hq =>
      refine List.pairwise_cons.2 ⟨fun a ha => ?_, h⟩
      rcases List.mem_cons.1 ha with rfl | ha
      · exact hq
      · have := h'.1 a ha; omega
    next hq =>
      refine List.pairwise_cons.2 ⟨fun a ha => ?_, insertByKey_pairwise q h'.2⟩
      rcases List.mem_cons.1 ((insertByKey_perm q l).mem_iff.1 ha) with rfl | ha
      · omega
      · exact h'.1 a ha

theorem sortByKey_pairwise : ∀ l : List Request, (sortByKey l).Pairwise fun p q =>
    p.output < q.output ∨ (p.output = q.output ∧ p.id ≤ q.id)
  | [] => .nil
  | q :: l => insertByKey_pairwise q (sortByKey_pairwise l)

theorem sortByKey_congr {l m : List Request} (hinj : ∀ p ∈ l, ∀ q ∈ l, p.id = q.id → p = q)
    (h : l.Perm m) : sortByKey l = sortByKey m := by
  refine List.Perm.eq_of_pairwise (fun a b ha hb h1 h2 => ?_) (sortByKey_pairwise l)
    (sortByKey_pairwise m) ((sortByKey_perm l).trans (h.trans (sortByKey_perm m).symm))
  exact hinj a ((sortByKey_perm l).mem_iff.1 ha) b
    (h.mem_iff.2 ((sortByKey_perm m).mem_iff.1 hb)) (by omega)

theorem mem_undecided {ready : Request → Nat} {I : List Request} {log : List Decision} {t : Nat}
    {q : Request} :
    q ∈ undecided ready I log t ↔ q ∈ I ∧ ready q ≤ t ∧ ∀ e ∈ log, e.request ≠ q := by
  simp [undecided]

theorem mem_others {ready : Request → Nat} {I : List Request} {log : List Decision} {t : Nat}
    {J q : Request} : q ∈ others ready I log t J ↔ q ∈ undecided ready I log t ∧ q ≠ J := by
  unfold others
  rw [(sortByKey_perm _).mem_iff, List.mem_filter, decide_eq_true_eq]

theorem others_nodup {ready : Request → Nat} {I : List Request} (hn : I.Nodup)
    {log : List Decision} {t : Nat} {J : Request} : (others ready I log t J).Nodup :=
  (sortByKey_perm _).nodup_iff.2 ((hn.sublist List.filter_sublist).sublist List.filter_sublist)

/-! ### Blocks -/

theorem mem_blockFrom {t : Nat} : ∀ {s : Nat} {F : List Request} {e : Decision},
    e ∈ blockFrom t s F → e.role = .block ∧ e.decided = t ∧ e.request ∈ F ∧ s ≤ e.start ∧
      e.finish ≤ s + (F.map Request.output).sum
  | _, [], _, h => by cases h
  | s, q :: l, e, h => by
    rw [List.map_cons, List.sum_cons]
    rcases List.mem_cons.1 h with rfl | h
    · exact ⟨rfl, rfl, List.mem_cons_self .., Nat.le_refl _, by simp only [Decision.finish]; omega⟩
    · obtain ⟨h1, h2, h3, h4, h5⟩ := mem_blockFrom h
      exact ⟨h1, h2, List.mem_cons_of_mem _ h3, by omega, by omega⟩

theorem blockFrom_exists {t : Nat} : ∀ {s : Nat} {F : List Request} {q : Request}, q ∈ F →
    ∃ e ∈ blockFrom t s F, e.request = q
  | s, p :: l, q, h => by
    rcases List.mem_cons.1 h with rfl | h
    · exact ⟨_, List.mem_cons_self .., rfl⟩
    · obtain ⟨e, he, hq⟩ := blockFrom_exists (s := s + p.output) h
      exact ⟨e, List.mem_cons_of_mem _ he, hq⟩

/-- A block leaves no gap. -/
theorem blockFrom_cover {t : Nat} : ∀ {s : Nat} {F : List Request} {u : Nat}, s ≤ u →
    u < s + (F.map Request.output).sum → ∃ e ∈ blockFrom t s F, e.On u
  | s, [], u, h1, h2 => by simp at h2; omega
  | s, q :: l, u, h1, h2 => by
    rw [List.map_cons, List.sum_cons] at h2
    rcases Nat.lt_or_ge u (s + q.output) with h | h
    · exact ⟨_, List.mem_cons_self .., h1, h⟩
    · obtain ⟨e, he, ho⟩ := blockFrom_cover (t := t) (F := l) h (by omega)
      exact ⟨e, List.mem_cons_of_mem _ he, ho⟩

/-- Before a member of a block, a smaller one runs. -/
theorem blockFrom_before {t : Nat} : ∀ {s : Nat} {F : List Request}, F.Pairwise KeyLt →
    ∀ {q : Decision}, q ∈ blockFrom t s F → ∀ {u : Nat}, s ≤ u → u < q.start →
      ∃ e ∈ blockFrom t s F, e.On u ∧ KeyLt e.request q.request
  | s, p :: l, hp, q, hq, u, h1, h2 => by
    have hp' := List.pairwise_cons.1 hp
    rcases List.mem_cons.1 hq with rfl | hq
    · simp only at h2; omega
    · rcases Nat.lt_or_ge u (s + p.output) with h | h
      · exact ⟨_, List.mem_cons_self .., ⟨h1, h⟩, hp'.1 _ (mem_blockFrom hq).2.2.1⟩
      · obtain ⟨e, he, ho⟩ := blockFrom_before hp'.2 hq h h2
        exact ⟨e, List.mem_cons_of_mem _ he, ho⟩

/-- Members of a block do not overlap. -/
theorem blockFrom_unique {t : Nat} : ∀ {s : Nat} {F : List Request} {e f : Decision},
    e ∈ blockFrom t s F → f ∈ blockFrom t s F → ∀ {u : Nat}, e.On u → f.On u → e = f
  | s, p :: l, e, f, he, hf, u, h1, h2 => by
    rcases List.mem_cons.1 he with he1 | he1 <;> rcases List.mem_cons.1 hf with hf1 | hf1
    · rw [he1, hf1]
    · have := (mem_blockFrom hf1).2.2.2.1
      subst he1
      simp only [Decision.On, Decision.finish] at *; omega
    · have := (mem_blockFrom he1).2.2.2.1
      subst hf1
      simp only [Decision.On, Decision.finish] at *; omega
    · exact blockFrom_unique he1 hf1 h1 h2

theorem blockFrom_once {t : Nat} : ∀ {s : Nat} {F : List Request}, F.Nodup →
    ∀ {e f : Decision}, e ∈ blockFrom t s F → f ∈ blockFrom t s F → e.request = f.request → e = f
  | s, p :: l, hn, e, f, he, hf, h => by
    have hn' := List.nodup_cons.1 hn
    rcases List.mem_cons.1 he with he1 | he1 <;> rcases List.mem_cons.1 hf with hf1 | hf1
    · rw [he1, hf1]
    · have := (mem_blockFrom hf1).2.2.1
      rw [← h, he1] at this
      exact absurd this hn'.1
    · have := (mem_blockFrom he1).2.2.1
      rw [h, hf1] at this
      exact absurd this hn'.1
    · exact blockFrom_once hn'.2 he1 hf1 h

theorem blockFrom_requests {t : Nat} : ∀ (s : Nat) (F : List Request),
    (blockFrom t s F).map Decision.request = F
  | _, [] => rfl
  | s, q :: l => by rw [blockFrom, List.map_cons, blockFrom_requests]

/-! ### The current main -/

theorem current_none {log : List Decision} {t : Nat} (h : current log t = none) :
    ∀ e ∈ log, e.IsMain → e.finish ≤ t := fun e he hm => by
  have := List.find?_eq_none.1 h e he
  simp only [hm, true_and, decide_eq_true_eq] at this
  omega

theorem current_some {log : List Decision} {t : Nat} {m : Decision} (h : current log t = some m) :
    m ∈ log ∧ m.IsMain ∧ t < m.finish :=
  ⟨List.mem_of_find?_eq_some h, by simpa using List.find?_some h⟩

/-! ### The outcomes of a round -/

theorem pending_some {ready : Request → Nat} {I : List Request} {log : List Decision} {t : Nat}
    {J : Request} (h : pending ready I log t = some J) : J ∈ undecided ready I log t ∧
      ∀ q ∈ I, q.arrival ≤ t → ¬ KeyLt J q := by
  unfold pending at h
  split at h
  · cases h
  next r hr =>
    split at h
    next hc =>
      cases h
      have h1 := largest_some hr
      have h2 := List.mem_filter.1 h1.1
      exact ⟨mem_undecided.2 ⟨h2.1, hc⟩, fun q hq ha =>
        h1.2 q (List.mem_filter.2 ⟨hq, by simpa using ha⟩)⟩
    · cases h

/-- When the largest request of all is ready and undecided, it is the pending one. -/
theorem pending_of_largest {ready : Request → Nat} {I : List Request} {log : List Decision}
    {t : Nat} {j : Request} (hmax : ∀ i ∈ I, i ≠ j → KeyLt i j) (hr : j.arrival ≤ ready j)
    (hj : j ∈ undecided ready I log t) : pending ready I log t = some j := by
  have hj' := mem_undecided.1 hj
  have hl : largest (I.filter fun q => decide (q.arrival ≤ t)) = some j := by
    have hjm : j ∈ I.filter fun q => decide (q.arrival ≤ t) :=
      List.mem_filter.2 ⟨hj'.1, by simp; omega⟩
    cases h : largest (I.filter fun q => decide (q.arrival ≤ t)) with
    | none => rw [largest_none h] at hjm; cases hjm
    | some J =>
      have h1 := largest_some h
      congr 1
      exact Classical.byContradiction fun hne =>
        h1.2 j hjm (hmax J (List.mem_filter.1 h1.1).1 hne)
  unfold pending
  rw [hl]
  exact if_pos hj'.2

/-- When the largest request of all is decided, nothing is pending. -/
theorem pending_of_decided {ready : Request → Nat} {I : List Request} {log : List Decision}
    {t : Nat} {j : Request} (hjI : j ∈ I) (hmax : ∀ i ∈ I, i ≠ j → KeyLt i j)
    (hr : j.arrival ≤ t) {e : Decision} (he : e ∈ log) (hej : e.request = j) :
    pending ready I log t = none := by
  cases h : pending ready I log t with
  | none => rfl
  | some J =>
    have h1 := pending_some h
    have h2 := mem_undecided.1 h1.1
    rcases Classical.em (J = j) with h3 | h3
    · exact absurd (hej.trans h3.symm) (h2.2.2 e he)
    · exact absurd (hmax J h2.1 h3) (h1.2 j hjI hr)

theorem longStart_some {M K : Nat} {ready : Request → Nat} {I : List Request}
    {log : List Decision} {t : Nat} {J : Request} {F : List Request}
    (h : longStart M K ready I log t = some (J, F)) :
    pending ready I log t = some J ∧ trackFree log t = true ∧
      F.Sublist (others ready I log t J) ∧
      Admissible M K log t J (others ready I log t J) F := by
  unfold longStart at h
  split at h
  · cases h
  next r hr =>
    split at h
    next hf =>
      cases h1 : (sublists (others ready I log t r)).find? fun F =>
        decide (Admissible M K log t r (others ready I log t r) F) with
      | none => rw [h1] at h; cases h
      | some G =>
        rw [h1] at h
        cases h
        exact ⟨hr, hf, mem_sublists.1 (List.mem_of_find?_eq_some h1),
          by simpa using List.find?_some h1⟩
    · cases h

theorem longStart_none {M K : Nat} {ready : Request → Nat} {I : List Request}
    {log : List Decision} {t : Nat} {J : Request} (h : longStart M K ready I log t = none)
    (hJ : pending ready I log t = some J) (hf : trackFree log t = true) {F : List Request}
    (hF : F.Sublist (others ready I log t J)) :
    ¬ Admissible M K log t J (others ready I log t J) F := fun ha => by
  unfold longStart at h
  rw [hJ] at h
  simp only [hf, if_true, Option.map_eq_none_iff] at h
  exact List.find?_eq_none.1 h F (mem_sublists.2 hF) (by simpa using ha)

theorem nextRound_outcome (M K : Nat) (ready : Request → Nat) (I : List Request)
    (log : List Decision) (t : Nat) :
    Outcome M K ready I log t (nextRound M K ready I log t) := by
  unfold nextRound
  split
  next J F h => exact .long J F h
  next h =>
    split
    next hc =>
      split
      next hs => exact .idle h hc fun q hq => by rw [smallest_none hs] at hq; cases hq
      next q hs => exact .main q h hc (smallest_some hs).1 (smallest_some hs).2
    next j hc =>
      split
      next hp =>
        refine .wait j h hc fun h1 h2 => ?_
        rcases hp with hp | hp
        · rw [h1] at hp; cases hp
        · rw [h2] at hp; cases hp
      next hp =>
        simp only [not_or, Bool.not_eq_true, Option.isSome_eq_false_iff,
          Option.isNone_iff_eq_none] at hp
        split
        next hs =>
          refine .wait j h hc fun _ _ q hq hf => ?_
          have : q ∈ (undecided ready I log t).filter fun q => decide (FitsBeside M j t q) :=
            List.mem_filter.2 ⟨hq, by simpa using hf⟩
          rw [smallest_none hs] at this
          cases this
        next q hs =>
          have h1 := smallest_some hs
          have h2 := List.mem_filter.1 h1.1
          refine .filler j q h hc hp.1 (by simpa using hp.2) h2.1 (by simpa using h2.2)
            fun p hp hf => h1.2 p (List.mem_filter.2 ⟨hp, by simpa using hf⟩)

end OnlineKvCache
