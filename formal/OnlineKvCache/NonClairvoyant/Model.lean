module

public import OnlineKvCache.Model.Burst

@[expose] public section

/-! # Non-clairvoyant scheduling with kills

Rounds as in `Model`, but an attempt to run a request may be given up (killed): then all its
progress is lost, and it starts afresh later. What a scheduler sees is the memory, the labels and
the prompts, and which requests completed in each earlier round: outputs are visible only through
completions. All requests are there in round 0. -/

namespace OnlineKvCache.NonClairvoyant

/-- What is done with a request in a round. -/
inductive Move where
  /-- It is not in the batch: an attempt that ran is killed. -/
  | out
  /-- It starts a new attempt: an attempt that ran is killed. -/
  | fresh
  /-- Its attempt continues; if it was not in the batch, this starts a new attempt. -/
  | stay

deriving instance DecidableEq for Move

/-- The labels of the requests that completed in the earlier rounds, the last round first. Its
length is the number of the coming round. -/
abbrev History := List (List Nat)

/-- Moves for every history and label. A decider that is chosen after the instance may be
clairvoyant. Moves of completed requests have no effect. -/
abbrev Decider := History → Nat → Move

/-- What is seen of an instance: labels and prompts. -/
noncomputable def seen (I : List Request) : List (Nat × Nat) := I.map fun q => (q.id, q.prompt)

/-- A non-clairvoyant scheduler: memory and what is seen of the instance give a decider. -/
abbrev KillScheduler := Nat → List (Nat × Nat) → Decider

/-- Tokens decoded in the current attempt after the round, from those before it; 0 if the request is
not in the batch. -/
def Move.grow : Move → Nat → Nat
  | out, _ => 0
  | fresh, _ => 1
  | stay, u => u + 1

/-- The status of a request between two rounds. -/
inductive Status where
  /-- Unfinished, with that many tokens decoded in the current attempt; 0 if there is none. -/
  | live (tokens : Nat)
  /-- Completed at that time. -/
  | done (time : Nat)

deriving instance DecidableEq for Status

/-- The status after round `t`, for a request with that output. -/
def Status.next (output t : Nat) (m : Move) : Status → Status
  | live u => if m.grow u = output then done (t + 1) else live (m.grow u)
  | done c => done c

/-- The request completes in the round. -/
def Status.completes (output : Nat) (m : Move) : Status → Bool
  | live u => decide (m.grow u = output)
  | done _ => false

/-- Memory held in the round: the prompt and the tokens, with the one of the round; nothing
outside of the batch. -/
def Status.memory (prompt : Nat) (m : Move) : Status → Nat
  | live u => if m.grow u = 0 then 0 else prompt + m.grow u
  | done _ => 0

/-- The state between two rounds. -/
structure State where
  /-- The status of each request. -/
  status : Request → Status
  /-- The completions so far. -/
  history : History

/-- The move of a request in the coming round. -/
def State.move (D : Decider) (S : State) (q : Request) : Move := D S.history q.id

/-- One round. -/
noncomputable def State.next (I : List Request) (D : Decider) (S : State) : State where
  status q := (S.status q).next q.output S.history.length (S.move D q)
  history := ((I.filter fun q => (S.status q).completes q.output (S.move D q)).map Request.id) ::
    S.history

/-- The state before round `t`. -/
noncomputable def run (I : List Request) (D : Decider) : Nat → State
  | 0 => ⟨fun _ => .live 0, []⟩
  | t + 1 => (run I D t).next I D

/-- Total memory held in round `t`. -/
noncomputable def runMemory (I : List Request) (D : Decider) (t : Nat) : Nat :=
  (I.map fun q => ((run I D t).status q).memory q.prompt ((run I D t).move D q)).sum

/-- The run keeps within memory `M` in every round. -/
def RunFeasible (M : Nat) (I : List Request) (D : Decider) : Prop := ∀ t, runMemory I D t ≤ M

/-- The run is feasible and completes every request: `C` gives the completion times, by label. -/
structure KillServes (M : Nat) (I : List Request) (D : Decider) (C : Nat → Nat) : Prop where
  /-- The memory suffices in every round. -/
  feasible : RunFeasible M I D
  /-- Every request completes, at the time that `C` says. -/
  completes : ∀ q ∈ I, ∃ t, (run I D t).status q = .done (C q.id)

/-- Sum of the completion times. -/
noncomputable def totalTime (I : List Request) (C : Nat → Nat) : Nat :=
  (I.map fun q => C q.id).sum

/-- The last completion time. -/
def lastTime (I : List Request) (C : Nat → Nat) : Nat := I.foldl (fun m q => max m (C q.id)) 0

/-- `c` is the least makespan of a feasible schedule without kills. -/
structure IsOPTMakespan (M : Nat) (I : List Request) (c : Nat) : Prop where
  /-- Some feasible schedule has makespan `c`. -/
  attained : ∃ S, Feasible M I S ∧ makespan I S = c
  /-- No feasible schedule has a smaller one. -/
  least : ∀ S, Feasible M I S → c ≤ makespan I S

/-- The completion time of each request, as far as it has completed before round `t`. -/
noncomputable def completionsBy (I : List Request) (D : Decider) (t : Nat) :
    List (Option Nat) :=
  I.map fun q => match (run I D t).status q with
    | .live _ => none
    | .done c => some c

end OnlineKvCache.NonClairvoyant
