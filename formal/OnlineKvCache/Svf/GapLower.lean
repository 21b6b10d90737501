module

public import OnlineKvCache.Svf.GapChain

public section

/-! # The lower bound by mean busy times

In every schedule that holds at most `M` in each round, the volumes `v` and completion times `C` of
any list of requests satisfy `12 M Σ 2v C ≥ 3 (Σ 2v)² + 2 M Σ levels`. -/

namespace OnlineKvCache.Svf.Gap

/-- One round: memory is half the gain of `used`. -/
theorem used_succ (S : Schedule) (q : Request) (t : Nat) :
    used S q (t + 1) = used S q t + 2 * memory S q t := by
  unfold memory
  by_cases h : Active S q t
  · rw [if_pos h]
    unfold Active completion at h
    obtain ⟨b, hb⟩ : ∃ b, t = start S q + b := ⟨t - start S q, by omega⟩
    have e1 : age S q t = b := by unfold age; omega
    have e2 : age S q (t + 1) = b + 1 := by unfold age; omega
    unfold used
    rw [e1, e2, hb, Nat.add_sub_cancel_left]
    unfold grown
    grind
  · rw [if_neg h]
    unfold Active completion at h
    have e : age S q (t + 1) = age S q t := by unfold age; omega
    unfold used
    rw [e, Nat.mul_zero, Nat.add_zero]

/-- One round of `area`. -/
theorem area_succ (S : Schedule) (q : Request) (t : Nat) :
    area S q (t + 1) = area S q t + 3 * (used S q t + used S q (t + 1)) := by
  unfold area used
  rcases Nat.lt_or_ge t (start S q) with h | h
  · have e1 : age S q t = 0 := by unfold age; omega
    have e2 : age S q (t + 1) = 0 := by unfold age; omega
    have e3 : t - completion S q = 0 := by unfold completion; omega
    have e4 : t + 1 - completion S q = 0 := by unfold completion; omega
    rw [e1, e2, e3, e4]
    simp [grown]
  · rcases Nat.lt_or_ge t (completion S q) with h' | h'
    · have e1 : age S q (t + 1) = age S q t + 1 := by unfold age completion at *; omega
      have e3 : t - completion S q = 0 := by omega
      have e4 : t + 1 - completion S q = 0 := by omega
      have := levels_succ q.prompt (age S q t)
      rw [e1, e3, e4]
      omega
    · have e1 : age S q t = q.output := by unfold age completion at *; omega
      have e2 : age S q (t + 1) = q.output := by unfold age completion at *; omega
      have e4 : t + 1 - completion S q = t - completion S q + 1 := by omega
      rw [e1, e2, e4, Nat.mul_add, twiceVolume_eq]
      omega

