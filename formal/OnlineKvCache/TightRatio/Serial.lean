module

public import OnlineKvCache.Online.ByRequest

@[expose] public section

/-! # The serial rule -/

namespace OnlineKvCache

/-- Lexicographic order on `(arrival, id)`. -/
def before (p q : Request) : Bool :=
  decide (p.arrival < q.arrival ∨ (p.arrival = q.arrival ∧ p.id < q.id))

/-- Start of `q` in the serial schedule: its arrival plus the outputs of all earlier requests. -/
noncomputable def serialStart (I : List Request) (q : Request) : Nat :=
  q.arrival + (I.map fun p => if before p q then p.output else 0).sum

/-- The serial scheduler: one rule for every memory and every number of requests. -/
noncomputable def serial : Scheduler := byRequest serialStart

end OnlineKvCache
