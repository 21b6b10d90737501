"""Lower bounds on the optimal TEL as exact fractions; proved ratios are in `ratios`.

With C measured from round 0, TEL = total completion - (sum of arrivals), so every bound on total
completion is a bound on TEL.  V_1 <= V_2 <= ... are prefix sums of the volumes in ascending order.

Which bounds need a burst (all arrivals 0)?  None here is wrong with arrivals.  The bounds of the
burst model drop the arrivals (that only lowers the optimum) and then subtract their sum, which
makes them weak; `fluid_srpt_bound` and `mean_busy_time_bound` keep the arrivals and equal or
dominate them.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from .model import Instance, Request


@dataclass(frozen=True, slots=True)
class LowerBound:
    """A proved lower bound on the optimal TEL: `value`, its `name`, and where it comes from.

    `arrivals` is true when the bound uses the arrival times, false when it relaxes them to 0.
    """

    name: str
    value: Fraction
    arrivals: bool
    source: str


def _prefix_volumes(requests: Iterable[Request]) -> list[int]:
    return list(accumulate(sorted(request.volume for request in requests)))


def processing_bound(instance: Instance) -> Fraction:
    """TEL >= sum of o: each request needs o rounds (paper 1; paper 2 lemma E.1). Any arrivals."""
    return Fraction(instance.total_output)


def area_bound(instance: Instance) -> Fraction:
    """Sum of V_j / M, minus the arrivals: j completed requests need V_j units (paper 2, prop 3.1).

    The published form is for bursts; with arrivals it is the burst's bound minus sum of a.
    """
    total = sum(_prefix_volumes(instance.requests))
    return Fraction(total, instance.memory) - instance.total_arrival


def integral_area_bound(instance: Instance) -> Fraction:
    """Sum of ceil(V_j / M), minus the arrivals: completions are whole rounds (svf.md section 1)."""
    volumes = _prefix_volumes(instance.requests)
    return Fraction(sum(-(-v // instance.memory) for v in volumes) - instance.total_arrival)


def integral_area_processing_bound(instance: Instance) -> Fraction:
    """Sum of max(ceil(V_j / M), o_(j)), minus the arrivals; o_(j) ascending (svf.md section 1)."""
    outputs = sorted(request.output for request in instance.requests)
    volumes = _prefix_volumes(instance.requests)
    pairs = zip(volumes, outputs, strict=True)
    return Fraction(sum(max(-(-v // instance.memory), o) for v, o in pairs)) - (
        instance.total_arrival
    )


def additive_bound(instance: Instance) -> Fraction:
    """Total completion time: 6M sum C >= 3 sum_ordered min(v_i, v_j) + M sum(2o_j + 1).

    The sum runs over all ordered pairs, i = j included, and is sum(2V_j - v_j).  It adds paper 3's
    area and processing bounds, with weight 1/3 on the latter (nonclairvoyant-sharp.md 2.1, there
    with A for v; svf.md section 4 as LB2).  Arrivals are relaxed to 0.
    """
    volumes = sorted(request.volume for request in instance.requests)
    z = sum(2 * prefix - v for prefix, v in zip(accumulate(volumes), volumes, strict=True))
    lengths = sum(2 * request.output + 1 for request in instance.requests)
    m = instance.memory
    return Fraction(3 * z + m * lengths, 6 * m)


def lb2_bound(instance: Instance) -> Fraction:
    """LB2 by mean busy time: the additive bound, minus the arrivals (svf.md section 4)."""
    return additive_bound(instance) - instance.total_arrival


def count_bound(instance: Instance) -> Fraction:
    """Total completion time: m sum C >= sum over unordered pairs, i = j included, of min(o_i, o_j).

    m = floor(M / (least s + 1)) requests at most are active in a round; for large ones (4s > M) it
    is 3 at most (nonclairvoyant-sharp.md 2.1).  Arrivals are relaxed to 0.
    """
    if not instance.requests:
        return Fraction(0)
    most = instance.memory // (min(r.prompt for r in instance.requests) + 1)
    outputs = sorted(request.output for request in instance.requests)
    return Fraction(sum(accumulate(outputs)), most)


def fluid_srpt_bound(instance: Instance) -> Fraction:
    """Sum over k of max(ceil(k-th fluid completion), k-th smallest a + o), minus the arrivals.

    A feasible schedule is a preemptive schedule of the volumes, released at their arrivals, on a
    machine that serves M units in a round.  Shortest remaining volume first completes the most
    requests by every time (Schrage 1968), so the k-th completion of any schedule, a whole round,
    is at least its k-th rounded up; and at least the k-th smallest a + o.  For bursts this is
    `integral_area_processing_bound`.
    """
    earliest = sorted(request.arrival + request.output for request in instance.requests)
    fluid = [-(-done // instance.memory) for done in _fluid_completions(instance)]
    pairs = zip(sorted(fluid), earliest, strict=True)
    return Fraction(sum(max(pair) for pair in pairs) - instance.total_arrival)


@dataclass(slots=True)
class _Slice:
    """Units first..last-1 (unit u lies in round u // M) given to one request; done: its last."""

    request: Request
    first: int
    last: int
    done: bool


def _preemptive(instance: Instance, key: Callable[[Request, int], int]) -> Iterator[_Slice]:
    """Serve volumes on one machine, always the released request with the least (key, id).

    `key(request, remaining)`; time is counted in units served, M of them in a round.
    """
    arriving = list(reversed(instance.requests))
    queue: list[tuple[int, int, int, Request]] = []
    clock = 0
    while arriving or queue:
        if not queue:
            clock = max(clock, instance.memory * arriving[-1].arrival)
        while arriving and instance.memory * arriving[-1].arrival <= clock:
            request = arriving.pop()
            v = request.volume
            heapq.heappush(queue, (key(request, v), request.id, v, request))
        _, _, remaining, request = heapq.heappop(queue)
        horizon = instance.memory * arriving[-1].arrival if arriving else clock + remaining
        served = min(remaining, horizon - clock)
        yield _Slice(request, clock, clock + served, served == remaining)
        clock += served
        if served < remaining:
            left = remaining - served
            heapq.heappush(queue, (key(request, left), request.id, left, request))


def _fluid_completions(instance: Instance) -> list[int]:
    """Completion of each request under shortest remaining volume first, in units served."""
    served = _preemptive(instance, lambda _, remaining: remaining)
    return [part.last for part in served if part.done]


# A sum of n fractions with unrelated denominators has a huge one; rounding each term down to a
# multiple of 1/_GRID keeps the bound valid and exact as stated, and its size small.
_GRID = 2**24


def mean_busy_time_bound(instance: Instance) -> Fraction:
    """LB2 with arrivals: 6(TEL + sum a) >= 3 min sum(g_j / v_j) + sum(2o_j + 1).

    g_j is the sum over rounds t = 0, 1, ... of (2t + 1) x (units of j in t).  As in svf.md
    section 4, 3 g_j <= (6 C_j - 2 o_j - 1) v_j; the minimum over all ways to spread the volumes
    over rounds from their arrivals on, M units a round, is attained by preemptive smallest
    volume first (exchange argument, weights 1/v_j).  Terms are rounded down to 1/2^24.
    """
    weight = [0] * len(instance.requests)
    index = {request.id: i for i, request in enumerate(instance.requests)}
    for part in _preemptive(instance, lambda request, _: request.volume):
        m = instance.memory
        weight[index[part.request.id]] += _odd_sum(part.last, m) - _odd_sum(part.first, m)
    busy = sum(weight[i] * _GRID // request.volume for i, request in enumerate(instance.requests))
    lengths = sum(2 * request.output + 1 for request in instance.requests)
    return (3 * Fraction(busy, _GRID) + lengths) / 6 - instance.total_arrival


def _odd_sum(units: int, memory: int) -> int:
    """Sum of 2 * (u // memory) + 1 over u < units."""
    rounds, rest = divmod(units, memory)
    return memory * rounds * rounds + rest * (2 * rounds + 1)


_BOUNDS: tuple[tuple[str, Callable[[Instance], Fraction], bool, str], ...] = (
    ("processing", processing_bound, True, "paper 1; paper 2 lemma E.1"),
    ("area", area_bound, False, "paper 2 proposition 3.1"),
    ("integral area", integral_area_bound, False, "ours: svf.md section 1"),
    ("integral area and processing", integral_area_processing_bound, False, "ours: svf.md 1"),
    ("LB2 mean busy time", lb2_bound, False, "ours: svf.md section 4"),
    ("fluid SRPT", fluid_srpt_bound, True, "ours: Schrage 1968 on volumes"),
    ("mean busy time with arrivals", mean_busy_time_bound, True, "ours: svf.md 4, Goemans 1997"),
)


def lower_bounds(instance: Instance) -> list[LowerBound]:
    """Return every lower bound on the optimal TEL of `instance`, weakest reasoning first."""
    return [
        LowerBound(name, function(instance), arrivals, source)
        for name, function, arrivals, source in _BOUNDS
    ]


def best_lower_bound(instance: Instance) -> LowerBound:
    """Return the largest bound, rounded up to an integer (TEL is one); the first on ties."""
    best = max(lower_bounds(instance), key=lambda bound: bound.value)
    return LowerBound(best.name, Fraction(-(-best.value // 1)), best.arrivals, best.source)


def makespan_lower_bound(instance: Instance) -> int:
    """Makespan >= max(a + o), and >= the last fluid completion rounded up (area, any arrivals)."""
    longest = max((r.arrival + r.output for r in instance.requests), default=0)
    fluid = max(_fluid_completions(instance), default=0)
    return max(longest, -(-fluid // instance.memory))
