module

public import OnlineKvCache.Svf.Counterexamples
public import OnlineKvCache.Svf.Families
public import OnlineKvCache.Svf.Keys
public import OnlineKvCache.Svf.Poisson

@[expose] public section

/-! # Headline statements on paper 2: what its rules lose, and the algebra of its queue

Families and instances are defined in `Svf.Families` and `Svf.Counterexamples`, `ratSum` in
`Svf.Poisson`. -/

namespace OnlineKvCache.Statements

/-! ## Paper 2: what list schedules lose -/

/-- Shortest job first is not competitive: on `2k` requests `(k² - 1, 1)` and `k²` requests `(0, 2)`
at memory `2k²` it costs at least `k(k + 1) / (3k + 5)` times the optimum. -/
def shortest_job_first_unbounded : Prop :=
  ∀ k, 1 ≤ k → ∃ c, Burst (2 * (k * k)) (wideAndThin k) ∧
    IsOPT (2 * (k * k)) (wideAndThin k) c ∧ 0 < c ∧
    (k + 1) * k * c ≤ (3 * k + 5) * TEL (wideAndThin k) (sjf (2 * (k * k)) (wideAndThin k))

/-- Identical requests `(0, L)` at memory `kL`: shortest volume first runs synchronous batches of
`k`, and `m` batches cost exactly `k L m (m + 1) / 2`. If `k = d + 1` and `L = (2d + 1)x`, the
optimum is smaller by a factor `(2d + 1)(m + 1) / ((d + 1)m + 4d + 1)`, which tends to `2 - 1/k`.
So no factor below 2 holds for shortest volume first, even if each request needs at most a part
`1 / k` of the memory, for any `k`. -/
def shortest_volume_first_at_least_two : Prop :=
  (∀ L k m, 1 ≤ k → 1 ≤ L → Burst (k * L) (identical L (k * m)) ∧
    2 * TEL (identical L (k * m)) (svf (k * L) (identical L (k * m))) =
      L * (k * (m * (m + 1)))) ∧
  (∀ x d m c, 1 ≤ x →
    IsOPT ((d + 1) * ((2 * d + 1) * x)) (identical ((2 * d + 1) * x) ((d + 1) * m)) c →
    (2 * d + 1) * (m + 1) * c ≤ ((d + 1) * m + (4 * d + 1)) *
      TEL (identical ((2 * d + 1) * x) ((d + 1) * m))
        (svf ((d + 1) * ((2 * d + 1) * x)) (identical ((2 * d + 1) * x) ((d + 1) * m)))) ∧
  (∀ a b k, a < 2 * b → ∃ M I c, Burst M I ∧ (∀ r ∈ I, k * r.peak ≤ M) ∧ IsOPT M I c ∧ 0 < c ∧
    a * c ≤ b * TEL I (svf M I))

/-- The 1-bit rule with threshold `b²` (`T = b⁴`) loses a factor of order `b² = √T`, however small
the requests are: on `4c` requests `(0, b⁴)` and `4cb²` requests `(1, b² + 1)` at memory `cb⁴` all
peaks are at most `T`, a part `1 / c` of the memory, and it costs at least `2b² / 33` times the
optimum. -/
def one_bit_square_root : Prop :=
  ∀ b c, 2 ≤ b → 1 ≤ c → ∃ opt, Burst (c * (b * b * (b * b))) (bigAndSmall c (b * b)) ∧
    (∀ q ∈ bigAndSmall c (b * b), q.peak ≤ b * b * (b * b)) ∧
    IsOPT (c * (b * b * (b * b))) (bigAndSmall c (b * b)) opt ∧ 0 < opt ∧
    2 * (b * b) * opt ≤ 33 * TEL (bigAndSmall c (b * b))
      (oneBitSvf (c * (b * b * (b * b))) b (bigAndSmall c (b * b)))

