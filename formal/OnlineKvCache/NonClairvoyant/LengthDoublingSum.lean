module

public import OnlineKvCache.NonClairvoyant.LengthDoubling
public import OnlineKvCache.Area.Volume

public section

/-! # LengthDoubling: the sums over the stages

A request with output `o` is still unfinished at the beginning of stage `r` when
`lower c r ≤ o`, and then the caps so far and their squares have sums of at most `a * o` and
`b / 3 * o²`. -/

namespace OnlineKvCache.NonClairvoyant

variable {c : Nat → Nat} {a b : Nat}

/-- The least output that is unfinished at the beginning of stage `r`. -/
@[expose] def lower (c : Nat → Nat) (r : Nat) : Nat := if r = 0 then 1 else c (r - 1) + 1

theorem lower_succ (c : Nat → Nat) (n : Nat) : lower c (n + 1) = c n + 1 := by
  unfold lower
  rw [if_neg (Nat.succ_ne_zero n), Nat.add_sub_cancel]

/-- What is used of the caps. -/
structure CapRule (c : Nat → Nat) (a b : Nat) : Prop where
  /-- Caps are positive. -/
  pos : ∀ r, 1 ≤ c r
  /-- They do not fall. -/
  mono : ∀ r, c r ≤ c (r + 1)
  /-- They reach every output. -/
  unbounded : ∀ o, ∃ r, o ≤ c r
  /-- Their sums. -/
  linear : ∀ n, ((List.range (n + 1)).map c).sum ≤ a * lower c n
  /-- The sums of their squares. -/
  square : ∀ n, 3 * ((List.range (n + 1)).map fun r => c r * c r).sum ≤
    b * (lower c n * lower c n)
  /-- The prompts count no more than the outputs. -/
  balance : 3 * a ≤ 2 * b

theorem CapRule.lower_mono (h : CapRule c a b) (r : Nat) :
    ∀ d : Nat, lower c r ≤ lower c (r + d)
  | 0 => Nat.le_refl _
  | d + 1 => by
    refine Nat.le_trans (h.lower_mono r d) ?_
    unfold lower
    rw [if_neg (show r + (d + 1) ≠ 0 by omega)]
    have e : r + (d + 1) - 1 = r + d := by omega
    rw [e]
    split
    · omega
    · have h1 := h.mono (r + d - 1)
      have e : r + d - 1 + 1 = r + d := by omega
      rw [e] at h1
      omega

/-- What one request adds to the areas of all stages. -/
theorem CapRule.job_area (h : CapRule c a b) (s o : Nat) : ∀ n : Nat,
    3 * ((List.range n).map fun r =>
      if lower c r ≤ o then c r * (s + c r) else 0).sum ≤ b * (2 * (s * o) + o * (o + 1))
  | 0 => Nat.zero_le _
  | n + 1 => by
    by_cases hn : lower c n ≤ o
    · have h1 : ((List.range (n + 1)).map fun r =>
          if lower c r ≤ o then c r * (s + c r) else 0).sum =
          s * ((List.range (n + 1)).map c).sum +
            ((List.range (n + 1)).map fun r => c r * c r).sum := by
        rw [← sum_map_mul, ← sum_map_add]
        refine sum_map_congr fun r hr => ?_
        have hr' := List.mem_range.1 hr
        have h2 := h.lower_mono r (n - r)
        have e : r + (n - r) = n := by omega
        rw [e] at h2
        rw [if_pos (by omega), Nat.mul_add, Nat.mul_comm s]
      have h2 := Nat.mul_le_mul_left s (Nat.le_trans (h.linear n) (Nat.mul_le_mul_left a hn))
      have h3 := Nat.le_trans (h.square n) (Nat.mul_le_mul_left b (Nat.mul_le_mul hn hn))
      have h4 := Nat.mul_le_mul_right (s * o) h.balance
      have e1 : 3 * a * (s * o) = 3 * (s * (a * o)) := by grind
      have e2 : b * (2 * (s * o) + o * (o + 1)) = 2 * b * (s * o) + b * (o * o) + b * o := by
        grind
      rw [h1]
      omega
    · rw [sum_range_succ, if_neg hn, Nat.add_zero]
      exact h.job_area s o n

