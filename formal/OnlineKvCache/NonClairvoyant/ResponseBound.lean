module

public import OnlineKvCache.NonClairvoyant.Response
public import OnlineKvCache.NonClairvoyant.SpsStar
public import OnlineKvCache.Area.Additive

public section

/-! # The response rule is constant-competitive -/

namespace OnlineKvCache

/-! ### One phase -/

/-- A request of rank `j + i` completes within the pipeline. -/
theorem spsCall_sum_le {tau k now D : Nat} : ∀ (j : Nat) (l : List Request),
    (∀ i, i < l.length → spsOffset tau k (j + i) + tau ≤ D) →
    ((spsCall tau k now j l).map Prod.snd).sum ≤
      (l.filter fun q => decide (q.output ≤ tau)).length * (now + D)
  | _, [], _ => by simp [spsCall]
  | j, q :: l, h => by
    have ih := spsCall_sum_le (now := now) (D := D) (j + 1) l fun i hi => by
      have := h (i + 1) (by rw [List.length_cons]; omega)
      rwa [show j + (i + 1) = j + 1 + i by omega] at this
    have h0 := h 0 (by rw [List.length_cons]; omega)
    rw [Nat.add_zero] at h0
    unfold spsCall
    by_cases hq : q.output ≤ tau
    · rw [if_pos hq, List.filter_cons_of_pos (by simpa using hq), List.map_cons, List.sum_cons,
        List.length_cons, Nat.succ_mul]
      show now + spsOffset tau k j + q.output + _ ≤ _
      omega
    · rw [if_neg hq, List.filter_cons_of_neg (by simpa using hq)]
      exact ih

theorem spsCall_requests (tau k now : Nat) : ∀ (j : Nat) (l : List Request),
    (spsCall tau k now j l).map Prod.fst = l.filter fun q => decide (q.output ≤ tau)
  | _, [] => rfl
  | j, q :: l => by
    have ih := spsCall_requests tau k now (j + 1) l
    unfold spsCall
    by_cases hq : q.output ≤ tau
    · rw [if_pos hq, List.filter_cons_of_pos (by simpa using hq), List.map_cons, ih]
    · rw [if_neg hq, List.filter_cons_of_neg (by simpa using hq), ih]

theorem spsDuration_bound (tau k m : Nat) (i : Nat) (hi : i < m) :
    spsOffset tau k (0 + i) + tau ≤ spsDuration tau k m := by
  have := spsOffset_mono tau k (show 0 + i ≤ m - 1 by omega)
  rw [spsDuration, if_neg (by omega)]
  omega

/-- A phase lasts at most `τ` and `7τ² / 2M` for each request. -/
theorem duration_le {M r m N : Nat} (hM : 1 ≤ M) (hm : m ≤ N) :
    2 * (M * spsDuration (responseSlice M r) (responseWidth M r) m) ≤
      2 * (M * responseSlice M r) + 7 * (responseSlice M r * responseSlice M r * N) := by
  have hpos : 0 < responseSlice M r := by
    have := Nat.pow_pos (n := r) (show 0 < 2 by decide)
    unfold responseSlice
    omega
  have hk : 2 * M ≤ 7 * (responseSlice M r * responseWidth M r) :=
    kstar_response hpos (Nat.min_le_right ..)
  generalize responseSlice M r = tau at *
  generalize responseWidth M r = k at *
  unfold spsDuration
  split
  · rw [Nat.mul_zero]
    exact Nat.zero_le _
  · have h1 : k * spsOffset tau k (m - 1) ≤ (m - 1) * tau := Nat.mul_div_le ..
    have h2 : (m - 1) * tau ≤ N * tau := Nat.mul_le_mul_right _ (by omega)
    generalize spsOffset tau k (m - 1) = d at *
    have h3 := Nat.mul_le_mul_right d hk
    have h4 := Nat.mul_le_mul_left (7 * tau) (Nat.le_trans h1 h2)
    have e1 : 7 * (tau * k) * d = 7 * tau * (k * d) := by grind
    have e2 : 7 * tau * (N * tau) = 7 * (tau * tau * N) := by grind
    have e3 : 2 * M * d = 2 * (M * d) := Nat.mul_assoc ..
    rw [Nat.mul_add]
    omega

