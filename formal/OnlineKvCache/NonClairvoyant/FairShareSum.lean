module

public import OnlineKvCache.Basic.Cover

public section

/-! # The summation behind FairShare

Stage `r` begins with `n r` unfinished requests. A request that survives stage `r` is long
(`2 ^ r < o`) or has a large rectangle (`M * 2 ^ r < n r * a`). From this alone the total
`∑ 2 ^ r * n r` is bounded by the pairwise minima of the rectangles and the lengths. -/

namespace OnlineKvCache.NonClairvoyant

variable {α : Type}

/-- How many members satisfy `p`, as a sum. -/
noncomputable abbrev countOf (l : List α) (p : α → Bool) : Nat :=
  (l.map fun q => if p q then 1 else 0).sum

theorem countOf_le {l : List α} {p p' : α → Bool} (h : ∀ q ∈ l, p q = true → p' q = true) :
    countOf l p ≤ countOf l p' := sum_map_le_sum_map fun q hq => by
  cases h1 : p q
  · simp
  · simp [h q hq h1]

theorem countOf_mul_self (l : List α) (p : α → Bool) : countOf l p * countOf l p =
    (l.map fun i => (l.map fun j => if p i && p j then 1 else 0).sum).sum := by
  unfold countOf
  rw [← sum_map_mul]
  refine sum_map_congr fun i _ => ?_
  cases h : p i <;> simp [sum_map_eq_zero]

/-- A doubling sequence sums to at most its next member. -/
theorem sum_doubling {x : Nat → Nat} (R : Nat) (h : ∀ r, r + 1 < R → 2 * x r ≤ x (r + 1)) :
    ∀ m, m < R → ((List.range m).map x).sum ≤ x m
  | 0, _ => Nat.zero_le _
  | m + 1, hm => by
    have ih := sum_doubling R h m (by omega)
    have := h m hm
    rw [List.range_succ]
    simp only [List.map_append, List.map_cons, List.map_nil, List.sum_append_nat,
      List.sum_cons, List.sum_nil]
    omega

/-- The members of a doubling sequence that are at most `b` sum to at most `2 * b`. -/
theorem sum_doubling_le {x : Nat → Nat} {b : Nat} {p : Nat → Bool} (R : Nat)
    (h : ∀ r, r + 1 < R → 2 * x r ≤ x (r + 1)) (hp : ∀ r, r < R → p r = true → x r ≤ b) :
    ∀ m, m ≤ R → ((List.range m).map fun r => if p r then x r else 0).sum ≤ 2 * b
  | 0, _ => Nat.zero_le _
  | m + 1, hm => by
    have ih := sum_doubling_le R h hp m (by omega)
    rw [List.range_succ]
    simp only [List.map_append, List.map_cons, List.map_nil, List.sum_append_nat,
      List.sum_cons, List.sum_nil]
    cases h1 : p m
    · simp only [Bool.false_eq_true, if_false]
      omega
    · have h2 := sum_doubling R h m (by omega)
      have h3 := hp m (by omega) h1
      have h4 : ((List.range m).map fun r => if p r then x r else 0).sum ≤
          ((List.range m).map x).sum := sum_map_le_sum_map fun r _ => by split <;> omega
      simp only [if_true]
      omega

/-- Common denominators of the fractions `2 ^ r / n r`. -/
theorem exists_weights (n : Nat → Nat) : ∀ R, (∀ r, r < R → 0 < n r) →
    ∃ K : Nat, ∃ w : Nat → Nat, 0 < K ∧ ∀ r, r < R → w r * n r = K * 2 ^ r
  | 0, _ => ⟨1, fun _ => 0, Nat.one_pos, fun _ h => absurd h (Nat.not_lt_zero _)⟩
  | R + 1, h => by
    obtain ⟨K, w, hK, hw⟩ := exists_weights n R fun r hr => h r (by omega)
    refine ⟨K * n R, fun r => if r = R then K * 2 ^ R else w r * n R,
      Nat.mul_pos hK (h R (by omega)), fun r hr => ?_⟩
    by_cases he : r = R
    · subst he
      simp only [if_true]
      grind
    · simp only [he, if_false]
      have := hw r (by omega)
      have e : w r * n R * n r = w r * n r * n R := by grind
      rw [e, this]
      grind

