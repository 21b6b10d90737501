module

public import OnlineKvCache.Online.Factor

@[expose] public section

/-! # The packing adversary: unbounded ratio at a fixed memory

All requests need one round, so only their sizes (prompt plus one) matter. Two kinds, `x` and `y`,
are waiting from the beginning. A round holds three of `x` or two of `y`, with nothing to gain from
mixing. What then arrives goes with `x` only, or with `y` only, and the scheduler has kept too few
of one of them. A stream of requests that fill the memory makes it pay for the backlog. -/

namespace OnlineKvCache

/-- `m` requests of one round and size `z`, with labels from `i` on, released from round `a` on:
all at once when `g = 0`, one a round when `g = 1`. -/
noncomputable def unitBlock (z i a g m : Nat) : List Request :=
  (List.range m).map fun j => ⟨i + j, a + g * j, z - 1, 1⟩

/-- The first phase: `3N` requests of size `x` and `2N` of size `y`. -/
noncomputable def packingBase (x y N : Nat) : List Request :=
  unitBlock x 0 0 0 (3 * N) ++ unitBlock y (3 * N) 0 0 (2 * N)

/-- All phases: in round `N` arrive `m` requests of size `z`; from round `N + m` on `T` requests of
size `M`, one a round. -/
noncomputable def packing (M x y z N m T : Nat) : List Request :=
  packingBase x y N ++ (unitBlock z (5 * N) N 0 m ++ unitBlock M (5 * N + m) (N + m) 1 T)

/-- The comparator when the new requests go with `x`: first `y` in pairs, then one of `x` with each
new request, then the stream as it comes. -/
def keepX (N : Nat) : Schedule := fun i =>
  if i < 3 * N then N + i else if i < 5 * N then (i - 3 * N) / 2 else N + (i - 5 * N)

/-- The comparator when the new requests go with `y`: first `x` in triples, then one of `y` with
each new request, then the stream as it comes. -/
def keepY (N : Nat) : Schedule := fun i =>
  if i < 3 * N then i / 3 else if i < 5 * N then N + (i - 3 * N) else N + (i - 5 * N)

/-- Sizes for which the adversary works. -/
structure TwoKinds (M x y : Nat) : Prop where
  /-- Prompts are not empty. -/
  two_le : 2 ≤ x
  /-- The second kind is larger. -/
  lt : x < y
  /-- Two of the first kind are larger than one of the second. -/
  lt_two : y < 2 * x
  /-- Three of the first kind fit. -/
  three_fit : 3 * x ≤ M
  /-- Four of the first kind do not fit. -/
  four_not : M < 4 * x
  /-- Two of the second kind fit, with room left. -/
  two_fit : 2 * y < M
  /-- Three of the second kind do not fit. -/
  three_not : M < 3 * y
  /-- Two of the second kind leave no room for one of the first. -/
  mixed_not : M < 2 * y + x

/-! ### Counting, for the proofs -/

/-- How many requests of `Z` start in round `t`. -/
noncomputable def startsAt (S : Schedule) (Z : List Request) (t : Nat) : Nat :=
  (Z.map fun q => if start S q = t then 1 else 0).sum

/-- How many requests of `Z` start in the `d` rounds from `a` on. -/
noncomputable def startsIn (S : Schedule) (Z : List Request) (a d : Nat) : Nat :=
  (Z.map fun q => if a ≤ start S q ∧ start S q < a + d then 1 else 0).sum

/-- How many requests of `Z` have arrived by round `t` and start in it or later. -/
noncomputable def lateAt (S : Schedule) (Z : List Request) (t : Nat) : Nat :=
  (Z.map fun q => if q.arrival ≤ t ∧ t ≤ start S q then 1 else 0).sum

/-- Starts before round `N` of the first-phase instance: what the scheduler commits to. -/
noncomputable def committed (A : Scheduler) (x y N : Nat) (Z : List Request) : Nat :=
  (Z.map fun q => if (A (packingBase x y N) q.id).elim false (fun b => decide (b < N)) then 1
    else 0).sum

end OnlineKvCache
