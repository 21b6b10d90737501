module

public import OnlineKvCache.Model.Schedule

@[expose] public section

/-! # Memory

The cache of a request grows by one token in each active round and is released at completion. -/

namespace OnlineKvCache

/-- Memory of `q` in round `t`: `prompt + 1, …, prompt + output` in its active rounds, else
nothing. -/
def memory (S : Schedule) (q : Request) (t : Nat) : Nat :=
  if Active S q t then q.prompt + (t - start S q) + 1 else 0

/-- Total memory of the instance in round `t`. -/
noncomputable def occupancy (I : List Request) (S : Schedule) (t : Nat) : Nat :=
  (I.map fun q => memory S q t).sum

/-- A feasible schedule at memory `M`: no request starts before its arrival, and in no round is
more than `M` held. -/
structure Feasible (M : Nat) (I : List Request) (S : Schedule) : Prop where
  /-- No request starts before it arrives. -/
  release : ∀ q ∈ I, q.arrival ≤ start S q
  /-- The memory suffices in every round. -/
  capacity : ∀ t, occupancy I S t ≤ M

end OnlineKvCache
