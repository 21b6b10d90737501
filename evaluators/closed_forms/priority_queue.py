"""The recurrence of theorem 3.4 for the waits W(v) and its solution (paper 2, (60)-(65)).

Classes v = 1, ..., n with loads x_v = lambda_v v.  r = (1-alpha) M/2 is the guaranteed rate and
D(v) = r - (x_1 + ... + x_{v-1}), so D(1) = r and D(n+1) = r - lambda E[v] > 0.  Symbolically
D(1), ..., D(n+1) are the symbols, n = CLASSES, and x_v = D(v) - D(v+1); the steps from v-1 to v
are also decided for arbitrary D(v-1), D(v), D(v+1), which by induction covers every n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import sympy

from .framework import Check, ClosedForm, Formula, Goal, Point, Sample

CLASSES = 6
_RATES = sympy.symbols(f"D1:{CLASSES + 2}", positive=True)
_LOADS = tuple(here - after for here, after in pairwise(_RATES))
_W0 = sympy.Symbol("W0", positive=True)
# D(v-1), D(v), D(v+1) of one step, and a nonnegative slack for each class.
_BEFORE, _HERE, _AFTER = sympy.symbols("D_before D_here D_after", positive=True)
_SLACKS = sympy.symbols("e1:4", nonnegative=True)


def rates(loads: Sequence[Any], last: Any) -> list[Any]:
    """Return D(1), ..., D(n+1) from the loads and D(n+1)."""
    values = [last]
    for load in reversed(loads):
        values.append(values[-1] + load)
    return values[::-1]


def solve(
    w0: Any,
    loads: Sequence[Any],
    d: Sequence[Any],
    slacks: Sequence[Any],
    reduced: Callable[[Any], Any] = lambda value: value,
) -> list[Any]:
    """Waits from (60), W(v) D(v+1) = W_0 + sum_{x<v} x_x W(x), each lowered by its slack."""
    waits: list[Any] = []
    for v in range(len(loads)):
        served = sum((x * w for x, w in zip(loads, waits, strict=False)), 0 * w0)
        waits.append(reduced((w0 + served) / d[v + 1] - slacks[v]))
    return waits


def unrolled(w0: Any, first: Any, here: Any, after: Any) -> Any:
    """W(v), (63) of paper 2: D(1) W_0 / (D(v) D(v+1))."""
    return first * w0 / (here * after)


def auxiliary(w0: Any, loads: Sequence[Any], waits: Sequence[Any]) -> Any:
    """W(v) D(v), the line before (60) corrected: W_0 + sum_{x<=v} x_x W(x)."""
    return w0 + sum(x * w for x, w in zip(loads, waits, strict=True))


def auxiliary_printed(w0: Any, loads: Sequence[Any], waits: Sequence[Any]) -> Any:
    """W(v) D(v) as printed before (60), with W(v) inside the sum: W_0 + sum_{x<=v} x_x W(v)."""
    return w0 + sum(x * waits[-1] for x in loads)


def step(here: Any, after: Any, wait: Any) -> Any:
    """Difference W(v) D(v) - W(v-1) D(v-1), (62) of paper 2: W(v) (D(v) - D(v+1))."""
    return wait * (here - after)


def queued(w0: Any, first: Any, after: Any) -> Any:
    """S(v), the sum of x_x W(x) over x <= v, below (64): W_0 (D(1)/D(v+1) - 1)."""
    return w0 * (first / after - 1)


def queued_volume(w0: Any, rate: Any, load: Any) -> Any:
    """S(infinity), (65) of paper 2: W_0 L/(r - L) with L = lambda E[v]."""
    return w0 * load / (rate - load)


Case = tuple[Point, Fraction, tuple[Fraction, ...], list[Fraction], list[Fraction]]


def cases() -> Iterator[Case]:
    """Yield (point, W_0, loads, D, waits by (60)) for rational loads; some classes are empty."""
    raw = ((1,), (1, 2), (3, 0, 5), (2, 7, 1, 4), (1, 1, 1, 1, 1), (9, 0, 0, 2, 6, 3, 8))
    for number, numerators in enumerate(raw):
        for w0, last in ((Fraction(1), Fraction(1, 2)), (Fraction(7, 3), Fraction(5))):
            loads = tuple(Fraction(n, number + 2) for n in numerators)
            d = rates(loads, last)
            waits = solve(w0, loads, d, [Fraction(0)] * len(loads))
            yield {"case": number, "W0": w0, "D_last": last}, w0, loads, d, waits


@cache
def symbolic_case() -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return D and the waits by (60), in lowest terms, with symbolic D."""
    waits = solve(_W0, _LOADS, _RATES, [sympy.S.Zero] * CLASSES, sympy.cancel)
    return _RATES, tuple(waits)


