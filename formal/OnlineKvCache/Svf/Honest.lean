module

public import OnlineKvCache.Svf.ReserveRun

public section

/-! # The ratio of the 1-bit rule with reservations -/

namespace OnlineKvCache.Svf

theorem peak_le_oneBitReserve {b T : Nat} {q : Request} (h : q.peak ≤ T) :
    q.peak ≤ oneBitReserve b T q := by
  unfold oneBitReserve
  unfold Request.peak at h ⊢
  split <;> omega

/-- What is reserved over a run is at most `b²` times twice the volume. -/
theorem oneBitReserve_mul_le {b T : Nat} {q : Request} (hT : T ≤ b ^ 4) :
    oneBitReserve b T q * q.output ≤ b * b * twiceVolume q := by
  have e : b ^ 4 = b * b * (b * b) := by grind
  unfold oneBitReserve twiceVolume
  generalize q.output = o
  generalize q.prompt = s
  split
  · rcases Nat.eq_zero_or_pos (b * b) with h0 | h0
    · have : o = 0 := by omega
      rw [this]; simp
    · have h1 := Nat.mul_le_mul_right o (Nat.min_le_left (s + b * b) T)
      have h2 := Nat.mul_le_mul_right (s * o) (show 1 ≤ b * b from h0)
      have e1 : (s + b * b) * o = s * o + b * b * o := Nat.add_mul ..
      have e2 : b * b * (2 * (s * o) + o * (o + 1)) =
          2 * (b * b * (s * o)) + b * b * (o * o) + b * b * o := by grind
      omega
  · have h1 := Nat.mul_le_mul_right o hT
    have h2 := Nat.mul_le_mul_left (b * b * o) (show b * b ≤ o by omega)
    have e1 : b ^ 4 * o = b * b * o * (b * b) := by rw [e]; grind
    have e2 : b * b * (2 * (s * o) + o * (o + 1)) =
        2 * (b * b * (s * o)) + b * b * o * o + b * b * o := by grind
    omega

theorem beforeSum_le_mul {k : Nat} {f g : Request → Nat} {l : List Request}
    (h : ∀ q ∈ l, f q ≤ k * g q) : beforeSum (l.map f) ≤ k * beforeSum (l.map g) := by
  rw [← beforeSum_mul, List.map_map]
  exact beforeSum_map_le h

theorem honest_feasible {M b T : Nat} {I : List Request} (hI : Burst M I)
    (hT : ∀ q ∈ I, q.peak ≤ T) (hr : ∀ q ∈ I, oneBitReserve b T q ≤ M) :
    Feasible M I (honestOneBit M b T I) := by
  have hp := orderByKey_perm (predictedKey (oneBitProxy b)) I
  exact (reserve_feasible (hI.perm hp.symm) fun q hq =>
    ⟨peak_le_oneBitReserve (hT q (hp.mem_iff.1 hq)), hr q (hp.mem_iff.1 hq)⟩).perm hp

