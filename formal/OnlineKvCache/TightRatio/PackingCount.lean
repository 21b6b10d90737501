module

public import OnlineKvCache.TightRatio.Packing
public import OnlineKvCache.TightRatio.RemainingSteps
public import OnlineKvCache.Basic.Cover

public section

/-! # Counting starts in the packing adversary -/

namespace OnlineKvCache

/-! ### Counting starts -/

/-- A sum over a block is a sum over its index. -/
theorem sum_unitBlock (f : Request → Nat) (z i a g m : Nat) :
    ((unitBlock z i a g m).map f).sum =
      ((List.range m).map fun j => f ⟨i + j, a + g * j, z - 1, 1⟩).sum := by
  rw [unitBlock, List.map_map]; rfl

theorem mem_unitBlock {z i a g m : Nat} {q : Request} :
    q ∈ unitBlock z i a g m ↔ ∃ j, j < m ∧ ⟨i + j, a + g * j, z - 1, 1⟩ = q := by
  simp [unitBlock, List.mem_map, List.mem_range]

theorem length_unitBlock (z i a g m : Nat) : (unitBlock z i a g m).length = m := by
  simp [unitBlock]

theorem ids_unitBlock (z i a g m : Nat) :
    (unitBlock z i a g m).map Request.id = (List.range m).map fun j => i + j := by
  simp [unitBlock, List.map_map, Function.comp_def]

theorem count_window (s a : Nat) : ∀ d : Nat,
    ((List.range d).map fun t => if s = a + t then 1 else 0).sum =
      if a ≤ s ∧ s < a + d then 1 else 0
  | 0 => by simp
  | d + 1 => by
    have ih := count_window s a d
    simp only [List.range_succ, List.map_append, List.map_cons, List.map_nil,
      List.sum_append_nat, List.sum_cons, List.sum_nil, ih]
    split <;> split <;> split <;> omega

theorem sum_startsAt (S : Schedule) (Z : List Request) (a d : Nat) :
    ((List.range d).map fun t => startsAt S Z (a + t)).sum = startsIn S Z a d := by
  unfold startsAt startsIn
  rw [sum_map_comm]
  exact sum_map_congr fun q _ => count_window (start S q) a d

theorem occupancy_unitBlock (S : Schedule) {z : Nat} (hz : 1 ≤ z) (i a g m t : Nat) :
    occupancy (unitBlock z i a g m) S t = z * startsAt S (unitBlock z i a g m) t := by
  unfold occupancy startsAt
  rw [← sum_map_mul]
  refine sum_map_congr fun q hq => ?_
  obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 hq
  unfold memory Active completion
  simp only
  split <;> split <;> omega

theorem occupancy_append (I J : List Request) (S : Schedule) (t : Nat) :
    occupancy (I ++ J) S t = occupancy I S t + occupancy J S t := by
  unfold occupancy; rw [List.map_append, List.sum_append_nat]

theorem occupancy_packing (S : Schedule) {M x y z : Nat} (hx : 1 ≤ x) (hy : 1 ≤ y) (hz : 1 ≤ z)
    (hM : 1 ≤ M) (N m T t : Nat) :
    occupancy (packing M x y z N m T) S t =
      x * startsAt S (unitBlock x 0 0 0 (3 * N)) t +
      y * startsAt S (unitBlock y (3 * N) 0 0 (2 * N)) t +
      (z * startsAt S (unitBlock z (5 * N) N 0 m) t +
      M * startsAt S (unitBlock M (5 * N + m) (N + m) 1 T) t) := by
  unfold packing packingBase
  rw [occupancy_append, occupancy_append, occupancy_append, occupancy_unitBlock S hx,
    occupancy_unitBlock S hy, occupancy_unitBlock S hz, occupancy_unitBlock S hM]

theorem length_packing (M x y z N m T : Nat) :
    (packing M x y z N m T).length = 5 * N + m + T := by
  unfold packing packingBase
  simp only [List.length_append, length_unitBlock]
  omega

theorem ids_packing (M x y z N m T : Nat) :
    (packing M x y z N m T).map Request.id = List.range (5 * N + m + T) := by
  have h : ∀ i m : Nat, List.range (i + m) = List.range i ++ (List.range m).map fun j => i + j :=
    fun i m => by rw [List.range_add]
  rw [h (5 * N + m) T, h (5 * N) m, show 5 * N = 3 * N + 2 * N by omega, h (3 * N) (2 * N)]
  unfold packing packingBase
  simp only [List.map_append, ids_unitBlock, Nat.zero_add, List.map_id', List.append_assoc,
    show 3 * N + 2 * N = 5 * N by omega]

