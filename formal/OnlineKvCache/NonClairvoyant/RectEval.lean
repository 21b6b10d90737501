module

public import OnlineKvCache.NonClairvoyant.RectFacts

@[expose] public section

/-! # Evaluating the rectangle strip in the kernel

The same as `rectCompletions`, with each state brought to normal form before the next step, so that
`decide +kernel` can run it. -/

namespace OnlineKvCache

/-- Bring a number to normal form, then go on. -/
def forceNat {α : Type} (n : Nat) (k : Nat → α) : α :=
  match n with
  | 0 => k 0
  | m + 1 => k (m + 1)

theorem forceNat_eq {α : Type} (n : Nat) (k : Nat → α) : forceNat n k = k n := by
  cases n <;> rfl

/-- Bring a phase to normal form, then go on. -/
def forcePhase {α : Type} (p : RectPhase) (k : RectPhase → α) : α :=
  match p with
  | .pending r => forceNat r fun r => k (.pending r)
  | .active r b => forceNat r fun r => forceNat b fun b => k (.active r b)
  | .done c => forceNat c fun c => k (.done c)

theorem forcePhase_eq {α : Type} (p : RectPhase) (k : RectPhase → α) :
    forcePhase p k = k p := by
  cases p <;> simp only [forcePhase, forceNat_eq]

/-- Bring a job to normal form, then go on. -/
def forceJob {α : Type} (j : RectJob) (k : RectJob → α) : α :=
  match j with
  | ⟨w, p, none⟩ => forceNat w fun w => forceNat p fun p => k ⟨w, p, none⟩
  | ⟨w, p, some c⟩ =>
    forceNat w fun w => forceNat p fun p => forceNat c fun c => k ⟨w, p, some c⟩

theorem forceJob_eq {α : Type} (j : RectJob) (k : RectJob → α) : forceJob j k = k j := by
  obtain ⟨w, p, c⟩ := j
  cases c <;> simp only [forceJob, forceNat_eq]

/-- Bring a state to normal form, then go on. -/
def forceState {α : Type} : RectState → (RectState → α) → α
  | [], k => k []
  | ⟨j, p⟩ :: l, k =>
    forceJob j fun j => forcePhase p fun p => forceState l fun l => k (⟨j, p⟩ :: l)

theorem forceState_eq {α : Type} : ∀ (st : RectState) (k : RectState → α), forceState st k = k st
  | [], _ => rfl
  | ⟨j, p⟩ :: l, k => by simp only [forceState, forceJob_eq, forcePhase_eq, forceState_eq l]

/-- `rectScan`, in normal forms. -/
def evalScan (M now : Nat) : Nat → RectState → RectState
  | 0, st => st
  | n + 1, st =>
    match firstPending st with
    | none => st
    | some (i, e) =>
      if usedWidth st + e.job.width ≤ M then
        forceState (updateAt (RectEntry.begin now) st i) fun st => evalScan M now n st
      else st

theorem evalScan_eq (M now : Nat) : ∀ n st, evalScan M now n st = rectScan M now n st
  | 0, _ => rfl
  | n + 1, st => by
    unfold evalScan rectScan
    simp only [forceState_eq, evalScan_eq M now n]
    rfl

/-- Whether an attempt ends in a given way. -/
def sameOutcome : Option RectOutcome → RectOutcome → Bool
  | some .completion, .completion => true
  | some .certificate, .certificate => true
  | some .expiration, .expiration => true
  | _, _ => false

theorem sameOutcome_iff (x : Option RectOutcome) (o : RectOutcome) :
    sameOutcome x o = true ↔ x = some o := by
  cases x with
  | none => simp [sameOutcome]
  | some y => cases y <;> cases o <;> simp [sameOutcome]

