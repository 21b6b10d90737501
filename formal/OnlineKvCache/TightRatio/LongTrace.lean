module

public import OnlineKvCache.TightRatio.LongestFirst
public import OnlineKvCache.Online.ByRequest
public import OnlineKvCache.TightRatio.Trace

@[expose] public section

/-! # What the analysis uses of a longest-first schedule -/

namespace OnlineKvCache

/-- The schedule of the rule on an instance. -/
noncomputable abbrev longSchedule (M K : Nat) (ready : Request → Nat) (I : List Request) :
    Schedule := scheduleOf (longestFirst M K ready) I

/-- The decision about `q` in the whole run. -/
noncomputable def decisionOf (M K : Nat) (ready : Request → Nat) (I : List Request) (q : Request) :
    Option Decision :=
  (decisions M K ready I (horizon ready I)).find? fun e => decide (e.request = q)

/-- The round in which the start of `q` is decided. -/
noncomputable def decidedIn (M K : Nat) (ready : Request → Nat) (I : List Request) (q : Request) :
    Nat := ((decisionOf M K ready I q).map Decision.decided).getD 0

/-- The part that `q` plays. -/
noncomputable def roleOf (M K : Nat) (ready : Request → Nat) (I : List Request) (q : Request) :
    Role := ((decisionOf M K ready I q).map Decision.role).getD .main

/-- A role that makes a main. -/
def Role.IsMain (r : Role) : Prop := r = .long ∨ r = .main

/-- `q` was ready when the longest request `J` started, and was left out of its block. -/
def Unfit (S : Schedule) (dec : Request → Nat) (role : Request → Role) (ready : Request → Nat)
    (J q : Request) : Prop :=
  role J = .long ∧ q ≠ J ∧ ready q ≤ start S J ∧ start S J ≤ dec q ∧
    ¬ (role q = .block ∧ dec q = start S J)

/-- `q`, started in round `t`, ends within the run of `j` and fits beside it. -/
def Beneath (M : Nat) (S : Schedule) (j q : Request) (t : Nat) : Prop :=
  t + q.output ≤ completion S j ∧ j.prompt + (t - start S j + q.output) + q.peak ≤ M

/-- The requests other than `j` that are ready and undecided in round `t`. -/
noncomputable def waitingBeside (I : List Request) (dec : Request → Nat) (ready : Request → Nat)
    (j : Request) (t : Nat) : List Request :=
  I.filter fun i => decide (i ≠ j ∧ ready i ≤ t ∧ t ≤ dec i)

