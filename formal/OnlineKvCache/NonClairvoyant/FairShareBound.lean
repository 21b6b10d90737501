module

public import OnlineKvCache.NonClairvoyant.FairShareStageRun
public import OnlineKvCache.NonClairvoyant.FairShareSum
public import OnlineKvCache.NonClairvoyant.Kills
public import OnlineKvCache.Area.Additive

public section

/-! # FairShare: feasible, ends, and at most 80, even 64 times the optimum -/

namespace OnlineKvCache.NonClairvoyant

open Packing

variable {M L n s r : Nat} {I : List Request}

/-! ### The share -/

theorem share_le : ∀ top, share M L n s top ≤ top
  | 0 => Nat.le_refl _
  | l + 1 => by
    unfold share
    split
    · exact Nat.le_refl _
    · exact Nat.le_succ_of_le (share_le l)

theorem share_fits : ∀ top, 1 ≤ share M L n s top → s + share M L n s top ≤ M ∧
    n * (share M L n s top * (s + share M L n s top)) ≤ M * L
  | 0, h => absurd h (Nat.not_succ_le_zero _)
  | l + 1, h => by
    unfold share at h ⊢
    split
    · assumption
    · rw [if_neg (by assumption)] at h
      exact share_fits l h

theorem le_share {l : Nat} (h : s + l ≤ M ∧ n * (l * (s + l)) ≤ M * L) : ∀ top, l ≤ top →
    l ≤ share M L n s top
  | 0, ht => ht
  | top + 1, ht => by
    unfold share
    split
    · exact ht
    · rcases Nat.lt_or_ge top l with h1 | h1
      · obtain rfl : l = top + 1 := by omega
        exact absurd h (by assumption)
      · exact le_share h top h1

/-! ### The stages -/

/-- The cap of a request in stage `r` with `n` unfinished requests. -/
def fairCap (M r n : Nat) (q : Request) : Nat := share M (2 ^ r) n q.prompt (min (2 ^ r) M)

/-- Every packing of a stage ends in time. -/
theorem fair_pack {J : List Request} {σ : Request → Nat}
    (hσ : AnyFit M (included (fairCap M r J.length) J) σ (widthOf (fairCap M r J.length))
      (heightOf (fairCap M r J.length)) 0) :
    ∀ q ∈ included (fairCap M r J.length) J,
      σ q + heightOf (fairCap M r J.length) q ≤ 2 * 2 ^ r - 1 := by
  intro q hq
  have hin : ∀ p ∈ included (fairCap M r J.length) J, p.prompt + fairCap M r J.length p ≤ M ∧
      J.length * (fairCap M r J.length p * (p.prompt + fairCap M r J.length p)) ≤ M * 2 ^ r :=
    fun p hp => share_fits _ (by simpa using (List.mem_filter.1 hp).2)
  have h := hσ.end_le (L := 2 ^ r) (k := q) (fun p hp => (hin p hp).1) (fun p _ => ?_) ?_ hq
  · rw [Nat.zero_add] at h
    exact h
  · have h1 : fairCap M r J.length p ≤ min (2 ^ r) M := share_le _
    unfold heightOf
    omega
  · have hlen : (included (fairCap M r J.length) J).length ≤ J.length := List.length_filter_le ..
    have hpos : 0 < J.length := List.length_pos_of_mem (List.mem_filter.1 hq).1
    refine Nat.le_of_mul_le_mul_left (c := J.length) ?_ hpos
    unfold area
    rw [← sum_map_mul]
    refine Nat.le_trans (sum_map_le_mul (c := M * 2 ^ r) fun p hp => ?_)
      (Nat.mul_le_mul_right _ hlen)
    refine Nat.le_trans (Nat.mul_le_mul_left _ ?_) (hin p hp).2
    rw [Nat.mul_comm]
    exact Nat.mul_le_mul_right _ (Nat.min_le_right ..)

/-- The round in which stage `r` of FairShare begins. -/
noncomputable def fairStart (r : Nat) : Nat := ((List.range r).map fun i => 2 * 2 ^ i - 1).sum

theorem fairStart_succ (r : Nat) : fairStart (r + 1) = fairStart r + (2 * 2 ^ r - 1) := by
  unfold fairStart
  rw [List.range_succ]
  simp

