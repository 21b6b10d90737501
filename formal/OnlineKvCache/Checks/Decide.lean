module

public import OnlineKvCache.Model.Variants
public import OnlineKvCache.Basic.Schedules

@[expose] public section

/-! # Deciding feasibility and optima of small instances

With these instances `decide` judges concrete schedules by the definitions of `Model` themselves. -/

namespace OnlineKvCache

theorem foldl_max_le (f : Request → Nat) : ∀ (I : List Request) (m : Nat),
    m ≤ I.foldl (fun m q => max m (f q)) m ∧ ∀ q ∈ I, f q ≤ I.foldl (fun m q => max m (f q)) m
  | [], m => ⟨Nat.le_refl m, fun _ h => by cases h⟩
  | a :: l, m => by
    have ih := foldl_max_le f l (max m (f a))
    rw [List.foldl_cons]
    refine ⟨by omega, fun q hq => ?_⟩
    rcases List.mem_cons.1 hq with rfl | hq
    · omega
    · exact ih.2 q hq

theorem completion_le_makespan {I : List Request} (S : Schedule) {q : Request} (hq : q ∈ I) :
    completion S q ≤ makespan I S := (foldl_max_le (completion S) I 0).2 q hq

theorem occupancy_eq_zero {I : List Request} {S : Schedule} {t : Nat} (h : makespan I S ≤ t) :
    occupancy I S t = 0 := sum_map_eq_zero fun q hq => memory_of_not fun ha => by
  have := completion_le_makespan S hq
  unfold Active at ha
  omega

/-- Only the rounds before the makespan matter. -/
theorem feasible_iff (M : Nat) (I : List Request) (S : Schedule) : Feasible M I S ↔
    (∀ q ∈ I, q.arrival ≤ start S q) ∧ ∀ t ∈ List.range (makespan I S), occupancy I S t ≤ M := by
  constructor
  · exact fun h => ⟨h.release, fun t _ => h.capacity t⟩
  · rintro ⟨h1, h2⟩
    refine ⟨h1, fun t => ?_⟩
    rcases Nat.lt_or_ge t (makespan I S) with h | h
    · exact h2 t (List.mem_range.2 h)
    · rw [occupancy_eq_zero h]; exact Nat.zero_le _

/-- Feasibility is decidable. -/
noncomputable instance instDecidableFeasible (M : Nat) (I : List Request) (S : Schedule) :
    Decidable (Feasible M I S) := decidable_of_iff' _ (feasible_iff M I S)

theorem valid_iff (M : Nat) (I : List Request) : Valid M I ↔ (I.map Request.id).Nodup ∧
    ∀ q ∈ I, 1 ≤ q.prompt ∧ 1 ≤ q.output ∧ q.peak ≤ M :=
  ⟨fun h => ⟨h.nodup, fun q hq => ⟨h.prompt_pos q hq, h.output_pos q hq, h.fits q hq⟩⟩,
    fun h => ⟨h.1, fun q hq => (h.2 q hq).1, fun q hq => (h.2 q hq).2.1,
      fun q hq => (h.2 q hq).2.2⟩⟩

/-- Validity is decidable. -/
noncomputable instance instDecidableValid (M : Nat) (I : List Request) : Decidable (Valid M I) :=
  decidable_of_iff' _ (valid_iff M I)

/-- Feasibility under corrupted progress, decided up to the makespan. -/
theorem corruptedFeasible_iff (M : Nat) (I : List Request) (S : Schedule) :
    CorruptedFeasible M I S ↔ (∀ q ∈ I, q.arrival ≤ start S q) ∧
      ∀ t ∈ List.range (makespan I S), corruptedOccupancy I S t ≤ M := by
  constructor
  · exact fun h => ⟨h.release, fun t _ => h.capacity t⟩
  · rintro ⟨h1, h2⟩
    refine ⟨h1, fun t => ?_⟩
    rcases Nat.lt_or_ge t (makespan I S) with h | h
    · exact h2 t (List.mem_range.2 h)
    · have : corruptedOccupancy I S t = 0 := sum_map_eq_zero fun q hq => if_neg fun ha => by
        have := completion_le_makespan S hq
        unfold Active at ha
        omega
      rw [this]; exact Nat.zero_le _

