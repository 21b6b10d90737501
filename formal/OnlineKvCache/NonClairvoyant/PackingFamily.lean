module

public import OnlineKvCache.NonClairvoyant.Sixteen

@[expose] public section

/-! # A family on which strict packing is slow -/

namespace OnlineKvCache.Packing

/-- The rectangles `1 × L` and `M × 1` in turn, `n` of each, as width times height. -/
noncomputable def alternating (M L : Nat) : Nat → List Rectangle
  | 0 => []
  | n + 1 => alternating M L n ++ [⟨2 * n, 1, L⟩, ⟨2 * n + 1, M, 1⟩]

end OnlineKvCache.Packing
