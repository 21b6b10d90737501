module

public import OnlineKvCache.TightRatio.Game

public section

/-! # Lower bounds from the game -/

namespace OnlineKvCache

/-! ### The burst of paper 1: memory `2k(k+1)` -/

theorem paper_exclusive {k : Nat} (hk : 1 ≤ k) :
    Exclusive (2 * k * (k + 1)) (k * (k + 1)) (k * (k + 1)) (k * (k + 1)) := by
  have h : 1 * 1 ≤ k * (k + 1) := Nat.mul_le_mul hk (by omega)
  have e : 2 * k * (k + 1) = 2 * (k * (k + 1)) := Nat.mul_assoc ..
  constructor <;> omega

/-- Arithmetic, shorts first. -/
theorem paper_arith_shorts {k b X Y : Nat} (hk : 1 ≤ k) (hb : b + 1 ≤ k * (k + 1))
    (hX : 2 * (b + k * (k + 1)) + 2 * (k * (k * (k + 1))) + k * k ≤ 2 * X + k)
    (hY : 2 * Y = 2 * (b + 1 + k + k * (k + 1)) + k * (k + 1)) :
    2 * (k + 1) * Y ≤ 5 * X := by
  have e1 : k * (k + 1) = k * k + k := by rw [Nat.mul_add, Nat.mul_one]
  have e2 : k * (k * (k + 1)) = k * k * k + k * k := by
    rw [e1, Nat.mul_add, Nat.mul_assoc]
  have e3 : 2 * (k + 1) * Y = k * (2 * Y) + 2 * Y := by grind
  have e4 : k * (2 * Y) = 2 * (k * b) + 2 * k + 5 * (k * k) + 3 * (k * k * k) := by
    rw [hY]; grind
  have e5 : k * b + k ≤ k * k * k + k * k := by
    have := Nat.mul_le_mul_left k hb
    rw [e2, Nat.mul_add, Nat.mul_one] at this
    exact this
  rw [e2] at hX
  rw [e1] at hX hY hb
  rw [e3, e4]
  rcases Nat.lt_or_ge k 2 with h | h
  · obtain rfl : k = 1 := by omega
    omega
  · have h2 := Nat.mul_le_mul_right k h
    omega

/-- Arithmetic, long first. -/
theorem paper_arith_long {k X Y : Nat} (hX : (k + 1) * (k * (k + 1)) ≤ X)
    (hY : 2 * Y = 2 * (k * (k + 1)) + k * (k + 1)) : 2 * (k + 1) * Y ≤ 5 * X := by
  have h : 2 * (k + 1) * Y = (k + 1) * (2 * Y) := by
    rw [Nat.mul_comm 2, Nat.mul_assoc]
  have h3 : 2 * (k * (k + 1)) + k * (k + 1) = 3 * (k * (k + 1)) := by omega
  rw [h, hY, h3, Nat.mul_left_comm]
  omega

theorem paper_lower_bound (k : Nat) (hk : 1 ≤ k) :
    RatioAtLeast (2 * k * (k + 1)) (k + 1) (2 * (k + 1)) 5 := by
  refine ratioAtLeast_of_answers (paper_exclusive hk) (by decide) fun b => ?_
  have hL : 1 * 1 ≤ k * (k + 1) := Nat.mul_le_mul hk (by omega)
  have hkL : k * (b + 1) + k * (k * (k + 1)) = k * (b + k * (k + 1)) + k := by
    rw [← Nat.mul_add, ← Nat.mul_succ]; congr 1; omega
  rcases Nat.lt_or_ge b (k * (k + 1)) with hb | hb
  · refine ⟨b + 1, 0, b + 1 + k, by omega, by omega, Or.inr (Nat.le_refl _),
      fun X Y hX hY => paper_arith_shorts hk hb ?_ (by omega)⟩
    omega
  · refine ⟨b + 1, 0, 0, by omega, by omega, Or.inl (by omega),
      fun X Y hX hY => paper_arith_long ?_ (by omega)⟩
    have hkk : k * 1 ≤ k * k := Nat.mul_le_mul_left k hk
    rw [Nat.succ_mul]
    omega

/-! ### Streams: linear memory -/

theorem stream_exclusive {L : Nat} (hL : 1 ≤ L) : Exclusive (L + 1) 1 L L := by
  constructor <;> omega