/-- `rectEvent`, in normal forms, and go on. -/
noncomputable def evalEvent {α : Type} (M now : Nat) (o : RectOutcome) (st : RectState) (i : Nat)
    (k : RectState → α) : α :=
  match st[i]? with
  | none => k st
  | some e =>
    match sameOutcome (e.outcome now) o with
    | true => forceState (updateAt (RectEntry.finish now o) st i) fun st' =>
        forceState (evalScan M now st.length st') k
    | false => k st

theorem evalEvent_eq {α : Type} (M now : Nat) (o : RectOutcome) (st : RectState) (i : Nat)
    (k : RectState → α) : evalEvent M now o st i k = k (rectEvent M now o st i) := by
  unfold evalEvent rectEvent
  cases st[i]? with
  | none => rfl
  | some e =>
    have h := sameOutcome_iff (e.outcome now) o
    cases hs : sameOutcome (e.outcome now) o with
    | true =>
      simp only [forceState_eq, evalScan_eq, hs]
      rw [if_pos (h.1 hs)]
    | false =>
      have h' : ¬ e.outcome now = some o := fun he => by
        rw [h.2 he] at hs
        cases hs
      simp only [hs]
      rw [if_neg h']

/-- A fold over events, in normal forms, and go on. -/
noncomputable def evalFold {α : Type} (M now : Nat) (o : RectOutcome) :
    List Nat → RectState → (RectState → α) → α
  | [], st, k => k st
  | i :: l, st, k => evalEvent M now o st i fun st => evalFold M now o l st k

theorem evalFold_eq {α : Type} (M now : Nat) (o : RectOutcome) : ∀ (l : List Nat)
    (st : RectState) (k : RectState → α),
    evalFold M now o l st k = k (l.foldl (rectEvent M now o) st)
  | [], _, _ => rfl
  | i :: l, st, k => by
    rw [evalFold, evalEvent_eq, evalFold_eq M now o l, List.foldl_cons]

/-- `rectEvents`, in normal forms, and go on. -/
noncomputable def evalEvents {α : Type} (M now : Nat) (o : RectOutcome) (st : RectState)
    (k : RectState → α) : α := evalFold M now o (List.range st.length) st k

theorem evalEvents_eq {α : Type} (M now : Nat) (o : RectOutcome) (st : RectState)
    (k : RectState → α) : evalEvents M now o st k = k (rectEvents M now o st) := evalFold_eq ..

/-- No attempt ends at time `now`. -/
noncomputable def evalQuiet (now : Nat) : RectState → Bool
  | [] => true
  | e :: l =>
    match e.outcome now with
    | none => evalQuiet now l
    | some _ => false

theorem evalQuiet_spec {now : Nat} : ∀ {st : RectState}, evalQuiet now st = true →
    ∀ e ∈ st, e.outcome now = none
  | [], _, e, he => by cases he
  | a :: l, h, e, he => by
    unfold evalQuiet at h
    split at h
    · rename_i ha
      rcases List.mem_cons.1 he with h1 | h1
      · rw [h1]; exact ha
      · exact evalQuiet_spec h e h1
    · cases h

theorem rectRound_of_quiet {M now : Nat} {st : RectState} (h : evalQuiet now st = true) :
    rectRound M now st = st := by
  refine rectRound_induct (P := fun st' => st' = st) (fun o st' i hst => ?_) st rfl
  change st' = st at hst
  subst hst
  show rectEvent M now o st' i = st'
  unfold rectEvent
  split
  · rfl
  · rename_i e he
    rw [if_neg]
    rw [evalQuiet_spec h e (List.mem_of_getElem? he)]
    simp

/-- `rectRun`, in normal forms. -/
noncomputable def evalRun (M : Nat) : Nat → Nat → RectState → RectState
  | 0, _, st => st
  | fuel + 1, now, st =>
    if st.all fun e => !(e.isPending || e.isActive) then st
    else
      forceNat (now + 1) fun now =>
        match evalQuiet now st with
        | true => evalRun M fuel now st
        | false =>
          evalEvents M now .completion st fun st =>
          evalEvents M now .certificate st fun st =>
          evalEvents M now .expiration st fun st => evalRun M fuel now st

theorem evalRun_eq (M : Nat) : ∀ fuel now st, evalRun M fuel now st = rectRun M fuel now st
  | 0, _, _ => rfl
  | fuel + 1, now, st => by
    unfold evalRun rectRun
    split
    · rfl
    · rw [forceNat_eq]
      cases hq : evalQuiet (now + 1) st with
      | true =>
        rw [rectRound_of_quiet hq]
        exact evalRun_eq M fuel (now + 1) st
      | false =>
        simp only [evalEvents_eq, evalRun_eq M fuel]
        rfl

/-- The completion (or certificate) times of the jobs at memory `M`, in index order, for
`decide +kernel`. -/
noncomputable def evalRect (M : Nat) (jobs : List RectJob) : List Nat :=
  forceNat (3 * (jobs.map RectJob.height).sum) fun fuel =>
  forceState (jobs.map fun j => ⟨j, .pending 0⟩) fun st =>
  forceState (evalScan M 0 st.length st) fun st => (evalRun M fuel 0 st).map RectEntry.time

/-- Evaluation gives what the definition says. -/
theorem evalRect_eq (M : Nat) (jobs : List RectJob) : evalRect M jobs = rectCompletions M jobs := by
  simp only [evalRect, forceNat_eq, forceState_eq, evalRun_eq, evalScan_eq, rectCompletions,
    rectInit, List.length_map]

end OnlineKvCache
