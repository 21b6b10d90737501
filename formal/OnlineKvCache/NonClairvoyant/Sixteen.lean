module

public import OnlineKvCache.NonClairvoyant.Packing
public import OnlineKvCache.NonClairvoyant.PackingSort
public import OnlineKvCache.Model.Schedule

@[expose] public section

/-! # The 16-approximation: definition

Each request is packed as the rectangle of its peak memory and its output. Stages `L = 1, 2, 4, …`:
among the rectangles of height at most `L`, by area, the longest prefix with a total area of at most
`M * L` is packed by any-fit list scheduling, as far as it is not packed yet; the stage takes
`2 * L - 1` rounds. -/

namespace OnlineKvCache.Packing

variable {α : Type}

/-- The longest prefix with a total size within the budget. -/
def prefixWithin (size : α → Nat) : Nat → List α → List α
  | _, [] => []
  | b, j :: l => if size j ≤ b then j :: prefixWithin size (b - size j) l else []

/-- Whether a rectangle with that label is on the record. -/
def recorded (label : α → Nat) : List (α × Nat) → Nat → Bool
  | [], _ => false
  | e :: log, i => decide (label e.1 = i) || recorded label log i

/-- What stage `L` wants packed, of a list that is sorted by area. -/
noncomputable def wanted (M : Nat) (width height : α → Nat) (l : List α) (L : Nat) : List α :=
  prefixWithin (fun j => width j * height j) (M * L) (l.filter fun j => decide (height j ≤ L))

/-- `n` stages from stage `L` on, which begins in round `t`. -/
noncomputable def stages (M : Nat) (label width height : α → Nat) (l : List α) :
    Nat → Nat → Nat → List (α × Nat) → List (α × Nat)
  | 0, _, _, log => log
  | n + 1, L, t, log =>
    stages M label width height l n (2 * L) (t + (2 * L - 1))
      (anyFit M width height (2 * L - 1) t
        ((wanted M width height l L).filter fun j => !recorded label log (label j)) ++ log)

/-- The stage algorithm: sort by area, ties by label; as many stages as the total area can need. -/
noncomputable def stagePacking (M : Nat) (label width height : α → Nat) (l : List α) : Nat → Nat :=
  startOf label (stages M label width height
    (sortBy (keyOrder (fun j => width j * height j) label) l)
    ((l.map fun j => width j * height j).sum.log2 + 2) 1 0 [])

end OnlineKvCache.Packing

namespace OnlineKvCache

/-- The 16-approximation for bursts. -/
noncomputable def sixteen (M : Nat) (I : List Request) : Schedule :=
  Packing.stagePacking M Request.id Request.peak Request.output I

/-- A rectangle: it needs a fixed width for as many rounds as it is high. -/
structure Rectangle where
  /-- Label, distinct within an instance. -/
  label : Nat
  /-- The width it needs in each of its rounds. -/
  width : Nat
  /-- The number of its rounds. -/
  height : Nat

deriving instance DecidableEq for Rectangle

/-- In no round more than `M` of width is in use, when `S` gives the starts by label. -/
def RectFeasible (M : Nat) (R : List Rectangle) (S : Nat → Nat) : Prop :=
  ∀ t, (R.map fun r =>
    if S r.label ≤ t ∧ t < S r.label + r.height then r.width else 0).sum ≤ M

/-- Sum of the completion times of rectangles. -/
noncomputable def rectCost (R : List Rectangle) (S : Nat → Nat) : Nat :=
  (R.map fun r => S r.label + r.height).sum

/-- The same stage algorithm for rectangles. -/
noncomputable def eight (M : Nat) (R : List Rectangle) : Nat → Nat :=
  Packing.stagePacking M Rectangle.label Rectangle.width Rectangle.height R

end OnlineKvCache
