"""Sub-schedulers ("copies") that can run alone or in time slots, and the policy of one alone.

A copy works on a fixed set of requests from the round in which it begins.  It is told the ends of
its own attempts only; a slot that ends kills what it still runs and throws it away.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

from ..views import NonClairvoyantView
from .engine import Decision, Report, Start


class Copy(Protocol):
    """A scheduler of a fixed set of requests; times are the engine's rounds."""

    def begin(self, now: int, /) -> Sequence[Start]:
        """Return the first starts; called once, in the first round of the slot."""
        ...

    def handle(self, now: int, report: Report, /) -> Sequence[Start]:
        """Take note of the ends and return what starts now; also called at `wake`."""
        ...

    def close(self, now: int, report: Report, /) -> None:
        """Take note of the ends in the round in which the slot is over; nothing starts."""
        ...

    @property
    def running(self) -> Collection[int]:
        """Ids of the attempts that run."""
        ...

    @property
    def wake(self) -> int | None:
        """Next round in which it must be asked even if nothing ends."""
        ...


class EndDriven(ABC):
    """A copy that acts on ends only: it frees what ended, then starts what fits.

    `active` holds what runs, by request.
    """

    active: Mapping[int, object]

    @property
    def running(self) -> Collection[int]:
        """Ids of the attempts that run."""
        return self.active.keys()

    @property
    def wake(self) -> int | None:
        """Never, without an end."""
        return None

    @abstractmethod
    def begin(self, now: int) -> list[Start]:
        """Start what fits."""

    @abstractmethod
    def close(self, now: int, report: Report) -> None:
        """Free what ended."""

    def handle(self, now: int, report: Report) -> list[Start]:
        """Free what ended, then start what fits."""
        self.close(now, report)
        return self.begin(now)


class Alone:
    """A policy for bursts: one copy, made of everything that arrives in round 0."""

    def __init__(self, make: Callable[[Sequence[NonClairvoyantView]], Copy]) -> None:
        self.make = make
        self.copy: Copy | None = None

    def decide(self, now: int, report: Report) -> Decision:
        """Forward to the copy."""
        if self.copy is None:
            self.copy = self.make(sorted(report.arrived, key=lambda view: view.id))
            return Decision(self.copy.begin(now), wake=self.copy.wake)
        return Decision(self.copy.handle(now, report), wake=self.copy.wake)
