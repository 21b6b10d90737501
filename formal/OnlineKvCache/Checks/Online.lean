module

public import OnlineKvCache.Checks.Decide
public import OnlineKvCache.Checks.Examples
public import OnlineKvCache.Results

public section

/-! # Causality accepts and rejects, and no hypothesis is empty -/

namespace OnlineKvCache.Checks

/-- A request that has arrived is revealed. -/
theorem one_revealed : Revealed one 0 ⟨0, 0, 1, 1⟩ :=
  ⟨List.mem_cons_self .., Nat.zero_le _⟩

/-- The two instances reveal the same before round 3. -/
theorem one_two_same : SameRevealed one two 2 := by
  intro q
  simp only [Revealed, List.mem_cons, List.not_mem_nil, or_false]
  constructor
  · rintro ⟨rfl, h⟩; exact ⟨Or.inl rfl, h⟩
  · rintro ⟨rfl | rfl, h⟩
    · exact ⟨rfl, h⟩
    · simp at h

/-- A scheduler that waits for the last arrival is clairvoyant: it is not causal. -/
theorem waitsForLast_not_causal : ¬ Causal 2 waitsForLast := fun h => by
  have h1 := (h one two 2 (by decide) (by decide) one_two_same ⟨0, 0, 1, 1⟩
    ⟨List.mem_cons_self .., Nat.zero_le _⟩).1 ⟨0, rfl, Nat.zero_le _⟩
  obtain ⟨b, hb, hle⟩ := h1
  have h2 : waitsForLast two 0 = some 3 := rfl
  rw [h2] at hb
  cases hb
  omega

/-- It serves these instances, so causality is what rejects it. -/
theorem waitsForLast_serves : Serves 2 waitsForLast one (fun _ => 0) ∧
    Feasible 4 two (scheduleOf waitsForLast two) := by
  refine ⟨⟨by decide, fun q hq => ?_⟩, by decide⟩
  obtain rfl : q = ⟨0, 0, 1, 1⟩ := by simpa using hq
  rfl

/-- Causality does not depend on how an instance is listed: what a causal scheduler does is the same
for every order of the list. -/
theorem causal_order_irrelevant {M : Nat} {A : Scheduler} (hA : Causal M A) {I J : List Request}
    (hI : Valid M I) (hJ : Valid M J) (h : ∀ q, q ∈ I ↔ q ∈ J) {S T : Schedule}
    (hS : Serves M A I S) (hT : Serves M A J T) {q : Request} (hq : q ∈ I) :
    start S q = start T q := by
  have hc := fun t ht => hA I J t hI hJ (fun r => by unfold Revealed; rw [h r]) q ⟨hq, ht⟩
  have h1 := hS.starts q hq
  have h2 := hT.starts q ((h q).1 hq)
  have h3 := hS.feasible.release q hq
  have h4 := hT.feasible.release q ((h q).1 hq)
  refine Nat.le_antisymm ?_ ?_
  · obtain ⟨b, hb, hle⟩ := (hc (start T q) h4).2 ⟨_, h2, Nat.le_refl _⟩
    rw [h1] at hb
    cases hb
    exact hle
  · obtain ⟨b, hb, hle⟩ := (hc (start S q) h3).1 ⟨_, h1, Nat.le_refl _⟩
    rw [h2] at hb
    cases hb
    exact hle

/-! ### Serving accepts and rejects -/

/-- The idle scheduler is causal and serves nothing, so each of its factors is infinite. -/
theorem idle_factor (M n p q : Nat) (hn : 1 ≤ n) (hM : 2 ≤ M) :
    Causal M idle ∧ FactorAtLeast M n idle p q := by
  have hA : Causal M idle := fun _ _ _ _ _ _ _ _ =>
    ⟨fun ⟨_, h, _⟩ => (by cases h), fun ⟨_, h, _⟩ => (by cases h)⟩
  obtain ⟨I, c, hv, hlen, hc, hpos, _⟩ := linear_memory_quarter n M hn hM idle hA
  refine ⟨hA, I, c, hv, hlen, hc, hpos, fun S hS => ?_⟩
  cases I with
  | nil => simp at hlen; omega
  | cons r l =>
    have := hS.starts r (List.mem_cons_self ..)
    cases this

/-- The eager scheduler starts everything, but what it does is not feasible at memory 2, so it does
not serve this instance. -/
theorem eager_not_serves (S : Schedule) :
    ¬ Serves 2 eager [⟨0, 0, 1, 1⟩, ⟨1, 0, 1, 1⟩] S := fun h => by
  have h0 : S 0 = 0 := by
    have := h.starts ⟨0, 0, 1, 1⟩ (by simp)
    exact (Option.some.inj (show some 0 = some (S 0) from this)).symm
  have h1 : S 1 = 0 := by
    have := h.starts ⟨1, 0, 1, 1⟩ (by simp)
    exact (Option.some.inj (show some 0 = some (S 1) from this)).symm
  have hc := h.feasible.capacity 0
  simp [occupancy, memory, Active, completion, h0, h1] at hc

/-! ### The rules on concrete instances -/

