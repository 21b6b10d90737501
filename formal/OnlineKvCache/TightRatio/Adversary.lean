module

public import OnlineKvCache.Online.Factor

@[expose] public section

/-! # The adversary: one long request, then `k` shorts

A short request fills so much memory that nothing can share a round with it. -/

namespace OnlineKvCache

/-- The long request: prompt `p`, output `L`, present from the beginning. -/
def longRequest (p L : Nat) : Request := ⟨0, 0, p, L⟩

/-- The `i`-th short request: prompt `s`, one token, released in round `T + g * i`. All arrive at
once when `g = 0` (burst) and one a round when `g = 1` (stream). -/
def shortRequest (s T g i : Nat) : Request := ⟨i + 1, T + g * i, s, 1⟩

/-- The long request and `k` shorts. -/
noncomputable def adversary (p L s T g k : Nat) : List Request :=
  longRequest p L :: (List.range k).map (shortRequest s T g)

/-- The comparator: the long request starts in round `l`, the shorts run one a round from `T`. -/
def hindsight (T l : Nat) : Schedule := fun i => if i = 0 then l else T + (i - 1)

/-- Sizes at memory `M` for which every request fits alone and a short excludes everything else. -/
structure Exclusive (M p L s : Nat) : Prop where
  /-- The long prompt is not empty. -/
  long_prompt : 1 ≤ p
  /-- The long output is not empty. -/
  long_output : 1 ≤ L
  /-- The short prompt is not empty. -/
  short_prompt : 1 ≤ s
  /-- The long request fits. -/
  long_fits : p + L ≤ M
  /-- A short request fits. -/
  short_fits : s + 1 ≤ M
  /-- A short and the long request do not fit together. -/
  long_short : M < (p + 1) + (s + 1)
  /-- Two shorts do not fit together. -/
  short_short : M < (s + 1) + (s + 1)

end OnlineKvCache
