"""Proxy lengths of 1-bit SVF and how far they distort a volume (paper 2, theorem 3.3).

b^4 = T, threshold b^2; short requests (o <= b^2) count as O_0 = b tokens, long ones as O_1 = b^3.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import sympy

from .framework import Check, ClosedForm, Formula, Goal, Point, Sample, identity
from .geometry import volume
from .laws import volume_sum

_S = sympy.Symbol("s", nonnegative=True)
_X, _Y = sympy.symbols("x y", nonnegative=True)
_B = 1 + _X  # b >= 1
_O = sympy.Symbol("O", positive=True)
_NUMERATOR, _DENOMINATOR, _T = sympy.symbols("a d T", positive=True)

_PROXY_POINTS: tuple[Point, ...] = tuple(
    {"s": Fraction(s, 2), "proxy": proxy, "b": b} for s in (0, 3, 14) for proxy in (1, 2, 6)
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
    for start, (key, _) in enumerate(keyed):
        if start and keyed[start - 1][0] == key:
            continue
        tied = [v for other, v in keyed[start : start + len(keyed)] if other == key][:4096]
        best = max(best, *tied) if tied else best
        largest = max(largest, Fraction(best, min(tied)))
    return largest
