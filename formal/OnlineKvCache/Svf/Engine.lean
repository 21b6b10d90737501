module

public import OnlineKvCache.Svf.Scheduler

@[expose] public section

/-! # The engine: instant by instant

The same rule as a machine that knows nothing of the future but the lengths: at each instant it
tries the head of the queue until one does not fit, and then runs one round. It looks ahead only to
the instants in which a running request completes, and to the completion of the head itself. -/

namespace OnlineKvCache

/-- Memory of the placed requests at the instant `e`, at the end of a round. -/
def loadAt : List (Request × Nat) → Nat → Nat
  | [], _ => 0
  | x :: P, e =>
    (if x.2 < e ∧ e ≤ x.2 + x.1.output then x.1.prompt + (e - x.2) else 0) + loadAt P e

/-- Whether `q`, started at `t`, keeps the memory at each completion in `Q` that falls into its run;
`P` are all placed requests. -/
def fitsAtEnds (M : Nat) (P : List (Request × Nat)) (q : Request) (t : Nat) :
    List (Request × Nat) → Bool
  | [] => true
  | x :: Q =>
    (!(decide (t < x.2 + x.1.output) && decide (x.2 + x.1.output ≤ t + q.output)) ||
      decide (q.prompt + (x.2 + x.1.output - t) + loadAt P (x.2 + x.1.output) ≤ M)) &&
    fitsAtEnds M P q t Q

/-- The admission test of the engine: all completions during the run of `q`, and its own. -/
def admits (M : Nat) (P : List (Request × Nat)) (q : Request) (t : Nat) : Bool :=
  fitsAtEnds M P q t P && decide (q.prompt + q.output + loadAt P (t + q.output) ≤ M)

/-- Admit requests from the head of the queue until one does not fit: the placed requests and the
rest of the queue. -/
def admitHeads (M t : Nat) : List (Request × Nat) → List Request →
    List (Request × Nat) × List Request
  | P, [] => (P, [])
  | P, q :: l => if admits M P q t then admitHeads M t ((q, t) :: P) l else (P, q :: l)

/-- Run the engine for some instants, from the instant `t` on: the requests that it has placed, the
last one first. -/
def engine (M : Nat) : Nat → Nat → List (Request × Nat) → List Request → List (Request × Nat)
  | 0, _, P, _ => P
  | instants + 1, t, P, l =>
    engine M instants (t + 1) (admitHeads M t P l).1 (admitHeads M t P l).2

end OnlineKvCache
