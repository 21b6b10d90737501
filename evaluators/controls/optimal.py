"""Optimal schedules in artifacts: any schedule of optimal cost is as good as the derived one.

The value of an optimum is unique, a schedule that attains it is not: it depends on the order of
the search.  So a stored one is judged by replay, within its commitment, instead of compared.
"""

from __future__ import annotations

from typing import cast

from ..artifacts.canonical import Json
from ..artifacts.files import instance_from_json, starts_from_json
from ..memory import convention_named
from ..model import Attempt, AttemptSchedule, InputError, Instance
from ..replay import replay

_Entry = dict[str, Json]


def with_accepted_schedules(derived: _Entry, stored: _Entry) -> _Entry:
    """Return `derived` with the stored optimal schedules wherever those are optimal as well."""
    ours, theirs = derived.get("optima"), stored.get("optima")
    if not isinstance(ours, list) or not isinstance(theirs, list):
        return derived
    instance = instance_from_json(cast(_Entry, derived["instance"]))
    pairs = zip(ours, [*theirs, *ours][: len(ours)], strict=True)
    accepted = [_accepted(instance, cast(_Entry, mine), other) for mine, other in pairs]
    return {**derived, "optima": cast(Json, accepted)}


def _accepted(instance: Instance, mine: _Entry, other: Json) -> _Entry:
    if "starts" not in mine or not isinstance(other, dict) or "starts" not in other:
        return mine
    candidate = {**mine, "starts": other["starts"]}
    return candidate if _is_optimal(instance, candidate) else mine


def _is_optimal(instance: Instance, entry: _Entry) -> bool:
    """Whether the entry's starts are feasible, obey its commitment and cost its value."""
    try:
        starts = starts_from_json(entry["starts"])
    except (InputError, TypeError, KeyError):
        return False
    ordered = [cast(dict[str, int], start)["id"] for start in cast(list[Json], entry["starts"])]
    if ordered != sorted(starts) or starts.keys() != {r.id for r in instance.requests}:
        return False
    runs = [Attempt(r.id, starts[r.id], r.output, completed=True) for r in instance.requests]
    killed = _killed(instance, starts, entry.get("commitment"))
    if killed is None:
        return False
    convention = convention_named(str(entry["convention"]))
    result = replay(instance, AttemptSchedule((*killed, *runs)), convention)
    return result.feasible and result.tel == entry["value"]


def _killed(
    instance: Instance, starts: dict[int, int], commitment: Json | None
) -> list[Attempt] | None:
    """Return the attempts killed at the commitment; None if the starts break it.

    A committed request keeps its start, or, where kills are allowed and it still runs, it is
    killed at `now` and starts again from then on; all others start from `now` on.
    """
    if commitment is None:
        return []
    entry = cast(_Entry, commitment)
    now, fixed = cast(int, entry["now"]), starts_from_json(entry["starts"])
    killed = []
    for request in instance.requests:
        first = fixed.get(request.id)
        if first is None or starts[request.id] != first:
            if starts[request.id] < now:
                return None
            if first is not None:
                if not entry["kills"] or first + request.output <= now:
                    return None
                killed.append(Attempt(request.id, first, now - first, completed=False))
    return killed
