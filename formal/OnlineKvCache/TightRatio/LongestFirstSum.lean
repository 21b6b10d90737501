module

public import OnlineKvCache.TightRatio.Pairs

public section

/-! # Longest first: the sum over the requests that became ready after the largest had started -/

namespace OnlineKvCache

/-- The square that balances requests that found no room against those that ran beside `j`. -/
theorem miss_arith {u v r H x X m : Nat} (hr : r + v = 2 * u)
    (hroot : u * u + 2 * (v * v) ≤ 4 * (u * v)) (hx : 1 ≤ x) (hX : X ≤ m * x) :
    2 * (u * (H * X)) ≤ r * v * (H * (H * x)) + 2 * (m * X) := by
  refine Nat.le_of_mul_le_mul_left (?_ : 2 * x * (2 * (u * (H * X))) ≤
    2 * x * (r * v * (H * (H * x)) + 2 * (m * X))) (by omega)
  have h1 : u * u ≤ 2 * (r * v) := by
    have e : r * v + v * v = 2 * (u * v) := by rw [← Nat.add_mul, hr, Nat.mul_assoc]
    omega
  have h2 := Nat.mul_le_mul_right X hX
  have h3 := Nat.mul_le_mul_right (H * x * (H * x)) h1
  have h4 : 2 * (u * (H * x) * (2 * X)) ≤ u * (H * x) * (u * (H * x)) + 2 * X * (2 * X) := by
    rcases Nat.le_total (u * (H * x)) (2 * X) with h | h
    · obtain ⟨c, hc⟩ := Nat.exists_eq_add_of_le h
      rw [hc]; grind
    · obtain ⟨c, hc⟩ := Nat.exists_eq_add_of_le h
      rw [hc]; grind
  grind

/-- Putting the inequalities together. -/
theorem long_final_arith {u v h g r N H X Z F W PS BU CL S2 p Q R : Nat} (hv : 1 ≤ v)
    (huv : u ≤ v) (hg : g ≤ v * h) (hr : r + v = 2 * u) (hX : X ≤ u * p)
    (hPS : 2 * PS ≤ N * R) (hZ : Z ≤ N * R + S2)
    (hmiss : 2 * (u * (H * X)) ≤ r * v * Z + 2 * ((v * F + u) * X))
    (hsum : g * (v * v) * W + F * (g * (v * X)) ≤ g * (v * v) * (PS + BU) +
      N * (v * v * (h * (u * Q)) + 2 * (v * (v * (v * h)))) + g * (v * v) * (CL + S2) +
      H * (g * (u * X))) :
    2 * (g * W) ≤ 2 * (h * u * (N * (Q + R))) + g * (3 * S2 + 2 * p + 2 * CL + 2 * BU) +
      4 * (N * (v * h)) := by
  refine Nat.le_of_mul_le_mul_left (?_ : v * v * (2 * (g * W)) ≤ v * v *
    (2 * (h * u * (N * (Q + R))) + g * (3 * S2 + 2 * p + 2 * CL + 2 * BU) + 4 * (N * (v * h))))
    (Nat.mul_pos hv hv)
  have h1 := Nat.mul_le_mul_left g hmiss
  have h2 := Nat.mul_le_mul_left (g * (v * v)) hPS
  have h3 := Nat.mul_le_mul_left (g * (r * v)) hZ
  have h4 : g * (r * v) * S2 ≤ g * (v * v) * S2 :=
    Nat.mul_le_mul_right S2 (Nat.mul_le_mul_left g (Nat.mul_le_mul_right v (by omega)))
  have h5 := Nat.mul_le_mul_left (2 * (g * u)) hX
  have h6 : 2 * (g * u) * (u * p) ≤ 2 * (g * v) * (v * p) :=
    Nat.mul_le_mul (Nat.mul_le_mul_left 2 (Nat.mul_le_mul_left g huv)) (Nat.mul_le_mul_right p huv)
  have h7 := Nat.mul_le_mul_right (2 * (v * u * (N * R))) hg
  have h8 : g * (v * (r + v) * (N * R)) = g * (2 * (v * u * (N * R))) := by rw [hr]; grind
  grind

