module

public import OnlineKvCache.Online.Factor
public import OnlineKvCache.TightRatio.LongestFirst

@[expose] public section

/-! # Headline statements on paper 1: the tight linear ratio

They rest on the definitions of `Model` and `Online`; the rules that some of them name are defined
in `TightRatio.MainFiller` and `TightRatio.LongestFirst`. `TEL` is the total end-to-end latency,
`IsOPT M I c` says that `c` is the least `TEL` of a feasible schedule of `I`, and `n` is the number
of requests. -/

namespace OnlineKvCache.Statements

/-! ## The optimum and the factor are well defined -/

/-- Every valid instance with at least one request has a hindsight optimum, it is unique, and it is
positive. -/
def optimum_exists : Prop :=
  ∀ M I, Valid M I → I ≠ [] → ∃ c, IsOPT M I c ∧ 0 < c ∧ ∀ d, IsOPT M I d → d = c

/-- Lower and upper bounds on the ratio `R(n, M)` compare as numbers do: if it is at least `p / q`
and at most `p' / q'`, then `p / q ≤ p' / q'`. -/
def ratio_bounds_compare : Prop :=
  ∀ M n p q p' q', RatioAtLeast M n p q → RatioAtMost M n p' q' → p * q' ≤ p' * q

/-! ## Paper 1: the tight linear ratio -/

/-- The deterministic ratio is linear in `n`, with every quantifier in the open.

Upper part: one serial rule, the same for every memory and every number of requests, is causal,
serves every valid instance, and costs at most `n` times the optimum.

Lower part: for every `k ≥ 1` the memory `M = 2k(k+1)` is fixed first; then for every causal
scheduler at that memory there is a valid instance with exactly `n = k + 1` requests on which
`n * OPT ≤ 12 * TEL` (as published) and even `2n * OPT ≤ 5 * TEL`, or which the scheduler does not
serve (then no `S` is served and its ratio is infinite). So the bound holds for the supremum over
memories of the infimum over schedulers, with no exchange of the two. -/
def deterministic_worst_memory_ratio_theta_linear_human_quantifiers : Prop :=
  (∃ A : Scheduler, ∀ M, Causal M A ∧
    ∀ I, Valid M I → ∃ S, Serves M A I S ∧ ∀ c, IsOPT M I c → TEL I S ≤ I.length * c) ∧
  (∀ k, 1 ≤ k → ∀ A, Causal (2 * k * (k + 1)) A →
    ∃ I c, Valid (2 * k * (k + 1)) I ∧ I.length = k + 1 ∧ IsOPT (2 * k * (k + 1)) I c ∧ 0 < c ∧
      ∀ S, Serves (2 * k * (k + 1)) A I S →
        (k + 1) * c ≤ 12 * TEL I S ∧ 2 * (k + 1) * c ≤ 5 * TEL I S)

/-- The same as bounds on the ratio: `R(n, M) ≤ n` for all `n` and `M`, and `R(n, M) ≥ 2n/5`, hence
`≥ n/12`, at `M = 2(n-1)n` for `n ≥ 2`. -/
def deterministic_ratio_theta_linear : Prop :=
  (∀ M n, RatioAtMost M n n 1) ∧
  (∀ n, 2 ≤ n → RatioAtLeast (2 * (n - 1) * n) n (2 * n) 5 ∧ RatioAtLeast (2 * (n - 1) * n) n n 12)

/-! ## Beyond paper 1: linear memory and better constants -/

/-- For all `n ≥ 1` and `M ≥ 2`, the ratio is at least `min (n, M - 1) / 4`. -/
def linear_memory_quarter : Prop :=
  ∀ n M, 1 ≤ n → 2 ≤ M → RatioAtLeast M n (min n (M - 1)) 4

/-- From memory `M ≥ max (2, 5n - 4)` on, the ratio is at least `n / 2`. -/
def linear_memory_half : Prop :=
  ∀ n M, 1 ≤ n → max 2 (5 * n - 4) ≤ M → RatioAtLeast M n n 2