/-- The properties of a schedule of the longest-first rule; `j` is the largest request. -/
structure LongTrace (M K : Nat) (ready : Request → Nat) (I : List Request) (S : Schedule)
    (dec : Request → Nat) (role : Request → Role) (j : Request) : Prop where
  /-- Decisions are taken about ready requests, and before the start. -/
  ready_le : ∀ q ∈ I, ready q ≤ dec q ∧ dec q ≤ start S q
  /-- Only a block is decided ahead. -/
  dec_eq : ∀ q ∈ I, role q ≠ .block → start S q = dec q
  /-- While a ready request waits, something runs: the latest main from before it was ready, or a
  main that was smaller or has left it out, or an earlier member of its own block. -/
  busy : ∀ q ∈ I, ∀ t, ready q ≤ t → t < start S q → ∃ e ∈ I, Active S e t ∧
    (((role e).IsMain ∧ start S e < ready q ∧
        ∀ m ∈ I, (role m).IsMain → start S m < ready q → start S m ≤ start S e) ∨
      (ready q ≤ start S e ∧ (KeyLt e q ∨ Unfit S dec role ready e q))) ∧
    (((role e).IsMain ∧ start S e < dec q) ∨
      (role q = .block ∧ role e = .block ∧ dec e = dec q))
  /-- Mains start in different rounds. -/
  main_inj : ∀ e ∈ I, ∀ f ∈ I, (role e).IsMain → (role f).IsMain → start S e = start S f → e = f
  /-- Few are left out. -/
  unfit_count : ∀ J ∈ I, role J = .long → ∃ U : List Request, U.length ≤ K ∧
    ∀ q ∈ I, Unfit S dec role ready J q → q ∈ U
  /-- The largest request starts ahead of others. -/
  long_j : role j = .long
  /-- No other does, once the largest has arrived. -/
  long_lt : ∀ J ∈ I, role J = .long → J = j ∨ start S J < j.arrival
  /-- Only a longest request starts while a main runs. -/
  mains : ∀ e ∈ I, ∀ f ∈ I, (role e).IsMain → (role f).IsMain → start S e < start S f →
    completion S e ≤ start S f ∨ role f = .long
  /-- A block is decided when a longest request starts. -/
  block_long : ∀ q ∈ I, role q = .block → ∃ J ∈ I, role J = .long ∧ start S J = dec q
  /-- While `j` is ready and waits, only mains are decided, when nothing runs. -/
  pend : ∀ e ∈ I, ready j ≤ dec e → dec e < start S j →
    role e = .main ∧ ∀ m ∈ I, dec m < dec e → completion S m ≤ dec e
  /-- What is decided ends within the latest main. -/
  cover : ∀ t, ∀ e ∈ I, dec e < t → t < completion S e → ∃ c ∈ I, (role c).IsMain ∧
    start S c < t ∧ t < completion S c ∧ completion S e ≤ completion S c ∧
    ∀ m ∈ I, (role m).IsMain → start S m < t → start S m ≤ start S c
  /-- When something is decided beside the latest main, something runs beside it. -/
  track : ∀ t, ∀ c ∈ I, (role c).IsMain → start S c < t →
    (∀ m ∈ I, (role m).IsMain → start S m < t → start S m ≤ start S c) →
    ∀ e ∈ I, e ≠ c → dec e < t → t < completion S e → ∃ f ∈ I, f ≠ c ∧ dec f < t ∧ Active S f t
  /-- While `j` is ready and waits and the track is free, no block is admissible. -/
  refuse : ∀ t, ready j ≤ t → t < start S j → ∀ x,
    ((∃ m ∈ I, (role m).IsMain ∧ start S m < t ∧ t + x = completion S m ∧ 0 < x ∧
      (∀ e ∈ I, dec e < t → e = m ∨ completion S e ≤ t) ∧ j.prompt + x + m.peak ≤ M) ∨
      (x = 0 ∧ ∀ e ∈ I, dec e < t → completion S e ≤ t)) →
    ∀ A : Request → Bool,
      (waitingBeside I dec ready j t).length ≤
        ((waitingBeside I dec ready j t).filter A).length + K →
      x + (((waitingBeside I dec ready j t).filter A).map Request.output).sum ≤ j.output →
      ¬ ∀ i ∈ (waitingBeside I dec ready j t).filter A, j.prompt +
        (x + (((waitingBeside I dec ready j t).filter A).map Request.output).sum) + i.peak ≤ M
  /-- When `j` starts, only a main still runs. -/
  free_j : ∀ e ∈ I, dec e < start S j → start S j < completion S e → (role e).IsMain
  /-- While `j` runs and a ready request waits that fits beside it, something runs beside it. -/
  fill_busy : ∀ q ∈ I, ∀ t, start S j < t → t < completion S j → ready q ≤ t → t < dec q →
    KeyLt q j → Beneath M S j q t → ∃ f ∈ I, f ≠ j ∧ dec f ≤ t ∧ Active S f t
  /-- Of those that fit, the smallest starts. -/
  fill_min : ∀ f ∈ I, role f = .filler → start S j < start S f → start S f < completion S j →
    Beneath M S j f (start S f) ∧
    ∀ q ∈ I, ready q ≤ start S f → start S f < dec q → KeyLt q j → Beneath M S j q (start S f) →
      KeyLt f q
  /-- No filler starts together with `j`. -/
  fill_ne : ∀ f ∈ I, role f = .filler → start S f ≠ start S j
  /-- Fillers run one at a time. -/
  fill_unique : ∀ e ∈ I, ∀ f ∈ I, role e = .filler → role f = .filler → ∀ t, Active S e t →
    Active S f t → e = f

