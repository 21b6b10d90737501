module

public import OnlineKvCache.Model.Request

@[expose] public section

/-! # Sums of rational numbers -/

namespace OnlineKvCache

/-- `f 0 + … + f (n - 1)`. -/
def ratSum (f : Nat → Rat) : Nat → Rat
  | 0 => 0
  | n + 1 => ratSum f n + f n

end OnlineKvCache
