module

public import OnlineKvCache.TightRatio.MainFiller

@[expose] public section

/-! # The longest goes first

The main and filler rule with one more step. When the longest revealed request is ready and the
filler track is free, it starts at once as main if nearly all other ready requests (all but `K`)
can run beneath it, one after the other, together with what is left of the main that runs. They are
then committed as a block. The rule looks only at revealed requests and knows no `n`. -/

namespace OnlineKvCache

/-- The part that a request plays: started as the longest, as the smallest main, beside a main, or
in a block beneath the longest. -/
inductive Role where
  /-- The longest revealed request, started ahead of others. -/
  | long
  /-- The smallest ready request, started when no main ran. -/
  | main
  /-- Started beside a main. -/
  | filler
  /-- Committed to run beneath the longest. -/
  | block

deriving instance DecidableEq for Role

/-- A decision that has been taken in round `decided`: `request` starts in round `start`. -/
structure Decision where
  /-- The request. -/
  request : Request
  /-- Its start round. -/
  start : Nat
  /-- The round of the decision; only for a block it is before the start. -/
  decided : Nat
  /-- The part it plays. -/
  role : Role

/-- The round in which the request of a decision is no longer active. -/
def Decision.finish (e : Decision) : Nat := e.start + e.request.output

/-- The request runs as main. -/
def Decision.IsMain (e : Decision) : Prop := e.role = .long ∨ e.role = .main

/-- Running as main is decidable. -/
instance instDecidableIsMain (e : Decision) : Decidable e.IsMain :=
  inferInstanceAs (Decidable (_ ∨ _))

/-- The largest request of a list. -/
def largest : List Request → Option Request
  | [] => none
  | q :: l =>
    match largest l with
    | none => some q
    | some p => if KeyLt q p then some p else some q

/-- The sublists of a list, those with its first members first. -/
noncomputable def sublists : List Request → List (List Request)
  | [] => [[]]
  | q :: l => ((sublists l).map fun r => q :: r) ++ sublists l

/-- Insertion in the order of output, ties by label. -/
def insertByKey (q : Request) : List Request → List Request
  | [] => [q]
  | p :: l =>
    if q.output < p.output ∨ (q.output = p.output ∧ q.id ≤ p.id) then q :: p :: l
    else p :: insertByKey q l

/-- A list of requests in the order of output, ties by label. -/
def sortByKey : List Request → List Request
  | [] => []
  | q :: l => insertByKey q (sortByKey l)

/-- The main that runs in round `t`; the log holds the latest decisions first. -/
noncomputable def current (log : List Decision) (t : Nat) : Option Decision :=
  log.find? fun e => decide (e.IsMain ∧ t < e.finish)

/-- What is left of the main that runs in round `t`. -/
noncomputable def rest (log : List Decision) (t : Nat) : Nat :=
  match current log t with
  | none => 0
  | some m => m.finish - t

/-- Nothing but the main runs in round `t` or is committed to run later. -/
noncomputable def trackFree (log : List Decision) (t : Nat) : Bool :=
  log.all fun e => decide (e.finish ≤ t ∨ (current log t).map Decision.request = some e.request)

/-- The requests that are ready in round `t` and undecided. -/
noncomputable def undecided (ready : Request → Nat) (I : List Request) (log : List Decision)
    (t : Nat) : List Request :=
  I.filter fun q => decide (ready q ≤ t ∧ ∀ e ∈ log, e.request ≠ q)

/-- The other undecided requests, in order. -/
noncomputable def others (ready : Request → Nat) (I : List Request) (log : List Decision) (t : Nat)
    (J : Request) : List Request :=
  sortByKey ((undecided ready I log t).filter fun q => decide (q ≠ J))

/-- The main that runs fits beneath `J`, started in round `t`, until its end. -/
noncomputable def mainFits (M : Nat) (log : List Decision) (t : Nat) (J : Request) : Bool :=
  match current log t with
  | none => true
  | some m => decide (J.prompt + (m.finish - t) + m.request.peak ≤ M)

/-- `J` may start in round `t` with the block `F`: all but `K` of the others are in the block, main
and block end before `J`, and each fits even at the end of the block. -/
def Admissible (M K : Nat) (log : List Decision) (t : Nat) (J : Request) (W F : List Request) :
    Prop :=
  W.length ≤ F.length + K ∧ rest log t + (F.map Request.output).sum ≤ J.output ∧
    mainFits M log t J = true ∧
    ∀ i ∈ F, J.prompt + (rest log t + (F.map Request.output).sum) + i.peak ≤ M

