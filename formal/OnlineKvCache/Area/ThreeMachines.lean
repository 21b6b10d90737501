module

public import OnlineKvCache.Area.Volume

public section

/-! # Large requests: the three-machine bound

At most three requests with prompts above a quarter of the memory are active at once, so they are no
faster than jobs on three machines. -/

namespace OnlineKvCache

/-- The rounds in which a request is active are its output. -/
theorem sum_active (S : Schedule) (q : Request) {H : Nat} (hH : completion S q ≤ H) :
    ((List.range H).map fun t => if Active S q t then 1 else 0).sum = q.output := by
  obtain ⟨e, rfl⟩ : ∃ e, H = start S q + (q.output + e) := ⟨H - completion S q, by
    unfold completion at hH ⊢; omega⟩
  have h1 : ((List.range (start S q)).map fun t => if Active S q t then 1 else 0).sum = 0 :=
    sum_map_eq_zero fun t ht => by
      have := List.mem_range.1 ht
      exact if_neg fun ha => by unfold Active at ha; omega
  have h2 : ((List.range e).map fun t =>
      if Active S q (start S q + (q.output + t)) then 1 else 0).sum = 0 :=
    sum_map_eq_zero fun t _ => if_neg fun ha => by unfold Active completion at ha; omega
  have h3 : ((List.range q.output).map fun t =>
      if Active S q (start S q + t) then 1 else 0).sum =
      ((List.range q.output).map fun _ => 1).sum := sum_map_congr fun u hu => by
    have := List.mem_range.1 hu
    exact if_pos ⟨Nat.le_add_right .., by unfold completion; omega⟩
  rw [sum_range_add, h1, sum_range_add, h2, h3, sum_map_const, List.length_range]
  omega

/-- At most three large requests are active in a round. -/
theorem active_large_le {M : Nat} {I l : List Request} {S : Schedule} (hS : Feasible M I S)
    (hl : l.Sublist I) (hL : ∀ q ∈ l, M < 4 * q.prompt) (t : Nat) :
    (l.map fun q => if Active S q t then 1 else 0).sum ≤ 3 := by
  have h1 := hS.occupancy_sublist hl t
  have h2 : (l.map fun q => (M + 1) * if Active S q t then 1 else 0).sum ≤
      (l.map fun q => 4 * memory S q t).sum := sum_map_le_sum_map fun q hq => by
    have := hL q hq
    unfold memory
    split <;> omega
  rw [sum_map_mul, sum_map_mul] at h2
  have h3 : 4 * (l.map fun q => memory S q t).sum ≤ 4 * M := Nat.mul_le_mul_left 4 h1
  refine Nat.le_of_not_lt fun hlt => ?_
  have h4 := Nat.mul_le_mul_left (M + 1) (Nat.succ_le_of_lt hlt)
  omega

/-- Large requests that are complete by round `C` have outputs of at most `3 * C` together. -/
theorem large_by {M C : Nat} {I l : List Request} {S : Schedule} (hS : Feasible M I S)
    (hl : l.Sublist I) (hL : ∀ q ∈ l, M < 4 * q.prompt) (hC : ∀ q ∈ l, completion S q ≤ C) :
    (l.map Request.output).sum ≤ 3 * C := by
  have h1 : (l.map Request.output).sum = ((List.range C).map fun t =>
      (l.map fun q => if Active S q t then 1 else 0).sum).sum := by
    rw [sum_map_comm (fun t q => if Active S q t then 1 else 0) l (List.range C)]
    exact sum_map_congr fun q hq => (sum_active S q (hC q hq)).symm
  have h2 := sum_map_le_mul (l := List.range C) fun t _ => active_large_le hS hl hL t
  rw [List.length_range] at h2
  omega

/-- **The three-machine bound.** -/
theorem three_machine_bound {M : Nat} {I : List Request} {S : Schedule} (hS : Feasible M I S)
    (hL : ∀ q ∈ I, M < 4 * q.prompt) :
    pairMin (I.map Request.output) ≤ 3 * totalCompletion I S := by
  refine Nat.le_trans (pairMin_le_directed Request.output
    (fun a b => decide (completion S a ≤ completion S b))
    (fun a b => by simpa using Nat.le_total ..) I) ?_
  rw [totalCompletion, ← sum_map_mul]
  exact sum_map_le_sum_map fun q _ => large_by hS List.filter_sublist
    (fun p hp => hL p (List.mem_filter.1 hp).1)
    fun p hp => by simpa using (List.mem_filter.1 hp).2

end OnlineKvCache
