"""Limits of one call of `optimum`, and the reports of its progress."""

from __future__ import annotations

import time
from collections.abc import Callable

from .engines import Engine
from .results import Established

Progress = Callable[[int, int, int], None]
# A slice takes between these many seconds; this share of a time limit goes to list schedules.
SHORT, LONG = 0.02, 0.06
EARLY = 0.1


class Budget:
    """Nodes and seconds shared by everything that one call searches.

    The search runs in slices of about 20-60 ms, so that limits, reports and interrupts are
    served in between.
    """

    def __init__(
        self, node_limit: int | None, time_limit: float | None, progress: Progress | None
    ) -> None:
        self.node_limit = node_limit
        begun = time.monotonic()
        self.deadline = None if time_limit is None else begun + time_limit
        self._early = begun if time_limit is None else begun + time_limit * EARLY
        self.progress = progress
        self.nodes = 0
        self._slice = 256

    @property
    def limited(self) -> bool:
        """Whether the search may be cut short."""
        return self.node_limit is not None or self.deadline is not None

    def early(self) -> bool:
        """Whether little of the time limit has passed; never without one."""
        return time.monotonic() < self._early

    def exceeded(self) -> Established | None:
        """The limit that has been reached, if any."""
        if self.node_limit is not None and self.nodes >= self.node_limit:
            return "node limit"
        if self.deadline is not None and time.monotonic() >= self.deadline:
            return "time limit"
        return None

    def run(self, search: Engine) -> bool:
        """Run one slice of the search; return whether it is exhausted."""
        allowed = self._slice
        if self.node_limit is not None:
            allowed = min(allowed, self.node_limit - self.nodes)
        before, begun = search.nodes, time.monotonic()
        finished = search.run(allowed)
        elapsed = time.monotonic() - begun
        if elapsed < SHORT:
            self._slice *= 2
        elif elapsed > LONG:
            self._slice = max(1, self._slice // 2)
        self.nodes += search.nodes - before
        return finished
