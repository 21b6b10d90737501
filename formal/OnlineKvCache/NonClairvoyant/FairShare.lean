module

public import OnlineKvCache.NonClairvoyant.Model
public import OnlineKvCache.NonClairvoyant.Packing

@[expose] public section

/-! # Schedulers in stages, and FairShare

In each stage every unfinished request is run once, afresh, for at most `cap` rounds, with the memory
`prompt + cap` reserved, by any-fit list scheduling: at the start of the stage and whenever something
ends (completes or is killed at its cap), the waiting requests are scanned in the order of the
instance and each that fits is started. (The scan is made in every round; between two ends it starts
nothing.) A stage ends when its least length is over and nothing runs or waits.

The state is replayed from the history, so the scheduler is non-clairvoyant by its type. -/

namespace OnlineKvCache.NonClairvoyant

/-- The rule of a scheduler in stages. -/
structure StageRule where
  /-- How many rounds an attempt may run: by stage, number of requests that are unfinished when the
  stage begins, and prompt. Zero: the request is left out. -/
  cap : Nat → Nat → Nat → Nat
  /-- The least number of rounds of each stage. -/
  least : Nat → Nat

/-- An attempt of the stage. -/
structure Entry where
  /-- The label of the request. -/
  id : Nat
  /-- How many rounds of the stage were over when it started. -/
  start : Nat
  /-- After how many rounds it is killed. -/
  cap : Nat

/-- The state of a scheduler in stages. -/
structure Stage where
  /-- The number of the stage. -/
  number : Nat
  /-- How many rounds of it are over. -/
  clock : Nat
  /-- Labels and prompts of the requests that were unfinished when it began. -/
  jobs : List (Nat × Nat)
  /-- The labels of those that completed in it. -/
  gone : List Nat
  /-- The attempts of it. -/
  log : List Entry

/-- A new stage. -/
def Stage.begin (number : Nat) (jobs : List (Nat × Nat)) : Stage := ⟨number, 0, jobs, [], []⟩

/-- The attempt of a request in this stage. -/
noncomputable def Stage.entry (S : Stage) (i : Nat) : Option Entry := S.log.find? fun e => decide (e.id = i)

/-- The request is in the batch of the coming round. -/
noncomputable def Stage.runs (S : Stage) (i : Nat) : Bool :=
  match S.entry i with
  | none => false
  | some e => decide (S.clock < e.start + e.cap) && !decide (i ∈ S.gone)

/-- How long a request with that prompt may run in this stage. -/
noncomputable def Stage.capOf (R : StageRule) (S : Stage) (s : Nat) : Nat := R.cap S.number S.jobs.length s

/-- The memory that is reserved for a request. -/
noncomputable def Stage.width (R : StageRule) (S : Stage) (j : Nat × Nat) : Nat := j.2 + S.capOf R j.2

/-- The request waits for its attempt. -/
noncomputable def Stage.waits (R : StageRule) (S : Stage) (j : Nat × Nat) : Bool :=
  decide (1 ≤ S.capOf R j.2) && ((S.entry j.1).isNone && !decide (j.1 ∈ S.gone))

/-- The memory that is reserved. -/
noncomputable def Stage.used (R : StageRule) (S : Stage) : Nat :=
  (S.jobs.map fun j => if S.runs j.1 then S.width R j else 0).sum

/-- What a scan starts. -/
noncomputable def Stage.picks (R : StageRule) (M : Nat) (S : Stage) : List (Nat × Nat) :=
  Packing.picked false M (S.width R) (S.used R) (S.jobs.filter (S.waits R))

/-- Start all that fit, in the order of the instance. -/
noncomputable def Stage.scan (R : StageRule) (M : Nat) (S : Stage) : Stage :=
  { S with log := ((S.picks R M).map fun j => ⟨j.1, S.clock, S.capOf R j.2⟩) ++ S.log }

/-- Nothing runs or waits. -/
noncomputable def Stage.idle (R : StageRule) (S : Stage) : Bool :=
  S.jobs.all fun j => !S.runs j.1 && !S.waits R j

/-- A round is over. -/
noncomputable def Stage.pass (D : List Nat) (S : Stage) : Stage :=
  { S with clock := S.clock + 1, gone := D ++ S.gone }

/-- The stage is over. -/
noncomputable def Stage.over (R : StageRule) (S : Stage) : Bool :=
  decide (R.least S.number ≤ S.clock) && S.idle R

/-- The next stage, with the requests that are unfinished. -/
noncomputable def Stage.succ (S : Stage) : Stage :=
  Stage.begin (S.number + 1) (S.jobs.filter fun j => !decide (j.1 ∈ S.gone))

/-- From one round to the next, when `D` completed. -/
noncomputable def Stage.step (R : StageRule) (M : Nat) (D : List Nat) (S : Stage) : Stage :=
  if (S.pass D).over R then (S.pass D).succ.scan R M else (S.pass D).scan R M

/-- The move of a request in the coming round. -/
noncomputable def Stage.move (S : Stage) (i : Nat) : Move :=
  match S.entry i with
  | none => .out
  | some e => if S.runs i then (if S.clock = e.start then .fresh else .stay) else .out

/-- The state before the coming round, replayed from the history. -/
noncomputable def stageState (R : StageRule) (M : Nat) (jobs : List (Nat × Nat)) :
    History → Stage
  | [] => (Stage.begin 0 jobs).scan R M
  | D :: h => (stageState R M jobs h).step R M D

/-- The scheduler in stages with a rule for each memory. -/
noncomputable def staged (R : Nat → StageRule) : KillScheduler := fun M jobs h i =>
  (stageState (R M) M jobs h).move i

/-- The largest `l ≤ top` with `s + l ≤ M` and `n * l * (s + l) ≤ M * L`; 0 if there is none. -/
def share (M L n s : Nat) : Nat → Nat
  | 0 => 0
  | l + 1 => if s + (l + 1) ≤ M ∧ n * ((l + 1) * (s + (l + 1))) ≤ M * L then l + 1
    else share M L n s l

/-- The rule of FairShare. Stage `r` has `L = 2 ^ r`; a request with prompt `s` may run for the
largest `l ≤ L` with `s + l ≤ M` whose rectangle `l * (s + l)` is at most its fair share `M * L / n`
of the memory in `L` rounds. The stage takes `2 * L - 1` rounds. -/
def fairShareRule (M : Nat) : StageRule where
  cap r n s := share M (2 ^ r) n s (min (2 ^ r) M)
  least r := 2 * 2 ^ r - 1

/-- FairShare. -/
noncomputable def fairShare : KillScheduler := staged fairShareRule

end OnlineKvCache.NonClairvoyant
