module

public import OnlineKvCache.NonClairvoyant.FairShare
public import OnlineKvCache.NonClairvoyant.Greedy
public import OnlineKvCache.NonClairvoyant.LengthDoubling
public import OnlineKvCache.NonClairvoyant.Model
public import OnlineKvCache.NonClairvoyant.PackingFamily
public import OnlineKvCache.NonClairvoyant.PriorityOrders
public import OnlineKvCache.NonClairvoyant.RectMemory
public import OnlineKvCache.NonClairvoyant.Response
public import OnlineKvCache.NonClairvoyant.Sixteen

@[expose] public section

/-! # Headline statements on paper 3: non-clairvoyant scheduling with kills

Runs with kills, and what a scheduler sees of them, are defined in `NonClairvoyant.Model`; each
algorithm in the module of its name. `TEL` and `IsOPT` are those of paper 1: the optimum neither
kills nor lacks knowledge of the outputs. -/

namespace OnlineKvCache.Statements

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

/-- FairShare knows the memory, the labels and the prompts, sees completions, and nothing else. It
serves every burst, within the memory in every round, and its total completion time is at most 48
times the optimum. -/
def fair_share_forty_eight : Prop :=
  ∀ M I, Burst M I → ∃ C, KillServes M I (fairShare M (seen I)) C ∧
    ∀ c, IsOPT M I c → totalTime I C ≤ 48 * c

/-- LengthDoubling, a non-clairvoyant scheduler with kills, is feasible on every burst, completes
every request, and its last completion is at most `76 / 3` times the least makespan; with the caps
1, 2, 3, 4, 6, 8, 12, … it is at most `67 / 3` times the least makespan. -/
def length_doubling : Prop :=
  ∀ M I, Burst M I →
    (∃ C, KillServes M I
        (lengthDoubling M (seen I)) C ∧
      ∀ c, IsOPTMakespan M I c → 3 * lastTime I C ≤ 76 * c) ∧
    ∃ C, KillServes M I
        (lengthDoublingFine M (seen I)) C ∧
      ∀ c, IsOPTMakespan M I c → 3 * lastTime I C ≤ 67 * c

/-! ## Paper 3: lower bounds -/

/-- No single priority order is good. For every `t` there is a memory, `t⁴(t² + 1)`, such that for
every ranking of shapes (distinct ranks for distinct pairs of prompt and output) there is a burst on
which every feasible schedule without kills, whose starts follow the ranking, costs at least `t / 3`
times the optimum. -/
def no_priority_order : Prop :=
  ∀ t, 1 ≤ t → ∀ rank : Nat → Nat → Nat,
    (∀ s o s' o', rank s o = rank s' o' → s = s' ∧ o = o') →
    ∃ I c, Burst (shapesMemory t) I ∧ (∀ q ∈ I, 1 ≤ q.prompt) ∧ IsOPT (shapesMemory t) I c ∧
      0 < c ∧ ∀ S, Feasible (shapesMemory t) I S → InOrder rank I S → t * c ≤ 3 * TEL I S

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

/-- For every `m ≥ 2` there is a memory at which every deterministic non-clairvoyant scheduler,
kills allowed, has a burst of `m(m - 1) + 1` jobs with optimal makespan `m` on which it fails to
complete all jobs within the memory, or its makespan is at least `2m - 1`: a ratio of `2 - 1/m`. -/
def non_clairvoyant_makespan_at_least_two : Prop :=
  ∀ m, 2 ≤ m → ∃ M, ∀ A : KillScheduler, ∃ I, Burst M I ∧ I.length = m * (m - 1) + 1 ∧
    (∀ r ∈ I, 1 ≤ r.prompt) ∧ IsOPTMakespan M I m ∧
    ∀ C, KillServes M I (A M (seen I)) C → 2 * m ≤ lastTime I C + 1

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

end OnlineKvCache.Statements
