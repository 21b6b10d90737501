module

public import OnlineKvCache.Svf.Ratio
public import OnlineKvCache.Svf.Keys

public section

/-! # Inversion factors of predicted lengths and of the 1-bit rule -/

namespace OnlineKvCache

/-- If two lengths are within the factor `u / w ≥ 1` of each other, one way, then the volumes are
within its square. -/
theorem volume_of_length {s o r u w : Nat} (huw : w ≤ u) (h : w * o ≤ u * r) :
    w * w * (2 * (s * o) + o * (o + 1)) ≤ u * u * (2 * (s * r) + r * (r + 1)) := by
  have h1 := Nat.mul_le_mul_left (w * (2 * s + 1)) h
  have h2 := Nat.mul_le_mul_right (r * u * (2 * s + 1)) huw
  have h3 := Nat.mul_le_mul h h
  have e1 : w * w * (2 * (s * o) + o * (o + 1)) = w * (2 * s + 1) * (w * o) + w * o * (w * o) := by
    grind
  have e2 : u * u * (2 * (s * r) + r * (r + 1)) = u * (r * u * (2 * s + 1)) + u * r * (u * r) := by
    grind
  have e3 : w * (2 * s + 1) * (u * r) = w * (r * u * (2 * s + 1)) := by grind
  omega

/-- Predictions within the factor `u / w` give keys within its square, both ways. -/
theorem predictedKey_near {pred : Request → Nat} {u w : Nat} {q : Request} (huw : w ≤ u)
    (h : w * pred q ≤ u * q.output ∧ w * q.output ≤ u * pred q) :
    w * w * predictedKey pred q ≤ u * u * twiceVolume q ∧
      w * w * twiceVolume q ≤ u * u * predictedKey pred q :=
  ⟨volume_of_length huw h.1, volume_of_length huw h.2⟩

/-- Keys within the factor `u / w` of the volumes have inversion factor `(u / w)²`. -/
theorem inversion_of_near {key : Request → Nat} {u w : Nat} {l : List Request}
    (h : ∀ q ∈ l, w * key q ≤ u * twiceVolume q ∧ w * twiceVolume q ≤ u * key q) :
    (orderByKey key l).Pairwise fun p r => w * w * twiceVolume p ≤ u * u * twiceVolume r := by
  refine (orderByKey_le key l).imp_of_mem fun {p r} hp hr hpr => ?_
  have hp' := (h p ((orderByKey_perm key l).mem_iff.1 hp)).2
  have hr' := (h r ((orderByKey_perm key l).mem_iff.1 hr)).1
  calc w * w * twiceVolume p = w * (w * twiceVolume p) := Nat.mul_assoc ..
    _ ≤ w * (u * key p) := Nat.mul_le_mul_left _ hp'
    _ ≤ w * (u * key r) := Nat.mul_le_mul_left _ (Nat.mul_le_mul_left _ hpr)
    _ = u * (w * key r) := Nat.mul_left_comm ..
    _ ≤ u * (u * twiceVolume r) := Nat.mul_le_mul_left _ hr'
    _ = u * u * twiceVolume r := (Nat.mul_assoc ..).symm

/-- Predicted lengths within the factor `u / w`: inversion factor `(u / w)⁴`. -/
theorem predicted_ratio {M a d u w c : Nat} {pred : Request → Nat} {I : List Request}
    (hI : Burst M I) (had : a < d) (hp : ∀ q ∈ I, q.peak * d ≤ a * M) (huw : w ≤ u)
    (h : ∀ q ∈ I, w * pred q ≤ u * q.output ∧ w * q.output ≤ u * pred q) (hc : IsOPT M I c) :
    w ^ 4 * ((d - a) * TEL I (predictedSvf M pred I)) ≤
      (w ^ 4 * (d - a) + 2 * (u ^ 4 * d)) * c := by
  have e : ∀ x : Nat, x ^ 4 = x * x * (x * x) := fun x => by grind
  rw [e, e]
  have h1 := Nat.mul_le_mul huw huw
  exact order_ratio hI (orderByKey_perm _ I) had hp (Nat.mul_le_mul h1 h1)
    (inversion_of_near fun q hq => predictedKey_near huw (h q hq)) hc

theorem predicted_ratio_peak {M Pk u w c : Nat} {pred : Request → Nat} {I : List Request}
    (hI : Burst M I) (hM : Pk ≤ M) (hp : ∀ q ∈ I, q.peak ≤ Pk) (huw : w ≤ u)
    (h : ∀ q ∈ I, w * pred q ≤ u * q.output ∧ w * q.output ≤ u * pred q) (hc : IsOPT M I c) :
    w ^ 4 * ((M - Pk + 1) * TEL I (predictedSvf M pred I)) ≤
      (w ^ 4 * (M - Pk + 1) + 2 * (u ^ 4 * M)) * c := by
  have e : ∀ x : Nat, x ^ 4 = x * x * (x * x) := fun x => by grind
  rw [e, e]
  have h1 := Nat.mul_le_mul huw huw
  exact order_ratio_peak hI (orderByKey_perm _ I) hM hp (Nat.mul_le_mul h1 h1)
    (inversion_of_near fun q hq => predictedKey_near huw (h q hq)) hc

/-- The proxy is within the factor `b` of the output, if that is at least 1 and at most `b⁴`. -/
theorem oneBitProxy_near {b : Nat} {q : Request} (h1 : 1 ≤ q.output) (h : q.output ≤ b ^ 4) :
    oneBitProxy b q ≤ b * q.output ∧ q.output ≤ b * oneBitProxy b q := by
  have e : b ^ 4 = b * (b * b * b) := by grind
  unfold oneBitProxy
  split
  · rename_i hb
    exact ⟨by have := Nat.mul_le_mul_left b h1; omega, hb⟩
  · rename_i hb
    refine ⟨?_, by omega⟩
    rw [Nat.mul_assoc]
    exact Nat.mul_le_mul_left b (by omega)

theorem pos_of_output {b : Nat} {q : Request} (h1 : 1 ≤ q.output) (h : q.output ≤ b ^ 4) :
    1 ≤ b := by
  rcases Nat.eq_zero_or_pos b with hb | hb
  · rw [hb] at h; simp at h; omega
  · exact hb

/-- The 1-bit rule for outputs of at most `T ≤ b⁴` tokens: `1 + 2 b⁴ / (1 - a/d)`. -/
theorem oneBit_ratio {M a d b c : Nat} {I : List Request} (hI : Burst M I) (had : a < d)
    (hp : ∀ q ∈ I, q.peak * d ≤ a * M) (hb : ∀ q ∈ I, q.output ≤ b ^ 4) (hc : IsOPT M I c) :
    (d - a) * TEL I (oneBitSvf M b I) ≤ (d - a + 2 * (b ^ 4 * d)) * c := by
  by_cases hn : I = []
  · have : TEL I (oneBitSvf M b I) = 0 := by rw [hn]; rfl
    rw [this, Nat.mul_zero]
    exact Nat.zero_le _
  · obtain ⟨q, hq⟩ := List.exists_mem_of_ne_nil I hn
    have h := predicted_ratio (u := b) (w := 1) hI had hp
      (pos_of_output (hI.output_pos q hq) (hb q hq)) (pred := oneBitProxy b) (fun q hq => by
        rw [Nat.one_mul, Nat.one_mul]
        exact oneBitProxy_near (hI.output_pos q hq) (hb q hq)) hc
    simpa only [Nat.one_pow, Nat.one_mul] using h

end OnlineKvCache