/-- Admissibility is decidable. -/
noncomputable instance instDecidableAdmissible (M K : Nat) (log : List Decision) (t : Nat)
    (J : Request) (W F : List Request) : Decidable (Admissible M K log t J W F) :=
  inferInstanceAs (Decidable (_ ∧ _))

/-- The longest revealed request, when it is ready and undecided. -/
noncomputable def pending (ready : Request → Nat) (I : List Request) (log : List Decision)
    (t : Nat) : Option Request :=
  match largest (I.filter fun q => decide (q.arrival ≤ t)) with
  | none => none
  | some J => if ready J ≤ t ∧ ∀ e ∈ log, e.request ≠ J then some J else none

/-- The longest request and its block, when it can start. -/
noncomputable def longStart (M K : Nat) (ready : Request → Nat) (I : List Request)
    (log : List Decision) (t : Nat) : Option (Request × List Request) :=
  match pending ready I log t with
  | none => none
  | some J =>
    if trackFree log t = true then
      ((sublists (others ready I log t J)).find? fun F =>
        decide (Admissible M K log t J (others ready I log t J) F)).map fun F => (J, F)
    else none

/-- A block decided in round `t`: the requests run one after the other from round `s` on. -/
def blockFrom (t : Nat) : Nat → List Request → List Decision
  | _, [] => []
  | s, q :: l => ⟨q, s, t, .block⟩ :: blockFrom t (s + q.output) l

/-- `q`, started in round `t` beside the main `j`, is smaller than `j`, ends within its run, and
fits. -/
def FitsBeside (M : Nat) (j : Decision) (t : Nat) (q : Request) : Prop :=
  KeyLt q j.request ∧ t + q.output ≤ j.finish ∧
    j.request.prompt + (t - j.start + q.output) + q.peak ≤ M

/-- Fitting is decidable. -/
instance instDecidableFitsBeside (M : Nat) (j : Decision) (t : Nat) (q : Request) :
    Decidable (FitsBeside M j t q) := inferInstanceAs (Decidable (_ ∧ _))

/-- Round `t`. The longest starts with its block if it can; else, when no main runs, the smallest
ready request starts as main; else, when nothing is pending and the track is free, the smallest
ready request that fits starts beside the main. -/
noncomputable def nextRound (M K : Nat) (ready : Request → Nat) (I : List Request)
    (log : List Decision) (t : Nat) : List Decision :=
  match longStart M K ready I log t with
  | some (J, F) => blockFrom t (t + rest log t) F ++ ⟨J, t, t, .long⟩ :: log
  | none =>
    match current log t with
    | none =>
      match smallest (undecided ready I log t) with
      | none => log
      | some q => ⟨q, t, t, .main⟩ :: log
    | some j =>
      if (pending ready I log t).isSome = true ∨ trackFree log t = false then log else
        match smallest ((undecided ready I log t).filter fun q => decide (FitsBeside M j t q)) with
        | none => log
        | some q => ⟨q, t, t, .filler⟩ :: log

/-- The decisions of all rounds before `t`. -/
noncomputable def decisions (M K : Nat) (ready : Request → Nat) (I : List Request) :
    Nat → List Decision
  | 0 => []
  | t + 1 => nextRound M K ready I (decisions M K ready I t) t

/-- The rule: the start that the simulation gives. -/
noncomputable def longestFirst (M K : Nat) (ready : Request → Nat) : Scheduler := fun I i =>
  ((decisions M K ready I (horizon ready I)).find? fun e => decide (e.request.id = i)).map
    Decision.start

/-- A request is ready when it has waited for the part `u / v` of its output, rounded up. -/
def partReady (u v : Nat) (q : Request) : Nat := q.arrival + (u * q.output + (v - 1)) / v

/-! ### For the proofs -/

/-- The request of a decision is active in round `u`. -/
def Decision.On (e : Decision) (u : Nat) : Prop := e.start ≤ u ∧ u < e.finish

/-- `c` runs as main in round `u`, `e` beside it, they fit, and nothing else runs. -/
def Share (M : Nat) (log : List Decision) (c e : Decision) (u : Nat) : Prop :=
  c.IsMain ∧ c.request.prompt + (u - c.start) + 1 + (e.request.prompt + (u - e.start) + 1) ≤ M ∧
    ∀ g ∈ log, g.On u → g = c ∨ g = e

/-- `c` is the latest main of the log. -/
def LatestMain (log : List Decision) (c : Decision) : Prop :=
  c ∈ log ∧ c.IsMain ∧ ∀ m ∈ log, m.IsMain → m.start ≤ c.start

end OnlineKvCache
