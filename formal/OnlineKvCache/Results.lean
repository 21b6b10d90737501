module

public import OnlineKvCache.Statements
public import OnlineKvCache.TightRatio.LowerBounds
public import OnlineKvCache.TightRatio.GoldenUpper
public import OnlineKvCache.TightRatio.HalfDelay
public import OnlineKvCache.TightRatio.MemoryThree
public import OnlineKvCache.TightRatio.Unbounded
public import OnlineKvCache.Area.Additive
public import OnlineKvCache.Area.ThreeMachines
public import OnlineKvCache.NonClairvoyant.SpsStar
public import OnlineKvCache.NonClairvoyant.RectBound
public import OnlineKvCache.NonClairvoyant.RectFeasible
public import OnlineKvCache.NonClairvoyant.ResponseBound
public import OnlineKvCache.Svf.EngineRun
public import OnlineKvCache.Svf.Honest
public import OnlineKvCache.Svf.GapRatio
public import OnlineKvCache.NonClairvoyant.FairShareBound
public import OnlineKvCache.NonClairvoyant.PriorityOrdersProof
public import OnlineKvCache.NonClairvoyant.LowerBound
public import OnlineKvCache.NonClairvoyant.MakespanLower
public import OnlineKvCache.Svf.FamiliesShortest
public import OnlineKvCache.Svf.FamiliesIdentical
public import OnlineKvCache.Svf.FamiliesOneBit
public import OnlineKvCache.Svf.CounterexamplesProof
public import OnlineKvCache.Svf.CounterexamplesHorizon
public import OnlineKvCache.Svf.PoissonWaits
public import OnlineKvCache.NonClairvoyant.SixteenBound
public import OnlineKvCache.NonClairvoyant.GreedyBound
public import OnlineKvCache.NonClairvoyant.PackingStrict
public import OnlineKvCache.NonClairvoyant.LengthDoublingRun
public import OnlineKvCache.NonClairvoyant.FairShareSharp

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

/-! ## Areas: lower bounds of papers 2 and 3, staggered slices, and Rect -/

theorem area_lower_bound : Statements.area_lower_bound :=
  ⟨fun _ _ _ => area_bound, fun _ => pairMin_eq_prefixSums,
    fun _ _ _ => area_bound_opt⟩

theorem additive_lower_bound : Statements.additive_lower_bound :=
  ⟨fun _ _ _ => additive_bound, fun _ _ _ => additive_bound_opt⟩

theorem three_machine_lower_bound : Statements.three_machine_lower_bound :=
  fun _ _ _ => three_machine_bound

theorem sps_peak : Statements.sps_peak := fun s _ _ ht hk =>
  ⟨spsOffset_add _ hk, fun m t => spsOccupancy_le hk ht m s t,
    fun _ hm => spsOccupancy_peak hk ht hm s⟩

theorem sps_parallelism : Statements.sps_parallelism :=
  ⟨fun _ _ _ ht h => ⟨kstar_pos ht h, spsPeak_kstar (kstar_pos ht h),
    fun _ hk hp => le_kstar ht hk hp, kstar_ge ht⟩, fun _ _ => kstar_response⟩

theorem rect_queue_monotone : Statements.rect_queue_monotone := fun M jobs t =>
  ⟨(rectState_inv M jobs t).1.fits, fun a ha q hq h1 h2 => by
    obtain ⟨i, hi⟩ := List.getElem?_of_mem ha
    obtain ⟨j, hj⟩ := List.getElem?_of_mem hq
    exact (rectState_inv M jobs t).1.mono i a j q hi h1 hj h2, rectState_minLe M jobs t⟩

theorem rect_competitive : Statements.rect_competitive := by
  constructor
  · rintro M I c hI hs ⟨⟨S, hS, rfl⟩, _⟩
    rw [hI.TEL_eq]
    exact ⟨rect_prompt_heavy_memory hI.output_pos fun q hq => (hs q hq).1,
      rect_prompt_heavy hI.output_pos hs hS⟩
  · rintro M I c hI hL ⟨⟨S, hS, rfl⟩, _⟩
    rw [hI.TEL_eq]
    exact ⟨rect_large_memory hI.output_pos hI.fits,
      rect_large hI.output_pos hI.fits hL hS⟩

