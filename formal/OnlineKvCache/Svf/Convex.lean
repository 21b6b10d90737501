module

public import OnlineKvCache.Svf.Volume

@[expose] public section

/-! # Sorted by key, weighed by volume

Pairs of a key and a volume, sorted by key, where each volume lies between `w²` and `u²` times its
key. What comes before, by volume, is at most `1 + u / w` times the minima of the volumes. Both
sides are affine or concave in each volume, so it is enough to look at volumes at the ends of their
intervals; there the minima of the keys form a positive form. -/

namespace OnlineKvCache.Svf

/-- The volume lies between `w² * key` and `u² * key`. -/
def Between (u w : Nat) (x : Nat × Nat) : Prop := w * w * x.1 ≤ x.2 ∧ x.2 ≤ u * u * x.1

/-- The volume is at one of the ends. -/
def Extreme (u w : Nat) (x : Nat × Nat) : Prop := x.2 = w * w * x.1 ∨ x.2 = u * u * x.1

/-- `-w` at the lower end, `u` at the upper one. -/
def endCoef (u w : Nat) (x : Nat × Nat) : Int := if x.2 = w * w * x.1 then -(w : Int) else u

/-- The sum of the coefficients. -/
def coefSum (u w : Nat) : List (Nat × Nat) → Int
  | [] => 0
  | x :: l => endCoef u w x + coefSum u w l

/-- The quadratic form of the coefficients with the minimum of two keys, which is the earlier one,
as matrix. -/
def endForm (u w : Nat) : List (Nat × Nat) → Int
  | [] => 0
  | x :: l => x.1 * (endCoef u w x * endCoef u w x + 2 * (endCoef u w x * coefSum u w l)) +
      endForm u w l

theorem int_sq_nonneg (x : Int) : 0 ≤ x * x := by
  rcases Int.le_total 0 x with h | h
  · exact Int.mul_nonneg h h
  · exact Int.mul_nonneg_of_nonpos_of_nonpos h h

/-- The form is positive: it is a sum of squares. -/
theorem endForm_ge (u w : Nat) : ∀ {l : List (Nat × Nat)}, l.Pairwise (fun x y => x.1 ≤ y.1) →
    ∀ m : Nat, (∀ x ∈ l, m ≤ x.1) → (m : Int) * (coefSum u w l * coefSum u w l) ≤ endForm u w l
  | [], _, _, _ => by simp [coefSum, endForm]
  | x :: l, h, m, hm => by
    have h' := List.pairwise_cons.1 h
    have ih := endForm_ge u w h'.2 x.1 h'.1
    have h1 : (m : Int) ≤ x.1 := Int.ofNat_le.2 (hm x (List.mem_cons_self ..))
    have h2 := Int.mul_le_mul_of_nonneg_right h1 (int_sq_nonneg (endCoef u w x + coefSum u w l))
    have e : (x.1 : Int) * ((endCoef u w x + coefSum u w l) * (endCoef u w x + coefSum u w l)) =
        x.1 * (endCoef u w x * endCoef u w x + 2 * (endCoef u w x * coefSum u w l)) +
          x.1 * (coefSum u w l * coefSum u w l) := by grind
    rw [coefSum, endForm]
    omega

theorem endCoef_cases {u w : Nat} {x : Nat × Nat} (h : Extreme u w x) :
    (x.2 = w * w * x.1 ∧ endCoef u w x = -(w : Int)) ∨
      (x.2 = u * u * x.1 ∧ endCoef u w x = u) := by
  unfold endCoef
  by_cases h1 : x.2 = w * w * x.1
  · exact Or.inl ⟨h1, if_pos h1⟩
  · exact Or.inr ⟨h.resolve_left h1, if_neg h1⟩

theorem endCoef_sq {u w : Nat} {x : Nat × Nat} (h : Extreme u w x) :
    (x.1 : Int) * (endCoef u w x * endCoef u w x) = x.2 := by
  rcases endCoef_cases h with ⟨h1, h2⟩ | ⟨h1, h2⟩ <;>
    · rw [h1, h2, Int.natCast_mul, Int.natCast_mul]; grind

/-- One pair. -/
theorem extreme_pair {u w : Nat} (huw : w ≤ u) {x y : Nat × Nat} (hx : Extreme u w x)
    (hy : Extreme u w y) (hxy : x.1 ≤ y.1) :
    (w : Int) * x.2 + u * (x.1 * (endCoef u w x * endCoef u w y)) ≤
      (u + w) * ((min x.2 y.2 : Nat) : Int) := by
  obtain ⟨k, v⟩ := x
  obtain ⟨m, z⟩ := y
  simp only at hxy ⊢
  have hu := Nat.mul_le_mul_left (u * u) hxy
  have hw := Nat.mul_le_mul_left (w * w) hxy
  have hwu := Nat.mul_le_mul_right m (Nat.mul_le_mul huw huw)
  have p1 : (0 : Int) ≤ (u : Int) * w * w * k := by
    have := Int.natCast_nonneg (u * w * w * k); simpa only [Int.natCast_mul] using this
  have p2 : (0 : Int) ≤ (u : Int) * u * w * k := by
    have := Int.natCast_nonneg (u * u * w * k); simpa only [Int.natCast_mul] using this
  rcases endCoef_cases hx with ⟨h1, h2⟩ | ⟨h1, h2⟩ <;>
    rcases endCoef_cases hy with ⟨h3, h4⟩ | ⟨h3, h4⟩ <;>
    simp only at h1 h3 <;> rw [h2, h4] <;> subst h1 <;> subst h3
  · rw [Nat.min_eq_left hw, Int.natCast_mul, Int.natCast_mul]
    exact Int.le_of_eq (by grind)
  · rw [Nat.min_eq_left (by omega), Int.natCast_mul, Int.natCast_mul]
    have e : ((u : Int) + w) * (w * w * k) - (w * (w * w * k) + u * (k * (-(w : Int) * u))) =
        u * w * w * k + u * u * w * k := by grind
    omega
  · have e : (w : Int) * ((u * u * k : Nat) : Int) + u * (k * ((u : Int) * -(w : Int))) = 0 := by
      rw [Int.natCast_mul, Int.natCast_mul]; grind
    rw [e]
    exact Int.mul_nonneg (by omega) (Int.natCast_nonneg _)
  · rw [Nat.min_eq_left hu, Int.natCast_mul, Int.natCast_mul]
    exact Int.le_of_eq (by grind)

