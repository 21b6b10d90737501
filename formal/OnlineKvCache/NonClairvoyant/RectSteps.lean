module

public import OnlineKvCache.NonClairvoyant.RectQueue

@[expose] public section

/-! # What one round does to one job of the strip -/

namespace OnlineKvCache

/-- A job that an attempt can end only after a round. -/
structure RectGood (j : RectJob) : Prop where
  /-- The width is not zero. -/
  width : 1 ≤ j.width
  /-- It takes a round. -/
  height : 1 ≤ j.height
  /-- A certificate takes a round. -/
  cap : j.cap ≠ some 0

/-- Rounds of an attempt that end the job. -/
def RectJob.need (j : RectJob) : Nat :=
  match j.cap with
  | none => j.height
  | some c => min j.height c

theorem RectGood.need_pos {j : RectJob} (h : RectGood j) : 1 ≤ j.need := by
  obtain ⟨w, p, c⟩ := j
  have h1 := h.height
  have h2 := h.cap
  cases c with
  | none => exact h1
  | some c =>
    have h3 : c ≠ 0 := fun h0 => h2 (by rw [h0])
    have h4 : 1 ≤ p := h1
    show 1 ≤ min p c
    omega

/-- What one round can do to an entry, up to the end of the round. -/
inductive RectChange (now : Nat) (e : RectEntry) : RectEntry → Prop
  /-- Nothing. -/
  | stay : RectChange now e e
  /-- A pending attempt starts. -/
  | start : e.isPending = true → RectChange now e (e.begin now)
  /-- An attempt ends. -/
  | finish (o : RectOutcome) : e.outcome now = some o → RectChange now e (e.finish now o)
  /-- An attempt ends and the next starts at once. -/
  | restart (o : RectOutcome) : e.outcome now = some o → (e.finish now o).isPending = true →
    RectChange now e ((e.finish now o).begin now)

theorem outcome_of_not_active {now : Nat} {e : RectEntry} (h : e.isActive = false) :
    e.outcome now = none := by
  cases ho : e.outcome now with
  | none => rfl
  | some o =>
    rw [active_of_outcome ho] at h
    cases h

theorem outcome_finish (now : Nat) (o : RectOutcome) (e : RectEntry) :
    (e.finish now o).outcome now = none := outcome_of_not_active (finish_spec now o e).1

theorem outcome_begin {now : Nat} {e : RectEntry} (hg : RectGood e.job)
    (h : e.isPending = true) : (e.begin now).outcome now = none := by
  obtain ⟨j, p⟩ := e
  cases p with
  | pending r =>
    have h1 : ¬ now - now = j.height := by
      have : 1 ≤ j.height := hg.height
      omega
    have h2 : ¬ j.cap = some (now - now) := by rw [Nat.sub_self]; exact hg.cap
    have h3 : ¬ now - now = 2 ^ r := by
      have := Nat.pow_pos (n := r) (show 0 < 2 by decide)
      omega
    simp only [RectEntry.begin, RectEntry.outcome, h1, h2, h3, if_false]
  | active r b => cases h
  | done c => cases h

theorem RectChange.job {now : Nat} {e e' : RectEntry} (h : RectChange now e e') :
    e'.job = e.job := by
  cases h with
  | stay => rfl
  | start h => exact (begin_spec h).2.2.2.1
  | finish o _ => exact (finish_spec now o e).2
  | restart o _ h => rw [(begin_spec h).2.2.2.1, (finish_spec now o e).2]

theorem RectChange.begin {now : Nat} {e e' : RectEntry} (h : RectChange now e e')
    (hp : e'.isPending = true) : RectChange now e (e'.begin now) := by
  cases h with
  | stay => exact .start hp
  | start h => rw [(begin_spec h).2.1] at hp; cases hp
  | finish o h => exact .restart o h hp
  | restart o _ h => rw [(begin_spec h).2.1] at hp; cases hp

