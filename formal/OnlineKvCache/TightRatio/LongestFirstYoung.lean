module

public import OnlineKvCache.TightRatio.LongTrace
public import OnlineKvCache.TightRatio.MainFillerRun

public section

/-! # Longest first: a young largest request is not refused

`T` is any feasible schedule, `p` the output of the largest request `j`, and `Q` any number that is
at least the latency of `j` and of all requests that were ready when `j` started, in `T`. -/

namespace OnlineKvCache

theorem partReady_lower {v : Nat} (hv : 1 ≤ v) (u : Nat) (q : Request) :
    v * q.arrival + u * q.output ≤ v * partReady u v q := by
  have h1 := Nat.div_add_mod (u * q.output + (v - 1)) v
  have h2 := Nat.mod_lt (u * q.output + (v - 1)) hv
  unfold partReady
  rw [Nat.mul_add]
  omega

theorem partReady_upper {v : Nat} (hv : 1 ≤ v) (u : Nat) (q : Request) :
    v * partReady u v q + 1 ≤ v * q.arrival + u * q.output + v := by
  have h1 := Nat.div_add_mod (u * q.output + (v - 1)) v
  unfold partReady
  rw [Nat.mul_add]
  omega

theorem arrival_le_partReady (u v : Nat) (q : Request) : q.arrival ≤ partReady u v q :=
  Nat.le_add_right ..

/-- Two requests of which one runs within the other in a feasible schedule. -/
theorem nested_fits {M : Nat} {I : List Request} {T : Schedule} (hv : Valid M I)
    (hT : Feasible M I T) {i j : Request} (hi : i ∈ I) (hj : j ∈ I) (hne : i ≠ j)
    (h1 : start T j ≤ start T i) (h2 : completion T i ≤ completion T j) :
    j.prompt + (completion T i - start T j) + i.peak ≤ M := by
  have hpos := hv.output_pos i hi
  have := hT.pair (t := completion T i - 1) hj hi (Ne.symm hne)
    ⟨by unfold completion; omega, by unfold completion at *; omega⟩
    ⟨by unfold completion; omega, by unfold completion; omega⟩
  unfold Request.peak completion at *
  omega

variable {M K u v : Nat} {I : List Request} {S T : Schedule} {dec : Request → Nat}
  {role : Request → Role} {j : Request}

theorem mem_readyBefore (hn : I.Nodup) {ready : Request → Nat} {q : Request} :
    q ∈ readyBefore I S ready j ↔ q ∈ I ∧ q ≠ j ∧ ready q ≤ start S j := by
  rw [readyBefore, List.mem_filter, hn.mem_erase_iff, decide_eq_true_eq]
  exact ⟨fun h => ⟨h.1.2, h.1.1, h.2⟩, fun h => ⟨⟨h.2.1, h.1⟩, h.2.2⟩⟩

theorem readyBefore_nodup (hn : I.Nodup) {ready : Request → Nat} :
    (readyBefore I S ready j).Nodup :=
  (hn.sublist List.erase_sublist).sublist List.filter_sublist

theorem mem_waitingBeside {ready : Request → Nat} {t : Nat} {q : Request} :
    q ∈ waitingBeside I dec ready j t ↔ q ∈ I ∧ q ≠ j ∧ ready q ≤ t ∧ t ≤ dec q := by
  rw [waitingBeside, List.mem_filter, decide_eq_true_eq]

