"""What an adversary of a lower-bound family is: an opening, and branches that answer it.

All families are oblivious up to one look: the rule plays the opening (requests known from the
start); its starts decide which branch instances are possible.  Every branch contains the opening
and equals it up to its release round, so a causal rule starts the same requests in the same rounds
before that.  A branch carries hindsight comparators: feasible schedules with their exact cost.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from ..model import Instance, Request, Schedule


@dataclass(frozen=True, slots=True)
class Comparator:
    """A feasible schedule of a branch instance and its TEL by the family's formula (rounds)."""

    name: str
    schedule: Schedule
    tel: int


@dataclass(frozen=True, slots=True)
class Branch:
    """One continuation of an opening.

    `release` is the first round in which the instance differs from the opening.  Every schedule
    that makes the decisions to which the branch answers has TEL >= `floor`.
    """

    name: str
    instance: Instance
    release: int
    floor: int
    comparators: tuple[Comparator, ...]

    @property
    def best(self) -> Comparator:
        """The cheapest comparator: its TEL is an upper bound on OPT."""
        return min(self.comparators, key=lambda comparator: comparator.tel)

    @property
    def factor(self) -> Fraction:
        """Lower bound floor / comparator on the ratio TEL / OPT of every such schedule."""
        return Fraction(self.floor, self.best.tel)


class Family(Protocol):
    """A family of lower-bound instances with all parameters but the rule's answer fixed."""

    @property
    def name(self) -> str:
        """Name of the family."""
        ...

    def opening(self) -> Instance:
        """Return the requests that are known whatever the rule does."""
        ...

    def answer(self, starts: Mapping[int, int]) -> Sequence[Branch]:
        """Return the branches against a rule that plays the opening by `starts` (id to round)."""
        ...

    def claim(self) -> Fraction:
        """Return the ratio that the better branch forces from every rule."""
        ...


LONG = 0
"""Id of the long request in the one-long families; shorts are 1..k in order of release."""


@dataclass(frozen=True, slots=True)
class OneLong:
    """A long request (arrival 0, prompt, output L) and k shorts (prompt, output 1), M units.

    With `long_prompt + 1 + short_prompt + 1 > memory` a short never runs beside the long, and with
    `2 * (short_prompt + 1) > memory` no two shorts run together (tight.md section 3).
    """

    memory: int
    shorts: int
    output: int
    long_prompt: int
    short_prompt: int

    @classmethod
    def light(cls, k: int, length: int, memory: int | None = None) -> OneLong:
        """Long prompt 1 and shorts that fill the memory M (default L + 1, the least)."""
        units = length + 1 if memory is None else memory
        return cls(units, k, length, 1, units - 1)

    @classmethod
    def half(cls, k: int) -> OneLong:
        """Paper 1: n = k + 1, M = 2(n-1)n, all prompts M/2 and L = M/2 = k(k+1)."""
        half = k * (k + 1)
        return cls(2 * half, k, half, half, half)

    @property
    def requests(self) -> int:
        """Number of requests n = k + 1."""
        return self.shorts + 1

    def opening(self) -> Instance:
        """Return the long request alone."""
        return Instance.of(self.memory, [self.long])

    @property
    def long(self) -> Request:
        """The long request."""
        return Request(LONG, 0, self.long_prompt, self.output)

    def instance(self, releases: Sequence[int]) -> Instance:
        """Return the long request and shorts released in those rounds (in order)."""
        shorts = [Request(i, r, self.short_prompt, 1) for i, r in enumerate(releases, start=1)]
        return Instance.of(self.memory, [self.long, *shorts])

    def long_first(self, release: int) -> Schedule:
        """Return: the long in round 0, then the shorts one per round from max(L, release)."""
        return self._schedule(0, max(self.output, release))

    def shorts_first(self, release: int) -> Schedule:
        """Return: the shorts one per round from their release, then the long."""
        return self._schedule(release + self.shorts, release)

    def comparators(
        self, release: int, long_first: int, shorts_first: int
    ) -> tuple[Comparator, Comparator]:
        """Return both hindsight schedules with their TEL by the family's formulas."""
        return (
            Comparator("long-first", self.long_first(release), long_first),
            Comparator("shorts-first", self.shorts_first(release), shorts_first),
        )

    def _schedule(self, long_start: int, short_start: int) -> Schedule:
        starts = {i: short_start + i - 1 for i in range(1, self.requests)}
        return Schedule({LONG: long_start, **starts})
