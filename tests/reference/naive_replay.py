"""A deliberately naive replay: round by round, straight from DESIGN.md section 1.

It shares no code with the package but the data classes of model.py, and exists to be compared.
"""

from __future__ import annotations

from evaluators.model import Attempt, Instance


def naive_held(runs: list[tuple[int, int, int]], t: int, offset: int = 1, block: int = 1) -> int:
    """Units held in round t by runs (start, rounds, prompt)."""
    total = 0
    for start, rounds, prompt in runs:
        if start <= t and t <= start + rounds - 1:
            tokens = prompt + (t - start) + offset
            blocks = tokens // block
            if tokens % block:
                blocks += 1
            total += blocks * block
    return total


def naive_overfull(
    runs: list[tuple[int, int, int]], memory: int, offset: int = 1, block: int = 1
) -> dict[int, int]:
    """Excess by round, for every round that holds more than the memory."""
    if not runs:
        return {}
    result = {}
    for t in range(min(r[0] for r in runs), max(r[0] + r[1] for r in runs)):
        held = naive_held(runs, t, offset, block)
        if held > memory:
            result[t] = held - memory
    return result


def naive_peak(runs: list[tuple[int, int, int]], offset: int = 1, block: int = 1) -> int:
    """Largest occupancy over all rounds."""
    if not runs:
        return 0
    rounds = range(min(r[0] for r in runs), max(r[0] + r[1] for r in runs))
    return max(naive_held(runs, t, offset, block) for t in rounds)


def naive_starts_feasible(instance: Instance, starts: dict[int, int]) -> bool:
    """Whether starts for all requests are feasible."""
    runs = [(starts[r.id], r.output, r.prompt) for r in instance.requests]
    early = any(starts[r.id] < r.arrival for r in instance.requests)
    return not early and not naive_overfull(runs, instance.memory)


def naive_attempts_feasible(instance: Instance, attempts: list[Attempt]) -> bool:
    """Whether attempts with kills are feasible: every rule, checked one request at a time."""
    for request in instance.requests:
        mine = [x for x in attempts if x.request == request.id]
        completed = [x for x in mine if x.completed]
        if len(completed) != 1:
            return False
        for x in mine:
            if x.start < request.arrival or x.rounds < 1:
                return False
            if x.completed and x.rounds != request.output:
                return False
            if not x.completed and (x.rounds >= request.output or x.start > completed[0].start):
                return False
        active = [t for x in mine for t in range(x.start, x.start + x.rounds)]
        if len(active) != len(set(active)):
            return False
    by_id = {r.id: r for r in instance.requests}
    if any(x.request not in by_id for x in attempts):
        return False
    runs = [(x.start, x.rounds, by_id[x.request].prompt) for x in attempts]
    return not naive_overfull(runs, instance.memory)
