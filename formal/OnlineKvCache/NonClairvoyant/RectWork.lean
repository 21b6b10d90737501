module

public import OnlineKvCache.NonClairvoyant.RectAge
public import OnlineKvCache.Area.Volume

@[expose] public section

/-! # The strip, job by job

While a job waits, at least `H` of width is in use, by attempts of budgets less than twice its area.
So `H` times its completion time is at most `3 * H * p` and, for each other job, the lesser of three
times that job's area and four times its own. -/

namespace OnlineKvCache

/-- The area of a job: what it needs. -/
def RectJob.area (j : RectJob) : Nat := j.width * j.need

/-- A sum over the positions of a list. -/
theorem sum_range_getElem? {α : Type} (g : Option α → Nat) : ∀ l : List α,
    ((List.range l.length).map fun j => g l[j]?).sum = (l.map fun x => g (some x)).sum
  | [] => rfl
  | a :: l => by
    have ih := sum_range_getElem? g l
    rw [List.length_cons, List.range_succ_eq_map, List.map_cons, List.sum_cons, List.map_map,
      List.map_cons, List.sum_cons, ← ih]
    simp [Function.comp_def]

/-- A sum without one term. -/
theorem sum_range_without (f : Nat → Nat) (i : Nat) : ∀ n : Nat, i < n →
    ((List.range n).map fun j => if j = i then 0 else f j).sum + f i =
      ((List.range n).map f).sum
  | 0, h => absurd h (Nat.not_lt_zero i)
  | n + 1, h => by
    rw [sum_range_succ, sum_range_succ f]
    rcases Nat.lt_succ_iff_lt_or_eq.1 h with h1 | h1
    · have ih := sum_range_without f i n h1
      rw [if_neg (by omega)]
      omega
    · subst h1
      have e : ((List.range i).map fun j => if j = i then 0 else f j).sum =
          ((List.range i).map f).sum := sum_map_congr fun j hj => by
        have := List.mem_range.1 hj
        rw [if_neg (by omega)]
      rw [e, if_pos rfl, Nat.add_zero]

/-- The width in use by an entry. -/
def actWidth : Option RectEntry → Nat
  | some e => if e.isActive then e.job.width else 0
  | none => 0

/-- 1 if the job runs. -/
def runs : Option RectEntry → Nat
  | some e => if e.isActive then 1 else 0
  | none => 0

/-- 1 if the job waits. -/
def waits : Option RectEntry → Nat
  | some e => if e.isPending then 1 else 0
  | none => 0

theorem usedWidth_eq : ∀ st : RectState, usedWidth st =
    ((List.range st.length).map fun j => actWidth st[j]?).sum := fun st => by
  rw [sum_range_getElem? actWidth]
  induction st with
  | nil => rfl
  | cons e l ih => rw [usedWidth, ih, List.map_cons, List.sum_cons]; rfl

variable {M : Nat} {jobs : List RectJob}

/-- Rounds before `T` in which job `i` runs. -/
noncomputable def runRounds (M : Nat) (jobs : List RectJob) (i T : Nat) : Nat :=
  ((List.range T).map fun t => runs (rectState M jobs t)[i]?).sum

/-- Rounds before `T` in which job `i` waits. -/
noncomputable def waitRounds (M : Nat) (jobs : List RectJob) (i T : Nat) : Nat :=
  ((List.range T).map fun t => waits (rectState M jobs t)[i]?).sum

/-- Rounds before `T` in which job `i` waits and job `j` runs. -/
noncomputable def meanwhile (M : Nat) (jobs : List RectJob) (i j T : Nat) : Nat :=
  ((List.range T).map fun t =>
    waits (rectState M jobs t)[i]? * runs (rectState M jobs t)[j]?).sum

theorem clock_le (hg : ∀ j ∈ jobs, RectGood j) {i : Nat} : ∀ (t : Nat) (e : RectEntry),
    (rectState M jobs t)[i]? = some e →
    e.clock t ≤ runRounds M jobs i t + waitRounds M jobs i t
  | 0, e, h => by
    have h1 := (rect_age hg 0 i e h).2
    obtain ⟨j, p⟩ := e
    cases p with
    | pending r => exact Nat.zero_le _
    | active r b => exact Nat.zero_le _
    | done c => exact Nat.le_trans h1 (Nat.zero_le _)
  | t + 1, e', h => by
    obtain ⟨e, he, hc⟩ := rect_change hg h
    have ih := clock_le hg t e he
    have h1 := clock_next hc
    rw [runRounds, waitRounds, sum_range_succ, sum_range_succ, he]
    unfold runRounds waitRounds at ih
    have r1 : runs (some e) = if e.isActive then 1 else 0 := rfl
    have w1 : waits (some e) = if e.isPending then 1 else 0 := rfl
    rw [r1, w1]
    omega

