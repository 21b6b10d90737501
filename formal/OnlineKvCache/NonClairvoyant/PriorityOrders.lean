module

public import OnlineKvCache.Model.Burst

@[expose] public section

/-! # No single priority order of job shapes: the two families

Thin jobs `(1, t²)` and wide jobs `(M - 1, 1)` at memory `M = t⁴(t² + 1)`. -/

namespace OnlineKvCache.NonClairvoyant

/-- Starts in the order of a ranking of shapes: a job of smaller rank starts no later than a job of
larger rank. A ranking of shapes gives each pair of prompt and output a number. -/
def InOrder (rank : Nat → Nat → Nat) (I : List Request) (S : Schedule) : Prop :=
  ∀ p ∈ I, ∀ q ∈ I, rank p.prompt p.output < rank q.prompt q.output → start S p ≤ start S q

/-- The memory of the two families. -/
def shapesMemory (t : Nat) : Nat := t * t * (t * t) * (t * t + 1)

/-- `k` thin jobs with outputs `T`, labels from 0. -/
noncomputable def thins (k T : Nat) : List Request :=
  (List.range k).map fun i => ⟨i, 0, 1, T⟩

/-- `w` wide jobs at memory `M`, labels from `k`. -/
noncomputable def wides (M k w : Nat) : List Request :=
  (List.range w).map fun j => ⟨k + j, 0, M - 1, 1⟩

/-- `k` thin and `w` wide jobs. -/
noncomputable def shapes (M T k w : Nat) : List Request := thins k T ++ wides M k w

end OnlineKvCache.NonClairvoyant
