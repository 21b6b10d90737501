module

public import OnlineKvCache.NonClairvoyant.Greedy
public import OnlineKvCache.NonClairvoyant.PackingSchedule
public import OnlineKvCache.Area.Volume

public section

/-! # Strict Greedy in area order: the bound

While a request waits, those before it in the order use more than `M - ℓ`, where `ℓ` bounds the
peaks. So it waits at most for their area, divided by `M - ℓ + 1`. -/

namespace OnlineKvCache.Packing

variable {α : Type} {M ℓ t : Nat} {l wait : List α} {width height : α → Nat}
  {log : List (α × Nat)}

/-- Before each start more than `M - ℓ` is in use by what was started before. -/
def FullLog (M ℓ : Nat) (width height : α → Nat) : List (α × Nat) → Prop
  | [] => True
  | e :: log => (∀ t < e.2, M < usedBy width height t log + ℓ) ∧ FullLog M ℓ width height log

theorem FullLog.record : ∀ {b : List α} {log : List (α × Nat)}, FullLog M ℓ width height log →
    (∀ t' < t, M < usedBy width height t' log + ℓ) → FullLog M ℓ width height (record t b log)
  | [], _, h, _ => h
  | j :: b, log, h, ht => FullLog.record (b := b) (log := (j, t) :: log) ⟨ht, h⟩ fun t' h1 => by
    have h2 : usedBy width height t' log ≤ usedBy width height t' ((j, t) :: log) :=
      Nat.le_add_left _ _
    have := ht t' h1
    omega

/-- What holds in a strict run. -/
structure StrictInv (M ℓ : Nat) (width height : α → Nat) (l : List α) (t : Nat)
    (log : List (α × Nat)) (wait : List α) : Prop where
  /-- Starts are in list order. -/
  order : (log.map Prod.fst).reverse ++ wait = l
  /-- Before each start the strip was nearly full. -/
  full : FullLog M ℓ width height log
  /-- While something waits the strip is nearly full. -/
  waits : wait ≠ [] → ∀ t' < t, M < usedBy width height t' log + ℓ
  /-- Heights are positive and widths at most `ℓ`. -/
  small : ∀ j ∈ wait, 1 ≤ height j ∧ width j ≤ ℓ

