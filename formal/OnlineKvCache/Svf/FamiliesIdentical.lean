module

public import OnlineKvCache.Svf.Families
public import OnlineKvCache.Svf.Order
public import OnlineKvCache.Basic.Cover

public section

/-! # Identical requests: batches against staggered starts

Memory `(d + 1)L` and requests `(0, L)`: list scheduling runs synchronous batches of `d + 1`; with
`L = (2d + 1)x`, starts at distance `x` are feasible, and `2d + 1` requests run at a time. -/

namespace OnlineKvCache

theorem mem_identical {L n : Nat} {q : Request} :
    q ∈ identical L n ↔ ∃ i < n, q = ⟨i, 0, 0, L⟩ := by
  simp only [identical, List.mem_map, List.mem_range]
  exact ⟨fun ⟨i, h, e⟩ => ⟨i, h, e.symm⟩, fun ⟨i, h, e⟩ => ⟨i, h, e.symm⟩⟩

theorem identical_burst {M L n : Nat} (hL : 1 ≤ L) (hM : L ≤ M) : Burst M (identical L n) where
  nodup := by
    rw [identical, List.map_map]
    exact List.pairwise_map.2 (List.nodup_range.imp (by intro a b h; simpa using h))
  arrived q hq := by obtain ⟨i, _, rfl⟩ := mem_identical.1 hq; rfl
  output_pos q hq := by obtain ⟨i, _, rfl⟩ := mem_identical.1 hq; exact hL
  fits q hq := by
    obtain ⟨i, _, rfl⟩ := mem_identical.1 hq
    simp only [Request.peak]
    omega

theorem identical_TEL (L n : Nat) (S : Schedule) :
    TEL (identical L n) S = ((List.range n).map fun i => S i + L).sum := by
  simp only [TEL, identical, List.map_map]
  rfl

/-! ### Synchronous batches -/

/-- The first `n` requests in batches of `k`, the last one first. -/
def batches (L k : Nat) : Nat → List (Request × Nat)
  | 0 => []
  | n + 1 => (⟨n, 0, 0, L⟩, n / k * L) :: batches L k n

theorem batches_memory {L k : Nat} (hk : 1 ≤ k) {b u : Nat} (hu : u < L) : ∀ n,
    placedMemory (batches L k n) (b * L + u) = (min n (b * k + k) - b * k) * (u + 1)
  | 0 => by simp [batches, placedMemory]
  | n + 1 => by
    rw [batches, placedMemory, batches_memory hk hu n]
    have hd := Nat.div_add_mod n k
    have hm := Nat.mod_lt n (show k > 0 by omega)
    have hbk : b * k = k * b := Nat.mul_comm ..
    generalize n / k = a at hd ⊢
    dsimp only
    rcases Nat.lt_trichotomy a b with hab | hab | hab
    · have h1 := Nat.mul_le_mul_right L (show a + 1 ≤ b from hab)
      have h2 := Nat.mul_le_mul_left k (show a + 1 ≤ b from hab)
      have e1 : (a + 1) * L = a * L + L := Nat.succ_mul ..
      have e2 : k * (a + 1) = k * a + k := Nat.mul_succ ..
      rw [if_neg (by omega), show min n (b * k + k) - b * k = 0 by omega,
        show min (n + 1) (b * k + k) - b * k = 0 by omega, Nat.zero_add]
    · subst hab
      rw [if_pos (by omega), show min (n + 1) (a * k + k) - a * k =
        min n (a * k + k) - a * k + 1 by omega, Nat.succ_mul]
      omega
    · have h1 := Nat.mul_le_mul_right L (show b + 1 ≤ a from hab)
      have h2 := Nat.mul_le_mul_left k (show b + 1 ≤ a from hab)
      have e1 : (b + 1) * L = b * L + L := Nat.succ_mul ..
      have e2 : k * (b + 1) = k * b + k := Nat.mul_succ ..
      rw [if_neg (by omega), show min n (b * k + k) = b * k + k by omega,
        show min (n + 1) (b * k + k) = b * k + k by omega]
      omega