/-- The three answers with a stream: shorts first at once; long first when the scheduler is late;
long first when it is very late. -/
theorem ratioAtLeast_of_stream {L k P Q : Nat} (hL : 1 ≤ L) (hQ : 1 ≤ Q)
    (h : ∀ b, P * (b + L + 2 * k + 1) ≤ Q * (b + L + k * L) ∨
      (b < L ∧ P * (L + k) ≤ Q * (L + b + k * b + k)) ∨
      (L ≤ b ∧ P * (L + k) ≤ Q * (b + L + k * L))) :
    RatioAtLeast (L + 1) (k + 1) P Q := by
  refine ratioAtLeast_of_answers (stream_exclusive hL) hQ fun b => ?_
  have e1 : k * (b + L) = k * b + k * L := Nat.mul_add ..
  have e2 : k * (b + 1) = k * b + k := Nat.mul_succ ..
  have e3 : k * (k + 1) = k * k + k := Nat.mul_succ ..
  rcases h b with h | ⟨hb, h⟩ | ⟨hb, h⟩
  · refine ⟨b + 1, 1, b + 1 + k, by omega, by omega, Or.inr (Nat.le_refl _),
      fun X Y hX hY => ?_⟩
    have hY' : Y = b + L + 2 * k + 1 := by omega
    rw [hY']
    exact Nat.le_trans h (Nat.mul_le_mul_left Q (by omega))
  · refine ⟨L, 1, 0, by omega, by omega, Or.inl (by omega), fun X Y hX hY => ?_⟩
    have hY' : Y = L + k := by omega
    rw [hY']
    exact Nat.le_trans h (Nat.mul_le_mul_left Q (by omega))
  · refine ⟨b + 1, 1, 0, by omega, by omega, Or.inl (by omega), fun X Y hX hY => ?_⟩
    have hY' : Y = L + k := by omega
    rw [hY']
    exact Nat.le_trans h (Nat.mul_le_mul_left Q (by omega))

theorem ratioAtLeast_mono {M n P P' Q : Nat} (hP : P' ≤ P) (h : RatioAtLeast M n P Q) :
    RatioAtLeast M n P' Q := by
  intro A hA
  obtain ⟨I, c, hv, hn, hc, hpos, hS⟩ := h A hA
  exact ⟨I, c, hv, hn, hc, hpos, fun S h => Nat.le_trans (Nat.mul_le_mul_right c hP) (hS S h)⟩

/-- At most `L + 1` requests: a quarter of their number. -/
theorem quarter_few {L k : Nat} (hL : 1 ≤ L) (hk : k ≤ L) :
    RatioAtLeast (L + 1) (k + 1) (k + 1) 4 := by
  refine ratioAtLeast_of_stream hL (by decide) fun b => ?_
  have e1 : (k + 1) * (b + L + 2 * k + 1) =
      k * b + k * L + 2 * (k * k) + k + (b + L + 2 * k + 1) := by grind
  have e2 : (k + 1) * (L + k) = k * L + k * k + (L + k) := by grind
  have hkk : k * k ≤ k * L := Nat.mul_le_mul_left k hk
  rcases Nat.lt_or_ge b L with hb | hb
  · rcases Nat.lt_or_ge (4 * b) (L + k) with h4 | h4
    · refine Or.inl ?_
      have h1 : k * (4 * b + 1) ≤ k * (L + k) := Nat.mul_le_mul_left k h4
      rw [Nat.mul_add, Nat.mul_add, Nat.mul_one, Nat.mul_left_comm] at h1
      rcases Nat.lt_or_ge L 2 with h2 | h2
      · obtain rfl : L = 1 := by omega
        obtain rfl : b = 0 := by omega
        omega
      · have h3 : k * 2 ≤ k * L := Nat.mul_le_mul_left k h2
        omega
    · refine Or.inr (Or.inl ⟨hb, ?_⟩)
      have h1 : k * (L + k) ≤ k * (4 * b) := Nat.mul_le_mul_left k h4
      rw [Nat.mul_add, Nat.mul_left_comm] at h1
      omega
  · refine Or.inr (Or.inr ⟨hb, ?_⟩)
    omega

/-- More requests: a quarter of `L`. -/
theorem quarter_many {L k : Nat} (hL : 1 ≤ L) (hk : L < k) :
    RatioAtLeast (L + 1) (k + 1) L 4 := by
  refine ratioAtLeast_of_stream hL (by decide) fun b => ?_
  have e0 : k * L = L * k := Nat.mul_comm ..
  have hkk : L * L ≤ L * k := Nat.mul_le_mul_left L (Nat.le_of_lt hk)
  have e2 : L * (L + k) = L * L + L * k := Nat.mul_add ..
  rcases Nat.lt_or_ge b L with hb | hb
  · rcases Nat.lt_or_ge (2 * b) L with h2 | h2
    · refine Or.inl ?_
      have h1 : L * (b + L + 2 * k + 1) ≤ L * (4 * (k + 1)) := Nat.mul_le_mul_left L (by omega)
      have e3 : L * (4 * (k + 1)) = 4 * (L * k) + 4 * L := by grind
      omega
    · refine Or.inr (Or.inl ⟨hb, ?_⟩)
      have h1 : k * L ≤ k * (2 * b) := Nat.mul_le_mul_left k h2
      rw [Nat.mul_left_comm] at h1
      omega
  · refine Or.inr (Or.inr ⟨hb, ?_⟩)
    omega

/-- A1: a quarter of `min n (M - 1)`, for all `n` and `M`. -/
theorem ratio_quarter (n M : Nat) (hn : 1 ≤ n) (hM : 2 ≤ M) :
    RatioAtLeast M n (min n (M - 1)) 4 := by
  obtain ⟨k, rfl⟩ : ∃ k, n = k + 1 := ⟨n - 1, by omega⟩
  obtain ⟨L, rfl⟩ : ∃ L, M = L + 1 := ⟨M - 1, by omega⟩
  rcases Nat.lt_or_ge L k with h | h
  · exact ratioAtLeast_mono (by omega) (quarter_many (by omega) h)
  · exact ratioAtLeast_mono (by omega) (quarter_few (by omega) h)

/-- A2: half of `n` from memory `5n - 4`. -/
theorem ratio_half (n M : Nat) (hn : 1 ≤ n) (hM : 2 ≤ M) (h : 5 * n ≤ M + 4) :
    RatioAtLeast M n n 2 := by
  obtain ⟨k, rfl⟩ : ∃ k, n = k + 1 := ⟨n - 1, by omega⟩
  obtain ⟨L, rfl⟩ : ∃ L, M = L + 1 := ⟨M - 1, by omega⟩
  have hL : 5 * k ≤ L := by omega
  refine ratioAtLeast_of_stream (by omega) (by decide) fun b => ?_
  have e1 : (k + 1) * (b + L + 2 * k + 1) =
      k * b + k * L + 2 * (k * k) + k + (b + L + 2 * k + 1) := by grind
  have e2 : (k + 1) * (L + k) = k * L + k * k + (L + k) := by grind
  have e3 : k * (5 * k) ≤ k * L := Nat.mul_le_mul_left k hL
  rw [Nat.mul_left_comm] at e3
  rcases Nat.lt_or_ge b L with hb | hb
  · rcases Nat.lt_or_ge (b + 2 * k) L with h1 | h1
    · refine Or.inl ?_
      have h2 : k * (b + 2 * k + 1) ≤ k * L := Nat.mul_le_mul_left k h1
      have e4 : k * (b + 2 * k + 1) = k * b + 2 * (k * k) + k := by grind
      omega
    · refine Or.inr (Or.inl ⟨hb, ?_⟩)
      have h2 : k * (L + k) ≤ k * (2 * b) := Nat.mul_le_mul_left k (by omega)
      rw [Nat.mul_add, Nat.mul_left_comm] at h2
      omega
  · exact Or.inr (Or.inr ⟨hb, by omega⟩)

/-- A3: three fifths of `n` from memory `39(n - 1) + 11`. -/
theorem ratio_three_fifths (n M : Nat) (hn : 1 ≤ n) (h : 39 * (n - 1) + 11 ≤ M) :
    RatioAtLeast M n (3 * n) 5 := by
  obtain ⟨k, rfl⟩ : ∃ k, n = k + 1 := ⟨n - 1, by omega⟩
  obtain ⟨L, rfl⟩ : ∃ L, M = L + 1 := ⟨M - 1, by omega⟩
  have hL : 39 * k + 10 ≤ L := by omega
  refine ratioAtLeast_of_stream (by omega) (by decide) fun b => ?_
  have e1 : 3 * (k + 1) * (b + L + 2 * k + 1) =
      3 * (k * b + k * L + 2 * (k * k) + k + (b + L + 2 * k + 1)) := by grind
  have e2 : 3 * (k + 1) * (L + k) = 3 * (k * L + k * k + (L + k)) := by grind
  have e3 : k * (39 * k + 10) ≤ k * L := Nat.mul_le_mul_left k hL
  rw [Nat.mul_add, Nat.mul_left_comm] at e3
  rcases Nat.lt_or_ge b L with hb | hb
  · rcases Nat.lt_or_ge (3 * b + 6 * k + 2) (2 * L) with h1 | h1
    · refine Or.inl ?_
      have h2 : k * (3 * b + 6 * k + 3) ≤ k * (2 * L) := Nat.mul_le_mul_left k h1
      have e4 : k * (3 * b + 6 * k + 3) = 3 * (k * b) + 6 * (k * k) + 3 * k := by grind
      rw [Nat.mul_left_comm k 2] at h2
      omega
    · refine Or.inr (Or.inl ⟨hb, ?_⟩)
      have h2 : k * (3 * (L + k)) ≤ k * (5 * b) := Nat.mul_le_mul_left k (by omega)
      have e4 : k * (3 * (L + k)) = 3 * (k * L) + 3 * (k * k) := by grind
      rw [Nat.mul_left_comm k 5] at h2
      omega
  · exact Or.inr (Or.inr ⟨hb, by omega⟩)

/-! ### Every constant below the golden ratio conjugate, at linear memory -/

theorem ratio_golden (p q n M : Nat) (hp : 0 < p) (hpq : p * p + p * q < q * q)
    (hn : 1 ≤ n) (hM : (p * p + 2 * (p * q)) * (n - 1) + p * q + 1 ≤ M) :
    RatioAtLeast M n (p * n) q := by
  have hq : 0 < q := by
    rcases Nat.eq_zero_or_pos q with rfl | h
    · omega
    · exact h
  have hpq1 : 0 < p * q := Nat.mul_pos hp hq
  obtain ⟨k, rfl⟩ : ∃ k, n = k + 1 := ⟨n - 1, by omega⟩
  obtain ⟨L, rfl⟩ : ∃ L, M = L + 1 := ⟨M - 1, by omega⟩
  have hL : (p * p + 2 * (p * q)) * k + p * q ≤ L := by
    rw [Nat.add_sub_cancel] at hM; omega
  refine ratioAtLeast_of_stream (by omega) hq fun b => ?_
  -- both comparators, per request
  have key : ∀ x y z : Nat, p * x ≤ q * y → (k + 1) * y ≤ z → p * (k + 1) * x ≤ q * z := by
    intro x y z h1 h2
    have h3 := Nat.mul_le_mul_left (k + 1) h1
    have h4 := Nat.mul_le_mul_left q h2
    have e1 : (k + 1) * (p * x) = p * (k + 1) * x := by grind
    have e2 : (k + 1) * (q * y) = q * ((k + 1) * y) := Nat.mul_left_comm ..
    omega
  rcases Nat.lt_or_ge (q * b) (p * (L + k)) with hb | hb
  · refine Or.inl (key _ L _ ?_ (by rw [Nat.succ_mul]; omega))
    refine Nat.le_of_mul_le_mul_left (?_ : q * (p * (b + L + 2 * k + 1)) ≤ q * (q * L)) hq
    have h1 : p * (q * b) ≤ p * (p * (L + k)) := Nat.mul_le_mul_left p (Nat.le_of_lt hb)
    have h2 : L * (p * p + p * q + 1) ≤ L * (q * q) := Nat.mul_le_mul_left L hpq
    have e1 : q * (p * (b + L + 2 * k + 1)) =
        p * (q * b) + p * q * L + 2 * (p * q) * k + p * q := by grind
    have e2 : p * (p * (L + k)) = p * p * L + p * p * k := by grind
    have e3 : L * (p * p + p * q + 1) = p * p * L + p * q * L + L := by grind
    have e4 : q * (q * L) = L * (q * q) := by grind
    have e5 : (p * p + 2 * (p * q)) * k = p * p * k + 2 * (p * q) * k := Nat.add_mul ..
    omega
  · rcases Nat.lt_or_ge b L with hbL | hbL
    · exact Or.inr (Or.inl ⟨hbL, key _ b _ hb (by rw [Nat.succ_mul]; omega)⟩)
    · refine Or.inr (Or.inr ⟨hbL, key _ L _ ?_ (by rw [Nat.succ_mul]; omega)⟩)
      -- `p * (L + k) ≤ q * L`, since `p < q` by a margin
      refine Nat.le_of_mul_le_mul_left (?_ : q * (p * (L + k)) ≤ q * (q * L)) hq
      have h2 : L * (p * p + p * q + 1) ≤ L * (q * q) := Nat.mul_le_mul_left L hpq
      have e1 : q * (p * (L + k)) = p * q * L + p * q * k := by grind
      have e3 : L * (p * p + p * q + 1) = p * p * L + p * q * L + L := by grind
      have e4 : q * (q * L) = L * (q * q) := by grind
      have e5 : (p * p + 2 * (p * q)) * k = p * p * k + 2 * (p * q * k) := by grind
      omega

end OnlineKvCache
