module

public import OnlineKvCache.Area.MinSums
public import OnlineKvCache.Basic.Sums

public section

/-! # Facts about sums of minima -/

namespace OnlineKvCache

theorem minSum_eq (x : Nat) : ∀ l : List Nat, minSum x l = (l.map fun y => min x y).sum
  | [] => rfl
  | y :: l => by rw [minSum, minSum_eq x l, List.map_cons, List.sum_cons]

theorem minSum_perm (x : Nat) {l m : List Nat} (h : l.Perm m) : minSum x l = minSum x m := by
  rw [minSum_eq, minSum_eq, (h.map _).sum_nat]

theorem orderedMin_perm {l m : List Nat} (h : l.Perm m) : orderedMin l = orderedMin m := by
  unfold orderedMin
  rw [(h.map _).sum_nat, sum_map_congr fun x _ => minSum_perm x h]

theorem orderedMin_cons (x : Nat) (l : List Nat) :
    orderedMin (x :: l) = x + 2 * minSum x l + orderedMin l := by
  unfold orderedMin
  have h : (l.map fun y => minSum y (x :: l)).sum =
      (l.map fun y => min y x).sum + (l.map fun y => minSum y l).sum := sum_map_add _ _ l
  have h2 : (l.map fun y => min y x).sum = minSum x l := by
    rw [minSum_eq]
    exact sum_map_congr fun y _ => Nat.min_comm y x
  rw [List.map_cons, List.sum_cons, h, minSum, h2, Nat.min_self]
  omega

/-- Ordered pairs count twice, except for the diagonal. -/
theorem orderedMin_add_sum : ∀ l : List Nat, orderedMin l + l.sum = 2 * pairMin l
  | [] => rfl
  | x :: l => by
    have := orderedMin_add_sum l
    rw [orderedMin_cons, pairMin, List.sum_cons]
    omega

theorem orderedMin_eq (l : List Nat) : orderedMin l = 2 * pairMin l - l.sum := by
  have := orderedMin_add_sum l
  omega

theorem pairMin_perm {l m : List Nat} (h : l.Perm m) : pairMin l = pairMin m := by
  have h1 := orderedMin_add_sum l
  have h2 := orderedMin_add_sum m
  rw [orderedMin_perm h, h.sum_nat] at h1
  omega

theorem sum_le_orderedMin (l : List Nat) : l.sum ≤ orderedMin l := by
  induction l with
  | nil => exact Nat.le_refl _
  | cons x l ih => rw [orderedMin_cons, List.sum_cons]; omega

theorem sum_le_pairMin (l : List Nat) : l.sum ≤ pairMin l := by
  have := orderedMin_add_sum l
  have := sum_le_orderedMin l
  omega

theorem pairMin_le_orderedMin (l : List Nat) : pairMin l ≤ orderedMin l := by
  have := orderedMin_add_sum l
  have := sum_le_orderedMin l
  omega

theorem orderedMin_le_two_pairMin (l : List Nat) : orderedMin l ≤ 2 * pairMin l := by
  have := orderedMin_add_sum l
  omega

theorem minSum_le (x : Nat) (l : List Nat) : minSum x l ≤ l.length * x := by
  rw [minSum_eq]
  exact sum_map_le_mul fun y _ => Nat.min_le_left x y

theorem minSum_le_sum (x : Nat) (l : List Nat) : minSum x l ≤ l.sum := by
  rw [minSum_eq]
  have := sum_map_le_sum_map (l := l) (f := fun y => min x y) (g := fun y => y)
    fun y _ => Nat.min_le_right x y
  simpa using this

theorem minSum_of_le {x : Nat} : ∀ {l : List Nat}, (∀ y ∈ l, x ≤ y) → minSum x l = l.length * x
  | [], _ => by simp [minSum]
  | y :: l, h => by
    have h1 := h y (List.mem_cons_self ..)
    rw [minSum, minSum_of_le fun z hz => h z (List.mem_cons_of_mem _ hz), List.length_cons,
      Nat.succ_mul]
    omega