theorem StrictInv.step (h : StrictInv M ℓ width height l t log wait) (hne : wait ≠ []) :
    StrictInv M ℓ width height l (t + 1)
      (record t (picked true M width (usedBy width height t log) wait) log)
      (skipped true M width (usedBy width height t log) wait) where
  order := by
    rw [map_fst_record, List.reverse_append, List.reverse_reverse, List.append_assoc,
      scan_strict]
    exact h.order
  full := h.full.record (h.waits hne)
  waits hs t' ht' := by
    rcases Nat.lt_or_ge t' t with h1 | h1
    · rw [usedBy_record_lt h1]
      exact h.waits hne t' h1
    · obtain rfl : t' = t := by omega
      rw [usedBy_record_self fun j hj => (h.small j (mem_of_picked hj)).1]
      cases hsk : skipped true M width (usedBy width height t' log) wait with
      | nil => exact absurd hsk hs
      | cons j r =>
        have h2 := skipped_strict width _ _ j r hsk
        have h3 := (h.small j (mem_of_skipped (strict := true)
          (by rw [hsk]; exact List.mem_cons_self ..))).2
        omega
  small j hj := h.small j (mem_of_skipped hj)

theorem full_area {s : Nat} (h : ∀ t < s, M < usedBy width height t log + ℓ) :
    (M + 1 - ℓ) * s ≤ area (log.map Prod.fst) width height := by
  have h1 := sum_usedAt_le log (fun e => e.2) (fun e => width e.1) (fun e => height e.1) 0 s
  rw [area_map_fst] at h1
  refine Nat.le_trans ?_ h1
  have h2 := sum_map_const (M + 1 - ℓ) (List.range s)
  rw [List.length_range] at h2
  rw [Nat.mul_comm, ← h2]
  refine sum_map_le_sum_map fun t ht => ?_
  have h3 := h t (List.mem_range.1 ht)
  rw [Nat.zero_add, ← usedBy_eq]
  omega

/-- The record of strict list scheduling. -/
theorem strictFit_spec (hℓ : ℓ ≤ M) (hw : ∀ j ∈ l, 1 ≤ height j ∧ width j ≤ ℓ) {n : Nat}
    (hn : area l width height < n) :
    ((strictFit M width height n l).map Prod.fst).reverse = l ∧
    FullLog M ℓ width height (strictFit M width height n l) ∧
    ∀ t, usedBy width height t (strictFit M width height n l) ≤ M := by
  obtain ⟨t', wait', ⟨h1, h2⟩, h3⟩ := run_induct (strict := true) (M := M) (width := width)
    (height := height)
    (P := fun t log wait => RunInv M width height l t log wait ∧
      StrictInv M ℓ width height l t log wait)
    (fun t log wait hne h => ⟨h.1.step, h.2.step hne⟩) n 0 [] l
    ⟨RunInv.start M width height l 0, ⟨rfl, trivial, (fun _ _ h => absurd h (Nat.not_lt_zero _)),
      hw⟩⟩
  change RunInv M width height l t' (strictFit M width height n l) wait' at h1
  change StrictInv M ℓ width height l t' (strictFit M width height n l) wait' at h2
  generalize strictFit M width height n l = log at h1 h2
  have hw' : wait' = [] := by
    rcases h3 with h3 | h3
    · exact h3
    · refine Classical.byContradiction fun hne => ?_
      have h4 := full_area (h2.waits hne)
      have h5 : area (log.map Prod.fst ++ wait') width height = area l width height :=
        (h1.perm.map _).sum_nat
      have h6 : t' ≤ (M + 1 - ℓ) * t' := Nat.le_mul_of_pos_left t' (by omega)
      unfold area at h4 h5 hn
      rw [List.map_append, List.sum_append_nat] at h5
      omega
  subst hw'
  have h4 := h2.order
  rw [List.append_nil] at h4
  exact ⟨h4, h2.full, h1.cap⟩

/-- The starts of a full record that is sorted by volume. -/
theorem FullLog.starts {vol : α → Nat} (hv : ∀ j, width j * height j ≤ vol j) :
    ∀ {log : List (α × Nat)}, FullLog M ℓ width height log →
      log.Pairwise (fun x y => vol y.1 ≤ vol x.1) →
      (M + 1 - ℓ) * (log.map Prod.snd).sum ≤ pairMin (log.map fun e => vol e.1)
  | [], _, _ => Nat.zero_le _
  | e :: log, h, hp => by
    have hp' := List.pairwise_cons.1 hp
    have ih := FullLog.starts hv h.2 hp'.2
    have h1 := full_area h.1
    have h2 : minSum (vol e.1) (log.map fun e => vol e.1) = (log.map fun e => vol e.1).sum :=
      minSum_of_ge fun y hy => by
        obtain ⟨f, hf, rfl⟩ := List.mem_map.1 hy
        exact hp'.1 f hf
    have h3 : area (log.map Prod.fst) width height ≤ (log.map fun e => vol e.1).sum := by
      rw [← area_map_fst]
      exact sum_map_le_sum_map fun f _ => hv f.1
    rw [List.map_cons, List.sum_cons, List.map_cons, pairMin, h2, Nat.mul_add]
    omega

end OnlineKvCache.Packing

namespace OnlineKvCache

open Packing

/-- The record of Greedy, and what it has. -/
theorem areaGreedy_log {M ℓ : Nat} {I : List Request} (hI : Burst M I)
    (hp : ∀ q ∈ I, q.peak ≤ ℓ) (hℓ : ℓ ≤ M) : ∃ log : List (Request × Nat),
    areaGreedy M I = startOf Request.id log ∧ (log.map Prod.fst).Perm I ∧
    log.Pairwise (fun x y => twiceVolume y.1 ≤ twiceVolume x.1) ∧
    FullLog M ℓ Request.peak Request.output log ∧
    ∀ t, usedBy Request.peak Request.output t log ≤ M := by
  have hperm := sortBy_perm (keyOrder twiceVolume Request.id) I
  have hsort := sortBy_sorted twiceVolume Request.id I
  refine ⟨_, rfl, ?_⟩
  generalize sortBy (keyOrder twiceVolume Request.id) I = m at hperm hsort
  have ha : area m Request.peak Request.output = (I.map fun q => q.peak * q.output).sum :=
    (hperm.map fun q : Request => q.peak * q.output).sum_nat
  rw [← ha]
  obtain ⟨h1, h2, h3⟩ := strictFit_spec (M := M) (width := Request.peak) hℓ
    (fun q hq => ⟨hI.output_pos q (hperm.mem_iff.1 hq), hp q (hperm.mem_iff.1 hq)⟩)
    (Nat.lt_succ_self (area m Request.peak Request.output))
  rw [Nat.succ_eq_add_one] at h1 h2 h3
  generalize strictFit M Request.peak Request.output
    (area m Request.peak Request.output + 1) m = log at h1 h2 h3
  refine ⟨(List.reverse_perm _).symm.trans (h1 ▸ hperm), ?_, h2, h3⟩
  rw [← h1, List.pairwise_reverse, List.pairwise_map] at hsort
  exact hsort

/-- Greedy is feasible. -/
theorem areaGreedy_feasible {M : Nat} {I : List Request} (hI : Burst M I) :
    Feasible M I (areaGreedy M I) := by
  obtain ⟨log, h1, h2, _, _, h3⟩ := areaGreedy_log hI hI.fits (Nat.le_refl M)
  refine feasible_of_usedAt hI fun t => ?_
  rw [h1, usedAt_startOf _ _ t hI.nodup h2]
  exact h3 t

/-- Greedy costs at most `1 + 2 * M / (M - ℓ + 1)` times as much as any feasible schedule. -/
theorem areaGreedy_cost {M ℓ : Nat} {I : List Request} (hI : Burst M I)
    (hp : ∀ q ∈ I, q.peak ≤ ℓ) (hℓ : ℓ ≤ M) {T : Schedule} (hT : Feasible M I T) :
    (M - ℓ + 1) * totalCompletion I (areaGreedy M I) ≤
      (M - ℓ + 1 + 2 * M) * totalCompletion I T := by
  obtain ⟨log, h1, h2, h3, h4, _⟩ := areaGreedy_log hI hp hℓ
  have h5 := h4.starts rect_area_le h3
  have h6 : pairMin (log.map fun e => twiceVolume e.1) = pairMin (I.map twiceVolume) := by
    have := pairMin_perm (h2.map twiceVolume)
    rw [List.map_map] at this
    exact this
  have h7 := area_bound hT
  have h8 : totalCompletion I (areaGreedy M I) =
      (log.map Prod.snd).sum + (I.map Request.output).sum := by
    have hn : (log.map fun e => e.1.id).Nodup := by
      have h := (h2.map Request.id).nodup_iff.2 hI.nodup
      rw [List.map_map] at h
      exact h
    unfold totalCompletion completion
    rw [sum_map_add (fun q => start (areaGreedy M I) q) Request.output]
    congr 1
    rw [← (h2.map _).sum_nat, List.map_map]
    refine sum_map_congr fun e he => ?_
    change areaGreedy M I e.1.id = e.2
    rw [h1]
    exact startOf_eq hn he
  have h9 := output_sum_le_totalCompletion I T
  have h10 := Nat.mul_le_mul_left (M - ℓ + 1) h9
  have e : M + 1 - ℓ = M - ℓ + 1 := by omega
  rw [e] at h5
  rw [h8, Nat.mul_add, Nat.add_mul (M - ℓ + 1) (2 * M)]
  omega

end OnlineKvCache
