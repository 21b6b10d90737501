module

public import OnlineKvCache.TightRatio.LongestFirstCases
public import OnlineKvCache.TightRatio.LongestFirstSum
public import OnlineKvCache.TightRatio.LongestFirstFacts

public section

/-! # Longest first: the bound

With part `u / v` and block slack `K`, the cost is at most
`(u (K+1) / (v (K+1) - u)) * n + O(K)` times the optimum. -/

namespace OnlineKvCache

variable {M K u v : Nat} {I : List Request} {S T : Schedule} {dec : Request → Nat}
  {role : Request → Role} {j : Request}

/-- Smaller requests that were left out of the block, seen by the last group. -/
theorem sum_below_le {G H : List Request} {k : Nat} (hk : H.length ≤ k) :
    (G.map (below H)).sum ≤ k * (G.map Request.output).sum := by
  unfold below
  rw [sum_map_comm]
  refine Nat.le_trans (sum_map_le_mul (c := (G.map Request.output).sum) fun i _ => ?_)
    (Nat.mul_le_mul_right _ hk)
  refine sum_map_le_sum_map fun q _ => ?_
  by_cases h : KeyLt i q
  · simp only [h, if_true]; exact h.output_le
  · simp only [h, if_false]; exact Nat.zero_le _

theorem LongSetting.after_sum (st : LongSetting M K u v I S T dec role j) :
    2 * ((v * (K + 1) - u) * ((readyAfter I S (partReady u v) j).map
        fun q => start S q - partReady u v q).sum) ≤
      2 * ((K + 1) * u * ((readyAfter I S (partReady u v) j).length * TEL I T)) +
      (v * (K + 1) - u) * (3 * ((readyAfter I S (partReady u v) j).map Request.output).sum +
        2 * j.output + 2 * ((readyAfter I S (partReady u v) j).map (latency T)).sum +
        2 * (K * ((readyAfter I S (partReady u v) j).map Request.output).sum)) +
      4 * ((readyAfter I S (partReady u v) j).length * (v * (K + 1))) := by
  rcases Classical.em (readyAfter I S (partReady u v) j = []) with h0 | h0
  · rw [h0]; simp
  have hn := st.valid.nodup_list
  have hnd : (readyAfter I S (partReady u v) j).Nodup := readyAfter_nodup hn
  have hinj : ∀ p ∈ readyAfter I S (partReady u v) j, ∀ q ∈ readyAfter I S (partReady u v) j,
      p.id = q.id → p = q := fun p hp q hq =>
    st.valid.inj (st.mem_after.1 hp).1 (st.mem_after.1 hq).1
  obtain ⟨k, hk, hmax⟩ := exists_largest h0 hinj
  obtain ⟨R, hR⟩ : ∃ R, k.output + R =
      ((readyAfter I S (partReady u v) j).map Request.output).sum :=
    ⟨_, Nat.add_sub_cancel' (le_sum_map Request.output hk)⟩
  have hle : ∀ i ∈ readyAfter I S (partReady u v) j, i.output ≤ k.output := fun i hi => by
    rcases Classical.em (i = k) with h | h
    · rw [h]; exact Nat.le_refl _
    · exact (hmax i hi h).output_le
  have hkj := (st.max k (st.mem_after.1 hk).1 (st.mem_after.1 hk).2.1).output_le
  have hT := st.comparator
  have hlat : ∀ i ∈ I, i.output ≤ latency T i := fun i hi => output_le_latency hT hi
  -- the cost of the comparator
  have hC : TEL I T = latency T j + (((readyBefore I S (partReady u v) j).map (latency T)).sum +
      ((readyAfter I S (partReady u v) j).map (latency T)).sum) := by
    unfold TEL readyBefore readyAfter
    rw [sum_map_erase (latency T) st.mem,
      sum_map_split (fun q => decide (partReady u v q ≤ start S j))]
  have hl2 : ((readyAfter I S (partReady u v) j).map Request.output).sum ≤
      ((readyAfter I S (partReady u v) j).map (latency T)).sum :=
    sum_map_le_sum_map fun i hi => hlat i (st.mem_after.1 hi).1
  have hl1 : ((readyBefore I S (partReady u v) j).map Request.output).sum ≤
      ((readyBefore I S (partReady u v) j).map (latency T)).sum :=
    sum_map_le_sum_map fun i hi => hlat i ((mem_readyBefore hn).1 hi).1
  have hlj := hlat j st.mem
  obtain ⟨Q, hQ⟩ : ∃ Q, TEL I T = Q + R := ⟨TEL I T - R, by omega⟩
  have hQ' : latency T j + ((readyBefore I S (partReady u v) j).map (latency T)).sum +
      k.output ≤ Q := by omega
  have hmain := long_sum hnd hinj
    (φ := fun q => decide (role q = .filler ∧ start S q < completion S j))
    (wait := fun q => start S q - partReady u v q) (lat := latency T)
    (pair := below (readyAfter I S (partReady u v) j ++ leftPart I S dec role (partReady u v) j))
    (bu := below (leftPart I S dec role (partReady u v) j)) (u := u) (v := v) (h := K + 1)
    (g := v * (K + 1) - u) (p := j.output)
    (B := ((readyBefore I S (partReady u v) j).map Request.output).sum + k.output) (Q := Q) (R := R)
    st.pos st.le_one st.half_le st.golden st.root (Nat.sub_le ..) hk hmax hR
    (fun q hq => st.valid.output_pos q (st.mem_after.1 hq).1) (by omega)
    (fun q _ => below_append ..)
    (fun q hq => Nat.sub_le_of_le_add (by have := st.after_le hq; omega))
    (fun q hq => by
      rcases st.alternatives hQ' hle hkj hq with ⟨h1, h2⟩ | ⟨h1, h2⟩
      · exact Or.inl ⟨by simpa using (mem_beside.1 h1).2, Nat.sub_le_of_le_add (by omega)⟩
      · refine Or.inr ⟨?_, ?_⟩
        · have : ¬ (role q = .filler ∧ start S q < completion S j) := fun h3 =>
            h1 (mem_beside.2 ⟨hq, h3⟩)
          exact decide_eq_false this
        · rcases h2 with ⟨w, h2, h3⟩ | h2
          · refine Or.inl ⟨w, Nat.sub_le_of_le_add (by omega), ?_⟩
            rcases h3 with h3 | ⟨m, h3, h4, h5⟩
            · exact Or.inl h3
            · exact Or.inr ⟨m, h3, st.delay (by omega) h4 h5⟩
          · exact Or.inr h2)
  rw [← hQ] at hmain
  have hbu := sum_below_le (G := readyAfter I S (partReady u v) j) st.left_length
  have h1 := Nat.mul_le_mul_left (v * (K + 1) - u) (show
    3 * ((readyAfter I S (partReady u v) j).map Request.output).sum + 2 * j.output +
      2 * ((readyAfter I S (partReady u v) j).map (latency T)).sum +
      2 * ((readyAfter I S (partReady u v) j).map
        (below (leftPart I S dec role (partReady u v) j))).sum ≤
    3 * ((readyAfter I S (partReady u v) j).map Request.output).sum + 2 * j.output +
      2 * ((readyAfter I S (partReady u v) j).map (latency T)).sum +
      2 * (K * ((readyAfter I S (partReady u v) j).map Request.output).sum) by omega)
  omega

