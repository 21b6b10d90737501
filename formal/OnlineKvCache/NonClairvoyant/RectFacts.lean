module

public import OnlineKvCache.NonClairvoyant.Rect

public section

/-! # First facts about the rectangle strip -/

namespace OnlineKvCache

/-! ### One entry changes -/

theorem getElem?_updateAt (f : RectEntry → RectEntry) : ∀ (st : RectState) (i j : Nat),
    (updateAt f st i)[j]? = if j = i then st[j]?.map f else st[j]?
  | [], i, j => by simp [updateAt]
  | e :: l, 0, j => by cases j <;> simp [updateAt]
  | e :: l, i + 1, 0 => by simp [updateAt]
  | e :: l, i + 1, j + 1 => by simp [updateAt, getElem?_updateAt f l i j]

theorem updateAt_self (f : RectEntry → RectEntry) {st : RectState} {i : Nat} {e : RectEntry}
    (h : st[i]? = some e) : (updateAt f st i)[i]? = some (f e) := by
  rw [getElem?_updateAt, if_pos rfl, h, Option.map_some]

theorem updateAt_other (f : RectEntry → RectEntry) (st : RectState) {i j : Nat} (h : j ≠ i) :
    (updateAt f st i)[j]? = st[j]? := by
  rw [getElem?_updateAt, if_neg h]

theorem length_updateAt (f : RectEntry → RectEntry) : ∀ (st : RectState) (i : Nat),
    (updateAt f st i).length = st.length
  | [], _ => rfl
  | _ :: _, 0 => rfl
  | _ :: l, i + 1 => by rw [updateAt, List.length_cons, length_updateAt f l i, List.length_cons]

/-- A sum over the entries, when one of them changes. -/
theorem usedWidth_updateAt (f : RectEntry → RectEntry) : ∀ {st : RectState} {i : Nat}
    {e : RectEntry}, st[i]? = some e →
    usedWidth (updateAt f st i) + (if e.isActive then e.job.width else 0) =
      usedWidth st + (if (f e).isActive then (f e).job.width else 0)
  | [], i, e, h => by simp at h
  | a :: l, 0, e, h => by
    simp only [List.getElem?_cons_zero, Option.some.injEq] at h
    subst h
    simp only [updateAt, usedWidth]
    omega
  | a :: l, i + 1, e, h => by
    have ih := usedWidth_updateAt f (st := l) (i := i) (e := e) (by simpa using h)
    simp only [updateAt, usedWidth]
    omega

/-- How many jobs wait. -/
def pendingCount : RectState → Nat
  | [] => 0
  | e :: l => (if e.isPending then 1 else 0) + pendingCount l

theorem pendingCount_le : ∀ st : RectState, pendingCount st ≤ st.length
  | [] => Nat.le_refl _
  | e :: l => by
    have := pendingCount_le l
    rw [pendingCount, List.length_cons]
    split <;> omega

theorem pendingCount_updateAt (f : RectEntry → RectEntry) : ∀ {st : RectState} {i : Nat}
    {e : RectEntry}, st[i]? = some e → e.isPending = true → (f e).isPending = false →
    pendingCount (updateAt f st i) + 1 = pendingCount st
  | [], i, e, h, _, _ => by simp at h
  | a :: l, 0, e, h, h1, h2 => by
    simp only [List.getElem?_cons_zero, Option.some.injEq] at h
    subst h
    simp only [updateAt, pendingCount, h1, h2, if_true, Bool.false_eq_true, if_false]
    omega
  | a :: l, i + 1, e, h, h1, h2 => by
    have ih := pendingCount_updateAt f (st := l) (i := i) (e := e) (by simpa using h) h1 h2
    simp only [updateAt, pendingCount]
    omega

/-! ### The first pending job -/

theorem firstPending_none : ∀ {st : RectState}, firstPending st = none →
    ∀ (j : Nat) (p : RectEntry), st[j]? = some p → p.isPending = false
  | [], _, j, p, hp => by simp at hp
  | e :: l, h, j, p, hp => by
    unfold firstPending at h
    split at h
    · rename_i hl
      split at h
      · cases h
      · rename_i he
        cases j with
        | zero =>
          simp only [List.getElem?_cons_zero, Option.some.injEq] at hp
          subst hp
          simpa using he
        | succ j => exact firstPending_none hl j p (by simpa using hp)
    · split at h <;> cases h

theorem firstPending_some : ∀ {st : RectState} {i : Nat} {e : RectEntry},
    firstPending st = some (i, e) → st[i]? = some e ∧ e.isPending = true ∧
      ∀ (j : Nat) (p : RectEntry), st[j]? = some p → p.isPending = true → e.budget ≤ p.budget
  | [], _, _, h => by cases h
  | a :: l, i, e, h => by
    unfold firstPending at h
    split at h
    · rename_i hl
      split at h
      · rename_i ha
        cases h
        refine ⟨rfl, ha, fun j p hj hp => ?_⟩
        cases j with
        | zero =>
          simp only [List.getElem?_cons_zero, Option.some.injEq] at hj
          subst hj
          exact Nat.le_refl _
        | succ j =>
          rw [firstPending_none hl j p (by simpa using hj)] at hp
          cases hp
      · cases h
    · rename_i k c hl
      have ih := firstPending_some hl
      split at h
      · rename_i ha
        simp only [Bool.and_eq_true, decide_eq_true_eq] at ha
        cases h
        refine ⟨rfl, ha.1, fun j p hj hp => ?_⟩
        cases j with
        | zero =>
          simp only [List.getElem?_cons_zero, Option.some.injEq] at hj
          subst hj
          exact Nat.le_refl _
        | succ j => exact Nat.le_trans ha.2 (ih.2.2 j p (by simpa using hj) hp)
      · rename_i ha
        cases h
        refine ⟨by simpa using ih.1, ih.2.1, fun j p hj hp => ?_⟩
        cases j with
        | zero =>
          simp only [List.getElem?_cons_zero, Option.some.injEq] at hj
          subst hj
          simp only [Bool.and_eq_true, decide_eq_true_eq, not_and] at ha
          have := ha hp
          omega
        | succ j => exact ih.2.2 j p (by simpa using hj) hp