theorem response_competitive : Statements.response_competitive := by
  rintro M I c hI hs ⟨⟨S, hS, rfl⟩, _⟩
  have hM : ∀ q ∈ I, q.output ≤ M := fun q hq => by
    have := hI.fits q hq
    unfold Request.peak at this
    omega
  constructor
  · exact response_complete (M + 1) 0 0 I (fun q hq => ⟨hs q hq, hM q hq⟩)
      (by rw [show 0 + (M + 1) - 1 = M by omega]; exact Nat.le_of_lt Nat.lt_two_pow_self)
      (by omega)
  · rw [hI.TEL_eq]
    exact response_bound hs hI.fits hS

/-! ## Paper 2: shortest volume first in a burst -/

theorem list_schedule_head_of_line : Statements.list_schedule_head_of_line := fun _ _ _ _ h =>
  ⟨listSchedule_feasible h, listSchedule_head h⟩

theorem engine_is_list_schedule : Statements.engine_is_list_schedule := fun M n l h hn => by
  rw [engine_eq h hn]
  exact ⟨placeAll_fst M l, rfl⟩

theorem svf_order_sorted : Statements.svf_order_sorted := fun _ I h =>
  ⟨svfOrder_perm I, svfOrder_sorted I, svf_feasible h⟩

theorem wait_certificate : Statements.wait_certificate :=
  ⟨fun _ _ _ _ _ h hM hp => ⟨certificate h hM hp, Nat.le_trans (certificate h hM hp)
    (sum_map_le_sum_map fun p _ => peak_mul_output_le p)⟩, peak_mul_output⟩

theorem svf_competitive : Statements.svf_competitive := fun _ _ _ _ _ hI had hp hc =>
  svf_ratio hI had hp hc

theorem svf_competitive_table : Statements.svf_competitive_table := fun M I c hI hc => by
  have h : ∀ d, 1 < d → (∀ q ∈ I, d * q.peak ≤ M) →
      (d - 1) * TEL I (svf M I) ≤ (3 * d - 1) * c := fun d hd hp =>
    svf_ratio hI hd (fun q hq => by rw [Nat.mul_comm, Nat.one_mul]; exact hp q hq) hc
  refine ⟨fun hp => ?_, h 4 (by omega), h 10 (by omega), h 20 (by omega), h 100 (by omega)⟩
  have := h 2 (by omega) hp
  omega

theorem svf_competitive_sharp : Statements.svf_competitive_sharp := fun _ _ _ _ _ hI had hp hc =>
  svf_sharp_part hI had hp hc

theorem svf_competitive_peak : Statements.svf_competitive_peak := fun _ _ _ _ hI hM hp hc =>
  ⟨(svf_sharp hI hM hp hc).1, (svf_sharp hI hM hp hc).2, svf_two_memory hI hc⟩

theorem order_competitive : Statements.order_competitive :=
  fun _ _ _ _ _ _ _ _ hI hl had hp huw hv hc => order_ratio hI hl had hp huw hv hc

theorem predicted_competitive : Statements.predicted_competitive :=
  fun M a d u w pred I c hI had hp hw huw h hc => by
  have e : ∀ x : Nat, x ^ 4 = x * x * (x * x) := fun x => by grind
  refine ⟨?_, predicted_ratio hI had hp huw h hc, ?_⟩
  · rw [e, e]
    exact inversion_of_near fun q hq => predictedKey_near huw (h q hq)
  · rw [Nat.pow_two, Nat.pow_two, Nat.mul_assoc 2, Nat.mul_assoc (u * u + w * w)]
    exact Svf.predicted_sqrt_part hI had hp hw huw h hc

