module

public import OnlineKvCache.NonClairvoyant.PriorityOrders
public import OnlineKvCache.Basic.Cover
public import OnlineKvCache.Basic.Schedules

public section

/-! # No single priority order of job shapes: proof -/

namespace OnlineKvCache.NonClairvoyant

theorem shapes_valid {M T k w : Nat} (hM : 2 ≤ M) (hT : 1 ≤ T) (hTM : T + 1 ≤ M) :
    Valid M (shapes M T k w) where
  nodup := by
    simp only [shapes, thins, wides, List.map_append, List.map_map]
    refine List.nodup_append.2 ⟨?_, ?_, ?_⟩
    · exact List.pairwise_map.2 (List.nodup_range.imp (by intro a b h; simpa using h))
    · exact List.pairwise_map.2 (List.nodup_range.imp (by intro a b h; simpa using h))
    · intro a ha b hb
      simp only [List.mem_map, List.mem_range, Function.comp] at ha hb
      obtain ⟨i, hi, rfl⟩ := ha
      obtain ⟨j, hj, rfl⟩ := hb
      omega
  prompt_pos q hq := by
    simp only [shapes, thins, wides, List.mem_append, List.mem_map, List.mem_range] at hq
    rcases hq with ⟨i, hi, rfl⟩ | ⟨j, hj, rfl⟩ <;> simp <;> omega
  output_pos q hq := by
    simp only [shapes, thins, wides, List.mem_append, List.mem_map, List.mem_range] at hq
    rcases hq with ⟨i, hi, rfl⟩ | ⟨j, hj, rfl⟩ <;> simp <;> omega
  fits q hq := by
    simp only [shapes, thins, wides, List.mem_append, List.mem_map, List.mem_range] at hq
    rcases hq with ⟨i, hi, rfl⟩ | ⟨j, hj, rfl⟩ <;> simp [Request.peak] <;> omega

theorem shapes_arrival {M T k w : Nat} : ∀ q ∈ shapes M T k w, q.arrival = 0 := by
  intro q hq
  simp only [shapes, thins, wides, List.mem_append, List.mem_map, List.mem_range] at hq
  rcases hq with ⟨i, hi, rfl⟩ | ⟨j, hj, rfl⟩ <;> rfl

theorem shapes_burst {M T k w : Nat} (hM : 2 ≤ M) (hT : 1 ≤ T) (hTM : T + 1 ≤ M) :
    Burst M (shapes M T k w) :=
  ⟨(shapes_valid hM hT hTM).nodup, shapes_arrival, (shapes_valid hM hT hTM).output_pos,
    (shapes_valid hM hT hTM).fits⟩

theorem shapes_TEL (M T k w : Nat) (S : Schedule) : TEL (shapes M T k w) S =
    ((List.range k).map fun i => S i + T).sum +
      ((List.range w).map fun j => S (k + j) + 1).sum := by
  simp only [TEL, shapes, thins, wides, List.map_append, List.sum_append_nat, List.map_map]
  rfl

theorem thin_mem {M T k w i : Nat} (h : i < k) : (⟨i, 0, 1, T⟩ : Request) ∈ shapes M T k w :=
  List.mem_append_left _ (List.mem_map.2 ⟨i, List.mem_range.2 h, rfl⟩)

theorem wide_mem {M T k w j : Nat} (h : j < w) :
    (⟨k + j, 0, M - 1, 1⟩ : Request) ∈ shapes M T k w :=
  List.mem_append_right _ (List.mem_map.2 ⟨j, List.mem_range.2 h, rfl⟩)

/-- A thin and a wide job are never active together. -/
theorem thin_wide_apart {M T k w : Nat} {S : Schedule} (hM : 1 ≤ M)
    (hS : Feasible M (shapes M T k w) S) {i j : Nat} (hi : i < k) (hj : j < w) :
    S (k + j) < S i ∨ S i + T ≤ S (k + j) := by
  refine Classical.byContradiction fun h => ?_
  have hne : (⟨i, 0, 1, T⟩ : Request) ≠ ⟨k + j, 0, M - 1, 1⟩ := fun he => by
    have := congrArg Request.id he
    simp only at this
    omega
  have h1 := hS.pair (thin_mem hi) (wide_mem hj) hne (t := S (k + j))
    (by simp only [Active, completion, start]; omega)
    (by simp only [Active, completion, start]; omega)
  simp only [start] at h1
  omega

