module

public import OnlineKvCache.NonClairvoyant.Sixteen
public import OnlineKvCache.Basic.Cover

public section

/-! # Counting: prefixes by area, and sums from counts -/

namespace OnlineKvCache.Packing

variable {α : Type}

/-- The longest prefix within a budget of a sorted list has at least as many members as any part of
the list within the budget. -/
theorem length_le_prefixWithin (size : α → Nat) : ∀ {l : List α} {b : Nat} {m : List α},
    l.Pairwise (fun x y => size x ≤ size y) → m.Sublist l → (m.map size).sum ≤ b →
    m.length ≤ (prefixWithin size b l).length
  | [], b, m, _, hm, _ => by
    rw [List.sublist_nil.1 hm]; exact Nat.zero_le _
  | j :: l, b, [], _, _, _ => Nat.zero_le _
  | j :: l, b, k :: m, hl, hm, hb => by
    have hl' := List.pairwise_cons.1 hl
    rw [List.map_cons, List.sum_cons] at hb
    have hk : size j ≤ size k ∧ m.Sublist l := by
      rcases List.sublist_cons_iff.1 hm with h | ⟨r, h1, h2⟩
      · exact ⟨hl'.1 k (h.subset (List.mem_cons_self ..)), (List.sublist_cons_self k m).trans h⟩
      · injection h1 with h3 h4
        rw [h3, h4]
        exact ⟨Nat.le_refl _, h2⟩
    unfold prefixWithin
    rw [if_pos (by omega), List.length_cons, List.length_cons]
    have := length_le_prefixWithin size (b := b - size j) hl'.2 hk.2 (by omega)
    omega

theorem prefixWithin_sublist (size : α → Nat) : ∀ (b : Nat) (l : List α),
    (prefixWithin size b l).Sublist l
  | _, [] => .slnil
  | b, j :: l => by
    unfold prefixWithin
    split
    · exact (prefixWithin_sublist size _ l).cons₂ j
    · exact List.nil_sublist _

theorem prefixWithin_sum (size : α → Nat) : ∀ (b : Nat) (l : List α),
    ((prefixWithin size b l).map size).sum ≤ b
  | _, [] => Nat.zero_le _
  | b, j :: l => by
    unfold prefixWithin
    split
    · have := prefixWithin_sum size (b - size j) l
      rw [List.map_cons, List.sum_cons]
      omega
    · exact Nat.zero_le _

theorem prefixWithin_all (size : α → Nat) : ∀ (b : Nat) (l : List α), (l.map size).sum ≤ b →
    prefixWithin size b l = l
  | _, [], _ => rfl
  | b, j :: l, h => by
    rw [List.map_cons, List.sum_cons] at h
    unfold prefixWithin
    rw [if_pos (by omega), prefixWithin_all size _ l (by omega)]

theorem length_filter_eq (p : α → Bool) (l : List α) :
    (l.filter p).length = (l.map fun j => if p j then 1 else 0).sum := by
  have := sum_map_ite p (fun _ => 1) l
  rw [this, sum_map_const, Nat.mul_one]

theorem length_filter_split (p : α → Bool) (l : List α) :
    l.length = (l.filter p).length + (l.filter fun a => !p a).length := by
  have := sum_map_split p (fun _ => 1) l
  rw [sum_map_const, sum_map_const, sum_map_const] at this
  omega

theorem count_steps (a b c : Nat) : ∀ T : Nat, min c (a + b * T) ≤
    a + b * ((List.range T).map fun t => if a + b * t < c then 1 else 0).sum
  | 0 => by simp; omega
  | T + 1 => by
    have ih := count_steps a b c T
    simp only [List.range_succ, List.map_append, List.map_cons, List.map_nil,
      List.sum_append_nat, List.sum_cons, List.sum_nil, Nat.mul_add, Nat.mul_one] at ih ⊢
    split <;> simp only [Nat.mul_one, Nat.mul_zero] <;> omega

theorem count_below (c : Nat) : ∀ T : Nat,
    ((List.range T).map fun t => if t + 1 < c then 1 else 0).sum ≤ min T (c - 1)
  | 0 => by simp
  | T + 1 => by
    have ih := count_below c T
    simp only [List.range_succ, List.map_append, List.map_cons, List.map_nil,
      List.sum_append_nat, List.sum_cons, List.sum_nil] at ih ⊢
    split <;> omega

/-- If for each `t` no more members have `C > a + b * t` than have `D > t + 1`, then the sum of `C`
is at most `a` for each member and `b` times the sum of `D - 1`. -/
theorem sum_of_counts {l : List α} {C D : α → Nat} {a b : Nat} (hb : 1 ≤ b)
    (h : ∀ t, (l.filter fun j => decide (a + b * t < C j)).length ≤
      (l.filter fun j => decide (t + 1 < D j)).length) :
    (l.map C).sum ≤ l.length * a + b * (l.map fun j => D j - 1).sum := by
  generalize hT : (l.map C).sum = T
  have h1 : (l.map C).sum ≤ (l.map fun j => a + b *
      ((List.range T).map fun t => if a + b * t < C j then 1 else 0).sum).sum := by
    refine sum_map_le_sum_map fun j hj => ?_
    have h2 := count_steps a b (C j) T
    have h3 := le_sum_map C hj
    have h4 : T ≤ b * T := Nat.le_mul_of_pos_left T hb
    omega
  rw [sum_map_add, sum_map_const, sum_map_mul,
    sum_map_comm (fun j t => if a + b * t < C j then 1 else 0)] at h1
  have h5 : ((List.range T).map fun t => (l.map fun j => if a + b * t < C j then 1 else 0).sum).sum
      ≤ ((List.range T).map fun t => (l.map fun j => if t + 1 < D j then 1 else 0).sum).sum := by
    refine sum_map_le_sum_map fun t _ => ?_
    have h6 := h t
    rw [length_filter_eq, length_filter_eq] at h6
    simpa using h6
  rw [← sum_map_comm (fun j t => if t + 1 < D j then 1 else 0)] at h5
  have h7 : (l.map fun j => ((List.range T).map fun t => if t + 1 < D j then 1 else 0).sum).sum ≤
      (l.map fun j => D j - 1).sum := sum_map_le_sum_map fun j _ => by
    have := count_below (D j) T
    omega
  have h8 := Nat.mul_le_mul_left b (Nat.le_trans h5 h7)
  omega

/-- The least power of two that is at least `x`. -/
theorem exists_two_pow : ∀ {x : Nat}, 1 ≤ x → ∃ r, x ≤ 2 ^ r ∧ 2 ^ r < 2 * x
  | 1, _ => ⟨0, by decide, by decide⟩
  | x + 2, _ => by
    obtain ⟨r, h1, h2⟩ := exists_two_pow (x := x + 1) (by omega)
    by_cases h : x + 2 ≤ 2 ^ r
    · exact ⟨r, h, by omega⟩
    · exact ⟨r + 1, by rw [Nat.pow_succ]; omega, by rw [Nat.pow_succ]; omega⟩

end OnlineKvCache.Packing
