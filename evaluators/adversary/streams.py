"""The stream families A1-A4: one long request, then k shorts released one per round.

Source: tight.md section 3 (certified in tight-sharp.md section 4).  L is the output of the long,
n = k + 1, and b the round in which the rule starts it.  All costs are TEL in rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..model import Instance
from .branches import LONG, Branch, OneLong


def stream_floor(k: int, length: int, b: int, release: int) -> int:
    """TEL of any schedule that starts the long in b, for shorts released in release, release+1, ...

    b + L + k(b + L - release + 1), for b < release <= b + L: the i-th short to complete does so in
    b + L + i at the earliest.
    """
    return b + length + k * (b + length - release + 1)


def early_floor(k: int, length: int, b: int) -> int:
    """Floor of the early branch, release b + 1: b + nL."""
    return b + (k + 1) * length


def late_floor(k: int, length: int, b: int) -> int:
    """Floor of the late branch, release L > b: L + nb + k."""
    return length + (k + 1) * b + k


def shorts_first_cost(k: int, length: int, release: int) -> int:
    """TEL of "each short at its release, then the long": k + (release + k + L)."""
    return 2 * k + release + length


def long_first_cost(k: int, length: int, release: int) -> int:
    """TEL of "long in round 0, then the shorts": L + k(1 + max(0, L - release))."""
    return length + k * (1 + max(0, length - release))


def stream_pairs(k: int, length: int, b: int) -> list[tuple[int, int]]:
    """Return (floor, comparator) of each branch against a long started in b.

    Early (release b + 1): b + nL against shorts first, b + L + 2k + 1; for b >= L also L + k.
    Late (release L, only for b < L), long first: L + nb + k against L + k.
    """
    if b >= length:
        comparator = min(length + k, shorts_first_cost(k, length, b + 1))
        return [(early_floor(k, length, b), comparator)]
    early = early_floor(k, length, b), shorts_first_cost(k, length, b + 1)
    return [early, (late_floor(k, length, b), length + k)]


def stream_factor_at(k: int, length: int, b: int) -> Fraction:
    """Ratio forced by the better branch when the long starts in b."""
    return max(Fraction(floor, cost) for floor, cost in stream_pairs(k, length, b))


def stream_factor(k: int, length: int) -> Fraction:
    """Minimum over all b >= 0 of the ratio forced by the better branch.

    From b = L on the floor increases and the comparator is constant, so b <= L decides.
    """
    return min(stream_factor_at(k, length, b) for b in range(length + 1))


def stream_holds(k: int, length: int, target: Fraction) -> bool:
    """Whether for every b some branch has floor >= target * comparator (target a ratio)."""
    p, q = target.as_integer_ratio()
    return all(
        any(q * floor >= p * cost for floor, cost in stream_pairs(k, length, b))
        for b in range(length + 1)
    )


def stream_threshold(n: int, share: Fraction) -> int:
    """Return (last L at which some b escapes the ratio share * n) + 1, for share 1/4, 1/2 or 3/5.

    Above the L from which A1, A2 or A3 proves the claim nothing can fail, so the search is finite.
    Raises KeyError for another share.
    """
    k = n - 1
    proved_from = {Fraction(1, 4): n, Fraction(1, 2): max(5 * k, 1), Fraction(3, 5): 39 * k + 10}
    last = proved_from[share]
    failing = (length for length in range(last, 0, -1) if not stream_holds(k, length, share * n))
    return next(failing, 0) + 1


def proved_stream_ratio(k: int, length: int) -> Fraction:
    """Return the best of A1 (min(n, L)/4), A2 (n/2, L >= 5k) and A3 (3n/5, L >= 39k + 10).

    At least 1 in any case.  These hold for every b (tight.md section 3).
    """
    n = k + 1
    known = [Fraction(1), Fraction(min(n, length), 4)]
    if length >= 5 * k:
        known.append(Fraction(n, 2))
    if length >= 39 * k + 10:
        known.append(Fraction(3 * n, 5))
    return max(known)


def compare_golden(n: int, value: Fraction) -> int:
    """Return the sign of value - rho_n, exactly: rho_n = (2 - n + sqrt(5n^2 - 4n)) / 2 (A4).

    rho_n is the positive root of x^2 + (n-2)x = n^2 - 1, and sup_M R_det(n, M) >= rho_n.
    """
    if value < 0:
        return -1
    difference = value * value + (n - 2) * value - (n * n - 1)
    return (difference > 0) - (difference < 0)


def golden_floor(n: int, denominator: int) -> Fraction:
    """Return the largest multiple of 1 / denominator that is at most rho_n (needs n >= 1)."""
    low, high = 0, (n + 1) * denominator
    while high - low > 1:
        middle = (low + high) // 2
        if compare_golden(n, Fraction(middle, denominator)) <= 0:
            low = middle
        else:
            high = middle
    return Fraction(low, denominator)


@dataclass(frozen=True, slots=True)
class StreamFamily:
    """The two branches of A1-A4 for k shorts and a long of output L (memory L + 1 by default)."""

    shape: OneLong
    name: str = "stream"

    @classmethod
    def of(cls, k: int, length: int, memory: int | None = None) -> StreamFamily:
        """Long (0; 1, L), shorts (.; M-1, 1), M >= L + 1 units."""
        return cls(OneLong.light(k, length, memory))

    def opening(self) -> Instance:
        """Return the long request alone."""
        return self.shape.opening()

    def claim(self) -> Fraction:
        """Return `stream_factor`: what the better branch forces, whatever b is."""
        return stream_factor(self.shape.shorts, self.shape.output)

    def answer(self, starts: Mapping[int, int]) -> Sequence[Branch]:
        """Return the early branch (release b + 1) and, for b + 1 < L, the late one (release L)."""
        return list(self._branches(starts[LONG]))

    def branch(self, b: int, release: int) -> Branch:
        """Return the branch with shorts in release, release + 1, ...; b < release <= b + L."""
        shape, k, length = self.shape, self.shape.shorts, self.shape.output
        comparators = shape.comparators(
            release, long_first_cost(k, length, release), shorts_first_cost(k, length, release)
        )
        name = "early" if release == b + 1 else "late"
        instance = shape.instance(range(release, release + k))
        return Branch(name, instance, release, stream_floor(k, length, b, release), comparators)

    def _branches(self, b: int) -> Iterator[Branch]:
        yield self.branch(b, b + 1)
        if b + 1 < self.shape.output:
            yield self.branch(b, self.shape.output)
