module

public import OnlineKvCache.Svf.Families
public import OnlineKvCache.Svf.Order
public import OnlineKvCache.Basic.Cover

public section

/-! # Shortest job first is not competitive -/

namespace OnlineKvCache

/-- In a list schedule by key a request of smaller key starts no later. -/
theorem orderByKey_start_le {M : Nat} {I : List Request} (h : Burst M I) (key : Request → Nat)
    {p q : Request} (hp : p ∈ I) (hq : q ∈ I) (hk : key p < key q) :
    start (listSchedule M (orderByKey key I)) p ≤ start (listSchedule M (orderByKey key I)) q := by
  have hperm := orderByKey_perm key I
  have hs := orderByKey_le key I
  have hb := h.perm hperm.symm
  have hp' := hperm.mem_iff.2 hp
  obtain ⟨A, B, e⟩ := List.append_of_mem (hperm.mem_iff.2 hq)
  rw [e] at hs hb hp' ⊢
  rcases List.mem_append.1 hp' with hA | hB
  · exact (listSchedule_head hb).1 p hA
  · rcases List.mem_cons.1 hB with h1 | h1
    · rw [h1] at hk; omega
    · have h2 := (List.pairwise_cons.1 (List.pairwise_append.1 hs).2.1).1 p h1
      omega

theorem mem_wideAndThin {k : Nat} {q : Request} : q ∈ wideAndThin k ↔
    (∃ i < 2 * k, q = ⟨i, 0, k * k - 1, 1⟩) ∨ ∃ i < k * k, q = ⟨2 * k + i, 0, 0, 2⟩ := by
  simp only [wideAndThin, List.mem_append, List.mem_map, List.mem_range]
  constructor
  · rintro (⟨i, h, e⟩ | ⟨i, h, e⟩)
    · exact Or.inl ⟨i, h, e.symm⟩
    · exact Or.inr ⟨i, h, e.symm⟩
  · rintro (⟨i, h, e⟩ | ⟨i, h, e⟩)
    · exact Or.inl ⟨i, h, e.symm⟩
    · exact Or.inr ⟨i, h, e.symm⟩

theorem wideAndThin_burst {k : Nat} (hk : 1 ≤ k) : Burst (2 * (k * k)) (wideAndThin k) where
  nodup := by
    simp only [wideAndThin, List.map_append, List.map_map]
    refine List.nodup_append.2 ⟨?_, ?_, ?_⟩
    · exact List.pairwise_map.2 (List.nodup_range.imp (by intro a b h; simpa using h))
    · exact List.pairwise_map.2 (List.nodup_range.imp (by intro a b h; simpa using h))
    · intro a ha b hb
      simp only [List.mem_map, List.mem_range, Function.comp] at ha hb
      obtain ⟨i, hi, rfl⟩ := ha
      obtain ⟨j, hj, rfl⟩ := hb
      omega
  arrived q hq := by
    rcases mem_wideAndThin.1 hq with ⟨i, _, rfl⟩ | ⟨i, _, rfl⟩ <;> rfl
  output_pos q hq := by
    rcases mem_wideAndThin.1 hq with ⟨i, _, rfl⟩ | ⟨i, _, rfl⟩ <;> simp
  fits q hq := by
    have := Nat.mul_le_mul hk hk
    rcases mem_wideAndThin.1 hq with ⟨i, _, rfl⟩ | ⟨i, _, rfl⟩ <;> simp [Request.peak] <;> omega

theorem wideAndThin_TEL (k : Nat) (S : Schedule) : TEL (wideAndThin k) S =
    ((List.range (2 * k)).map fun i => S i + 1).sum +
      ((List.range (k * k)).map fun i => S (2 * k + i) + 2).sum := by
  simp only [TEL, wideAndThin, List.map_append, List.sum_append_nat, List.map_map]
  rfl