/-- The other requests that were ready when `j` started. -/
noncomputable def readyBefore (I : List Request) (S : Schedule) (ready : Request → Nat)
    (j : Request) : List Request := (I.erase j).filter fun q => decide (ready q ≤ start S j)

/-- The other requests that became ready after `j` started. -/
noncomputable def readyAfter (I : List Request) (S : Schedule) (ready : Request → Nat)
    (j : Request) : List Request := (I.erase j).filter fun q => !decide (ready q ≤ start S j)

/-- `q` started before `j`, or runs in its block. -/
def Early (S : Schedule) (dec : Request → Nat) (role : Request → Role) (j q : Request) : Prop :=
  dec q < start S j ∨ (role q = .block ∧ dec q = start S j)

/-- Being early is decidable. -/
instance instDecidableEarly (S : Schedule) (dec : Request → Nat) (role : Request → Role)
    (j q : Request) : Decidable (Early S dec role j q) := inferInstanceAs (Decidable (_ ∨ _))

/-- The requests that were ready when `j` started and are early. -/
noncomputable def earlyPart (I : List Request) (S : Schedule) (dec : Request → Nat)
    (role : Request → Role) (ready : Request → Nat) (j : Request) : List Request :=
  (readyBefore I S ready j).filter fun q => decide (Early S dec role j q)

/-- The requests that were ready when `j` started and left out of its block. -/
noncomputable def leftPart (I : List Request) (S : Schedule) (dec : Request → Nat)
    (role : Request → Role) (ready : Request → Nat) (j : Request) : List Request :=
  (readyBefore I S ready j).filter fun q => !decide (Early S dec role j q)

/-- The requests that ran as fillers beside `j` after it had started. -/
noncomputable def beside (I : List Request) (S : Schedule) (role : Request → Role)
    (ready : Request → Nat) (j : Request) : List Request :=
  (readyAfter I S ready j).filter fun q => decide (role q = .filler ∧ start S q < completion S j)

open Classical in
/-- Sum of the outputs of the requests that left `q` out of their blocks. -/
noncomputable def charge (I : List Request) (S : Schedule) (dec : Request → Nat)
    (role : Request → Role) (ready : Request → Nat) (q : Request) : Nat :=
  (I.map fun J => if Unfit S dec role ready J q then J.output else 0).sum

/-- What the analysis of a longest-first schedule `S` against a feasible schedule `T` assumes. The
part `u / v` lies between the golden ratio conjugate and 2/3. -/
structure LongSetting (M K u v : Nat) (I : List Request) (S T : Schedule) (dec : Request → Nat)
    (role : Request → Role) (j : Request) : Prop where
  /-- The instance is valid. -/
  valid : Valid M I
  /-- `S` is a schedule of the rule. -/
  trace : LongTrace M K (partReady u v) I S dec role j
  /-- `T` is feasible. -/
  comparator : Feasible M I T
  /-- `j` is a request of the instance. -/
  mem : j ∈ I
  /-- `j` is the largest one. -/
  max : ∀ i ∈ I, i ≠ j → KeyLt i j
  /-- The part has a denominator. -/
  pos : 1 ≤ v
  /-- The part is at most one. -/
  le_one : u ≤ v
  /-- The part is at least one half. -/
  half_le : v ≤ 2 * u
  /-- The part is at least the golden ratio conjugate. -/
  golden : v * v ≤ u * (u + v)
  /-- The part is at least `2 - √2`. -/
  root : u * u + 2 * (v * v) ≤ 4 * (u * v)

end OnlineKvCache
