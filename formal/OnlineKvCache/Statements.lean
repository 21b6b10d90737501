module

public import OnlineKvCache.Online.Factor
public import OnlineKvCache.TightRatio.LongestFirst
public import OnlineKvCache.Model.Burst
public import OnlineKvCache.Model.Cost
public import OnlineKvCache.Area.MinSums
public import OnlineKvCache.NonClairvoyant.RectMemory
public import OnlineKvCache.NonClairvoyant.Response
public import OnlineKvCache.Svf.Engine
public import OnlineKvCache.Svf.Reserve
public import OnlineKvCache.Svf.Scheduler
public import OnlineKvCache.NonClairvoyant.FairShare
public import OnlineKvCache.NonClairvoyant.Model
public import OnlineKvCache.NonClairvoyant.PriorityOrders
public import OnlineKvCache.Svf.Families
public import OnlineKvCache.Svf.Keys
public import OnlineKvCache.Svf.Counterexamples
public import OnlineKvCache.Svf.Poisson
public import OnlineKvCache.NonClairvoyant.Sixteen
public import OnlineKvCache.NonClairvoyant.Greedy
public import OnlineKvCache.NonClairvoyant.PackingFamily
public import OnlineKvCache.NonClairvoyant.LengthDoubling

@[expose] public section

/-! # The headline statements

The file to read. Each statement is a proposition in words and in Lean; `Results` proves exactly
these. They rest on the definitions of `Model` and `Online`; the rules that some of them name are
defined in `TightRatio.MainFiller` and `TightRatio.LongestFirst`. `TEL` is the total end-to-end
latency, `IsOPT M I c` says that `c` is the least `TEL` of a feasible schedule of `I`, and `n` is
the number of requests. -/

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

/-! ## Lower bounds on the optimum

`twiceVolume` is twice the memory of a request summed over its rounds; `pairMin` sums minima over
unordered pairs, `orderedMin` over ordered pairs, both with each request paired with itself. -/

/-- The area bound. In every feasible schedule, whatever the arrivals, `M` times the sum of the
completion times is at least the sum of `min v v'` over the unordered pairs of requests (a request
with itself too), `v` the volumes; for a sorted list that is the sum of all prefix sums. In a burst
the optimum is a sum of completion times. -/
def area_lower_bound : Prop :=
  (∀ M I S, Feasible M I S → pairMin (I.map twiceVolume) ≤ 2 * M * totalCompletion I S) ∧
  (∀ l : List Nat, l.Pairwise (· ≤ ·) → pairMin l = prefixSums l) ∧
  (∀ M I c, Burst M I → IsOPT M I c → pairMin (I.map twiceVolume) ≤ 2 * M * c)

/-- The additive bound. It adds the area bound and the bound by outputs `o`: in every feasible
schedule `6M * ∑ C ≥ 3 * ∑ min v v' + M * ∑ (2o + 1)`, the minima over ordered pairs (a request with
itself too). -/
def additive_lower_bound : Prop :=
  (∀ M I S, Feasible M I S → (∀ q ∈ I, 1 ≤ q.output) →
    3 * orderedMin (I.map twiceVolume) + 2 * M * (I.map fun q => 2 * q.output + 1).sum ≤
      12 * M * totalCompletion I S) ∧
  (∀ M I c, Burst M I → IsOPT M I c →
    3 * orderedMin (I.map twiceVolume) + 2 * M * (I.map fun q => 2 * q.output + 1).sum ≤
      12 * M * c)

/-- The three-machine bound. If every prompt is above a quarter of the memory, at most three
requests are active at once, so three times the sum of the completion times is at least the sum of
`min o o'` over the unordered pairs of requests (a request with itself too), `o` the outputs. -/
def three_machine_lower_bound : Prop :=
  ∀ M I S, Feasible M I S → (∀ q ∈ I, M < 4 * q.prompt) →
    pairMin (I.map Request.output) ≤ 3 * totalCompletion I S

/-! ## Paper 3: pipelines and the rectangle strip -/

