module

public import OnlineKvCache.NonClairvoyant.SpsPeak

public section

/-! # The largest parallelism that fits -/

namespace OnlineKvCache

theorem largestBelow_le (p : Nat → Bool) : ∀ b : Nat, largestBelow p b ≤ b
  | 0 => Nat.le_refl _
  | n + 1 => by
    have := largestBelow_le p n
    unfold largestBelow
    split <;> omega

theorem largestBelow_spec {p : Nat → Bool} : ∀ {b : Nat}, 0 < largestBelow p b →
    p (largestBelow p b) = true
  | 0, h => absurd h (Nat.lt_irrefl 0)
  | n + 1, h => by
    unfold largestBelow at h ⊢
    split
    · assumption
    · rename_i hn
      rw [if_neg hn] at h
      exact largestBelow_spec h

theorem le_largestBelow {p : Nat → Bool} : ∀ {b k : Nat}, 0 < k → k ≤ b → p k = true →
    k ≤ largestBelow p b
  | 0, k, h0, hb, _ => by omega
  | n + 1, k, h0, hb, hp => by
    unfold largestBelow
    split
    · exact hb
    · rename_i hn
      rcases Nat.lt_or_eq_of_le hb with h | h
      · exact le_largestBelow h0 (by omega) hp
      · subst h; exact absurd hp hn

theorem le_spsPeak {tau k : Nat} (hk : 0 < k) (ht : 0 < tau) (s : Nat) : k ≤ spsPeak s tau k := by
  have h1 := two_spsPeak s tau hk
  have h2 := Nat.gcd_le_left k ht
  have h3 : k ≤ tau * k := Nat.le_mul_of_pos_left k ht
  rw [Nat.mul_succ] at h1
  omega

/-- The pipeline of parallelism `kstar` fits. -/
theorem spsPeak_kstar {M s tau : Nat} (h : 0 < kstar M s tau) :
    spsPeak s tau (kstar M s tau) ≤ M := by
  simpa using largestBelow_spec (p := fun k => decide (spsPeak s tau k ≤ M)) h

/-- No larger pipeline fits. -/
theorem le_kstar {M s tau k : Nat} (ht : 0 < tau) (hk : 0 < k) (h : spsPeak s tau k ≤ M) :
    k ≤ kstar M s tau :=
  le_largestBelow hk (Nat.le_trans (le_spsPeak hk ht s) h) (by simpa using h)

theorem spsPeak_one (s tau : Nat) : spsPeak s tau 1 = s + tau := by
  have h := two_spsPeak s tau Nat.one_pos
  rw [Nat.gcd_one_right] at h
  omega

/-- One job at a time fits if the longest slice does. -/
theorem kstar_pos {M s tau : Nat} (ht : 0 < tau) (h : s + tau ≤ M) : 0 < kstar M s tau :=
  le_kstar ht Nat.one_pos (by rw [spsPeak_one]; exact h)

/-- A lower bound on the parallelism, without the greatest common divisor. -/
theorem kstar_ge {M s tau : Nat} (ht : 0 < tau) :
    (2 * M - tau + 1) / (2 * s + tau + 1) ≤ kstar M s tau := by
  rcases Nat.eq_zero_or_pos ((2 * M - tau + 1) / (2 * s + tau + 1)) with h0 | h0
  · rw [h0]; exact Nat.zero_le _
  · refine le_kstar ht h0 ?_
    have h1 := Nat.div_mul_le_self (2 * M - tau + 1) (2 * s + tau + 1)
    have h2 := two_spsPeak s tau h0
    have h3 := Nat.gcd_pos_of_pos_right tau h0
    generalize (2 * M - tau + 1) / (2 * s + tau + 1) = k at *
    have e : k * (2 * s + tau + 1) = 2 * (k * s) + tau * k + k := by grind
    have e2 : tau * (k + 1) = tau * k + tau := Nat.mul_succ ..
    have h4 : tau ≤ tau * k := Nat.le_mul_of_pos_right tau h0
    omega

/-- In a phase of the response rule (slice `τ`, prompt bound `min (τ, M - τ)`) the pipeline uses a
constant part of the memory: `2M ≤ 7 * τ * kstar`. -/
theorem kstar_response {M tau : Nat} (ht : 0 < tau) (hM : tau ≤ M) :
    2 * M ≤ 7 * (tau * kstar M (min tau (M - tau)) tau) := by
  have hk := kstar_pos (M := M) (s := min tau (M - tau)) ht (by omega)
  rcases Nat.lt_or_ge M (2 * tau) with h | h
  · have h1 : tau * 1 ≤ tau * kstar M (min tau (M - tau)) tau := Nat.mul_le_mul_left _ hk
    omega
  · rw [Nat.min_eq_left (by omega)] at hk ⊢
    have h1 : M < spsPeak tau tau (kstar M tau tau + 1) := Nat.lt_of_not_le fun h => by
      have := le_kstar ht (Nat.succ_pos _) h
      omega
    have h2 := two_spsPeak tau tau (Nat.succ_pos (kstar M tau tau))
    have h3 := Nat.gcd_pos_of_pos_right tau (Nat.succ_pos (kstar M tau tau))
    simp only [Nat.succ_eq_add_one] at h2 h3
    obtain ⟨k, hk'⟩ : ∃ k, kstar M tau tau = k + 1 := ⟨kstar M tau tau - 1, by omega⟩
    rw [hk'] at h1 h2 h3 ⊢
    have h4 : k ≤ tau * k := Nat.le_mul_of_pos_left k ht
    have e1 : (k + 1 + 1) * tau = tau * k + 2 * tau := by grind
    have e2 : tau * (k + 1 + 1 + 1) = tau * k + 3 * tau := by grind
    have e3 : tau * (k + 1) = tau * k + tau := by grind
    omega

end OnlineKvCache
