module

public import OnlineKvCache.NonClairvoyant.RectSum
public import OnlineKvCache.Area.Additive
public import OnlineKvCache.Area.ThreeMachines

public section

/-! # Rect is constant-competitive on each of its branches -/

namespace OnlineKvCache

theorem minSum_map_le {α : Type} {f g : α → Nat} {x y : Nat} (hxy : x ≤ y) {l : List α}
    (h : ∀ q ∈ l, f q ≤ g q) : minSum x (l.map f) ≤ minSum y (l.map g) := by
  rw [minSum_eq, minSum_eq, List.map_map, List.map_map]
  refine sum_map_le_sum_map fun q hq => ?_
  have := h q hq
  show min x (f q) ≤ min y (g q)
  omega

/-- The sum of minima grows with its terms. -/
theorem orderedMin_map_le {α : Type} {f g : α → Nat} {l : List α} (h : ∀ q ∈ l, f q ≤ g q) :
    orderedMin (l.map f) ≤ orderedMin (l.map g) := by
  unfold orderedMin
  rw [List.map_map, List.map_map]
  exact sum_map_le_sum_map fun q hq => minSum_map_le (h q hq) h

theorem mul_min_eq (c a b : Nat) : min (c * a) (c * b) = c * min a b := by
  rcases Nat.le_total a b with h | h
  · rw [Nat.min_eq_left h, Nat.min_eq_left (Nat.mul_le_mul_left c h)]
  · rw [Nat.min_eq_right h, Nat.min_eq_right (Nat.mul_le_mul_left c h)]

theorem minSum_mul {α : Type} (c x : Nat) (f : α → Nat) (l : List α) :
    minSum (c * x) (l.map fun q => c * f q) = c * minSum x (l.map f) := by
  rw [minSum_eq, minSum_eq, List.map_map, List.map_map, ← sum_map_mul]
  exact sum_map_congr fun q _ => mul_min_eq c x (f q)

theorem orderedMin_mul {α : Type} (c : Nat) (f : α → Nat) (l : List α) :
    orderedMin (l.map fun q => c * f q) = c * orderedMin (l.map f) := by
  unfold orderedMin
  rw [List.map_map, List.map_map, ← sum_map_mul]
  exact sum_map_congr fun q _ => minSum_mul c (f q) f l

theorem active_le_usedWidth : ∀ {st : RectState} {j : Nat} {e : RectEntry}, st[j]? = some e →
    e.isActive = true → e.job.width ≤ usedWidth st
  | [], j, e, h, _ => by simp at h
  | a :: l, 0, e, h, ha => by
    simp only [List.getElem?_cons_zero, Option.some.injEq] at h
    subst h
    rw [usedWidth, if_pos ha]
    exact Nat.le_add_right ..
  | a :: l, j + 1, e, h, ha => by
    have := active_le_usedWidth (st := l) (j := j) (e := e) (by simpa using h) ha
    rw [usedWidth]
    omega

/-- The request, as far as it is prompt-heavy: its output cut at its prompt. -/
def capped (q : Request) : Request := ⟨q.id, q.arrival, q.prompt, min q.output q.prompt⟩

theorem capped_feasible {M : Nat} {I : List Request} {S : Schedule} (hS : Feasible M I S) :
    Feasible M (I.map capped) S where
  release q hq := by
    obtain ⟨p, hp, rfl⟩ := List.mem_map.1 hq
    exact hS.release p hp
  capacity t := by
    refine Nat.le_trans ?_ (hS.capacity t)
    unfold occupancy
    rw [List.map_map]
    refine sum_map_le_sum_map fun q _ => ?_
    show memory S (capped q) t ≤ memory S q t
    unfold memory
    split
    · rename_i h
      rw [if_pos]
      · exact Nat.le_refl _
      · unfold Active completion at h ⊢
        have h1 : S q.id ≤ t ∧ t < S q.id + min q.output q.prompt := h
        show S q.id ≤ t ∧ t < S q.id + q.output
        omega
    · exact Nat.zero_le _

theorem capped_total (I : List Request) (S : Schedule) :
    totalCompletion (I.map capped) S ≤ totalCompletion I S := by
  unfold totalCompletion
  rw [List.map_map]
  refine sum_map_le_sum_map fun q _ => ?_
  show S q.id + min q.output q.prompt ≤ S q.id + q.output
  omega