/-- Since `i` became ready, mains have run without pause. -/
theorem LongSetting.ready_cover (st : LongSetting M K u v I S T dec role j) {t x : Nat}
    (ht : t < start S j) {i : Request} (hi : i ∈ waitingBeside I dec (partReady u v) j t)
    (hx : x = 0 ∨ ∃ m ∈ I, (role m).IsMain ∧ start S m < t ∧ t + x = completion S m)
    {L : List Request} (hL : L.Nodup)
    (hLW : ∀ q ∈ L, q ∈ waitingBeside I dec (partReady u v) j t) :
    t + x + (L.map Request.output).sum ≤
      partReady u v i + ((readyBefore I S (partReady u v) j).map Request.output).sum := by
  have hn := st.valid.nodup_list
  have hi' := mem_waitingBeside.1 hi
  have hmem := fun q => @mem_readyBefore I S j hn (partReady u v) q
  have hknown : ∀ e ∈ I, start S e < t → e ∈ (readyBefore I S (partReady u v) j).filter
      fun q => decide (dec q < t) := fun e he hs => by
    have h1 := st.trace.ready_le e he
    refine List.mem_filter.2 ⟨(hmem e).2 ⟨he, fun h => ?_, by omega⟩, by simp; omega⟩
    rw [h] at hs; omega
  have hcov : t + x ≤ partReady u v i + (((readyBefore I S (partReady u v) j).filter
      fun q => decide (dec q < t)).map Request.output).sum := by
    refine cover (b := start S) fun s h1 h2 => ?_
    rcases Nat.lt_or_ge s t with h3 | h3
    · have h4 := st.trace.ready_le i hi'.1
      obtain ⟨e, he, ha, _⟩ := st.trace.busy i hi'.1 s h1 (by omega)
      unfold Active at ha
      exact ⟨e, hknown e he (by omega), ha⟩
    · rcases hx with hx | ⟨m, hm, _, hms, hmx⟩
      · omega
      · unfold completion at hmx
        exact ⟨m, hknown m hm hms, by omega, by omega⟩
  have hsplit := sum_map_split (fun q => decide (dec q < t)) Request.output
    (readyBefore I S (partReady u v) j)
  have hLsub := sum_map_le_of_subset (f := Request.output) hL
    (m := (readyBefore I S (partReady u v) j).filter fun q => !decide (dec q < t)) fun q hq => by
      have h1 := mem_waitingBeside.1 (hLW q hq)
      exact List.mem_filter.2 ⟨(hmem q).2 ⟨h1.1, h1.2.1, by omega⟩, by simp; omega⟩
  omega

