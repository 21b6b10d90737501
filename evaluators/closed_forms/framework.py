"""What a closed form is and how it is checked: decided by sympy, then exactly on a grid.

A closed form is one Python function, the `formula`, written with + - * / ** only, so that the same
text works on sympy symbols and on fractions.  Two halves test it and share nothing but it:

* `goals`: sympy expressions that must be zero, nonnegative or positive.  Zero is decided by
  normal forms of rational functions (in the symbols and in powers such as q**theta), the sign by
  coefficients: after a substitution that makes every symbol positive, an expanded numerator and
  denominator without a negative term.  Nothing is decided by evaluating at random points.
* `samples`: at rational points, the formula's value against the definition computed directly
  (sums, recurrences, laws) in fractions, without sympy.

A formula that the paper misprints is a second check, `printed`, which both halves must reject; the
first sample that fails is the witness.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import sympy

Expression = Any  # sympy carries no types
Formula = Callable[..., Any]
Point = Mapping[str, Fraction | int | str]
Relation = Literal["=", "<=", "<"]


def _reduced(expression: Expression) -> Iterator[Expression]:
    """Yield numerator/denominator in lowest terms: as given, then expanded (q**(theta+1) needs it).

    The generators are the symbols and powers such as q**theta.
    """
    given = sympy.sympify(expression)
    yield sympy.cancel(sympy.together(given))
    yield sympy.cancel(sympy.together(sympy.expand(given)))


def is_zero(expression: Expression) -> bool:
    """Whether sympy reduces the expression, a rational function, to the number 0."""
    return any(bool(form == 0) for form in _reduced(expression))


def has_sign(expression: Expression, strict: bool) -> bool:
    """Whether the expression is seen to be >= 0 (> 0 if strict) from its terms alone.

    Sufficient, not necessary: as given (squares), or no term of the expanded numerator and
    denominator may be negative under the assumptions of the symbols.
    """
    given = sympy.sympify(expression)
    if given.is_positive or (given.is_nonnegative and not strict):
        return True
    numerator, denominator = sympy.fraction(next(_reduced(given)))
    for sign in (1, -1):
        above, below = sympy.expand(sign * numerator), sympy.expand(sign * denominator)
        if below.is_positive and (above.is_positive if strict else above.is_nonnegative):
            return True
    return False


@dataclass(frozen=True, slots=True)
class Goal:
    """`left relation right` for sympy expressions, for all values that their symbols allow."""

    name: str
    left: Expression
    relation: Relation
    right: Expression

    def decided(self) -> bool:
        """Whether sympy proves the goal; false if it refutes it or cannot tell."""
        if self.relation == "=":
            return is_zero(self.left - self.right)
        return has_sign(self.right - self.left, strict=self.relation == "<")


@dataclass(frozen=True, slots=True)
class Sample:
    """`left relation right` in exact numbers at one rational point."""

    point: Point
    left: Fraction
    relation: Relation
    right: Fraction

    def holds(self) -> bool:
        """Whether the relation is true of the two numbers."""
        if self.relation == "=":
            return self.left == self.right
        return self.left < self.right or (self.relation == "<=" and self.left == self.right)

    def __str__(self) -> str:
        point = ", ".join(f"{name}={value}" for name, value in self.point.items())
        return f"{point}: not {self.left} {self.relation} {self.right}"


Goals = Callable[[Formula], Iterable[Goal]]
Samples = Callable[[Formula], Iterable[Sample]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a check found: counts, the goals that sympy did not prove, the first false sample."""

    goals: int
    samples: int
    unproved: tuple[str, ...]
    witness: Sample | None

    @property
    def symbolic(self) -> bool:
        """Whether there was something to prove and sympy proved all of it."""
        return self.goals > 0 and not self.unproved

    @property
    def grid(self) -> bool:
        """Whether there was a point and every point agreed with the definition."""
        return self.samples > 0 and self.witness is None

    @property
    def holds(self) -> bool:
        """Whether both halves accept."""
        return self.symbolic and self.grid

    @property
    def refuted(self) -> bool:
        """Whether both halves reject, the second with a witness."""
        return bool(self.unproved) and self.witness is not None


@dataclass(frozen=True, slots=True)
class Check:
    """A formula with the goals and the samples that test it; calling it runs both halves."""

    formula: Formula
    goals: Goals
    samples: Samples

    def of(self, formula: Formula) -> Check:
        """Return the same check of another formula."""
        return replace(self, formula=formula)

    def symbolic(self) -> tuple[int, tuple[str, ...]]:
        """Return how many goals there are, and the names of those that sympy does not prove."""
        goals = list(self.goals(self.formula))
        return len(goals), tuple(goal.name for goal in goals if not goal.decided())

    def grid(self) -> tuple[int, Sample | None]:
        """Return how many points were compared, and the first that fails, where it stops."""
        count = 0
        for sample in self.samples(self.formula):
            count += 1
            if not sample.holds():
                return count, sample
        return count, None

    def __call__(self) -> Outcome:
        """Run both halves."""
        goals, unproved = self.symbolic()
        samples, witness = self.grid()
        return Outcome(goals, samples, unproved, witness)


@dataclass(frozen=True, slots=True)
class ClosedForm:
    """One closed form: where it stands, what it says, and the check that decides it.

    `equation` lists the paper's equation numbers, or names a step of ours; `printed` is the form
    as the paper prints it where that is wrong.
    """

    id: str
    equation: tuple[str, ...]
    statement: str
    source: str
    check: Check
    printed: Check | None = None

    def reasons(self) -> list[str]:
        """Return why the form is rejected; empty if it holds and its misprint, if any, fails."""
        try:
            found = self.check()
        except ZeroDivisionError as error:
            return [f"{self.id}: undefined on the grid: {error}"]
        reasons = [f"{self.id}: not proved: {name}" for name in found.unproved]
        if found.witness is not None:
            reasons.append(f"{self.id}: {found.witness}")
        if not found.holds and not reasons:
            reasons.append(f"{self.id}: nothing to check")
        if self.printed is not None and not self.printed().refuted:
            reasons.append(f"{self.id}: the printed form is not refuted")
        return reasons

    def misprint(self) -> Sample | None:
        """Return the first rational point at which the printed form is false."""
        return self.printed().witness if self.printed is not None else None


def exact(point: Point) -> dict[str, Fraction]:
    """Return the numbers of a point as fractions, so that a formula's / is exact."""
    return {name: Fraction(value) for name, value in point.items()}


def identity(
    formula: Formula,
    symbols: Mapping[str, Expression],
    derived: Callable[[], Expression],
    points: Iterable[Point],
    definition: Callable[..., Fraction],
) -> Check:
    """Return the check `formula = derived` in symbols and `formula = definition` on the points.

    Names of symbols and of coordinates are the formula's arguments; `derived` and `definition`
    reach the same quantity by other ways, the first in sympy, the second in fractions.
    """
    grid = tuple(points)

    def goals(claim: Formula) -> Iterable[Goal]:
        yield Goal("identity", claim(**symbols), "=", derived())

    def samples(claim: Formula) -> Iterable[Sample]:
        for point in grid:
            yield Sample(point, claim(**exact(point)), "=", Fraction(definition(**point)))

    return Check(formula, goals, samples)
