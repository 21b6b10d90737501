module

public import OnlineKvCache.NonClairvoyant.Kills

@[expose] public section

/-! # Runs in which nobody completes

While no attempt is as long as the output of its request, a scheduler sees the same whatever the
outputs are. -/

namespace OnlineKvCache.NonClairvoyant

/-- The request with label `i`, prompt `K` and output `o i`. -/
def job (K : Nat) (o : Nat → Nat) (i : Nat) : Request := ⟨i, 0, K, o i⟩

/-- `n` requests with equal prompts. -/
noncomputable def jobs (K : Nat) (o : Nat → Nat) (n : Nat) : List Request :=
  (List.range n).map (job K o)

/-- Tokens of label `i` before round `t` if nobody ever completes. -/
noncomputable def freeTokens (D : Decider) : Nat → Nat → Nat
  | 0, _ => 0
  | t + 1, i => (D (List.replicate t []) i).grow (freeTokens D t i)

/-- Rounds of the longest attempt of label `i` before round `t` if nobody ever completes. -/
noncomputable def freeBest (D : Decider) : Nat → Nat → Nat
  | 0, _ => 0
  | t + 1, i => max (freeBest D t i) (freeTokens D (t + 1) i)

variable {K n : Nat} {o : Nat → Nat} {D : Decider}

theorem mem_jobs {q : Request} : q ∈ jobs K o n ↔ ∃ i < n, q = job K o i := by
  simp only [jobs, List.mem_map, List.mem_range]
  exact ⟨fun ⟨i, h, e⟩ => ⟨i, h, e.symm⟩, fun ⟨i, h, e⟩ => ⟨i, h, e.symm⟩⟩

theorem job_mem {i : Nat} (h : i < n) : job K o i ∈ jobs K o n := mem_jobs.2 ⟨i, h, rfl⟩

theorem jobs_length : (jobs K o n).length = n := by simp [jobs]

theorem jobs_arrival : ∀ q ∈ jobs K o n, q.arrival = 0 := fun q hq => by
  obtain ⟨i, _, rfl⟩ := mem_jobs.1 hq
  rfl

theorem seen_jobs : seen (jobs K o n) = (List.range n).map fun i => (i, K) := by
  simp [seen, jobs, job]

theorem jobs_valid {M : Nat} (hK : 1 ≤ K) (ho : ∀ i < n, 1 ≤ o i ∧ K + o i ≤ M) :
    Valid M (jobs K o n) where
  nodup := by
    rw [jobs, List.map_map]
    exact List.pairwise_map.2 (List.nodup_range.imp (by intro a b h; simpa [job] using h))
  prompt_pos q hq := by obtain ⟨i, _, rfl⟩ := mem_jobs.1 hq; exact hK
  output_pos q hq := by obtain ⟨i, hi, rfl⟩ := mem_jobs.1 hq; exact (ho i hi).1
  fits q hq := by obtain ⟨i, hi, rfl⟩ := mem_jobs.1 hq; exact (ho i hi).2

theorem jobs_burst {M : Nat} (hK : 1 ≤ K) (ho : ∀ i < n, 1 ≤ o i ∧ K + o i ≤ M) :
    Burst M (jobs K o n) :=
  ⟨(jobs_valid hK ho).nodup, jobs_arrival, (jobs_valid hK ho).output_pos, (jobs_valid hK ho).fits⟩

theorem grow_le (m : Move) (u : Nat) : m.grow u ≤ u + 1 := by
  cases m <;> simp [Move.grow]

theorem freeTokens_succ_le (D : Decider) (t i : Nat) :
    freeTokens D (t + 1) i ≤ freeTokens D t i + 1 := grow_le _ _

theorem freeTokens_le_best (D : Decider) : ∀ t i, freeTokens D t i ≤ freeBest D t i
  | 0, _ => Nat.le_refl _
  | _ + 1, _ => Nat.le_max_right ..

theorem freeBest_succ_le (D : Decider) (t i : Nat) :
    freeBest D (t + 1) i ≤ freeBest D t i + if freeTokens D (t + 1) i = 0 then 0 else 1 := by
  have h1 := freeTokens_succ_le D t i
  have h2 := freeTokens_le_best D t i
  rw [freeBest]
  split <;> omega

theorem freeBest_le (D : Decider) : ∀ t i, freeBest D t i ≤ t
  | 0, _ => Nat.le_refl _
  | t + 1, i => by
    have h1 := freeBest_le D t i
    have h2 := freeBest_succ_le D t i
    split at h2 <;> omega

