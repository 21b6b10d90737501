"""The combinatorial problem that the engines search: requests still to start, and what is held.

An instance (with an optional commitment) is cut into independent parts, each with times counted
from its own first round, so that long gaps cost nothing.  Sizes come from the convention, round
by round, so every convention is searched by the same code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..memory import Convention
from ..model import Request
from .dual import DualFeasible, family


@dataclass(frozen=True, slots=True)
class Run:
    """A request that already runs and cannot be stopped: active in start..start+output-1."""

    request: Request
    start: int

    @property
    def end(self) -> int:
        """Its completion round, the first in which it holds nothing."""
        return self.start + self.request.output


@dataclass(frozen=True, slots=True)
class Part:
    """Requests that can be scheduled on their own: all their activity lies before `finish`.

    `ready` is, per pending request, the first round in which it may start (never before origin).
    """

    origin: int
    finish: int
    pending: tuple[Request, ...]
    ready: Mapping[int, int]
    running: tuple[Run, ...]

    @property
    def horizon(self) -> int:
        """Rounds from the origin on in which anything may be active."""
        return self.finish - self.origin


def split(pending: Sequence[Request], running: Sequence[Run], now: int) -> list[Part]:
    """Cut where all earlier requests can have finished before the next arrival.

    Returns the parts in order of time; `running` belongs to the first one.  The cut is exact: a
    group whose last request is ready in round r, and beside which nothing runs from round e on,
    need not be active after max(r, e) + the sum of its outputs.  For in its own schedule, rounds
    from r on in which nothing is active can be deleted: this delays nobody and keeps the group
    feasible.  (Before r, waiting may pay, so a request cannot count on the rounds before it.)
    """
    order = sorted(pending, key=lambda r: (r.arrival, r.id))
    busy = max((run.end for run in running), default=0)
    parts: list[Part] = []
    group: list[Request] = []
    finish = total = 0
    for request in order:
        ready = max(now, request.arrival)
        if group and ready >= finish:
            parts.append(_part(group, running, now, finish))
            group, total, running = [], 0, ()
        group.append(request)
        total += request.output
        finish = max(ready, busy) + total
    if group:
        parts.append(_part(group, running, now, finish))
    return parts


def _part(group: Sequence[Request], running: Sequence[Run], now: int, finish: int) -> Part:
    ready = {r.id: max(now, r.arrival) for r in group}
    origin = ready[group[0].id]
    return Part(origin, finish, tuple(group), ready, tuple(r for r in running if r.end > origin))


@dataclass(frozen=True, slots=True)
class Problem:
    """One part in the engines' terms; jobs are numbered in the order in which they are tried.

    `weights[d][j][age]` is job j's weight in its round `age` under the d-th dual-feasible
    function; d = 0 is the identity, so `weights[0]` are the sizes in memory units and
    `capacities[0]` is the memory.  `held[d][u]` is what the running requests weigh in round u.
    `twin[j]` is the previous job with the same prompt and output (-1: none), which starts first.
    Rounds are counted from `origin`; every start fits into `horizon`.
    """

    origin: int
    horizon: int
    ids: tuple[int, ...]
    ready: list[int]
    output: list[int]
    twin: list[int]
    capacities: list[int]
    weights: list[list[list[int]]]
    held: list[list[int]]
    busy: int

    @property
    def memory(self) -> int:
        """The capacity in memory units."""
        return self.capacities[0]


def build(part: Part, memory: int, convention: Convention, *, largest_first: bool) -> Problem:
    """Number the jobs by volume (descending if `largest_first`) and tabulate sizes and weights."""
    size = convention.size
    tables = {r.id: [size(r.prompt, age) for age in range(r.output)] for r in part.pending}
    sign = -1 if largest_first else 1
    jobs = sorted(
        part.pending,
        key=lambda r: (
            sign * sum(tables[r.id]),
            sign * r.output,
            r.prompt,
            part.ready[r.id],
            r.id,
        ),
    )
    sizes = [tables[r.id] for r in jobs]
    busy = max((run.end - part.origin for run in part.running), default=0)
    rest = [_remaining(run, part.origin, convention) for run in part.running]
    functions = family(memory)
    images = _images(functions, sizes + rest)
    return Problem(
        part.origin,
        part.horizon,
        tuple(r.id for r in jobs),
        [part.ready[r.id] - part.origin for r in jobs],
        [r.output for r in jobs],
        _twins(jobs),
        [f.capacity for f in functions],
        [[[image[x] for x in row] for row in sizes] for image in images],
        [_total([[image[x] for x in row] for row in rest], busy) for image in images],
        busy,
    )


def _remaining(run: Run, origin: int, convention: Convention) -> list[int]:
    """Sizes of a running request in the rounds origin, origin + 1, ... until it ends."""
    return [convention.size(run.request.prompt, t - run.start) for t in range(origin, run.end)]


def _images(functions: Sequence[DualFeasible], rows: list[list[int]]) -> list[dict[int, int]]:
    sizes = {x for row in rows for x in row}
    return [{x: f(x) for x in sizes} for f in functions]


def _twins(jobs: Sequence[Request]) -> list[int]:
    last: dict[tuple[int, int], int] = {}
    twin = []
    for index, r in enumerate(jobs):
        twin.append(last.get((r.prompt, r.output), -1))
        last[r.prompt, r.output] = index
    return twin


def _total(rows: list[list[int]], length: int) -> list[int]:
    total = [0] * length
    for row in rows:
        for u, x in enumerate(row):
            total[u] += x
    return total