theorem batches_run {L k : Nat} (hk : 1 ≤ k) (hL : 1 ≤ L) : ∀ n, ListRun (k * L) (batches L k n)
  | 0 => trivial
  | n + 1 => by
    have hd := Nat.div_add_mod n k
    have hm := Nat.mod_lt n (show k > 0 by omega)
    refine ⟨batches_run hk hL n, ?_, fun u hu => ?_, fun t ht1 ht2 hf => ?_⟩
    · cases n with
      | zero => exact Nat.zero_le _
      | succ n => exact Nat.mul_le_mul_right L (Nat.div_le_div_right (Nat.le_succ n))
    · dsimp only at hu ⊢
      rw [batches_memory hk hu n]
      have hbk : n / k * k = k * (n / k) := Nat.mul_comm ..
      have h1 := Nat.mul_le_mul (show min n (n / k * k + k) - n / k * k + 1 ≤ k by omega)
        (show u + 1 ≤ L from hu)
      rw [Nat.succ_mul] at h1
      omega
    · dsimp only at ht2 hf
      have hb : 1 ≤ n / k := Nat.one_le_iff_ne_zero.2 fun h0 => by
        rw [h0, Nat.zero_mul] at ht2
        omega
      have hn : 1 ≤ n := Nat.one_le_iff_ne_zero.2 fun h0 => by
        rw [h0, Nat.zero_div] at hb
        omega
      obtain ⟨b, hbe⟩ : ∃ b, n / k = b + 1 := ⟨n / k - 1, by omega⟩
      rw [hbe] at ht2 hd
      have e1 : (b + 1) * L = b * L + L := Nat.succ_mul ..
      have e2 : k * (b + 1) = k * b + k := Nat.mul_succ ..
      have h1 : b * L ≤ t := by
        obtain ⟨r, rfl⟩ : ∃ r, n = r + 1 := ⟨n - 1, by omega⟩
        refine Nat.le_trans (Nat.mul_le_mul_right L ?_) ht1
        rw [Nat.le_div_iff_mul_le (by omega), Nat.mul_comm]
        omega
      have h2 := hf (b * L + L - 1 - t) (by dsimp only; omega)
      rw [show t + (b * L + L - 1 - t) = b * L + (L - 1) by omega,
        batches_memory hk (show L - 1 < L by omega) n,
        show min n (b * k + k) - b * k = k by
          have : b * k = k * b := Nat.mul_comm ..
          omega, show L - 1 + 1 = L by omega] at h2
      omega

theorem batches_fst (L k : Nat) : ∀ n, (batches L k n).map Prod.fst = (identical L n).reverse
  | 0 => rfl
  | n + 1 => by
    rw [batches, List.map_cons, batches_fst L k n, identical, identical, List.range_succ,
      List.map_append, List.reverse_append]
    rfl

theorem batches_start (L k : Nat) : ∀ {n i}, i < n → startIn (batches L k n) i = i / k * L
  | n + 1, i, h => by
    rw [batches, startIn]
    dsimp only
    split
    · next he => rw [he]
    · next hne => exact batches_start L k (by omega)

/-- The order of identical requests is by label. -/
theorem identical_order {L n : Nat} : svfOrder (identical L n) = identical L n := by
  have hlt : (List.range n).Pairwise (· < ·) := List.pairwise_lt_range
  refine orderByKey_eq ?_ (List.Perm.refl _) ?_
  · rw [identical, List.map_map]
    exact List.pairwise_map.2 (List.nodup_range.imp (by intro a b h; simpa using h))
  · exact List.pairwise_map.2 (hlt.imp fun {a b} h => Or.inr ⟨rfl, Nat.le_of_lt h⟩)

theorem svf_identical_start {L k n i : Nat} (hk : 1 ≤ k) (hL : 1 ≤ L) (hi : i < n) :
    svf (k * L) (identical L n) i = i / k * L := by
  rw [svf, identical_order, listSchedule_eq_of_run (P := batches L k n)
    (identical_burst hL (Nat.le_mul_of_pos_left L hk)).fits (batches_run hk hL n)
    (batches_fst L k n), batches_start L k hi]

