"""Proxy lengths of 1-bit SVF and how far they distort a volume (paper 2, theorem 3.3).

b^4 = T, threshold b^2; short requests (o <= b^2) count as O_0 = b tokens, long ones as O_1 = b^3.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any

import sympy

from .framework import Check, ClosedForm, Formula, Goal, Point, Relation, Sample, identity
from .geometry import volume
from .laws import volume_sum

_S = sympy.Symbol("s", nonnegative=True)
_X, _Y = sympy.symbols("x y", nonnegative=True)
_B = 1 + _X  # b >= 1
_O = sympy.Symbol("O", positive=True)
_NUMERATOR, _DENOMINATOR, _T = sympy.symbols("a d T", positive=True)

_PROXY_POINTS: tuple[Point, ...] = tuple(
    {"s": Fraction(s, 2), "proxy": proxy, "b": b}
    for s in (0, 3, 14)
    for proxy in (1, 2, 6)
    for b in (1, 2, 5)
)


def proxy_length(low: Any, high: Any) -> Any:
    """Square of the proxy of a class [low, high]: the geometric mean squared, low * high."""
    return low * high


def _proxy_goals(formula: Formula) -> Iterator[Goal]:
    """O_0 = b on [1, b^2], O_1 = b^3 on [b^2, b^4]; then O/b <= o <= b O, (28), in each class.

    o = (low + y high)/(1 + y) runs through the class, b = 1 + x.
    """
    for name, low, proxy in (("short", sympy.Integer(1), _B), ("long", _B**2, _B**3)):
        high = low * _B**2
        yield Goal(f"{name} proxy", formula(low, high), "=", proxy**2)
        o = (low + _Y * high) / (1 + _Y)
        yield Goal(f"{name}: o b >= O", sympy.S.Zero, "<=", o * _B - formula(low, high) / proxy)
        yield Goal(f"{name}: o <= b O", sympy.S.Zero, "<=", formula(low, high) * _B / proxy - o)


def _proxy_samples(formula: Formula) -> Iterator[Sample]:
    """Every integer o of either class; and no other proxy has a smaller largest distortion."""
    for b in range(1, 6):
        for low, high, proxy in ((1, b**2, b), (b**2, b**4, b**3)):
            claim = formula(Fraction(low), Fraction(high))
            yield Sample({"b": b, "low": low}, claim, "=", Fraction(proxy**2))
            for o in range(low, high + 1):
                ratio = max(claim / o**2, o**2 / claim)
                yield Sample({"b": b, "o": o}, ratio, "<=", Fraction(b**2))


def upper_slack(s: Any, proxy: Any, b: Any) -> Any:
    """Slack of (30), b^2 vhat - v(s, b O): (b^2 - b) (s O + O/2)."""
    return (b**2 - b) * (s * proxy + proxy / 2)


def lower_slack(s: Any, proxy: Any, b: Any) -> Any:
    """Slack of (32), v(s, O/b) - vhat/b^2: (1/b - 1/b^2) (s O + O/2)."""
    return (1 / b - 1 / b**2) * (s * proxy + proxy / 2)


def _upper_goals(formula: Formula) -> Iterator[Goal]:
    """The identity at o = bO, the sign of the slack, and v <= b^2 vhat for o = bO/(1+y)."""
    b2vhat = _B**2 * volume(_S, _O)
    yield Goal("slack", formula(_S, _O, _B), "=", b2vhat - volume(_S, _B * _O))
    yield Goal("slack >= 0", sympy.S.Zero, "<=", formula(_S, _O, _B))
    yield Goal("smaller o", volume(_S, _B * _O / (1 + _Y)), "<=", b2vhat)


def _upper_samples(formula: Formula) -> Iterator[Sample]:
    """The proxy's volume as a sum of rounds: all proxies and lengths here are integers."""
    for point in _PROXY_POINTS:
        s, proxy, b = Fraction(point["s"]), int(point["proxy"]), int(point["b"])
        slack = b**2 * volume_sum(s, proxy) - volume_sum(s, b * proxy)
        yield Sample(point, formula(s, Fraction(proxy), Fraction(b)), "=", slack)
        for o in range(1, b * proxy + 1):
            yield Sample({**point, "o": o}, volume_sum(s, o), "<=", b**2 * volume_sum(s, proxy))


def _lower_goals(formula: Formula) -> Iterator[Goal]:
    """The identity at o = O/b, the sign of the slack, and v >= vhat/b^2 for o = (1+y) O/b."""
    scaled = volume(_S, _O) / _B**2
    yield Goal("slack", formula(_S, _O, _B), "=", volume(_S, _O / _B) - scaled)
    yield Goal("slack >= 0", sympy.S.Zero, "<=", formula(_S, _O, _B))
    yield Goal("larger o", scaled, "<=", volume(_S, (1 + _Y) * _O / _B))


def _lower_samples(formula: Formula) -> Iterator[Sample]:
    """Proxies b times an integer o, so that O/b is a length that can be summed."""
    for point in _PROXY_POINTS:
        s, o, b = Fraction(point["s"]), int(point["proxy"]), int(point["b"])
        scaled = volume_sum(s, b * o) / b**2
        claim = formula(s, Fraction(b * o), Fraction(b))
        yield Sample(point, claim, "=", volume_sum(s, o) - scaled)
        for longer in range(o, o + 3):
            yield Sample({**point, "o": longer}, scaled, "<=", volume_sum(s, longer))


