module

public import OnlineKvCache.TightRatio.Adversary
public import OnlineKvCache.TightRatio.SerialUpper

public section

/-! # What the adversary forces -/

namespace OnlineKvCache

theorem mem_adversary {p L s T g k : Nat} {q : Request} :
    q ∈ adversary p L s T g k ↔
      q = longRequest p L ∨ ∃ i, i < k ∧ shortRequest s T g i = q := by
  simp [adversary, List.mem_cons, List.mem_map, List.mem_range]

theorem length_adversary (p L s T g k : Nat) : (adversary p L s T g k).length = k + 1 := by
  simp [adversary]

theorem long_mem (p L s T g k : Nat) : longRequest p L ∈ adversary p L s T g k :=
  mem_adversary.2 (Or.inl rfl)

theorem short_mem {p L s T g k i : Nat} (hi : i < k) :
    shortRequest s T g i ∈ adversary p L s T g k := mem_adversary.2 (Or.inr ⟨i, hi, rfl⟩)

theorem valid_adversary {M p L s : Nat} (hE : Exclusive M p L s) (T g k : Nat) :
    Valid M (adversary p L s T g k) where
  nodup := by
    have h : (adversary p L s T g k).map Request.id = 0 :: (List.range k).map (fun i => i + 1) := by
      simp [adversary, longRequest, shortRequest, List.map_map, Function.comp_def]
    rw [h, List.nodup_cons]
    constructor
    · intro h0
      obtain ⟨i, _, hi⟩ := List.mem_map.1 h0
      omega
    · exact List.pairwise_map.2 (List.nodup_range.imp fun hne he => hne (by omega))
  prompt_pos q hq := by
    rcases mem_adversary.1 hq with rfl | ⟨i, _, rfl⟩
    · exact hE.long_prompt
    · exact hE.short_prompt
  output_pos q hq := by
    rcases mem_adversary.1 hq with rfl | ⟨i, _, rfl⟩
    · exact hE.long_output
    · exact Nat.le_refl 1
  fits q hq := by
    rcases mem_adversary.1 hq with rfl | ⟨i, _, rfl⟩
    · exact hE.long_fits
    · exact hE.short_fits

theorem TEL_adversary (p L s T g k : Nat) (S : Schedule) :
    TEL (adversary p L s T g k) S =
      S 0 + L + ((List.range k).map fun i => S (i + 1) + 1 - (T + g * i)).sum := by
  simp [TEL, adversary, longRequest, shortRequest, latency, completion, List.map_map,
    Function.comp_def]

theorem hindsight_feasible {M p L s T g k l : Nat} (hE : Exclusive M p L s) (hg : g ≤ 1)
    (h : l + L ≤ T ∨ T + k ≤ l) :
    Feasible M (adversary p L s T g k) (hindsight T l) := by
  refine feasible_of_disjoint (valid_adversary hE T g k) (fun q hq => ?_)
    fun a ha q hq hne => ?_
  · rcases mem_adversary.1 hq with rfl | ⟨i, _, rfl⟩
    · exact Nat.zero_le _
    · have := Nat.mul_le_mul_right i hg
      simp [shortRequest, hindsight]; omega
  · rcases mem_adversary.1 ha with rfl | ⟨i, hi, rfl⟩ <;>
      rcases mem_adversary.1 hq with rfl | ⟨j, hj, rfl⟩
    · exact absurd rfl hne
    · simp [longRequest, shortRequest, hindsight, completion]; omega
    · simp [longRequest, shortRequest, hindsight, completion]; omega
    · have hij : i ≠ j := fun he => hne (by rw [he])
      simp [shortRequest, hindsight, completion]; omega

theorem two_sum_arrivals (T g : Nat) : ∀ k : Nat,
    2 * ((List.range k).map fun i => T + g * i).sum + g * k = 2 * (k * T) + g * (k * k)
  | 0 => by simp
  | k + 1 => by
    have ih := two_sum_arrivals T g k
    simp only [List.range_succ, List.map_append, List.map_cons, List.map_nil,
      List.sum_append_nat, List.sum_cons, List.sum_nil]
    have e1 : g * (k + 1) = g * k + g := Nat.mul_succ ..
    have e2 : (k + 1) * T = k * T + T := Nat.succ_mul ..
    have e3 : g * ((k + 1) * (k + 1)) = g * (k * k) + 2 * (g * k) + g := by grind
    omega

