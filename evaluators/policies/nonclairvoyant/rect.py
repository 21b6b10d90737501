"""Rect: a strip of rectangles of known widths and unknown heights (paper 3, sections 4 and 9).

An attempt of level r runs at most 2^r rounds and has the budget width * 2^r.  Pending attempts
start in the order (budget, id), strictly: nobody passes the first that does not fit.  What the
widths mean for a KV cache is nonclairvoyant.md section 2.2: w = M for large requests, and w = 2s
with a certificate after s rounds for small ones.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ..views import NonClairvoyantView
from .copies import Alone, EndDriven
from .engine import Report, Start

STARTED, COMPLETED, CERTIFIED, EXPIRED = range(4)


class Strip(NamedTuple):
    """A request as a rectangle: its width (units), and after how many rounds it is certified.

    A request that ran `cap` rounds without completing leaves the strip: its output is > cap.
    """

    request: int
    width: int
    cap: int | None = None


Step = tuple[int, int, int, int]
"""One step of a run: round, kind (STARTED, COMPLETED, CERTIFIED, EXPIRED), request, level.

A plain tuple: a run of 10^5 requests has 2 * 10^6 of them, and the collector need not visit those.
"""


@dataclass(slots=True)
class RectLog:
    """What a run of Rect did, for the certificates: its strips and its steps in order.

    A state is settled before each step that is no start (and at the end).  `killed` is the round in
    which the slot ended, None if the run was not cut off.
    """

    memory: int
    strips: Sequence[Strip]
    begin: int = 0
    steps: list[Step] = field(default_factory=list)
    killed: int | None = None


class Rect(EndDriven):
    """One run of Rect on `strips` (1 <= width <= memory); a copy in the sense of `copies`."""

    def __init__(
        self,
        memory: int,
        strips: Iterable[Strip],
        certified: Callable[[int], None] | None = None,
    ) -> None:
        self.memory = memory
        self.strips = {strip.request: strip for strip in strips}
        self.certified = certified
        self.pending = [(s.width, s.request, 0) for s in self.strips.values()]
        heapq.heapify(self.pending)
        self.active: dict[int, tuple[int, int]] = {}  # request -> (level, start)
        self.used = 0
        self.log = RectLog(memory, tuple(self.strips.values()))

    def begin(self, now: int) -> list[Start]:
        """Scan for the first time."""
        self.log.begin = now
        starts: list[Start] = []
        self._scan(now, starts)
        return starts

    def handle(self, now: int, report: Report) -> list[Start]:
        """Process the ends one at a time: completions, certificates, expirations, each by id."""
        starts: list[Start] = []
        for kind, request in self._ends(now, report):
            level = self._leave(now, kind, request)
            if kind == EXPIRED:
                budget = self.strips[request].width << (level + 1)
                heapq.heappush(self.pending, (budget, request, level + 1))
            self._scan(now, starts)
        return starts

    def close(self, now: int, report: Report) -> None:
        """Take note of the ends; a certificate in the last round of a slot counts."""
        for kind, request in self._ends(now, report):
            self._leave(now, kind, request)
        self.log.killed = now

    def _ends(self, now: int, report: Report) -> list[tuple[int, int]]:
        ends = [(COMPLETED, request) for request in report.completed]
        for request in report.expired:
            whole = now - self.active[request][1] == self.strips[request].cap
            ends.append((CERTIFIED if whole else EXPIRED, request))
        if report.expired:
            ends.sort()
        return ends

    def _leave(self, now: int, kind: int, request: int) -> int:
        level, _ = self.active.pop(request)
        self.used -= self.strips[request].width
        self.log.steps.append((now, kind, request, level))
        if kind == CERTIFIED and self.certified is not None:
            self.certified(request)
        return level

    def _scan(self, now: int, starts: list[Start]) -> None:
        pending, strips = self.pending, self.strips
        while pending:
            _, request, level = pending[0]
            _, width, cap = strips[request]
            if self.used + width > self.memory:
                return
            heapq.heappop(pending)
            self.used += width
            self.active[request] = (level, now)
            limit = 1 << level
            starts.append(Start(request, limit if cap is None else min(limit, cap)))
            self.log.steps.append((now, STARTED, request, level))


def large_strips(memory: int, views: Iterable[NonClairvoyantView]) -> list[Strip]:
    """Return the reading for large requests: width M, one at a time (nonclairvoyant.md 2.2)."""
    return [Strip(view.id, memory) for view in views]


def prompt_strips(views: Iterable[NonClairvoyantView]) -> list[Strip]:
    """Return the reading for small requests with s >= 1: width 2s, certified after s rounds."""
    return [Strip(view.id, 2 * view.prompt, view.prompt) for view in views]


class RectPolicy(Alone):
    """Rect alone on a burst, with the strips that `read` makes; `log` is that of its run."""

    def __init__(
        self, memory: int, read: Callable[[Sequence[NonClairvoyantView]], list[Strip]]
    ) -> None:
        def make(views: Sequence[NonClairvoyantView]) -> Rect:
            self.rect = Rect(memory, read(views))
            return self.rect

        super().__init__(make)


def rect_large(memory: int) -> RectPolicy:
    """Return Rect for large requests (4s > M); runs any burst, serially."""
    return RectPolicy(memory, lambda views: large_strips(memory, views))


def rect_prompt(memory: int) -> RectPolicy:
    """Return Rect for prompt-heavy requests (s >= 1, 4s <= M, o <= s)."""
    return RectPolicy(memory, prompt_strips)