theorem two_sum_div {k : Nat} (hk : 1 ≤ k) : ∀ m : Nat,
    2 * ((List.range (k * m)).map fun i => i / k + 1).sum = k * (m * (m + 1))
  | 0 => rfl
  | m + 1 => by
    have ih := two_sum_div hk m
    rw [Nat.mul_succ, List.range_add, List.map_append, List.sum_append_nat, List.map_map]
    have h1 : ((List.range k).map ((fun i => i / k + 1) ∘ fun x => k * m + x)).sum =
        ((List.range k).map fun _ => m + 1).sum := sum_map_congr fun x hx => by
      simp only [Function.comp]
      rw [Nat.mul_add_div (by omega), Nat.div_eq_of_lt (List.mem_range.1 hx)]
    rw [h1, sum_map_const, List.length_range]
    have e : k * ((m + 1) * (m + 1 + 1)) = k * (m * (m + 1)) + 2 * (k * (m + 1)) := by grind
    omega

/-- The cost of shortest volume first, exactly. -/
theorem svf_identical_cost {L k m : Nat} (hk : 1 ≤ k) (hL : 1 ≤ L) :
    2 * TEL (identical L (k * m)) (svf (k * L) (identical L (k * m))) =
      L * (k * (m * (m + 1))) := by
  rw [identical_TEL, ← two_sum_div hk m]
  have h1 : ((List.range (k * m)).map fun i => svf (k * L) (identical L (k * m)) i + L).sum =
      ((List.range (k * m)).map fun i => L * (i / k + 1)).sum := sum_map_congr fun i hi => by
    rw [svf_identical_start hk hL (List.mem_range.1 hi), Nat.mul_succ, Nat.mul_comm]
  rw [h1, sum_map_mul]
  exact Nat.mul_left_comm ..

/-! ### Staggered starts -/

theorem staggered_feasible {x d n : Nat} (hx : 1 ≤ x) :
    Feasible ((d + 1) * ((2 * d + 1) * x)) (identical ((2 * d + 1) * x) n) fun i => i * x where
  release q hq := by obtain ⟨i, _, rfl⟩ := mem_identical.1 hq; exact Nat.zero_le _
  capacity t := by
    have hd := Nat.div_add_mod t x
    have hm := Nat.mod_lt t (show x > 0 by omega)
    generalize t / x = a at hd
    generalize t % x = r at hd hm
    have h1 : occupancy (identical ((2 * d + 1) * x) n) (fun i => i * x) t ≤
        ((List.range n).map fun i => if decide (i ≤ a ∧ a < i + (2 * d + 1)) = true then
          (a - i + 1) * x else 0).sum := by
      rw [occupancy, identical, List.map_map]
      refine sum_map_le_sum_map fun i _ => ?_
      simp only [Function.comp, memory, Active, completion, start]
      split
      · next h =>
        have h2 : i ≤ a := Nat.le_of_not_lt fun hlt => by
          have h3 := Nat.mul_le_mul_right x (show a + 1 ≤ i from hlt)
          have e1 : (a + 1) * x = x * a + x := by grind
          omega
        have h3 : a < i + (2 * d + 1) := Nat.lt_of_not_le fun hle => by
          have h4 := Nat.mul_le_mul_right x hle
          have e1 : a * x = x * a := Nat.mul_comm ..
          have e2 : (i + (2 * d + 1)) * x = i * x + (2 * d + 1) * x := Nat.add_mul ..
          omega
        rw [if_pos (by simp only [decide_eq_true_eq]; exact ⟨h2, h3⟩)]
        obtain ⟨y, rfl⟩ := Nat.exists_eq_add_of_le h2
        have e1 : (i + y - i + 1) * x = y * x + x := by rw [Nat.add_sub_cancel_left, Nat.succ_mul]
        have e2 : x * (i + y) = i * x + y * x := by grind
        omega
      · exact Nat.zero_le _
    rw [sum_map_ite (fun i => decide (i ≤ a ∧ a < i + (2 * d + 1))) fun i => (a - i + 1) * x] at h1
    have h2 := sum_map_le_of_subset (f := fun y => (y + 1) * x)
      (l := ((List.range n).filter fun i => decide (i ≤ a ∧ a < i + (2 * d + 1))).map (a - ·))
      (m := List.range (2 * d + 1))
      (List.pairwise_map.2 (((List.nodup_range (n := n)).sublist List.filter_sublist).imp_of_mem
        fun {i j} hi hj hij => by
          have hi' := (List.mem_filter.1 hi).2
          have hj' := (List.mem_filter.1 hj).2
          simp only [decide_eq_true_eq] at hi' hj'
          omega))
      (fun y hy => by
        obtain ⟨i, hi, rfl⟩ := List.mem_map.1 hy
        have hi' := (List.mem_filter.1 hi).2
        simp only [decide_eq_true_eq] at hi'
        exact List.mem_range.2 (by omega))
    rw [List.map_map] at h2
    have h3 : ((List.range (2 * d + 1)).map fun y => (y + 1) * x).sum =
        x * ((List.range (2 * d + 1)).map fun y => y + 1).sum := by
      rw [← sum_map_mul]
      exact sum_map_congr fun y _ => Nat.mul_comm ..
    have h4 := two_sum_range_succ (2 * d + 1)
    have h5 : 2 * (x * ((List.range (2 * d + 1)).map fun y => y + 1).sum) =
        2 * ((d + 1) * ((2 * d + 1) * x)) := by
      rw [Nat.mul_left_comm, h4]
      grind
    have h6 : ((fun y => (y + 1) * x) ∘ fun x => a - x) = fun i => (a - i + 1) * x := rfl
    rw [h6] at h2
    omega

