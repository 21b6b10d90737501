module

public import OnlineKvCache.TightRatio.PackingCount

public section

/-! # The comparators of the packing adversary -/

namespace OnlineKvCache

/-- A block whose requests start one a round from round `b` on. -/
theorem startsAt_shift {S : Schedule} {z i a g m b : Nat} (h : ∀ j, j < m → S (i + j) = b + j)
    (t : Nat) : startsAt S (unitBlock z i a g m) t = if b ≤ t ∧ t < b + m then 1 else 0 := by
  unfold startsAt
  rw [sum_unitBlock, ← count_window t b m]
  refine sum_map_congr fun j hj => ?_
  have := h j (List.mem_range.1 hj)
  simp only [start, this, eq_comm]

/-- A block whose requests start `g` a round from round 0 on. -/
theorem startsAt_div {S : Schedule} {z i a c m g : Nat} (hg : 0 < g)
    (h : ∀ j, j < m → S (i + j) = j / g) (t : Nat) :
    startsAt S (unitBlock z i a c m) t ≤ g ∧
      (m ≤ g * t → startsAt S (unitBlock z i a c m) t = 0) := by
  unfold startsAt
  rw [sum_unitBlock]
  constructor
  · refine Nat.le_trans (Nat.le_trans (sum_map_le_sum_map (g := fun j =>
        if g * t ≤ 0 + j ∧ 0 + j < g * t + g then 1 else 0) fun j hj => ?_)
      (count_interval 0 (g * t) g m)) (Nat.min_le_left ..)
    have h1 := h j (List.mem_range.1 hj)
    have h2 := Nat.div_add_mod j g
    have h3 := Nat.mod_lt j hg
    simp only [start, h1, Nat.zero_add]
    by_cases h4 : j / g = t
    · rw [h4] at h2
      rw [if_pos h4, if_pos (by omega)]
      exact Nat.le_refl _
    · rw [if_neg h4]; exact Nat.zero_le _
  · intro hm
    refine sum_map_eq_zero fun j hj => ?_
    have h0 := List.mem_range.1 hj
    have h1 := h j h0
    have h2 := Nat.div_add_mod j g
    have h3 := Nat.mod_lt j hg
    simp only [start, h1]
    refine if_neg fun h4 => ?_
    rw [h4] at h2
    omega

theorem TEL_packing (S : Schedule) (M x y z N m T : Nat) : TEL (packing M x y z N m T) S =
    TEL (unitBlock x 0 0 0 (3 * N)) S + TEL (unitBlock y (3 * N) 0 0 (2 * N)) S +
      (TEL (unitBlock z (5 * N) N 0 m) S + TEL (unitBlock M (5 * N + m) (N + m) 1 T) S) := by
  unfold packing packingBase TEL
  simp only [List.map_append, List.sum_append_nat]

/-- Cost of a block that starts one a round, `w` rounds after its release. -/
theorem TEL_shift {S : Schedule} {z i a m w : Nat} (h : ∀ j, j < m → S (i + j) = a + w + j) :
    2 * TEL (unitBlock z i a 0 m) S = 2 * (m * w) + m * (m + 1) := by
  have h1 : TEL (unitBlock z i a 0 m) S = ((List.range m).map fun j => w + (j + 1)).sum := by
    unfold TEL
    rw [sum_unitBlock]
    refine sum_map_congr fun j hj => ?_
    have := h j (List.mem_range.1 hj)
    simp only [latency, completion, start, this]
    omega
  have h2 := two_sum_range_succ m
  rw [h1, sum_map_add, sum_map_const, List.length_range]
  omega

theorem TEL_stream {S : Schedule} {z i a m : Nat} (h : ∀ j, j < m → S (i + j) = a + j) :
    TEL (unitBlock z i a 1 m) S = m := by
  unfold TEL
  rw [sum_unitBlock]
  have : ((List.range m).map fun _ => 1).sum = m := by
    rw [sum_map_const, List.length_range, Nat.mul_one]
  rw [← this]
  simp only [sum_map_const, List.length_range, Nat.mul_one]
  refine Eq.trans (sum_map_congr fun j hj => ?_) this
  have := h j (List.mem_range.1 hj)
  simp only [latency, completion, start, this]
  omega

theorem TEL_early {S : Schedule} {z i m N : Nat} (h : ∀ j, j < m → S (i + j) < N) :
    TEL (unitBlock z i 0 0 m) S ≤ m * N := by
  unfold TEL
  rw [sum_unitBlock]
  refine Nat.le_trans (sum_map_le_mul (c := N) fun j hj => ?_)
    (by rw [List.length_range]; exact Nat.le_refl _)
  have := h j (List.mem_range.1 hj)
  simp only [latency, completion, start]
  omega

theorem keepX_feasible {M x y N T : Nat} (h : TwoKinds M x y) :
    Feasible M (packing M x y (M - x) N (3 * N) T) (keepX N) where
  release q hq := by
    rcases mem_packing.1 hq with (h | h) | h | h <;> obtain ⟨j, hj, rfl⟩ := mem_unitBlock.1 h <;>
      simp only [start, keepX] <;> repeat' split
    all_goals omega
  capacity t := by
    have h1 := h.two_le; have h2 := h.lt; have h3 := h.three_fit; have h4 := h.two_fit
    have e1 := startsAt_shift (S := keepX N) (z := x) (i := 0) (a := 0) (g := 0) (m := 3 * N)
      (b := N) (fun j hj => by simp only [keepX]; split <;> omega) t
    have e2 := startsAt_shift (S := keepX N) (z := M - x) (i := 5 * N) (a := N) (g := 0)
      (m := 3 * N) (b := N) (fun j hj => by simp only [keepX]; repeat' split
                                            all_goals omega) t
    have e3 := startsAt_shift (S := keepX N) (z := M) (i := 5 * N + 3 * N) (a := N + 3 * N)
      (g := 1) (m := T) (b := N + 3 * N) (fun j hj => by simp only [keepX]; repeat' split
                                                         all_goals omega) t
    rw [occupancy_packing _ (by omega) (by omega) (by omega) (by omega), e1, e2, e3]
    have h5 := startsAt_div (S := keepX N) (z := y) (i := 3 * N) (a := 0) (c := 0) (m := 2 * N)
      (g := 2) (by decide) (fun j hj => by simp only [keepX]; repeat' split
                                           all_goals omega) t
    have h6 := Nat.mul_le_mul_left y h5.1
    rcases Nat.lt_or_ge t N with ht | ht
    · repeat' split
      all_goals omega
    · rw [h5.2 (by omega)]
      repeat' split
      all_goals omega