/-- The 1-bit rule with reservations of at most `R`, when no peak exceeds `T ≤ b⁴`: the ratio is at
most `2 b² (b² + 1) M / (M - R + 1)`. -/
theorem honest_ratio {M R b T c : Nat} {I : List Request} (hI : Burst M I) (hM : R ≤ M)
    (hr : ∀ q ∈ I, oneBitReserve b T q ≤ R) (hT : ∀ q ∈ I, q.peak ≤ T) (hb : T ≤ b ^ 4)
    (hc : IsOPT M I c) :
    (M - R + 1) * TEL I (honestOneBit M b T I) ≤ 2 * (b * b * (b * b + 1) * (M * c)) := by
  by_cases hn : I = []
  · have : TEL I (honestOneBit M b T I) = 0 := by rw [hn]; rfl
    rw [this, Nat.mul_zero]
    exact Nat.zero_le _
  · obtain ⟨q, hq⟩ := List.exists_mem_of_ne_nil I hn
    have ho : ∀ q ∈ I, q.output ≤ b ^ 4 := fun q hq => by
      have := hT q hq
      unfold Request.peak at this
      omega
    have hb1 := pos_of_output (hI.output_pos q hq) (ho q hq)
    have hR : 1 ≤ R := by
      have h1 := hI.output_pos q hq
      have h2 := peak_le_oneBitReserve (b := b) (hT q hq)
      have h3 := hr q hq
      unfold Request.peak at h2
      omega
    have hp := orderByKey_perm (predictedKey (oneBitProxy b)) I
    have h1 := reserve_sum (M := M) (hI.perm hp.symm) hM fun q hq => hr q (hp.mem_iff.1 hq)
    have h2 := beforeSum_le_mul (l := orderByKey (predictedKey (oneBitProxy b)) I)
      fun q _ => oneBitReserve_mul_le (q := q) hb
    have h3 := near_bound (key := predictedKey (oneBitProxy b)) (u := b * b) (w := 1 * 1)
      (Nat.lt_succ_self 0) (Nat.mul_le_mul hb1 hb1) (l := I) fun q hq =>
        predictedKey_near (u := b) (w := 1) hb1 (by
          rw [Nat.one_mul, Nat.one_mul]
          exact oneBitProxy_near (hI.output_pos q hq) (ho q hq))
    have h4 := additive_bound_opt hI hc
    have h5 : (I.map fun q => 2 * q.output + 1).sum =
        2 * (I.map Request.output).sum + (I.map fun _ => 1).sum := by
      rw [sum_map_add, sum_map_mul]
    rw [totalCompletion_perm hp, ← hI.TEL_eq, (hp.map Request.output).sum_nat] at h1
    rw [orderedMin_perm (hp.map twiceVolume), Nat.one_mul, Nat.one_mul] at h3
    rw [h5] at h4
    have hbb : 1 ≤ b * b := Nat.mul_le_mul hb1 hb1
    have h6 : 3 * (M - R + 1) ≤ 2 * (b * b * (b * b + 1) * M) := by
      have h7 := Nat.mul_le_mul hbb (show 2 ≤ b * b + 1 by omega)
      have h8 := Nat.mul_le_mul_right M h7
      omega
    have h7 := Nat.mul_le_mul_right (I.map Request.output).sum h6
    unfold honestOneBit
    generalize TEL I (reserveSchedule M (oneBitReserve b T)
      (orderByKey (predictedKey (oneBitProxy b)) I)) = A at h1 ⊢
    generalize M - R + 1 = D at h1 h7 ⊢
    generalize (I.map Request.output).sum = O at h1 h4 h7
    generalize beforeSum ((orderByKey (predictedKey (oneBitProxy b)) I).map twiceVolume) = B
      at h2 h3
    generalize (I.map fun _ => 1).sum = n at h4
    generalize orderedMin (I.map twiceVolume) = Z at h3 h4
    generalize b * b = y at h2 h3 h7 ⊢
    have k3 := Nat.mul_le_mul_left y h3
    have k4 := Nat.mul_le_mul_left (y * (y + 1)) h4
    have e1 : 3 * D * O = 3 * (D * O) := Nat.mul_assoc ..
    have e2 : 2 * (y * (y + 1) * M) * O = 2 * (y * (y + 1) * (M * O)) := by grind
    have e3 : y * ((y + 1) * Z) = y * (y + 1) * Z := (Nat.mul_assoc ..).symm
    have e4 : y * (y + 1) * (3 * Z + 2 * M * (2 * O + n)) = 3 * (y * (y + 1) * Z) +
        4 * (y * (y + 1) * (M * O)) + 2 * (y * (y + 1) * (M * n)) := by grind
    have e5 : y * (y + 1) * (12 * M * c) = 12 * (y * (y + 1) * (M * c)) := by grind
    rw [Nat.mul_add, Nat.mul_left_comm y 2 B] at k3
    omega

/-- The same with reservations at most `a / d` of the memory: `2 b² (b² + 1) / (1 - a/d)`. -/
theorem honest_ratio_part {M a d b T c : Nat} {I : List Request} (hI : Burst M I) (had : a < d)
    (hr : ∀ q ∈ I, oneBitReserve b T q * d ≤ a * M) (hT : ∀ q ∈ I, q.peak ≤ T) (hb : T ≤ b ^ 4)
    (hc : IsOPT M I c) :
    (d - a) * TEL I (honestOneBit M b T I) ≤ 2 * (b * b * (b * b + 1) * (d * c)) := by
  by_cases hn : I = []
  · have : TEL I (honestOneBit M b T I) = 0 := by rw [hn]; rfl
    rw [this, Nat.mul_zero]
    exact Nat.zero_le _
  · obtain ⟨h1, _, h3⟩ := peak_bound (M := M) had
    have h4 := honest_ratio hI h1 (fun q hq => h3 _ (hr q hq)) hT hb hc
    have e : ∀ x : Nat, b * b * (b * b + 1) * (x * c) = b * b * (b * b + 1) * c * x :=
      fun x => by grind
    have h5 := part_of_peak (w := 1) (hI.memory_pos hn) had (X := b * b * (b * b + 1) * c)
      (T := TEL I (honestOneBit M b T I)) (by rw [Nat.one_mul, ← e]; exact h4)
    rw [Nat.one_mul] at h5
    rw [e]
    exact h5

end OnlineKvCache.Svf
