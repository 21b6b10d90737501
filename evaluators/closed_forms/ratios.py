"""Ratios of SVF in the burst model: 1 + 2/(1-alpha), Table 1, the sharpened constants (paper 2).

alpha = max p / M, P = max p, D = M - P + 1.  The proofs end in an inequality that is linear in
O = sum of o, 0 <= O <= OPT; here that last step and its constants are checked, not the scheduling
argument before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

import sympy

from .framework import (
    Check,
    ClosedForm,
    Formula,
    Goal,
    Sample,
)

_X, _Y, _Z = sympy.symbols("x y z", positive=True)
_ALPHA = sympy.Symbol("alpha", positive=True)
_DENOMINATOR, _NUMERATOR = sympy.symbols("d a", positive=True)
_INSIDE = 1 / (1 + _X)  # every value strictly between 0 and 1
_ALPHAS = tuple(Fraction(a, b) for a, b in ((1, 100), (1, 10), (1, 4), (1, 3), (1, 2), (7, 9)))

# alpha, floor(1/alpha) and the ratio to two decimals as Table 1 of paper 2 prints them.
TABLE_1: tuple[tuple[Fraction, int, Fraction], ...] = tuple(
    (Fraction(1, n), n, Fraction(cents, 100))
    for n, cents in ((2, 500), (4, 367), (10, 322), (20, 311), (100, 302))
)
TABLE_1_EXACT = (5, Fraction(11, 3), Fraction(29, 9), Fraction(59, 19), Fraction(299, 99))
# The sharpened ratio at the same alphas, svf.md section 1.
SHARPENED_EXACT = (4, Fraction(25, 9), Fraction(67, 27), Fraction(137, 57), Fraction(697, 297))


def svf_ratio(alpha: Any) -> Any:
    """Theorem 3.2 of paper 2: 1 + 2/(1-alpha)."""
    return 1 + 2 / (1 - alpha)


def svf_error(alpha: Any) -> Any:
    """Distance of theorem 3.2's ratio from its limit 3: 2 alpha / (1-alpha)."""
    return 2 * alpha / (1 - alpha)


def waiting_branch(m: Any, d: Any) -> Any:
    """Sharpened ratio where 3D < 2M: 2M/D."""
    return 2 * m / d


def mixed_branch(m: Any, d: Any) -> Any:
    """Sharpened ratio where 3D >= 2M: 1 + 4M/(3D)."""
    return 1 + 4 * m / (3 * d)


def sharpened_error(alpha: Any) -> Any:
    """Distance of the sharpened ratio from its limit 7/3: 4 alpha / (3 (1-alpha))."""
    return 4 * alpha / (3 * (1 - alpha))


def integer_ratio(alpha: Fraction) -> Fraction:
    """Theorem 3.2 from its integer form (d-a) SVF <= (3d-a) OPT with alpha = a/d."""
    a, d = alpha.numerator, alpha.denominator
    return Fraction(3 * d - a, d - a)


def _ratio_goals(formula: Formula) -> Iterator[Goal]:
    ratio = (3 * _DENOMINATOR - _NUMERATOR) / (_DENOMINATOR - _NUMERATOR)
    yield Goal("integer form", formula(_NUMERATOR / _DENOMINATOR), "=", ratio)


def _alpha_samples(formula: Formula) -> Iterator[Sample]:
    for alpha in _ALPHAS:
        yield Sample({"alpha": alpha}, formula(alpha), "=", integer_ratio(alpha))


def _table_goals(formula: Formula) -> Iterator[Goal]:
    for (alpha, _, _), value in zip(TABLE_1, TABLE_1_EXACT, strict=True):
        claim = formula(sympy.Rational(alpha.numerator, alpha.denominator))
        yield Goal(f"alpha = {alpha}", claim, "=", sympy.sympify(value))


