module

public import OnlineKvCache.NonClairvoyant.Packing
public import OnlineKvCache.NonClairvoyant.PackingSort
public import OnlineKvCache.Model.Cost

@[expose] public section

/-! # Strict Greedy in area order: definition

Requests go in the order of their volumes, ties by label. Each reserves its peak memory from its
start to its completion. The first waiting request starts as soon as its peak fits beside those that
run; nothing overtakes it. -/

namespace OnlineKvCache

/-- Strict Greedy in area order. (It starts everything within as many rounds as the total area of
the rectangles, so that many rounds are simulated, and one more.) -/
noncomputable def areaGreedy (M : Nat) (I : List Request) : Schedule :=
  Packing.startOf Request.id (Packing.strictFit M Request.peak Request.output
    ((I.map fun q => q.peak * q.output).sum + 1)
    (Packing.sortBy (Packing.keyOrder twiceVolume Request.id) I))

end OnlineKvCache
