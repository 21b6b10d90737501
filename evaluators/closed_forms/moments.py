"""Moments of the stochastic model: geometric lengths, E[v], W_exact, W_0, W_pre (paper 2, F).

o is geometric on 1, 2, ... with mean 1/mu, s is independent with mean E[s]; lambda requests arrive
in a round.  Symbolically the factorial moments come from derivatives of the generating function
mu z / (1 - (1-mu) z) at z = 1; on the grid all expectations are sums over the laws (laws.py).
That time averages converge to these expectations (stationarity, Little) is assumed, as there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import sympy

from .areas import area, residual_before
from .framework import Check, ClosedForm, Expression, Formula, Goal, Sample, identity
from .geometry import volume
from .laws import MUS, Law, geometric_grid, geometric_mean, mean, residual_sum, volume_sum

MU = sympy.Symbol("mu", positive=True)
MEAN_PROMPT = sympy.Symbol("Es", nonnegative=True)
RATE = sympy.Symbol("lambda", positive=True)
_Z = sympy.Symbol("z")
_N = sympy.Symbol("n")
_K = sympy.Symbol("k", nonnegative=True)
RATES = (Fraction(1, 3), Fraction(2))


def factorial_moment(order: int) -> Expression:
    """E[o (o-1) ... (o-order+1)]: a derivative of the generating function at 1."""
    generating = MU * _Z / (1 - (1 - MU) * _Z)
    return sympy.diff(generating, _Z, order).subs(_Z, 1) if order else sympy.Integer(1)


def expectation(polynomial: Expression, variable: Expression) -> Expression:
    """Expectation over a geometric length of a polynomial in it, by factorial moments."""
    rest, total = sympy.Poly(polynomial, variable), sympy.Integer(0)
    while not rest.is_zero:
        degree, lead = rest.degree(), rest.LC()
        total += lead * factorial_moment(degree)
        falling = sympy.expand(sympy.ff(variable, degree)) if degree else sympy.Integer(1)
        rest -= sympy.Poly(lead * falling, variable)
    return total


def output_mean(mu: Any) -> Any:
    """E[o] = 1/mu."""
    return 1 / mu


def output_square(mu: Any) -> Any:
    """E[o^2] = (2-mu)/mu^2."""
    return (2 - mu) / mu**2


def output_pairs(mu: Any) -> Any:
    """E[o^2 - o] = 2 (1-mu)/mu^2."""
    return 2 * (1 - mu) / mu**2


def output_cubes(mu: Any) -> Any:
    """E[o^3 - o] = 6 (1-mu)/mu^3."""
    return 6 * (1 - mu) / mu**3


def mean_volume(mu: Any, es: Any) -> Any:
    """E[v], (55) of paper 2: E[s]/mu + 1/mu^2."""
    return es / mu + 1 / mu**2


def w_exact(rate: Any, mu: Any, es: Any) -> Any:
    """W_exact of lemma F.1: lambda (1-mu)/mu^2 (E[s] + 2/mu)."""
    return rate * (1 - mu) / mu**2 * (es + 2 / mu)


def w_zero(rate: Any, mu: Any, es: Any) -> Any:
    """W_0, (56) of paper 2: lambda (E[s]/mu^2 + 2/mu^3)."""
    return rate * (es / mu**2 + 2 / mu**3)


def w_pre(rate: Any, mu: Any, es: Any) -> Any:
    """Mean residual volume of running requests before a step: lambda (E[s]/mu^2 + (2-mu)/mu^3)."""
    return rate * (es / mu**2 + (2 - mu) / mu**3)


def remaining_volume(mu: Any, held: Any) -> Any:
    """Mean residual volume if s+k are held and the rest is geometric, (53): held/mu + 1/mu^2."""
    return held / mu + 1 / mu**2


def _power_moment(formula: Formula, power: int, minus: int) -> Check:
    """Check of E[o^power - minus o]."""
    return identity(
        formula,
        {"mu": MU},
        lambda: expectation(_N**power - minus * _N, _N),
        ({"mu": mu} for mu in MUS),
        lambda mu: geometric_mean(lambda k: Fraction(k**power - minus * k), power, mu),
    )


def joint_mean(
    function: Callable[[Fraction, int], Fraction], degree: int, mu: Fraction, law: Law
) -> Fraction:
    """E[f(s, o)] for independent s, o and f polynomial in o of at most this degree."""
    return mean(law, lambda s: geometric_mean(lambda o: function(s, o), degree, mu))


def _rated(
    formula: Formula, derived: Callable[[], Expression], total: Callable[[Fraction, int], Fraction]
) -> Check:
    """Check of a formula in (lambda, mu, E[s]) against lambda E[total(s, o)], total cubic in o."""

    def goals(claim: Formula) -> Iterator[Goal]:
        yield Goal("identity", claim(RATE, MU, MEAN_PROMPT), "=", derived())

    def samples(claim: Formula) -> Iterator[Sample]:
        for mu, law in geometric_grid():
            for rate in RATES:
                es = mean(law)
                direct = rate * joint_mean(total, 3, mu, law)
                yield Sample({"lambda": rate, "mu": mu, "Es": es}, claim(rate, mu, es), "=", direct)

    return Check(formula, goals, samples)


def _mean_volume_goals(formula: Formula) -> Iterator[Goal]:
    """E[v] is linear in s, so E[s] may take its place."""
    derived = expectation(volume(MEAN_PROMPT, _N), _N)
    yield Goal("E[v]", formula(MU, MEAN_PROMPT), "=", derived)


def _mean_volume_samples(formula: Formula) -> Iterator[Sample]:
    for mu, law in geometric_grid():
        es = mean(law)
        yield Sample({"mu": mu, "Es": es}, formula(mu, es), "=", joint_mean(volume_sum, 2, mu, law))


def _remaining_goals(formula: Formula) -> Iterator[Goal]:
    derived = expectation(_K * _N + (_N + _N**2) / 2, _N)
    yield Goal("E of the rest", formula(MU, _K), "=", derived)


def _remaining_samples(formula: Formula) -> Iterator[Sample]:
    """A request that holds h = s+k needs h+1, ..., h+r more: the volume of (h, r)."""
    for mu in MUS:
        for held in (Fraction(0), Fraction(5, 2), Fraction(30)):
            direct = geometric_mean(lambda r, h=held: volume_sum(h, r), 2, mu)  # type: ignore[misc]
            yield Sample({"mu": mu, "held": held}, formula(mu, held), "=", direct)


def _mapping_goals(formula: Formula) -> Iterator[Goal]:
    arguments = (RATE, MU, MEAN_PROMPT)
    yield Goal("W_exact/(1-mu)", formula(*arguments), "=", w_exact(*arguments) / (1 - MU))
    volume_part = RATE * mean_volume(MU, MEAN_PROMPT) / MU + RATE / MU**3
    yield Goal("lambda E[v]/mu + lambda/mu^3", formula(*arguments), "=", volume_part)


def _mapping_samples(formula: Formula) -> Iterator[Sample]:
    """W_0 from the residual after the step, summed over the law, divided by 1-mu."""
    for mu, law in geometric_grid():
        es = mean(law)
        after = joint_mean(lambda s, o: residual_sum(s, o, 1), 3, mu, law)
        for rate in RATES:
            claim = formula(rate, mu, es)
            yield Sample({"lambda": rate, "mu": mu, "Es": es}, claim, "=", rate * after / (1 - mu))


def w_excess(rate: Any, mu: Any) -> Any:
    """What (54) has too much: W_0 - W_pre = lambda/mu^2."""
    return rate / mu**2


def _excess_goals(formula: Formula) -> Iterator[Goal]:
    """The excess is positive, so W_0 remains an upper bound."""
    before = RATE * expectation(residual_before(MEAN_PROMPT, _N), _N)
    claim = formula(RATE, MU)
    yield Goal("W_0 - W_pre", claim, "=", w_zero(RATE, MU, MEAN_PROMPT) - before)
    yield Goal("positive", sympy.S.Zero, "<", claim)


def _excess_samples(formula: Formula) -> Iterator[Sample]:
    for mu, law in geometric_grid():
        es = mean(law)
        before = joint_mean(lambda s, o: residual_sum(s, o, 0), 3, mu, law)
        for rate in RATES:
            excess = w_zero(rate, mu, es) - rate * before
            point = {"lambda": rate, "mu": mu, "Es": es}
            yield Sample(point, formula(rate, mu), "=", excess)
            yield Sample(point, Fraction(0), "<", excess)


FORMS: tuple[ClosedForm, ...] = (
    ClosedForm(
        "geometric-mean",
        ("53", "55"),
        "E[o] = 1/mu",
        "paper 2, section 3.4",
        _power_moment(output_mean, 1, 0),
    ),
    ClosedForm(
        "geometric-square",
        ("53", "55"),
        "E[o^2] = (2-mu)/mu^2",
        "paper 2, above (55)",
        _power_moment(output_square, 2, 0),
    ),
    ClosedForm(
        "geometric-pairs",
        ("48",),
        "E[o^2 - o] = 2(1-mu)/mu^2",
        "paper 2, above (49)",
        _power_moment(output_pairs, 2, 1),
    ),
    ClosedForm(
        "geometric-cubes",
        ("48",),
        "E[o^3 - o] = 6(1-mu)/mu^3",
        "paper 2, above (49)",
        _power_moment(output_cubes, 3, 1),
    ),
    ClosedForm(
        "w-exact",
        ("43", "48"),
        "lambda E[s (o^2-o)/2 + (o^3-o)/3] = lambda (1-mu)/mu^2 (E[s] + 2/mu)",
        "paper 2 lemma F.1, (48)",
        _rated(
            w_exact,
            lambda: RATE * expectation(area(0, MEAN_PROMPT, _N), _N),
            lambda s, o: residual_sum(s, o, 1),
        ),
    ),
    ClosedForm(
        "mean-volume",
        ("55",),
        "E[v] = E[s]/mu + 1/mu^2 for independent s and o",
        "paper 2 (55)",
        Check(mean_volume, _mean_volume_goals, _mean_volume_samples),
    ),
    ClosedForm(
        "remaining-volume",
        ("53",),
        "E[(s+k) r + (r+r^2)/2] = (s+k)/mu + 1/mu^2 for a geometric rest r",
        "paper 2 (53), one summand; that the rest is geometric is assumed",
        Check(remaining_volume, _remaining_goals, _remaining_samples),
    ),
    ClosedForm(
        "mean-residual",
        ("54", "56"),
        "E[U_run] before a step = lambda (E[s]/mu^2 + (2-mu)/mu^3); the paper's W_0 is larger",
        "paper 2 lemma 2, corrected in svf.md section 2",
        _rated(
            w_pre,
            lambda: RATE * expectation(residual_before(MEAN_PROMPT, _N), _N),
            lambda s, o: residual_sum(s, o, 0),
        ),
        printed=_rated(
            w_zero,
            lambda: RATE * expectation(residual_before(MEAN_PROMPT, _N), _N),
            lambda s, o: residual_sum(s, o, 0),
        ),
    ),
    ClosedForm(
        "w-zero-excess",
        ("54", "56"),
        "W_0 - W_pre = lambda/mu^2 > 0: W_0 is an upper bound",
        "svf.md section 2, lemma 2",
        Check(w_excess, _excess_goals, _excess_samples),
    ),
    ClosedForm(
        "w-zero",
        ("54", "56", "67"),
        "W_0 = lambda (E[s]/mu^2 + 2/mu^3) = lambda E[v]/mu + lambda/mu^3 = W_exact/(1-mu)",
        "paper 2 (54), (56), above (67); an identity of formulas",
        Check(w_zero, _mapping_goals, _mapping_samples),
    ),
)
