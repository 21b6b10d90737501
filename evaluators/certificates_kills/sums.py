"""Sums over pairs of requests that the proofs of paper 3 charge to, in O(n log n)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate

from ..model import Request


def waiting_charges(areas: Mapping[int, int]) -> dict[int, int]:
    """Return, for each i, the sum over j != i of 3 a_j if a_j <= a_i, else 4 a_i."""
    order = sorted(areas, key=lambda i: areas[i])
    prefix = [0, *accumulate(areas[i] for i in order)]
    charges: dict[int, int] = {}
    place = 0
    for first, i in enumerate(order):
        place = max(place, first)
        while place < len(order) and areas[order[place]] <= areas[i]:
            place += 1
        charges[i] = 3 * (prefix[place] - areas[i]) + 4 * areas[i] * (len(order) - place)
    return charges


def pair_minima(values: Iterable[int]) -> int:
    """Return the sum of min(v_i, v_j) over the unordered pairs i < j."""
    ordered = sorted(values)
    return sum(v * (len(ordered) - 1 - k) for k, v in enumerate(ordered))


def doubled_q(requests: Sequence[Request]) -> int:
    """Return 2Q, the sum of min(A_i, A_j) over all ordered pairs, i = j included."""
    areas = [request.volume for request in requests]
    return 2 * pair_minima(areas) + sum(areas)
