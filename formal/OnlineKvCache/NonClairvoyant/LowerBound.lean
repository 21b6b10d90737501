module

public import OnlineKvCache.NonClairvoyant.LowerBoundFree
public import OnlineKvCache.NonClairvoyant.LowerBoundSerial

public section

/-! # No scheduler with kills is better than `3 - ε`

All prompts are `K`, all outputs at most `K`, the memory is `2K`: two jobs never run together. -/

namespace OnlineKvCache.NonClairvoyant

variable {K n : Nat} {o : Nat → Nat} {D : Decider} {I : List Request} {q : Request}

/-- An attempt grows by at most one token a round. -/
theorem tokens_growth {t v : Nat} (hv : (run I D t).status q = .live v) : ∀ {d u},
    (run I D (t + d)).status q = .live u → u ≤ v + d
  | 0, u, h => by
    rw [Nat.add_zero, hv] at h
    injection h with h
    omega
  | d + 1, u, h => by
    rw [← Nat.add_assoc, run_status_succ] at h
    cases hs : (run I D (t + d)).status q with
    | done c => rw [hs] at h; cases h
    | live w =>
      rw [hs] at h
      simp only [Status.next] at h
      have ih := tokens_growth hv hs
      have hg := grow_le ((run I D (t + d)).move D q) w
      split at h
      · cases h
      · injection h with h
        omega

