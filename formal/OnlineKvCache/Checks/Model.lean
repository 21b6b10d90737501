module

public import OnlineKvCache.Checks.Decide
public import OnlineKvCache.Checks.Examples

public section

/-! # The model on concrete instances: what it accepts and what it rejects -/

namespace OnlineKvCache.Checks

/-- A request holds `prompt + 1, …, prompt + output` while it is active, and nothing before or
after. -/
example : (List.range 6).map (memory (fun _ => 1) ⟨0, 0, 5, 3⟩) = [0, 6, 7, 8, 0, 0] := by decide

example : Valid 4 pair := by decide
/-- The memory must hold the peak. -/
example : ¬ Valid 3 pair := by decide
/-- Labels must differ. -/
example : ¬ Valid 4 [⟨0, 0, 2, 2⟩, ⟨0, 1, 2, 1⟩] := by decide
/-- Prompts must not be empty. -/
example : ¬ Valid 4 [⟨0, 0, 0, 2⟩] := by decide
/-- Something must be generated. -/
example : ¬ Valid 4 [⟨0, 0, 2, 0⟩] := by decide

/-- One after the other: accepted. -/
example : Feasible 4 pair (fun i => if i = 0 then 0 else 2) := by decide
/-- Side by side: rejected, the memory is exceeded. -/
example : ¬ Feasible 4 pair (fun i => if i = 0 then 0 else 1) := by decide
/-- The same with memory for both: accepted. -/
example : Feasible 7 pair (fun i => if i = 0 then 0 else 1) := by decide
/-- One token less: rejected. -/
example : ¬ Feasible 6 pair (fun i => if i = 0 then 0 else 1) := by decide
/-- A start before the arrival: rejected. -/
example : ¬ Feasible 9 pair (fun _ => 0) := by decide

/-- Costs of the accepted schedule. -/
example : TEL pair (fun i => if i = 0 then 0 else 2) = 4 := by decide
example : totalCompletion pair (fun i => if i = 0 then 0 else 2) = 5 := by decide
example : makespan pair (fun i => if i = 0 then 0 else 2) = 3 := by decide
example : peakOccupancy pair (fun i => if i = 0 then 0 else 2) = 4 := by decide
/-- Volume: 3 + 4 tokens over two rounds, doubled. -/
example : twiceVolume ⟨0, 0, 2, 2⟩ = 14 := by decide

/-- The optimum of the pair, by a finite search. -/
example : IsOPT 4 pair 4 :=
  isOPT_of_search (fun i => if i = 0 then 0 else 2) (by decide) (by decide) (by decide)
    (by decide +kernel)

/-- The long request at once: 6. -/
example : Feasible 4 (shifted 0) (fun i => if i = 0 then 0 else 3) ∧
    TEL (shifted 0) (fun i => if i = 0 then 0 else 3) = 6 := by decide
/-- Both in round 1: 5, the optimum. -/
example : IsOPT 4 (shifted 0) 5 :=
  isOPT_of_search (fun _ => 1) (by decide) (by decide) (by decide) (by decide +kernel)

end OnlineKvCache.Checks
