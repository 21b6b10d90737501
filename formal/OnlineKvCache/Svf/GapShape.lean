module

public import OnlineKvCache.Basic.Sums

@[expose] public section

/-! # The integer lemmas of the gap theorem

Memory of one request against its age, in closed forms: `grown` is twice the volume of its first
rounds, `levels` is six times a sum of such volumes. The lemmas are the pointwise steps of the proof
that the list schedule is within `19/9` of the optimum; the last one is the final square. -/

namespace OnlineKvCache.Svf.Gap

/-- Twice the memory used in the first `a` rounds of a request with prompt `s`: twice the sum of
`s + 1, …, s + a`. -/
def grown (s a : Nat) : Nat := 2 * (s * a) + a * (a + 1)

/-- Six times the sum over `x = 1, …, a` of the volumes of the first `x` and of the first `x - 1`
rounds. -/
def levels (s a : Nat) : Nat := 6 * (s * (a * a)) + a * (a + 1) * (2 * a + 1)

/-- The volumes of the first `x` and `x - 1` rounds add up to `levels`. -/
theorem levels_succ (s a : Nat) :
    levels s (a + 1) = levels s a + 3 * (grown s (a + 1) + grown s a) := by
  unfold levels grown; grind

theorem grown_mono (s : Nat) {a b : Nat} (h : a ≤ b) : grown s a ≤ grown s b := by
  unfold grown
  have h1 := Nat.mul_le_mul_left s h
  have h2 := Nat.mul_le_mul h (Nat.succ_le_succ h)
  simp only [Nat.succ_eq_add_one] at h2
  omega

/-- A stretch of `e` more active rounds. -/
theorem levels_add (s a e : Nat) :
    levels s a + 6 * (e * grown s a) ≤ levels s (a + e) := by
  have h : levels s (a + e) = levels s a + 6 * (e * grown s a) +
      (6 * (s * (e * e)) + 6 * (a * (e * e)) + 2 * (e * (e * e)) + 3 * (e * e) + e) := by
    unfold levels grown; grind
  omega

/-- Step 2, the ramp: a request that is active through a stretch of `d` rounds and holds
`m = s + b + d` at its end uses, in the stretch, at least half of `d * m`. -/
theorem ramp (s b d : Nat) : grown s b + d * (s + b + d) ≤ grown s (b + d) := by
  have h : grown s (b + d) = grown s b + d * (s + b + d) + (d * (s + b) + d) := by
    unfold grown; grind
  omega

/-- Steps 3 and 4: over the stretch the request pays for the square of its length: the gain in
`levels` and in `o` times the volume is at least `3 d² m`. -/
theorem stretch (s b d o : Nat) (ho : d ≤ o) :
    levels s b + o * grown s b + 6 * (d * grown s b) + 3 * (d * d * (s + b + d)) ≤
      levels s (b + d) + o * grown s (b + d) := by
  have h1 : levels s (b + d) = levels s b + 6 * (d * grown s b) +
      (6 * (s * (d * d)) + 6 * (b * (d * d)) + 2 * (d * (d * d)) + 3 * (d * d) + d) := by
    unfold levels grown; grind
  have h2 := Nat.mul_le_mul_left o (ramp s b d)
  have h3 := Nat.mul_le_mul_right (d * (s + b + d)) ho
  have e1 : o * (grown s b + d * (s + b + d)) = o * grown s b + o * (d * (s + b + d)) := by grind
  have e2 : d * (d * (s + b + d)) = s * (d * d) + b * (d * d) + d * (d * d) := by grind
  have e3 : d * d * (s + b + d) = s * (d * d) + b * (d * d) + d * (d * d) := by grind
  omega

/-- Step 5, the long requests: with age `a ≤ T ≤ o` at time `T`. -/
theorem long (s a o T : Nat) (ha : a ≤ T) (hT : T ≤ o) :
    levels s a + o * grown s a + 2 * (T * grown s a) + 6 * (grown s o * (T - a)) ≤
      6 * (grown s o * o) := by
  obtain ⟨x, rfl⟩ : ∃ x, T = a + x := ⟨T - a, by omega⟩
  obtain ⟨y, rfl⟩ : ∃ y, o = a + x + y := ⟨o - (a + x), by omega⟩
  rw [Nat.add_sub_cancel_left]
  cases a with
  | zero =>
    have e1 : levels s 0 = 0 := by simp [levels]
    have e2 : grown s 0 = 0 := by simp [grown]
    have := Nat.mul_le_mul_left (grown s (0 + x + y)) (show x ≤ 0 + x + y by omega)
    rw [e1, e2]
    omega
  | succ a =>
    have h : 6 * (grown s (a + 1 + x + y) * (a + 1 + x + y)) =
        levels s (a + 1) + (a + 1 + x + y) * grown s (a + 1) +
        2 * ((a + 1 + x) * grown s (a + 1)) + 6 * (grown s (a + 1 + x + y) * x) +
        (a * a * a + 9 * (a * a * x) + 17 * (a * a * y) + 3 * (a * a) + 6 * (a * s * x) +
          22 * (a * s * y) + 6 * (a * x * x) + 24 * (a * x * y) + 21 * (a * x) +
          18 * (a * y * y) + 45 * (a * y) + 2 * a + 12 * (s * x * y) + 6 * (s * x) +
          12 * (s * y * y) + 22 * (s * y) + 6 * (x * x * y) + 6 * (x * x) + 12 * (x * y * y) +
          30 * (x * y) + 12 * x + 6 * (y * y * y) + 24 * (y * y) + 28 * y) := by
      unfold levels grown; grind
    omega

/-- Step 6, the short requests: of age `a` at time `T`, with `r` rounds to go. -/
theorem short (s a r : Nat) :
    2 * ((a + r) * grown s a) + 12 * (grown s (a + r) * r) + 2 * levels s a + 4 * (r * grown s a) ≤
      4 * levels s (a + r) + 4 * (r * grown s (a + r)) := by
  have h : 4 * levels s (a + r) + 4 * (r * grown s (a + r)) =
      2 * ((a + r) * grown s a) + 12 * (grown s (a + r) * r) + 2 * levels s a +
      4 * (r * grown s a) + (2 * (a * a * a) + 10 * (a * a * r) + 8 * (a * a * s) + 4 * (a * a) +
        8 * (a * r * r) + 20 * (a * r * s) + 10 * (a * r) + 2 * a + 8 * (r * r * s) +
        4 * (r * r) + 4 * r) := by
    unfold levels grown; grind
  omega

/-- Step 9: `levels` dominates twice `o` times the volume. -/
theorem two_mul_grown_le_levels (s o : Nat) : 2 * (o * grown s o) ≤ levels s o := by
  have h : levels s o = 2 * (o * grown s o) + (2 * (s * (o * o)) + o * o + o) := by
    unfold levels grown; grind
  omega

/-- Step 10, the final square: `57 y² - 26 B y + 3 B² ≥ 0`. -/
theorem square (B y : Int) : 26 * (B * y) ≤ 57 * (y * y) + 3 * (B * B) := by
  have h : ∀ x : Int, 0 ≤ x * x := fun x => by
    rcases Int.le_total 0 x with h | h
    · exact Int.mul_nonneg h h
    · exact Int.mul_nonneg_of_nonpos_of_nonpos h h
  have h1 := h (57 * y - 13 * B)
  have h2 := h B
  have e : (57 * y - 13 * B) * (57 * y - 13 * B) =
      57 * (57 * (y * y) - 26 * (B * y) + 3 * (B * B)) - 2 * (B * B) := by grind
  omega

end OnlineKvCache.Svf.Gap
