module

public import OnlineKvCache.Area.MinSumFacts
public import OnlineKvCache.Basic.Schedules
public import OnlineKvCache.Model.Burst

public section

/-! # Volumes, and the area bound

What a request holds, summed over time, is its volume. All of one round's memory is at most `M`,
so requests that are complete by round `C` have a total volume of at most `M * C`. -/

namespace OnlineKvCache

theorem sum_map_sublist {α : Type} (f : α → Nat) {l m : List α} (h : l.Sublist m) :
    (l.map f).sum ≤ (m.map f).sum := by
  induction h with
  | slnil => exact Nat.le_refl _
  | cons a _ ih => rw [List.map_cons, List.sum_cons]; omega
  | cons₂ a _ ih => rw [List.map_cons, List.sum_cons, List.map_cons, List.sum_cons]; omega

theorem sum_range_succ (f : Nat → Nat) (n : Nat) :
    ((List.range (n + 1)).map f).sum = ((List.range n).map f).sum + f n := by
  simp [List.range_succ]

/-- A sum over rounds splits at any round. -/
theorem sum_range_add (f : Nat → Nat) (m : Nat) : ∀ n : Nat,
    ((List.range (m + n)).map f).sum =
      ((List.range m).map f).sum + ((List.range n).map fun t => f (m + t)).sum
  | 0 => by simp
  | n + 1 => by
    have ih := sum_range_add f m n
    rw [← Nat.add_assoc, sum_range_succ, sum_range_succ, ih, Nat.add_assoc]

/-- A sum over rounds in which only the active rounds of `q` count, in the rounds of `q`. -/
theorem sum_memory_mul (S : Schedule) (q : Request) (c : Nat → Nat) {H : Nat}
    (hH : completion S q ≤ H) :
    ((List.range H).map fun t => c t * memory S q t).sum =
      ((List.range q.output).map fun u => c (start S q + u) * (q.prompt + u + 1)).sum := by
  obtain ⟨e, rfl⟩ : ∃ e, H = start S q + (q.output + e) := ⟨H - completion S q, by
    unfold completion at hH ⊢; omega⟩
  have h1 : ((List.range (start S q)).map fun t => c t * memory S q t).sum = 0 :=
    sum_map_eq_zero fun t ht => by
      have := List.mem_range.1 ht
      rw [memory_of_not fun ha => by unfold Active at ha; omega, Nat.mul_zero]
  have h2 : ((List.range e).map fun t => c (start S q + (q.output + t)) *
      memory S q (start S q + (q.output + t))).sum = 0 :=
    sum_map_eq_zero fun t _ => by
      rw [memory_of_not fun ha => by unfold Active completion at ha; omega, Nat.mul_zero]
  rw [sum_range_add, h1, sum_range_add, h2, Nat.zero_add, Nat.add_zero]
  refine sum_map_congr fun u hu => ?_
  have := List.mem_range.1 hu
  rw [memory_of_active ⟨Nat.le_add_right .., by unfold completion; omega⟩, Nat.add_sub_cancel_left]

theorem two_sum_prompt (s : Nat) : ∀ o : Nat,
    2 * ((List.range o).map fun u => s + u + 1).sum = 2 * (s * o) + o * (o + 1)
  | 0 => rfl
  | o + 1 => by
    have ih := two_sum_prompt s o
    rw [sum_range_succ]
    grind

/-- The memory of a request, summed over all rounds up to a horizon, is its volume. -/
theorem two_sum_memory (S : Schedule) (q : Request) {H : Nat} (hH : completion S q ≤ H) :
    2 * ((List.range H).map fun t => memory S q t).sum = twiceVolume q := by
  have h := sum_memory_mul S q (fun _ => 1) hH
  simp only [Nat.one_mul] at h
  rw [h, two_sum_prompt]
  rfl

theorem two_sum_memory_list (S : Schedule) {H : Nat} {l : List Request}
    (hH : ∀ q ∈ l, completion S q ≤ H) :
    2 * ((List.range H).map fun t => occupancy l S t).sum = (l.map twiceVolume).sum := by
  unfold occupancy
  rw [sum_map_comm (fun t q => memory S q t) l (List.range H), ← sum_map_mul]
  exact sum_map_congr fun q hq => two_sum_memory S q (hH q hq)

theorem twiceVolume_pos {q : Request} (h : 1 ≤ q.output) : 0 < twiceVolume q := by
  have : 0 < q.output * (q.output + 1) := Nat.mul_pos h (Nat.succ_pos _)
  unfold twiceVolume
  omega

