module

public import OnlineKvCache.TightRatio.LongestFirstWait

public section

/-! # Longest first: the cases of a request that became ready after the largest had started -/

namespace OnlineKvCache

variable {M K u v : Nat} {I : List Request} {S T : Schedule} {dec : Request → Nat}
  {role : Request → Role} {j : Request}

theorem below_append (G H : List Request) (q : Request) :
    below (G ++ H) q = below G q + below H q := by
  unfold below
  rw [List.map_append, List.sum_append_nat]

theorem below_mono {G H : List Request} (hn : G.Nodup) (h : ∀ q ∈ G, q ∈ H) (q : Request) :
    below G q ≤ below H q := sum_map_le_of_subset hn h

theorem readyAfter_nodup (hn : I.Nodup) {ready : Request → Nat} :
    (readyAfter I S ready j).Nodup :=
  (hn.sublist List.erase_sublist).sublist List.filter_sublist

theorem LongSetting.below_beside_le (st : LongSetting M K u v I S T dec role j) (q : Request) :
    below (beside I S role (partReady u v) j) q ≤
      below (readyAfter I S (partReady u v) j ++ leftPart I S dec role (partReady u v) j) q :=
  below_mono ((readyAfter_nodup st.valid.nodup_list).sublist List.filter_sublist)
    (fun _ h => List.mem_append_left _ (mem_beside.1 h).1) q

/-- Nobody in the last group waits for more than the largest request and smaller ones. -/
theorem LongSetting.after_le (st : LongSetting M K u v I S T dec role j) {q : Request}
    (hq : q ∈ readyAfter I S (partReady u v) j) :
    start S q ≤ partReady u v q + j.output +
      below (readyAfter I S (partReady u v) j ++ leftPart I S dec role (partReady u v) j) q := by
  rcases st.after_wait hq with h | ⟨e, he, h1, h2, h3⟩
  · omega
  · have h4 : e.output ≤ j.output := by
      rcases he with h | h
      · rw [h]; exact Nat.le_refl _
      · rcases List.mem_append.1 h with h | h
        · have h5 := st.mem_after.1 h
          exact (st.max e h5.1 h5.2.1).output_le
        · have h5 := st.mem_left.1 h
          exact (st.max e h5.1 h5.2.1).output_le
    unfold completion at h3
    omega

