"""The serial game: n equal prompts, two of which never run at once, outputs from a known grid.

With prompts s = max(grid) and M = 2 s only one request runs at a time.  A run matters only where
the adversary answers "done" or "longer", at the points of the grid.  The value is the minimum
over all deterministic schedulers, which may kill, switch and idle, of the maximum over adversaries
of q * (sum of completion times) - p * OPT: it is positive exactly if every scheduler loses more
than p / q.  Exact integer dynamic programming (nonclairvoyant-sharp.md section 3).

A position is a multiset of n kinds: 0..m-1, unfinished and known to need at least grid[kind];
m..2m-1, finished with output grid[kind - m].  `active` is the kind of the request whose attempt
has reached the grid point before it, so that going on costs only the step; -1 without one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
from numba import njit

from ..model import InputError

MAX_POSITIONS = 6 * 10**6
Integers = npt.NDArray[np.int64]


def serial_value(grid: Sequence[int], n: int, p: int, q: int) -> int:
    """Return the value of the game; raises InputError for a bad grid or a game too large."""
    _require(grid, n)
    steps = np.asarray(grid, dtype=np.int64)
    return int(_solve(steps, n, p, q, _binomials(2 * len(grid) + n)))


def positions(grid: Sequence[int], n: int) -> int:
    """Return how many positions the game has: multisets of n out of 2 m kinds."""
    return int(_binomials(2 * len(grid) + n)[2 * len(grid) + n - 1, n])


def _require(grid: Sequence[int], n: int) -> None:
    if n < 1:
        raise InputError("n", f"must be >= 1, got {n}")
    if not grid or list(grid) != sorted(set(grid)) or grid[0] < 1:
        raise InputError("grid", "must be increasing integers >= 1")
    if positions(grid, n) > MAX_POSITIONS:
        raise InputError("n", f"the game has more than {MAX_POSITIONS} positions")


def _binomials(size: int) -> Integers:
    table = np.zeros((size + 1, size + 1), dtype=np.int64)
    for row in range(size + 1):
        table[row, 0] = 1
        for column in range(1, row + 1):
            table[row, column] = table[row - 1, column - 1] + table[row - 1, column]
    return table


@njit(cache=True)
def _rank(kinds: Integers, binomials: Integers) -> int:  # pragma: no cover
    """Return the number of a non-decreasing tuple among all of its length."""
    rank = 0
    for place in range(kinds.size):
        rank += binomials[kinds[place] + place, place + 1]
    return rank


@njit(cache=True)
def _moved(kinds: Integers, place: int, kind: int, out: Integers) -> None:  # pragma: no cover
    """Write `kinds` with the entry at `place` raised to `kind`, still non-decreasing."""
    out[:] = kinds
    at = place
    while at + 1 < kinds.size and out[at + 1] < kind:
        out[at] = out[at + 1]
        at += 1
    out[at] = kind


@njit(cache=True)
def _optimum(kinds: Integers, grid: Integers) -> int:  # pragma: no cover
    """Return the cost of running all finished requests one by one, the shortest first."""
    clock, cost = 0, 0
    for kind in kinds:
        clock += grid[kind - grid.size]
        cost += clock
    return cost


@njit(cache=True)
def _next_tuple(kinds: Integers) -> bool:  # pragma: no cover
    """Go to the tuple before in colexicographic order; False at the first one."""
    place = 0
    while place < kinds.size and kinds[place] == 0:
        place += 1
    if place == kinds.size:
        return False
    kinds[place] -= 1
    for other in range(place):
        kinds[other] = kinds[place]
    return True


@njit(cache=True)
def _solve(grid: Integers, n: int, p: int, q: int, binomials: Integers) -> int:  # pragma: no cover
    """Every move raises one entry, and so the rank: go through the ranks downwards."""
    m = grid.size
    total = binomials[2 * m + n - 1, n]
    # value[rank, 0]: no attempt is carried over; value[rank, 1 + f]: one of kind f is.
    value = np.zeros((total, m + 1), dtype=np.int64)
    kinds = np.full(n, 2 * m - 1, dtype=np.int64)
    other = np.empty(n, dtype=np.int64)
    rank = total - 1
    while True:
        unfinished = 0
        while unfinished < n and kinds[unfinished] < m:
            unfinished += 1
        if unfinished == 0:
            value[rank, :] = -p * _optimum(kinds, grid)
        else:
            best = np.int64(2**62)
            for place in range(unfinished):
                kind = kinds[place]
                if place + 1 < unfinished and kinds[place + 1] == kind:
                    continue
                _moved(kinds, place, m + kind, other)
                answer = value[_rank(other, binomials), 0]
                if kind + 1 < m:
                    _moved(kinds, place, kind + 1, other)
                    longer = value[_rank(other, binomials), 2 + kind]
                    answer = max(answer, longer)
                best = min(best, q * unfinished * grid[kind] + answer)
                step = grid[kind] - (grid[kind - 1] if kind > 0 else 0)
                value[rank, 1 + kind] = q * unfinished * step + answer
            value[rank, 0] = best
            for kind in range(m):
                # Without an unfinished request of that kind the entry is never asked for.
                value[rank, 1 + kind] = min(best, value[rank, 1 + kind])
        if not _next_tuple(kinds):
            return int(value[0, 0])
        rank -= 1


def plain_value(grid: Sequence[int], n: int, p: int, q: int) -> int:
    """Return the same value by recursion over positions in plain Python (small games only)."""
    m = len(grid)

    @cache
    def value(floors: tuple[int, ...], finished: tuple[int, ...], active: int) -> int:
        if not floors:
            return -p * sum((n - place) * output for place, output in enumerate(sorted(finished)))
        return min(
            q * len(floors) * (grid[f] - (grid[f - 1] if f == active and f else 0))
            + answer(floors, finished, f)
            for f in set(floors)
        )

    def answer(floors: tuple[int, ...], finished: tuple[int, ...], f: int) -> int:
        rest = list(floors)
        rest.remove(f)
        done = value(tuple(rest), tuple(sorted((*finished, grid[f]))), -1)
        if f + 1 == m:
            return done
        return max(done, value(tuple(sorted((*rest, f + 1))), finished, f + 1))

    return value((0,) * n, (), -1)
