module

public import OnlineKvCache.TightRatio.LongestFirstBound
public import OnlineKvCache.TightRatio.HalfDelay
public import OnlineKvCache.Online.Factor

public section

/-! # Every constant above the golden ratio conjugate is reached -/

namespace OnlineKvCache

/-- The longest-first rule against any feasible schedule. -/
theorem longest_upper {M K u v : Nat} {I : List Request} {T : Schedule} (hv : Valid M I)
    (hT : Feasible M I T) (hpos : 1 ≤ v) (htwo : 3 * u ≤ 2 * v) (hgold : v * v ≤ u * (u + v)) :
    2 * ((v * (K + 1) - u) * TEL I (longSchedule M K (partReady u v) I)) ≤
      (2 * (u * (K + 1)) * I.length + (6 * K + 15) * (v * (K + 1))) * TEL I T := by
  rcases Classical.em (I = []) with h0 | h0
  · subst h0; simp [TEL]
  obtain ⟨j, hj, hmax⟩ := exists_largest h0 fun p hp q hq => hv.inj hp hq
  have hle : u ≤ v := by omega
  have hhalf : v ≤ 2 * u := Nat.le_of_not_lt fun h => by
    have h1 := Nat.mul_le_mul_left v (show 2 * u + 1 ≤ v from h)
    have h2 := Nat.mul_le_mul_left u hle
    have e1 : v * (2 * u + 1) = 2 * (u * v) + v := by grind
    have e2 : u * (u + v) = u * u + u * v := Nat.mul_add ..
    omega
  have hroot : u * u + 2 * (v * v) ≤ 4 * (u * v) := by
    have h1 := Nat.mul_le_mul_left u htwo
    have e1 : u * (3 * u) = 3 * (u * u) := Nat.mul_left_comm ..
    have e2 : u * (2 * v) = 2 * (u * v) := Nat.mul_left_comm ..
    have e3 : u * (u + v) = u * u + u * v := Nat.mul_add ..
    omega
  exact LongSetting.bound ⟨hv, longestFirst_trace hv (arrival_le_partReady u v) hj hmax, hT, hj,
    hmax, hpos, hle, hhalf, hgold, hroot⟩

/-- A part `u / v` just below `p / q` that is still above the golden ratio conjugate. -/
theorem exists_part {p q : Nat} (hq : 0 < q) (hpq : q * q < p * p + p * q) : ∃ u v, 1 ≤ v ∧
    v * v ≤ u * (u + v) ∧ p * v = q * u + q ∧ 3 * u ≤ 3 * (p * (2 * p + q)) ∧
    v = q * (2 * p + q) := by
  have hp : 0 < p := by
    rcases Nat.eq_zero_or_pos p with rfl | h
    · simp at hpq
    · exact h
  generalize hL : 2 * p + q = L
  have hL1 : 1 ≤ L := by omega
  have hpL : 1 ≤ p * L := Nat.mul_pos hp hL1
  obtain ⟨u, hu⟩ := Nat.exists_eq_add_of_le' hpL
  have hqL : 1 ≤ q * L := Nat.mul_pos hq hL1
  refine ⟨u, q * L, hqL, ?_, ?_, by omega, rfl⟩
  · have h1 := Nat.mul_le_mul_left (L * L) (show q * q + 1 ≤ p * p + p * q from hpq)
    have e1 : L * L * (p * p + p * q) = (u + 1) * (u + 1 + q * L) := by rw [← hu]; grind
    have e2 : (u + 1) * (u + 1 + q * L) = u * (u + q * L) + (2 * u + 1 + q * L) := by grind
    have e3 : L * L * (q * q + 1) = q * L * (q * L) + L * L := by grind
    have e4 : L * L = 2 * (p * L) + q * L := by
      have : L * L = (2 * p + q) * L := by rw [hL]
      rw [this]; grind
    omega
  · have e : p * (q * L) = q * (p * L) := Nat.mul_left_comm ..
    rw [e, hu, Nat.mul_add, Nat.mul_one]

