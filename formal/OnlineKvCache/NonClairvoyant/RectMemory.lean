module

public import OnlineKvCache.NonClairvoyant.Rect

@[expose] public section

/-! # What the rectangle strip holds in the cache -/

namespace OnlineKvCache

/-- Memory held in the round that begins at time `t`, in that state: the prompt of each request that
runs, and its tokens in this attempt, with the one of the round. -/
noncomputable def rectMemory (I : List Request) (st : RectState) (t : Nat) : Nat :=
  ((I.zip st).map fun p =>
    match p.2.phase with
    | .active _ b => p.1.prompt + (t - b) + 1
    | _ => 0).sum

end OnlineKvCache
