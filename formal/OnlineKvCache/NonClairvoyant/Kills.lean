module

public import OnlineKvCache.NonClairvoyant.Run
public import OnlineKvCache.Checks.Decide

public section

/-! # Kills never help

Deleting the failed attempts of a run leaves a schedule without kills, with the same completion
times, that holds no more memory in any round. -/

namespace OnlineKvCache.NonClairvoyant

variable {M : Nat} {I : List Request} {D : Decider} {C : Nat → Nat}

/-- The last attempt of a completed request holds what the model says. -/
theorem done_memory {q : Request} {t c : Nat} (h : (run I D t).status q = .done c)
    (ho : 1 ≤ q.output) : q.output ≤ c ∧ ∀ r, c - q.output ≤ r → r < c →
      ((run I D r).status q).memory q.prompt ((run I D r).move D q) =
        q.prompt + (r - (c - q.output)) + 1 := by
  obtain ⟨s, u, rfl, _, hs, hu⟩ := done_round h
  obtain ⟨h1, h2⟩ := tokens_memory hs
  have hmem : ((run I D s).status q).memory q.prompt ((run I D s).move D q) =
      q.prompt + q.output := by
    rw [hs]
    simp only [Status.memory, hu]
    rw [if_neg (by omega)]
  cases hm : (run I D s).move D q with
  | out => rw [hm] at hu; simp only [Move.grow] at hu; omega
  | fresh =>
    rw [hm] at hu
    simp only [Move.grow] at hu
    refine ⟨by omega, fun r h3 h4 => ?_⟩
    obtain rfl : r = s := by omega
    rw [hmem]
    omega
  | stay =>
    rw [hm] at hu
    simp only [Move.grow] at hu
    refine ⟨by omega, fun r h3 h4 => ?_⟩
    rcases Nat.lt_or_ge r s with h5 | h5
    · rw [h2 r (by omega) h5]; omega
    · obtain rfl : r = s := by omega
      rw [hmem]
      omega

/-- **Kills never help.** -/
theorem KillServes.exists_schedule (hI : Burst M I) (h : KillServes M I D C) :
    ∃ S, Feasible M I S ∧ ∀ q ∈ I, completion S q = C q.id := by
  refine ⟨fun i => C i - (((I.find? fun q => decide (q.id = i)).map Request.output).getD 0), ?_⟩
  have hfind : ∀ q ∈ I, I.find? (fun p => decide (p.id = q.id)) = some q := fun q hq => by
    cases hf : I.find? (fun p => decide (p.id = q.id)) with
    | none => exact absurd (List.find?_eq_none.1 hf q hq) (by simp)
    | some p =>
      have h1 := List.find?_some hf
      rw [eq_of_id_eq hI.nodup (List.mem_of_find?_eq_some hf) hq (by simpa using h1)]
  generalize hS : (fun i => C i -
    (((I.find? fun q => decide (q.id = i)).map Request.output).getD 0)) = S
  have hst : ∀ q ∈ I, start S q = C q.id - q.output := fun q hq => by
    rw [← hS]
    simp only [start, hfind q hq]
    rfl
  have hco : ∀ q ∈ I, completion S q = C q.id := fun q hq => by
    obtain ⟨t, ht⟩ := h.completes q hq
    have := (done_memory ht (hI.output_pos q hq)).1
    unfold completion
    rw [hst q hq]
    omega
  refine ⟨⟨fun q hq => by rw [hI.arrived q hq]; exact Nat.zero_le _, fun t => ?_⟩, hco⟩
  refine Nat.le_trans (sum_map_le_sum_map fun q hq => ?_) (h.feasible t)
  unfold memory
  split
  · next ha =>
    obtain ⟨t', ht'⟩ := h.completes q hq
    unfold Active at ha
    rw [hst q hq, hco q hq] at ha
    rw [(done_memory ht' (hI.output_pos q hq)).2 t ha.1 ha.2, hst q hq]
    exact Nat.le_refl _
  · exact Nat.zero_le _

theorem TEL_burst (hI : Burst M I) (S : Schedule) : TEL I S = totalCompletion I S :=
  sum_map_congr fun q hq => by unfold latency; rw [hI.arrived q hq, Nat.sub_zero]

theorem totalTime_eq {S : Schedule} (h : ∀ q ∈ I, completion S q = C q.id) :
    totalCompletion I S = totalTime I C := sum_map_congr h

theorem makespan_le {S : Schedule} {b : Nat} (h : ∀ q ∈ I, completion S q ≤ b) :
    makespan I S ≤ b := by
  have : ∀ (l : List Request) (m : Nat), m ≤ b → (∀ q ∈ l, completion S q ≤ b) →
      l.foldl (fun m q => max m (completion S q)) m ≤ b := by
    intro l
    induction l with
    | nil => exact fun m hm _ => hm
    | cons a l ih =>
      intro m hm hl
      rw [List.foldl_cons]
      have := hl a (List.mem_cons_self ..)
      exact ih _ (by omega) fun q hq => hl q (List.mem_cons_of_mem _ hq)
  exact this I 0 (Nat.zero_le _) h

theorem le_lastTime {q : Request} (hq : q ∈ I) : C q.id ≤ lastTime I C :=
  (foldl_max_le (fun q => C q.id) I 0).2 q hq

/-- No run with kills, clairvoyant or not, has a smaller total completion time than the optimum
without kills. -/
theorem KillServes.opt_le (hI : Burst M I) (h : KillServes M I D C) {c : Nat}
    (hc : IsOPT M I c) : c ≤ totalTime I C := by
  obtain ⟨S, hS, he⟩ := h.exists_schedule hI
  rw [← totalTime_eq he, ← TEL_burst hI]
  exact hc.least S hS

/-- Nor a smaller makespan. -/
theorem KillServes.optMakespan_le (hI : Burst M I) (h : KillServes M I D C) {c : Nat}
    (hc : IsOPTMakespan M I c) : c ≤ lastTime I C := by
  obtain ⟨S, hS, he⟩ := h.exists_schedule hI
  refine Nat.le_trans (hc.least S hS) (makespan_le fun q hq => ?_)
  rw [he q hq]
  exact le_lastTime hq

end OnlineKvCache.NonClairvoyant