/-! ### Sums of minima over two parts -/

theorem orderedMin_append_ge {c : Nat} (m : List Nat) : ∀ l : List Nat, (∀ x ∈ l, c ≤ x) →
    (∀ x ∈ m, c ≤ x) → orderedMin m + c * ((l.length + m.length) * (l.length + m.length)) ≤
      orderedMin (l ++ m) + c * (m.length * m.length)
  | [], _, _ => by simp
  | x :: l, hl, hm => by
    have ih := orderedMin_append_ge m l (fun y hy => hl y (List.mem_cons_of_mem _ hy)) hm
    have hx := hl x (List.mem_cons_self ..)
    have h1 : (l.length + m.length) * c ≤ minSum x (l ++ m) := by
      rw [minSum_eq]
      have := sum_map_le_sum_map (l := l ++ m) (f := fun _ => c) (g := fun y => min x y)
        fun y hy => by
          have hy' : c ≤ y := by
            rcases List.mem_append.1 hy with h | h
            · exact hl y (List.mem_cons_of_mem _ h)
            · exact hm y h
          exact Nat.le_min.2 ⟨hx, hy'⟩
      rwa [sum_map_const, List.length_append] at this
    have e0 : l.length + 1 + m.length = l.length + m.length + 1 := by omega
    have hn : ∀ n, c * ((n + 1) * (n + 1)) = c * (n * n) + 2 * (n * c) + c := fun n => by grind
    rw [List.cons_append, orderedMin_cons, List.length_cons, e0, hn]
    omega

/-- A list is the two parts that a test makes of it. -/
theorem perm_filter_parts {α : Type} (p : α → Bool) : ∀ l : List α,
    (l.filter p ++ l.filter fun a => !p a).Perm l
  | [] => List.Perm.refl _
  | a :: l => by
    have ih := perm_filter_parts p l
    cases h : p a with
    | true =>
      rw [List.filter_cons_of_pos h, List.filter_cons_of_neg (by simp [h])]
      exact ih.cons a
    | false =>
      rw [List.filter_cons_of_neg (by simp [h]), List.filter_cons_of_pos (by simp [h])]
      exact List.perm_middle.trans (ih.cons a)

/-! ### All phases -/