/-- For every `p / q` above the golden ratio conjugate there is a constant such that, at every
memory, one causal rule costs at most `(p / q) * n` plus the constant, times the optimum. -/
theorem golden_upper {p q : Nat} (hq : 0 < q) (hpq : q * q < p * p + p * q) :
    ∃ C, ∀ M, ∃ A, Causal M A ∧ ∀ n, FactorAtMost M n A (p * n + C) q := by
  rcases Nat.lt_or_ge (3 * p) (2 * q) with hsmall | hbig
  · obtain ⟨u, v, hv1, hgold, hpv, hu3, hveq⟩ := exists_part hq hpq
    -- the slack of the block
    have hKg : ∃ K, q * (u * (K + 1)) ≤ p * (v * (K + 1) - u) ∧ 1 ≤ v * (K + 1) - u := by
      refine ⟨p * u + u, ?_, ?_⟩
      · have h1 : p * (v * (p * u + u + 1)) = q * (u * (p * u + u + 1)) + q * (p * u + u + 1) := by
          have e : p * (v * (p * u + u + 1)) = p * v * (p * u + u + 1) := (Nat.mul_assoc ..).symm
          rw [e, hpv]; grind
        have h2 : p * u + u + 1 ≤ q * (p * u + u + 1) := Nat.le_mul_of_pos_left _ hq
        rw [Nat.mul_sub]
        omega
      · have h1 := Nat.mul_le_mul_right (p * u + u + 1) hv1
        omega
    obtain ⟨K, hK, hg1⟩ := hKg
    have htwo : 3 * u ≤ 2 * v := by
      have h1 := Nat.mul_le_mul_right (2 * p + q) (Nat.le_of_lt hsmall)
      have e1 : 3 * p * (2 * p + q) = 3 * (p * (2 * p + q)) := Nat.mul_assoc ..
      have e2 : 2 * q * (2 * p + q) = 2 * (q * (2 * p + q)) := Nat.mul_assoc ..
      omega
    refine ⟨q * ((6 * K + 15) * (v * (K + 1))), fun M => ⟨longestFirst M K (partReady u v),
      longestFirst_causal M K (arrival_le_partReady u v), fun n I hI hn =>
        ⟨_, longestFirst_serves hI (arrival_le_partReady u v), fun c hc => ?_⟩⟩⟩
    obtain ⟨T, hT, rfl⟩ := hc.attained
    have h := longest_upper (K := K) hI hT hv1 htwo hgold
    rw [hn] at h
    generalize v * (K + 1) - u = g at *
    generalize TEL I (longSchedule M K (partReady u v) I) = A at *
    generalize TEL I T = C at *
    generalize (6 * K + 15) * (v * (K + 1)) = E at *
    refine Nat.le_of_mul_le_mul_left (?_ : 2 * g * (q * A) ≤ 2 * g * ((p * n + q * E) * C))
      (by omega)
    have h1 := Nat.mul_le_mul_left q h
    have h2 := Nat.mul_le_mul_right (2 * (n * C)) hK
    have h3 := Nat.mul_le_mul_right (q * (E * C)) (show 1 ≤ 2 * g by omega)
    grind
  · refine ⟨3 * q, fun M => ⟨halfDelay M, mainFiller_causal M fun _ => Nat.le_add_right ..,
      fun n I hI hn => ⟨_, rule_serves hI fun _ => Nat.le_add_right .., fun c hc => ?_⟩⟩⟩
    obtain ⟨T, hT, rfl⟩ := hc.attained
    have h := half_delay_upper hI (rule_trace (ready := halfReady) hI) hT
    rw [hn] at h
    have h1 := Nat.mul_le_mul_left q h
    have h2 := Nat.mul_le_mul_right (n * TEL I T) hbig
    have e1 : q * (3 * TEL I (ruleSchedule M halfReady I)) =
        3 * (q * TEL I (ruleSchedule M halfReady I)) := Nat.mul_left_comm ..
    have e2 : q * ((2 * n + 9) * TEL I T) = 2 * q * (n * TEL I T) + 9 * (q * TEL I T) := by grind
    have e3 : 3 * ((p * n + 3 * q) * TEL I T) = 3 * p * (n * TEL I T) + 9 * (q * TEL I T) := by
      grind
    omega

end OnlineKvCache
