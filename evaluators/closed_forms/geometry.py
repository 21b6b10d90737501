"""Volume of a request, its peak times its output, and the mean busy time (paper 2, section 2).

A request (s, o) holds s+1, ..., s+o units in its o rounds; its peak is p = s + o.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import sympy

from .framework import Check, ClosedForm, Expression, Formula, Goal, Point, Sample, identity
from .laws import volume_sum

PROMPT = sympy.Symbol("s", nonnegative=True)
OUTPUT = sympy.Symbol("o", integer=True, positive=True)
PEAK = sympy.Symbol("p", positive=True)
START = sympy.Symbol("k", nonnegative=True)
ROUND = sympy.Symbol("u", integer=True, positive=True)

_PROMPTS = (Fraction(0), Fraction(1), Fraction(7, 2), Fraction(40, 3))
SIZES: tuple[Point, ...] = tuple({"s": s, "o": o} for s in _PROMPTS for o in range(1, 9))


def volume(s: Any, o: Any) -> Any:
    """Volume, paper 2 (1): s o + (o^2 + o)/2."""
    return s * o + (o**2 + o) / 2


def volume_by_peak(p: Any, o: Any) -> Any:
    """Volume from the peak, paper 2, E.2.1: p o - o^2/2 + o/2."""
    return p * o - o**2 / 2 + o / 2


def peak_slack(s: Any, o: Any) -> Any:
    """What (24) of paper 2 throws away, 2v - p o: o (s + 1)."""
    return o * (s + 1)


def busy_moment(s: Any, o: Any) -> Any:
    """Mean busy time of a start at 0, svf.md section 4: s o^2 + o (o+1) (4o-1) / 6."""
    return s * o**2 + o * (o + 1) * (4 * o - 1) / 6


@cache
def summed_volume() -> Expression:
    """Return the sum of s+u over the rounds u = 1..o, by sympy."""
    return sympy.summation(PROMPT + ROUND, (ROUND, 1, OUTPUT))


def _slack_goals(formula: Formula) -> Iterator[Goal]:
    """The slack is 2v - p o, and it is positive for o >= 1."""
    product, slack = (PROMPT + OUTPUT) * OUTPUT, formula(PROMPT, OUTPUT)
    yield Goal("p o + slack = 2v", product + slack, "=", 2 * summed_volume())
    yield Goal("slack > 0", sympy.S.Zero, "<", slack)


def _slack_samples(formula: Formula) -> Iterator[Sample]:
    for point in SIZES:
        s, o = Fraction(point["s"]), int(point["o"])
        twice = 2 * volume_sum(s, o)
        yield Sample(point, (s + o) * o + formula(s, Fraction(o)), "=", twice)
        yield Sample(point, (s + o) * o, "<", twice)


def _busy_goals(formula: Formula) -> Iterator[Goal]:
    """Sum with symbolic o; 3h + s o (o-1) = (4o-1) v; a start at k adds 2kv."""
    s, o, k, u = PROMPT, OUTPUT, START, ROUND
    h, v = formula(s, o), summed_volume()
    late = sympy.summation((2 * (k + u) - 1) * (s + u), (u, 1, o))
    yield Goal("h is the sum", h, "=", sympy.summation((2 * u - 1) * (s + u), (u, 1, o)))
    yield Goal("3h + s o (o-1) = (4o-1) v", 3 * h + s * o * (o - 1), "=", (4 * o - 1) * v)
    yield Goal("start at k", 2 * k * v + h, "=", late)


def _busy_samples(formula: Formula) -> Iterator[Sample]:
    for size in SIZES:
        s, o = Fraction(size["s"]), int(size["o"])
        for k in (0, 1, 5):
            direct = sum(((2 * (k + r) - 1) * (s + r) for r in range(1, o + 1)), Fraction(0))
            claimed = 2 * k * volume_sum(s, o) + formula(s, Fraction(o))
            yield Sample({**size, "k": k}, claimed, "=", direct)


FORMS: tuple[ClosedForm, ...] = (
    ClosedForm(
        "volume",
        ("1",),
        "sum over u = 1..o of (s+u) = s o + (o^2+o)/2",
        "paper 2 (1)",
        identity(volume, {"s": PROMPT, "o": OUTPUT}, summed_volume, SIZES, volume_sum),
    ),
    ClosedForm(
        "volume-by-peak",
        ("17",),
        "v = p o - o^2/2 + o/2 with p = s+o",
        "paper 2, E.2.1, the metric that (17) sorts by",
        identity(
            volume_by_peak,
            {"p": PEAK, "o": OUTPUT},
            lambda: summed_volume().subs(PROMPT, PEAK - OUTPUT),
            ({"p": Fraction(x["s"]) + int(x["o"]), "o": x["o"]} for x in SIZES),
            lambda p, o: volume_sum(p - o, o),
        ),
    ),
    ClosedForm(
        "peak-times-output",
        ("24",),
        "p o + o (s+1) = 2v, hence p o < 2v for o >= 1",
        "paper 2 (24); svf.md section 1, lemma E.2",
        Check(peak_slack, _slack_goals, _slack_samples),
    ),
    ClosedForm(
        "mean-busy-time",
        (),
        "h, the sum of (2r-1)(s+r) over r = 1..o, is s o^2 + o(o+1)(4o-1)/6; "
        "3h + s o (o-1) = (4o-1) v; started at k it is 2kv + h",
        "ours: svf.md section 4, sharpened lower bound, step 2",
        Check(busy_moment, _busy_goals, _busy_samples),
    ),
)
