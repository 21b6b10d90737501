module

public import OnlineKvCache.TightRatio.Trace
public import OnlineKvCache.TightRatio.MainFillerRun

public section

/-! # Sums over pairs of requests -/

namespace OnlineKvCache

/-- Sums of outputs. -/
theorem below_eq (G : List Request) (q : Request) :
    below G q = ((G.filter fun i => decide (KeyLt i q)).map Request.output).sum := by
  rw [← sum_map_ite]
  exact sum_map_congr fun i _ => by by_cases h : KeyLt i q <;> simp [h]

theorem below_le (G : List Request) (q : Request) : below G q ≤ (G.map Request.output).sum :=
  sum_map_le_sum_map fun i _ => by by_cases h : KeyLt i q <;> simp [h]

theorem below_cons (a : Request) (G : List Request) (q : Request) :
    below (a :: G) q = (if KeyLt a q then a.output else 0) + below G q := by
  simp [below]

/-- Over all pairs of a list, the smaller output is at most the mean. -/
theorem two_pairs_le : ∀ G : List Request,
    2 * (G.map (below G)).sum + (G.map Request.output).sum ≤
      G.length * (G.map Request.output).sum
  | [] => by simp
  | a :: l => by
    have ih := two_pairs_le l
    have haa : ¬ KeyLt a a := fun h => h.asymm h
    have h1 : ((a :: l).map (below (a :: l))).sum = below l a +
        ((l.map fun q => if KeyLt a q then a.output else 0).sum + (l.map (below l)).sum) := by
      rw [List.map_cons, List.sum_cons, ← sum_map_add, below_cons, if_neg haa, Nat.zero_add]
      congr 1
    have h2 : 2 * (below l a + (l.map fun q => if KeyLt a q then a.output else 0).sum) ≤
        (l.map Request.output).sum + l.length * a.output := by
      unfold below
      rw [← sum_map_add, ← sum_map_const, ← sum_map_add, ← sum_map_mul]
      refine sum_map_le_sum_map fun q _ => ?_
      by_cases h3 : KeyLt a q
      · have := h3.output_le
        simp only [h3, h3.asymm, if_true, if_false]; omega
      · by_cases h4 : KeyLt q a
        · have := h4.output_le
          simp only [h3, h4, if_true, if_false]; omega
        · simp only [h3, h4, if_false]; omega
    have e1 : (l.length + 1) * (a.output + (l.map Request.output).sum) =
        l.length * a.output + l.length * (l.map Request.output).sum +
          (a.output + (l.map Request.output).sum) := by grind
    rw [h1, List.map_cons, List.sum_cons, List.length_cons, e1]
    omega

/-- The same with the largest request `k`, which is never the smaller one. -/
theorem two_pairs_max {G : List Request} (hn : G.Nodup) {k : Request} (hk : k ∈ G)
    (hmax : ∀ i ∈ G, i ≠ k → KeyLt i k) :
    2 * (G.map (below G)).sum + G.length * k.output ≤ G.length * (G.map Request.output).sum := by
  have hb : ∀ q, below G q = (if KeyLt k q then k.output else 0) + below (G.erase k) q :=
    fun q => sum_map_erase (fun i => if KeyLt i q then i.output else 0) hk
  have h1 := sum_map_erase (below G) hk
  have h2 : ((G.erase k).map (below G)).sum = ((G.erase k).map (below (G.erase k))).sum :=
    sum_map_congr fun q hq => by
      have := hn.mem_erase_iff.1 hq
      rw [hb, if_neg (hmax q this.2 this.1).asymm, Nat.zero_add]
  have h3 : below G k ≤ ((G.erase k).map Request.output).sum := by
    rw [hb, if_neg fun h => h.asymm h, Nat.zero_add]; exact below_le ..
  have h4 := two_pairs_le (G.erase k)
  have h5 := sum_map_erase Request.output hk
  have h6 : G.length = (G.erase k).length + 1 := (List.perm_cons_erase hk).length_eq
  have e1 : ((G.erase k).length + 1) * (k.output + ((G.erase k).map Request.output).sum) =
      ((G.erase k).length + 1) * k.output +
        ((G.erase k).length * ((G.erase k).map Request.output).sum +
          ((G.erase k).map Request.output).sum) := by grind
  rw [h5, h6, e1]
  omega

