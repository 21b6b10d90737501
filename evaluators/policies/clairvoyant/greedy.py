"""Area-order Greedy: reserve the full rectangle, nobody passes the first (paper 3, section 3).

A request is a rectangle of width s + o and height o.  Order (area of the request, id); at round 0
and at each completion the first waiting one starts while it fits.  Strict: no skipping.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...model import Request
from ..nonclairvoyant.copies import Alone, EndDriven
from ..nonclairvoyant.engine import Report, Start


def full_area(request: Request) -> int:
    """Return a = o (s + o), the area of the full rectangle; A <= a <= 2A."""
    return request.output * request.peak


class Greedy(EndDriven):
    """One run of Greedy on `requests`; a copy in the sense of `nonclairvoyant.copies`.

    `width`: units reserved by each, by default its peak s + o (width M makes it serial).
    """

    def __init__(self, memory: int, requests: Iterable[Request], width: int | None = None) -> None:
        self.memory = memory
        self.room = memory
        ordered = sorted(requests, key=lambda r: (r.volume2, r.id), reverse=True)
        self.waiting = [(r, r.peak if width is None else width) for r in ordered]
        self.active: dict[int, int] = {}

    def begin(self, now: int) -> list[Start]:
        """Start the first ones that fit."""
        starts: list[Start] = []
        while self.waiting and self.waiting[-1][1] <= self.room:
            request, width = self.waiting.pop()
            self.room -= width
            self.active[request.id] = width
            starts.append(Start(request.id, request.output))
        return starts

    def close(self, now: int, report: Report) -> None:
        """Free what completed."""
        for request in report.completed:
            self.room += self.active.pop(request)


class GreedyPolicy(Alone):
    """Greedy alone on a burst; `width` as in `Greedy`."""

    def __init__(self, memory: int, requests: Iterable[Request], width: int | None = None) -> None:
        super().__init__(lambda _: Greedy(memory, requests, width))
