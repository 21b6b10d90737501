module

public import OnlineKvCache.NonClairvoyant.Kills
public import OnlineKvCache.Checks.Decide

@[expose] public section

/-! # Checks of the model with kills

Good and bad examples of each definition, and inhabitants of each hypothesis. -/

namespace OnlineKvCache.Checks

open NonClairvoyant

/-- Two equal requests that do not fit together in their second rounds at memory 4. -/
def twoTwos : List Request := [⟨0, 0, 1, 2⟩, ⟨1, 0, 1, 2⟩]

theorem twoTwos_burst : Burst 4 twoTwos where
  nodup := by decide
  arrived q hq := by revert q; decide
  output_pos q hq := by revert q; decide
  fits q hq := by revert q; decide

/-- The moves of a list of rounds, each for the labels 0 and 1; then nothing. -/
noncomputable def table (l : List (Move × Move)) : Decider := fun h i =>
  match l[h.length]? with
  | none => .out
  | some m => if i = 0 then m.1 else m.2

/-- Request 0 runs one round and is killed for request 1, after which it starts afresh. -/
noncomputable def killsOnce : Decider :=
  table [(.fresh, .out), (.out, .fresh), (.out, .stay), (.fresh, .out), (.stay, .out)]

/-- Its completion times. -/
def killsOnceTimes : Nat → Nat
  | 0 => 5
  | _ => 3

/-- A feasible run with a kill is accepted. -/
theorem killsOnce_serves : KillServes 4 twoTwos killsOnce killsOnceTimes :=
  .of_check (T := 5) (by decide +kernel) (by decide +kernel)

/-- The first token after a kill is not the second: all progress is lost. -/
example : (run twoTwos killsOnce 4).status ⟨0, 0, 1, 2⟩ = .live 1 := by decide +kernel
example : completionsBy twoTwos killsOnce 4 = [none, some 3] := by decide +kernel
example : totalTime twoTwos killsOnceTimes = 8 ∧ lastTime twoTwos killsOnceTimes = 5 := by
  decide +kernel

/-- A run that holds 3 + 3 tokens in round 1 is rejected, although both would complete in it. -/
theorem both_infeasible : ¬ RunFeasible 4 twoTwos (fun _ _ => .stay) := fun h => by
  have h1 := h 1
  revert h1
  decide +kernel

example : completionsBy twoTwos (fun _ _ => .stay) 2 = [some 2, some 2] := by decide +kernel
/-- Without the second round it is within memory. -/
example : runMemory twoTwos (fun _ _ => .stay) 0 = 4 := by decide +kernel

/-- A fresh attempt in every round never completes an output of two tokens. -/
example : completionsBy twoTwos (fun _ _ => .fresh) 20 = [none, none] := by decide +kernel
/-- Staying without an attempt starts one. -/
example : (run twoTwos (table [(.stay, .out)]) 1).status ⟨0, 0, 1, 2⟩ = .live 1 := by
  decide +kernel
/-- Moves of completed requests have no effect. -/
example : runMemory [⟨0, 0, 1, 1⟩] (fun _ _ => .stay) 1 = 0 := by decide +kernel

/-- The idle decider is feasible and serves nothing. -/
theorem idle_feasible : RunFeasible 4 twoTwos (table []) ∧
    ∀ C, ¬ KillServes 4 twoTwos (table []) C := by
  have hlive : ∀ t q, q.output = 2 → (run twoTwos (table []) t).status q = .live 0 := by
    intro t
    induction t with
    | zero => exact fun _ _ => rfl
    | succ t ih =>
      intro q hq
      rw [run_status_succ, ih q hq, hq]
      rfl
  constructor
  · intro t
    have : runMemory twoTwos (table []) t = 0 := sum_map_eq_zero fun q hq => by
      have ho : q.output = 2 := by revert q; decide
      rw [hlive t q ho]
      rfl
    rw [this]
    exact Nat.zero_le _
  · intro C h
    obtain ⟨t, ht⟩ := h.completes ⟨0, 0, 1, 2⟩ (List.mem_cons_self ..)
    rw [hlive t _ rfl] at ht
    cases ht

/-! ### The optimum -/

/-- A schedule without kills. -/
def oneAfterOther : Schedule
  | 0 => 0
  | _ => 2

theorem twoTwos_opt : IsOPT 4 twoTwos 6 :=
  isOPT_of_search oneAfterOther (by decide +kernel) (by decide +kernel) (by decide)
    (by decide +kernel)

/-- The least makespan exists whenever some schedule is feasible. -/
theorem exists_optMakespan {M : Nat} {I : List Request} {S : Schedule} (h : Feasible M I S) :
    ∃ c, IsOPTMakespan M I c := by
  obtain ⟨c, ⟨T, hT, hc⟩, hmin⟩ := exists_min (p := fun c => ∃ S, Feasible M I S ∧
    makespan I S = c) ⟨_, S, h, rfl⟩
  exact ⟨c, ⟨T, hT, hc⟩, fun S' hS' => hmin _ ⟨S', hS', rfl⟩⟩

theorem twoTwos_optMakespan : ∃ c, IsOPTMakespan 4 twoTwos c :=
  exists_optMakespan (S := oneAfterOther) (by decide +kernel)

/-- Kills never help, on this run. -/
example : 6 ≤ totalTime twoTwos killsOnceTimes := killsOnce_serves.opt_le twoTwos_burst twoTwos_opt

/-! ### The information rule -/

/-- The two requests with other outputs: they look the same. -/
def oneTwo : List Request := [⟨0, 0, 1, 1⟩, ⟨1, 0, 1, 2⟩]

/-- No scheduler tells them apart before something completes. -/
theorem no_foresight (A : KillScheduler) :
    A 4 (seen twoTwos) [] = A 4 (seen oneTwo) [] :=
  decisions_agree (I := twoTwos) (J := oneTwo) (t := 0) A 4 (by decide +kernel) rfl

/-- After a completion the histories differ, and so may the decisions. -/
example : (run twoTwos (fun _ _ => .stay) 1).history = [[]] ∧
    (run oneTwo (fun _ _ => .stay) 1).history = [[0]] := by decide +kernel

end OnlineKvCache.Checks
