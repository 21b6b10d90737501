module

public import OnlineKvCache.NonClairvoyant.RectFacts

@[expose] public section

/-! # Queue monotonicity

In every settled state each active budget is at most each pending budget, and the least pending
budget never decreases. -/

namespace OnlineKvCache

/-- The invariant of the strip between two events. -/
structure RectInv (M : Nat) (st : RectState) : Prop where
  /-- Active budgets are at most pending budgets. -/
  mono : ∀ (i : Nat) (a : RectEntry) (j : Nat) (q : RectEntry), st[i]? = some a →
    a.isActive = true → st[j]? = some q → q.isPending = true → a.budget ≤ q.budget
  /-- What runs fits. -/
  fits : usedWidth st ≤ M

/-- The first pending job does not fit. -/
def RectBlocked (M : Nat) (st : RectState) : Prop :=
  ∀ i e, firstPending st = some (i, e) → M < usedWidth st + e.job.width

/-- The least pending budget of the second state is no less than that of the first; when nothing
waits in the first, nothing waits in the second. -/
def RectMinLe (st st' : RectState) : Prop :=
  ∀ q ∈ st', q.isPending = true → ∃ p ∈ st, p.isPending = true ∧ p.budget ≤ q.budget

theorem RectMinLe.refl (st : RectState) : RectMinLe st st :=
  fun q hq hp => ⟨q, hq, hp, Nat.le_refl _⟩

theorem RectMinLe.trans {st st' st'' : RectState} (h : RectMinLe st st')
    (h' : RectMinLe st' st'') : RectMinLe st st'' := fun q hq hp => by
  obtain ⟨p, h1, h2, h3⟩ := h' q hq hp
  obtain ⟨r, h4, h5, h6⟩ := h p h1 h2
  exact ⟨r, h4, h5, Nat.le_trans h6 h3⟩

theorem RectInv.start {M now : Nat} {st : RectState} (h : RectInv M st) {i : Nat} {e : RectEntry}
    (hfp : firstPending st = some (i, e)) (hfit : usedWidth st + e.job.width ≤ M) :
    RectInv M (updateAt (RectEntry.begin now) st i) := by
  have hs := firstPending_some hfp
  have hb := begin_spec (now := now) hs.2.1
  constructor
  · intro k a j q hk ha hj hq
    by_cases hji : j = i
    · subst hji
      rw [updateAt_self _ hs.1] at hj
      cases hj
      rw [hb.2.1] at hq
      cases hq
    · rw [updateAt_other _ _ hji] at hj
      by_cases hki : k = i
      · subst hki
        rw [updateAt_self _ hs.1] at hk
        cases hk
        rw [hb.2.2.1]
        exact hs.2.2 j q hj hq
      · rw [updateAt_other _ _ hki] at hk
        exact h.mono k a j q hk ha hj hq
  · have hu := usedWidth_updateAt (RectEntry.begin now) hs.1
    rw [hb.1, hb.2.2.2.1, hb.2.2.2.2] at hu
    simp only [Bool.false_eq_true, if_false, if_true] at hu
    omega

theorem RectInv.scan {M : Nat} {st : RectState} (h : RectInv M st) (now n : Nat) :
    RectInv M (rectScan M now n st) :=
  rectScan_induct (P := RectInv M) (fun _ _ _ h hfp hfit => h.start hfp hfit) n st h

theorem rectScan_blocked {M now : Nat} : ∀ (n : Nat) (st : RectState), pendingCount st ≤ n →
    RectBlocked M (rectScan M now n st)
  | 0, st, hc => fun i e hfp => by
    have hs := firstPending_some hfp
    have := pendingCount_updateAt (RectEntry.begin 0) hs.1 hs.2.1 (begin_spec hs.2.1).2.1
    have h0 : pendingCount st ≤ 0 := hc
    have h1 : pendingCount (rectScan M now 0 st) = pendingCount st := rfl
    omega
  | n + 1, st, hc => by
    unfold rectScan
    split
    · rename_i hn
      intro i e hfp
      rw [hn] at hfp
      cases hfp
    · rename_i i e hfp
      have hs := firstPending_some hfp
      split
      · have := pendingCount_updateAt (RectEntry.begin now) hs.1 hs.2.1 (begin_spec hs.2.1).2.1
        exact rectScan_blocked n _ (by omega)
      · rename_i hfit
        intro i' e' hfp'
        rw [hfp] at hfp'
        cases hfp'
        omega

theorem rectScan_minLe {st st' : RectState} (h : RectMinLe st st') (M now n : Nat) :
    RectMinLe st (rectScan M now n st') := fun q hq hp => by
  obtain ⟨j, hj⟩ := List.getElem?_of_mem hq
  obtain ⟨e, he, h1⟩ := rectScan_entry n st' hj
  rcases h1 with h1 | ⟨h1, h2⟩
  · subst h1
    exact h q (List.mem_of_getElem? he) hp
  · rw [h2, (begin_spec h1).2.1] at hp
    cases hp

/-- One event keeps the invariant, leaves the state settled, and does not decrease the least pending
budget. -/
theorem rectEvent_inv {M : Nat} {st : RectState} (h : RectInv M st) (hb : RectBlocked M st)
    (now : Nat) (o : RectOutcome) (i : Nat) :
    RectInv M (rectEvent M now o st i) ∧ RectBlocked M (rectEvent M now o st i) ∧
      RectMinLe st (rectEvent M now o st i) := by
  unfold rectEvent
  split
  · exact ⟨h, hb, .refl st⟩
  rename_i e he
  split
  case isFalse => exact ⟨h, hb, .refl st⟩
  rename_i ho
  have hact := active_of_outcome ho
  have hf := finish_spec now o e
  have hself := updateAt_self (RectEntry.finish now o) he
  have hother := fun {j : Nat} (hj : j ≠ i) => updateAt_other (RectEntry.finish now o) st hj
  have hlen := length_updateAt (RectEntry.finish now o) st i
  have hused := usedWidth_updateAt (RectEntry.finish now o) he
  rw [hact, hf.1] at hused
  simp only [Bool.false_eq_true, if_false, if_true, Nat.add_zero] at hused
  have hcount := pendingCount_le (updateAt (RectEntry.finish now o) st i)
  have hfits := h.fits
  generalize updateAt (RectEntry.finish now o) st i = st1 at *
  generalize e.finish now o = e1 at *
  by_cases hA : e1.isPending = true → ∃ (j : Nat) (q : RectEntry), st[j]? = some q ∧
      q.isPending = true ∧ q.budget ≤ e1.budget
  · have h1 : RectInv M st1 := by
      refine ⟨fun k a j q hk ha hj hq => ?_, by omega⟩
      have hki : k ≠ i := fun hki => by
        subst hki
        rw [hself] at hk
        cases hk
        rw [hf.1] at ha
        cases ha
      rw [hother hki] at hk
      by_cases hji : j = i
      · subst hji
        rw [hself] at hj
        cases hj
        obtain ⟨j', q', h1, h2, h3⟩ := hA hq
        exact Nat.le_trans (h.mono k a j' q' hk ha h1 h2) h3
      · rw [hother hji] at hj
        exact h.mono k a j q hk ha hj hq
    have h2 : RectMinLe st st1 := fun q hq hp => by
      obtain ⟨j, hj⟩ := List.getElem?_of_mem hq
      by_cases hji : j = i
      · subst hji
        rw [hself] at hj
        cases hj
        obtain ⟨j', q', h1, h2, h3⟩ := hA hp
        exact ⟨q', List.mem_of_getElem? h1, h2, h3⟩
      · rw [hother hji] at hj
        exact ⟨q, List.mem_of_getElem? hj, hp, Nat.le_refl _⟩
    exact ⟨h1.scan now _, rectScan_blocked _ _ (by omega), rectScan_minLe h2 M now _⟩
  · have hp1 : e1.isPending = true := Decidable.byContradiction fun hn =>
      hA fun hp => absurd hp hn
    have hlt : ∀ (j : Nat) (q : RectEntry), st[j]? = some q → q.isPending = true →
        e1.budget < q.budget := fun j q hj hq =>
          Nat.lt_of_not_le fun hle => hA fun _ => ⟨j, q, hj, hq, hle⟩
    have hb1 := begin_spec (now := now) hp1
    obtain ⟨n, hn⟩ : ∃ n, st.length = n + 1 := by
      cases st with
      | nil => simp at he
      | cons a l => exact ⟨l.length, rfl⟩
    have hpc := pendingCount_updateAt (RectEntry.begin now) hself hp1 hb1.2.1
    rw [hn] at hlen ⊢
    unfold rectScan
    split
    · rename_i hnone
      have := firstPending_none hnone i e1 hself
      rw [hp1] at this
      cases this
    rename_i k c hfp
    have hs := firstPending_some hfp
    have hki : k = i := Decidable.byContradiction fun hki => by
      have h1 := hs.1
      rw [hother hki] at h1
      have h2 := hlt k c h1 hs.2.1
      have h3 := hs.2.2 i e1 hself hp1
      omega
    subst hki
    have hc : c = e1 := by
      have h1 := hs.1
      rw [hself] at h1
      exact (Option.some.inj h1).symm
    subst hc
    rw [if_pos (by rw [hf.2]; omega)]
    have hself2 := updateAt_self (RectEntry.begin now) hself
    have hother2 : ∀ {j : Nat}, j ≠ k → (updateAt (RectEntry.begin now) st1 k)[j]? = st[j]? :=
      fun hj => by rw [updateAt_other _ _ hj, hother hj]
    have hused2 := usedWidth_updateAt (RectEntry.begin now) hself
    rw [hb1.1, hb1.2.2.2.1, hb1.2.2.2.2, hf.2] at hused2
    simp only [Bool.false_eq_true, if_false, if_true, Nat.add_zero] at hused2
    generalize updateAt (RectEntry.begin now) st1 k = st2 at *
    have hne : ∀ {j : Nat} {q : RectEntry}, st2[j]? = some q → q.isPending = true →
        st[j]? = some q := fun {j q} hj hq => by
        by_cases hjk : j = k
        · subst hjk
          rw [hself2] at hj
          cases hj
          rw [hb1.2.1] at hq
          cases hq
        · rwa [hother2 hjk] at hj
    have h1 : RectInv M st2 := by
      refine ⟨fun i' a j q hk ha hj hq => ?_, by omega⟩
      have hj' := hne hj hq
      by_cases hik : i' = k
      · subst hik
        rw [hself2] at hk
        cases hk
        rw [hb1.2.2.1]
        exact Nat.le_of_lt (hlt j q hj' hq)
      · rw [hother2 hik] at hk
        exact h.mono i' a j q hk ha hj' hq
    have h2 : RectMinLe st st2 := fun q hq hp => by
      obtain ⟨j, hj⟩ := List.getElem?_of_mem hq
      exact ⟨q, List.mem_of_getElem? (hne hj hp), hp, Nat.le_refl _⟩
    exact ⟨h1.scan now _, rectScan_blocked _ _ (by omega), rectScan_minLe h2 M now _⟩

theorem rectRound_inv {M : Nat} {st : RectState} (h : RectInv M st) (hb : RectBlocked M st)
    (now : Nat) : RectInv M (rectRound M now st) ∧ RectBlocked M (rectRound M now st) ∧
      RectMinLe st (rectRound M now st) :=
  rectRound_induct (P := fun st' => RectInv M st' ∧ RectBlocked M st' ∧ RectMinLe st st')
    (fun o st' i h => by
      have h1 := rectEvent_inv h.1 h.2.1 now o i
      exact ⟨h1.1, h1.2.1, h.2.2.trans h1.2.2⟩) st ⟨h, hb, .refl st⟩

theorem usedWidth_pending : ∀ jobs : List RectJob,
    usedWidth (jobs.map fun j => ⟨j, .pending 0⟩) = 0
  | [] => rfl
  | j :: l => by
    rw [List.map_cons, usedWidth, usedWidth_pending l]
    rfl

theorem rectInit_inv (M : Nat) (jobs : List RectJob) :
    RectInv M (rectInit M jobs) ∧ RectBlocked M (rectInit M jobs) := by
  refine ⟨RectInv.scan ⟨fun i a j q hi ha _ _ => ?_, ?_⟩ 0 _, rectScan_blocked _ _ ?_⟩
  · rw [List.getElem?_map] at hi
    obtain ⟨b, _, hb⟩ := Option.map_eq_some_iff.1 hi
    subst hb
    cases ha
  · rw [usedWidth_pending]
    exact Nat.zero_le _
  · have := pendingCount_le (jobs.map fun j => ⟨j, .pending 0⟩)
    rwa [List.length_map] at this

/-- Every state between two rounds is settled. -/
theorem rectState_inv (M : Nat) (jobs : List RectJob) :
    ∀ t, RectInv M (rectState M jobs t) ∧ RectBlocked M (rectState M jobs t)
  | 0 => rectInit_inv M jobs
  | t + 1 => by
    have h := rectState_inv M jobs t
    have h1 := rectRound_inv h.1 h.2 (t + 1)
    exact ⟨h1.1, h1.2.1⟩

/-- The least pending budget never decreases. -/
theorem rectState_minLe (M : Nat) (jobs : List RectJob) (t : Nat) :
    ∀ d, RectMinLe (rectState M jobs t) (rectState M jobs (t + d))
  | 0 => .refl _
  | d + 1 => by
    have h := rectState_inv M jobs (t + d)
    exact (rectState_minLe M jobs t d).trans (rectRound_inv h.1 h.2 (t + d + 1)).2.2

end OnlineKvCache
