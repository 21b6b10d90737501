"""Collects many cases left <= right of one statement and keeps the tightest, or raises."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ..certificates import Certificate, CertificateError

Number = int | Fraction


class Tightest:
    """One statement left <= right, checked case by case; a broken case raises at once."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source, self.checked = name, source, 0
        self.best: tuple[Number, Number, int | None, int | None] = (0, 0, None, None)

    def check(
        self, left: Number, right: Number, *, request: int | None = None, now: int | None = None
    ) -> None:
        """Count the case; raises CertificateError if left > right."""
        self.checked += 1
        if left > right:
            raise CertificateError(
                Certificate(
                    self.name, self.source, 1, request, Fraction(left), Fraction(right), now
                )
            )
        # left / right is largest, without a division
        if self.checked == 1 or left * self.best[1] > self.best[0] * right:
            self.best = left, right, request, now

    def certificate(self) -> Certificate:
        """Return the statement with the number of cases and the tightest one."""
        left, right, request, now = self.best
        return Certificate(
            self.name, self.source, self.checked, request, Fraction(left), Fraction(right), now
        )


def certificates(statements: Iterable[Tightest]) -> list[Certificate]:
    """Return those that had a case."""
    return [statement.certificate() for statement in statements if statement.checked]
