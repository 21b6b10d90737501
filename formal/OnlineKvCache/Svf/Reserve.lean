module

public import OnlineKvCache.Svf.Keys

@[expose] public section

/-! # The 1-bit rule that knows one bit

Exact look-ahead uses the true lengths. A rule that knows only whether an output exceeds `b²`
reserves, for the whole run of a request, memory that is enough whatever the output is, and admits
a request when the reservations fit. It sees completions when they happen. -/

namespace OnlineKvCache

/-- The memory reserved in round `t` by the active ones of the placed requests, if `q` reserves
`res q`. -/
def reservedAt (res : Request → Nat) : List (Request × Nat) → Nat → Nat
  | [], _ => 0
  | x :: P, t => (if x.2 ≤ t ∧ t < x.2 + x.1.output then res x.1 else 0) + reservedAt res P t

/-- The first round from `t` on, among the next `fuel` ones, in which the reservation of `q` fits
beside those of `P`; if there is none, the round after them. -/
def firstFree (M : Nat) (res : Request → Nat) (P : List (Request × Nat)) (q : Request) :
    Nat → Nat → Nat
  | 0, t => t
  | fuel + 1, t =>
    if reservedAt res P t + res q ≤ M then t else firstFree M res P q fuel (t + 1)

/-- Place the requests of a list one after the other; `P` are those placed already, the last one
first. -/
def reserveAll (M : Nat) (res : Request → Nat) :
    List (Request × Nat) → List Request → List (Request × Nat)
  | P, [] => P
  | P, q :: l =>
    reserveAll M res ((q, firstFree M res P q (placedEnd P) (lastStart P)) :: P) l

/-- Strict head-of-line scheduling of a list by reservations. -/
def reserveSchedule (M : Nat) (res : Request → Nat) (order : List Request) : Schedule :=
  startIn (reserveAll M res [] order)

/-- The reservation of the 1-bit rule when no peak exceeds `T`: the prompt and `b²` tokens for a
short output, capped at `T`, and `T` for a long one. -/
def oneBitReserve (b T : Nat) (q : Request) : Nat :=
  if q.output ≤ b * b then min (q.prompt + b * b) T else T

/-- The 1-bit rule with reservations at memory `M`, when no peak exceeds `T`. -/
noncomputable def honestOneBit (M b T : Nat) (I : List Request) : Schedule :=
  reserveSchedule M (oneBitReserve b T) (orderByKey (predictedKey (oneBitProxy b)) I)

end OnlineKvCache
