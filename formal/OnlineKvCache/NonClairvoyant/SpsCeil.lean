module

public import OnlineKvCache.Area.Volume

public section

/-! # A sum of ceilings -/

namespace OnlineKvCache

theorem sum_range_reverse (f : Nat → Nat) : ∀ n : Nat,
    ((List.range n).map fun i => f (n - 1 - i)).sum = ((List.range n).map f).sum
  | 0 => rfl
  | n + 1 => by
    have ih := sum_range_reverse f n
    rw [sum_range_succ f, List.range_succ_eq_map, List.map_cons, List.sum_cons, List.map_map, ← ih,
      Nat.add_comm]
    refine congr (congrArg HAdd.hAdd ?_) ?_
    · refine sum_map_congr fun i _ => ?_
      simp only [Function.comp]
      congr 1
      omega
    · congr 1

/-- The ceiling of `x / k` is the least `c` with `x ≤ k * c`. -/
theorem ceil_le_iff {k : Nat} (hk : 0 < k) (x c : Nat) : (x + k - 1) / k ≤ c ↔ x ≤ k * c := by
  rw [← Nat.lt_succ_iff, Nat.div_lt_iff_lt_mul hk, Nat.succ_mul, Nat.mul_comm c k]
  omega

theorem le_mul_ceil {k : Nat} (hk : 0 < k) (x : Nat) : x ≤ k * ((x + k - 1) / k) :=
  (ceil_le_iff hk x _).1 (Nat.le_refl _)

/-- The ceilings of two parts of `k * tau` sum to `tau`, or one more if `k` divides neither. -/
theorem ceil_pair {k x y tau : Nat} (hk : 0 < k) (h : x + y = k * tau) :
    (x + k - 1) / k + (y + k - 1) / k = tau + if x % k = 0 then 0 else 1 := by
  have hx := Nat.div_add_mod x k
  have hr := Nat.mod_lt x hk
  generalize x / k = a at hx
  generalize x % k = r at hx hr ⊢
  have ha : a ≤ tau := Nat.le_of_not_lt fun hlt => by
    have := Nat.mul_le_mul_left k (Nat.succ_le_of_lt hlt)
    rw [Nat.mul_succ] at this
    omega
  obtain ⟨b, rfl⟩ : ∃ b, tau = a + b := ⟨tau - a, by omega⟩
  rw [Nat.mul_add] at h
  by_cases h0 : r = 0
  · rw [if_pos h0]
    have e1 : (x + k - 1) / k = a := by
      rw [Nat.div_eq_iff hk]; constructor
      · rw [Nat.mul_comm]; omega
      · rw [Nat.mul_comm]; omega
    have e2 : (y + k - 1) / k = b := by
      rw [Nat.div_eq_iff hk]; constructor
      · rw [Nat.mul_comm]; omega
      · rw [Nat.mul_comm]; omega
    omega
  · rw [if_neg h0]
    have e1 : (x + k - 1) / k = a + 1 := by
      rw [Nat.div_eq_iff hk]
      have : (a + 1) * k = k * a + k := by rw [Nat.succ_mul, Nat.mul_comm]
      omega
    have e2 : (y + k - 1) / k = b := by
      rw [Nat.div_eq_iff hk, Nat.mul_comm b k]
      omega
    omega

/-- Among `g * c` successive numbers `g` are multiples of `c`. -/
theorem count_multiples {c : Nat} (hc : 0 < c) : ∀ g : Nat,
    ((List.range (g * c)).map fun d => if d % c = 0 then 1 else 0).sum = g
  | 0 => by simp
  | g + 1 => by
    obtain ⟨e, rfl⟩ : ∃ e, c = e + 1 := ⟨c - 1, by omega⟩
    rw [Nat.succ_mul, sum_range_add, count_multiples hc g, List.range_succ_eq_map, List.map_cons,
      List.sum_cons, List.map_map, sum_map_eq_zero fun u hu => ?_]
    · simp
    · have hu' := List.mem_range.1 hu
      rw [Function.comp, Nat.mul_comm g, Nat.mul_add_mod, if_neg]
      rw [Nat.mod_eq_of_lt (by omega)]
      omega

