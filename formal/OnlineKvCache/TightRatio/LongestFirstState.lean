module

public import OnlineKvCache.TightRatio.LongestFirst

@[expose] public section

/-! # The outcomes of a round and the invariant of the longest-first rule -/

namespace OnlineKvCache

/-- The outcomes of a round. -/
inductive Outcome (M K : Nat) (ready : Request → Nat) (I : List Request) (log : List Decision)
    (t : Nat) : List Decision → Prop
  /-- The longest starts with a block. -/
  | long (J : Request) (F : List Request) (h : longStart M K ready I log t = some (J, F)) :
    Outcome M K ready I log t (blockFrom t (t + rest log t) F ++ (⟨J, t, t, .long⟩ :: log))
  /-- No main runs and nothing is ready. -/
  | idle (h : longStart M K ready I log t = none) (hc : current log t = none)
    (hw : ∀ q, q ∉ undecided ready I log t) : Outcome M K ready I log t log
  /-- The smallest starts as main. -/
  | main (q : Request) (h : longStart M K ready I log t = none) (hc : current log t = none)
    (hq : q ∈ undecided ready I log t) (hmin : ∀ p ∈ undecided ready I log t, ¬ KeyLt p q) :
    Outcome M K ready I log t (⟨q, t, t, .main⟩ :: log)
  /-- A main runs, and no filler starts. -/
  | wait (j : Decision) (h : longStart M K ready I log t = none) (hc : current log t = some j)
    (hw : pending ready I log t = none → trackFree log t = true →
      ∀ q ∈ undecided ready I log t, ¬ FitsBeside M j t q) : Outcome M K ready I log t log
  /-- The smallest that fits starts beside the main. -/
  | filler (j : Decision) (q : Request) (h : longStart M K ready I log t = none)
    (hc : current log t = some j) (hp : pending ready I log t = none)
    (hf : trackFree log t = true) (hq : q ∈ undecided ready I log t) (hfit : FitsBeside M j t q)
    (hmin : ∀ p ∈ undecided ready I log t, FitsBeside M j t p → ¬ KeyLt p q) :
    Outcome M K ready I log t (⟨q, t, t, .filler⟩ :: log)

/-- The invariant of the decisions of the rounds before `t`. -/
structure LongInv (M : Nat) (ready : Request → Nat) (I : List Request) (t : Nat)
    (log : List Decision) : Prop where
  /-- Decisions are about ready requests, lie in the past, and precede the start. -/
  started : ∀ e ∈ log, e.request ∈ I ∧ ready e.request ≤ e.decided ∧ e.decided < t ∧
    e.decided ≤ e.start ∧ (e.role ≠ .block → e.start = e.decided)
  /-- Each request is decided at most once. -/
  once : ∀ e ∈ log, ∀ f ∈ log, e.request = f.request → e = f
  /-- The latest main comes first. -/
  order : log.Pairwise fun e f => e.IsMain → f.IsMain → f.start < e.start
  /-- Everything ends within the latest main. -/
  cover : ∀ e ∈ log, t < e.finish → ∃ c, LatestMain log c ∧ t < c.finish ∧ e.finish ≤ c.finish
  /-- Only a longest request starts while a main runs. -/
  mains : ∀ e ∈ log, ∀ f ∈ log, e.IsMain → f.IsMain → e.start < f.start →
    e.finish ≤ f.start ∨ f.role = .long
  /-- When something is decided beside the latest main, something runs beside it. -/
  track : ∀ c, LatestMain log c → ∀ u, t ≤ u → ∀ e ∈ log, e ≠ c → u < e.finish →
    ∃ f ∈ log, f ≠ c ∧ f.On u
  /-- Two requests that run together fit, one of them is main, and nothing else runs. -/
  pair : ∀ e ∈ log, ∀ f ∈ log, e ≠ f → ∀ u, e.On u → f.On u → Share M log e f u ∨ Share M log f e u
  /-- A filler fitted beside the latest main of its time. -/
  host : ∀ f ∈ log, f.role = .filler → ∃ c ∈ log, c.IsMain ∧ c.start ≤ f.start ∧
    f.start < c.finish ∧ FitsBeside M c f.start f.request ∧
    ∀ m ∈ log, m.IsMain → m.start ≤ f.start → m.start ≤ c.start
  /-- A block is decided with its longest request; before a member of it runs the main that was
  there, or a smaller member. -/
  block : ∀ q ∈ log, q.role = .block → (∃ J ∈ log, J.role = .long ∧ J.start = q.decided) ∧
    ∀ u, q.decided ≤ u → u < q.start → ∃ e ∈ log, e.On u ∧
      ((e.IsMain ∧ e.start < q.decided ∧
        ∀ m ∈ log, m.IsMain → m.start < q.decided → m.start ≤ e.start) ∨
      (e.role = .block ∧ e.decided = q.decided ∧ KeyLt e.request q.request))

end OnlineKvCache