/-- Putting the groups together. -/
theorem long_total_arith {g V u K n n0 n1 N P C C2 S2 p A W W0 W1 W2 : Nat} (hg : g ≤ V)
    (hV : V ≤ 2 * (u * (K + 1))) (hnP : n ≤ P) (hPC : P ≤ C) (hlen : n = 1 + ((n1 + n0) + N))
    (hpS : p + S2 ≤ P) (hC2 : C2 ≤ C) (hA : A ≤ 2 * P + W) (hW : W ≤ P + (W1 + W0 + W2))
    (hw1 : 2 * W1 ≤ n1 * P + 2 * (K * P)) (hw0 : W0 ≤ K * P)
    (hw2 : 2 * (g * W2) ≤ 2 * ((K + 1) * u * (N * C)) +
      g * (3 * S2 + 2 * p + 2 * C2 + 2 * (K * S2)) + 4 * (N * V)) :
    2 * (g * A) ≤ (2 * (u * (K + 1)) * n + (6 * K + 15) * V) * C := by
  have h1 : 2 * A ≤ 6 * P + (n1 * P + 4 * (K * P)) + 2 * W2 := by omega
  have h2 := Nat.mul_le_mul_left g h1
  have hKP := Nat.mul_le_mul_left K hPC
  have hKS := Nat.mul_le_mul_left K (show S2 ≤ C by omega)
  have h3 : g * (6 * P + 4 * (K * P) + (3 * S2 + 2 * p + 2 * C2 + 2 * (K * S2))) ≤
      V * (11 * C + 6 * (K * C)) := Nat.mul_le_mul hg (by omega)
  have h4 : g * (n1 * P) ≤ 2 * (u * (K + 1)) * (n1 * C) :=
    Nat.mul_le_mul (Nat.le_trans hg hV) (Nat.mul_le_mul_left n1 hPC)
  have h5 : N * V ≤ C * V := Nat.mul_le_mul_right V (by omega)
  have h6 : 2 * (u * (K + 1)) * (n1 * C + N * C) ≤ 2 * (u * (K + 1)) * (n * C) :=
    Nat.mul_le_mul_left _ (by rw [← Nat.add_mul]; exact Nat.mul_le_mul_right C (by omega))
  grind

