module

public import OnlineKvCache.Area.Busy

public section

/-! # The additive bound

The area bound and the processing bound, added with weights 1 and 1/3: requests of volumes `v` and
outputs `o` complete at `∑ C ≥ Q / M + ∑ (2o + 1) / 6`, with `Q` half the sum of `min v v'` over
ordered pairs. -/

namespace OnlineKvCache

/-- If each round holds at most `M`, holding much takes long. -/
theorem sq_sum_le_moment {M : Nat} {m : Nat → Nat} : ∀ H : Nat, (∀ t, t < H → m t ≤ M) →
    ((List.range H).map m).sum * ((List.range H).map m).sum ≤
      M * ((List.range H).map fun t => (2 * t + 1) * m t).sum
  | 0, _ => Nat.zero_le _
  | H + 1, h => by
    have ih := sq_sum_le_moment H fun t ht => h t (by omega)
    have h1 : ((List.range H).map m).sum ≤ H * M := by
      have := sum_map_le_mul (l := List.range H) (f := m) (c := M)
        fun t ht => h t (by have := List.mem_range.1 ht; omega)
      rwa [List.length_range] at this
    have h2 := h H (Nat.lt_succ_self H)
    rw [sum_range_succ, sum_range_succ]
    generalize ((List.range H).map m).sum = V at ih h1 ⊢
    generalize ((List.range H).map fun t => (2 * t + 1) * m t).sum = W at ih ⊢
    have h3 : m H * (2 * V + m H) ≤ m H * (2 * (H * M) + M) :=
      Nat.mul_le_mul_left _ (by omega)
    have e1 : (V + m H) * (V + m H) = V * V + m H * (2 * V + m H) := by grind
    have e2 : M * (W + (2 * H + 1) * m H) = M * W + m H * (2 * (H * M) + M) := by grind
    omega

/-- The busy moment up to any horizon after completion. -/
theorem busyMoment_eq (S : Schedule) (q : Request) {H : Nat} (hH : completion S q ≤ H) :
    ((List.range H).map fun t => (2 * t + 1) * memory S q t).sum = busyMoment S q := by
  rw [busyMoment, sum_memory_mul S q (fun t => 2 * t + 1) hH,
    sum_memory_mul S q (fun t => 2 * t + 1) (Nat.le_refl _)]

theorem busyMoment_eq_sum (S : Schedule) (q : Request) : busyMoment S q =
    ((List.range q.output).map fun u =>
      (2 * (start S q + u) + 1) * (q.prompt + u + 1)).sum :=
  sum_memory_mul S q (fun t => 2 * t + 1) (Nat.le_refl _)

/-- For any part of the instance: the square of its volume is at most `M` times its moments. -/
theorem sq_volume_le_moment {M : Nat} {I l : List Request} {S : Schedule} (hS : Feasible M I S)
    (hl : l.Sublist I) : (l.map twiceVolume).sum * (l.map twiceVolume).sum ≤
      4 * M * (l.map (busyMoment S)).sum := by
  obtain ⟨H, hH⟩ : ∃ H, ∀ q ∈ l, completion S q ≤ H :=
    ⟨(l.map (completion S)).sum, fun q hq => le_sum_map (completion S) hq⟩
  have h1 := two_sum_memory_list S hH
  have h2 := sq_sum_le_moment (M := M) (m := fun t => occupancy l S t) H
    fun t _ => hS.occupancy_sublist hl t
  have h3 : ((List.range H).map fun t => (2 * t + 1) * occupancy l S t).sum =
      (l.map (busyMoment S)).sum := by
    have e : ((List.range H).map fun t => (2 * t + 1) * occupancy l S t).sum =
        ((List.range H).map fun t => (l.map fun q => (2 * t + 1) * memory S q t).sum).sum :=
      sum_map_congr fun t _ => (sum_map_mul _ _ l).symm
    rw [e, sum_map_comm (fun t q => (2 * t + 1) * memory S q t) l (List.range H)]
    exact sum_map_congr fun q hq => busyMoment_eq S q (hH q hq)
  rw [h3] at h2
  rw [← h1]
  generalize ((List.range H).map fun t => occupancy l S t).sum = V at h2 ⊢
  have e1 : 2 * V * (2 * V) = 4 * (V * V) := by grind
  rw [e1, Nat.mul_assoc]
  exact Nat.mul_le_mul_left 4 h2

