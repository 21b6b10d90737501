module

public import OnlineKvCache.Svf.Counterexamples
public import OnlineKvCache.Svf.Order
public import OnlineKvCache.Checks.Decide

public section

/-! # What overtaking and volume order lose on small instances -/

namespace OnlineKvCache

/-- The list schedule of a list that is in order. -/
theorem svf_eq {M : Nat} {I : List Request} (hn : (I.map Request.id).Nodup)
    (hs : I.Pairwise fun p r =>
      twiceVolume p < twiceVolume r ∨ (twiceVolume p = twiceVolume r ∧ p.id ≤ r.id)) :
    svf M I = listSchedule M I := by
  rw [svf, svfOrder, orderByKey_eq hn (List.Perm.refl _) hs]

theorem skip_violates_ratio : Burst 38000 skipInstance ∧ svfOrder skipInstance = skipInstance ∧
    (∀ q ∈ skipInstance, 25 * q.peak ≤ 9 * 38000) ∧
    Feasible 38000 skipInstance (skipSchedule 38000 110 skipInstance) ∧
    TEL skipInstance (skipSchedule 38000 110 skipInstance) = 979 ∧
    TEL skipInstance (svf 38000 skipInstance) = 237 ∧
    ∃ c, IsOPT 38000 skipInstance c ∧ c ≤ 237 ∧
      (3 * 25 - 9) * c < (25 - 9) * TEL skipInstance (skipSchedule 38000 110 skipInstance) := by
  have hb : Burst 38000 skipInstance := ⟨by decide +kernel, by decide +kernel, by decide +kernel,
    by decide +kernel⟩
  have ho : svfOrder skipInstance = skipInstance :=
    orderByKey_eq hb.nodup (List.Perm.refl _) (by decide +kernel)
  have h1 : TEL skipInstance (skipSchedule 38000 110 skipInstance) = 979 := by decide +kernel
  have h2 : TEL skipInstance (svf 38000 skipInstance) = 237 := by
    rw [svf, ho]
    decide +kernel
  obtain ⟨c, hc⟩ := IsOPT.of_feasible (svf_feasible hb)
  have h3 := hc.least _ (svf_feasible hb)
  rw [h2] at h3
  exact ⟨hb, ho, by decide +kernel, by decide +kernel, h1, h2, c, hc, h3, by omega⟩

theorem skip_violates_certificate : Burst 5 skipSmall ∧ svfOrder skipSmall = skipSmall ∧
    Feasible 5 skipSmall (skipSchedule 5 7 skipSmall) ∧
    skipSchedule 5 7 skipSmall 1 = 4 ∧
    ¬ (5 - 4 + 1) * skipSchedule 5 7 skipSmall 1 ≤ (1 + 1) * 1 := by
  refine ⟨⟨by decide +kernel, by decide +kernel, by decide +kernel, by decide +kernel⟩,
    orderByKey_eq (by decide +kernel) (List.Perm.refl _) (by decide +kernel), by decide +kernel,
    by decide +kernel, by decide +kernel⟩

theorem svf_not_optimal : Burst 6 svfWorse ∧ TEL svfWorse (svf 6 svfWorse) = 8 ∧
    IsOPT 6 svfWorse 6 := by
  refine ⟨⟨by decide +kernel, by decide +kernel, by decide +kernel, by decide +kernel⟩,
    by rw [svf_eq (by decide +kernel) (by decide +kernel)]; decide +kernel,
    isOPT_of_search (fun i => if i = 0 then 1 else 0) (by decide +kernel) (by decide +kernel)
      (by decide +kernel) (by decide +kernel)⟩

end OnlineKvCache
