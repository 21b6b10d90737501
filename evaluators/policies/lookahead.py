"""Exact look-ahead admission: the earliest round in which one more request fits for good.

The running requests cannot be stopped, so their future occupancy is known.  A candidate fits at
t if in every round of its run the total stays within M.  Between completions totals only grow,
so the last round before each completion and the candidate's own last round decide.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator

from ..model import Request


class Running:
    """The running requests of a schedule under construction, as (completion, s - b) pairs."""

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._runs: list[tuple[int, int]] = []

    def start(self, request: Request, t: int) -> None:
        """Record that `request` starts in round t."""
        insort(self._runs, (t + request.output, request.prompt - t))

    def release(self, t: int) -> None:
        """Forget the requests that have completed by round t (completion <= t)."""
        done = 0
        while done < len(self._runs) and self._runs[done][0] <= t:
            done += 1
        del self._runs[:done]

    def earliest_fit(self, request: Request, t: int) -> int:
        """Return the least round >= t in which `request` fits beside the running ones alone.

        Needs s + o <= M, so an empty memory always admits it.  A later round can be feasible
        before any completion: a request that starts later is smaller in each common round.
        """
        for first, last in sorted(self._blocked(request, t)):
            if first > t:
                break
            t = max(t, last + 1)
        return t

    def _blocked(self, request: Request, t: int) -> Iterator[tuple[int, int]]:
        """Yield intervals of starts >= t that some round forbids."""
        room, o = self._memory - request.prompt, request.output
        count = len(self._runs)
        total = sum(base for _, base in self._runs)
        before = 0
        for end, base in self._runs:
            # In round end - 1 the `count` runs that complete at `end` or later hold this much.
            held = total + count * end
            # The candidate holds s + end - start there, too much if it starts too early.
            last = min(end - 1, end + held - room - 1)
            if last >= t and last >= end - o:
                yield end - o, last
            # Its own last round, start + o - 1, falls between the completions before and end.
            first = max(before + 1, (room - o - total) // count + 1)
            if first <= end and end - o >= t:
                yield first - o, end - o
            count, total, before = count - 1, total - base, end