theorem RectChange.ends {now : Nat} {e e' : RectEntry} (h : RectChange now e e')
    (hg : RectGood e.job) {o : RectOutcome} (ho : e'.outcome now = some o) :
    RectChange now e (e'.finish now o) := by
  cases h with
  | stay => exact .finish o ho
  | start h => rw [outcome_begin hg h] at ho; cases ho
  | finish o' h => rw [outcome_finish] at ho; cases ho
  | restart o' h h' =>
    rw [outcome_begin (by rw [(finish_spec now o' e).2]; exact hg) h'] at ho
    cases ho

/-- What one event can do to an entry. -/
theorem rectEvent_entry {M now : Nat} {o : RectOutcome} {st : RectState} {i j : Nat}
    {e' : RectEntry} (h : (rectEvent M now o st i)[j]? = some e') : ∃ e, st[j]? = some e ∧
      ((e' = e ∧ (j = i → e.outcome now ≠ some o)) ∨ e.isPending = true ∧ e' = e.begin now ∨
        e.outcome now = some o ∧ (e' = e.finish now o ∨
          (e.finish now o).isPending = true ∧ e' = (e.finish now o).begin now)) := by
  unfold rectEvent at h
  split at h
  · rename_i hn
    refine ⟨e', h, Or.inl ⟨rfl, fun hji => ?_⟩⟩
    subst hji
    rw [hn] at h
    cases h
  rename_i c hc
  split at h
  · rename_i ho
    obtain ⟨e1, h1, h2⟩ := rectScan_entry _ _ h
    by_cases hji : j = i
    · subst hji
      rw [updateAt_self _ hc] at h1
      cases h1
      exact ⟨c, hc, Or.inr (Or.inr ⟨ho, h2⟩)⟩
    · rw [updateAt_other _ _ hji] at h1
      refine ⟨e1, h1, ?_⟩
      rcases h2 with h2 | h2
      · exact Or.inl ⟨h2, fun h => absurd h hji⟩
      · exact Or.inr (Or.inl h2)
  · rename_i ho
    refine ⟨e', h, Or.inl ⟨rfl, fun hji => ?_⟩⟩
    subst hji
    rw [hc] at h
    cases h
    exact ho

/-- The state within a round, compared with the state before its events. -/
def RectWithin (now : Nat) (st st' : RectState) : Prop :=
  ∀ (j : Nat) (e' : RectEntry), st'[j]? = some e' →
    ∃ e, st[j]? = some e ∧ RectChange now e e'

theorem RectWithin.event {now : Nat} {st st' : RectState} (h : RectWithin now st st')
    (hg : ∀ e ∈ st, RectGood e.job) (M : Nat) (o : RectOutcome) (i : Nat) :
    RectWithin now st (rectEvent M now o st' i) := fun j e' hj => by
  obtain ⟨e1, h1, h2⟩ := rectEvent_entry hj
  obtain ⟨e, he, hc⟩ := h j e1 h1
  have hge := hg e (List.mem_of_getElem? he)
  refine ⟨e, he, ?_⟩
  rcases h2 with ⟨h2, _⟩ | ⟨h2, h3⟩ | ⟨h2, h3 | ⟨h3, h4⟩⟩
  · rw [h2]; exact hc
  · rw [h3]; exact hc.begin h2
  · rw [h3]; exact hc.ends hge h2
  · rw [h4]; exact (hc.ends hge h2).begin h3

/-- No attempt ends in this way now. -/
def RectCleared (now : Nat) (o : RectOutcome) (st : RectState) : Prop :=
  ∀ (j : Nat) (e : RectEntry), st[j]? = some e → e.outcome now ≠ some o

theorem RectCleared.event_of {now : Nat} {o o' : RectOutcome} {st : RectState} {M i : Nat}
    (hg : ∀ e ∈ st, RectGood e.job) {j : Nat}
    (h : ∀ e, st[j]? = some e → e.outcome now ≠ some o ∨ (j = i ∧ o = o')) {e' : RectEntry}
    (hj : (rectEvent M now o' st i)[j]? = some e') : e'.outcome now ≠ some o := by
  obtain ⟨e, h1, h2⟩ := rectEvent_entry hj
  have hge := hg e (List.mem_of_getElem? h1)
  rcases h2 with ⟨h2, h3⟩ | ⟨h2, h3⟩ | ⟨h2, h3 | ⟨h3, h4⟩⟩
  · rw [h2]
    rcases h e h1 with h4 | ⟨h4, h5⟩
    · exact h4
    · rw [h5]; exact h3 h4
  · rw [h3, outcome_begin hge h2]; simp
  · rw [h3, outcome_finish]; simp
  · rw [h4, outcome_begin (by rw [(finish_spec now o' e).2]; exact hge) h3]; simp

theorem good_event {M now : Nat} {o : RectOutcome} {st : RectState} {i : Nat}
    (hg : ∀ e ∈ st, RectGood e.job) : ∀ e ∈ rectEvent M now o st i, RectGood e.job :=
  fun e' he' => by
    obtain ⟨j, hj⟩ := List.getElem?_of_mem he'
    obtain ⟨e, h1, h2⟩ := rectEvent_entry hj
    have hge := hg e (List.mem_of_getElem? h1)
    have hf := (finish_spec now o e).2
    rcases h2 with ⟨h2, _⟩ | ⟨h2, h3⟩ | ⟨_, h3 | ⟨h3, h4⟩⟩
    · rw [h2]; exact hge
    · rw [h3, (begin_spec h2).2.2.2.1]; exact hge
    · rw [h3, hf]; exact hge
    · rw [h4, (begin_spec h3).2.2.2.1, hf]; exact hge

theorem good_events {M now : Nat} {o : RectOutcome} {st : RectState}
    (hg : ∀ e ∈ st, RectGood e.job) : ∀ e ∈ rectEvents M now o st, RectGood e.job :=
  rectEvents_induct (P := fun st => ∀ e ∈ st, RectGood e.job) (fun _ _ h => good_event h) st hg

theorem RectCleared.events {M now : Nat} {o o' : RectOutcome} {st : RectState}
    (hg : ∀ e ∈ st, RectGood e.job) (h : RectCleared now o st) :
    RectCleared now o (rectEvents M now o' st) :=
  (rectEvents_induct (P := fun st => (∀ e ∈ st, RectGood e.job) ∧ RectCleared now o st)
    (fun _ _ h => ⟨good_event h.1, fun j _ hj =>
      RectCleared.event_of h.1 (fun e he => Or.inl (h.2 j e he)) hj⟩) st ⟨hg, h⟩).2

theorem cleared_foldl {M now : Nat} {o : RectOutcome} : ∀ (l : List Nat) (st : RectState),
    (∀ e ∈ st, RectGood e.job) →
    (∀ (j : Nat) (e : RectEntry), st[j]? = some e → j ∉ l → e.outcome now ≠ some o) →
    RectCleared now o (l.foldl (rectEvent M now o) st)
  | [], _, _, h => fun j e he => h j e he (by simp)
  | i :: l, st, hg, h => by
    refine cleared_foldl l _ (good_event hg) fun j e' hj hjl => ?_
    refine RectCleared.event_of hg (fun e he => ?_) hj
    by_cases hji : j = i
    · exact Or.inr ⟨hji, rfl⟩
    · exact Or.inl (h j e he (by simp [hji, hjl]))

theorem cleared_events {M now : Nat} {o : RectOutcome} {st : RectState}
    (hg : ∀ e ∈ st, RectGood e.job) : RectCleared now o (rectEvents M now o st) :=
  cleared_foldl _ st hg fun j e he hj => by
    obtain ⟨hlt, _⟩ := List.getElem?_eq_some_iff.1 he
    exact absurd (List.mem_range.2 hlt) hj

/-- What one round does to an entry: a change, after which no attempt is at an end. -/
theorem rectRound_entry {M now : Nat} {st : RectState} (hg : ∀ e ∈ st, RectGood e.job) {j : Nat}
    {e' : RectEntry} (hj : (rectRound M now st)[j]? = some e') :
    ∃ e, st[j]? = some e ∧ RectChange now e e' ∧ e'.outcome now = none := by
  obtain ⟨e, he, hc⟩ := (rectRound_induct (M := M) (now := now)
    (P := RectWithin now st) (fun o _ i h => h.event hg M o i) st
      fun j e hj => ⟨e, hj, .stay⟩) j e' hj
  refine ⟨e, he, hc, ?_⟩
  have g1 := good_events (M := M) (now := now) (o := .completion) hg
  have g2 := good_events (M := M) (now := now) (o := .certificate) g1
  have c1 := ((cleared_events (M := M) (now := now) (o := .completion) hg).events
    (M := M) (o' := .certificate) g1).events (M := M) (o' := .expiration) g2
  have c2 := (cleared_events (M := M) (now := now) (o := .certificate) g1).events
    (M := M) (o' := .expiration) g2
  have c3 := cleared_events (M := M) (now := now) (o := .expiration) g2
  cases ho : e'.outcome now with
  | none => rfl
  | some o =>
    cases o with
    | completion => exact absurd ho (c1 j e' hj)
    | certificate => exact absurd ho (c2 j e' hj)
    | expiration => exact absurd ho (c3 j e' hj)

end OnlineKvCache