/-- The exact peak memory of a staggered pipeline, for slices of `τ ≥ 1` rounds, prompts `s` and
parallelism `k ≥ 1`: `k` ranks later a slice starts `τ` rounds later; no round holds more than
`k * s + (τ (k + 1) + k - gcd τ k) / 2`, however many ranks there are; and round `τ - 1` holds
exactly that as soon as there are `k` of them. -/
def sps_peak : Prop :=
  ∀ s tau k, 0 < tau → 0 < k →
    (∀ j, spsOffset tau k (j + k) = spsOffset tau k j + tau) ∧
    (∀ m t, spsOccupancy m s tau k t ≤ spsPeak s tau k) ∧
    (∀ m, k ≤ m → spsOccupancy m s tau k (tau - 1) = spsPeak s tau k)

/-- The parallelism that the response rule uses. If one slice fits, `kstar` is the largest
parallelism whose pipeline fits, and it is at least `(2M - τ + 1) / (2s + τ + 1)`. With prompts of
at most `min (τ, M - τ)`, as in a phase of that rule, `2M ≤ 7 τ kstar`. -/
def sps_parallelism : Prop :=
  (∀ M s tau, 0 < tau → s + tau ≤ M →
    0 < kstar M s tau ∧ spsPeak s tau (kstar M s tau) ≤ M ∧
    (∀ k, 0 < k → spsPeak s tau k ≤ M → k ≤ kstar M s tau) ∧
    (2 * M - tau + 1) / (2 * s + tau + 1) ≤ kstar M s tau) ∧
  (∀ M tau, 0 < tau → tau ≤ M → 2 * M ≤ 7 * (tau * kstar M (min tau (M - tau)) tau))

/-- Monotonicity of the queue of the rectangle strip. In every state between two rounds what runs
fits, each active budget is at most each pending budget, and the least pending budget never
decreases (when nothing waits, nothing ever waits again). -/
def rect_queue_monotone : Prop :=
  ∀ M jobs t,
    usedWidth (rectState M jobs t) ≤ M ∧
    (∀ a ∈ rectState M jobs t, ∀ q ∈ rectState M jobs t,
      a.isActive = true → q.isPending = true → a.budget ≤ q.budget) ∧
    (∀ d, ∀ q ∈ rectState M jobs (t + d), q.isPending = true →
      ∃ p ∈ rectState M jobs t, p.isPending = true ∧ p.budget ≤ q.budget)

/-- The rectangle strip on its two kinds of bursts. If all prompts are at most a quarter of the
memory, widths are twice the prompts, and attempts as long as the prompt are certificates: the
completion or certificate times sum to at most 28 times the optimum. If all prompts are above a
quarter of the memory, one request runs at a time: at most 21 times the optimum. The memory is never
exceeded. (The paper has 36 for both.) -/
def rect_competitive : Prop :=
  (∀ M I c, Burst M I → (∀ q ∈ I, 1 ≤ q.prompt ∧ 4 * q.prompt ≤ M) → IsOPT M I c →
    (∀ t, rectMemory I (rectState M (I.map promptHeavyJob) t) t ≤ M) ∧
    (rectCompletions M (I.map promptHeavyJob)).sum ≤ 28 * c) ∧
  (∀ M I c, Burst M I → (∀ q ∈ I, M < 4 * q.prompt) → IsOPT M I c →
    (∀ t, rectMemory I (rectState M (I.map (largeJob M)) t) t ≤ M) ∧
    (rectCompletions M (I.map (largeJob M))).sum ≤ 21 * c)

/-- The response rule (phases of slices `min (2^r, M)`) on bursts in which every output is above its
prompt: every request completes exactly once, and three times the sum of the completion times is at
most 224 times the optimum (the paper has 236). -/
def response_competitive : Prop :=
  ∀ M I c, Burst M I → (∀ q ∈ I, q.prompt < q.output) → IsOPT M I c →
    ((response M I).map Prod.fst).Perm I ∧
    3 * ((response M I).map Prod.snd).sum ≤ 224 * c

