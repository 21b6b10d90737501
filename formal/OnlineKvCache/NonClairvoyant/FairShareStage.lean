module

public import OnlineKvCache.NonClairvoyant.FairShareScan
public import OnlineKvCache.NonClairvoyant.FairShareTrack
public import OnlineKvCache.NonClairvoyant.PackingBound
public import OnlineKvCache.NonClairvoyant.Run

@[expose] public section

/-! # One stage of a scheduler in stages

A stage that begins in round `t₀` is an any-fit packing of the unfinished requests with widths
`prompt + cap` and heights `min output cap`. -/

namespace OnlineKvCache.NonClairvoyant

open Packing

/-- The decider of a scheduler in stages on an instance. -/
noncomputable abbrev decider (R : StageRule) (M : Nat) (I : List Request) : Decider :=
  fun h i => (stageState R M (seen I) h).move i

/-- Its run. -/
noncomputable abbrev runAt (R : StageRule) (M : Nat) (I : List Request) (t : Nat) : State :=
  run I (decider R M I) t

/-- Its state before round `t`. -/
noncomputable abbrev stateAt (R : StageRule) (M : Nat) (I : List Request) (t : Nat) : Stage :=
  stageState R M (seen I) (runAt R M I t).history

/-- The requests that are unfinished before round `t`. -/
noncomputable abbrev unfinished (R : StageRule) (M : Nat) (I : List Request) (t : Nat) :
    List Request := I.filter fun q => ((runAt R M I t).status q).isLive

/-- A stage begins in round `t`. -/
def Begins (R : StageRule) (M : Nat) (I : List Request) (t r : Nat) : Prop :=
  stateAt R M I t = (Stage.begin r (seen (unfinished R M I t))).scan R M

/-- The start of a request in the stage, `b` if it has not started. -/
noncomputable def startOr (S : Stage) (b : Nat) (q : Request) : Nat :=
  match S.entry q.id with
  | none => b
  | some e => e.start

/-- The reserved width. -/
def widthOf (cap : Request → Nat) (q : Request) : Nat := q.prompt + cap q

/-- The real running time. -/
def heightOf (cap : Request → Nat) (q : Request) : Nat := min q.output (cap q)

/-- The requests that are run in the stage. -/
noncomputable def included (cap : Request → Nat) (J : List Request) : List Request :=
  J.filter fun q => decide (1 ≤ cap q)

/-- What holds `k` rounds after the start `t₀` of stage `r` with the requests `J`; before the scan
with `b = k`, after it with `b = k + 1`. -/
structure Within (R : StageRule) (M : Nat) (I : List Request) (t₀ r : Nat) (J : List Request)
    (cap : Request → Nat) (k b : Nat) (S : Stage) : Prop where
  /-- The number of the stage. -/
  number : S.number = r
  /-- The time in the stage. -/
  clock : S.clock = k
  /-- Its requests. -/
  jobs : S.jobs = seen J
  /-- Each of them. -/
  track : ∀ q ∈ J, Track q.output t₀ k (cap q) (q.id ∈ S.gone) (S.entry q.id)
    ((runAt R M I (t₀ + k)).status q)
  /-- Any-fit so far. -/
  fit : AnyFit M (included cap J) (startOr S b) (widthOf cap) (heightOf cap) 0
  /-- Memory. -/
  room : S.used R ≤ M

variable {R : StageRule} {M t₀ r k b : Nat} {I J : List Request} {cap : Request → Nat} {S : Stage}

theorem move_eq (S : Stage) (i : Nat) : S.move i = moveOf S.clock (S.entry i) (i ∈ S.gone) := by
  unfold Stage.move moveOf Stage.runs
  cases h : S.entry i with
  | none => rfl
  | some e =>
    dsimp only
    by_cases h1 : S.clock < e.start + e.cap ∧ i ∉ S.gone
    · rw [if_pos h1, if_pos (by simpa using h1)]
    · rw [if_neg h1, if_neg (by simpa using h1)]

theorem runs_iff (S : Stage) (i : Nat) : S.runs i = true ↔
    ∃ x, S.entry i = some x ∧ S.clock < x.start + x.cap ∧ i ∉ S.gone := by
  unfold Stage.runs
  cases h : S.entry i with
  | none => simp
  | some e => simp

theorem waits_iff (S : Stage) (j : Nat × Nat) : S.waits R j = true ↔
    1 ≤ S.capOf R j.2 ∧ S.entry j.1 = none ∧ j.1 ∉ S.gone := by
  simp [Stage.waits]

section

