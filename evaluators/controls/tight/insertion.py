"""Start orders with earliest insertion: a plausible method that is NOT exact (tight.md, D)."""

from __future__ import annotations

from itertools import permutations

from ...model import Instance, Request, Schedule
from ...replay import replay


def insert_earliest(instance: Instance, order: tuple[Request, ...]) -> Schedule:
    """Start each request of `order` in the least round that keeps those placed so far feasible."""
    starts: dict[int, int] = {}
    for count, request in enumerate(order, start=1):
        placed = Instance.of(instance.memory, order[:count])
        starts[request.id] = request.arrival
        while not replay(placed, Schedule(starts)).feasible:
            starts[request.id] += 1
    return Schedule(starts)


def best_insertion(instance: Instance) -> tuple[int, Schedule]:
    """Return the least TEL over all n! orders, and the first order's schedule that attains it."""
    candidates = [insert_earliest(instance, order) for order in permutations(instance.requests)]
    costs = [replay(instance, schedule).tel for schedule in candidates]
    best = min(range(len(costs)), key=costs.__getitem__)
    return costs[best], candidates[best]
