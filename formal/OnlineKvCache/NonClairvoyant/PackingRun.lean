module

public import OnlineKvCache.NonClairvoyant.PackingBound

public section

/-! # List scheduling keeps within the strip; any-fit scheduling has the any-fit property -/

namespace OnlineKvCache.Packing

variable {α : Type} {strict : Bool} {M t₀ t : Nat} {l wait : List α} {width height : α → Nat}
  {log : List (α × Nat)}

/-! ### The record -/

theorem usedBy_eq (width height : α → Nat) (t : Nat) : ∀ log : List (α × Nat),
    usedBy width height t log =
      usedAt log (fun e => e.2) (fun e => width e.1) (fun e => height e.1) t
  | [] => rfl
  | e :: log => by
    rw [usedBy, usedBy_eq width height t log, usedAt, usedAt, List.map_cons, List.sum_cons]

theorem usedBy_record (width height : α → Nat) (t t' : Nat) :
    ∀ (b : List α) (log : List (α × Nat)), usedBy width height t' (record t b log) =
      (b.map fun j => if t ≤ t' ∧ t' < t + height j then width j else 0).sum +
        usedBy width height t' log
  | [], log => by simp [record]
  | j :: b, log => by
    rw [record, usedBy_record width height t t' b, usedBy, List.map_cons, List.sum_cons]
    dsimp only
    rw [Nat.add_left_comm, Nat.add_assoc]

theorem mem_record {e : α × Nat} : ∀ {b : List α} {log : List (α × Nat)},
    e ∈ record t b log ↔ (e.1 ∈ b ∧ e.2 = t) ∨ e ∈ log
  | [], log => by simp [record]
  | j :: b, log => by
    rw [record, mem_record (b := b), List.mem_cons, List.mem_cons]
    have h : e = (j, t) ↔ e.1 = j ∧ e.2 = t := Prod.ext_iff
    rw [h]
    grind

theorem map_fst_record : ∀ (b : List α) (log : List (α × Nat)),
    (record t b log).map Prod.fst = b.reverse ++ log.map Prod.fst
  | [], log => by simp [record]
  | j :: b, log => by rw [record, map_fst_record b]; simp

theorem usedBy_anti {t' : Nat} (h : ∀ e ∈ log, e.2 ≤ t) (ht : t ≤ t') :
    usedBy width height t' log ≤ usedBy width height t log := by
  rw [usedBy_eq, usedBy_eq]
  refine sum_map_le_sum_map fun e he => ?_
  have := h e he
  dsimp only
  split <;> split <;> omega

/-- What starts in round `t` is not in use before it. -/
theorem usedBy_record_lt {t' : Nat} (ht : t' < t) (b : List α) (log : List (α × Nat)) :
    usedBy width height t' (record t b log) = usedBy width height t' log := by
  have : (b.map fun j => if t ≤ t' ∧ t' < t + height j then width j else 0).sum = 0 :=
    sum_map_eq_zero fun j _ => if_neg (by omega)
  rw [usedBy_record, this, Nat.zero_add]

/-- What starts in round `t` is in use in it. -/
theorem usedBy_record_self {b : List α} (hb : ∀ j ∈ b, 1 ≤ height j) (log : List (α × Nat)) :
    usedBy width height t (record t b log) = (b.map width).sum + usedBy width height t log := by
  rw [usedBy_record]
  congr 1
  refine sum_map_congr fun j hj => if_pos ?_
  have := hb j hj
  omega

/-! ### One scan -/

theorem perm_scan (strict : Bool) (M : Nat) (width : α → Nat) : ∀ (u : Nat) (l : List α),
    (picked strict M width u l ++ skipped strict M width u l).Perm l
  | _, [] => .nil
  | u, j :: l => by
    unfold picked skipped
    split
    · exact (perm_scan strict M width _ l).cons j
    · split
      · exact .refl _
      · exact List.perm_middle.trans ((perm_scan strict M width u l).cons j)

theorem mem_of_picked {u : Nat} {j : α} (h : j ∈ picked strict M width u l) : j ∈ l :=
  (perm_scan strict M width u l).mem_iff.1 (List.mem_append_left _ h)

theorem mem_of_skipped {u : Nat} {j : α} (h : j ∈ skipped strict M width u l) : j ∈ l :=
  (perm_scan strict M width u l).mem_iff.1 (List.mem_append_right _ h)

theorem picked_width (strict : Bool) (width : α → Nat) : ∀ (u : Nat) (l : List α), u ≤ M →
    u + ((picked strict M width u l).map width).sum ≤ M
  | u, [], h => by simpa [picked] using h
  | u, j :: l, h => by
    unfold picked
    split
    · have := picked_width strict width (u + width j) l (by assumption)
      rw [List.map_cons, List.sum_cons]
      omega
    · split
      · simpa using h
      · exact picked_width strict width u l h

theorem skipped_full (width : α → Nat) : ∀ (u : Nat) (l : List α),
    ∀ j ∈ skipped false M width u l, M < u + ((picked false M width u l).map width).sum + width j
  | _, [], j, h => by cases h
  | u, k :: l, j, h => by
    unfold skipped at h
    unfold picked
    split
    · rw [if_pos (by assumption)] at h
      have := skipped_full width _ l j h
      rw [List.map_cons, List.sum_cons]
      omega
    · rw [if_neg (by assumption)] at h
      simp only [Bool.false_eq_true, if_false] at h ⊢
      rcases List.mem_cons.1 h with h1 | h1
      · subst h1; omega
      · exact skipped_full width u l j h1

theorem scan_strict (M : Nat) (width : α → Nat) : ∀ (u : Nat) (l : List α),
    picked true M width u l ++ skipped true M width u l = l
  | _, [] => rfl
  | u, j :: l => by
    unfold picked skipped
    split
    · rw [List.cons_append, scan_strict M width _ l]
    · simp

theorem skipped_strict (width : α → Nat) : ∀ (u : Nat) (l : List α),
    ∀ j r, skipped true M width u l = j :: r →
      M < u + ((picked true M width u l).map width).sum + width j
  | _, [], j, r, h => by cases h
  | u, k :: l, j, r, h => by
    unfold skipped at h
    unfold picked
    split
    · rw [if_pos (by assumption)] at h
      have := skipped_strict width _ l j r h
      rw [List.map_cons, List.sum_cons]
      omega
    · rw [if_neg (by assumption)] at h
      simp only [if_true, List.cons.injEq] at h ⊢
      rw [← h.1]
      simp
      omega

/-! ### The run -/

/-- A property that every scan keeps holds at the end; then nothing waits or all rounds are used. -/
theorem run_induct {P : Nat → List (α × Nat) → List α → Prop}
    (hstep : ∀ t log wait, wait ≠ [] → P t log wait → P (t + 1)
      (record t (picked strict M width (usedBy width height t log) wait) log)
      (skipped strict M width (usedBy width height t log) wait)) :
    ∀ (n t : Nat) (log : List (α × Nat)) (wait : List α), P t log wait →
      ∃ t' wait', P t' (run strict M width height n t log wait) wait' ∧
        (wait' = [] ∨ t' = t + n)
  | 0, t, log, wait, h => ⟨t, wait, by unfold run; exact h, Or.inr rfl⟩
  | n + 1, t, log, [], h => ⟨t, [], by unfold run; exact h, Or.inl rfl⟩
  | n + 1, t, log, j :: l, h => by
    obtain ⟨t', wait', h1, h2⟩ := run_induct hstep n (t + 1) _ _ (hstep t log (j :: l) (by simp) h)
    refine ⟨t', wait', by unfold run; exact h1, ?_⟩
    rcases h2 with h2 | h2
    · exact Or.inl h2
    · exact Or.inr (by omega)

/-- Nothing is lost, and the strip suffices in every round. -/
structure RunInv (M : Nat) (width height : α → Nat) (l : List α) (t : Nat)
    (log : List (α × Nat)) (wait : List α) : Prop where
  /-- What is started and what waits is the list. -/
  perm : (log.map Prod.fst ++ wait).Perm l
  /-- Starts are earlier. -/
  before : ∀ e ∈ log, e.2 < t
  /-- The strip suffices. -/
  cap : ∀ t', usedBy width height t' log ≤ M

theorem RunInv.step (h : RunInv M width height l t log wait) :
    RunInv M width height l (t + 1)
      (record t (picked strict M width (usedBy width height t log) wait) log)
      (skipped strict M width (usedBy width height t log) wait) where
  perm := by
    rw [map_fst_record]
    refine List.Perm.trans (((List.reverse_perm _).append_right _).trans
      List.perm_append_comm |>.append_right _) (List.Perm.trans ?_ h.perm)
    rw [List.append_assoc]
    exact (perm_scan ..).append_left _
  before e he := by
    rcases mem_record.1 he with h1 | h1
    · omega
    · have := h.before e h1; omega
  cap t' := by
    rcases Nat.lt_or_ge t' t with ht | ht
    · rw [usedBy_record_lt ht]; exact h.cap t'
    · have h1 := picked_width strict width (usedBy width height t log) wait (h.cap t)
      have h2 := usedBy_anti (width := width) (height := height)
        (fun e he => Nat.le_of_lt (h.before e he)) ht
      have h3 : ((picked strict M width (usedBy width height t log) wait).map fun j =>
          if t ≤ t' ∧ t' < t + height j then width j else 0).sum ≤
          ((picked strict M width (usedBy width height t log) wait).map width).sum :=
        sum_map_le_sum_map fun j _ => by split <;> omega
      rw [usedBy_record]
      omega

theorem RunInv.start (M : Nat) (width height : α → Nat) (l : List α) (t : Nat) :
    RunInv M width height l t [] l where
  perm := .refl _
  before := fun _ h => by cases h
  cap _ := Nat.zero_le _

/-- What is started, and what waits, did not fit before. -/
structure FitInv (M : Nat) (width height : α → Nat) (t₀ t : Nat) (log : List (α × Nat))
    (wait : List α) : Prop where
  /-- The run began in round `t₀`. -/
  late : t₀ ≤ t
  /-- Starts lie between. -/
  after : ∀ e ∈ log, t₀ ≤ e.2 ∧ e.2 < t
  /-- What is started did not fit before. -/
  full : ∀ e ∈ log, ∀ t', t₀ ≤ t' → t' < e.2 → M < usedBy width height t' log + width e.1
  /-- What waits did not fit so far. -/
  waits : ∀ j ∈ wait, ∀ t', t₀ ≤ t' → t' < t → M < usedBy width height t' log + width j
  /-- Heights are positive. -/
  pos : ∀ j ∈ wait, 1 ≤ height j

theorem FitInv.step (h : FitInv M width height t₀ t log wait) :
    FitInv M width height t₀ (t + 1)
      (record t (picked false M width (usedBy width height t log) wait) log)
      (skipped false M width (usedBy width height t log) wait) where
  late := Nat.le_succ_of_le h.late
  after e he := by
    have := h.late
    rcases mem_record.1 he with h1 | h1
    · omega
    · have := h.after e h1; omega
  full e he t' h1 h2 := by
    have h3 : t' < t := by
      rcases mem_record.1 he with h3 | h3
      · omega
      · have := h.after e h3; omega
    rw [usedBy_record_lt h3]
    rcases mem_record.1 he with h4 | h4
    · exact h.waits e.1 (mem_of_picked h4.1) t' h1 h3
    · exact h.full e h4 t' h1 h2
  waits j hj t' h1 h2 := by
    rcases Nat.lt_or_ge t' t with h3 | h3
    · rw [usedBy_record_lt h3]; exact h.waits j (mem_of_skipped hj) t' h1 h3
    · obtain rfl : t' = t := by omega
      rw [usedBy_record_self fun j hj => h.pos j (mem_of_picked hj)]
      have := skipped_full width _ _ j hj
      omega
  pos j hj := h.pos j (mem_of_skipped hj)

/-- The record of an any-fit run, also with one rectangle that still waits, has the any-fit
property. -/
theorem FitInv.anyFit (h : FitInv M width height t₀ t log wait) :
    AnyFit M log (fun e => e.2) (fun e => width e.1) (fun e => height e.1) t₀ where
  after e he := (h.after e he).1
  full e he t' h1 h2 := by rw [← usedBy_eq]; exact h.full e he t' h1 h2

theorem FitInv.anyFit_cons (h : FitInv M width height t₀ t log wait) {j : α} (hj : j ∈ wait) :
    AnyFit M ((j, t) :: log) (fun e => e.2) (fun e => width e.1) (fun e => height e.1) t₀ where
  after e he := by
    rcases List.mem_cons.1 he with h1 | h1
    · rw [h1]; exact h.late
    · exact (h.after e h1).1
  full e he t' h1 h2 := by
    rw [← usedBy_eq]
    have h3 : usedBy width height t' log ≤ usedBy width height t' ((j, t) :: log) :=
      Nat.le_add_left _ _
    rcases List.mem_cons.1 he with h4 | h4
    · rw [h4] at h2 ⊢
      have := h.waits j hj t' h1 h2
      dsimp only
      omega
    · have := h.full e h4 t' h1 h2
      omega

theorem area_map_fst (width height : α → Nat) (log : List (α × Nat)) :
    area log (fun e => width e.1) (fun e => height e.1) =
      area (log.map Prod.fst) width height := by
  unfold area
  rw [List.map_map]
  rfl

/-- Any-fit list scheduling with widths at most `M`, heights at most `L` and total area at most
`M * L` starts everything, ends within `2 * L - 1` rounds, and never uses more than `M`. -/
theorem anyFit_spec {L : Nat} (t₀ : Nat) (hw : ∀ j ∈ l, width j ≤ M)
    (hh : ∀ j ∈ l, 1 ≤ height j ∧ height j ≤ L) (ha : area l width height ≤ M * L) {n : Nat}
    (hn : 2 * L - 1 ≤ n) :
    ((anyFit M width height n t₀ l).map Prod.fst).Perm l ∧
    (∀ e ∈ anyFit M width height n t₀ l, t₀ ≤ e.2 ∧ e.2 + height e.1 ≤ t₀ + (2 * L - 1)) ∧
    ∀ t, usedBy width height t (anyFit M width height n t₀ l) ≤ M := by
  obtain ⟨t', wait', ⟨h1, h2⟩, h3⟩ := run_induct (strict := false) (M := M) (width := width)
    (height := height)
    (P := fun t log wait => RunInv M width height l t log wait ∧
      FitInv M width height t₀ t log wait)
    (fun t log wait _ h => ⟨h.1.step, h.2.step⟩) n t₀ [] l
    ⟨RunInv.start M width height l t₀,
      ⟨Nat.le_refl _, (fun _ h => by cases h), (fun _ h => by cases h),
        (fun _ _ _ _ _ => by omega), fun j hj => (hh j hj).1⟩⟩
  change RunInv M width height l t' (anyFit M width height n t₀ l) wait' at h1
  change FitInv M width height t₀ t' (anyFit M width height n t₀ l) wait' at h2
  generalize anyFit M width height n t₀ l = log at h1 h2
  have hmem : ∀ e ∈ log, e.1 ∈ l := fun e he =>
    h1.perm.mem_iff.1 (List.mem_append_left _ (List.mem_map_of_mem he))
  have harea : area (log.map Prod.fst ++ wait') width height = area l width height :=
    (h1.perm.map _).sum_nat
  have hw' : wait' = [] := by
    rcases h3 with h3 | h3
    · exact h3
    · cases hwait : wait' with
      | nil => rfl
      | cons j r =>
        exfalso
        subst hwait
        have hj : j ∈ l := h1.perm.mem_iff.1 (List.mem_append_right _ (List.mem_cons_self ..))
        have h4 := (h2.anyFit_cons (List.mem_cons_self ..)).end_le (L := L) (k := (j, t'))
          (fun e he => by
            rcases List.mem_cons.1 he with h | h
            · rw [h]; exact hw j hj
            · exact hw _ (hmem e h))
          (fun e he => by
            rcases List.mem_cons.1 he with h | h
            · rw [h]; exact (hh j hj).2
            · exact (hh _ (hmem e h)).2)
          (by
            rw [area_map_fst]
            unfold area at harea ha ⊢
            simp only [List.map_append, List.map_cons, List.sum_append_nat, List.sum_cons]
              at harea ⊢
            omega)
          (List.mem_cons_self ..)
        have h5 := (hh j hj).1
        dsimp only at h4
        omega
  subst hw'
  rw [List.append_nil] at harea
  refine ⟨by simpa using h1.perm, fun e he => ⟨(h2.after e he).1, ?_⟩, h1.cap⟩
  exact h2.anyFit.end_le (L := L) (fun e he => hw _ (hmem e he)) (fun e he => (hh _ (hmem e he)).2)
    (by rw [area_map_fst, harea]; exact ha) he

end OnlineKvCache.Packing