/-- **Rect on requests whose prompts are at most a quarter of the memory**: the completion or
certificate times are at most 28 times the optimum. -/
theorem rect_prompt_heavy {M : Nat} {I : List Request} {S : Schedule}
    (ho : ∀ q ∈ I, 1 ≤ q.output) (hs : ∀ q ∈ I, 1 ≤ q.prompt ∧ 4 * q.prompt ≤ M)
    (hS : Feasible M I S) :
    (rectCompletions M (I.map promptHeavyJob)).sum ≤ 28 * totalCompletion I S := by
  rcases Nat.eq_zero_or_pos M with hM | hM
  · cases I with
    | nil => exact Nat.zero_le _
    | cons q l =>
      have := hs q (List.mem_cons_self ..)
      omega
  have hg : ∀ j ∈ I.map promptHeavyJob, RectGood j := fun j hj => by
    obtain ⟨q, hq, rfl⟩ := List.mem_map.1 hj
    have h1 := hs q hq
    refine ⟨?_, ho q hq, fun h => ?_⟩
    · show 1 ≤ 2 * q.prompt
      omega
    · have h2 : q.prompt = 0 := Option.some.inj h
      omega
  have hw2 : ∀ j ∈ I.map promptHeavyJob, 2 * j.width ≤ M := fun j hj => by
    obtain ⟨q, hq, rfl⟩ := List.mem_map.1 hj
    have h1 := hs q hq
    show 2 * (2 * q.prompt) ≤ M
    omega
  have hw : ∀ j ∈ I.map promptHeavyJob, j.width ≤ M := fun j hj => by
    have := hw2 j hj
    omega
  rw [rectCompletions_eq hw hg]
  have h1 := rect_sum_bound (M := M) hg (H := M - M / 2) (D := M) (K := 2) (by omega)
    (fun t i e he hp => by
      obtain ⟨b, hb, h⟩ := used_pos hg he hp
      have := hw2 b hb
      omega) (3 * ((I.map promptHeavyJob).map RectJob.height).sum)
  generalize ((rectState M (I.map promptHeavyJob) (3 * ((I.map promptHeavyJob).map
    RectJob.height).sum)).map (RectEntry.clock (3 * ((I.map promptHeavyJob).map
      RectJob.height).sum))).sum = X at h1 ⊢
  have h2 : orderedMin ((I.map promptHeavyJob).map RectJob.area) ≤
      orderedMin ((I.map capped).map twiceVolume) := by
    rw [List.map_map, List.map_map]
    refine orderedMin_map_le fun q _ => ?_
    show 2 * q.prompt * min q.output q.prompt ≤
      2 * (q.prompt * min q.output q.prompt) +
        min q.output q.prompt * (min q.output q.prompt + 1)
    rw [Nat.mul_assoc]
    exact Nat.le_add_right ..
  have h3 := additive_bound (capped_feasible hS) fun q hq => by
    obtain ⟨p, hp, rfl⟩ := List.mem_map.1 hq
    have h1 := ho p hp
    have h2 := hs p hp
    show 1 ≤ min p.output p.prompt
    omega
  have h4 : ((I.map promptHeavyJob).map RectJob.need).sum =
      ((I.map capped).map Request.output).sum := by
    rw [List.map_map, List.map_map]
    rfl
  have h5 : ((I.map capped).map Request.output).sum ≤
      ((I.map capped).map fun q => 2 * q.output + 1).sum := sum_map_le_sum_map fun q _ => by omega
  have h6 := capped_total I S
  rw [h4] at h1
  generalize orderedMin ((I.map promptHeavyJob).map RectJob.area) = A at h1 h2
  generalize orderedMin ((I.map capped).map twiceVolume) = B at h2 h3
  generalize ((I.map capped).map fun q => 2 * q.output + 1).sum = O2 at h3 h5
  generalize ((I.map capped).map Request.output).sum = O at h1 h5
  generalize totalCompletion (I.map capped) S = C' at h3 h6
  generalize totalCompletion I S = C at h6 ⊢
  have e1 : 2 * M * O2 = 2 * (M * O2) := Nat.mul_assoc ..
  have e2 : 12 * M * C' = 12 * (M * C') := Nat.mul_assoc ..
  have h7 := Nat.mul_le_mul_left M h5
  have h8 := Nat.mul_le_mul_left M h6
  refine Nat.le_of_mul_le_mul_left (?_ : M * X ≤ M * (28 * C)) hM
  have e3 : M * (28 * C) = 28 * (M * C) := Nat.mul_left_comm ..
  omega

