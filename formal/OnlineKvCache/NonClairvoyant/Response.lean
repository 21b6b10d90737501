module

public import OnlineKvCache.NonClairvoyant.Sps

@[expose] public section

/-! # The response rule

For requests with outputs above their prompts. In phase `r` every unfinished request with a prompt
of at most `τ = min (2^r, M)` gets one attempt of at most `τ` rounds, in a staggered pipeline of the
largest parallelism that fits. -/

namespace OnlineKvCache

/-- Rounds of an attempt in phase `r`. -/
def responseSlice (M r : Nat) : Nat := min (2 ^ r) M

/-- Parallelism in phase `r`. -/
def responseWidth (M r : Nat) : Nat :=
  kstar M (min (responseSlice M r) (M - responseSlice M r)) (responseSlice M r)

/-- Rounds of a pipeline of `m` ranks. -/
def spsDuration (tau k m : Nat) : Nat := if m = 0 then 0 else spsOffset tau k (m - 1) + tau

/-- The requests that a pipeline that begins at time `now` completes, with their completion times;
the first of the list has rank `j`. -/
def spsCall (tau k now : Nat) : Nat → List Request → List (Request × Nat)
  | _, [] => []
  | j, q :: l =>
    if q.output ≤ tau then (q, now + spsOffset tau k j + q.output) :: spsCall tau k now (j + 1) l
    else spsCall tau k now (j + 1) l

/-- The completions from phase `r` on, which begins at time `now` with the unfinished requests
`live`, for at most `fuel` phases. -/
noncomputable def responseFrom (M : Nat) : Nat → Nat → Nat → List Request → List (Request × Nat)
  | 0, _, _, _ => []
  | fuel + 1, r, now, live =>
    spsCall (responseSlice M r) (responseWidth M r) now 0
        (live.filter fun q => decide (q.prompt ≤ responseSlice M r)) ++
      responseFrom M fuel (r + 1)
        (now + spsDuration (responseSlice M r) (responseWidth M r)
          (live.filter fun q => decide (q.prompt ≤ responseSlice M r)).length)
        (live.filter fun q => !(decide (q.output ≤ responseSlice M r) &&
          decide (q.prompt ≤ responseSlice M r)))

/-- All completions of the response rule, with their times. After `M + 1` phases nothing is left. -/
noncomputable def response (M : Nat) (I : List Request) : List (Request × Nat) :=
  responseFrom M (M + 1) 0 0 I

end OnlineKvCache
