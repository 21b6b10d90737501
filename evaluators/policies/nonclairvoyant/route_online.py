"""Route with arrivals (nonclairvoyant.md 2.7).

The stages run from round 0 whether requests are there or not; what has arrived by the start of a
stage enters its pool then, and completed requests leave the pools.  Total completion time <= 1001
(901) times the least one.
"""

from __future__ import annotations

from itertools import count

from .response import Caps, power_caps
from .route import EQUAL_SLOTS, Route


def route_online(
    memory: int, weights: tuple[int, int, int] = EQUAL_SLOTS, caps: Caps = power_caps
) -> Route:
    """Return Route for requests that arrive over time."""
    return Route(memory, weights, caps, dummies=False)


def admission_stage(arrival: int, total: int) -> int:
    """Return the first stage that begins in round `arrival` or later; `total` sums the weights."""
    return next(r for r in count() if total * ((1 << r) - 1) >= arrival)


def stage_end_after(arrival: int, weights: tuple[int, int, int] = EQUAL_SLOTS) -> int:
    """Return the end of the first stage that begins in round `arrival` or later."""
    total = sum(weights)
    return total * ((2 << admission_stage(arrival, total)) - 1)
