module

public import OnlineKvCache.Checks.Decide
public import OnlineKvCache.Checks.Examples

public section

/-! # Negative controls of paper 1: neighbouring models give other numbers -/

namespace OnlineKvCache.Checks

/-! ### Corrupted progress: memory `prompt + (t - b)` -/

/-- The corrupted count lets them run together, for a cost of 2. -/
theorem corrupted_accepts :
    CorruptedFeasible 2 twins (fun _ => 0) ∧ TEL twins (fun _ => 0) = 2 := by
  decide

/-- The model does not: they hold 4. -/
theorem model_rejects : ¬ Feasible 2 twins (fun _ => 0) ∧ occupancy twins (fun _ => 0) 0 = 4 := by
  decide

/-- The true optimum is 3. -/
theorem true_optimum : IsOPT 2 twins 3 :=
  isOPT_of_search (fun i => i) (by decide) (by decide) (by decide) (by decide +kernel)

/-! ### Total latency is not the sum of completion times -/

/-- The sums differ by the arrivals, whatever the schedule. -/
theorem totalCompletion_eq {M : Nat} {I : List Request} {S : Schedule} (h : Feasible M I S) :
    totalCompletion I S = TEL I S + (I.map Request.arrival).sum := by
  unfold totalCompletion TEL
  rw [← sum_map_add]
  refine sum_map_congr fun q hq => ?_
  have := h.release q hq
  unfold latency completion
  omega

/-- Latency: 6 against 5, whatever the shift. -/
theorem latency_ratio (d : Nat) :
    TEL (shifted d) (inOrder d) = 6 ∧ TEL (shifted d) (together d) = 5 := by
  have h1 : TEL (shifted d) (inOrder d) = d + 3 - d + (d + 3 + 1 - (d + 1) + 0) := rfl
  have h2 : TEL (shifted d) (together d) = d + 1 + 3 - d + (d + 1 + 1 - (d + 1) + 0) := rfl
  omega

/-- Completion times: 7 against 6, and 207 against 206 after a shift by 100: a ratio for the sum of
completion times says nothing about latency. -/
theorem completion_ratio :
    totalCompletion (shifted 0) (inOrder 0) = 7 ∧ totalCompletion (shifted 0) (together 0) = 6 ∧
    totalCompletion (shifted 100) (inOrder 100) = 207 ∧
    totalCompletion (shifted 100) (together 100) = 206 := by
  decide +kernel

/-! ### Kill and restart -/

/-- Killing the long request after one round and starting again with the short one: feasible, and
the cost is 5. -/
theorem killing_helps :
    let E : List Attempt := [⟨⟨0, 0, 1, 3⟩, 0, 1⟩, ⟨⟨0, 0, 1, 3⟩, 1, 3⟩, ⟨⟨1, 1, 1, 1⟩, 1, 1⟩]
    AttemptsFeasible 4 (shifted 0) E ∧ attemptTEL E = 5 := by
  refine ⟨⟨by decide, by decide, by decide, fun t => ?_⟩, by decide⟩
  rcases Nat.lt_or_ge t 4 with h | h
  · obtain rfl | rfl | rfl | rfl : t = 0 ∨ t = 1 ∨ t = 2 ∨ t = 3 := by omega
    all_goals decide
  · have h1 : ¬ t < 1 := by omega
    have h2 : ¬ t < 1 + 3 := by omega
    have h3 : ¬ t < 1 + 1 := by omega
    simp [attemptOccupancy, Attempt.memory, h1, h2, h3]

/-- Without kills, a scheduler that has started the long request in round 0 pays at least 6. So the
rule that a started request is not interrupted matters already with two requests. -/
theorem no_kill_costs {S : Schedule} (hS : Feasible 4 (shifted 0) S) (h0 : S 0 = 0) :
    6 ≤ TEL (shifted 0) S := Nat.le_of_not_lt fun hlt => by
  obtain ⟨S', h1, h2, h3, h4⟩ := exists_choice_of_lt hS (by decide) hlt
  have h5 : ∀ S' ∈ choices 6 (shifted 0), Feasible 4 (shifted 0) S' → S' 0 = 0 →
      6 ≤ TEL (shifted 0) S' := by decide +kernel
  have h6 : S' 0 = S 0 := h2 ⟨0, 0, 1, 3⟩ (List.mem_cons_self ..)
  have := h5 S' h1 h3 (h6.trans h0)
  omega

end OnlineKvCache.Checks
