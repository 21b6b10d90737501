module

public import OnlineKvCache.TightRatio.RemainingSteps
public import OnlineKvCache.TightRatio.MainFillerTrace

public section

/-! # Memory 3: shortest first is optimal

Every request holds at least two tokens from its first round on, so requests run one at a time,
and outputs are 1 or 2. At every time the rule has the least remaining work and the fewest
unfinished requests. -/

namespace OnlineKvCache

/-- At memory 3 requests run one at a time. -/
theorem unique_of_three {I : List Request} {S : Schedule} (hv : Valid 3 I) (hS : Feasible 3 I S) :
    ∀ p ∈ I, ∀ q ∈ I, ∀ t, Active S p t → Active S q t → p = q :=
  fun p hp q hq t ha hb => Decidable.byContradiction fun hne => by
    have h1 := hS.pair hp hq hne ha hb
    have h2 := hv.prompt_pos p hp
    have h3 := hv.prompt_pos q hq
    omega

/-- At memory 3 the rule without delay costs no more than any feasible schedule. -/
theorem three_optimal {I : List Request} {S T : Schedule} {main : Request → Prop} (hv : Valid 3 I)
    (tr : Trace 3 Request.arrival I S main) (hT : Feasible 3 I T) : TEL I S ≤ TEL I T := by
  have hS : Feasible 3 I S := tr.feasible hv fun _ => Nat.le_refl _
  have ho := hv.output_pos
  have ho2 : ∀ q ∈ I, q.output ≤ 2 := fun q hq => by
    have h1 := hv.fits q hq
    have h2 := hv.prompt_pos q hq
    unfold Request.peak at h1
    omega
  have huS := unique_of_three hv hS
  have huT := unique_of_three hv hT
  have hmain : ∀ q ∈ I, main q := fun q hq => Classical.byContradiction fun hn => by
    obtain ⟨m, hm, _, _, _, _, hfit⟩ := tr.host q hq hn
    have h1 := hv.prompt_pos m hm
    have h2 := hv.prompt_pos q hq
    have h3 := ho q hq
    unfold Request.peak at hfit
    omega
  -- while something is unfinished, something runs
  have hbusy : ∀ t q, q ∈ I → q.arrival ≤ t → t < completion S q → ∃ p ∈ I, Active S p t :=
    fun t q hq h1 h2 => by
      rcases Nat.lt_or_ge t (start S q) with h | h
      · obtain ⟨m, hm, _, ha⟩ := tr.busy q hq t h1 h
        exact ⟨m, hm, ha⟩
      · exact ⟨q, hq, h, h2⟩
  have hworkS : ∀ t, work I S t (t + 1) + 1 ≤ work I S t t ∨ work I S t t = 0 := fun t => by
    rcases Classical.em (∃ q ∈ I, q.arrival ≤ t ∧ t < completion S q) with ⟨q, hq, h1, h2⟩ | hno
    · obtain ⟨p, hp, ha⟩ := hbusy t q hq h1 h2
      have hrel := hS.release p hp
      refine Or.inl (sum_map_add_le (fun q _ => ?_) hp ?_)
      · unfold remaining; split <;> omega
      · unfold Active at ha
        unfold remaining
        split <;> omega
    · refine Or.inr (sum_map_eq_zero fun q hq => ?_)
      split
      next h =>
        have : ¬ t < completion S q := fun h' => hno ⟨q, hq, h, h'⟩
        unfold remaining; omega
      next => rfl
  have hunfS : ∀ t, unfinished I S t (t + 1) + 1 ≤ unfinished I S t t ∨
      2 * unfinished I S t t ≤ work I S t t := fun t => by
    rcases Classical.em (∃ p ∈ I, Active S p t ∧ completion S p = t + 1) with ⟨p, hp, ha, hc⟩ | hno
    · have hrel := hS.release p hp
      refine Or.inl (sum_map_add_le (fun q _ => ?_) hp ?_)
      · split <;> split <;> omega
      · unfold Active at ha
        split <;> split <;> omega
    · refine Or.inr ?_
      unfold unfinished work
      rw [← sum_map_mul]
      refine sum_map_le_sum_map fun q hq => ?_
      split
      next h =>
        rw [if_pos h.1]
        -- a request with one round left would be the one that runs
        obtain ⟨p, hp, ha⟩ := hbusy t q hq h.1 h.2
        have hpc : completion S p ≠ t + 1 := fun hc => hno ⟨p, hp, ha, hc⟩
        have hqc : Active S q t → completion S q ≠ t + 1 := fun ha hc => hno ⟨q, hq, ha, hc⟩
        have h1 := ho2 p hp
        have h2 := ho q hq
        rcases Nat.lt_or_ge t (start S q) with h3 | h3
        · have hps : start S p = t := by unfold Active completion at *; omega
          have hpq : p ≠ q := fun he => by rw [he] at hps; omega
          have := (tr.main_first p hp q hq (hmain p hp) hpq (by omega) (by omega)).output_le
          unfold Active remaining completion at *
          omega
        · have := hqc ⟨h3, h.2⟩
          unfold remaining
          omega
      next => exact Nat.zero_le _
  have key : ∀ t, work I S t t ≤ work I T t t ∧ unfinished I S t t ≤ unfinished I T t t := by
    intro t
    induction t with
    | zero =>
      rw [work_zero hS.release, work_zero hT.release, unfinished_zero ho, unfinished_zero ho]
      exact ⟨Nat.le_refl _, Nat.le_refl _⟩
    | succ t ih =>
      rw [work_arrivals hS.release, work_arrivals hT.release,
        unfinished_arrivals hS.release ho, unfinished_arrivals hT.release ho]
      have h1 := hworkS t
      have h2 := hunfS t
      have h3 := work_step hv.nodup_list huT t t
      have h4 := unfinished_step hv.nodup_list huT hT.release ho t t
      have h5 := work_le_two_unfinished (S := T) ho2 t (t + 1)
      have h6 := unfinished_anti (I := I) (S := S) t t
      have h7 := work_anti (I := I) (S := S) t t
      omega
  have hH : ∀ S' : Schedule, ∀ q ∈ I, completion S' q ≤ totalCompletion I S' := fun S' q hq =>
    le_sum_map (completion S') hq
  rw [TEL_eq_sum_unfinished (H := totalCompletion I S + totalCompletion I T)
      fun q hq => by have := hH S q hq; omega,
    TEL_eq_sum_unfinished (H := totalCompletion I S + totalCompletion I T)
      fun q hq => by have := hH T q hq; omega]
  exact sum_map_le_sum_map fun t _ => (key t).2

end OnlineKvCache
