"""The numbers that both engines work on, and what they return."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..model import InputError, Instance
from .rules import Rules

EXACT, WEIGHTS, PROMPT_ONLY = range(3)
_SAFE = 2**61


@dataclass(frozen=True, slots=True)
class Problem:
    """One run as columns, by position in `instance.requests`.

    `rank` is the position in the order (key, id) and `order` its inverse; `weight` is what a
    running request reserves under `peak` and `reserve`.  A request of base s + first - b holds
    ceil((base + u) / block) * block units in round u.
    """

    memory: int
    first: int
    block: int
    mode: int
    skip: bool
    cap: int
    latest: bool
    arrival: list[int]
    prompt: list[int]
    output: list[int]
    peak: list[int]
    weight: list[int]
    rank: list[int]
    order: list[int]

    @property
    def last_safe_round(self) -> int:
        """Return the last round up to which no sum of held units can leave 64 bits."""
        n = len(self.arrival)
        return _SAFE // (n + 2) - max(self.prompt, default=0) - 2 * self.block

    @property
    def fits_int64(self) -> bool:
        """Whether a run without kills stays inside 64 bits: it ends by max(a) + sum(o)."""
        end = max(self.arrival, default=0) + sum(self.output)
        small = max(self.memory, max(self.weight, default=0)) * (len(self.arrival) + 2) < _SAFE
        return small and end < self.last_safe_round


@dataclass(frozen=True, slots=True)
class Runs:
    """Starts by position (no kills), or attempts (position, start, rounds, completed)."""

    starts: list[int]
    attempts: list[tuple[int, int, int, bool]]


def problem_of(
    instance: Instance, keys: Sequence[int], rules: Rules, reserves: Sequence[int] | None
) -> Problem:
    """Return the columns of a run.

    Raises InputError if there are not as many keys or reserves as requests, if `reserve` comes
    without reserves, or if some request can never run alone under these rules.
    """
    requests = instance.requests
    n = len(requests)
    for field, given in (("keys", keys), ("reserves", reserves)):
        if given is not None and len(given) != n:
            raise InputError(field, f"must be one for each of the {n} requests, got {len(given)}")
    convention = rules.convention
    if convention.block == 1:
        peak = [r.prompt + r.output - 1 + convention.first for r in requests]
    else:
        peak = [convention.peak(r.prompt, r.output) for r in requests]
    weight = _weights(rules, peak, reserves)
    _reject_too_large(instance, "peak", peak)
    if rules.admission in {"peak", "reserve"}:
        _reject_too_large(instance, "reservation", weight)
    order = _order(keys, [r.id for r in requests])
    rank = np.empty(n, dtype=np.int64)
    rank[order] = np.arange(n)
    modes = {"exact": EXACT, "peak": WEIGHTS, "reserve": WEIGHTS, "prompt-only": PROMPT_ONLY}
    return Problem(
        memory=instance.memory,
        first=convention.first,
        block=convention.block,
        mode=modes[rules.admission],
        skip=rules.queue == "skip",
        cap=n if rules.max_running is None else rules.max_running,
        latest=rules.victim == "latest",
        arrival=[r.arrival for r in requests],
        prompt=[r.prompt for r in requests],
        output=[r.output for r in requests],
        peak=peak,
        weight=weight,
        rank=rank.tolist(),
        order=order.tolist(),
    )


def _order(keys: Sequence[int], ids: list[int]) -> npt.NDArray[np.int64]:
    """Return the positions sorted by (key, id); keys may have any size."""
    try:
        columns = np.array(ids, dtype=np.int64), np.array(keys, dtype=np.int64)
    except OverflowError:
        pairs = [*zip(keys, ids, strict=True)]
        return np.array(sorted(range(len(ids)), key=pairs.__getitem__), dtype=np.int64)
    return np.lexsort(columns)


def _weights(rules: Rules, peak: list[int], reserves: Sequence[int] | None) -> list[int]:
    if rules.admission != "reserve":
        return peak
    if reserves is None:
        raise InputError("reserves", "admission `reserve` needs a declared peak for each request")
    return list(reserves)


def _reject_too_large(instance: Instance, what: str, sizes: list[int]) -> None:
    if max(sizes, default=0) <= instance.memory:
        return
    index = next(i for i, size in enumerate(sizes) if size > instance.memory)
    raise InputError(
        f"requests[{index}]",
        f"must have a {what} <= memory {instance.memory}, got {sizes[index]} for id "
        f"{instance.requests[index].id}: it would wait for ever",
    )
