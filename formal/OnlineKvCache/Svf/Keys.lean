module

public import OnlineKvCache.Svf.Scheduler

@[expose] public section

/-! # Predicted lengths and the 1-bit rule

The order may come from predicted lengths; admission still looks ahead with the true ones. -/

namespace OnlineKvCache

/-- Twice the volume of a request if it had `pred q` output tokens. -/
def predictedKey (pred : Request → Nat) (q : Request) : Nat :=
  2 * (q.prompt * pred q) + pred q * (pred q + 1)

/-- Shortest predicted volume first at memory `M`, ties by label. -/
def predictedSvf (M : Nat) (pred : Request → Nat) (I : List Request) : Schedule :=
  listSchedule M (orderByKey (predictedKey pred) I)

/-- The length used by the 1-bit rule with threshold `b²`: `b` for a short output, `b³` for a long
one. -/
def oneBitProxy (b : Nat) (q : Request) : Nat := if q.output ≤ b * b then b else b * b * b

/-- 1-bit shortest volume first at memory `M`: the order knows of each output only whether it
exceeds `b²`. -/
def oneBitSvf (M b : Nat) (I : List Request) : Schedule := predictedSvf M (oneBitProxy b) I

end OnlineKvCache
