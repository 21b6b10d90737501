module

public import OnlineKvCache.Svf.Poisson

public section

/-! # Waits in a queue with priorities: the recurrence of theorems 3.4 and 3.5 of paper 2

Classes `0, 1, …` with loads `ρ k`, service rate `r`, residual volume `w`. -/

namespace OnlineKvCache

variable {ρ W : Nat → Rat} {w r : Rat}

theorem ratSum_le {n : Nat} (h : ∀ k < n, 0 ≤ ρ k) : ∀ {k}, k ≤ n → ratSum ρ k ≤ ratSum ρ n := by
  intro k hk
  obtain ⟨d, rfl⟩ := Nat.exists_eq_add_of_le hk
  clear hk
  induction d with
  | zero => exact Rat.le_refl
  | succ d ih =>
    have h1 := ih fun j hj => h j (by omega)
    have h2 := h (k + d) (by omega)
    have h3 : ratSum ρ (k + (d + 1)) = ratSum ρ (k + d) + ρ (k + d) := rfl
    grind

/-- Work in the queue, multiplied out. -/
theorem queue_le {n : Nat} (hρ : ∀ k < n, 0 ≤ ρ k) (hr : ratSum ρ n < r)
    (hW : ∀ k < n, W k * (r - ratSum ρ (k + 1)) ≤ w + ratSum (fun j => ρ j * W j) k) :
    ∀ k, k ≤ n → (w + ratSum (fun j => ρ j * W j) k) * (r - ratSum ρ k) ≤ w * r
  | 0, _ => by
    have h1 : ratSum ρ 0 = 0 := rfl
    have h2 : ratSum (fun j => ρ j * W j) 0 = 0 := rfl
    rw [h1, h2]
    grind
  | k + 1, hk => by
    have ih := queue_le hρ hr hW k (by omega)
    have h1 := hW k (by omega)
    have h2 : ratSum ρ (k + 1) = ratSum ρ k + ρ k := rfl
    have h3 : ratSum (fun j => ρ j * W j) (k + 1) =
      ratSum (fun j => ρ j * W j) k + ρ k * W k := rfl
    have h4 := Rat.mul_le_mul_of_nonneg_left h1 (hρ k (by omega))
    rw [h3]
    generalize ratSum (fun j => ρ j * W j) k = S at *
    generalize ratSum ρ (k + 1) = R' at *
    generalize ratSum ρ k = R at *
    have e1 : (w + (S + ρ k * W k)) * (r - R') = (w + S) * (r - R') + ρ k * (W k * (r - R')) := by
      grind
    have e2 : (w + S) * (r - R') + ρ k * (w + S) = (w + S) * (r - R) := by grind
    grind

theorem waits_le {n : Nat} (hρ : ∀ k < n, 0 ≤ ρ k) (hr : ratSum ρ n < r)
    (hW : ∀ k < n, W k * (r - ratSum ρ (k + 1)) ≤ w + ratSum (fun j => ρ j * W j) k) :
    (∀ k < n, W k ≤ w * r / ((r - ratSum ρ k) * (r - ratSum ρ (k + 1)))) ∧
      ratSum (fun j => ρ j * W j) n ≤ w * ratSum ρ n / (r - ratSum ρ n) := by
  have hq := queue_le hρ hr hW
  have hpos : ∀ k, k ≤ n → 0 < r - ratSum ρ k := fun k hk => by
    have := ratSum_le hρ hk
    grind
  constructor
  · intro k hk
    have h1 := hpos k (by omega)
    have h2 := hpos (k + 1) (by omega)
    have h3 := Rat.mul_pos h1 h2
    refine Rat.le_of_mul_le_mul_right (c := (r - ratSum ρ k) * (r - ratSum ρ (k + 1))) ?_ h3
    have h4 := Rat.mul_le_mul_of_nonneg_right (hW k hk) (show 0 ≤ r - ratSum ρ k by grind)
    have h5 := hq k (by omega)
    generalize r - ratSum ρ k = D at *
    generalize r - ratSum ρ (k + 1) = D' at *
    have e1 : w * r / (D * D') * (D * D') = w * r := by grind
    have e2 : W k * (D * D') = W k * D' * D := by grind
    grind
  · have h1 := hpos n (Nat.le_refl n)
    refine Rat.le_of_mul_le_mul_right (c := r - ratSum ρ n) ?_ h1
    have h2 := hq n (Nat.le_refl n)
    generalize ratSum (fun j => ρ j * W j) n = S at *
    generalize ratSum ρ n = R at *
    have e1 : w * R / (r - R) * (r - R) = w * R := by grind
    grind

/-- With equality in the recurrence everything is exact. -/
theorem queue_eq {n : Nat}
    (hW : ∀ k < n, W k * (r - ratSum ρ (k + 1)) = w + ratSum (fun j => ρ j * W j) k) :
    ∀ k, k ≤ n → (w + ratSum (fun j => ρ j * W j) k) * (r - ratSum ρ k) = w * r
  | 0, _ => by
    have h1 : ratSum ρ 0 = 0 := rfl
    have h2 : ratSum (fun j => ρ j * W j) 0 = 0 := rfl
    rw [h1, h2]
    grind
  | k + 1, hk => by
    have ih := queue_eq hW k (by omega)
    have h1 := hW k (by omega)
    have h2 : ratSum ρ (k + 1) = ratSum ρ k + ρ k := rfl
    have h3 : ratSum (fun j => ρ j * W j) (k + 1) =
      ratSum (fun j => ρ j * W j) k + ρ k * W k := rfl
    rw [h3]
    grind

theorem waits_eq {n : Nat} (hr : ∀ k, k ≤ n → r - ratSum ρ k ≠ 0)
    (hW : ∀ k < n, W k * (r - ratSum ρ (k + 1)) = w + ratSum (fun j => ρ j * W j) k) :
    (∀ k < n, W k = w * r / ((r - ratSum ρ k) * (r - ratSum ρ (k + 1)))) ∧
      ratSum (fun j => ρ j * W j) n = w * ratSum ρ n / (r - ratSum ρ n) := by
  have hq := queue_eq hW
  constructor
  · intro k hk
    have h1 := hr k (by omega)
    have h2 := hr (k + 1) (by omega)
    have h3 := hW k hk
    have h4 := hq k (by omega)
    grind
  · have h1 := hr n (Nat.le_refl n)
    have h2 := hq n (Nat.le_refl n)
    grind

/-- The telescoping sum (80), in the middle of (81) with `1 / r` where the print has `r`. -/
theorem telescope {n : Nat} (hr : ∀ k, k ≤ n → r - ratSum ρ k ≠ 0) : ∀ k, k ≤ n →
    ratSum (fun j => ρ j / ((r - ratSum ρ j) * (r - ratSum ρ (j + 1)))) k =
      1 / (r - ratSum ρ k) - 1 / r
  | 0, _ => by
    have h1 : ratSum ρ 0 = 0 := rfl
    have h2 : ratSum (fun j => ρ j / ((r - ratSum ρ j) * (r - ratSum ρ (j + 1)))) 0 = 0 := rfl
    rw [h1, h2]
    grind
  | k + 1, hk => by
    have ih := telescope hr k (by omega)
    have h1 := hr k (by omega)
    have h2 := hr (k + 1) hk
    have h3 : ratSum ρ (k + 1) = ratSum ρ k + ρ k := rfl
    have h4 : ratSum (fun j => ρ j / ((r - ratSum ρ j) * (r - ratSum ρ (j + 1)))) (k + 1) =
      ratSum (fun j => ρ j / ((r - ratSum ρ j) * (r - ratSum ρ (j + 1)))) k +
        ρ k / ((r - ratSum ρ k) * (r - ratSum ρ (k + 1))) := rfl
    rw [h4, ih]
    grind

/-! ### The rational closed forms -/

theorem geometric_volume {μ s lam : Rat} (h : μ ≠ 0) :
    s * (1 / μ) + 1 / 2 * ((2 - μ) / μ ^ 2 + 1 / μ) = s / μ + 1 / μ ^ 2 ∧
    lam * (s / μ + 1 / μ ^ 2) / μ + lam / μ ^ 3 = lam * (s / μ ^ 2 + 2 / μ ^ 3) ∧
    lam * (s / μ ^ 2 + 2 / μ ^ 3) - lam * (s / μ + 1 / μ ^ 2) =
      (1 - μ) * (lam * (s / μ ^ 2 + 2 / μ ^ 3)) + lam / μ ^ 2 := by
  refine ⟨by grind, by grind, by grind⟩

theorem distortion {m θ p₁ p₂ O₁ O₂ Δ₁ Δ₂ E : Rat} (h : p₁ ≠ 0) (hp : p₁ + p₂ = 1)
    (h1 : O₁ = m - θ * p₂ / p₁) (h2 : O₂ = θ + m)
    (hE : E = Δ₂ - p₂ * θ ^ 2 / (2 * p₁)) (hE' : E = p₁ * Δ₁ + p₂ * Δ₂) :
    p₁ * O₁ + p₂ * O₂ = m ∧ p₁ * O₁ ^ 2 + p₂ * O₂ ^ 2 = m ^ 2 + p₂ * θ ^ 2 / p₁ ∧
      E - Δ₁ = 1 / 2 * (p₂ * θ / p₁) ^ 2 := by
  refine ⟨by grind, by grind, by grind⟩

theorem aligned_ratio {α μ M w c : Rat} (hα : 1 - α ≠ 0) (hμ : 1 - μ ≠ 0) (hM : M ≠ 0)
    (hw : w ≠ 0) (hc : 1 - c ≠ 0) :
    1 + w / ((1 - α) * M / 2 - c * ((1 - α) * M / 2)) / ((1 - μ) * w / M) =
      1 + 2 / ((1 - α) * (1 - μ) * (1 - c)) := by
  grind

end OnlineKvCache
