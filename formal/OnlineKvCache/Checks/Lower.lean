module

public import OnlineKvCache.NonClairvoyant.MakespanLower
public import OnlineKvCache.Checks.Decide

@[expose] public section

/-! # The lower bounds for schedulers with kills are about real schedules -/

namespace OnlineKvCache.Checks

open OnlineKvCache.NonClairvoyant

/-- The first label that has not completed. -/
def firstOpen (done : List Nat) : List (Nat × Nat) → Option Nat
  | [] => none
  | x :: l => if done.elem x.1 then firstOpen done l else some x.1

/-- One request after the other, in the order of the list, without kills. -/
noncomputable def inTurn : KillScheduler := fun _ l h i =>
  if firstOpen h.flatten l = some i then .stay else .out

/-- Everything is started in every round: kills without end. -/
def restart : KillScheduler := fun _ _ _ _ => .fresh

/-- A scheduler that serves the kind of instance of the lower bounds: each bound is about a real
schedule there. -/
theorem inTurn_serves : ∀ o ∈ [[2, 2, 2], [1, 2, 2], [1, 1, 2], [2, 1, 1]],
    ∃ C, KillServes 4 (jobs 2 (fun i => o.getD i 0) 3)
      (inTurn 4 (seen (jobs 2 (fun i => o.getD i 0) 3))) C := by
  intro o ho
  simp only [List.mem_cons, List.not_mem_nil, or_false] at ho
  rcases ho with rfl | rfl | rfl | rfl
  · exact ⟨fun i => 2 * i + 2, KillServes.of_check (T := 6) (by decide +kernel) (by decide +kernel)⟩
  · exact ⟨fun i => 2 * i + 1, KillServes.of_check (T := 6) (by decide +kernel) (by decide +kernel)⟩
  · exact ⟨fun i => if i = 2 then 4 else i + 1,
      KillServes.of_check (T := 6) (by decide +kernel) (by decide +kernel)⟩
  · exact ⟨fun i => i + 2, KillServes.of_check (T := 6) (by decide +kernel) (by decide +kernel)⟩

/-- Two requests do not fit together: the scheduler that starts all at once is not served. -/
theorem restart_not_served (C : Nat → Nat) :
    ¬ KillServes 4 (jobs 2 (fun _ => 2) 3) (restart 4 (seen (jobs 2 (fun _ => 2) 3))) C :=
  fun h => absurd (h.feasible 0) (by decide +kernel)

/-- The instance of the makespan bound for `m = 2`: served in turn, with makespan 4. -/
theorem inTurn_makespan : KillServes 12 (jobs 4 (oneLong 2 2) 3)
    (inTurn 12 (seen (jobs 4 (oneLong 2 2) 3))) (fun i => if i = 2 then 4 else i + 1) ∧
    lastTime (jobs 4 (oneLong 2 2) 3) (fun i => if i = 2 then 4 else i + 1) = 4 ∧
    IsOPTMakespan 12 (jobs 4 (oneLong 2 2) 3) 2 :=
  ⟨KillServes.of_check (T := 6) (by decide +kernel) (by decide +kernel), by decide +kernel,
    long_beside_short (by decide) (by decide) rfl rfl⟩

/-- Ratio 5/2 with three jobs, 13/5 with four. -/
example : ∃ M, ∀ A : KillScheduler, ∃ I c, Burst M I ∧ I.length = 3 ∧ (∀ r ∈ I, 1 ≤ r.prompt) ∧
    IsOPT M I c ∧ 0 < c ∧ ∀ C, KillServes M I (A M (seen I)) C → 249 * c ≤ 100 * totalTime I C :=
  kill_lower_bound (by decide) (by decide)
example : ∃ M, ∀ A : KillScheduler, ∃ I c, Burst M I ∧ I.length = 4 ∧ (∀ r ∈ I, 1 ≤ r.prompt) ∧
    IsOPT M I c ∧ 0 < c ∧ ∀ C, KillServes M I (A M (seen I)) C → 259 * c ≤ 100 * totalTime I C :=
  kill_lower_bound (by decide) (by decide)

end OnlineKvCache.Checks
