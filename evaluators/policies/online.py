"""Causal online rules, a driver that jumps from event to event, and the simple rules.

A rule is created for one run with the capacity M.  In the rounds in which it is asked it is handed
the requests that have arrived since it was last asked, and nothing else, so that no rule can look
ahead; it answers with the ids to start in that round.  Requests are never killed.  The driver asks
a rule when a request arrives and in the rounds that the rule itself names (completions, and the
rounds at which a delayed request becomes ripe); idle rounds cost nothing.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, insort
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil
from typing import Protocol

from ..memory import Profile
from ..model import InputError, Instance, Request, Schedule
from .lookahead import Running

Key = tuple[int, int]
"""(output, id): the order of sizes, ties by id (tight-sharp.md, model)."""


class RuleError(RuntimeError):
    """A rule broke the protocol: in one line, which rule, in which round, and how."""


class OnlineRule(Protocol):
    """A deterministic causal scheduler without kills, for one run."""

    name: str

    def decide(self, t: int, arrived: Sequence[Request], /) -> Sequence[int]:
        """Return the ids to start in round t.

        `arrived` holds the requests with arrival <= t that the rule has not seen yet, sorted by
        (arrival, id).  Rounds t increase strictly from call to call.
        """
        ...

    def next_decision(self, t: int, /) -> int | None:
        """Return the first round after t in which the rule must be asked even without an arrival.

        None if it has nothing to decide before the next arrival.
        """
        ...


RuleFactory = Callable[[int], OnlineRule]
"""Makes a fresh rule for a run with capacity M (units)."""


@dataclass(frozen=True, slots=True)
class LinearRatio:
    """A proved bound TEL <= (slope * n + constant) * OPT for n requests, and where it is proved.

    `needs` says for which instances; empty when the bound holds for every instance.
    """

    slope: Fraction
    constant: Fraction
    source: str
    needs: str = ""

    def at(self, n: int) -> Fraction:
        """Return the bound for n requests."""
        return self.slope * n + self.constant


SERIAL_RATIO = LinearRatio(Fraction(1), Fraction(0), "paper 1, theorem 1")
FCFS_RATIO = LinearRatio(
    Fraction(1), Fraction(0), "until a request starts only earlier ones run, each at most once"
)


def play(
    factory: RuleFactory,
    instance: Instance,
    patience: int = 1_000_000,
    progress: Callable[[int, int, str], None] | None = None,
) -> Schedule:
    """Run a fresh rule on the instance and return the starts that it chose.

    Raises RuleError if the rule starts a request that it has not been shown or has started
    already, if the memory overflows, if it leaves a request unstarted with no round left in which
    it wants to be asked, or if it is asked `patience` times in a row without an arrival or a start.
    `progress(started, n, "")` is called now and then.
    """
    rule = factory(instance.memory)
    coming = deque(instance.requests)
    waiting: set[int] = set()
    starts: dict[int, int] = {}
    quiet = 0
    t = coming[0].arrival if coming else 0
    while coming or waiting:
        arrived = _arrivals(coming, t)
        waiting.update(request.id for request in arrived)
        chosen = rule.decide(t, arrived)
        _commit(rule.name, t, chosen, waiting, starts)
        if progress and len(starts) % 256 == 0:
            progress(len(starts), len(instance), "")
        quiet = 0 if arrived or chosen else quiet + 1
        if quiet > patience:
            raise RuleError(f"{rule.name}: round {t}: asked {quiet} times without any start")
        if coming or waiting:
            t = _next_round(rule, t, coming, len(waiting))
    schedule = Schedule(starts)
    _check_memory(rule.name, instance, schedule)
    return schedule


def _arrivals(coming: deque[Request], t: int) -> list[Request]:
    """Take the requests with arrival <= t."""
    arrived = []
    while coming and coming[0].arrival <= t:
        arrived.append(coming.popleft())
    return arrived


def _commit(
    name: str, t: int, chosen: Sequence[int], waiting: set[int], starts: dict[int, int]
) -> None:
    for identifier in chosen:
        if identifier not in waiting:
            raise RuleError(f"{name}: round {t}: {identifier} is not a revealed unstarted request")
        waiting.remove(identifier)
        starts[identifier] = t


def _next_round(rule: OnlineRule, t: int, coming: deque[Request], waiting: int) -> int:
    """Return the next round in which something arrives or the rule wants to be asked."""
    wanted = rule.next_decision(t)
    if wanted is not None and wanted <= t:
        raise RuleError(f"{rule.name}: round {t}: asks for a decision in the past, round {wanted}")
    rounds = [r for r in (wanted, coming[0].arrival if coming else None) if r is not None]
    if not rounds:
        raise RuleError(f"{rule.name}: round {t}: never starts {waiting} revealed requests")
    return min(rounds)


def _check_memory(name: str, instance: Instance, schedule: Schedule) -> None:
    runs = [(schedule.starts[r.id], r) for r in instance.requests]
    profile = Profile([b for b, _ in runs], [b + r.output for b, r in runs], _prompts(instance))
    overfull = profile.overfull(instance.memory)
    if overfull:
        first = overfull[0]
        raise RuleError(
            f"{name}: round {first.first}: holds {first.held_first} > memory {instance.memory}"
        )


def _prompts(instance: Instance) -> list[int]:
    return [request.prompt for request in instance.requests]


@dataclass(frozen=True, slots=True)
class Run:
    """A started request: active in rounds start..end-1."""

    request: Request
    start: int

    @property
    def end(self) -> int:
        """Completion round."""
        return self.start + self.request.output

    def held(self, t: int) -> int:
        """Units held in round t, 0 outside start..end-1."""
        return self.request.prompt + t - self.start + 1 if self.start <= t < self.end else 0


def key_of(request: Request) -> Key:
    """Return the key of tight-sharp.md: output, then id."""
    return request.output, request.id


class RipeQueue:
    """Unstarted requests: those that still wait for their ripe round, and the ripe ones by key.

    `total_output` is the sum of the ripe requests' outputs.
    """

    def __init__(self) -> None:
        self._unripe: list[tuple[int, Key]] = []
        self._ripe: list[Key] = []
        self._requests: dict[int, Request] = {}
        self.total_output = 0

    def add(self, request: Request, ripe: int) -> None:
        """Add a request that may start from round `ripe` on."""
        self._requests[request.id] = request
        heapq.heappush(self._unripe, (ripe, key_of(request)))

    def advance(self, t: int) -> None:
        """Make ripe what is ripe in round t."""
        while self._unripe and self._unripe[0][0] <= t:
            key = heapq.heappop(self._unripe)[1]
            insort(self._ripe, key)
            self.total_output += key[0]

    def next_ripe(self) -> int | None:
        """Return the next ripe round that `advance` has not reached, if any."""
        return self._unripe[0][0] if self._unripe else None

    def is_ripe(self, request: Request) -> bool:
        """Whether the request is unstarted and ripe."""
        index = bisect_left(self._ripe, key_of(request))
        return index < len(self._ripe) and self._ripe[index] == key_of(request)

    def take(self, request: Request) -> None:
        """Remove a ripe request, because it starts."""
        del self._ripe[bisect_left(self._ripe, key_of(request))]
        del self._requests[request.id]
        self.total_output -= request.output

    def largest(self, count: int) -> list[Request]:
        """Return the `count` key-largest ripe requests, or all if there are fewer."""
        return [self._requests[identifier] for _, identifier in self._ripe[-count:]]

    def __iter__(self) -> Iterator[Request]:
        """Iterate over the ripe requests, key-smallest first."""
        return (self._requests[identifier] for _, identifier in self._ripe)

    def __len__(self) -> int:
        return len(self._ripe)


def earliest(*rounds: int | None) -> int | None:
    """Return the smallest of the given rounds, None if there is none."""
    return min((r for r in rounds if r is not None), default=None)


class _OneAtATime:
    """Serves one request at a time, in the order of a key, from a release round of its own."""

    name = "one-at-a-time"

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self.free = 0
        self._unripe: list[tuple[int, int, Request]] = []
        self._ripe: list[tuple[tuple[int, int], Request]] = []

    def release(self, request: Request) -> int:
        """Return the first round in which the request may start."""
        return request.arrival

    def order(self, request: Request) -> tuple[int, int]:
        """Return the key by which released requests are served, smallest first; no two equal."""
        return self.release(request), request.id

    def decide(self, t: int, arrived: Sequence[Request]) -> Sequence[int]:
        """Start the first released request if nothing runs."""
        for request in arrived:
            heapq.heappush(self._unripe, (self.release(request), request.id, request))
        while self._unripe and self._unripe[0][0] <= t:
            request = heapq.heappop(self._unripe)[2]
            heapq.heappush(self._ripe, (self.order(request), request))
        if t < self.free or not self._ripe:
            return []
        request = heapq.heappop(self._ripe)[1]
        self.free = t + request.output
        return [request.id]

    def next_decision(self, _t: int) -> int | None:
        """Return the completion if something is released and waits, else the next release."""
        if self._ripe:
            return self.free
        return self._unripe[0][0] if self._unripe else None


class SerialRule(_OneAtATime):
    """Paper 1's conservative serial FIFO: in order of (arrival, id), one request at a time.

    start = max(arrival, completion of the previous one).  TEL <= n OPT (`SERIAL_RATIO`; paper 1,
    theorem 1).
    """

    name = "serial"


class ShortestFirstRule(_OneAtATime):
    """One request at a time, never idle; the key-smallest (output, id) that has arrived.

    With M = 3 and all prompts >= 1 its TEL is optimal (tight-sharp.md section 6).  On
    pairwise-exclusive instances TEL <= (M^2 + 1) OPT (tight-sharp.md section 7).
    """

    name = "shortest-first"

    def order(self, request: Request) -> tuple[int, int]:
        """Return (output, id)."""
        return key_of(request)


class DelayedFifoRule(_OneAtATime):
    """Delayed FIFO (tight.md section 3.C): request q is released at r = a + ceil(beta * o).

    Served one at a time in order of (r, id), start = max(r, previous completion).  The order is
    causal because r > a.  Ratio: `delayed_fifo_ratio`, for pairwise-exclusive instances only.
    """

    name = "delayed-fifo"

    def __init__(self, memory: int, beta: Fraction) -> None:
        super().__init__(memory)
        self.beta = _delay(beta)

    def release(self, request: Request) -> int:
        """Return a + ceil(beta * o)."""
        return request.arrival + ceil(self.beta * request.output)


def _delay(beta: Fraction) -> Fraction:
    if not 0 < beta <= 1:
        raise InputError("beta", f"must be in (0, 1], got {beta}")
    return Fraction(beta)


def delayed_fifo(beta: Fraction) -> RuleFactory:
    """Return the factory of delayed FIFO with 0 < beta <= 1; raises InputError outside."""
    return partial(DelayedFifoRule, beta=_delay(beta))


def delayed_fifo_ratio(beta: Fraction) -> LinearRatio:
    """TEL <= (c n + 2 + beta - c) OPT, c = max(beta, 1 / (1 + beta)); beta = 5/8 gives c = 5/8."""
    slope = max(_delay(beta), 1 / (1 + beta))
    return LinearRatio(
        slope, 2 + beta - slope, "tight.md section 3.C, step 5", "no two requests ever fit together"
    )


class FcfsRule:
    """FCFS with exact look-ahead: the head of the (arrival, id) line starts as soon as it fits.

    "Fits" means that in each of its rounds the requests that already run, all followed to their
    completion, leave room for it.  The earliest such round need not be a completion: running
    requests grow, so starting later can be what keeps the sum of the peaks apart.  Nobody passes
    the head.  TEL <= n OPT (`FCFS_RATIO`): in each round in which q waits some earlier request of
    the line runs, so q's latency is at most the sum of all outputs, which is at most OPT.
    """

    name = "fcfs"

    def __init__(self, memory: int) -> None:
        self.line: deque[Request] = deque()
        self.running = Running(memory)
        self._head_start: int | None = None

    def decide(self, t: int, arrived: Sequence[Request]) -> Sequence[int]:
        """Start heads of the line while their earliest feasible round is t."""
        self.line.extend(arrived)
        self.running.release(t)
        started = []
        while self.line:
            if self._head_start is None:
                self._head_start = self.running.earliest_fit(self.line[0], t)
            if self._head_start > t:
                break
            request = self.line.popleft()
            self.running.start(request, t)
            started.append(request.id)
            self._head_start = None
        return started

    def next_decision(self, _t: int) -> int | None:
        """Return the round in which the head starts; nothing that arrives can change it."""
        return self._head_start