def _unrolled_goals(formula: Formula) -> Iterator[Goal]:
    """Base W(1) = W_0/D(2); step W(v-1) D(v-1) = W(v) D(v+1); and n classes through (60)."""
    first = sympy.Symbol("D1", positive=True)
    yield Goal("base", formula(_W0, first, first, _AFTER), "=", _W0 / _AFTER)
    lower = formula(_W0, first, _BEFORE, _HERE) * _BEFORE
    yield Goal("step", formula(_W0, first, _HERE, _AFTER) * _AFTER, "=", lower)
    d, waits = symbolic_case()
    for v, wait in enumerate(waits):
        yield Goal(f"W({v + 1})", formula(_W0, d[0], d[v], d[v + 1]), "=", wait)


def _unrolled_samples(formula: Formula) -> Iterator[Sample]:
    for point, w0, _, d, waits in cases():
        for v, wait in enumerate(waits):
            yield Sample({**point, "v": v + 1}, formula(w0, d[0], d[v], d[v + 1]), "=", wait)


def _auxiliary_goals(formula: Formula) -> Iterator[Goal]:
    """N symbolic classes; and in general adding x_v W(v) to (60) moves D(v+1) to D(v)."""
    d, waits = symbolic_case()
    for v, wait in enumerate(waits):
        claim = formula(_W0, _LOADS[: v + 1], waits[: v + 1])
        yield Goal(f"W({v + 1}) D({v + 1})", claim, "=", wait * d[v])
    served, wait = sympy.symbols("S w", positive=True)
    load = _HERE - _AFTER  # x_v = D(v) - D(v+1); (60) says w D(v+1) = W_0 + S
    claim = formula(_W0, (served, load), (sympy.S.One, wait))
    yield Goal("step", claim.subs(served, wait * _AFTER - _W0), "=", wait * _HERE)


def _auxiliary_samples(formula: Formula) -> Iterator[Sample]:
    for point, w0, loads, d, waits in cases():
        for v, wait in enumerate(waits):
            claim = formula(w0, loads[: v + 1], waits[: v + 1])
            yield Sample({**point, "v": v + 1}, claim, "=", wait * d[v])


def _rearranged_goals(formula: Formula) -> Iterator[Goal]:
    """From the corrected line: W(v) D(v) minus the term x_v W(v) leaves (60)."""
    wait, served = sympy.symbols("w S", positive=True)
    claim = formula(_W0, (served,), (sympy.S.One,))
    whole = auxiliary(_W0, (served, _HERE - _AFTER), (sympy.S.One, wait))
    yield Goal("(60)", claim, "=", whole - wait * (_HERE - _AFTER))
    d = _RATES
    closed = [unrolled(_W0, d[0], d[v], d[v + 1]) for v in range(CLASSES)]
    for v in range(CLASSES):
        claim = formula(_W0, _LOADS[:v], closed[:v])
        yield Goal(f"W({v + 1}) D({v + 2})", claim, "=", closed[v] * d[v + 1])


def _rearranged_samples(formula: Formula) -> Iterator[Sample]:
    """With the closed waits D(1) W_0/(D(v) D(v+1)), not those of the recurrence."""
    for point, w0, loads, d, _ in cases():
        waits = [d[0] * w0 / (d[v] * d[v + 1]) for v in range(len(loads))]
        for v, wait in enumerate(waits):
            claim = formula(w0, loads[:v], waits[:v])
            yield Sample({**point, "v": v + 1}, claim, "=", wait * d[v + 1])


def _step_goals(formula: Formula) -> Iterator[Goal]:
    """x_v W(v) in symbols, and the difference over n symbolic classes."""
    wait, load = sympy.symbols("w x", positive=True)
    yield Goal("x_v W(v)", formula(_AFTER + load, _AFTER, wait), "=", load * wait)
    d, waits = symbolic_case()
    for v in range(1, CLASSES):
        difference = waits[v] * d[v] - waits[v - 1] * d[v - 1]
        yield Goal(f"v = {v + 1}", formula(d[v], d[v + 1], waits[v]), "=", difference)


def _step_samples(formula: Formula) -> Iterator[Sample]:
    for point, _, loads, d, waits in cases():
        for v in range(1, len(loads)):
            difference = waits[v] * d[v] - waits[v - 1] * d[v - 1]
            claim = formula(d[v], d[v + 1], waits[v])
            yield Sample({**point, "v": v + 1}, claim, "=", difference)
            yield Sample({**point, "v": v + 1}, claim, "=", loads[v] * waits[v])


def _dominance_goals(formula: Formula) -> Iterator[Goal]:
    """Induction (61): waits lowered by slacks e_v >= 0 satisfy (59) and stay below the formula."""
    loads = sympy.symbols("x1:4", positive=True)
    d = rates(loads, _AFTER)
    for v, wait in enumerate(solve(_W0, loads, d, _SLACKS, sympy.cancel)):
        claim = formula(_W0, d[0], d[v], d[v + 1])
        yield Goal(f"E[W({v + 1})] <= W({v + 1})", wait, "<=", claim)
    # Any v: by (64) W_0 + S(v-1) = W_0 D(1)/D(v); the lowered sum is smaller by some e_2 >= 0.
    first = sympy.Symbol("D1", positive=True)
    wait = (_W0 * first / _HERE - _SLACKS[1]) / _AFTER - _SLACKS[0]
    yield Goal("step", wait, "<=", formula(_W0, first, _HERE, _AFTER))


