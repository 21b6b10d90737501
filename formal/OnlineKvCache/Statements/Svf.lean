module

public import OnlineKvCache.Area.MinSums
public import OnlineKvCache.Model.Burst
public import OnlineKvCache.Model.Cost
public import OnlineKvCache.Svf.Engine
public import OnlineKvCache.Svf.Keys
public import OnlineKvCache.Svf.Reserve
public import OnlineKvCache.Svf.Scheduler

@[expose] public section

/-! # Headline statements on paper 2: shortest volume first

Upper bounds. The rules are defined in `Svf.Scheduler`, `Svf.Engine` and `Svf.Reserve`; `TEL` and
`IsOPT` are those of paper 1, and a `Burst` is a valid instance in which all arrive in round 0. -/

namespace OnlineKvCache.Statements

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

/-- Shortest volume first serves every request once, in increasing order of volume with ties
by label, and its schedule is feasible. -/
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
for a long one, for the whole run, and start in the order of the 1-bit rule when the reservations
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

end OnlineKvCache.Statements