/-- Shortest volume first is not optimal: at memory 6 it costs 8 on `(0, 3)`, `(3, 2)`, where the
optimum is 6. -/
def shortest_volume_first_not_optimal : Prop :=
  Burst 6 svfWorse ∧ TEL svfWorse (svf 6 svfWorse) = 8 ∧ IsOPT 6 svfWorse 6

/-- Overtaking a request that does not fit breaks Theorem 3.2 itself, and not only its proof.

Three requests, memory `M = 5`, greatest peak `P = 4`: the second in order of volume waits 4 rounds,
more than `(M - P + 1) * wait ≤ peak * output` of the one before it allows.

Thirteen requests at `M = 38000` with peaks at most `αM`, `α = 9 / 25`: overtaking costs 979, head
of line 237, and `979 / 237` exceeds `(3 - α) / (1 - α)`. -/
def overtaking_breaks_the_bound : Prop :=
  (Burst 5 skipSmall ∧ svfOrder skipSmall = skipSmall ∧
    Feasible 5 skipSmall (skipSchedule 5 7 skipSmall) ∧ skipSchedule 5 7 skipSmall 1 = 4 ∧
    ¬ (5 - 4 + 1) * skipSchedule 5 7 skipSmall 1 ≤ (1 + 1) * 1) ∧
  (Burst 38000 skipInstance ∧ svfOrder skipInstance = skipInstance ∧
    (∀ q ∈ skipInstance, 25 * q.peak ≤ 9 * 38000) ∧
    Feasible 38000 skipInstance (skipSchedule 38000 110 skipInstance) ∧
    TEL skipInstance (skipSchedule 38000 110 skipInstance) = 979 ∧
    TEL skipInstance (svf 38000 skipInstance) = 237 ∧
    ∃ c, IsOPT 38000 skipInstance c ∧ c ≤ 237 ∧
      (3 * 25 - 9) * c < (25 - 9) * TEL skipInstance (skipSchedule 38000 110 skipInstance))

/-- Two slips of paper 2. The integer program (3) with a horizon below the sum of the outputs is not
exact: at memory 1 three requests `(0, 1)` have optimum 6, and with capacity imposed on round 0 only
they cost 5. The inequality of lemma E.2 is not strict for the first request: it does not wait, and
there is no volume ahead of it. -/
def horizon_and_strictness : Prop :=
  (Burst 1 [⟨0, 0, 0, 1⟩, ⟨1, 0, 0, 1⟩, ⟨2, 0, 0, 1⟩] ∧
    IsOPT 1 [⟨0, 0, 0, 1⟩, ⟨1, 0, 0, 1⟩, ⟨2, 0, 0, 1⟩] 6 ∧
    ∃ S : Schedule, (∀ t < 1, occupancy [⟨0, 0, 0, 1⟩, ⟨1, 0, 0, 1⟩, ⟨2, 0, 0, 1⟩] S t ≤ 1) ∧
      TEL [⟨0, 0, 0, 1⟩, ⟨1, 0, 0, 1⟩, ⟨2, 0, 0, 1⟩] S = 5) ∧
  (Burst 2 [⟨0, 0, 1, 1⟩] ∧ svf 2 [⟨0, 0, 1, 1⟩] 0 = 0 ∧
    ¬ (2 - 2) * svf 2 [⟨0, 0, 1, 1⟩] 0 < (([] : List Request).map twiceVolume).sum)

/-! ## Paper 2: the algebra of the stochastic bounds

Rational numbers. That the waits of the queue satisfy the recurrence is not claimed here. -/