theorem staggered_TEL (x L : Nat) : ∀ n : Nat,
    2 * TEL (identical L n) (fun i => i * x) + n * x = n * (n * x) + 2 * (n * L) := by
  intro n
  rw [identical_TEL]
  induction n with
  | zero => simp
  | succ n ih =>
    rw [List.range_succ]
    simp only [List.map_append, List.map_cons, List.map_nil, List.sum_append_nat, List.sum_cons,
      List.sum_nil, Nat.add_zero]
    have e1 : (n + 1) * ((n + 1) * x) = n * (n * x) + 2 * (n * x) + x := by grind
    have e2 : (n + 1) * x = n * x + x := Nat.succ_mul ..
    have e3 : (n + 1) * L = n * L + L := Nat.succ_mul ..
    omega

/-- Shortest volume first against the optimum on `(d + 1)m` identical requests. -/
theorem svf_identical_ratio {x d m c : Nat} (hx : 1 ≤ x)
    (hc : IsOPT ((d + 1) * ((2 * d + 1) * x)) (identical ((2 * d + 1) * x) ((d + 1) * m)) c) :
    (2 * d + 1) * (m + 1) * c ≤ ((d + 1) * m + (4 * d + 1)) *
      TEL (identical ((2 * d + 1) * x) ((d + 1) * m))
        (svf ((d + 1) * ((2 * d + 1) * x)) (identical ((2 * d + 1) * x) ((d + 1) * m))) := by
  have h1 := hc.least _ (staggered_feasible hx)
  have h2 := staggered_TEL x ((2 * d + 1) * x) ((d + 1) * m)
  have h3 := svf_identical_cost (L := (2 * d + 1) * x) (k := d + 1) (m := m) (by omega)
    (Nat.mul_le_mul (show 1 ≤ 2 * d + 1 by omega) hx)
  generalize TEL (identical ((2 * d + 1) * x) ((d + 1) * m))
    (svf ((d + 1) * ((2 * d + 1) * x)) (identical ((2 * d + 1) * x) ((d + 1) * m))) = A at h3 ⊢
  have h4 : 2 * c ≤ (d + 1) * m * x * ((d + 1) * m + (4 * d + 1)) := by
    have e : (d + 1) * m * x * ((d + 1) * m + (4 * d + 1)) + (d + 1) * m * x =
      (d + 1) * m * ((d + 1) * m * x) + 2 * ((d + 1) * m * ((2 * d + 1) * x)) := by grind
    omega
  have h5 := Nat.mul_le_mul_left ((2 * d + 1) * (m + 1)) h4
  have h6 : (2 * d + 1) * (m + 1) * ((d + 1) * m * x * ((d + 1) * m + (4 * d + 1))) =
      ((d + 1) * m + (4 * d + 1)) * (2 * A) := by
    rw [h3]
    grind
  have e1 : (2 * d + 1) * (m + 1) * (2 * c) = 2 * ((2 * d + 1) * (m + 1) * c) := by grind
  have e2 : ((d + 1) * m + (4 * d + 1)) * (2 * A) =
    2 * (((d + 1) * m + (4 * d + 1)) * A) := by grind
  omega