/-- The mean busy time bound up to round `t`. -/
theorem busy {M : Nat} {L : List Request} {C : Schedule}
    (h : ∀ t, (L.map fun q => memory C q t).sum ≤ M) (t : Nat) :
    (L.map fun q => used C q t).sum ≤ 2 * (M * t) ∧
    3 * ((L.map fun q => used C q t).sum * (L.map fun q => used C q t).sum) +
      2 * (M * (L.map fun q => area C q t).sum) ≤
      12 * (M * (t * (L.map fun q => used C q t).sum)) := by
  induction t with
  | zero =>
    have e : ∀ q ∈ L, used C q 0 = 0 := fun q _ => by simp [used, age, grown]
    have e' : ∀ q ∈ L, area C q 0 = 0 := fun q _ => by simp [area, age, levels]
    rw [sum_map_eq_zero e, sum_map_eq_zero e']
    simp
  | succ t ih =>
    obtain ⟨h1, h2⟩ := ih
    have hm := h t
    have eu : (L.map fun q => used C q (t + 1)).sum =
        (L.map fun q => used C q t).sum + 2 * (L.map fun q => memory C q t).sum := by
      rw [← sum_map_mul, ← sum_map_add]
      exact sum_map_congr fun q _ => used_succ C q t
    have ea : (L.map fun q => area C q (t + 1)).sum = (L.map fun q => area C q t).sum +
        3 * ((L.map fun q => used C q t).sum + (L.map fun q => used C q (t + 1)).sum) := by
      rw [← sum_map_add, ← sum_map_mul, ← sum_map_add]
      exact sum_map_congr fun q _ => area_succ C q t
    rw [ea, eu]
    generalize (L.map fun q => memory C q t).sum = m at *
    generalize (L.map fun q => used C q t).sum = U at *
    generalize (L.map fun q => area C q t).sum = G at *
    have e0 : M * (t + 1) = M * t + M := by grind
    have p1 := Nat.mul_le_mul_right m h1
    have p2 := Nat.mul_le_mul_right m hm
    have e1 : 3 * ((U + 2 * m) * (U + 2 * m)) = 3 * (U * U) + 12 * (U * m) + 12 * (m * m) := by
      grind
    have e2 : 2 * (M * (G + 3 * (U + (U + 2 * m)))) =
        2 * (M * G) + 12 * (M * U) + 12 * (M * m) := by grind
    have e3 : 12 * (M * ((t + 1) * (U + 2 * m))) =
        12 * (M * (t * U)) + 12 * (M * U) + 12 * (2 * (M * t) * m) + 24 * (M * m) := by grind
    constructor <;> omega

/-- The lower bound. -/
theorem lower {M : Nat} {L : List Request} {C : Schedule}
    (h : ∀ t, (L.map fun q => memory C q t).sum ≤ M) :
    3 * ((L.map twiceVolume).sum * (L.map twiceVolume).sum) +
      2 * (M * (L.map fun q => levels q.prompt q.output).sum) ≤
      12 * (M * (L.map fun q => twiceVolume q * completion C q).sum) := by
  have hb := (busy h (L.map (completion C)).sum).2
  have hle : ∀ q ∈ L, completion C q ≤ (L.map (completion C)).sum := fun q hq => le_sum_map _ hq
  generalize (L.map (completion C)).sum = T at *
  have eage : ∀ q ∈ L, age C q T = q.output := fun q hq => by
    have := hle q hq
    unfold age completion at *
    omega
  have eu : (L.map fun q => used C q T).sum = (L.map twiceVolume).sum :=
    sum_map_congr fun q hq => by unfold used; rw [eage q hq, twiceVolume_eq]
  have ea : (L.map fun q => area C q T).sum +
      6 * (L.map fun q => twiceVolume q * completion C q).sum =
      (L.map fun q => levels q.prompt q.output).sum + 6 * (T * (L.map twiceVolume).sum) := by
    rw [← sum_map_mul, ← sum_map_mul T, ← sum_map_mul 6, ← sum_map_add, ← sum_map_add]
    refine sum_map_congr fun q hq => ?_
    unfold area
    rw [eage q hq]
    have h1 := hle q hq
    obtain ⟨x, hx⟩ : ∃ x, T = completion C q + x := ⟨T - completion C q, by omega⟩
    rw [hx, Nat.add_sub_cancel_left, Nat.add_mul, Nat.mul_comm (completion C q),
      Nat.mul_comm x]
    omega
  rw [eu] at hb
  generalize (L.map twiceVolume).sum = V at *
  generalize (L.map fun q => area C q T).sum = G at *
  generalize (L.map fun q => twiceVolume q * completion C q).sum = B at *
  generalize (L.map fun q => levels q.prompt q.output).sum = H at *
  have e := congrArg (fun x => 2 * (M * x)) ea
  simp only at e
  have e1 : 2 * (M * (G + 6 * B)) = 2 * (M * G) + 12 * (M * B) := by grind
  have e2 : 2 * (M * (H + 6 * (T * V))) = 2 * (M * H) + 12 * (M * (T * V)) := by grind
  omega

end OnlineKvCache.Svf.Gap
