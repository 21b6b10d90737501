module

public import OnlineKvCache.TightRatio.LongestFirstDelay
public import OnlineKvCache.TightRatio.Pairs

public section

/-! # Longest first: how long each request waits -/

namespace OnlineKvCache

variable {M K u v : Nat} {I : List Request} {S T : Schedule} {dec : Request → Nat}
  {role : Request → Role} {j : Request}

/-- Nobody waits longer than the sum of all outputs. -/
theorem LongSetting.wait_le (st : LongSetting M K u v I S T dec role j) {q : Request}
    (hq : q ∈ I) : start S q ≤ partReady u v q + (I.map Request.output).sum :=
  cover (b := start S) fun t h1 h2 => by
    obtain ⟨e, he, ha, _⟩ := st.trace.busy q hq t h1 h2
    exact ⟨e, he, ha⟩

/-- Waiting time: the main that ran before, smaller requests of `G`, and charges. -/
theorem LongSetting.wait_split (st : LongSetting M K u v I S T dec role j) {q : Request}
    (hq : q ∈ I) {G : List Request}
    (hG : ∀ e ∈ I, partReady u v q ≤ start S e → KeyLt e q →
      (((role e).IsMain ∧ start S e < dec q) ∨
        (role q = .block ∧ role e = .block ∧ dec e = dec q)) → e ∈ G) :
    start S q ≤ partReady u v q + below G q + charge I S dec role (partReady u v) q ∨
    ∃ e ∈ I, (role e).IsMain ∧ start S e < partReady u v q ∧ partReady u v q < completion S e ∧
      (∀ m ∈ I, (role m).IsMain → start S m < partReady u v q → start S m ≤ start S e) ∧
      start S q ≤ completion S e + below G q + charge I S dec role (partReady u v) q := by
  have hc : ∀ x', partReady u v q ≤ x' → (∀ e ∈ I, (role e).IsMain →
      start S e < partReady u v q →
      (∀ m ∈ I, (role m).IsMain → start S m < partReady u v q → start S m ≤ start S e) →
      completion S e ≤ x') →
      start S q ≤ x' + below G q + charge I S dec role (partReady u v) q := fun x' hx h => by
    have hdec := fun J => Classical.propDecidable (Unfit S dec role (partReady u v) J q)
    have h1 : charge I S dec role (partReady u v) q =
        ((I.filter fun J => decide (Unfit S dec role (partReady u v) J q)).map
          Request.output).sum := by
      rw [← sum_map_ite]
      refine sum_map_congr fun J _ => ?_
      by_cases h : Unfit S dec role (partReady u v) J q <;> simp [h]
    rw [h1, below_eq, Nat.add_assoc, ← List.sum_append_nat, ← List.map_append]
    refine cover (b := start S) fun t h1 h2 => ?_
    obtain ⟨e, he, ha, h3, h4⟩ := st.trace.busy q hq t (by omega) h2
    rcases h3 with ⟨h5, h6, h7⟩ | ⟨h5, h6⟩
    · have := h e he h5 h6 h7
      unfold Active at ha; omega
    · refine ⟨e, List.mem_append.2 ?_, ha⟩
      rcases h6 with h6 | h6
      · exact Or.inl (List.mem_filter.2 ⟨hG e he h5 h6 h4, by simpa using h6⟩)
      · exact Or.inr (List.mem_filter.2 ⟨he, by simpa using h6⟩)
  rcases Classical.em (∃ e ∈ I, (role e).IsMain ∧ start S e < partReady u v q ∧
      partReady u v q < completion S e ∧
      ∀ m ∈ I, (role m).IsMain → start S m < partReady u v q → start S m ≤ start S e) with
    ⟨e, he, h1, h2, h3, h4⟩ | hno
  · refine Or.inr ⟨e, he, h1, h2, h3, h4, hc _ (Nat.le_of_lt h3) fun f hf h5 h6 h7 => ?_⟩
    have h8 := h7 e he h1 h2
    have h9 := h4 f hf h5 h6
    rw [st.trace.main_inj f hf e he h5 h1 (by omega)]
    exact Nat.le_refl _
  · refine Or.inl (hc _ (Nat.le_refl _) fun f hf h5 h6 h7 => Nat.le_of_not_lt fun h8 =>
      hno ⟨f, hf, h5, h6, h8, h7⟩)

/-- All charges together. -/
theorem LongSetting.charges (st : LongSetting M K u v I S T dec role j) :
    (I.map (charge I S dec role (partReady u v))).sum ≤ K * (I.map Request.output).sum := by
  unfold charge
  rw [sum_map_comm, ← sum_map_mul]
  refine sum_map_le_sum_map fun J hJ => ?_
  have hdec := fun q => Classical.propDecidable (Unfit S dec role (partReady u v) J q)
  have h1 : (I.map fun q => if Unfit S dec role (partReady u v) J q then J.output else 0).sum =
      ((I.filter fun q => decide (Unfit S dec role (partReady u v) J q)).map
        fun _ => J.output).sum := by
    rw [← sum_map_ite]
    refine sum_map_congr fun q _ => ?_
    by_cases h : Unfit S dec role (partReady u v) J q <;> simp [h]
  refine Nat.le_trans (Nat.le_of_eq ?_) (Nat.mul_le_mul_right J.output (?_ :
    (I.filter fun q => decide (Unfit S dec role (partReady u v) J q)).length ≤ K))
  · rw [← sum_map_const, ← h1]
    refine sum_map_congr fun q _ => ?_
    by_cases h : Unfit S dec role (partReady u v) J q <;> simp [h]
  · rcases Classical.em (role J = .long) with hr | hr
    · obtain ⟨U, hU, hmem⟩ := st.trace.unfit_count J hJ hr
      refine Nat.le_trans (length_le_of_subset (st.valid.nodup_list.sublist List.filter_sublist)
        fun q hq => ?_) hU
      have h2 := List.mem_filter.1 hq
      exact hmem q h2.1 (by simpa using h2.2)
    · have : I.filter (fun q => decide (Unfit S dec role (partReady u v) J q)) = [] :=
        List.filter_eq_nil_iff.2 fun q _ h => by
          have h2 : Unfit S dec role (partReady u v) J q := by simpa using h
          exact hr h2.1
      rw [this]
      exact Nat.zero_le _

/-! ### The requests that started before the largest one, or in its block -/

theorem LongSetting.mem_early (st : LongSetting M K u v I S T dec role j) {q : Request} :
    q ∈ earlyPart I S dec role (partReady u v) j ↔ q ∈ I ∧ q ≠ j ∧
      partReady u v q ≤ start S j ∧ Early S dec role j q := by
  rw [earlyPart, List.mem_filter, mem_readyBefore st.valid.nodup_list, decide_eq_true_eq]
  exact ⟨fun h => ⟨h.1.1, h.1.2.1, h.1.2.2, h.2⟩, fun h => ⟨⟨h.1, h.2.1, h.2.2.1⟩, h.2.2.2⟩⟩

theorem LongSetting.mem_left (st : LongSetting M K u v I S T dec role j) {q : Request} :
    q ∈ leftPart I S dec role (partReady u v) j ↔ q ∈ I ∧ q ≠ j ∧
      partReady u v q ≤ start S j ∧ ¬ Early S dec role j q := by
  rw [leftPart, List.mem_filter, mem_readyBefore st.valid.nodup_list, Bool.not_eq_true',
    decide_eq_false_iff_not]
  exact ⟨fun h => ⟨h.1.1, h.1.2.1, h.1.2.2, h.2⟩, fun h => ⟨⟨h.1, h.2.1, h.2.2.1⟩, h.2.2.2⟩⟩

theorem LongSetting.mem_after (st : LongSetting M K u v I S T dec role j) {q : Request} :
    q ∈ readyAfter I S (partReady u v) j ↔ q ∈ I ∧ q ≠ j ∧ start S j < partReady u v q := by
  rw [readyAfter, List.mem_filter, st.valid.nodup_list.mem_erase_iff, Bool.not_eq_true',
    decide_eq_false_iff_not, Nat.not_le]
  exact ⟨fun h => ⟨h.1.2, h.1.1, h.2⟩, fun h => ⟨⟨h.2.1, h.1⟩, h.2.2⟩⟩

theorem LongSetting.main_dec (st : LongSetting M K u v I S T dec role j) {e : Request} (he : e ∈ I)
    (hm : (role e).IsMain) : start S e = dec e := st.trace.dec_eq e he fun h => by
  rcases hm with h' | h' <;> rw [h] at h' <;> cases h'

theorem LongSetting.left_length (st : LongSetting M K u v I S T dec role j) :
    (leftPart I S dec role (partReady u v) j).length ≤ K := by
  obtain ⟨U, hU, hmem⟩ := st.trace.unfit_count j st.mem st.trace.long_j
  refine Nat.le_trans (length_le_of_subset ((readyBefore_nodup st.valid.nodup_list).sublist
    List.filter_sublist) fun q hq => ?_) hU
  obtain ⟨h1, h2, h3, h4⟩ := st.mem_left.1 hq
  unfold Early at h4
  rw [not_or] at h4
  exact hmem q h1 ⟨st.trace.long_j, h2, h3, by omega, h4.2⟩

theorem LongSetting.early_wait (st : LongSetting M K u v I S T dec role j) {P : Nat}
    (hP : P = (I.map Request.output).sum) :
    2 * ((earlyPart I S dec role (partReady u v) j).map
        fun q => start S q - partReady u v q).sum ≤
      (earlyPart I S dec role (partReady u v) j).length * P + 2 * (K * P) := by
  have hnd : (earlyPart I S dec role (partReady u v) j).Nodup :=
    (readyBefore_nodup st.valid.nodup_list).sublist List.filter_sublist
  have hsub : ∀ q ∈ earlyPart I S dec role (partReady u v) j, q ∈ I.erase j := fun q hq => by
    have h := st.mem_early.1 hq
    exact st.valid.nodup_list.mem_erase_iff.2 ⟨h.2.1, h.1⟩
  have hsum := sum_map_le_of_subset (f := Request.output) hnd hsub
  have hPj := sum_map_erase Request.output st.mem
  have h1 : 2 * ((earlyPart I S dec role (partReady u v) j).map fun q =>
      start S q - partReady u v q - charge I S dec role (partReady u v) q).sum ≤
      (earlyPart I S dec role (partReady u v) j).length * P := by
    refine sum_wait_before hnd (fun p hp q hq =>
      st.valid.inj (st.mem_early.1 hp).1 (st.mem_early.1 hq).1) (fun k hk => ?_)
      fun k hk hkmax q hq => ?_
    · have h := st.mem_early.1 hk
      have := (st.max k h.1 h.2.1).output_le
      omega
    · obtain ⟨hqI, hqj, hqr, hqe⟩ := st.mem_early.1 hq
      have hle : ∀ m ∈ earlyPart I S dec role (partReady u v) j, m.output ≤ k.output :=
        fun m hm => by
          rcases Classical.em (m = k) with h | h
          · rw [h]; exact Nat.le_refl _
          · exact (hkmax m hm h).output_le
      have hmem : ∀ e ∈ I, dec e < start S j → e ∈ earlyPart I S dec role (partReady u v) j :=
        fun e he h => by
          have h2 := st.trace.ready_le e he
          have h3 := st.main_dec st.mem (Or.inl st.trace.long_j)
          refine st.mem_early.2 ⟨he, fun h4 => ?_, by omega, Or.inl h⟩
          rw [h4] at h; omega
      have hG : ∀ e ∈ I, partReady u v q ≤ start S e → KeyLt e q →
          (((role e).IsMain ∧ start S e < dec q) ∨
            (role q = .block ∧ role e = .block ∧ dec e = dec q)) →
          e ∈ earlyPart I S dec role (partReady u v) j := fun e he h2 _ h3 => by
        have hqd : dec q ≤ start S j := by
          rcases hqe with h | h
          · exact Nat.le_of_lt h
          · exact Nat.le_of_eq h.2
        rcases h3 with ⟨h3, h4⟩ | ⟨h3, h4, h5⟩
        · have h6 := st.main_dec he h3
          exact hmem e he (by omega)
        · have h6 := st.trace.ready_le e he
          refine st.mem_early.2 ⟨he, fun h => ?_, by omega, ?_⟩
          · rw [h, st.trace.long_j] at h4; cases h4
          · unfold Early at hqe ⊢
            rw [h5]
            rcases hqe with h7 | h7
            · exact Or.inl h7
            · exact Or.inr ⟨h4, h7.2⟩
      rcases st.wait_split hqI hG with h | ⟨e, he, h2, h3, h4, _, h5⟩
      · omega
      · have h6 := st.main_dec he h2
        have := hle e (hmem e he (by omega))
        unfold completion at h5
        omega
  have h2 := sum_map_le_of_subset (f := charge I S dec role (partReady u v)) hnd fun q hq =>
    (st.mem_early.1 hq).1
  have h3 := st.charges
  have h4 : ((earlyPart I S dec role (partReady u v) j).map
      fun q => start S q - partReady u v q).sum ≤
      ((earlyPart I S dec role (partReady u v) j).map fun q =>
        start S q - partReady u v q - charge I S dec role (partReady u v) q +
          charge I S dec role (partReady u v) q).sum := sum_map_le_sum_map fun q _ => by omega
  rw [sum_map_add] at h4
  rw [← hP] at h3
  omega

/-! ### The requests that became ready after the largest one had started -/

theorem LongSetting.after_facts (st : LongSetting M K u v I S T dec role j) {q : Request}
    (hq : q ∈ readyAfter I S (partReady u v) j) : role q ≠ .block ∧ start S q = dec q ∧
      charge I S dec role (partReady u v) q = 0 := by
  obtain ⟨hqI, hqj, hqr⟩ := st.mem_after.1 hq
  have h1 := st.trace.ready_le q hqI
  have h2 := st.trace.ready_le j st.mem
  have h3 := arrival_le_partReady u v j
  have hlong : ∀ J ∈ I, role J = .long → start S J ≤ start S j := fun J hJ hr => by
    rcases st.trace.long_lt J hJ hr with h | h
    · rw [h]; exact Nat.le_refl _
    · omega
  have hb : role q ≠ .block := fun h => by
    obtain ⟨J, hJ, hr, hs⟩ := st.trace.block_long q hqI h
    have := hlong J hJ hr
    omega
  refine ⟨hb, st.trace.dec_eq q hqI hb, sum_map_eq_zero fun J hJ => if_neg fun hu => ?_⟩
  have := hlong J hJ hu.1
  have := hu.2.2.1
  omega

/-- A request that is decided after `j` has started is in one of the last two groups. -/
theorem LongSetting.mem_of_late (st : LongSetting M K u v I S T dec role j) {e : Request}
    (he : e ∈ I) (hm : (role e).IsMain) (h : start S j < start S e) :
    e ∈ readyAfter I S (partReady u v) j ++ leftPart I S dec role (partReady u v) j := by
  have h1 := st.main_dec he hm
  have hne : e ≠ j := fun h2 => by rw [h2] at h; omega
  rw [List.mem_append]
  rcases Nat.lt_or_ge (start S j) (partReady u v e) with h2 | h2
  · exact Or.inl (st.mem_after.2 ⟨he, hne, h2⟩)
  · refine Or.inr (st.mem_left.2 ⟨he, hne, h2, ?_⟩)
    unfold Early
    omega

/-- The main that ran when `q` became ready, and smaller requests. -/
theorem LongSetting.after_wait (st : LongSetting M K u v I S T dec role j) {q : Request}
    (hq : q ∈ readyAfter I S (partReady u v) j) :
    start S q ≤ partReady u v q +
      below (readyAfter I S (partReady u v) j ++ leftPart I S dec role (partReady u v) j) q ∨
    ∃ e, (e = j ∨ e ∈ readyAfter I S (partReady u v) j ++
        leftPart I S dec role (partReady u v) j) ∧
      start S e < partReady u v q ∧ partReady u v q < completion S e ∧
      start S q ≤ completion S e +
        below (readyAfter I S (partReady u v) j ++ leftPart I S dec role (partReady u v) j) q := by
  obtain ⟨hqI, hqj, hqr⟩ := st.mem_after.1 hq
  obtain ⟨hb, hds, hch⟩ := st.after_facts hq
  have h := st.wait_split hqI
    (G := readyAfter I S (partReady u v) j ++ leftPart I S dec role (partReady u v) j)
    fun e he h1 _ h2 => by
      rcases h2 with ⟨h2, _⟩ | ⟨h2, _⟩
      · exact st.mem_of_late he h2 (by omega)
      · exact absurd h2 hb
  rw [hch] at h
  rcases h with h | ⟨e, he, h1, h2, h3, h4, h5⟩
  · exact Or.inl (by omega)
  · refine Or.inr ⟨e, ?_, h2, h3, by omega⟩
    have h6 := h4 j st.mem (Or.inl st.trace.long_j) hqr
    rcases Nat.lt_or_ge (start S j) (start S e) with h7 | h7
    · exact Or.inr (st.mem_of_late he h1 h7)
    · exact Or.inl (st.trace.main_inj e he j st.mem h1 (Or.inl st.trace.long_j) (by omega))

/-- While `j` runs, no other main starts. -/
theorem LongSetting.no_main (st : LongSetting M K u v I S T dec role j) {e : Request} (he : e ∈ I)
    (hm : (role e).IsMain) (h1 : start S j < start S e) : completion S j ≤ start S e := by
  have h2 := st.trace.ready_le j st.mem
  have h3 := arrival_le_partReady u v j
  rcases st.trace.mains j st.mem e he (Or.inl st.trace.long_j) hm h1 with h | h
  · exact h
  · rcases st.trace.long_lt e he h with h4 | h4
    · rw [h4] at h1; omega
    · omega

theorem mem_beside {q : Request} :
    q ∈ beside I S role (partReady u v) j ↔ q ∈ readyAfter I S (partReady u v) j ∧
      role q = .filler ∧ start S q < completion S j := by
  rw [beside, List.mem_filter, decide_eq_true_eq]

/-- While `q` waits and would fit beneath `j`, the track is held by what was there when `j` started,
one filler that was running when `q` became ready, and smaller fillers. -/
theorem LongSetting.fill_cover (st : LongSetting M K u v I S T dec role j) {q : Request}
    (hq : q ∈ readyAfter I S (partReady u v) j) {y p2 : Nat} (hy : y ≤ start S q)
    (hfit : ∀ t, partReady u v q ≤ t → t < y → t < completion S j ∧ Beneath M S j q t)
    (hp2 : ∀ i ∈ readyAfter I S (partReady u v) j, i.output ≤ p2) :
    y ≤ partReady u v q + p2 + ((readyBefore I S (partReady u v) j).map Request.output).sum +
      below (beside I S role (partReady u v) j) q := by
  obtain ⟨hqI, hqj, hqr⟩ := st.mem_after.1 hq
  obtain ⟨hb, hds, _⟩ := st.after_facts hq
  have hlt := st.max q hqI hqj
  have hn := st.valid.nodup_list
  -- what can hold the track
  have hclass : ∀ t, partReady u v q ≤ t → t < y → ∃ f ∈ I, Active S f t ∧
      (f ∈ readyBefore I S (partReady u v) j ∨ (f ∈ beside I S role (partReady u v) j ∧
        (start S f < partReady u v q ∨ KeyLt f q))) := fun t h1 h2 => by
    obtain ⟨h3, h4⟩ := hfit t h1 h2
    obtain ⟨f, hf, hfj, hfd, hfa⟩ := st.trace.fill_busy q hqI t (by omega) h3 h1 (by omega) hlt h4
    refine ⟨f, hf, hfa, ?_⟩
    rcases Nat.lt_or_ge (start S j) (partReady u v f) with h5 | h5
    · have hf2 := st.mem_after.2 ⟨hf, hfj, h5⟩
      have h6 := (st.after_facts hf2)
      have h7 := st.trace.ready_le f hf
      have hfr : role f = .filler := by
        unfold Active at hfa
        cases hr : role f with
        | filler => rfl
        | block => exact absurd hr h6.1
        | main => have := st.no_main hf (Or.inr hr) (by omega); omega
        | long => have := st.no_main hf (Or.inl hr) (by omega); omega
      unfold Active at hfa
      refine Or.inr ⟨mem_beside.2 ⟨hf2, hfr, by omega⟩, ?_⟩
      rcases Nat.lt_or_ge (start S f) (partReady u v q) with h8 | h8
      · exact Or.inl h8
      · refine Or.inr ((st.trace.fill_min f hf hfr (by omega) (by omega)).2 q hqI h8 (by omega) hlt
          ?_)
        unfold Beneath at h4 ⊢
        omega
    · exact Or.inl ((mem_readyBefore hn).2 ⟨hf, hfj, h5⟩)
  have hcov : ∀ x', partReady u v q ≤ x' → (∀ f ∈ beside I S role (partReady u v) j,
      start S f < partReady u v q → completion S f ≤ x') →
      y ≤ x' + (((readyBefore I S (partReady u v) j).map Request.output).sum +
        below (beside I S role (partReady u v) j) q) := fun x' hx h => by
    rw [below_eq, ← List.sum_append_nat, ← List.map_append]
    refine cover (b := start S) fun t h1 h2 => ?_
    obtain ⟨f, hf, hfa, h3⟩ := hclass t (by omega) h2
    refine ⟨f, List.mem_append.2 ?_, hfa⟩
    rcases h3 with h3 | ⟨h3, h4 | h4⟩
    · exact Or.inl h3
    · have := h f h3 h4
      unfold Active at hfa; omega
    · exact Or.inr (List.mem_filter.2 ⟨h3, by simpa using h4⟩)
  rcases Classical.em (∃ f ∈ beside I S role (partReady u v) j, start S f < partReady u v q ∧
      partReady u v q < completion S f) with ⟨f, hf, h1, h2⟩ | hno
  · have h3 := hcov (completion S f) (Nat.le_of_lt h2) fun g hg h4 => by
      rcases Nat.lt_or_ge (partReady u v q) (completion S g) with h5 | h5
      · have hg' := mem_beside.1 hg
        have hf' := mem_beside.1 hf
        rw [st.trace.fill_unique g (st.mem_after.1 hg'.1).1 f (st.mem_after.1 hf'.1).1 hg'.2.1
          hf'.2.1 (partReady u v q) ⟨Nat.le_of_lt h4, h5⟩ ⟨Nat.le_of_lt h1, h2⟩]
        exact Nat.le_refl _
      · omega
    have h4 := hp2 f (mem_beside.1 hf).1
    have h5 : completion S f = start S f + f.output := rfl
    omega
  · have h3 := hcov _ (Nat.le_refl _) fun f hf h1 => Nat.le_of_not_lt fun h2 => hno ⟨f, hf, h1, h2⟩
    omega

end OnlineKvCache
