module

public import OnlineKvCache.Svf.Order
public import OnlineKvCache.Svf.Certificate

public section

/-! # List scheduling in an order that is almost by volume

If a request precedes another only when its volume is at most `u / w` times that of the other, list
scheduling is within a constant factor of the optimum. Shortest volume first is `u / w = 1`. -/

namespace OnlineKvCache

theorem Burst.memory_pos {M : Nat} {I : List Request} (h : Burst M I) (hn : I ≠ []) : 0 < M := by
  cases I with
  | nil => exact absurd rfl hn
  | cons q l =>
    have h1 := h.output_pos q (List.mem_cons_self ..)
    have h2 := h.fits q (List.mem_cons_self ..)
    unfold Request.peak at h2
    omega

/-- A bound on the peaks from a bound `a / d` on their part of the memory. -/
theorem peak_bound {M a d : Nat} (had : a < d) : a * M / d ≤ M ∧
    (d - a) * M ≤ d * (M - a * M / d + 1) ∧ ∀ p, p * d ≤ a * M → p ≤ a * M / d := by
  have hd : 0 < d := by omega
  have h1 : a * M / d ≤ M := Nat.div_le_of_le_mul (Nat.mul_le_mul_right M (Nat.le_of_lt had))
  have h2 := Nat.mul_div_le (a * M) d
  refine ⟨h1, ?_, fun p hp => (Nat.le_div_iff_mul_le hd).2 hp⟩
  obtain ⟨y, rfl⟩ : ∃ y, d = a + y := ⟨d - a, by omega⟩
  generalize a * M / (a + y) = P at h1 h2
  obtain ⟨x, rfl⟩ : ∃ x, M = P + x := ⟨M - P, by omega⟩
  rw [Nat.add_sub_cancel_left, Nat.add_sub_cancel_left]
  have e1 : (a + y) * (x + 1) + (a + y) * P = a * (P + x) + y * (P + x) + (a + y) := by grind
  omega

/-- What is known of a list schedule `S` of an order with inversion factor `u / w`, with the
certificate and the area bound put together. -/
theorem order_facts {M Pk u w c : Nat} {I l : List Request} (hI : Burst M I) (hl : l.Perm I)
    (hM : Pk ≤ M) (hp : ∀ q ∈ I, q.peak ≤ Pk) (huw : w ≤ u)
    (hv : l.Pairwise fun p r => w * twiceVolume p ≤ u * twiceVolume r) (hc : IsOPT M I c) :
    ∃ O B, (M - Pk + 1) * TEL I (listSchedule M l) ≤ (M - Pk + 1) * O + B ∧
      w * B + u * (I.map twiceVolume).sum ≤ u * (2 * M * c) ∧ O ≤ c ∧
      2 * O ≤ (I.map twiceVolume).sum := by
  have hl' := hI.perm hl.symm
  have h1 := certificate_sum hl' hM fun q hq => hp q (hl.mem_iff.1 hq)
  have h2 := beforeSum_le (l := l.map twiceVolume) huw (List.pairwise_map.2 hv)
  have h3 := Nat.mul_le_mul_left u (area_bound_opt hI hc)
  have h4 : 2 * (I.map Request.output).sum ≤ (I.map twiceVolume).sum := by
    rw [← sum_map_mul]
    exact sum_map_le_sum_map fun q _ => output_le_twiceVolume q
  rw [pairMin_perm (hl.map twiceVolume), (hl.map twiceVolume).sum_nat] at h2
  rw [totalCompletion_perm hl, ← hI.TEL_eq, (hl.map Request.output).sum_nat] at h1
  exact ⟨_, _, h1, Nat.le_trans h2 h3, output_sum_le_opt hc, h4⟩

theorem ratio_arith {M D O T B u w c d y : Nat} (hM : 0 < M) (hD : y * M ≤ d * D)
    (h1 : D * T ≤ D * O + B) (h2 : w * B ≤ u * (2 * M * c)) (h3 : O ≤ c) :
    w * (y * T) ≤ (w * y + 2 * (u * d)) * c := by
  have e : (w * y + 2 * (u * d)) * c = w * (y * c) + 2 * (u * d) * c := by grind
  rw [e]
  rcases Nat.le_total T O with h | h
  · have := Nat.mul_le_mul_left w (Nat.mul_le_mul_left y (Nat.le_trans h h3))
    omega
  · obtain ⟨W, rfl⟩ : ∃ W, T = O + W := ⟨T - O, by omega⟩
    have h4 : D * W ≤ B := by rw [Nat.mul_add] at h1; omega
    have h5 := Nat.mul_le_mul_left w (Nat.mul_le_mul_left y h3)
    have h6 : w * (y * W) ≤ 2 * (u * d) * c := by
      refine Nat.le_of_mul_le_mul_left (?_ : M * _ ≤ M * _) hM
      calc M * (w * (y * W)) = w * W * (y * M) := by grind
        _ ≤ w * W * (d * D) := Nat.mul_le_mul_left _ hD
        _ = d * (w * (D * W)) := by grind
        _ ≤ d * (w * B) := Nat.mul_le_mul_left _ (Nat.mul_le_mul_left _ h4)
        _ ≤ d * (u * (2 * M * c)) := Nat.mul_le_mul_left _ h2
        _ = M * (2 * (u * d) * c) := by grind
    rw [Nat.mul_add, Nat.mul_add]
    omega

