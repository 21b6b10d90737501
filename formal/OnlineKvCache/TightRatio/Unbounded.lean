module

public import OnlineKvCache.TightRatio.PackingComparators
public import OnlineKvCache.TightRatio.SerialUpper

public section

/-! # The ratio is unbounded at a fixed memory -/

namespace OnlineKvCache

/-- In both branches the scheduler has a backlog of a fifth of `N` during the whole stream. -/
theorem TwoKinds.ratio {M x y : Nat} (h : TwoKinds M x y) (N : Nat) (hN : 1 ≤ N) :
    RatioAtLeast M (17 * (N * N) + 8 * N) N 10 := by
  intro A hA
  have h1 := h.two_le; have h2 := h.lt; have h3 := h.three_fit; have h4 := h.two_fit
  have hNN : N * 1 ≤ N * N := Nat.mul_le_mul_left N hN
  have hfirst : ∀ (z m T : Nat) (S : Schedule), 2 ≤ z → z ≤ M →
      Serves M A (packing M x y z N m T) S →
      committed A x y N (unitBlock x 0 0 0 (3 * N)) +
        2 * committed A x y N (unitBlock y (3 * N) 0 0 (2 * N)) ≤ 4 * N ∧
      startsIn S (unitBlock x 0 0 0 (3 * N)) 0 N =
        committed A x y N (unitBlock x 0 0 0 (3 * N)) ∧
      startsIn S (unitBlock y (3 * N) 0 0 (2 * N)) 0 N =
        committed A x y N (unitBlock y (3 * N) 0 0 (2 * N)) := fun z m T S hz hzM hS => by
    have e1 := startsIn_committed h1 (by omega) (by omega) (by omega) hz hzM hA hS
      (Z := unitBlock x 0 0 0 (3 * N)) fun q hq => List.mem_append_left _ hq
    have e2 := startsIn_committed h1 (by omega) (by omega) (by omega) hz hzM hA hS
      (Z := unitBlock y (3 * N) 0 0 (2 * N)) fun q hq => List.mem_append_right _ hq
    refine ⟨?_, e1, e2⟩
    rw [← e1, ← e2, ← sum_startsAt, ← sum_startsAt, ← sum_map_mul, ← sum_map_add]
    refine Nat.le_trans (sum_map_le_mul (c := 4) fun t _ => ?_)
      (by rw [List.length_range]; omega)
    have hc := hS.feasible.capacity (0 + t)
    rw [occupancy_packing _ (by omega) (by omega) (by omega) (by omega)] at hc
    exact h.round_first (by omega)
  have hfinish : ∀ T C X, T * N ≤ 5 * X → C ≤ 2 * T → N * C ≤ 10 * X := fun T C X hX hC => by
    have := Nat.mul_le_mul_left N hC
    have e : N * (2 * T) = 2 * (T * N) := by grind
    omega
  rcases Nat.lt_or_ge (8 * N)
      (5 * committed A x y N (unitBlock y (3 * N) 0 0 (2 * N))) with hk | hk
  · -- many of `y` are gone: what comes goes with `y`
    refine factorAtLeast_of_feasible (I := packing M x y (M - y) N (2 * N) (17 * (N * N) + N))
      (T := keepY N)
      (valid_packing h1 (by omega) (by omega) (by omega) (by omega) (by omega))
      (by rw [length_packing]; omega) (by omega) (keepY_feasible h) fun S hS => ?_
    have hf := hfirst _ _ _ S (by omega) (by omega) hS
    have hcost := keepY_TEL M x y N (17 * (N * N) + N)
    refine hfinish (17 * (N * N) + N) _ _ (backlog_le_TEL (R := N + 2 * N) fun i hi => ?_)
      (by omega)
    have hr := hS.feasible.release
    have hw : startsIn S (unitBlock x 0 0 0 (3 * N)) N (2 * N + i) +
        startsIn S (unitBlock y (3 * N) 0 0 (2 * N)) N (2 * N + i) +
        2 * startsIn S (unitBlock (M - y) (5 * N) N 0 (2 * N)) N (2 * N + i) +
        3 * startsIn S (unitBlock M (5 * N + 2 * N) (N + 2 * N) 1 (17 * (N * N) + N)) N
          (2 * N + i) ≤ (2 * N + i) * 3 := by
      simp only [← sum_startsAt]
      rw [← sum_map_mul, ← sum_map_mul, ← sum_map_add, ← sum_map_add, ← sum_map_add]
      refine Nat.le_trans (sum_map_le_mul (c := 3) fun t _ => ?_)
        (by rw [List.length_range]; exact Nat.le_refl _)
      have hc := hS.feasible.capacity (N + t)
      rw [occupancy_packing _ (by omega) (by omega) (by omega) (by omega)] at hc
      exact h.round_keepY hc
    have l1 := length_eq_starts (S := S) (Z := unitBlock x 0 0 0 (3 * N)) (N := N)
      (d := 2 * N + i) fun q hq => by obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 hq; simp
    have l2 := length_eq_starts (S := S) (Z := unitBlock y (3 * N) 0 0 (2 * N)) (N := N)
      (d := 2 * N + i) fun q hq => by obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 hq; simp
    have l3 := length_eq_starts (S := S) (Z := unitBlock (M - y) (5 * N) N 0 (2 * N)) (N := N)
      (d := 2 * N + i) fun q hq => by obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 hq; simp
    have l4 := stream_arrived (S := S) (M := M) (i := 5 * N + 2 * N) (R := N + 2 * N)
      (T := 17 * (N * N) + N) (N := N) (d := 2 * N + i) (by omega) (by omega) (by omega)
      fun q hq => hr q (mem_packing.2 (Or.inr (Or.inr hq)))
    have l5 : startsIn S (unitBlock (M - y) (5 * N) N 0 (2 * N)) 0 N = 0 :=
      sum_map_eq_zero fun q hq => by
        have := hr q (mem_packing.2 (Or.inr (Or.inl hq)))
        obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 hq
        simp only at this
        exact if_neg (by omega)
    rw [length_unitBlock] at l1 l2 l3
    rw [lateAt_le_unfinished, show N + 2 * N + i = N + (2 * N + i) by omega]
    omega
  · -- many of `y` are left: what comes goes with `x`
    refine factorAtLeast_of_feasible (I := packing M x y (M - x) N (3 * N) (17 * (N * N)))
      (T := keepX N)
      (valid_packing h1 (by omega) (by omega) (by omega) (by omega) (by omega))
      (by rw [length_packing]; omega) (by omega) (keepX_feasible h) fun S hS => ?_
    have hf := hfirst _ _ _ S (by omega) (by omega) hS
    have hcost := keepX_TEL M x y N (17 * (N * N))
    refine hfinish (17 * (N * N)) _ _ (backlog_le_TEL (R := N + 3 * N) fun i hi => ?_) (by omega)
    have hr := hS.feasible.release
    have hw : startsIn S (unitBlock y (3 * N) 0 0 (2 * N)) N (3 * N + i) +
        2 * startsIn S (unitBlock (M - x) (5 * N) N 0 (3 * N)) N (3 * N + i) +
        2 * startsIn S (unitBlock M (5 * N + 3 * N) (N + 3 * N) 1 (17 * (N * N))) N
          (3 * N + i) ≤ (3 * N + i) * 2 := by
      simp only [← sum_startsAt]
      rw [← sum_map_mul, ← sum_map_mul, ← sum_map_add, ← sum_map_add]
      refine Nat.le_trans (sum_map_le_mul (c := 2) fun t _ => ?_)
        (by rw [List.length_range]; exact Nat.le_refl _)
      have hc := hS.feasible.capacity (N + t)
      rw [occupancy_packing _ (by omega) (by omega) (by omega) (by omega)] at hc
      exact h.round_keepX hc
    have l2 := length_eq_starts (S := S) (Z := unitBlock y (3 * N) 0 0 (2 * N)) (N := N)
      (d := 3 * N + i) fun q hq => by obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 hq; simp
    have l3 := length_eq_starts (S := S) (Z := unitBlock (M - x) (5 * N) N 0 (3 * N)) (N := N)
      (d := 3 * N + i) fun q hq => by obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 hq; simp
    have l4 := stream_arrived (S := S) (M := M) (i := 5 * N + 3 * N) (R := N + 3 * N)
      (T := 17 * (N * N)) (N := N) (d := 3 * N + i) (by omega) (by omega) (by omega)
      fun q hq => hr q (mem_packing.2 (Or.inr (Or.inr hq)))
    have l5 : startsIn S (unitBlock (M - x) (5 * N) N 0 (3 * N)) 0 N = 0 :=
      sum_map_eq_zero fun q hq => by
        have := hr q (mem_packing.2 (Or.inr (Or.inl hq)))
        obtain ⟨j, _, rfl⟩ := mem_unitBlock.1 hq
        simp only at this
        exact if_neg (by omega)
    rw [length_unitBlock] at l2 l3
    rw [lateAt_le_unfinished, show N + 3 * N + i = N + (3 * N + i) by omega]
    omega

/-- Memory 7. -/
theorem twoKinds_seven : TwoKinds 7 2 3 := by constructor <;> omega

/-- Every memory from 9 on. -/
theorem twoKinds_of_nine_le {M : Nat} (h : 9 ≤ M) :
    TwoKinds M (M / 3) (if M % 3 = 2 then M / 3 + 2 else M / 3 + 1) := by
  constructor <;> (try split) <;> omega

/-- For every memory `M = 7` or `M ≥ 9` the ratio is unbounded. -/
theorem ratio_unbounded (M N : Nat) (hM : M = 7 ∨ 9 ≤ M) (hN : 1 ≤ N) :
    RatioAtLeast M (17 * (N * N) + 8 * N) N 10 := by
  rcases hM with rfl | hM
  · exact twoKinds_seven.ratio N hN
  · exact (twoKinds_of_nine_le hM).ratio N hN

end OnlineKvCache