/-- When the track is free and the main would fit, the largest request starts, if it is young: else
`K + 1` requests end after it in `T`. -/
theorem LongSetting.starts_young (st : LongSetting M K u v I S T dec role j) {Q t : Nat}
    (hQ : latency T j + ((readyBefore I S (partReady u v) j).map (latency T)).sum ≤ Q)
    (hsmall : v * Q < (u + v) * j.output) (h1 : partReady u v j ≤ t) (h2 : t < start S j)
    (hgood : (∀ e ∈ I, dec e < t → completion S e ≤ t) ∨ ∃ m ∈ I, (role m).IsMain ∧
      start S m < t ∧ t < completion S m ∧ (∀ e ∈ I, dec e < t → e = m ∨ completion S e ≤ t) ∧
      start T j ≤ start T m ∧ completion T m ≤ completion T j) :
    (v * (K + 1)) * j.output < (v * (K + 1)) * (t - j.arrival) + u * j.output := by
  refine Nat.lt_of_not_le fun hd => ?_
  have hn := st.valid.nodup_list
  have hT := st.comparator
  have hvpos := st.pos
  have hjlow := partReady_lower st.pos u j
  have hjarr := arrival_le_partReady u v j
  have hrelj := hT.release j st.mem
  have hmem := fun q => @mem_readyBefore I S j hn (partReady u v) q
  have hlat : ∀ q ∈ I, q.output ≤ latency T q := fun q hq => output_le_latency hT hq
  have hlo : ((readyBefore I S (partReady u v) j).map Request.output).sum ≤
      ((readyBefore I S (partReady u v) j).map (latency T)).sum :=
    sum_map_le_sum_map fun q hq => hlat q ((hmem q).1 hq).1
  have hvt : v * partReady u v j ≤ v * t := Nat.mul_le_mul_left v h1
  have euv : (u + v) * j.output = u * j.output + v * j.output := Nat.add_mul ..
  -- the arithmetic that ends most cases
  have hcontra : ∀ i ∈ I, ∀ X : Nat, i.arrival + 1 + j.output + i.output + t ≤
      X + j.arrival + partReady u v i → X ≤ Q → False := fun i hi X hX hXQ => by
    have e1 := partReady_upper st.pos u i
    have e2 := Nat.mul_le_mul_left v hX
    have e3 := Nat.mul_le_mul_left v hXQ
    have e4 := Nat.mul_le_mul_right i.output st.le_one
    simp only [Nat.mul_add, Nat.mul_one] at e2
    omega
  have hW := fun q => @mem_waitingBeside I dec j (partReady u v) t q
  have hWn : (waitingBeside I dec (partReady u v) j t).Nodup := hn.sublist List.filter_sublist
  -- what is left of the main, and the block: everything that runs within `j` in `T`
  obtain ⟨x, hx, hxj, hx'⟩ : ∃ x,
      (x = 0 ∨ ∃ m ∈ I, (role m).IsMain ∧ start S m < t ∧ t + x = completion S m) ∧
      x ≤ j.output ∧
      ((∃ m ∈ I, (role m).IsMain ∧ start S m < t ∧ t + x = completion S m ∧ 0 < x ∧
        (∀ e ∈ I, dec e < t → e = m ∨ completion S e ≤ t) ∧ j.prompt + x + m.peak ≤ M) ∨
      (x = 0 ∧ ∀ e ∈ I, dec e < t → completion S e ≤ t)) := by
    rcases hgood with h | ⟨m, hm, hmm, hms, hmc, hall, hn1, hn2⟩
    · exact ⟨0, Or.inl rfl, Nat.zero_le _, Or.inr ⟨rfl, h⟩⟩
    · have hmj : m ≠ j := fun h => by rw [h] at hms; omega
      have hfit := nested_fits st.valid hT hm st.mem hmj hn1 hn2
      have hle := (st.max m hm hmj).output_le
      refine ⟨completion S m - t, Or.inr ⟨m, hm, hmm, hms, by omega⟩, ?_,
        Or.inl ⟨m, hm, hmm, hms, by omega, by omega, hall, ?_⟩⟩
      · unfold completion; omega
      · unfold completion at *; omega
  have hnotbefore : ∀ i ∈ waitingBeside I dec (partReady u v) j t, start T j ≤ start T i :=
    fun i hi => Nat.le_of_not_lt fun hlt => by
      have hc := st.ready_cover h2 hi (x := 0) (Or.inl rfl) (L := [i]) (by simp)
        (fun q hq => by rw [List.mem_singleton.1 hq]; exact hi)
      have hi' := (hW i).1 hi
      have hrel := hT.release i hi'.1
      have h0 : ([i].map Request.output).sum = i.output := by simp
      have hjl : latency T j = start T j + j.output - j.arrival := rfl
      refine hcontra i hi'.1 (latency T j + ((readyBefore I S (partReady u v) j).map
        Request.output).sum) ?_ (by omega)
      omega
  refine st.trace.refuse t h1 h2 x hx' (fun i => decide (completion T i ≤ completion T j)) ?_ ?_ ?_
  · -- few end after `j` in `T`
    have hlen := sum_map_split (fun i => decide (completion T i ≤ completion T j)) (fun _ => 1)
      (waitingBeside I dec (partReady u v) j t)
    simp only [sum_map_const, Nat.mul_one] at hlen
    refine Nat.le_of_not_lt fun hK => ?_
    have hbig : ((waitingBeside I dec (partReady u v) j t).filter fun i =>
        !decide (completion T i ≤ completion T j)).length * (u * j.output) ≤
        (v * (K + 1)) * (((waitingBeside I dec (partReady u v) j t).filter fun i =>
          !decide (completion T i ≤ completion T j)).map (latency T)).sum := by
      rw [← sum_map_const, ← sum_map_mul]
      refine sum_map_le_sum_map fun i hi => ?_
      have h3 := List.mem_filter.1 hi
      have h4 := (hW i).1 h3.1
      have h5 : completion T j < completion T i := by simpa using h3.2
      have h6 := arrival_le_partReady u v i
      have h7 : j.output ≤ latency T i + (t - j.arrival) := by
        unfold latency
        unfold completion at h5 ⊢
        omega
      have h8 := Nat.mul_le_mul_left (v * (K + 1)) h7
      have h9 : (v * (K + 1)) * (latency T i + (t - j.arrival)) =
          (v * (K + 1)) * latency T i + (v * (K + 1)) * (t - j.arrival) := Nat.mul_add ..
      omega
    have h3 := sum_map_le_of_subset (f := latency T)
      (hWn.sublist (List.filter_sublist (p := fun i =>
        !decide (completion T i ≤ completion T j))))
      (m := readyBefore I S (partReady u v) j) fun q hq => by
        have h4 := (hW q).1 (List.mem_filter.1 hq).1
        exact (hmem q).2 ⟨h4.1, h4.2.1, by omega⟩
    have h4 : K + 1 ≤ ((waitingBeside I dec (partReady u v) j t).filter fun i =>
        !decide (completion T i ≤ completion T j)).length := by omega
    have h5 := Nat.mul_le_mul_right (u * j.output) h4
    have h6 : (K + 1) * (u * j.output) ≤ (K + 1) *
        (v * (((waitingBeside I dec (partReady u v) j t).filter fun i =>
          !decide (completion T i ≤ completion T j)).map (latency T)).sum) := by
      have e : ∀ Z : Nat, (K + 1) * (v * Z) = (v * (K + 1)) * Z := fun Z => by grind
      rw [e]; omega
    have h7 := Nat.le_of_mul_le_mul_left h6 (Nat.succ_pos K)
    have h8 := hlat j st.mem
    have h9 := Nat.mul_le_mul_left v (show j.output +
      (((waitingBeside I dec (partReady u v) j t).filter fun i =>
          !decide (completion T i ≤ completion T j)).map (latency T)).sum ≤ Q by omega)
    rw [Nat.mul_add] at h9
    omega
  · -- main and block end within `j`
    refine Nat.le_of_not_lt fun hgt => ?_
    cases hF : (waitingBeside I dec (partReady u v) j t).filter
        fun i => decide (completion T i ≤ completion T j) with
    | nil => rw [hF] at hgt; simp at hgt; omega
    | cons i l =>
      have hi : i ∈ (waitingBeside I dec (partReady u v) j t).filter
        fun i => decide (completion T i ≤ completion T j) := by rw [hF]; exact List.mem_cons_self ..
      have hc := st.ready_cover h2 (List.mem_filter.1 hi).1 hx
        (hWn.sublist (List.filter_sublist (p := fun i => decide (completion T i ≤ completion T j))))
        fun q hq => (List.mem_filter.1 hq).1
      have hi' := (hW i).1 (List.mem_filter.1 hi).1
      have h8 := hlat j st.mem
      have h9 := Nat.mul_le_mul_left v (show 2 * j.output ≤ Q by omega)
      have h10 := Nat.mul_le_mul_right j.output st.le_one
      rw [Nat.mul_left_comm] at h9
      omega
  · -- each fits to the end of the block
    intro i hi
    have hiF := List.mem_filter.1 hi
    have hi' := (hW i).1 hiF.1
    have hin : completion T i ≤ completion T j := by simpa using hiF.2
    have hge := hnotbefore i hiF.1
    have hfit := nested_fits st.valid hT hi'.1 st.mem hi'.2.1 hge hin
    have hc := st.ready_cover h2 hiF.1 hx
      (hWn.sublist (List.filter_sublist (p := fun i => decide (completion T i ≤ completion T j))))
      fun q hq => (List.mem_filter.1 hq).1
    rcases Nat.lt_or_ge (completion T i - start T j) (x +
      (((waitingBeside I dec (partReady u v) j t).filter
        fun i => decide (completion T i ≤ completion T j)).map Request.output).sum) with h3 | h3
    · exfalso
      have hrel := hT.release i hi'.1
      have hjl : latency T j = start T j + j.output - j.arrival := rfl
      refine hcontra i hi'.1 (latency T j + ((readyBefore I S (partReady u v) j).map
        Request.output).sum) ?_ (by omega)
      have hci : completion T i = start T i + i.output := rfl
      omega
    · omega