theorem hindsight_TEL (p L s T g k l : Nat) (hg : g ≤ 1) :
    2 * TEL (adversary p L s T g k) (hindsight T l) + g * (k * k) =
      2 * (l + L) + k * (k + 1) + g * k := by
  have h1 := sum_map_add (fun i => hindsight T l (i + 1) + 1 - (T + g * i)) (fun i => T + g * i)
    (List.range k)
  have h2 : ((List.range k).map fun i =>
      hindsight T l (i + 1) + 1 - (T + g * i) + (T + g * i)).sum =
      ((List.range k).map fun i => T + (i + 1)).sum := sum_map_congr fun i _ => by
    have := Nat.mul_le_mul_right i hg
    simp [hindsight]; omega
  have h3 := sum_map_add (fun _ => T) (fun i => i + 1) (List.range k)
  rw [sum_map_const, List.length_range] at h3
  have h4 := two_sum_range_succ k
  have h5 := two_sum_arrivals T g k
  have h6 : hindsight T l 0 = l := rfl
  rw [TEL_adversary]
  omega

/-- Nothing overlaps the long request, no two shorts overlap. -/
theorem adversary_cost {M p L s T g k : Nat} {S : Schedule} (hE : Exclusive M p L s)
    (hS : Feasible M (adversary p L s T g k) S) (hT : S 0 < T) :
    2 * (S 0 + L) + 2 * (k * (S 0 + L)) + k * k + k + g * k ≤
      2 * TEL (adversary p L s T g k) S + 2 * (k * T) + g * (k * k) := by
  have hr : ∀ i, i < k → T + g * i ≤ S (i + 1) := fun i hi => hS.release _ (short_mem hi)
  have hge : ∀ i, i < k → S 0 + L ≤ S (i + 1) := by
    intro i hi
    apply Decidable.byContradiction
    intro hlt
    have h0 := hr i hi
    have hgi := Nat.zero_le (g * i)
    have h1 := hS.pair (t := S (i + 1)) (long_mem p L s T g k) (short_mem hi)
      (by simp [longRequest, shortRequest])
      ⟨by simp only [start, longRequest]; omega,
        by simp only [completion, start, longRequest]; omega⟩
      ⟨Nat.le_refl _, Nat.lt_succ_self _⟩
    have h2 := hE.long_short
    simp only [start, longRequest, shortRequest] at h1
    omega
  have hne : ∀ i, i < k → ∀ j, j < k → i ≠ j → S (i + 1) ≠ S (j + 1) := by
    intro i hi j hj hij he
    have h1 := hS.pair (t := S (i + 1)) (short_mem hi) (short_mem hj)
      (by simp [shortRequest]; omega) ⟨Nat.le_refl _, Nat.lt_succ_self _⟩
      ⟨by simp only [start, shortRequest]; omega,
        by simp only [completion, start, shortRequest]; omega⟩
    have h2 := hE.short_short
    simp only [start, shortRequest] at h1
    omega
  have hsum := sum_of_nodup ((List.range k).map fun i => S (i + 1) + 1) (S 0 + L + 1)
    (List.pairwise_map.2 (List.nodup_range.imp_of_mem fun {i j} hi hj hij he => by
      exact hne i (List.mem_range.1 hi) j (List.mem_range.1 hj) hij (by omega)))
    (fun x hx => by
      obtain ⟨i, hi, rfl⟩ := List.mem_map.1 hx
      have := hge i (List.mem_range.1 hi)
      omega)
  rw [List.length_map, List.length_range, Nat.mul_succ] at hsum
  have h1 := sum_map_add (fun i => S (i + 1) + 1 - (T + g * i)) (fun i => T + g * i)
    (List.range k)
  have h2 : ((List.range k).map fun i => S (i + 1) + 1 - (T + g * i) + (T + g * i)).sum =
      ((List.range k).map fun i => S (i + 1) + 1).sum := sum_map_congr fun i hi => by
    have := hr i (List.mem_range.1 hi)
    omega
  have h5 := two_sum_arrivals T g k
  rw [TEL_adversary]
  omega

/-- The requests revealed before the shorts arrive are those of the singleton. -/
theorem sameRevealed_adversary {p L s T g k t : Nat} (h : t < T) :
    SameRevealed (adversary p L s 0 0 0) (adversary p L s T g k) t := by
  intro q
  simp only [Revealed, mem_adversary]
  constructor
  · rintro ⟨hq | ⟨i, hi, _⟩, ht⟩
    · exact ⟨Or.inl hq, ht⟩
    · omega
  · rintro ⟨hq | ⟨i, _, rfl⟩, ht⟩
    · exact ⟨Or.inl hq, ht⟩
    · have := Nat.zero_le (g * i)
      simp only [shortRequest] at ht; omega