/-- Membership in one of the four blocks. -/
theorem mem_packing {M x y z N m T : Nat} {q : Request} : q ∈ packing M x y z N m T ↔
    (q ∈ unitBlock x 0 0 0 (3 * N) ∨ q ∈ unitBlock y (3 * N) 0 0 (2 * N)) ∨
      q ∈ unitBlock z (5 * N) N 0 m ∨ q ∈ unitBlock M (5 * N + m) (N + m) 1 T := by
  simp only [packing, packingBase, List.mem_append]

theorem valid_packing {M x y z N m T : Nat} (hx : 2 ≤ x) (hxM : x ≤ M) (hy : 2 ≤ y) (hyM : y ≤ M)
    (hz : 2 ≤ z) (hzM : z ≤ M) : Valid M (packing M x y z N m T) where
  nodup := by rw [ids_packing]; exact List.nodup_range
  prompt_pos q hq := by
    rcases mem_packing.1 hq with (h | h) | h | h <;> obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 h <;>
      simp only <;> omega
  output_pos q hq := by
    rcases mem_packing.1 hq with (h | h) | h | h <;> obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 h <;>
      exact Nat.le_refl 1
  fits q hq := by
    rcases mem_packing.1 hq with (h | h) | h | h <;> obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 h <;>
      simp only [Request.peak] <;> omega

theorem valid_packingBase {M x y N : Nat} (hx : 2 ≤ x) (hxM : x ≤ M) (hy : 2 ≤ y) (hyM : y ≤ M) :
    Valid M (packingBase x y N) := by
  have h := valid_packing (N := N) (m := 0) (T := 0) hx hxM hy hyM hx hxM
  have : packing M x y x N 0 0 = packingBase x y N := by
    simp [packing, unitBlock]
  rwa [this] at h

/-! ### What a round can hold -/

theorem TwoKinds.round_first {M x y a b : Nat} (h : TwoKinds M x y) (hc : x * a + y * b ≤ M) :
    a + 2 * b ≤ 4 := by
  have h1 := h.two_le; have h2 := h.lt; have h3 := h.four_not; have h4 := h.three_not
  have h5 := h.mixed_not
  rcases Nat.lt_or_ge b 3 with hb | hb
  · rcases Nat.lt_or_ge a (5 - 2 * b) with ha | ha
    · omega
    · have h6 := Nat.mul_le_mul_left x ha
      obtain rfl | rfl | rfl : b = 0 ∨ b = 1 ∨ b = 2 := by omega
      · omega
      · omega
      · omega
  · have := Nat.mul_le_mul_left y hb
    omega

theorem TwoKinds.round_keepX {M x y b e f : Nat} (h : TwoKinds M x y) {a : Nat}
    (hc : x * a + y * b + ((M - x) * e + M * f) ≤ M) : b + 2 * e + 2 * f ≤ 2 := by
  have h1 := h.two_le; have h2 := h.lt; have h3 := h.three_fit; have h4 := h.three_not
  rcases Nat.lt_or_ge b 3 with hb | hb
  · rcases Nat.lt_or_ge e 2 with he | he
    · rcases Nat.lt_or_ge f 2 with hf | hf
      · obtain rfl | rfl : f = 0 ∨ f = 1 := by omega
        · obtain rfl | rfl : e = 0 ∨ e = 1 := by omega
          · omega
          · obtain rfl | rfl | rfl : b = 0 ∨ b = 1 ∨ b = 2 := by omega
            all_goals omega
        · obtain rfl | rfl : e = 0 ∨ e = 1 := by omega
          · obtain rfl | rfl | rfl : b = 0 ∨ b = 1 ∨ b = 2 := by omega
            all_goals omega
          · omega
      · have := Nat.mul_le_mul_left M hf
        omega
    · have := Nat.mul_le_mul_left (M - x) he
      omega
  · have := Nat.mul_le_mul_left y hb
    omega

