"""Exact expectations under geometric and finite laws, by definition and without sympy.

Geometric: P(o = k) = mu (1 - mu)^(k-1), k = 1, 2, ... (paper 2, section 3.4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import pairwise

Law = tuple[tuple[Fraction, Fraction], ...]  # pairs (value, probability)

MUS = tuple(Fraction(a, b) for a, b in ((1, 9), (1, 3), (1, 2), (5, 7), (9, 10)))
PROMPTS: tuple[Law, ...] = (
    ((Fraction(0), Fraction(1)),),
    ((Fraction(20), Fraction(1)),),
    ((Fraction(3), Fraction(1, 4)), (Fraction(11, 2), Fraction(3, 4))),
)


def mean(law: Law, function: Callable[[Fraction], Fraction] = lambda value: value) -> Fraction:
    """Return the expectation of a function under a finite law."""
    return sum((p * function(value) for value, p in law), Fraction(0))


def geometric_mean(polynomial: Callable[[int], Fraction], degree: int, mu: Fraction) -> Fraction:
    """E[f(o)] for a polynomial f of at most this degree: sum of (Delta^i f)(1) ((1-mu)/mu)^i.

    Newton's forward differences with E[C(o-1, i)] = ((1-mu)/mu)^i; only values of f are used.
    """
    values = [polynomial(k) for k in range(1, degree + 2)]
    total = Fraction(0)
    for i in range(degree + 1):
        total += values[0] * ((1 - mu) / mu) ** i
        values = [after - before for before, after in pairwise(values)]
    return total


def short_part(polynomial: Callable[[int], Fraction], theta: int, mu: Fraction) -> Fraction:
    """E[f(o); o <= theta] by direct summation."""
    terms = (polynomial(k) * mu * (1 - mu) ** (k - 1) for k in range(1, theta + 1))
    return sum(terms, Fraction(0))


def volume_sum(s: Fraction, o: int) -> Fraction:
    """Memory-time area by definition: sum over u = 1..o of (s + u)."""
    return sum((s + u for u in range(1, o + 1)), Fraction(0))


def residual_sum(s: Fraction, o: int, first: int) -> Fraction:
    """Volume still to come, summed over k = first..o, when k units have been generated."""
    return sum((volume_sum(s, o) - volume_sum(s, k) for k in range(first, o + 1)), Fraction(0))


def geometric_grid() -> Iterator[tuple[Fraction, Law]]:
    """Yield the grid of (mu, law of the prompt)."""
    for mu in MUS:
        for law in PROMPTS:
            yield mu, law