/-- Two wide jobs are never active together. -/
theorem wide_apart {M T k w : Nat} {S : Schedule} (hM : 1 ≤ M)
    (hS : Feasible M (shapes M T k w) S) {i j : Nat} (hi : i < w) (hj : j < w) (hij : i ≠ j) :
    S (k + i) ≠ S (k + j) := by
  intro h
  have hne : (⟨k + i, 0, M - 1, 1⟩ : Request) ≠ ⟨k + j, 0, M - 1, 1⟩ := fun he => by
    have := congrArg Request.id he
    simp only at this
    omega
  have h1 := hS.pair (wide_mem hi) (wide_mem hj) hne (t := S (k + j))
    (by simp only [Active, completion, start]; omega)
    (by simp only [Active, completion, start]; omega)
  simp only [start] at h1
  omega

theorem sum_range_ge {n c : Nat} {f : Nat → Nat} (h : ∀ i < n, c ≤ f i) :
    n * c ≤ ((List.range n).map f).sum := by
  have := sum_map_le_sum_map (f := fun _ => c) (g := f) (l := List.range n)
    fun i hi => h i (List.mem_range.1 hi)
  rwa [sum_map_const, List.length_range] at this

/-- Distinct numbers below `n` are at most `n` many. -/
theorem exists_ge_of_injective {n : Nat} {f : Nat → Nat} (hn : 1 ≤ n)
    (h : ∀ i < n, ∀ j < n, i ≠ j → f i ≠ f j) : ∃ i < n, n ≤ f i + 1 := by
  refine Classical.byContradiction fun hc => ?_
  have h1 : ((List.range n).map f).Nodup := List.pairwise_map.2
    ((List.nodup_range (n := n)).imp_of_mem fun {a b} ha hb hab =>
      h a (List.mem_range.1 ha) b (List.mem_range.1 hb) hab)
  have h2 := length_le_of_subset (m := List.range (n - 1)) h1 fun x hx => by
    obtain ⟨i, hi, rfl⟩ := List.mem_map.1 hx
    refine List.mem_range.2 (Nat.lt_of_not_le fun hle => hc ⟨i, List.mem_range.1 hi, by omega⟩)
  simp only [List.length_map, List.length_range] at h2
  omega

/-! ### Thin jobs first loses on one thin and `t` wide jobs -/

theorem thin_first {M T t : Nat} {S : Schedule} (hM : 1 ≤ M)
    (hS : Feasible M (shapes M T 1 t) S) (h : ∀ j < t, S 0 ≤ S (1 + j)) :
    t * T ≤ TEL (shapes M T 1 t) S := by
  rw [shapes_TEL]
  have := sum_range_ge (n := t) (c := T) (f := fun j => S (1 + j) + 1) fun j hj => by
    have h1 := h j hj
    have h2 := thin_wide_apart hM hS (i := 0) (by omega) hj
    show T ≤ S (1 + j) + 1
    omega
  omega

theorem thin_last (M t : Nat) (hM : 2 ≤ M) (ht : 1 ≤ t) (hTM : t * t + 1 ≤ M) :
    ∃ S, Feasible M (shapes M (t * t) 1 t) S ∧ TEL (shapes M (t * t) 1 t) S ≤ 3 * (t * t) := by
  have htt := Nat.mul_le_mul_right t ht
  rw [Nat.one_mul] at htt
  refine ⟨fun i => if i = 0 then t else i - 1, ?_, ?_⟩
  · refine feasible_of_disjoint (shapes_valid hM (by omega) hTM)
      (fun q hq => by rw [shapes_arrival q hq]; exact Nat.zero_le _) fun p hp q hq hne => ?_
    simp only [shapes, thins, wides, List.mem_append, List.mem_map, List.mem_range] at hp hq
    rcases hp with ⟨i, hi, rfl⟩ | ⟨i, hi, rfl⟩ <;> rcases hq with ⟨j, hj, rfl⟩ | ⟨j, hj, rfl⟩
    · exact absurd (by congr 1; omega) hne
    · simp only [completion, start]
      rw [if_pos (by omega), if_neg (by omega)]; omega
    · simp only [completion, start]
      rw [if_neg (by omega), if_pos (by omega)]; omega
    · simp only [completion, start]
      rw [if_neg (by omega), if_neg (by omega)]
      have : i ≠ j := fun h => hne (by rw [h])
      omega
  · rw [shapes_TEL]
    have h1 : ((List.range t).map fun j => (if 1 + j = 0 then t else 1 + j - 1) + 1).sum =
        ((List.range t).map fun j => j + 1).sum := sum_map_congr fun j _ => by
      rw [if_neg (by omega)]; omega
    rw [h1]
    have h2 := two_sum_range_succ t
    have e : t * (t + 1) = t * t + t := by grind
    simp [List.range_succ]
    omega