/-! ## Paper 2: shortest volume first in a burst -/

/-- List scheduling of a burst, listed in the order of service as `A`, then `q`, then `B`, is
feasible; no request starts before one ahead of it; and each start is the least possible: in every
earlier round `t` in which all requests ahead of `q` had started, `q` would overflow the memory in
some round `r` of its run, even beside the requests ahead of it alone. -/
def list_schedule_head_of_line : Prop :=
  ∀ M A q B, Burst M (A ++ q :: B) →
    Feasible M (A ++ q :: B) (listSchedule M (A ++ q :: B)) ∧
    (∀ p ∈ A, start (listSchedule M (A ++ q :: B)) p ≤ start (listSchedule M (A ++ q :: B)) q) ∧
    ∀ t, (∀ p ∈ A, start (listSchedule M (A ++ q :: B)) p ≤ t) →
      t < start (listSchedule M (A ++ q :: B)) q →
      ∃ r, t ≤ r ∧ r < t + q.output ∧
        M < occupancy A (listSchedule M (A ++ q :: B)) r + (q.prompt + (r - t) + 1)

/-- The engine, which at each instant tries the head of the queue until one does not fit, and which
looks ahead only to completions, is list scheduling: run for more instants than there are output
tokens, it has placed every request of a burst, in the order of the queue and with the starts of
the list schedule. -/
def engine_is_list_schedule : Prop :=
  ∀ M n l, Burst M l → (l.map Request.output).sum < n →
    (engine M n 0 [] l).map Prod.fst = l.reverse ∧
    startIn (engine M n 0 [] l) = listSchedule M l

/-- Shortest volume first serves every request once, in increasing order of volume with ties by
label, and its schedule is feasible. -/
def svf_order_sorted : Prop :=
  ∀ M I, Burst M I → (svfOrder I).Perm I ∧
    (svfOrder I).Pairwise (fun p r => twiceVolume p < twiceVolume r ∨
      (twiceVolume p = twiceVolume r ∧ p.id ≤ r.id)) ∧
    Feasible M I (svf M I)

/-- The certificate of a wait. In a burst listed as `A`, then `q`, then `B`, let `P ≤ M` bound the
peaks of `q` and the requests ahead of it. Then `(M - P + 1)` times the start of `q` is at most the
sum of peak times output over the requests ahead, which is at most the sum of their volumes, twice:
`peak * output + output * (prompt + 1)` is twice the volume. -/
def wait_certificate : Prop :=
  (∀ M P A q B, Burst M (A ++ q :: B) → P ≤ M → (∀ p ∈ A ++ [q], p.peak ≤ P) →
    (M - P + 1) * start (listSchedule M (A ++ q :: B)) q ≤
        (A.map fun p => p.peak * p.output).sum ∧
    (M - P + 1) * start (listSchedule M (A ++ q :: B)) q ≤ (A.map twiceVolume).sum) ∧
  ∀ p : Request, p.peak * p.output + p.output * (p.prompt + 1) = twiceVolume p

/-- Theorem 3.2 of paper 2: when no peak exceeds the part `a / d < 1` of the memory, shortest volume
first costs at most `(3 - a/d) / (1 - a/d) = 1 + 2 / (1 - a/d)` times the optimum. -/
def svf_competitive : Prop :=
  ∀ M a d I c, Burst M I → a < d → (∀ q ∈ I, q.peak * d ≤ a * M) → IsOPT M I c →
    (d - a) * TEL I (svf M I) ≤ (3 * d - a) * c

