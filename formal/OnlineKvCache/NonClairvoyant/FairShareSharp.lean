module

public import OnlineKvCache.NonClairvoyant.FairShareBound
public import OnlineKvCache.NonClairvoyant.FairShareSharpSum

public section

/-! # FairShare costs at most 48 times the optimum -/

namespace OnlineKvCache.NonClairvoyant

variable {M : Nat} {I : List Request}

/-- FairShare serves every burst, with a total completion time that is bounded by the pairwise
minima of the volumes and the outputs, in the proportion of the additive lower bound. -/
theorem fairShare_serves_sharp (hI : Burst M I) :
    ∃ C, KillServes M I (fairShare M (seen I)) C ∧
      12 * (M * totalTime I C) + 160 * (M * I.length) ≤
        144 * orderedMin (I.map twiceVolume) + 192 * (M * (I.map Request.output).sum) := by
  obtain ⟨R, C, hst, hC, h2⟩ := fairShare_stages hI
  refine ⟨C, hC, ?_⟩
  have h1 := hst.sharp
  have h3 := sum_min_rect_le I
  have h4 := Nat.mul_le_mul_left M h2
  rw [Nat.mul_left_comm M 2] at h4
  omega

/-- **FairShare costs at most 48 times the optimum.** -/
theorem fairShare_forty_eight (hI : Burst M I) : ∃ C, KillServes M I (fairShare M (seen I)) C ∧
    ∀ c, IsOPT M I c → totalTime I C ≤ 48 * c := by
  obtain ⟨C, hC, h⟩ := fairShare_serves_sharp hI
  refine ⟨C, hC, fun c hc => ?_⟩
  have h1 := additive_bound_opt hI hc
  have h2 : (I.map fun q => 2 * q.output + 1).sum =
      2 * (I.map Request.output).sum + I.length := by
    rw [sum_map_add, sum_map_mul, sum_map_const, Nat.mul_one]
  rcases Nat.eq_zero_or_pos M with h0 | h0
  · obtain rfl := burst_nil hI h0
    exact Nat.zero_le _
  · refine Nat.le_of_mul_le_mul_left (c := M) ?_ h0
    have e1 : M * (48 * c) = 48 * (M * c) := Nat.mul_left_comm ..
    have e2 : 12 * M * c = 12 * (M * c) := Nat.mul_assoc ..
    have e3 : 2 * M * (2 * (I.map Request.output).sum + I.length) =
        4 * (M * (I.map Request.output).sum) + 2 * (M * I.length) := by grind
    rw [h2, e3, e2] at h1
    rw [e1]
    omega

end OnlineKvCache.NonClairvoyant