/-- The arithmetic of one phase: `N = F + R` unfinished requests with outputs of at least `b`, of
which `F` end in it. -/
theorem response_step {M b c tau now D F R T T' O O' Q Q' : Nat}
    (hT : T ≤ F * (now + D) + T')
    (ih : 6 * (M * T') + 12 * (M * (tau * R)) + 28 * (tau * tau * (R * R)) ≤
      6 * (M * ((now + D) * R)) + 24 * (M * O') + 112 * Q')
    (hD : 2 * (M * D) ≤ 2 * (M * tau) + 7 * (tau * tau * (F + R)))
    (hO : F * c + O' ≤ O)
    (hQ : Q' + c * c * ((F + R) * (F + R)) ≤ Q + c * c * (R * R))
    (hb : (b = 0 ∧ c = 1 ∧ tau = 1) ∨ (c = b ∧ tau ≤ 2 * b ∧ (R = 0 ∨ tau = 2 * b))) :
    6 * (M * T) + 12 * (M * (b * (F + R))) + 28 * (b * b * ((F + R) * (F + R))) ≤
      6 * (M * (now * (F + R))) + 24 * (M * O) + 112 * Q := by
  have h1 := Nat.mul_le_mul_left M hT
  have h2 := Nat.mul_le_mul_left (3 * (F + R)) hD
  have h3 := Nat.mul_le_mul_left M hO
  have e1 : M * (F * (now + D) + T') + M * ((now + D) * R) =
      M * (now * (F + R)) + M * (D * (F + R)) + M * T' := by grind
  have e2 : 3 * (F + R) * (2 * (M * D)) = 6 * (M * (D * (F + R))) := by grind
  have e3 : 3 * (F + R) * (2 * (M * tau) + 7 * (tau * tau * (F + R))) =
      6 * (M * (tau * F)) + 6 * (M * (tau * R)) + 21 * (tau * tau * ((F + R) * (F + R))) := by
    grind
  have e4 : M * (F * c + O') = M * (c * F) + M * O' := by grind
  have e5 : M * (b * (F + R)) = M * (b * F) + M * (b * R) := by grind
  have hRN : R * R ≤ (F + R) * (F + R) := Nat.mul_le_mul (by omega) (by omega)
  rcases hb with ⟨rfl, rfl, rfl⟩ | ⟨rfl, h4, h5⟩
  · simp only [Nat.one_mul, Nat.mul_one, Nat.zero_mul, Nat.mul_zero] at *
    omega
  · have h6 : M * (tau * F) ≤ 2 * (M * (c * F)) := by
      have := Nat.mul_le_mul_left M (Nat.mul_le_mul_right F h4)
      have e : M * (2 * c * F) = 2 * (M * (c * F)) := by grind
      omega
    have h7 : tau * tau * ((F + R) * (F + R)) ≤ 4 * (c * c * ((F + R) * (F + R))) := by
      have := Nat.mul_le_mul_right ((F + R) * (F + R)) (Nat.mul_le_mul h4 h4)
      have e : 2 * c * (2 * c) * ((F + R) * (F + R)) = 4 * (c * c * ((F + R) * (F + R))) := by
        grind
      omega
    rcases h5 with rfl | rfl
    · simp only [Nat.mul_zero, Nat.add_zero] at *
      omega
    · have e6 : M * (2 * c * R) = 2 * (M * (c * R)) := by grind
      have e7 : 2 * c * (2 * c) * (R * R) = 4 * (c * c * (R * R)) := by grind
      omega

/-- What holds from phase `r` on. `b` is a lower bound on the outputs that are left. -/
theorem response_phases {M : Nat} (hM : 1 ≤ M) : ∀ (fuel r now b : Nat) (live : List Request),
    (∀ q ∈ live, q.prompt < q.output ∧ q.output ≤ M) → (∀ q ∈ live, b ≤ q.output) →
    ((b = 0 ∧ r = 0) ∨ (1 ≤ r ∧ b = responseSlice M (r - 1))) →
    6 * (M * ((responseFrom M fuel r now live).map Prod.snd).sum) +
        12 * (M * (b * live.length)) + 28 * (b * b * (live.length * live.length)) ≤
      6 * (M * (now * live.length)) + 24 * (M * (live.map Request.output).sum) +
        112 * orderedMin (live.map fun q => q.output * q.output)
  | 0, r, now, b, live, h1, h2, hb => by
    have h3 : live.length * b ≤ (live.map Request.output).sum := by
      have := sum_map_le_sum_map (l := live) (f := fun _ => b) h2
      rwa [sum_map_const] at this
    have h4 := orderedMin_append_ge (c := b * b) [] (live.map fun q => q.output * q.output)
      (fun x hx => by
        obtain ⟨q, hq, rfl⟩ := List.mem_map.1 hx
        exact Nat.mul_le_mul (h2 q hq) (h2 q hq)) (by simp)
    simp only [List.append_nil, List.length_nil, Nat.add_zero, List.length_map, Nat.mul_zero] at h4
    have h5 := Nat.mul_le_mul_left M h3
    rw [Nat.mul_comm live.length b] at h5
    have h6 : ((responseFrom M 0 r now live).map Prod.snd).sum = 0 := rfl
    rw [h6, Nat.mul_zero]
    omega
  | fuel + 1, r, now, b, live, h1, h2, hb => by
    have hE : (live.filter fun q => decide (q.prompt ≤ responseSlice M r)).length ≤ live.length :=
      List.length_filter_le ..
    have hD := duration_le (r := r) hM hE
    have hsum := spsCall_sum_le (tau := responseSlice M r) (k := responseWidth M r) (now := now) 0
      (live.filter fun q => decide (q.prompt ≤ responseSlice M r))
      (spsDuration_bound (responseSlice M r) (responseWidth M r) _)
    rw [List.filter_filter] at hsum
    have hrest : ∀ q ∈ live.filter fun q => !(decide (q.output ≤ responseSlice M r) &&
        decide (q.prompt ≤ responseSlice M r)), q ∈ live ∧ responseSlice M r < q.output :=
      fun q hq => by
        have h3 := List.mem_filter.1 hq
        have h4 := h1 q h3.1
        refine ⟨h3.1, Nat.lt_of_not_le fun hle => ?_⟩
        have h5 := h3.2
        simp only [Bool.not_eq_true', Bool.and_eq_false_iff, decide_eq_false_iff_not] at h5
        omega
    have ih := response_phases hM fuel (r + 1)
      (now + spsDuration (responseSlice M r) (responseWidth M r)
        (live.filter fun q => decide (q.prompt ≤ responseSlice M r)).length)
      (responseSlice M r) _ (fun q hq => h1 q (hrest q hq).1)
      (fun q hq => Nat.le_of_lt (hrest q hq).2) (Or.inr ⟨by omega, rfl⟩)
    have hperm := perm_filter_parts (fun q : Request => decide (q.output ≤ responseSlice M r) &&
      decide (q.prompt ≤ responseSlice M r)) live
    have hN := hperm.length_eq
    have hO := (hperm.map Request.output).sum_nat
    have hQp := orderedMin_perm (hperm.map fun q => q.output * q.output)
    rw [List.length_append] at hN
    rw [List.map_append, List.sum_append_nat] at hO
    rw [List.map_append] at hQp
    have hT : ((responseFrom M (fuel + 1) r now live).map Prod.snd).sum =
        ((spsCall (responseSlice M r) (responseWidth M r) now 0
          (live.filter fun q => decide (q.prompt ≤ responseSlice M r))).map Prod.snd).sum +
        ((responseFrom M fuel (r + 1) (now + spsDuration (responseSlice M r) (responseWidth M r)
          (live.filter fun q => decide (q.prompt ≤ responseSlice M r)).length)
          (live.filter fun q => !(decide (q.output ≤ responseSlice M r) &&
            decide (q.prompt ≤ responseSlice M r)))).map Prod.snd).sum := by
      rw [responseFrom, List.map_append, List.sum_append_nat]
    have hlow : ∀ q ∈ live, max b 1 ≤ q.output := fun q hq => by
      have := h2 q hq
      have := (h1 q hq).1
      omega
    have hF : ∀ q ∈ live.filter fun q => decide (q.output ≤ responseSlice M r) &&
        decide (q.prompt ≤ responseSlice M r), q ∈ live := fun q hq => (List.mem_filter.1 hq).1
    have hOF : (live.filter fun q => decide (q.output ≤ responseSlice M r) &&
        decide (q.prompt ≤ responseSlice M r)).length * max b 1 ≤
        ((live.filter fun q => decide (q.output ≤ responseSlice M r) &&
          decide (q.prompt ≤ responseSlice M r)).map Request.output).sum := by
      have := sum_map_le_sum_map (f := fun _ => max b 1) fun q hq => hlow q (hF q hq)
      rwa [sum_map_const] at this
    have hQ := orderedMin_append_ge (c := max b 1 * max b 1)
      ((live.filter fun q => !(decide (q.output ≤ responseSlice M r) &&
        decide (q.prompt ≤ responseSlice M r))).map fun q => q.output * q.output)
      ((live.filter fun q => decide (q.output ≤ responseSlice M r) &&
        decide (q.prompt ≤ responseSlice M r)).map fun q => q.output * q.output)
      (fun x hx => by
        obtain ⟨q, hq, rfl⟩ := List.mem_map.1 hx
        exact Nat.mul_le_mul (hlow q (hF q hq)) (hlow q (hF q hq)))
      (fun x hx => by
        obtain ⟨q, hq, rfl⟩ := List.mem_map.1 hx
        exact Nat.mul_le_mul (hlow q (hrest q hq).1) (hlow q (hrest q hq).1))
    rw [hQp, List.length_map, List.length_map] at hQ
    have hslice : (b = 0 ∧ max b 1 = 1 ∧ responseSlice M r = 1) ∨
        (max b 1 = b ∧ responseSlice M r ≤ 2 * b ∧
          ((live.filter fun q => !(decide (q.output ≤ responseSlice M r) &&
            decide (q.prompt ≤ responseSlice M r))).length = 0 ∨ responseSlice M r = 2 * b)) := by
      rcases hb with ⟨hb0, hr⟩ | ⟨hr, hb1⟩
      · left
        subst hb0 hr
        exact ⟨rfl, rfl, Nat.min_eq_left hM⟩
      · right
        obtain ⟨r', rfl⟩ : ∃ r', r = r' + 1 := ⟨r - 1, by omega⟩
        have hpow := Nat.pow_pos (n := r') (show 0 < 2 by decide)
        have e : 2 ^ (r' + 1) = 2 ^ r' * 2 := Nat.pow_succ ..
        have hb2 : b = min (2 ^ r') M := hb1
        have hs : responseSlice M (r' + 1) = min (2 ^ (r' + 1)) M := rfl
        refine ⟨by omega, by omega, ?_⟩
        rcases Nat.eq_zero_or_pos (live.filter fun q =>
          !(decide (q.output ≤ responseSlice M (r' + 1)) &&
            decide (q.prompt ≤ responseSlice M (r' + 1)))).length with h0 | h0
        · exact Or.inl h0
        · right
          obtain ⟨q, hq⟩ := List.exists_mem_of_length_pos h0
          have h3 := hrest q hq
          have h4 := (h1 q h3.1).2
          omega
    rw [hT]
    rw [← hN] at hD ⊢
    refine response_step (c := max b 1) (Nat.add_le_add_right hsum _) ih hD ?_ hQ hslice
    rw [← hO]
    omega

/-- **The response rule**: three times the sum of the completion times is at most 224 times the
optimum. -/
theorem response_bound {M : Nat} {I : List Request} {S : Schedule}
    (hs : ∀ q ∈ I, q.prompt < q.output) (hf : ∀ q ∈ I, q.peak ≤ M) (hS : Feasible M I S) :
    3 * ((response M I).map Prod.snd).sum ≤ 224 * totalCompletion I S := by
  rcases Nat.eq_zero_or_pos M with hM | hM
  · cases I with
    | nil => subst hM; exact Nat.zero_le _
    | cons q l =>
      have h1 := hs q (List.mem_cons_self ..)
      have h2 := hf q (List.mem_cons_self ..)
      unfold Request.peak at h2
      omega
  have h1 := response_phases hM (M + 1) 0 0 0 I (fun q hq => ⟨hs q hq, by
    have := hf q hq
    unfold Request.peak at this
    omega⟩) (fun q _ => Nat.zero_le _) (Or.inl ⟨rfl, rfl⟩)
  have h2 := additive_bound hS fun q hq => by have := hs q hq; omega
  have h3 : orderedMin (I.map fun q => q.output * q.output) ≤ orderedMin (I.map twiceVolume) := by
    unfold orderedMin
    rw [List.map_map, List.map_map]
    refine sum_map_le_sum_map fun q _ => ?_
    have hv : ∀ q : Request, q.output * q.output ≤ twiceVolume q := fun q => by
      unfold twiceVolume
      rw [Nat.mul_succ]
      omega
    show minSum (q.output * q.output) _ ≤ minSum (twiceVolume q) _
    rw [minSum_eq, minSum_eq, List.map_map, List.map_map]
    refine sum_map_le_sum_map fun p _ => ?_
    have h4 := hv q
    have h5 := hv p
    show min (q.output * q.output) (p.output * p.output) ≤ min (twiceVolume q) (twiceVolume p)
    omega
  have h4 : (I.map Request.output).sum ≤ (I.map fun q => 2 * q.output + 1).sum :=
    sum_map_le_sum_map fun q _ => by omega
  have h5 := Nat.mul_le_mul_left M h4
  simp only [Nat.zero_mul, Nat.mul_zero, Nat.add_zero, Nat.zero_add] at h1
  have h6 : ((response M I).map Prod.snd).sum =
    ((responseFrom M (M + 1) 0 0 I).map Prod.snd).sum := rfl
  rw [h6]
  generalize ((responseFrom M (M + 1) 0 0 I).map Prod.snd).sum = X at h1 ⊢
  refine Nat.le_of_mul_le_mul_left (?_ : M * (3 * X) ≤ M * (224 * totalCompletion I S)) hM
  have e1 : M * (3 * X) = 3 * (M * X) := Nat.mul_left_comm ..
  have e2 : M * (224 * totalCompletion I S) = 224 * (M * totalCompletion I S) :=
    Nat.mul_left_comm ..
  have e3 : 12 * M * totalCompletion I S = 12 * (M * totalCompletion I S) := Nat.mul_assoc ..
  have e4 : 2 * M * (I.map fun q => 2 * q.output + 1).sum =
    2 * (M * (I.map fun q => 2 * q.output + 1).sum) := Nat.mul_assoc ..
  omega

/-- Every request completes. -/
theorem response_complete {M : Nat} : ∀ (fuel r now : Nat) (live : List Request),
    (∀ q ∈ live, q.prompt < q.output ∧ q.output ≤ M) → M ≤ 2 ^ (r + fuel - 1) → 1 ≤ fuel →
    ((responseFrom M fuel r now live).map Prod.fst).Perm live
  | 0, _, _, _, _, _, h => absurd h (Nat.not_succ_le_zero 0)
  | fuel + 1, r, now, live, h1, h2, _ => by
    have hperm := perm_filter_parts (fun q : Request => decide (q.output ≤ responseSlice M r) &&
      decide (q.prompt ≤ responseSlice M r)) live
    rw [responseFrom, List.map_append, spsCall_requests, List.filter_filter]
    refine List.Perm.trans (List.Perm.append_left _ ?_) hperm
    rcases Nat.eq_zero_or_pos fuel with h0 | h0
    · subst h0
      have h3 : M ≤ 2 ^ r := by
        rw [show r + (0 + 1) - 1 = r by omega] at h2
        exact h2
      have hs : responseSlice M r = M := Nat.min_eq_right h3
      have hnil : (live.filter fun q => !(decide (q.output ≤ responseSlice M r) &&
          decide (q.prompt ≤ responseSlice M r))) = [] :=
        List.filter_eq_nil_iff.2 fun q hq => by
          have := h1 q hq
          simp only [hs, Bool.not_eq_true', Bool.not_eq_false, Bool.and_eq_true,
            decide_eq_true_eq]
          omega
      rw [hnil]
      exact List.Perm.refl _
    · exact response_complete fuel (r + 1) _ _ (fun q hq => h1 q (List.mem_filter.1 hq).1)
        (by rwa [show r + 1 + fuel - 1 = r + (fuel + 1) - 1 by omega]) h0

end OnlineKvCache
