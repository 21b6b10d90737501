module

public import OnlineKvCache.NonClairvoyant.FairShare
public import OnlineKvCache.NonClairvoyant.PackingRun
public import OnlineKvCache.Basic.Schedules

public section

/-! # One scan of a scheduler in stages -/

namespace OnlineKvCache.NonClairvoyant

variable {R : StageRule} {M : Nat} {S : Stage} {j : Nat × Nat}

@[simp] theorem scan_number : (S.scan R M).number = S.number := rfl
@[simp] theorem scan_clock : (S.scan R M).clock = S.clock := rfl
@[simp] theorem scan_jobs : (S.scan R M).jobs = S.jobs := rfl
@[simp] theorem scan_gone : (S.scan R M).gone = S.gone := rfl
@[simp] theorem scan_width : (S.scan R M).width R j = S.width R j := rfl

theorem scan_log : (S.scan R M).log =
    ((S.picks R M).map fun j => ⟨j.1, S.clock, S.capOf R j.2⟩) ++ S.log := rfl

theorem mem_picks (h : j ∈ S.picks R M) : j ∈ S.jobs ∧ S.waits R j = true :=
  List.mem_filter.1 (Packing.mem_of_picked h)

theorem waits_entry (h : S.waits R j = true) : S.entry j.1 = none ∧ 1 ≤ S.capOf R j.2 ∧
    j.1 ∉ S.gone := by
  simp only [Stage.waits, Bool.and_eq_true, decide_eq_true_eq, Option.isNone_iff_eq_none,
    Bool.not_eq_true', decide_eq_false_iff_not] at h
  exact ⟨h.2.1, h.1, h.2.2⟩

theorem eq_of_fst_eq : ∀ {l : List (Nat × Nat)}, (l.map Prod.fst).Nodup →
    ∀ {i j : Nat × Nat}, i ∈ l → j ∈ l → i.1 = j.1 → i = j
  | a :: l, hn, i, j, hi, hj, he => by
    rw [List.map_cons] at hn
    have hn' := List.nodup_cons.1 hn
    rcases List.mem_cons.1 hi with hi1 | hi1 <;> rcases List.mem_cons.1 hj with hj1 | hj1
    · exact hi1.trans hj1.symm
    · exact absurd (List.mem_map_of_mem (f := Prod.fst) hj1) (by rw [← he, hi1]; exact hn'.1)
    · exact absurd (List.mem_map_of_mem (f := Prod.fst) hi1) (by rw [he, hj1]; exact hn'.1)
    · exact eq_of_fst_eq hn'.2 hi1 hj1 he

theorem job_eq (hn : (S.jobs.map Prod.fst).Nodup) {i : Nat × Nat} (hi : i ∈ S.jobs)
    (hj : j ∈ S.jobs) (he : i.1 = j.1) : i = j := eq_of_fst_eq hn hi hj he

theorem jobs_nodup (hn : (S.jobs.map Prod.fst).Nodup) : S.jobs.Nodup :=
  List.Pairwise.of_map Prod.fst (fun _ _ h h' => h (congrArg Prod.fst h')) hn

theorem picks_nodup (hn : (S.jobs.map Prod.fst).Nodup) : (S.picks R M).Nodup := by
  have h1 : (S.jobs.filter (S.waits R)).Nodup := (jobs_nodup hn).sublist List.filter_sublist
  have h2 := (Packing.perm_scan false M (S.width R) (S.used R)
    (S.jobs.filter (S.waits R))).nodup_iff.2 h1
  exact (List.nodup_append.1 h2).1

theorem entry_scan_of_mem (hn : (S.jobs.map Prod.fst).Nodup) (hj : j ∈ S.picks R M) :
    (S.scan R M).entry j.1 = some ⟨j.1, S.clock, S.capOf R j.2⟩ := by
  unfold Stage.entry
  rw [scan_log, List.find?_append]
  have : ((S.picks R M).map fun j => (⟨j.1, S.clock, S.capOf R j.2⟩ : Entry)).find?
      (fun e => decide (e.id = j.1)) = some ⟨j.1, S.clock, S.capOf R j.2⟩ := by
    cases hf : ((S.picks R M).map fun j => (⟨j.1, S.clock, S.capOf R j.2⟩ : Entry)).find?
      (fun e => decide (e.id = j.1)) with
    | none =>
      exact absurd (List.find?_eq_none.1 hf _ (List.mem_map_of_mem hj)) (by simp)
    | some e =>
      have h1 := List.find?_some hf
      obtain ⟨i, hi, rfl⟩ := List.mem_map.1 (List.mem_of_find?_eq_some hf)
      have h2 : i.1 = j.1 := by simpa using h1
      rw [job_eq hn (mem_picks hi).1 (mem_picks hj).1 h2]
  rw [this]
  rfl

theorem entry_scan_of_not (hn : (S.jobs.map Prod.fst).Nodup) (hj : j ∈ S.jobs)
    (h : j ∉ S.picks R M) : (S.scan R M).entry j.1 = S.entry j.1 := by
  unfold Stage.entry
  rw [scan_log, List.find?_append]
  have : ((S.picks R M).map fun j => (⟨j.1, S.clock, S.capOf R j.2⟩ : Entry)).find?
      (fun e => decide (e.id = j.1)) = none := by
    refine List.find?_eq_none.2 fun e he => ?_
    obtain ⟨i, hi, rfl⟩ := List.mem_map.1 he
    simp only [decide_eq_true_eq]
    intro h2
    rw [job_eq hn (mem_picks hi).1 hj h2] at hi
    exact h hi
  rw [this]
  rfl

theorem runs_scan (hn : (S.jobs.map Prod.fst).Nodup) (hj : j ∈ S.jobs) :
    (if (S.scan R M).runs j.1 then S.width R j else 0) =
      (if S.runs j.1 then S.width R j else 0) +
        if decide (j ∈ S.picks R M) then S.width R j else 0 := by
  by_cases h : j ∈ S.picks R M
  · obtain ⟨h1, h2, h3⟩ := waits_entry (mem_picks h).2
    have e1 : S.runs j.1 = false := by unfold Stage.runs; rw [h1]
    have e2 : (S.scan R M).runs j.1 = true := by
      unfold Stage.runs
      rw [entry_scan_of_mem hn h]
      simp only [scan_clock, scan_gone, Bool.and_eq_true, decide_eq_true_eq, Bool.not_eq_true',
        decide_eq_false_iff_not]
      exact ⟨by omega, h3⟩
    simp [e1, e2, h]
  · have e2 : (S.scan R M).runs j.1 = S.runs j.1 := by
      unfold Stage.runs
      rw [entry_scan_of_not hn hj h]
      rfl
    simp [e2, h]

theorem used_scan (hn : (S.jobs.map Prod.fst).Nodup) :
    (S.scan R M).used R = S.used R + ((S.picks R M).map (S.width R)).sum := by
  have h1 : ((S.jobs.filter fun j => decide (j ∈ S.picks R M)).map (S.width R)).sum =
      ((S.picks R M).map (S.width R)).sum := by
    refine List.Perm.sum_nat ((perm_of_nodup ((jobs_nodup hn).sublist List.filter_sublist)
      (picks_nodup hn) fun j => ?_).map _)
    rw [List.mem_filter, decide_eq_true_eq]
    exact ⟨fun h => h.2, fun h => ⟨(mem_picks h).1, h⟩⟩
  rw [← h1, ← sum_map_ite]
  unfold Stage.used
  rw [scan_jobs, ← sum_map_add]
  exact sum_map_congr fun j hj => runs_scan hn hj

theorem used_scan_le (hn : (S.jobs.map Prod.fst).Nodup) (h : S.used R ≤ M) :
    (S.scan R M).used R ≤ M := by
  rw [used_scan hn]
  exact Packing.picked_width false (S.width R) (S.used R) _ h

theorem full_scan (hn : (S.jobs.map Prod.fst).Nodup) (hj : j ∈ S.jobs) (hw : S.waits R j = true)
    (h : j ∉ S.picks R M) : M < (S.scan R M).used R + S.width R j := by
  rw [used_scan hn]
  refine Packing.skipped_full (S.width R) (S.used R) _ j ?_
  have h1 : j ∈ S.jobs.filter (S.waits R) := List.mem_filter.2 ⟨hj, hw⟩
  have h2 := (Packing.perm_scan false M (S.width R) (S.used R) _).mem_iff.2 h1
  exact (List.mem_append.1 h2).resolve_left h

end OnlineKvCache.NonClairvoyant
