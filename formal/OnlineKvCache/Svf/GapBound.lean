module

public import OnlineKvCache.Area.Volume
public import OnlineKvCache.Svf.Run
public import OnlineKvCache.Svf.GapPrefix
public import OnlineKvCache.Svf.GapAbel

public section

/-! # List schedules of a burst: the factor `19 M / (9 D)`

`D = M - P + 1`, where `P` bounds the peaks. First every order and every prefix of it, with the
volumes as weights; then weights by summation by parts. -/

namespace OnlineKvCache.Svf.Gap

/-- A list in which something has a property splits at the first such element. -/
theorem exists_first {α : Type} (p : α → Prop) : ∀ {l : List α}, (∃ q ∈ l, p q) →
    ∃ A h B, l = A ++ h :: B ∧ (∀ a ∈ A, ¬ p a) ∧ p h
  | [], h => by
    obtain ⟨_, h, _⟩ := h
    cases h
  | a :: l, h => by
    by_cases ha : p a
    · exact ⟨[], a, l, rfl, fun _ h => (by cases h), ha⟩
    · obtain ⟨A, b, B, h1, h2, h3⟩ := exists_first p (l := l) (by
        obtain ⟨q, hq, hp⟩ := h
        rcases List.mem_cons.1 hq with hq1 | hq1
        · exact absurd (hq1 ▸ hp) ha
        · exact ⟨q, hq1, hp⟩)
      refine ⟨a :: A, b, B, by rw [h1]; rfl, fun x hx => ?_, h3⟩
      rcases List.mem_cons.1 hx with hx1 | hx1
      · rw [hx1]; exact ha
      · exact h2 x hx1

/-- Step 1: each prefix of a list schedule is blocked by at least `M - P + 1`. -/
theorem blocked_list {M P : Nat} {L R : List Request} (h : Burst M (L ++ R))
    (hP : ∀ q ∈ L, q.peak ≤ P) : Blocked (M - P + 1) L (listSchedule M (L ++ R)) := by
  intro t ht
  obtain ⟨A, q, B, rfl, hA, hq⟩ := exists_first (fun q => t < start _ q) ht
  have e : (A ++ q :: B) ++ R = A ++ q :: (B ++ R) := by simp
  rw [e] at h hA hq ⊢
  have hA' : ∀ p ∈ A, start (listSchedule M (A ++ q :: (B ++ R))) p ≤ t :=
    fun p hp => Nat.le_of_not_lt (hA p hp)
  obtain ⟨u, hu1, hu2, hu3⟩ := (listSchedule_head h).2 t hA' hq
  have hq := hP q (by simp)
  have hq' := h.fits q (by simp)
  have e2 : occupancy A (listSchedule M (A ++ q :: (B ++ R))) u =
      (A.map fun p => if start (listSchedule M (A ++ q :: (B ++ R))) p ≤ t then
        memory (listSchedule M (A ++ q :: (B ++ R))) p u else 0).sum :=
    sum_map_congr fun p hp => (if_pos (hA' p hp)).symm
  refine ⟨u, hu1, ?_⟩
  rw [List.map_append, List.sum_append_nat, ← e2]
  unfold Request.peak at hq hq'
  omega

/-- R2: any order, any prefix, volumes as weights. -/
theorem list_prefix {M P : Nat} {L R : List Request} (h : Burst M (L ++ R))
    (hP : ∀ q ∈ L, q.peak ≤ P) {C : Schedule} (hC : Feasible M (L ++ R) C) :
    9 * ((M - P + 1) *
      (L.map fun q => twiceVolume q * completion (listSchedule M (L ++ R)) q).sum) ≤
      19 * (M * (L.map fun q => twiceVolume q * completion C q).sum) := by
  cases L with
  | nil => simp
  | cons a L =>
    refine prefix_bound ?_ (blocked_list h hP) fun t => ?_
    · have h1 := hP a (List.mem_cons_self ..)
      have h2 := h.output_pos a (List.mem_append_left _ (List.mem_cons_self ..))
      have h3 := h.fits a (List.mem_append_left _ (List.mem_cons_self ..))
      unfold Request.peak at h1 h3
      omega
    · have h1 := hC.capacity t
      rw [occupancy, List.map_append, List.sum_append_nat] at h1
      omega

/-- The weighted theorem: an order in which weight per volume does not increase. -/
theorem list_weighted {M P : Nat} {l : List Request} {w : Request → Nat} (h : Burst M l)
    (hP : ∀ q ∈ l, q.peak ≤ P)
    (hw : l.Pairwise fun p q => w q * twiceVolume p ≤ w p * twiceVolume q) {C : Schedule}
    (hC : Feasible M l C) :
    9 * ((M - P + 1) * (l.map fun q => w q * completion (listSchedule M l) q).sum) ≤
      19 * (M * (l.map fun q => w q * completion C q).sum) := by
  have pull : ∀ (u : Request → Nat) (c d : Nat) (S : Schedule) (B : List Request),
      (B.map fun q => u q * (c * (d * completion S q))).sum =
        c * (d * (B.map fun q => u q * completion S q).sum) := by
    intro u c d S B
    rw [← sum_map_mul, ← sum_map_mul]
    refine sum_map_congr fun q _ => ?_
    rw [Nat.mul_left_comm, Nat.mul_left_comm (u q)]
  have := abel (x := fun q => 9 * ((M - P + 1) * completion (listSchedule M l) q))
    (y := fun q => 19 * (M * completion C q)) hw
    (fun q hq => twiceVolume_pos (h.output_pos q hq)) fun B R hBR => by
      subst hBR
      rw [pull, pull]
      exact list_prefix h (fun q hq => hP q (List.mem_append_left _ hq)) hC
  rwa [pull, pull] at this

end OnlineKvCache.Svf.Gap
