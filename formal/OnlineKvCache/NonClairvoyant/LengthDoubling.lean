module

public import OnlineKvCache.NonClairvoyant.FairShare

@[expose] public section

/-! # LengthDoubling: definition

A scheduler in stages for the makespan. In stage `r` every unfinished request is run once, afresh,
for at most `c r` rounds (fewer if its prompt leaves room for fewer), by any-fit list scheduling;
the stage ends when nothing runs or waits. -/

namespace OnlineKvCache.NonClairvoyant

/-- The rule with the caps `c`. -/
def lengthRule (c : Nat → Nat) (M : Nat) : StageRule where
  cap r _ s := min (c r) (M - s)
  least _ := 0

/-- LengthDoubling: the caps 1, 2, 4, 8, … -/
noncomputable def lengthDoubling : KillScheduler := staged (lengthRule fun r => 2 ^ r)

/-- The caps 1, 2, 3, 4, 6, 8, 12, 16, 24, … -/
def fineCap (r : Nat) : Nat :=
  if r = 0 then 1 else if r % 2 = 1 then 2 ^ ((r + 1) / 2) else 3 * 2 ^ ((r - 2) / 2)

/-- LengthDoubling with the finer caps. -/
noncomputable def lengthDoublingFine : KillScheduler := staged (lengthRule fineCap)

end OnlineKvCache.NonClairvoyant
