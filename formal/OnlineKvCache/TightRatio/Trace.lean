module

public import OnlineKvCache.TightRatio.MainFiller
public import OnlineKvCache.Online.ByRequest

@[expose] public section

/-! # What the analysis uses of a main and filler schedule -/

namespace OnlineKvCache

/-- The schedule of the rule on an instance. -/
noncomputable abbrev ruleSchedule (M : Nat) (ready : Request → Nat) (I : List Request) : Schedule :=
  scheduleOf (mainFiller M ready) I

/-- The requests that run as main. -/
def IsMain (M : Nat) (ready : Request → Nat) (I : List Request) (q : Request) : Prop :=
  ∃ e ∈ history M ready I (horizon ready I), e.request = q ∧ e.main = true

/-- Sum of the outputs of the requests of `G` that are smaller than `q`. -/
noncomputable def below (G : List Request) (q : Request) : Nat :=
  (G.map fun i => if KeyLt i q then i.output else 0).sum

/-- The properties of a schedule of the main and filler rule. -/
structure Trace (M : Nat) (ready : Request → Nat) (I : List Request) (S : Schedule)
    (main : Request → Prop) : Prop where
  /-- No request starts before it is ready. -/
  ready_le : ∀ q ∈ I, ready q ≤ start S q
  /-- Mains run one after the other. -/
  main_apart : ∀ p ∈ I, ∀ q ∈ I, main p → main q → p ≠ q →
    completion S p ≤ start S q ∨ completion S q ≤ start S p
  /-- Fillers run one after the other. -/
  filler_apart : ∀ p ∈ I, ∀ q ∈ I, ¬ main p → ¬ main q → p ≠ q →
    completion S p ≤ start S q ∨ completion S q ≤ start S p
  /-- Every filler has run beside a larger main, within its run, and they fitted. -/
  host : ∀ f ∈ I, ¬ main f → ∃ m ∈ I, main m ∧ start S m ≤ start S f ∧
    completion S f ≤ completion S m ∧ KeyLt f m ∧
    m.prompt + (start S f - start S m + f.output) + f.peak ≤ M
  /-- While a ready request waits, a main runs. -/
  busy : ∀ q ∈ I, ∀ t, ready q ≤ t → t < start S q → ∃ m ∈ I, main m ∧ Active S m t
  /-- A main that starts is smaller than all other ready requests. -/
  main_first : ∀ m ∈ I, ∀ q ∈ I, main m → m ≠ q → ready q ≤ start S m → start S m ≤ start S q →
    KeyLt m q
  /-- While a ready request waits that would fit under the main, a filler runs; one that starts is
  smaller. -/
  filler : ∀ q ∈ I, ∀ m ∈ I, ∀ t, main m → ready q ≤ t → t < start S q → Active S m t →
    KeyLt q m → t + q.output ≤ completion S m →
    m.prompt + (t - start S m + q.output) + q.peak ≤ M →
    ∃ f ∈ I, ¬ main f ∧ Active S f t ∧ (start S f = t → KeyLt f q)

end OnlineKvCache
