module

public import OnlineKvCache.NonClairvoyant.FairShareBound
public import OnlineKvCache.NonClairvoyant.FairShareSharpSum

public section

/-! # FairShare costs at most 48 times the optimum -/

namespace OnlineKvCache.NonClairvoyant

variable {M : Nat} {I : List Request}

/-- The run of FairShare, for any summation over its stages: it serves every burst, and each request
pays at most twice the length of each stage in which it was unfinished. -/
theorem fairShare_stages (hI : Burst M I) : ∃ R C,
    Stages M I Request.output rect (fairLeft M I) R ∧ KillServes M I (fairShare M (seen I)) C ∧
      totalTime I C ≤ 2 * weighted R fun r => countOf I (fairLeft M I r) := by
  obtain ⟨R, hR, hmin⟩ := exists_min (fair_ends hI)
  have hR' : (I.map fun q => if fairLeft M I R q then 1 else 0).sum = 0 := hR
  have hdone : ∀ q ∈ I, ∃ c, (run I (fairDecider M I) (fairStart R)).status q = .done c := by
    intro q hq
    cases hs : (run I (fairDecider M I) (fairStart R)).status q with
    | done c => exact ⟨c, rfl⟩
    | live u =>
      have h1 := le_sum_map (fun q => if fairLeft M I R q then 1 else 0) hq
      have h2 : fairLeft M I R q = true := by
        show ((run I (fairDecider M I) (fairStart R)).status q).isLive = true
        rw [hs]
        rfl
      simp only [h2, if_true] at h1
      omega
  refine ⟨R, timeOf I (fairDecider M I) (fairStart R), ?_, ?_, ?_⟩
  · exact {
      mono := fun r q _ h => fair_mono h
      survivor := fun r _ q hq h => fair_survivor hI hq h
      busy := fun r hr => Nat.pos_of_ne_zero fun h => by
        have := hmin r h
        omega
      finished := hR
      pos := hI.output_pos }
  · rw [fairShare_eq]
    refine KillServes.of_check (T := fairStart R)
      (fun t ht => fair_memory hI R t (List.mem_range.1 ht)) fun q hq => ?_
    obtain ⟨c, hc⟩ := hdone q hq
    rw [hc, timeOf_eq hI.nodup hq hc]
  · have h3 : totalTime I (timeOf I (fairDecider M I) (fairStart R)) ≤ (I.map fun q =>
        ((List.range R).map fun i => if fairLeft M I i q then 2 * 2 ^ i - 1 else 0).sum).sum :=
      sum_map_le_sum_map fun q hq => by
        obtain ⟨c, hc⟩ := hdone q hq
        rw [timeOf_eq hI.nodup hq hc]
        exact fair_time R hc
    rw [sum_map_comm] at h3
    unfold weighted
    rw [← sum_map_mul]
    refine Nat.le_trans h3 (sum_map_le_sum_map fun i _ => ?_)
    unfold countOf
    rw [← Nat.mul_assoc, ← sum_map_mul]
    refine sum_map_le_sum_map fun q _ => ?_
    split <;> omega

/-- A rectangle is at most twice the volume. -/
theorem rect_le_twiceVolume (q : Request) : rect q ≤ twiceVolume q := by
  unfold rect twiceVolume
  have e1 : q.output * (q.prompt + q.output) = q.prompt * q.output + q.output * q.output := by
    grind
  have e2 : q.output * (q.output + 1) = q.output * q.output + q.output := by grind
  omega

theorem sum_min_rect_le (I : List Request) :
    (I.map fun i => (I.map fun j => min (rect i) (rect j)).sum).sum ≤
      orderedMin (I.map twiceVolume) := by
  unfold orderedMin
  rw [List.map_map]
  refine sum_map_le_sum_map fun i _ => ?_
  show _ ≤ minSum (twiceVolume i) (I.map twiceVolume)
  rw [minSum_eq, List.map_map]
  refine sum_map_le_sum_map fun j _ => ?_
  have h4 := rect_le_twiceVolume i
  have h5 := rect_le_twiceVolume j
  show min (rect i) (rect j) ≤ min (twiceVolume i) (twiceVolume j)
  omega

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
  · have hnil : I = [] := by
      cases I with
      | nil => rfl
      | cons q l =>
        have h6 := hI.fits q (List.mem_cons_self ..)
        have h7 := hI.output_pos q (List.mem_cons_self ..)
        unfold Request.peak at h6
        omega
    subst hnil
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