/-- No factor below 2 holds for shortest volume first, however small the requests are. -/
theorem svf_at_least_two {a b : Nat} (hab : a < 2 * b) (k : Nat) :
    ∃ M I c, Burst M I ∧ (∀ r ∈ I, k * r.peak ≤ M) ∧ IsOPT M I c ∧ 0 < c ∧
      a * c ≤ b * TEL I (svf M I) := by
  generalize hd : b + k = d
  generalize hm : 2 * b * (4 * d + 1) = m
  have hL : 1 ≤ (2 * d + 1) * 1 := by omega
  have hM := Nat.le_mul_of_pos_left ((2 * d + 1) * 1) (show 0 < d + 1 by omega)
  have hF := staggered_feasible (x := 1) (d := d) (n := (d + 1) * m) (Nat.le_refl 1)
  obtain ⟨c, hc⟩ := IsOPT.of_feasible hF
  have h0 : 0 < (d + 1) * m := by
    have h1 : 1 * 1 ≤ 2 * b * (4 * d + 1) :=
      Nat.mul_le_mul (show 1 ≤ 2 * b by omega) (show 1 ≤ 4 * d + 1 by omega)
    exact Nat.mul_pos (Nat.succ_pos d) (by omega)
  refine ⟨(d + 1) * ((2 * d + 1) * 1), _, c, identical_burst hL hM, fun r hr => ?_, hc, ?_, ?_⟩
  · obtain ⟨i, _, rfl⟩ := mem_identical.1 hr
    exact Nat.mul_le_mul (show k ≤ d + 1 by omega) (by simp [Request.peak])
  · obtain ⟨T, hT, rfl⟩ := hc.attained
    have hmem : (⟨0, 0, 0, (2 * d + 1) * 1⟩ : Request) ∈
      identical ((2 * d + 1) * 1) ((d + 1) * m) := mem_identical.2 ⟨0, h0, rfl⟩
    have h1 := output_le_latency hT hmem
    have h2 := le_sum_map (latency T) hmem
    unfold TEL
    dsimp only at h1
    omega
  · have h1 := svf_identical_ratio (Nat.le_refl 1) hc
    generalize TEL (identical ((2 * d + 1) * 1) ((d + 1) * m))
      (svf ((d + 1) * ((2 * d + 1) * 1)) (identical ((2 * d + 1) * 1) ((d + 1) * m))) = A at h1 ⊢
    have h2 : a * ((d + 1) * m + (4 * d + 1)) ≤ b * ((2 * d + 1) * (m + 1)) := by
      have h3 := Nat.mul_le_mul_right ((d + 1) * m + (4 * d + 1)) (show a + 1 ≤ 2 * b from hab)
      rw [Nat.succ_mul] at h3
      have e1 : 2 * b * ((d + 1) * m + (4 * d + 1)) = 2 * (b * d * m) + 2 * (b * m) + m := by
        rw [← hm]; grind
      have e2 : b * ((2 * d + 1) * (m + 1)) = 2 * (b * d * m) + b * m + b * (2 * d + 1) := by grind
      have e3 : (d + 1) * m = b * m + k * m + m := by rw [← hd]; grind
      omega
    refine Nat.le_of_mul_le_mul_right (c := (d + 1) * m + (4 * d + 1)) ?_ (by omega)
    have h3 := Nat.mul_le_mul_right c h2
    have h4 := Nat.mul_le_mul_left b h1
    have e1 : a * c * ((d + 1) * m + (4 * d + 1)) = a * ((d + 1) * m + (4 * d + 1)) * c := by grind
    have e2 : b * ((2 * d + 1) * (m + 1) * c) = b * ((2 * d + 1) * (m + 1)) * c := by grind
    have e3 : b * (((d + 1) * m + (4 * d + 1)) * A) = b * A * ((d + 1) * m + (4 * d + 1)) := by
      grind
    omega

end OnlineKvCache
