"""LengthDoubling: every unfinished request once for each cap (nonclairvoyant-sharp.md 2.3).

Phase r runs every unfinished request once, fresh, for at most min(c_r, M - s) rounds, with width
s + that, packed by any-fit.  Its makespan is at most 76/3 (caps 2^r) or 67/3 (caps 1, 2, 3, 4, 6,
8, 12, ...) times the least one; with arrivals twice that, in batches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ..views import NonClairvoyantView
from .engine import Decision, Report
from .packing import AnyFit, Item, groups_of
from .response import Caps, power_caps


class LengthPhase(NamedTuple):
    """One phase: its first round, cap, what is packed, and the first round after it."""

    begin: int
    cap: int
    items: tuple[Item, ...]
    end: int


@dataclass(slots=True)
class Batch:
    """The requests taken together, and the phases that run them."""

    begin: int
    requests: tuple[int, ...]
    phases: list[LengthPhase] = field(default_factory=list)


class LengthDoubling:
    """The policy; `batches` is its log.  A burst is one batch.

    Online it takes everything that has arrived when the last batch is done.  Several replicas pack
    the items wider than M/2 first (pooled LD).
    """

    def __init__(self, memory: int, caps: Caps = power_caps, replicas: int = 1) -> None:
        self.memory, self.caps, self.replicas = memory, caps(memory), replicas
        self.arrived: list[NonClairvoyantView] = []
        self.views: dict[int, NonClairvoyantView] = {}
        self.batches: list[Batch] = []
        self.next_cap = 0
        self.packing = AnyFit(memory, ())

    def decide(self, now: int, report: Report) -> Decision:
        """Pack; begin the next phase or batch when nothing runs or waits."""
        self.arrived += report.arrived
        for request in report.completed:
            del self.views[request]
        starts = self.packing.handle(now, report)
        if not self.packing.idle:
            return Decision(starts)
        if self.views:
            return self._phase(now)
        if not self.arrived:
            return Decision()
        self.views = {view.id: view for view in sorted(self.arrived, key=lambda v: v.id)}
        self.arrived, self.next_cap = [], 0
        self.batches.append(Batch(now, tuple(self.views)))
        return self._phase(now)

    def _phase(self, now: int) -> Decision:
        phases = self.batches[-1].phases
        if phases:
            phases[-1] = phases[-1]._replace(end=now)
        if self.next_cap == len(self.caps):
            raise AssertionError(f"round {now}: a request outlives the cap M")
        cap = self.caps[self.next_cap]
        self.next_cap += 1
        items = []
        for view in self.views.values():
            rounds = min(cap, self.memory - view.prompt)
            items.append(Item(view.id, view.prompt + rounds, rounds))
        phases.append(LengthPhase(now, cap, tuple(items), now))
        groups = groups_of(items, self.memory, self.replicas)
        self.packing = AnyFit(self.memory, groups, self.replicas)
        return Decision(self.packing.begin(now))
