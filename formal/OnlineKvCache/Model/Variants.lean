module

public import OnlineKvCache.Model.Cost

@[expose] public section

/-! # Two variants of the model, used only as negative controls

No theorem is about them: the checks show that each gives other numbers than the model. -/

namespace OnlineKvCache

/-- Corrupted progress: memory `prompt + (t - b)` in round `t`, one token too few. -/
def corruptedMemory (S : Schedule) (q : Request) (t : Nat) : Nat :=
  if Active S q t then q.prompt + (t - start S q) else 0

/-- Total memory under corrupted progress. -/
noncomputable def corruptedOccupancy (I : List Request) (S : Schedule) (t : Nat) : Nat :=
  (I.map fun q => corruptedMemory S q t).sum

/-- Feasibility under corrupted progress. -/
structure CorruptedFeasible (M : Nat) (I : List Request) (S : Schedule) : Prop where
  /-- No request starts before it arrives. -/
  release : ∀ q ∈ I, q.arrival ≤ start S q
  /-- The miscounted memory suffices in every round. -/
  capacity : ∀ t, corruptedOccupancy I S t ≤ M

/-- An attempt to run a request, with kills allowed: it starts in round `start` and runs for
`rounds` rounds; it completes when `rounds = request.output`, else it is killed and all its
progress is lost. -/
structure Attempt where
  /-- The request that is run. -/
  request : Request
  /-- The first round of the attempt. -/
  start : Nat
  /-- How many rounds it runs. -/
  rounds : Nat

/-- Memory of an attempt in round `t`. -/
def Attempt.memory (e : Attempt) (t : Nat) : Nat :=
  if e.start ≤ t ∧ t < e.start + e.rounds then e.request.prompt + (t - e.start) + 1 else 0

/-- Total memory of a list of attempts in round `t`. -/
noncomputable def attemptOccupancy (E : List Attempt) (t : Nat) : Nat :=
  (E.map fun e => e.memory t).sum

/-- A feasible list of attempts for `I`: each attempt is of a request of `I`, starts after its
arrival and runs at most `output` rounds; each request has exactly one attempt that completes;
attempts of one request do not overlap; the memory suffices in every round. -/
structure AttemptsFeasible (M : Nat) (I : List Request) (E : List Attempt) : Prop where
  /-- Attempts are of revealed requests and no longer than needed. -/
  legal : ∀ e ∈ E, e.request ∈ I ∧ e.request.arrival ≤ e.start ∧ e.rounds ≤ e.request.output
  /-- Each request completes exactly once. -/
  completes : ∀ q ∈ I,
    (E.filter fun e => decide (e.request = q ∧ e.rounds = q.output)).length = 1
  /-- Attempts of one request, in the order of the list, do not overlap. -/
  apart : E.Pairwise fun e f => e.request = f.request → e.start + e.rounds ≤ f.start
  /-- The memory suffices in every round. -/
  capacity : ∀ t, attemptOccupancy E t ≤ M

/-- Total latency of a list of attempts: only attempts that complete count. -/
noncomputable def attemptTEL (E : List Attempt) : Nat :=
  (E.map fun e =>
    if e.rounds = e.request.output then e.start + e.rounds - e.request.arrival else 0).sum

end OnlineKvCache
