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
