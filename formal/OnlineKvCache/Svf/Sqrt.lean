module

public import OnlineKvCache.Svf.Sharp
public import OnlineKvCache.Svf.Inversion
public import OnlineKvCache.Svf.Convex

public section

/-! # Keys within a factor of the volumes: the square root of the inversion factor -/

namespace OnlineKvCache.Svf

theorem min_concave (a p r x : Nat) :
    r * min a x + p * min (a + p + r) x ≤ (p + r) * min (a + p) x := by
  have e : (p + r) * min (a + p) x = p * min (a + p) x + r * min (a + p) x := Nat.add_mul ..
  rw [e]
  rcases Nat.le_total x (a + p) with h | h
  · have h1 := Nat.mul_le_mul_left p (show min (a + p + r) x ≤ min (a + p) x by omega)
    have h2 := Nat.mul_le_mul_left r (show min a x ≤ min (a + p) x by omega)
    omega
  · have h1 := Nat.mul_le_mul_left p (show min (a + p + r) x ≤ min (a + p) x + r by omega)
    have h2 := Nat.mul_le_mul_left r (show min a x + p ≤ min (a + p) x by omega)
    rw [Nat.mul_add] at h1 h2
    rw [Nat.mul_comm p r] at h1
    omega

theorem minSum_concave (a p r : Nat) : ∀ l : List Nat,
    r * minSum a l + p * minSum (a + p + r) l ≤ (p + r) * minSum (a + p) l
  | [] => by simp [minSum]
  | x :: l => by
    have h1 := minSum_concave a p r l
    have h2 := min_concave a p r x
    simp only [minSum, Nat.mul_add]
    omega

theorem beforeSum_middle (v : Nat) (Y : List Nat) : ∀ X : List Nat,
    beforeSum (X ++ v :: Y) = beforeSum (X ++ Y) + X.sum + Y.length * v
  | [] => by simp only [List.nil_append, beforeSum, List.sum_nil]; omega
  | x :: X => by
    rw [List.cons_append, List.cons_append, beforeSum, beforeSum, beforeSum_middle v Y X,
      List.sum_cons, List.length_append, List.length_append, List.length_cons,
      show X.length + (Y.length + 1) = X.length + Y.length + 1 by omega, Nat.succ_mul]
    omega

/-- One volume moves between the ends of its interval. -/
theorem move {u w a p r : Nat} {X Y : List Nat}
    (h1 : w * (2 * beforeSum (X ++ a :: Y) + (X ++ a :: Y).sum) ≤
      (u + w) * orderedMin (X ++ a :: Y))
    (h2 : w * (2 * beforeSum (X ++ (a + p + r) :: Y) + (X ++ (a + p + r) :: Y).sum) ≤
      (u + w) * orderedMin (X ++ (a + p + r) :: Y)) :
    w * (2 * beforeSum (X ++ (a + p) :: Y) + (X ++ (a + p) :: Y).sum) ≤
      (u + w) * orderedMin (X ++ (a + p) :: Y) := by
  rcases Nat.eq_zero_or_pos (p + r) with h | h
  · obtain rfl : p = 0 := by omega
    exact h1
  · have hc := minSum_concave a p r (X ++ Y)
    rw [orderedMin_perm List.perm_middle, orderedMin_cons, beforeSum_middle,
      List.perm_middle.sum_nat, List.sum_cons] at h1 h2 ⊢
    generalize minSum a (X ++ Y) = N1 at h1 hc
    generalize minSum (a + p + r) (X ++ Y) = N2 at h2 hc
    generalize minSum (a + p) (X ++ Y) = N at hc ⊢
    generalize orderedMin (X ++ Y) = Z at h1 h2 ⊢
    generalize beforeSum (X ++ Y) = F at h1 h2 ⊢
    generalize (X ++ Y).sum = V at h1 h2 ⊢
    generalize X.sum = x at h1 h2 ⊢
    generalize Y.length = k at h1 h2 ⊢
    refine Nat.le_of_mul_le_mul_left (?_ : (p + r) * _ ≤ (p + r) * _) h
    have e1 : (p + r) * (w * (2 * (F + x + k * (a + p)) + (a + p + V))) =
        r * (w * (2 * (F + x + k * a) + (a + V))) +
        p * (w * (2 * (F + x + k * (a + p + r)) + (a + p + r + V))) := by grind
    have e2 : r * ((u + w) * (a + 2 * N1 + Z)) + p * ((u + w) * (a + p + r + 2 * N2 + Z)) =
        (u + w) * ((p + r) * (a + p + Z)) + 2 * ((u + w) * (r * N1 + p * N2)) := by grind
    have e3 : (p + r) * ((u + w) * (a + p + 2 * N + Z)) =
        (u + w) * ((p + r) * (a + p + Z)) + 2 * ((u + w) * ((p + r) * N)) := by grind
    have h3 := Nat.mul_le_mul_left r h1
    have h4 := Nat.mul_le_mul_left p h2
    have h5 := Nat.mul_le_mul_left (u + w) hc
    omega

