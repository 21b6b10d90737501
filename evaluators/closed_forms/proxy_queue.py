"""Bounds W'_k on the waits of the proxy classes of theorem 3.5 (paper 2, (71)-(81)).

Classes k = 1, ..., K with loads rho_k = lambda_k v_k, R_k = rho_1 + ... + rho_k, rate r > R_K.
The true waits W_j are only known to be at most W'_j: symbolically W'_j minus a slack, on the grid
a share of it.  Identities take r - R_0, ..., r - R_K as symbols; signs need the loads as symbols.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import Any

import sympy

from .framework import Check, ClosedForm, Formula, Goal, Point, Relation, Sample

CLASSES = 6
_FREE = sympy.symbols(f"y0:{CLASSES + 1}", positive=True)  # r - R_k
_LOADS = sympy.symbols("rho1:4", positive=True)
_SPARE, _W0, _R = sympy.symbols("spare W0 r", positive=True)  # spare = r - R_K
_SLACKS = sympy.symbols("e1:4", nonnegative=True)
_SERVED, _AHEAD, _LOAD, _BOUND = sympy.symbols("S A rho_k w", positive=True)


def waited(rate: Any, w0: Any, served: Any, ahead: Any, load: Any, bound: Any) -> Any:
    """Right side of (71): (W_0 + sum_{j<k} rho_j W_j + rho_k W' + W' R_{k-1}) / r."""
    return (w0 + served + load * bound + bound * ahead) / rate


def scaled(w0: Any, served: Any, ahead: Any, load: Any, bound: Any) -> Any:
    """W'_k r, (72) of paper 2: W_0 + sum_{j<k} rho_j W_j + W'_k R_k."""
    return w0 + served + bound * (ahead + load)


def isolated(rate: Any, w0: Any, served: Any, cumulated: Any) -> Any:
    """W'_k from (73) and, with k-1, (74): (W_0 + sum_{j<k} rho_j W_j) / (r - R_k)."""
    return (w0 + served) / (rate - cumulated)


def difference(two_back: Any, one_back: Any, wait: Any) -> Any:
    """W'_k (r-R_k) - W'_{k-1} (r-R_{k-1}), (75) of paper 2: (R_{k-1} - R_{k-2}) W_{k-1}."""
    return (one_back - two_back) * wait


def stepped(rate: Any, two_back: Any, here: Any, bound: Any) -> Any:
    """Bound (76), (77) on W'_k by W'_{k-1}: W'_{k-1} (r - R_{k-2}) / (r - R_k)."""
    return bound * (rate - two_back) / (rate - here)


def unrolled(rate: Any, w0: Any, one_back: Any, here: Any) -> Any:
    """Bound (78) on W'_k: W_0 r / ((r - R_{k-1}) (r - R_k))."""
    return w0 * rate / ((rate - one_back) * (rate - here))


def telescoped(rate: Any, total: Any) -> Any:
    """Sum (80) over k of (R_k - R_{k-1})/((r-R_{k-1})(r-R_k)): 1/(r - R_K) - 1/r."""
    return 1 / (rate - total) - 1 / rate


def middle(rate: Any, w0: Any, load: Any) -> Any:
    """Middle of (81) corrected: W_0 r (1/(r-L) - 1/r)."""
    return w0 * rate * (1 / (rate - load) - 1 / rate)


def middle_printed(rate: Any, w0: Any, load: Any) -> Any:
    """Middle of (81) as printed, with r for 1/r: W_0 r (1/(r-L) - r)."""
    return w0 * rate * (1 / (rate - load) - rate)


def cumulate(loads: Sequence[Any]) -> list[Any]:
    """Return R_0 = 0, R_1, ..., R_K."""
    sums = [0 * loads[0]]
    for load in loads:
        sums.append(sums[-1] + load)
    return sums


class Queue:
    """Loads, R, r and the waits: W'_k by (73), then W_k = W'_k lowered (by slack or share)."""

    def __init__(
        self,
        loads: Sequence[Any],
        rate: Any,
        w0: Any,
        lower: Callable[[int, Any], Any],
        reduced: Callable[[Any], Any] = lambda value: value,
    ) -> None:
        self.loads = loads
        self.r = cumulate(loads)
        self.rate = rate
        self.w0 = w0
        self.bounds: list[Any] = []
        self.waits: list[Any] = []
        self.served: list[Any] = []
        for k, load in enumerate(loads):
            before = sum((x * w for x, w in zip(loads, self.waits, strict=False)), 0 * load)
            self.served.append(reduced(before))
            self.bounds.append(reduced((w0 + before) / (rate - self.r[k + 1])))
            self.waits.append(lower(k, self.bounds[k]))


