module

public import OnlineKvCache.Svf.Scheduler

@[expose] public section

/-! # List scheduling that overtakes, and instances against it -/

namespace OnlineKvCache

/-- Go through the waiting requests in round `t` and start each one that fits for its whole run
beside the placed ones, also past a request that does not fit. Gives the placed ones, the last one
first, and those that still wait. -/
def skipScan (M t : Nat) :
    List (Request × Nat) → List Request → List (Request × Nat) × List Request
  | P, [] => (P, [])
  | P, q :: l =>
    if fitsFor M P q.prompt t q.output then skipScan M t ((q, t) :: P) l
    else ((skipScan M t P l).1, q :: (skipScan M t P l).2)

/-- Scan in each of the rounds `t, t + 1, …`, as many as the third argument says. -/
def skipRun (M : Nat) :
    Nat → Nat → List (Request × Nat) → List Request → List (Request × Nat)
  | _, 0, P, _ => P
  | t, rounds + 1, P, l => skipRun M (t + 1) rounds (skipScan M t P l).1 (skipScan M t P l).2

/-- List scheduling with overtaking (skipping) at memory `M`, during so many rounds, of a burst that
is listed in the order of service. -/
def skipSchedule (M rounds : Nat) (order : List Request) : Schedule :=
  startIn (skipRun M 0 rounds [] order)

/-- Three requests, in order of volume, for memory 5. -/
def skipSmall : List Request := [⟨0, 0, 1, 1⟩, ⟨1, 0, 3, 1⟩, ⟨2, 0, 0, 4⟩]

/-- Thirteen requests, in order of volume, for memory 38000. -/
def skipInstance : List Request :=
  [⟨0, 0, 12919, 1⟩, ⟨1, 0, 12919, 1⟩, ⟨2, 0, 13299, 1⟩, ⟨3, 0, 13679, 1⟩, ⟨4, 0, 13679, 1⟩,
    ⟨5, 0, 13679, 1⟩, ⟨6, 0, 13679, 1⟩, ⟨7, 0, 13679, 1⟩, ⟨8, 0, 13679, 1⟩, ⟨9, 0, 13679, 1⟩,
    ⟨10, 0, 13679, 1⟩, ⟨11, 0, 12065, 95⟩, ⟨12, 0, 12445, 95⟩]

/-- Two requests, in order of volume, for memory 6. -/
def svfWorse : List Request := [⟨0, 0, 0, 3⟩, ⟨1, 0, 3, 2⟩]

end OnlineKvCache