theorem minSum_of_ge {x : Nat} : ∀ {l : List Nat}, (∀ y ∈ l, y ≤ x) → minSum x l = l.sum
  | [], _ => rfl
  | y :: l, h => by
    have h1 := h y (List.mem_cons_self ..)
    rw [minSum, minSum_of_ge fun z hz => h z (List.mem_cons_of_mem _ hz), List.sum_cons]
    omega

/-- For a sorted list the pairwise sum of minima is the sum of all prefix sums. -/
theorem pairMin_eq_prefixSums : ∀ {l : List Nat}, l.Pairwise (· ≤ ·) → pairMin l = prefixSums l
  | [], _ => rfl
  | x :: l, h => by
    have h' := List.pairwise_cons.1 h
    rw [pairMin, prefixSums, pairMin_eq_prefixSums h'.2, minSum_of_le h'.1, Nat.succ_mul]
    omega

/-- In any order the sum of all prefix sums is at least the pairwise sum of minima. -/
theorem pairMin_le_prefixSums : ∀ l : List Nat, pairMin l ≤ prefixSums l
  | [] => Nat.le_refl _
  | x :: l => by
    have h1 := pairMin_le_prefixSums l
    have h2 := minSum_le x l
    rw [pairMin, prefixSums, Nat.succ_mul]
    omega

/-- The sum of all prefix sums, prefix by prefix. -/
theorem prefixSums_eq (l : List Nat) :
    prefixSums l = ((List.range l.length).map fun j => (l.take (j + 1)).sum).sum := by
  induction l with
  | nil => rfl
  | cons x l ih =>
    have h : ((List.range (l.length + 1)).map fun j => ((x :: l).take (j + 1)).sum).sum =
        ((List.range (l.length + 1)).map fun j => x + (l.take j).sum).sum :=
      sum_map_congr fun j _ => by rw [List.take_succ_cons, List.sum_cons]
    rw [List.length_cons, h, sum_map_add, sum_map_const, List.length_range, prefixSums, ih,
      List.range_succ_eq_map, List.map_cons, List.sum_cons, List.map_map]
    simp [Function.comp_def]

/-- If every pair is counted in at least one direction by the total relation `r`, the directed sum
is at least the pairwise sum of minima. -/
theorem pairMin_le_directed {α : Type} (f : α → Nat) (r : α → α → Bool)
    (hr : ∀ a b, r a b = true ∨ r b a = true) : ∀ l : List α,
    pairMin (l.map f) ≤ (l.map fun b => ((l.filter fun a => r a b).map f).sum).sum
  | [] => Nat.le_refl _
  | x :: l => by
    have ih := pairMin_le_directed f r hr l
    have hxx : r x x = true := by simpa using hr x x
    have h1 : (l.map fun b => (((x :: l).filter fun a => r a b).map f).sum).sum =
        (l.map fun b => (if r x b then f x else 0) + ((l.filter fun a => r a b).map f).sum).sum :=
      sum_map_congr fun b _ => by
        cases h : r x b <;> simp [h]
    have h2 : minSum (f x) (l.map f) ≤ (l.map fun b => if r x b then f x else 0).sum +
        ((l.filter fun a => r a x).map f).sum := by
      rw [minSum_eq, List.map_map, ← sum_map_ite, ← sum_map_add]
      refine sum_map_le_sum_map fun b _ => ?_
      have h3 := Nat.min_le_left (f x) (f b)
      have h4 := Nat.min_le_right (f x) (f b)
      rcases hr x b with h | h <;> simp only [Function.comp, h, if_true] <;> split <;> omega
    rw [List.map_cons, List.map_cons, List.sum_cons, h1, sum_map_add, pairMin,
      List.filter_cons_of_pos (p := fun a => r a x) hxx, List.map_cons, List.sum_cons]
    omega

end OnlineKvCache
