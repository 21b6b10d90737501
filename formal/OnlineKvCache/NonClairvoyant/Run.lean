module

public import OnlineKvCache.NonClairvoyant.Model
public import OnlineKvCache.Basic.Schedules

public section

/-! # Facts about runs with kills -/

namespace OnlineKvCache.NonClairvoyant

variable {I J : List Request} {D : Decider} {q : Request} {t : Nat}

@[simp] theorem run_zero_status : (run I D 0).status q = .live 0 := rfl

theorem run_status_succ : (run I D (t + 1)).status q =
    ((run I D t).status q).next q.output (run I D t).history.length ((run I D t).move D q) := rfl

theorem run_history_succ : (run I D (t + 1)).history =
    ((I.filter fun q => ((run I D t).status q).completes q.output ((run I D t).move D q)).map
      Request.id) :: (run I D t).history := rfl

theorem run_history_length (I : List Request) (D : Decider) :
    ∀ t, (run I D t).history.length = t
  | 0 => rfl
  | t + 1 => by rw [run_history_succ, List.length_cons, run_history_length I D t]

/-- Completed requests stay completed. -/
theorem status_done {c : Nat} (h : (run I D t).status q = .done c) :
    ∀ d, (run I D (t + d)).status q = .done c
  | 0 => h
  | d + 1 => by
    rw [← Nat.add_assoc, run_status_succ, status_done h d]
    rfl

