"""Sharpened ratios of SVF in the burst model: 2M/D, 1 + 4M/(3D), 19M/(9D) (svf.md, svf-gap.md).

alpha = max p / M, P = max p, D = M - P + 1.  The proofs end in an inequality that is linear in
O = sum of o, 0 <= O <= OPT; here that last step and its constants are checked, not the scheduling
argument before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

import sympy

from .framework import Check, ClosedForm, Formula, Goal, Sample
from .ratios import ALPHA, ALPHAS, INSIDE, TABLE_1, limit_goals, limit_samples

_X, _Y, _Z = sympy.symbols("x y z", positive=True)

# The sharpened ratio at the same alphas, svf.md section 1.
SHARPENED_EXACT = (
    Fraction(4),
    Fraction(25, 9),
    Fraction(67, 27),
    Fraction(137, 57),
    Fraction(697, 297),
)


def waiting_branch(m: Any, d: Any) -> Any:
    """Sharpened ratio where 3D < 2M: 2M/D."""
    return 2 * m / d


def mixed_branch(m: Any, d: Any) -> Any:
    """Sharpened ratio where 3D >= 2M: 1 + 4M/(3D)."""
    return 1 + 4 * m / (3 * d)


def sharpened_error(alpha: Any) -> Any:
    """Distance of the sharpened ratio from its limit 7/3: 4 alpha / (3 (1-alpha))."""
    return 4 * alpha / (3 * (1 - alpha))


def _linear(m: Any, d: Any, share: Any) -> Any:
    """Step 5 of the sharpened theorem with O = share OPT: (6M + (3D-2M) share) / (3D)."""
    return (6 * m + (3 * d - 2 * m) * share) / (3 * d)


def _waiting_goals(formula: Formula) -> Iterator[Goal]:
    """The end share = 0, and an upper bound for every share in (0, 1) if 2M > 3D."""
    m = (3 * _Y + _Z) / 2  # D = y, 2M = 3D + z
    yield Goal("share = 0", formula(m, _Y), "=", _linear(m, _Y, 0))
    yield Goal("every share", _linear(m, _Y, INSIDE), "<=", formula(m, _Y))


def _mixed_goals(formula: Formula) -> Iterator[Goal]:
    """The end share = 1, and an upper bound for every share in (0, 1) if 3D > 2M."""
    m = 3 * _Y / 2
    d = _Y + _Z / 3  # 3D = 2M + z
    yield Goal("share = 1", formula(m, d), "=", _linear(m, d, 1))
    yield Goal("every share", _linear(m, d, INSIDE), "<=", formula(m, d))


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

    alpha = 1/(1+x), P = alpha M - w, w >= 0.  The branches meet where 3 (1-alpha) = 2, alpha = 1/3.
    """
    m = _Y
    d = m - (m * INSIDE - sympy.Symbol("w", nonnegative=True)) + 1
    for name, branch in (("waiting", waiting_branch), ("mixed", mixed_branch)):
        yield Goal(f"{name} branch", branch(m, d), "<", branch(1, 1 - INSIDE))
    cross = sympy.Rational(1, 3)
    yield Goal("crossover", formula(cross), "=", waiting_branch(1, 1 - cross))
    yield Goal("mixed at small alpha", formula(ALPHA), "=", mixed_branch(1, 1 - ALPHA))
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
    """Alpha = 1/3 + (2/3)/(1+x) lies in (1/3, 1): the waiting branch, and the larger one."""
    alpha = sympy.Rational(1, 3) + sympy.Rational(2, 3) * INSIDE
    yield Goal("waiting branch", formula(ALPHA), "=", waiting_branch(1, 1 - ALPHA))
    yield Goal("larger above 1/3", mixed_branch(1, 1 - alpha), "<", formula(alpha))
    half = sympy.Rational(1, 2)
    yield Goal("4 at 1/2", formula(half), "=", sympy.Integer(4))


def _half_samples(formula: Formula) -> Iterator[Sample]:
    """Linear bound in D = 1 - alpha, M = 1 at both ends of the share."""
    for alpha in ALPHAS:
        if alpha >= Fraction(1, 3):
            ends = [_linear(Fraction(1), 1 - alpha, Fraction(share)) for share in (0, 1)]
            yield Sample({"alpha": alpha}, formula(alpha), "=", max(ends))
    yield Sample({"alpha": Fraction(1, 2)}, formula(Fraction(1, 2)), "=", Fraction(4))


_SHARP_VALUES = {
    row[0]: value
    for row, value in zip(TABLE_1, SHARPENED_EXACT, strict=True)
    if row[0] <= Fraction(1, 3)
}


FORMS: tuple[ClosedForm, ...] = (
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
            limit_goals(sharpened_ratio, Fraction(7, 3)),
            limit_samples(_SHARP_VALUES, Fraction(7, 3)),
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
