module

public import OnlineKvCache.NonClairvoyant.FairShareSharp
public import OnlineKvCache.Checks.Examples

public section

/-! # The potential of FairShare on numbers, and a burst that meets its hypotheses -/

namespace OnlineKvCache.Checks

open NonClairvoyant

/-- At its knots the potential has the values of the table. -/
example : Sharp.knots.map (fun k => (k.1, Sharp.pot 16 (16 - k.1) Sharp.lines)) =
    Sharp.knots.map fun k => (k.1, 16 * k.2) := by decide +kernel

/-- It is the largest of the lines, not the first. -/
example : Sharp.pot 16 8 Sharp.lines = 16 * 224 ∧
    (102 * 16 + 16 * 7 * 8 : Int) < 16 * 224 := by decide +kernel

/-- The table is tight: with 101 instead of 102 at the first knot, or 223 instead of 224 at the last
one, a discriminant fails. -/
example : (∃ s ∈ Sharp.lines, 4 * ((126 * 16 - 16 * s.2) * 101) <
      (672 + 2 * s.1) * (672 + 2 * s.1)) ∧
    ∃ s ∈ Sharp.lines, 4 * ((126 * 8 - 16 * s.2) * 223) < (672 + 2 * s.1) * (672 + 2 * s.1) := by
  decide +kernel

/-- FairShare on two requests of one token that exclude each other: the hypotheses are met. -/
theorem twins_fairShare : Burst 2 twins ∧ IsOPT 2 twins 3 ∧
    ∃ C, KillServes 2 twins (fairShare 2 (seen twins)) C ∧ totalTime twins C ≤ 48 * 3 := by
  have hb : Burst 2 twins := ⟨by decide, by decide, by decide, by decide⟩
  have ho : IsOPT 2 twins 3 :=
    isOPT_of_search (fun i => i) (by decide) (by decide) (by decide) (by decide +kernel)
  obtain ⟨C, hC, h⟩ := fairShare_forty_eight hb
  exact ⟨hb, ho, C, hC, h 3 ho⟩

end OnlineKvCache.Checks