def _table_samples(formula: Formula) -> Iterator[Sample]:
    """Exact value, two printed decimals (half a cent), and the concurrency floor(1/alpha)."""
    for (alpha, concurrency, printed), value in zip(TABLE_1, TABLE_1_EXACT, strict=True):
        point = {"alpha": alpha}
        yield Sample(point, formula(alpha), "=", Fraction(value))
        yield Sample(point, abs(formula(alpha) - printed), "<=", Fraction(1, 200))
        yield Sample(point, Fraction(1 // alpha), "=", Fraction(concurrency))


def _limit_goals(
    ratio: Formula, limit: Fraction
) -> Callable[[Formula], Iterable[Goal]]:
    """Ratio = limit + error, error -> 0 as alpha -> 0, error positive, pole at 1."""

    def goals(error: Formula) -> Iterator[Goal]:
        target = sympy.sympify(limit)
        yield Goal("error", error(_ALPHA), "=", ratio(_ALPHA) - target)
        yield Goal("limit 0", sympy.limit(target + error(_ALPHA), _ALPHA, 0), "=", target)
        yield Goal("error > 0", sympy.S.Zero, "<", error(_INSIDE))
        pole = sympy.limit(1 / error(_ALPHA), _ALPHA, 1)
        yield Goal("diverges at alpha = 1", pole, "=", sympy.S.Zero)

    return goals


def _limit_samples(
    values: Mapping[Fraction, Fraction], limit: Fraction
) -> Callable[[Formula], Iterable[Sample]]:
    """Compare with ratios known at single alphas; the error falls below 10^-k, k = 1..6."""

    def samples(error: Formula) -> Iterator[Sample]:
        for alpha, value in values.items():
            yield Sample({"alpha": alpha}, limit + error(alpha), "=", value)
        for k in range(1, 7):
            alpha = Fraction(1, 10**k)
            yield Sample({"alpha": alpha}, error(alpha), "<=", 3 * alpha)

    return samples


def _linear(m: Any, d: Any, share: Any) -> Any:
    """Step 5 of the sharpened theorem with O = share OPT: (6M + (3D-2M) share) / (3D)."""
    return (6 * m + (3 * d - 2 * m) * share) / (3 * d)


def _waiting_goals(formula: Formula) -> Iterator[Goal]:
    """The end share = 0, and an upper bound for every share in (0, 1) if 2M > 3D."""
    m = (3 * _Y + _Z) / 2  # D = y, 2M = 3D + z
    yield Goal("share = 0", formula(m, _Y), "=", _linear(m, _Y, 0))
    yield Goal("every share", _linear(m, _Y, _INSIDE), "<=", formula(m, _Y))


def _mixed_goals(formula: Formula) -> Iterator[Goal]:
    """The end share = 1, and an upper bound for every share in (0, 1) if 3D > 2M."""
    m = 3 * _Y / 2
    d = _Y + _Z / 3  # 3D = 2M + z
    yield Goal("share = 1", formula(m, d), "=", _linear(m, d, 1))
    yield Goal("every share", _linear(m, d, _INSIDE), "<=", formula(m, d))


def _branch_samples(waiting: bool) -> Callable[[Formula], Iterable[Sample]]:
    """Compare with the largest of the linear bound over a fine grid of shares, at integers."""

    def samples(formula: Formula) -> Iterator[Sample]:
        for m in range(1, 25):
            for d in range(1, m + 1):
                if (3 * d < 2 * m) == waiting:
                    m_, d_ = Fraction(m), Fraction(d)
                    largest = max(_linear(m_, d_, Fraction(i, 6)) for i in range(7))
                    yield Sample({"M": m, "D": d}, formula(m_, d_), "=", largest)

    return samples


def _alpha_form_goals(formula: Formula) -> Iterator[Goal]:
    """With P <= alpha M and D = M - P + 1 > (1-alpha) M the ratio in alpha is an upper bound.

    alpha = 1/(1+x), P = alpha M - z.  The branches meet where 3 (1-alpha) = 2, alpha = 1/3.
    """
    m = _Y
    d = m - (m * _INSIDE - _Z) + 1
    for name, branch in (("waiting", waiting_branch), ("mixed", mixed_branch)):
        yield Goal(f"{name} branch", branch(m, d), "<", branch(1, 1 - _INSIDE))
    cross = sympy.Rational(1, 3)
    yield Goal("crossover", formula(cross), "=", waiting_branch(1, 1 - cross))
    yield Goal("mixed at small alpha", formula(_ALPHA), "=", mixed_branch(1, 1 - _ALPHA))
    low = cross / (1 + _X)
    yield Goal("mixed is larger below 1/3", waiting_branch(1, 1 - low), "<", formula(low))


def sharpened_ratio(alpha: Any) -> Any:
    """Sharpened ratio for alpha <= 1/3: 1 + 4/(3 (1-alpha))."""
    return 1 + 4 / (3 * (1 - alpha))


def _alpha_form_samples(formula: Formula) -> Iterator[Sample]:
    """Largest ratio of both branches over every integer P <= alpha M, M < 40."""
    for alpha in (Fraction(1, 10), Fraction(1, 4), Fraction(1, 3)):
        for m in range(int(1 / alpha), 40):
            d = Fraction(m - int(alpha * m) + 1)
            worst = max(2 * m / d, 1 + 4 * m / (3 * d))
            yield Sample({"alpha": alpha, "M": m}, worst, "<", formula(alpha))
        supremum = max(2 / (1 - alpha), Fraction(7, 3) + 4 * alpha / (3 * (1 - alpha)))
        yield Sample({"alpha": alpha}, formula(alpha), "=", supremum)


def completed_square(y: Any, b: Any) -> Any:
    """Step 10 of svf-gap.md, 228 (228 Y^2 - 52 B Y + 3 B^2): (228 Y - 26 B)^2 + 8 B^2."""
    return (228 * y - 26 * b) ** 2 + 8 * b**2


def _square_goals(formula: Formula) -> Iterator[Goal]:
    """8Q <= 18Y^2 + (B/2+Y)^2 with Q = 2BY/3 at most; the square is positive."""
    y, b = sympy.Symbol("Y", real=True), sympy.Symbol("B", positive=True)
    q = 2 * b * y / 3
    need = 18 * y**2 + (b / 2 + y) ** 2 - 8 * q
    yield Goal("square", formula(y, b), "=", 228 * 12 * need)
    yield Goal("positive", sympy.S.Zero, "<", formula(y, b))


def _square_samples(formula: Formula) -> Iterator[Sample]:
    for i in range(-6, 13):
        y, b = Fraction(i, 3), Fraction(5, 2)
        need = 19 * y * y - Fraction(13, 3) * b * y + b * b / 4
        yield Sample({"Y": y, "B": b}, formula(y, b), "=", 228 * 12 * need)
        yield Sample({"Y": y, "B": b}, 8 * (2 * b * y / 3), "<", 18 * y * y + (b / 2 + y) ** 2)


def gap_crossover(m: Any) -> Any:
    """The D at which 19M/(9D) equals 1 + 4M/(3D): 7M/9."""
    return 7 * m / 9


def _crossover_samples(formula: Formula) -> Iterator[Sample]:
    """19M/(9D) is smaller exactly above the crossover, for every integer D <= M < 40."""
    for m in range(1, 40):
        for d in range(1, m + 1):
            first = Fraction(19 * m, 9 * d) - max(Fraction(2 * m, d), 1 + Fraction(4 * m, 3 * d))
            second = formula(Fraction(m)) - d
            signs = [Fraction((x > 0) - (x < 0)) for x in (first, second)]
            yield Sample({"M": m, "D": d}, signs[0], "=", signs[1])


def _crossover_goals(formula: Formula) -> Iterator[Goal]:
    """Equality at the crossover; above it, D = crossover + z, the new ratio is smaller."""
    d = formula(_Y)
    yield Goal("equal", 19 * _Y / (9 * d), "=", mixed_branch(_Y, d))
    above = d + _Z
    yield Goal("smaller above", 19 * _Y / (9 * above), "<", mixed_branch(_Y, above))


def waiting_ratio(alpha: Any) -> Any:
    """Sharpened ratio for alpha >= 1/3: 2/(1-alpha)."""
    return 2 / (1 - alpha)


def _half_goals(formula: Formula) -> Iterator[Goal]:
    """alpha = 1/3 + (2/3)/(1+x) lies in (1/3, 1): the waiting branch, and the larger one."""
    alpha = sympy.Rational(1, 3) + sympy.Rational(2, 3) * _INSIDE
    yield Goal("waiting branch", formula(_ALPHA), "=", waiting_branch(1, 1 - _ALPHA))
    yield Goal("larger above 1/3", mixed_branch(1, 1 - alpha), "<", formula(alpha))
    half = sympy.Rational(1, 2)
    yield Goal("4 at 1/2", formula(half), "=", sympy.Integer(4))


def _half_samples(formula: Formula) -> Iterator[Sample]:
    """Linear bound in D = 1 - alpha, M = 1 at both ends of the share."""
    for alpha in _ALPHAS:
        if alpha >= Fraction(1, 3):
            ends = [_linear(Fraction(1), 1 - alpha, Fraction(share)) for share in (0, 1)]
            yield Sample({"alpha": alpha}, formula(alpha), "=", max(ends))
    yield Sample({"alpha": Fraction(1, 2)}, formula(Fraction(1, 2)), "=", Fraction(4))


_TABLE_VALUES = dict(zip((row[0] for row in TABLE_1), map(Fraction, TABLE_1_EXACT), strict=True))
_SHARP_VALUES = {
    row[0]: Fraction(value)
    for row, value in zip(TABLE_1, SHARPENED_EXACT, strict=True)
    if row[0] <= Fraction(1, 3)
}


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
            _limit_goals(svf_ratio, Fraction(3)),
            _limit_samples(_TABLE_VALUES, Fraction(3)),
        ),
    ),
    ClosedForm(
        "sharpened-waiting-branch",
        (),
        "the maximum of (6M + (3D-2M) x)/(3D) over 0 <= x <= 1 is 2M/D if 3D < 2M",
        "ours: svf.md section 4, sharpened lower bound, step 5",
        Check(waiting_branch, _waiting_goals, _branch_samples(waiting=True)),
    ),
    ClosedForm(
        "sharpened-mixed-branch",
        (),
        "the maximum of (6M + (3D-2M) x)/(3D) over 0 <= x <= 1 is 1 + 4M/(3D) if 3D >= 2M",
        "ours: svf.md section 4, sharpened lower bound, step 5",
        Check(mixed_branch, _mixed_goals, _branch_samples(waiting=False)),
    ),
    ClosedForm(
        "sharpened-ratio",
        (),
        "max(2M/D, 1 + 4M/(3D)) < max(2/(1-alpha), 1 + 4/(3(1-alpha))), which is the second for "
        "alpha <= 1/3; the branches meet at alpha = 1/3",
        "ours: svf.md section 1, sharpened theorem 3.2",
        Check(sharpened_ratio, _alpha_form_goals, _alpha_form_samples),
    ),
    ClosedForm(
        "sharpened-half",
        (),
        "for alpha >= 1/3 the sharpened ratio is 2/(1-alpha): 4 at alpha = 1/2, paper 5",
        "ours: svf.md section 1, sharpened theorem 3.2",
        Check(waiting_ratio, _half_goals, _half_samples),
    ),
    ClosedForm(
        "sharpened-limit",
        (),
        "1 + 4/(3(1-alpha)) = 7/3 + 4 alpha/(3(1-alpha)): 7/3 as alpha -> 0, 25/9 at 1/4, "
        "67/27 at 1/10, 137/57 at 1/20, 697/297 at 1/100",
        "ours: svf.md section 1, sharpened theorem 3.2",
        Check(
            sharpened_error,
            _limit_goals(sharpened_ratio, Fraction(7, 3)),
            _limit_samples(_SHARP_VALUES, Fraction(7, 3)),
        ),
    ),
    ClosedForm(
        "gap-square",
        (),
        "12 (19 Y^2 - (13/3) B Y + B^2/4) 228 = (228 Y - 26 B)^2 + 8 B^2 > 0, so 9E <= Lw",
        "ours: svf-gap.md section 1, step 10",
        Check(completed_square, _square_goals, _square_samples),
    ),
    ClosedForm(
        "gap-crossover",
        (),
        "19M/(9D) < max(2M/D, 1 + 4M/(3D)) exactly if 9D > 7M",
        "ours: svf-gap.md section 0, R1",
        Check(gap_crossover, _crossover_goals, _crossover_samples),
    ),
)
