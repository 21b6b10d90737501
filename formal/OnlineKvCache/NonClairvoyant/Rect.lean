module

public import OnlineKvCache.Model.Request

@[expose] public section

/-! # The rectangle strip with unknown heights (Rect)

Jobs of known width and unknown height share a strip of width `M`. An attempt of level `r` runs at
most `2^r` rounds; its budget is `width * 2^r`. Pending attempts start in the order of their budgets
(ties by position), strictly: nothing behind an attempt that does not fit is looked at. -/

namespace OnlineKvCache

/-- A job: it needs `height` rounds in one attempt; an attempt that reaches `cap` rounds without
completing is a certificate that the job is long, and ends the job as a completion does. -/
structure RectJob where
  /-- Memory reserved while an attempt runs. -/
  width : Nat
  /-- Rounds that an attempt must run to complete; unknown to the rule. -/
  height : Nat
  /-- Rounds after which an uncompleted attempt certifies that the job is long. -/
  cap : Option Nat

/-- What a job is doing. -/
inductive RectPhase where
  /-- The attempt of that level waits. -/
  | pending (level : Nat)
  /-- The attempt of that level runs, since round `start`. -/
  | active (level start : Nat)
  /-- Completed or certified at that time. -/
  | done (time : Nat)

deriving instance DecidableEq for RectPhase

/-- A job and what it is doing. -/
structure RectEntry where
  /-- The job. -/
  job : RectJob
  /-- What it is doing. -/
  phase : RectPhase

/-- The state of the rule: an entry for each job, in index order. -/
abbrev RectState := List RectEntry

/-- The job waits. -/
def RectEntry.isPending (e : RectEntry) : Bool :=
  match e.phase with
  | .pending _ => true
  | _ => false

/-- The job runs. -/
def RectEntry.isActive (e : RectEntry) : Bool :=
  match e.phase with
  | .active _ _ => true
  | _ => false

/-- The budget of the attempt that waits or runs. -/
def RectEntry.budget (e : RectEntry) : Nat :=
  match e.phase with
  | .pending r => e.job.width * 2 ^ r
  | .active r _ => e.job.width * 2 ^ r
  | .done _ => 0

/-- Total width of the jobs that run. -/
def usedWidth : RectState → Nat
  | [] => 0
  | e :: l => (if e.isActive then e.job.width else 0) + usedWidth l

/-- Position and entry of the pending job of least budget, the first such. -/
def firstPending : RectState → Option (Nat × RectEntry)
  | [] => none
  | e :: l =>
    match firstPending l with
    | none => if e.isPending then some (0, e) else none
    | some (i, c) => if e.isPending && decide (e.budget ≤ c.budget) then some (0, e)
        else some (i + 1, c)

/-- Change one entry. -/
def updateAt (f : RectEntry → RectEntry) : RectState → Nat → RectState
  | [], _ => []
  | e :: l, 0 => f e :: l
  | e :: l, i + 1 => e :: updateAt f l i

/-- A pending attempt starts in round `now`. -/
def RectEntry.begin (now : Nat) (e : RectEntry) : RectEntry :=
  match e.phase with
  | .pending r => ⟨e.job, .active r now⟩
  | _ => e

/-- SCAN: start the pending attempt of least budget, again and again, until it does not fit. At most
as many start as there are jobs. -/
def rectScan (M now : Nat) : Nat → RectState → RectState
  | 0, st => st
  | n + 1, st =>
    match firstPending st with
    | none => st
    | some (i, e) =>
      if usedWidth st + e.job.width ≤ M then rectScan M now n (updateAt (RectEntry.begin now) st i)
      else st

/-- How an attempt ends. -/
inductive RectOutcome where
  /-- The job is complete. -/
  | completion
  /-- The job is certified to be long. -/
  | certificate
  /-- The rounds of the level are used up. -/
  | expiration

deriving instance DecidableEq for RectOutcome

/-- Whether and how an attempt ends at time `now`. -/
noncomputable def RectEntry.outcome (now : Nat) (e : RectEntry) : Option RectOutcome :=
  match e.phase with
  | .active r b =>
    if now - b = e.job.height then some .completion
    else if e.job.cap = some (now - b) then some .certificate
    else if now - b = 2 ^ r then some .expiration
    else none
  | _ => none

/-- The end of an attempt: after an expiration the next level waits, otherwise the job is done. -/
def RectEntry.finish (now : Nat) (o : RectOutcome) (e : RectEntry) : RectEntry :=
  match o, e.phase with
  | .expiration, .active r _ => ⟨e.job, .pending (r + 1)⟩
  | _, _ => ⟨e.job, .done now⟩

/-- One event: if the attempt at position `i` ends in this way at time `now`, it ends; SCAN. -/
noncomputable def rectEvent (M now : Nat) (o : RectOutcome) (st : RectState) (i : Nat) :
    RectState :=
  match st[i]? with
  | none => st
  | some e =>
    if e.outcome now = some o then
      rectScan M now st.length (updateAt (RectEntry.finish now o) st i)
    else st

/-- All events of one kind at time `now`, one at a time, by index. -/
noncomputable def rectEvents (M now : Nat) (o : RectOutcome) (st : RectState) : RectState :=
  (List.range st.length).foldl (rectEvent M now o) st

/-- All events at time `now`: completions, then certificates, then expirations. -/
noncomputable def rectRound (M now : Nat) (st : RectState) : RectState :=
  rectEvents M now .expiration (rectEvents M now .certificate (rectEvents M now .completion st))

/-- The state at time 0: all jobs wait at level 0, then SCAN. -/
noncomputable def rectInit (M : Nat) (jobs : List RectJob) : RectState :=
  rectScan M 0 jobs.length (jobs.map fun j => ⟨j, .pending 0⟩)

/-- The state at time `t`, after all events of that time. -/
noncomputable def rectState (M : Nat) (jobs : List RectJob) : Nat → RectState
  | 0 => rectInit M jobs
  | t + 1 => rectRound M (t + 1) (rectState M jobs t)

/-- The time at which a job was completed or certified, if it was. -/
def RectEntry.time (e : RectEntry) : Nat :=
  match e.phase with
  | .done c => c
  | _ => 0

/-- Run from a state at time `now` until all jobs are done, for at most `fuel` rounds. -/
noncomputable def rectRun (M : Nat) : Nat → Nat → RectState → RectState
  | 0, _, st => st
  | fuel + 1, now, st =>
    if st.all fun e => !(e.isPending || e.isActive) then st
    else rectRun M fuel (now + 1) (rectRound M (now + 1) st)

/-- The times at which the jobs are completed (or certified), in index order. -/
noncomputable def rectCompletions (M : Nat) (jobs : List RectJob) : List Nat :=
  (rectRun M (3 * (jobs.map RectJob.height).sum) 0 (rectInit M jobs)).map RectEntry.time

/-- Jobs from widths, heights and optional caps. -/
def rectJobs : List Nat → List Nat → List (Option Nat) → List RectJob
  | w :: ws, p :: ps, c :: cs => ⟨w, p, c⟩ :: rectJobs ws ps cs
  | _, _, _ => []

/-- Prompt-heavy interpretation: width `2s`, height the output, certificate at `s` rounds. -/
def promptHeavyJob (q : Request) : RectJob := ⟨2 * q.prompt, q.output, some q.prompt⟩

/-- Large interpretation: width `M`, height the output, no certificate. -/
def largeJob (M : Nat) (q : Request) : RectJob := ⟨M, q.output, none⟩

end OnlineKvCache
