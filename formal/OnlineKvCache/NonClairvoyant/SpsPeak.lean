module

public import OnlineKvCache.NonClairvoyant.Sps
public import OnlineKvCache.NonClairvoyant.SpsCeil

public section

/-! # The peak memory of a pipeline -/

namespace OnlineKvCache

theorem spsOffset_add (tau : Nat) {k : Nat} (hk : 0 < k) (j : Nat) :
    spsOffset tau k (j + k) = spsOffset tau k j + tau := by
  rw [spsOffset, spsOffset, Nat.add_mul, Nat.add_mul_div_left _ _ hk]

theorem spsOffset_mono (tau k : Nat) {i j : Nat} (h : i ≤ j) :
    spsOffset tau k i ≤ spsOffset tau k j := Nat.div_le_div_right (Nat.mul_le_mul_right _ h)

/-- Ranks `k` or more apart do not overlap. -/
theorem spsMemory_apart {s tau k i j t : Nat} (hk : 0 < k) (h : i + k ≤ j)
    (hj : spsOffset tau k j ≤ t) : spsMemory s tau k i t = 0 := if_neg fun hi => by
  have h1 := spsOffset_mono tau k h
  rw [spsOffset_add tau hk] at h1
  omega

/-- Offsets of ranks `d` apart differ by at most `⌈dτ/k⌉`. -/
theorem spsOffset_sub {tau k : Nat} (hk : 0 < k) (j d : Nat) :
    spsOffset tau k (j + d) ≤ spsOffset tau k j + (d * tau + k - 1) / k := by
  unfold spsOffset
  have h1 := le_mul_ceil hk (d * tau)
  have h2 := Nat.div_add_mod (j * tau) k
  have h3 := Nat.mod_lt (j * tau) hk
  rw [← Nat.lt_succ_iff, Nat.div_lt_iff_lt_mul hk, Nat.succ_mul, Nat.add_mul, Nat.add_mul,
    Nat.mul_comm _ k, Nat.mul_comm _ k]
  omega

/-- The ranks that have started by round `t` are those below some `n`. -/
theorem exists_started {tau k : Nat} (hk : 0 < k) (ht : 0 < tau) (t : Nat) :
    ∃ n, t < spsOffset tau k n ∧ ∀ j, j < n → spsOffset tau k j ≤ t := by
  obtain ⟨n, hn, hmin⟩ := exists_min (p := fun n => t < spsOffset tau k n) ⟨(t + 1) * k, by
    change t < (t + 1) * k * tau / k
    rw [Nat.mul_right_comm, Nat.mul_div_cancel _ hk]
    exact Nat.le_trans (Nat.lt_succ_self t) (Nat.le_mul_of_pos_right _ ht)⟩
  exact ⟨n, hn, fun j hj => Nat.le_of_not_lt fun h => by have := hmin j h; omega⟩

/-- Only the first `k` terms count. -/
theorem sum_range_le_of_zero {f g : Nat → Nat} {k : Nat} : ∀ n : Nat,
    (∀ d, d < k → f d ≤ g d) → (∀ d, k ≤ d → d < n → f d = 0) →
    ((List.range n).map f).sum ≤ ((List.range k).map g).sum := by
  intro n h1 h2
  rcases Nat.le_total n k with h | h
  · obtain ⟨e, rfl⟩ := Nat.le.dest h
    rw [sum_range_add]
    have := sum_map_le_sum_map (l := List.range n) (f := f) (g := g) fun d hd =>
      h1 d (by have := List.mem_range.1 hd; omega)
    omega
  · obtain ⟨e, rfl⟩ := Nat.le.dest h
    rw [sum_range_add, sum_map_eq_zero (l := List.range e) fun d hd => h2 (k + d)
      (Nat.le_add_right ..) (by have := List.mem_range.1 hd; omega), Nat.add_zero]
    exact sum_map_le_sum_map fun d hd => h1 d (List.mem_range.1 hd)

/-- At most the last `k` ranks that have started count. -/
theorem sps_sum_le {f : Nat → Nat} {g : Nat → Nat} {tau k t : Nat} (hk : 0 < k) (ht : 0 < tau)
    (hoff : ∀ j, ¬ (spsOffset tau k j ≤ t ∧ t < spsOffset tau k j + tau) → f j = 0)
    (hon : ∀ j d, spsOffset tau k j ≤ t → t < spsOffset tau k (j + d + 1) → f j ≤ g d) (m : Nat) :
    ((List.range m).map f).sum ≤ ((List.range k).map g).sum := by
  obtain ⟨n, hn, hlt⟩ := exists_started hk ht t
  have hge : ∀ j, n ≤ j → f j = 0 := fun j hj => hoff j fun h => by
    have := spsOffset_mono tau k hj
    omega
  have h1 : ((List.range m).map f).sum ≤ ((List.range n).map f).sum :=
    sum_range_le_of_zero m (fun _ _ => Nat.le_refl _) fun d hd _ => hge d hd
  refine Nat.le_trans h1 ?_
  rw [← sum_range_reverse]
  refine sum_range_le_of_zero n (fun d hd => ?_) fun d hd hdn => hoff _ fun h => ?_
  · by_cases hd' : d < n
    · refine hon _ d (hlt _ (by omega)) ?_
      rwa [show n - 1 - d + d + 1 = n by omega]
    · rcases Nat.eq_zero_or_pos n with h0 | h0
      · subst h0
        rw [hge _ (Nat.zero_le _)]
        exact Nat.zero_le _
      · rw [show n - 1 - d = 0 by omega]
        refine hon 0 d (hlt 0 h0) (Nat.lt_of_lt_of_le hn (spsOffset_mono tau k (by omega)))
  · have h3 := spsOffset_mono tau k (show n - 1 - d + k ≤ n - 1 by omega)
    rw [spsOffset_add tau hk] at h3
    have h4 := hlt (n - 1) (by omega)
    omega

