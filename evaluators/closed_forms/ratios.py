"""The ratio 1 + 2/(1-alpha) of SVF in the burst model, Table 1 and its limits (paper 2).

alpha = max p / M.  The scheduling argument that leads to the ratio is not repeated here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy

from .framework import Check, ClosedForm, Formula, Goal, Sample

_X = sympy.Symbol("x", positive=True)
ALPHA = sympy.Symbol("alpha", positive=True)
_DENOMINATOR, _NUMERATOR = sympy.symbols("d a", positive=True)
INSIDE = 1 / (1 + _X)  # every value strictly between 0 and 1
ALPHAS = tuple(Fraction(a, b) for a, b in ((1, 100), (1, 10), (1, 4), (1, 3), (1, 2), (7, 9)))

# alpha, floor(1/alpha) and the ratio to two decimals as Table 1 of paper 2 prints them.
TABLE_1: tuple[tuple[Fraction, int, Fraction], ...] = (
    (Fraction(1, 2), 2, Fraction(500, 100)),
    (Fraction(1, 4), 4, Fraction(367, 100)),
    (Fraction(1, 10), 10, Fraction(322, 100)),
    (Fraction(1, 20), 20, Fraction(311, 100)),
    (Fraction(1, 100), 100, Fraction(302, 100)),
)
TABLE_1_EXACT = (Fraction(5), Fraction(11, 3), Fraction(29, 9), Fraction(59, 19), Fraction(299, 99))


def svf_ratio(alpha: Any) -> Any:
    """Theorem 3.2 of paper 2: 1 + 2/(1-alpha)."""
    return 1 + 2 / (1 - alpha)


def svf_error(alpha: Any) -> Any:
    """Distance of theorem 3.2's ratio from its limit 3: 2 alpha / (1-alpha)."""
    return 2 * alpha / (1 - alpha)


def integer_ratio(alpha: Fraction) -> Fraction:
    """Theorem 3.2 from its integer form (d-a) SVF <= (3d-a) OPT with alpha = a/d."""
    a, d = alpha.numerator, alpha.denominator
    return Fraction(3 * d - a, d - a)


def _ratio_goals(formula: Formula) -> Iterator[Goal]:
    ratio = (3 * _DENOMINATOR - _NUMERATOR) / (_DENOMINATOR - _NUMERATOR)
    yield Goal("integer form", formula(_NUMERATOR / _DENOMINATOR), "=", ratio)


def _alpha_samples(formula: Formula) -> Iterator[Sample]:
    for alpha in ALPHAS:
        yield Sample({"alpha": alpha}, formula(alpha), "=", integer_ratio(alpha))


def _table_goals(formula: Formula) -> Iterator[Goal]:
    for (alpha, _, _), value in zip(TABLE_1, TABLE_1_EXACT, strict=True):
        claim = formula(sympy.Rational(alpha.numerator, alpha.denominator))
        yield Goal(f"alpha = {alpha}", claim, "=", sympy.sympify(value))


def _table_samples(formula: Formula) -> Iterator[Sample]:
    """Exact value, printed decimals (within half a unit), and the concurrency floor(1/alpha)."""
    for (alpha, concurrency, printed), value in zip(TABLE_1, TABLE_1_EXACT, strict=True):
        point = {"alpha": alpha}
        yield Sample(point, formula(alpha), "=", value)
        yield Sample(point, integer_ratio(alpha), "=", value)
        yield Sample(point, abs(formula(alpha) - printed), "<=", Fraction(1, 200))
        yield Sample(point, Fraction(1 // alpha), "=", Fraction(concurrency))


def limit_goals(ratio: Formula, limit: Fraction) -> Callable[[Formula], Iterable[Goal]]:
    """Ratio = limit + error, error -> 0 as alpha -> 0, error positive, pole at 1."""

    def goals(error: Formula) -> Iterator[Goal]:
        target = sympy.sympify(limit)
        yield Goal("error", error(ALPHA), "=", ratio(ALPHA) - target)
        yield Goal("limit 0", sympy.limit(target + error(ALPHA), ALPHA, 0), "=", target)
        yield Goal("error > 0", sympy.S.Zero, "<", error(INSIDE))
        pole = sympy.limit(1 / error(ALPHA), ALPHA, 1)
        yield Goal("diverges at alpha = 1", pole, "=", sympy.S.Zero)

    return goals


def limit_samples(
    values: Mapping[Fraction, Fraction], limit: Fraction
) -> Callable[[Formula], Iterable[Sample]]:
    """Compare with ratios known at single alphas; the error is at most 3 alpha at 10^-k."""

    def samples(error: Formula) -> Iterator[Sample]:
        for alpha, value in values.items():
            yield Sample({"alpha": alpha}, limit + error(alpha), "=", value)
        for k in range(1, 7):
            alpha = Fraction(1, 10**k)
            yield Sample({"alpha": alpha}, error(alpha), "<=", 3 * alpha)

    return samples


_TABLE_VALUES = {row[0]: value for row, value in zip(TABLE_1, TABLE_1_EXACT, strict=True)}

FORMS: tuple[ClosedForm, ...] = (
    ClosedForm(
        "svf-ratio",
        ("6", "15", "27"),
        "with alpha = a/d, (3d-a)/(d-a) = 1 + 2/(1-alpha)",
        "paper 2 theorem 3.2; integer form of svf.md section 1",
        Check(svf_ratio, _ratio_goals, _alpha_samples),
    ),
    ClosedForm(
        "table-1",
        (),
        "1 + 2/(1-alpha) = 5, 11/3, 29/9, 59/19, 299/99 at alpha = 1/2, 1/4, 1/10, 1/20, 1/100, "
        "within half a unit of the printed second decimal; floor(1/alpha) as printed",
        "paper 2 table 1, corollary 3.2.2",
        Check(svf_ratio, _table_goals, _table_samples),
    ),
    ClosedForm(
        "svf-ratio-limit",
        (),
        "1 + 2/(1-alpha) = 3 + 2 alpha/(1-alpha): 3 as alpha -> 0, 5 at 1/2, infinite at 1",
        "paper 2 corollaries 3.2.1 and 3.2.2",
        Check(
            svf_error,
            limit_goals(svf_ratio, Fraction(3)),
            limit_samples(_TABLE_VALUES, Fraction(3)),
        ),
    ),
)