/-- A request that is unfinished before round `t` completes after `t`. -/
theorem live_lt_done {t v c t' : Nat} (hv : (run I D t).status q = .live v)
    (hc : (run I D t').status q = .done c) : t < c := by
  obtain ⟨r, u, rfl, _, hr, hg⟩ := done_round hc
  refine Nat.lt_of_not_le fun hle => ?_
  have h1 : (run I D (r + 1)).status q = .done (r + 1) := by
    rw [run_status_succ, hr]
    simp only [Status.next, if_pos hg, run_history_length]
  rw [status_done_le h1 hle] at hv
  cases hv

/-- A request whose attempts all start in round `T` or later completes after `T + output`. -/
theorem late_done {T v w c t : Nat} (hT : (run I D T).status q = .live v)
    (hw : ((run I D T).move D q).grow v = w) (h1 : w ≤ 1)
    (hc : (run I D t).status q = .done c) : T + q.output ≤ c := by
  have hlt := live_lt_done hT hc
  obtain ⟨r, u, rfl, _, hr, hg⟩ := done_round hc
  rcases Nat.eq_or_lt_of_le (show T ≤ r by omega) with rfl | hlt'
  · rw [hT] at hr
    injection hr with hr
    subst hr
    omega
  · have h2 : (run I D (T + 1)).status q = .live w := by
      rw [run_status_succ, hT]
      simp only [Status.next, hw]
      refine if_neg fun he => ?_
      have h3 : (run I D (T + 1)).status q = .done (T + 1) := by
        rw [run_status_succ, hT]
        simp only [Status.next, hw, if_pos he, run_history_length]
      rw [status_done_le h3 hlt'] at hr
      cases hr
    obtain ⟨d, rfl⟩ := Nat.exists_eq_add_of_le (show T + 1 ≤ r from hlt')
    have h4 := tokens_growth h2 hr
    have h5 := grow_le ((run I D (T + 1 + d)).move D q) u
    omega

/-- If all attempts start in round `T` or later, everything is late by `T`. -/
theorem late_total {M T c : Nat} {C : Nat → Nat} (hI : Burst M I) (hs : KillServes M I D C)
    (hl : ∀ q ∈ I, T + q.output ≤ C q.id) (hc : IsOPT M I c) :
    I.length * T + c ≤ totalTime I C := by
  obtain ⟨S, hS, he⟩ := hs.exists_schedule hI
  have hst : ∀ q ∈ I, T ≤ start S q := fun q hq => by
    have h1 := hl q hq
    have h2 := he q hq
    unfold completion at h2
    omega
  have hF : Feasible M I fun i => S i - T := by
    refine ⟨fun q hq => by rw [hI.arrived q hq]; exact Nat.zero_le _, fun t => ?_⟩
    refine Nat.le_trans (sum_map_le_sum_map fun q hq => ?_) (hS.capacity (t + T))
    have h1 := hst q hq
    simp only [memory, Active, completion, start] at h1 ⊢
    split <;> split <;> omega
  have h1 := hc.least _ hF
  have h2 : TEL I S = I.length * T + TEL I fun i => S i - T := by
    rw [← sum_map_const, TEL, TEL, ← sum_map_add]
    refine sum_map_congr fun q hq => ?_
    have h1 := hst q hq
    simp only [latency, completion, start, hI.arrived q hq] at h1 ⊢
    omega
  rw [← totalTime_eq he, ← TEL_burst hI, h2]
  omega

/-! ### Case A: in some round nothing goes on -/

/-- Every output is one more than the longest attempt before round `T`. -/
theorem case_fresh {T c : Nat} {C : Nat → Nat} (hK : 1 ≤ K) (hTK : T + 1 ≤ K)
    (h1 : ∀ i < n, freeTokens D (T + 1) i ≤ 1)
    (hc : IsOPT (2 * K) (jobs K (fun i => freeBest D T i + 1) n) c)
    (hs : KillServes (2 * K) (jobs K (fun i => freeBest D T i + 1) n) D C) :
    n * T + c ≤ totalTime (jobs K (fun i => freeBest D T i + 1) n) C := by
  have hb := jobs_burst (M := 2 * K) (n := n) hK (o := fun i => freeBest D T i + 1) fun i _ => by
    have := freeBest_le D T i
    dsimp only
    omega
  obtain ⟨h2, h3⟩ := free_run (D := D) (K := K) (n := n) (o := fun i => freeBest D T i + 1) T
    fun i _ => Nat.lt_succ_self _
  have := late_total (T := T) hb hs (fun q hq => by
    obtain ⟨t, ht⟩ := hs.completes q hq
    obtain ⟨i, hi, rfl⟩ := mem_jobs.1 hq
    refine late_done (h3 i hi) (w := freeTokens D (T + 1) i) ?_ (h1 i hi) ht
    rw [State.move, h2]
    rfl) hc
  rwa [jobs_length] at this

theorem sum_outputs (K n : Nat) (o : Nat → Nat) :
    ((jobs K o n).map Request.output) = (List.range n).map o := by
  simp [jobs, job]

/-- The optimum is at most `(n + 1) / 2` times the sum of the outputs. -/
theorem two_opt_le {M c : Nat} (hv : Valid M (jobs K o n)) (hc : IsOPT M (jobs K o n) c) :
    2 * c ≤ (n + 1) * ((List.range n).map o).sum := by
  have h1 := opt_le_serialCost hc hv jobs_arrival (List.Perm.refl _)
  have h2 := opt_le_serialCost hc hv jobs_arrival (List.reverse_perm _)
  have h3 := serialCost_reverse ((jobs K o n).map Request.output)
  rw [List.map_reverse] at h2
  rw [sum_outputs] at h1 h2 h3
  rw [List.length_map, List.length_range] at h3
  omega

/-! ### Case B: one attempt goes on and on -/

/-- Label `j` has output `K`, the others one more than the longest attempt before round `T`. -/
noncomputable def longOne (D : Decider) (T K j i : Nat) : Nat :=
  if i = j then K else freeBest D T i + 1

/-- Nobody is done before round `K - 1`, so nobody is done by then. -/
theorem case_long {C : Nat → Nat} (hK : 1 ≤ K) (h : ∀ i < n, freeBest D (K - 1) i < o i)
    (hs : KillServes (2 * K) (jobs K o n) D C) : n * K ≤ totalTime (jobs K o n) C := by
  obtain ⟨_, h2⟩ := free_run (K := K) (K - 1) h
  have h3 := sum_map_le_sum_map (f := fun _ => K) (g := fun q : Request => C q.id)
    (l := jobs K o n) fun q hq => by
      obtain ⟨t, ht⟩ := hs.completes q hq
      obtain ⟨i, hi, rfl⟩ := mem_jobs.1 hq
      have := live_lt_done (h2 i hi) ht
      dsimp only
      omega
  rw [sum_map_const, jobs_length] at h3
  exact h3

theorem long_opt {T j M c : Nat} (hj : j < n) (hv : Valid M (jobs K (longOne D T K j) n))
    (hsum : ((List.range n).map (freeBest D T)).sum ≤ T)
    (hc : IsOPT M (jobs K (longOne D T K j) n) c) : c ≤ n * (T + n) + K := by
  have hp : ((List.range n).erase j ++ [j]).Perm (List.range n) :=
    (List.perm_append_singleton j _).trans (List.perm_cons_erase (List.mem_range.2 hj)).symm
  have h1 := opt_le_serialCost hc hv jobs_arrival (hp.map (job K (longOne D T K j)))
  have e1 : (((List.range n).erase j ++ [j]).map (job K (longOne D T K j))).map Request.output =
      ((List.range n).erase j).map (fun i => freeBest D T i + 1) ++ [K] := by
    rw [List.map_map, List.map_append, List.map_cons, List.map_nil]
    congr 1
    · refine List.map_congr_left fun i hi => ?_
      have hne : i ≠ j := fun he => ((List.nodup_range (n := n)).mem_erase_iff.1 hi).1 he
      simp only [Function.comp, job, longOne, if_neg hne]
    · simp only [Function.comp, job, longOne, if_pos]
  rw [e1, serialCost_concat] at h1
  have h2 := serialCost_le (((List.range n).erase j).map fun i => freeBest D T i + 1)
  have h3 : ((List.range n).erase j).length + 1 = n := by
    have := hp.length_eq
    simpa using this
  have h4 := sum_map_erase (fun i => freeBest D T i + 1) (List.mem_range.2 hj)
  have h5 := sum_map_add (freeBest D T) (fun _ => 1) (List.range n)
  rw [sum_map_const, List.length_range] at h5
  rw [List.length_map] at h2
  generalize (((List.range n).erase j).map fun i => freeBest D T i + 1).sum = s at *
  have h6 := Nat.mul_le_mul_left n (show s ≤ T + n by omega)
  have h7 := Nat.succ_mul ((List.range n).erase j).length s
  rw [Nat.succ_eq_add_one, h3] at h7
  omega

/-- If in every round from `T` on an attempt of two or more rounds runs, it is always the same. -/
theorem same_attempt {T L : Nat} (h : ∀ t, 1 ≤ t → t ≤ L → Alone D n t) (hT : 1 ≤ T)
    (hTL : T + 1 ≤ L)
    (hc : ∀ t, T ≤ t → t + 1 ≤ L → ∃ i < n, 2 ≤ freeTokens D (t + 1) i) :
    ∃ j < n, ∀ d, T + 1 + d ≤ L → 1 ≤ freeTokens D (T + 1 + d) j ∧
      ∀ i < n, i ≠ j → freeBest D (T + 1 + d) i = freeBest D T i := by
  obtain ⟨j, hj, h2⟩ := hc T (Nat.le_refl _) hTL
  refine ⟨j, hj, fun d => ?_⟩
  induction d with
  | zero =>
    refine fun _ => ⟨by rw [Nat.add_zero]; omega, fun i hi hij => ?_⟩
    have h3 := h (T + 1) (by omega) hTL i hi j hj hij
    have h4 : freeTokens D (T + 1) i = 0 := by omega
    rw [Nat.add_zero, freeBest, h4]
    omega
  | succ d ih =>
    intro hd
    obtain ⟨h3, h4⟩ := ih (by omega)
    obtain ⟨k, hk, h5⟩ := hc (T + 1 + d) (by omega) (by omega)
    have h6 := freeTokens_succ_le D (T + 1 + d) k
    have hkj : k = j := Classical.byContradiction fun hne => by
      have := h (T + 1 + d) (by omega) (by omega) k hk j hj hne
      omega
    subst hkj
    refine ⟨by rw [← Nat.add_assoc]; omega, fun i hi hij => ?_⟩
    have h7 := h (T + 1 + d + 1) (by omega) (by omega) i hi k hk hij
    have h8 : freeTokens D (T + 1 + d + 1) i = 0 := by omega
    rw [← Nat.add_assoc, freeBest, h8, h4 i hi hij]
    omega

/-! ### The bound -/

theorem kill_lower_bound {n p q : Nat} (hn : 3 ≤ n) (hpq : p * (n + 1) < q * (3 * n + 1)) :
    ∃ M, ∀ A : KillScheduler, ∃ I c, Burst M I ∧ I.length = n ∧ (∀ r ∈ I, 1 ≤ r.prompt) ∧
      IsOPT M I c ∧ 0 < c ∧ ∀ C, KillServes M I (A M (seen I)) C → p * c ≤ q * totalTime I C := by
  generalize hT0 : 2 * q * (n * n) + 1 = T0
  generalize hK : p * (n * (T0 + n)) + T0 + 2 = K
  refine ⟨2 * K, fun A => ?_⟩
  generalize hD : A (2 * K) ((List.range n).map fun i => (i, K)) = D
  have hseen : ∀ o, A (2 * K) (seen (jobs K o n)) = D := fun o => by rw [seen_jobs, hD]
  -- it suffices to give outputs for which every served run is expensive
  suffices H : ∃ o : Nat → Nat, (∀ i < n, 1 ≤ o i ∧ o i ≤ K) ∧
      ∀ c C, IsOPT (2 * K) (jobs K o n) c → KillServes (2 * K) (jobs K o n) D C →
        p * c ≤ q * totalTime (jobs K o n) C by
    obtain ⟨o, ho, h⟩ := H
    have ho' : ∀ i < n, 1 ≤ o i ∧ K + o i ≤ 2 * K := fun i hi => by
      have := ho i hi
      omega
    have hv := jobs_valid (show 1 ≤ K by omega) ho'
    obtain ⟨S, hS, _⟩ := exists_serial hv jobs_arrival
    obtain ⟨c, hc⟩ := IsOPT.of_feasible hS
    refine ⟨_, c, jobs_burst (by omega) ho', jobs_length, hv.prompt_pos, hc,
      hc.pos hv (List.ne_nil_of_mem (job_mem (show 0 < n by omega))), fun C hC => ?_⟩
    rw [hseen o] at hC
    exact h c C hc hC
  by_cases hall : ∀ t, 1 ≤ t → t ≤ K - 1 → Alone D n t
  · by_cases hA : ∃ T, T0 ≤ T ∧ T + 1 ≤ K - 1 ∧ ∀ i < n, freeTokens D (T + 1) i ≤ 1
    · -- everything starts afresh
      obtain ⟨T, h1, h2, h3⟩ := hA
      refine ⟨fun i => freeBest D T i + 1, fun i _ => ?_, fun c C hc hs => ?_⟩
      · have := freeBest_le D T i
        dsimp only
        omega
      · have h4 := case_fresh (by omega) (by omega) h3 hc hs
        have h5 := two_opt_le (jobs_valid (by omega) fun i _ => by
          have := freeBest_le D T i
          omega) hc
        have h6 := sum_freeBest_le (n := n) (D := D) T fun t ht1 ht2 => hall t ht1 (by omega)
        have h7 := sum_map_add (freeBest D T) (fun _ => 1) (List.range n)
        rw [sum_map_const, List.length_range] at h7
        have h8 := Nat.mul_le_mul_left (n + 1) (show ((List.range n).map fun i =>
          freeBest D T i + 1).sum ≤ T + n by omega)
        have h9 := Nat.mul_le_mul_left q h4
        rcases Nat.le_total p q with hle | hle
        · have h10 := Nat.mul_le_mul_right c hle
          have e1 : q * (n * T + c) = q * (n * T) + q * c := Nat.mul_add ..
          omega
        · obtain ⟨r, rfl⟩ := Nat.exists_eq_add_of_le hle
          have h10 : r * (n + 1) + 1 ≤ 2 * q * n := by
            have e1 : (q + r) * (n + 1) = q * n + q + r * (n + 1) := by grind
            have e2 : q * (3 * n + 1) = 2 * q * n + q * n + q := by grind
            omega
          have h11 := Nat.mul_le_mul_right (T + n) h10
          have h12 := Nat.mul_le_mul_left r (Nat.le_trans h5 h8)
          have e1 : (r * (n + 1) + 1) * (T + n) = r * ((n + 1) * (T + n)) + T + n := by grind
          have e2 : 2 * q * n * (T + n) = 2 * (q * (n * T)) + 2 * q * (n * n) := by grind
          have e3 : (q + r) * c = q * c + r * c := Nat.add_mul ..
          have e4 : q * (n * T + c) = q * (n * T) + q * c := Nat.mul_add ..
          have e5 : r * (2 * c) = 2 * (r * c) := by grind
          omega
    · -- one attempt goes on and on
      obtain ⟨j, hj, h1⟩ := same_attempt (T := T0) hall (by omega) (by omega) fun t ht1 ht2 => by
        refine Classical.byContradiction fun hc => hA ⟨t, ht1, ht2, fun i hi => ?_⟩
        refine Nat.le_of_not_lt fun hlt => hc ⟨i, hi, hlt⟩
      have h2 := h1 (K - 1 - (T0 + 1)) (by omega)
      rw [show T0 + 1 + (K - 1 - (T0 + 1)) = K - 1 by omega] at h2
      have ho : ∀ i < n, 1 ≤ longOne D T0 K j i ∧ longOne D T0 K j i ≤ K := fun i _ => by
        have := freeBest_le D T0 i
        unfold longOne
        split <;> omega
      refine ⟨longOne D T0 K j, ho, fun c C hc hs => ?_⟩
      have h3 := case_long (by omega) (fun i hi => by
        unfold longOne
        split
        · have := freeBest_le D (K - 1) i
          omega
        · next hne => rw [h2.2 i hi hne]; exact Nat.lt_succ_self _) hs
      have h4 := long_opt hj (jobs_valid (by omega) fun i hi => by
        have := ho i hi
        omega) (sum_freeBest_le T0 fun t ht1 ht2 => hall t ht1 (by omega)) hc
      have h5 : p + 1 ≤ q * n := by
        have e1 := Nat.mul_le_mul_left q (show 3 * n + 1 ≤ n * (n + 1) by
          have := Nat.mul_le_mul_right (n + 1) hn
          omega)
        have e2 : q * (n * (n + 1)) = q * n * (n + 1) := (Nat.mul_assoc ..).symm
        exact Nat.lt_of_mul_lt_mul_right (Nat.lt_of_lt_of_le hpq (e2 ▸ e1))
      have h6 := Nat.mul_le_mul_left p h4
      have h7 := Nat.mul_le_mul_left q h3
      have h8 := Nat.mul_le_mul_right K h5
      have e3 : p * (n * (T0 + n) + K) = p * (n * (T0 + n)) + p * K := Nat.mul_add ..
      have e4 : (p + 1) * K = p * K + K := Nat.succ_mul ..
      have e5 : q * (n * K) = q * n * K := (Nat.mul_assoc ..).symm
      omega
  · -- some round is infeasible whatever the outputs are
    obtain ⟨t, ht⟩ := Classical.not_forall.1 hall
    obtain ⟨h1, ht⟩ := Classical.not_imp.1 ht
    obtain ⟨h2, ht⟩ := Classical.not_imp.1 ht
    refine ⟨fun _ => K, fun i _ => ⟨by dsimp only; omega, Nat.le_refl _⟩,
      fun c C _ hs => absurd ?_ ht⟩
    obtain ⟨s, rfl⟩ : ∃ s, t = s + 1 := ⟨t - 1, by omega⟩
    refine alone_of_feasible (K := K) (o := fun _ => K) (by omega) (fun i _ => ?_) hs.feasible
    have := freeBest_le D s i
    dsimp only
    omega

/-- Every ratio below 3 is exceeded with enough jobs. -/
theorem kill_lower_bound_three {p q : Nat} (hpq : p < 3 * q) :
    ∃ n M, ∀ A : KillScheduler, ∃ I c, Burst M I ∧ I.length = n ∧ (∀ r ∈ I, 1 ≤ r.prompt) ∧
      IsOPT M I c ∧ 0 < c ∧ ∀ C, KillServes M I (A M (seen I)) C → p * c ≤ q * totalTime I C := by
  refine ⟨2 * q + 3, kill_lower_bound (by omega) ?_⟩
  have h := Nat.mul_le_mul_right (2 * q + 3 + 1) (show p + 1 ≤ 3 * q from hpq)
  have e1 : (p + 1) * (2 * q + 3 + 1) = p * (2 * q + 3 + 1) + (2 * q + 3 + 1) := Nat.succ_mul ..
  have e2 : q * (3 * (2 * q + 3) + 1) + 2 * q = 3 * q * (2 * q + 3 + 1) := by grind
  omega

end OnlineKvCache.NonClairvoyant