/-- The length of all stages together. -/
theorem CapRule.total (h : CapRule c a b) {M X T n : Nat} {I : List Request}
    (h1 : (M + 1) * T ≤ (M + 1) * ((List.range (n + 1)).map c).sum +
      2 * ((List.range (n + 1)).map fun r =>
        ((I.filter fun q => decide (lower c r ≤ q.output)).map fun q =>
          c r * (q.prompt + c r)).sum).sum)
    (hn : lower c n ≤ X) (hv : (I.map twiceVolume).sum ≤ 2 * M * X) :
    3 * T ≤ (3 * a + 4 * b) * X := by
  have h2 : 3 * ((List.range (n + 1)).map fun r =>
      ((I.filter fun q => decide (lower c r ≤ q.output)).map fun q =>
        c r * (q.prompt + c r)).sum).sum ≤ b * (I.map twiceVolume).sum := by
    have e : ((List.range (n + 1)).map fun r =>
        ((I.filter fun q => decide (lower c r ≤ q.output)).map fun q =>
          c r * (q.prompt + c r)).sum).sum =
        (I.map fun q => ((List.range (n + 1)).map fun r =>
          if lower c r ≤ q.output then c r * (q.prompt + c r) else 0).sum).sum := by
      rw [sum_map_comm]
      refine sum_map_congr fun r _ => ?_
      rw [← sum_map_ite]
      exact sum_map_congr fun q _ => by simp
    rw [e, ← sum_map_mul, ← sum_map_mul]
    exact sum_map_le_sum_map fun q _ => h.job_area q.prompt q.output (n + 1)
  have h3 := Nat.le_trans (h.linear n) (Nat.mul_le_mul_left a hn)
  have h4 := Nat.mul_le_mul_left (M + 1) h3
  have h5 := Nat.mul_le_mul_left b hv
  refine Nat.le_of_mul_le_mul_left (?_ : (M + 1) * _ ≤ (M + 1) * _) (Nat.succ_pos M)
  have e1 : (M + 1) * (3 * T) = 3 * ((M + 1) * T) := Nat.mul_left_comm ..
  have e2 : (M + 1) * ((3 * a + 4 * b) * X) =
      3 * ((M + 1) * (a * X)) + 2 * (b * (2 * M * X)) + 4 * (b * X) := by grind
  rw [e1, e2]
  omega

/-! ### The two rules -/

theorem doubling_rule : CapRule (fun r => 2 ^ r) 4 16 where
  pos _ := Nat.two_pow_pos _
  mono r := by rw [Nat.pow_succ]; omega
  unbounded o := ⟨o, Nat.le_of_lt Nat.lt_two_pow_self⟩
  linear n := by
    have h1 : ∀ m : Nat, ((List.range m).map fun r => 2 ^ r).sum + 1 = 2 ^ m := fun m => by
      induction m with
      | zero => rfl
      | succ m ih => rw [sum_range_succ, Nat.pow_succ]; omega
    have h2 := h1 (n + 1)
    unfold lower
    cases n with
    | zero => simp
    | succ n =>
      rw [if_neg (Nat.succ_ne_zero n), Nat.add_sub_cancel]
      rw [Nat.pow_succ, Nat.pow_succ] at h2
      dsimp only
      omega
  square n := by
    have h1 : ∀ m : Nat, 3 * ((List.range m).map fun r => 2 ^ r * 2 ^ r).sum + 1 =
        2 ^ m * 2 ^ m := fun m => by
      induction m with
      | zero => rfl
      | succ m ih =>
        rw [sum_range_succ, Nat.pow_succ]
        have e : 2 ^ m * 2 * (2 ^ m * 2) = 4 * (2 ^ m * 2 ^ m) := by grind
        omega
    have h2 := h1 (n + 1)
    unfold lower
    cases n with
    | zero => simp
    | succ n =>
      rw [if_neg (Nat.succ_ne_zero n), Nat.add_sub_cancel]
      rw [Nat.pow_succ, Nat.pow_succ] at h2
      have e1 : 2 ^ n * 2 * 2 * (2 ^ n * 2 * 2) = 16 * (2 ^ n * 2 ^ n) := by grind
      have e2 : (2 ^ n + 1) * (2 ^ n + 1) = 2 ^ n * 2 ^ n + 2 * 2 ^ n + 1 := by grind
      rw [e2]
      omega
  balance := by decide

theorem fineCap_odd (k : Nat) : fineCap (2 * k + 1) = 2 * 2 ^ k := by
  unfold fineCap
  have e : (2 * k + 1 + 1) / 2 = k + 1 := by omega
  rw [if_neg (by omega), if_pos (by omega), e, Nat.pow_succ, Nat.mul_comm]

theorem fineCap_even (k : Nat) : fineCap (2 * k + 2) = 3 * 2 ^ k := by
  unfold fineCap
  have e : (2 * k + 2 - 2) / 2 = k := by omega
  rw [if_neg (by omega), if_neg (by omega), e]

theorem even_odd_cases {P : Nat → Prop} (h0 : P 0) (h1 : ∀ k, P (2 * k + 1))
    (h2 : ∀ k, P (2 * k + 2)) (r : Nat) : P r := by
  rcases Nat.lt_or_ge r 1 with h | h
  · obtain rfl : r = 0 := by omega
    exact h0
  · by_cases hr : r % 2 = 1
    · have e : r = 2 * (r / 2) + 1 := by omega
      rw [e]
      exact h1 _
    · have e : r = 2 * (r / 2 - 1) + 2 := by omega
      rw [e]
      exact h2 _

