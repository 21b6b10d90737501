module

public import OnlineKvCache.Svf.GapLower

public section

/-! # The prefix theorem, from the wait certificate alone

If `Blocked D L S`, then `9 D Σ v C ≤ 19 M Σ v C*` over `L`, for every schedule `C*` that holds at
most `M` in each round. -/

namespace OnlineKvCache.Svf.Gap

/-- Steps 6 and 8, a short request. -/
theorem short_le {S : Schedule} {q : Request} {T : Nat} (h : start S q ≤ T) :
    12 * (twiceVolume q * completion S q) + 2 * (area S q T + q.output * used S q T) ≤
      12 * (T * twiceVolume q) + 4 * levels q.prompt q.output +
        4 * ((q.output - age S q T) * (twiceVolume q - used S q T)) := by
  rcases Nat.lt_or_ge T (completion S q) with h' | h'
  · obtain ⟨r, hr⟩ : ∃ r, q.output = age S q T + r :=
      ⟨q.output - age S q T, by unfold age; omega⟩
    have e0 : T - completion S q = 0 := by omega
    have e1 : completion S q = T + r := by unfold age completion at *; omega
    have h1 := short q.prompt (age S q T) r
    have h2 : used S q T ≤ twiceVolume q := grown_mono _ (by omega)
    obtain ⟨x, hx⟩ : ∃ x, twiceVolume q = used S q T + x := ⟨twiceVolume q - used S q T, by omega⟩
    have hx' : (q.output - age S q T) * (twiceVolume q - used S q T) = r * x := by
      rw [hx, Nat.add_sub_cancel_left]
      congr 1
      omega
    have h3 : r * twiceVolume q = r * used S q T + r * x := by rw [hx, Nat.mul_add]
    rw [hx']
    rw [← hr] at h1
    unfold area
    rw [e0, e1, Nat.mul_add, Nat.mul_comm T]
    rw [← twiceVolume_eq] at h1
    have h4 := Nat.mul_comm (twiceVolume q) r
    unfold used at *
    omega
  · have e1 : age S q T = q.output := by unfold age completion at *; omega
    obtain ⟨x, hx⟩ : ∃ x, T = completion S q + x := ⟨T - completion S q, by omega⟩
    have h1 := two_mul_grown_le_levels q.prompt q.output
    unfold area used
    rw [e1, hx, Nat.add_sub_cancel_left, Nat.sub_self, Nat.zero_mul, twiceVolume_eq, Nat.add_mul,
      Nat.mul_comm (completion S q), Nat.mul_comm x]
    omega

/-- Steps 5 and 8, a long request. -/
theorem long_le {S : Schedule} {q : Request} {T : Nat} (h : start S q ≤ T) (hT : T ≤ q.output) :
    12 * (twiceVolume q * completion S q) + 2 * (area S q T + q.output * used S q T) +
      4 * (T * used S q T) ≤ 24 * (twiceVolume q * q.output) := by
  have e0 : T - completion S q = 0 := by unfold completion; omega
  have e1 : T - age S q T = start S q := by unfold age; omega
  have h1 := long q.prompt (age S q T) q.output T (by unfold age; omega) hT
  rw [e1, ← twiceVolume_eq] at h1
  unfold area
  rw [e0]
  unfold completion used
  rw [Nat.mul_add (twiceVolume q)]
  omega

/-- Step 9: what the requests that still run at `T` have to go. -/
theorem rest_le (S : Schedule) (q : Request) (T : Nat) :
    2 * ((q.output - age S q T) * (twiceVolume q - used S q T)) ≤ levels q.prompt q.output := by
  refine Nat.le_trans (Nat.mul_le_mul_left 2 (Nat.mul_le_mul (Nat.sub_le _ _) (Nat.sub_le _ _))) ?_
  exact two_mul_grown_le_levels q.prompt q.output

/-- Steps 8 to 10, on the sums. -/
theorem combine {M D T A W B VS US RS UX HS Q OX BS BX : Nat} (hD : D ≤ M)
    (h1 : 12 * A + 2 * W + 4 * (T * UX) ≤ 12 * (T * VS) + 4 * HS + 4 * Q + 24 * OX)
    (h2 : 3 * (D * (T * T)) ≤ W) (h3 : D * T ≤ US + UX) (h4 : VS = US + RS) (h5 : Q ≤ T * RS)
    (h6 : 2 * Q ≤ HS) (h7 : 3 * (VS * VS) + 2 * (M * HS) ≤ 12 * (M * BS)) (h8 : OX ≤ BX)
    (hB : B = BS + BX) : 9 * (D * A) ≤ 19 * (M * B) := by
  have sq : 140 * (D * T * VS) ≤ 57 * (VS * VS) + 86 * (D * T * (D * T)) := by
    generalize D * T = b
    have h := square b ((VS : Int) - b)
    have e1 : 26 * ((b : Int) * ((VS : Int) - b)) = 26 * ((b * VS : Nat) : Int) -
      26 * ((b * b : Nat) : Int) := by grind
    have e2 : 57 * (((VS : Int) - b) * ((VS : Int) - b)) = 57 * ((VS * VS : Nat) : Int) -
      114 * ((b * VS : Nat) : Int) + 57 * ((b * b : Nat) : Int) := by grind
    have e3 : (b : Int) * b = ((b * b : Nat) : Int) := by grind
    omega
  have g1 := Nat.mul_le_mul_left D h1
  have g2 := Nat.mul_le_mul_left D h2
  have g3 := Nat.mul_le_mul_left (D * T) h3
  have g4 : D * T * VS = D * T * US + D * T * RS := by rw [h4, Nat.mul_add]
  have g5 := Nat.mul_le_mul_left D h5
  have g6 := Nat.mul_le_mul_left D h6
  have g8 := Nat.mul_le_mul_left M h8
  have g9 := Nat.mul_le_mul_right HS hD
  have g10 := Nat.mul_le_mul_right OX hD
  have e1 : D * (12 * A + 2 * W + 4 * (T * UX)) =
    12 * (D * A) + 2 * (D * W) + 4 * (D * T * UX) := by grind
  have e2 : D * (12 * (T * VS) + 4 * HS + 4 * Q + 24 * OX) =
    12 * (D * T * VS) + 4 * (D * HS) + 4 * (D * Q) + 24 * (D * OX) := by grind
  have e3 : D * (3 * (D * (T * T))) = 3 * (D * T * (D * T)) := by grind
  have e4 : D * T * (US + UX) = D * T * US + D * T * UX := by grind
  have e5 : D * (T * RS) = D * T * RS := by grind
  have e6 : D * (2 * Q) = 2 * (D * Q) := by grind
  have e7 : M * B = M * BS + M * BX := by rw [hB, Nat.mul_add]
  omega

/-- The prefix theorem R2 on the wait certificate: `9 D Σ v C ≤ 19 M Σ v C*`. -/
theorem prefix_bound {M D : Nat} {L : List Request} {S C : Schedule} (hD : D ≤ M)
    (hb : Blocked D L S) (hC : ∀ t, (L.map fun q => memory C q t).sum ≤ M) :
    9 * (D * (L.map fun q => twiceVolume q * completion S q).sum) ≤
      19 * (M * (L.map fun q => twiceVolume q * completion C q).sum) := by
  obtain ⟨T, hT, hU, hW⟩ := exists_end hb
  have hfilter : ∀ p : Request → Bool, ∀ t, ((L.filter p).map fun q => memory C q t).sum ≤ M :=
    fun p t => by
      have h1 := sum_map_split p (fun q => memory C q t) L
      have h2 := hC t
      omega
  have hlow := lower (hfilter fun q => decide (q.output < T))
  rw [sum_map_split (fun q => decide (q.output < T))] at hU hW
  rw [sum_map_split (fun q => decide (q.output < T)) fun q => twiceVolume q * completion S q]
  have hsp := sum_map_split (fun q => decide (q.output < T))
    (fun q => twiceVolume q * completion C q) L
  have hS : ∀ q ∈ L.filter (fun q => decide (q.output < T)), start S q ≤ T ∧ q.output < T :=
    fun q hq => ⟨hT q (List.mem_filter.1 hq).1, of_decide_eq_true (List.mem_filter.1 hq).2⟩
  have hX : ∀ q ∈ L.filter (fun q => !decide (q.output < T)), start S q ≤ T ∧ T ≤ q.output :=
    fun q hq => ⟨hT q (List.mem_filter.1 hq).1, by
      have := (List.mem_filter.1 hq).2
      simp only [Bool.not_eq_true', decide_eq_false_iff_not] at this
      omega⟩
  generalize L.filter (fun q => decide (q.output < T)) = LS at *
  generalize L.filter (fun q => !decide (q.output < T)) = LX at *
  have s1 := sum_map_le_sum_map (l := LS) fun q hq => short_le (hS q hq).1
  rw [sum_map_add, sum_map_add, sum_map_add, sum_map_mul, sum_map_mul, sum_map_mul,
    sum_map_mul T, sum_map_mul, sum_map_mul] at s1
  have x1 := sum_map_le_sum_map (l := LX) fun q hq => long_le (hX q hq).1 (hX q hq).2
  rw [sum_map_add, sum_map_add, sum_map_mul, sum_map_mul, sum_map_mul, sum_map_mul T,
    sum_map_mul] at x1
  have r1 : (LS.map twiceVolume).sum = (LS.map fun q => used S q T).sum +
      (LS.map fun q => twiceVolume q - used S q T).sum := by
    rw [← sum_map_add]
    refine sum_map_congr fun q _ => ?_
    have : used S q T ≤ twiceVolume q := grown_mono _ (by unfold age; omega)
    omega
  have r2 : (LS.map fun q => (q.output - age S q T) * (twiceVolume q - used S q T)).sum ≤
      T * (LS.map fun q => twiceVolume q - used S q T).sum := by
    rw [← sum_map_mul]
    exact sum_map_le_sum_map fun q hq => Nat.mul_le_mul_right _ (by have := (hS q hq).2; omega)
  have r3 := sum_map_le_sum_map (l := LS) fun q _ => rest_le S q T
  rw [sum_map_mul] at r3
  have x2 : (LX.map fun q => twiceVolume q * q.output).sum ≤
      (LX.map fun q => twiceVolume q * completion C q).sum :=
    sum_map_le_sum_map fun q _ => Nat.mul_le_mul_left _ (Nat.le_add_left _ _)
  refine combine hD ?_ hW hU r1 r2 r3 hlow x2 hsp
  omega

end OnlineKvCache.Svf.Gap
