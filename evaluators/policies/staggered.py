"""Staggered lists (svf-gap.md section 2) and the cheaper of them and SVF.  Bursts only.

n requests of one shape (s, o) start at floor(j o / kappa), j = 0, 1, ..., where kappa is the most
that the memory holds in that pattern.  Several shapes go one after another in the order of volume,
the next one when the previous one has drained.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd

from ..model import InputError, Instance, Schedule
from ..ratios import ProvedRatio, staggered_ratio
from .rules import PLAIN, Simulation
from .scheduler import Options
from .smallest_volume import SVF


def staggered_peak(prompt: int, output: int, kappa: int) -> int:
    """Return the peak of unlimited requests started at floor(j o / kappa), exactly.

    kappa s + (o (kappa + 1) + kappa - gcd(o, kappa)) / 2, increasing in kappa.
    """
    twice = 2 * kappa * prompt + output * (kappa + 1) + kappa - gcd(output, kappa)
    return twice // 2


def most_staggered(memory: int, prompt: int, output: int) -> int:
    """Return kappa, the largest k >= 1 whose peak is at most the memory (needs s + o <= M)."""
    low, high = 1, memory + 1
    while high - low > 1:
        middle = (low + high) // 2
        if staggered_peak(prompt, output, middle) <= memory:
            low = middle
        else:
            high = middle
    return low


def staggered_starts(instance: Instance) -> dict[int, int]:
    """Return the starts by id; raises InputError if some request arrives after round 0."""
    if not instance.is_burst:
        raise InputError("arrival", "staggered lists need a burst: every arrival 0")
    shapes: dict[tuple[int, int, int], list[int]] = {}
    for r in instance.requests:
        shapes.setdefault((r.volume2, r.prompt, r.output), []).append(r.id)
    starts: dict[int, int] = {}
    begin = 0
    for (_, prompt, output), ids in sorted(shapes.items()):
        kappa = most_staggered(instance.memory, prompt, output)
        for j, identifier in enumerate(ids):
            starts[identifier] = begin + j * output // kappa
        begin += (len(ids) - 1) * output // kappa + output
    return starts


def _cost(instance: Instance, starts: dict[int, int]) -> int:
    """TEL of a burst."""
    return sum(starts.values()) + instance.total_output


def _reject_rules(options: Options) -> None:
    if options.rules not in {None, PLAIN}:
        raise InputError("rules", "staggered lists have no queue and no admission to set")


@dataclass(frozen=True, slots=True)
class StaggeredLists:
    """The plain rule; it follows a timetable, so its Simulation has no keys."""

    name: str = "staggered"
    summary: str = "shapes one after another, requests of one shape evenly staggered (burst)"
    paper: str = "ours: svf-gap.md section 2"
    sees: str = "ClairvoyantView"
    guarantee: str = "5M/(3D) + n sum(o of all shapes but the last)/OPT"

    def run(self, instance: Instance, options: Options) -> Simulation:
        """Return the timetable; raises InputError for later arrivals or rules of its own."""
        _reject_rules(options)
        return Simulation(instance, PLAIN, (), Schedule(staggered_starts(instance)))

    def ratios(self, instance: Instance, options: Options) -> list[ProvedRatio]:
        """Return R3 of svf-gap.md."""
        return [staggered_ratio(instance)] if len(instance) else []


@dataclass(frozen=True, slots=True)
class CheaperOfTwo:
    """Plans both and runs the cheaper, so it has both guarantees; SVF on ties."""

    name: str = "cheaper-of-two"
    summary: str = "the cheaper of svf and staggered (burst)"
    paper: str = "ours: svf-gap.md section 2"
    sees: str = "ClairvoyantView"
    guarantee: str = "min of both"

    def run(self, instance: Instance, options: Options) -> Simulation:
        """Return the cheaper run; raises InputError for later arrivals or rules of its own."""
        staggered = StaggeredLists().run(instance, options)
        svf = SVF.run(instance, options)
        best = _cost(instance, svf.starts()) <= _cost(instance, staggered.starts())
        return svf if best else staggered

    def ratios(self, instance: Instance, options: Options) -> list[ProvedRatio]:
        """Return the bounds of both."""
        return SVF.ratios(instance, options) + StaggeredLists().ratios(instance, options)
