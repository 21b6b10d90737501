module

public import OnlineKvCache.Model.Memory

@[expose] public section

/-! # Costs -/

namespace OnlineKvCache

/-- End-to-end latency of one request: completion minus arrival. -/
def latency (S : Schedule) (q : Request) : Nat := completion S q - q.arrival

/-- Total end-to-end latency, the cost throughout. -/
noncomputable def TEL (I : List Request) (S : Schedule) : Nat := (I.map (latency S)).sum

/-- Sum of the completion times. -/
noncomputable def totalCompletion (I : List Request) (S : Schedule) : Nat :=
  (I.map (completion S)).sum

/-- The last completion time. -/
def makespan (I : List Request) (S : Schedule) : Nat :=
  I.foldl (fun m q => max m (completion S q)) 0

/-- The largest occupancy of a round before the makespan. -/
noncomputable def peakOccupancy (I : List Request) (S : Schedule) : Nat :=
  (List.range (makespan I S)).foldl (fun m t => max m (occupancy I S t)) 0

/-- Twice the volume (memory times rounds) of a request: its memory summed over its active rounds
is `prompt * output + output * (output + 1) / 2`. -/
def twiceVolume (q : Request) : Nat := 2 * (q.prompt * q.output) + q.output * (q.output + 1)

/-- `c` is the hindsight optimum of `I` at memory `M`: the least total latency of a feasible
schedule. -/
structure IsOPT (M : Nat) (I : List Request) (c : Nat) : Prop where
  /-- Some feasible schedule costs `c`. -/
  attained : ∃ S, Feasible M I S ∧ TEL I S = c
  /-- No feasible schedule costs less. -/
  least : ∀ S, Feasible M I S → c ≤ TEL I S

end OnlineKvCache