/-! ### Wide jobs first loses on `t⁴` thin and `t³` wide jobs -/

theorem wide_first {M T k w : Nat} {S : Schedule} (hM : 1 ≤ M) (hT : 1 ≤ T)
    (hS : Feasible M (shapes M T k w) S) (h : ∀ i < k, ∀ j < w, S (k + j) ≤ S i) :
    k * w ≤ TEL (shapes M T k w) S := by
  rcases Nat.eq_zero_or_pos w with rfl | hw
  · simp
  obtain ⟨j, hj, hle⟩ := exists_ge_of_injective (f := fun j => S (k + j)) hw
    fun i hi j hj hij => wide_apart hM hS hi hj hij
  rw [shapes_TEL]
  have := sum_range_ge (n := k) (c := w) (f := fun i => S i + T) fun i hi => by
    have h1 := h i hi j hj
    simp only at hle ⊢
    omega
  omega

/-- All thin jobs at once, then the wide jobs one by one. -/
theorem wide_last (M T k w : Nat) (hM : k * (T + 1) = M) (hM1 : 1 ≤ M) :
    ∃ S, Feasible M (shapes M T k w) S ∧
      2 * TEL (shapes M T k w) S = 2 * (k * T) + 2 * (w * T) + w * (w + 1) := by
  refine ⟨fun i => if i < k then 0 else T + (i - k), ⟨?_, fun u => ?_⟩, ?_⟩
  · intro q hq; rw [shapes_arrival q hq]; exact Nat.zero_le _
  · simp only [occupancy, shapes, thins, wides, List.map_append, List.sum_append_nat,
      List.map_map]
    rcases Nat.lt_or_ge u T with hu | hu
    · have h1 := sum_map_le_mul (f := (fun q => memory (fun i => if i < k then 0 else T + (i - k))
        q u) ∘ fun i => (⟨i, 0, 1, T⟩ : Request)) (l := List.range k) (c := T + 1) fun i hi => by
          have hi' := List.mem_range.1 hi
          simp only [Function.comp, memory, start, if_pos hi']
          split <;> omega
      have h2 := sum_map_eq_zero (f := (fun q => memory (fun i => if i < k then 0 else T + (i - k))
        q u) ∘ fun j => (⟨k + j, 0, M - 1, 1⟩ : Request)) (l := List.range w) fun j _ => by
          refine memory_of_not fun h => ?_
          simp only [Active, start] at h
          rw [if_neg (by omega)] at h
          omega
      rw [List.length_range] at h1
      omega
    · have h1 := sum_map_eq_zero (f := (fun q => memory (fun i => if i < k then 0 else T + (i - k))
        q u) ∘ fun i => (⟨i, 0, 1, T⟩ : Request)) (l := List.range k) fun i hi => by
          have hi' := List.mem_range.1 hi
          refine memory_of_not fun h => ?_
          simp only [Active, completion, start, if_pos hi'] at h
          omega
      have h2 := sum_map_le_of_disjoint (f := (fun q => memory
        (fun i => if i < k then 0 else T + (i - k))
        q u) ∘ fun j => (⟨k + j, 0, M - 1, 1⟩ : Request)) (l := List.range w) (c := M)
        List.nodup_range
        (fun j _ => Nat.le_trans (memory_le _ _ _) (by simp only [Request.peak]; omega))
        (fun i _ j _ hij => by
          simp only [Function.comp, memory, Active, completion, start]
          rw [if_neg (show ¬ k + i < k by omega), if_neg (show ¬ k + j < k by omega)]
          split <;> split <;> omega)
      omega
  · rw [shapes_TEL]
    have h1 : ((List.range k).map fun i => (if i < k then 0 else T + (i - k)) + T).sum = k * T := by
      rw [sum_map_congr (g := fun _ => T) fun i hi => by
        rw [if_pos (List.mem_range.1 hi), Nat.zero_add], sum_map_const, List.length_range]
    have h2 : ((List.range w).map fun j => (if k + j < k then 0 else T + (k + j - k)) + 1).sum =
        ((List.range w).map fun j => T + (j + 1)).sum := sum_map_congr fun j _ => by
      rw [if_neg (by omega)]; omega
    rw [h1, h2, sum_map_add (fun _ => T) (fun j => j + 1), sum_map_const, List.length_range]
    have h3 := two_sum_range_succ w
    omega

/-! ### Neither order is good -/

theorem no_priority_order (t : Nat) (ht : 1 ≤ t) (rank : Nat → Nat → Nat)
    (hr : ∀ s o s' o', rank s o = rank s' o' → s = s' ∧ o = o') :
    ∃ I c, Burst (shapesMemory t) I ∧ (∀ q ∈ I, 1 ≤ q.prompt) ∧ IsOPT (shapesMemory t) I c ∧
      0 < c ∧ ∀ S, Feasible (shapesMemory t) I S → InOrder rank I S → t * c ≤ 3 * TEL I S := by
  have h1 : 1 ≤ t * t := Nat.mul_le_mul ht ht
  have h2 : 1 ≤ t * t * (t * t) := Nat.mul_le_mul h1 h1
  have hM : t * t + 1 ≤ shapesMemory t := by
    have := Nat.mul_le_mul_right (t * t + 1) h2
    unfold shapesMemory
    omega
  generalize hMe : shapesMemory t = M at *
  rcases Nat.lt_or_ge t 4 with h4 | h4
  · -- a small ratio needs no proof
    obtain ⟨S, hS, _⟩ := thin_last M t (by omega) ht hM
    obtain ⟨c, hc⟩ := IsOPT.of_feasible hS
    have hv := shapes_valid (k := 1) (w := t) (show 2 ≤ M by omega) h1 hM
    refine ⟨_, c, shapes_burst (by omega) h1 hM, hv.prompt_pos, hc, hc.pos hv
      (List.ne_nil_of_mem (thin_mem (Nat.lt_succ_self 0))), fun S' hS' _ => ?_⟩
    have h5 := hc.least S' hS'
    have h6 := Nat.mul_le_mul_right c (show t ≤ 3 by omega)
    omega
  · rcases Nat.lt_trichotomy (rank 1 (t * t)) (rank (M - 1) 1) with hlt | heq | hgt
    · obtain ⟨S, hS, hle⟩ := thin_last M t (by omega) ht hM
      obtain ⟨c, hc⟩ := IsOPT.of_feasible hS
      have hv := shapes_valid (k := 1) (w := t) (show 2 ≤ M by omega) h1 hM
      refine ⟨_, c, shapes_burst (by omega) h1 hM, hv.prompt_pos, hc, hc.pos hv
        (List.ne_nil_of_mem (thin_mem (Nat.lt_succ_self 0))), fun S' hS' ho => ?_⟩
      have h5 := thin_first (by omega) hS' fun j hj =>
        ho _ (thin_mem (Nat.lt_succ_self 0)) _ (wide_mem hj) hlt
      have h6 := Nat.mul_le_mul_left t (Nat.le_trans (hc.least S hS) hle)
      have h7 : t * (3 * (t * t)) = 3 * (t * (t * t)) := by grind
      omega
    · have h5 := (hr _ _ _ _ heq).2
      have h6 := Nat.mul_le_mul h4 h4
      omega
    · have hMk : t * t * (t * t) * (t * t + 1) = M := hMe
      obtain ⟨S, hS, hle⟩ := wide_last M (t * t) (t * t * (t * t)) (t * (t * t)) hMk (by omega)
      obtain ⟨c, hc⟩ := IsOPT.of_feasible hS
      have hv := shapes_valid (k := t * t * (t * t)) (w := t * (t * t))
        (show 2 ≤ M by omega) h1 hM
      refine ⟨_, c, shapes_burst (by omega) h1 hM, hv.prompt_pos, hc, hc.pos hv
        (List.ne_nil_of_mem (thin_mem h2)), fun S' hS' ho => ?_⟩
      have h5 := wide_first (by omega) h1 hS' fun i hi j hj =>
        ho _ (wide_mem hj) _ (thin_mem hi) hgt
      have h8 : TEL (shapes M (t * t) (t * t * (t * t)) (t * (t * t))) S ≤
          3 * (t * t * (t * t) * (t * t)) := by
        have e1 : t * (t * t) * (t * t) * t = t * t * (t * t) * (t * t) := by grind
        have e2 : t * (t * t) * (t * (t * t) + 1) = t * t * (t * t) * (t * t) + t * (t * t) := by
          grind
        have e3 := Nat.mul_le_mul_left (t * (t * t) * (t * t)) ht
        have e4 := Nat.mul_le_mul_left (t * (t * t)) (Nat.mul_le_mul h1 ht)
        have e5 : t * (t * t) * (t * t * t) = t * t * (t * t) * (t * t) := by grind
        omega
      have h6 := Nat.mul_le_mul_left t (Nat.le_trans (hc.least S hS) h8)
      have h7 : t * (3 * (t * t * (t * t) * (t * t))) =
        3 * (t * t * (t * t) * (t * (t * t))) := by grind
      omega

end OnlineKvCache.NonClairvoyant
