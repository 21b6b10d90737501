"""Which theorem bounds the cost of which scheduler, and by how much on a given instance.

The names are those under which `Results.lean` proves them; a test checks that each exists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ...model import Instance
from ...optimum import Objective
from ...policies.one_bit import fourth_root
from ...policies.scheduler import Options
from ...ratios import (
    ProvedRatio,
    one_bit_paper_ratio,
    one_bit_ratio,
    predicted_order_ratio,
    predicted_ratio,
    svf_gap_ratio,
    svf_paper_ratio,
    svf_sharpened_ratio,
)

Bound = Callable[[Instance], Fraction | None]


@dataclass(frozen=True, slots=True)
class Measured:
    """One theorem about one scheduler: cost(policy) <= bound(instance) * optimum.

    `bound` is None on an instance that the theorem does not speak of (alpha = 1).
    """

    theorem: str
    policy: str
    bound: Bound
    objective: Objective = "tel"


def _value(ratio: Callable[[Instance], ProvedRatio | None]) -> Bound:
    def bound(instance: Instance) -> Fraction | None:
        found = ratio(instance)
        return None if found is None else found.value

    return bound


def _bit(instance: Instance) -> int:
    """Return b with b^4 >= the largest output, as the scheduler takes it."""
    return fourth_root(max(request.output for request in instance.requests))


FACTOR = Options().factor

BURSTS: tuple[Measured, ...] = (
    Measured("svf_competitive", "svf", _value(svf_paper_ratio)),
    Measured("svf_competitive_peak", "svf", _value(svf_sharpened_ratio)),
    Measured("svf_nineteen_ninths", "svf", _value(svf_gap_ratio)),
    Measured("one_bit_competitive", "1-bit-svf", _value(lambda i: one_bit_paper_ratio(i, _bit(i)))),
    Measured("proxy_competitive_peak", "1-bit-svf", _value(lambda i: one_bit_ratio(i, _bit(i)))),
    Measured(
        "predicted_competitive", "predicted-svf", _value(lambda i: predicted_order_ratio(i, FACTOR))
    ),
    Measured(
        "proxy_competitive_peak", "predicted-svf", _value(lambda i: predicted_ratio(i, FACTOR))
    ),
)

ARRIVALS: tuple[Measured, ...] = (
    Measured("deterministic_ratio_theta_linear", "serial", lambda i: Fraction(len(i))),
    Measured("half_delay", "main-filler", lambda i: Fraction(2 * len(i) + 9, 3)),
    Measured("longest_first", "algorithm-e", lambda i: Fraction(80 * len(i) + 6720, 123)),
)
