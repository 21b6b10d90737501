module

public import OnlineKvCache.Statements.TightRatio
public import OnlineKvCache.Statements.Svf
public import OnlineKvCache.Statements.SvfLimits
public import OnlineKvCache.Statements.NonClairvoyant

/-! # The headline statements

The files to read, each in one sitting. Every statement is a proposition in words and in Lean, and
`Results` proves exactly these.

- `Statements.TightRatio`: paper 1, the tight linear ratio, its exact constant, fixed memories.
- `Statements.Svf`: paper 2, bounds on the optimum, shortest volume first and its relatives.
- `Statements.SvfLimits`: paper 2, families on which these rules lose, slips, the queue's algebra.
- `Statements.NonClairvoyant`: paper 3, kills and restarts, algorithms, lower bounds. -/
