module

@[expose] public section

/-! # The potential behind the constant 48 of FairShare

A stage has the weight `γ`, the stage before it `β`, with `2 * β ≤ γ`. The potential of the pair is
the largest of eight linear forms: with `v = 4 * β / γ` it is `168 * γ` times the convex piecewise
linear function with values 102/168, 109/168, 117/168, 127/168, 139/168, 153/168, 171/168, 194/168,
224/168 at `v = 0, 1/4, …, 2`. One stage of FairShare is paid by 48 times its share of the lower
bound and by what it takes from the potential (`stage_step`). For a fixed cell of `v` the inequality
is linear in `β`, so it follows from the knots; there it is a concave function of the number `x` of
long survivors, so it follows from `x = 0` and `x = n - y`; and there it is a positive quadratic
form, by completing the square. -/

namespace OnlineKvCache.NonClairvoyant.Sharp

/-- The linear forms `A * γ + 16 * d * β` whose maximum is the potential, as pairs `(A, d)`. -/
def lines : List (Int × Int) :=
  [(102, 7), (101, 8), (97, 10), (91, 12), (83, 14), (63, 18), (33, 23), (-16, 30)]

/-- The knots: for `16 * β = j * γ` the pair of `16 - j` and the potential for `γ = 1`. -/
def knots : List (Int × Int) :=
  [(16, 102), (15, 109), (14, 117), (13, 127), (12, 139), (11, 153), (10, 171), (9, 194),
    (8, 224)]

/-- The largest of the linear forms in the list. -/
def pot (γ β : Int) : List (Int × Int) → Int
  | [] => 0
  | s :: l => max (s.1 * γ + 16 * s.2 * β) (pot γ β l)

theorem le_pot {γ β : Int} : ∀ {l : List (Int × Int)} {s : Int × Int}, s ∈ l →
    s.1 * γ + 16 * s.2 * β ≤ pot γ β l
  | t :: l, s, h => by
    rw [pot]
    rcases List.mem_cons.1 h with h1 | h1
    · rw [h1]
      exact Int.le_max_left _ _
    · exact Int.le_trans (le_pot h1) (Int.le_max_right _ _)

theorem pot_mul_le {γ β c B : Int} (hB : 0 ≤ B) : ∀ {l : List (Int × Int)},
    (∀ s ∈ l, (s.1 * γ + 16 * s.2 * β) * c ≤ B) → pot γ β l * c ≤ B
  | [], _ => by
    rw [pot, Int.zero_mul]
    exact hB
  | s :: l, h => by
    have h1 := h s (List.mem_cons_self ..)
    have h2 := pot_mul_le hB (l := l) fun t ht => h t (List.mem_cons_of_mem _ ht)
    rw [pot]
    rcases Int.le_total (s.1 * γ + 16 * s.2 * β) (pot γ β l) with h3 | h3
    · rw [Int.max_eq_right h3]
      exact h2
    · rw [Int.max_eq_left h3]
      exact h1

theorem mul_self_nonneg (a : Int) : 0 ≤ a * a := by
  rw [← Int.natAbs_mul_self]
  exact Int.natCast_nonneg _

/-- A quadratic form whose discriminant is not positive. -/
theorem quad_nonneg {α β γ : Int} (m n : Int) (hα : 0 < α) (hd : β * β ≤ 4 * (α * γ)) :
    β * (n * m) ≤ α * (m * m) + γ * (n * n) := by
  have h1 := mul_self_nonneg (2 * (α * m) - β * n)
  have h2 : 0 ≤ (4 * (α * γ) - β * β) * (n * n) :=
    Int.mul_nonneg (by omega) (mul_self_nonneg n)
  have e : 4 * α * (α * (m * m) + γ * (n * n) - β * (n * m)) =
      (2 * (α * m) - β * n) * (2 * (α * m) - β * n) + (4 * (α * γ) - β * β) * (n * n) := by
    grind
  have h3 : 0 ≤ α * (m * m) + γ * (n * n) - β * (n * m) := by
    refine Int.le_of_mul_le_mul_left (a := 4 * α) ?_ (by omega)
    rw [Int.mul_zero, e]
    exact Int.add_nonneg h1 h2
  omega

