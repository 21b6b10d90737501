module

public import OnlineKvCache.NonClairvoyant.RectWork
public import OnlineKvCache.Area.MinSumFacts

public section

/-! # The strip, all jobs together -/

namespace OnlineKvCache

theorem two_cross_le (l : List Nat) :
    2 * (l.map fun x => (l.map fun y => min (3 * y) (4 * x)).sum).sum ≤ 7 * orderedMin l := by
  have h1 := sum_map_comm (fun x y => min (3 * y) (4 * x)) l l
  have h2 : (l.map fun x => (l.map fun y => min (3 * y) (4 * x)).sum).sum +
      (l.map fun y => (l.map fun x => min (3 * y) (4 * x)).sum).sum ≤ 7 * orderedMin l := by
    rw [← sum_map_add, orderedMin, ← sum_map_mul]
    refine sum_map_le_sum_map fun x _ => ?_
    rw [minSum_eq, ← sum_map_add, ← sum_map_mul]
    exact sum_map_le_sum_map fun y _ => by omega
  omega

variable {M : Nat} {jobs : List RectJob}

/-- The terms of the bounds of all jobs, with their own. -/
theorem sum_cross_le (jobs : List RectJob) :
    2 * ((List.range jobs.length).map fun i => ((List.range jobs.length).map fun j =>
      if j = i then 0 else min (3 * areaAt jobs j) (4 * areaAt jobs i)).sum).sum +
      6 * (jobs.map RectJob.area).sum ≤ 7 * orderedMin (jobs.map RectJob.area) := by
  have hc := two_cross_le (jobs.map RectJob.area)
  have harea : ∀ g : Nat → Nat, ((List.range jobs.length).map fun i => g (areaAt jobs i)).sum =
      ((jobs.map RectJob.area).map g).sum := fun g => by
    have h := sum_range_getElem? (fun o : Option RectJob => g (match o with
      | some b => b.area
      | none => 0)) jobs
    rw [List.map_map]
    exact h
  have h1 : ((List.range jobs.length).map fun i => ((List.range jobs.length).map fun j =>
      if j = i then 0 else min (3 * areaAt jobs j) (4 * areaAt jobs i)).sum).sum +
      ((List.range jobs.length).map fun i => 3 * areaAt jobs i).sum =
      ((List.range jobs.length).map fun i => ((List.range jobs.length).map fun j =>
        min (3 * areaAt jobs j) (4 * areaAt jobs i)).sum).sum := by
    rw [← sum_map_add]
    refine sum_map_congr fun i hi => ?_
    have h0 : ((List.range jobs.length).map fun j =>
        if j = i then 0 else min (3 * areaAt jobs j) (4 * areaAt jobs i)).sum +
        min (3 * areaAt jobs i) (4 * areaAt jobs i) = ((List.range jobs.length).map fun j =>
          min (3 * areaAt jobs j) (4 * areaAt jobs i)).sum :=
      sum_range_without (fun j => min (3 * areaAt jobs j) (4 * areaAt jobs i)) i _
        (List.mem_range.1 hi)
    rw [← h0]
    omega
  have h2 : ((List.range jobs.length).map fun i => ((List.range jobs.length).map fun j =>
        min (3 * areaAt jobs j) (4 * areaAt jobs i)).sum).sum =
      ((jobs.map RectJob.area).map fun x => ((jobs.map RectJob.area).map fun y =>
        min (3 * y) (4 * x)).sum).sum := by
    rw [← harea fun x => ((jobs.map RectJob.area).map fun y => min (3 * y) (4 * x)).sum]
    exact sum_map_congr fun i _ => harea fun y => min (3 * y) (4 * areaAt jobs i)
  have h3 : ((List.range jobs.length).map fun i => 3 * areaAt jobs i).sum =
      3 * (jobs.map RectJob.area).sum :=
    (harea fun x => 3 * x).trans (by rw [sum_map_mul 3 (fun x => x), List.map_id'])
  omega

/-- A weighted sum of clocks. With `D ≤ K * H`: the waiting of a job, times `D`, is at most `K`
times its terms. -/
theorem rect_sum_bound (hg : ∀ j ∈ jobs, RectGood j) {H D K : Nat}
    (hD : D ≤ K * H)
    (hH : ∀ (t i : Nat) (e : RectEntry), (rectState M jobs t)[i]? = some e →
      e.isPending = true → H ≤ usedWidth (rectState M jobs t)) (T : Nat) :
    2 * (D * ((rectState M jobs T).map (RectEntry.clock T)).sum) +
      6 * K * (jobs.map RectJob.area).sum ≤ 6 * (D * (jobs.map RectJob.need).sum) +
        7 * K * orderedMin (jobs.map RectJob.area) := by
  have hlen := length_rectState M jobs T
  have h1 : ((rectState M jobs T).map (RectEntry.clock T)).sum =
      ((List.range jobs.length).map fun i => match (rectState M jobs T)[i]? with
        | some e => e.clock T
        | none => 0).sum := by
    have := sum_range_getElem? (fun o : Option RectEntry => match o with
      | some e => e.clock T
      | none => 0) (rectState M jobs T)
    rw [hlen] at this
    exact this.symm
  have h2 : (jobs.map RectJob.need).sum =
      ((List.range jobs.length).map fun i => match jobs[i]? with
        | some b => b.need
        | none => 0).sum := (sum_range_getElem? (fun o : Option RectJob => match o with
      | some b => b.need
      | none => 0) jobs).symm
  have h3 : D * ((rectState M jobs T).map (RectEntry.clock T)).sum ≤
      3 * (D * (jobs.map RectJob.need).sum) + K * ((List.range jobs.length).map fun i =>
        ((List.range jobs.length).map fun j =>
          if j = i then 0 else min (3 * areaAt jobs j) (4 * areaAt jobs i)).sum).sum := by
    rw [h1, h2, ← sum_map_mul, ← sum_map_mul, ← sum_map_mul, ← sum_map_mul, ← sum_map_add]
    refine sum_map_le_sum_map fun i hi => ?_
    have hi' := List.mem_range.1 hi
    obtain ⟨e, he⟩ : ∃ e, (rectState M jobs T)[i]? = some e :=
      ⟨_, List.getElem?_eq_getElem (by omega)⟩
    have hj := (rect_age hg T i e he).1
    have hb := rect_job_bound hg hH he
    have ha : areaAt jobs i = e.job.area := by rw [areaAt, hj]
    rw [he, hj, ha]
    show D * e.clock T ≤ 3 * (D * e.job.need) + K * _
    generalize ((List.range jobs.length).map fun j =>
      if j = i then 0 else min (3 * areaAt jobs j) (4 * e.job.area)).sum = X at hb ⊢
    generalize e.clock T = c at hb ⊢
    generalize e.job.need = p at hb ⊢
    rcases Nat.le_total c (3 * p) with h | h
    · have h4 := Nat.mul_le_mul_left D h
      rw [Nat.mul_left_comm] at h4
      omega
    · obtain ⟨d, rfl⟩ := Nat.le.dest h
      have e1 : H * (3 * p + d) = 3 * (H * p) + H * d := by grind
      have e2 : D * (3 * p + d) = 3 * (D * p) + D * d := by grind
      have h4 : H * d ≤ X := by omega
      have h5 := Nat.mul_le_mul_left K h4
      have h6 := Nat.mul_le_mul_right d hD
      rw [Nat.mul_assoc] at h6
      omega
  have h4 := Nat.mul_le_mul_left K (sum_cross_le jobs)
  generalize ((List.range jobs.length).map fun i => ((List.range jobs.length).map fun j =>
    if j = i then 0 else min (3 * areaAt jobs j) (4 * areaAt jobs i)).sum).sum = X at h3 h4
  have e1 : K * (2 * X + 6 * (jobs.map RectJob.area).sum) =
      2 * (K * X) + 6 * K * (jobs.map RectJob.area).sum := by grind
  have e2 : K * (7 * orderedMin (jobs.map RectJob.area)) =
      7 * K * orderedMin (jobs.map RectJob.area) := by grind
  omega

/-! ### All jobs end -/

/-- While a job waits, something runs. -/
theorem used_pos (hg : ∀ j ∈ jobs, RectGood j) {t i : Nat}
    {e : RectEntry} (he : (rectState M jobs t)[i]? = some e) (hp : e.isPending = true) :
    ∃ b ∈ jobs, M < usedWidth (rectState M jobs t) + b.width := by
  cases hfp : firstPending (rectState M jobs t) with
  | none =>
    rw [firstPending_none hfp i e he] at hp
    cases hp
  | some kc =>
    obtain ⟨k, c⟩ := kc
    exact ⟨c.job, List.mem_of_getElem? (rect_age hg t k c (firstPending_some hfp).1).1,
      (rectState_inv M jobs t).2 k c hfp⟩

theorem exists_active : ∀ {st : RectState}, 0 < usedWidth st →
    ∃ (j : Nat) (e : RectEntry), st[j]? = some e ∧ e.isActive = true
  | [], h => absurd h (Nat.lt_irrefl 0)
  | e :: l, h => by
    by_cases ha : e.isActive = true
    · exact ⟨0, e, rfl, ha⟩
    · rw [usedWidth, if_neg ha, Nat.zero_add] at h
      obtain ⟨j, f, h1, h2⟩ := exists_active h
      exact ⟨j + 1, f, by simpa using h1, h2⟩

/-- A job that is done stays done. -/
theorem done_stays (hg : ∀ j ∈ jobs, RectGood j) {t i : Nat} {e' : RectEntry}
    (h : (rectState M jobs (t + 1))[i]? = some e')
    (hn : e'.isPending = true ∨ e'.isActive = true) :
    ∃ e, (rectState M jobs t)[i]? = some e ∧ (e.isPending = true ∨ e.isActive = true) := by
  obtain ⟨e, he, hc⟩ := rect_change hg h
  refine ⟨e, he, ?_⟩
  cases hc with
  | stay => exact hn
  | start hs => exact Or.inl hs
  | finish o hs => exact Or.inr (active_of_outcome hs)
  | restart o hs _ => exact Or.inr (active_of_outcome hs)

/-- Up to a time at which some job is not done, something runs in every round. -/
theorem rounds_run (hw : ∀ j ∈ jobs, j.width ≤ M) (hg : ∀ j ∈ jobs, RectGood j) {i : Nat} :
    ∀ (T : Nat) (e : RectEntry), (rectState M jobs T)[i]? = some e →
      (e.isPending = true ∨ e.isActive = true) →
      T ≤ ((List.range jobs.length).map fun j => runRounds M jobs j T).sum
  | 0, _, _, _ => Nat.zero_le _
  | T + 1, e', h, hn => by
    obtain ⟨e, he, hn'⟩ := done_stays hg h hn
    have ih := rounds_run hw hg T e he hn'
    obtain ⟨k, f, hf, hact⟩ : ∃ (j : Nat) (f : RectEntry),
        (rectState M jobs T)[j]? = some f ∧ f.isActive = true := by
      rcases hn' with hp | ha
      · obtain ⟨b, hb, hlt⟩ := used_pos hg he hp
        have := hw b hb
        exact exists_active (by omega)
      · exact ⟨i, e, he, ha⟩
    have hk : k ∈ List.range jobs.length := by
      obtain ⟨hlt, _⟩ := List.getElem?_eq_some_iff.1 hf
      rw [length_rectState] at hlt
      exact List.mem_range.2 hlt
    refine Nat.le_trans (Nat.add_le_add_right ih 1) (sum_map_add_le (fun j _ => ?_) hk ?_)
    · rw [runRounds, runRounds, sum_range_succ]
      exact Nat.le_add_right ..
    · have e1 : runRounds M jobs k (T + 1) = runRounds M jobs k T + runs (some f) := by
        rw [runRounds, sum_range_succ, hf]
        rfl
      have e2 : runs (some f) = 1 := by simp [runs, hact]
      omega

/-- After three times the total need, all jobs are done. -/
theorem all_done (hw : ∀ j ∈ jobs, j.width ≤ M) (hg : ∀ j ∈ jobs, RectGood j) {T i : Nat}
    {e : RectEntry} (hT : 3 * (jobs.map RectJob.need).sum ≤ T)
    (he : (rectState M jobs T)[i]? = some e) : e.isPending = false ∧ e.isActive = false := by
  have hlen := length_rectState M jobs T
  obtain ⟨hil, _⟩ := List.getElem?_eq_some_iff.1 he
  by_cases hn : e.isPending = true ∨ e.isActive = true
  · exfalso
    have h1 := rounds_run hw hg T e he hn
    have h2 : ((List.range jobs.length).map fun j => runRounds M jobs j T).sum + 2 ≤
        ((List.range jobs.length).map fun j => 3 * (match jobs[j]? with
          | some b => b.need
          | none => 0)).sum := by
      have h3 : ∀ j, j ∈ List.range jobs.length → runRounds M jobs j T + 2 ≤
          3 * (match jobs[j]? with
            | some b => b.need
            | none => 0) := fun j hj => by
        have hj' := List.mem_range.1 hj
        obtain ⟨f, hf⟩ : ∃ f, (rectState M jobs T)[j]? = some f :=
          ⟨_, List.getElem?_eq_getElem (by omega)⟩
        rw [(rect_age hg T j f hf).1]
        exact runRounds_le hg hf
      exact sum_map_add_le (fun j hj => Nat.le_trans (Nat.le_add_right _ 2) (h3 j hj))
        (List.mem_range.2 (by omega)) (h3 i (List.mem_range.2 (by omega)))
    have h4 := sum_range_getElem? (fun o : Option RectJob => 3 * (match o with
      | some b => b.need
      | none => 0)) jobs
    have h5 : (jobs.map fun b => 3 * b.need).sum = 3 * (jobs.map RectJob.need).sum :=
      sum_map_mul ..
    have h6 : ((List.range jobs.length).map fun j => 3 * (match jobs[j]? with
          | some b => b.need
          | none => 0)).sum = (jobs.map fun b => 3 * b.need).sum := h4
    omega
  · rw [not_or, Bool.not_eq_true, Bool.not_eq_true] at hn
    exact hn

theorem need_le_height (j : RectJob) : j.need ≤ j.height := by
  obtain ⟨w, p, c⟩ := j
  cases c with
  | none => exact Nat.le_refl _
  | some c => exact Nat.min_le_left ..

/-- Rounds change nothing once all jobs are done. -/
theorem rectRound_of_done {now : Nat} {st : RectState}
    (h : ∀ e ∈ st, e.isPending = false ∧ e.isActive = false) : rectRound M now st = st := by
  refine rectRound_induct (P := fun st' => st' = st) (fun o st' i hst => ?_) st rfl
  change st' = st at hst
  subst hst
  show rectEvent M now o st' i = st'
  unfold rectEvent
  split
  · rfl
  · rename_i e he
    rw [if_neg]
    rw [outcome_of_not_active (h e (List.mem_of_getElem? he)).2]
    simp

/-- The run is the sequence of states. -/
theorem rectRun_eq : ∀ fuel now, rectRun M fuel now (rectState M jobs now) =
    rectState M jobs (now + fuel)
  | 0, _ => rfl
  | fuel + 1, now => by
    unfold rectRun
    split
    · rename_i hall
      have h : ∀ e ∈ rectState M jobs now, e.isPending = false ∧ e.isActive = false :=
        fun e he => by
          have := List.all_eq_true.1 hall e he
          simpa using this
      have hst : ∀ d, rectState M jobs (now + d) = rectState M jobs now := fun d => by
        induction d with
        | zero => rfl
        | succ d ih =>
          rw [← Nat.add_assoc, rectState, ih, rectRound_of_done h]
      exact (hst _).symm
    · have e : rectRound M (now + 1) (rectState M jobs now) = rectState M jobs (now + 1) := rfl
      rw [e, rectRun_eq fuel (now + 1), Nat.add_assoc, Nat.add_comm 1 fuel]

/-- The completion times are the clocks at the end. -/
theorem rectCompletions_eq (hw : ∀ j ∈ jobs, j.width ≤ M) (hg : ∀ j ∈ jobs, RectGood j) :
    rectCompletions M jobs = (rectState M jobs (3 * (jobs.map RectJob.height).sum)).map
      (RectEntry.clock (3 * (jobs.map RectJob.height).sum)) := by
  have h0 : rectInit M jobs = rectState M jobs 0 := rfl
  rw [rectCompletions, h0, rectRun_eq, Nat.zero_add]
  refine List.map_congr_left fun e he => ?_
  obtain ⟨i, hi⟩ := List.getElem?_of_mem he
  have hd := all_done hw hg (Nat.mul_le_mul_left 3
    (sum_map_le_sum_map fun j _ => need_le_height j)) hi
  obtain ⟨j, p⟩ := e
  cases p with
  | pending r => cases hd.1
  | active r b => cases hd.2
  | done c => rfl

end OnlineKvCache