/-- `∑ 2 ^ r * n r` over the stages. -/
noncomputable abbrev weighted (R : Nat) (n : Nat → Nat) : Nat :=
  ((List.range R).map fun r => 2 ^ r * n r).sum

theorem weighted_shift (n : Nat → Nat) : ∀ R,
    2 * ((List.range R).map fun r => 2 ^ r * n (r + 1)).sum + n 0 = weighted (R + 1) n
  | 0 => by simp [weighted]
  | R + 1 => by
    have ih := weighted_shift n R
    unfold weighted at ih ⊢
    rw [List.range_succ, List.range_succ (n := R + 1)]
    simp only [List.map_append, List.map_cons, List.map_nil, List.sum_append_nat,
      List.sum_cons, List.sum_nil] at ih ⊢
    have e : 2 ^ (R + 1) * n (R + 1) = 2 * (2 ^ R * n (R + 1)) := by grind
    omega

theorem four_square (w y n : Nat) : 4 * (w * n * y) ≤ 4 * (w * (y * y)) + w * n * n := by
  have key : 4 * (n * y) ≤ 4 * (y * y) + n * n := by
    rcases Nat.le_total n (2 * y) with h | h
    · obtain ⟨d, hd⟩ := Nat.exists_eq_add_of_le h
      have h1 : (n + d) * (n + d) = (2 * y) * (2 * y) := by rw [hd]
      have h2 : 2 * (n * (2 * y)) = 2 * (n * (n + d)) := by rw [hd]
      have h3 : (n + d) * (n + d) = n * n + 2 * (n * d) + d * d := by grind
      have h4 : (2 * y) * (2 * y) = 4 * (y * y) := by grind
      have h5 : 2 * (n * (2 * y)) = 4 * (n * y) := by grind
      have h6 : 2 * (n * (n + d)) = 2 * (n * n) + 2 * (n * d) := by grind
      omega
    · obtain ⟨d, rfl⟩ := Nat.exists_eq_add_of_le h
      have h3 : (2 * y + d) * (2 * y + d) = 4 * (y * y) + 4 * (y * d) + d * d := by grind
      have h4 : (2 * y + d) * y = 2 * (y * y) + y * d := by grind
      omega
  have := Nat.mul_le_mul_left w key
  have e1 : w * (4 * (n * y)) = 4 * (w * n * y) := by grind
  have e2 : w * (4 * (y * y) + n * n) = 4 * (w * (y * y)) + w * n * n := by grind
  omega

/-- The stages of FairShare, in the abstract: `u r q` says that `q` is unfinished when stage `r`
begins; after `R` stages nothing is left. -/
structure Stages (M : Nat) (l : List α) (o a : α → Nat) (u : Nat → α → Bool) (R : Nat) :
    Prop where
  /-- What is unfinished was unfinished before. -/
  mono : ∀ r, ∀ q ∈ l, u (r + 1) q = true → u r q = true
  /-- What survives a stage is long or large. -/
  survivor : ∀ r, r < R → ∀ q ∈ l, u (r + 1) q = true →
    2 ^ r < o q ∨ M * 2 ^ r < countOf l (u r) * a q
  /-- Something is left in each stage. -/
  busy : ∀ r, r < R → 0 < countOf l (u r)
  /-- Nothing is left at the end. -/
  finished : countOf l (u R) = 0
  /-- Lengths are positive. -/
  pos : ∀ q ∈ l, 1 ≤ o q

variable {M R : Nat} {l : List α} {o a : α → Nat} {u : Nat → α → Bool} {K : Nat} {w : Nat → Nat}