/-! ### The delay lemma -/

/-- The arithmetic of a main that `T` runs past the end of `j`. -/
theorem delay_arith {p o F Q : Nat} (hv : 1 ≤ v) (huv : u ≤ v) (hgold : v * v ≤ u * (u + v))
    (hF : v * p + u * o ≤ v * F + u * p) (hQ : p + F ≤ Q) :
    v * p ≤ u * Q ∨ u * p + v * o ≤ u * Q := by
  obtain ⟨d, rfl⟩ := Nat.exists_eq_add_of_le huv
  have h1 := Nat.mul_le_mul_left (u * (u + d)) hQ
  have h2 := Nat.mul_le_mul_left u hF
  rcases Nat.le_total ((u + (u + d)) * o) (u * p) with h | h
  · refine Or.inr (Nat.le_of_mul_le_mul_left (?_ : (u + d) * (u * p + (u + d) * o) ≤
      (u + d) * (u * Q)) hv)
    have h3 := Nat.mul_le_mul_left d h
    grind
  · refine Or.inl (Nat.le_of_mul_le_mul_left (?_ : (u + (u + d)) * ((u + d) * ((u + d) * p)) ≤
      (u + (u + d)) * ((u + d) * (u * Q))) (Nat.le_trans hv (Nat.le_add_left ..)) |> fun h =>
        Nat.le_of_mul_le_mul_left h hv)
    have h3 := Nat.mul_le_mul_left (u * u) h
    have h4 := Nat.mul_le_mul_left ((u + d) * p) hgold
    have h5 := Nat.mul_le_mul_left (u + (u + d)) h1
    have h6 := Nat.mul_le_mul_left (u + (u + d)) h2
    grind

end OnlineKvCache
