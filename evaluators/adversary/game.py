"""Exact minimax value of the release game on small boxes (tight.md section 4).

The game: exactly n requests of sizes (s, o) with s, o >= 1 and s + o <= M, the first in round 0,
all arrivals <= H.  In each round t = 0, 1, ..., H the adversary first releases a multiset of
requests (at least one in round 0; in round H all that are left), then the algorithm starts a
subset of what waits.  Once all n are released the algorithm plays optimally.  The payoff is
TEL(algorithm) / OPT, an exact fraction.

The value is a lower bound on R_det(n, M), the best ratio of a deterministic online algorithm on n
requests: any such algorithm is one strategy of the minimiser, whose last part the game replaces
by an optimal one.  It is exact for the horizon H and does not decrease with H.

States are merged up to the order of equal requests: running requests are (units held in this
round, rounds left with this one), waiting ones (s, o).  Only integers and fractions are used.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, groupby, product

from ..model import require_int

Running = tuple[tuple[int, int], ...]
Waiting = tuple[tuple[int, int], ...]
Future = tuple[tuple[int, int, int], ...]
"""Sorted (rounds until the arrival >= 1, s, o)."""


def size_types(memory: int) -> list[tuple[int, int]]:
    """Return all (s, o) with s, o >= 1 and s + o <= M: M(M-1)/2 of them."""
    return [(s, o) for s in range(1, memory) for o in range(1, memory - s + 1)]


@dataclass(frozen=True, slots=True)
class GameResult:
    """Value of the game with n requests, capacity M and horizon H, and the size of the search.

    `leaves` counts final releases that were evaluated, `nodes` positions of the algorithm.
    """

    requests: int
    memory: int
    horizon: int
    value: Fraction
    leaves: int
    nodes: int


@dataclass(slots=True)
class Costs:
    """Memoised exact costs of small states for one capacity M."""

    memory: int
    _rest: dict[tuple[Running, Waiting, Future], int] = field(default_factory=dict)
    _choices: dict[tuple[Running, Waiting], list[tuple[Running, Waiting]]] = field(
        default_factory=dict
    )

    def rest(self, running: Running, waiting: Waiting, future: Future) -> int:
        """Least total of rounds in the system, from this round on, over all requests (their TEL).

        Branches over the subset that starts in this round, as growth can make a later start
        better; idling is allowed unless nothing runs and nothing is to come.
        """
        if not waiting and not running:
            if not future:
                return 0
            wait = future[0][0]
            return self.rest((), *arrivals(future, wait))
        key = running, waiting, future
        known = self._rest.get(key)
        if known is None:
            known = self._rest[key] = self._least(running, waiting, future)
        return known

    def _least(self, running: Running, waiting: Waiting, future: Future) -> int:
        present = len(running) + len(waiting)
        came, later = arrivals(future, 1)
        must_start = not running and not future
        return present + min(
            self.rest(advance(active), merge(left, came), later)
            for active, left in self.choices(running, waiting)
            if active or not must_start
        )

    def optimum(self, requests: Future) -> int:
        """OPT (TEL) of the sorted requests (arrival >= 0, s, o)."""
        return self.rest((), *arrivals(requests, 0))

    def choices(self, running: Running, waiting: Waiting) -> list[tuple[Running, Waiting]]:
        """Return each feasible start now as (running with the started ones, left waiting).

        Larger sets first; the last choice starts nothing.
        """
        key = running, waiting
        known = self._choices.get(key)
        if known is None:
            found = [c for c in _splits(running, waiting) if fits(self.memory, c[0])]
            known = self._choices[key] = sorted(found, key=lambda c: len(c[1]))
        return known


def _splits(running: Running, waiting: Waiting) -> Iterator[tuple[Running, Waiting]]:
    """Yield every sub-multiset of `waiting` started, as (running, left)."""
    groups = [(size, len(list(group))) for size, group in groupby(waiting)]
    for counts in product(*(range(count + 1) for _, count in groups)):
        active = list(running)
        left: list[tuple[int, int]] = []
        for (size, count), started in zip(groups, counts, strict=True):
            active += [(size[0] + 1, size[1])] * started
            left += [size] * (count - started)
        yield tuple(sorted(active)), tuple(left)


def fits(memory: int, active: Running) -> bool:
    """Whether the active requests never hold more than M units while they all run to completion."""
    return all(
        sum(held + last - 1 for held, left in active if left >= last) <= memory
        for last in {left for _, left in active}
    )


def advance(active: Running) -> Running:
    """Return the requests that still run in the next round."""
    return tuple((held + 1, left - 1) for held, left in active if left > 1)


def merge(first: Waiting, second: Waiting) -> Waiting:
    """Return the sorted union of two multisets."""
    return tuple(sorted(first + second)) if second else first


def arrivals(future: Future, rounds: int) -> tuple[Waiting, Future]:
    """Let that many rounds pass: what has arrived, and the rest relative to the new round."""
    came = tuple(sorted((s, o) for delay, s, o in future if delay <= rounds))
    return came, tuple((delay - rounds, s, o) for delay, s, o in future if delay > rounds)


@dataclass(frozen=True, slots=True)
class _Position:
    """What both players know before the release of round t; `paid` is the rule's TEL so far."""

    t: int
    released: Future
    running: Running
    waiting: Waiting
    paid: int


