"""The 16-approximation: doubling windows, the least areas first (paper 3, section 8).

Stage L = 1, 2, 4, ...: of all requests with o <= L, in order of (o (s + o), id), the longest prefix
of total area <= M L; those not yet run are packed by any-fit into a window of 2L - 1 rounds.  The
paper packs by Steinberg's theorem; memory is a sum, so any-fit does (nonclairvoyant.md 3.14, 3.15).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ...model import Request
from ..nonclairvoyant.engine import Decision, Report
from ..nonclairvoyant.packing import AnyFit, Item
from .greedy import full_area


class Window(NamedTuple):
    """One stage: its first round, L, and what is packed into begin..begin + 2L - 2."""

    begin: int
    length: int
    items: tuple[Item, ...]

    @property
    def end(self) -> int:
        """First round after the window."""
        return self.begin + 2 * self.length - 1


class Sixteen:
    """The policy, for bursts; `windows` is its log."""

    def __init__(self, memory: int, requests: Sequence[Request]) -> None:
        self.memory = memory
        self.by_area = sorted(requests, key=lambda r: (full_area(r), r.id))
        self.left = {request.id for request in requests}
        self.packing = AnyFit(memory, ())
        self.windows: list[Window] = []

    def decide(self, now: int, report: Report) -> Decision:
        """Pack; begin the next window when the last is over."""
        self.left.difference_update(report.completed)
        starts = self.packing.handle(now, report)
        if self.windows and now < self.windows[-1].end:
            return Decision(starts, wake=self.windows[-1].end)
        if not self.packing.idle:
            raise AssertionError(f"round {now}: a window did not end in time")
        length = 2 * self.windows[-1].length if self.windows else 1
        items = tuple(
            Item(r.id, r.peak, r.output) for r in self._prefix(length) if r.id in self.left
        )
        window = Window(now, length, items)
        self.windows.append(window)
        self.packing = AnyFit(self.memory, [items])
        return Decision(self.packing.begin(now), wake=window.end)

    def _prefix(self, length: int) -> list[Request]:
        chosen, area = [], 0
        for request in self.by_area:
            if request.output > length:
                continue
            area += full_area(request)
            if area > self.memory * length:
                break
            chosen.append(request)
        return chosen