theorem pairs_miss_arith {l h x X Y : Nat} (hX : X ≤ l * x) (hY : h * x ≤ Y) :
    6 * (h * X) ≤ l * X + 4 * (l * Y) + h * Y := by
  rcases Nat.le_total (6 * h) l with h1 | h1
  · have := Nat.mul_le_mul_right X h1
    rw [Nat.mul_assoc] at this
    omega
  · obtain ⟨d, hd⟩ := Nat.exists_eq_add_of_le h1
    have e1 : 6 * (h * X) = l * X + d * X := by rw [← Nat.mul_assoc, hd, Nat.add_mul]
    have e2 : d * X ≤ d * (l * x) := Nat.mul_le_mul_left d hX
    have e3 : 4 * (l * (h * x)) ≤ 4 * (l * Y) :=
      Nat.mul_le_mul_left 4 (Nat.mul_le_mul_left l hY)
    have e4 : h * (h * x) ≤ h * Y := Nat.mul_le_mul_left h hY
    -- `d * l ≤ (4 * l + h) * h`, since `(l - h) ^ 2 ≥ 0`
    have e5 : 2 * (h * l) ≤ l * l + h * h := by
      rcases Nat.le_total l h with h2 | h2
      · obtain ⟨c, rfl⟩ := Nat.exists_eq_add_of_le h2
        have : (l + c) * (l + c) = l * l + 2 * (l * c) + c * c := by grind
        have : (l + c) * l = l * l + l * c := by grind
        omega
      · obtain ⟨c, rfl⟩ := Nat.exists_eq_add_of_le h2
        have : (h + c) * (h + c) = h * h + 2 * (h * c) + c * c := by grind
        have : h * (h + c) = h * h + h * c := by grind
        omega
    have e6 : 6 * (h * l) = l * l + d * l := by rw [← Nat.mul_assoc, hd, Nat.add_mul]
    have e7 : d * l ≤ 4 * (h * l) + h * h := by omega
    have e8 := Nat.mul_le_mul_right x e7
    have e9 : (4 * (h * l) + h * h) * x = 4 * (l * (h * x)) + h * (h * x) := by grind
    have e10 : d * l * x = d * (l * x) := Nat.mul_assoc ..
    omega