theorem fine_sums (k : Nat) :
    ((List.range (2 * k + 2)).map fineCap).sum + 4 = 7 * 2 ^ k ∧
    3 * ((List.range (2 * k + 2)).map fun r => fineCap r * fineCap r).sum + 10 =
      25 * (2 ^ k * 2 ^ k) := by
  induction k with
  | zero => decide
  | succ k ih =>
    have e : 2 * (k + 1) + 2 = 2 * k + 2 + 1 + 1 := by omega
    have e2 : fineCap (2 * k + 2 + 1) = 4 * 2 ^ k := by
      have := fineCap_odd (k + 1)
      rw [Nat.pow_succ] at this
      have e3 : 2 * (k + 1) + 1 = 2 * k + 2 + 1 := by omega
      rw [e3] at this
      omega
    have e3 : 2 ^ k * 2 * (2 ^ k * 2) = 4 * (2 ^ k * 2 ^ k) := by grind
    have e4 : 3 * 2 ^ k * (3 * 2 ^ k) = 9 * (2 ^ k * 2 ^ k) := by grind
    have e5 : 4 * 2 ^ k * (4 * 2 ^ k) = 16 * (2 ^ k * 2 ^ k) := by grind
    rw [e]
    refine ⟨?_, ?_⟩
    · rw [sum_range_succ, sum_range_succ, e2, fineCap_even, Nat.pow_succ]
      omega
    · rw [sum_range_succ, sum_range_succ, e2, fineCap_even, Nat.pow_succ, e3, e4, e5]
      omega

theorem lower_odd (k : Nat) : 3 * 2 ^ k + 1 ≤ 2 * lower fineCap (2 * k + 1) := by
  unfold lower
  rw [if_neg (by omega), Nat.add_sub_cancel]
  cases k with
  | zero => decide
  | succ k =>
    have e : 2 * (k + 1) = 2 * k + 2 := by omega
    rw [e, fineCap_even, Nat.pow_succ]
    omega

theorem lower_even (k : Nat) : lower fineCap (2 * k + 2) = 2 * 2 ^ k + 1 := by
  unfold lower
  have e : 2 * k + 2 - 1 = 2 * k + 1 := by omega
  rw [if_neg (by omega), e, fineCap_odd]

theorem fine_rule : CapRule fineCap 5 13 where
  pos := even_odd_cases (by decide) (fun k => by
      have := Nat.two_pow_pos k
      rw [fineCap_odd]
      omega) fun k => by
      have := Nat.two_pow_pos k
      rw [fineCap_even]
      omega
  mono := even_odd_cases (by decide) (fun k => by
      rw [fineCap_odd, fineCap_even]
      omega) fun k => by
      have h := fineCap_odd (k + 1)
      have e : 2 * (k + 1) + 1 = 2 * k + 2 + 1 := by omega
      rw [e, Nat.pow_succ] at h
      rw [fineCap_even, h]
      omega
  unbounded o := ⟨2 * o + 1, by
    have := Nat.lt_two_pow_self (n := o)
    rw [fineCap_odd]
    omega⟩
  linear := even_odd_cases (by decide) (fun k => by
      have h1 := (fine_sums k).1
      have h2 := lower_odd k
      have e : 2 * k + 1 + 1 = 2 * k + 2 := rfl
      rw [e]
      omega) fun k => by
      have h1 := (fine_sums k).1
      rw [lower_even, sum_range_succ, fineCap_even]
      omega
  square := even_odd_cases (by decide) (fun k => by
      have h1 := (fine_sums k).2
      have h2 := lower_odd k
      have h3 := Nat.mul_le_mul (Nat.le_of_succ_le h2) (Nat.le_of_succ_le h2)
      have e : 2 * k + 1 + 1 = 2 * k + 2 := rfl
      have e1 : 3 * 2 ^ k * (3 * 2 ^ k) = 9 * (2 ^ k * 2 ^ k) := by grind
      have e2 : 2 * lower fineCap (2 * k + 1) * (2 * lower fineCap (2 * k + 1)) =
          4 * (lower fineCap (2 * k + 1) * lower fineCap (2 * k + 1)) := by grind
      rw [e1, e2] at h3
      rw [e]
      omega) fun k => by
      have h1 := (fine_sums k).2
      have e1 : 3 * 2 ^ k * (3 * 2 ^ k) = 9 * (2 ^ k * 2 ^ k) := by grind
      have e2 : (2 * 2 ^ k + 1) * (2 * 2 ^ k + 1) = 4 * (2 ^ k * 2 ^ k) + 4 * 2 ^ k + 1 := by
        grind
      rw [lower_even, sum_range_succ, fineCap_even, e1, e2]
      omega
  balance := by decide

end OnlineKvCache.NonClairvoyant