/-- **Rect on requests whose prompts are above a quarter of the memory**, one at a time: at most 21
times the optimum. -/
theorem rect_large {M : Nat} {I : List Request} {S : Schedule}
    (ho : ∀ q ∈ I, 1 ≤ q.output) (hf : ∀ q ∈ I, q.peak ≤ M) (hL : ∀ q ∈ I, M < 4 * q.prompt)
    (hS : Feasible M I S) :
    (rectCompletions M (I.map (largeJob M))).sum ≤ 21 * totalCompletion I S := by
  rcases Nat.eq_zero_or_pos M with hM | hM
  · cases I with
    | nil => exact Nat.zero_le _
    | cons q l =>
      have h1 := ho q (List.mem_cons_self ..)
      have h2 := hf q (List.mem_cons_self ..)
      unfold Request.peak at h2
      omega
  have hg : ∀ j ∈ I.map (largeJob M), RectGood j := fun j hj => by
    obtain ⟨q, hq, rfl⟩ := List.mem_map.1 hj
    exact ⟨hM, ho q hq, fun h => by cases h⟩
  have hwM : ∀ j ∈ I.map (largeJob M), j.width = M := fun j hj => by
    obtain ⟨q, hq, rfl⟩ := List.mem_map.1 hj
    rfl
  have hw : ∀ j ∈ I.map (largeJob M), j.width ≤ M := fun j hj => Nat.le_of_eq (hwM j hj)
  rw [rectCompletions_eq hw hg]
  have h1 := rect_sum_bound (M := M) hg (H := M) (D := M) (K := 1) (by omega)
    (fun t i e he hp => by
      obtain ⟨b, hb, h⟩ := used_pos hg he hp
      have h2 := hw b hb
      obtain ⟨j, f, hf, ha⟩ := exists_active (st := rectState M (I.map (largeJob M)) t) (by omega)
      have h3 := active_le_usedWidth hf ha
      have h4 := hwM f.job (List.mem_of_getElem? (rect_age hg t j f hf).1)
      omega) (3 * ((I.map (largeJob M)).map RectJob.height).sum)
  generalize ((rectState M (I.map (largeJob M)) (3 * ((I.map (largeJob M)).map
    RectJob.height).sum)).map (RectEntry.clock (3 * ((I.map (largeJob M)).map
      RectJob.height).sum))).sum = X at h1 ⊢
  have h2 : orderedMin ((I.map (largeJob M)).map RectJob.area) =
      M * orderedMin (I.map Request.output) := by
    rw [List.map_map]
    exact orderedMin_mul M Request.output I
  have h3 : ((I.map (largeJob M)).map RectJob.need).sum = (I.map Request.output).sum := by
    rw [List.map_map]
    rfl
  have h4 : ((I.map (largeJob M)).map RectJob.area).sum = M * (I.map Request.output).sum := by
    rw [List.map_map]
    exact sum_map_mul M Request.output I
  have h5 := three_machine_bound hS hL
  have h6 := orderedMin_le_two_pairMin (I.map Request.output)
  rw [h2, h3, h4] at h1
  have h7 := Nat.mul_le_mul_left M h6
  have h8 := Nat.mul_le_mul_left M h5
  refine Nat.le_of_mul_le_mul_left (?_ : M * X ≤ M * (21 * totalCompletion I S)) hM
  have e1 : M * (21 * totalCompletion I S) = 21 * (M * totalCompletion I S) :=
    Nat.mul_left_comm ..
  have e2 : M * (2 * pairMin (I.map Request.output)) =
    2 * (M * pairMin (I.map Request.output)) := Nat.mul_left_comm ..
  have e3 : M * (3 * totalCompletion I S) = 3 * (M * totalCompletion I S) :=
    Nat.mul_left_comm ..
  omega

end OnlineKvCache