/-- One volume against all later ones. -/
theorem extreme_row {u w : Nat} (huw : w ≤ u) {x : Nat × Nat} (hx : Extreme u w x) :
    ∀ {l : List (Nat × Nat)}, (∀ y ∈ l, Extreme u w y ∧ x.1 ≤ y.1) →
    (w : Int) * ((l.length * x.2 : Nat) : Int) + u * (x.1 * (endCoef u w x * coefSum u w l)) ≤
      (u + w) * ((minSum x.2 (l.map Prod.snd) : Nat) : Int)
  | [], _ => by simp [coefSum, minSum]
  | y :: l, h => by
    have ih := extreme_row huw hx fun z hz => h z (List.mem_cons_of_mem _ hz)
    have h1 := h y (List.mem_cons_self ..)
    have h2 := extreme_pair huw hx h1.1 h1.2
    rw [List.map_cons, minSum, List.length_cons, Nat.succ_mul, coefSum, Int.natCast_add,
      Int.natCast_add, Int.mul_add, Int.mul_add, Int.mul_add, Int.mul_add, Int.mul_add]
    omega

/-- All volumes at ends. -/
theorem extreme_form {u w : Nat} (huw : w ≤ u) : ∀ {l : List (Nat × Nat)},
    l.Pairwise (fun x y => x.1 ≤ y.1) → (∀ x ∈ l, Extreme u w x) →
    (w : Int) * ((2 * beforeSum (l.map Prod.snd) + (l.map Prod.snd).sum : Nat) : Int) +
      u * endForm u w l ≤ (u + w) * ((orderedMin (l.map Prod.snd) : Nat) : Int)
  | [], _, _ => by simp [endForm, beforeSum, orderedMin]
  | x :: l, h, hx => by
    have h' := List.pairwise_cons.1 h
    have ih := extreme_form huw h'.2 fun y hy => hx y (List.mem_cons_of_mem _ hy)
    have h1 := hx x (List.mem_cons_self ..)
    have h2 := extreme_row huw h1 fun y hy => ⟨hx y (List.mem_cons_of_mem _ hy), h'.1 y hy⟩
    have h3 := endCoef_sq h1
    rw [List.map_cons, orderedMin_cons, beforeSum, List.sum_cons, endForm, List.length_map]
    generalize coefSum u w l = C at h2 ⊢
    generalize endCoef u w x = e at h2 h3 ⊢
    generalize endForm u w l = E at ih ⊢
    generalize orderedMin (l.map Prod.snd) = Z at ih ⊢
    generalize minSum x.2 (l.map Prod.snd) = N at h2 ⊢
    generalize beforeSum (l.map Prod.snd) = F at ih ⊢
    generalize (l.map Prod.snd).sum = V at ih ⊢
    generalize l.length * x.2 = R at h2 ⊢
    have e1 : (w : Int) * ((2 * (R + F) + (x.2 + V) : Nat) : Int) =
        2 * (w * (R : Int)) + w * ((2 * F + V : Nat) : Int) + w * (x.2 : Int) := by
      simp only [Int.natCast_add, Int.natCast_mul]; grind
    have e2 : ((u : Int) + w) * ((x.2 + 2 * N + Z : Nat) : Int) =
        2 * ((u + w) * (N : Int)) + (u + w) * (Z : Int) + w * (x.2 : Int) + u * (x.2 : Int) := by
      simp only [Int.natCast_add, Int.natCast_mul]; grind
    have e3 : (u : Int) * (x.1 * (e * e + 2 * (e * C)) + E) =
        u * (x.1 * (e * e)) + 2 * (u * (x.1 * (e * C))) + u * E := by grind
    rw [e1, e2, e3, h3]
    omega

theorem extreme_bound {u w : Nat} (huw : w ≤ u) {l : List (Nat × Nat)}
    (h : l.Pairwise (fun x y => x.1 ≤ y.1)) (hx : ∀ x ∈ l, Extreme u w x) :
    w * (2 * beforeSum (l.map Prod.snd) + (l.map Prod.snd).sum) ≤
      (u + w) * orderedMin (l.map Prod.snd) := by
  have h1 := extreme_form huw h hx
  have h2 := endForm_ge u w h 0 fun x _ => Nat.zero_le _
  have h3 : 0 ≤ endForm u w l := by simpa using h2
  have h4 := Int.mul_nonneg (Int.natCast_nonneg u) h3
  refine Int.ofNat_le.1 ?_
  rw [Int.natCast_mul, Int.natCast_mul, Int.natCast_add u w]
  omega

end OnlineKvCache.Svf
