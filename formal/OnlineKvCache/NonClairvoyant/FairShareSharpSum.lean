module

public import OnlineKvCache.NonClairvoyant.FairShareSum
public import OnlineKvCache.NonClairvoyant.FairShareSharpPotential

public section

/-! # The summation behind FairShare, with the constant 48

As `Stages.bound`, but the pairs of large survivors are counted with the increments of the weights
(so that nothing is counted twice), and the squares are summed with a potential. -/

namespace OnlineKvCache.NonClairvoyant

variable {α : Type}

/-- The member before; zero before the first. -/
def before (x : Nat → Nat) : Nat → Nat
  | 0 => 0
  | r + 1 => x r

/-- The increments of an increasing sequence sum to its last member. -/
theorem sum_increments {x : Nat → Nat} (R : Nat) (h : ∀ r, r + 1 < R → x r ≤ x (r + 1)) :
    ∀ m, m < R → ((List.range (m + 1)).map fun r => x r - before x r).sum = x m
  | 0, _ => by simp [before, List.range_succ]
  | m + 1, hm => by
    have ih := sum_increments R h m (by omega)
    have := h m hm
    rw [List.range_succ]
    simp only [List.map_append, List.map_cons, List.map_nil, List.sum_append_nat,
      List.sum_cons, List.sum_nil, ih]
    show x m + (x (m + 1) - x m + 0) = x (m + 1)
    omega

/-- The increments up to members that are at most `b` sum to at most `b`. -/
theorem sum_increments_le {x : Nat → Nat} {b : Nat} {p : Nat → Bool} (R : Nat)
    (h : ∀ r, r + 1 < R → x r ≤ x (r + 1)) (hp : ∀ r, r < R → p r = true → x r ≤ b) :
    ∀ m, m ≤ R → ((List.range m).map fun r => if p r then x r - before x r else 0).sum ≤ b
  | 0, _ => Nat.zero_le _
  | m + 1, hm => by
    have ih := sum_increments_le R h hp m (by omega)
    cases h1 : p m
    · rw [List.range_succ]
      simp only [List.map_append, List.map_cons, List.map_nil, List.sum_append_nat,
        List.sum_cons, List.sum_nil, h1, Bool.false_eq_true, if_false]
      omega
    · have h2 := sum_increments R h m (by omega)
      have h3 := hp m (by omega) h1
      have h4 : ((List.range (m + 1)).map fun r => if p r then x r - before x r else 0).sum ≤
          ((List.range (m + 1)).map fun r => x r - before x r).sum :=
        sum_map_le_sum_map fun r _ => by split <;> omega
      omega

variable {M R : Nat} {l : List α} {o a : α → Nat} {u : Nat → α → Bool} {K : Nat} {w : Nat → Nat}

/-- Pairs of large survivors, each counted up to the last stage that both survive. -/
theorem sum_pairs_sharp (Y : Nat → α → Bool) (hmono : ∀ r, r + 1 < R → w r ≤ w (r + 1))
    (hlarge : ∀ r, r < R → ∀ q ∈ l, Y r q = true → M * w r ≤ K * a q) :
    M * ((List.range R).map fun r =>
        (w r - before w r) * (countOf l (Y r) * countOf l (Y r))).sum ≤
      K * (l.map fun i => (l.map fun j => min (a i) (a j)).sum).sum := by
  have e1 : M * ((List.range R).map fun r =>
      (w r - before w r) * (countOf l (Y r) * countOf l (Y r))).sum =
      (l.map fun i => (l.map fun j => ((List.range R).map fun r =>
        if Y r i && Y r j then M * (w r - before w r) else 0).sum).sum).sum := by
    have e2 : ∀ r, M * ((w r - before w r) * (countOf l (Y r) * countOf l (Y r))) =
        (l.map fun i => (l.map fun j =>
          if Y r i && Y r j then M * (w r - before w r) else 0).sum).sum := by
      intro r
      rw [← Nat.mul_assoc, countOf_mul_self, ← sum_map_mul]
      refine sum_map_congr fun i _ => ?_
      rw [← sum_map_mul]
      refine sum_map_congr fun j _ => ?_
      split <;> simp
    rw [← sum_map_mul]
    simp only [e2]
    rw [sum_map_comm]
    refine sum_map_congr fun i _ => ?_
    rw [sum_map_comm]
  have e3 : K * (l.map fun i => (l.map fun j => min (a i) (a j)).sum).sum =
      (l.map fun i => (l.map fun j => K * min (a i) (a j)).sum).sum := by
    rw [← sum_map_mul]
    refine sum_map_congr fun i _ => ?_
    rw [← sum_map_mul]
  have e4 : ∀ r, M * (w r - before w r) = M * w r - before (fun r => M * w r) r := fun r => by
    cases r with
    | zero => rfl
    | succ r => exact Nat.mul_sub ..
  rw [e1, e3]
  simp only [e4]
  refine sum_map_le_sum_map fun i hi => sum_map_le_sum_map fun j hj => ?_
  refine sum_increments_le (x := fun r => M * w r) R (fun r hr => ?_) (fun r hr hp => ?_) R
    (Nat.le_refl _)
  · exact Nat.mul_le_mul_left M (hmono r hr)
  · show M * w r ≤ K * min (a i) (a j)
    have hp' : (Y r i && Y r j) = true := hp
    rw [Bool.and_eq_true] at hp'
    have h1 := hlarge r hr i hi hp'.1
    have h2 := hlarge r hr j hj hp'.2
    rcases Nat.le_total (a i) (a j) with h3 | h3
    · rw [Nat.min_eq_left h3]; exact h1
    · rw [Nat.min_eq_right h3]; exact h2