/-- From memory `M ≥ 39(n - 1) + 11` on, the ratio is at least `3n / 5`. -/
def linear_memory_three_fifths : Prop :=
  ∀ n M, 1 ≤ n → 39 * (n - 1) + 11 ≤ M → RatioAtLeast M n (3 * n) 5

/-- For every `p / q` below the golden ratio conjugate `(√5 - 1) / 2 = 0.618…`, that is
`p² + pq < q²`, the ratio is at least `(p / q) * n` at every memory from a linear threshold on. -/
def golden_lower_bound : Prop :=
  ∀ p q, 0 < p → p * p + p * q < q * q → ∀ n M, 1 ≤ n →
    (p * p + 2 * (p * q)) * (n - 1) + p * q + 1 ≤ M → RatioAtLeast M n (p * n) q

/-- The constant 1 of the serial rule is not optimal: the main and filler rule with half delay
knows the memory but not `n`, is causal, serves every valid instance, and costs at most
`(2n + 9) / 3` times the optimum, for every memory and every number of requests. -/
def half_delay : Prop :=
  ∀ M, Causal M (halfDelay M) ∧
    ∀ I, Valid M I → ∃ S, Serves M (halfDelay M) I S ∧
      ∀ c, IsOPT M I c → 3 * TEL I S ≤ (2 * I.length + 9) * c

/-- The longest-first rule with part `u / v` and block slack `K`, where `u / v` lies between the
golden ratio conjugate and 2/3, is causal, serves every valid instance, and with
`η = (u / v) / (K + 1)` costs at most `((u / v) / (1 - η)) * n + (3K + 7.5) / (1 - η)` times the
optimum, for every memory and every number of requests. (`u = 5`, `v = 8`, `K = 15`:
`123 * TEL ≤ (80n + 6720) * OPT`, that is `0.651n + 55`.) -/
def longest_first : Prop :=
  ∀ u v K, 1 ≤ v → 3 * u ≤ 2 * v → v * v ≤ u * (u + v) →
    ∀ M, Causal M (longestFirst M K (partReady u v)) ∧
      ∀ I, Valid M I → ∃ S, Serves M (longestFirst M K (partReady u v)) I S ∧
        ∀ c, IsOPT M I c → 2 * ((v * (K + 1) - u) * TEL I S) ≤
          (2 * (u * (K + 1)) * I.length + (6 * K + 15) * (v * (K + 1))) * c

/-- The exact constant: as `n` grows, the supremum over memories of `R(n, M) / n` tends to
`1 / φ = (√5 - 1) / 2`. For every `p / q` below it, `R(n, M) ≥ (p / q) * n` for all `n` at every
memory from a linear threshold on; for every `p / q` above it there is a constant `C` such that at
every memory one causal rule, the same for all `n`, has `q * TEL ≤ (p * n + C) * OPT`. -/
def worst_memory_constant : Prop :=
  (∀ p q, 0 < p → p * p + p * q < q * q → ∀ n M, 1 ≤ n →
    (p * p + 2 * (p * q)) * (n - 1) + p * q + 1 ≤ M → RatioAtLeast M n (p * n) q) ∧
  (∀ p q, 0 < q → q * q < p * p + p * q →
    ∃ C, ∀ M, ∃ A, Causal M A ∧ ∀ n, FactorAtMost M n A (p * n + C) q)

/-! ## Fixed memory, many requests -/

/-- At memory 3 the ratio is 1 for every number of requests: starting the shortest request is
optimal. -/
def memory_three : Prop :=
  Causal 3 (shortestFirst 3) ∧
    ∀ I, Valid 3 I → ∃ S, Serves 3 (shortestFirst 3) I S ∧ IsOPT 3 I (TEL I S)

/-- At memory 7, and at every memory from 9 on, the ratio is unbounded in `n`: at least `N / 10`
with `n = 17N² + 8N` requests. -/
def fixed_memory_unbounded : Prop :=
  ∀ M N, M = 7 ∨ 9 ≤ M → 1 ≤ N → RatioAtLeast M (17 * (N * N) + 8 * N) N 10

end OnlineKvCache.Statements