/-- Table 1 of paper 2: peaks at most 1/2, 1/4, 1/10, 1/20, 1/100 of the memory give the ratios 5,
11/3, 29/9, 59/19, 299/99. -/
def svf_competitive_table : Prop :=
  ∀ M I c, Burst M I → IsOPT M I c →
    ((∀ q ∈ I, 2 * q.peak ≤ M) → TEL I (svf M I) ≤ 5 * c) ∧
    ((∀ q ∈ I, 4 * q.peak ≤ M) → 3 * TEL I (svf M I) ≤ 11 * c) ∧
    ((∀ q ∈ I, 10 * q.peak ≤ M) → 9 * TEL I (svf M I) ≤ 29 * c) ∧
    ((∀ q ∈ I, 20 * q.peak ≤ M) → 19 * TEL I (svf M I) ≤ 59 * c) ∧
    ((∀ q ∈ I, 100 * q.peak ≤ M) → 99 * TEL I (svf M I) ≤ 299 * c)

/-- Sharper than Theorem 3.2: when no peak exceeds the part `a / d < 1` of the memory, shortest
volume first costs at most `1 + 4 / (3 (1 - a/d))` times the optimum if `a / d ≤ 1/3` (7/3 in the
limit of small requests), and at most `2 / (1 - a/d)` times the optimum if `a / d ≥ 1/3` (4 at
one half). -/
def svf_competitive_sharp : Prop :=
  ∀ M a d I c, Burst M I → a < d → (∀ q ∈ I, q.peak * d ≤ a * M) → IsOPT M I c →
    (3 * a ≤ d → 3 * (d - a) * TEL I (svf M I) ≤ (7 * d - 3 * a) * c) ∧
    (d ≤ 3 * a → (d - a) * TEL I (svf M I) ≤ 2 * d * c)

/-- The same by the largest peak: if no peak exceeds `P ≤ M`, then with `D = M - P + 1` the ratio
is at most `1 + 4M / (3D)` if `3D ≥ 2M` and at most `2M / D` otherwise; and it is at most `2M`
whatever the peaks are. -/
def svf_competitive_peak : Prop :=
  ∀ M P I c, Burst M I → P ≤ M → (∀ q ∈ I, q.peak ≤ P) → IsOPT M I c →
    (2 * M ≤ 3 * (M - P + 1) →
      3 * (M - P + 1) * TEL I (svf M I) ≤ (4 * M + 3 * (M - P + 1)) * c) ∧
    (3 * (M - P + 1) ≤ 2 * M → (M - P + 1) * TEL I (svf M I) ≤ 2 * M * c) ∧
    TEL I (svf M I) ≤ 2 * M * c

/-- Any order `l` of the burst in which a request precedes another only if its volume is at most
`u / w ≥ 1` times the volume of the other: list scheduling costs at most
`1 + 2 (u / w) / (1 - a/d)` times the optimum when no peak exceeds the part `a / d < 1` of the
memory. -/
def order_competitive : Prop :=
  ∀ M a d u w I l c, Burst M I → l.Perm I → a < d → (∀ q ∈ I, q.peak * d ≤ a * M) → w ≤ u →
    l.Pairwise (fun p r => w * twiceVolume p ≤ u * twiceVolume r) → IsOPT M I c →
    w * ((d - a) * TEL I (listSchedule M l)) ≤ (w * (d - a) + 2 * (u * d)) * c

/-- Shortest predicted volume first, when each predicted length is within the factor `u / w ≥ 1` of
the true one, up or down. Volumes are inverted at most by the factor `(u / w)⁴`, so the ratio is at
most `1 + 2 (u / w)⁴ / (1 - a/d)`; in fact it is at most `2 (1 + (u / w)²) / (1 - a/d)`. -/
def predicted_competitive : Prop :=
  ∀ M a d u w pred I c, Burst M I → a < d → (∀ q ∈ I, q.peak * d ≤ a * M) → 0 < w → w ≤ u →
    (∀ q ∈ I, w * pred q ≤ u * q.output ∧ w * q.output ≤ u * pred q) → IsOPT M I c →
    (orderByKey (predictedKey pred) I).Pairwise
      (fun p r => w ^ 4 * twiceVolume p ≤ u ^ 4 * twiceVolume r) ∧
    w ^ 4 * ((d - a) * TEL I (predictedSvf M pred I)) ≤
      (w ^ 4 * (d - a) + 2 * (u ^ 4 * d)) * c ∧
    w ^ 2 * ((d - a) * TEL I (predictedSvf M pred I)) ≤ 2 * ((u ^ 2 + w ^ 2) * d) * c

