"""Theorem 3.4: the last algebra of its proof, its vacuous branch, and a sharper form (paper 2).

r = (1-alpha) M/2, L = lambda E[v], rho = L/r < 1.  Everything here is algebra between the proof's
last inequalities; (58) and the Harris step (66) are taken for granted, as svf.md says.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from .areas import residual_before
from .framework import Check, ClosedForm, Formula, Goal, Point, Sample
from .laws import Law, geometric_grid, mean, residual_sum, volume_sum
from .moments import (
    MEAN_PROMPT,
    MU,
    RATE,
    expectation,
    joint_mean,
    mean_volume,
    w_exact,
    w_pre,
    w_zero,
)

_X, _Y, _Z = sympy.symbols("x y z", positive=True)
_M, _SPARE, _ALPHA, _RHO = sympy.symbols("M spare alpha rho", positive=True)
_N = sympy.Symbol("n")
_LOADS = (Fraction(1, 5), Fraction(3, 4))  # rho
_ALPHAS = (Fraction(1, 8), Fraction(1, 2))


def aligned(exact: Any, mu: Any, m: Any, spare: Any) -> Any:
    """Right side of (67) without E[OPT]: 1/(1-mu) (W_exact/M) (M/(r-L)), spare = r-L."""
    return 1 / (1 - mu) * (exact / m) * (m / spare)


def paper_ratio(alpha: Any, mu: Any, rho: Any) -> Any:
    """Theorem 3.4, (50) and (68): 1 + 2/((1-alpha)(1-mu)(1-rho))."""
    return 1 + 2 / ((1 - alpha) * (1 - mu) * (1 - rho))


def sharper_ratio(mu: Any, rho: Any, es: Any) -> Any:
    """Sharper 3.4, svf.md: 1 + rho/(1-rho) (mu E[s] + 2 - mu)/(mu E[s] + 1)."""
    return 1 + rho / (1 - rho) * (mu * es + 2 - mu) / (mu * es + 1)


def sharper_bound(mu: Any, rho: Any) -> Any:
    """Sharper 3.4 for every law of s, svf.md: 1 + (2-mu) rho/(1-rho)."""
    return 1 + (2 - mu) * rho / (1 - rho)


def any_law_ratio(rho: Any, before: Any, volume: Any, length: Any) -> Any:
    """Sharper 3.4 for any law, svf.md: 1 + rho/(1-rho) E[B]/(E[v] E[o])."""
    return 1 + rho / (1 - rho) * before / (volume * length)


def volume_branch(alpha: Any, rho: Any, mu: Any, es: Any) -> Any:
    """W_exact/M of (43), svf.md: (1-alpha) rho (1-mu)/(2 mu) (mu E[s]+2)/(mu E[s]+1)."""
    return (1 - alpha) * rho * (1 - mu) / (2 * mu) * (mu * es + 2) / (mu * es + 1)


def true_load(alpha: Any, rho: Any) -> Any:
    """Share of the memory that arriving volume needs, lambda E[v]/M: rho (1-alpha)/2 < 1/2."""
    return rho * (1 - alpha) / 2


def _aligned_goals(formula: Formula) -> Iterator[Goal]:
    waiting = w_zero(RATE, MU, MEAN_PROMPT) / _SPARE
    claim = formula(w_exact(RATE, MU, MEAN_PROMPT), MU, _M, _SPARE)
    yield Goal("W_0/(r-L)", claim, "=", waiting)


Grid = Iterator[tuple[Point, Fraction, Fraction, Fraction, Fraction, Law]]


def _stable() -> Grid:
    """Yield (point, alpha, rho, M, lambda, law) with lambda chosen to make the load rho."""
    for mu, law in geometric_grid():
        for alpha in _ALPHAS:
            for rho in _LOADS:
                m = Fraction(64)
                rate = rho * (1 - alpha) * m / 2 / joint_mean(volume_sum, 2, mu, law)
                point = {"mu": mu, "Es": mean(law), "alpha": alpha, "rho": rho}
                yield point, alpha, rho, m, rate, law


def _aligned_samples(formula: Formula) -> Iterator[Sample]:
    """W_0 as the residual before a step plus lambda/mu^2, both summed over the law."""
    for point, alpha, rho, m, rate, law in _stable():
        mu = Fraction(point["mu"])
        spare = (1 - alpha) * m / 2 * (1 - rho)
        after = rate * joint_mean(lambda s, o: residual_sum(s, o, 1), 3, mu, law)
        before = rate * joint_mean(lambda s, o: residual_sum(s, o, 0), 3, mu, law)
        claim = formula(after, mu, m, spare)
        yield Sample(point, claim, "=", (before + rate / mu**2) / spare)


def _paper_goals(formula: Formula) -> Iterator[Goal]:
    """E[OPT] factored out of (67): 1 + M/((1-mu)(r-L)) with r-L = (1-rho)(1-alpha)M/2."""
    spare = (1 - _RHO) * (1 - _ALPHA) * _M / 2
    factored = 1 + aligned(sympy.S.One, MU, sympy.S.One, spare) * _M
    yield Goal("(68)", formula(_ALPHA, MU, _RHO), "=", factored)


def _paper_samples(formula: Formula) -> Iterator[Sample]:
    """(W_exact/M + W_0/(r-L)) / (W_exact/M) from sums over the law."""
    for point, alpha, rho, m, rate, law in _stable():
        mu = Fraction(point["mu"])
        least = rate * joint_mean(lambda s, o: residual_sum(s, o, 1), 3, mu, law) / m
        before = rate * joint_mean(lambda s, o: residual_sum(s, o, 0), 3, mu, law)
        waiting = (before + rate / mu**2) / ((1 - alpha) * m / 2 * (1 - rho))
        yield Sample(point, formula(alpha, mu, rho), "=", (least + waiting) / least)


def _sharper_goals(formula: Formula) -> Iterator[Goal]:
    """(E[o] + W_pre/(r-L))/E[o]; E[o^2] etc. by the generating function; mu = 1 and rho -> 0."""
    volume = mean_volume(MU, MEAN_PROMPT)
    before = expectation(residual_before(MEAN_PROMPT, _N), _N)
    rate = _RHO / volume  # r = 1
    ratio = (1 / MU + rate * before / (1 - _RHO)) * MU
    claim = formula(MU, _RHO, MEAN_PROMPT)
    yield Goal("ratio", claim, "=", ratio)
    yield Goal("W_pre", rate * before, "=", w_pre(rate, MU, MEAN_PROMPT))
    one = sympy.S.One
    yield Goal("mu = 1", formula(one, _RHO, MEAN_PROMPT), "=", 1 / (1 - _RHO))
    yield Goal("rho -> 0", sympy.limit(claim, _RHO, 0), "=", one)


def _sharper_samples(formula: Formula) -> Iterator[Sample]:
    for point, alpha, rho, m, rate, law in _stable():
        mu = Fraction(point["mu"])
        before = rate * joint_mean(lambda s, o: residual_sum(s, o, 0), 3, mu, law)
        waiting = before / ((1 - alpha) * m / 2 * (1 - rho))
        yield Sample(point, formula(mu, rho, mean(law)), "=", 1 + waiting * mu)


def _bound_goals(formula: Formula) -> Iterator[Goal]:
    """Mu = 1/(1+x), rho = 1/(1+y): at least the ratio for every E[s], attained at E[s] = 0.

    And it is below the paper's bound, alpha = 1/(1+z).
    """
    mu, rho = 1 / (1 + _X), 1 / (1 + _Y)
    claim = formula(mu, rho)
    yield Goal("bound", sharper_ratio(mu, rho, MEAN_PROMPT), "<=", claim)
    yield Goal("attained", claim, "=", sharper_ratio(mu, rho, sympy.S.Zero))
    yield Goal("below the paper's", claim, "<", paper_ratio(1 / (1 + _Z), mu, rho))


def _bound_samples(formula: Formula) -> Iterator[Sample]:
    for point, alpha, rho, m, rate, law in _stable():
        mu = Fraction(point["mu"])
        before = rate * joint_mean(lambda s, o: residual_sum(s, o, 0), 3, mu, law)
        ratio = 1 + before / ((1 - alpha) * m / 2 * (1 - rho)) * mu
        claim = formula(mu, rho)
        yield Sample(point, ratio, "<=" if mean(law) else "=", claim)
        paper = 1 + 2 / ((1 - alpha) * (1 - mu) * (1 - rho))
        yield Sample(point, claim, "<", paper)


# Dependent laws of (s, o) with their probabilities, in units of 1/8.
_PAIRS: tuple[tuple[tuple[int, int, int], ...], ...] = (
    ((58, 2, 4), (0, 40, 4)),
    ((0, 1, 1), (3, 2, 5), (7, 9, 2)),
    ((10, 1, 8),),
)


def _any_law_goals(formula: Formula) -> Iterator[Goal]:
    before, volume, length = sympy.symbols("EB Ev Eo", positive=True)
    rate = _RHO / volume  # r = 1
    ratio = (length + rate * before / (1 - _RHO)) / length
    yield Goal("ratio", formula(_RHO, before, volume, length), "=", ratio)
    one_law = formula(
        _RHO,
        expectation(residual_before(MEAN_PROMPT, _N), _N),
        mean_volume(MU, MEAN_PROMPT),
        1 / MU,
    )
    yield Goal("geometric", one_law, "=", sharper_ratio(MU, _RHO, MEAN_PROMPT))


def _any_law_samples(formula: Formula) -> Iterator[Sample]:
    for number, law in enumerate(_PAIRS):
        weights = [(Fraction(w, 8), Fraction(s), o) for s, o, w in law]
        length = sum((p * o for p, _, o in weights), Fraction(0))
        volume = sum((p * volume_sum(s, o) for p, s, o in weights), Fraction(0))
        before = sum((p * residual_sum(s, o, 0) for p, s, o in weights), Fraction(0))
        for rho in _LOADS:
            r = Fraction(17, 2)
            rate = rho * r / volume
            ratio = (length + rate * before / (r - rate * volume)) / length
            claim = formula(rho, before, volume, length)
            yield Sample({"law": number, "rho": rho}, claim, "=", ratio)


def _branch_goals(formula: Formula) -> Iterator[Goal]:
    """W_exact/M with lambda = rho r/E[v]; below 1/mu for alpha, mu, rho in (0, 1)."""
    rate = _RHO * (1 - _ALPHA) * _M / 2 / mean_volume(MU, MEAN_PROMPT)
    exact = w_exact(rate, MU, MEAN_PROMPT) / _M
    yield Goal("W_exact/M", formula(_ALPHA, _RHO, MU, MEAN_PROMPT), "=", exact)
    mu = 1 / (1 + _X)
    claim = formula(1 / (1 + _Z), 1 / (1 + _Y), mu, MEAN_PROMPT)
    yield Goal("below E[o]", claim, "<", 1 / mu)


def _branch_samples(formula: Formula) -> Iterator[Sample]:
    for point, alpha, rho, m, rate, law in _stable():
        mu = Fraction(point["mu"])
        exact = rate * joint_mean(lambda s, o: residual_sum(s, o, 1), 3, mu, law) / m
        yield Sample(point, formula(alpha, rho, mu, mean(law)), "=", exact)
        yield Sample(point, exact, "<", 1 / mu)


def _load_goals(formula: Formula) -> Iterator[Goal]:
    rate = _SPARE / mean_volume(MU, MEAN_PROMPT)  # lambda E[v] = spare
    rho = rate * mean_volume(MU, MEAN_PROMPT) / ((1 - _ALPHA) * _M / 2)
    yield Goal("lambda E[v]/M", formula(_ALPHA, rho), "=", _SPARE / _M)
    inside = formula(1 / (1 + _X), 1 / (1 + _Y))
    yield Goal("below 1/2", inside, "<", sympy.S.Half)


def _load_samples(formula: Formula) -> Iterator[Sample]:
    for point, alpha, rho, m, rate, law in _stable():
        load = rate * joint_mean(volume_sum, 2, Fraction(point["mu"]), law) / m
        yield Sample(point, formula(alpha, rho), "=", load)
        yield Sample(point, load, "<", Fraction(1, 2))


FORMS: tuple[ClosedForm, ...] = (
    ClosedForm(
        "volume-branch",
        ("43",),
        "W_exact/M = (1-alpha) rho (1-mu)/(2 mu) (mu E[s]+2)/(mu E[s]+1) < 1/mu if rho < 1: the "
        "second term of the maximum never binds",
        "paper 2 lemma F.1; svf.md section 2",
        Check(volume_branch, _branch_goals, _branch_samples),
    ),
    ClosedForm(
        "latency-alignment",
        ("67",),
        "W_0/(r-L) = 1/(1-mu) (W_exact/M) (M/(r-L))",
        "paper 2 (67)",
        Check(aligned, _aligned_goals, _aligned_samples),
    ),
    ClosedForm(
        "stochastic-ratio",
        ("50", "68"),
        "1 + M/((1-mu)(r-L)) = 1 + 2/((1-alpha)(1-mu)(1-rho))",
        "paper 2 (68), from (67); a ratio of expectations",
        Check(paper_ratio, _paper_goals, _paper_samples),
    ),
    ClosedForm(
        "sharper-ratio",
        (),
        "(E[o] + W_pre/(r-L))/E[o] = 1 + rho/(1-rho) (mu E[s]+2-mu)/(mu E[s]+1); 1/(1-rho) at "
        "mu = 1, 1 as rho -> 0",
        "ours: svf.md section 2, sharper 3.4",
        Check(sharper_ratio, _sharper_goals, _sharper_samples),
    ),
    ClosedForm(
        "sharper-bound",
        (),
        "1 + rho/(1-rho) (mu E[s]+2-mu)/(mu E[s]+1) <= 1 + (2-mu) rho/(1-rho), which is below "
        "the paper's bound",
        "ours: svf.md section 2, sharper 3.4",
        Check(sharper_bound, _bound_goals, _bound_samples),
    ),
    ClosedForm(
        "sharper-any-law",
        (),
        "(E[o] + lambda E[B]/(r-L))/E[o] = 1 + rho/(1-rho) E[B]/(E[v] E[o]), B = o(o+1)(3s+2o+1)/6",
        "ours: svf.md section 2, sharper 3.4, any law",
        Check(any_law_ratio, _any_law_goals, _any_law_samples),
    ),
    ClosedForm(
        "true-load",
        (),
        "lambda E[v]/M = rho (1-alpha)/2 < 1/2 if rho < 1",
        "svf.md section 2, strength of theorem 3.4",
        Check(true_load, _load_goals, _load_samples),
    ),
)
