module

public import OnlineKvCache.NonClairvoyant.PackingRun
public import OnlineKvCache.Basic.Schedules
public import OnlineKvCache.Model.Burst

public section

/-! # Schedules from records -/

namespace OnlineKvCache.Packing

variable {α : Type} {label : α → Nat}

theorem startOf_eq : ∀ {log : List (α × Nat)}, (log.map fun e => label e.1).Nodup →
    ∀ {e : α × Nat}, e ∈ log → startOf label log (label e.1) = e.2
  | f :: log, hn, e, he => by
    rw [List.map_cons] at hn
    have hn' := List.nodup_cons.1 hn
    unfold startOf
    rcases List.mem_cons.1 he with h | h
    · rw [if_pos (by rw [h]), h]
    · have h2 : label f.1 ≠ label e.1 := fun h2 => by
        have h3 : label e.1 ∈ log.map fun e => label e.1 :=
          List.mem_map_of_mem (f := fun e => label e.1) h
        rw [← h2] at h3
        exact hn'.1 h3
      rw [if_neg h2]
      exact startOf_eq hn'.2 h

theorem usedAt_startOf {l : List α} {log : List (α × Nat)} (width height : α → Nat) (t : Nat)
    (hl : (l.map label).Nodup) (hp : (log.map Prod.fst).Perm l) :
    usedAt l (fun j => startOf label log (label j)) width height t =
      usedBy width height t log := by
  have hn : (log.map fun e => label e.1).Nodup := by
    have h := (hp.map label).nodup_iff.2 hl
    rw [List.map_map] at h
    exact h
  unfold usedAt
  rw [← (hp.map _).sum_nat, usedBy_eq, usedAt, List.map_map]
  refine sum_map_congr fun e he => ?_
  rw [Function.comp_apply]
  dsimp only
  rw [startOf_eq hn he]

/-- Requests hold at most their peaks. -/
theorem occupancy_le_usedAt (I : List Request) (S : Schedule) (t : Nat) :
    occupancy I S t ≤ usedAt I (fun q => S q.id) Request.peak Request.output t :=
  sum_map_le_sum_map fun q _ => by
    change memory S q t ≤ if Active S q t then q.peak else 0
    by_cases h : Active S q t
    · rw [if_pos h]
      exact memory_le S q t
    · rw [memory_of_not h]
      exact Nat.zero_le _

/-- Peaks that fit the strip in every round give a feasible schedule. -/
theorem feasible_of_usedAt {M : Nat} {I : List Request} {S : Schedule} (hI : Burst M I)
    (h : ∀ t, usedAt I (fun q => S q.id) Request.peak Request.output t ≤ M) : Feasible M I S where
  release q hq := by rw [hI.arrived q hq]; exact Nat.zero_le _
  capacity t := Nat.le_trans (occupancy_le_usedAt I S t) (h t)

theorem peak_pos {M : Nat} {I : List Request} (hI : Burst M I) {q : Request} (hq : q ∈ I) :
    1 ≤ q.peak ∧ q.peak ≤ M := by
  have h1 := hI.output_pos q hq
  have h2 := hI.fits q hq
  unfold Request.peak at h2 ⊢
  omega

theorem rect_area_le (q : Request) : q.peak * q.output ≤ twiceVolume q := by
  unfold Request.peak twiceVolume
  rw [Nat.add_mul, Nat.mul_succ]
  omega

theorem feasible_perm {M : Nat} {I J : List Request} {S : Schedule} (h : Feasible M I S)
    (hp : J.Perm I) : Feasible M J S where
  release q hq := h.release q (hp.mem_iff.1 hq)
  capacity t := by
    have : occupancy J S t = occupancy I S t := (hp.map _).sum_nat
    rw [this]
    exact h.capacity t

end OnlineKvCache.Packing
