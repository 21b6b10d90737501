"""Area of a request in the backlog, and its residual volume before and after steps (paper 2, F.1).

With v the volume of (s, o), a request that has generated k units still needs v(s,o) - v(s,k).
Summed over its waiting and its steps this is the area that (44)-(48) compute in two ways.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from .framework import Check, ClosedForm, Expression, Formula, Goal, Sample, identity
from .geometry import OUTPUT, PROMPT, ROUND, SIZES, summed_volume, volume
from .laws import residual_sum, volume_sum

_W = sympy.Symbol("W", nonnegative=True)


def area(w: Any, s: Any, o: Any) -> Any:
    """Area of one request, (45): W v + s (o^2-o)/2 + (o^3-o)/3."""
    return w * volume(s, o) + s * (o**2 - o) / 2 + (o**3 - o) / 3


def residual_before(s: Any, o: Any) -> Any:
    """Residual volume summed over the times before each of the o steps: o (o+1)(3s+2o+1)/6."""
    return o * (o + 1) * (3 * s + 2 * o + 1) / 6


def residual_after(s: Any, o: Any) -> Any:
    """Residual volume summed over the times after each of the o steps: o (o-1)(3s+2o+2)/6."""
    return o * (o - 1) * (3 * s + 2 * o + 2) / 6


def _area_derived() -> Expression:
    """W v plus the sum over k = 1..o of v - (s k + (k+k^2)/2), as (45) defines it."""
    v, k = summed_volume(), ROUND
    used = PROMPT * k + (k + k**2) / 2
    return _W * v + sympy.summation(v - used, (k, 1, OUTPUT))


def backlog(jobs: list[tuple[int, int, Fraction, int]]) -> Fraction:
    """Sum over rounds of arrived minus processed volume, (44), round by round.

    Jobs are (arrival, wait, s, o); round tau counts arrivals before it and all processing up to
    its end.
    """
    total = Fraction(0)
    for tau in range(1, max(a + w + o for a, w, _, o in jobs) + 1):
        for a, w, s, o in jobs:
            if a < tau:
                done = min(max(tau - a - w, 0), o)
                total += volume_sum(s, o) - volume_sum(s, done)
    return total


_BATCHES: tuple[list[tuple[int, int, Fraction, int]], ...] = (
    [(0, 0, Fraction(0), 1)],
    [(0, 3, Fraction(2), 5)],
    [(0, 0, Fraction(1), 4), (2, 1, Fraction(7, 2), 3), (2, 6, Fraction(0), 9)],
    [(i % 5, (3 * i) % 7, Fraction(i, 2), 1 + (5 * i) % 6) for i in range(12)],
)


def _slicing_goals(formula: Formula) -> Iterator[Goal]:
    """Vertical slices of one request: v for W rounds, then v - v(s, k) after each step k."""
    yield Goal("one request", formula(_W, PROMPT, OUTPUT), "=", _area_derived())
    rounds, count, x, y = sympy.symbols("T N x y", positive=True)
    first, second = formula(_W, x, y), formula(_W, y, x)
    average = count / rounds * ((first + second) / count)
    yield Goal("(47): divide by T", (first + second) / rounds, "=", average)


def _slicing_samples(formula: Formula) -> Iterator[Sample]:
    for number, jobs in enumerate(_BATCHES):
        sliced = sum((formula(Fraction(w), s, Fraction(o)) for _, w, s, o in jobs), Fraction(0))
        point = {"batch": number}
        yield Sample(point, sliced, "=", backlog(jobs))
        rounds, count = Fraction(40), len(jobs)
        yield Sample(point, count / rounds * (sliced / count), "=", backlog(jobs) / rounds)


def _before_derived() -> Expression:
    return _residual_derived(0, OUTPUT - 1)


def _after_derived() -> Expression:
    return _residual_derived(1, OUTPUT)


def _residual_derived(first: Expression, last: Expression) -> Expression:
    """Sum of v(s, o) - v(s, k) over k = first..last, k = units generated."""
    return sympy.summation(summed_volume() - volume(PROMPT, ROUND), (ROUND, first, last))


FORMS: tuple[ClosedForm, ...] = (
    ClosedForm(
        "area-of-a-request",
        ("45",),
        "W v + sum_{k=1..o} (v - (s k + (k+k^2)/2)) = W v + s (o^2-o)/2 + (o^3-o)/3",
        "paper 2 (45)",
        identity(
            area,
            {"w": _W, "s": PROMPT, "o": OUTPUT},
            _area_derived,
            ({"w": w, **size} for w in (0, 1, 6) for size in SIZES),
            lambda w, s, o: w * volume_sum(s, o) + residual_sum(s, o, 1),
        ),
    ),
    ClosedForm(
        "area-by-slices",
        ("44", "46", "47"),
        "summed over rounds or over requests the backlog area is the same, (46) with equality "
        "when all requests are counted; (47) divides by T",
        "paper 2 (44), (46), (47); the limit T -> infinity is assumed",
        Check(area, _slicing_goals, _slicing_samples),
    ),
    ClosedForm(
        "residual-before-step",
        (),
        "sum over k = 0..o-1 of v(s,o) - v(s,k) = o(o+1)(3s+2o+1)/6",
        "ours: svf.md section 2, lemma 2, any law",
        identity(
            residual_before,
            {"s": PROMPT, "o": OUTPUT},
            _before_derived,
            SIZES,
            lambda s, o: residual_sum(s, o, 0),
        ),
    ),
    ClosedForm(
        "residual-after-step",
        (),
        "sum over k = 1..o of v(s,o) - v(s,k) = o(o-1)(3s+2o+2)/6, smaller by v",
        "ours: svf.md section 2, lemma 2, any law",
        identity(
            residual_after,
            {"s": PROMPT, "o": OUTPUT},
            _after_derived,
            SIZES,
            lambda s, o: residual_sum(s, o, 0) - volume_sum(s, o),
        ),
    ),
)
