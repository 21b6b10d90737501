"""Corrupted twins of the closed forms: each half of a check must reject them on its own."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import sympy

from evaluators.closed_forms import Check, ClosedForm

Formula = Callable[..., Any]

# Forms whose formula bounds something: a larger constant would still be true, so the twin is the
# true bound times a constant below 1.  Vector arguments cannot be rewritten coefficient by
# coefficient either, so those twins are scaled, too.
BOUNDS = {
    "wait-dominance": Fraction(9, 10),
    "proxy-wait-bound": Fraction(9, 10),
    "proxy-wait-step": Fraction(9, 10),
    "proxy-inversion": Fraction(1, 2),
    "penalty-decay": Fraction(9, 10),
    "penalty-factor": Fraction(99, 100),
    "sharper-bound": Fraction(99, 100),
}
VECTORS = {"auxiliary-line", "wait-recurrence"}


def evaluate(expression: Any, values: dict[str, Any]) -> Any:
    """Evaluate an expression tree on fractions or on symbols, by + * ** only."""
    if isinstance(expression, sympy.Symbol):
        return values[expression.name]
    if isinstance(expression, sympy.Rational):
        return Fraction(int(expression.p), int(expression.q))
    parts = [evaluate(part, values) for part in expression.args]
    if isinstance(expression, sympy.Pow):
        return parts[0] ** (int(parts[1]) if isinstance(parts[1], Fraction) else parts[1])
    total = parts[0]
    for part in parts[1:]:
        total = total * part if isinstance(expression, sympy.Mul) else total + part
    return total


def _leaves(expression: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    if isinstance(expression, sympy.Rational):
        yield path
    for index, part in enumerate(expression.args):
        yield from _leaves(part, (*path, index))


def _replaced(expression: Any, path: tuple[int, ...]) -> Any:
    """Add 2 to the number at the path: a coefficient, a summand or an exponent."""
    if not path:
        return expression + 2
    parts = list(expression.args)
    parts[path[0]] = _replaced(parts[path[0]], path[1:])
    return expression.func(*parts)


def mutants(formula: Formula) -> list[tuple[str, Formula]]:
    """Every formula that differs from the given one in one number, as polymorphic functions."""
    names = list(inspect.signature(formula).parameters)
    whole = formula(*sympy.symbols(names, positive=True))
    found: list[tuple[str, Formula]] = []
    for path in _leaves(whole):
        changed = _replaced(whole, path)
        if sympy.cancel(sympy.together(changed - whole)) != 0:
            found.append((str(changed), _function(names, changed)))
    return found


def rewritten(formula: Formula) -> Formula:
    """The formula itself, through the same expression tree as its mutants."""
    names = list(inspect.signature(formula).parameters)
    return _function(names, formula(*sympy.symbols(names, positive=True)))


def _function(names: list[str], expression: Any) -> Formula:
    def formula(*positional: Any, **named: Any) -> Any:
        return evaluate(expression, {**dict(zip(names, positional, strict=False)), **named})

    return formula


def scaled(formula: Formula, factor: Fraction) -> Formula:
    """The formula times a constant."""
    return lambda *positional, **named: formula(*positional, **named) * factor


def twins(form: ClosedForm) -> list[tuple[str, Formula]]:
    """Corrupted formulas of a closed form: one for a bound, one for each number of an equality."""
    formula = form.check.formula
    if form.id in BOUNDS or form.id in VECTORS:
        factor = BOUNDS.get(form.id, Fraction(1001, 1000))
        return [(f"times {factor}", scaled(formula, factor))]
    generic = [("times 1001/1000", scaled(formula, Fraction(1001, 1000)))]
    return mutants(formula) or generic


def symbolic_rejects(check: Check) -> bool:
    """Whether sympy fails to prove some goal."""
    return any(not goal.decided() for goal in check.goals(check.formula))


def grid_rejects(check: Check) -> bool:
    """Whether some point contradicts the definition, or the formula is undefined there."""
    try:
        return any(not sample.holds() for sample in check.samples(check.formula))
    except ZeroDivisionError:
        return True
