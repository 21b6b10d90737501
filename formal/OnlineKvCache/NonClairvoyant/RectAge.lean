module

public import OnlineKvCache.NonClairvoyant.RectSteps

@[expose] public section

/-! # How long a job of the strip runs -/

namespace OnlineKvCache

/-- Rounds of all attempts of the levels below `r` that count. -/
def rectLevels (ok : Nat → Bool) : Nat → Nat
  | 0 => 0
  | r + 1 => rectLevels ok r + if ok r then 2 ^ r else 0

theorem rectLevels_lt (ok : Nat → Bool) : ∀ r, rectLevels ok r + 1 ≤ 2 ^ r
  | 0 => Nat.le_refl _
  | r + 1 => by
    have := rectLevels_lt ok r
    rw [rectLevels, Nat.pow_succ]
    split <;> omega

/-- The area of all attempts of budget less than `B`. -/
theorem mul_rectLevels_le (w B : Nat) : ∀ r,
    w * rectLevels (fun r => decide (w * 2 ^ r < B)) r ≤ 2 * B
  | 0 => by simp [rectLevels]
  | r + 1 => by
    have ih := mul_rectLevels_le w B r
    rw [rectLevels]
    split
    · rename_i h
      have h1 := rectLevels_lt (fun r => decide (w * 2 ^ r < B)) r
      have h2 : w * 2 ^ r < B := by simpa using h
      have h3 : w * (rectLevels (fun r => decide (w * 2 ^ r < B)) r + 2 ^ r) ≤ w * (2 * 2 ^ r) :=
        Nat.mul_le_mul_left _ (by omega)
      have e : w * (2 * 2 ^ r) = 2 * (w * 2 ^ r) := Nat.mul_left_comm ..
      omega
    · rw [Nat.add_zero]
      exact ih

/-- What is known of an entry at time `t`. -/
def RectAge (t : Nat) (e : RectEntry) : Prop :=
  match e.phase with
  | .pending r => 2 ^ r < 2 * e.job.need
  | .active r b => 2 ^ r < 2 * e.job.need ∧ b ≤ t ∧ t - b < e.job.need ∧ t - b < 2 ^ r
  | .done c => c ≤ t

/-- A bound on the rounds that counted so far. -/
def RectCount (ok : Nat → Bool) (t : Nat) (e : RectEntry) (n : Nat) : Prop :=
  match e.phase with
  | .pending r => n ≤ rectLevels ok r
  | .active r b => n ≤ rectLevels ok r + if ok r then t - b else 0
  | .done _ => ∃ r, 2 ^ r < 2 * e.job.need ∧
      n ≤ rectLevels ok r + if ok r then min e.job.need (2 ^ r) else 0

/-- The round counts: an attempt of a level that counts runs. -/
def RectEntry.tick (ok : Nat → Bool) (e : RectEntry) : Nat :=
  match e.phase with
  | .active r _ => if ok r then 1 else 0
  | _ => 0

theorem ne_need {j : RectJob} {x : Nat} (h1 : x ≠ j.height) (h2 : j.cap ≠ some x) :
    x ≠ j.need := by
  obtain ⟨w, p, c⟩ := j
  cases c with
  | none => exact h1
  | some c =>
    have h3 : c ≠ x := fun h0 => h2 (by rw [h0])
    have h4 : x ≠ p := h1
    show x ≠ min p c
    omega

theorem outcome_none {now r b : Nat} {j : RectJob}
    (h : RectEntry.outcome now ⟨j, .active r b⟩ = none) : now - b ≠ j.need ∧ now - b ≠ 2 ^ r := by
  simp only [RectEntry.outcome] at h
  split at h
  · cases h
  split at h
  · cases h
  split at h
  · cases h
  exact ⟨ne_need ‹_› ‹_›, ‹_›⟩

theorem outcome_expiration {now r b : Nat} {j : RectJob}
    (h : RectEntry.outcome now ⟨j, .active r b⟩ = some .expiration) :
    now - b ≠ j.need ∧ now - b = 2 ^ r := by
  simp only [RectEntry.outcome] at h
  split at h
  · cases h
  split at h
  · cases h
  split at h
  · exact ⟨ne_need ‹_› ‹_›, ‹_›⟩
  · cases h

