module

public import OnlineKvCache.NonClairvoyant.SixteenStages
public import OnlineKvCache.Area.Volume

public section

/-! # The 16-approximation, and 8 for rectangles -/

namespace OnlineKvCache.Packing

variable {α : Type} {M : Nat} {label width height : α → Nat} {l : List α} {S : Nat → Nat}

/-- If the rectangles that another schedule has completed by round `τ` have a total area of at most
`M * (κ * τ)`, for all `τ`, then the stages cost at most `8 * κ` times as much. -/
theorem stages_cost {κ : Nat} (hκ : 1 ≤ κ) (hl : (l.map label).Nodup)
    (hh : ∀ j ∈ l, 1 ≤ height j)
    (hsort : l.Pairwise fun x y => width x * height x ≤ width y * height y)
    (hS : ∀ r, ∀ j ∈ wanted M width height l (2 ^ r), S (label j) + height j + 2 ≤ 4 * 2 ^ r)
    {D : α → Nat} (hD : ∀ j ∈ l, height j ≤ D j)
    (hA : ∀ τ, area (l.filter fun j => decide (D j ≤ τ)) width height ≤ M * (κ * τ)) :
    (l.map fun j => S (label j) + height j).sum + 6 * l.length ≤ 8 * κ * (l.map D).sum := by
  have hn' : l.Nodup := List.Pairwise.of_map label (fun _ _ hne he => hne (congrArg label he)) hl
  have h1 := sum_of_counts (l := l) (C := fun j => S (label j) + height j) (D := D)
    (a := 8 * κ - 6) (b := 8 * κ) (by omega) fun t => by
      have hx : 1 ≤ κ * (t + 1) := Nat.mul_pos hκ (Nat.succ_pos t)
      obtain ⟨r, hr1, hr2⟩ := exists_two_pow hx
      have hF : (l.filter fun j => decide (D j ≤ t + 1)).Sublist
          (l.filter fun j => decide (height j ≤ 2 ^ r)) := by
        have : (l.filter fun j => decide (D j ≤ t + 1)) =
            (l.filter fun j => decide (height j ≤ 2 ^ r)).filter
              fun j => decide (D j ≤ t + 1) := by
          rw [List.filter_filter]
          refine List.filter_congr fun j hj => ?_
          have h2 := hD j hj
          have h3 : t + 1 ≤ κ * (t + 1) := Nat.le_mul_of_pos_left _ hκ
          by_cases h4 : D j ≤ t + 1
          · have h5 : height j ≤ 2 ^ r := by omega
            simp [h4, h5]
          · simp [h4]
        rw [this]
        exact List.filter_sublist
      have hlen := length_le_prefixWithin (fun j => width j * height j) (b := M * 2 ^ r)
        (hsort.sublist List.filter_sublist) hF
        (Nat.le_trans (hA (t + 1)) (Nat.mul_le_mul_left M hr1))
      have hsub : (wanted M width height l (2 ^ r)).length ≤ (l.filter fun j =>
          !decide (8 * κ - 6 + 8 * κ * t < S (label j) + height j)).length := by
        refine length_le_of_subset (hn'.sublist (wanted_sublist M width height l _))
          fun j hj => List.mem_filter.2 ⟨(wanted_sublist M width height l _).subset hj, ?_⟩
        have h2 := hS r j hj
        rw [Nat.mul_add, Nat.mul_one] at hr2
        rw [Nat.mul_assoc]
        simp only [Bool.not_eq_true', decide_eq_false_iff_not]
        omega
      have h3 := length_filter_split
        (fun j => decide (8 * κ - 6 + 8 * κ * t < S (label j) + height j)) l
      have h4 := length_filter_split (fun j => decide (D j ≤ t + 1)) l
      have h5 : (l.filter fun j => !decide (D j ≤ t + 1)) =
          l.filter fun j => decide (t + 1 < D j) := List.filter_congr fun j _ => by
        by_cases h6 : D j ≤ t + 1
        · have : ¬ t + 1 < D j := by omega
          simp [h6, this]
        · have : t + 1 < D j := by omega
          simp [h6, this]
      rw [h5] at h4
      unfold wanted at hsub
      change (l.filter fun j => decide (8 * κ - 6 + 8 * κ * t < S (label j) + height j)).length ≤
        (l.filter fun j => decide (t + 1 < D j)).length
      omega
  have h2 : (l.map D).sum = (l.map fun j => D j - 1).sum + l.length := by
    have h3 := sum_map_add (fun j => D j - 1) (fun _ => 1) l
    rw [sum_map_const, Nat.mul_one] at h3
    rw [← h3]
    refine sum_map_congr fun j hj => ?_
    have := hD j hj
    have := hh j hj
    omega
  have h3 : l.length * (8 * κ - 6) + l.length * 6 = 8 * κ * l.length := by
    rw [← Nat.mul_add, Nat.mul_comm]
    congr 1
    omega
  rw [h2, Nat.mul_add]
  omega

/-- The stage algorithm, for any list. -/
theorem stagePacking_spec (hl : (l.map label).Nodup) (hw : ∀ j ∈ l, 1 ≤ width j ∧ width j ≤ M)
    (hh : ∀ j ∈ l, 1 ≤ height j) (hS : S = stagePacking M label width height l) :
    (∀ t, usedAt l (fun j => S (label j)) width height t ≤ M) ∧
    ∀ (κ : Nat) (D : α → Nat), 1 ≤ κ → (∀ j ∈ l, height j ≤ D j) →
      (∀ τ, area (l.filter fun j => decide (D j ≤ τ)) width height ≤ M * (κ * τ)) →
      (l.map fun j => S (label j) + height j).sum + 6 * l.length ≤ 8 * κ * (l.map D).sum := by
  have hp := sortBy_perm (keyOrder (fun j => width j * height j) label) l
  have hsort := sortBy_sorted (fun j => width j * height j) label l
  unfold stagePacking at hS
  generalize sortBy (keyOrder (fun j => width j * height j) label) l = m at hp hsort hS
  have hl' := (hp.map label).nodup_iff.2 hl
  have hw' : ∀ j ∈ m, 1 ≤ width j ∧ width j ≤ M := fun j hj => hw j (hp.mem_iff.1 hj)
  have hh' : ∀ j ∈ m, 1 ≤ height j := fun j hj => hh j (hp.mem_iff.1 hj)
  have hsum : area m width height = (l.map fun j => width j * height j).sum :=
    (hp.map fun j => width j * height j).sum_nat
  obtain ⟨h1, h2⟩ := stages_all hl' hw' hh' (n := (area m width height).log2 + 2) rfl
    (S := S) (by rw [hS, hsum])
  refine ⟨fun t => ?_, fun κ D hκ hD hA => ?_⟩
  · have : usedAt m (fun j => S (label j)) width height t =
        usedAt l (fun j => S (label j)) width height t := (hp.map _).sum_nat
    rw [← this]
    exact h1 t
  · have h3 := stages_cost hκ hl' hh' hsort h2 (fun j hj => hD j (hp.mem_iff.1 hj)) fun τ => by
      have : area (m.filter fun j => decide (D j ≤ τ)) width height =
          area (l.filter fun j => decide (D j ≤ τ)) width height :=
        ((hp.filter _).map _).sum_nat
      rw [this]
      exact hA τ
    rwa [(hp.map _).sum_nat, hp.length_eq, (hp.map D).sum_nat] at h3

theorem sum_interval (w b o : Nat) : ∀ d : Nat,
    ((List.range d).map fun t => if b ≤ t ∧ t < b + o then w else 0).sum = w * min o (d - b)
  | 0 => by simp
  | d + 1 => by
    have ih := sum_interval w b o d
    simp only [List.range_succ, List.map_append, List.map_cons, List.map_nil,
      List.sum_append_nat, List.sum_cons, List.sum_nil] at ih ⊢
    rw [ih]
    split
    · have e : min o (d + 1 - b) = min o (d - b) + 1 := by omega
      rw [e, Nat.mul_succ]
      rfl
    · have e : min o (d + 1 - b) = min o (d - b) := by omega
      rw [e]
      rfl

/-- What is complete by round `τ` has an area of at most `M * τ`. -/
theorem area_completed {start : α → Nat}
    (h : ∀ t, usedAt l start width height t ≤ M) (τ : Nat) :
    area (l.filter fun j => decide (start j + height j ≤ τ)) width height ≤ M * τ := by
  have h1 : area (l.filter fun j => decide (start j + height j ≤ τ)) width height ≤
      (l.map fun j => ((List.range τ).map fun t =>
        if start j ≤ t ∧ t < start j + height j then width j else 0).sum).sum := by
    unfold area
    rw [← sum_map_ite]
    refine sum_map_le_sum_map fun j _ => ?_
    rw [sum_interval]
    by_cases h2 : start j + height j ≤ τ
    · have e : min (height j) (τ - start j) = height j := by omega
      rw [e]
      simp [h2]
    · simp [h2]
  rw [sum_map_comm] at h1
  have h2 := sum_map_le_mul (l := List.range τ) fun t _ => h t
  rw [List.length_range, Nat.mul_comm] at h2
  exact Nat.le_trans h1 h2

end OnlineKvCache.Packing

namespace OnlineKvCache

open Packing

/-- The 16-approximation is feasible. -/
theorem sixteen_feasible {M : Nat} {I : List Request} (hI : Burst M I) :
    Feasible M I (sixteen M I) :=
  feasible_of_usedAt hI (stagePacking_spec hI.nodup (fun _ hq => peak_pos hI hq) hI.output_pos
    rfl).1

/-- It costs at most 16 times as much as any feasible schedule, less 6 for each request. -/
theorem sixteen_cost {M : Nat} {I : List Request} (hI : Burst M I) {T : Schedule}
    (hT : Feasible M I T) :
    totalCompletion I (sixteen M I) + 6 * I.length ≤ 16 * totalCompletion I T := by
  have h := (stagePacking_spec hI.nodup (fun _ hq => peak_pos hI hq) hI.output_pos
    (S := sixteen M I) rfl).2 2 (completion T) (by decide)
    (fun q _ => Nat.le_add_left q.output _) fun τ => by
      refine Nat.le_trans (sum_map_le_sum_map fun q _ => rect_area_le q) ?_
      have := volume_completed_by hT τ
      have e : M * (2 * τ) = 2 * M * τ := by grind
      omega
  exact h

/-- The stage algorithm keeps rectangles within the strip. -/
theorem eight_feasible {M : Nat} {R : List Rectangle} (hl : (R.map Rectangle.label).Nodup)
    (hR : ∀ r ∈ R, (1 ≤ r.width ∧ r.width ≤ M) ∧ 1 ≤ r.height) : RectFeasible M R (eight M R) :=
  (stagePacking_spec hl (fun r hr => (hR r hr).1) (fun r hr => (hR r hr).2) rfl).1

/-- For rectangles it costs at most 8 times as much as any feasible schedule, less 6 for each. -/
theorem eight_cost {M : Nat} {R : List Rectangle} (hl : (R.map Rectangle.label).Nodup)
    (hR : ∀ r ∈ R, (1 ≤ r.width ∧ r.width ≤ M) ∧ 1 ≤ r.height) {T : Nat → Nat}
    (hT : RectFeasible M R T) : rectCost R (eight M R) + 6 * R.length ≤ 8 * rectCost R T := by
  have h := (stagePacking_spec hl (fun r hr => (hR r hr).1) (fun r hr => (hR r hr).2)
    (S := eight M R) rfl).2 1 (fun r => T r.label + r.height) (by decide)
    (fun r _ => Nat.le_add_left r.height _) fun τ => by
      rw [Nat.one_mul]
      exact area_completed (l := R) (width := Rectangle.width) (height := Rectangle.height)
        (start := fun r => T r.label) hT τ
  exact h

end OnlineKvCache
