module

public import OnlineKvCache.Model.Cost

@[expose] public section

/-! # Deterministic online schedulers -/

namespace OnlineKvCache

/-- A deterministic scheduler: for every finite instance and label, the start round, or `none`
when the request is never started. It is one rule for every number of requests. -/
abbrev Scheduler := List Request → Nat → Option Nat

/-- On instance `I`, `A` has started the request with label `i` in round `t` or before. -/
def StartedBy (A : Scheduler) (I : List Request) (i t : Nat) : Prop := ∃ b, A I i = some b ∧ b ≤ t

/-- The revealed prefix: `q` belongs to `I` and has arrived in round `t` or before. -/
def Revealed (I : List Request) (t : Nat) (q : Request) : Prop := q ∈ I ∧ q.arrival ≤ t

/-- Exactly the same requests are revealed through round `t`. -/
def SameRevealed (I J : List Request) (t : Nat) : Prop := ∀ q, Revealed I t q ↔ Revealed J t q

/-- Observational causality at memory `M`: if two valid instances reveal the same requests through
round `t`, then every revealed request has the same started-by-`t` decision in both. Arrivals of
round `t` itself may be used; nothing later may. -/
def Causal (M : Nat) (A : Scheduler) : Prop :=
  ∀ I J t, Valid M I → Valid M J → SameRevealed I J t →
    ∀ q, Revealed I t q → (StartedBy A I q.id t ↔ StartedBy A J q.id t)

/-- `A` serves `I`: it starts every request, and the schedule `S` of its starts is feasible. A
scheduler that fails to start a request serves that instance with no schedule at all. -/
structure Serves (M : Nat) (A : Scheduler) (I : List Request) (S : Schedule) : Prop where
  /-- The schedule is feasible. -/
  feasible : Feasible M I S
  /-- The schedule is what the scheduler does. -/
  starts : ∀ q ∈ I, A I q.id = some (start S q)

end OnlineKvCache
