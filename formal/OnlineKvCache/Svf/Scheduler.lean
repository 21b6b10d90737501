module

public import OnlineKvCache.Model.Burst

@[expose] public section

/-! # List scheduling of a burst and shortest volume first

A list of requests is served strictly from its head: each request starts in the least round, not
before the start of the request ahead of it, in which it fits for its whole run beside those ahead
of it. A request that does not fit is never overtaken. The run below is structurally recursive and
the kernel evaluates it. -/

namespace OnlineKvCache

/-- Memory in round `t` of requests with their starts: `prompt + 1, …, prompt + output` in the
active rounds of each. -/
def placedMemory : List (Request × Nat) → Nat → Nat
  | [], _ => 0
  | x :: P, t =>
    (if x.2 ≤ t ∧ t < x.2 + x.1.output then x.1.prompt + (t - x.2) + 1 else 0) + placedMemory P t

/-- Whether a request with prompt `s` that starts in round `k` fits beside the requests `P` in each
of its first `n` rounds. -/
def fitsFor (M : Nat) (P : List (Request × Nat)) (s k : Nat) : Nat → Bool
  | 0 => true
  | n + 1 => decide (placedMemory P (k + n) + s + n + 1 ≤ M) && fitsFor M P s k n

/-- The first round from `t` on, among the next `fuel` ones, in which `q` fits beside `P`; if there
is none, the round after them. -/
def firstFit (M : Nat) (P : List (Request × Nat)) (q : Request) : Nat → Nat → Nat
  | 0, t => t
  | fuel + 1, t => if fitsFor M P q.prompt t q.output then t else firstFit M P q fuel (t + 1)

/-- The last completion time of the requests `P`: from then on the memory is empty. -/
def placedEnd : List (Request × Nat) → Nat
  | [] => 0
  | x :: P => max (x.2 + x.1.output) (placedEnd P)

/-- The start of the request placed last. -/
def lastStart : List (Request × Nat) → Nat
  | [] => 0
  | x :: _ => x.2

/-- Place the requests of a list one after the other; `P` are those placed already, the last one
first. -/
def placeAll (M : Nat) : List (Request × Nat) → List Request → List (Request × Nat)
  | P, [] => P
  | P, q :: l => placeAll M ((q, firstFit M P q (placedEnd P) (lastStart P)) :: P) l

/-- The start that `P` gives to the request with label `i`. -/
def startIn : List (Request × Nat) → Nat → Nat
  | [], _ => 0
  | x :: P, i => if x.1.id = i then x.2 else startIn P i

/-- List scheduling at memory `M` of a burst that is listed in the order of service. -/
def listSchedule (M : Nat) (order : List Request) : Schedule := startIn (placeAll M [] order)

/-- The starts of a list schedule, in the order of service. -/
def listStarts (M : Nat) (order : List Request) : List Nat :=
  startsOf (placeAll M [] order) []
where
  /-- The starts of `P`, the last one of `P` first, followed by `l`. -/
  startsOf : List (Request × Nat) → List Nat → List Nat
    | [], l => l
    | x :: P, l => startsOf P (x.2 :: l)

/-! ### Orders -/

/-- Insert a request into a list: after those with a smaller key and those with the same key and a
smaller label. -/
def insertKeyed (key : Request → Nat) (q : Request) : List Request → List Request
  | [] => [q]
  | r :: l =>
    if key q < key r ∨ (key q = key r ∧ q.id ≤ r.id) then q :: r :: l
    else r :: insertKeyed key q l

/-- The requests in increasing order of `key`, ties by label. -/
def orderByKey (key : Request → Nat) : List Request → List Request
  | [] => []
  | q :: l => insertKeyed key q (orderByKey key l)

/-- Smallest volume first, ties by label. -/
noncomputable def svfOrder (I : List Request) : List Request := orderByKey twiceVolume I

/-- Shortest volume first at memory `M`: list scheduling in increasing order of volume. -/
noncomputable def svf (M : Nat) (I : List Request) : Schedule := listSchedule M (svfOrder I)

end OnlineKvCache