/-- Pairs, when the requests from `q` on (in key order) are charged `X` each: `X` is the sum below
`q`, and `R` is the sum without the largest request `k`. -/
theorem six_pairs_miss {G : List Request} (hn : G.Nodup) {k q : Request} (hk : k ∈ G)
    (hmax : ∀ i ∈ G, i ≠ k → KeyLt i k) (hq : q ∈ G) (hinj : ∀ i ∈ G, i ≠ q → i.id ≠ q.id) {R : Nat}
    (hR : k.output + R = (G.map Request.output).sum) :
    6 * (G.map (below G)).sum + 4 * ((G.filter fun i => !decide (KeyLt i q)).length * below G q) ≤
      4 * (G.length * R) + 3 * below G q := by
  have hlen := sum_map_split (fun i => decide (KeyLt i q)) (fun _ => 1) G
  have hsum := sum_map_split (fun i => decide (KeyLt i q)) Request.output G
  have hps := sum_map_split (fun i => decide (KeyLt i q)) (below G) G
  have hbe := below_eq G q
  rw [sum_map_const, sum_map_const, sum_map_const] at hlen
  simp only [Nat.mul_one] at hlen
  -- `A` below `q`, `B` from `q` on
  have hA : ∀ i ∈ G.filter fun i => decide (KeyLt i q), KeyLt i q := fun i hi => by
    simpa using (List.mem_filter.1 hi).2
  have hB : ∀ i ∈ G.filter fun i => !decide (KeyLt i q), i ∈ G ∧ ¬ KeyLt i q := fun i hi => by
    have := List.mem_filter.1 hi
    exact ⟨this.1, by simpa using this.2⟩
  have hBmem : ∀ i ∈ G, ¬ KeyLt i q → i ∈ G.filter fun i => !decide (KeyLt i q) :=
    fun i hi h => List.mem_filter.2 ⟨hi, by simpa using h⟩
  have hbsplit : ∀ r, below G r = below (G.filter fun i => decide (KeyLt i q)) r +
      below (G.filter fun i => !decide (KeyLt i q)) r := fun r =>
    sum_map_split (fun i => decide (KeyLt i q)) (fun i => if KeyLt i r then i.output else 0) G
  have hqB := hBmem q hq fun h => h.asymm h
  have hkB := hBmem k hk fun h => by
    rcases Classical.em (q = k) with h1 | h1
    · subst h1; exact h.asymm h
    · exact h.asymm (hmax q hq h1)
  have hBn : (G.filter fun i => !decide (KeyLt i q)).Nodup := hn.sublist List.filter_sublist
  generalize G.filter (fun i => decide (KeyLt i q)) = A at *
  generalize (G.filter fun i => !decide (KeyLt i q)) = B at *
  have h1 := two_pairs_le A
  have h2 := two_pairs_max hBn hkB fun i hi => hmax i (hB i hi).1
  have h3 : (A.map (below G)).sum = (A.map (below A)).sum := sum_map_congr fun r hr => by
    rw [hbsplit]
    have : below B r = 0 := sum_map_eq_zero fun i hi =>
      if_neg fun h => (hB i hi).2 (h.trans (hA r hr))
    omega
  have h4 : (B.map (below G)).sum ≤ B.length * below G q + (B.map (below B)).sum := by
    rw [← sum_map_const, ← sum_map_add]
    refine sum_map_le_sum_map fun r _ => ?_
    have := below_le A r
    have := hbsplit r
    omega
  have hX : below G q ≤ A.length * q.output := by
    rw [hbe]
    exact sum_map_le_mul fun i hi => (hA i hi).output_le
  have hlenB : B.length = (B.erase k).length + 1 := (List.perm_cons_erase hkB).length_eq
  have hsumB := sum_map_erase Request.output hkB
  have hY : (B.erase k).length * q.output ≤ ((B.erase k).map Request.output).sum := by
    rw [← sum_map_const]
    refine sum_map_le_sum_map fun i hi => ?_
    have hi' := (hB i (hBn.mem_erase_iff.1 hi).2)
    rcases Classical.em (i = q) with h | h
    · rw [h]; exact Nat.le_refl _
    · exact ((KeyLt.total (hinj i hi'.1 h)).resolve_left hi'.2).output_le
  have har := pairs_miss_arith hX hY
  rw [← hbe] at hsum h1
  generalize below G q = X at *
  generalize ((B.erase k).map Request.output).sum = Y at *
  generalize (B.erase k).length = h at *
  obtain rfl : R = X + Y := by omega
  rw [hsumB, hlenB] at h2
  rw [hps, h3, hlen, hlenB]
  rw [hlenB] at h4
  have e1 : (h + 1) * (k.output + Y) = (h + 1) * k.output + (h * Y + Y) := by grind
  have e2 : (A.length + (h + 1)) * (X + Y) =
      A.length * X + A.length * Y + h * X + h * Y + X + Y := by grind
  have e3 : (h + 1) * X = h * X + X := Nat.succ_mul ..
  omega

/-- A nonempty list of requests with distinct labels has a largest one. -/
theorem exists_largest : ∀ {l : List Request}, l ≠ [] →
    (∀ p ∈ l, ∀ q ∈ l, p.id = q.id → p = q) → ∃ k ∈ l, ∀ i ∈ l, i ≠ k → KeyLt i k
  | [], h, _ => absurd rfl h
  | [a], _, _ => ⟨a, List.mem_cons_self .., fun i hi hne => absurd (by simpa using hi) hne⟩
  | a :: b :: l, _, hinj => by
    obtain ⟨k, hk, hmax⟩ := exists_largest (l := b :: l) (by simp)
      fun p hp q hq => hinj p (List.mem_cons_of_mem _ hp) q (List.mem_cons_of_mem _ hq)
    have hak : a ≠ k → KeyLt a k ∨ KeyLt k a := fun hne => KeyLt.total fun he =>
      hne (hinj a (List.mem_cons_self ..) k (List.mem_cons_of_mem _ hk) he)
    rcases Classical.em (KeyLt k a) with h | h
    · refine ⟨a, List.mem_cons_self .., fun i hi hne => ?_⟩
      rcases List.mem_cons.1 hi with h1 | h1
      · exact absurd h1 hne
      · rcases Classical.em (i = k) with h2 | h2
        · rw [h2]; exact h
        · exact (hmax i h1 h2).trans h
    · refine ⟨k, List.mem_cons_of_mem _ hk, fun i hi hne => ?_⟩
      rcases List.mem_cons.1 hi with h1 | h1
      · rw [h1] at hne ⊢
        exact (hak hne).resolve_right h
      · exact hmax i h1 hne

/-- Sum of the waiting times before `j`. -/
theorem sum_wait_before {G1 : List Request} (hn : G1.Nodup)
    (hinj : ∀ p ∈ G1, ∀ q ∈ G1, p.id = q.id → p = q) {wait : Request → Nat} {P : Nat}
    (hP : ∀ k ∈ G1, k.output + (G1.map Request.output).sum ≤ P)
    (h : ∀ k ∈ G1, (∀ i ∈ G1, i ≠ k → KeyLt i k) → ∀ q ∈ G1, wait q ≤ k.output + below G1 q) :
    2 * (G1.map wait).sum ≤ G1.length * P := by
  rcases Classical.em (G1 = []) with h0 | h0
  · subst h0; simp
  obtain ⟨k, hk, hmax⟩ := exists_largest h0 hinj
  have h1 := sum_map_le_sum_map (h k hk hmax)
  rw [sum_map_add, sum_map_const] at h1
  have h2 := two_pairs_max hn hk hmax
  have h3 := Nat.mul_le_mul_left G1.length (hP k hk)
  rw [Nat.mul_add] at h3
  omega

end OnlineKvCache
