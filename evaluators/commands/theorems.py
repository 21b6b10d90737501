"""What `verify` says of each headline theorem: statement, axioms, and how near runs come to it.

A run is near where its cost against the exact optimum is near what the theorem allows there; the
runs are the `measures` of the verified artifacts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..artifacts.canonical import Json, to_json
from ..console import print_line
from ..controls.measured.points import Point, points_of

Control = dict[str, Any]
Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Worst:
    """The run of the largest measured ratio of one theorem, and of how many runs."""

    point: Point
    runs: int

    @property
    def gap(self) -> Fraction:
        """The proved ratio on that instance, minus the measured one."""
        return self.point.bound - self.point.ratio

    def to_json(self) -> Json:
        """Return the members as JSON data."""
        return {
            "ratio": to_json(self.point.ratio),
            "bound": to_json(self.point.bound),
            "gap": to_json(self.gap),
            "policy": self.point.policy,
            "control": self.point.control,
            "runs": self.runs,
        }


def worst_measures(controls: Iterable[Control]) -> dict[str, Worst]:
    """Return the worst run of each theorem; of equal ratios the one with the smallest bound."""
    runs: dict[str, list[Point]] = {}
    for point in points_of(controls):
        runs.setdefault(point.theorem, []).append(point)
    return {
        theorem: Worst(max(found, key=lambda point: (point.ratio, -point.bound)), len(found))
        for theorem, found in runs.items()
    }


def short_name(theorem: str) -> str:
    """Return a theorem's name without its namespace."""
    return theorem.rpartition(".")[2]


def first_sentence(source: str) -> str:
    """Return the first sentence of a statement's docstring, on one line."""
    text = re.sub(r"\s+", " ", source.partition("/--")[2].partition("-/")[0]).strip()
    return re.split(r"(?<=[.:]) ", text, maxsplit=1)[0].rstrip(":")


def theorems_json(theorems: Sequence[Entry], measured: dict[str, Worst]) -> list[Json]:
    """Return one entry for each theorem: exact statement, axioms, worst measured ratio."""
    entries: list[Json] = []
    for theorem in theorems:
        entry: dict[str, Json] = {
            "theorem": theorem["theorem"],
            "statement": theorem["source"],
            "axioms": [*theorem["axioms"]],
        }
        worst = measured.get(short_name(theorem["theorem"]))
        entries.append(entry if worst is None else {**entry, "measured": worst.to_json()})
    return entries


def print_theorems(theorems: Sequence[Entry], measured: dict[str, Worst]) -> None:
    """Print each theorem in words, its axioms, and the worst measured ratio where one is."""
    for theorem in theorems:
        print_line(f"theorem {theorem['theorem']}: {first_sentence(theorem['source'])}")
        line = f"  axioms: {', '.join(theorem['axioms']) or 'none'}"
        worst = measured.get(short_name(theorem["theorem"]))
        if worst is not None:
            line += (
                f"; worst measured cost/OPT: {worst.point.ratio} by {worst.point.policy}, "
                f"proved there: {worst.point.bound}, gap: {worst.gap} "
                f"({worst.runs} runs, {worst.point.control})"
            )
        print_line(line)