/-- The decider of FairShare. -/
noncomputable abbrev fairDecider (M : Nat) (I : List Request) : Decider :=
  decider (fairShareRule M) M I

theorem fairShare_eq (M : Nat) (I : List Request) : fairShare M (seen I) = fairDecider M I := rfl

/-- What is unfinished when stage `r` begins. -/
noncomputable abbrev fairLeft (M : Nat) (I : List Request) (r : Nat) (q : Request) : Bool :=
  ((run I (fairDecider M I) (fairStart r)).status q).isLive

theorem fair_length (M : Nat) (I : List Request) (r : Nat) :
    (unfinished (fairShareRule M) M I (fairStart r)).length = countOf I (fairLeft M I r) := by
  have h := sum_map_ite (fairLeft M I r) (fun _ => 1) I
  rw [sum_map_const, Nat.mul_one] at h
  exact h.symm

/-- One stage of FairShare. -/
theorem fair_stage (hI : Burst M I) (r : Nat)
    (hb : Begins (fairShareRule M) M I (fairStart r) r) :
    Begins (fairShareRule M) M I (fairStart (r + 1)) (r + 1) ∧
      (∀ t, fairStart r ≤ t → t < fairStart (r + 1) →
        runMemory I (fairDecider M I) t ≤ M) ∧
      ∀ q ∈ I, fairLeft M I r q = true → fairLeft M I (r + 1) q = true →
        fairCap M r (countOf I (fairLeft M I r)) q < q.output := by
  have hp : 1 ≤ 2 ^ r := Nat.one_le_two_pow
  obtain ⟨d, h1, h2, h3, h4, h5, h6⟩ := stage_run (R := fairShareRule M) (t₀ := fairStart r)
    (J := unfinished (fairShareRule M) M I (fairStart r))
    (cap := fairCap M r (unfinished (fairShareRule M) M I (fairStart r)).length)
    (b := 2 * 2 ^ r - 1) (fun q => rfl) hI.nodup hI.output_pos rfl hb (by omega)
    (Nat.le_refl _) fun σ hσ => fair_pack hσ
  have h3' : 2 * 2 ^ r - 1 ≤ d := h3
  obtain rfl : d = 2 * 2 ^ r - 1 := by omega
  rw [← fairStart_succ] at h4 h6
  refine ⟨h4, fun t ht ht' => ?_, fun q hq hl hl' => ?_⟩
  · rw [fairStart_succ] at ht'
    have := h5 (t - fairStart r) (by omega)
    have e : fairStart r + (t - fairStart r) = t := by omega
    rw [e] at this
    exact this
  · have h7 := h6 q (List.mem_filter.2 ⟨hq, hl⟩)
    rw [fair_length] at h7
    refine Nat.lt_of_not_le fun hle => ?_
    rw [if_pos hle] at h7
    obtain ⟨c, hc, _⟩ := h7
    have hl2 : ((run I (fairDecider M I) (fairStart (r + 1))).status q).isLive = true := hl'
    have hc' : (run I (fairDecider M I) (fairStart (r + 1))).status q = .done c := hc
    rw [hc'] at hl2
    cases hl2

theorem fair_begins (hI : Burst M I) : ∀ r, Begins (fairShareRule M) M I (fairStart r) r
  | 0 => begins_zero ..
  | r + 1 => (fair_stage hI r (fair_begins hI r)).1

theorem fair_memory (hI : Burst M I) : ∀ r, ∀ t, t < fairStart r →
    runMemory I (fairDecider M I) t ≤ M
  | 0, _, ht => absurd ht (Nat.not_lt_zero _)
  | r + 1, t, ht => by
    rcases Nat.lt_or_ge t (fairStart r) with h | h
    · exact fair_memory hI r t h
    · exact (fair_stage hI r (fair_begins hI r)).2.1 t h ht

/-- The rectangle of a request. -/
@[expose] def rect (q : Request) : Nat := q.output * (q.prompt + q.output)

theorem fair_mono {q : Request} (h : fairLeft M I (r + 1) q = true) :
    fairLeft M I r q = true := by
  cases hs : (run I (fairDecider M I) (fairStart r)).status q with
  | live u =>
    show ((run I (fairDecider M I) (fairStart r)).status q).isLive = true
    rw [hs]
    rfl
  | done c =>
    have h1 := status_done_le (t' := fairStart (r + 1)) hs (by rw [fairStart_succ]; omega)
    have h2 : ((run I (fairDecider M I) (fairStart (r + 1))).status q).isLive = true := h
    rw [h1] at h2
    cases h2

theorem fair_survivor (hI : Burst M I) {q : Request} (hq : q ∈ I)
    (h : fairLeft M I (r + 1) q = true) :
    2 ^ r < q.output ∨ M * 2 ^ r < countOf I (fairLeft M I r) * rect q := by
  have h1 := (fair_stage hI r (fair_begins hI r)).2.2 q hq (fair_mono h) h
  refine Classical.byContradiction fun hn => ?_
  have h2 : q.output ≤ 2 ^ r := by omega
  have h3 : countOf I (fairLeft M I r) * rect q ≤ M * 2 ^ r := by omega
  have h4 : q.prompt + q.output ≤ M := hI.fits q hq
  have h5 := le_share (L := 2 ^ r) ⟨h4, h3⟩ (min (2 ^ r) M) (by omega)
  unfold fairCap at h1
  omega

theorem fair_ends (hI : Burst M I) : ∃ r, countOf I (fairLeft M I r) = 0 := by
  generalize hr : (I.map Request.output).sum + I.length * (I.map rect).sum = r
  refine ⟨r + 1, sum_map_eq_zero fun q hq => if_neg fun h => ?_⟩
  have h1 := le_sum_map Request.output hq
  have h2 := le_sum_map rect hq
  have h3 : r < 2 ^ r := Nat.lt_two_pow_self
  have h4 : countOf I (fairLeft M I r) ≤ I.length := by
    rw [← fair_length]
    exact List.length_filter_le ..
  have h5 := Nat.mul_le_mul h4 h2
  have hM : 1 ≤ M := by
    have h6 := hI.fits q hq
    have h7 := hI.output_pos q hq
    unfold Request.peak at h6
    omega
  have h6 := Nat.mul_le_mul_right (2 ^ r) hM
  rcases fair_survivor hI hq h with h | h <;> omega

/-- The completion times before round `t`, by label. -/
noncomputable def timeOf (I : List Request) (D : Decider) (t i : Nat) : Nat :=
  match I.find? fun q => decide (q.id = i) with
  | none => 0
  | some q => match (run I D t).status q with
    | .live _ => 0
    | .done c => c

theorem timeOf_eq (hn : (I.map Request.id).Nodup) {D : Decider} {t c : Nat} {q : Request}
    (hq : q ∈ I) (h : (run I D t).status q = .done c) : timeOf I D t q.id = c := by
  have hf : I.find? (fun p => decide (p.id = q.id)) = some q := by
    cases hf : I.find? (fun p => decide (p.id = q.id)) with
    | none => exact absurd (List.find?_eq_none.1 hf q hq) (by simp)
    | some p =>
      have h1 := List.find?_some hf
      rw [eq_of_id_eq hn (List.mem_of_find?_eq_some hf) hq (by simpa using h1)]
  unfold timeOf
  rw [hf]
  dsimp only
  rw [h]

theorem done_le {D : Decider} {t c : Nat} {q : Request}
    (h : (run I D t).status q = .done c) : c ≤ t := by
  obtain ⟨r, _, rfl, hr, _⟩ := done_round h
  exact hr

/-- A request pays for the stages in which it was unfinished. -/
theorem fair_time {q : Request} {c : Nat} : ∀ r,
    (run I (fairDecider M I) (fairStart r)).status q = .done c →
      c ≤ ((List.range r).map fun i => if fairLeft M I i q then 2 * 2 ^ i - 1 else 0).sum
  | 0, h => by cases h
  | r + 1, h => by
    rw [List.range_succ]
    simp only [List.map_append, List.map_cons, List.map_nil, List.sum_append_nat,
      List.sum_cons, List.sum_nil]
    cases hs : (run I (fairDecider M I) (fairStart r)).status q with
    | done c' =>
      have h1 := done_unique hs h
      subst h1
      have := fair_time r hs
      omega
    | live u =>
      have h1 := done_le h
      have hr : fairLeft M I r q = true := by
        show ((run I (fairDecider M I) (fairStart r)).status q).isLive = true
        rw [hs]
        rfl
      have hl : ∀ d i, i + d = r → fairLeft M I i q = true := by
        intro d
        induction d with
        | zero =>
          intro i hi
          obtain rfl : i = r := hi
          exact hr
        | succ d ih => exact fun i hi => fair_mono (ih (i + 1) (by omega))
      have h2 : fairStart r = ((List.range r).map fun i =>
          if fairLeft M I i q then 2 * 2 ^ i - 1 else 0).sum := by
        unfold fairStart
        refine sum_map_congr fun i hi => ?_
        rw [if_pos (hl (r - i) i (by have := List.mem_range.1 hi; omega))]
      rw [fairStart_succ] at h1
      rw [← h2, if_pos hr]
      omega

/-- The run of FairShare, for any summation over its stages: it serves every burst, and each request
pays at most twice the length of each stage in which it was unfinished. -/
theorem fairShare_stages (hI : Burst M I) : ∃ R C,
    Stages M I Request.output rect (fairLeft M I) R ∧ KillServes M I (fairShare M (seen I)) C ∧
      totalTime I C ≤ 2 * weighted R fun r => countOf I (fairLeft M I r) := by
  obtain ⟨R, hR, hmin⟩ := exists_min (fair_ends hI)
  have hR' : (I.map fun q => if fairLeft M I R q then 1 else 0).sum = 0 := hR
  have hdone : ∀ q ∈ I, ∃ c, (run I (fairDecider M I) (fairStart R)).status q = .done c := by
    intro q hq
    cases hs : (run I (fairDecider M I) (fairStart R)).status q with
    | done c => exact ⟨c, rfl⟩
    | live u =>
      have h1 := le_sum_map (fun q => if fairLeft M I R q then 1 else 0) hq
      have h2 : fairLeft M I R q = true := by
        show ((run I (fairDecider M I) (fairStart R)).status q).isLive = true
        rw [hs]
        rfl
      simp only [h2, if_true] at h1
      omega
  refine ⟨R, timeOf I (fairDecider M I) (fairStart R), ?_, ?_, ?_⟩
  · exact {
      mono := fun r q _ h => fair_mono h
      survivor := fun r _ q hq h => fair_survivor hI hq h
      busy := fun r hr => Nat.pos_of_ne_zero fun h => by
        have := hmin r h
        omega
      finished := hR
      pos := hI.output_pos }
  · rw [fairShare_eq]
    refine KillServes.of_check (T := fairStart R)
      (fun t ht => fair_memory hI R t (List.mem_range.1 ht)) fun q hq => ?_
    obtain ⟨c, hc⟩ := hdone q hq
    rw [hc, timeOf_eq hI.nodup hq hc]
  · have h3 : totalTime I (timeOf I (fairDecider M I) (fairStart R)) ≤ (I.map fun q =>
        ((List.range R).map fun i => if fairLeft M I i q then 2 * 2 ^ i - 1 else 0).sum).sum :=
      sum_map_le_sum_map fun q hq => by
        obtain ⟨c, hc⟩ := hdone q hq
        rw [timeOf_eq hI.nodup hq hc]
        exact fair_time R hc
    rw [sum_map_comm] at h3
    unfold weighted
    rw [← sum_map_mul]
    refine Nat.le_trans h3 (sum_map_le_sum_map fun i _ => ?_)
    unfold countOf
    rw [← Nat.mul_assoc, ← sum_map_mul]
    refine sum_map_le_sum_map fun q _ => ?_
    split <;> omega

/-- A rectangle is at most twice the volume. -/
theorem rect_le_twiceVolume (q : Request) : rect q ≤ twiceVolume q := by
  unfold rect twiceVolume
  have e1 : q.output * (q.prompt + q.output) = q.prompt * q.output + q.output * q.output := by
    grind
  have e2 : q.output * (q.output + 1) = q.output * q.output + q.output := by grind
  omega

theorem sum_min_rect_le (I : List Request) :
    (I.map fun i => (I.map fun j => min (rect i) (rect j)).sum).sum ≤
      orderedMin (I.map twiceVolume) := by
  unfold orderedMin
  rw [List.map_map]
  refine sum_map_le_sum_map fun i _ => ?_
  show _ ≤ minSum (twiceVolume i) (I.map twiceVolume)
  rw [minSum_eq, List.map_map]
  refine sum_map_le_sum_map fun j _ => ?_
  have h4 := rect_le_twiceVolume i
  have h5 := rect_le_twiceVolume j
  show min (rect i) (rect j) ≤ min (twiceVolume i) (twiceVolume j)
  omega

/-- **FairShare serves every burst**, with a total completion time that is bounded by the pairwise
minima of the volumes and the outputs. -/
theorem fairShare_serves (hI : Burst M I) : ∃ C, KillServes M I (fairShare M (seen I)) C ∧
    M * totalTime I C + 12 * (M * I.length) ≤
      16 * orderedMin (I.map twiceVolume) + 16 * (M * (I.map Request.output).sum) := by
  obtain ⟨R, C, hst, hC, h2⟩ := fairShare_stages hI
  refine ⟨C, hC, ?_⟩
  have h1 := hst.bound
  have h3 := sum_min_rect_le I
  have h4 := Nat.mul_le_mul_left M h2
  rw [Nat.mul_left_comm M 2] at h4
  omega

/-- Without memory there is no request. -/
theorem burst_nil (hI : Burst M I) (h0 : M = 0) : I = [] := by
  cases I with
  | nil => rfl
  | cons q l =>
    have h6 := hI.fits q (List.mem_cons_self ..)
    have h7 := hI.output_pos q (List.mem_cons_self ..)
    unfold Request.peak at h6
    omega

/-- FairShare costs at most 80 times the optimum: from the two simple lower bounds. -/
theorem fairShare_eighty (hI : Burst M I) : ∃ C, KillServes M I (fairShare M (seen I)) C ∧
    ∀ c, IsOPT M I c → totalTime I C ≤ 80 * c := by
  obtain ⟨C, hC, h⟩ := fairShare_serves hI
  refine ⟨C, hC, fun c hc => ?_⟩
  have h1 := area_bound_opt hI hc
  have h2 := Nat.mul_le_mul_left M (output_sum_le_opt hc)
  have h3 := orderedMin_le_two_pairMin (I.map twiceVolume)
  rcases Nat.eq_zero_or_pos M with h0 | h0
  · obtain rfl := burst_nil hI h0
    exact Nat.zero_le _
  · refine Nat.le_of_mul_le_mul_left (c := M) ?_ h0
    have e1 : M * (80 * c) = 80 * (M * c) := Nat.mul_left_comm ..
    have e2 : 2 * M * c = 2 * (M * c) := Nat.mul_assoc ..
    rw [e2] at h1
    rw [e1]
    omega

/-- **FairShare costs at most 64 times the optimum**: from the additive lower bound. -/
theorem fairShare_sixty_four (hI : Burst M I) : ∃ C, KillServes M I (fairShare M (seen I)) C ∧
    ∀ c, IsOPT M I c → totalTime I C ≤ 64 * c := by
  obtain ⟨C, hC, h⟩ := fairShare_serves hI
  refine ⟨C, hC, fun c hc => ?_⟩
  have h1 := additive_bound_opt hI hc
  have h2 : (I.map fun q => 2 * q.output + 1).sum =
      2 * (I.map Request.output).sum + I.length := by
    rw [sum_map_add, sum_map_mul, sum_map_const, Nat.mul_one]
  rcases Nat.eq_zero_or_pos M with h0 | h0
  · obtain rfl := burst_nil hI h0
    exact Nat.zero_le _
  · refine Nat.le_of_mul_le_mul_left (c := M) ?_ h0
    have e1 : M * (64 * c) = 64 * (M * c) := Nat.mul_left_comm ..
    have e2 : 12 * M * c = 12 * (M * c) := Nat.mul_assoc ..
    have e3 : 2 * M * (2 * (I.map Request.output).sum + I.length) =
        4 * (M * (I.map Request.output).sum) + 2 * (M * I.length) := by grind
    rw [h2, e3, e2] at h1
    rw [e1]
    omega

end OnlineKvCache.NonClairvoyant