theorem RectAge.next {t : Nat} {e e' : RectEntry} (h : RectAge t e) (hg : RectGood e.job)
    (hc : RectChange (t + 1) e e') (ho : e'.outcome (t + 1) = none) : RectAge (t + 1) e' := by
  have hn := hg.need_pos
  obtain ⟨j, p⟩ := e
  have hn' : 1 ≤ j.need := hn
  cases p with
  | pending r =>
    have h' : 2 ^ r < 2 * j.need := h
    have h2 := Nat.pow_pos (n := r) (show 0 < 2 by decide)
    cases hc with
    | stay => exact h
    | start _ =>
      show 2 ^ r < 2 * j.need ∧ t + 1 ≤ t + 1 ∧ t + 1 - (t + 1) < j.need ∧
        t + 1 - (t + 1) < 2 ^ r
      exact ⟨h', by omega, by omega, by omega⟩
    | finish o h => cases h
    | restart o h _ => cases h
  | active r b =>
    obtain ⟨h1, h2, h3, h4⟩ : 2 ^ r < 2 * j.need ∧ b ≤ t ∧ t - b < j.need ∧ t - b < 2 ^ r := h
    cases hc with
    | stay =>
      have := outcome_none ho
      show 2 ^ r < 2 * j.need ∧ b ≤ t + 1 ∧ t + 1 - b < j.need ∧ t + 1 - b < 2 ^ r
      exact ⟨h1, by omega, by omega, by omega⟩
    | start h => cases h
    | finish o h =>
      cases o with
      | completion => exact Nat.le_refl _
      | certificate => exact Nat.le_refl _
      | expiration =>
        have := outcome_expiration h
        have e : 2 ^ (r + 1) = 2 ^ r * 2 := Nat.pow_succ ..
        show 2 ^ (r + 1) < 2 * j.need
        omega
    | restart o h hp =>
      cases o with
      | completion => cases hp
      | certificate => cases hp
      | expiration =>
        have := outcome_expiration h
        have e : 2 ^ (r + 1) = 2 ^ r * 2 := Nat.pow_succ ..
        have h5 : 2 ^ (r + 1) < 2 * j.need := by omega
        show 2 ^ (r + 1) < 2 * j.need ∧ t + 1 ≤ t + 1 ∧ t + 1 - (t + 1) < j.need ∧
          t + 1 - (t + 1) < 2 ^ (r + 1)
        exact ⟨h5, by omega, by omega, by omega⟩
  | done c =>
    have h' : c ≤ t := h
    cases hc with
    | stay => exact Nat.le_succ_of_le h'
    | start h => cases h
    | finish o h => cases h
    | restart o h _ => cases h

theorem RectCount.next {ok : Nat → Bool} {t n n' : Nat} {e e' : RectEntry} (ha : RectAge t e)
    (h : RectCount ok t e n) (hc : RectChange (t + 1) e e') (hn : n' ≤ n + e.tick ok) :
    RectCount ok (t + 1) e' n' := by
  obtain ⟨j, p⟩ := e
  cases p with
  | pending r =>
    have h' : n ≤ rectLevels ok r := h
    have hn' : n' ≤ n + 0 := hn
    cases hc with
    | stay => exact Nat.le_trans hn' h'
    | start _ =>
      show n' ≤ rectLevels ok r + if ok r then t + 1 - (t + 1) else 0
      omega
    | finish o h => cases h
    | restart o h _ => cases h
  | active r b =>
    obtain ⟨h1, h2, h3, h4⟩ : 2 ^ r < 2 * j.need ∧ b ≤ t ∧ t - b < j.need ∧ t - b < 2 ^ r := ha
    have h5 : n ≤ rectLevels ok r + if ok r then t - b else 0 := h
    have h6 : n' ≤ n + if ok r then 1 else 0 := hn
    cases hc with
    | stay =>
      show n' ≤ rectLevels ok r + if ok r then t + 1 - b else 0
      split at h5 <;> simp_all <;> omega
    | start h => cases h
    | finish o h =>
      have hdone : n' ≤ rectLevels ok r + if ok r then min j.need (2 ^ r) else 0 := by
        split at h5 <;> simp_all <;> omega
      cases o with
      | completion => exact ⟨r, h1, hdone⟩
      | certificate => exact ⟨r, h1, hdone⟩
      | expiration =>
        have := outcome_expiration h
        show n' ≤ rectLevels ok r + if ok r then 2 ^ r else 0
        split at h5 <;> simp_all <;> omega
    | restart o h hp =>
      cases o with
      | completion => cases hp
      | certificate => cases hp
      | expiration =>
        have := outcome_expiration h
        have h7 : n' ≤ rectLevels ok r + if ok r then 2 ^ r else 0 := by
          split at h5 <;> simp_all <;> omega
        exact Nat.le_trans h7 (Nat.le_add_right ..)
  | done c =>
    have hn' : n' ≤ n + 0 := hn
    cases hc with
    | stay =>
      obtain ⟨r, h1, h2⟩ := h
      exact ⟨r, h1, Nat.le_trans hn' h2⟩
    | start h => cases h
    | finish o h => cases h
    | restart o h _ => cases h

/-- In every phase: the rounds that counted. -/
theorem RectCount.bound {ok : Nat → Bool} {t n : Nat} {e : RectEntry} (ha : RectAge t e)
    (h : RectCount ok t e n) : ∃ r, 2 ^ r < 2 * e.job.need ∧
      n ≤ rectLevels ok r + if ok r then min e.job.need (2 ^ r) else 0 := by
  obtain ⟨j, p⟩ := e
  cases p with
  | pending r => exact ⟨r, ha, Nat.le_trans h (Nat.le_add_right ..)⟩
  | active r b =>
    obtain ⟨h1, h2, h3, h4⟩ : 2 ^ r < 2 * j.need ∧ b ≤ t ∧ t - b < j.need ∧ t - b < 2 ^ r := ha
    have h5 : n ≤ rectLevels ok r + if ok r then t - b else 0 := h
    refine ⟨r, h1, ?_⟩
    show n ≤ rectLevels ok r + if ok r then min j.need (2 ^ r) else 0
    split at h5 <;> simp_all <;> omega
  | done c => exact h

/-- At most `3p - 2` rounds count. -/
theorem RectCount.le_three {ok : Nat → Bool} {t n : Nat} {e : RectEntry} (ha : RectAge t e)
    (h : RectCount ok t e n) : n + 2 ≤ 3 * e.job.need := by
  obtain ⟨r, h1, h2⟩ := h.bound ha
  have h3 := rectLevels_lt ok r
  split at h2 <;> omega

/-- At most `4a` of area counts, if the attempts that count have budgets less than `2a`. -/
theorem RectCount.le_four {w a t n : Nat} {e : RectEntry} (ha : RectAge t e)
    (h : RectCount (fun r => decide (w * 2 ^ r < 2 * a)) t e n) : w * n ≤ 4 * a := by
  obtain ⟨r, h1, h2⟩ := h.bound ha
  have h3 := mul_rectLevels_le w (2 * a) (r + 1)
  refine Nat.le_trans (Nat.mul_le_mul_left w (Nat.le_trans h2 ?_)) (Nat.le_trans h3 (by omega))
  rw [rectLevels]
  refine Nat.add_le_add_left ?_ _
  split
  · exact Nat.min_le_right ..
  · exact Nat.le_refl _

/-- The clock of a job stops when it is done. -/
def RectEntry.clock (t : Nat) (e : RectEntry) : Nat :=
  match e.phase with
  | .done c => c
  | _ => t

theorem clock_next {t : Nat} {e e' : RectEntry} (hc : RectChange (t + 1) e e') :
    e'.clock (t + 1) ≤ e.clock t + (if e.isActive then 1 else 0) +
      (if e.isPending then 1 else 0) := by
  obtain ⟨j, p⟩ := e
  cases p with
  | pending r =>
    cases hc with
    | stay => exact Nat.le_refl _
    | start _ => exact Nat.le_refl _
    | finish o h => cases h
    | restart o h _ => cases h
  | active r b =>
    cases hc with
    | stay => exact Nat.le_refl _
    | start h => cases h
    | finish o h => cases o <;> exact Nat.le_refl _
    | restart o h hp => cases o <;> first | exact Nat.le_refl _ | cases hp
  | done c =>
    cases hc with
    | stay => exact Nat.le_refl _
    | start h => cases h
    | finish o h => cases h
    | restart o h _ => cases h

/-- Every state: the jobs stay in place, and their ages are right. -/
theorem rect_age {M : Nat} {jobs : List RectJob} (hg : ∀ j ∈ jobs, RectGood j) :
    ∀ (t i : Nat) (e : RectEntry), (rectState M jobs t)[i]? = some e →
      jobs[i]? = some e.job ∧ RectAge t e
  | 0, i, e, h => by
    obtain ⟨e0, h0, h1⟩ := rectScan_entry _ _ h
    rw [List.getElem?_map] at h0
    obtain ⟨j, hj, rfl⟩ := Option.map_eq_some_iff.1 h0
    have hn := (hg j (List.mem_of_getElem? hj)).need_pos
    rcases h1 with rfl | ⟨_, rfl⟩
    · exact ⟨hj, show 1 < 2 * j.need by omega⟩
    · exact ⟨hj, show 1 < 2 * j.need by omega, Nat.le_refl _, by show 0 - 0 < j.need; omega,
        by show 0 - 0 < 2 ^ 0; decide⟩
  | t + 1, i, e', h => by
    obtain ⟨e, he, hc, ho⟩ := rectRound_entry (fun e he => by
      obtain ⟨k, hk⟩ := List.getElem?_of_mem he
      exact hg _ (List.mem_of_getElem? (rect_age hg t k e hk).1)) h
    obtain ⟨h1, h2⟩ := rect_age hg t i e he
    exact ⟨by rw [hc.job]; exact h1, h2.next (hg _ (List.mem_of_getElem? h1)) hc ho⟩

/-- What happens to a job from one state to the next. -/
theorem rect_change {M : Nat} {jobs : List RectJob} (hg : ∀ j ∈ jobs, RectGood j) {t i : Nat}
    {e' : RectEntry} (h : (rectState M jobs (t + 1))[i]? = some e') :
    ∃ e, (rectState M jobs t)[i]? = some e ∧ RectChange (t + 1) e e' := by
  obtain ⟨e, he, hc, _⟩ := rectRound_entry (fun e he => by
    obtain ⟨k, hk⟩ := List.getElem?_of_mem he
    exact hg _ (List.mem_of_getElem? (rect_age hg t k e hk).1)) h
  exact ⟨e, he, hc⟩

/-- A counter that only grows in rounds that count. -/
theorem rect_count {M : Nat} {jobs : List RectJob} (hg : ∀ j ∈ jobs, RectGood j)
    {ok : Nat → Bool} {i : Nat} {c : Nat → Nat} (h0 : c 0 = 0)
    (hc : ∀ (t : Nat) (e : RectEntry), (rectState M jobs t)[i]? = some e →
      c (t + 1) ≤ c t + e.tick ok) :
    ∀ (t : Nat) (e : RectEntry), (rectState M jobs t)[i]? = some e → RectCount ok t e (c t)
  | 0, e, h => by
    obtain ⟨e0, h1, h2⟩ := rectScan_entry _ _ h
    rw [List.getElem?_map] at h1
    obtain ⟨j, hj, rfl⟩ := Option.map_eq_some_iff.1 h1
    rw [h0]
    rcases h2 with rfl | ⟨_, rfl⟩
    · exact Nat.zero_le _
    · exact Nat.zero_le _
  | t + 1, e', h => by
    obtain ⟨e, he, hch⟩ := rect_change hg h
    exact (rect_count hg h0 hc t e he).next (rect_age hg t i e he).2 hch (hc t e he)

end OnlineKvCache
