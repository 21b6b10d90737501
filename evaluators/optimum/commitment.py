"""Commitments: which runs are fixed, and which of them may be killed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from ..memory import Convention, Profile
from ..model import InputError, Instance, require_int
from .problem import Run
from .results import Commitment


def committed_runs(
    instance: Instance, convention: Convention, commitment: Commitment, *, kills: bool
) -> list[Run]:
    """Return the committed runs, by (start, id).

    Raises InputError for an unknown id, a start before the arrival or not before `now`, and a
    prefix that exceeds the memory: in a round before `now`, or in any round if nothing may be
    killed.
    """
    require_int(commitment.now, "commitment.now", 0)
    known = {r.id: r for r in instance.requests}
    runs: list[Run] = []
    for identifier, start in sorted(commitment.starts.items()):
        field = f"commitment.starts[{identifier}]"
        if identifier not in known:
            raise InputError(field, "must name a request of the instance")
        require_int(start, field, known[identifier].arrival)
        if start >= commitment.now:
            raise InputError(field, f"must be < now = {commitment.now}, got {start}")
        runs.append(Run(known[identifier], start))
    first = first_overfull(instance.memory, convention, runs)
    if first is not None and (first < commitment.now or not kills):
        raise InputError("commitment.starts", f"must fit, but exceeds the memory in round {first}")
    return sorted(runs, key=lambda run: (run.start, run.request.id))


def first_overfull(memory: int, convention: Convention, runs: Sequence[Run]) -> int | None:
    """First round in which the runs hold more than the memory, if any."""
    profile = Profile(
        [run.start for run in runs],
        [run.end for run in runs],
        [run.request.prompt for run in runs],
        convention,
    )
    pieces = profile.overfull(memory)
    return pieces[0].first if pieces else None


def kill_sets(
    memory: int, convention: Convention, runs: Sequence[Run], now: int
) -> Iterator[tuple[Run, ...]]:
    """Yield every set of runs active at `now` without which the others fit, small sets first."""
    active = [run for run in runs if run.end > now]
    for size in range(len(active) + 1):
        for dead in combinations(active, size):
            kept = [run for run in runs if run not in dead]
            if first_overfull(memory, convention, kept) is None:
                yield dead
