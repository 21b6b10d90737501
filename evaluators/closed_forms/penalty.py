"""How the penalty epsilon of theorem 3.5 decays in theta, and its factor below 2 (paper 2).

With q = 1-mu = 1/(1+x) and A = (1+x)^theta = q^(-theta), 2 epsilon = g^2, g = theta/(A-1).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from .framework import Check, ClosedForm, Formula, Goal, Point, Sample
from .laws import MUS, PROMPTS, mean, volume_sum
from .moments import joint_mean, mean_volume
from .one_bit import THETA, direct_classes, epsilon

_X = sympy.Symbol("x", positive=True)
_Y, _S = sympy.symbols("y Es", nonnegative=True)
_POWER = sympy.Symbol("A", positive=True)
_GRID: tuple[Point, ...] = tuple({"mu": mu, "theta": t} for mu in MUS for t in (1, 2, 3, 5, 8))


def fall(x: Any, theta: Any, power: Any) -> Any:
    """(g(theta) - g(theta+1)) (A-1) (A(1+x)-1) with A = (1+x)^theta: 1 - A (1 - theta x)."""
    return 1 - power * (1 - theta * x)


def decay_factor(mu: Any, theta: Any) -> Any:
    """Bound on epsilon(theta+1)/epsilon(theta): (q (theta+1)/theta)^2."""
    return ((1 - mu) * (theta + 1) / theta) ** 2


def asymptotic_factor(mu: Any, theta: Any) -> Any:
    """Quotient of epsilon and theta^2 q^(2 theta)/2: 1/(1-q^theta)^2, which tends to 1."""
    return 1 / (1 - (1 - mu) ** theta) ** 2


def penalty_bound(mu: Any) -> Any:
    """Bound on E[v]/(E[v]-epsilon) for every theta >= 1: 1/(1 - (1-mu)^2/2) < 2."""
    return 1 / (1 - (1 - mu) ** 2 / 2)


def _direct(point: Point, later: int = 0) -> Fraction:
    """Penalty by its definition from the class moments, at theta + later."""
    return Fraction(direct_classes(Fraction(point["mu"]), int(point["theta"]) + later).penalty)


def _fall_goals(formula: Formula) -> Iterator[Goal]:
    """It is 0 at theta = 0 and grows by A (theta+1) x^2 > 0, so g falls strictly, theta >= 1."""
    up = _POWER * (1 + _X)
    fall_of_g = THETA / (_POWER - 1) - (THETA + 1) / (up - 1)
    claim = formula(_X, THETA, _POWER)
    yield Goal("numerator", claim, "=", fall_of_g * (_POWER - 1) * (up - 1))
    yield Goal("theta = 0", formula(_X, sympy.S.Zero, sympy.S.One), "=", sympy.S.Zero)
    growth = formula(_X, THETA + 1, up) - claim
    yield Goal("step", growth, "=", _POWER * (THETA + 1) * _X**2)
    yield Goal("step > 0", sympy.S.Zero, "<", growth)
    g = THETA / ((1 + _X) ** THETA - 1)
    yield Goal("epsilon = g^2/2", epsilon(1 - 1 / (1 + _X), THETA), "=", g**2 / 2)


def _fall_samples(formula: Formula) -> Iterator[Sample]:
    """G from the definition of the short mean, g = 1/mu - E[o | o <= theta]."""
    for point in _GRID:
        mu, theta = Fraction(point["mu"]), int(point["theta"])
        g = [1 / mu - direct_classes(mu, theta + i).first[0] for i in (0, 1)]
        x, power = mu / (1 - mu), 1 / (1 - mu) ** theta
        numerator = (g[0] - g[1]) * (power - 1) * (power * (1 + x) - 1)
        yield Sample(point, formula(x, Fraction(theta), power), "=", numerator)
        yield Sample(point, _direct(point, 1), "<", _direct(point))


def _decay_goals(formula: Formula) -> Iterator[Goal]:
    """With A = 1+y > 1, g(theta+1)/g(theta) <= sqrt of the factor; the factor tends to q^2."""
    mu, power = 1 - 1 / (1 + _X), 1 + sympy.Symbol("y", positive=True)
    now, later = THETA / (power - 1), (THETA + 1) / (power * (1 + _X) - 1)
    yield Goal("epsilon(theta+1)", later**2 / 2, "<=", formula(mu, THETA) * now**2 / 2)
    limit = sympy.limit(formula(mu, THETA), THETA, sympy.oo)
    yield Goal("limit q^2", limit, "=", (1 - mu) ** 2)


def _decay_samples(formula: Formula) -> Iterator[Sample]:
    """Never exceeded, and nearly attained (to one percent) for large theta."""
    for point in _GRID:
        mu, theta = Fraction(point["mu"]), Fraction(point["theta"])
        yield Sample(point, _direct(point, 1), "<=", formula(mu, theta) * _direct(point))
    late: Point = {"mu": Fraction(1, 2), "theta": 12}
    claim = formula(Fraction(1, 2), Fraction(12)) * _direct(late)
    yield Sample(late, claim, "<=", _direct(late, 1) * Fraction(101, 100))


def _asymptotic_goals(formula: Formula) -> Iterator[Goal]:
    """The quotient, and its limit: with q^theta = 1/(1+x), theta -> infinity is x -> infinity."""
    q = sympy.Symbol("q", positive=True)
    model = THETA**2 * q ** (2 * THETA) / 2
    yield Goal("quotient", formula(1 - q, THETA) * model, "=", epsilon(1 - q, THETA))
    at_power = formula(1 - q, THETA).subs(q**THETA, 1 / (1 + _X))
    yield Goal("limit 1", sympy.limit(at_power, _X, sympy.oo), "=", sympy.S.One)


def _asymptotic_samples(formula: Formula) -> Iterator[Sample]:
    for point in _GRID:
        mu, theta = Fraction(point["mu"]), int(point["theta"])
        model = theta**2 * (1 - mu) ** (2 * theta) / 2
        yield Sample(point, formula(mu, Fraction(theta)), "=", _direct(point) / model)


def _factor_goals(formula: Formula) -> Iterator[Goal]:
    """Mu = 1/(1+x); epsilon = epsilon(1)/(1+y) by the strict fall in theta; E[s] >= 0."""
    mu = 1 / (1 + _X)
    largest = _X**2 / 2
    yield Goal("epsilon(1)", epsilon(mu, sympy.S.One), "=", largest)
    volume, penalty = mean_volume(mu, _S), largest / (1 + _Y)
    yield Goal("epsilon < E[v]", penalty, "<", volume)
    yield Goal("factor", volume / (volume - penalty), "<=", formula(mu))
    yield Goal("below 2", formula(mu), "<", sympy.Integer(2))
    attained = mean_volume(mu, sympy.S.Zero)
    yield Goal("attained", formula(mu), "=", attained / (attained - largest))


def _factor_samples(formula: Formula) -> Iterator[Sample]:
    for point in _GRID:
        mu = Fraction(point["mu"])
        for law in PROMPTS:
            volume = joint_mean(volume_sum, 2, mu, law)
            factor = volume / (volume - _direct(point))
            here = {**point, "Es": mean(law)}
            yield Sample(here, factor, "<=", formula(mu))
            yield Sample(here, formula(mu), "<", Fraction(2))
            if point["theta"] == 1 and not mean(law):
                yield Sample(here, factor, "=", formula(mu))


FORMS: tuple[ClosedForm, ...] = (
    ClosedForm(
        "penalty-falls",
        ("94",),
        "epsilon is strictly decreasing in the integer theta >= 1",
        "svf.md section 2, theorem 3.5",
        Check(fall, _fall_goals, _fall_samples),
    ),
    ClosedForm(
        "penalty-decay",
        ("94",),
        "epsilon(theta+1) <= (q (theta+1)/theta)^2 epsilon(theta): exponential decay",
        "paper 2, remark on theorem 3.5; derived here",
        Check(decay_factor, _decay_goals, _decay_samples),
    ),
    ClosedForm(
        "penalty-asymptotic",
        ("94",),
        "epsilon = theta^2 q^(2 theta)/2 times 1/(1-q^theta)^2, which tends to 1",
        "svf.md section 2, theorem 3.5",
        Check(asymptotic_factor, _asymptotic_goals, _asymptotic_samples),
    ),
    ClosedForm(
        "penalty-factor",
        ("88",),
        "E[v]/(E[v]-epsilon) <= 1/(1-(1-mu)^2/2) < 2 for theta >= 1; attained at theta = 1, s = 0",
        "svf.md section 2, theorem 3.5",
        Check(penalty_bound, _factor_goals, _factor_samples),
    ),
)