variable (hcap : ∀ q, cap q = R.cap r J.length q.prompt) (hn : (J.map Request.id).Nodup)
include hcap

theorem Within.capOf (h : Within R M I t₀ r J cap k b S) (q : Request) :
    S.capOf R q.prompt = cap q := by
  unfold Stage.capOf
  rw [h.number, h.jobs, hcap, seen, List.length_map]

theorem Within.width (h : Within R M I t₀ r J cap k b S) (q : Request) :
    S.width R (q.id, q.prompt) = widthOf cap q := by
  unfold Stage.width widthOf
  rw [h.capOf hcap]

omit hcap in
theorem Within.mem_jobs (h : Within R M I t₀ r J cap k b S) {q : Request} (hq : q ∈ J) :
    (q.id, q.prompt) ∈ S.jobs := by
  rw [h.jobs]
  exact List.mem_map_of_mem hq

include hn in
omit hcap in
theorem Within.nodup (h : Within R M I t₀ r J cap k b S) : (S.jobs.map Prod.fst).Nodup := by
  rw [h.jobs, seen, List.map_map]
  exact hn

omit hcap in
theorem Within.runs (h : Within R M I t₀ r J cap k b S) {q : Request} (hq : q ∈ J) :
    S.runs q.id = true ↔
      ∃ x, S.entry q.id = some x ∧ x.start ≤ k ∧ k < x.start + heightOf cap q := by
  rw [runs_iff, h.clock]
  exact (h.track q hq).runs

omit hcap in
/-- What is reserved is what the packing uses. -/
theorem used_eq (hjobs : S.jobs = seen J) (hclock : S.clock = k)
    (hwidth : ∀ q : Request, S.width R (q.id, q.prompt) = widthOf cap q)
    (htrack : ∀ q ∈ J, Track q.output t₀ k (cap q) (q.id ∈ S.gone) (S.entry q.id)
      ((runAt R M I (t₀ + k)).status q)) (hb : k < b) : S.used R =
    usedAt (included cap J) (startOr S b) (widthOf cap) (heightOf cap) k := by
  unfold Stage.used usedAt included
  rw [hjobs, seen, List.map_map, ← sum_map_ite]
  refine sum_map_congr fun q hq => ?_
  show (if S.runs q.id = true then S.width R (q.id, q.prompt) else 0) = _
  rw [hwidth]
  have h1 : S.runs q.id = true ↔
      ∃ x, S.entry q.id = some x ∧ x.start ≤ k ∧ k < x.start + heightOf cap q := by
    rw [runs_iff, hclock]
    exact (htrack q hq).runs
  cases he : S.entry q.id with
  | none =>
    rw [he] at h1
    have h2 : ¬ S.runs q.id = true := fun h => by
      obtain ⟨_, h, _⟩ := h1.1 h
      cases h
    have h3 : startOr S b q = b := by unfold startOr; rw [he]
    rw [if_neg h2, h3, if_neg (by omega : ¬ (b ≤ k ∧ k < b + heightOf cap q))]
    simp
  | some e =>
    have h3 : startOr S b q = e.start := by unfold startOr; rw [he]
    have ht := htrack q hq
    rw [he] at ht
    have h4 : 1 ≤ cap q := ht.2.1
    rw [h3]
    simp only [h4, decide_true, if_true]
    by_cases h5 : e.start ≤ k ∧ k < e.start + heightOf cap q
    · rw [if_pos (h1.2 ⟨e, he, h5⟩), if_pos h5]
    · rw [if_neg fun h => ?_, if_neg h5]
      obtain ⟨x, hx, h6⟩ := h1.1 h
      rw [he] at hx
      cases hx
      exact h5 h6

