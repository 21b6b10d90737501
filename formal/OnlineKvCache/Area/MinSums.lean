module

@[expose] public section

/-! # Sums of minima

The three sums in which the lower bounds on the optimum are stated, for a list of natural numbers
(volumes, areas). -/

namespace OnlineKvCache

/-- `min x y` summed over the members `y` of a list. -/
def minSum (x : Nat) : List Nat → Nat
  | [] => 0
  | y :: l => min x y + minSum x l

/-- `min x y` summed over the unordered pairs of positions, each position paired with itself too. -/
def pairMin : List Nat → Nat
  | [] => 0
  | x :: l => x + minSum x l + pairMin l

/-- `min x y` summed over the ordered pairs of positions, each position paired with itself too. -/
noncomputable def orderedMin (l : List Nat) : Nat := (l.map fun x => minSum x l).sum

/-- The sum of all prefix sums, `∑ⱼ ∑_{i ≤ j} xᵢ`: the first member counts `length` times. -/
noncomputable def prefixSums : List Nat → Nat
  | [] => 0
  | x :: l => (l.length + 1) * x + prefixSums l

end OnlineKvCache
