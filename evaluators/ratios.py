"""Proved bounds on TEL(policy) / OPT as exact fractions, each with its source and its condition.

M is the memory, P the largest peak, D = M - P + 1 and alpha = P / M.  "Burst" means that every
request arrives in round 0; "head" that nobody passes the first of the line that does not fit;
"exact" that a request starts only where it fits beside the running ones until its end.  Who calls
a function here answers for its condition; `policies/proved.py` does so for the engine's rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from .bounds import lb2_bound, processing_bound
from .model import Instance
from .replay import Objective

BURST = "burst, head, exact look-ahead or sum of peaks, no cap, papers' convention"
BURST_EXACT = "burst, head, exact look-ahead, no cap, papers' convention"
# The slope of svf.md section 4, step 5; the tests replace it to see a wrong bound caught.
SHARPENED_SLOPE = Fraction(4, 3)


@dataclass(frozen=True, slots=True)
class ProvedRatio:
    """TEL(policy) <= value * OPT for one instance: where it is proved, and under which condition.

    An empty condition means every instance and every rule of the engine without kills.  Paper 3
    also bounds the total completion time and the makespan, each against its own optimum; for
    bursts total completion time and TEL are the same.
    """

    value: Fraction
    source: str
    condition: str = ""
    objective: Objective = "tel"


def best_ratio(ratios: Iterable[ProvedRatio | None]) -> ProvedRatio | None:
    """Return the smallest of the bounds (the first on ties), None without any."""
    return min((r for r in ratios if r is not None), key=lambda r: r.value, default=None)


def largest_peak(instance: Instance) -> int:
    """Return P = max(s + o), 0 without requests."""
    return max((request.peak for request in instance.requests), default=0)


def headroom(instance: Instance) -> int:
    """Return D = M - P + 1: a blocked head means that at least D units are in use."""
    return instance.memory - largest_peak(instance) + 1


def work_conserving_ratio(instance: Instance) -> ProvedRatio:
    """TEL <= n OPT for every rule without kills that never idles while a request waits.

    Each request runs once, and in each round in which j waits some other one runs; so the latency
    of j is at most the sum of all outputs, which is at most OPT.
    """
    value = Fraction(max(1, len(instance)))
    return ProvedRatio(value, "paper 1 theorem 1 (serial); ours for every work-conserving rule")


def order_ratio(instance: Instance, inversion: Fraction, source: str) -> ProvedRatio | None:
    """1 + 2 rho / (1 - alpha) if v_i <= rho v_j wherever i precedes j; None if alpha = 1.

    Theorem 3.2's proof with the inversion factor rho (theorem order_competitive).
    """
    spare = instance.memory - largest_peak(instance)
    if spare == 0:
        return None
    return ProvedRatio(1 + inversion * Fraction(2 * instance.memory, spare), source, BURST)


def svf_paper_ratio(instance: Instance) -> ProvedRatio | None:
    """1 + 2 / (1 - alpha) (paper 2, theorem 3.2); None if alpha = 1."""
    return order_ratio(instance, Fraction(1), "paper 2 theorem 3.2")


def svf_sharpened_ratio(instance: Instance, slope: Fraction | None = None) -> ProvedRatio:
    """max(2M / D, 1 + 4M / (3D)) (svf.md section 4: the waiting certificate against LB2).

    Only the waiting certificate is used, so the sum of peaks does as well as exact look-ahead.
    """
    scale = Fraction(instance.memory, headroom(instance))
    value = max(2 * scale, 1 + (SHARPENED_SLOPE if slope is None else slope) * scale)
    return ProvedRatio(value, "ours: svf.md section 4", BURST)


def svf_gap_ratio(instance: Instance) -> ProvedRatio:
    """19 M / (9 D) (svf-gap.md R1); its first step needs exact look-ahead."""
    value = Fraction(19 * instance.memory, 9 * headroom(instance))
    return ProvedRatio(value, "ours: svf-gap.md R1", BURST_EXACT)


def proxy_ratio(instance: Instance, distortion: Fraction, source: str) -> ProvedRatio:
    """2 M (1 + g) / D for the order of a proxy w with v / g <= w <= g v for every volume v.

    svf.md section 1: 2 sum(v_i, i before j) + sum v <= (1 + g)(2 sum min(v_i, v_j) + sum v), then
    LB2; g >= 1 need not be an integer.
    """
    value = 2 * instance.memory * (1 + distortion) / headroom(instance)
    return ProvedRatio(value, source, BURST)


def one_bit_paper_ratio(instance: Instance, b: int) -> ProvedRatio | None:
    """1 + 2 b^4 / (1 - alpha) with b^4 >= T >= s + o (paper 2, theorem 3.3); None if alpha = 1."""
    return order_ratio(instance, Fraction(b**4), "paper 2 theorem 3.3, explicit constant")


def one_bit_ratio(instance: Instance, b: int) -> ProvedRatio:
    """2 M (1 + b^2) / D with b^4 >= every output (svf.md section 1): O(sqrt T), not O(T)."""
    return proxy_ratio(instance, Fraction(b * b), "ours: svf.md section 1, 1-bit SVF")


def honest_ratio(instance: Instance, b: int, largest_reserve: int) -> ProvedRatio:
    """2 M b^2 (1 + b^2) / (M - R + 1), R the largest reserve, b^4 >= every s + o.

    svf.md section 1: r o <= 2 b^2 v for every request, so the waiting certificate with reserves
    loses another b^2; with R < M it is below 1 + 2 b^2 (1 + b^2) / (1 - R / M).
    """
    room = instance.memory - largest_reserve + 1
    value = Fraction(2 * instance.memory * b * b * (1 + b * b), room)
    return ProvedRatio(value, "ours: svf.md section 1, honest 1-bit", "burst, head, reserve")


def predicted_ratio(instance: Instance, factor: Fraction) -> ProvedRatio:
    """2 M (1 + f^2) / D if every output is predicted within the factor f: o / f <= o' <= f o."""
    return proxy_ratio(instance, factor * factor, f"ours: svf.md section 1 with factor {factor}")


def predicted_order_ratio(instance: Instance, factor: Fraction) -> ProvedRatio | None:
    """1 + 2 f^4 / (1 - alpha) if every output is predicted within the factor f; None if alpha = 1.

    Predicted volumes are inverted by at most f^4 (theorem predicted_competitive).
    """
    source = f"ours: inversion factor of predictions within {factor}"
    return order_ratio(instance, factor**4, source)


def staggered_ratio(instance: Instance) -> ProvedRatio:
    """5M / (3D) + n sum(o of all shapes but the last) / OPT (svf-gap.md R3).

    The last term is bounded with OPT >= max(sum of o, LB2).  Shapes are in the order of volume.
    """
    shapes = sorted({(r.volume2, r.prompt, r.output) for r in instance.requests})
    value = Fraction(5 * instance.memory, 3 * headroom(instance))
    if len(shapes) > 1:
        drained = len(instance) * sum(output for _, _, output in shapes[:-1])
        value += drained / max(processing_bound(instance), lb2_bound(instance))
    return ProvedRatio(value, "ours: svf-gap.md R3", "burst, papers' convention")
