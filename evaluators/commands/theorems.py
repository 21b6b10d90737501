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

Control = dict[str, Any]
Entry = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Worst:
    """The largest measured ratio of one theorem: what was proved there, where, of how many runs."""

    ratio: Fraction
    bound: Fraction
    policy: str
    control: str
    runs: int

    @property
    def gap(self) -> Fraction:
        """The proved ratio on that instance, minus the measured one."""
        return self.bound - self.ratio

    def to_json(self) -> Json:
        """Return the members as JSON data."""
        return {
            "ratio": to_json(self.ratio),
            "bound": to_json(self.bound),
            "gap": to_json(self.gap),
            "policy": self.policy,
            "control": self.control,
            "runs": self.runs,
        }


def worst_measures(controls: Iterable[Control]) -> dict[str, Worst]:
    """Return the worst run of each theorem; of equal ratios the one with the smallest bound."""
    found: dict[str, Worst] = {}
    for control in controls:
        for entry in control.get("measures", []):
            ratio, bound = Fraction(entry["ratio"]), Fraction(entry["bound"])
            old = found.get(entry["theorem"])
            runs = 1 + (old.runs if old else 0)
            if old and (old.ratio, -old.bound) >= (ratio, -bound):
                ratio, bound, policy, where = old.ratio, old.bound, old.policy, old.control
            else:
                policy, where = entry["policy"], control["id"]
            found[entry["theorem"]] = Worst(ratio, bound, policy, where, runs)
    return found


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
                f"; worst measured cost/OPT: {worst.ratio} by {worst.policy}, proved there: "
                f"{worst.bound}, gap: {worst.gap} ({worst.runs} runs, {worst.control})"
            )
        print_line(line)
