"""A deliberately naive optimum: every start vector, every round, no shared code but model.py.

For tiny instances only.  Memory is written out as s + (t - b) + first, block by block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from evaluators.model import Instance, Request

# (request, start, rounds run): a killed attempt runs for fewer rounds than its output.
Attempt = tuple[Request, int, int]


def held(attempts: Iterable[Attempt], t: int, first: int = 1, block: int = 1) -> int:
    total = 0
    for request, start, rounds in attempts:
        if start <= t < start + rounds:
            units = request.prompt + (t - start) + first
            while units % block:
                units += 1
            total += units
    return total


def feasible(memory: int, attempts: list[Attempt], first: int = 1, block: int = 1) -> bool:
    if not attempts:
        return True
    end = max(start + rounds for _, start, rounds in attempts)
    return all(held(attempts, t, first, block) <= memory for t in range(end + 1))


def cost(objective: str, completions: dict[int, int], requests: Iterable[Request]) -> int:
    if objective == "makespan":
        return max(completions.values(), default=0)
    total = sum(completions.values())
    if objective == "tel":
        total -= sum(r.arrival for r in requests)
    return total


def brute_force(
    instance: Instance,
    objective: str = "tel",
    *,
    first: int = 1,
    block: int = 1,
    now: int = 0,
    starts: dict[int, int] | None = None,
    kills: bool = False,
) -> int:
    """Least objective value over all continuations; kills at any round >= now, at most once."""
    fixed = starts or {}
    limit = latest_start(instance, now)
    choices = [list(options(r, fixed, now, limit, kills)) for r in instance.requests]
    best: int | None = None
    for combination in product(*choices):
        completions = {
            r.id: attempts[-1][1] + r.output
            for r, attempts in zip(instance.requests, combination, strict=True)
        }
        value = cost(objective, completions, instance.requests)
        if best is not None and value >= best:
            continue
        if feasible(instance.memory, [a for group in combination for a in group], first, block):
            best = value
    assert best is not None
    return best


def latest_start(instance: Instance, now: int) -> int:
    """Some optimal schedule has ended by max(now, arrivals) + sum of outputs + what is running."""
    latest = max([now, *(r.arrival for r in instance.requests)])
    return latest + sum(r.output for r in instance.requests)


def options(
    request: Request, fixed: dict[int, int], now: int, limit: int, kills: bool
) -> Iterator[list[Attempt]]:
    o = request.output
    if request.id not in fixed:
        for b in range(max(request.arrival, now), limit - o + 1):
            yield [(request, b, o)]
        return
    start = fixed[request.id]
    yield [(request, start, o)]
    if kills:
        for kill in range(now, start + o):
            for b in range(kill, limit - o + 1):
                yield [(request, start, kill - start), (request, b, o)]