/-- The key inequality: sorted by keys, with the volumes in their intervals. -/
theorem between_bound {u w : Nat} (huw : w ≤ u) : ∀ (Y X : List (Nat × Nat)),
    (X ++ Y).Pairwise (fun x y => x.1 ≤ y.1) → (∀ x ∈ X, Extreme u w x) →
    (∀ y ∈ Y, Between u w y) →
    w * (2 * beforeSum ((X ++ Y).map Prod.snd) + ((X ++ Y).map Prod.snd).sum) ≤
      (u + w) * orderedMin ((X ++ Y).map Prod.snd)
  | [], X, h, hX, _ => by
    rw [List.append_nil] at h ⊢
    exact extreme_bound huw h hX
  | y :: Y, X, h, hX, hY => by
    obtain ⟨k, v⟩ := y
    obtain ⟨h1, h2⟩ := hY (k, v) (List.mem_cons_self ..)
    simp only at h1 h2
    have step : ∀ z, Extreme u w (k, z) →
        w * (2 * beforeSum (X.map Prod.snd ++ z :: Y.map Prod.snd) +
          (X.map Prod.snd ++ z :: Y.map Prod.snd).sum) ≤
        (u + w) * orderedMin (X.map Prod.snd ++ z :: Y.map Prod.snd) := fun z hz => by
      have ih := between_bound huw Y (X ++ [(k, z)]) (by
        have : ((X ++ (k, v) :: Y).map Prod.fst).Pairwise (· ≤ ·) := List.pairwise_map.2 h
        refine List.pairwise_map.1 (?_ : ((X ++ [(k, z)] ++ Y).map Prod.fst).Pairwise (· ≤ ·))
        simpa using this) (fun x hx => by
          rcases List.mem_append.1 hx with hx1 | hx1
          · exact hX x hx1
          · obtain rfl : x = (k, z) := by simpa using hx1
            exact hz) fun y hy => hY y (List.mem_cons_of_mem _ hy)
      simpa using ih
    obtain ⟨p, rfl⟩ : ∃ p, v = w * w * k + p := ⟨v - w * w * k, by omega⟩
    obtain ⟨r, hr⟩ : ∃ r, u * u * k = w * w * k + p + r := ⟨u * u * k - (w * w * k + p), by omega⟩
    have := move (step (w * w * k) (Or.inl rfl)) (hr ▸ step (u * u * k) (Or.inr rfl))
    simpa using this

theorem beforeSum_mul (k : Nat) : ∀ l : List Nat,
    beforeSum (l.map fun x => k * x) = k * beforeSum l
  | [] => rfl
  | x :: l => by
    rw [List.map_cons, beforeSum, beforeSum, beforeSum_mul k l, List.length_map, Nat.mul_add,
      Nat.mul_left_comm]

theorem minSum_mul (k x : Nat) : ∀ l : List Nat,
    minSum (k * x) (l.map fun y => k * y) = k * minSum x l
  | [] => rfl
  | y :: l => by
    rw [List.map_cons, minSum, minSum, minSum_mul k x l, Nat.mul_min_mul_left, Nat.mul_add]

theorem orderedMin_mul (k : Nat) : ∀ l : List Nat,
    orderedMin (l.map fun x => k * x) = k * orderedMin l
  | [] => rfl
  | x :: l => by
    rw [List.map_cons, orderedMin_cons, orderedMin_cons, minSum_mul, orderedMin_mul k l]
    grind

