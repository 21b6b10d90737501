"""The geometry of a memory-time picture, exact: who holds how much, stacked, at which rounds.

Round t lies between the times t and t + 1, and what is held in it is the height at its end, t + 1;
so an attempt grows along a line from its prompt at its start to s + o at its end.  Samples are
taken at both ends of every piece of time in which no attempt starts or ends, and straight lines
between them are exact (with whole blocks: at the samples).  Integers of any size.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from ..memory import Convention
from ..model import Attempt, AttemptSchedule, Instance, Request, Schedule

MAX_SINGLE = 150
MAX_SHAPES = 8
MAX_CLASSES = 6
MAX_SAMPLES = 3000


@dataclass(frozen=True, slots=True)
class Group:
    """Requests that share a colour: a label for people, their number, whether of one shape."""

    label: str
    requests: int
    shape: bool


@dataclass(frozen=True, slots=True)
class Run:
    """One attempt as the picture sees it; `group` is the index of its request's group."""

    attempt: Attempt
    request: Request
    group: int

    def height(self, time: int, convention: Convention) -> int:
        """Units held in the round that ends at `time`; at the start, one unit before the first."""
        return convention.size(self.request.prompt, time - 1 - self.attempt.start)


@dataclass(frozen=True, slots=True)
class Band:
    """One layer of the stack: (time, units below it, units below or in it), in order of time.

    A time at which something starts or ends comes twice: just before, and just after.
    """

    group: int
    run: Run | None
    samples: tuple[tuple[int, int, int], ...]


def attempts_of(instance: Instance, schedule: Schedule | AttemptSchedule) -> list[Attempt]:
    """Return the attempts of known requests that last, by (start, id): the stacking order."""
    known = {request.id for request in instance.requests}
    given = schedule if isinstance(schedule, AttemptSchedule) else schedule.attempts(instance)
    found = [x for x in given.attempts if x.request in known and x.rounds >= 1]
    return sorted(found, key=lambda x: (x.start, x.request, x.rounds))


def group_requests(requests: Sequence[Request]) -> tuple[list[Group], dict[int, int]]:
    """Return the groups in order of volume and each request's: by shape if few, else by volume.

    Volume classes hold about equally many requests; equal volumes stay together.
    """
    shapes = sorted({(r.volume, r.prompt, r.output) for r in requests})
    few = len(shapes) <= MAX_SHAPES
    if few:
        index = {(s, o): i for i, (_, s, o) in enumerate(shapes)}
        member = {r.id: index[r.prompt, r.output] for r in requests}
        labels = [f"prompt {s:,}, output {o:,}" for _, s, o in shapes]
    else:
        cuts = _cuts(sorted(r.volume for r in requests))
        member = {r.id: bisect_left(cuts, r.volume) for r in requests}
        lows = [0, *cuts]
        labels = [f"volume {low + 1:,} to {cut:,}" for low, cut in zip(lows, cuts, strict=False)]
    counts = [0] * len(labels)
    for group in member.values():
        counts[group] += 1
    return [Group(x, n, few) for x, n in zip(labels, counts, strict=True)], member


def _cuts(volumes: Sequence[int]) -> list[int]:
    """Upper ends of at most MAX_CLASSES classes; the last is the largest volume."""
    n = len(volumes)
    return sorted({volumes[(n * k - 1) // MAX_CLASSES] for k in range(1, MAX_CLASSES + 1)})


def runs_of(
    instance: Instance, schedule: Schedule | AttemptSchedule
) -> tuple[list[Group], list[Run]]:
    """Return the groups and the attempts of a schedule, in stacking order."""
    groups, member = group_requests(instance.requests)
    by_id = {request.id: request for request in instance.requests}
    runs = [Run(x, by_id[x.request], member[x.request]) for x in attempts_of(instance, schedule)]
    return groups, runs


def single_bands(runs: Sequence[Run], convention: Convention) -> list[Band]:
    """Return one band for each attempt, each on those that started before it."""
    events = sorted({x.attempt.start for x in runs} | {x.attempt.end for x in runs})
    samples: list[list[tuple[int, int, int]]] = [[] for _ in runs]
    for first, after in pairwise(events):
        active = [i for i, x in enumerate(runs) if x.attempt.start < after <= x.attempt.end]
        for time in (first, after):
            below = 0
            for i in active:
                above = below + runs[i].height(time, convention)
                samples[i].append((time, below, above))
                below = above
    return [Band(x.group, x, tuple(s)) for x, s in zip(runs, samples, strict=True)]


@dataclass(slots=True)
class _Total:
    """What one group holds: attempts by the residue of their base, as in memory's sweep."""

    convention: Convention
    quotients: int = 0
    counts: dict[int, int] = field(default_factory=dict)

    def change(self, run: Run, sign: int) -> None:
        base = run.request.prompt + self.convention.first - run.attempt.start
        quotient, residue = divmod(base, self.convention.block)
        self.quotients += sign * quotient
        self.counts[residue] = self.counts.get(residue, 0) + sign

    def height(self, time: int) -> int:
        block = self.convention.block
        steps = sum(n * -(-(residue + time - 1) // block) for residue, n in self.counts.items())
        return block * (self.quotients + steps)


def group_bands(runs: Sequence[Run], groups: int, convention: Convention) -> list[Band]:
    """Return one band for each group; samples are thinned, keeping the extremes of the total."""
    totals = [_Total(convention) for _ in range(groups)]
    events = sorted(
        [(x.attempt.start, 1, x) for x in runs] + [(x.attempt.end, -1, x) for x in runs],
        key=lambda event: event[0],
    )
    changes = [(t, list(found)) for t, found in groupby(events, key=lambda event: event[0])]
    rows: list[tuple[int, list[int]]] = []
    for (first, found), (after, _) in pairwise(changes):
        for _, sign, run in found:
            totals[run.group].change(run, sign)
        rows += [(time, [x.height(time) for x in totals]) for time in (first, after)]
    rows = _thinned(rows)
    return [Band(g, None, tuple(_layer(rows, g))) for g in range(groups)]


def _layer(rows: Iterable[tuple[int, list[int]]], group: int) -> Iterable[tuple[int, int, int]]:
    for time, held in rows:
        below = sum(held[:group])
        yield time, below, below + held[group]


def _thinned(rows: list[tuple[int, list[int]]]) -> list[tuple[int, list[int]]]:
    """Keep about MAX_SAMPLES rows: of each group of neighbours the least and the largest total."""
    if len(rows) <= MAX_SAMPLES:
        return rows
    size = -(-2 * len(rows) // MAX_SAMPLES)
    kept = [rows[0]]
    for first in range(1, len(rows) - 1, size):
        near = range(first, min(first + size, len(rows) - 1))
        ends = {min(near, key=lambda i: sum(rows[i][1])), max(near, key=lambda i: sum(rows[i][1]))}
        kept += [rows[i] for i in sorted(ends)]
    return [*kept, rows[-1]]