theorem status_done_le {c t' : Nat} (h : (run I D t).status q = .done c) (ht : t ≤ t') :
    (run I D t').status q = .done c := by
  obtain ⟨d, rfl⟩ := Nat.exists_eq_add_of_le ht
  exact status_done h d

/-- The completion time is determined. -/
theorem done_unique {c c' t' : Nat} (h : (run I D t).status q = .done c)
    (h' : (run I D t').status q = .done c') : c = c' := by
  have h1 := status_done_le h (Nat.le_max_left t t')
  rw [status_done_le h' (Nat.le_max_right t t')] at h1
  injection h1 with h1
  exact h1.symm

theorem KillServes.unique {M : Nat} {C C' : Nat → Nat} (h : KillServes M I D C)
    (h' : KillServes M I D C') (hq : q ∈ I) : C q.id = C' q.id := by
  obtain ⟨_, h1⟩ := h.completes q hq
  obtain ⟨_, h2⟩ := h'.completes q hq
  exact done_unique h1 h2

/-- A request that is completed before round `t` at time `c` completed in round `c - 1`. -/
theorem done_round {c : Nat} : ∀ {t}, (run I D t).status q = .done c →
    ∃ r u, c = r + 1 ∧ r < t ∧ (run I D r).status q = .live u ∧
      ((run I D r).move D q).grow u = q.output
  | 0, h => by cases h
  | t + 1, h => by
    rw [run_status_succ, run_history_length] at h
    cases hs : (run I D t).status q with
    | done c' =>
      rw [hs] at h
      obtain ⟨r, u, h1, h2, h3⟩ := done_round (h ▸ hs : (run I D t).status q = .done c)
      exact ⟨r, u, h1, by omega, h3⟩
    | live u =>
      rw [hs] at h
      unfold Status.next at h
      dsimp only at h
      split at h
      · injection h with h
        exact ⟨t, u, h.symm, by omega, hs, by assumption⟩
      · cases h

/-- A request with `u` tokens has held its prompt and `1, …, u` tokens in the last `u` rounds. -/
theorem tokens_memory : ∀ {t u}, (run I D t).status q = .live u → u ≤ t ∧
    ∀ r, t - u ≤ r → r < t → ((run I D r).status q).memory q.prompt ((run I D r).move D q) =
      q.prompt + (r - (t - u)) + 1
  | 0, u, h => by
    cases h
    exact ⟨Nat.le_refl _, fun r _ h => absurd h (Nat.not_lt_zero _)⟩
  | t + 1, u, h => by
    rw [run_status_succ, run_history_length] at h
    cases hs : (run I D t).status q with
    | done c => rw [hs] at h; cases h
    | live v =>
      rw [hs] at h
      unfold Status.next at h
      dsimp only at h
      split at h
      · cases h
      · injection h with h
        cases hm : (run I D t).move D q with
        | out =>
          rw [hm] at h
          simp only [Move.grow] at h
          subst h
          exact ⟨Nat.zero_le _, fun r h1 h2 => by omega⟩
        | fresh =>
          rw [hm] at h
          simp only [Move.grow] at h
          subst h
          refine ⟨by omega, fun r h1 h2 => ?_⟩
          obtain rfl : r = t := by omega
          rw [hs, hm]
          simp only [Status.memory, Move.grow]
          rw [if_neg (by omega)]
          omega
        | stay =>
          rw [hm] at h
          simp only [Move.grow] at h
          subst h
          obtain ⟨h1, h2⟩ := tokens_memory hs
          refine ⟨by omega, fun r h3 h4 => ?_⟩
          rcases Nat.lt_or_ge r t with h5 | h5
          · rw [h2 r (by omega) h5]; omega
          · obtain rfl : r = t := by omega
            rw [hs, hm]
            simp only [Status.memory, Move.grow]
            rw [if_neg (by omega)]
            omega

/-! ### The information rule -/

/-- Two instances with the same labels and prompts on which the histories agree before round `t`
get the same decisions in that round. -/
theorem decisions_agree (A : KillScheduler) (M : Nat) (hs : seen I = seen J)
    (hh : (run I (A M (seen I)) t).history = (run J (A M (seen J)) t).history) :
    A M (seen I) (run I (A M (seen I)) t).history =
      A M (seen J) (run J (A M (seen J)) t).history := by
  rw [hs] at hh ⊢
  rw [hh]

theorem history_suffix {r : Nat} (h : r ≤ t) :
    (run I D r).history = (run I D t).history.drop (t - r) := by
  obtain ⟨d, rfl⟩ := Nat.exists_eq_add_of_le h
  clear h
  induction d with
  | zero => simp
  | succ d ih =>
    rw [← Nat.add_assoc, run_history_succ, ih]
    have e : r + d + 1 - r = (r + d - r) + 1 := by omega
    rw [e, List.drop_succ_cons]

/-- Histories that agree before round `t` agree before every earlier round. -/
theorem history_agree {r : Nat} (hh : (run I D t).history = (run J D t).history) (h : r ≤ t) :
    (run I D r).history = (run J D r).history := by
  rw [history_suffix h, history_suffix h, hh]

/-- While histories agree and a label is unfinished in both runs, it has equally many tokens. -/
theorem status_agree {p : Request} (hid : p.id = q.id) : ∀ {t u v},
    (run I D t).history = (run J D t).history → (run I D t).status p = .live u →
    (run J D t).status q = .live v → u = v
  | 0, u, v, _, hu, hv => by cases hu; cases hv; rfl
  | t + 1, u, v, hh, hu, hv => by
    have hh' := history_agree hh (Nat.le_succ t)
    rw [run_status_succ] at hu hv
    cases hp : (run I D t).status p with
    | done c => rw [hp] at hu; cases hu
    | live u' =>
      cases hq : (run J D t).status q with
      | done c => rw [hq] at hv; cases hv
      | live v' =>
        have e := status_agree hid hh' hp hq
        rw [hp] at hu
        rw [hq] at hv
        unfold Status.next at hu hv
        dsimp only at hu hv
        split at hu
        · cases hu
        · split at hv
          · cases hv
          · injection hu with hu
            injection hv with hv
            have em : (run I D t).move D p = (run J D t).move D q := by
              unfold State.move
              rw [hh', hid]
            rw [← hu, ← hv, em, e]

/-! ### Deciding runs -/

/-- A run is served when it keeps within memory up to a round by which all have completed. -/
theorem KillServes.of_check {M T : Nat} {C : Nat → Nat}
    (hf : ∀ t ∈ List.range T, runMemory I D t ≤ M)
    (hc : ∀ q ∈ I, (run I D T).status q = .done (C q.id)) : KillServes M I D C where
  feasible t := by
    rcases Nat.lt_or_ge t T with h | h
    · exact hf t (List.mem_range.2 h)
    · have : runMemory I D t = 0 := sum_map_eq_zero fun q hq => by
        rw [status_done_le (hc q hq) h]
        rfl
      rw [this]
      exact Nat.zero_le _
  completes q hq := ⟨T, hc q hq⟩

end OnlineKvCache.NonClairvoyant