/-- The scheduler commits before it sees the shorts. -/
theorem adversary_start {M p L s : Nat} {A : Scheduler} (hE : Exclusive M p L s)
    (hA : Causal M A) {T g k : Nat} {S : Schedule} (hS : Serves M A (adversary p L s T g k) S) :
    T ≤ S 0 ∨ ∃ b, A (adversary p L s 0 0 0) 0 = some b ∧ S 0 = b := by
  have hc := fun t (ht : t < T) => hA _ _ t (valid_adversary hE 0 0 0) (valid_adversary hE T g k)
    (sameRevealed_adversary ht) (longRequest p L) ⟨long_mem .., Nat.zero_le _⟩
  have hs : A (adversary p L s T g k) 0 = some (S 0) := hS.starts _ (long_mem ..)
  rcases Nat.lt_or_ge (S 0) T with h | h
  · obtain ⟨b, hb, hle⟩ := (hc (S 0) h).2 ⟨_, hs, Nat.le_refl _⟩
    refine Or.inr ⟨b, hb, ?_⟩
    obtain ⟨b', hb', hle'⟩ := (hc b (by omega)).1 ⟨b, hb, Nat.le_refl b⟩
    have h0 : A (adversary p L s T g k) 0 = some b' := hb'
    rw [hs] at h0
    cases h0
    omega
  · exact Or.inl h

theorem adversary_start_eq {M p L s : Nat} {A : Scheduler} (hE : Exclusive M p L s)
    (hA : Causal M A) {T g k b : Nat} {S : Schedule} (hS : Serves M A (adversary p L s T g k) S)
    (hb : A (adversary p L s 0 0 0) 0 = some b) (hbT : b < T) : S 0 = b := by
  rcases adversary_start hE hA hS with h | ⟨b', hb', h⟩
  · have hc := hA _ _ b (valid_adversary hE 0 0 0) (valid_adversary hE T g k)
      (sameRevealed_adversary hbT) (longRequest p L) ⟨long_mem .., Nat.zero_le _⟩
    obtain ⟨b', hb', hle'⟩ := hc.1 ⟨b, hb, Nat.le_refl b⟩
    have hs : A (adversary p L s T g k) 0 = some (S 0) := hS.starts _ (long_mem ..)
    have h0 : A (adversary p L s T g k) 0 = some b' := hb'
    rw [hs] at h0
    cases h0
    omega
  · rw [hb] at hb'
    cases hb'
    exact h

/-- From a winning answer to every start `b` of the long request to a bound on the ratio. The
answer is a release `T` of the shorts, burst or stream, and a comparator. -/
theorem ratioAtLeast_of_answers {M p L s k P Q : Nat} (hE : Exclusive M p L s) (hQ : 1 ≤ Q)
    (h : ∀ b, ∃ T g l, g ≤ 1 ∧ b < T ∧ (l + L ≤ T ∨ T + k ≤ l) ∧
      ∀ X Y, 2 * (b + L) + 2 * (k * (b + L)) + k * k + k + g * k ≤
          2 * X + 2 * (k * T) + g * (k * k) →
        2 * Y + g * (k * k) = 2 * (l + L) + k * (k + 1) + g * k → P * Y ≤ Q * X) :
    RatioAtLeast M (k + 1) P Q := by
  intro A hA
  cases hb : A (adversary p L s 0 0 0) 0 with
  | none =>
    -- never started on its own: let the shorts arrive very late
    have hT : L ≤ P * (L + k) + L := Nat.le_add_left ..
    refine factorAtLeast_of_feasible (valid_adversary hE (P * (L + k) + L) 1 k)
      (length_adversary ..) (Nat.succ_pos k)
      (hindsight_feasible hE (Nat.le_refl 1) (l := 0) (Or.inl (by omega))) fun S hS => ?_
    have hs : P * (L + k) + L ≤ S 0 := by
      rcases adversary_start hE hA hS with h1 | ⟨b, hb', _⟩
      · exact h1
      · rw [hb] at hb'; cases hb'
    have h1 := hindsight_TEL p L s (P * (L + k) + L) 1 k 0 (Nat.le_refl 1)
    have h2 : TEL (adversary p L s (P * (L + k) + L) 1 k) (hindsight (P * (L + k) + L) 0) =
        L + k := by
      rw [Nat.mul_add k k 1] at h1
      omega
    rw [h2]
    have h3 : P * (L + k) ≤ TEL (adversary p L s (P * (L + k) + L) 1 k) S := by
      rw [TEL_adversary]; omega
    exact Nat.le_trans h3 (Nat.le_mul_of_pos_left _ hQ)
  | some b =>
    obtain ⟨T, g, l, hg, hbT, hl, hXY⟩ := h b
    refine factorAtLeast_of_feasible (valid_adversary hE T g k)
      (length_adversary ..) (Nat.succ_pos k) (hindsight_feasible hE hg hl) fun S hS => ?_
    have hs := adversary_start_eq hE hA hS hb hbT
    have hc := adversary_cost hE hS.feasible (by omega)
    rw [hs] at hc
    exact hXY _ _ hc (hindsight_TEL p L s T g k l hg)

end OnlineKvCache
