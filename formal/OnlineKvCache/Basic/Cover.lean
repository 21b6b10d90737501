module

public import OnlineKvCache.Basic.Sums

public section

/-! # Covering an interval of rounds -/

namespace OnlineKvCache

variable {α : Type}

theorem count_interval (x b o : Nat) : ∀ d : Nat,
    ((List.range d).map fun t => if b ≤ x + t ∧ x + t < b + o then 1 else 0).sum ≤
      min o (x + d - b)
  | 0 => by simp
  | d + 1 => by
    have ih := count_interval x b o d
    simp only [List.range_succ, List.map_append, List.map_cons, List.map_nil,
      List.sum_append_nat, List.sum_cons, List.sum_nil]
    split <;> omega

/-- If every round of `[x, y)` lies in one of the intervals `[b m, b m + o m)`, then `y - x` is at
most the sum of their lengths. -/
theorem cover {G : List α} {b o : α → Nat} {x y : Nat}
    (h : ∀ t, x ≤ t → t < y → ∃ m ∈ G, b m ≤ t ∧ t < b m + o m) : y ≤ x + (G.map o).sum := by
  have h1 : ((List.range (y - x)).map fun t =>
      (G.map fun m => if b m ≤ x + t ∧ x + t < b m + o m then 1 else 0).sum).sum ≤
      (G.map o).sum := by
    rw [sum_map_comm]
    refine sum_map_le_sum_map fun m _ => ?_
    have := count_interval x (b m) (o m) (y - x)
    omega
  have h2 : ((List.range (y - x)).map fun _ => 1).sum ≤ ((List.range (y - x)).map fun t =>
      (G.map fun m => if b m ≤ x + t ∧ x + t < b m + o m then 1 else 0).sum).sum := by
    refine sum_map_le_sum_map fun t ht => ?_
    have ht' := List.mem_range.1 ht
    obtain ⟨m, hm, h3, h4⟩ := h (x + t) (by omega) (by omega)
    have := le_sum_map (fun m => if b m ≤ x + t ∧ x + t < b m + o m then 1 else 0) hm
    simp only [h3, h4, and_self, if_true] at this
    exact this
  rw [sum_map_const, List.length_range] at h2
  omega

/-- A sum over a duplicate-free list is at most the sum over any list that contains it. -/
theorem sum_map_le_of_subset {f : α → Nat} : ∀ {l m : List α}, l.Nodup → (∀ q ∈ l, q ∈ m) →
    (l.map f).sum ≤ (m.map f).sum
  | [], _, _, _ => Nat.zero_le _
  | a :: l, m, hn, hm => by
    have hn' := List.nodup_cons.1 hn
    obtain ⟨s, t, rfl⟩ := List.append_of_mem (hm a (List.mem_cons_self ..))
    have ih := sum_map_le_of_subset (f := f) (l := l) (m := s ++ t) hn'.2 fun q hq => by
      have h1 := hm q (List.mem_cons_of_mem _ hq)
      rw [List.mem_append, List.mem_cons] at h1
      rw [List.mem_append]
      rcases h1 with h1 | h1 | h1
      · exact Or.inl h1
      · subst h1; exact absurd hq hn'.1
      · exact Or.inr h1
    simp only [List.map_cons, List.sum_cons, List.map_append, List.sum_append_nat] at ih ⊢
    omega

/-- A duplicate-free list that holds only members of another is no longer. -/
theorem length_le_of_subset {l m : List α} (hn : l.Nodup) (h : ∀ q ∈ l, q ∈ m) :
    l.length ≤ m.length := by
  have := sum_map_le_of_subset (f := fun _ => 1) hn h
  rw [sum_map_const, sum_map_const] at this
  omega

/-- At most two nonzero terms. -/
theorem sum_map_le_two [DecidableEq α] {f : α → Nat} {p q : α} {l : List α} (hn : l.Nodup)
    (h : ∀ r ∈ l, r ≠ p → r ≠ q → f r = 0) : (l.map f).sum ≤ f p + f q := by
  have h1 : (l.map f).sum ≤ ([p, q].map f).sum := by
    have h2 : (l.map f).sum = ((l.filter fun r => decide (r = p ∨ r = q)).map f).sum := by
      rw [← sum_map_ite]
      refine sum_map_congr fun r hr => ?_
      by_cases h3 : r = p ∨ r = q
      · simp [h3]
      · simp only [not_or] at h3
        simp [h3.1, h3.2, h r hr h3.1 h3.2]
    rw [h2]
    refine sum_map_le_of_subset (hn.sublist List.filter_sublist) fun r hr => ?_
    have := (List.mem_filter.1 hr).2
    simp only [decide_eq_true_eq] at this
    simp [this]
  simpa using h1

end OnlineKvCache