def _dominance_samples(formula: Formula) -> Iterator[Sample]:
    """Each wait a share of what (59) allows: full, half, none, in turn."""
    shares = (Fraction(1), Fraction(1, 2), Fraction(0), Fraction(1), Fraction(2, 3))
    for point, w0, loads, d, _ in cases():
        for shift in range(len(shares)):
            waits: list[Fraction] = []
            for v in range(len(loads)):
                served = sum((x * w for x, w in zip(loads, waits, strict=False)), Fraction(0))
                waits.append(shares[(v + shift) % len(shares)] * (w0 + served) / d[v + 1])
                claim = formula(w0, d[0], d[v], d[v + 1])
                yield Sample({**point, "v": v + 1, "shift": shift}, waits[v], "<=", claim)


def _queued_goals(formula: Formula) -> Iterator[Goal]:
    """S(0) = 0; S(v) - S(v-1) = x_v W(v) with (63); and the sum over n symbolic classes, (64)."""
    first = sympy.Symbol("D1", positive=True)
    yield Goal("S(0) = 0", formula(_W0, first, first), "=", sympy.S.Zero)
    increment = (_HERE - _AFTER) * unrolled(_W0, first, _HERE, _AFTER)
    difference = formula(_W0, first, _AFTER) - formula(_W0, first, _HERE)
    yield Goal("step", difference, "=", increment)
    d, waits = symbolic_case()
    total = sum(x * w for x, w in zip(_LOADS, waits, strict=True))
    yield Goal("telescoped", formula(_W0, d[0], d[-1]), "=", total)


def _queued_samples(formula: Formula) -> Iterator[Sample]:
    for point, w0, loads, d, waits in cases():
        total = Fraction(0)
        for v, (load, wait) in enumerate(zip(loads, waits, strict=True)):
            total += load * wait
            yield Sample({**point, "v": v + 1}, formula(w0, d[0], d[v + 1]), "=", total)


def _volume_goals(formula: Formula) -> Iterator[Goal]:
    """S(infinity) from (60) and from D(infinity) = r - L; and n symbolic classes."""
    load = sympy.Symbol("L", positive=True)
    rate = _AFTER + load
    final = unrolled(_W0, rate, _AFTER, _AFTER) * _AFTER - _W0
    yield Goal("W D - W_0 at infinity", formula(_W0, rate, load), "=", final)
    d, waits = symbolic_case()
    total = sum(x * w for x, w in zip(_LOADS, waits, strict=True))
    yield Goal("sum of x W", formula(_W0, d[0], sum(_LOADS)), "=", total)


def _volume_samples(formula: Formula) -> Iterator[Sample]:
    for point, w0, loads, d, waits in cases():
        total = sum((x * w for x, w in zip(loads, waits, strict=True)), Fraction(0))
        yield Sample(point, formula(w0, d[0], sum(loads, Fraction(0))), "=", total)


FORMS: tuple[ClosedForm, ...] = (
    ClosedForm(
        "auxiliary-line",
        ("line before 60",),
        "W(v) D(v) = W_0 + sum_{x<=v} lambda_x x W(x); printed with W(v) inside the sum",
        "paper 2, line before (60), corrected in svf.md section 2",
        Check(auxiliary, _auxiliary_goals, _auxiliary_samples),
        printed=Check(auxiliary_printed, _auxiliary_goals, _auxiliary_samples),
    ),
    ClosedForm(
        "wait-recurrence",
        ("60",),
        "W(v) D(v+1) = W_0 + sum_{x<v} lambda_x x W(x) is the corrected line rearranged, and "
        "D(1) W_0/(D(v) D(v+1)) solves it",
        "paper 2 (60)",
        Check(auxiliary, _rearranged_goals, _rearranged_samples),
    ),
    ClosedForm(
        "wait-dominance",
        ("61",),
        "waits that satisfy (59) are at most D(1) W_0/(D(v) D(v+1))",
        "paper 2 (61), induction on v",
        Check(unrolled, _dominance_goals, _dominance_samples),
    ),
    ClosedForm(
        "wait-step",
        ("62",),
        "W(v) D(v) - W(v-1) D(v-1) = lambda_v v W(v) = W(v) (D(v) - D(v+1))",
        "paper 2 (62)",
        Check(step, _step_goals, _step_samples),
    ),
    ClosedForm(
        "wait-unrolled",
        ("63",),
        "W(v) = D(1) W_0/(D(v) D(v+1))",
        "paper 2 (63)",
        Check(unrolled, _unrolled_goals, _unrolled_samples),
    ),
    ClosedForm(
        "queue-telescoped",
        ("64",),
        "sum_{x<=v} lambda_x x W(x) = S(v) = W_0 (D(1)/D(v+1) - 1)",
        "paper 2 (64)",
        Check(queued, _queued_goals, _queued_samples),
    ),
    ClosedForm(
        "queue-volume",
        ("65",),
        "the sum of lambda_v v W(v) over all v is W_0 L/(r - L), L = lambda E[v]",
        "paper 2 (65)",
        Check(queued_volume, _volume_goals, _volume_samples),
    ),
)