/-- The numbers: two discriminants for each knot and line. -/
theorem fits : ∀ k ∈ knots, ∀ s ∈ lines, 0 ≤ s.2 ∧ 0 < 126 * k.1 ∧ 0 < 126 * k.1 - 16 * s.2 ∧
    (672 + 2 * s.1) * (672 + 2 * s.1) ≤ 4 * ((126 * k.1 - 16 * s.2) * (k.2)) ∧
    1344 * 1344 ≤
      4 * (126 * k.1 * (1344 + k.2 - (672 + 2 * s.1) - 16 * s.2)) := by
  decide +kernel

/-- The inequality at the knots. -/
theorem knot {k s : Int × Int} (hk : k ∈ knots) (hs : s ∈ lines) {n x y : Int} (hx : 0 ≤ x)
    (hn : x + y ≤ n) :
    (672 + 2 * s.1) * (n * (x + y)) + 16 * s.2 * ((x + y) * (x + y)) ≤
      126 * k.1 * (y * y) + 1344 * (n * x) + k.2 * (n * n) := by
  obtain ⟨hd, hc, h1, h2, h3⟩ := fits k hk s hs
  have q0 := quad_nonneg y n h1 h2
  have q1 := quad_nonneg y n hc h3
  have hd' : 0 ≤ 16 * s.2 := by omega
  clear h1 h2 h3 hc hd
  generalize 126 * k.1 = c at *
  generalize 16 * s.2 = d at *
  generalize 672 + 2 * s.1 = b at *
  generalize k.2 = g at *
  have e0 : 0 ≤ c * (y * y) + g * (n * n) - b * (n * y) - d * (y * y) := by
    have e : (c - d) * (y * y) = c * (y * y) - d * (y * y) := Int.sub_mul ..
    omega
  have e1 : 0 ≤ c * (y * y) + 1344 * (n * (n - y)) + g * (n * n) - b * (n * n) -
      d * (n * n) := by
    have e : c * (y * y) + 1344 * (n * (n - y)) + g * (n * n) - b * (n * n) - d * (n * n) =
        c * (y * y) + (1344 + g - b - d) * (n * n) - 1344 * (n * y) := by grind
    rw [e]
    omega
  by_cases hL : n - y = 0
  · have hx0 : x = 0 := by omega
    subst hx0
    rw [Int.zero_add, Int.mul_zero]
    omega
  · have h4 := Int.mul_nonneg (show 0 ≤ n - y - x by omega) e0
    have h5 := Int.mul_nonneg hx e1
    have h6 := Int.mul_nonneg (Int.mul_nonneg hd' hx)
      (Int.mul_nonneg (show 0 ≤ n - y - x by omega) (show 0 ≤ n - y by omega))
    have e : (n - y) * (c * (y * y) + 1344 * (n * x) + g * (n * n) -
        (b * (n * (x + y)) + d * ((x + y) * (x + y)))) =
        (n - y - x) * (c * (y * y) + g * (n * n) - b * (n * y) - d * (y * y)) +
        x * (c * (y * y) + 1344 * (n * (n - y)) + g * (n * n) - b * (n * n) - d * (n * n)) +
        d * x * ((n - y - x) * (n - y)) := by grind
    have h7 : 0 ≤ c * (y * y) + 1344 * (n * x) + g * (n * n) -
        (b * (n * (x + y)) + d * ((x + y) * (x + y))) := by
      refine Int.le_of_mul_le_mul_left (a := n - y) ?_ (by omega)
      rw [Int.mul_zero, e]
      exact Int.add_nonneg (Int.add_nonneg h4 h5) h6
    omega

/-- Each pair of weights lies between two neighbouring knots. -/
theorem cell_of {γ β : Int} (j A d : Int) (hk : (16 - j, A + j * d) ∈ knots)
    (hk' : (16 - (j + 1), A + (j + 1) * d) ∈ knots) (hs : (A, d) ∈ lines) (h1 : j * γ ≤ 16 * β)
    (h2 : 16 * β ≤ (j + 1) * γ) :
    ∃ k ∈ knots, ∃ k' ∈ knots, ∃ p q : Int, 0 ≤ p ∧ 0 ≤ q ∧ p + q = γ ∧
      p * k.1 + q * k'.1 = 16 * (γ - β) ∧ p * k.2 + q * k'.2 ≤ pot γ β lines := by
  refine ⟨_, hk, _, hk', (j + 1) * γ - 16 * β, 16 * β - j * γ, by omega, by omega, by grind,
    by grind, ?_⟩
  have h3 := le_pot (γ := γ) (β := β) hs
  have e : ((j + 1) * γ - 16 * β) * (A + j * d) + (16 * β - j * γ) * (A + (j + 1) * d) =
    A * γ + 16 * d * β := by grind
  rw [← e] at h3
  exact h3

theorem exists_cell {γ β : Int} (h0 : 0 ≤ β) (h2 : 2 * β ≤ γ) :
    ∃ k ∈ knots, ∃ k' ∈ knots, ∃ p q : Int, 0 ≤ p ∧ 0 ≤ q ∧ p + q = γ ∧
      p * k.1 + q * k'.1 = 16 * (γ - β) ∧ p * k.2 + q * k'.2 ≤ pot γ β lines := by
  by_cases h : 16 * β ≤ γ
  · exact cell_of 0 102 7 (by decide) (by decide) (by decide) (by omega) (by omega)
  by_cases h : 16 * β ≤ 2 * γ
  · exact cell_of 1 101 8 (by decide) (by decide) (by decide) (by omega) (by omega)
  by_cases h : 16 * β ≤ 3 * γ
  · exact cell_of 2 97 10 (by decide) (by decide) (by decide) (by omega) (by omega)
  by_cases h : 16 * β ≤ 4 * γ
  · exact cell_of 3 91 12 (by decide) (by decide) (by decide) (by omega) (by omega)
  by_cases h : 16 * β ≤ 5 * γ
  · exact cell_of 4 83 14 (by decide) (by decide) (by decide) (by omega) (by omega)
  by_cases h : 16 * β ≤ 6 * γ
  · exact cell_of 5 63 18 (by decide) (by decide) (by decide) (by omega) (by omega)
  by_cases h : 16 * β ≤ 7 * γ
  · exact cell_of 6 33 23 (by decide) (by decide) (by decide) (by omega) (by omega)
  · exact cell_of 7 (-16) 30 (by decide) (by decide) (by decide) (by omega) (by omega)

/-- The inequality between two knots. -/
theorem between {γ β n x y : Int} (h0 : 0 ≤ β) (h2 : 2 * β ≤ γ) (hx : 0 ≤ x) (hn : x + y ≤ n)
    {s : Int × Int} (hs : s ∈ lines) :
    γ * ((672 + 2 * s.1) * (n * (x + y)) + 16 * s.2 * ((x + y) * (x + y))) ≤
      2016 * ((γ - β) * (y * y)) + 1344 * (γ * (n * x)) + pot γ β lines * (n * n) := by
  obtain ⟨k, hk, k', hk', p, q, hp, hq, rfl, e1, h3⟩ := exists_cell h0 h2
  have h4 := Int.mul_le_mul_of_nonneg_left (knot hk hs hx hn) hp
  have h5 := Int.mul_le_mul_of_nonneg_left (knot hk' hs hx hn) hq
  have h6 := Int.mul_le_mul_of_nonneg_right h3 (mul_self_nonneg n)
  generalize (672 + 2 * s.1) * (n * (x + y)) + 16 * s.2 * ((x + y) * (x + y)) = T at *
  generalize n * n = V at *
  generalize n * x = U at *
  generalize y * y = Z at *
  have e2 : (p + q) * T = p * T + q * T := Int.add_mul ..
  have e3 : p * (126 * k.1 * Z + 1344 * U + k.2 * V) +
      q * (126 * k'.1 * Z + 1344 * U + k'.2 * V) =
      126 * ((p * k.1 + q * k'.1) * Z) + 1344 * ((p + q) * U) +
        (p * k.2 + q * k'.2) * V := by grind
  have e4 : 16 * (p + q - β) * Z = 16 * ((p + q - β) * Z) := Int.mul_assoc ..
  rw [e1, e4] at e3
  clear e1 e4 h3
  omega

/-- One stage. -/
theorem stage_step {γ β γ' n m x y : Int} (h0 : 0 ≤ β) (h2 : 2 * β ≤ γ) (hx : 0 ≤ x)
    (hy : 0 ≤ y) (hm : m = x + y) (hn : m ≤ n) (hw : γ' * m = 2 * (γ * n) ∨ m = 0) :
    672 * (γ * (n * m)) + pot γ' γ lines * (m * m) ≤
      2016 * ((γ - β) * (y * y)) + 1344 * (γ * (n * x)) + pot γ β lines * (n * n) := by
  subst hm
  have key : ∀ s ∈ lines, 672 * (γ * (n * (x + y))) +
      (s.1 * γ' + 16 * s.2 * γ) * ((x + y) * (x + y)) ≤ 2016 * ((γ - β) * (y * y)) +
        1344 * (γ * (n * x)) + pot γ β lines * (n * n) := fun s hs => by
    have h3 := between h0 h2 hx hn hs
    have e1 : γ' * ((x + y) * (x + y)) = 2 * (γ * (n * (x + y))) := by
      rcases hw with hw | hw
      · rw [← Int.mul_assoc, hw]
        grind
      · simp [hw]
    have e2 : (s.1 * γ' + 16 * s.2 * γ) * ((x + y) * (x + y)) =
        s.1 * (γ' * ((x + y) * (x + y))) + 16 * s.2 * (γ * ((x + y) * (x + y))) := by grind
    have e3 : γ * ((672 + 2 * s.1) * (n * (x + y)) + 16 * s.2 * ((x + y) * (x + y))) =
        672 * (γ * (n * (x + y))) + (s.1 * (2 * (γ * (n * (x + y)))) +
          16 * s.2 * (γ * ((x + y) * (x + y)))) := by grind
    rw [e2, e1]
    rw [e3] at h3
    exact h3
  have hγ : 0 ≤ γ * (n * (x + y)) :=
    Int.mul_nonneg (by omega) (Int.mul_nonneg (by omega) (by omega))
  have hB : 0 ≤ 2016 * ((γ - β) * (y * y)) + 1344 * (γ * (n * x)) +
      pot γ β lines * (n * n) - 672 * (γ * (n * (x + y))) := by
    have h3 := between h0 h2 hx hn (s := (102, 7)) (by decide)
    have h4 : 0 ≤ γ * ((x + y) * (x + y)) :=
      Int.mul_nonneg (by omega) (mul_self_nonneg _)
    have e3 : γ * ((672 + 2 * 102) * (n * (x + y)) + 16 * 7 * ((x + y) * (x + y))) =
        876 * (γ * (n * (x + y))) + 112 * (γ * ((x + y) * (x + y))) := by grind
    dsimp only at h3
    rw [e3] at h3
    omega
  have h5 := pot_mul_le (γ := γ') (β := γ) (c := (x + y) * (x + y)) hB (l := lines)
    fun s hs => by
      have := key s hs
      omega
  omega

end OnlineKvCache.NonClairvoyant.Sharp