def inversion(b: Any) -> Any:
    """Largest true volume ratio of two requests in proxy order, (34) and (35): b^4 = T."""
    return b**4


def _inversion_goals(formula: Formula) -> Iterator[Goal]:
    """v_y <= b^2 vhat_y <= b^2 vhat_x <= b^4 v_x with the extremes of (30) and (32).

    vhat_x = vhat_y + y.  Strict for b > 1: the slack of (30) is then positive.
    """
    v_y = _B**2 * volume(_S, _O) - upper_slack(_S, _O, _B)
    v_x = (volume(_S, _O) + _Y) / _B**2
    yield Goal("v_y <= b^4 v_x", v_y, "<=", formula(_B) * v_x)
    yield Goal("b^4 from b^2 twice", formula(_B), "=", _B**2 * _B**2)
    b = 1 + sympy.Symbol("z", positive=True)
    larger = b**2 * volume(_S, _O) - upper_slack(_S, _O, b)
    yield Goal("strict if T > 1", larger, "<", formula(b) * volume(_S, _O) / b**2)


def _largest_inversion(b: int) -> Fraction:
    """Largest v_y / v_x over all (s, o) with s + o <= b^4 and vhat_y <= vhat_x."""
    sizes = [(s, o) for o in range(1, b**4 + 1) for s in range(b**4 - o + 1)]
    keyed = sorted(
        (s * p + p * (p + 1) // 2, s * o + o * (o + 1) // 2)
        for s, o in sizes
        for p in ((b,) if o <= b * b else (b**3,))
    )
    largest, best = Fraction(0), 0
    for _, group in groupby(keyed, key=lambda pair: pair[0]):
        tied = [v for _, v in group]
        best = max(best, tied[-1])
        largest = max(largest, Fraction(best, tied[0]))
    return largest


def _inversion_samples(formula: Formula) -> Iterator[Sample]:
    """Exhaustive at T = 1 (equality), 16 and 81; the largest values are those of svf.md."""
    for b, known in ((1, Fraction(1)), (2, Fraction(10)), (3, Fraction(3321, 55))):
        largest = _largest_inversion(b)
        yield Sample({"b": b, "known": known}, largest, "=", known)
        relation: Relation = "=" if b == 1 else "<"
        yield Sample({"b": b}, largest, relation, formula(Fraction(b)))


def one_bit_ratio(alpha: Any, t: Any) -> Any:
    """Theorem 3.3 with its constant, (41) and (42): 1 + 2T/(1-alpha)."""
    return 1 + 2 * t / (1 - alpha)


def _one_bit_definition(alpha: Fraction, t: Fraction) -> Fraction:
    """Integer form (d-a) TEL <= (d-a+2Td) OPT, alpha = a/d."""
    a, d = alpha.numerator, alpha.denominator
    return Fraction((d - a) + 2 * t * d) / (d - a)


_INTEGER_FORM = (_DENOMINATOR - _NUMERATOR + 2 * _T * _DENOMINATOR) / (_DENOMINATOR - _NUMERATOR)

FORMS: tuple[ClosedForm, ...] = (
    ClosedForm(
        "proxy-lengths",
        ("28",),
        "O_0 = b on [1, b^2] and O_1 = b^3 on [b^2, b^4] are geometric means; O/b <= o <= b O",
        "paper 2 (28), with T = b^4",
        Check(proxy_length, _proxy_goals, _proxy_samples),
    ),
    ClosedForm(
        "proxy-distortion-upper",
        ("29", "30", "33"),
        "b^2 vhat - v(s, b O) = (b^2-b)(s O + O/2) >= 0; v <= b^2 vhat for every o <= b O",
        "paper 2 (29), (30), (33)",
        Check(upper_slack, _upper_goals, _upper_samples),
    ),
    ClosedForm(
        "proxy-distortion-lower",
        ("31", "32", "33"),
        "v(s, O/b) - vhat/b^2 = (1/b - 1/b^2)(s O + O/2) >= 0; v >= vhat/b^2 for every o >= O/b",
        "paper 2 (31), (32), (33)",
        Check(lower_slack, _lower_goals, _lower_samples),
    ),
    ClosedForm(
        "proxy-inversion",
        ("34", "35"),
        "requests in proxy order have v_y <= T v_x, strictly if T > 1; largest for s+o <= T: "
        "10 at T = 16, 3321/55 at T = 81",
        "paper 2 (34), (35); svf.md section 1",
        Check(inversion, _inversion_goals, _inversion_samples),
    ),
    ClosedForm(
        "one-bit-ratio",
        ("42",),
        "with alpha = a/d, (d-a+2Td)/(d-a) = 1 + 2T/(1-alpha)",
        "paper 2 (42) with the constant of svf.md section 1",
        identity(
            one_bit_ratio,
            {"alpha": _NUMERATOR / _DENOMINATOR, "t": _T},
            lambda: _INTEGER_FORM,
            (
                {"alpha": Fraction(a, d), "t": b**4}
                for a, d in ((1, 100), (1, 4), (1, 2), (7, 9))
                for b in (1, 2, 3)
            ),
            _one_bit_definition,
        ),
    ),
)
