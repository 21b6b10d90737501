module

public import OnlineKvCache.Svf.GapShape
public import OnlineKvCache.Model.Cost

@[expose] public section

/-! # The chain of blocked stretches

`Blocked D L S` is all that the gap theorem needs of a head-of-line list scheduler: as long as
some request of `L` has not started in round `t`, the requests of `L` that have started then hold
at least `D` in some round from `t` on. -/

namespace OnlineKvCache.Svf.Gap

/-- The wait certificate: if some request of `L` starts after round `t`, then in some round `r ≥ t`
the requests of `L` that have started in round `t` or before hold at least `D`. -/
def Blocked (D : Nat) (L : List Request) (S : Schedule) : Prop :=
  ∀ t, (∃ q ∈ L, t < start S q) → ∃ r, t ≤ r ∧
    D ≤ (L.map fun q => if start S q ≤ t then memory S q r else 0).sum

/-- Rounds that `q` has run before round `t`. -/
def age (S : Schedule) (q : Request) (t : Nat) : Nat := min (t - start S q) q.output

/-- Twice the memory used by `q` in the rounds before `t`. -/
def used (S : Schedule) (q : Request) (t : Nat) : Nat := grown q.prompt (age S q t)

/-- Six times the sum, over the rounds before `t`, of the volumes used by `q` up to the beginning
and up to the end of the round. -/
def area (S : Schedule) (q : Request) (t : Nat) : Nat :=
  levels q.prompt (age S q t) + 6 * (twiceVolume q * (t - completion S q))

theorem twiceVolume_eq (q : Request) : twiceVolume q = grown q.prompt q.output := rfl

theorem used_mono (S : Schedule) (q : Request) {t u : Nat} (h : t ≤ u) :
    used S q t ≤ used S q u := by
  refine grown_mono _ ?_
  unfold age
  omega

