module

public import OnlineKvCache.TightRatio.Pairs
public import OnlineKvCache.TightRatio.MainFillerTrace

public section

/-! # Main and filler with half delay: `3 * TEL ≤ (2n + 9) * OPT`

Throughout, `S` is the schedule of the rule and `T` any feasible schedule (optimality is never
used). `j` is the request with the largest output; `G1` started before it, `G2` after it. -/

namespace OnlineKvCache

variable {M : Nat} {I : List Request} {S T : Schedule} {main : Request → Prop}

/-- Requests of one role run one at a time in `[x, y)`, and those that start in it are smaller than
`q`: then `y` is bounded by their sum, up to the one that runs when the interval begins. -/
theorem chain {role : Request → Prop} {x y : Nat} {q : Request} {G : List Request}
    (cov : ∀ t, x ≤ t → t < y → ∃ e ∈ I, role e ∧ Active S e t)
    (uniq : ∀ e ∈ I, ∀ f ∈ I, role e → role f → ∀ t, Active S e t → Active S f t → e = f)
    (hG : ∀ e ∈ I, role e → x ≤ start S e → start S e < y → e ∈ G ∧ KeyLt e q) :
    y ≤ x + below G q ∨ ∃ e ∈ I, role e ∧ start S e < x ∧ x < completion S e ∧
      y ≤ completion S e + below G q := by
  have hc : ∀ x', x ≤ x' → (∀ e ∈ I, role e → start S e < x → completion S e ≤ x') →
      y ≤ x' + below G q := fun x' hx h => by
    rw [below_eq]
    refine cover (b := start S) fun t h1 h2 => ?_
    obtain ⟨e, he, hr, ha⟩ := cov t (by omega) h2
    unfold Active at ha
    rcases Nat.lt_or_ge (start S e) x with h3 | h3
    · have := h e he hr h3; omega
    · have h4 := hG e he hr h3 (by omega)
      exact ⟨e, List.mem_filter.2 ⟨h4.1, by simpa using h4.2⟩, ha⟩
  rcases Classical.em (∃ e ∈ I, role e ∧ start S e < x ∧ x < completion S e) with
    ⟨e, he, hr, h1, h2⟩ | hno
  · refine Or.inr ⟨e, he, hr, h1, h2, hc _ (Nat.le_of_lt h2) fun f hf hrf h3 => ?_⟩
    rcases Nat.lt_or_ge x (completion S f) with h4 | h4
    · rw [uniq f hf e he hrf hr x ⟨Nat.le_of_lt h3, h4⟩ ⟨Nat.le_of_lt h1, h2⟩]
      exact Nat.le_refl _
    · omega
  · refine Or.inl (hc x (Nat.le_refl x) fun f hf hrf h3 => Nat.le_of_not_lt fun h4 =>
      hno ⟨f, hf, hrf, h3, h4⟩)

section Uniq

variable {ready : Request → Nat}

theorem Trace.main_unique (tr : Trace M ready I S main) : ∀ e ∈ I, ∀ f ∈ I, main e → main f →
    ∀ t, Active S e t → Active S f t → e = f :=
  fun p hp q hq hmp hmq t ha hb => Classical.byContradiction fun hne => by
    have := tr.main_apart p hp q hq hmp hmq hne
    unfold Active at *; omega

theorem Trace.filler_unique (tr : Trace M ready I S main) : ∀ e ∈ I, ∀ f ∈ I, ¬ main e →
    ¬ main f → ∀ t, Active S e t → Active S f t → e = f :=
  fun p hp q hq hmp hmq t ha hb => Classical.byContradiction fun hne => by
    have := tr.filler_apart p hp q hq hmp hmq hne
    unfold Active at *; omega

/-- The mains while `q` waits. -/
theorem Trace.chain_main (tr : Trace M ready I S main) {q : Request} (hq : q ∈ I)
    {G : List Request} (hG : ∀ e ∈ I, ready q ≤ start S e → start S e < start S q → e ∈ G) :
    start S q ≤ ready q + below G q ∨ ∃ e ∈ I, main e ∧ start S e < ready q ∧
      ready q < completion S e ∧ start S q ≤ completion S e + below G q := by
  refine chain (role := main) (fun t h1 h2 => tr.busy q hq t h1 h2) tr.main_unique
    fun e he hr h1 h2 => ⟨hG e he h1 h2, ?_⟩
  refine tr.main_first e he q hq hr (fun h => ?_) h1 (Nat.le_of_lt h2)
  rw [h] at h2
  exact Nat.lt_irrefl _ h2

/-- The fillers while `q` waits and would fit under `j`. -/
theorem Trace.chain_filler (tr : Trace M ready I S main) (hv : Valid M I) {q j : Request}
    (hq : q ∈ I) (hj : j ∈ I) (hmj : main j) (hlt : KeyLt q j) {y : Nat} (hy : y ≤ start S q)
    (hfit : ∀ t, ready q ≤ t → t < y → Active S j t ∧ t + q.output ≤ completion S j ∧
      j.prompt + (t - start S j + q.output) + q.peak ≤ M)
    {G : List Request} (hG : ∀ e ∈ I, ready q ≤ start S e → start S e < y → e ≠ j → e ∈ G) :
    y ≤ ready q + below G q ∨ ∃ e ∈ I, ¬ main e ∧ start S e < ready q ∧
      ready q < completion S e ∧ y ≤ completion S e + below G q := by
  refine chain (role := fun e => ¬ main e) (fun t h1 h2 => ?_) tr.filler_unique
    fun e he hr h1 h2 => ⟨hG e he h1 h2 fun h => hr (h ▸ hmj), ?_⟩
  · obtain ⟨ha, h3, h4⟩ := hfit t h1 h2
    obtain ⟨f, hf, hnf, hfa, _⟩ := tr.filler q hq j hj t hmj h1 (by omega) ha hlt h3 h4
    exact ⟨f, hf, hnf, hfa⟩
  · obtain ⟨ha, h3, h4⟩ := hfit _ h1 h2
    obtain ⟨f, hf, hnf, hfa, hst⟩ := tr.filler q hq j hj _ hmj h1 (by omega) ha hlt h3 h4
    have hpos := hv.output_pos e he
    obtain rfl := tr.filler_unique f hf e he hnf hr _ hfa
      ⟨Nat.le_refl _, by unfold completion; omega⟩
    exact hst rfl

end Uniq

/-- The largest request runs as main. -/
theorem Trace.largest_main {ready : Request → Nat} (tr : Trace M ready I S main) {j : Request}
    (hj : j ∈ I) (hmax : ∀ i ∈ I, i ≠ j → KeyLt i j) : main j :=
  Classical.byContradiction fun hn => by
    obtain ⟨m, hm, _, _, _, hlt, _⟩ := tr.host j hj hn
    rcases Classical.em (m = j) with h | h
    · rw [h] at hlt; exact hlt.asymm hlt
    · exact hlt.asymm (hmax m hm h)

/-- What each request that starts after `j` satisfies: its waiting time beyond the smaller ones of
`G2` is small (first case), or `j` has been short of room (second case). -/
theorem alternatives (hv : Valid M I) (tr : Trace M halfReady I S main) (hT : Feasible M I T)
    {j : Request} (hj : j ∈ I) (hmax : ∀ i ∈ I, i ≠ j → KeyLt i j) {G2 : List Request}
    (hG2 : ∀ q, q ∈ G2 ↔ q ∈ I ∧ q ≠ j ∧ start S j ≤ start S q) {p2 R S1 C : Nat}
    (hp2 : ∀ q ∈ G2, q.output ≤ p2) (hp2j : p2 ≤ j.output)
    (hwj : start S j ≤ halfReady j + S1) (hP : j.output + S1 + p2 + R ≤ C)
    (hF : latency T j + S1 + p2 + R ≤ C) {q : Request} (hq : q ∈ G2) :
    (∃ w, start S q ≤ halfReady q + w + below G2 q ∧
      3 * w + 2 * R ≤ 2 * C + 2 * latency T q + q.output) ∨
    (start S q ≤ halfReady q + j.output + below G2 q ∧
      3 * j.output + 2 * R ≤ 2 * C + 2 * below G2 q + q.output) := by
  obtain ⟨hqI, hqj, hjq⟩ := (hG2 q).1 hq
  have hmj := tr.largest_main hj hmax
  have hlt := hmax q hqI hqj
  have hjpos := hv.output_pos j hj
  have hqpos := hv.output_pos q hqI
  -- `q` was not ready when `j` started
  have hrq : start S j < halfReady q := Nat.lt_of_not_le fun h =>
    (tr.main_first j hj q hqI hmj (Ne.symm hqj) h hjq).asymm hlt
  have hrj := tr.ready_le j hj
  have hrelq := hT.release q hqI
  have hrelj := hT.release j hj
  rcases tr.chain_main hqI (G := G2) (fun e he h1 h2 => (hG2 e).2 ⟨he, fun h => by
      subst h; omega, by omega⟩) with h | ⟨m, hm, hmm, h1, h2, h3⟩
  · exact Or.inl ⟨0, by omega, by omega⟩
  rcases Classical.em (m = j) with hmj' | hne
  · subst hmj'
    rcases Nat.lt_or_ge (start T q) (start T m) with hc1 | hc1
    · -- the comparator starts `q` before `j`
      refine Or.inl ⟨m.output, ?_, ?_⟩
      · unfold completion at h3; omega
      · unfold latency completion at hF
        unfold halfReady at hrq hrj
        omega
    rcases Nat.lt_or_ge (completion T m) (completion T q) with hc2 | hc2
    · -- the comparator ends `q` after `j`
      refine Or.inl ⟨completion S m - halfReady q, by omega, ?_⟩
      unfold latency at hF ⊢
      unfold completion at *
      unfold halfReady at hrq hrj hwj ⊢
      omega
    · -- the comparator runs `q` within `j`, so `q` fits under `j` for a while
      have hfitT : m.prompt + (completion T q - start T m) + q.peak ≤ M := by
        have := hT.pair (t := completion T q - 1) hj hqI (Ne.symm hqj)
          ⟨by unfold completion; omega, by unfold completion at *; omega⟩
          ⟨by unfold completion; omega, by unfold completion; omega⟩
        unfold Request.peak completion at *
        omega
      have hfit : ∀ t, halfReady q ≤ t → t + start T m ≤ start T q + start S m →
          Active S m t ∧ t + q.output ≤ completion S m ∧
            m.prompt + (t - start S m + q.output) + q.peak ≤ M := fun t h4 h5 => by
        unfold Active completion at *
        refine ⟨⟨by omega, by omega⟩, by omega, by omega⟩
      -- fillers in progress when `q` became ready started after `j`
      have hprog : ∀ f ∈ I, ¬ main f → start S f < halfReady q → halfReady q < completion S f →
          f.output ≤ p2 := fun f hf hnf h4 h5 => by
        obtain ⟨m', hm', hmm', h6, h7, _⟩ := tr.host f hf hnf
        obtain rfl := tr.main_unique m' hm' m hm hmm' hmm (halfReady q)
          ⟨by omega, by omega⟩ ⟨by omega, h2⟩
        exact hp2 f ((hG2 f).2 ⟨hf, fun h => hnf (h ▸ hmm), h6⟩)
      have hG : ∀ y, ∀ e ∈ I, halfReady q ≤ start S e → start S e < y → e ≠ m → e ∈ G2 :=
        fun y e he h4 _ h6 => (hG2 e).2 ⟨he, h6, by omega⟩
      rcases Nat.lt_or_ge (start T q + start S m) (start S q + start T m) with hmiss | hhit
      · -- it never found a free round of the window
        refine Or.inr ⟨by unfold completion at h3; omega, ?_⟩
        have hwin : start T q + start S m + 1 ≤
            start T m + halfReady q + p2 + below G2 q := by
          rcases tr.chain_filler hv hqI hj hmm hlt
              (y := start T q + start S m + 1 - start T m) (by omega)
              (fun t h4 h5 => hfit t h4 (by omega)) (hG _) with h | ⟨f, hf, hnf, h4, h5, h6⟩
          · omega
          · have := hprog f hf hnf h4 h5
            unfold completion at h6
            omega
        unfold latency completion at hF
        unfold halfReady at hwin hrj
        omega
      · -- it started in the window
        refine Or.inl ⟨p2, ?_, by omega⟩
        rcases tr.chain_filler hv hqI hj hmm hlt (y := start S q) (Nat.le_refl _)
            (fun t h4 h5 => hfit t h4 (by omega)) (hG _) with h | ⟨f, hf, hnf, h4, h5, h6⟩
        · omega
        · have := hprog f hf hnf h4 h5
          unfold completion at h6
          omega
  · -- another main ran, which started after `j`
    have hm2 : m ∈ G2 := by
      refine (hG2 m).2 ⟨hm, hne, ?_⟩
      have := tr.main_apart m hm j hj hmm hmj hne
      unfold completion at *
      omega
    have := hp2 m hm2
    refine Or.inl ⟨p2, ?_, by omega⟩
    unfold completion at h3
    omega

/-- Sum of the waiting times after `j`. -/
theorem sum_wait_after {G2 : List Request} (hn : G2.Nodup)
    (hinj : ∀ p ∈ G2, ∀ q ∈ G2, p.id = q.id → p = q) {wait lat : Request → Nat} {p C : Nat}
    (halt : ∀ k ∈ G2, (∀ i ∈ G2, i ≠ k → KeyLt i k) → ∀ R,
      k.output + R = (G2.map Request.output).sum → ∀ q ∈ G2,
      (∃ w, wait q ≤ w + below G2 q ∧ 3 * w + 2 * R ≤ 2 * C + 2 * lat q + q.output) ∨
      (wait q ≤ p + below G2 q ∧ 3 * p + 2 * R ≤ 2 * C + 2 * below G2 q + q.output)) :
    6 * (G2.map wait).sum ≤
      4 * (G2.length * C) + 4 * (G2.map lat).sum + 5 * (G2.map Request.output).sum := by
  rcases Classical.em (G2 = []) with h0 | h0
  · subst h0; simp
  obtain ⟨k, hk, hmax⟩ := exists_largest h0 hinj
  obtain ⟨R, hR⟩ : ∃ R, k.output + R = (G2.map Request.output).sum :=
    ⟨_, Nat.add_sub_cancel' (le_sum_map Request.output hk)⟩
  have ha := halt k hk hmax R hR
  have hbelow := below_le G2
  -- the requests that are only in the second case; `q0` is the smallest of them
  have hdec := fun q => Classical.propDecidable (∃ w, wait q ≤ w + below G2 q ∧
    3 * w + 2 * R ≤ 2 * C + 2 * lat q + q.output)
  cases hm : smallest (G2.filter fun q => !decide (∃ w, wait q ≤ w + below G2 q ∧
      3 * w + 2 * R ≤ 2 * C + 2 * lat q + q.output)) with
  | none =>
    have hno := smallest_none hm
    have h1 : ((G2.map fun q => 3 * wait q + 2 * R)).sum ≤ (G2.map fun q =>
        (3 * below G2 q + 2 * C) + (2 * lat q + q.output)).sum := sum_map_le_sum_map fun q hq => by
      obtain ⟨w, h1, h2⟩ : ∃ w, wait q ≤ w + below G2 q ∧
          3 * w + 2 * R ≤ 2 * C + 2 * lat q + q.output := Classical.byContradiction fun h => by
        have : q ∈ G2.filter fun q => !decide (∃ w, wait q ≤ w + below G2 q ∧
            3 * w + 2 * R ≤ 2 * C + 2 * lat q + q.output) :=
          List.mem_filter.2 ⟨hq, by simpa using h⟩
        rw [hno] at this
        cases this
      omega
    simp only [sum_map_add, sum_map_mul, sum_map_const] at h1
    have h2 := two_pairs_max hn hk hmax
    have e1 : G2.length * (G2.map Request.output).sum =
        G2.length * k.output + G2.length * R := by rw [← hR, Nat.mul_add]
    omega
  | some q0 =>
    have hs := smallest_some hm
    have hq0 := List.mem_filter.1 hs.1
    have hq0' : 3 * p + 2 * R ≤ 2 * C + 2 * below G2 q0 + q0.output := by
      rcases ha q0 hq0.1 with h | h
      · exact absurd h (by simpa using hq0.2)
      · exact h.2
    have h1 : ((G2.map fun q => 3 * wait q + 2 * R)).sum ≤ (G2.map fun q =>
        (3 * below G2 q + 2 * C) + (2 * lat q + q.output) +
          if !decide (KeyLt q q0) then 2 * below G2 q0 else 0).sum :=
        sum_map_le_sum_map fun q hq => by
      rcases Classical.em (∃ w, wait q ≤ w + below G2 q ∧
          3 * w + 2 * R ≤ 2 * C + 2 * lat q + q.output) with ⟨w, h1, h2⟩ | h
      · omega
      · have h2 := ((ha q hq).resolve_left h).1
        have h3 := hs.2 q (List.mem_filter.2 ⟨hq, by simpa using h⟩)
        have h4 : q0.output ≤ q.output := by
          rcases Classical.em (q0 = q) with h5 | h5
          · rw [h5]; exact Nat.le_refl _
          · exact ((KeyLt.total fun he => h5 (hinj _ hq0.1 _ hq he)).resolve_right h3).output_le
        simp only [h3, decide_false, Bool.not_false, if_true]
        omega
    rw [sum_map_add _ (fun q => if !decide (KeyLt q q0) then 2 * below G2 q0 else 0),
      sum_map_ite (fun q => !decide (KeyLt q q0))] at h1
    simp only [sum_map_add, sum_map_mul, sum_map_const] at h1
    have h2 := six_pairs_miss hn hk hmax hq0.1 (fun i hi hne he => hne (hinj _ hi _ hq0.1 he)) hR
    have h3 := hbelow q0
    omega

/-- The bound, for any schedule with the properties of the rule and any feasible schedule. -/
theorem half_delay_upper (hv : Valid M I) (tr : Trace M halfReady I S main)
    (hT : Feasible M I T) : 3 * TEL I S ≤ (2 * I.length + 9) * TEL I T := by
  rcases Classical.em (I = []) with h0 | h0
  · subst h0; simp [TEL]
  obtain ⟨j, hj, hmax⟩ := exists_largest h0 fun p hp q hq => hv.inj hp hq
  have hnd := hv.nodup_list
  -- the two groups
  have hmem1 : ∀ q, q ∈ (I.erase j).filter (fun q => decide (start S q < start S j)) ↔
      q ∈ I ∧ q ≠ j ∧ start S q < start S j := fun q => by
    rw [List.mem_filter, hnd.mem_erase_iff, decide_eq_true_eq]
    exact ⟨fun h => ⟨h.1.2, h.1.1, h.2⟩, fun h => ⟨⟨h.2.1, h.1⟩, h.2.2⟩⟩
  have hmem2 : ∀ q, q ∈ (I.erase j).filter (fun q => !decide (start S q < start S j)) ↔
      q ∈ I ∧ q ≠ j ∧ start S j ≤ start S q := fun q => by
    rw [List.mem_filter, hnd.mem_erase_iff, Bool.not_eq_true', decide_eq_false_iff_not,
      Nat.not_lt]
    exact ⟨fun h => ⟨h.1.2, h.1.1, h.2⟩, fun h => ⟨⟨h.2.1, h.1⟩, h.2.2⟩⟩
  have hn1 : ((I.erase j).filter fun q => decide (start S q < start S j)).Nodup :=
    (hnd.sublist List.erase_sublist).sublist List.filter_sublist
  have hn2 : ((I.erase j).filter fun q => !decide (start S q < start S j)).Nodup :=
    (hnd.sublist List.erase_sublist).sublist List.filter_sublist
  have hsplit : ∀ f : Request → Nat, (I.map f).sum = f j +
      ((((I.erase j).filter fun q => decide (start S q < start S j)).map f).sum +
      (((I.erase j).filter fun q => !decide (start S q < start S j)).map f).sum) := fun f => by
    rw [sum_map_erase f hj, sum_map_split (fun q => decide (start S q < start S j))]
  generalize (I.erase j).filter (fun q => decide (start S q < start S j)) = G1 at *
  generalize ((I.erase j).filter fun q => !decide (start S q < start S j)) = G2 at *
  have hlen := hsplit fun _ => 1
  simp only [sum_map_const, Nat.mul_one] at hlen
  have hP := hsplit Request.output
  have hC : TEL I T = _ := hsplit (latency T)
  have hW := hsplit fun q => start S q - halfReady q
  have hlat : ∀ q ∈ I, q.output ≤ latency T q := fun q hq => output_le_latency hT hq
  have hl1 : (G1.map Request.output).sum ≤ (G1.map (latency T)).sum :=
    sum_map_le_sum_map fun q hq => hlat q ((hmem1 q).1 hq).1
  have hl2 : (G2.map Request.output).sum ≤ (G2.map (latency T)).sum :=
    sum_map_le_sum_map fun q hq => hlat q ((hmem2 q).1 hq).1
  have hlj := hlat j hj
  -- cost of the rule
  have hA : 2 * TEL I S ≤ 4 * (I.map Request.output).sum +
      2 * (I.map fun q => start S q - halfReady q).sum := by
    have : (I.map fun q => 2 * latency S q).sum ≤
        (I.map fun q => 4 * q.output + 2 * (start S q - halfReady q)).sum :=
      sum_map_le_sum_map fun q hq => by
        have := tr.ready_le q hq
        have := hv.output_pos q hq
        unfold latency completion halfReady at *
        omega
    simp only [sum_map_add, sum_map_mul] at this
    exact this
  -- the largest request waits for requests of `G1` only
  have hwj : start S j ≤ halfReady j + (G1.map Request.output).sum :=
    cover (b := start S) fun t h1 h2 => by
      obtain ⟨m, hm, _, ha⟩ := tr.busy j hj t h1 h2
      refine ⟨m, (hmem1 m).2 ⟨hm, fun h => ?_, ?_⟩, ha⟩
      · rw [h] at ha; unfold Active at ha; omega
      · unfold Active at ha; omega
  have hw1 : 2 * (G1.map fun q => start S q - halfReady q).sum ≤
      G1.length * (I.map Request.output).sum := by
    refine sum_wait_before hn1
      (fun p hp q hq => hv.inj ((hmem1 p).1 hp).1 ((hmem1 q).1 hq).1) (fun k hk => ?_)
      fun k hk hkmax q hq => ?_
    · have := (hmax k ((hmem1 k).1 hk).1 ((hmem1 k).1 hk).2.1).output_le
      omega
    · obtain ⟨hqI, hqj, hlt⟩ := (hmem1 q).1 hq
      have hle : ∀ m ∈ G1, m.output ≤ k.output := fun m hm => by
        rcases Classical.em (m = k) with h | h
        · rw [h]; exact Nat.le_refl _
        · exact (hkmax m hm h).output_le
      have hr := tr.ready_le q hqI
      rcases tr.chain_main hqI (G := G1) (fun e he h1 h2 => (hmem1 e).2 ⟨he, fun h => by
          subst h; omega, by omega⟩) with h | ⟨m, hm, _, h1, h2, h3⟩
      · omega
      · have := hle m ((hmem1 m).2 ⟨hm, fun h => by subst h; omega, by omega⟩)
        unfold completion at h3
        omega
  have hw2 : 6 * (G2.map fun q => start S q - halfReady q).sum ≤
      4 * (G2.length * TEL I T) + 4 * (G2.map (latency T)).sum +
        5 * (G2.map Request.output).sum := by
    refine sum_wait_after (p := j.output) hn2
      (fun p hp q hq => hv.inj ((hmem2 p).1 hp).1 ((hmem2 q).1 hq).1)
      fun k hk hkmax R hR q hq => ?_
    have hle : ∀ m ∈ G2, m.output ≤ k.output := fun m hm => by
      rcases Classical.em (m = k) with h | h
      · rw [h]; exact Nat.le_refl _
      · exact (hkmax m hm h).output_le
    have hkj := (hmax k ((hmem2 k).1 hk).1 ((hmem2 k).1 hk).2.1).output_le
    rcases alternatives hv tr hT hj hmax hmem2 (R := R) (C := TEL I T) hle hkj hwj (by omega)
      (by omega) hq with ⟨w, h1, h2⟩ | ⟨h1, h2⟩
    · exact Or.inl ⟨w, by omega, h2⟩
    · exact Or.inr ⟨by omega, h2⟩
  have hPC := output_le_TEL hT
  have e1 : (2 * I.length + 9) * TEL I T = 2 * (I.length * TEL I T) + 9 * TEL I T := by
    rw [Nat.add_mul, Nat.mul_assoc]
  have e2 : I.length * TEL I T = TEL I T + G1.length * TEL I T + G2.length * TEL I T := by
    rw [hlen, Nat.add_mul, Nat.add_mul, Nat.one_mul, Nat.add_assoc]
  have e3 := Nat.mul_le_mul_left G1.length hPC
  rw [e1, e2]
  omega

end OnlineKvCache
