module

public import OnlineKvCache.Svf.GapBound
public import OnlineKvCache.Svf.Order

public section

/-! # Shortest volume first is within 19/9 of the optimum, as the peaks become small -/

namespace OnlineKvCache.Svf.Gap

theorem burst_TEL {M : Nat} {I : List Request} (h : Burst M I) (S : Schedule) :
    TEL I S = (I.map (completion S)).sum := sum_map_congr fun q hq => by
  rw [latency, h.arrived q hq, Nat.sub_zero]

/-- R1: the total latency of shortest volume first. -/
theorem svf_bound {M P : Nat} {I : List Request} (h : Burst M I) (hP : ∀ q ∈ I, q.peak ≤ P)
    {C : Schedule} (hC : Feasible M I C) :
    9 * ((M - P + 1) * TEL I (svf M I)) ≤ 19 * (M * TEL I C) := by
  have hp := (svfOrder_perm I).symm
  have := list_weighted (w := fun _ => 1) (h.perm hp)
    (fun q hq => hP q (hp.mem_iff.2 hq))
    ((svfOrder_le I).imp fun h => by simpa only [Nat.one_mul] using h) (hC.perm hp)
  simp only [Nat.one_mul] at this
  rw [burst_TEL h, burst_TEL h, (hp.map (completion (svf M I))).sum_nat,
    (hp.map (completion C)).sum_nat]
  exact this

theorem exists_peak : ∀ I : List Request, I ≠ [] →
    ∃ r ∈ I, ∀ q ∈ I, q.peak ≤ r.peak
  | [a], _ => ⟨a, by simp, by simp⟩
  | a :: b :: l, _ => by
    obtain ⟨r, hr, h⟩ := exists_peak (b :: l) (by simp)
    rcases Nat.le_total a.peak r.peak with h1 | h1
    · refine ⟨r, List.mem_cons_of_mem _ hr, fun q hq => ?_⟩
      rcases List.mem_cons.1 hq with hq1 | hq1
      · rw [hq1]; exact h1
      · exact h q hq1
    · refine ⟨a, List.mem_cons_self .., fun q hq => ?_⟩
      rcases List.mem_cons.1 hq with hq1 | hq1
      · rw [hq1]; exact Nat.le_refl _
      · exact Nat.le_trans (h q hq1) h1

/-- R1 with the share `a / d` of the memory that a request may hold. -/
theorem svf_share {M a d : Nat} {I : List Request} (h : Burst M I)
    (ha : ∀ q ∈ I, q.peak * d ≤ a * M) {C : Schedule} (hC : Feasible M I C) :
    9 * ((d - a) * TEL I (svf M I)) ≤ 19 * (d * TEL I C) := by
  by_cases hn : I = []
  · subst hn
    simp [TEL]
  · obtain ⟨r, hr, hP⟩ := exists_peak I hn
    have h1 := svf_bound h hP hC
    have h2 := ha r hr
    have h3 := h.fits r hr
    have h4 : 1 ≤ r.peak := Nat.le_trans (h.output_pos r hr) (Nat.le_add_left _ _)
    have h5 : M * (d - a) ≤ (M - r.peak + 1) * d := by
      obtain ⟨x, hx⟩ : ∃ x, M = r.peak + x := ⟨M - r.peak, by omega⟩
      have e1 : M * d = r.peak * d + x * d := by rw [hx, Nat.add_mul]
      have e2 : (M - r.peak + 1) * d = x * d + d := by
        rw [show M - r.peak + 1 = x + 1 by omega, Nat.add_mul, Nat.one_mul]
      rw [Nat.mul_sub, e2, Nat.mul_comm M a]
      omega
    have h6 := Nat.mul_le_mul_right (TEL I (svf M I)) h5
    have h7 := Nat.mul_le_mul_left d h1
    refine Nat.le_of_mul_le_mul_left (?_ : M * _ ≤ M * _) (show 0 < M by omega)
    have e1 : M * (9 * ((d - a) * TEL I (svf M I))) = 9 * (M * (d - a) * TEL I (svf M I)) := by
      grind
    have e2 : d * (9 * ((M - r.peak + 1) * TEL I (svf M I))) =
      9 * ((M - r.peak + 1) * d * TEL I (svf M I)) := by grind
    have e3 : d * (19 * (M * TEL I C)) = M * (19 * (d * TEL I C)) := by grind
    omega

/-- Every burst can be listed so that weight per volume does not increase. -/
theorem exists_ratio_order (w v : Request → Nat) (I : List Request) (hv : ∀ q ∈ I, 0 < v q) :
    ∃ l : List Request, l.Perm I ∧ l.Pairwise fun p q => w q * v p ≤ w p * v q := by
  refine ⟨I.mergeSort fun p q => decide (w q * max 1 (v p) ≤ w p * max 1 (v q)),
    List.mergeSort_perm _ _, ?_⟩
  have h := List.pairwise_mergeSort
    (le := fun p q => decide (w q * max 1 (v p) ≤ w p * max 1 (v q)))
    (fun p q r h1 h2 => by
      simp only [decide_eq_true_eq] at h1 h2 ⊢
      generalize max 1 (v r) = c at *
      generalize hp : max 1 (v p) = a at *
      generalize hq : max 1 (v q) = b at *
      have h3 := Nat.mul_le_mul_right a h2
      have h4 := Nat.mul_le_mul_right c h1
      refine Nat.le_of_mul_le_mul_left (?_ : b * _ ≤ b * _) (show 0 < b by omega)
      have e1 : b * (w r * a) = w r * b * a := by grind
      have e2 : b * (w p * c) = w p * b * c := by grind
      have e3 : w q * c * a = w q * a * c := by grind
      omega)
    (fun p q => by
      simp only [Bool.or_eq_true, decide_eq_true_eq]
      exact Nat.le_total _ _) I
  refine h.imp_of_mem fun {p q} hp hq hpq => ?_
  have h1 := hv p ((List.mergeSort_perm _ _).mem_iff.1 hp)
  have h2 := hv q ((List.mergeSort_perm _ _).mem_iff.1 hq)
  rw [decide_eq_true_eq, Nat.max_eq_right h1, Nat.max_eq_right h2] at hpq
  exact hpq

end OnlineKvCache.Svf.Gap
