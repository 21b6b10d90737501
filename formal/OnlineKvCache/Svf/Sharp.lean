module

public import OnlineKvCache.Svf.Ratio
public import OnlineKvCache.Area.Additive

public section

/-! # The sharpened ratio

The additive lower bound on the optimum in place of the area bound. -/

namespace OnlineKvCache

/-- For a sorted list, the sum of what comes before is that of the minima. -/
theorem beforeSum_sorted {l : List Nat} (h : l.Pairwise (· ≤ ·)) :
    2 * beforeSum l + l.sum = orderedMin l := by
  induction l with
  | nil => rfl
  | cons x l ih =>
    have h' := List.pairwise_cons.1 h
    have h1 := ih h'.2
    rw [orderedMin_cons, minSum_of_le h'.1, beforeSum, List.sum_cons]
    omega

/-- The certificate and the additive bound put together, for an order whose sum of what comes
before is at most `u / w` times the sum of the minima. -/
theorem sharp_core {M Pk u w c : Nat} {I l : List Request} (hI : Burst M I) (hl : l.Perm I)
    (hM : Pk ≤ M) (hp : ∀ q ∈ I, q.peak ≤ Pk)
    (hv : w * (2 * beforeSum (l.map twiceVolume) + (l.map twiceVolume).sum) ≤
      u * orderedMin (l.map twiceVolume)) (hc : IsOPT M I c) :
    3 * (w * ((M - Pk + 1) * TEL I (listSchedule M l))) +
        2 * (u * (M * (I.map Request.output).sum)) ≤
      3 * (w * ((M - Pk + 1) * (I.map Request.output).sum)) + 6 * (u * (M * c)) := by
  have h1 := certificate_sum (hI.perm hl.symm) hM fun q hq => hp q (hl.mem_iff.1 hq)
  rw [totalCompletion_perm hl, ← hI.TEL_eq, (hl.map Request.output).sum_nat] at h1
  rw [orderedMin_perm (hl.map twiceVolume)] at hv
  have h2 := Nat.mul_le_mul_left u (additive_bound_opt hI hc)
  have h3 : (I.map fun q => 2 * q.output + 1).sum =
      2 * (I.map Request.output).sum + (I.map fun _ => 1).sum := by
    rw [sum_map_add, sum_map_mul]
  have h4 := Nat.mul_le_mul_left w h1
  rw [h3] at h2
  generalize M - Pk + 1 = D at h1 h4 ⊢
  generalize (I.map Request.output).sum = O at h1 h2 h4 ⊢
  generalize TEL I (listSchedule M l) = T at h1 h4 ⊢
  generalize beforeSum (l.map twiceVolume) = B at hv h1 h4
  have e1 : u * (3 * orderedMin (I.map twiceVolume) +
      2 * M * (2 * O + (I.map fun _ => 1).sum)) = 3 * (u * orderedMin (I.map twiceVolume)) +
      4 * (u * (M * O)) + 2 * (u * (M * (I.map fun _ => 1).sum)) := by grind
  have e2 : u * (12 * M * c) = 12 * (u * (M * c)) := by grind
  rw [Nat.mul_add] at hv h4
  have e3 : w * (2 * B) = 2 * (w * B) := Nat.mul_left_comm ..
  omega

/-- Shortest volume first, with the sum of the outputs kept. -/
theorem svf_sharp_core {M Pk c : Nat} {I : List Request} (hI : Burst M I) (hM : Pk ≤ M)
    (hp : ∀ q ∈ I, q.peak ≤ Pk) (hc : IsOPT M I c) :
    3 * ((M - Pk + 1) * TEL I (svf M I)) + 2 * (M * (I.map Request.output).sum) ≤
      3 * ((M - Pk + 1) * (I.map Request.output).sum) + 6 * (M * c) := by
  have h := sharp_core (u := 1) (w := 1) hI (svfOrder_perm I) hM hp (by
    rw [beforeSum_sorted (List.pairwise_map.2 (svfOrder_le I))]; exact Nat.le_refl _) hc
  simpa only [Nat.one_mul] using h

/-- The sharpened ratio of shortest volume first: with `D = M - Pk + 1`, at most `1 + 4M / (3D)` if
`3D ≥ 2M`, else at most `2M / D`. -/
theorem svf_sharp {M Pk c : Nat} {I : List Request} (hI : Burst M I) (hM : Pk ≤ M)
    (hp : ∀ q ∈ I, q.peak ≤ Pk) (hc : IsOPT M I c) :
    (2 * M ≤ 3 * (M - Pk + 1) →
      3 * (M - Pk + 1) * TEL I (svf M I) ≤ (4 * M + 3 * (M - Pk + 1)) * c) ∧
    (3 * (M - Pk + 1) ≤ 2 * M → (M - Pk + 1) * TEL I (svf M I) ≤ 2 * M * c) := by
  have h := svf_sharp_core hI hM hp hc
  have h1 := output_sum_le_opt hc
  generalize M - Pk + 1 = D at h ⊢
  generalize TEL I (svf M I) = T at h ⊢
  generalize (I.map Request.output).sum = O at h h1
  constructor
  · intro hD
    obtain ⟨x, hx⟩ : ∃ x, 3 * D = 2 * M + x := ⟨3 * D - 2 * M, by omega⟩
    have h2 := Nat.mul_le_mul_left x h1
    have e1 : 3 * (D * O) = 2 * (M * O) + x * O := by rw [← Nat.mul_assoc, hx]; grind
    have e2 : (4 * M + 3 * D) * c = 6 * (M * c) + x * c := by rw [hx]; grind
    rw [e2, Nat.mul_assoc]
    omega
  · intro hD
    have h2 := Nat.mul_le_mul_right O hD
    have e1 : 3 * D * O = 3 * (D * O) := Nat.mul_assoc ..
    have e2 : 2 * M * O = 2 * (M * O) := Nat.mul_assoc ..
    rw [Nat.mul_assoc]
    omega

/-- The sharpened ratio with peaks at most `a / d` of the memory: `1 + 4 / (3 (1 - a/d))` up to
one third, and `2 / (1 - a/d)` from there on. -/
theorem svf_sharp_part {M a d c : Nat} {I : List Request} (hI : Burst M I) (had : a < d)
    (hp : ∀ q ∈ I, q.peak * d ≤ a * M) (hc : IsOPT M I c) :
    (3 * a ≤ d → 3 * (d - a) * TEL I (svf M I) ≤ (7 * d - 3 * a) * c) ∧
    (d ≤ 3 * a → (d - a) * TEL I (svf M I) ≤ 2 * d * c) := by
  by_cases hn : I = []
  · have : TEL I (svf M I) = 0 := by rw [hn]; rfl
    rw [this, Nat.mul_zero, Nat.mul_zero]
    exact ⟨fun _ => Nat.zero_le _, fun _ => Nat.zero_le _⟩
  · obtain ⟨h1, h2, h3⟩ := peak_bound (M := M) had
    have hM := hI.memory_pos hn
    obtain ⟨h4, h5⟩ := svf_sharp hI h1 (fun q hq => h3 _ (hp q hq)) hc
    obtain ⟨y, rfl⟩ : ∃ y, d = a + y := ⟨d - a, by omega⟩
    rw [Nat.add_sub_cancel_left] at h2 ⊢
    generalize M - a * M / (a + y) + 1 = D at h2 h4 h5
    generalize TEL I (svf M I) = T at h4 h5 ⊢
    rw [show 7 * (a + y) - 3 * a = 4 * a + 7 * y by omega]
    have key : 3 * (y * T) ≤ 4 * ((a + y) * c) + 3 * (y * c) ∨ y * T ≤ 2 * ((a + y) * c) := by
      rcases Nat.le_total (2 * M) (3 * D) with h6 | h6
      · left
        have h7 := h4 h6
        rcases Nat.le_total T c with h8 | h8
        · have := Nat.mul_le_mul_left y h8
          omega
        · obtain ⟨W, rfl⟩ : ∃ W, T = c + W := ⟨T - c, by omega⟩
          have h9 : 3 * (D * W) ≤ 4 * (M * c) := by grind
          have h10 : 3 * (y * W) ≤ 4 * ((a + y) * c) := by
            refine Nat.le_of_mul_le_mul_left (?_ : M * _ ≤ M * _) hM
            calc M * (3 * (y * W)) = 3 * (W * (y * M)) := by grind
              _ ≤ 3 * (W * ((a + y) * D)) := Nat.mul_le_mul_left _ (Nat.mul_le_mul_left _ h2)
              _ = (a + y) * (3 * (D * W)) := by grind
              _ ≤ (a + y) * (4 * (M * c)) := Nat.mul_le_mul_left _ h9
              _ = M * (4 * ((a + y) * c)) := by grind
          rw [Nat.mul_add]
          omega
      · right
        have h7 := h5 h6
        refine Nat.le_of_mul_le_mul_left (?_ : M * _ ≤ M * _) hM
        calc M * (y * T) = T * (y * M) := by grind
          _ ≤ T * ((a + y) * D) := Nat.mul_le_mul_left _ h2
          _ = (a + y) * (D * T) := by grind
          _ ≤ (a + y) * (2 * M * c) := Nat.mul_le_mul_left _ h7
          _ = M * (2 * ((a + y) * c)) := by grind
    have e1 : 3 * y * T = 3 * (y * T) := Nat.mul_assoc ..
    have e2 : (4 * a + 7 * y) * c = 4 * (a * c) + 7 * (y * c) := by grind
    have e3 : 2 * (a + y) * c = 2 * (a * c) + 2 * (y * c) := by grind
    have e4 : (a + y) * c = a * c + y * c := Nat.add_mul ..
    rw [e1, e2, e3]
    constructor
    · intro h
      have := Nat.mul_le_mul_right c (show 2 * a ≤ y by omega)
      rw [Nat.mul_assoc] at this
      omega
    · intro h
      have := Nat.mul_le_mul_right c (show y ≤ 2 * a by omega)
      rw [Nat.mul_assoc] at this
      omega

end OnlineKvCache
