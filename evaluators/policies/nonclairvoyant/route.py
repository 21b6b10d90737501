"""Route: Rect and Response side by side, with certificates (paper 3, section 7).

Small requests (4s <= M) start in pool P and are scheduled as prompt-heavy by Rect; one that ran s
rounds uncompleted is certified response-heavy and moves to pool R, which Response schedules.
Large requests form pool L.  The three take turns in slots, P before R before L.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from dataclasses import dataclass, field

from ..views import NonClairvoyantView
from .copies import Copy
from .engine import Decision, Report
from .meta import Slot, Slots
from .rect import Rect, RectLog, large_strips, prompt_strips
from .regimes import is_large
from .response import Caps, Response, ResponseLog, power_caps

PROMPT, RESPONSE, LARGE = range(3)
EQUAL_SLOTS = (1, 1, 1)


@dataclass(slots=True)
class RouteLog:
    """The slots of a run with the log of each copy, and the round of every certificate."""

    memory: int
    weights: tuple[int, int, int]
    caps: Caps
    slots: list[tuple[Slot, RectLog | ResponseLog]] = field(default_factory=list)
    certified: dict[int, int] = field(default_factory=dict)


class Route:
    """The policy; `log` is what it did.

    `dummies`: completed requests stay in the pools, as the paper says; else they are removed, which
    is also valid (nonclairvoyant.md 2.6).  `weights` are the slots of P, R, L in units of 2^r.
    Requests enter at the start of a stage, so that this is Route online too.
    """

    def __init__(
        self,
        memory: int,
        weights: tuple[int, int, int] = EQUAL_SLOTS,
        caps: Caps = power_caps,
        dummies: bool = False,
    ) -> None:
        self.memory, self.dummies = memory, dummies
        self.log = RouteLog(memory, weights, caps)
        self.arrived: list[NonClairvoyantView] = []
        self.pools: tuple[list[NonClairvoyantView], ...] = ([], [], [])
        self.done: set[int] = set()
        self.slots = Slots(weights, self._copy)
        self.now = 0

    def decide(self, now: int, report: Report) -> Decision:
        """Move to the next slot at its end, else forward to the copy of the slot."""
        self.now = now
        self.arrived += report.arrived
        self.done.update(report.completed)
        if now < self.slots.slot.end:
            return self.slots.inside(now, report)
        kills = self.slots.close(now, report)
        if self.slots.stage_begins:
            self._admit()
        return self.slots.open(now, kills)

    def _admit(self) -> None:
        """Put what has arrived into the pools; a prompt of 0 is response-heavy without a run."""
        for view in self.arrived:
            if is_large(self.memory, view.prompt):
                insort(self.pools[LARGE], view)
            elif view.prompt:
                insort(self.pools[PROMPT], view)
            else:
                insort(self.pools[RESPONSE], view)
        self.arrived = []

    def _copy(self, stage: int, number: int) -> Copy | None:
        if not self.dummies and self.done:
            pool = self.pools[number]
            pool[:] = [view for view in pool if view.id not in self.done]
        views = self.pools[number]
        if not views:
            return None
        copy: Rect | Response
        if number == RESPONSE:
            copy = Response(self.memory, views, self.log.caps)
        elif number == LARGE:
            copy = Rect(self.memory, large_strips(self.memory, views))
        else:
            copy = Rect(self.memory, prompt_strips(views), self._certify)
        self.log.slots.append((self.slots.slot, copy.log))
        return copy

    def _certify(self, request: int) -> None:
        pool = self.pools[PROMPT]
        place = bisect_left(pool, request, key=lambda view: view.id)
        insort(self.pools[RESPONSE], pool.pop(place))
        self.log.certified[request] = self.now