theorem keepY_feasible {M x y N T : Nat} (h : TwoKinds M x y) :
    Feasible M (packing M x y (M - y) N (2 * N) T) (keepY N) where
  release q hq := by
    rcases mem_packing.1 hq with (h | h) | h | h <;> obtain ⟨j, hj, rfl⟩ := mem_unitBlock.1 h <;>
      simp only [start, keepY] <;> repeat' split
    all_goals omega
  capacity t := by
    have h1 := h.two_le; have h2 := h.lt; have h3 := h.three_fit; have h4 := h.two_fit
    have e1 := startsAt_shift (S := keepY N) (z := y) (i := 3 * N) (a := 0) (g := 0)
      (m := 2 * N) (b := N) (fun j hj => by simp only [keepY]; repeat' split
                                            all_goals omega) t
    have e2 := startsAt_shift (S := keepY N) (z := M - y) (i := 5 * N) (a := N) (g := 0)
      (m := 2 * N) (b := N) (fun j hj => by simp only [keepY]; repeat' split
                                            all_goals omega) t
    have e3 := startsAt_shift (S := keepY N) (z := M) (i := 5 * N + 2 * N) (a := N + 2 * N)
      (g := 1) (m := T) (b := N + 2 * N) (fun j hj => by simp only [keepY]; repeat' split
                                                         all_goals omega) t
    rw [occupancy_packing _ (by omega) (by omega) (by omega) (by omega), e1, e2, e3]
    have h5 := startsAt_div (S := keepY N) (z := x) (i := 0) (a := 0) (c := 0) (m := 3 * N)
      (g := 3) (by decide) (fun j hj => by simp only [keepY]; repeat' split
                                           all_goals omega) t
    have h6 := Nat.mul_le_mul_left x h5.1
    rcases Nat.lt_or_ge t N with ht | ht
    · repeat' split
      all_goals omega
    · rw [h5.2 (by omega)]
      repeat' split
      all_goals omega

theorem keepX_TEL (M x y N T : Nat) :
    TEL (packing M x y (M - x) N (3 * N) T) (keepX N) ≤ 14 * (N * N) + 3 * N + T := by
  have h1 := TEL_shift (S := keepX N) (z := x) (i := 0) (a := 0) (m := 3 * N) (w := N)
    fun j hj => by simp only [keepX]; split <;> omega
  have h2 := TEL_early (S := keepX N) (z := y) (i := 3 * N) (m := 2 * N) (N := N)
    fun j hj => by simp only [keepX]; repeat' split
                   all_goals omega
  have h3 := TEL_shift (S := keepX N) (z := M - x) (i := 5 * N) (a := N) (m := 3 * N) (w := 0)
    fun j hj => by simp only [keepX]; repeat' split
                   all_goals omega
  have h4 := TEL_stream (S := keepX N) (z := M) (i := 5 * N + 3 * N) (a := N + 3 * N) (m := T)
    fun j hj => by simp only [keepX]; repeat' split
                   all_goals omega
  rw [TEL_packing, h4]
  have e1 : 3 * N * N = 3 * (N * N) := Nat.mul_assoc ..
  have e2 : 2 * N * N = 2 * (N * N) := Nat.mul_assoc ..
  have e3 : 3 * N * (3 * N + 1) = 9 * (N * N) + 3 * N := by grind
  rw [e1, e3] at h1
  rw [e2] at h2
  rw [e3] at h3
  omega

theorem keepY_TEL (M x y N T : Nat) :
    TEL (packing M x y (M - y) N (2 * N) T) (keepY N) ≤ 14 * (N * N) + 3 * N + T := by
  have h1 := TEL_early (S := keepY N) (z := x) (i := 0) (m := 3 * N) (N := N)
    fun j hj => by simp only [keepY]; split <;> omega
  have h2 := TEL_shift (S := keepY N) (z := y) (i := 3 * N) (a := 0) (m := 2 * N) (w := N)
    fun j hj => by simp only [keepY]; repeat' split
                   all_goals omega
  have h3 := TEL_shift (S := keepY N) (z := M - y) (i := 5 * N) (a := N) (m := 2 * N) (w := 0)
    fun j hj => by simp only [keepY]; repeat' split
                   all_goals omega
  have h4 := TEL_stream (S := keepY N) (z := M) (i := 5 * N + 2 * N) (a := N + 2 * N) (m := T)
    fun j hj => by simp only [keepY]; repeat' split
                   all_goals omega
  rw [TEL_packing, h4]
  have e1 : 3 * N * N = 3 * (N * N) := Nat.mul_assoc ..
  have e2 : 2 * N * N = 2 * (N * N) := Nat.mul_assoc ..
  have e3 : 2 * N * (2 * N + 1) = 4 * (N * N) + 2 * N := by grind
  rw [e2, e3] at h2
  rw [e1] at h1
  rw [e3] at h3
  omega

end OnlineKvCache
