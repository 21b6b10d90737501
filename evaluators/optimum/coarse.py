"""A proved interval without any loop over rounds, for horizons that cannot be searched.

Times, outputs and memory may be integers of any size: the work depends on the number of requests
only.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from ..memory import Convention
from ..model import Request
from .problem import Part, Run


def lower_completions(part: Part, memory: int, convention: Convention) -> list[int]:
    """Lower bounds, in order, on the k-th smallest completion of the pending requests (rounds).

    The larger of two relaxations: every request starts as soon as it may; and the memory is a
    fluid shared by preemption, shortest remaining volume first.  Running requests are left out.
    """
    alone = sorted(part.ready[r.id] + r.output for r in part.pending)
    jobs = [(part.ready[r.id], least_volume(r, convention)) for r in part.pending]
    return [max(pair) for pair in zip(alone, fluid(jobs, memory), strict=True)]


def least_volume(request: Request, convention: Convention) -> int:
    """Memory-time area without rounding to blocks, a lower bound under every convention."""
    s, o = request.prompt + convention.first, request.output
    return s * o + o * (o - 1) // 2


def fluid(jobs: Sequence[tuple[int, int]], memory: int) -> list[int]:
    """Completions, in order, of (ready, volume) jobs served by `memory` units per round.

    Shortest remaining volume first; times are kept in units of 1/memory rounds, rounded up at
    the end.
    """
    waiting = sorted(((ready * memory, volume) for ready, volume in jobs), reverse=True)
    left: list[int] = []
    done: list[int] = []
    clock = 0
    while waiting or left:
        if not left:
            clock = max(clock, waiting[-1][0])
        while waiting and waiting[-1][0] <= clock:
            heapq.heappush(left, waiting.pop()[1])
        need = heapq.heappop(left)
        until = waiting[-1][0] if waiting else clock + need
        used = min(need, until - clock)
        clock += used
        if used < need:
            heapq.heappush(left, need - used)
        else:
            done.append(-(-clock // memory))
    return done


def list_schedule(
    part: Part, order: Sequence[Request], memory: int, convention: Convention
) -> dict[int, int]:
    """Start each request of the order at the first arrival or completion where its future fits."""
    placed = list(part.running)
    for request in order:
        ready = part.ready[request.id]
        candidates = [ready, *sorted({run.end for run in placed if run.end > ready})]
        run = next(
            run
            for run in (Run(request, x) for x in candidates)
            if fits(run, placed, memory, convention)
        )
        placed.append(run)
    return {run.request.id: run.start for run in placed[len(part.running) :]}


def fits(run: Run, placed: Sequence[Run], memory: int, convention: Convention) -> bool:
    """Whether `run` can be added to a feasible set of runs.

    What is held only grows between two completions, so the last round before each one decides.
    """
    near = [other for other in placed if other.start < run.end and run.start < other.end]
    ends = {other.end for other in near if other.end < run.end} | {run.end}
    return all(
        sum(
            convention.size(other.request.prompt, t - 1 - other.start)
            for other in (*near, run)
            if other.start < t <= other.end
        )
        <= memory
        for t in ends
    )


def upper_schedule(
    part: Part, memory: int, convention: Convention, *, makespan: bool
) -> dict[int, int]:
    """The best of two list schedules, by arrival and by volume (descending for the makespan)."""
    sign = -1 if makespan else 1
    by_arrival = part.pending
    by_volume = sorted(
        part.pending, key=lambda r: (sign * least_volume(r, convention), part.ready[r.id], r.id)
    )
    outputs = {r.id: r.output for r in part.pending}

    def value(starts: dict[int, int]) -> int:
        completions = [b + outputs[i] for i, b in starts.items()]
        return max(completions) if makespan else sum(completions)

    schedules = [list_schedule(part, o, memory, convention) for o in (by_arrival, by_volume)]
    return min(schedules, key=value)