/-- An order with inversion factor `u / w`, with a bound `a / d` on the peaks:
`1 + 2 (u / w) / (1 - a / d)`. -/
theorem order_ratio {M a d u w c : Nat} {I l : List Request} (hI : Burst M I) (hl : l.Perm I)
    (had : a < d) (hp : ∀ q ∈ I, q.peak * d ≤ a * M) (huw : w ≤ u)
    (hv : l.Pairwise fun p r => w * twiceVolume p ≤ u * twiceVolume r) (hc : IsOPT M I c) :
    w * ((d - a) * TEL I (listSchedule M l)) ≤ (w * (d - a) + 2 * (u * d)) * c := by
  by_cases hn : I = []
  · have : TEL I (listSchedule M l) = 0 := by rw [hn]; rfl
    rw [this, Nat.mul_zero, Nat.mul_zero]
    exact Nat.zero_le _
  · obtain ⟨h1, h2, h3⟩ := peak_bound (M := M) had
    obtain ⟨O, B, h4, h5, h6, _⟩ := order_facts hI hl h1 (fun q hq => h3 _ (hp q hq)) huw hv hc
    exact ratio_arith (hI.memory_pos hn) h2 h4 (by omega) h6

/-- An order with inversion factor `u / w`, with a bound `Pk` on the peaks:
`1 + 2 (u / w) M / (M - Pk + 1)`. -/
theorem order_ratio_peak {M Pk u w c : Nat} {I l : List Request} (hI : Burst M I) (hl : l.Perm I)
    (hM : Pk ≤ M) (hp : ∀ q ∈ I, q.peak ≤ Pk) (huw : w ≤ u)
    (hv : l.Pairwise fun p r => w * twiceVolume p ≤ u * twiceVolume r) (hc : IsOPT M I c) :
    w * ((M - Pk + 1) * TEL I (listSchedule M l)) ≤ (w * (M - Pk + 1) + 2 * (u * M)) * c := by
  obtain ⟨O, B, h1, h2, h3, _⟩ := order_facts hI hl hM hp huw hv hc
  have h4 := Nat.mul_le_mul_left w h1
  have h5 := Nat.mul_le_mul_left w (Nat.mul_le_mul_left (M - Pk + 1) h3)
  have e1 : (w * (M - Pk + 1) + 2 * (u * M)) * c = w * ((M - Pk + 1) * c) + u * (2 * M * c) := by
    grind
  rw [Nat.mul_add] at h4
  omega

theorem svfOrder_inversion (I : List Request) :
    (svfOrder I).Pairwise fun p r => 1 * twiceVolume p ≤ 1 * twiceVolume r :=
  (svfOrder_le I).imp fun h => by omega

/-- Shortest volume first with peaks at most `a / d` of the memory: `(3 - a/d) / (1 - a/d)`. -/
theorem svf_ratio {M a d c : Nat} {I : List Request} (hI : Burst M I) (had : a < d)
    (hp : ∀ q ∈ I, q.peak * d ≤ a * M) (hc : IsOPT M I c) :
    (d - a) * TEL I (svf M I) ≤ (3 * d - a) * c := by
  have h := order_ratio hI (svfOrder_perm I) had hp (Nat.le_refl 1) (svfOrder_inversion I) hc
  rw [Nat.one_mul, Nat.one_mul, Nat.one_mul, show d - a + 2 * d = 3 * d - a by omega] at h
  exact h

/-- Shortest volume first is within `2M` of the optimum, with no condition on the peaks. -/
theorem svf_two_memory {M c : Nat} {I : List Request} (hI : Burst M I) (hc : IsOPT M I c) :
    TEL I (svf M I) ≤ 2 * M * c := by
  obtain ⟨O, B, h1, h2, _, h4⟩ := order_facts hI (svfOrder_perm I) (Nat.le_refl M) hI.fits
    (Nat.le_refl 1) (svfOrder_inversion I) hc
  rw [Nat.sub_self, Nat.zero_add, Nat.one_mul, Nat.one_mul] at h1
  rw [Nat.one_mul, Nat.one_mul, Nat.one_mul] at h2
  unfold svf
  omega

end OnlineKvCache
