"""The words of a verdict and what they add up to (DESIGN.md section 4)."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum


class Verdict(StrEnum):
    """The three words, fixed because users grep for them."""

    VERIFIED = "VERIFIED"
    REJECTED = "REJECTED"
    NOT_CHECKED = "NOT CHECKED"


@dataclass(slots=True)
class Layer:
    """What one layer of checks found: how many items it checked, and every reason to reject.

    A layer that rejects gives at least one reason; one that did not run says why.
    """

    layer: str
    target: str
    checked: int = 0
    reasons: list[str] = field(default_factory=list)
    ran: bool = True
    microseconds: int = 0

    @property
    def verdict(self) -> Verdict:
        """VERIFIED only if it ran, checked something and found nothing."""
        if not self.ran:
            return Verdict.NOT_CHECKED
        if self.reasons or not self.checked:
            return Verdict.REJECTED
        return Verdict.VERIFIED

    def expect(self, holds: bool, reason: str) -> None:
        """Count one check; keep the reason if it fails."""
        self.checked += 1
        if not holds:
            self.reasons.append(reason)

    @contextmanager
    def timed(self) -> Iterator[Layer]:
        """Measure the block; an empty layer that ran is a rejection with a reason."""
        begin = time.perf_counter_ns()
        try:
            yield self
        finally:
            self.microseconds += (time.perf_counter_ns() - begin) // 1000
        if not self.checked and not self.reasons:
            self.reasons.append("nothing to check")


def overall(layers: Iterable[Layer]) -> Verdict:
    """REJECTED if any layer is; else VERIFIED if any is; else NOT CHECKED."""
    words = [layer.verdict for layer in layers]
    for word in (Verdict.REJECTED, Verdict.VERIFIED):
        if word in words:
            return word
    return Verdict.NOT_CHECKED