/-- The area of any stretch of rounds. -/
theorem area_add (S : Schedule) (q : Request) (t d : Nat) :
    area S q t + 6 * (d * used S q t) ≤ area S q (t + d) := by
  rcases Nat.le_total t (start S q) with h | h
  · have e : age S q t = 0 := by unfold age; omega
    have e' : t - completion S q = 0 := by unfold completion; omega
    simp [area, used, e, e', levels, grown]
  · obtain ⟨e, he⟩ : ∃ e, age S q (t + d) = age S q t + e :=
      ⟨age S q (t + d) - age S q t, by unfold age; omega⟩
    obtain ⟨f, hf⟩ : ∃ f, t + d - completion S q = (t - completion S q) + f :=
      ⟨t + d - completion S q - (t - completion S q), by omega⟩
    have hd : d = e + f := by unfold age completion at *; omega
    have h1 := levels_add q.prompt (age S q t) e
    have h2 : f * used S q t ≤ f * twiceVolume q :=
      Nat.mul_le_mul_left f (grown_mono _ (by unfold age; omega))
    unfold area
    rw [he, hf, hd]
    unfold used at h2 ⊢
    simp only [Nat.mul_add, Nat.add_mul]
    rw [Nat.mul_comm f (twiceVolume q)] at h2
    omega

/-- One request, one blocked stretch. -/
theorem used_stretch (S : Schedule) (q : Request) {t r : Nat} (h : t ≤ r) :
    used S q t + (r + 1 - t) * (if start S q ≤ t then memory S q r else 0) ≤
      used S q (r + 1) ∧
    area S q t + q.output * used S q t + 6 * ((r + 1 - t) * used S q t) +
      3 * ((r + 1 - t) * (r + 1 - t) * (if start S q ≤ t then memory S q r else 0)) ≤
      area S q (r + 1) + q.output * used S q (r + 1) := by
  obtain ⟨d, hd⟩ : ∃ d, r + 1 = t + d := ⟨r + 1 - t, by omega⟩
  rw [hd, Nat.add_sub_cancel_left]
  by_cases hs : start S q ≤ t ∧ Active S q r
  · obtain ⟨hs, ha⟩ := hs
    have hm : memory S q r = q.prompt + (t - start S q) + d := by
      unfold memory
      rw [if_pos ha]
      omega
    unfold Active completion at ha
    have e1 : age S q t = t - start S q := by unfold age; omega
    have e2 : age S q (t + d) = t - start S q + d := by unfold age; omega
    have e3 : t - completion S q = 0 := by unfold completion; omega
    have e4 : t + d - completion S q = 0 := by unfold completion; omega
    rw [if_pos hs, hm]
    unfold area used
    rw [e1, e2, e3, e4]
    have h1 := ramp q.prompt (t - start S q) d
    have h2 := stretch q.prompt (t - start S q) d q.output (by omega)
    omega
  · have h0 : (if start S q ≤ t then memory S q r else 0) = 0 := by
      by_cases h1 : start S q ≤ t
      · rw [if_pos h1]
        unfold memory
        rw [if_neg fun h2 => hs ⟨h1, h2⟩]
      · rw [if_neg h1]
    rw [h0]
    have h1 := used_mono S q (Nat.le_add_right t d)
    have h2 := area_add S q t d
    have h3 := Nat.mul_le_mul_left q.output h1
    omega

/-- Steps 1 to 4 for the whole list: there is a time `T` by which all of `L` have started, by which
they have used at least `D T / 2`, and for which the sum of squares of the stretches is paid. -/
theorem exists_end {D : Nat} {L : List Request} {S : Schedule} (hb : Blocked D L S) :
    ∃ T, (∀ q ∈ L, start S q ≤ T) ∧ D * T ≤ (L.map fun q => used S q T).sum ∧
      3 * (D * (T * T)) ≤ (L.map fun q => area S q T + q.output * used S q T).sum := by
  suffices H : ∀ n t, (L.map fun q => start S q).sum ≤ t + n →
      D * t ≤ (L.map fun q => used S q t).sum →
      3 * (D * (t * t)) ≤ (L.map fun q => area S q t + q.output * used S q t).sum →
      ∃ T, (∀ q ∈ L, start S q ≤ T) ∧ D * T ≤ (L.map fun q => used S q T).sum ∧
        3 * (D * (T * T)) ≤ (L.map fun q => area S q T + q.output * used S q T).sum from
    H _ 0 (Nat.le_add_left _ _) (by simp) (by simp)
  intro n
  induction n using Nat.strongRecOn with
  | ind n ih =>
    intro t hn h1 h2
    by_cases hd : ∃ q ∈ L, t < start S q
    · obtain ⟨r, hr, hD⟩ := hb t hd
      obtain ⟨d, hd'⟩ : ∃ d, r + 1 = t + d := ⟨r + 1 - t, by omega⟩
      obtain ⟨q, hq, hlt⟩ := hd
      have hle := le_sum_map (fun q => start S q) hq
      simp only at hle
      have hu := sum_map_le_sum_map (l := L) fun q _ => (used_stretch S q hr).1
      have ha := sum_map_le_sum_map (l := L) fun q _ => (used_stretch S q hr).2
      rw [sum_map_add, sum_map_mul] at hu
      rw [sum_map_add (fun q => area S q t + q.output * used S q t +
          6 * ((r + 1 - t) * used S q t)),
        sum_map_add (fun q => area S q t + q.output * used S q t),
        sum_map_mul 3, sum_map_mul ((r + 1 - t) * (r + 1 - t)), sum_map_mul 6,
        sum_map_mul (r + 1 - t)] at ha
      rw [hd', Nat.add_sub_cancel_left] at hu ha
      generalize (L.map fun q => if start S q ≤ t then memory S q r else 0).sum = F at *
      have m1 := Nat.mul_le_mul_left d hD
      have m2 := Nat.mul_le_mul_left (d * d) hD
      have m3 := Nat.mul_le_mul_left d h1
      have e1 : D * (t + d) = D * t + d * D := by grind
      have e2 : 3 * (D * ((t + d) * (t + d))) =
        3 * (D * (t * t)) + 6 * (d * (D * t)) + 3 * (d * d * D) := by grind
      exact ih (n - d) (by omega) (t + d) (by omega) (by omega) (by omega)
    · exact ⟨t, fun q hq => Nat.le_of_not_lt fun h => hd ⟨q, hq, h⟩, h1, h2⟩

end OnlineKvCache.Svf.Gap