/-- Sum of the waiting times: `wait q` is at most a part `w` and the smaller requests `pair q`. -/
theorem long_sum {G : List Request} (hn : G.Nodup)
    (hinj : ∀ p ∈ G, ∀ q ∈ G, p.id = q.id → p = q) {φ : Request → Bool}
    {wait lat pair bu : Request → Nat} {u v h g p B Q R : Nat} (hv : 1 ≤ v) (huv : u ≤ v)
    (hhalf : v ≤ 2 * u) (hgold : v * v ≤ u * (u + v)) (hroot : u * u + 2 * (v * v) ≤ 4 * (u * v))
    (hg : g ≤ v * h) {k : Request} (hk : k ∈ G) (hmax : ∀ i ∈ G, i ≠ k → KeyLt i k)
    (hR : k.output + R = (G.map Request.output).sum) (ho : ∀ q ∈ G, 1 ≤ q.output)
    (hB : p + B ≤ Q) (hpair : ∀ q ∈ G, pair q = below G q + bu q)
    (hall : ∀ q ∈ G, wait q ≤ p + pair q)
    (halt : ∀ q ∈ G, (φ q = true ∧ wait q ≤ B + pair q) ∨ (φ q = false ∧
      ((∃ w, wait q ≤ w + pair q ∧ (v * w ≤ u * Q + v * q.output ∨
        ∃ m, v * w ≤ v * lat q + m ∧ g * m ≤ v * h * (u * Q + 2 * v))) ∨
      (u + v) * p ≤ v * Q + v * below (G.filter φ) q + u * q.output))) :
    2 * (g * (G.map wait).sum) ≤ 2 * (h * u * (G.length * (Q + R))) +
      g * (3 * (G.map Request.output).sum + 2 * p + 2 * (G.map lat).sum + 2 * (G.map bu).sum) +
      4 * (G.length * (v * h)) := by
  have hPS0 := two_pairs_max hn hk hmax
  have hPS : 2 * (G.map (below G)).sum ≤ G.length * R := by
    rw [← hR, Nat.mul_add] at hPS0; omega
  have hpsum : (G.map pair).sum = (G.map (below G)).sum + (G.map bu).sum := by
    rw [← sum_map_add]; exact sum_map_congr hpair
  rcases Nat.lt_or_ge (v * Q) ((u + v) * p) with hX | hX
  · -- `T` has little room for the largest request
    obtain ⟨X, hXd⟩ := Nat.exists_eq_add_of_le (Nat.le_of_lt hX)
    obtain ⟨r, hr⟩ : ∃ r, r + v = 2 * u := ⟨2 * u - v, by omega⟩
    have hXp : X ≤ u * p := by
      have h1 := Nat.mul_le_mul_left v (show p ≤ Q by omega)
      have h2 : (u + v) * p = u * p + v * p := Nat.add_mul ..
      omega
    have hguv : g * (v * (u * Q)) ≤ v * v * (h * (u * Q)) := by
      have h1 := Nat.mul_le_mul_right (v * (u * Q)) hg
      have e : v * h * (v * (u * Q)) = v * v * (h * (u * Q)) := by grind
      omega
    -- the parts
    have hpart : ∀ q w, wait q ≤ w + pair q →
        g * (v * v) * wait q ≤ g * (v * v) * w + g * (v * v) * pair q := fun q w hw => by
      rw [← Nat.mul_add]; exact Nat.mul_le_mul_left _ hw
    have hgood1 : ∀ q ∈ G, φ q = true → wait q ≤ B + pair q →
        g * (v * v) * wait q + g * (v * X) ≤ g * (v * v) * pair q +
          (v * v * (h * (u * Q)) + 2 * (v * (v * (v * h)))) + g * (v * v) * (lat q + q.output) :=
      fun q _ _ hw => by
        have h1 := hpart q B hw
        have h2 : v * v * B + v * X ≤ v * (u * Q) := by
          have h3 := Nat.mul_le_mul_left (v * v) hB
          have h4 := congrArg (v * ·) hXd
          have h5 := Nat.mul_le_mul_left (v * u) (show p ≤ Q by omega)
          simp only at h4
          grind
        have h3 := Nat.mul_le_mul_left g h2
        have e : g * (v * v * B + v * X) = g * (v * v) * B + g * (v * X) := by grind
        omega
    have hgood2 : ∀ q ∈ G, (∃ w, wait q ≤ w + pair q ∧ (v * w ≤ u * Q + v * q.output ∨
        ∃ m, v * w ≤ v * lat q + m ∧ g * m ≤ v * h * (u * Q + 2 * v))) →
        g * (v * v) * wait q ≤ g * (v * v) * pair q +
          (v * v * (h * (u * Q)) + 2 * (v * (v * (v * h)))) + g * (v * v) * (lat q + q.output) := by
      rintro q _ ⟨w, hw, h1 | ⟨m, h1, h2⟩⟩
      · have h3 := hpart q w hw
        have h4 := Nat.mul_le_mul_left (g * v) h1
        have e1 : g * v * (v * w) = g * (v * v) * w := by grind
        have e2 : g * v * (u * Q + v * q.output) = g * (v * (u * Q)) + g * (v * v) * q.output := by
          grind
        have e3 : g * (v * v) * (lat q + q.output) =
            g * (v * v) * lat q + g * (v * v) * q.output := Nat.mul_add ..
        omega
      · have h3 := hpart q w hw
        have h4 := Nat.mul_le_mul_left (g * v) h1
        have h5 := Nat.mul_le_mul_left v h2
        have e1 : g * v * (v * w) = g * (v * v) * w := by grind
        have e2 : g * v * (v * lat q + m) = g * (v * v) * lat q + v * (g * m) := by grind
        have e3 : g * (v * v) * (lat q + q.output) =
            g * (v * v) * lat q + g * (v * v) * q.output := Nat.mul_add ..
        have e4 : v * (v * h * (u * Q + 2 * v)) =
            v * v * (h * (u * Q)) + 2 * (v * (v * (v * h))) := by grind
        omega
    have hbad : ∀ q ∈ G, g * (v * v) * wait q ≤ g * (v * v) * pair q +
        (v * v * (h * (u * Q)) + 2 * (v * (v * (v * h)))) + g * (v * v) * (lat q + q.output) +
        g * (u * X) := fun q hq => by
      have h1 := hpart q p (hall q hq)
      have h2 : v * v * p ≤ v * (u * Q) + u * X := by
        have h3 := Nat.mul_le_mul_right p hgold
        have h4 := congrArg (u * ·) hXd
        simp only at h4
        grind
      have h3 := Nat.mul_le_mul_left g h2
      have e : g * (v * v * p) = g * (v * v) * p := (Nat.mul_assoc ..).symm
      have e2 : g * (v * (u * Q) + u * X) = g * (v * (u * Q)) + g * (u * X) := Nat.mul_add ..
      omega
    have hF : (G.map fun q => if φ q then g * (v * X) else 0).sum =
        (G.filter φ).length * (g * (v * X)) := by
      rw [sum_map_ite, sum_map_const]
    have eb : G.length * (v * v * (h * (u * Q)) + 2 * (v * (v * (v * h)))) =
        v * v * (h * (u * (G.length * Q))) + 2 * (v * (v * (v * (G.length * h)))) := by grind
    -- the requests that are only in the last case; `q0` is the smallest of them
    cases hm : smallest (G.filter fun q => !decide (g * (v * v) * wait q +
        (if φ q then g * (v * X) else 0) ≤ g * (v * v) * pair q +
          (v * v * (h * (u * Q)) + 2 * (v * (v * (v * h)))) +
          g * (v * v) * (lat q + q.output))) with
    | none =>
      have hno := smallest_none hm
      have hsum : (G.map fun q => g * (v * v) * wait q +
          (if φ q then g * (v * X) else 0)).sum ≤ (G.map fun q => g * (v * v) * pair q +
          (v * v * (h * (u * Q)) + 2 * (v * (v * (v * h)))) +
          g * (v * v) * (lat q + q.output)).sum := sum_map_le_sum_map fun q hq =>
        Classical.byContradiction fun hc => by
          have : q ∈ G.filter fun q => !decide (g * (v * v) * wait q +
            (if φ q then g * (v * X) else 0) ≤ g * (v * v) * pair q +
            (v * v * (h * (u * Q)) + 2 * (v * (v * (v * h)))) +
            g * (v * v) * (lat q + q.output)) := List.mem_filter.2 ⟨hq, by simpa using hc⟩
          rw [hno] at this
          cases this
      simp only [sum_map_add, sum_map_mul, sum_map_const, hF, hpsum] at hsum
      exact long_final_arith (H := 0) (Z := 0) (X := X) (F := (G.filter φ).length) hv huv hg hr hXp
        hPS (Nat.zero_le _) (by simp) (by rw [Nat.zero_mul, eb]; exact hsum)
    | some q0 =>
      have hs := smallest_some hm
      have hq0 := List.mem_filter.1 hs.1
      have hmem0 : ∀ q ∈ G, q ∈ (G.filter fun q => !decide (g * (v * v) * wait q +
          (if φ q then g * (v * X) else 0) ≤ g * (v * v) * pair q +
          (v * v * (h * (u * Q)) + 2 * (v * (v * (v * h)))) + g * (v * v) * (lat q + q.output))) →
          φ q = false ∧ (u + v) * p ≤ v * Q + v * below (G.filter φ) q + u * q.output :=
        fun q hq hf => by
          have hng : ¬ (g * (v * v) * wait q + (if φ q then g * (v * X) else 0) ≤
              g * (v * v) * pair q + (v * v * (h * (u * Q)) + 2 * (v * (v * (v * h)))) +
              g * (v * v) * (lat q + q.output)) := by simpa using (List.mem_filter.1 hf).2
          rcases halt q hq with ⟨h1, h2⟩ | ⟨h1, h2 | h2⟩
          · exact absurd (by simpa [h1] using hgood1 q hq h1 h2) hng
          · exact absurd (by simpa [h1] using hgood2 q hq h2) hng
          · exact ⟨h1, h2⟩
      have h0 := (hmem0 q0 hq0.1 hs.1).2
      have hsum : (G.map fun q => g * (v * v) * wait q +
          (if φ q then g * (v * X) else 0)).sum ≤ (G.map fun q => g * (v * v) * pair q +
          (v * v * (h * (u * Q)) + 2 * (v * (v * (v * h)))) +
          g * (v * v) * (lat q + q.output) +
          (if !decide (KeyLt q q0) then g * (u * X) else 0)).sum :=
        sum_map_le_sum_map fun q hq => by
        rcases Classical.em (g * (v * v) * wait q + (if φ q then g * (v * X) else 0) ≤
            g * (v * v) * pair q + (v * v * (h * (u * Q)) + 2 * (v * (v * (v * h)))) +
            g * (v * v) * (lat q + q.output)) with h1 | h1
        · exact Nat.le_trans h1 (Nat.le_add_right _ _)
        · have hf : q ∈ (G.filter fun q => !decide (g * (v * v) * wait q +
            (if φ q then g * (v * X) else 0) ≤ g * (v * v) * pair q +
            (v * v * (h * (u * Q)) + 2 * (v * (v * (v * h)))) +
            g * (v * v) * (lat q + q.output))) := List.mem_filter.2 ⟨hq, by simpa using h1⟩
          have h2 := (hmem0 q hq hf).1
          have h3 := hs.2 q hf
          have h4 := hbad q hq
          simpa [h2, h3] using h4
      rw [sum_map_add _ (fun q => if !decide (KeyLt q q0) then g * (u * X) else 0),
        sum_map_ite (fun q => !decide (KeyLt q q0))] at hsum
      simp only [sum_map_add, sum_map_mul, sum_map_const, hF, hpsum] at hsum
      -- `H` requests from `q0` on
      have hB' : ∀ i ∈ G.filter fun i => !decide (KeyLt i q0), i ∈ G ∧ ¬ KeyLt i q0 :=
        fun i hi => by
          have := List.mem_filter.1 hi
          exact ⟨this.1, by simpa using this.2⟩
      have hge : ∀ i ∈ G.filter fun i => !decide (KeyLt i q0), q0.output ≤ i.output :=
        fun i hi => by
          rcases Classical.em (q0 = i) with h1 | h1
          · rw [h1]; exact Nat.le_refl _
          · exact ((KeyLt.total fun he => h1 (hinj q0 hq0.1 i (hB' i hi).1 he)).resolve_right
              (hB' i hi).2).output_le
      have hkB : k ∈ G.filter fun i => !decide (KeyLt i q0) := by
        refine List.mem_filter.2 ⟨hk, ?_⟩
        have : ¬ KeyLt k q0 := fun h1 => by
          rcases Classical.em (q0 = k) with h2 | h2
          · rw [h2] at h1; exact h1.asymm h1
          · exact h1.asymm (hmax q0 hq0.1 h2)
        simpa using this
      have hBn : (G.filter fun i => !decide (KeyLt i q0)).Nodup := hn.sublist List.filter_sublist
      have hBS : ((G.filter fun i => !decide (KeyLt i q0)).map Request.output).sum ≤
          (G.map Request.output).sum := sum_map_le_of_subset hBn fun i hi => (hB' i hi).1
      have hBN : (G.filter fun i => !decide (KeyLt i q0)).length ≤ G.length :=
        length_le_of_subset hBn fun i hi => (hB' i hi).1
      generalize (G.filter fun i => !decide (KeyLt i q0)) = L at *
      have hL1 : (L.erase k).length * q0.output ≤ ((L.erase k).map Request.output).sum := by
        rw [← sum_map_const]
        exact sum_map_le_sum_map fun i hi => hge i (List.mem_of_mem_erase hi)
      have hL2 : L.length * q0.output ≤ (L.map Request.output).sum := by
        rw [← sum_map_const]
        exact sum_map_le_sum_map hge
      have hL3 := sum_map_erase Request.output hkB
      have hL4 : L.length = (L.erase k).length + 1 := (List.perm_cons_erase hkB).length_eq
      have hbel : below (G.filter φ) q0 ≤ (G.filter φ).length * q0.output :=
        sum_map_le_mul fun i _ => by
          by_cases h1 : KeyLt i q0
          · simp only [h1, if_true]; exact h1.output_le
          · simp only [h1, if_false]; exact Nat.zero_le _
      have hXm : X ≤ (v * (G.filter φ).length + u) * q0.output := by
        have h1 := Nat.mul_le_mul_left v hbel
        have e : (v * (G.filter φ).length + u) * q0.output =
            v * ((G.filter φ).length * q0.output) + u * q0.output := by grind
        omega
      refine long_final_arith (H := L.length) (Z := L.length * (L.length * q0.output)) (X := X)
        (F := (G.filter φ).length) hv huv hg hr hXp hPS ?_
        (miss_arith hr hroot (ho q0 hq0.1) hXm) (by
          have e : L.length * (g * (u * X)) = g * (u * (L.length * X)) := by grind
          rw [e, eb]
          exact hsum)
      have h1 := Nat.mul_le_mul hBN (show (L.erase k).length * q0.output ≤ R by omega)
      have e : L.length * (L.length * q0.output) =
          L.length * ((L.erase k).length * q0.output) + L.length * q0.output := by
        have e2 : L.length * q0.output = (L.erase k).length * q0.output + q0.output := by
          rw [hL4, Nat.add_mul, Nat.one_mul]
        rw [e2, Nat.mul_add]
        omega
      omega
  · -- `T` has room: everyone waits little
    have hvp : v * p ≤ u * Q := by
      refine Nat.le_of_mul_le_mul_left (?_ : v * (v * p) ≤ v * (u * Q)) hv
      have h1 := Nat.mul_le_mul_right p hgold
      have h2 := Nat.mul_le_mul_left u hX
      grind
    have hsum : (G.map fun q => v * wait q).sum ≤ (G.map fun q => u * Q + v * pair q).sum :=
      sum_map_le_sum_map fun q hq => by
        have h1 := Nat.mul_le_mul_left v (hall q hq)
        rw [Nat.mul_add] at h1
        omega
    simp only [sum_map_add, sum_map_mul, sum_map_const, hpsum] at hsum
    refine Nat.le_of_mul_le_mul_left (?_ : v * _ ≤ v * _) hv
    have h1 := Nat.mul_le_mul_left (2 * g) hsum
    have h2 := Nat.mul_le_mul_left (g * v) hPS
    have h3 := Nat.mul_le_mul_left (g * (G.length * R)) hhalf
    have h4 := Nat.mul_le_mul_right (2 * (u * (G.length * (Q + R)))) hg
    grind

end OnlineKvCache