/-- The serial rule. -/
example : serial pair 0 = some 0 ∧ serial pair 1 = some 3 := by decide +kernel
/-- Main and filler with half delay: the long request is ready in round 1, the short one in 2. -/
example : halfDelay 4 pair 0 = some 1 ∧ halfDelay 4 pair 1 = some 3 := by decide +kernel
/-- With more memory the short request runs beside the long one. -/
example : halfDelay 9 pair 0 = some 1 ∧ halfDelay 9 pair 1 = some 2 := by decide +kernel
/-- The longest goes first, when it is ready; the short one runs after it, or beside it. -/
example : longestFirst 4 1 (partReady 5 8) pair 0 = some 2 ∧
    longestFirst 4 1 (partReady 5 8) pair 1 = some 4 := by decide +kernel
example : longestFirst 9 1 (partReady 5 8) pair 0 = some 2 ∧
    longestFirst 9 1 (partReady 5 8) pair 1 = some 2 := by decide +kernel
/-- Without delay. -/
example : shortestFirst 4 pair 0 = some 0 ∧ shortestFirst 4 pair 1 = some 2 := by decide +kernel

/-- The serial rule meets every hypothesis of the lower bound, and there it does serve: the bound is
about a real schedule. -/
theorem serial_meets_lower_bound (k : Nat) (hk : 1 ≤ k) : ∃ I c S, Valid (2 * k * (k + 1)) I ∧
    I.length = k + 1 ∧ IsOPT (2 * k * (k + 1)) I c ∧ 0 < c ∧
    Serves (2 * k * (k + 1)) serial I S ∧
    2 * (k + 1) * c ≤ 5 * TEL I S ∧ TEL I S ≤ (k + 1) * c := by
  obtain ⟨I, c, hv, hn, hc, hpos, h⟩ :=
    deterministic_worst_memory_ratio_theta_linear_human_quantifiers.2 k hk serial (serial_causal _)
  have hS := serial_serves hv
  refine ⟨I, c, scheduleOf serial I, hv, hn, hc, hpos, hS, (h _ hS).2, ?_⟩
  obtain ⟨T, hT, rfl⟩ := hc.attained
  rw [← hn]
  exact serial_upper hv hT

/-- The longest-first rule with part 5/8 and slack 15: less than `0.651n + 55` times the optimum. -/
theorem longest_first_five_eighths (M : Nat) (I : List Request) (hI : Valid M I) :
    ∃ S, Serves M (longestFirst M 15 (partReady 5 8)) I S ∧
      ∀ c, IsOPT M I c → 123 * TEL I S ≤ (80 * I.length + 6720) * c := by
  obtain ⟨S, hS, h⟩ := (longest_first 5 8 15 (by decide) (by decide) (by decide) M).2 I hI
  refine ⟨S, hS, fun c hc => ?_⟩
  have h1 := h c hc
  have e : (2 * (5 * (15 + 1)) * I.length + (6 * 15 + 15) * (8 * (15 + 1))) * c =
      2 * ((80 * I.length + 6720) * c) := by grind
  omega

/-- The lower bound with every definition of schedulers, causality and serving unfolded. -/
example : ∀ k, 1 ≤ k → ∀ A : List Request → Nat → Option Nat,
    (∀ I J t, Valid (2 * k * (k + 1)) I → Valid (2 * k * (k + 1)) J →
      (∀ q : Request, (q ∈ I ∧ q.arrival ≤ t) ↔ (q ∈ J ∧ q.arrival ≤ t)) →
      ∀ q : Request, q ∈ I ∧ q.arrival ≤ t →
        ((∃ b, A I q.id = some b ∧ b ≤ t) ↔ (∃ b, A J q.id = some b ∧ b ≤ t))) →
    ∃ (I : List Request) (T : Nat → Nat), Valid (2 * k * (k + 1)) I ∧ I.length = k + 1 ∧
      (∀ q ∈ I, q.arrival ≤ T q.id) ∧
      (∀ t, (I.map fun q => if T q.id ≤ t ∧ t < T q.id + q.output then
        q.prompt + (t - T q.id) + 1 else 0).sum ≤ 2 * k * (k + 1)) ∧
      ∀ S : Nat → Nat, (∀ q ∈ I, A I q.id = some (S q.id)) →
        (∀ q ∈ I, q.arrival ≤ S q.id) →
        (∀ t, (I.map fun q => if S q.id ≤ t ∧ t < S q.id + q.output then
          q.prompt + (t - S q.id) + 1 else 0).sum ≤ 2 * k * (k + 1)) →
        2 * (k + 1) * (I.map fun q => T q.id + q.output - q.arrival).sum ≤
          5 * (I.map fun q => S q.id + q.output - q.arrival).sum := by
  intro k hk A hA
  obtain ⟨I, c, hv, hn, ⟨⟨T, hT, hc⟩, _⟩, _, h⟩ :=
    deterministic_worst_memory_ratio_theta_linear_human_quantifiers.2 k hk A hA
  refine ⟨I, T, hv, hn, hT.release, hT.capacity, fun S hs hr hcap => ?_⟩
  have := (h S ⟨⟨hr, hcap⟩, hs⟩).2
  rw [← hc] at this
  exact this

end OnlineKvCache.Checks
