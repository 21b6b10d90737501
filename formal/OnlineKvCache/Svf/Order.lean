module

public import OnlineKvCache.Svf.Run

public section

/-! # Orders by key -/

namespace OnlineKvCache

theorem insertKeyed_perm (key : Request → Nat) (q : Request) :
    ∀ l : List Request, (insertKeyed key q l).Perm (q :: l)
  | [] => List.Perm.refl _
  | r :: l => by
    rw [insertKeyed]
    split
    · exact List.Perm.refl _
    · exact ((insertKeyed_perm key q l).cons r).trans (List.Perm.swap q r l)

/-- Every request is served exactly once. -/
theorem orderByKey_perm (key : Request → Nat) : ∀ l : List Request, (orderByKey key l).Perm l
  | [] => List.Perm.refl _
  | q :: l => (insertKeyed_perm key q _).trans ((orderByKey_perm key l).cons q)

theorem insertKeyed_sorted (key : Request → Nat) (q : Request) : ∀ {l : List Request},
    l.Pairwise (fun p r => key p < key r ∨ (key p = key r ∧ p.id ≤ r.id)) →
    (insertKeyed key q l).Pairwise (fun p r => key p < key r ∨ (key p = key r ∧ p.id ≤ r.id))
  | [], _ => by simp [insertKeyed]
  | r :: l, h => by
    have h' := List.pairwise_cons.1 h
    rw [insertKeyed]
    split
    · rename_i hq
      refine List.pairwise_cons.2 ⟨fun p hp => ?_, h⟩
      rcases List.mem_cons.1 hp with hp1 | hp1
      · rw [hp1]; exact hq
      · have := h'.1 p hp1; omega
    · rename_i hq
      refine List.pairwise_cons.2 ⟨fun p hp => ?_, insertKeyed_sorted key q h'.2⟩
      rcases List.mem_cons.1 ((insertKeyed_perm key q l).mem_iff.1 hp) with hp1 | hp1
      · rw [hp1]; omega
      · exact h'.1 p hp1

/-- The order is by key, ties by label. -/
theorem orderByKey_sorted (key : Request → Nat) : ∀ l : List Request,
    (orderByKey key l).Pairwise (fun p r => key p < key r ∨ (key p = key r ∧ p.id ≤ r.id))
  | [] => List.Pairwise.nil
  | q :: l => insertKeyed_sorted key q (orderByKey_sorted key l)

theorem orderByKey_le (key : Request → Nat) (l : List Request) :
    (orderByKey key l).Pairwise (fun p r => key p ≤ key r) :=
  (orderByKey_sorted key l).imp fun h => by omega

/-- With distinct labels a permutation that is sorted by key and label is the order: to compute it,
guess and verify. -/
theorem orderByKey_eq {key : Request → Nat} {l m : List Request} (hn : (l.map Request.id).Nodup)
    (hp : m.Perm l)
    (hs : m.Pairwise fun p r => key p < key r ∨ (key p = key r ∧ p.id ≤ r.id)) :
    orderByKey key l = m := by
  refine List.Perm.eq_of_pairwise ?_ (orderByKey_sorted key l) hs
    ((orderByKey_perm key l).trans hp.symm)
  intro p r hp' hr' h1 h2
  exact eq_of_id_eq hn ((orderByKey_perm key l).mem_iff.1 hp') (hp.mem_iff.1 hr') (by omega)

theorem svfOrder_perm (I : List Request) : (svfOrder I).Perm I := orderByKey_perm _ I

theorem svfOrder_sorted (I : List Request) : (svfOrder I).Pairwise
    (fun p r => twiceVolume p < twiceVolume r ∨ (twiceVolume p = twiceVolume r ∧ p.id ≤ r.id)) :=
  orderByKey_sorted _ I

theorem svfOrder_le (I : List Request) :
    (svfOrder I).Pairwise (fun p r => twiceVolume p ≤ twiceVolume r) := orderByKey_le _ I

/-- List scheduling in the order of any key is feasible for every burst. -/
theorem orderByKey_feasible {M : Nat} {I : List Request} (h : Burst M I) (key : Request → Nat) :
    Feasible M I (listSchedule M (orderByKey key I)) :=
  (listSchedule_feasible (h.perm (orderByKey_perm key I).symm)).perm (orderByKey_perm key I)

/-- Shortest volume first is feasible for every burst. -/
theorem svf_feasible {M : Nat} {I : List Request} (h : Burst M I) : Feasible M I (svf M I) :=
  orderByKey_feasible h twiceVolume

end OnlineKvCache