theorem LongSetting.alternatives (st : LongSetting M K u v I S T dec role j) {Q p2 : Nat}
    (hQ : latency T j + ((readyBefore I S (partReady u v) j).map (latency T)).sum + p2 ≤ Q)
    (hp2 : ∀ i ∈ readyAfter I S (partReady u v) j, i.output ≤ p2) (hp2j : p2 ≤ j.output)
    {q : Request} (hq : q ∈ readyAfter I S (partReady u v) j) :
    (q ∈ beside I S role (partReady u v) j ∧ start S q ≤ partReady u v q +
      (((readyBefore I S (partReady u v) j).map Request.output).sum + p2) +
      below (readyAfter I S (partReady u v) j ++ leftPart I S dec role (partReady u v) j) q) ∨
    (q ∉ beside I S role (partReady u v) j ∧ ((∃ w, start S q ≤ partReady u v q + w +
        below (readyAfter I S (partReady u v) j ++ leftPart I S dec role (partReady u v) j) q ∧
      (v * w ≤ u * Q + v * q.output ∨ ∃ m, v * w ≤ v * latency T q + m ∧ m ≤ v * j.output ∧
        m ≤ u * j.output + v * (start S j - partReady u v j))) ∨
    (u + v) * j.output ≤ v * Q + v * below (beside I S role (partReady u v) j) q +
      u * q.output)) := by
  obtain ⟨hqI, hqj, hqr⟩ := st.mem_after.1 hq
  obtain ⟨hb, hds, _⟩ := st.after_facts hq
  have hn := st.valid.nodup_list
  have hT := st.comparator
  have hlt := st.max q hqI hqj
  have hlat : ∀ i ∈ I, i.output ≤ latency T i := fun i hi => output_le_latency hT hi
  have hlo : ((readyBefore I S (partReady u v) j).map Request.output).sum ≤
      ((readyBefore I S (partReady u v) j).map (latency T)).sum :=
    sum_map_le_sum_map fun i hi => hlat i ((mem_readyBefore hn).1 hi).1
  have hlj := hlat j st.mem
  have hqlow := partReady_lower st.pos u q
  have hqup := partReady_upper st.pos u q
  have hjlow := partReady_lower st.pos u j
  have hjup := partReady_upper st.pos u j
  have hqarr := arrival_le_partReady u v q
  have hrj := st.trace.ready_le j st.mem
  have hrelq := hT.release q hqI
  have hrelj := hT.release j st.mem
  have hbb := st.below_beside_le q
  have hjl : latency T j = start T j + j.output - j.arrival := rfl
  have hql : latency T q = start T q + q.output - q.arrival := rfl
  have euv : (u + v) * j.output = u * j.output + v * j.output := Nat.add_mul ..
  rcases Classical.em (q ∈ beside I S role (partReady u v) j) with hbes | hbes
  · -- it ran beside `j`
    obtain ⟨_, hr, hc⟩ := mem_beside.1 hbes
    have hrq := st.trace.ready_le q hqI
    have h1 := (st.trace.fill_min q hqI hr (by omega) hc).1
    have h2 := st.fill_cover hq (y := start S q) (Nat.le_refl _) (fun t h3 h4 => by
      unfold Beneath at h1 ⊢
      omega) hp2
    exact Or.inl ⟨hbes, by omega⟩
  refine Or.inr ⟨hbes, ?_⟩
  rcases st.after_wait hq with h | ⟨e, he, h1, h2, h3⟩
  · exact Or.inl ⟨0, by omega, Or.inl (by simp)⟩
  rcases he with rfl | he
  · -- `j` ran when `q` became ready
    have hvr := Nat.mul_le_mul_left v (show start S e + 1 ≤ partReady u v q by omega)
    have hvj := Nat.mul_le_mul_left v (show partReady u v e ≤ start S e by omega)
    have hce : completion S e = start S e + e.output := rfl
    simp only [Nat.mul_add, Nat.mul_one] at hvr
    rcases Nat.lt_or_ge (start T q) (start T e) with hc1 | hc1
    · -- `T` starts `q` before `j`
      have h4 := Nat.mul_le_mul_left v (show q.arrival + 1 + e.output ≤ Q + e.arrival by omega)
      simp only [Nat.mul_add, Nat.mul_one] at h4
      have h5 : (u + v) * e.output ≤ v * Q + u * q.output := by omega
      refine Or.inl ⟨e.output, by omega, Or.inl ?_⟩
      have h6 := Nat.mul_le_mul_left u h5
      have h7 := Nat.mul_le_mul_right e.output st.golden
      have h8 := Nat.mul_le_mul_right q.output (Nat.mul_le_mul st.le_one st.le_one)
      refine Nat.le_of_mul_le_mul_left (?_ : v * (v * e.output) ≤
        v * (u * Q + v * q.output)) st.pos
      grind
    rcases Nat.lt_or_ge (completion T e) (completion T q) with hc2 | hc2
    · -- `T` ends `q` after `j`
      unfold completion at hc2
      refine Or.inl ⟨completion S e - partReady u v q, by omega, Or.inr
        ⟨min (v * e.output) (u * e.output + v * (start S e - partReady u v e)), ?_,
          Nat.min_le_left .., Nat.min_le_right ..⟩⟩
      have h4 : v * (completion S e - partReady u v q) ≤ v * e.output :=
        Nat.mul_le_mul_left v (by omega)
      have h5 : v * (completion S e - partReady u v q) + v * partReady u v q =
          v * start S e + v * e.output := by
        rw [← Nat.mul_add, ← Nat.mul_add]; congr 1; omega
      have h6 := Nat.mul_le_mul_left v
        (show e.arrival + e.output + 1 ≤ latency T q + partReady u v q by omega)
      simp only [Nat.mul_add, Nat.mul_one] at h6
      have h7 : v * (start S e - partReady u v e) + v * partReady u v e = v * start S e := by
        rw [← Nat.mul_add]; congr 1; omega
      omega
    · -- `T` runs `q` within `j`, and here it never ran beside `j`
      refine Or.inr ?_
      have hfit := nested_fits st.valid hT hqI st.mem hqj hc1 hc2
      have hwin : ∀ t, partReady u v q ≤ t → t < start T q + start S e + 1 - start T e →
          t < completion S e ∧ Beneath M S e q t := fun t h4 h5 => by
        have hqpos := st.valid.output_pos q hqI
        unfold Beneath completion at *
        omega
      have hrq := st.trace.ready_le q hqI
      have hstart : start T q + start S e + 1 - start T e ≤ start S q :=
        Nat.le_of_not_lt fun h4 => by
        have h5 := (hwin (start S q) (by omega) h4).1
        cases hr : role q with
        | filler => exact hbes (mem_beside.2 ⟨hq, hr, h5⟩)
        | block => exact hb hr
        | main => have := st.no_main hqI (Or.inr hr) (by omega); omega
        | long => have := st.no_main hqI (Or.inl hr) (by omega); omega
      have h6 := st.fill_cover hq hstart hwin hp2
      have h7 := Nat.mul_le_mul_left v (show q.arrival + start S e + 1 + e.output ≤
        partReady u v q + Q + e.arrival + below (beside I S role (partReady u v) e) q by omega)
      simp only [Nat.mul_add, Nat.mul_one] at h7
      omega
  · -- another main ran, which started after `j`
    refine Or.inl ⟨e.output, by unfold completion at h3; omega, Or.inl ?_⟩
    have h4 : 2 * e.output ≤ Q := by
      rcases List.mem_append.1 he with h5 | h5
      · have := hp2 e h5; omega
      · have h6 := st.mem_left.1 h5
        have h7 := (st.max e h6.1 h6.2.1).output_le
        have h8 := le_sum_map Request.output ((mem_readyBefore hn).2 ⟨h6.1, h6.2.1, h6.2.2.1⟩ :
          e ∈ readyBefore I S (partReady u v) j)
        omega
    have h5 := Nat.mul_le_mul_left u h4
    have h6 := Nat.mul_le_mul_right e.output st.half_le
    rw [Nat.mul_left_comm] at h5
    rw [Nat.mul_assoc] at h6
    omega

end OnlineKvCache
