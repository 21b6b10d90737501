import OnlineKvCache.Results

/-! Every axiom of every theorem of `Results`, those of the core library included:
`lake env lean formal/AxiomReport.lean`. Not a module, because modules refuse `#print axioms`; not part of the
library. `AxiomReport.expected` holds the most that may be printed; both files are written by
`python -m evaluators lean statements`. -/

#print axioms OnlineKvCache.optimum_exists
#print axioms OnlineKvCache.ratio_bounds_compare
#print axioms OnlineKvCache.deterministic_worst_memory_ratio_theta_linear_human_quantifiers
#print axioms OnlineKvCache.deterministic_ratio_theta_linear
#print axioms OnlineKvCache.linear_memory_quarter
#print axioms OnlineKvCache.linear_memory_half
#print axioms OnlineKvCache.linear_memory_three_fifths
#print axioms OnlineKvCache.golden_lower_bound
#print axioms OnlineKvCache.half_delay
#print axioms OnlineKvCache.longest_first
#print axioms OnlineKvCache.worst_memory_constant
#print axioms OnlineKvCache.memory_three
#print axioms OnlineKvCache.fixed_memory_unbounded
#print axioms OnlineKvCache.area_lower_bound
#print axioms OnlineKvCache.additive_lower_bound
#print axioms OnlineKvCache.three_machine_lower_bound
#print axioms OnlineKvCache.sps_peak
#print axioms OnlineKvCache.sps_parallelism
#print axioms OnlineKvCache.rect_queue_monotone
#print axioms OnlineKvCache.rect_competitive
#print axioms OnlineKvCache.response_competitive
#print axioms OnlineKvCache.list_schedule_head_of_line
#print axioms OnlineKvCache.engine_is_list_schedule
#print axioms OnlineKvCache.svf_order_sorted
#print axioms OnlineKvCache.wait_certificate
#print axioms OnlineKvCache.svf_competitive
#print axioms OnlineKvCache.svf_competitive_table
#print axioms OnlineKvCache.svf_competitive_sharp
#print axioms OnlineKvCache.svf_competitive_peak
#print axioms OnlineKvCache.order_competitive
#print axioms OnlineKvCache.predicted_competitive
#print axioms OnlineKvCache.one_bit_competitive
#print axioms OnlineKvCache.proxy_competitive_peak
#print axioms OnlineKvCache.honest_one_bit_competitive
#print axioms OnlineKvCache.list_schedule_volume_weighted
#print axioms OnlineKvCache.svf_nineteen_ninths
#print axioms OnlineKvCache.svf_nineteen_ninths_share
#print axioms OnlineKvCache.list_schedule_weighted
#print axioms OnlineKvCache.kills_never_help
#print axioms OnlineKvCache.fair_share
#print axioms OnlineKvCache.shortest_job_first_unbounded
#print axioms OnlineKvCache.shortest_volume_first_at_least_two
#print axioms OnlineKvCache.one_bit_square_root
#print axioms OnlineKvCache.shortest_volume_first_not_optimal
#print axioms OnlineKvCache.overtaking_breaks_the_bound
#print axioms OnlineKvCache.horizon_and_strictness
#print axioms OnlineKvCache.priority_queue_waits
#print axioms OnlineKvCache.stochastic_closed_forms
#print axioms OnlineKvCache.no_priority_order
#print axioms OnlineKvCache.non_clairvoyant_at_least_three
#print axioms OnlineKvCache.non_clairvoyant_makespan_at_least_two
#print axioms OnlineKvCache.any_fit_packing
#print axioms OnlineKvCache.strict_packing_slow
#print axioms OnlineKvCache.sixteen_approximation
#print axioms OnlineKvCache.eight_rectangles
#print axioms OnlineKvCache.area_greedy
#print axioms OnlineKvCache.length_doubling
#print axioms OnlineKvCache.fair_share_forty_eight
