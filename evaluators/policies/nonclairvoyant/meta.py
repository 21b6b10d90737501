"""The black-box merge: parts take turns in slots that double from stage to stage (paper 3, 5.3).

Stage r runs its slots in order, slot g for weight_g * 2^r rounds: a fresh copy of the part's
scheduler, killed at the end of the slot.  Completed requests stay in the copies as dummies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..views import NonClairvoyantView
from .copies import Copy
from .engine import Decision, Report

MakeCopy = Callable[[int, int], Copy | None]
"""From stage and slot (both from 0) to a fresh copy, None if the slot stays empty."""


class Slot(NamedTuple):
    """One slot of a run: stage, number of the slot, its first round and the first after it."""

    stage: int
    number: int
    begin: int
    end: int


class Slots:
    """Runs copies in slots of weight_g * 2^r rounds; times are absolute, the clock starts at 0."""

    def __init__(self, weights: Sequence[int], make: MakeCopy) -> None:
        self.weights, self.make = tuple(weights), make
        self.slot = Slot(-1, len(self.weights) - 1, 0, 0)
        self.copy: Copy | None = None

    @property
    def stage_begins(self) -> bool:
        """Whether the next slot is the first of a stage."""
        return self.slot.number == len(self.weights) - 1

    def close(self, now: int, report: Report) -> list[int]:
        """End the slot; return what has to be killed."""
        if self.copy is None:
            return []
        self.copy.close(now, report)
        return sorted(self.copy.running)

    def open(self, now: int, kills: Sequence[int]) -> Decision:
        """Begin the next slot."""
        stage, number = self.slot.stage, self.slot.number + 1
        if number == len(self.weights):
            stage, number = stage + 1, 0
        self.slot = Slot(stage, number, now, now + (self.weights[number] << stage))
        self.copy = self.make(stage, number)
        starts = [] if self.copy is None else self.copy.begin(now)
        return Decision(starts, kills, self._wake())

    def inside(self, now: int, report: Report) -> Decision:
        """Forward what happened inside the slot."""
        starts = [] if self.copy is None else self.copy.handle(now, report)
        return Decision(starts, (), self._wake())

    def _wake(self) -> int:
        asked = None if self.copy is None else self.copy.wake
        return self.slot.end if asked is None else min(asked, self.slot.end)


class BlackBoxMeta:
    """The merge of parts that are known when the burst arrives.

    `parts` makes, from the burst's views in the order of their ids, one function for each part that
    returns a fresh copy of its scheduler on all of the part.
    """

    def __init__(
        self, parts: Callable[[Sequence[NonClairvoyantView]], Sequence[Callable[[], Copy]]]
    ) -> None:
        self.parts = parts
        self.slots: Slots | None = None

    def decide(self, now: int, report: Report) -> Decision:
        """Move to the next slot at its end, else forward."""
        if self.slots is None:
            copies = self.parts(sorted(report.arrived, key=lambda view: view.id))
            self.slots = Slots((1,) * len(copies), lambda _, number: copies[number]())
            return self.slots.open(now, ())
        if now < self.slots.slot.end:
            return self.slots.inside(now, report)
        return self.slots.open(now, self.slots.close(now, report))


def slot_begin(parts: int, stage: int, number: int) -> int:
    """Return parts (2^r - 1) + g 2^r, the round in which slot g = 0, 1, ... of stage r begins."""
    return parts * ((1 << stage) - 1) + (number << stage)


def merged_by(parts: int, number: int, alone: int) -> int:
    """Return (2G + 2g + 1) C, by when a request has completed in the merge.

    Part g = 0, 1, ... completes it at C >= 1 when it runs alone (nonclairvoyant.md 3.10).
    """
    return (2 * parts + 2 * number + 1) * alone