/-! ### Starts and ends -/

theorem begin_spec {now : Nat} {e : RectEntry} (h : e.isPending = true) :
    (e.begin now).isActive = true ∧ (e.begin now).isPending = false ∧
      (e.begin now).budget = e.budget ∧ (e.begin now).job = e.job ∧ e.isActive = false := by
  obtain ⟨j, p⟩ := e
  cases p <;> simp_all [RectEntry.isPending, RectEntry.begin, RectEntry.isActive,
    RectEntry.budget]

theorem active_of_outcome {now : Nat} {e : RectEntry} {o : RectOutcome}
    (h : e.outcome now = some o) : e.isActive = true := by
  obtain ⟨j, p⟩ := e
  cases p <;> simp_all [RectEntry.outcome, RectEntry.isActive]

theorem finish_spec (now : Nat) (o : RectOutcome) (e : RectEntry) :
    (e.finish now o).isActive = false ∧ (e.finish now o).job = e.job := by
  obtain ⟨j, p⟩ := e
  cases p <;> cases o <;> simp [RectEntry.finish, RectEntry.isActive]

/-! ### SCAN -/

/-- What every start of SCAN preserves, SCAN preserves. -/
theorem rectScan_induct {M now : Nat} {P : RectState → Prop}
    (h : ∀ st i e, P st → firstPending st = some (i, e) → usedWidth st + e.job.width ≤ M →
      P (updateAt (RectEntry.begin now) st i)) : ∀ n st, P st → P (rectScan M now n st)
  | 0, _, hp => hp
  | n + 1, st, hp => by
    unfold rectScan
    split
    · exact hp
    · rename_i i e he
      split
      · exact rectScan_induct h n _ (h st i e hp he ‹_›)
      · exact hp

/-- SCAN only starts pending jobs. -/
theorem rectScan_entry {M now : Nat} (n : Nat) (st : RectState) {j : Nat} {e' : RectEntry}
    (h : (rectScan M now n st)[j]? = some e') :
    ∃ e, st[j]? = some e ∧ (e' = e ∨ e.isPending = true ∧ e' = e.begin now) := by
  revert j e'
  refine rectScan_induct (P := fun st' => ∀ {j : Nat} {e' : RectEntry}, st'[j]? = some e' →
    ∃ e, st[j]? = some e ∧ (e' = e ∨ e.isPending = true ∧ e' = e.begin now)) ?_ n st
    fun h => ⟨_, h, Or.inl rfl⟩
  intro st' i e hP hfp _ j e' hj
  have hs := firstPending_some hfp
  by_cases hji : j = i
  · subst hji
    rw [updateAt_self _ hs.1] at hj
    cases hj
    obtain ⟨e0, h0, h1⟩ := hP hs.1
    rcases h1 with h1 | ⟨h1, h2⟩
    · exact ⟨e0, h0, Or.inr ⟨h1 ▸ hs.2.1, by rw [h1]⟩⟩
    · have := (begin_spec (now := now) h1).2.1
      rw [← h2, hs.2.1] at this
      cases this
  · rw [updateAt_other _ _ hji] at hj
    exact hP hj

theorem length_rectScan (M now n : Nat) (st : RectState) :
    (rectScan M now n st).length = st.length :=
  rectScan_induct (P := fun st' => st'.length = st.length)
    (fun st' i _ h _ _ => (length_updateAt _ st' i).trans h) n st rfl

theorem length_rectEvent (M now : Nat) (o : RectOutcome) (st : RectState) (i : Nat) :
    (rectEvent M now o st i).length = st.length := by
  unfold rectEvent
  split
  · rfl
  · split
    · rw [length_rectScan, length_updateAt]
    · rfl

/-- What every event preserves, all events of a kind preserve. -/
theorem rectEvents_induct {M now : Nat} {o : RectOutcome} {P : RectState → Prop}
    (h : ∀ st i, P st → P (rectEvent M now o st i)) (st : RectState) (h0 : P st) :
    P (rectEvents M now o st) := by
  unfold rectEvents
  generalize List.range st.length = l
  induction l generalizing st with
  | nil => exact h0
  | cons i l ih => exact ih _ (h st i h0)

theorem rectRound_induct {M now : Nat} {P : RectState → Prop}
    (h : ∀ o st i, P st → P (rectEvent M now o st i)) (st : RectState) (h0 : P st) :
    P (rectRound M now st) :=
  rectEvents_induct (h _) _ (rectEvents_induct (h _) _ (rectEvents_induct (h _) _ h0))

theorem length_rectRound (M now : Nat) (st : RectState) :
    (rectRound M now st).length = st.length :=
  rectRound_induct (P := fun st' => st'.length = st.length)
    (fun o st' i h => (length_rectEvent M now o st' i).trans h) st rfl

theorem length_rectState (M : Nat) (jobs : List RectJob) :
    ∀ t, (rectState M jobs t).length = jobs.length
  | 0 => by rw [rectState, rectInit, length_rectScan, List.length_map]
  | t + 1 => by rw [rectState, length_rectRound, length_rectState M jobs t]

end OnlineKvCache
