module

public import OnlineKvCache.Statements
public import OnlineKvCache.TightRatio.LowerBounds
public import OnlineKvCache.TightRatio.GoldenUpper
public import OnlineKvCache.TightRatio.HalfDelay
public import OnlineKvCache.TightRatio.MemoryThree
public import OnlineKvCache.TightRatio.Unbounded

public section

/-! # The proofs of the headline statements, under their public names -/

namespace OnlineKvCache

theorem optimum_exists : Statements.optimum_exists := fun _ _ hv hn => by
  obtain ⟨c, hc⟩ := exists_OPT hv
  refine ⟨c, hc, hc.pos hv hn, fun d hd => ?_⟩
  obtain ⟨S, hS, rfl⟩ := hc.attained
  obtain ⟨T, hT, rfl⟩ := hd.attained
  exact Nat.le_antisymm (hd.least S hS) (hc.least T hT)

theorem ratio_bounds_compare : Statements.ratio_bounds_compare := by
  rintro M n p q p' q' hl ⟨A, hA, hu⟩
  obtain ⟨I, c, hv, hn, hc, hpos, h⟩ := hl A hA
  obtain ⟨S, hS, h'⟩ := hu I hv hn
  have h1 := Nat.mul_le_mul_left q' (h S hS)
  have h2 := Nat.mul_le_mul_left q (h' c hc)
  refine Nat.le_of_mul_le_mul_right (?_ : p * q' * c ≤ p' * q * c) hpos
  have e1 : p * q' * c = q' * (p * c) := by grind
  have e2 : p' * q * c = q * (p' * c) := by grind
  have e3 : q' * (q * TEL I S) = q * (q' * TEL I S) := Nat.mul_left_comm ..
  omega

theorem deterministic_worst_memory_ratio_theta_linear_human_quantifiers :
    Statements.deterministic_worst_memory_ratio_theta_linear_human_quantifiers := by
  refine ⟨serial_bound, fun k hk A hA => ?_⟩
  obtain ⟨I, c, hv, hn, hc, hpos, h⟩ := paper_lower_bound k hk A hA
  refine ⟨I, c, hv, hn, hc, hpos, fun S hS => ⟨?_, h S hS⟩⟩
  have h1 := h S hS
  rw [Nat.mul_assoc] at h1
  omega

theorem deterministic_ratio_theta_linear : Statements.deterministic_ratio_theta_linear := by
  constructor
  · intro M n
    obtain ⟨A, hA⟩ := serial_bound
    refine ⟨A, (hA M).1, fun I hv hn => ?_⟩
    obtain ⟨S, hS, h⟩ := (hA M).2 I hv
    exact ⟨S, hS, fun c hc => by rw [Nat.one_mul, ← hn]; exact h c hc⟩
  · intro n hn
    obtain ⟨k, rfl⟩ : ∃ k, n = k + 1 := ⟨n - 1, by omega⟩
    rw [Nat.add_sub_cancel]
    have h := paper_lower_bound k (by omega)
    refine ⟨h, fun A hA => ?_⟩
    obtain ⟨I, c, hv, hn, hc, hpos, h⟩ := h A hA
    refine ⟨I, c, hv, hn, hc, hpos, fun S hS => ?_⟩
    have h1 := h S hS
    rw [Nat.mul_assoc] at h1
    omega

theorem linear_memory_quarter : Statements.linear_memory_quarter := ratio_quarter

theorem linear_memory_half : Statements.linear_memory_half := fun n M hn hM =>
  ratio_half n M hn (by omega) (by omega)

theorem linear_memory_three_fifths : Statements.linear_memory_three_fifths := ratio_three_fifths

theorem golden_lower_bound : Statements.golden_lower_bound :=
  fun p q hp hpq n M hn hM => ratio_golden p q n M hp hpq hn hM

theorem half_delay : Statements.half_delay := fun M =>
  ⟨mainFiller_causal M halfReady_le, fun I hv =>
    ⟨ruleSchedule M halfReady I, rule_serves hv halfReady_le, by
      intro c hc
      obtain ⟨T, hT, rfl⟩ := hc.attained
      exact half_delay_upper hv (rule_trace hv) hT⟩⟩

theorem longest_first : Statements.longest_first := fun u v K hv htwo hgold M =>
  ⟨longestFirst_causal M K (arrival_le_partReady u v), fun I hI =>
    ⟨_, longestFirst_serves hI (arrival_le_partReady u v), by
      intro c hc
      obtain ⟨T, hT, rfl⟩ := hc.attained
      exact longest_upper hI hT hv htwo hgold⟩⟩

theorem worst_memory_constant : Statements.worst_memory_constant :=
  ⟨golden_lower_bound, fun _ _ hq hpq => golden_upper hq hpq⟩

theorem memory_three : Statements.memory_three :=
  ⟨mainFiller_causal 3 fun _ => Nat.le_refl _, fun I hv =>
    ⟨ruleSchedule 3 Request.arrival I, rule_serves hv fun _ => Nat.le_refl _,
      ⟨_, (rule_trace hv).feasible hv fun _ => Nat.le_refl _, rfl⟩,
      fun _ hT => three_optimal hv (rule_trace hv) hT⟩⟩

theorem fixed_memory_unbounded : Statements.fixed_memory_unbounded := ratio_unbounded

end OnlineKvCache