theorem TwoKinds.round_keepY {M x y a b e f : Nat} (h : TwoKinds M x y)
    (hc : x * a + y * b + ((M - y) * e + M * f) ≤ M) : a + b + 2 * e + 3 * f ≤ 3 := by
  have h1 := h.two_le; have h2 := h.lt; have h3 := h.two_fit; have h4 := h.four_not
  have h5 := h.lt_two
  have h6 : x * (a + b) ≤ x * a + y * b := by
    rw [Nat.mul_add]; have := Nat.mul_le_mul_right b (Nat.le_of_lt h2); omega
  generalize a + b = s at *
  rcases Nat.lt_or_ge s 4 with hs | hs
  · rcases Nat.lt_or_ge e 2 with he | he
    · rcases Nat.lt_or_ge f 2 with hf | hf
      · obtain rfl | rfl : f = 0 ∨ f = 1 := by omega
        · obtain rfl | rfl : e = 0 ∨ e = 1 := by omega
          · omega
          · obtain rfl | rfl | rfl | rfl : s = 0 ∨ s = 1 ∨ s = 2 ∨ s = 3 := by omega
            all_goals omega
        · obtain rfl | rfl : e = 0 ∨ e = 1 := by omega
          · obtain rfl | rfl | rfl | rfl : s = 0 ∨ s = 1 ∨ s = 2 ∨ s = 3 := by omega
            all_goals omega
          · omega
      · have := Nat.mul_le_mul_left M hf
        omega
    · have := Nat.mul_le_mul_left (M - y) he
      omega
  · have := Nat.mul_le_mul_left x hs
    omega

/-! ### What the scheduler has done when the second phase begins -/

theorem sameRevealed_packing {M x y z N m T t : Nat} (h : t < N) :
    SameRevealed (packingBase x y N) (packing M x y z N m T) t := by
  intro q
  constructor
  · rintro ⟨h1, h2⟩
    exact ⟨List.mem_append_left _ h1, h2⟩
  · rintro ⟨h1, h2⟩
    refine ⟨?_, h2⟩
    rcases mem_packing.1 h1 with h1 | h1 | h1
    · exact List.mem_append.2 h1
    · obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 h1
      simp only at h2; omega
    · obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 h1
      simp only at h2; omega

theorem startsIn_committed {M x y z N m T : Nat} (hx : 2 ≤ x) (hxM : x ≤ M) (hy : 2 ≤ y)
    (hyM : y ≤ M) (hz : 2 ≤ z) (hzM : z ≤ M) {A : Scheduler} (hA : Causal M A) {S : Schedule}
    (hS : Serves M A (packing M x y z N m T) S) {Z : List Request}
    (hZ : ∀ q ∈ Z, q ∈ packingBase x y N) :
    startsIn S Z 0 N = committed A x y N Z := by
  unfold startsIn committed
  refine sum_map_congr fun q hq => ?_
  have hq0 := hZ q hq
  have hq1 : q ∈ packing M x y z N m T := List.mem_append_left _ hq0
  have hs := hS.starts q hq1
  have ha : q.arrival = 0 := by
    rcases List.mem_append.1 hq0 with h1 | h1 <;> obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 h1 <;>
      simp
  rcases Nat.eq_zero_or_pos N with hN | hN
  · subst hN
    cases A (packingBase x y 0) q.id <;> simp
  have hc := hA _ _ (N - 1) (valid_packingBase hx hxM hy hyM) (valid_packing hx hxM hy hyM hz hzM)
    (sameRevealed_packing (M := M) (z := z) (m := m) (T := T) (by omega)) q
    ⟨hq0, by omega⟩
  unfold StartedBy at hc
  have e1 : (0 ≤ start S q ∧ start S q < 0 + N) ↔
      (A (packingBase x y N) q.id).elim false (fun b => decide (b < N)) = true := by
    constructor
    · intro h
      obtain ⟨b, hb, hle⟩ := hc.2 ⟨_, hs, by omega⟩
      rw [hb]
      simp; omega
    · intro h
      cases hb : A (packingBase x y N) q.id with
      | none => rw [hb] at h; cases h
      | some b =>
        rw [hb] at h
        simp at h
        obtain ⟨b', hb', hle⟩ := hc.1 ⟨b, hb, by omega⟩
        rw [hs] at hb'
        cases hb'
        omega
  by_cases h : (0 ≤ start S q ∧ start S q < 0 + N)
  · rw [if_pos h, if_pos (e1.1 h)]
  · rw [if_neg h, if_neg fun h' => h (e1.2 h')]

/-! ### The backlog -/