@cache
def symbolic_queue() -> Queue:
    """Queue whose waits meet their bounds, in the symbols r - R_k; six classes."""
    loads = [back - here for back, here in pairwise(_FREE)]
    return Queue(loads, _FREE[0], _W0, lambda k, w: w, sympy.cancel)


@cache
def slack_queue() -> Queue:
    """Queue with W_k = W'_k - e_k, in the symbols rho_k and r - R_K; three classes."""
    rate = sum(_LOADS) + _SPARE
    return Queue(_LOADS, rate, _W0, lambda k, w: w - _SLACKS[k], sympy.cancel)


def queues(tight: bool = False) -> Iterator[tuple[Point, Queue]]:
    """Yield queues with rational loads; unless tight, W_k is a share of W'_k."""
    shares = (Fraction(1), Fraction(1, 2), Fraction(0), Fraction(3, 4))
    raw = ((1,), (2, 3), (4, 0, 1), (1, 5, 2, 2), (3, 1, 4, 1, 5, 9))
    for number, numerators in enumerate(raw):
        loads = [Fraction(n, number + 3) for n in numerators]
        for spare, w0 in ((Fraction(1, 3), Fraction(1)), (Fraction(4), Fraction(5, 2))):
            for shift in range(1 if tight else len(shares)):
                point = {"case": number, "spare": spare, "W0": w0, "shift": shift}
                yield (
                    point,
                    Queue(
                        loads,
                        sum(loads) + spare,
                        w0,
                        lambda k, w, shift=shift: (  # type: ignore[misc]
                            w if tight else shares[(k + shift) % 4] * w
                        ),
                    ),
                )


PerClass = Callable[[Formula, Queue, int], tuple[Any, Any]]


def _per_class(
    pair: PerClass, relation: Relation, first: int = 0
) -> tuple[Callable[[Formula], Iterable[Goal]], Callable[[Formula], Iterable[Sample]]]:
    """Return goals and samples `left relation right` for every class k >= first.

    Symbolically six classes without and three with slack.
    """

    def goals(formula: Formula) -> Iterator[Goal]:
        for queue in (symbolic_queue(), slack_queue()):
            for k in range(first, len(queue.loads)):
                left, right = pair(formula, queue, k)
                yield Goal(f"class {k + 1} of {len(queue.loads)}", left, relation, right)

    def samples(formula: Formula) -> Iterator[Sample]:
        for point, queue in queues():
            for k in range(first, len(queue.loads)):
                left, right = pair(formula, queue, k)
                yield Sample({**point, "k": k + 1}, left, relation, right)

    return goals, samples


def _waited(formula: Formula, q: Queue, k: int) -> tuple[Any, Any]:
    """(71) defines W'_k; it is what (73) gives."""
    claim = formula(q.rate, q.w0, q.served[k], q.r[k], q.loads[k], q.bounds[k])
    return claim, q.bounds[k]


def _scaled(formula: Formula, q: Queue, k: int) -> tuple[Any, Any]:
    claim = formula(q.w0, q.served[k], q.r[k], q.loads[k], q.bounds[k])
    return claim, q.bounds[k] * q.rate


def _difference(formula: Formula, q: Queue, k: int) -> tuple[Any, Any]:
    here = q.bounds[k] * (q.rate - q.r[k + 1])
    back = q.bounds[k - 1] * (q.rate - q.r[k])
    return formula(q.r[k - 1], q.r[k], q.waits[k - 1]), here - back


def _stepped(formula: Formula, q: Queue, k: int) -> tuple[Any, Any]:
    return q.bounds[k], formula(q.rate, q.r[k - 1], q.r[k + 1], q.bounds[k - 1])


def _unrolled(formula: Formula, q: Queue, k: int) -> tuple[Any, Any]:
    return q.bounds[k], formula(q.rate, q.w0, q.r[k], q.r[k + 1])


def _true_wait(formula: Formula, q: Queue, k: int) -> tuple[Any, Any]:
    """W_k <= W'_k, the reason for (71): W'_k solves it, with (70) as an inequality."""
    return q.waits[k], formula(q.rate, q.w0, q.served[k], q.r[k], q.loads[k], q.bounds[k])


