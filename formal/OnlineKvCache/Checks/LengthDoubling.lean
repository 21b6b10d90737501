module

public import OnlineKvCache.NonClairvoyant.LengthDoublingRun
public import OnlineKvCache.NonClairvoyant.SixteenBound

public section

/-! # LengthDoubling on concrete bursts -/

namespace OnlineKvCache.Checks

open OnlineKvCache.NonClairvoyant

/-- Three requests. -/
abbrev threeLengths : List Request := [⟨0, 0, 1, 3⟩, ⟨1, 0, 4, 1⟩, ⟨2, 0, 1, 2⟩]

theorem threeLengths_burst : Burst 6 threeLengths := ⟨by decide, by decide, by decide, by decide⟩

/-- The completion times; the last request that completes is the longest. -/
example : completionsBy threeLengths (lengthDoubling 6 (seen threeLengths)) 7 =
    [some 7, some 2, some 4] := by decide +kernel

/-- Before that it is unfinished. -/
example : completionsBy threeLengths (lengthDoubling 6 (seen threeLengths)) 6 =
    [none, some 2, some 4] := by decide +kernel

/-- With more memory the first stage takes one round. -/
example : completionsBy threeLengths (lengthDoubling 14 (seen threeLengths)) 6 =
    [some 6, some 1, some 3] := by decide +kernel

/-- The caps. -/
example : (List.range 9).map fineCap = [1, 2, 3, 4, 6, 8, 12, 16, 24] := by decide +kernel

/-- The finer caps on three equal requests. -/
example : completionsBy [⟨0, 0, 1, 5⟩, ⟨1, 0, 1, 5⟩, ⟨2, 0, 1, 5⟩]
    (lengthDoublingFine 14 (seen [⟨0, 0, 1, 5⟩, ⟨1, 0, 1, 5⟩, ⟨2, 0, 1, 5⟩])) 24 =
    [some 19, some 19, some 24] := by decide +kernel

/-- Every burst has a least makespan: the hypothesis of the bound can always hold. -/
theorem burst_makespan {M : Nat} {I : List Request} (h : Burst M I) :
    ∃ c, IsOPTMakespan M I c := by
  obtain ⟨c, ⟨S, hS, hc⟩, hmin⟩ :=
    exists_min (p := fun c => ∃ S, Feasible M I S ∧ makespan I S = c)
      ⟨_, _, sixteen_feasible h, rfl⟩
  exact ⟨c, ⟨S, hS, hc⟩, fun T hT => hmin _ ⟨T, hT, rfl⟩⟩

end OnlineKvCache.Checks
