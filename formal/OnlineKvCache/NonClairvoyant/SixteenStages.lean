module

public import OnlineKvCache.NonClairvoyant.SixteenCount
public import OnlineKvCache.NonClairvoyant.PackingSchedule

public section

/-! # What the stages achieve -/

namespace OnlineKvCache.Packing

variable {α : Type} {M L t : Nat} {label width height : α → Nat} {l : List α}
  {log : List (α × Nat)}

theorem recorded_iff {i : Nat} : ∀ {log : List (α × Nat)},
    recorded label log i = true ↔ ∃ e ∈ log, label e.1 = i
  | [] => by simp [recorded]
  | e :: log => by
    unfold recorded
    rw [Bool.or_eq_true, recorded_iff, decide_eq_true_eq]
    constructor
    · rintro (h | ⟨e', h1, h2⟩)
      · exact ⟨e, List.mem_cons_self .., h⟩
      · exact ⟨e', List.mem_cons_of_mem _ h1, h2⟩
    · rintro ⟨e', h1, h2⟩
      rcases List.mem_cons.1 h1 with h3 | h3
      · exact Or.inl (h3 ▸ h2)
      · exact Or.inr ⟨e', h3, h2⟩

theorem usedBy_append (width height : α → Nat) (t : Nat) : ∀ a b : List (α × Nat),
    usedBy width height t (a ++ b) = usedBy width height t a + usedBy width height t b
  | [], b => by simp [usedBy]
  | e :: a, b => by
    rw [List.cons_append, usedBy, usedBy, usedBy_append width height t a b, Nat.add_assoc]

/-- What holds between two stages. -/
structure StageInv (M : Nat) (label width height : α → Nat) (l : List α) (t : Nat)
    (log : List (α × Nat)) : Prop where
  /-- Nothing is packed twice. -/
  nodup : (log.map fun e => label e.1).Nodup
  /-- Only members of the list are packed. -/
  mem : ∀ e ∈ log, e.1 ∈ l
  /-- All that is packed has ended. -/
  ends : ∀ e ∈ log, e.2 + height e.1 ≤ t
  /-- The strip suffices. -/
  cap : ∀ t', usedBy width height t' log ≤ M

theorem wanted_sublist (M : Nat) (width height : α → Nat) (l : List α) (L : Nat) :
    (wanted M width height l L).Sublist l :=
  (prefixWithin_sublist _ _ _).trans List.filter_sublist

theorem wanted_height {j : α} (h : j ∈ wanted M width height l L) : height j ≤ L := by
  have := (List.mem_filter.1 ((prefixWithin_sublist _ _ _).subset h)).2
  simpa using this

theorem wanted_area (M : Nat) (width height : α → Nat) (l : List α) (L : Nat) :
    area (wanted M width height l L) width height ≤ M * L := prefixWithin_sum _ _ _

theorem area_sublist {m : List α} (h : m.Sublist l) :
    area m width height ≤ area l width height := by
  unfold area
  induction h with
  | slnil => exact Nat.le_refl _
  | cons a _ ih => rw [List.map_cons, List.sum_cons]; omega
  | cons₂ a _ ih => rw [List.map_cons, List.sum_cons, List.map_cons, List.sum_cons]; omega

/-- One stage: what it wants is packed at its end. -/
theorem StageInv.step (hl : (l.map label).Nodup) (hw : ∀ j ∈ l, width j ≤ M)
    (hh : ∀ j ∈ l, 1 ≤ height j) (h : StageInv M label width height l t log)
    {new : List (α × Nat)} (hnew : new = anyFit M width height (2 * L - 1) t
      ((wanted M width height l L).filter fun j => !recorded label log (label j))) :
    StageInv M label width height l (t + (2 * L - 1)) (new ++ log) ∧
    ∀ j ∈ wanted M width height l L, ∃ e ∈ new ++ log, e.1 = j := by
  have hsub : ((wanted M width height l L).filter fun j =>
      !recorded label log (label j)).Sublist (wanted M width height l L) := List.filter_sublist
  have hsub' := hsub.trans (wanted_sublist M width height l L)
  obtain ⟨h1, h2, h3⟩ := anyFit_spec (n := 2 * L - 1) t (fun j hj => hw j (hsub'.subset hj))
    (fun j hj => ⟨hh j (hsub'.subset hj), wanted_height (hsub.subset hj)⟩)
    (Nat.le_trans (area_sublist hsub) (wanted_area M width height l L)) (Nat.le_refl _)
  rw [← hnew] at h1 h2 h3
  have hmem : ∀ e ∈ new, e.1 ∈ (wanted M width height l L).filter fun j =>
      !recorded label log (label j) := fun e he => h1.mem_iff.1 (List.mem_map_of_mem he)
  refine ⟨⟨?_, ?_, ?_, ?_⟩, ?_⟩
  · rw [List.map_append]
    refine List.nodup_append.2 ⟨?_, h.nodup, ?_⟩
    · have h4 := (h1.map label).nodup_iff.2 ((hsub'.map label).nodup hl)
      rw [List.map_map] at h4
      exact h4
    · intro i hi k hk hik
      obtain ⟨e, he, rfl⟩ := List.mem_map.1 hi
      obtain ⟨f, hf, rfl⟩ := List.mem_map.1 hk
      have h5 := (List.mem_filter.1 (hmem e he)).2
      rw [recorded_iff.2 ⟨f, hf, hik.symm⟩] at h5
      cases h5
  · intro e he
    rcases List.mem_append.1 he with he | he
    · exact hsub'.subset (hmem e he)
    · exact h.mem e he
  · intro e he
    rcases List.mem_append.1 he with he | he
    · exact (h2 e he).2
    · have := h.ends e he; omega
  · intro t'
    rw [usedBy_append]
    rcases Nat.lt_or_ge t' t with ht | ht
    · have : usedBy width height t' new = 0 := by
        rw [usedBy_eq]
        exact sum_map_eq_zero fun e he => if_neg fun h5 => by
          have := (h2 e he).1
          dsimp only at h5
          omega
      have := h.cap t'
      omega
    · have : usedBy width height t' log = 0 := by
        rw [usedBy_eq]
        exact sum_map_eq_zero fun e he => if_neg fun h5 => by
          have := h.ends e he
          dsimp only at h5
          omega
      have := h3 t'
      omega
  · intro j hj
    cases hr : recorded label log (label j) with
    | true =>
      obtain ⟨e, he, h6⟩ := recorded_iff.1 hr
      refine ⟨e, List.mem_append_right _ he, ?_⟩
      exact eq_of_label hl (h.mem e he) ((wanted_sublist M width height l L).subset hj) h6
    | false =>
      have h6 : j ∈ (wanted M width height l L).filter fun j => !recorded label log (label j) :=
        List.mem_filter.2 ⟨hj, by rw [hr]; rfl⟩
      obtain ⟨e, he, rfl⟩ := List.mem_map.1 (h1.mem_iff.2 h6)
      exact ⟨e, List.mem_append_left _ he, rfl⟩
where
  eq_of_label : ∀ {l : List α}, (l.map label).Nodup → ∀ {p q : α}, p ∈ l → q ∈ l →
      label p = label q → p = q
    | a :: l, hn, p, q, hp, hq, he => by
      have hn' := List.nodup_cons.1 hn
      rcases List.mem_cons.1 hp with hp1 | hp1 <;> rcases List.mem_cons.1 hq with hq1 | hq1
      · exact hp1.trans hq1.symm
      · exact absurd (List.mem_map_of_mem (f := label) hq1) (by rw [← he, hp1]; exact hn'.1)
      · exact absurd (List.mem_map_of_mem (f := label) hp1) (by rw [he, hq1]; exact hn'.1)
      · exact eq_of_label hn'.2 hp1 hq1 he

/-- All stages: what stage `2 ^ r * L` wants is complete at its end. -/
theorem stages_spec (hl : (l.map label).Nodup) (hw : ∀ j ∈ l, width j ≤ M)
    (hh : ∀ j ∈ l, 1 ≤ height j) : ∀ (n L t : Nat) (log : List (α × Nat)), 1 ≤ L →
    StageInv M label width height l t log →
    (∃ t', StageInv M label width height l t' (stages M label width height l n L t log)) ∧
    (∀ e ∈ log, e ∈ stages M label width height l n L t log) ∧
    ∀ r < n, ∀ j ∈ wanted M width height l (2 ^ r * L),
      ∃ e ∈ stages M label width height l n L t log,
        e.1 = j ∧ e.2 + height j + 2 * L ≤ t + 4 * (2 ^ r * L)
  | 0, L, t, log, _, h =>
    ⟨⟨t, h⟩, fun _ he => he, fun _ hr => absurd hr (Nat.not_lt_zero _)⟩
  | n + 1, L, t, log, hL, h => by
    obtain ⟨h1, h2⟩ := h.step (L := L) hl hw hh rfl
    obtain ⟨h3, h4, h5⟩ := stages_spec hl hw hh n (2 * L) (t + (2 * L - 1)) _ (by omega) h1
    rw [stages]
    refine ⟨h3, fun e he => h4 e (List.mem_append_right _ he), fun r hr j hj => ?_⟩
    cases r with
    | zero =>
      rw [Nat.pow_zero, Nat.one_mul] at hj ⊢
      obtain ⟨e, he, rfl⟩ := h2 j hj
      have := h1.ends e he
      exact ⟨e, h4 e he, rfl, by omega⟩
    | succ r =>
      have e1 : 2 ^ (r + 1) * L = 2 ^ r * (2 * L) := by rw [Nat.pow_succ, Nat.mul_assoc]
      rw [e1] at hj ⊢
      obtain ⟨e, he, h6, h7⟩ := h5 r (by omega) j hj
      exact ⟨e, he, h6, by omega⟩

theorem wanted_all (hw : ∀ j ∈ l, 1 ≤ width j) (hM : 1 ≤ M)
    (hL : area l width height ≤ L) : wanted M width height l L = l := by
  unfold wanted
  have h1 : (l.filter fun j => decide (height j ≤ L)) = l := by
    refine List.filter_eq_self.2 fun j hj => ?_
    have h2 := le_sum_map (fun j => width j * height j) hj
    have h3 : height j ≤ width j * height j := Nat.le_mul_of_pos_left _ (hw j hj)
    unfold area at hL
    dsimp only at h2
    exact decide_eq_true (by omega)
  rw [h1]
  have h4 : L ≤ M * L := Nat.le_mul_of_pos_left L hM
  exact prefixWithin_all _ _ _ (Nat.le_trans hL h4)

/-- The whole algorithm on a sorted list: nothing is lost, the strip suffices in every round, and
what stage `2 ^ r` wants is complete by `4 * 2 ^ r - 2`. -/
theorem stages_all (hl : (l.map label).Nodup) (hw : ∀ j ∈ l, 1 ≤ width j ∧ width j ≤ M)
    (hh : ∀ j ∈ l, 1 ≤ height j) {n : Nat} (hn : n = (area l width height).log2 + 2)
    {S : Nat → Nat} (hS : S = startOf label (stages M label width height l n 1 0 [])) :
    (∀ t, usedAt l (fun j => S (label j)) width height t ≤ M) ∧
    ∀ r, ∀ j ∈ wanted M width height l (2 ^ r), S (label j) + height j + 2 ≤ 4 * 2 ^ r := by
  obtain ⟨⟨t, h1⟩, _, h3⟩ := stages_spec hl (fun j hj => (hw j hj).2) hh n 1 0 []
    (Nat.le_refl _) ⟨.nil, (fun _ h => by cases h), (fun _ h => by cases h),
      fun _ => Nat.zero_le _⟩
  generalize stages M label width height l n 1 0 [] = log at h1 h3 hS
  have h4 : ∀ r < n, ∀ j ∈ wanted M width height l (2 ^ r),
      (∃ e ∈ log, e.1 = j) ∧ S (label j) + height j + 2 ≤ 4 * 2 ^ r := by
    intro r hr j hj
    obtain ⟨e, he, h5, h6⟩ := h3 r hr j (by rw [Nat.mul_one]; exact hj)
    have h7 := startOf_eq h1.nodup he
    refine ⟨⟨e, he, h5⟩, ?_⟩
    rw [hS, ← h5, h7, h5]
    omega
  have h5 : ∀ j ∈ l, j ∈ wanted M width height l (2 ^ (n - 1)) := by
    intro j hj
    have h6 : area l width height < 2 ^ (n - 1) := by
      rw [hn]
      exact Nat.lt_log2_self
    rw [wanted_all (fun j hj => (hw j hj).1) (by have := hw j hj; omega) (by omega)]
    exact hj
  have hlt : n - 1 < n := by omega
  refine ⟨fun t => Nat.le_trans ?_ (h1.cap t), fun r j hj => ?_⟩
  · have h6 : ∀ j ∈ l, j ∈ log.map Prod.fst := fun j hj => by
      obtain ⟨⟨e, he, rfl⟩, _⟩ := h4 (n - 1) hlt j (h5 j hj)
      exact List.mem_map_of_mem he
    have hn' : l.Nodup := List.Pairwise.of_map label (fun _ _ hne he => hne (congrArg label he)) hl
    unfold usedAt
    refine Nat.le_trans (sum_map_le_of_subset hn' h6) (Nat.le_of_eq ?_)
    rw [usedBy_eq, usedAt, List.map_map]
    refine sum_map_congr fun e he => ?_
    have := startOf_eq h1.nodup he
    rw [Function.comp_apply]
    dsimp only
    rw [hS, this]
  · rcases Nat.lt_or_ge r n with hr | hr
    · exact (h4 r hr j hj).2
    · have hj' := (wanted_sublist M width height l (2 ^ r)).subset hj
      have h6 := (h4 (n - 1) hlt j (h5 j hj')).2
      have h7 : 2 ^ (n - 1) ≤ 2 ^ r := Nat.pow_le_pow_right (by decide) (by omega)
      omega

end OnlineKvCache.Packing
