"""Processing rate while the queue is not empty: the surviving set of lemma 1 (paper 2, (51), (52)).

S holds the requests that run at t and still run at t_peak = t + delta; each grows by 1 a round.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from .framework import Check, ClosedForm, Formula, Goal, Sample

_DELTA = sympy.Symbol("Delta", integer=True, positive=True)
_HELD, _COUNT = sympy.symbols("M_S S", positive=True)
_STEP = sympy.Symbol("j", integer=True)
_SETS: tuple[tuple[int, ...], ...] = ((0,), (5,), (1, 4), (2, 2, 9))  # memory held at t


def surviving_volume(delta: Any, held: Any, count: Any) -> Any:
    """Volume (51) of the surviving set in (t, t_peak]: delta M_S(t) + |S| delta (delta+1)/2."""
    return delta * held + count * delta * (delta + 1) / 2


def surviving_rate(before: Any, after: Any, count: Any) -> Any:
    """Mean rate (52) of the surviving set: (M_S(t) + M_S(t_peak) + |S|)/2."""
    return (before + after + count) / 2


def _survivors(first: int) -> Check:
    """Check of (51) with the sum starting at tau = t + first."""

    def goals(formula: Formula) -> Iterator[Goal]:
        total = sympy.summation(_HELD + _COUNT * _STEP, (_STEP, first, _DELTA))
        yield Goal("sum over tau", formula(_DELTA, _HELD, _COUNT), "=", total)

    def samples(formula: Formula) -> Iterator[Sample]:
        for number, held in enumerate(_SETS):
            for delta in (1, 2, 7):
                rounds = range(first, delta + 1)
                total = sum(memory + tau for tau in rounds for memory in held)
                arguments = map(Fraction, (delta, sum(held), len(held)))
                point = {"set": number, "M_S": sum(held), "S": len(held), "delta": delta}
                yield Sample(point, formula(*arguments), "=", Fraction(total))

    return Check(surviving_volume, goals, samples)


def _rate_goals(formula: Formula) -> Iterator[Goal]:
    """V_S/delta with (51), and with M_S(t_peak) = M_S(t) + |S| delta."""
    claim = formula(_HELD, _HELD + _COUNT * _DELTA, _COUNT)
    yield Goal("V_S/delta", claim, "=", surviving_volume(_DELTA, _HELD, _COUNT) / _DELTA)
    yield Goal("middle member", claim, "=", _HELD + _COUNT * (_DELTA + 1) / 2)


def _rate_samples(formula: Formula) -> Iterator[Sample]:
    for number, held in enumerate(_SETS):
        for delta in (1, 2, 7):
            total = sum(memory + tau for tau in range(1, delta + 1) for memory in held)
            peak = sum(memory + delta for memory in held)
            claim = formula(*map(Fraction, (sum(held), peak, len(held))))
            yield Sample({"set": number, "delta": delta}, claim, "=", Fraction(total, delta))


FORMS: tuple[ClosedForm, ...] = (
    ClosedForm(
        "survivors-volume",
        ("51",),
        "sum over tau = t+1..t_peak of M_S(tau) = delta M_S(t) + |S| delta (delta+1)/2; printed "
        "with the sum from tau = t, which has M_S(t) once more",
        "paper 2 (51), range corrected in svf.md section 2",
        _survivors(1),
        printed=_survivors(0),
    ),
    ClosedForm(
        "survivors-rate",
        ("52",),
        "V_S/delta = M_S(t) + |S| (delta+1)/2 = (M_S(t) + M_S(t_peak) + |S|)/2",
        "paper 2 (52), equalities",
        Check(surviving_rate, _rate_goals, _rate_samples),
    ),
)