/-- At most `k` ranks overlap. -/
theorem sps_overlap {tau k : Nat} (hk : 0 < k) (ht : 0 < tau) (m t : Nat) :
    ((List.range m).filter fun j =>
      decide (spsOffset tau k j ≤ t ∧ t < spsOffset tau k j + tau)).length ≤ k := by
  have h := sps_sum_le (f := fun j =>
      if decide (spsOffset tau k j ≤ t ∧ t < spsOffset tau k j + tau) then 1 else 0)
    (g := fun _ => 1) (t := t) hk ht
    (fun j hj => if_neg (by rw [decide_eq_true_eq]; exact hj))
    (fun j d _ _ => by dsimp only; split <;> omega) m
  rw [sum_map_ite _ (fun _ => 1), sum_map_const, sum_map_const, List.length_range] at h
  omega

theorem two_spsPeak (s tau : Nat) {k : Nat} (hk : 0 < k) :
    2 * spsPeak s tau k + Nat.gcd tau k = 2 * (k * s) + tau * (k + 1) + k := by
  have h := two_sum_ceil tau k hk
  unfold spsPeak
  omega

theorem spsPeak_eq_sum (s tau : Nat) {k : Nat} (hk : 0 < k) : spsPeak s tau k =
    ((List.range k).map fun d => s + ((d + 1) * tau + k - 1) / k).sum := by
  have h := two_sum_ceil tau k hk
  have h2 := two_spsPeak s tau hk
  rw [sum_map_add, sum_map_const, List.length_range]
  omega

/-- In no round does the pipeline hold more than its peak. -/
theorem spsOccupancy_le {tau k : Nat} (hk : 0 < k) (ht : 0 < tau) (m s t : Nat) :
    spsOccupancy m s tau k t ≤ spsPeak s tau k := by
  rw [spsPeak_eq_sum s tau hk]
  refine sps_sum_le (f := fun j => spsMemory s tau k j t) (t := t) hk ht
    (fun j hj => if_neg hj) (fun j d h1 h2 => ?_) m
  have h3 := spsOffset_sub (tau := tau) hk j (d + 1)
  rw [← Nat.add_assoc] at h3
  change spsMemory s tau k j t ≤ _
  unfold spsMemory
  split <;> omega

/-- The peak is attained in round `τ - 1`, as soon as there are `k` ranks. -/
theorem spsOccupancy_peak {m tau k : Nat} (hk : 0 < k) (ht : 0 < tau) (hm : k ≤ m) (s : Nat) :
    spsOccupancy m s tau k (tau - 1) = spsPeak s tau k := by
  refine Nat.le_antisymm (spsOccupancy_le hk ht ..) ?_
  obtain ⟨e, rfl⟩ := Nat.le.dest hm
  rw [spsPeak_eq_sum s tau hk, spsOccupancy, sum_range_add, ← sum_range_reverse _ k]
  refine Nat.le_trans (sum_map_le_sum_map fun d hd => ?_) (Nat.le_add_right ..)
  have hd' := List.mem_range.1 hd
  have e1 : k - 1 - d + 1 + d = k := by omega
  have h0 : spsOffset tau k d + ((k - 1 - d + 1) * tau + k - 1) / k = tau := by
    have hsum : d * tau + (k - 1 - d + 1) * tau = k * tau := by
      rw [← Nat.add_mul]; congr 1; omega
    have h1 := Nat.div_add_mod (d * tau) k
    have h2 := Nat.mod_lt (d * tau) hk
    refine Nat.le_antisymm ?_ ?_
    · have hle : d * tau / k ≤ tau := by
        rw [← Nat.lt_succ_iff, Nat.div_lt_iff_lt_mul hk, Nat.succ_mul, Nat.mul_comm tau k]
        omega
      have h3 := (ceil_le_iff hk ((k - 1 - d + 1) * tau) (tau - d * tau / k)).2 (by
        rw [Nat.mul_sub]; omega)
      unfold spsOffset
      omega
    · have h3 := spsOffset_sub (tau := tau) hk d (k - 1 - d + 1)
      rw [show d + (k - 1 - d + 1) = 0 + k by omega, spsOffset_add tau hk, spsOffset,
        Nat.zero_mul, Nat.zero_div] at h3
      omega
  have hpos : 1 ≤ ((k - 1 - d + 1) * tau + k - 1) / k :=
    (Nat.le_div_iff_mul_le hk).2 (by
      have := Nat.mul_le_mul_right tau (show 1 ≤ k - 1 - d + 1 by omega)
      omega)
  rw [spsMemory, if_pos ⟨by omega, by omega⟩]
  omega

/-- Twice the memory, without the greatest common divisor. -/
theorem two_spsOccupancy_le {tau k : Nat} (hk : 0 < k) (ht : 0 < tau) (m s t : Nat) :
    2 * spsOccupancy m s tau k t + 1 ≤ 2 * (k * s) + tau * (k + 1) + k := by
  have h1 := spsOccupancy_le hk ht m s t
  have h2 := two_spsPeak s tau hk
  have h3 := Nat.gcd_pos_of_pos_right tau hk
  omega

end OnlineKvCache