/-- Theorem 3.3 of paper 2 with its constant, and sharper. The 1-bit rule orders by the length `b`
for outputs up to `b²` and `b³` for longer ones, where no output exceeds `b⁴ = T`; admission looks
ahead with the true lengths. When no peak exceeds the part `a / d < 1` of the memory its ratio is at
most `1 + 2T / (1 - a/d)`, and even at most `2 (1 + √T) / (1 - a/d)`. -/
def one_bit_competitive : Prop :=
  ∀ M a d b I c, Burst M I → a < d → (∀ q ∈ I, q.peak * d ≤ a * M) →
    (∀ q ∈ I, q.output ≤ b ^ 4) → IsOPT M I c →
    (d - a) * TEL I (oneBitSvf M b I) ≤ (d - a + 2 * (b ^ 4 * d)) * c ∧
    (d - a) * TEL I (oneBitSvf M b I) ≤ 2 * ((b ^ 2 + 1) * d) * c

/-- The sharper bounds for predicted lengths and for the 1-bit rule by the largest peak, finite
whatever the peaks are: if no peak exceeds `P ≤ M`, the ratios are at most
`2 (1 + (u / w)²) M / (M - P + 1)` and `2 (1 + b²) M / (M - P + 1)`. -/
def proxy_competitive_peak : Prop :=
  ∀ M P I c, Burst M I → P ≤ M → (∀ q ∈ I, q.peak ≤ P) → IsOPT M I c →
    (∀ u w pred, 0 < w → w ≤ u →
      (∀ q ∈ I, w * pred q ≤ u * q.output ∧ w * q.output ≤ u * pred q) →
      w ^ 2 * ((M - P + 1) * TEL I (predictedSvf M pred I)) ≤ 2 * ((u ^ 2 + w ^ 2) * M) * c) ∧
    ∀ b, (∀ q ∈ I, q.output ≤ b ^ 4) →
      (M - P + 1) * TEL I (oneBitSvf M b I) ≤ 2 * ((b ^ 2 + 1) * M) * c

/-- The 1-bit rule above still needs the true lengths in its look-ahead. With one bit alone: when no
peak exceeds `T ≤ b⁴`, reserve the prompt and `b²` tokens (at most `T`) for a short output and `T`
for a long one, for the whole run, and admit in the order of the 1-bit rule when the reservations
fit. This is feasible, and if no reservation exceeds the part `a / d < 1` of the memory, it costs at
most `2 b² (b² + 1) / (1 - a/d)` times the optimum, `O(T)`. -/
def honest_one_bit_competitive : Prop :=
  ∀ M a d b T I, Burst M I → a < d → (∀ q ∈ I, q.peak ≤ T) → T ≤ b ^ 4 →
    (∀ q ∈ I, oneBitReserve b T q * d ≤ a * M) →
    Feasible M I (honestOneBit M b T I) ∧
    ∀ c, IsOPT M I c →
      (d - a) * TEL I (honestOneBit M b T I) ≤ 2 * (b ^ 2 * (b ^ 2 + 1) * d) * c

/-! ## Beyond paper 2: 19/9 -/

/-- List scheduling in any order, weighted by the volumes: over every first part `A` of the order
`A ++ B` of a burst, the list schedule has `9 D Σ v C ≤ 19 M Σ v C*` against every feasible schedule
`C` of the burst. Here `v` is the volume (the statement uses twice the volume on both sides), `P` is
any bound on the peaks of `A`, and `D = M - P + 1`. -/
def list_schedule_volume_weighted : Prop :=
  ∀ M P (A B : List Request), Burst M (A ++ B) → (∀ q ∈ A, q.peak ≤ P) →
    ∀ C, Feasible M (A ++ B) C →
      9 * ((M - P + 1) *
        (A.map fun q => twiceVolume q * completion (listSchedule M (A ++ B)) q).sum) ≤
        19 * (M * (A.map fun q => twiceVolume q * completion C q).sum)

