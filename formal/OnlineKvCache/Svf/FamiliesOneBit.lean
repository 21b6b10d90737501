module

public import OnlineKvCache.Svf.FamiliesShortest
public import OnlineKvCache.Svf.Keys
public import OnlineKvCache.Area.Volume

public section

/-! # The 1-bit rule loses a factor of the square root of `T`

With `s = b²` and `T = s²`: long requests `(0, T)` go ahead of requests `(1, s + 1)`, whose volume
is smaller by a factor of about `T`, because both are long to the 1-bit rule. -/

namespace OnlineKvCache

theorem mem_bigAndSmall {c s : Nat} {q : Request} : q ∈ bigAndSmall c s ↔
    (∃ i < 4 * c, q = ⟨i, 0, 0, s * s⟩) ∨ ∃ i < 4 * c * s, q = ⟨4 * c + i, 0, 1, s + 1⟩ := by
  simp only [bigAndSmall, List.mem_append, List.mem_map, List.mem_range]
  constructor
  · rintro (⟨i, h, e⟩ | ⟨i, h, e⟩)
    · exact Or.inl ⟨i, h, e.symm⟩
    · exact Or.inr ⟨i, h, e.symm⟩
  · rintro (⟨i, h, e⟩ | ⟨i, h, e⟩)
    · exact Or.inl ⟨i, h, e.symm⟩
    · exact Or.inr ⟨i, h, e.symm⟩

theorem four_mul_le {s : Nat} (hs : 4 ≤ s) : 4 * s ≤ s * s := Nat.mul_le_mul_right s hs

theorem bigAndSmall_peak {c s : Nat} (hs : 4 ≤ s) :
    ∀ q ∈ bigAndSmall c s, q.peak ≤ s * s := fun q hq => by
  have := four_mul_le hs
  rcases mem_bigAndSmall.1 hq with ⟨i, _, rfl⟩ | ⟨i, _, rfl⟩ <;> simp [Request.peak] <;> omega

theorem bigAndSmall_burst {c s : Nat} (hc : 1 ≤ c) (hs : 4 ≤ s) :
    Burst (c * (s * s)) (bigAndSmall c s) where
  nodup := by
    simp only [bigAndSmall, List.map_append, List.map_map]
    refine List.nodup_append.2 ⟨?_, ?_, ?_⟩
    · exact List.pairwise_map.2 (List.nodup_range.imp (by intro a b h; simpa using h))
    · exact List.pairwise_map.2 (List.nodup_range.imp (by intro a b h; simpa using h))
    · intro a ha b hb
      simp only [List.mem_map, List.mem_range, Function.comp] at ha hb
      obtain ⟨i, hi, rfl⟩ := ha
      obtain ⟨j, hj, rfl⟩ := hb
      omega
  arrived q hq := by
    rcases mem_bigAndSmall.1 hq with ⟨i, _, rfl⟩ | ⟨i, _, rfl⟩ <;> rfl
  output_pos q hq := by
    have := four_mul_le hs
    rcases mem_bigAndSmall.1 hq with ⟨i, _, rfl⟩ | ⟨i, _, rfl⟩ <;> simp <;> omega
  fits q hq := Nat.le_trans (bigAndSmall_peak hs q hq) (Nat.le_mul_of_pos_left _ hc)

theorem bigAndSmall_TEL (c s : Nat) (S : Schedule) : TEL (bigAndSmall c s) S =
    ((List.range (4 * c)).map fun i => S i + s * s).sum +
      ((List.range (4 * c * s)).map fun i => S (4 * c + i) + (s + 1)).sum := by
  simp only [TEL, bigAndSmall, List.map_append, List.sum_append_nat, List.map_map]
  rfl

