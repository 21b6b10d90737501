module

public import OnlineKvCache.TightRatio.LongestFirstYoung
public import OnlineKvCache.Basic.Cover

public section

/-! # Longest first: the largest request starts soon enough -/

namespace OnlineKvCache

variable {M K u v : Nat} {I : List Request} {S T : Schedule} {dec : Request → Nat}
  {role : Request → Role} {j : Request}

/-- A sum over all but one element of a list, which is counted apart. -/
theorem sum_pair_le {α : Type} [DecidableEq α] (f : α → Nat) {l : List α} {a : α} (h : a ∈ l)
    {x y : Nat} (hx : x ≤ f a) (hy : y ≤ ((l.erase a).map f).sum) : x + y ≤ (l.map f).sum := by
  rw [sum_map_erase f h]; omega

/-- The first round in which the track is free and the main is gone, or runs within `j` in `T`: it
comes early enough, or the largest request has started before. -/
theorem LongSetting.delay_start (st : LongSetting M K u v I S T dec role j) {Q : Nat}
    (hQ : latency T j + ((readyBefore I S (partReady u v) j).map (latency T)).sum ≤ Q)
    (hsmall : v * Q < (u + v) * j.output) : ∃ t, partReady u v j ≤ t ∧ t ≤ start S j ∧
      (t < start S j → (∀ e ∈ I, dec e < t → completion S e ≤ t) ∨ ∃ m ∈ I, (role m).IsMain ∧
        start S m < t ∧ t < completion S m ∧ (∀ e ∈ I, dec e < t → e = m ∨ completion S e ≤ t) ∧
        start T j ≤ start T m ∧ completion T m ≤ completion T j) ∧
      (v * j.output ≤ u * Q + v ∨
        u * j.output + v * (t - partReady u v j) ≤ u * Q + v) := by
  have hn := st.valid.nodup_list
  have hT := st.comparator
  have hmem := fun q => @mem_readyBefore I S j hn (partReady u v) q
  have hrj := st.trace.ready_le j st.mem
  have hlat : ∀ q ∈ I, q.output ≤ latency T q := fun q hq => output_le_latency hT hq
  have hpQ : j.output ≤ Q := by have := hlat j st.mem; omega
  have hupQ := Nat.mul_le_mul_left u hpQ
  rcases Classical.em (∀ e ∈ I, dec e < partReady u v j → completion S e ≤ partReady u v j) with
    hidle | hno
  · exact ⟨partReady u v j, Nat.le_refl _, by omega, fun _ => Or.inl hidle, Or.inr (by simp; omega)⟩
  -- a main runs when `j` becomes ready
  obtain ⟨m, hm, hmm, hms, hmc, hlate, hmend⟩ : ∃ m ∈ I, (role m).IsMain ∧
      start S m < partReady u v j ∧ partReady u v j < completion S m ∧
      (∀ m' ∈ I, (role m').IsMain → start S m' < partReady u v j → start S m' ≤ start S m) ∧
      ∀ e ∈ I, dec e < partReady u v j → completion S e ≤ completion S m := by
    obtain ⟨e, he⟩ := Classical.not_forall.1 hno
    obtain ⟨he1, he⟩ := Classical.not_imp.1 he
    obtain ⟨he2, he3⟩ := Classical.not_imp.1 he
    obtain ⟨c, hc, hcm, hcs, hcc, _, hcl⟩ := st.trace.cover _ e he1 he2 (by omega)
    refine ⟨c, hc, hcm, hcs, hcc, hcl, fun f hf hfd => ?_⟩
    rcases Nat.lt_or_ge (partReady u v j) (completion S f) with h1 | h1
    · obtain ⟨d, hd, hdm, hds, hdc, hfd', hdl⟩ := st.trace.cover _ f hf hfd h1
      have h2 := hcl d hd hdm hds
      have h3 := hdl c hc hcm hcs
      rw [st.trace.main_inj c hc d hd hcm hdm (by omega)]
      exact hfd'
    · omega
  have hmr := st.trace.ready_le m hm
  have hmj : m ≠ j := fun h => by rw [h] at hms; omega
  have hmlo : m ∈ readyBefore I S (partReady u v) j := (hmem m).2 ⟨hm, hmj, by omega⟩
  have hmd : dec m < partReady u v j := by omega
  -- while `m` runs and `j` waits, nothing is decided
  have hquiet : ∀ e ∈ I, dec e < completion S m → dec e < start S j → dec e < partReady u v j :=
    fun e he h1 h2 => Nat.lt_of_not_le fun h3 => by
      have := (st.trace.pend e he h3 h2).2 m hm (by omega)
      omega
  have hend : completion S m < start S j →
      ∀ e ∈ I, dec e < completion S m → completion S e ≤ completion S m := fun h1 e he h2 =>
    hmend e he (hquiet e he h2 (by omega))
  have hcm : completion S m = start S m + m.output := rfl
  rcases Classical.em (start T j ≤ start T m ∧ completion T m ≤ completion T j) with hnest | hnest
  · -- `m` runs within `j` in `T`: wait for the fillers only
    obtain ⟨y, hy, hymin⟩ := exists_min (p := fun t => partReady u v j ≤ t ∧
      ∀ e ∈ I, dec e < partReady u v j → e = m ∨ completion S e ≤ t)
      ⟨completion S m, by omega, fun e he h => Or.inr (hmend e he h)⟩
    have hyc : y ≤ completion S m := hymin _ ⟨by omega, fun e he h => Or.inr (hmend e he h)⟩
    refine ⟨min y (start S j), by omega, by omega, fun hlt => ?_, Or.inr ?_⟩
    · have hyj : y < start S j := by omega
      rw [Nat.min_eq_left (Nat.le_of_lt hyj)]
      have hknown : ∀ e ∈ I, dec e < y → e = m ∨ completion S e ≤ y := fun e he h =>
        hy.2 e he (hquiet e he (by omega) (by omega))
      rcases Nat.lt_or_ge y (completion S m) with h1 | h1
      · exact Or.inr ⟨m, hm, hmm, by omega, h1, hknown, hnest⟩
      · refine Or.inl fun e he h2 => ?_
        rcases hknown e he h2 with h3 | h3
        · rw [h3]; exact h1
        · exact h3
    · have hcov : min y (start S j) ≤ partReady u v j +
          (((readyBefore I S (partReady u v) j).erase m).map Request.output).sum := by
        refine cover (b := start S) fun t h1 h2 => ?_
        have hnot : ¬ ∀ e ∈ I, dec e < partReady u v j → e = m ∨ completion S e ≤ t :=
          fun h => by have := hymin t ⟨h1, h⟩; omega
        obtain ⟨e, he⟩ := Classical.not_forall.1 hnot
        obtain ⟨he1, he⟩ := Classical.not_imp.1 he
        obtain ⟨he2, he3⟩ := Classical.not_imp.1 he
        rw [not_or] at he3
        obtain ⟨f, hf, hfm, hfd, hfa⟩ := st.trace.track t m hm hmm (by omega)
          (fun m' hm' hmm' hms' => by
            have h3 := st.trace.ready_le m' hm'
            exact hlate m' hm' hmm' (by
              have h4 := hquiet m' hm' (by omega) (by omega)
              have h5 := st.trace.dec_eq m' hm' (by
                rcases hmm' with h | h <;> rw [h] <;> intro h' <;> cases h')
              omega)) e he1 he3.1 (by omega) (by omega)
        have h3 := hquiet f hf (by omega) (by omega)
        have h4 := st.trace.ready_le f hf
        refine ⟨f, ((readyBefore_nodup hn).mem_erase_iff).2
          ⟨hfm, (hmem f).2 ⟨hf, fun h => ?_, by omega⟩⟩, hfa⟩
        rw [h] at h3; omega
      have h1 := sum_pair_le Request.output hmlo
        (x := min y (start S j) - partReady u v j) (y := min y (start S j) - partReady u v j)
        (by omega) (by omega)
      have h2 : ((readyBefore I S (partReady u v) j).map Request.output).sum ≤
          ((readyBefore I S (partReady u v) j).map (latency T)).sum :=
        sum_map_le_sum_map fun q hq => hlat q ((hmem q).1 hq).1
      have h3 := hlat j st.mem
      have h4 := Nat.mul_le_mul_left u
        (show j.output + 2 * (min y (start S j) - partReady u v j) ≤ Q by omega)
      have h5 := Nat.mul_le_mul_right (min y (start S j) - partReady u v j) st.half_le
      rw [Nat.mul_add, Nat.mul_left_comm] at h4
      rw [Nat.mul_assoc] at h5
      omega
  · -- `m` does not run within `j` in `T`: wait for its end
    have hgood : min (completion S m) (start S j) < start S j →
        (∀ e ∈ I, dec e < min (completion S m) (start S j) →
          completion S e ≤ min (completion S m) (start S j)) := fun hlt => by
      have h1 : completion S m < start S j := by omega
      rw [Nat.min_eq_left (Nat.le_of_lt h1)]
      exact hend h1
    refine ⟨min (completion S m) (start S j), by omega, by omega, fun hlt => Or.inl (hgood hlt), ?_⟩
    have hD : v * (min (completion S m) (start S j) - partReady u v j) ≤
        v * (completion S m - partReady u v j) := Nat.mul_le_mul_left v (by omega)
    have hjlow := partReady_lower st.pos u j
    have hjup := partReady_upper st.pos u j
    have hmup := partReady_upper st.pos u m
    have hmlow := partReady_lower st.pos u m
    have hrelj := hT.release j st.mem
    have hrelm := hT.release m hm
    have hlatsum : ((readyBefore I S (partReady u v) j).map (latency T)).sum =
        latency T m + (((readyBefore I S (partReady u v) j).erase m).map (latency T)).sum :=
      sum_map_erase _ hmlo
    have hjl : latency T j = start T j + j.output - j.arrival := rfl
    have hml : latency T m = start T m + m.output - m.arrival := rfl
    rcases Nat.lt_or_ge (start T m) (start T j) with h1 | h1
    · -- `T` starts `m` first
      have hcov : start S m ≤ partReady u v m +
          (((readyBefore I S (partReady u v) j).erase m).map Request.output).sum := by
        refine cover (b := start S) fun t h2 h3 => ?_
        obtain ⟨e, he, ha, _⟩ := st.trace.busy m hm t h2 h3
        have h4 := st.trace.ready_le e he
        unfold Active at ha
        refine ⟨e, ((readyBefore_nodup hn).mem_erase_iff).2 ⟨fun h => ?_, (hmem e).2
          ⟨he, fun h => ?_, by omega⟩⟩, ha⟩
        · rw [h] at ha; omega
        · rw [h] at ha; omega
      have h2 : (((readyBefore I S (partReady u v) j).erase m).map Request.output).sum ≤
          (((readyBefore I S (partReady u v) j).erase m).map (latency T)).sum :=
        sum_map_le_sum_map fun q hq => hlat q ((hmem q).1 (List.mem_of_mem_erase hq)).1
      have h3 := hlat m hm
      -- the excess `G` of `Q` over `p`
      obtain ⟨G, hG⟩ : ∃ G, Q = j.output + G := ⟨Q - j.output, by omega⟩
      obtain ⟨E, hE⟩ : ∃ E, start S m = partReady u v m + E :=
        ⟨start S m - partReady u v m, by omega⟩
      have h4 : start T j + m.output + E ≤ j.arrival + G := by omega
      have h5 : m.output ≤ G := by omega
      have h6 := Nat.mul_le_mul_left v (show m.arrival + 1 + m.output + E ≤ j.arrival + G by omega)
      have h7 := Nat.mul_le_mul_left u h5
      simp only [Nat.mul_add, Nat.mul_one] at h6
      have h8 : v * (completion S m - partReady u v j) + v * partReady u v j =
          v * partReady u v m + v * E + v * m.output := by
        rw [← Nat.mul_add, ← Nat.mul_add, ← Nat.mul_add]
        congr 1
        omega
      have h9 : (u + v) * j.output = u * j.output + v * j.output := Nat.add_mul ..
      have h10 : v * Q = v * j.output + v * G := by rw [hG, Nat.mul_add]
      have h11 : u * Q = u * j.output + u * G := by rw [hG, Nat.mul_add]
      exact Or.inr (by omega)
    · -- `T` ends `m` after `j`
      have h2 : completion T j < completion T m := Nat.lt_of_not_le fun h => hnest ⟨h1, h⟩
      unfold completion at h2
      have h3 : j.arrival + j.output + 1 ≤ latency T m + m.arrival := by omega
      have h4 := Nat.mul_le_mul_left v h3
      have h5 := Nat.mul_le_mul_left v (show partReady u v m + 1 ≤ partReady u v j by omega)
      simp only [Nat.mul_add, Nat.mul_one] at h4 h5
      have h6 : v * (completion S m - partReady u v j) ≤ v * m.output :=
        Nat.mul_le_mul_left v (by omega)
      have h7 := hlat j st.mem
      rcases delay_arith (p := j.output) (o := m.output) (F := latency T m) (Q := Q) st.pos
        st.le_one st.golden (by omega) (by omega) with h8 | h8
      · exact Or.inl (by omega)
      · exact Or.inr (by omega)