/-- The memory suffices for any part of the instance. -/
theorem Feasible.occupancy_sublist {M : Nat} {I l : List Request} {S : Schedule}
    (hS : Feasible M I S) (hl : l.Sublist I) (t : Nat) : occupancy l S t ≤ M :=
  Nat.le_trans (sum_map_sublist _ hl) (hS.capacity t)

/-- Feasibility passes to every part of the instance. -/
theorem Feasible.sublist {M : Nat} {I l : List Request} {S : Schedule}
    (hS : Feasible M I S) (hl : l.Sublist I) : Feasible M l S where
  release q hq := hS.release q (hl.subset hq)
  capacity := hS.occupancy_sublist hl

/-- A part of the instance that is complete by round `C` has a volume of at most `M * C`. -/
theorem volume_by {M C : Nat} {I l : List Request} {S : Schedule} (hS : Feasible M I S)
    (hl : l.Sublist I) (hC : ∀ q ∈ l, completion S q ≤ C) :
    (l.map twiceVolume).sum ≤ 2 * M * C := by
  rw [← two_sum_memory_list S hC, Nat.mul_assoc]
  have h := sum_map_le_mul (l := List.range C) fun t _ => hS.occupancy_sublist hl t
  rw [List.length_range, Nat.mul_comm C M] at h
  exact Nat.mul_le_mul_left 2 h

/-- All that is complete by round `C`. -/
theorem volume_completed_by {M : Nat} {I : List Request} {S : Schedule} (hS : Feasible M I S)
    (C : Nat) : ((I.filter fun q => decide (completion S q ≤ C)).map twiceVolume).sum ≤
      2 * M * C :=
  volume_by hS List.filter_sublist fun q hq => by simpa using (List.mem_filter.1 hq).2

/-- **The area bound**: `M * ∑ C` is at least the volumes, summed pairwise by minima. -/
theorem area_bound {M : Nat} {I : List Request} {S : Schedule} (hS : Feasible M I S) :
    pairMin (I.map twiceVolume) ≤ 2 * M * totalCompletion I S := by
  refine Nat.le_trans (pairMin_le_directed twiceVolume
    (fun a b => decide (completion S a ≤ completion S b))
    (fun a b => by simpa using Nat.le_total ..) I) ?_
  rw [totalCompletion, ← sum_map_mul]
  exact sum_map_le_sum_map fun q _ => volume_completed_by hS (completion S q)

/-! ### Bursts -/

/-- With arrivals in round 0 latency is completion. -/
theorem TEL_eq_totalCompletion {I : List Request} (S : Schedule)
    (h : ∀ q ∈ I, q.arrival = 0) : TEL I S = totalCompletion I S :=
  sum_map_congr fun q hq => by rw [latency, h q hq, Nat.sub_zero]

theorem Burst.TEL_eq {M : Nat} {I : List Request} (h : Burst M I) (S : Schedule) :
    TEL I S = totalCompletion I S := TEL_eq_totalCompletion S h.arrived

theorem TEL_le_totalCompletion (I : List Request) (S : Schedule) :
    TEL I S ≤ totalCompletion I S := sum_map_le_sum_map fun _ _ => Nat.sub_le ..

/-- Latencies plus arrivals are completions. -/
theorem TEL_add_arrivals {M : Nat} {I : List Request} {S : Schedule} (hS : Feasible M I S) :
    TEL I S + (I.map Request.arrival).sum = totalCompletion I S := by
  rw [TEL, ← sum_map_add]
  refine sum_map_congr fun q hq => ?_
  have := hS.release q hq
  unfold latency completion
  omega

/-- The area bound for the optimum of a burst. -/
theorem area_bound_opt {M c : Nat} {I : List Request} (hI : Burst M I) (hc : IsOPT M I c) :
    pairMin (I.map twiceVolume) ≤ 2 * M * c := by
  obtain ⟨S, hS, rfl⟩ := hc.attained
  rw [hI.TEL_eq]
  exact area_bound hS

/-- Every output is a lower bound on its completion. -/
theorem output_sum_le_totalCompletion (I : List Request) (S : Schedule) :
    (I.map Request.output).sum ≤ totalCompletion I S :=
  sum_map_le_sum_map fun _ _ => Nat.le_add_left ..

theorem output_sum_le_opt {M c : Nat} {I : List Request} (hc : IsOPT M I c) :
    (I.map Request.output).sum ≤ c := by
  obtain ⟨S, hS, rfl⟩ := hc.attained
  exact output_le_TEL hS

end OnlineKvCache
