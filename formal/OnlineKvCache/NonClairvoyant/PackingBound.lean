module

public import OnlineKvCache.Area.Volume
public import OnlineKvCache.Basic.Cover
public import OnlineKvCache.NonClairvoyant.Packing

public section

/-! # Any-fit packing ends in time

The lemma of Garey and Graham: with heights at most `h`, in any two rounds `t` and `t + h` before
the end more than `M` is in use together, because what runs in round `t + h` did not fit in round
`t`. -/

namespace OnlineKvCache.Packing

variable {α : Type} {M h t₀ : Nat} {l : List α} {start width height : α → Nat}

theorem exists_of_usedAt_pos {t : Nat} (hp : 0 < usedAt l start width height t) :
    ∃ j ∈ l, start j ≤ t ∧ t < start j + height j := by
  refine Classical.byContradiction fun hn => ?_
  have : usedAt l start width height t = 0 := sum_map_eq_zero fun j hj =>
    if_neg fun hj' => hn ⟨j, hj, hj'⟩
  omega

theorem width_le_usedAt {j : α} {t : Nat} (hj : j ∈ l) (h1 : start j ≤ t)
    (h2 : t < start j + height j) : width j ≤ usedAt l start width height t := by
  have := le_sum_map (fun j => if start j ≤ t ∧ t < start j + height j then width j else 0) hj
  simpa [h1, h2] using this

/-- Before the end, more than `M` is in use in two rounds `h` apart. -/
theorem AnyFit.two_rounds (hf : AnyFit M l start width height t₀)
    (hw : ∀ j ∈ l, width j ≤ M) (hh : ∀ j ∈ l, height j ≤ h) {k : α} (hk : k ∈ l) {t : Nat}
    (ht : t₀ ≤ t) (hlt : t + h < start k + height k) :
    M + 1 ≤ usedAt l start width height t + usedAt l start width height (t + h) := by
  have : ∃ j ∈ l, start j ≤ t + h ∧ t + h < start j + height j := by
    rcases Nat.lt_or_ge (t + h) (start k) with h1 | h1
    · refine exists_of_usedAt_pos (width := width) ?_
      have h2 := hf.full k hk (t + h) (by omega) h1
      have h3 := hw k hk
      omega
    · exact ⟨k, hk, h1, hlt⟩
  obtain ⟨j, hj, h1, h2⟩ := this
  have h3 := width_le_usedAt (width := width) hj h1 h2
  have h4 := hh j hj
  have h5 := hf.full j hj t ht (by omega)
  omega

theorem sum_usedAt_le (l : List α) (start width height : α → Nat) (x d : Nat) :
    ((List.range d).map fun t => usedAt l start width height (x + t)).sum ≤
      area l width height := by
  unfold usedAt area
  rw [sum_map_comm]
  refine sum_map_le_sum_map fun j _ => ?_
  have h1 := count_interval x (start j) (height j) d
  have h2 : ((List.range d).map fun t =>
      if start j ≤ x + t ∧ x + t < start j + height j then width j else 0).sum =
      width j * ((List.range d).map fun t =>
        if start j ≤ x + t ∧ x + t < start j + height j then 1 else 0).sum := by
    rw [← sum_map_mul]
    refine sum_map_congr fun t _ => ?_
    split <;> simp
  rw [h2]
  exact Nat.mul_le_mul_left _ (by omega)

/-- **Garey–Graham.** Any-fit packing with widths at most `M`, heights at most `L` and total area at
most `M * L` ends within `2 * L - 1` rounds. -/
theorem AnyFit.end_le {L : Nat} (hf : AnyFit M l start width height t₀)
    (hw : ∀ j ∈ l, width j ≤ M) (hh : ∀ j ∈ l, height j ≤ L)
    (ha : area l width height ≤ M * L) {k : α} (hk : k ∈ l) :
    start k + height k ≤ t₀ + (2 * L - 1) := by
  refine Classical.byContradiction fun hn => ?_
  have hk1 := hh k hk
  rcases Nat.eq_zero_or_pos L with h0 | h0
  · have h1 := hf.full k hk t₀ (Nat.le_refl _) (by omega)
    have h2 : usedAt l start width height t₀ = 0 := sum_map_eq_zero fun j hj => if_neg (by
      have := hh j hj
      omega)
    have := hw k hk
    omega
  · have h1 := sum_usedAt_le l start width height t₀ (L + L)
    have h2 := sum_range_add (fun t => usedAt l start width height (t₀ + t)) L L
    have h3 : L * (M + 1) ≤ ((List.range L).map fun t => usedAt l start width height (t₀ + t) +
        usedAt l start width height (t₀ + (L + t))).sum := by
      have h4 := sum_map_const (M + 1) (List.range L)
      rw [List.length_range] at h4
      rw [← h4]
      refine sum_map_le_sum_map fun t ht => ?_
      have ht' := List.mem_range.1 ht
      have := hf.two_rounds (t := t₀ + t) hw hh hk (by omega) (by omega)
      have e : t₀ + t + L = t₀ + (L + t) := by omega
      rwa [e] at this
    rw [sum_map_add] at h3
    have e : L * (M + 1) = M * L + L := by rw [Nat.mul_comm, Nat.succ_mul]
    omega

/-- Any-fit packing with widths at most `M`, heights at most `h` and total area `V` ends by `T` with
`(M + 1) * (T - h) ≤ 2 * V`. -/
theorem AnyFit.end_area (hf : AnyFit M l start width height t₀)
    (hw : ∀ j ∈ l, width j ≤ M) (hh : ∀ j ∈ l, height j ≤ h) {k : α} (hk : k ∈ l) :
    (M + 1) * (start k + height k - t₀ - h) ≤ 2 * area l width height := by
  generalize hd : start k + height k - t₀ - h = d
  have h1 := sum_usedAt_le l start width height t₀ d
  have h2 := sum_usedAt_le l start width height (t₀ + h) d
  have h3 : d * (M + 1) ≤ ((List.range d).map fun t => usedAt l start width height (t₀ + t) +
      usedAt l start width height (t₀ + h + t)).sum := by
    have h4 := sum_map_const (M + 1) (List.range d)
    rw [List.length_range] at h4
    rw [← h4]
    refine sum_map_le_sum_map fun t ht => ?_
    have ht' := List.mem_range.1 ht
    have := hf.two_rounds (t := t₀ + t) hw hh hk (by omega) (by omega)
    have e : t₀ + t + h = t₀ + h + t := by omega
    rwa [e] at this
  rw [sum_map_add] at h3
  rw [Nat.mul_comm]
  omega

/-- Any-fit packing starts everything within as many rounds as the total area. -/
theorem AnyFit.start_le (hf : AnyFit M l start width height t₀)
    (hw : ∀ j ∈ l, width j ≤ M) {k : α} (hk : k ∈ l) :
    start k ≤ t₀ + area l width height := by
  have h1 := sum_usedAt_le l start width height t₀ (start k - t₀)
  have h2 : (start k - t₀) * 1 ≤
      ((List.range (start k - t₀)).map fun t => usedAt l start width height (t₀ + t)).sum := by
    have h4 := sum_map_const 1 (List.range (start k - t₀))
    rw [List.length_range] at h4
    rw [← h4]
    refine sum_map_le_sum_map fun t ht => ?_
    have ht' := List.mem_range.1 ht
    have := hf.full k hk (t₀ + t) (by omega) (by omega)
    have := hw k hk
    omega
  omega

end OnlineKvCache.Packing