/-- Pairs of large survivors. -/
theorem sum_pairs (Y : Nat → α → Bool) (hdouble : ∀ r, r + 1 < R → 2 * w r ≤ w (r + 1))
    (hlarge : ∀ r, r < R → ∀ q ∈ l, Y r q = true → M * w r ≤ K * a q) :
    M * ((List.range R).map fun r => w r * (countOf l (Y r) * countOf l (Y r))).sum ≤
      2 * (K * (l.map fun i => (l.map fun j => min (a i) (a j)).sum).sum) := by
  have e1 : M * ((List.range R).map fun r =>
      w r * (countOf l (Y r) * countOf l (Y r))).sum =
      (l.map fun i => (l.map fun j => ((List.range R).map fun r =>
        if Y r i && Y r j then M * w r else 0).sum).sum).sum := by
    have e2 : ∀ r, M * (w r * (countOf l (Y r) * countOf l (Y r))) =
        (l.map fun i => (l.map fun j => if Y r i && Y r j then M * w r else 0).sum).sum := by
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
  have e3 : 2 * (K * (l.map fun i => (l.map fun j => min (a i) (a j)).sum).sum) =
      (l.map fun i => (l.map fun j => 2 * (K * min (a i) (a j))).sum).sum := by
    rw [← sum_map_mul, ← sum_map_mul]
    refine sum_map_congr fun i _ => ?_
    rw [← sum_map_mul, ← sum_map_mul]
  rw [e1, e3]
  refine sum_map_le_sum_map fun i hi => sum_map_le_sum_map fun j hj => ?_
  refine sum_doubling_le (x := fun r => M * w r) R (fun r hr => ?_) (fun r hr hp => ?_) R
    (Nat.le_refl _)
  · show 2 * (M * w r) ≤ M * w (r + 1)
    rw [Nat.mul_left_comm]
    exact Nat.mul_le_mul_left M (hdouble r hr)
  · show M * w r ≤ K * min (a i) (a j)
    have hp' : (Y r i && Y r j) = true := hp
    rw [Bool.and_eq_true] at hp'
    have h1 := hlarge r hr i hi hp'.1
    have h2 := hlarge r hr j hj hp'.2
    rcases Nat.le_total (a i) (a j) with h3 | h3
    · rw [Nat.min_eq_left h3]; exact h1
    · rw [Nat.min_eq_right h3]; exact h2

/-- Long survivors. -/
theorem sum_long (X : Nat → α → Bool) (hpos : ∀ q ∈ l, 1 ≤ o q)
    (hlong : ∀ r, r < R → ∀ q ∈ l, X r q = true → 2 ^ r < o q) :
    ((List.range R).map fun r => 2 ^ r * countOf l (X r)).sum + 2 * l.length ≤
      2 * (l.map o).sum := by
  have e1 : ((List.range R).map fun r => 2 ^ r * countOf l (X r)).sum =
      (l.map fun i => ((List.range R).map fun r => if X r i then 2 ^ r else 0).sum).sum := by
    rw [← sum_map_comm]
    refine sum_map_congr fun r _ => ?_
    unfold countOf
    rw [← sum_map_mul]
    refine sum_map_congr fun i _ => ?_
    split <;> simp
  have e2 : 2 * l.length = (l.map fun _ => 2).sum := by rw [sum_map_const, Nat.mul_comm]
  rw [e1, e2, ← sum_map_add, ← sum_map_mul]
  refine sum_map_le_sum_map fun i hi => ?_
  have h1 : ((List.range R).map fun r => if X r i then 2 ^ r else 0).sum ≤ 2 * (o i - 1) :=
    sum_doubling_le (x := fun r => 2 ^ r) (b := o i - 1) (p := fun r => X r i) R
    (fun r _ => by
      show 2 * 2 ^ r ≤ 2 ^ (r + 1)
      rw [Nat.pow_succ, Nat.mul_comm]
      exact Nat.le_refl _)
    (fun r hr hp => by
      have h1 : 2 ^ r < o i := hlong r hr i hi hp
      show 2 ^ r ≤ o i - 1
      omega) R (Nat.le_refl _)
  have h2 := hpos i hi
  show _ + 2 ≤ 2 * o i
  omega

/-- `4y² ≥ 4yn - n²`, summed. -/
theorem sum_squares (n y : Nat → Nat) (hw : ∀ r, r < R → w r * n r = K * 2 ^ r) :
    4 * (K * ((List.range R).map fun r => 2 ^ r * y r).sum) ≤
      4 * ((List.range R).map fun r => w r * (y r * y r)).sum + K * weighted R n := by
  unfold weighted
  rw [← sum_map_mul, ← sum_map_mul, ← sum_map_mul, ← sum_map_mul, ← sum_map_add]
  refine sum_map_le_sum_map fun r hr => ?_
  have h1 := four_square (w r) (y r) (n r)
  rw [hw r (List.mem_range.1 hr)] at h1
  have e1 : K * 2 ^ r * y r = K * (2 ^ r * y r) := Nat.mul_assoc ..
  have e2 : K * 2 ^ r * n r = K * (2 ^ r * n r) := Nat.mul_assoc ..
  rw [e1, e2] at h1
  exact h1