/-- Shortest volume first is close to `19/9` of the optimum when no request needs much of the
memory. For every burst whose peaks are at most `P`, the schedule of shortest volume first is
feasible and its total latency is at most `19 M / (9 D)` times the optimum, with `D = M - P + 1`. -/
def svf_nineteen_ninths : Prop :=
  ∀ M P I, Burst M I → (∀ q ∈ I, q.peak ≤ P) → Feasible M I (svf M I) ∧
    ∀ c, IsOPT M I c → 9 * ((M - P + 1) * TEL I (svf M I)) ≤ 19 * (M * c)

/-- The same in terms of the share of the memory that one request may need: if each peak is at most
`α = a / d` of the memory, shortest volume first costs at most `19 / (9 (1 - α))` times the
optimum. -/
def svf_nineteen_ninths_share : Prop :=
  ∀ M a d I, Burst M I → (∀ q ∈ I, q.peak * d ≤ a * M) →
    ∀ c, IsOPT M I c → 9 * ((d - a) * TEL I (svf M I)) ≤ 19 * (d * c)

/-- The weighted version. For all weights `w` (zero is allowed) and every burst there is an order in
which weight per volume does not increase, and list scheduling in every such order `l` is feasible
and has weighted completion time `9 D Σ w C ≤ 19 M Σ w C*` against every feasible schedule `C`,
where `P` is any bound on the peaks and `D = M - P + 1`. -/
def list_schedule_weighted : Prop :=
  ∀ M P I (w : Request → Nat), Burst M I → (∀ q ∈ I, q.peak ≤ P) →
    (∃ l : List Request, l.Perm I ∧
      l.Pairwise fun p q => w q * twiceVolume p ≤ w p * twiceVolume q) ∧
    ∀ l : List Request, l.Perm I →
      (l.Pairwise fun p q => w q * twiceVolume p ≤ w p * twiceVolume q) →
      Feasible M I (listSchedule M l) ∧ ∀ C, Feasible M I C →
        9 * ((M - P + 1) * (I.map fun q => w q * completion (listSchedule M l) q).sum) ≤
          19 * (M * (I.map fun q => w q * completion C q).sum)

/-! ## Paper 3: kills, and FairShare -/

open NonClairvoyant

/-! ## Paper 3: non-clairvoyant scheduling with kills -/

/-- Kills never help: if any decider, even one that is chosen after the instance, serves a burst
within memory `M`, then some schedule without kills is feasible and completes every request at the
same time. So neither the total completion time nor the makespan of a run with kills is below the
optimum without. -/
def kills_never_help : Prop :=
  ∀ M I, Burst M I → ∀ D C, KillServes M I D C →
    (∃ S, Feasible M I S ∧ ∀ q ∈ I, completion S q = C q.id) ∧
    (∀ c, IsOPT M I c → c ≤ totalTime I C) ∧
    (∀ c, IsOPTMakespan M I c → c ≤ lastTime I C)

/-- FairShare, a scheduler that sees the memory, the prompts and the completions so far, but no
output before it is generated, serves every burst within memory, and its total completion time is at
most 64 times the optimum of schedules that know all outputs. -/
def fair_share : Prop :=
  ∀ M I, Burst M I → ∃ C, KillServes M I (fairShare M (seen I)) C ∧
    ∀ c, IsOPT M I c → totalTime I C ≤ 64 * c

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

/-- Overtaking a request that does not fit breaks the proof of theorem 3.2 and the theorem itself.

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

/-! ## Paper 3: lower bounds -/

