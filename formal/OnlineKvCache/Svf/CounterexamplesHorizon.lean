module

public import OnlineKvCache.Svf.Order
public import OnlineKvCache.Checks.Decide

public section

/-! # Two slips of paper 2: the horizon of (3), and strictness in lemma E.2 -/

namespace OnlineKvCache

/-- Capacity imposed only on a horizon below the sum of the outputs: cheaper than the optimum. -/
theorem short_horizon : Burst 1 [⟨0, 0, 0, 1⟩, ⟨1, 0, 0, 1⟩, ⟨2, 0, 0, 1⟩] ∧
    IsOPT 1 [⟨0, 0, 0, 1⟩, ⟨1, 0, 0, 1⟩, ⟨2, 0, 0, 1⟩] 6 ∧
    ∃ S : Schedule, (∀ t < 1, occupancy [⟨0, 0, 0, 1⟩, ⟨1, 0, 0, 1⟩, ⟨2, 0, 0, 1⟩] S t ≤ 1) ∧
      TEL [⟨0, 0, 0, 1⟩, ⟨1, 0, 0, 1⟩, ⟨2, 0, 0, 1⟩] S = 5 := by
  refine ⟨⟨by decide +kernel, by decide +kernel, by decide +kernel, by decide +kernel⟩,
    isOPT_of_search (fun i => i) (by decide +kernel) (by decide +kernel) (by decide +kernel)
      (by decide +kernel), fun i => if i = 0 then 0 else 1, fun t ht => ?_, by decide +kernel⟩
  obtain rfl : t = 0 := by omega
  decide +kernel

/-- A single request does not wait, and nothing is ahead of it: the inequality between its wait and
the volumes ahead is not strict. -/
theorem first_not_strict : Burst 2 [⟨0, 0, 1, 1⟩] ∧ svf 2 [⟨0, 0, 1, 1⟩] 0 = 0 ∧
    ¬ (2 - 2) * svf 2 [⟨0, 0, 1, 1⟩] 0 < (([] : List Request).map twiceVolume).sum :=
  ⟨⟨by decide +kernel, by decide +kernel, by decide +kernel, by decide +kernel⟩,
    by decide +kernel, Nat.not_lt_zero _⟩

end OnlineKvCache