include hn in
/-- A scan. -/
theorem Within.scan (h : Within R M I t₀ r J cap k k S) (ho : ∀ q ∈ J, 1 ≤ q.output) :
    Within R M I t₀ r J cap k (k + 1) (S.scan R M) := by
  have hnd := h.nodup hn
  have hentry : ∀ q ∈ J, (S.entry q.id = none ∧ 1 ≤ cap q ∧ q.id ∉ S.gone ∧
      (S.scan R M).entry q.id = some ⟨q.id, k, cap q⟩) ∨
      ((q.id, q.prompt) ∉ S.picks R M ∧ (S.scan R M).entry q.id = S.entry q.id) := fun q hq => by
    by_cases hp : (q.id, q.prompt) ∈ S.picks R M
    · have h1 := waits_entry (mem_picks hp).2
      have h2 := entry_scan_of_mem hnd hp
      dsimp only at h1 h2
      rw [h.capOf hcap] at h1 h2
      rw [h.clock] at h2
      exact Or.inl ⟨h1.1, h1.2.1, h1.2.2, h2⟩
    · exact Or.inr ⟨hp, entry_scan_of_not hnd (h.mem_jobs hq) hp⟩
  have htrack : ∀ q ∈ J, Track q.output t₀ k (cap q) (q.id ∈ (S.scan R M).gone)
      ((S.scan R M).entry q.id) ((runAt R M I (t₀ + k)).status q) := fun q hq => by
    have h0 := h.track q hq
    rcases hentry q hq with ⟨h1, h2, h3, h4⟩ | ⟨_, h4⟩
    · rw [h4]
      rw [h1] at h0
      obtain ⟨_, u, hu⟩ := h0
      have := ho q hq
      exact ⟨rfl, h2, Nat.le_refl _, Or.inr ⟨fun h => by have := h.2; dsimp only at this; omega,
        h3, u, hu, fun _ h => absurd h (Nat.lt_irrefl _)⟩⟩
    · rw [h4]
      exact h0
  have hbefore : ∀ q ∈ J, ∀ t, t < k →
      (t < startOr (S.scan R M) (k + 1) q ↔ t < startOr S k q) ∧
      (startOr (S.scan R M) (k + 1) q ≤ t → startOr (S.scan R M) (k + 1) q = startOr S k q) := by
    intro q hq t ht
    unfold startOr
    rcases hentry q hq with ⟨h1, _, _, h4⟩ | ⟨_, h4⟩
    · rw [h4, h1]
      exact ⟨Iff.rfl, fun _ => rfl⟩
    · rw [h4]
      cases S.entry q.id with
      | none =>
        dsimp only
        exact ⟨by omega, by omega⟩
      | some e => exact ⟨Iff.rfl, fun _ => rfl⟩
  have hwidth : ∀ q, (S.scan R M).width R (q.id, q.prompt) = widthOf cap q := fun q => by
    rw [scan_width]
    exact h.width hcap q
  have hroom := used_scan_le (R := R) (M := M) hnd h.room
  have husedEq : (S.scan R M).used R =
      usedAt (included cap J) (startOr (S.scan R M) (k + 1)) (widthOf cap) (heightOf cap) k :=
    used_eq h.jobs h.clock hwidth htrack (Nat.lt_succ_self k)
  refine ⟨h.number, h.clock, h.jobs, htrack, ⟨fun _ _ => Nat.zero_le _, fun q hq t _ ht => ?_⟩,
    hroom⟩
  have hqJ : q ∈ J := (List.mem_filter.1 hq).1
  have hqc : 1 ≤ cap q := by simpa using (List.mem_filter.1 hq).2
  rcases Nat.lt_or_ge t k with htk | htk
  · have h1 := h.fit.full q hq t (Nat.zero_le _) (((hbefore q hqJ t htk).1).1 ht)
    have h2 : usedAt (included cap J) (startOr (S.scan R M) (k + 1)) (widthOf cap)
        (heightOf cap) t =
        usedAt (included cap J) (startOr S k) (widthOf cap) (heightOf cap) t := by
      refine sum_map_congr fun p hp => ?_
      have h3 := hbefore p (List.mem_filter.1 hp).1 t htk
      rcases Nat.lt_or_ge t (startOr (S.scan R M) (k + 1) p) with h4 | h4
      · have h5 := h3.1.1 h4
        rw [if_neg (by omega), if_neg (by omega)]
      · rw [h3.2 h4]
    rw [h2]
    exact h1
  · rcases hentry q hqJ with ⟨h1, h2, h3, h4⟩ | ⟨h3, h4⟩
    · have : startOr (S.scan R M) (k + 1) q = k := by unfold startOr; rw [h4]
      omega
    · have h0 := h.track q hqJ
      cases he : S.entry q.id with
      | some e =>
        rw [he] at h0 h4
        have h5 : startOr (S.scan R M) (k + 1) q = e.start := by unfold startOr; rw [h4]
        have := h0.2.2.1
        omega
      | none =>
        rw [he] at h0 h4
        have h5 : startOr (S.scan R M) (k + 1) q = k + 1 := by unfold startOr; rw [h4]
        obtain rfl : t = k := by omega
        have hw : S.waits R (q.id, q.prompt) = true := by
          rw [waits_iff]
          dsimp only
          rw [h.capOf hcap]
          exact ⟨hqc, he, h0.1⟩
        have h6 := full_scan hnd (h.mem_jobs hqJ) hw h3
        rw [husedEq, h.width hcap] at h6
        exact h6

end

end OnlineKvCache.NonClairvoyant
