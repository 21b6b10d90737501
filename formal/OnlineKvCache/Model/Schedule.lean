module

public import OnlineKvCache.Model.Request

@[expose] public section

/-! # Schedules

A request that starts in round `b` is active in the rounds `b, …, b + output - 1` without pause
and completes at `b + output`. -/

namespace OnlineKvCache

/-- A schedule: the start round of the request with a given label. -/
abbrev Schedule := Nat → Nat

/-- The start round of `q`. -/
abbrev start (S : Schedule) (q : Request) : Nat := S q.id

/-- The completion time of `q`: the first round in which it is no longer active. -/
def completion (S : Schedule) (q : Request) : Nat := start S q + q.output

/-- `q` is active in round `t`. -/
def Active (S : Schedule) (q : Request) (t : Nat) : Prop := start S q ≤ t ∧ t < completion S q

/-- Whether a request is active is decidable. -/
instance instDecidableActive (S : Schedule) (q : Request) (t : Nat) : Decidable (Active S q t) :=
  inferInstanceAs (Decidable (_ ∧ _))

end OnlineKvCache