/-- While no attempt is long enough, nobody completes. -/
theorem free_run : ∀ t, (∀ i < n, freeBest D t i < o i) →
    (run (jobs K o n) D t).history = List.replicate t [] ∧
      ∀ i < n, (run (jobs K o n) D t).status (job K o i) = .live (freeTokens D t i)
  | 0, _ => ⟨rfl, fun _ _ => rfl⟩
  | t + 1, h => by
    obtain ⟨h1, h2⟩ := free_run t fun i hi =>
      Nat.lt_of_le_of_lt (Nat.le_max_left _ (freeTokens D (t + 1) i)) (h i hi)
    have h3 : ∀ i < n, ((run (jobs K o n) D t).move D (job K o i)).grow (freeTokens D t i) =
        freeTokens D (t + 1) i := fun i _ => by
      rw [State.move, h1]
      rfl
    have h4 : ∀ i < n, freeTokens D (t + 1) i ≠ o i := fun i hi => by
      have := freeTokens_le_best D (t + 1) i
      have := h i hi
      omega
    constructor
    · rw [run_history_succ, h1, List.replicate_succ]
      congr 1
      rw [List.filter_eq_nil_iff.2, List.map_nil]
      intro q hq
      obtain ⟨i, hi, rfl⟩ := mem_jobs.1 hq
      rw [h2 i hi]
      simp only [Status.completes, h3 i hi, decide_eq_true_eq]
      exact h4 i hi
    · intro i hi
      rw [run_status_succ, h2 i hi]
      simp only [Status.next, h3 i hi]
      exact if_neg (h4 i hi)

/-- No two labels are in the batch of the round before `t`. -/
def Alone (D : Decider) (n t : Nat) : Prop :=
  ∀ i < n, ∀ j < n, i ≠ j → freeTokens D t i = 0 ∨ freeTokens D t j = 0

/-- Two requests with prompts over half of the memory are never in the batch together. -/
theorem alone_of_feasible {M t : Nat} (hM : M ≤ 2 * K + 1) (h : ∀ i < n, freeBest D t i < o i)
    (hf : RunFeasible M (jobs K o n) D) : Alone D n (t + 1) := by
  intro i hi j hj hij
  obtain ⟨h1, h2⟩ := free_run (K := K) t h
  refine Classical.byContradiction fun hc => ?_
  have h3 : ∀ k < n, freeTokens D (t + 1) k ≠ 0 →
      ((run (jobs K o n) D t).status (job K o k)).memory K
        ((run (jobs K o n) D t).move D (job K o k)) ≥ K + 1 := fun k hk h0 => by
    have e : ((run (jobs K o n) D t).move D (job K o k)).grow (freeTokens D t k) =
        freeTokens D (t + 1) k := by
      rw [State.move, h1]
      rfl
    rw [h2 k hk]
    simp only [Status.memory, e, if_neg h0]
    omega
  have h4 := add_le_sum_map (fun q => ((run (jobs K o n) D t).status q).memory q.prompt
    ((run (jobs K o n) D t).move D q)) (job_mem (K := K) (o := o) hi) (job_mem hj)
    fun he => hij (congrArg Request.id he)
  have h5 := hf t
  have h6 := h3 i hi (by omega)
  have h7 := h3 j hj (by omega)
  unfold runMemory at h5
  simp only [job] at h4 h6 h7
  omega

theorem sum_freeBest_le : ∀ T, (∀ t, 1 ≤ t → t ≤ T → Alone D n t) →
    ((List.range n).map (freeBest D T)).sum ≤ T
  | 0, _ => Nat.le_of_eq (sum_map_eq_zero fun _ _ => rfl)
  | T + 1, h => by
    have ih := sum_freeBest_le T fun t h1 h2 => h t h1 (by omega)
    have h1 := sum_map_le_sum_map (l := List.range n) fun i (_ : i ∈ List.range n) =>
      freeBest_succ_le D T i
    have h2 := sum_map_le_of_disjoint (f := fun i => if freeTokens D (T + 1) i = 0 then 0 else 1)
      (l := List.range n) (c := 1) List.nodup_range (fun i _ => by dsimp only; split <;> omega)
      (fun i hi j hj hij => by
        have := h (T + 1) (by omega) (Nat.le_refl _) i (List.mem_range.1 hi) j
          (List.mem_range.1 hj) hij
        dsimp only
        split <;> split <;> omega)
    rw [sum_map_add] at h1
    have e : ((List.range n).map (freeBest D T)).sum =
      ((List.range n).map fun i => freeBest D T i).sum := rfl
    have e' : ((List.range n).map (freeBest D (T + 1))).sum =
      ((List.range n).map fun i => freeBest D (T + 1) i).sum := rfl
    omega

end OnlineKvCache.NonClairvoyant