/-- Some wide request starts in round `k - 1` or later. -/
theorem wide_late {k : Nat} (hk : 1 ≤ k) {S : Schedule}
    (hS : Feasible (2 * (k * k)) (wideAndThin k) S) : ∃ i < 2 * k, k ≤ S i + 1 := by
  refine Classical.byContradiction fun hc => ?_
  have h1 : ((List.range (k - 1)).map fun t => ((List.range (2 * k)).map fun i =>
      memory S ⟨i, 0, k * k - 1, 1⟩ t).sum).sum ≤ (k - 1) * (2 * (k * k)) := by
    have h2 := sum_map_le_mul (l := List.range (k - 1)) (f := fun t =>
      ((List.range (2 * k)).map fun i => memory S ⟨i, 0, k * k - 1, 1⟩ t).sum)
      (c := 2 * (k * k)) fun t _ => by
        have h3 := hS.capacity t
        simp only [occupancy, wideAndThin, List.map_append, List.sum_append_nat,
          List.map_map] at h3
        exact Nat.le_trans (Nat.le_add_right _ _) h3
    rwa [List.length_range] at h2
  rw [← sum_map_comm (fun i t => memory S ⟨i, 0, k * k - 1, 1⟩ t)] at h1
  have h2 := sum_map_le_sum_map (f := fun _ => k * k) (l := List.range (2 * k)) (g := fun i =>
    ((List.range (k - 1)).map fun t => memory S ⟨i, 0, k * k - 1, 1⟩ t).sum) fun i hi => by
      have hi' := List.mem_range.1 hi
      have h3 : S i < k - 1 := Nat.lt_of_not_le fun hle => hc ⟨i, hi', by omega⟩
      have h4 := le_sum_map (fun t => memory S ⟨i, 0, k * k - 1, 1⟩ t) (List.mem_range.2 h3)
      have h5 : memory S ⟨i, 0, k * k - 1, 1⟩ (S i) = k * k := by
        have := Nat.mul_le_mul hk hk
        rw [memory_of_active (by simp only [Active, completion, start]; omega)]
        simp only [start]
        omega
      dsimp only at h4 ⊢
      omega
  rw [sum_map_const, List.length_range] at h2
  have e1 : 2 * k * (k * k) = k * (2 * (k * k)) := by grind
  have e2 : k * (2 * (k * k)) = (k - 1) * (2 * (k * k)) + 2 * (k * k) := by
    have := Nat.succ_mul (k - 1) (2 * (k * k))
    rwa [Nat.succ_eq_add_one, show k - 1 + 1 = k by omega] at this
  have := Nat.mul_le_mul hk hk
  omega

theorem sum_half : ∀ k : Nat,
    ((List.range (2 * k)).map fun i => 2 + i / 2 + 1).sum = k * k + 5 * k
  | 0 => rfl
  | k + 1 => by
    have ih := sum_half k
    rw [show 2 * (k + 1) = 2 * k + 1 + 1 by omega, List.range_succ, List.range_succ]
    simp only [List.map_append, List.map_cons, List.map_nil, List.sum_append_nat, List.sum_cons,
      List.sum_nil, ih]
    have e : (k + 1) * (k + 1) = k * k + 2 * k + 1 := by grind
    omega

theorem thin_first_schedule {k : Nat} (hk : 1 ≤ k) :
    ∃ S, Feasible (2 * (k * k)) (wideAndThin k) S ∧
      TEL (wideAndThin k) S = 3 * (k * k) + 5 * k := by
  generalize hS : (fun i => if i < 2 * k then 2 + i / 2 else 0 : Schedule) = S
  have h1 : ∀ i < 2 * k, S i = 2 + i / 2 := fun i hi => by rw [← hS]; exact if_pos hi
  have h2 : ∀ i, S (2 * k + i) = 0 := fun i => by rw [← hS]; exact if_neg (by omega)
  refine ⟨S, ⟨fun q hq => ?_, fun t => ?_⟩, ?_⟩
  · rw [(wideAndThin_burst hk).arrived q hq]; exact Nat.zero_le _
  · simp only [occupancy, wideAndThin, List.map_append, List.sum_append_nat, List.map_map]
    rcases Nat.lt_or_ge t 2 with ht | ht
    · have h3 := sum_map_eq_zero (f := (fun q => memory S q t) ∘
        fun i => (⟨i, 0, k * k - 1, 1⟩ : Request)) (l := List.range (2 * k)) fun i hi => by
          refine memory_of_not fun ha => ?_
          simp only [Active, start, h1 i (List.mem_range.1 hi)] at ha
          omega
      have h4 := sum_map_le_mul (f := (fun q => memory S q t) ∘
        fun i => (⟨2 * k + i, 0, 0, 2⟩ : Request)) (l := List.range (k * k)) (c := 2)
        fun i _ => memory_le _ _ _
      rw [List.length_range] at h4
      omega
    · have h3 := sum_map_eq_zero (f := (fun q => memory S q t) ∘
        fun i => (⟨2 * k + i, 0, 0, 2⟩ : Request)) (l := List.range (k * k)) fun i _ => by
          refine memory_of_not fun ha => ?_
          simp only [Active, completion, start, h2 i] at ha
          omega
      have h4 := sum_map_le_two (f := (fun q => memory S q t) ∘
        fun i => (⟨i, 0, k * k - 1, 1⟩ : Request)) (l := List.range (2 * k))
        (p := 2 * (t - 2)) (q := 2 * (t - 2) + 1) List.nodup_range fun i hi hne hne' => by
          refine memory_of_not fun ha => ?_
          simp only [Active, completion, start, h1 i (List.mem_range.1 hi)] at ha
          omega
      have h5 := memory_le S ⟨2 * (t - 2), 0, k * k - 1, 1⟩ t
      have h6 := memory_le S ⟨2 * (t - 2) + 1, 0, k * k - 1, 1⟩ t
      have := Nat.mul_le_mul hk hk
      simp only [Request.peak, Function.comp] at h3 h4 h5 h6 ⊢
      omega
  · rw [wideAndThin_TEL]
    have h3 := sum_half k
    have h4 : ((List.range (2 * k)).map fun i => S i + 1).sum =
        ((List.range (2 * k)).map fun i => 2 + i / 2 + 1).sum := sum_map_congr fun i hi => by
      rw [h1 i (List.mem_range.1 hi)]
    have h5 : ((List.range (k * k)).map fun i => S (2 * k + i) + 2).sum =
        ((List.range (k * k)).map fun _ => 2).sum := sum_map_congr fun i _ => by
      rw [h2 i]
    rw [h4, h5, h3, sum_map_const, List.length_range]
    omega