/-- Requests that were present from the beginning: started before `N`, in the window, or late. -/
theorem length_eq_starts {S : Schedule} {Z : List Request} {N d : Nat}
    (ha : ∀ q ∈ Z, q.arrival ≤ N + d) :
    Z.length = startsIn S Z 0 N + startsIn S Z N d + lateAt S Z (N + d) := by
  have h := sum_map_const 1 Z
  rw [Nat.mul_one] at h
  rw [← h]
  unfold startsIn lateAt
  rw [← sum_map_add, ← sum_map_add]
  refine sum_map_congr fun q hq => ?_
  have := ha q hq
  split <;> split <;> split <;> omega

/-- Requests of the stream that have arrived. -/
theorem stream_arrived {S : Schedule} {M i R T d N : Nat} (hd : N + d < R + T) (hR : N ≤ R)
    (hRd : R ≤ N + d) (hr : ∀ q ∈ unitBlock M i R 1 T, q.arrival ≤ start S q) :
    N + d + 1 ≤
      R + startsIn S (unitBlock M i R 1 T) N d + lateAt S (unitBlock M i R 1 T) (N + d) := by
  have h1 : ((unitBlock M i R 1 T).map fun q => if q.arrival ≤ N + d then 1 else 0).sum ≤
      startsIn S (unitBlock M i R 1 T) N d + lateAt S (unitBlock M i R 1 T) (N + d) := by
    unfold startsIn lateAt
    rw [← sum_map_add]
    refine sum_map_le_sum_map fun q hq => ?_
    have := hr q hq
    have : R ≤ q.arrival := by
      obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 hq
      simp
    split <;> split <;> split <;> omega
  have h2 : ∀ T, min T (N + d + 1 - R) ≤
      ((unitBlock M i R 1 T).map fun q => if q.arrival ≤ N + d then 1 else 0).sum := by
    intro T
    rw [sum_unitBlock]
    induction T with
    | zero => simp
    | succ T ih =>
      simp only [List.range_succ, List.map_append, List.map_cons, List.map_nil,
        List.sum_append_nat, List.sum_cons, List.sum_nil, Nat.one_mul] at ih ⊢
      split <;> omega
  have := h2 T
  omega

theorem lateAt_le_unfinished {M x y z N m T : Nat} (S : Schedule) (t : Nat) :
    unfinished (packing M x y z N m T) S t t =
      lateAt S (unitBlock x 0 0 0 (3 * N)) t + lateAt S (unitBlock y (3 * N) 0 0 (2 * N)) t +
      (lateAt S (unitBlock z (5 * N) N 0 m) t +
      lateAt S (unitBlock M (5 * N + m) (N + m) 1 T) t) := by
  have h : ∀ z i a g m : Nat, ((unitBlock z i a g m).map fun q =>
      if q.arrival ≤ t ∧ t < completion S q then 1 else 0).sum =
      lateAt S (unitBlock z i a g m) t := fun z i a g m => sum_map_congr fun q hq => by
    obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 hq
    unfold completion
    simp only [Nat.lt_succ_iff]
  unfold unfinished packing packingBase
  simp only [List.map_append, List.sum_append_nat, h]

/-- The total latency is at least the backlog summed over the rounds of the stream. -/
theorem backlog_le_TEL {I : List Request} {S : Schedule} {R T u : Nat}
    (h : ∀ i, i < T → u ≤ 5 * unfinished I S (R + i) (R + i)) : T * u ≤ 5 * TEL I S := by
  have hH : ∀ q ∈ I, completion S q ≤ totalCompletion I S := fun q hq =>
    le_sum_map (completion S) hq
  rw [TEL_eq_sum_unfinished (H := totalCompletion I S + (R + T))
    fun q hq => by have := hH q hq; omega, ← sum_map_mul]
  have h1 : ((List.range T).map fun _ => u).sum ≤
      ((List.range T).map fun i => 5 * unfinished I S (R + i) (R + i)).sum :=
    sum_map_le_sum_map fun i hi => h i (List.mem_range.1 hi)
  rw [sum_map_const, List.length_range] at h1
  refine Nat.le_trans h1 ?_
  have h2 := sum_map_le_of_subset (f := fun t => 5 * unfinished I S t t)
    (l := (List.range T).map fun i => R + i) (m := List.range (totalCompletion I S + (R + T)))
    (List.pairwise_map.2 (List.nodup_range.imp fun hne he => hne (by omega)))
    fun t ht => by
      obtain ⟨i, hi, rfl⟩ := List.mem_map.1 ht
      have := List.mem_range.1 hi
      exact List.mem_range.2 (by omega)
  rw [List.map_map] at h2
  exact h2

end OnlineKvCache
