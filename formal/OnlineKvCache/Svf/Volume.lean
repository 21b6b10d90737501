module

public import OnlineKvCache.Area.Volume
public import OnlineKvCache.Area.MinSumFacts

@[expose] public section

/-! # What comes before: sums over an order -/

namespace OnlineKvCache

/-- The sum over `j` of the sum of all members before `j`: each member counts once for every later
one. -/
noncomputable def beforeSum : List Nat → Nat
  | [] => 0
  | x :: l => l.length * x + beforeSum l

theorem beforeSum_append (x : Nat) : ∀ l : List Nat,
    beforeSum (l ++ [x]) = l.sum + beforeSum l
  | [] => by simp [beforeSum]
  | y :: l => by
    rw [List.cons_append, beforeSum, beforeSum_append x l, beforeSum, List.sum_cons,
      List.length_append, List.length_singleton, Nat.succ_mul]
    omega

theorem beforeSum_map_le {α : Type} {f g : α → Nat} : ∀ {l : List α},
    (∀ q ∈ l, f q ≤ g q) → beforeSum (l.map f) ≤ beforeSum (l.map g)
  | [], _ => Nat.le_refl _
  | a :: l, h => by
    have ih := beforeSum_map_le fun q hq => h q (List.mem_cons_of_mem a hq)
    have h1 := Nat.mul_le_mul_left l.length (h a (List.mem_cons_self ..))
    simp only [List.map_cons, beforeSum, List.length_map]
    omega

/-- If `x` before `y` implies `x ≤ (u / w) * y`, with `u / w ≥ 1`, then the sum is at most `u / w`
times the minima over all pairs. -/
theorem beforeSum_le {u w : Nat} (huw : w ≤ u) : ∀ {l : List Nat},
    l.Pairwise (fun x y => w * x ≤ u * y) → w * beforeSum l + u * l.sum ≤ u * pairMin l
  | [], _ => by simp [beforeSum]
  | x :: l, h => by
    have h' := List.pairwise_cons.1 h
    have ih := beforeSum_le huw h'.2
    have h1 : w * (l.length * x) ≤ u * minSum x l := by
      rw [minSum_eq, ← sum_map_mul, Nat.mul_left_comm, ← sum_map_const]
      refine sum_map_le_sum_map fun y hy => ?_
      have h2 := h'.1 y hy
      have h3 := Nat.mul_le_mul_right x huw
      rcases Nat.le_total x y with h4 | h4
      · rw [Nat.min_eq_left h4]; exact h3
      · rw [Nat.min_eq_right h4]; exact h2
    simp only [beforeSum, pairMin, List.sum_cons, Nat.mul_add]
    omega

/-- The identity behind the certificate: peak times length falls short of twice the volume. -/
theorem peak_mul_output (q : Request) :
    q.peak * q.output + q.output * (q.prompt + 1) = twiceVolume q := by
  unfold Request.peak twiceVolume; grind

theorem peak_mul_output_le (q : Request) : q.peak * q.output ≤ twiceVolume q := by
  have := peak_mul_output q
  omega

theorem output_le_twiceVolume (q : Request) : 2 * q.output ≤ twiceVolume q := by
  unfold twiceVolume
  rcases Nat.eq_zero_or_pos q.output with h | h
  · rw [h]; omega
  · have := Nat.mul_le_mul_left q.output (show 2 ≤ q.output + 1 by omega)
    omega

end OnlineKvCache
