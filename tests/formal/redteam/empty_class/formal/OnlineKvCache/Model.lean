module

@[expose] public section

/-! # A model of three definitions -/

namespace OnlineKvCache

/-- A job. -/
structure Job where
  /-- Earliest start. -/
  arrival : Nat
  /-- Rounds that it runs. -/
  output : Nat

/-- A scheduler names a start for each job. -/
abbrev Scheduler := Job → Nat

/-- First round after the job. -/
def completion (start : Nat) (j : Job) : Nat := start + j.output

/-- It starts no job before its arrival. -/
def Honest (A : Scheduler) : Prop := ∀ j, j.arrival ≤ A j

/-- It starts every job before its arrival and after it. -/
def Prophetic (A : Scheduler) : Prop := ∀ j, A j < j.arrival ∧ j.arrival < A j

end OnlineKvCache
