module

public import OnlineKvCache.Model.Request

@[expose] public section

/-! # Staggered pipelines (SPS)

`SPS(m, s, τ, k)` runs `m` jobs of prompt `s`, each for one slice of `τ` rounds, with parallelism
`k`: rank `j` starts at offset `⌊jτ/k⌋` and owns the `τ` rounds from there on. -/

namespace OnlineKvCache

/-- The first round of rank `j`. -/
def spsOffset (tau k j : Nat) : Nat := j * tau / k

/-- Memory of rank `j` in round `t`: the prompt and one token for each round of its slice so far. -/
def spsMemory (s tau k j t : Nat) : Nat :=
  if spsOffset tau k j ≤ t ∧ t < spsOffset tau k j + tau then s + (t - spsOffset tau k j) + 1
  else 0

/-- Memory of `m` ranks in round `t`. -/
noncomputable def spsOccupancy (m s tau k t : Nat) : Nat :=
  ((List.range m).map fun j => spsMemory s tau k j t).sum

/-- The peak memory of a pipeline of parallelism `k`. -/
def spsPeak (s tau k : Nat) : Nat := k * s + (tau * (k + 1) + k - Nat.gcd tau k) / 2

/-- The largest `n ≤ b` with `p n`, or 0. -/
def largestBelow (p : Nat → Bool) : Nat → Nat
  | 0 => 0
  | n + 1 => if p (n + 1) then n + 1 else largestBelow p n

/-- The largest parallelism whose pipeline fits in memory `M`, or 0 if none does. -/
def kstar (M s tau : Nat) : Nat := largestBelow (fun k => decide (spsPeak s tau k ≤ M)) M

end OnlineKvCache
