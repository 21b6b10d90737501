"""Response: doubling caps, one staggered phase for each (paper 3, section 6).

Phase r runs every unfinished request with s <= tau_r once, for at most tau_r rounds, staggered at
the largest parallelism that a prompt of min(tau_r, M - tau_r) allows.  Eligibility by the cap, not
by that prompt: the latter starves requests (nonclairvoyant.md 3.8).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from ...model import InputError
from ..views import NonClairvoyantView
from .copies import Alone
from .engine import Report, Start
from .sps import duration, parallelism, slice_start

Caps = Callable[[int], list[int]]
"""From the memory M to increasing caps that end with M."""


def power_caps(memory: int, base: Fraction = Fraction(2)) -> list[int]:
    """Return min(ceil(base^r), M) for r = 0, 1, ... up to M, without repetitions.

    Raises InputError unless base > 1.
    """
    if base <= 1:
        raise InputError("alpha", f"must be > 1, got {base}")
    caps, power = [1], Fraction(1)
    while caps[-1] < memory:
        power *= base
        cap = min(-(-power.numerator // power.denominator), memory)
        if cap > caps[-1]:
            caps.append(cap)
    return caps


def half_step_caps(memory: int) -> list[int]:
    """Return 1, 2, 3, 4, 6, 8, 12, 16, 24, ... below M, and M (nonclairvoyant-sharp.md 2.4)."""
    caps, cap = {1, memory}, 2
    while cap < memory:
        caps |= {cap, min(cap + cap // 2, memory)}
        cap *= 2
    return sorted(caps)


class Phase(NamedTuple):
    """One phase of a run: its first round, cap, parallelism, and members in rank order."""

    begin: int
    cap: int
    parallel: int
    members: tuple[int, ...]

    @property
    def end(self) -> int:
        """First round after the phase."""
        return self.begin + duration(len(self.members), self.cap, self.parallel)


@dataclass(slots=True)
class ResponseLog:
    """The phases of a run of Response, for the certificates."""

    memory: int
    caps: Sequence[int]
    begin: int = 0
    phases: list[Phase] = field(default_factory=list)
    killed: int | None = None


class Response:
    """One run of Response on `views`, in the fixed order of their ids; a copy."""

    def __init__(
        self, memory: int, views: Iterable[NonClairvoyantView], caps: Caps = power_caps
    ) -> None:
        self.memory = memory
        self.left = {view.id: view.prompt for view in sorted(views, key=lambda v: v.id)}
        self.active: set[int] = set()
        self.log = ResponseLog(memory, caps(memory))
        self.next_cap = 0
        self.rank = 0

    @property
    def running(self) -> Collection[int]:
        """Ids of the active attempts."""
        return self.active

    @property
    def wake(self) -> int | None:
        """The start of the next slice, or the end of the phase."""
        if not self.log.phases or not self.left:
            return None
        return self._due(self.log.phases[-1])

    def begin(self, now: int) -> list[Start]:
        """Begin the first phase with a member."""
        self.log.begin = now
        return self._advance(now)

    def handle(self, now: int, report: Report) -> list[Start]:
        """Take note of the ends; start the slices that are due."""
        self._note(report)
        return self._advance(now)

    def close(self, now: int, report: Report) -> None:
        """Take note of the ends."""
        self._note(report)
        self.log.killed = now

    def _note(self, report: Report) -> None:
        self.active.difference_update(report.completed)
        self.active.difference_update(report.expired)
        for request in report.completed:
            del self.left[request]

    def _due(self, phase: Phase) -> int:
        if self.rank < len(phase.members):
            return phase.begin + slice_start(self.rank, phase.cap, phase.parallel)
        return phase.end

    def _advance(self, now: int) -> list[Start]:
        starts: list[Start] = []
        while self.left:
            if not self.log.phases or (
                self.rank == len(self.log.phases[-1].members) and self.log.phases[-1].end <= now
            ):
                self._next_phase(now)
                continue
            phase = self.log.phases[-1]
            if self._due(phase) > now or self.rank == len(phase.members):
                break
            request = phase.members[self.rank]
            starts.append(Start(request, phase.cap))
            self.active.add(request)
            self.rank += 1
        return starts

    def _next_phase(self, now: int) -> None:
        """Append the next phase that has members; the last cap M takes every request."""
        for cap in self.log.caps[self.next_cap :]:
            self.next_cap += 1
            members = tuple(request for request, prompt in self.left.items() if prompt <= cap)
            if members:
                proxy = min(cap, self.memory - cap)
                parallel = parallelism(self.memory, cap, proxy)
                self.log.phases.append(Phase(now, cap, parallel, members))
                self.rank = 0
                return
        raise AssertionError(f"round {now}: requests {sorted(self.left)[:5]} outlive the cap M")


class ResponsePolicy(Alone):
    """Response alone on a burst."""

    def __init__(self, memory: int, caps: Caps = power_caps) -> None:
        def make(views: Sequence[NonClairvoyantView]) -> Response:
            self.response = Response(memory, views, caps)
            return self.response

        super().__init__(make)
