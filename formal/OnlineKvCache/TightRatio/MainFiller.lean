module

public import OnlineKvCache.Online.Scheduler

@[expose] public section

/-! # The main and filler rule

At most two requests run at any time. When nothing runs as main, the smallest ready request starts
as main. Beside a main, and within its run, smaller ready requests are fitted in one at a time as
fillers. A request is ready when its age has reached a part of its output, so that a long request
does not start the moment it arrives. The rule looks only at revealed requests and knows no `n`. -/

namespace OnlineKvCache

/-- Order by output, ties by label. -/
def KeyLt (p q : Request) : Prop := p.output < q.output ∨ (p.output = q.output ∧ p.id < q.id)

/-- The order is decidable. -/
instance instDecidableKeyLt (p q : Request) : Decidable (KeyLt p q) :=
  inferInstanceAs (Decidable (_ ∨ _))

/-- The smallest request of a list. -/
def smallest : List Request → Option Request
  | [] => none
  | q :: l =>
    match smallest l with
    | none => some q
    | some p => if KeyLt p q then some p else some q

/-- A decision that has been taken: `request` starts in round `start`, as main or as filler. -/
structure Entry where
  /-- The request that starts. -/
  request : Request
  /-- Its start round. -/
  start : Nat
  /-- Main or filler. -/
  main : Bool

/-- The round in which the request of an entry is no longer active. -/
def Entry.finish (e : Entry) : Nat := e.start + e.request.output

/-- The main (or the filler) among the decisions of a log that still runs in round `t`. -/
noncomputable def running (main : Bool) (log : List Entry) (t : Nat) : Option Entry :=
  log.find? fun e => decide (e.main = main ∧ t < e.finish)

/-- The requests that are ready in round `t` and not yet started. -/
noncomputable def waiting (ready : Request → Nat) (I : List Request) (log : List Entry) (t : Nat) :
    List Request :=
  I.filter fun q => decide (ready q ≤ t ∧ ∀ e ∈ log, e.request ≠ q)

/-- `q`, started in round `t` beside the main `j`, is smaller than `j`, ends within its run, and
fits: both grow, so their last common round decides. -/
def FitsUnder (M : Nat) (j : Entry) (t : Nat) (q : Request) : Prop :=
  KeyLt q j.request ∧ t + q.output ≤ j.finish ∧
    j.request.prompt + (t - j.start + q.output) + q.peak ≤ M

/-- Fitting is decidable. -/
instance instDecidableFitsUnder (M : Nat) (j : Entry) (t : Nat) (q : Request) :
    Decidable (FitsUnder M j t q) := inferInstanceAs (Decidable (_ ∧ _))

/-- First half of round `t`: when no main runs, the smallest waiting request starts as main. -/
noncomputable def startMain (ready : Request → Nat) (I : List Request) (log : List Entry)
    (t : Nat) : List Entry :=
  match running true log t with
  | some _ => log
  | none =>
    match smallest (waiting ready I log t) with
    | none => log
    | some q => ⟨q, t, true⟩ :: log

/-- Second half of round `t`: when a main runs and no filler, the smallest waiting request that
fits starts as filler. -/
noncomputable def startFiller (M : Nat) (ready : Request → Nat) (I : List Request)
    (log : List Entry) (t : Nat) : List Entry :=
  match running true log t with
  | none => log
  | some j =>
    match running false log t with
    | some _ => log
    | none =>
      match smallest ((waiting ready I log t).filter fun q => decide (FitsUnder M j t q)) with
      | none => log
      | some q => ⟨q, t, false⟩ :: log

/-- The decisions of all rounds before `t`. -/
noncomputable def history (M : Nat) (ready : Request → Nat) (I : List Request) : Nat → List Entry
  | 0 => []
  | t + 1 => startFiller M ready I (startMain ready I (history M ready I t) t) t

/-- A round before which every request has started: the simulation may stop there. -/
noncomputable def horizon (ready : Request → Nat) (I : List Request) : Nat :=
  (I.map fun q => ready q + q.output).sum + 1

/-- The rule: the start that the simulation gives. -/
noncomputable def mainFiller (M : Nat) (ready : Request → Nat) : Scheduler := fun I i =>
  ((history M ready I (horizon ready I)).find? fun e => decide (e.request.id = i)).map Entry.start

/-- Half delay: a request is ready when it has waited for half its output, rounded up. -/
def halfReady (q : Request) : Nat := q.arrival + (q.output + 1) / 2

/-- The main and filler rule with half delay. -/
noncomputable def halfDelay (M : Nat) : Scheduler := mainFiller M halfReady

/-- The main and filler rule without delay. -/
noncomputable def shortestFirst (M : Nat) : Scheduler := mainFiller M Request.arrival

end OnlineKvCache