theorem six_moment (b s : Nat) : ∀ o : Nat,
    6 * ((List.range o).map fun u => (2 * (b + u) + 1) * (s + u + 1)).sum +
      (6 * (s * (o * o)) + o * (o + 1) * (2 * o + 1)) =
      6 * ((2 * (s * o) + o * (o + 1)) * (b + o))
  | 0 => by simp
  | o + 1 => by
    have ih := six_moment b s o
    rw [sum_range_succ]
    grind

/-- How far a request's mean busy time lies before its completion. -/
theorem six_busyMoment (S : Schedule) (q : Request) :
    6 * busyMoment S q + (6 * (q.prompt * (q.output * q.output)) +
      q.output * (q.output + 1) * (2 * q.output + 1)) =
      6 * (twiceVolume q * completion S q) := by
  rw [busyMoment_eq_sum, six_moment]
  rfl

/-- A request's mean busy time lies at least `(2 * output + 1) / 6` before its completion. -/
theorem busyMoment_le {S : Schedule} {q : Request} (ho : 1 ≤ q.output) :
    6 * busyMoment S q + twiceVolume q * (2 * q.output + 1) ≤
      6 * (twiceVolume q * completion S q) := by
  rw [← six_busyMoment, twiceVolume]
  refine Nat.add_le_add_left ?_ _
  obtain ⟨o, ho⟩ : ∃ o, q.output = o + 1 := ⟨q.output - 1, by omega⟩
  rw [ho]
  generalize q.prompt = s
  have e : 6 * (s * ((o + 1) * (o + 1))) + (o + 1) * (o + 1 + 1) * (2 * (o + 1) + 1) =
      (2 * (s * (o + 1)) + (o + 1) * (o + 1 + 1)) * (2 * (o + 1) + 1) +
        2 * (s * ((o + 1) * o)) := by grind
  omega

/-! ### Abel summation -/