/-- The bound, for any schedule with the properties of the rule and any feasible schedule. -/
theorem LongSetting.bound (st : LongSetting M K u v I S T dec role j) :
    2 * ((v * (K + 1) - u) * TEL I S) ≤
      (2 * (u * (K + 1)) * I.length + (6 * K + 15) * (v * (K + 1))) * TEL I T := by
  have hn := st.valid.nodup_list
  have hT := st.comparator
  have hlat : ∀ i ∈ I, i.output ≤ latency T i := fun i hi => output_le_latency hT hi
  have hsplit : ∀ f : Request → Nat, (I.map f).sum = f j +
      ((((earlyPart I S dec role (partReady u v) j).map f).sum +
        ((leftPart I S dec role (partReady u v) j).map f).sum) +
      ((readyAfter I S (partReady u v) j).map f).sum) := fun f => by
    unfold earlyPart leftPart
    rw [← sum_map_split (fun q => decide (Early S dec role j q)) f]
    unfold readyBefore readyAfter
    rw [← sum_map_split (fun q => decide (partReady u v q ≤ start S j)) f,
      sum_map_erase f st.mem]
  have hlen := hsplit fun _ => 1
  simp only [sum_map_const, Nat.mul_one] at hlen
  have hP := hsplit Request.output
  have hC : TEL I T = _ := hsplit (latency T)
  have hW := hsplit fun q => start S q - partReady u v q
  have hPC := output_le_TEL hT
  have hnP : I.length ≤ (I.map Request.output).sum := by
    have := sum_map_le_sum_map (f := fun _ => 1) (g := Request.output) (l := I) st.valid.output_pos
    rw [sum_map_const, Nat.mul_one] at this
    exact this
  -- cost of the rule
  have hA : TEL I S ≤ 2 * (I.map Request.output).sum +
      (I.map fun q => start S q - partReady u v q).sum := by
    have : (I.map (latency S)).sum ≤
        (I.map fun q => 2 * q.output + (start S q - partReady u v q)).sum :=
      sum_map_le_sum_map fun q hq => by
        have h1 := st.trace.ready_le q hq
        have h2 : partReady u v q ≤ q.arrival + q.output := by
          refine Nat.le_of_lt_succ (Nat.lt_of_mul_lt_mul_left (a := v) ?_)
          have h3 := partReady_upper st.pos u q
          have h4 := Nat.mul_le_mul_right q.output st.le_one
          rw [Nat.mul_succ, Nat.mul_add]
          omega
        unfold latency completion
        omega
    simp only [sum_map_add, sum_map_mul] at this
    exact this
  have hwj := st.wait_le st.mem
  have hw1 := st.early_wait (P := (I.map Request.output).sum) rfl
  have hw0 : ((leftPart I S dec role (partReady u v) j).map
      fun q => start S q - partReady u v q).sum ≤ K * (I.map Request.output).sum := by
    refine Nat.le_trans (sum_map_le_mul (c := (I.map Request.output).sum) fun q hq => ?_)
      (Nat.mul_le_mul_right _ st.left_length)
    have := st.wait_le (st.mem_left.1 hq).1
    omega
  have hw2 := st.after_sum
  have hg : v * (K + 1) - u ≤ v * (K + 1) := Nat.sub_le ..
  have hvu : v * (K + 1) ≤ 2 * (u * (K + 1)) := by
    rw [← Nat.mul_assoc]; exact Nat.mul_le_mul_right _ st.half_le
  have hl2 : ((readyAfter I S (partReady u v) j).map (latency T)).sum ≤ TEL I T := by omega
  have hpS : j.output + ((readyAfter I S (partReady u v) j).map Request.output).sum ≤
      (I.map Request.output).sum := by omega
  have hWj : (I.map fun q => start S q - partReady u v q).sum ≤ (I.map Request.output).sum +
      (((earlyPart I S dec role (partReady u v) j).map
        fun q => start S q - partReady u v q).sum +
      ((leftPart I S dec role (partReady u v) j).map
        fun q => start S q - partReady u v q).sum +
      ((readyAfter I S (partReady u v) j).map
        fun q => start S q - partReady u v q).sum) := by omega
  exact long_total_arith hg hvu hnP hPC hlen hpS hl2 hA hWj hw1 hw0 hw2

end OnlineKvCache
