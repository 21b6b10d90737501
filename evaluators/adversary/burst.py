"""Paper 1's family: one long request, then a burst of k shorts (tight.md section 2).

Notation there: L output of the long, n = k + 1, T = k(k+1)/2, b the round in which the rule starts
the long.  All costs are TEL in rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..model import Instance
from .branches import LONG, Branch, OneLong


def triangle(k: int) -> int:
    """Return T = 1 + ... + k."""
    return k * (k + 1) // 2


def burst_floor(k: int, length: int, b: int, release: int | None = None) -> int:
    """TEL of any schedule that starts the long in b, for shorts released in `release`.

    The shorts complete in b+L+1, b+L+2, ... at the earliest: b + L + k(b+L-release) + T for
    b < release <= b + L; with release b + 1 (the default) this is b + nL - k + T.
    """
    r = b + 1 if release is None else release
    return b + length + k * (b + length - r) + triangle(k)


def long_first_cost(k: int, length: int, release: int) -> int:
    """TEL of "long in round 0, shorts from max(L, release) on": L + k max(0, L-release) + T."""
    return length + k * max(0, length - release) + triangle(k)


def shorts_first_cost(k: int, length: int, release: int) -> int:
    """TEL of "shorts at their release, then the long": release + k + L + T."""
    return release + k + length + triangle(k)


def burst_comparator(k: int, length: int, b: int) -> int:
    """Return the smaller comparator for release b + 1: an upper bound on OPT."""
    return min(long_first_cost(k, length, b + 1), shorts_first_cost(k, length, b + 1))


def burst_factor_at(k: int, length: int, b: int) -> Fraction:
    """Lower bound on TEL / OPT when the long starts in b and the shorts are released in b + 1."""
    return Fraction(burst_floor(k, length, b), burst_comparator(k, length, b))


def burst_holds(k: int, length: int, b: int, share: Fraction) -> bool:
    """Whether floor(b) >= share * n * comparator(b), in integers: the condition for this b."""
    p, q = share.as_integer_ratio()
    return q * burst_floor(k, length, b) >= p * (k + 1) * burst_comparator(k, length, b)


def critical_rounds(k: int, length: int) -> list[int]:
    """Return the rounds b that decide floor >= c n comparator: 0, the crossing, L - 1, L.

    The crossing is where the comparators cost the same, k(L-b-1) = b + 1 + k (both neighbours).
    Between these rounds floor and comparator are linear in b, so their quotient is monotone there;
    from L - 1 on the comparator is L + T and the floor increases.
    """
    crossing = (k * (length - 1) - k - 1) // (k + 1)
    return sorted({b for b in (0, crossing, crossing + 1, length - 1, length) if b >= 0})


def burst_factor(k: int, length: int) -> Fraction:
    """Minimum over all b >= 0 of the forced ratio (attained in a critical round)."""
    return min(burst_factor_at(k, length, b) for b in critical_rounds(k, length))


def burst_holds_everywhere(k: int, length: int, share: Fraction) -> bool:
    """Whether `burst_holds` for every b >= 0: it suffices to ask in the critical rounds."""
    return all(burst_holds(k, length, b, share) for b in critical_rounds(k, length))


def least_length(k: int, share: Fraction = Fraction(1, 2)) -> int:
    """Return the least L with floor >= share * n * comparator for every b (tight.md: L(k) at 1/2).

    Doubling and bisection, so L is least only if the condition is monotone in L; tight.md checked
    this for share 1/2, L < 400, k <= 8 (our slow tests: L <= 700, k <= 8).  Needs share <= 1/2.
    """
    top = 1
    while not burst_holds_everywhere(k, top, share):
        top *= 2
    low = top // 2
    while top - low > 1:
        middle = (low + top) // 2
        if burst_holds_everywhere(k, middle, share):
            top = middle
        else:
            low = middle
    return top


@dataclass(frozen=True, slots=True)
class BurstFamily:
    """The burst, released in b + 1; with `late` also the burst released in L (for b < L)."""

    shape: OneLong
    late: bool = False
    name: str = "burst"

    @classmethod
    def of(cls, k: int, length: int, late: bool = False) -> BurstFamily:
        """Memory L + 1, long (0; 1, L), shorts (.; L, 1)."""
        return cls(OneLong.light(k, length), late)

    @classmethod
    def paper(cls, k: int, late: bool = False) -> BurstFamily:
        """Paper 1's parameters: M = 2(n-1)n, prompts M/2, L = M/2 = k(k+1)."""
        return cls(OneLong.half(k), late)

    def opening(self) -> Instance:
        """Return the long request alone."""
        return self.shape.opening()

    def claim(self) -> Fraction:
        """Return the minimum over all b of the ratio forced by the release in b + 1."""
        return burst_factor(self.shape.shorts, self.shape.output)

    def answer(self, starts: Mapping[int, int]) -> Sequence[Branch]:
        """Return the branch released in b + 1, and the late one if asked for and b < L."""
        return list(self._branches(starts[LONG]))

    def branch(self, b: int, release: int) -> Branch:
        """Return the branch with all shorts released in one round, b < release <= b + L."""
        shape, k, length = self.shape, self.shape.shorts, self.shape.output
        comparators = shape.comparators(
            release, long_first_cost(k, length, release), shorts_first_cost(k, length, release)
        )
        name = "burst" if release == b + 1 else "late-burst"
        floor = burst_floor(k, length, b, release)
        return Branch(name, shape.instance([release] * k), release, floor, comparators)

    def _branches(self, b: int) -> Iterator[Branch]:
        yield self.branch(b, b + 1)
        if self.late and b + 1 < self.shape.output:
            yield self.branch(b, self.shape.output)