open OnlineKvCache.NonClairvoyant in
/-- No single priority order is good. For every `t` there is a memory, `t⁴(t² + 1)`, such that for
every ranking of shapes (distinct ranks for distinct pairs of prompt and output) there is a burst on
which every feasible schedule without kills, whose starts follow the ranking, costs at least `t / 3`
times the optimum. -/
def no_priority_order : Prop :=
  ∀ t, 1 ≤ t → ∀ rank : Nat → Nat → Nat,
    (∀ s o s' o', rank s o = rank s' o' → s = s' ∧ o = o') →
    ∃ I c, Burst (shapesMemory t) I ∧ (∀ q ∈ I, 1 ≤ q.prompt) ∧ IsOPT (shapesMemory t) I c ∧
      0 < c ∧ ∀ S, Feasible (shapesMemory t) I S → InOrder rank I S → t * c ≤ 3 * TEL I S

open OnlineKvCache.NonClairvoyant in
/-- For every number `n ≥ 3` of jobs and every ratio `p / q < 3 - 2/(n+1)` there is a memory at
which every deterministic non-clairvoyant scheduler, kills allowed, has a burst of `n` jobs on which
it fails to complete all jobs within the memory, or its total completion time is at least `p / q`
times the optimum without kills. Hence every ratio below 3 is reached. -/
def non_clairvoyant_at_least_three : Prop :=
  (∀ n p q, 3 ≤ n → p * (n + 1) < q * (3 * n + 1) →
    ∃ M, ∀ A : KillScheduler, ∃ I c, Burst M I ∧ I.length = n ∧ (∀ r ∈ I, 1 ≤ r.prompt) ∧
      IsOPT M I c ∧ 0 < c ∧ ∀ C, KillServes M I (A M (seen I)) C → p * c ≤ q * totalTime I C) ∧
  (∀ p q, p < 3 * q →
    ∃ n M, ∀ A : KillScheduler, ∃ I c, Burst M I ∧ I.length = n ∧ (∀ r ∈ I, 1 ≤ r.prompt) ∧
      IsOPT M I c ∧ 0 < c ∧ ∀ C, KillServes M I (A M (seen I)) C → p * c ≤ q * totalTime I C)

open OnlineKvCache.NonClairvoyant in
/-- For every `m ≥ 2` there is a memory at which every deterministic non-clairvoyant scheduler,
kills allowed, has a burst of `m(m - 1) + 1` jobs with optimal makespan `m` on which it fails to
complete all jobs within the memory, or its makespan is at least `2m - 1`: a ratio of `2 - 1/m`. -/
def non_clairvoyant_makespan_at_least_two : Prop :=
  ∀ m, 2 ≤ m → ∃ M, ∀ A : KillScheduler, ∃ I, Burst M I ∧ I.length = m * (m - 1) + 1 ∧
    (∀ r ∈ I, 1 ≤ r.prompt) ∧ IsOPTMakespan M I m ∧
    ∀ C, KillServes M I (A M (seen I)) C → 2 * m ≤ lastTime I C + 1

/-! ## Any-fit packing, and algorithms that know the outputs -/

/-- Any-fit packing (Garey and Graham). Rectangles of width at most `M` and height between 1 and `L`
with a total area of at most `M * L`, any-fit list scheduling from round `t₀` on, simulated for
`2 * L - 1` rounds: every rectangle is started, each ends within those `2 * L - 1` rounds, and in no
round is more than `M` in use. -/
def any_fit_packing : Prop :=
  ∀ (M L t₀ : Nat) (R : List Rectangle),
    (∀ r ∈ R, r.width ≤ M ∧ 1 ≤ r.height ∧ r.height ≤ L) →
    (R.map fun r => r.width * r.height).sum ≤ M * L →
    ((Packing.anyFit M Rectangle.width Rectangle.height (2 * L - 1) t₀ R).map Prod.fst).Perm R ∧
    (∀ e ∈ Packing.anyFit M Rectangle.width Rectangle.height (2 * L - 1) t₀ R,
      t₀ ≤ e.2 ∧ e.2 + e.1.height ≤ t₀ + (2 * L - 1)) ∧
    ∀ t, Packing.usedBy Rectangle.width Rectangle.height t
      (Packing.anyFit M Rectangle.width Rectangle.height (2 * L - 1) t₀ R) ≤ M