theorem one_bit_competitive : Statements.one_bit_competitive :=
  fun M a d b I c hI had hp hb hc => by
  refine ⟨oneBit_ratio hI had hp hb hc, ?_⟩
  rw [Nat.pow_two, Nat.mul_assoc 2, Nat.mul_assoc (b * b + 1)]
  exact Svf.oneBit_sqrt_part hI had hp hb hc

theorem proxy_competitive_peak : Statements.proxy_competitive_peak :=
  fun M P I c hI hM hp hc => by
  refine ⟨fun u w pred hw huw h => ?_, fun b hb => ?_⟩
  · rw [Nat.pow_two, Nat.pow_two, Nat.mul_assoc 2, Nat.mul_assoc (u * u + w * w)]
    exact Svf.predicted_sqrt hI hM hp hw huw h hc
  · rw [Nat.pow_two, Nat.mul_assoc 2, Nat.mul_assoc (b * b + 1)]
    exact Svf.oneBit_sqrt hI hM hp hb hc

theorem honest_one_bit_competitive : Statements.honest_one_bit_competitive :=
  fun M a d b T I hI had hT hb hr => by
  obtain ⟨h1, _, h3⟩ := peak_bound (M := M) had
  refine ⟨Svf.honest_feasible hI hT fun q hq => Nat.le_trans (h3 _ (hr q hq)) h1, fun c hc => ?_⟩
  rw [Nat.pow_two, Nat.mul_assoc 2, Nat.mul_assoc (b * b * (b * b + 1))]
  exact Svf.honest_ratio_part hI had hr hT hb hc

/-! ## Beyond paper 2: 19/9 -/

theorem list_schedule_volume_weighted : Statements.list_schedule_volume_weighted :=
  fun _ _ _ _ h hP _ hC => Svf.Gap.list_prefix h hP hC

theorem svf_nineteen_ninths : Statements.svf_nineteen_ninths := fun _ _ _ h hP =>
  ⟨svf_feasible h, fun _ hc => by
    obtain ⟨C, hC, rfl⟩ := hc.attained
    exact Svf.Gap.svf_bound h hP hC⟩

theorem svf_nineteen_ninths_share : Statements.svf_nineteen_ninths_share :=
  fun _ _ _ _ h ha _ hc => by
    obtain ⟨C, hC, rfl⟩ := hc.attained
    exact Svf.Gap.svf_share h ha hC

theorem list_schedule_weighted : Statements.list_schedule_weighted := fun _ _ I w h hP =>
  ⟨Svf.Gap.exists_ratio_order w twiceVolume I fun q hq =>
      twiceVolume_pos (h.output_pos q hq),
    fun l hl hw => ⟨(listSchedule_feasible (h.perm hl.symm)).perm hl, fun C hC => by
      have h1 := Svf.Gap.list_weighted (h.perm hl.symm) (fun q hq => hP q (hl.mem_iff.1 hq)) hw
        (hC.perm hl.symm)
      rwa [(hl.map fun q => w q * completion (listSchedule _ l) q).sum_nat,
        (hl.map fun q => w q * completion C q).sum_nat] at h1⟩⟩

/-! ## Paper 3: kills, and FairShare -/

theorem kills_never_help : Statements.kills_never_help := fun _ _ hI _ _ h =>
  ⟨h.exists_schedule hI, fun _ hc => h.opt_le hI hc, fun _ hc => h.optMakespan_le hI hc⟩

theorem fair_share : Statements.fair_share := fun _ _ hI =>
  NonClairvoyant.fairShare_sixty_four hI

/-! ## Lower bounds and counterexamples of papers 2 and 3 -/

theorem shortest_job_first_unbounded : Statements.shortest_job_first_unbounded := sjf_unbounded

theorem shortest_volume_first_at_least_two : Statements.shortest_volume_first_at_least_two :=
  ⟨fun _ _ _ hk hL => ⟨identical_burst hL (Nat.le_mul_of_pos_left _ hk),
    svf_identical_cost hk hL⟩, fun _ _ _ _ hx hc => svf_identical_ratio hx hc,
    fun _ _ k h => svf_at_least_two h k⟩

