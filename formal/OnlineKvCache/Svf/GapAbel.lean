module

public import OnlineKvCache.Basic.Sums

public section

/-! # Summation by parts: from prefixes to weights

If `Σ v x ≤ Σ v y` over every prefix of a list and `w / v` does not increase along the list, then
`Σ w x ≤ Σ w y`. -/

namespace OnlineKvCache.Svf.Gap

variable {α : Type}

theorem cast_sum_map (f : α → Nat) : ∀ l : List α,
    (((l.map f).sum : Nat) : Int) = (l.map fun q => (f q : Int)).sum
  | [] => rfl
  | a :: l => by
    have ih := cast_sum_map f l
    simp only [List.map_cons, List.sum_cons] at ih ⊢
    omega

theorem isum_sub (f g : α → Int) : ∀ l : List α,
    (l.map fun q => f q - g q).sum = (l.map f).sum - (l.map g).sum
  | [] => rfl
  | a :: l => by
    have ih := isum_sub f g l
    simp only [List.map_cons, List.sum_cons] at ih ⊢
    omega

/-- Summation by parts, from the element `a` on, with the sums `A` and `P` up to there. -/
theorem abel_aux (v w z : α → Int) : ∀ (l : List α) (a : α) (A P : Int), 0 < v a → 0 ≤ w a →
    w a * P ≤ v a * A → 0 ≤ P → (a :: l).Pairwise (fun i j => w j * v i ≤ w i * v j) →
    (∀ x ∈ l, 0 < v x ∧ 0 ≤ w x) →
    (∀ B C, l = B ++ C → 0 ≤ P + (B.map fun q => v q * z q).sum) →
    0 ≤ A + (l.map fun q => w q * z q).sum
  | [], a, A, P, hv, hw, h, hP, _, _, _ => by
    have h1 := Int.le_trans (Int.mul_nonneg hw hP) h
    have h2 : v a * 0 ≤ v a * A := by rw [Int.mul_zero]; exact h1
    have h3 := Int.le_of_mul_le_mul_left h2 hv
    simp only [List.map_nil, List.sum_nil]
    omega
  | b :: l, a, A, P, hv, hw, h, hP, hp, hpos, hpre => by
    have hp' := List.pairwise_cons.1 hp
    have hb := hpos b (List.mem_cons_self ..)
    have hab := hp'.1 b (List.mem_cons_self ..)
    have h1 : v a * (w b * P) ≤ v a * (v b * A) := by
      have m1 := Int.mul_le_mul_of_nonneg_right hab hP
      have m2 := Int.mul_le_mul_of_nonneg_left h (Int.le_of_lt hb.1)
      have e1 : v a * (w b * P) = w b * v a * P := by grind
      have e2 : w a * v b * P = v b * (w a * P) := by grind
      have e3 : v a * (v b * A) = v b * (v a * A) := by grind
      omega
    have h2 := Int.le_of_mul_le_mul_left h1 hv
    have h3 : w b * (P + v b * z b) ≤ v b * (A + w b * z b) := by
      have e1 : w b * (P + v b * z b) = w b * P + w b * (v b * z b) := by grind
      have e2 : v b * (A + w b * z b) = v b * A + w b * (v b * z b) := by grind
      omega
    have hP' : 0 ≤ P + v b * z b := by
      have := hpre [b] l rfl
      simpa using this
    have := abel_aux v w z l b (A + w b * z b) (P + v b * z b) hb.1 hb.2 h3 hP' hp'.2
      (fun x hx => hpos x (List.mem_cons_of_mem _ hx)) fun B C hBC => by
        have h4 := hpre (b :: B) C (by rw [hBC]; rfl)
        simp only [List.map_cons, List.sum_cons] at h4
        omega
    simp only [List.map_cons, List.sum_cons]
    omega

/-- Summation by parts. -/
theorem abel {v w x y : α → Nat} {l : List α}
    (hw : l.Pairwise fun i j => w j * v i ≤ w i * v j) (hv : ∀ q ∈ l, 0 < v q)
    (h : ∀ B C, l = B ++ C →
      (B.map fun q => v q * x q).sum ≤ (B.map fun q => v q * y q).sum) :
    (l.map fun q => w q * x q).sum ≤ (l.map fun q => w q * y q).sum := by
  have key : ∀ (u : α → Nat) (B : List α),
      (B.map fun q => (u q : Int) * ((y q : Int) - x q)).sum =
        ((B.map fun q => u q * y q).sum : Nat) - ((B.map fun q => u q * x q).sum : Nat) := by
    intro u B
    rw [cast_sum_map, cast_sum_map, ← isum_sub]
    refine congrArg List.sum (List.map_congr_left fun q _ => ?_)
    rw [Int.mul_sub, Int.natCast_mul, Int.natCast_mul]
  cases l with
  | nil => exact Nat.le_refl _
  | cons a l =>
    have ha := h [a] l rfl
    have hva := hv a (List.mem_cons_self ..)
    simp only [List.map_cons, List.map_nil, List.sum_cons, List.sum_nil, Nat.add_zero] at ha
    have hxy := Nat.le_of_mul_le_mul_left ha hva
    have e : (w a : Int) * ((v a : Int) * ((y a : Int) - x a)) =
      (v a : Int) * ((w a : Int) * ((y a : Int) - x a)) := by grind
    have h0 : 0 ≤ (w a : Int) * ((y a : Int) - x a) +
        (l.map fun q => (w q : Int) * ((y q : Int) - x q)).sum :=
      abel_aux (fun q => (v q : Int)) (fun q => (w q : Int)) (fun q => (y q : Int) - x q) l a _
        ((v a : Int) * ((y a : Int) - x a)) (Int.natCast_pos.2 hva) (Int.natCast_nonneg _)
        (Int.le_of_eq e) (Int.mul_nonneg (Int.natCast_nonneg _) (by omega))
        (hw.imp fun {i j} hij => by
          rw [← Int.natCast_mul, ← Int.natCast_mul]
          exact Int.ofNat_le.2 hij)
        (fun q hq => ⟨Int.natCast_pos.2 (hv q (List.mem_cons_of_mem _ hq)),
          Int.natCast_nonneg _⟩)
        fun B C hBC => by
          have h1 := h (a :: B) C (by rw [hBC]; rfl)
          have h2 := key v (a :: B)
          simp only [List.map_cons, List.sum_cons] at h1 h2
          show 0 ≤ (v a : Int) * ((y a : Int) - x a) +
            (B.map fun q => (v q : Int) * ((y q : Int) - x q)).sum
          omega
    have h2 := key w (a :: l)
    simp only [List.map_cons, List.sum_cons] at h2 ⊢
    omega

end OnlineKvCache.Svf.Gap
