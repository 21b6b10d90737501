"""Algorithm E, "the longest goes first": leading constant down to 1/phi (tight-sharp.md 3).

The published text leaves open which admissible set F is used; `choose_block` fixes one rule and
finds a set whenever one exists (second-reading-tight.md, section 5, item 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate
from math import ceil

from ..model import InputError, Request, require_int
from .main_filler import smallest_filler
from .online import LinearRatio, RipeQueue, RuleFactory, Run, earliest, key_of


@dataclass(frozen=True, slots=True)
class Block:
    """A set F of ripe requests, in key order, to be run back to back while J starts.

    `room` is the largest rest of the running main with which F is admissible: the block
    T = rest + sum of outputs is at most o_J, and s_J + T + s_i + o_i <= M for each i in F.
    """

    members: tuple[Request, ...]
    room: int


def blocks(memory: int, longest: Request, ripe: Sequence[Request], unfit: int) -> Iterator[Block]:
    """Yield sets F with |ripe - F| <= unfit, among them an admissible one whenever one exists.

    Only the sum of outputs and the largest peak of F matter.  If F is admissible with largest peak
    h, leave out the c <= |ripe - F| requests of peak > h and, of the others, the
    |ripe - F| - c with the largest outputs: the sum and the largest peak are no larger than F's.
    So it is enough to try, for each number u of requests left out and each c <= u, the c largest
    by (peak, key) and then the u - c largest by key; fewest left out first, then smallest c.
    """
    by_peak = sorted(ripe, key=lambda q: (q.peak, key_of(q)))
    for u in range(min(unfit, len(ripe)) + 1):
        for c in range(u + 1):
            small = sorted(by_peak[: len(ripe) - c], key=key_of)
            members = tuple(small[: len(ripe) - u])
            yield Block(members, _room(memory, longest, members))


def _room(memory: int, longest: Request, members: Sequence[Request]) -> int:
    total = sum(q.output for q in members)
    room = longest.output - total
    if members:
        room = min(room, memory - longest.prompt - total - max(q.peak for q in members))
    return room


def choose_block(
    memory: int, longest: Request, ripe: Sequence[Request], unfit: int, rest: int
) -> Block | None:
    """Return the first of `blocks` that is admissible when the running main still has `rest` rounds.

    None if no subset of `ripe` with at most `unfit` requests left out is admissible.
    """
    return next((b for b in blocks(memory, longest, ripe, unfit) if rest <= b.room), None)


class AlgorithmERule:
    """The longest goes first (tight-sharp.md section 3), with parameters b0 and K.

    A request is ripe from round a + ceil(b0 * o) on.  J is the key-largest request revealed so far
    (recomputed in every round; a former J is an ordinary request); it is pending if it is unstarted
    and ripe.  The filler track is busy until a round e.  In each round, after completions:
    (1) if J is pending and the track is free, Q are the other ripe unstarted requests and `rest`
        the rounds left to the running main m (0 if none).  If s_J + rest + s_m + o_m <= M and there
        is an admissible F (`choose_block`) that leaves out at most K of Q, then J starts as main, m
        becomes the first filler, and F is committed to run back to back after m in key order;
    (2) if no main runs, the key-smallest ripe request starts as main;
    (3) if J is not pending and the track is free, the key-smallest ripe request below the main's
        key that ends by its completion and fits beside it starts as filler.
    Ratio: `algorithm_e_ratio`.
    """

    name = "algorithm-e"

    def __init__(self, memory: int, b0: Fraction, unfit: int) -> None:
        _check_parameters(b0, unfit)
        self.memory = memory
        self.b0 = Fraction(b0)
        self.unfit = unfit
        self.queue = RipeQueue()
        self.main: Run | None = None
        self.longest: Request | None = None
        self.track_free = 0
        self.committed: list[Run] = []

    def decide(self, t: int, arrived: Sequence[Request]) -> Sequence[int]:
        """Apply (1), (2) and (3), after the members of a block whose turn it is."""
        self._reveal(t, arrived)
        if self.main is not None and self.main.end <= t:
            self.main = None
        started = self._longest_goes_first(t)
        if self.main is None and len(self.queue):
            self.main = self._start(next(iter(self.queue)), t)
            started.append(self.main.request.id)
        if self.main is not None and t >= self.track_free and not self._pending():
            request = smallest_filler(self.memory, self.main, self.queue, t)
            if request is not None:
                started.append(self._start(request, t).request.id)
                self.track_free = t + request.output
        return started + self._due(t)

    def next_decision(self, t: int) -> int | None:
        """Return the next completion, ripe round, block member, or round in which (1) applies.

        Without any of the first three, (1) can still become applicable because the rest of the
        running main shrinks.
        """
        return earliest(
            self.main.end if self.main else None,
            self.track_free if self.track_free > t else None,
            self.committed[0].start if self.committed else None,
            self.queue.next_ripe(),
            self._applicable_from(t),
        )

    def _reveal(self, t: int, arrived: Sequence[Request]) -> None:
        for request in arrived:
            self.queue.add(request, request.arrival + ceil(self.b0 * request.output))
            if self.longest is None or key_of(request) > key_of(self.longest):
                self.longest = request
        self.queue.advance(t)

    def _start(self, request: Request, t: int) -> Run:
        self.queue.take(request)
        return Run(request, t)

    def _pending(self) -> bool:
        return self.longest is not None and self.queue.is_ripe(self.longest)

    def _others(self) -> list[Request]:
        return [q for q in self.queue if q is not self.longest]

    def _longest_goes_first(self, t: int) -> list[int]:
        """Rule (1): start J if there is an admissible block; return what starts now."""
        longest = self.longest
        if longest is None or t < self.track_free or not self._pending():
            return []
        rest = self.main.end - t if self.main else 0
        if self.main and rest > self._main_room(longest, self.main):
            return []
        block = choose_block(self.memory, longest, self._others(), self.unfit, rest)
        if block is None:
            return []
        self.main = self._start(longest, t)
        ends = list(accumulate((q.output for q in block.members), initial=t + rest))
        self.committed = [Run(q, b) for q, b in zip(block.members, ends[:-1], strict=True)]
        for q in block.members:
            self.queue.take(q)
        self.track_free = ends[-1]
        return [longest.id]

    def _main_room(self, longest: Request, main: Run) -> int:
        """Largest rest of the main beside which J may start: s_J + rest + s_m + o_m <= M."""
        return self.memory - longest.prompt - main.request.peak

    def _due(self, t: int) -> list[int]:
        """Take the block member that starts now, if any (members are consecutive)."""
        due = [run.request.id for run in self.committed if run.start == t]
        self.committed = self.committed[len(due) :]
        return due

    def _applicable_from(self, t: int) -> int | None:
        """First round after t, before the main ends, in which (1) applies if nothing else happens."""
        longest, main = self.longest, self.main
        if longest is None or main is None or t < self.track_free or not self._pending():
            return None
        best = max(b.room for b in blocks(self.memory, longest, self._others(), self.unfit))
        room = min(best, self._main_room(longest, main))
        return max(t + 1, main.end - room) if room > 0 else None


def _check_parameters(b0: Fraction, unfit: int) -> None:
    require_int(unfit, "K", 1)
    if b0 * b0 + b0 < 1 or 3 * b0 > 2:
        raise InputError("b0", f"must satisfy b0^2 + b0 >= 1 and b0 <= 2/3, got {b0}")


def algorithm_e(b0: Fraction = Fraction(5, 8), unfit: int = 15) -> RuleFactory:
    """Return the factory of algorithm E; raises InputError unless 1/phi <= b0 <= 2/3 and K >= 1."""
    _check_parameters(b0, unfit)
    return partial(AlgorithmERule, b0=Fraction(b0), unfit=unfit)


def algorithm_e_ratio(b0: Fraction = Fraction(5, 8), unfit: int = 15) -> LinearRatio:
    """TEL <= (b0 / (1 - eta) * n + 4K + 11) OPT with eta = b0 / (K + 1), for every M.

    Tight-sharp.md section 3; the constant 11 is that of second-reading-tight.md section 1.  b0 = 5/8
    and K = 15 give slope 80/123 < 2/3; K = 10 is the first that beats 2/3.
    """
    _check_parameters(b0, unfit)
    eta = Fraction(b0) / (unfit + 1)
    return LinearRatio(
        b0 / (1 - eta),
        Fraction(4 * unfit + 11),
        "tight-sharp.md section 3, second reading section 1",
    )