/-- Strict packing, in which nothing overtakes, has no such bound. With the rectangles `1 × L` and
`M × 1` in turn, `n` of each, something ends at `n * (L + 1)` or later (in a simulation long enough
to start everything); for `M = L = 2 * n` the total area is `M * L`, and this is `n * (2 * n + 1)`,
while any-fit packing ends by `4 * n - 1`. -/
def strict_packing_slow : Prop :=
  ∀ M L n fuel, 1 ≤ M → 1 ≤ L → 1 ≤ n → n * (L + M) < fuel →
    ((Packing.alternating M L n).map fun r => r.width * r.height).sum = n * (L + M) ∧
    (∀ r ∈ Packing.alternating M L n, r.width ≤ M ∧ 1 ≤ r.height ∧ r.height ≤ L) ∧
    ∃ e ∈ Packing.strictFit M Rectangle.width Rectangle.height fuel (Packing.alternating M L n),
      n * (L + 1) ≤ e.2 + e.1.height

/-- The 16-approximation: for every burst it gives a feasible schedule, and its total latency plus 6
for each request is at most 16 times the optimum. -/
def sixteen_approximation : Prop :=
  ∀ M I, Burst M I → Feasible M I (sixteen M I) ∧
    ∀ c, IsOPT M I c → TEL I (sixteen M I) + 6 * I.length ≤ 16 * c

/-- The same algorithm on rectangles, whose widths do not grow: at most 8 times the cost of any
schedule that keeps within `M`, less 6 for each rectangle. -/
def eight_rectangles : Prop :=
  ∀ M R, (R.map Rectangle.label).Nodup →
    (∀ r ∈ R, (1 ≤ r.width ∧ r.width ≤ M) ∧ 1 ≤ r.height) →
    RectFeasible M R (eight M R) ∧
      ∀ T, RectFeasible M R T → rectCost R (eight M R) + 6 * R.length ≤ 8 * rectCost R T

/-- Strict Greedy in area order: for every burst in which each request needs at most `ℓ ≤ M` of
memory, it gives a feasible schedule with a total latency of at most `1 + 2M / (M - ℓ + 1)` times
the optimum. -/
def area_greedy : Prop :=
  ∀ M ℓ I, Burst M I → (∀ q ∈ I, q.peak ≤ ℓ) → ℓ ≤ M → Feasible M I (areaGreedy M I) ∧
    ∀ c, IsOPT M I c → (M - ℓ + 1) * TEL I (areaGreedy M I) ≤ (M - ℓ + 1 + 2 * M) * c

/-- LengthDoubling, a non-clairvoyant scheduler with kills, is feasible on every burst, completes
every request, and its last completion is at most `76 / 3` times the least makespan; with the caps
1, 2, 3, 4, 6, 8, 12, … it is at most `67 / 3` times the least makespan. -/
def length_doubling : Prop :=
  ∀ M I, Burst M I →
    (∃ C, NonClairvoyant.KillServes M I
        (NonClairvoyant.lengthDoubling M (NonClairvoyant.seen I)) C ∧
      ∀ c, NonClairvoyant.IsOPTMakespan M I c → 3 * NonClairvoyant.lastTime I C ≤ 76 * c) ∧
    ∃ C, NonClairvoyant.KillServes M I
        (NonClairvoyant.lengthDoublingFine M (NonClairvoyant.seen I)) C ∧
      ∀ c, NonClairvoyant.IsOPTMakespan M I c → 3 * NonClairvoyant.lastTime I C ≤ 67 * c

/-! ## FairShare, sharper -/

open NonClairvoyant

/-- FairShare knows the memory, the labels and the prompts, sees completions, and nothing else. It
serves every burst, within the memory in every round, and its total completion time is at most 48
times the optimum. -/
def fair_share_forty_eight : Prop :=
  ∀ M I, Burst M I → ∃ C, KillServes M I (fairShare M (seen I)) C ∧
    ∀ c, IsOPT M I c → totalTime I C ≤ 48 * c

end OnlineKvCache.Statements