class _Search:
    """Alpha-beta with fail-soft bounds in a table, over positions before a release."""

    def __init__(self, n: int, memory: int, horizon: int) -> None:
        self.n = n
        self.horizon = horizon
        self.costs = Costs(memory)
        self.types = size_types(memory)
        self.low: dict[_Position, Fraction] = {}
        self.high: dict[_Position, Fraction] = {}
        self.leaves = 0
        self.nodes = 0

    def best_release(self, position: _Position, alpha: Fraction, beta: Fraction) -> Fraction:
        """Value for the adversary to move: exact inside (alpha, beta), else a bound."""
        low, high = self.low.get(position), self.high.get(position)
        if high is not None and (high <= alpha or high == low):
            return high
        if low is not None and low >= beta:
            return low
        value = self._expand(position, alpha, beta)
        if value > alpha:
            self.low[position] = value
        if value < beta:
            self.high[position] = value
        return value

    def _expand(self, position: _Position, alpha: Fraction, beta: Fraction) -> Fraction:
        best = self._best_final(position, beta)
        if position.t == self.horizon:
            return best
        for release in self._partial_releases(position):
            if best >= beta:
                return best
            value = self._best_start(_released(position, release), max(alpha, best), beta)
            best = max(best, value)
        return best

    def _partial_releases(self, position: _Position) -> Iterator[Waiting]:
        left = self.n - len(position.released)
        for count in range(left - 1, -1 if position.released else 0, -1):
            yield from combinations_with_replacement(self.types, count)

    def _best_final(self, position: _Position, beta: Fraction) -> Fraction:
        """Best payoff of releasing all that is left now; stops once it reaches beta."""
        best_tel, best_opt = 1, 1
        for release in _multisets(len(self.types), self.n - len(position.released)):
            chosen = tuple(self.types[i] for i in release)
            end = _released(position, chosen)
            tel = end.paid + self.costs.rest(end.running, end.waiting, ())
            opt = self.costs.optimum(end.released)
            self.leaves += 1
            if tel * best_opt > best_tel * opt:
                best_tel, best_opt = tel, opt
                if tel * beta.denominator >= beta.numerator * opt:
                    break
        return Fraction(best_tel, best_opt)

    def _best_start(self, position: _Position, alpha: Fraction, beta: Fraction) -> Fraction:
        """Value for the algorithm to move, after the release of round t."""
        self.nodes += 1
        best: Fraction | None = None
        for active, left in self.costs.choices(position.running, position.waiting):
            following = _Position(
                position.t + 1,
                position.released,
                advance(active),
                left,
                position.paid + len(active) + len(left),
            )
            value = self.best_release(following, alpha, beta if best is None else min(beta, best))
            best = value if best is None else min(best, value)
            if best <= alpha:
                break
        assert best is not None
        return best


@cache
def _multisets(types: int, count: int) -> list[tuple[int, ...]]:
    return list(combinations_with_replacement(range(types), count))


def _released(position: _Position, release: Waiting) -> _Position:
    """Add a release in round t."""
    if not release:
        return position
    return _Position(
        position.t,
        tuple(sorted(position.released + tuple((position.t, s, o) for s, o in release))),
        position.running,
        merge(position.waiting, release),
        position.paid,
    )


def game_value(n: int, memory: int, horizon: int) -> GameResult:
    """Return the exact value of the game; time grows steeply with each argument.

    Raises InputError unless n >= 1, M >= 2 and H >= 0.
    """
    require_int(n, "requests", 1)
    require_int(memory, "memory", 2)
    require_int(horizon, "horizon", 0)
    search = _Search(n, memory, horizon)
    start = _Position(0, (), (), (), 0)
    value = search.best_release(start, Fraction(1), Fraction(n + 1))
    return GameResult(n, memory, horizon, value, search.leaves, search.nodes)


TABLE: dict[tuple[int, int, int], Fraction] = {
    (2, 2, 8): Fraction(1),
    (2, 3, 8): Fraction(1),
    (2, 4, 8): Fraction(6, 5),
    (2, 5, 8): Fraction(4, 3),
    (2, 6, 8): Fraction(11, 8),
    (2, 7, 8): Fraction(13, 9),
    (2, 8, 8): Fraction(3, 2),
    (2, 9, 9): Fraction(3, 2),
    (2, 10, 10): Fraction(20, 13),
    (2, 12, 12): Fraction(25, 16),
    (3, 3, 8): Fraction(1),
    (3, 4, 2): Fraction(9, 7),
    (3, 4, 8): Fraction(9, 7),
    (3, 5, 4): Fraction(3, 2),
    (3, 5, 8): Fraction(3, 2),
    (3, 6, 4): Fraction(13, 8),
    (3, 6, 5): Fraction(16, 9),
    (4, 3, 6): Fraction(1),
    (4, 4, 3): Fraction(3, 2),
    (5, 3, 6): Fraction(1),
}
"""(n, M, H) -> value: the entries of tight.md section 4 that take less than a second."""
