module

public import OnlineKvCache.TightRatio.Remaining
public import OnlineKvCache.Basic.Schedules

public section

/-! # How remaining work and unfinished requests change in a round -/

namespace OnlineKvCache

theorem count_rounds (a C : Nat) : ∀ H : Nat,
    ((List.range H).map fun t => if a ≤ t ∧ t < C then 1 else 0).sum = min H C - a
  | 0 => by simp
  | H + 1 => by
    have ih := count_rounds a C H
    simp only [List.range_succ, List.map_append, List.map_cons, List.map_nil,
      List.sum_append_nat, List.sum_cons, List.sum_nil]
    split <;> omega

/-- Total latency counts the unfinished requests of every round. -/
theorem TEL_eq_sum_unfinished {I : List Request} {S : Schedule} {H : Nat}
    (hH : ∀ q ∈ I, completion S q ≤ H) :
    TEL I S = ((List.range H).map fun t => unfinished I S t t).sum := by
  unfold unfinished TEL
  rw [sum_map_comm]
  refine sum_map_congr fun q hq => ?_
  rw [count_rounds]
  have := hH q hq
  unfold latency
  omega

section Any

variable {I : List Request} {S : Schedule}

/-- What arrives in round `t + 1` adds the same to every feasible schedule. -/
theorem work_arrivals (hr : ∀ q ∈ I, q.arrival ≤ start S q) (t : Nat) :
    work I S (t + 1) (t + 1) = work I S t (t + 1) +
      (I.map fun q => if q.arrival = t + 1 then q.output else 0).sum := by
  unfold work
  rw [← sum_map_add]
  refine sum_map_congr fun q hq => ?_
  have := hr q hq
  unfold remaining completion
  split <;> split <;> split <;> omega

theorem unfinished_arrivals (hr : ∀ q ∈ I, q.arrival ≤ start S q) (ho : ∀ q ∈ I, 1 ≤ q.output)
    (t : Nat) :
    unfinished I S (t + 1) (t + 1) = unfinished I S t (t + 1) +
      (I.map fun q => if q.arrival = t + 1 then 1 else 0).sum := by
  unfold unfinished
  rw [← sum_map_add]
  refine sum_map_congr fun q hq => ?_
  have := hr q hq
  have := ho q hq
  unfold completion
  split <;> split <;> split <;> omega

theorem work_zero (hr : ∀ q ∈ I, q.arrival ≤ start S q) :
    work I S 0 0 = (I.map fun q => if q.arrival = 0 then q.output else 0).sum := by
  refine sum_map_congr fun q hq => ?_
  have := hr q hq
  unfold remaining completion
  split <;> split <;> omega

theorem unfinished_zero (ho : ∀ q ∈ I, 1 ≤ q.output) :
    unfinished I S 0 0 = (I.map fun q => if q.arrival = 0 then 1 else 0).sum := by
  refine sum_map_congr fun q hq => ?_
  have := ho q hq
  unfold completion
  split <;> split <;> omega

theorem work_anti (u t : Nat) : work I S u (t + 1) ≤ work I S u t :=
  sum_map_le_sum_map fun q _ => by unfold remaining; split <;> omega

theorem unfinished_anti (u t : Nat) : unfinished I S u (t + 1) ≤ unfinished I S u t :=
  sum_map_le_sum_map fun q _ => by split <;> split <;> omega

/-- One request at a time: a round does at most one unit of work and completes at most one. -/
theorem work_step (hd : I.Nodup)
    (hu : ∀ p ∈ I, ∀ q ∈ I, ∀ t, Active S p t → Active S q t → p = q) (u t : Nat) :
    work I S u t ≤ work I S u (t + 1) + 1 := by
  have h1 : work I S u t ≤ work I S u (t + 1) +
      (I.map fun q => if Active S q t then 1 else 0).sum := by
    unfold work
    rw [← sum_map_add]
    refine sum_map_le_sum_map fun q _ => ?_
    unfold remaining Active
    split <;> split <;> omega
  have h2 : (I.map fun q => if Active S q t then 1 else 0).sum ≤ 1 := by
    refine sum_map_le_of_disjoint hd (fun q _ => by split <;> omega) fun p hp q hq hne => ?_
    by_cases h : Active S p t
    · exact Or.inr (if_neg fun h' => hne (hu p hp q hq t h h'))
    · exact Or.inl (if_neg h)
  omega

theorem unfinished_step (hd : I.Nodup)
    (hu : ∀ p ∈ I, ∀ q ∈ I, ∀ t, Active S p t → Active S q t → p = q)
    (hr : ∀ q ∈ I, q.arrival ≤ start S q) (ho : ∀ q ∈ I, 1 ≤ q.output) (u t : Nat) :
    unfinished I S u t ≤ unfinished I S u (t + 1) + 1 := by
  have h1 : unfinished I S u t ≤ unfinished I S u (t + 1) +
      (I.map fun q => if Active S q t then 1 else 0).sum := by
    unfold unfinished
    rw [← sum_map_add]
    refine sum_map_le_sum_map fun q hq => ?_
    have := ho q hq
    have := hr q hq
    unfold Active completion
    split <;> split <;> split <;> omega
  have h2 : (I.map fun q => if Active S q t then 1 else 0).sum ≤ 1 := by
    refine sum_map_le_of_disjoint hd (fun q _ => by split <;> omega) fun p hp q hq hne => ?_
    by_cases h : Active S p t
    · exact Or.inr (if_neg fun h' => hne (hu p hp q hq t h h'))
    · exact Or.inl (if_neg h)
  omega

theorem work_le_two_unfinished (ho : ∀ q ∈ I, q.output ≤ 2) (u t : Nat) :
    work I S u t ≤ 2 * unfinished I S u t := by
  unfold work unfinished
  rw [← sum_map_mul]
  refine sum_map_le_sum_map fun q hq => ?_
  have := ho q hq
  unfold remaining completion
  split <;> split <;> omega

end Any

end OnlineKvCache
