"""One bit in the stochastic model: conditional means, variances and the penalty epsilon (paper 2).

o is geometric with q = 1-mu; short means o <= theta (class 1), long o > theta (class 2), with
probabilities p_1 = 1-q^theta, p_2 = q^theta.  The paper's proxies are O_0 = E[o | short] and
O_1 = E[o | long], called O_1 and O_2 in its (89)-(94).  theta is a positive integer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

import sympy

from .framework import Check, ClosedForm, Expression, Formula, Goal, Point, Sample, identity
from .laws import MUS, geometric_mean, short_part
from .moments import MU, expectation

THETA = sympy.Symbol("theta", integer=True, positive=True)
_Q, _X = sympy.symbols("q x", positive=True)
_Y, _S = sympy.symbols("y Es", nonnegative=True)
_N = sympy.Symbol("n")
_THETAS = (1, 2, 3, 5, 8)
_GRID: tuple[Point, ...] = tuple({"mu": mu, "theta": theta} for mu in MUS for theta in _THETAS)
# mu = 1-q: then (1-mu)^theta is the power q^theta of a symbol, which sympy's normal forms know.
_ARGUMENTS = {"mu": 1 - _Q, "theta": THETA}


def short_proxy(mu: Any, theta: Any) -> Any:
    """O_0 of theorem 3.5, E[o | o <= theta]: 1/mu - theta q^theta/(1-q^theta)."""
    return 1 / mu - theta * (1 - mu) ** theta / (1 - (1 - mu) ** theta)


def long_proxy(mu: Any, theta: Any) -> Any:
    """O_1 of theorem 3.5, E[o | o > theta]: theta + 1/mu."""
    return theta + 1 / mu


def half_variance(first: Any, second: Any) -> Any:
    """Delta_m, below (88), from the first two moments of the class: (E[o^2|m] - E[o|m]^2)/2."""
    return (second - first**2) / 2


def long_delta(mu: Any, theta: Any) -> Any:
    """Delta_2, half the variance of a long request: (1-mu)/(2 mu^2), for every theta."""
    return (1 - mu) / (2 * mu**2) + 0 * theta


def short_delta(mu: Any, theta: Any) -> Any:
    """Delta_1 from above (94): (1-mu)/(2 mu^2) - p_2 theta^2/(2 p_1^2)."""
    p2 = (1 - mu) ** theta
    return (1 - mu) / (2 * mu**2) - p2 * theta**2 / (2 * (1 - p2) ** 2)


def proxy_squares(mu: Any, theta: Any) -> Any:
    """E[O_m^2], (90) of paper 2: 1/mu^2 + p_2 theta^2/p_1."""
    p2 = (1 - mu) ** theta
    return 1 / mu**2 + p2 * theta**2 / (1 - p2)


def mean_delta(mu: Any, theta: Any) -> Any:
    """E[Delta], (92) of paper 2: (1-mu)/(2 mu^2) - p_2 theta^2/(2 p_1)."""
    p2 = (1 - mu) ** theta
    return (1 - mu) / (2 * mu**2) - p2 * theta**2 / (2 * (1 - p2))


def mean_delta_by_proxies(mu: Any, squares: Any, first: Any) -> Any:
    """E[Delta], (91) of paper 2: 1/mu^2 - (E[O_m^2] + E[O_m])/2."""
    return 1 / mu**2 - (squares + first) / 2


def penalty_by_deltas(p2: Any, delta1: Any, delta2: Any) -> Any:
    """Penalty epsilon by (93) of paper 2: p_2 (Delta_2 - Delta_1)."""
    return p2 * (delta2 - delta1)


def epsilon(mu: Any, theta: Any) -> Any:
    """Penalty epsilon by (94) of paper 2: (theta q^theta/(1-q^theta))^2/2."""
    power = (1 - mu) ** theta
    return (theta * power / (1 - power)) ** 2 / 2


def squares_unfolded(mu: Any, p2: Any, long: Any) -> Any:
    """p_1 O_1^2 + p_2 O_2^2, right end of (89): (1/mu^2 - p_2 (2 O_2/mu - O_2^2))/p_1."""
    return (1 / mu**2 - p2 * (2 * long / mu - long**2)) / (1 - p2)


def epsilon_by_proxy(mu: Any, short: Any) -> Any:
    """Penalty epsilon from the short proxy, svf.md section 2: (1/mu - O_0)^2/2."""
    return (1 / mu - short) ** 2 / 2


@dataclass(frozen=True, slots=True)
class Classes:
    """Probabilities and first two moments of both classes, all fractions or all symbolic."""

    p1: Any
    p2: Any
    first: tuple[Any, Any]
    second: tuple[Any, Any]

    def delta(self, m: int) -> Any:
        """(84): E[(o^2+o)/2 | m] - (O_m^2 + O_m)/2, with O_m = E[o | m]."""
        proxy = self.first[m]
        return (self.second[m] + self.first[m]) / 2 - (proxy**2 + proxy) / 2

    @property
    def mean_delta(self) -> Any:
        """Delta averaged over the classes."""
        return self.p1 * self.delta(0) + self.p2 * self.delta(1)

    @property
    def squares(self) -> Any:
        """p_1 O_1^2 + p_2 O_2^2."""
        return self.p1 * self.first[0] ** 2 + self.p2 * self.first[1] ** 2

    @property
    def penalty(self) -> Any:
        """Penalty epsilon = E[Delta] - Delta_1, as defined below (87)."""
        return self.mean_delta - self.delta(0)


def direct_classes(mu: Fraction, theta: int) -> Classes:
    """Moments of both classes by summing the law over o <= theta; the rest is long."""
    p1 = short_part(lambda o: Fraction(1), theta, mu)
    short = [short_part(lambda o, d=d: Fraction(o**d), theta, mu) for d in (1, 2)]  # type: ignore[misc]
    whole = [geometric_mean(lambda o, d=d: Fraction(o**d), d, mu) for d in (1, 2)]  # type: ignore[misc]
    tail = [(w - s) / (1 - p1) for w, s in zip(whole, short, strict=True)]
    return Classes(p1, 1 - p1, (short[0] / p1, tail[0]), (short[1] / p1, tail[1]))


@cache
def symbolic_classes() -> Classes:
    """Moments in q: long is theta plus a fresh geometric length; short is what remains of o."""
    p2 = _Q**THETA
    tail = [expectation((THETA + _N) ** d, _N).subs(MU, 1 - _Q) for d in (1, 2)]
    whole = [expectation(_N**d, _N).subs(MU, 1 - _Q) for d in (1, 2)]
    short = [sympy.factor((w - p2 * t) / (1 - p2)) for w, t in zip(whole, tail, strict=True)]
    return Classes(1 - p2, p2, (short[0], tail[0]), (short[1], tail[1]))


def _of_classes(formula: Formula, quantity: Callable[[Classes], Any]) -> Check:
    """Check of a formula in (mu, theta) against a quantity of the two classes."""
    return identity(
        formula,
        _ARGUMENTS,
        lambda: quantity(symbolic_classes()),
        _GRID,
        lambda mu, theta: Fraction(quantity(direct_classes(mu, theta))),
    )


def _short_goals(formula: Formula) -> Iterator[Goal]:
    """By induction on theta: p_1 O_0 starts at mu and grows by (theta+1) mu q^theta."""
    mu = 1 - _Q

    def part(theta: Expression) -> Expression:
        return (1 - _Q**theta) * formula(mu, theta)

    yield Goal("theta = 1", part(sympy.Integer(1)), "=", mu)
    growth = (THETA + 1) * mu * _Q**THETA
    yield Goal("step", part(THETA + 1) - part(THETA), "=", growth)
    yield Goal("rest of the tail", formula(mu, THETA), "=", symbolic_classes().first[0])


def _long_goals(formula: Formula) -> Iterator[Goal]:
    """By induction: p_2 O_1 starts at E[o] for theta = 0 and falls by (theta+1) mu q^theta."""
    mu = 1 - _Q

    def part(theta: Expression) -> Expression:
        return _Q**theta * formula(mu, theta)

    yield Goal("theta = 0", part(sympy.Integer(0)), "=", expectation(_N, _N).subs(MU, mu))
    growth = (THETA + 1) * mu * _Q**THETA
    yield Goal("step", part(THETA) - part(THETA + 1), "=", growth)
    shifted = mu * _Q ** (THETA + _N - 1) / _Q**THETA
    yield Goal("memoryless", shifted, "=", mu * _Q ** (_N - 1))


def _moment_samples(m: int) -> Callable[[Formula], Iterator[Sample]]:
    def samples(formula: Formula) -> Iterator[Sample]:
        for point in _GRID:
            mu, theta = Fraction(point["mu"]), int(point["theta"])
            direct = direct_classes(mu, theta).first[m]
            yield Sample(point, formula(mu, Fraction(theta)), "=", direct)

    return samples


def _variance_goals(formula: Formula) -> Iterator[Goal]:
    """(84) with O_m = E[o|m] for arbitrary moments."""
    first, second = sympy.symbols("m1 m2", positive=True)
    classes = Classes(sympy.S.Half, sympy.S.Half, (first, first), (second, second))
    yield Goal("Delta_m", formula(first, second), "=", classes.delta(0))


def _variance_samples(formula: Formula) -> Iterator[Sample]:
    """Mean squared deviation over a class, by summation, and Delta_m by (84)."""
    for point in _GRID:
        mu, theta = Fraction(point["mu"]), int(point["theta"])
        classes = direct_classes(mu, theta)
        mean = classes.first[0]
        spread = short_part(lambda o, m=mean: (o - m) ** 2, theta, mu)  # type: ignore[misc]
        claim = formula(mean, classes.second[0])
        yield Sample(point, claim, "=", spread / classes.p1 / 2)
        claim = formula(classes.first[1], classes.second[1])
        yield Sample(point, claim, "=", Fraction(classes.delta(1)))


def _unfolded_goals(formula: Formula) -> Iterator[Goal]:
    """All four members of (89), with p_1 O_1 = 1/mu - p_2 O_2."""
    p2, long = sympy.symbols("p2 O2", positive=True)
    p1 = 1 - p2
    claim = formula(MU, p2, long)
    short = (1 / MU - p2 * long) / p1
    yield Goal("first member", p1 * short**2 + p2 * long**2, "=", claim)
    yield Goal("second", (1 / MU - p2 * long) ** 2 / p1 + p2 * long**2, "=", claim)
    third = 1 / MU**2 - 2 * p2 * long / MU + p2**2 * long**2 + p1 * p2 * long**2
    yield Goal("third", third / p1, "=", claim)
    theta = sympy.Symbol("t", positive=True)
    inner = 2 * (theta + 1 / MU) / MU - (theta + 1 / MU) ** 2
    yield Goal("inner term above (90)", inner, "=", 1 / MU**2 - theta**2)


def _unfolded_samples(formula: Formula) -> Iterator[Sample]:
    for point in _GRID:
        mu, theta = Fraction(point["mu"]), int(point["theta"])
        classes = direct_classes(mu, theta)
        claim = formula(mu, classes.p2, classes.first[1])
        yield Sample(point, claim, "=", Fraction(classes.squares))


def _by_proxies_goals(formula: Formula) -> Iterator[Goal]:
    classes = symbolic_classes()
    mean = classes.p1 * classes.first[0] + classes.p2 * classes.first[1]
    yield Goal("E[Delta]", formula(1 - _Q, classes.squares, mean), "=", classes.mean_delta)
    both = expectation((_N**2 + _N) / 2, _N)
    yield Goal("E[(o^2+o)/2]", formula(MU, sympy.S.Zero, sympy.S.Zero), "=", both)


def _by_proxies_samples(formula: Formula) -> Iterator[Sample]:
    for point in _GRID:
        mu, theta = Fraction(point["mu"]), int(point["theta"])
        classes = direct_classes(mu, theta)
        mean = classes.p1 * classes.first[0] + classes.p2 * classes.first[1]
        claim = formula(mu, classes.squares, mean)
        yield Sample(point, claim, "=", Fraction(classes.mean_delta))


def _deltas_goals(formula: Formula) -> Iterator[Goal]:
    """E[Delta] - Delta_1 for arbitrary Delta; and Delta_1 < Delta_2, so Delta_1 is the least."""
    p2, one, two = sympy.symbols("p2 Delta1 Delta2", positive=True)
    yield Goal("(93)", formula(p2, one, two), "=", (1 - p2) * one + p2 * two - one)
    c = symbolic_classes()
    gap = c.p2 * THETA**2 / (2 * c.p1**2)
    yield Goal("Delta_2 - Delta_1", c.delta(1) - c.delta(0), "=", gap)
    inside = gap.subs(_Q**THETA, 1 / (1 + _X))  # every value of q^theta in (0, 1)
    yield Goal("Delta_1 < Delta_2", sympy.S.Zero, "<", inside)
    penalty = formula(c.p2, c.delta(0), c.delta(1))
    yield Goal("epsilon", penalty, "=", c.penalty)


def _deltas_samples(formula: Formula) -> Iterator[Sample]:
    for point in _GRID:
        mu, theta = Fraction(point["mu"]), int(point["theta"])
        c = direct_classes(mu, theta)
        claim = formula(c.p2, c.delta(0), c.delta(1))
        yield Sample(point, claim, "=", Fraction(c.penalty))
        yield Sample(point, Fraction(c.delta(0)), "<", Fraction(c.delta(1)))


def _from_short_goals(formula: Formula) -> Iterator[Goal]:
    c = symbolic_classes()
    yield Goal("epsilon", formula(1 - _Q, c.first[0]), "=", c.penalty)


def _from_short_samples(formula: Formula) -> Iterator[Sample]:
    for point in _GRID:
        mu, theta = Fraction(point["mu"]), int(point["theta"])
        c = direct_classes(mu, theta)
        yield Sample(point, formula(mu, c.first[0]), "=", Fraction(c.penalty))


FORMS: tuple[ClosedForm, ...] = (
    ClosedForm(
        "short-proxy",
        ("83", "theorem 3.5"),
        "O_0 = E[o | o <= theta] = 1/mu - theta q^theta/(1-q^theta)",
        "paper 2 theorem 3.5; integer theta",
        Check(short_proxy, _short_goals, _moment_samples(0)),
    ),
    ClosedForm(
        "long-proxy",
        ("83", "theorem 3.5"),
        "O_1 = E[o | o > theta] = theta + 1/mu",
        "paper 2 theorem 3.5",
        Check(long_proxy, _long_goals, _moment_samples(1)),
    ),
    ClosedForm(
        "variance-identity",
        ("84", "below 88"),
        "Delta_m = Var(o | m)/2, because O_m = E[o | m]",
        "paper 2, below (88)",
        Check(half_variance, _variance_goals, _variance_samples),
    ),
    ClosedForm(
        "long-variance",
        ("below 88",),
        "Delta_2 = (1-mu)/(2 mu^2)",
        "paper 2, below (88)",
        _of_classes(long_delta, lambda c: c.delta(1)),
    ),
    ClosedForm(
        "short-variance",
        ("93", "94"),
        "Delta_1 = (1-mu)/(2 mu^2) - p_2 theta^2/(2 p_1^2)",
        "paper 2, above (94)",
        _of_classes(short_delta, lambda c: c.delta(0)),
    ),
    ClosedForm(
        "proxy-squares-unfolded",
        ("89",),
        "p_1 O_1^2 + p_2 O_2^2 = (1/mu^2 - p_2 (2 O_2/mu - O_2^2))/p_1, all members",
        "paper 2 (89)",
        Check(squares_unfolded, _unfolded_goals, _unfolded_samples),
    ),
    ClosedForm(
        "proxy-squares",
        ("90",),
        "p_1 O_1^2 + p_2 O_2^2 = 1/mu^2 + p_2 theta^2/p_1",
        "paper 2 (90)",
        _of_classes(proxy_squares, lambda c: c.squares),
    ),
    ClosedForm(
        "mean-distortion-by-proxies",
        ("91",),
        "E[Delta] = 1/mu^2 - (E[O_m^2] + E[O_m])/2",
        "paper 2 (91)",
        Check(mean_delta_by_proxies, _by_proxies_goals, _by_proxies_samples),
    ),
    ClosedForm(
        "mean-distortion",
        ("92",),
        "E[Delta] = (1-mu)/(2 mu^2) - p_2 theta^2/(2 p_1)",
        "paper 2 (92)",
        _of_classes(mean_delta, lambda c: c.mean_delta),
    ),
    ClosedForm(
        "penalty-by-distortions",
        ("93",),
        "E[Delta] - Delta_1 = p_2 (Delta_2 - Delta_1), and Delta_1 < Delta_2",
        "paper 2 (93)",
        Check(penalty_by_deltas, _deltas_goals, _deltas_samples),
    ),
    ClosedForm(
        "penalty",
        ("94",),
        "epsilon = (theta q^theta/(1-q^theta))^2/2",
        "paper 2 theorem 3.5, (94)",
        _of_classes(epsilon, lambda c: c.penalty),
    ),
    ClosedForm(
        "penalty-by-short-proxy",
        (),
        "epsilon = (1/mu - O_0)^2/2",
        "svf.md section 2, theorem 3.5",
        Check(epsilon_by_proxy, _from_short_goals, _from_short_samples),
    ),
)