def _isolated_goals(formula: Formula) -> Iterator[Goal]:
    """Solve (72) for W'_k by sympy; k-1 in place of k is (74)."""
    cumulated = _AHEAD + _LOAD
    rate = cumulated + _SPARE
    equation = scaled(_W0, _SERVED, _AHEAD, _LOAD, _BOUND) - _BOUND * rate
    (solution,) = sympy.solve(equation, _BOUND)
    yield Goal("solution of (72)", formula(rate, _W0, _SERVED, cumulated), "=", solution)
    q = symbolic_queue()
    for k in range(CLASSES):
        claim = formula(q.rate, q.w0, q.served[k], q.r[k + 1])
        right = waited(q.rate, q.w0, q.served[k], q.r[k], q.loads[k], claim)
        yield Goal(f"fixed point of (71), class {k + 1}", claim, "=", right)


def _isolated_samples(formula: Formula) -> Iterator[Sample]:
    """The claimed W'_k put into (71) must give itself back."""
    for point, q in queues():
        for k, load in enumerate(q.loads):
            claim = formula(q.rate, q.w0, q.served[k], q.r[k + 1])
            right = (q.w0 + q.served[k] + load * claim + claim * q.r[k]) / q.rate
            yield Sample({**point, "k": k + 1}, claim, "=", right)


def _product_goals(formula: Formula) -> Iterator[Goal]:
    """The printed product of (78), k = 1..6, and its step for arbitrary R_{k-2}, R_{k-1}, R_k."""
    q = symbolic_queue()
    product = q.w0 / (q.rate - q.r[1])
    for k in range(1, CLASSES + 1):
        if k > 1:
            product *= (q.rate - q.r[k - 2]) / (q.rate - q.r[k])
        yield Goal(f"product, k = {k}", formula(q.rate, q.w0, q.r[k - 1], q.r[k]), "=", product)
    two, one, here = sympy.symbols("R_two R_one R_here", positive=True)
    lower = formula(_R, _W0, two, one)
    yield Goal("step", formula(_R, _W0, one, here), "=", stepped(_R, two, here, lower))
    slack = slack_queue()
    for k in range(3):
        left, right = _unrolled(formula, slack, k)
        yield Goal(f"W'_{k + 1} with slack", left, "<=", right)


def _product_samples(formula: Formula) -> Iterator[Sample]:
    """Equality when the true waits meet their bounds, at most otherwise."""
    for tight in (True, False):
        for point, q in queues(tight):
            for k in range(len(q.loads)):
                left, right = _unrolled(formula, q, k)
                yield Sample({**point, "k": k + 1}, left, "=" if tight else "<=", right)


def _workload(formula: Formula, q: Queue, of: list[Any]) -> tuple[Any, Any]:
    """Sum of rho_k times the waits, and the right side of (79)."""
    left = sum(load * wait for load, wait in zip(q.loads, of, strict=True))
    right = sum((here - back) * formula(q.rate, q.w0, back, here) for back, here in pairwise(q.r))
    return left, right


def _workload_goals(formula: Formula) -> Iterator[Goal]:
    """Equality if W_k = W'_k for all k; with slack each sum of (79) is at most the next."""
    q = symbolic_queue()
    left, right = _workload(formula, q, q.bounds)
    yield Goal("tight", left, "=", right)
    q = slack_queue()
    true, _ = _workload(formula, q, q.waits)
    bound, right = _workload(formula, q, q.bounds)
    yield Goal("rho W <= rho W'", true, "<=", bound)
    yield Goal("rho W' <= right side", bound, "<=", right)


def _workload_samples(formula: Formula) -> Iterator[Sample]:
    for point, q in queues(tight=True):
        left, right = _workload(formula, q, q.bounds)
        yield Sample({**point, "tight": 1}, left, "=", right)
    for point, q in queues():
        true, _ = _workload(formula, q, q.waits)
        bound, right = _workload(formula, q, q.bounds)
        yield Sample(point, true, "<=", bound)
        yield Sample(point, bound, "<=", right)


def _workload_printed_goals(formula: Formula) -> Iterator[Goal]:
    """As printed: the sum of rho_k W'_k equals the right side whatever the true waits are."""
    q = slack_queue()
    left, right = _workload(formula, q, q.bounds)
    yield Goal("rho W' = right side", left, "=", right)


def _workload_printed_samples(formula: Formula) -> Iterator[Sample]:
    for point, q in queues():
        left, right = _workload(formula, q, q.bounds)
        yield Sample(point, left, "=", right)


def _telescoped_goals(formula: Formula) -> Iterator[Goal]:
    """One term is a difference, for arbitrary R; six terms telescope."""
    back, here = sympy.symbols("R_back R_here", positive=True)
    term = (here - back) / ((_R - back) * (_R - here))
    yield Goal("term", formula(_R, here) - formula(_R, back), "=", term)
    yield Goal("empty sum", formula(_R, sympy.S.Zero), "=", sympy.S.Zero)
    q = symbolic_queue()
    total = sum((b - a) / ((q.rate - a) * (q.rate - b)) for a, b in pairwise(q.r))
    yield Goal("six terms", formula(q.rate, q.r[-1]), "=", total)