/-- Keys within the factor `u / w` of the volumes: what comes before, in the order of the keys, is
at most `1 + u / w` times the minima. -/
theorem near_bound {key : Request → Nat} {u w : Nat} (hw : 0 < w) (huw : w ≤ u) {l : List Request}
    (h : ∀ q ∈ l, w * key q ≤ u * twiceVolume q ∧ w * twiceVolume q ≤ u * key q) :
    w * (2 * beforeSum ((orderByKey key l).map twiceVolume) +
        ((orderByKey key l).map twiceVolume).sum) ≤
      (u + w) * orderedMin ((orderByKey key l).map twiceVolume) := by
  have h1 := between_bound huw ((orderByKey key l).map fun q => (key q, u * w * twiceVolume q)) []
    (List.pairwise_map.2 (orderByKey_le key l)) (fun x hx => by cases hx) (fun y hy => by
      obtain ⟨q, hq, rfl⟩ := List.mem_map.1 hy
      obtain ⟨h2, h3⟩ := h q ((orderByKey_perm key l).mem_iff.1 hq)
      have h4 := Nat.mul_le_mul_left w h2
      have h5 := Nat.mul_le_mul_left u h3
      constructor
      · calc w * w * key q = w * (w * key q) := Nat.mul_assoc ..
          _ ≤ w * (u * twiceVolume q) := h4
          _ = u * w * twiceVolume q := by grind
      · calc u * w * twiceVolume q = u * (w * twiceVolume q) := Nat.mul_assoc ..
          _ ≤ u * (u * key q) := h5
          _ = u * u * key q := (Nat.mul_assoc ..).symm)
  rw [List.nil_append, List.map_map] at h1
  have e : (orderByKey key l).map (Prod.snd ∘ fun q => (key q, u * w * twiceVolume q)) =
      ((orderByKey key l).map twiceVolume).map fun x => u * w * x := by
    rw [List.map_map]; rfl
  rw [e, beforeSum_mul, orderedMin_mul, sum_map_mul, List.map_id'] at h1
  have hpos : 0 < u * w := Nat.mul_pos (by omega) hw
  refine Nat.le_of_mul_le_mul_left (?_ : u * w * _ ≤ u * w * _) hpos
  have e1 : ∀ B V : Nat, w * (2 * (u * w * B) + u * w * V) = u * w * (w * (2 * B + V)) :=
    fun B V => by grind
  rw [e1] at h1
  rw [Nat.mul_left_comm (u * w) (u + w)]
  exact h1

/-- Keys within the factor `u / w` of the volumes, with a bound `Pk` on the peaks:
`2 (1 + u / w) M / (M - Pk + 1)`. -/
theorem near_ratio {M Pk u w c : Nat} {key : Request → Nat} {I : List Request} (hI : Burst M I)
    (hM : Pk ≤ M) (hp : ∀ q ∈ I, q.peak ≤ Pk) (hw : 0 < w) (huw : w ≤ u)
    (h : ∀ q ∈ I, w * key q ≤ u * twiceVolume q ∧ w * twiceVolume q ≤ u * key q)
    (hc : IsOPT M I c) :
    w * ((M - Pk + 1) * TEL I (listSchedule M (orderByKey key I))) ≤ 2 * ((u + w) * (M * c)) := by
  by_cases hn : I = []
  · have : TEL I (listSchedule M (orderByKey key I)) = 0 := by rw [hn]; rfl
    rw [this, Nat.mul_zero, Nat.mul_zero]
    exact Nat.zero_le _
  · have h1 := sharp_core hI (orderByKey_perm key I) hM hp (near_bound hw huw h) hc
    obtain ⟨q, hq⟩ := List.exists_mem_of_ne_nil I hn
    have h2 := hp q hq
    have h3 := hI.output_pos q hq
    unfold Request.peak at h2
    have h4 : 3 * (w * (M - Pk + 1)) ≤ 2 * ((u + w) * M) := by
      have h5 := Nat.mul_le_mul_left w (show M - Pk + 1 ≤ M by omega)
      have h6 := Nat.mul_le_mul_right M (show w + w ≤ u + w by omega)
      rw [Nat.add_mul w w M] at h6
      omega
    have h7 := Nat.mul_le_mul_right (I.map Request.output).sum h4
    generalize M - Pk + 1 = D at h1 h4 h7 ⊢
    generalize (I.map Request.output).sum = O at h1 h7
    have e1 : 3 * (w * D) * O = 3 * (w * (D * O)) := by grind
    have e2 : 2 * ((u + w) * M) * O = 2 * ((u + w) * (M * O)) := by grind
    omega

/-- Predicted lengths within the factor `u / w`: `2 (1 + (u / w)²) M / (M - Pk + 1)`. -/
theorem predicted_sqrt {M Pk u w c : Nat} {pred : Request → Nat} {I : List Request}
    (hI : Burst M I) (hM : Pk ≤ M) (hp : ∀ q ∈ I, q.peak ≤ Pk) (hw : 0 < w) (huw : w ≤ u)
    (h : ∀ q ∈ I, w * pred q ≤ u * q.output ∧ w * q.output ≤ u * pred q) (hc : IsOPT M I c) :
    w * w * ((M - Pk + 1) * TEL I (predictedSvf M pred I)) ≤
      2 * ((u * u + w * w) * (M * c)) :=
  near_ratio hI hM hp (Nat.mul_pos hw hw) (Nat.mul_le_mul huw huw)
    (fun q hq => predictedKey_near huw (h q hq)) hc

/-- The 1-bit rule for outputs of at most `T ≤ b⁴` tokens: `2 (1 + b²) M / (M - Pk + 1)`. -/
theorem oneBit_sqrt {M Pk b c : Nat} {I : List Request} (hI : Burst M I) (hM : Pk ≤ M)
    (hp : ∀ q ∈ I, q.peak ≤ Pk) (hb : ∀ q ∈ I, q.output ≤ b ^ 4) (hc : IsOPT M I c) :
    (M - Pk + 1) * TEL I (oneBitSvf M b I) ≤ 2 * ((b * b + 1) * (M * c)) := by
  by_cases hn : I = []
  · have : TEL I (oneBitSvf M b I) = 0 := by rw [hn]; rfl
    rw [this, Nat.mul_zero]
    exact Nat.zero_le _
  · obtain ⟨q, hq⟩ := List.exists_mem_of_ne_nil I hn
    have h := predicted_sqrt (u := b) (w := 1) hI hM hp (Nat.lt_succ_self 0)
      (pos_of_output (hI.output_pos q hq) (hb q hq)) (pred := oneBitProxy b) (fun q hq => by
        rw [Nat.one_mul, Nat.one_mul]
        exact oneBitProxy_near (hI.output_pos q hq) (hb q hq)) hc
    simpa only [Nat.one_mul] using h

/-- From a bound on the peaks to a bound on their part of the memory. -/
theorem part_of_peak {M a d w T X : Nat} (hM : 0 < M) (had : a < d)
    (h : w * ((M - a * M / d + 1) * T) ≤ 2 * (X * M)) : w * ((d - a) * T) ≤ 2 * (X * d) := by
  have h1 := (peak_bound (M := M) had).2.1
  refine Nat.le_of_mul_le_mul_left (?_ : M * _ ≤ M * _) hM
  calc M * (w * ((d - a) * T)) = w * T * ((d - a) * M) := by grind
    _ ≤ w * T * (d * (M - a * M / d + 1)) := Nat.mul_le_mul_left _ h1
    _ = d * (w * ((M - a * M / d + 1) * T)) := by grind
    _ ≤ d * (2 * (X * M)) := Nat.mul_le_mul_left _ h
    _ = M * (2 * (X * d)) := by grind

/-- Predicted lengths within the factor `u / w`, with peaks at most `a / d` of the memory:
`2 (1 + (u / w)²) / (1 - a/d)`. -/
theorem predicted_sqrt_part {M a d u w c : Nat} {pred : Request → Nat} {I : List Request}
    (hI : Burst M I) (had : a < d) (hp : ∀ q ∈ I, q.peak * d ≤ a * M) (hw : 0 < w) (huw : w ≤ u)
    (h : ∀ q ∈ I, w * pred q ≤ u * q.output ∧ w * q.output ≤ u * pred q) (hc : IsOPT M I c) :
    w * w * ((d - a) * TEL I (predictedSvf M pred I)) ≤ 2 * ((u * u + w * w) * (d * c)) := by
  by_cases hn : I = []
  · have : TEL I (predictedSvf M pred I) = 0 := by rw [hn]; rfl
    rw [this, Nat.mul_zero, Nat.mul_zero]
    exact Nat.zero_le _
  · obtain ⟨h1, _, h3⟩ := peak_bound (M := M) had
    have h4 := predicted_sqrt hI h1 (fun q hq => h3 _ (hp q hq)) hw huw h hc
    have e : ∀ x : Nat, (u * u + w * w) * (x * c) = (u * u + w * w) * c * x := fun x => by grind
    rw [e] at h4 ⊢
    exact part_of_peak (hI.memory_pos hn) had h4

/-- The 1-bit rule, with peaks at most `a / d` of the memory: `2 (1 + b²) / (1 - a/d)`. -/
theorem oneBit_sqrt_part {M a d b c : Nat} {I : List Request} (hI : Burst M I) (had : a < d)
    (hp : ∀ q ∈ I, q.peak * d ≤ a * M) (hb : ∀ q ∈ I, q.output ≤ b ^ 4) (hc : IsOPT M I c) :
    (d - a) * TEL I (oneBitSvf M b I) ≤ 2 * ((b * b + 1) * (d * c)) := by
  by_cases hn : I = []
  · have : TEL I (oneBitSvf M b I) = 0 := by rw [hn]; rfl
    rw [this, Nat.mul_zero]
    exact Nat.zero_le _
  · obtain ⟨q, hq⟩ := List.exists_mem_of_ne_nil I hn
    have h := predicted_sqrt_part (u := b) (w := 1) hI had hp (Nat.lt_succ_self 0)
      (pos_of_output (hI.output_pos q hq) (hb q hq)) (pred := oneBitProxy b) (fun q hq => by
        rw [Nat.one_mul, Nat.one_mul]
        exact oneBitProxy_near (hI.output_pos q hq) (hb q hq)) hc
    simpa only [Nat.one_mul] using h

end OnlineKvCache.Svf