theorem runRounds_le (hg : ∀ j ∈ jobs, RectGood j) {i t : Nat} {e : RectEntry}
    (h : (rectState M jobs t)[i]? = some e) : runRounds M jobs i t + 2 ≤ 3 * e.job.need := by
  refine (rect_count (M := M) hg (ok := fun _ => true) (i := i) (c := runRounds M jobs i) rfl
    (fun t e he => ?_) t e h).le_three (rect_age hg t i e h).2
  rw [runRounds, sum_range_succ, he]
  refine Nat.add_le_add_left ?_ _
  obtain ⟨j, p⟩ := e
  cases p <;> simp [runs, RectEntry.isActive, RectEntry.tick]

/-- What waits has a budget less than twice its area. -/
theorem pending_budget (hg : ∀ j ∈ jobs, RectGood j) {i t : Nat} {e : RectEntry}
    (h : (rectState M jobs t)[i]? = some e) (hp : e.isPending = true) :
    e.budget < 2 * e.job.area := by
  obtain ⟨h1, h2⟩ := rect_age hg t i e h
  have hw := (hg _ (List.mem_of_getElem? h1)).width
  obtain ⟨j, p⟩ := e
  cases p with
  | pending r =>
    have h3 : 2 ^ r < 2 * j.need := h2
    have e1 : 2 * (j.width * j.need) = j.width * (2 * j.need) := Nat.mul_left_comm ..
    show j.width * 2 ^ r < 2 * (j.width * j.need)
    rw [e1]
    exact Nat.mul_lt_mul_of_pos_left h3 hw
  | active r b => cases hp
  | done c => cases hp