theorem one_bit_square_root : Statements.one_bit_square_root := one_bit_sqrt

theorem shortest_volume_first_not_optimal : Statements.shortest_volume_first_not_optimal :=
  svf_not_optimal

theorem overtaking_breaks_the_bound : Statements.overtaking_breaks_the_bound :=
  ⟨skip_violates_certificate, skip_violates_ratio⟩

theorem horizon_and_strictness : Statements.horizon_and_strictness :=
  ⟨short_horizon, first_not_strict⟩

theorem priority_queue_waits : Statements.priority_queue_waits := fun _ _ _ _ _ =>
  ⟨waits_le, fun hr => ⟨waits_eq hr, telescope hr _ (Nat.le_refl _)⟩⟩

theorem stochastic_closed_forms : Statements.stochastic_closed_forms :=
  ⟨fun _ _ _ h => geometric_volume h, fun _ _ _ _ _ _ _ _ _ h => distortion h,
    fun _ _ _ _ _ h => aligned_ratio h⟩

theorem no_priority_order : Statements.no_priority_order := NonClairvoyant.no_priority_order

theorem non_clairvoyant_at_least_three : Statements.non_clairvoyant_at_least_three :=
  ⟨fun _ _ _ => NonClairvoyant.kill_lower_bound,
    fun _ _ => NonClairvoyant.kill_lower_bound_three⟩

theorem non_clairvoyant_makespan_at_least_two :
    Statements.non_clairvoyant_makespan_at_least_two := NonClairvoyant.kill_makespan_lower

/-! ## Paper 3: packing, the 16-approximation, Greedy, and LengthDoubling -/

theorem any_fit_packing : Statements.any_fit_packing := fun _ _ t₀ _ hR ha =>
  Packing.anyFit_spec t₀ (fun r hr => (hR r hr).1) (fun r hr => (hR r hr).2) ha (Nat.le_refl _)

theorem strict_packing_slow : Statements.strict_packing_slow := by
  intro M L n fuel hM hL hn hf
  obtain ⟨n, rfl⟩ : ∃ k, n = k + 1 := ⟨n - 1, by omega⟩
  refine ⟨Packing.alternating_area M L (n + 1), fun r hr => ?_,
    Packing.alternating_strict hM hL hf⟩
  rcases Packing.alternating_mem hr with h | h <;> omega

theorem sixteen_approximation : Statements.sixteen_approximation := fun M I hI =>
  ⟨sixteen_feasible hI, fun c hc => by
    obtain ⟨T, hT, rfl⟩ := hc.attained
    rw [hI.TEL_eq, hI.TEL_eq]
    exact sixteen_cost hI hT⟩

theorem eight_rectangles : Statements.eight_rectangles := fun _ _ hl hR =>
  ⟨eight_feasible hl hR, fun _ hT => eight_cost hl hR hT⟩

theorem area_greedy : Statements.area_greedy := fun M ℓ I hI hp hℓ =>
  ⟨areaGreedy_feasible hI, fun c hc => by
    obtain ⟨T, hT, rfl⟩ := hc.attained
    rw [hI.TEL_eq, hI.TEL_eq]
    exact areaGreedy_cost hI hp hℓ hT⟩

theorem length_doubling : Statements.length_doubling := fun M I hI => by
  obtain ⟨C, h1, h2⟩ := NonClairvoyant.lengthDoubling_serves hI
  obtain ⟨D, h3, h4⟩ := NonClairvoyant.lengthDoublingFine_serves hI
  refine ⟨⟨C, h1, fun c hc => ?_⟩, D, h3, fun c hc => ?_⟩
  · obtain ⟨S, hS, rfl⟩ := hc.attained
    exact h2 S hS
  · obtain ⟨S, hS, rfl⟩ := hc.attained
    exact h4 S hS

/-! ## FairShare, sharper -/

theorem fair_share_forty_eight : Statements.fair_share_forty_eight :=
  fun _ _ => NonClairvoyant.fairShare_forty_eight

end OnlineKvCache