theorem combine {ys xs sq P W O N n0 : Nat} (hK : 0 < K) (hpairs : M * sq ≤ 2 * (K * P))
    (hlong : xs + 2 * N ≤ 2 * O) (hsq : 4 * (K * ys) ≤ 4 * sq + K * W)
    (hshift : 2 * (ys + xs) + n0 = W) (hn0 : n0 ≤ N) :
    M * W + 6 * (M * N) ≤ 8 * P + 8 * (M * O) := by
  refine Nat.le_of_mul_le_mul_left (c := K) ?_ hK
  have h5 : K * W + 6 * (K * N) ≤ 4 * sq + 8 * (K * O) := by
    have h2 := Nat.mul_le_mul_left K hlong
    have h3 := Nat.mul_le_mul_left K hn0
    have h4 : K * W = 2 * (K * ys) + 2 * (K * xs) + K * n0 := by rw [← hshift]; grind
    have e2 : K * (xs + 2 * N) = K * xs + 2 * (K * N) := by grind
    have e3 : K * (2 * O) = 2 * (K * O) := by grind
    clear hpairs hlong hshift hn0
    omega
  have h6 := Nat.mul_le_mul_left M h5
  have e1 : M * (K * W + 6 * (K * N)) = K * (M * W + 6 * (M * N)) := by grind
  have e2 : M * (4 * sq + 8 * (K * O)) = 4 * (M * sq) + 8 * (K * (M * O)) := by grind
  have e3 : K * (8 * P + 8 * (M * O)) = 8 * (K * P) + 8 * (K * (M * O)) := by grind
  rw [e1, e2] at h6
  rw [e3]
  clear e1 e2 e3 h5 hlong hsq hshift hn0
  omega

theorem Stages.bound (h : Stages M l o a u R) :
    M * weighted R (fun r => countOf l (u r)) + 6 * (M * l.length) ≤
      8 * (l.map fun i => (l.map fun j => min (a i) (a j)).sum).sum +
        8 * (M * (l.map o).sum) := by
  obtain ⟨K, w, hK, hw⟩ := exists_weights (fun r => countOf l (u r)) R h.busy
  let n := fun r => countOf l (u r)
  let Y := fun r q => u (r + 1) q && decide (M * 2 ^ r < n r * a q)
  let X := fun r q => u (r + 1) q && !decide (M * 2 ^ r < n r * a q)
  have hdouble : ∀ r, r + 1 < R → 2 * w r ≤ w (r + 1) := fun r hr => by
    have h1 : w r * n r = K * 2 ^ r := hw r (by omega)
    have h2 : w (r + 1) * n (r + 1) = K * 2 ^ (r + 1) := hw (r + 1) hr
    have h3 : n (r + 1) ≤ n r := countOf_le (h.mono r)
    have h4 : 0 < n (r + 1) := h.busy _ hr
    refine Nat.le_of_mul_le_mul_right (c := n (r + 1)) ?_ h4
    rw [h2]
    have h5 := Nat.mul_le_mul_left (2 * w r) h3
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
  have hadd : ((List.range R).map fun r => 2 ^ r * n (r + 1)).sum =
      ((List.range R).map fun r => 2 ^ r * countOf l (Y r)).sum +
        ((List.range R).map fun r => 2 ^ r * countOf l (X r)).sum := by
    rw [← sum_map_add]
    refine sum_map_congr fun r _ => ?_
    rw [hsplit r, Nat.mul_add]
  have hshift := weighted_shift n R
  rw [hlast, hadd] at hshift
  have hn0 : n 0 ≤ l.length := by
    have h1 := sum_map_le_mul (l := l) (f := fun q => if u 0 q then 1 else 0) (c := 1)
      fun q _ => by
        show (if u 0 q = true then 1 else 0) ≤ 1
        split <;> omega
    rw [Nat.mul_one] at h1
    exact h1
  exact combine hK (sum_pairs Y hdouble hlarge) (sum_long X h.pos hlong)
    (sum_squares n (fun r => countOf l (Y r)) hw) hshift hn0

end OnlineKvCache.NonClairvoyant
