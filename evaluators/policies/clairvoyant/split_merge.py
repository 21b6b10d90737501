"""Split and merge: Greedy on the small and on the large requests in turns (paper 3, section 3).

Small: 2 (s + o) <= M, reserved at s + o.  Large: the others, one at a time in area order.  Total
completion time <= 28 times the least one (nonclairvoyant.md 3.17).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...model import Request
from ..nonclairvoyant.meta import BlackBoxMeta
from .greedy import Greedy


def parts(memory: int, requests: Sequence[Request]) -> tuple[list[Request], list[Request]]:
    """Return the small and the large requests."""
    small = [request for request in requests if 2 * request.peak <= memory]
    return small, [request for request in requests if 2 * request.peak > memory]


class SplitMerge(BlackBoxMeta):
    """The policy for a burst; `widths` are what each part reserves (None: the peak)."""

    def __init__(self, memory: int, requests: Sequence[Request]) -> None:
        small, large = parts(memory, requests)
        self.widths: tuple[int | None, int | None] = None, memory
        copies = (lambda: Greedy(memory, small), lambda: Greedy(memory, large, memory))
        super().__init__(lambda _: copies)