/-- Abel summation along a list sorted by falling weight `w`, with what the induction needs. -/
theorem abel_sorted {α : Type} (w X Y : α → Nat) (k : Nat) : ∀ l : List α,
    l.Pairwise (fun a b => w b ≤ w a) → (∀ a ∈ l, 0 < w a ∧ Y a ≤ w a * X a) →
    (∀ l' : List α, l'.Sublist l → k * ((l'.map w).sum * (l'.map w).sum) ≤ (l'.map Y).sum) →
    k * orderedMin (l.map w) ≤ (l.map X).sum ∧ ∀ m, (∀ a ∈ l, w a ≤ m) →
      m * (k * orderedMin (l.map w)) + (l.map Y).sum ≤
        m * (l.map X).sum + k * ((l.map w).sum * (l.map w).sum)
  | [], _, _, _ => by simp [orderedMin]
  | a :: l, hs, hw, hk => by
    have hs' := List.pairwise_cons.1 hs
    have hwa := hw a (List.mem_cons_self ..)
    have ih := (abel_sorted w X Y k l hs'.2 (fun b hb => hw b (List.mem_cons_of_mem _ hb))
      fun l' hl' => hk l' (hl'.trans (List.sublist_cons_self ..))).2 (w a) hs'.1
    have h1 := hk (a :: l) (List.Sublist.refl _)
    have h2 : minSum (w a) (l.map w) = (l.map w).sum := minSum_of_ge fun y hy => by
      obtain ⟨b, hb, rfl⟩ := List.mem_map.1 hy
      exact hs'.1 b hb
    simp only [List.map_cons, List.sum_cons, orderedMin_cons, h2] at h1 ⊢
    generalize (l.map w).sum = W at ih h1 ⊢
    generalize orderedMin (l.map w) = Z at ih ⊢
    generalize (l.map X).sum = A at ih ⊢
    generalize (l.map Y).sum = B at ih h1 ⊢
    obtain ⟨hpos, hY⟩ := hwa
    generalize hx : w a = x at *
    have e1 : x * (k * (x + 2 * W + Z)) + k * (W * W) =
        x * (k * Z) + k * ((x + W) * (x + W)) := by grind
    have e2 : x * (X a + A) = x * X a + x * A := Nat.mul_add ..
    have h3 : x * (k * (x + 2 * W + Z)) + (Y a + B) ≤
        x * (X a + A) + k * ((x + W) * (x + W)) := by omega
    have h4 : k * (x + 2 * W + Z) ≤ X a + A :=
      Nat.le_of_mul_le_mul_left (by omega : x * (k * (x + 2 * W + Z)) ≤ x * (X a + A)) hpos
    refine ⟨h4, fun m hm => ?_⟩
    obtain ⟨d, rfl⟩ : ∃ d, m = x + d := ⟨m - x, by
      have := hm a (List.mem_cons_self ..)
      rw [hx] at this
      omega⟩
    have h5 := Nat.mul_le_mul_left d h4
    rw [Nat.add_mul, Nat.add_mul]
    omega

/-- Abel summation: if `k * (∑ w)² ≤ ∑ Y` over every part of the list, and `Y ≤ w * X` for each
member, then `k` times the sum of the minima of the `w` over ordered pairs is at most `∑ X`. -/
theorem abel_orderedMin {α : Type} (w X Y : α → Nat) (k : Nat) (l : List α)
    (hw : ∀ a ∈ l, 0 < w a ∧ Y a ≤ w a * X a)
    (hk : ∀ l' : List α, l'.Sublist l →
      k * ((l'.map w).sum * (l'.map w).sum) ≤ (l'.map Y).sum) :
    k * orderedMin (l.map w) ≤ (l.map X).sum := by
  have hperm := List.mergeSort_perm l (fun a b => decide (w b ≤ w a))
  have hsort := List.pairwise_mergeSort (le := fun a b => decide (w b ≤ w a))
    (by intro a b c; simp; omega) (by intro a b; simp; omega) l
  rw [← orderedMin_perm (hperm.map w), ← (hperm.map X).sum_nat]
  refine (abel_sorted w X Y k _ (hsort.imp fun h => by simpa using h)
    (fun a ha => hw a (hperm.mem_iff.1 ha)) fun l' hl' => ?_).1
  obtain ⟨m, hm, hml⟩ := List.exists_perm_sublist hl' hperm
  rw [← (hm.map w).sum_nat, ← (hm.map Y).sum_nat]
  exact hk m hml

/-! ### The bound -/

/-- **The additive bound**: `6M ∑ C ≥ 3 ∑ min v v' + M ∑ (2o + 1)`, the minima of volumes over
ordered pairs. -/
theorem additive_bound {M : Nat} {I : List Request} {S : Schedule} (hS : Feasible M I S)
    (ho : ∀ q ∈ I, 1 ≤ q.output) :
    3 * orderedMin (I.map twiceVolume) + 2 * M * (I.map fun q => 2 * q.output + 1).sum ≤
      12 * M * totalCompletion I S := by
  have hX : ∀ q ∈ I, 2 * M * (2 * q.output + 1) ≤ 12 * M * completion S q := fun q hq => by
    have h1 := ho q hq
    have e : 12 * M * completion S q = 2 * M * (6 * completion S q) := by grind
    rw [e]
    exact Nat.mul_le_mul_left _ (by unfold completion; omega)
  have h := abel_orderedMin twiceVolume
    (fun q => 12 * M * completion S q - 2 * M * (2 * q.output + 1))
    (fun q => 12 * M * busyMoment S q) 3 I (fun q hq => ⟨twiceVolume_pos (ho q hq), ?_⟩)
    fun l hl => ?_
  · have h1 := sum_map_add (fun q => 12 * M * completion S q - 2 * M * (2 * q.output + 1))
      (fun q => 2 * M * (2 * q.output + 1)) I
    rw [sum_map_congr fun q hq => Nat.sub_add_cancel (hX q hq), sum_map_mul, sum_map_mul] at h1
    unfold totalCompletion
    omega
  · have h1 := Nat.mul_le_mul_left (2 * M) (busyMoment_le (S := S) (ho q hq))
    have e1 : 2 * M * (6 * busyMoment S q + twiceVolume q * (2 * q.output + 1)) =
      12 * M * busyMoment S q + twiceVolume q * (2 * M * (2 * q.output + 1)) := by grind
    have e2 : 2 * M * (6 * (twiceVolume q * completion S q)) =
      twiceVolume q * (12 * M * completion S q) := by grind
    change 12 * M * busyMoment S q ≤
      twiceVolume q * (12 * M * completion S q - 2 * M * (2 * q.output + 1))
    rw [Nat.mul_sub]
    omega
  · have h1 := Nat.mul_le_mul_left 3 (sq_volume_le_moment hS hl)
    rw [sum_map_mul]
    have e : 12 * M * (l.map (busyMoment S)).sum = 3 * (4 * M * (l.map (busyMoment S)).sum) := by
      grind
    omega

/-- The additive bound for the optimum of a burst. -/
theorem additive_bound_opt {M c : Nat} {I : List Request} (hI : Burst M I) (hc : IsOPT M I c) :
    3 * orderedMin (I.map twiceVolume) + 2 * M * (I.map fun q => 2 * q.output + 1).sum ≤
      12 * M * c := by
  obtain ⟨S, hS, rfl⟩ := hc.attained
  rw [hI.TEL_eq]
  exact additive_bound hS hI.output_pos

end OnlineKvCache