/-- Every schedule that starts the wide requests first is expensive. -/
theorem wide_before_thin {k : Nat} (hk : 1 ≤ k) {S : Schedule}
    (hS : Feasible (2 * (k * k)) (wideAndThin k) S)
    (h : ∀ i < 2 * k, ∀ j < k * k, S i ≤ S (2 * k + j)) :
    k * k * (k + 1) ≤ TEL (wideAndThin k) S := by
  obtain ⟨i, hi, hle⟩ := wide_late hk hS
  have h1 := sum_map_le_sum_map (f := fun _ => k + 1) (l := List.range (k * k))
    (g := fun j => S (2 * k + j) + 2) fun j hj => by
      have := h i hi j (List.mem_range.1 hj)
      dsimp only
      omega
  rw [sum_map_const, List.length_range] at h1
  rw [wideAndThin_TEL]
  omega

theorem sjf_unbounded (k : Nat) (hk : 1 ≤ k) : ∃ c, Burst (2 * (k * k)) (wideAndThin k) ∧
    IsOPT (2 * (k * k)) (wideAndThin k) c ∧ 0 < c ∧
    (k + 1) * k * c ≤ (3 * k + 5) * TEL (wideAndThin k) (sjf (2 * (k * k)) (wideAndThin k)) := by
  have hb := wideAndThin_burst hk
  obtain ⟨S, hS, hSc⟩ := thin_first_schedule hk
  obtain ⟨c, hc⟩ := IsOPT.of_feasible hS
  have hmem : ∀ i < 2 * k, (⟨i, 0, k * k - 1, 1⟩ : Request) ∈ wideAndThin k :=
    fun i hi => mem_wideAndThin.2 (Or.inl ⟨i, hi, rfl⟩)
  refine ⟨c, hb, hc, ?_, ?_⟩
  · obtain ⟨T, hT, rfl⟩ := hc.attained
    have h1 := output_le_latency hT (hmem 0 (by omega))
    have h2 := le_sum_map (latency T) (hmem 0 (by omega))
    unfold TEL
    dsimp only at h1
    omega
  · have h1 := wide_before_thin hk (orderByKey_feasible hb Request.output) fun i hi j hj =>
      orderByKey_start_le hb Request.output (hmem i hi)
        (mem_wideAndThin.2 (Or.inr ⟨j, hj, rfl⟩)) (by simp)
    have h2 := Nat.mul_le_mul_left ((k + 1) * k) (hc.least S hS)
    have h3 := Nat.mul_le_mul_left (3 * k + 5) h1
    rw [hSc] at h2
    have e : (k + 1) * k * (3 * (k * k) + 5 * k) = (3 * k + 5) * (k * k * (k + 1)) := by grind
    unfold sjf
    omega

end OnlineKvCache