/-- The stages, one after the other: `x` long and `y` large survivors. -/
theorem telescope {n x y : Nat → Nat} (hw : ∀ r, r < R → w r * n r = K * 2 ^ r)
    (hdouble : ∀ r, r + 1 < R → 2 * w r ≤ w (r + 1)) (hsplit : ∀ r, n (r + 1) = y r + x r)
    (hmono : ∀ r, n (r + 1) ≤ n r) (hlast : n R = 0) : ∀ m, m ≤ R →
    672 * ((K * ((List.range m).map fun r => 2 ^ r * n (r + 1)).sum : Nat) : Int) +
        Sharp.pot (w m) (before w m) Sharp.lines * ((n m : Int) * n m) ≤
      2016 * ((((List.range m).map fun r => (w r - before w r) * (y r * y r)).sum : Nat) : Int) +
        1344 * ((K * ((List.range m).map fun r => 2 ^ r * x r).sum : Nat) : Int) +
        Sharp.pot (w 0) 0 Sharp.lines * ((n 0 : Int) * n 0)
  | 0, _ => by simp [before]
  | m + 1, hm => by
    have ih := telescope hw hdouble hsplit hmono hlast m (by omega)
    have hb : 2 * before w m ≤ w m := by
      cases m with
      | zero => exact Nat.zero_le _
      | succ m => exact hdouble m (by omega)
    have hwm := hw m (by omega)
    have hs := hsplit m
    have hn := hmono m
    have hstep := Sharp.stage_step (γ := w m) (β := before w m) (γ' := w (m + 1)) (n := n m)
      (m := n (m + 1)) (x := x m) (y := y m) (by omega) (by omega) (by omega) (by omega)
      (by omega) (by omega) (by
        by_cases h : m + 1 < R
        · left
          have h1 := hw (m + 1) h
          have h2 : w (m + 1) * n (m + 1) = 2 * (w m * n m) := by
            rw [h1, hwm, Nat.pow_succ]
            grind
          exact_mod_cast h2
        · right
          have h1 : m + 1 = R := by omega
          rw [h1, hlast]
          rfl)
    rw [List.range_succ]
    simp only [List.map_append, List.map_cons, List.map_nil, List.sum_append_nat,
      List.sum_cons, List.sum_nil, Nat.add_zero, Nat.mul_add]
    have e1 : K * (2 ^ m * n (m + 1)) = w m * (n m * n (m + 1)) := by
      rw [← Nat.mul_assoc, ← hwm, Nat.mul_assoc]
    have e2 : K * (2 ^ m * x m) = w m * (n m * x m) := by
      rw [← Nat.mul_assoc, ← hwm, Nat.mul_assoc]
    have e3 : (((w m - before w m) * (y m * y m) : Nat) : Int) =
        ((w m : Int) - before w m) * ((y m : Int) * y m) := by
      rw [Int.natCast_mul, Int.natCast_mul, Int.natCast_sub (by omega)]
    have e4 : ((w m * (n m * n (m + 1)) : Nat) : Int) =
        (w m : Int) * ((n m : Int) * n (m + 1)) := by rw [Int.natCast_mul, Int.natCast_mul]
    have e5 : ((w m * (n m * x m) : Nat) : Int) = (w m : Int) * ((n m : Int) * x m) := by
      rw [Int.natCast_mul, Int.natCast_mul]
    rw [e1, e2, Int.natCast_add, Int.natCast_add, Int.natCast_add, e3, e4, e5]
    show _ + Sharp.pot (w (m + 1)) (w m) Sharp.lines * _ ≤ _
    omega

theorem combine_sharp {ys xs sq P W O N n0 : Nat} (hK : 0 < K) (hpairs : M * sq ≤ K * P)
    (hlong : xs + 2 * N ≤ 2 * O)
    (hsum : 672 * (K * ys) ≤ 2016 * sq + 1344 * (K * xs) + 102 * (K * n0))
    (hshift : 2 * ys + n0 = W) (hn0 : n0 ≤ N) :
    24 * (M * W) + 160 * (M * N) ≤ 144 * P + 192 * (M * O) := by
  have h1 := Nat.mul_le_mul_left M hsum
  have e1 : M * (672 * (K * ys)) = K * (672 * (M * ys)) := by grind
  have e2 : M * (2016 * sq + 1344 * (K * xs) + 102 * (K * n0)) =
      2016 * (M * sq) + K * (1344 * (M * xs) + 102 * (M * n0)) := by grind
  have h2 : 672 * (M * ys) ≤ 2016 * P + (1344 * (M * xs) + 102 * (M * n0)) := by
    refine Nat.le_of_mul_le_mul_left (c := K) ?_ hK
    rw [← e1, Nat.mul_add, Nat.mul_left_comm K]
    omega
  have h3 := Nat.mul_le_mul_left M hlong
  have h4 := Nat.mul_le_mul_left M hn0
  have e3 : M * W = 2 * (M * ys) + M * n0 := by rw [← hshift]; grind
  have e4 : M * (xs + 2 * N) = M * xs + 2 * (M * N) := by grind
  have e5 : M * (2 * O) = 2 * (M * O) := by grind
  clear h1 e1 e2 hpairs hlong hsum hshift hn0
  omega

/-- The sum over the stages, by the potential. -/
theorem Stages.sharp (h : Stages M l o a u R) :
    24 * (M * weighted R (fun r => countOf l (u r))) + 160 * (M * l.length) ≤
      144 * (l.map fun i => (l.map fun j => min (a i) (a j)).sum).sum +
        192 * (M * (l.map o).sum) := by
  obtain ⟨K, w, hK, hw⟩ := exists_weights (fun r => countOf l (u r)) R h.busy
  let n := fun r => countOf l (u r)
  let Y := fun r q => u (r + 1) q && decide (M * 2 ^ r < n r * a q)
  let X := fun r q => u (r + 1) q && !decide (M * 2 ^ r < n r * a q)
  have hmono : ∀ r, n (r + 1) ≤ n r := fun r => countOf_le (h.mono r)
  have hdouble : ∀ r, r + 1 < R → 2 * w r ≤ w (r + 1) := fun r hr => by
    have h1 : w r * n r = K * 2 ^ r := hw r (by omega)
    have h2 : w (r + 1) * n (r + 1) = K * 2 ^ (r + 1) := hw (r + 1) hr
    have h4 : 0 < n (r + 1) := h.busy _ hr
    refine Nat.le_of_mul_le_mul_right (c := n (r + 1)) ?_ h4
    rw [h2]
    have h5 := Nat.mul_le_mul_left (2 * w r) (hmono r)
    have e1 : K * 2 ^ (r + 1) = 2 * w r * n r := by
      rw [Nat.mul_assoc, h1, Nat.pow_succ]
      grind
    rw [e1]
    exact h5
  have hlarge : ∀ r, r < R → ∀ q ∈ l, Y r q = true → M * w r ≤ K * a q := fun r hr q _ hq => by
    have h1 : w r * n r = K * 2 ^ r := hw r hr
    have h4 : 0 < n r := h.busy _ hr
    have hq' : (u (r + 1) q && decide (M * 2 ^ r < n r * a q)) = true := hq
    rw [Bool.and_eq_true, decide_eq_true_eq] at hq'
    refine Nat.le_of_mul_le_mul_right (c := n r) ?_ h4
    have h5 := Nat.mul_le_mul_left K (Nat.le_of_lt hq'.2)
    have e1 : M * w r * n r = M * (w r * n r) := Nat.mul_assoc ..
    have e2 : K * a q * n r = K * (n r * a q) := by rw [Nat.mul_assoc, Nat.mul_comm (a q)]
    have e3 : M * (K * 2 ^ r) = K * (M * 2 ^ r) := Nat.mul_left_comm ..
    rw [e1, h1, e2, e3]
    exact h5
  have hlong : ∀ r, r < R → ∀ q ∈ l, X r q = true → 2 ^ r < o q := fun r hr q hq hx => by
    have hx' : (u (r + 1) q && !decide (M * 2 ^ r < n r * a q)) = true := hx
    rw [Bool.and_eq_true, Bool.not_eq_true', decide_eq_false_iff_not] at hx'
    exact (h.survivor r hr q hq hx'.1).resolve_right hx'.2
  have hsplit : ∀ r, n (r + 1) = countOf l (Y r) + countOf l (X r) := fun r => by
    rw [← sum_map_add]
    refine sum_map_congr fun q _ => ?_
    show (if u (r + 1) q = true then 1 else 0) =
      (if (u (r + 1) q && decide (M * 2 ^ r < n r * a q)) = true then 1 else 0) +
        (if (u (r + 1) q && !decide (M * 2 ^ r < n r * a q)) = true then 1 else 0)
    cases u (r + 1) q <;> cases decide (M * 2 ^ r < n r * a q) <;> rfl
  have hlast : weighted (R + 1) n = weighted R n := by
    have h0 : n R = 0 := h.finished
    unfold weighted
    rw [List.range_succ]
    simp [h0]
  have hshift := weighted_shift n R
  rw [hlast] at hshift
  have hn0 : n 0 ≤ l.length := by
    have h1 := sum_map_le_mul (l := l) (f := fun q => if u 0 q then 1 else 0) (c := 1)
      fun q _ => by
        show (if u 0 q = true then 1 else 0) ≤ 1
        split <;> omega
    rw [Nat.mul_one] at h1
    exact h1
  by_cases hR : R = 0
  · have h0 : weighted R (fun r => countOf l (u r)) = 0 := by
      rw [hR]
      rfl
    rw [h0]
    have h1 : l.length ≤ (l.map o).sum := by
      have h2 := sum_map_le_sum_map (l := l) (f := fun _ => 1) (g := o) h.pos
      rw [sum_map_const, Nat.mul_one] at h2
      exact h2
    have := Nat.mul_le_mul_left M h1
    omega
  have htel := telescope (n := n) (x := fun r => countOf l (X r)) (y := fun r => countOf l (Y r))
    hw hdouble hsplit hmono h.finished R (Nat.le_refl _)
  have hnR : (n R : Int) = 0 := by
    have h0 : n R = 0 := h.finished
    rw [h0]
    rfl
  have hstart : Sharp.pot (w 0) 0 Sharp.lines * ((n 0 : Int) * n 0) =
      102 * ((K * n 0 : Nat) : Int) := by
    have h1 : w 0 * n 0 = K * 1 := hw 0 (by omega)
    have h2 : Sharp.pot (w 0) 0 Sharp.lines = 102 * (w 0 : Int) := by
      simp only [Sharp.pot, Sharp.lines]
      omega
    have h3 : (w 0 : Int) * n 0 = K := by
      rw [Nat.mul_one] at h1
      exact_mod_cast h1
    rw [h2, Int.natCast_mul, ← h3]
    grind
  rw [hnR, Int.mul_zero, Int.mul_zero, Int.add_zero, hstart] at htel
  dsimp only at htel
  exact combine_sharp hK (sum_pairs_sharp Y (fun r hr => by have := hdouble r hr; omega) hlarge)
    (sum_long X h.pos hlong) (by omega) hshift hn0

end OnlineKvCache.NonClairvoyant