theorem meanwhile_le (hg : ∀ j ∈ jobs, RectGood j) {i j T : Nat} {a b : RectJob}
    (hi : jobs[i]? = some a) (hj : jobs[j]? = some b) :
    b.width * meanwhile M jobs i j T ≤ min (3 * b.area) (4 * a.area) := by
  have hlen := length_rectState M jobs T
  obtain ⟨hjl, _⟩ := List.getElem?_eq_some_iff.1 hj
  obtain ⟨e, he⟩ : ∃ e, (rectState M jobs T)[j]? = some e :=
    ⟨_, List.getElem?_eq_getElem (by omega)⟩
  have hb : e.job = b := by
    have := (rect_age hg T j e he).1
    rw [hj] at this
    exact (Option.some.inj this).symm
  have ha := (rect_age hg T j e he).2
  have h := rect_count (M := M) hg (ok := fun r => decide (b.width * 2 ^ r < 2 * a.area))
    (i := j) (c := meanwhile M jobs i j) rfl (fun t f hf => ?_) T e he
  · have h1 := h.le_three ha
    have h2 := h.le_four ha
    refine Nat.le_min.2 ⟨?_, h2⟩
    rw [hb] at h1
    have h3 : b.width * meanwhile M jobs i j T ≤ b.width * (3 * b.need) :=
      Nat.mul_le_mul_left _ (by omega)
    have e1 : b.width * (3 * b.need) = 3 * b.area := Nat.mul_left_comm ..
    omega
  · rw [meanwhile, sum_range_succ, hf]
    refine Nat.add_le_add_left ?_ _
    have hfb : f.job = b := by
      have := (rect_age hg t j f hf).1
      rw [hj] at this
      exact (Option.some.inj this).symm
    cases hg' : (rectState M jobs t)[i]? with
    | none => simp [waits]
    | some g =>
      have hga : g.job = a := by
        have := (rect_age hg t i g hg').1
        rw [hi] at this
        exact (Option.some.inj this).symm
      by_cases hp : g.isPending = true
      · have h1 := pending_budget hg hg' hp
        have hmono := (rectState_inv M jobs t).1.mono j f i g hf
        obtain ⟨fj, fp⟩ := f
        cases fp with
        | pending r => exact Nat.le_of_eq (Nat.mul_zero _)
        | done c => exact Nat.le_of_eq (Nat.mul_zero _)
        | active r s =>
          have h2 : fj.width * 2 ^ r ≤ g.budget := hmono rfl hg' hp
          have h3 : fj = b := hfb
          rw [h3] at h2
          rw [hga] at h1
          have h4 : b.width * 2 ^ r < 2 * a.area := Nat.lt_of_le_of_lt h2 h1
          simp [waits, runs, hp, RectEntry.isActive, RectEntry.tick, h4]
      · simp [waits, hp]

/-- A job does not run while it waits. -/
theorem meanwhile_self (i T : Nat) : meanwhile M jobs i i T = 0 :=
  sum_map_eq_zero fun t _ => by
    cases (rectState M jobs t)[i]? with
    | none => rfl
    | some e =>
      obtain ⟨j, p⟩ := e
      cases p <;> simp [waits, runs, RectEntry.isActive, RectEntry.isPending]

/-- Widths by position. -/
noncomputable def widthAt (jobs : List RectJob) (j : Nat) : Nat :=
  match jobs[j]? with
  | some b => b.width
  | none => 0

/-- Areas by position. -/
noncomputable def areaAt (jobs : List RectJob) (j : Nat) : Nat :=
  match jobs[j]? with
  | some b => b.area
  | none => 0

/-- While a job waits, `H` of width is in use. -/
theorem waitRounds_le (hg : ∀ j ∈ jobs, RectGood j) {H : Nat}
    (hH : ∀ (t i : Nat) (e : RectEntry), (rectState M jobs t)[i]? = some e →
      e.isPending = true → H ≤ usedWidth (rectState M jobs t)) (i T : Nat) :
    H * waitRounds M jobs i T ≤ ((List.range jobs.length).map fun j =>
      widthAt jobs j * meanwhile M jobs i j T).sum := by
  have e1 : ((List.range jobs.length).map fun j =>
      widthAt jobs j * meanwhile M jobs i j T).sum = ((List.range T).map fun t =>
        ((List.range jobs.length).map fun j => widthAt jobs j *
          (waits (rectState M jobs t)[i]? * runs (rectState M jobs t)[j]?)).sum).sum := by
    rw [sum_map_comm (fun t j => widthAt jobs j *
      (waits (rectState M jobs t)[i]? * runs (rectState M jobs t)[j]?))
      (List.range jobs.length) (List.range T)]
    exact sum_map_congr fun j _ => (sum_map_mul _ _ _).symm
  rw [e1, waitRounds, ← sum_map_mul]
  refine sum_map_le_sum_map fun t _ => ?_
  cases hi : (rectState M jobs t)[i]? with
  | none => exact Nat.le_trans (Nat.le_of_eq (Nat.mul_zero H)) (Nat.zero_le _)
  | some e =>
    by_cases hp : e.isPending = true
    · have h1 := hH t i e hi hp
      have hw : waits (some e) = 1 := by simp [waits, hp]
      rw [hw, Nat.mul_one]
      rw [usedWidth_eq, length_rectState] at h1
      refine Nat.le_trans h1 (sum_map_le_sum_map fun j hj => ?_)
      rw [Nat.one_mul]
      cases hf : (rectState M jobs t)[j]? with
      | none => exact Nat.zero_le _
      | some f =>
        have h2 := (rect_age hg t j f hf).1
        have h3 : widthAt jobs j = f.job.width := by rw [widthAt, h2]
        rw [h3]
        show (if f.isActive then f.job.width else 0) ≤
          f.job.width * (if f.isActive then 1 else 0)
        split <;> simp
    · have hw : waits (some e) = 0 := by simp [waits, hp]
      rw [hw, Nat.mul_zero]
      exact Nat.zero_le _

/-- **The bound of one job.** -/
theorem rect_job_bound (hg : ∀ j ∈ jobs, RectGood j) {H : Nat}
    (hH : ∀ (t i : Nat) (e : RectEntry), (rectState M jobs t)[i]? = some e →
      e.isPending = true → H ≤ usedWidth (rectState M jobs t)) {i T : Nat} {e : RectEntry}
    (he : (rectState M jobs T)[i]? = some e) :
    H * e.clock T + 2 * H ≤ 3 * (H * e.job.need) + ((List.range jobs.length).map fun j =>
      if j = i then 0 else min (3 * areaAt jobs j) (4 * e.job.area)).sum := by
  have h1 := Nat.mul_le_mul_left H (clock_le hg T e he)
  have h2 := Nat.mul_le_mul_left H (runRounds_le hg he)
  have h3 := waitRounds_le hg hH i T
  have h4 : ((List.range jobs.length).map fun j =>
      widthAt jobs j * meanwhile M jobs i j T).sum ≤ ((List.range jobs.length).map fun j =>
      if j = i then 0 else min (3 * areaAt jobs j) (4 * e.job.area)).sum :=
    sum_map_le_sum_map fun j hj => by
      have hlt := List.mem_range.1 hj
      by_cases hji : j = i
      · rw [if_pos hji, hji, meanwhile_self, Nat.mul_zero]
        exact Nat.le_refl _
      · rw [if_neg hji]
        have h5 : jobs[j]? = some jobs[j] := List.getElem?_eq_getElem hlt
        have h6 := meanwhile_le (M := M) (T := T) hg (rect_age hg T i e he).1 h5
        rw [widthAt, areaAt, h5]
        exact h6
  rw [Nat.mul_add] at h1 h2
  have e1 : H * (3 * e.job.need) = 3 * (H * e.job.need) := Nat.mul_left_comm ..
  omega

end OnlineKvCache