/-- At most `k` numbers have the same quotient by `k`. -/
theorem length_same_div {k : Nat} (hk : 1 ≤ k) (n a : Nat) :
    ((List.range n).filter fun i => decide (i / k = a)).length ≤ k := by
  have h := length_le_of_subset (l := (List.range n).filter fun i => decide (i / k = a))
    (m := (List.range k).map fun x => k * a + x)
    ((List.nodup_range (n := n)).sublist List.filter_sublist) fun i hi => by
      have hi' := (List.mem_filter.1 hi).2
      simp only [decide_eq_true_eq] at hi'
      have h5 := Nat.div_add_mod i k
      rw [hi'] at h5
      exact List.mem_map.2 ⟨i % k, List.mem_range.2 (Nat.mod_lt i (by omega)), h5⟩
  rwa [List.length_map, List.length_range] at h

/-- In batches of `k`, each of `L` rounds, at most `k` are active. -/
theorem batch_sum {k L n B t : Nat} (hk : 1 ≤ k) {f : Nat → Nat} (hf : ∀ i, f i ≤ B)
    (h0 : ∀ i < n, f i ≠ 0 → i / k * L ≤ t ∧ t < i / k * L + L) :
    ((List.range n).map f).sum ≤ k * B := by
  have h1 := sum_map_le_sum_map (f := f) (l := List.range n)
    (g := fun i => if decide (i / k = t / L) = true then B else 0) fun i hi => by
      dsimp only
      by_cases h : f i = 0
      · rw [h]; exact Nat.zero_le _
      · have h2 := h0 i (List.mem_range.1 hi) h
        have h3 : t / L = i / k := Nat.div_eq_of_lt_le h2.1 (by rw [Nat.succ_mul]; exact h2.2)
        rw [if_pos (by simp [h3])]
        exact hf i
  rw [sum_map_ite (fun i => decide (i / k = t / L)) fun _ => B, sum_map_const] at h1
  exact Nat.le_trans h1 (Nat.mul_le_mul_right B (length_same_div hk n (t / L)))

/-- Small requests first, in eight batches, then the big ones in four. -/
theorem small_first {c s : Nat} (hc : 1 ≤ c) (hs : 4 ≤ s) :
    ∃ S, Feasible (c * (s * s)) (bigAndSmall c s) S ∧
      TEL (bigAndSmall c s) S ≤ 66 * (c * (s * s)) := by
  have h4 := four_mul_le hs
  generalize hh : (s + 1) / 2 = h
  have hk : 1 ≤ c * h := Nat.mul_le_mul hc (show 1 ≤ h by omega)
  generalize hS : (fun i => if i < 4 * c then 8 * (s + 1) + i / c * (s * s) else
    (i - 4 * c) / (c * h) * (s + 1) : Schedule) = S
  have hb : ∀ i < 4 * c, S i = 8 * (s + 1) + i / c * (s * s) := fun i hi => by
    rw [← hS]; exact if_pos hi
  have hl : ∀ i, S (4 * c + i) = i / (c * h) * (s + 1) := fun i => by
    rw [← hS]
    dsimp only
    rw [if_neg (by omega), Nat.add_sub_cancel_left]
  have hb3 : ∀ i < 4 * c, i / c * (s * s) ≤ 3 * (s * s) := fun i hi => by
    have := (Nat.div_lt_iff_lt_mul (show 0 < c by omega)).2 hi
    exact Nat.mul_le_mul_right _ (by omega)
  have hl7 : ∀ i < 4 * c * s, i / (c * h) * (s + 1) ≤ 7 * (s + 1) := fun i hi => by
    have h1 : i < 8 * (c * h) := by
      have h2 := Nat.mul_le_mul_left (4 * c) (show s ≤ 2 * h by omega)
      have e : 4 * c * (2 * h) = 8 * (c * h) := by grind
      omega
    have := (Nat.div_lt_iff_lt_mul (show 0 < c * h from hk)).2 h1
    exact Nat.mul_le_mul_right _ (by omega)
  refine ⟨S, ⟨fun q hq => ?_, fun t => ?_⟩, ?_⟩
  · rw [(bigAndSmall_burst hc hs).arrived q hq]; exact Nat.zero_le _
  · simp only [occupancy, bigAndSmall, List.map_append, List.sum_append_nat, List.map_map]
    rcases Nat.lt_or_ge t (8 * (s + 1)) with ht | ht
    · have h1 := sum_map_eq_zero (f := (fun q => memory S q t) ∘
        fun i => (⟨i, 0, 0, s * s⟩ : Request)) (l := List.range (4 * c)) fun i hi => by
          refine memory_of_not fun ha => ?_
          simp only [Active, start, hb i (List.mem_range.1 hi)] at ha
          omega
      have h2 := batch_sum (n := 4 * c * s) (t := t) (L := s + 1) (B := s + 2) hk
        (f := (fun q => memory S q t) ∘ fun i => (⟨4 * c + i, 0, 1, s + 1⟩ : Request))
        (fun i => Nat.le_trans (memory_le _ _ _) (by simp only [Request.peak]; omega))
        (fun i _ h0 => by
          refine Classical.byContradiction fun hn => h0 (memory_of_not fun ha => hn ?_)
          simp only [Active, completion, start, hl i] at ha
          exact ha)
      have h3 : c * h * (s + 2) ≤ c * (s * s) := by
        rw [Nat.mul_assoc]
        refine Nat.mul_le_mul_left c ?_
        have h5 := Nat.mul_le_mul_right (s + 2) (show 2 * h ≤ s + 1 by omega)
        have e1 : 2 * h * (s + 2) = 2 * (h * (s + 2)) := Nat.mul_assoc ..
        have e2 : (s + 1) * (s + 2) = s * s + 3 * s + 2 := by grind
        omega
      omega
    · have h1 := sum_map_eq_zero (f := (fun q => memory S q t) ∘
        fun i => (⟨4 * c + i, 0, 1, s + 1⟩ : Request)) (l := List.range (4 * c * s))
        fun i hi => by
          have := hl7 i (List.mem_range.1 hi)
          refine memory_of_not fun ha => ?_
          simp only [Active, completion, start, hl i] at ha
          omega
      have h2 := batch_sum (n := 4 * c) (t := t - 8 * (s + 1)) (L := s * s) (B := s * s) hc
        (f := (fun q => memory S q t) ∘ fun i => (⟨i, 0, 0, s * s⟩ : Request))
        (fun i => Nat.le_trans (memory_le _ _ _) (by simp only [Request.peak]; omega))
        (fun i hi h0 => by
          refine Classical.byContradiction fun hn => h0 (memory_of_not fun ha => hn ?_)
          simp only [Active, completion, start, hb i hi] at ha
          omega)
      omega
  · rw [bigAndSmall_TEL]
    have h1 := sum_map_le_mul (l := List.range (4 * c)) (f := fun i => S i + s * s)
      (c := 8 * (s + 1) + 4 * (s * s)) fun i hi => by
        have hi' := List.mem_range.1 hi
        have := hb3 i hi'
        dsimp only
        rw [hb i hi']
        omega
    have h2 := sum_map_le_mul (l := List.range (4 * c * s))
      (f := fun i => S (4 * c + i) + (s + 1)) (c := 8 * (s + 1)) fun i hi => by
        have := hl7 i (List.mem_range.1 hi)
        dsimp only
        rw [hl i]
        omega
    rw [List.length_range] at h1 h2
    have e1 : 4 * c * (8 * (s + 1) + 4 * (s * s)) + 4 * c * s * (8 * (s + 1)) =
      48 * (c * (s * s)) + 64 * (c * s) + 32 * c := by grind
    have h5 := Nat.mul_le_mul_left c h4
    have h6 := Nat.mul_le_mul_left c (show 16 ≤ s * s by omega)
    have e2 : c * (4 * s) = 4 * (c * s) := Nat.mul_left_comm ..
    omega

/-- Every schedule that starts the big requests first is expensive. -/
theorem big_first {c s : Nat} (hc : 1 ≤ c) (hs : 4 ≤ s) {S : Schedule}
    (hS : Feasible (c * (s * s)) (bigAndSmall c s) S)
    (h : ∀ i < 4 * c, ∀ j < 4 * c * s, S i ≤ S (4 * c + j)) :
    4 * c * s * (s * s) ≤ TEL (bigAndSmall c s) S := by
  have h4 := four_mul_le hs
  have h1 := sum_map_le_sum_map (f := fun _ => s * s) (l := List.range (4 * c * s))
    (g := fun j => S (4 * c + j) + (s + 1)) fun j hj => by
      have hj' := List.mem_range.1 hj
      have h2 := volume_by (C := S (4 * c + j) + s * s)
        (l := (List.range (4 * c)).map fun i => (⟨i, 0, 0, s * s⟩ : Request)) hS
        (List.sublist_append_left ..) fun q hq => by
          obtain ⟨i, hi, rfl⟩ := List.mem_map.1 hq
          have := h i (List.mem_range.1 hi) j hj'
          simp only [completion, start]
          omega
      have h3 : (((List.range (4 * c)).map fun i => (⟨i, 0, 0, s * s⟩ : Request)).map
          twiceVolume).sum = 4 * c * (s * s * (s * s + 1)) := by
        rw [List.map_map, sum_map_congr (g := fun _ => s * s * (s * s + 1)) fun i _ => by
          simp [twiceVolume], sum_map_const, List.length_range]
      rw [h3] at h2
      have e1 : 4 * c * (s * s * (s * s + 1)) = 2 * (c * (s * s)) * (2 * (s * s + 1)) := by grind
      rw [e1] at h2
      have h5 := Nat.le_of_mul_le_mul_left h2
        (Nat.mul_pos (by omega) (Nat.mul_pos (show 0 < c by omega) (show 0 < s * s by omega)))
      dsimp only
      omega
  rw [sum_map_const, List.length_range] at h1
  rw [bigAndSmall_TEL]
  omega

theorem one_bit_sqrt (b c : Nat) (hb : 2 ≤ b) (hc : 1 ≤ c) :
    ∃ opt, Burst (c * (b * b * (b * b))) (bigAndSmall c (b * b)) ∧
      (∀ q ∈ bigAndSmall c (b * b), q.peak ≤ b * b * (b * b)) ∧
      IsOPT (c * (b * b * (b * b))) (bigAndSmall c (b * b)) opt ∧ 0 < opt ∧
      2 * (b * b) * opt ≤ 33 * TEL (bigAndSmall c (b * b))
        (oneBitSvf (c * (b * b * (b * b))) b (bigAndSmall c (b * b))) := by
  have hs : 4 ≤ b * b := Nat.mul_le_mul hb hb
  have hbb := bigAndSmall_burst hc hs
  have hkey : ∀ i < 4 * c, ∀ j < 4 * c * (b * b),
      predictedKey (oneBitProxy b) ⟨i, 0, 0, b * b * (b * b)⟩ <
        predictedKey (oneBitProxy b) ⟨4 * c + j, 0, 1, b * b + 1⟩ := fun i _ j _ => by
    have h4 := four_mul_le hs
    have h5 : 0 < b * b * b := Nat.mul_pos (by omega) (by omega)
    simp only [predictedKey, oneBitProxy]
    rw [if_neg (by omega), if_neg (by omega)]
    omega
  have hmem : ∀ i < 4 * c, (⟨i, 0, 0, b * b * (b * b)⟩ : Request) ∈ bigAndSmall c (b * b) :=
    fun i hi => mem_bigAndSmall.2 (Or.inl ⟨i, hi, rfl⟩)
  obtain ⟨S, hS, hSc⟩ := small_first hc hs
  obtain ⟨opt, hopt⟩ := IsOPT.of_feasible hS
  refine ⟨opt, hbb, bigAndSmall_peak hs, hopt, ?_, ?_⟩
  · obtain ⟨T, hT, rfl⟩ := hopt.attained
    have h1 := output_le_latency hT (hmem 0 (by omega))
    have h2 := le_sum_map (latency T) (hmem 0 (by omega))
    have h4 := four_mul_le hs
    unfold TEL
    dsimp only at h1
    omega
  · have h1 := big_first hc hs (orderByKey_feasible hbb (predictedKey (oneBitProxy b)))
      fun i hi j hj => orderByKey_start_le hbb (predictedKey (oneBitProxy b)) (hmem i hi)
        (mem_bigAndSmall.2 (Or.inr ⟨j, hj, rfl⟩)) (hkey i hi j hj)
    have h2 := Nat.mul_le_mul_left (4 * (b * b)) (Nat.le_trans (hopt.least S hS) hSc)
    generalize b * b = s at *
    have e1 : 4 * s * (66 * (c * (s * s))) = 66 * (4 * c * s * (s * s)) := by grind
    have e2 : 4 * s * opt = 2 * (2 * s * opt) := by grind
    unfold oneBitSvf predictedSvf
    omega

end OnlineKvCache
