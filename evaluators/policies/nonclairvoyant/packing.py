"""Any-fit list scheduling of rectangles on one or more strips (nonclairvoyant.md 3.14).

At the start and whenever something ends, all waiting rectangles are scanned in their order and each
that fits starts.  With heights <= L and total area <= M L it ends within 2L - 1 rounds (Garey and
Graham); any heights <= h and area V give (M + 1)(T - h) <= 2V for the length T.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .copies import EndDriven
from .engine import Report, Start


class Item(NamedTuple):
    """A rectangle: reserve `width` units for at most `height` rounds."""

    request: int
    width: int
    height: int


def groups_of(items: Sequence[Item], memory: int, replicas: int) -> list[list[Item]]:
    """Return the groups to pack: all at once, on several replicas those wider than M/2 first."""
    if replicas == 1:
        return [list(items)]
    wide = [item for item in items if 2 * item.width > memory]
    return [wide, [item for item in items if 2 * item.width <= memory]]


class _Waiting:
    """Items in a fixed order; finds the first one from a place on that is narrow enough."""

    def __init__(self, items: Sequence[Item], top: int) -> None:
        self.items, self.size, self.left = items, 1, len(items)
        while self.size < len(items):
            self.size *= 2
        self.gone = top + 1
        self.least = [self.gone] * self.size + [item.width for item in items]
        self.least += [self.gone] * (2 * self.size - len(self.least))
        for node in range(self.size - 1, 0, -1):
            self.least[node] = min(self.least[2 * node], self.least[2 * node + 1])

    def take(self, place: int, room: int) -> int | None:
        """Remove the first item at `place` or later of width <= room; return its place."""
        node = self.size + place
        if node >= 2 * self.size:
            return None
        least = self.least
        while least[node] > room:
            while node & 1:  # a right child: its parent covers nothing further right
                node //= 2
                if node <= 1:
                    return None
            node += 1
        while node < self.size:
            node *= 2
            if least[node] > room:
                node += 1
        self._remove(node)
        return node - self.size

    def _remove(self, node: int) -> None:
        least = self.least
        least[node] = self.gone
        self.left -= 1
        while node > 1:
            node //= 2
            least[node] = min(least[2 * node], least[2 * node + 1])


@dataclass(frozen=True, slots=True)
class _Placed:
    width: int
    replica: int


class AnyFit(EndDriven):
    """Packs groups of items on `replicas` strips of `memory` units; a copy as in `copies`.

    A later group starts only while nothing of an earlier one waits.  With one group and one strip
    this is the any-fit of 3.14; pooled FairShare lists the wide items as a first group.
    """

    def __init__(self, memory: int, groups: Iterable[Sequence[Item]], replicas: int = 1) -> None:
        self.groups = [_Waiting(items, memory) for items in groups if items]
        self.rooms = [memory] * replicas
        self.active: dict[int, _Placed] = {}

    @property
    def idle(self) -> bool:
        """Whether nothing runs and nothing waits."""
        return not self.active and not any(group.left for group in self.groups)

    def begin(self, now: int) -> list[Start]:
        """Scan all that waits."""
        starts: list[Start] = []
        for group in self.groups:
            place = 0
            while group.left:
                found = group.take(place, max(self.rooms))
                if found is None:
                    return starts
                starts.append(self._put(group.items[found]))
                place = found + 1
        return starts

    def close(self, now: int, report: Report) -> None:
        """Free what ended."""
        for ended in (report.completed, report.expired):
            for request in ended:
                placed = self.active.pop(request)
                self.rooms[placed.replica] += placed.width

    def _put(self, item: Item) -> Start:
        replica = next(k for k, room in enumerate(self.rooms) if room >= item.width)
        self.rooms[replica] -= item.width
        self.active[item.request] = _Placed(item.width, replica)
        return Start(item.request, item.height, replica)
