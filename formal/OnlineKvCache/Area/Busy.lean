module

public import OnlineKvCache.Area.Volume

@[expose] public section

/-! # Mean busy times -/

namespace OnlineKvCache

/-- Twice the memory-weighted sum of the middles of the active rounds of `q`:
`∑ₜ (2t + 1) * memory`. Divided by twice the volume it is the mean busy time. -/
noncomputable def busyMoment (S : Schedule) (q : Request) : Nat :=
  ((List.range (completion S q)).map fun t => (2 * t + 1) * memory S q t).sum

end OnlineKvCache