def _telescoped_samples(formula: Formula) -> Iterator[Sample]:
    for point, q in queues(tight=True):
        total = sum((b - a) / ((q.rate - a) * (q.rate - b)) for a, b in pairwise(q.r))
        yield Sample(point, formula(q.rate, q.r[-1]), "=", total)


def _middle_goals(formula: Formula) -> Iterator[Goal]:
    """Both ends of (81): W_0 r times (80), and W_0 L/(r-L)."""
    load = sympy.Symbol("L", positive=True)
    rate = load + _SPARE
    claim = formula(rate, _W0, load)
    yield Goal("right end", claim, "=", _W0 * load / (rate - load))
    yield Goal("W_0 r times (80)", claim, "=", _W0 * rate * telescoped(rate, load))


def _middle_samples(formula: Formula) -> Iterator[Sample]:
    """The workload summed class by class with W_k = W'_k."""
    for point, q in queues(tight=True):
        total = sum((load * w for load, w in zip(q.loads, q.waits, strict=True)), Fraction(0))
        yield Sample({**point, "r": q.rate}, formula(q.rate, q.w0, q.r[-1]), "=", total)


FORMS: tuple[ClosedForm, ...] = (
    ClosedForm(
        "proxy-wait-definition",
        ("71",),
        "W'_k = (W_0 + sum_{j<k} rho_j W_j + rho_k W'_k + W'_k R_{k-1})/r",
        "paper 2 (71), right equality",
        Check(waited, *_per_class(_waited, "=")),
    ),
    ClosedForm(
        "proxy-wait-bound",
        ("71",),
        "W_k is at most the right side of (71) if W_k <= W'_k",
        "paper 2 (71), left inequality",
        Check(waited, *_per_class(_true_wait, "<=")),
    ),
    ClosedForm(
        "proxy-wait-scaled",
        ("72",),
        "W'_k r = W_0 + sum_{j<k} rho_j W_j + W'_k R_k",
        "paper 2 (72)",
        Check(scaled, *_per_class(_scaled, "=")),
    ),
    ClosedForm(
        "proxy-wait-isolated",
        ("73", "74"),
        "W'_k (r - R_k) = W_0 + sum_{j<k} rho_j W_j",
        "paper 2 (73), and (74) with k-1",
        Check(isolated, _isolated_goals, _isolated_samples),
    ),
    ClosedForm(
        "proxy-wait-difference",
        ("75",),
        "W'_k (r-R_k) - W'_{k-1} (r-R_{k-1}) = (R_{k-1}-R_{k-2}) W_{k-1}",
        "paper 2 (75)",
        Check(difference, *_per_class(_difference, "=", first=1)),
    ),
    ClosedForm(
        "proxy-wait-step",
        ("76", "77"),
        "W'_k <= W'_{k-1} (r-R_{k-2})/(r-R_k)",
        "paper 2 (76), (77)",
        Check(stepped, *_per_class(_stepped, "<=", first=1)),
    ),
    ClosedForm(
        "proxy-wait-unrolled",
        ("78",),
        "W'_k <= W_0 r/((r-R_{k-1})(r-R_k)), the value of the printed product",
        "paper 2 (78)",
        Check(unrolled, _product_goals, _product_samples),
    ),
    ClosedForm(
        "proxy-workload",
        ("79",),
        "sum rho_k W_k <= sum rho_k W'_k <= sum (R_k-R_{k-1}) W_0 r/((r-R_{k-1})(r-R_k)), with "
        "equality if W_k = W'_k; printed with = for the second <=, although (78) is only <=",
        "paper 2 (79), relation corrected here",
        Check(unrolled, _workload_goals, _workload_samples),
        printed=Check(unrolled, _workload_printed_goals, _workload_printed_samples),
    ),
    ClosedForm(
        "proxy-telescoping",
        ("80",),
        "sum (R_k-R_{k-1})/((r-R_{k-1})(r-R_k)) = 1/(r-R_K) - 1/r",
        "paper 2 (80)",
        Check(telescoped, _telescoped_goals, _telescoped_samples),
    ),
    ClosedForm(
        "proxy-workload-closed",
        ("81",),
        "W_0 r (1/(r-L) - 1/r) = W_0 L/(r-L), L = lambda E[v]; printed with r for 1/r",
        "paper 2 (81), corrected in svf.md section 2",
        Check(middle, _middle_goals, _middle_samples),
        printed=Check(middle_printed, _middle_goals, _middle_samples),
    ),
)
