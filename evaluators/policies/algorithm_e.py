"""Algorithm E, "the longest goes first": leading constant down to 1/phi (tight-sharp.md 3).

The published text leaves open which admissible set F is used; `choose_block` fixes one rule and
finds a set whenever one exists (second-reading-tight.md, section 5, item 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate, islice
from math import ceil

from ..model import InputError, Request, require_int
from .main_filler import smallest_filler
from .online import LinearRatio, RipeQueue, RuleFactory, Run, earliest, key_of


@dataclass(frozen=True, slots=True)
class Block:
    """A set F of ripe requests, to be run back to back in key order while J starts.

    `left_out` are the ids of the ripe requests outside F.  `room` is the largest rest of the
    running main with which F is admissible: the block T = rest + sum of outputs is at most o_J,
    and s_J + T + s_i + o_i <= M for each i in F.  Negative if F never is.
    """

    left_out: frozenset[int]
    room: int


def blocks(memory: int, longest: Request, ripe: Sequence[Request], out: int) -> Iterator[Block]:
    """Yield sets F that leave out exactly `out` <= len(ripe) requests, among them one of most room.

    Only the sum of outputs and the largest peak of F matter.  Take any F with largest peak h, and
    let c of the requests outside have peaks > h.  Leaving out these c and the `out` - c largest
    outputs of the others gives no larger sum and no larger peak.  So for each c it is enough to
    leave out the c largest by (peak, key) and then the `out` - c largest by key.
    """
    by_key = sorted(ripe, key=key_of, reverse=True)
    by_peak = sorted(ripe, key=lambda q: (q.peak, key_of(q)), reverse=True)
    total = sum(q.output for q in ripe)
    for c in range(out + 1):
        large = {q.id for q in by_peak[:c]}
        long = islice((q for q in by_key if q.id not in large), out - c)
        gone = by_peak[:c] + list(long)
        left_out = frozenset(q.id for q in gone)
        kept = total - sum(q.output for q in gone)
        top = next((q.peak for q in by_peak if q.id not in left_out), None)
        room = longest.output - kept
        if top is not None:
            room = min(room, memory - longest.prompt - kept - top)
        yield Block(left_out, room)


def largest_room(memory: int, longest: Request, ripe: Sequence[Request], unfit: int) -> int:
    """Return the largest room of an F that leaves out at most `unfit` requests.

    Leaving out more never hurts, so only the sets that leave out as many as allowed are tried.
    """
    return max(b.room for b in blocks(memory, longest, ripe, min(unfit, len(ripe))))


def choose_block(
    memory: int, longest: Request, ripe: Sequence[Request], unfit: int, rest: int
) -> Block | None:
    """Return the admissible F that leaves out fewest requests, `rest` rounds left to the main.

    On a tie the one that leaves out fewest for their peak (the order of `blocks`).  None if no
    subset of `ripe` that leaves out at most `unfit` requests is admissible.
    """
    if largest_room(memory, longest, ripe, unfit) < rest:
        return None
    tried = (b for out in range(len(ripe) + 1) for b in blocks(memory, longest, ripe, out))
    return next(block for block in tried if block.room >= rest)


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

    def _ripe_others(self, longest: Request, rest: int) -> list[Request] | None:
        """Return Q in key order; None if already its sum of outputs, less the K largest, is > T.

        This test costs O(K), and a long queue fails it.
        """
        kept = self.queue.total_output - sum(q.output for q in self.queue.largest(self.unfit + 1))
        if rest + kept > longest.output:
            return None
        return [q for q in self.queue if q is not longest]

    def _longest_goes_first(self, t: int) -> list[int]:
        """Rule (1): start J if there is an admissible block; return what starts now."""
        longest = self.longest
        if longest is None or t < self.track_free or not self._pending():
            return []
        rest = self.main.end - t if self.main else 0
        if self.main and rest > self._main_room(longest, self.main):
            return []
        others = self._ripe_others(longest, rest)
        if others is None:
            return []
        block = choose_block(self.memory, longest, others, self.unfit, rest)
        if block is None:
            return []
        self.main = self._start(longest, t)
        self._commit(t + rest, [q for q in others if q.id not in block.left_out])
        return [longest.id]

    def _commit(self, begin: int, members: Sequence[Request]) -> None:
        """Reserve the filler track for the block: the rest of the old main, then the members."""
        ends = list(accumulate((q.output for q in members), initial=begin))
        self.committed = [self._start(q, b) for q, b in zip(members, ends[:-1], strict=True)]
        self.track_free = ends[-1]

    def _main_room(self, longest: Request, main: Run) -> int:
        """Largest rest of the main beside which J may start: s_J + rest + s_m + o_m <= M."""
        return self.memory - longest.prompt - main.request.peak

    def _due(self, t: int) -> list[int]:
        """Take the block member that starts now, if any (members are consecutive)."""
        due = [run.request.id for run in self.committed if run.start == t]
        self.committed = self.committed[len(due) :]
        return due

    def _applicable_from(self, t: int) -> int | None:
        """Return the first round after t in which the shrinking rest of the main admits (1)."""
        longest, main = self.longest, self.main
        if longest is None or main is None or t < self.track_free or not self._pending():
            return None
        others = self._ripe_others(longest, 1)
        if others is None:
            return None
        best = largest_room(self.memory, longest, others, self.unfit)
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

    Tight-sharp.md section 3; the constant 11 is that of second-reading-tight.md section 1.  For
    b0 = 5/8, K = 15 gives slope 80/123 < 2/3, and K = 10 is the first that beats 2/3.
    """
    _check_parameters(b0, unfit)
    eta = Fraction(b0) / (unfit + 1)
    return LinearRatio(
        b0 / (1 - eta),
        Fraction(4 * unfit + 11),
        "tight-sharp.md section 3, second reading section 1",
    )
