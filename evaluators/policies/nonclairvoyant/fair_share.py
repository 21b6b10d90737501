"""FairShare: equal shares of memory-time in doubling stages (nonclairvoyant-sharp.md 2.2 and 4).

Stage r has L = 2^r and n unfinished requests.  Request i gets the longest attempt l <= L with
s + l <= M and n l (s + l) <= k M L (k replicas of memory M each); all are packed by any-fit, fresh,
with width s + l.  No regimes, no certificates.  Total completion time <= 48 OPT on one replica.
"""

from __future__ import annotations

from math import isqrt
from typing import NamedTuple

from ..views import NonClairvoyantView
from .engine import Decision, Report
from .packing import AnyFit, Item, groups_of


class ShareStage(NamedTuple):
    """One stage of a run: its first round, L, the unfinished requests, and what is packed.

    `end` is the first round after it, `busy` the first round in which nothing ran or waited.
    """

    begin: int
    length: int
    unfinished: int
    items: tuple[Item, ...]
    busy: int
    end: int


def share(budget: int, longest: int, prompt: int) -> int:
    """Return the largest l in 0..longest with l (s + l) <= budget."""
    return min(longest, (isqrt(prompt * prompt + 4 * budget) - prompt) // 2)


class FairShare:
    """The policy, for bursts; `stages` is its log.

    A stage lasts 2L - 1 rounds (3L - 1 on several replicas), or with `early` until nothing runs or
    waits any more.  On one replica the packing scans in the order of ids.  On several, items wider
    than M/2 come first and narrow ones wait while a wide one does.
    """

    def __init__(self, memory: int, early: bool = False, replicas: int = 1) -> None:
        self.memory, self.early, self.replicas = memory, early, replicas
        self.views: dict[int, NonClairvoyantView] = {}
        self.stages: list[ShareStage] = []
        self.packing = AnyFit(memory, ())
        self.current = ShareStage(0, 1, 0, (), 0, 0)

    def decide(self, now: int, report: Report) -> Decision:
        """Begin a stage when the last is over, else pack."""
        self.views |= {view.id: view for view in sorted(report.arrived, key=lambda v: v.id)}
        for request in report.completed:
            del self.views[request]
        if now == 0:
            return self._begin(0, 1)
        if self.packing.running:
            starts = self.packing.handle(now, report)
            if self.packing.idle:
                self.current = self.current._replace(busy=now)
            if now < self.current.end and not (self.early and self.packing.idle):
                return Decision(starts, wake=self.current.end)
        if not self.packing.idle:
            raise AssertionError(f"round {now}: a stage of FairShare did not end in time")
        if not self.views:
            return Decision()
        self.stages.append(self.current._replace(end=now))
        return self._begin(now, 2 * self.current.length)

    def _begin(self, now: int, length: int) -> Decision:
        items = self._items(length)
        while self.early and not items:  # a stage in which nothing runs is over at once
            self.stages.append(ShareStage(now, length, len(self.views), (), now, now))
            length *= 2
            items = self._items(length)
        groups = groups_of(items, self.memory, self.replicas)
        self.packing = AnyFit(self.memory, groups, self.replicas)
        end = now + (2 if self.replicas == 1 else 3) * length - 1
        self.current = ShareStage(now, length, len(self.views), items, now, end)
        return Decision(self.packing.begin(now), wake=end)

    def _items(self, length: int) -> tuple[Item, ...]:
        budget = self.replicas * self.memory * length // len(self.views)
        rounds = (
            (view, share(budget, min(length, self.memory - view.prompt), view.prompt))
            for view in self.views.values()
        )
        return tuple(Item(view.id, view.prompt + most, most) for view, most in rounds if most)
