"""Paper 2's two programs as printed: the integer program (3) with its horizon, and the LP (4)."""

from __future__ import annotations

from fractions import Fraction

from ...model import Instance, Request


def program_3(instance: Instance, horizon: int) -> int:
    """Return the least TEL of program (3): starts a_i..horizon, memory in rounds 1..horizon only.

    (3c) says nothing after the horizon, so a small one allows what no memory holds.  A search over
    all starts, for small instances.  Needs horizon >= every arrival.
    """
    requests, memory = instance.requests, instance.memory
    used = [0] * (horizon + 1)
    rest = [0] * (len(requests) + 1)
    for index in range(len(requests) - 1, -1, -1):
        rest[index] = rest[index + 1] + requests[index].output
    best = sum(horizon + r.output - r.arrival for r in requests) + 1

    def search(index: int, cost: int) -> None:
        nonlocal best
        if cost + rest[index] >= best:
            return
        if index == len(requests):
            best = cost
            return
        request = requests[index]
        for start in range(request.arrival, horizon + 1):
            held = _held(request, start, horizon)
            if all(used[t] + units <= memory for t, units in held):
                for t, units in held:
                    used[t] += units
                search(index + 1, cost + start + request.output - request.arrival)
                for t, units in held:
                    used[t] -= units

    search(0, 0)
    return best


def _held(request: Request, start: int, horizon: int) -> list[tuple[int, int]]:
    """Units of the request in the paper's rounds start + 1, ..., start + o up to the horizon."""
    last = min(start + request.output, horizon)
    return [(t, request.prompt + t - start) for t in range(start + 1, last + 1)]


def lp_4(instance: Instance) -> Fraction:
    """Return the value of LP (4): completions are fractional, the volume done by t at most t M.

    Its optimum is the fractional knapsack in ascending volume: unit u of the volumes in that order
    is served at time floor(u / M) + 1.  Arrivals do not occur in (4), neither as releases nor in
    the objective, so it bounds bursts only.
    """
    total, first = Fraction(0), 0
    for volume in sorted(request.volume for request in instance.requests):
        last = first + volume
        total += Fraction(_times(last, instance.memory) - _times(first, instance.memory), volume)
        first = last
    return total


def _times(units: int, memory: int) -> int:
    """Sum of u // M + 1 over u < units."""
    rounds, rest = divmod(units, memory)
    return memory * rounds * (rounds + 1) // 2 + rest * (rounds + 1)