/-- The number of `d < k` for which `k` divides `d * tau` is the greatest common divisor. -/
theorem count_dvd (tau k : Nat) (hk : 0 < k) :
    ((List.range k).map fun d => if d * tau % k = 0 then 1 else 0).sum = Nat.gcd tau k := by
  have hg : 0 < Nat.gcd tau k := Nat.gcd_pos_of_pos_right _ hk
  obtain ⟨c, hc⟩ := Nat.gcd_dvd_right tau k
  obtain ⟨b, hb⟩ := Nat.gcd_dvd_left tau k
  have hcop : Nat.Coprime c b := by
    have h1 := Nat.gcd_mul_left (Nat.gcd tau k) b c
    rw [← hb, ← hc] at h1
    have h2 : Nat.gcd b c = 1 :=
      Nat.eq_of_mul_eq_mul_left hg (by rw [← h1, Nat.mul_one])
    rwa [Nat.coprime_comm, Nat.coprime_iff_gcd_eq_one]
  generalize Nat.gcd tau k = g at *
  subst hb hc
  have hc0 : 0 < c := Nat.pos_of_mul_pos_left hk
  refine Eq.trans (sum_map_congr fun d _ => ?_) (count_multiples hc0 g)
  have hiff : d * (g * b) % (g * c) = 0 ↔ d % c = 0 := by
    rw [← Nat.dvd_iff_mod_eq_zero, ← Nat.dvd_iff_mod_eq_zero, Nat.mul_left_comm,
      Nat.mul_dvd_mul_iff_left hg]
    exact ⟨fun hd => hcop.dvd_of_dvd_mul_right hd,
      fun hd => Nat.dvd_trans hd (Nat.dvd_mul_right ..)⟩
  by_cases hd : d % c = 0
  · rw [if_pos hd, if_pos (hiff.2 hd)]
  · rw [if_neg hd, if_neg fun h => hd (hiff.1 h)]

/-- `∑_{d = 1}^{k} ⌈dτ/k⌉`. -/
theorem two_sum_ceil (tau k : Nat) (hk : 0 < k) :
    2 * ((List.range k).map fun d => ((d + 1) * tau + k - 1) / k).sum + Nat.gcd tau k =
      tau * (k + 1) + k := by
  obtain ⟨n, rfl⟩ : ∃ n, k = n + 1 := ⟨k - 1, by omega⟩
  have h0 := count_dvd tau (n + 1) hk
  rw [List.range_succ_eq_map, List.map_cons, List.sum_cons, List.map_map] at h0
  have hlast : ((n + 1) * tau + (n + 1) - 1) / (n + 1) = tau := by
    rw [Nat.div_eq_iff hk, Nat.mul_comm tau]; omega
  have hrev := sum_range_reverse (fun d => ((d + 1) * tau + (n + 1) - 1) / (n + 1)) n
  have hpair : ((List.range n).map fun d => ((d + 1) * tau + (n + 1) - 1) / (n + 1)).sum +
      ((List.range n).map fun i => ((n - 1 - i + 1) * tau + (n + 1) - 1) / (n + 1)).sum +
      ((List.range n).map ((fun d => if d * tau % (n + 1) = 0 then 1 else 0) ∘ Nat.succ)).sum =
      n * (tau + 1) := by
    rw [← sum_map_add, ← sum_map_add, sum_map_congr (g := fun _ => tau + 1) fun d hd => ?_,
      sum_map_const, List.length_range]
    have hd' := List.mem_range.1 hd
    have e : (d + 1) * tau + (n - 1 - d + 1) * tau = (n + 1) * tau := by
      rw [← Nat.add_mul]; congr 1; omega
    have h := ceil_pair hk e
    simp only [Function.comp, Nat.succ_eq_add_one]
    split at h <;> simp_all <;> omega
  rw [sum_range_succ, hlast]
  rw [Nat.zero_mul, Nat.zero_mod, if_pos rfl] at h0
  have e1 : n * (tau + 1) = n * tau + n := Nat.mul_succ ..
  have e2 : tau * (n + 1 + 1) = n * tau + 2 * tau := by grind
  omega

end OnlineKvCache