/-- Classes `0, …, n - 1` with loads `ρ k ≥ 0`, total load below the rate `r`, residual volume `w`:
if each wait has `W k * (r - ρ 0 - … - ρ k) ≤ w + ρ 0 * W 0 + … + ρ (k-1) * W (k-1)`, then
`W k ≤ w r / ((r - ρ 0 - … - ρ (k-1)) (r - ρ 0 - … - ρ k))` and the work in the queue is at most
`w L / (r - L)`, where `L` is the total load; with equality in the hypotheses both are equal. This
is (60) to (65), (78), (79), (81), (82) of paper 2; the last part is (80), whose use in (81) needs
`1 / r` where the paper prints `r`. -/
def priority_queue_waits : Prop :=
  ∀ (n : Nat) (ρ W : Nat → Rat) (w r : Rat),
    ((∀ k < n, 0 ≤ ρ k) → ratSum ρ n < r →
      (∀ k < n, W k * (r - ratSum ρ (k + 1)) ≤ w + ratSum (fun j => ρ j * W j) k) →
      (∀ k < n, W k ≤ w * r / ((r - ratSum ρ k) * (r - ratSum ρ (k + 1)))) ∧
        ratSum (fun j => ρ j * W j) n ≤ w * ratSum ρ n / (r - ratSum ρ n)) ∧
    ((∀ k ≤ n, r - ratSum ρ k ≠ 0) →
      ((∀ k < n, W k * (r - ratSum ρ (k + 1)) = w + ratSum (fun j => ρ j * W j) k) →
        (∀ k < n, W k = w * r / ((r - ratSum ρ k) * (r - ratSum ρ (k + 1)))) ∧
          ratSum (fun j => ρ j * W j) n = w * ratSum ρ n / (r - ratSum ρ n)) ∧
      ratSum (fun j => ρ j / ((r - ratSum ρ j) * (r - ratSum ρ (j + 1)))) n =
        1 / (r - ratSum ρ n) - 1 / r)

/-- Closed forms for geometric outputs with parameter `μ`, mean prompt `s`, arrival rate `λ`:
`E[vol] = s / μ + 1 / μ²` (55), `W₀ = λ (s / μ² + 2 / μ³)` (56), and `W₀ - λ / μ²`, the residual
before a round, exceeds `W_exact = (1 - μ) W₀` by `λ E[vol]`. With proxies `O₁`, `O₂` for short and
long outputs, which have probabilities `p₁ + p₂ = 1`, their mean is `1 / μ` (here `m`), the second
moment is (90), and the distortion is `(p₂ θ / p₁)² / 2` (94). Last, the ratio (68) follows from
(67). -/
def stochastic_closed_forms : Prop :=
  (∀ μ s lam : Rat, μ ≠ 0 →
    s * (1 / μ) + 1 / 2 * ((2 - μ) / μ ^ 2 + 1 / μ) = s / μ + 1 / μ ^ 2 ∧
    lam * (s / μ + 1 / μ ^ 2) / μ + lam / μ ^ 3 = lam * (s / μ ^ 2 + 2 / μ ^ 3) ∧
    lam * (s / μ ^ 2 + 2 / μ ^ 3) - lam * (s / μ + 1 / μ ^ 2) =
      (1 - μ) * (lam * (s / μ ^ 2 + 2 / μ ^ 3)) + lam / μ ^ 2) ∧
  (∀ m θ p₁ p₂ O₁ O₂ Δ₁ Δ₂ E : Rat, p₁ ≠ 0 → p₁ + p₂ = 1 → O₁ = m - θ * p₂ / p₁ → O₂ = θ + m →
    E = Δ₂ - p₂ * θ ^ 2 / (2 * p₁) → E = p₁ * Δ₁ + p₂ * Δ₂ →
    p₁ * O₁ + p₂ * O₂ = m ∧ p₁ * O₁ ^ 2 + p₂ * O₂ ^ 2 = m ^ 2 + p₂ * θ ^ 2 / p₁ ∧
      E - Δ₁ = 1 / 2 * (p₂ * θ / p₁) ^ 2) ∧
  (∀ α μ M w c : Rat, 1 - α ≠ 0 → 1 - μ ≠ 0 → M ≠ 0 → w ≠ 0 → 1 - c ≠ 0 →
    1 + w / ((1 - α) * M / 2 - c * ((1 - α) * M / 2)) / ((1 - μ) * w / M) =
      1 + 2 / ((1 - α) * (1 - μ) * (1 - c)))

end OnlineKvCache.Statements