/-- The delay lemma. -/
theorem LongSetting.delay (st : LongSetting M K u v I S T dec role j) {Q : Nat}
    (hQ : latency T j + ((readyBefore I S (partReady u v) j).map (latency T)).sum ≤ Q) {m : Nat}
    (hm1 : m ≤ v * j.output)
    (hm2 : m ≤ u * j.output + v * (start S j - partReady u v j)) :
    (v * (K + 1) - u) * m ≤ (v * (K + 1)) * (u * Q + 2 * v) := by
  have hg : v * (K + 1) - u ≤ v * (K + 1) := Nat.sub_le ..
  have easy : m ≤ u * Q + 2 * v → (v * (K + 1) - u) * m ≤ (v * (K + 1)) * (u * Q + 2 * v) :=
    fun h => Nat.mul_le_mul hg h
  rcases Nat.lt_or_ge (v * Q) ((u + v) * j.output) with hsmall | hbig
  · obtain ⟨t, h1, h2, hgood, h3 | h3⟩ := st.delay_start hQ hsmall
    · exact easy (by omega)
    · rcases Nat.lt_or_ge t (start S j) with h4 | h4
      · have h5 := st.starts_young hQ hsmall h1 h4 (hgood h4)
        have hjup := partReady_upper st.pos u j
        have hjarr := arrival_le_partReady u v j
        have h6 : v * (t - j.arrival) + v * j.arrival = v * (t - partReady u v j) +
            v * partReady u v j := by
          rw [← Nat.mul_add, ← Nat.mul_add]
          congr 1
          omega
        have h7 := Nat.mul_le_mul_left (K + 1)
          (show v * (t - j.arrival) ≤ u * Q + 2 * v by omega)
        have e1 : (K + 1) * (v * (t - j.arrival)) = (v * (K + 1)) * (t - j.arrival) := by grind
        have e2 : (v * (K + 1) - u) * j.output = v * (K + 1) * j.output - u * j.output :=
          Nat.sub_mul ..
        have h8 : (v * (K + 1) - u) * j.output ≤ (K + 1) * (u * Q + 2 * v) := by omega
        have h9 := Nat.mul_le_mul_left (v * (K + 1) - u) hm1
        have h10 := Nat.mul_le_mul_left v h8
        have e3 : (v * (K + 1) - u) * (v * j.output) = v * ((v * (K + 1) - u) * j.output) :=
          Nat.mul_left_comm ..
        have e4 : v * ((K + 1) * (u * Q + 2 * v)) = (v * (K + 1)) * (u * Q + 2 * v) :=
          (Nat.mul_assoc ..).symm
        omega
      · have h5 : t = start S j := by omega
        rw [h5] at h3
        exact easy (by omega)
  · refine easy ?_
    have h1 := Nat.mul_le_mul_left u hbig
    have h2 := Nat.mul_le_mul_right j.output st.golden
    have h3 : v * (v * j.output) ≤ v * (u * Q) := by
      have e1 : v * (v * j.output) = v * v * j.output := (Nat.mul_assoc ..).symm
      have e2 : u * (u + v) * j.output = u * ((u + v) * j.output) := Nat.mul_assoc ..
      have e3 : u * (v * Q) = v * (u * Q) := Nat.mul_left_comm ..
      omega
    have h4 := Nat.le_of_mul_le_mul_left h3 st.pos
    omega

end OnlineKvCache
