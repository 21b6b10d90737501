module

public import OnlineKvCache.Online.Scheduler

@[expose] public section

/-! # The competitive factor, without division

The exact-`n`, fixed-memory factor of a scheduler is the supremum of `TEL / OPT` over the valid
instances with exactly `n` requests; it is infinite when some such instance is not served. The
deterministic ratio `R(n, M)` is the infimum of the factor over causal schedulers. Both are used
only through their comparisons with a fraction `p / q`, cross-multiplied. -/

namespace OnlineKvCache

/-- The factor of `A` at `n` requests and memory `M` is at least `p / q`: one valid instance with
exactly `n` requests has `p * OPT ≤ q * TEL`, or is not served at all. -/
def FactorAtLeast (M n : Nat) (A : Scheduler) (p q : Nat) : Prop :=
  ∃ I c, Valid M I ∧ I.length = n ∧ IsOPT M I c ∧ 0 < c ∧
    ∀ S, Serves M A I S → p * c ≤ q * TEL I S

/-- The factor of `A` at `n` requests and memory `M` is at most `p / q`: every valid instance with
exactly `n` requests is served with `q * TEL ≤ p * OPT`. -/
def FactorAtMost (M n : Nat) (A : Scheduler) (p q : Nat) : Prop :=
  ∀ I, Valid M I → I.length = n →
    ∃ S, Serves M A I S ∧ ∀ c, IsOPT M I c → q * TEL I S ≤ p * c

/-- `R(n, M)` is at least `p / q`: every causal scheduler has a factor of at least `p / q`. -/
def RatioAtLeast (M n p q : Nat) : Prop := ∀ A, Causal M A → FactorAtLeast M n A p q

/-- `R(n, M)` is at most `p / q`: some causal scheduler has a factor of at most `p / q`. -/
def RatioAtMost (M n p q : Nat) : Prop := ∃ A, Causal M A ∧ FactorAtMost M n A p q

end OnlineKvCache
