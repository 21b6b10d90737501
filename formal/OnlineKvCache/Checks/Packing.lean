module

public import OnlineKvCache.NonClairvoyant.SixteenBound
public import OnlineKvCache.NonClairvoyant.GreedyBound
public import OnlineKvCache.NonClairvoyant.PackingStrict
public import OnlineKvCache.Checks.Decide

public section

/-! # Any-fit packing, the 16-approximation and Greedy on concrete instances

They run in the kernel, their hypotheses hold for real instances, and the definitions refuse what
they should refuse. -/

namespace OnlineKvCache.Checks

open OnlineKvCache.Packing

/-- Three rectangles; the second is as wide as the strip. -/
abbrev threeRectangles : List Rectangle := [⟨0, 1, 1⟩, ⟨1, 3, 1⟩, ⟨2, 1, 2⟩]

/-- Any-fit packing lets the third overtake the second: all is over in round 3. -/
example : anyFit 3 Rectangle.width Rectangle.height 3 0 threeRectangles =
    [(⟨1, 3, 1⟩, 2), (⟨2, 1, 2⟩, 0), (⟨0, 1, 1⟩, 0)] := by decide +kernel

/-- Strict packing does not: it takes 4 rounds, more than `2 * 2 - 1`, with widths at most 3,
heights at most 2 and a total area of 6. -/
example : strictFit 3 Rectangle.width Rectangle.height 3 threeRectangles =
      [(⟨2, 1, 2⟩, 2), (⟨1, 3, 1⟩, 1), (⟨0, 1, 1⟩, 0)] ∧
    (threeRectangles.map fun r => r.width * r.height).sum = 3 * 2 := by decide +kernel

/-- The window may begin later, and too few rounds leave something out. -/
example : anyFit 3 Rectangle.width Rectangle.height 3 5 threeRectangles =
      [(⟨1, 3, 1⟩, 7), (⟨2, 1, 2⟩, 5), (⟨0, 1, 1⟩, 5)] ∧
    anyFit 3 Rectangle.width Rectangle.height 1 0 threeRectangles =
      [(⟨2, 1, 2⟩, 0), (⟨0, 1, 1⟩, 0)] := by decide +kernel

/-- What is in use. -/
example : usedBy Rectangle.width Rectangle.height 1
    (anyFit 3 Rectangle.width Rectangle.height 3 0 threeRectangles) = 1 := by decide +kernel

/-- The family, strictly packed and with any-fit: 10 against 6 rounds. -/
example : ((strictFit 4 Rectangle.width Rectangle.height 20 (alternating 4 4 2)).map Prod.snd) =
      [9, 5, 4, 0] ∧
    ((anyFit 4 Rectangle.width Rectangle.height 20 0 (alternating 4 4 2)).map Prod.snd) =
      [5, 4, 0, 0] := by decide +kernel

/-! ### Rectangles -/

/-- Two wide rectangles may not overlap. -/
example : ¬ RectFeasible 3 [⟨0, 2, 2⟩, ⟨1, 2, 1⟩] (fun i => i) := fun h =>
  absurd (h 1) (by decide +kernel)

/-- One after the other they keep within the strip: the hypothesis of the bound can hold. -/
theorem rectFeasible_holds : RectFeasible 3 [⟨0, 2, 2⟩, ⟨1, 2, 1⟩] (fun i => 2 * i) := by
  intro t
  match t with
  | 0 => decide
  | 1 => decide
  | 2 => decide
  | t + 3 =>
    have h : ¬ t + 3 < 2 := by omega
    have h' : ¬ t + 3 < 3 := by omega
    simp [h, h']

/-- The stages on the three rectangles: the first two stages pack by area, the wide one last. -/
example : [0, 1, 2].map (eight 3 threeRectangles) = [0, 3, 1] ∧
    rectCost threeRectangles (eight 3 threeRectangles) = 8 := by decide +kernel

/-! ### The 16-approximation -/

/-- A short and a long request that fit together, so both can start in round 0. -/
abbrev shortAndLong : List Request := [⟨0, 0, 4, 5⟩, ⟨1, 0, 2, 14⟩]

theorem shortAndLong_burst : Burst 16 shortAndLong :=
  ⟨by decide, by decide, by decide, by decide⟩

/-- Total latency 87 … -/
example : [0, 1].map (sixteen 16 shortAndLong) = [11, 57] ∧
    TEL shortAndLong (sixteen 16 shortAndLong) = 87 := by decide +kernel

/-- … against 19. -/
theorem shortAndLong_opt : IsOPT 16 shortAndLong 19 where
  attained := ⟨fun _ => 0, by decide +kernel, by decide +kernel⟩
  least S _ := by
    show 19 ≤ S 0 + 5 - 0 + (S 1 + 14 - 0 + 0)
    omega

/-- Every burst has an optimum: the hypotheses of the bounds can always hold. -/
theorem sixteen_optimum {M : Nat} {I : List Request} (h : Burst M I) : ∃ c, IsOPT M I c :=
  IsOPT.of_feasible (sixteen_feasible h)

/-! ### Greedy -/

/-- The smallest volume goes first, and the long request waits for the wide one. -/
example : [0, 1, 2].map (areaGreedy 6 [⟨0, 0, 1, 1⟩, ⟨1, 0, 4, 2⟩, ⟨2, 0, 1, 4⟩]) = [0, 1, 3] := by
  decide +kernel

/-- Nothing overtakes, although the last request would fit beside the first. -/
example : [0, 1, 2].map (areaGreedy 6 [⟨0, 0, 5, 1⟩, ⟨1, 0, 1, 3⟩, ⟨2, 0, 1, 1⟩]) = [1, 2, 0] := by
  decide +kernel

/-- With memory enough all start at once. -/
example : [0, 1, 2].map (areaGreedy 12 [⟨0, 0, 5, 1⟩, ⟨1, 0, 1, 3⟩, ⟨2, 0, 1, 1⟩]) = [0, 0, 0] := by
  decide +kernel

end OnlineKvCache.Checks