/-- Feasibility under corrupted progress is decidable. -/
noncomputable instance instDecidableCorruptedFeasible (M : Nat) (I : List Request) (S : Schedule) :
    Decidable (CorruptedFeasible M I S) := decidable_of_iff' _ (corruptedFeasible_iff M I S)

/-! ### Optima by enumeration -/

/-- All schedules of `I` with fewer than `c` rounds between arrival and start. -/
noncomputable def choices (c : Nat) : List Request → List Schedule
  | [] => [fun _ => 0]
  | q :: l => (choices c l).flatMap fun S => (List.range c).map fun d => fun i =>
      if i = q.id then q.arrival + d else S i

theorem exists_choice {c : Nat} {S : Schedule} : ∀ {I : List Request},
    (∀ q ∈ I, q.arrival ≤ start S q ∧ start S q < q.arrival + c) →
    ∃ S' ∈ choices c I, ∀ q ∈ I, start S' q = start S q
  | [], _ => ⟨_, List.mem_singleton.2 rfl, fun _ h => by cases h⟩
  | q :: l, h => by
    obtain ⟨S', hS', he⟩ := exists_choice (I := l) fun p hp => h p (List.mem_cons_of_mem _ hp)
    have hq := h q (List.mem_cons_self ..)
    refine ⟨_, List.mem_flatMap.2 ⟨S', hS', List.mem_map.2 ⟨start S q - q.arrival,
      List.mem_range.2 (by omega), rfl⟩⟩, fun p hp => ?_⟩
    simp only [start]
    by_cases hpq : p.id = q.id
    · rw [if_pos hpq, hpq]
      have : S q.id = start S q := rfl
      omega
    · rw [if_neg hpq]
      rcases List.mem_cons.1 hp with rfl | hp
      · exact absurd rfl hpq
      · exact he p hp

theorem TEL_congr {I : List Request} {S S' : Schedule} (h : ∀ q ∈ I, start S' q = start S q) :
    TEL I S' = TEL I S := sum_map_congr fun q hq => by simp only [latency, completion, h q hq]

theorem feasible_congr {M : Nat} {I : List Request} {S S' : Schedule}
    (h : ∀ q ∈ I, start S' q = start S q) (hS : Feasible M I S) : Feasible M I S' where
  release q hq := by rw [h q hq]; exact hS.release q hq
  capacity t := by
    have : occupancy I S' t = occupancy I S t := sum_map_congr fun q hq => by
      simp only [memory, Active, completion, h q hq]
    rw [this]; exact hS.capacity t

/-- A feasible schedule cheaper than `c` is, on `I`, one of the finitely many choices. -/
theorem exists_choice_of_lt {M c : Nat} {I : List Request} {S : Schedule} (hS : Feasible M I S)
    (ho : ∀ q ∈ I, 1 ≤ q.output) (h : TEL I S < c) : ∃ S' ∈ choices c I,
      (∀ q ∈ I, start S' q = start S q) ∧ Feasible M I S' ∧ TEL I S' = TEL I S := by
  obtain ⟨S', h1, h2⟩ := exists_choice (c := c) (S := S) (I := I) fun q hq => by
    have h1 := hS.release q hq
    have h2 := le_sum_map (latency S) hq
    have h3 := ho q hq
    have h4 : latency S q = start S q + q.output - q.arrival := rfl
    unfold TEL at h
    omega
  exact ⟨S', h1, h2, feasible_congr h2 hS, TEL_congr h2⟩

/-- An optimum, by one schedule and a finite search. -/
theorem isOPT_of_search {M c : Nat} {I : List Request} (S : Schedule) (hS : Feasible M I S)
    (hc : TEL I S = c) (ho : ∀ q ∈ I, 1 ≤ q.output)
    (h : ∀ S' ∈ choices c I, Feasible M I S' → c ≤ TEL I S') : IsOPT M I c where
  attained := ⟨S, hS, hc⟩
  least T hT := Nat.le_of_not_lt fun hlt => by
    obtain ⟨S', h1, _, h2, h3⟩ := exists_choice_of_lt hT ho hlt
    have := h S' h1 h2
    omega

end OnlineKvCache
