"""The measured runs that controls hold: cost over optimum beside what a theorem proves there."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True, slots=True)
class Point:
    """One run: its theorem, policy and control, cost over optimum, and the proved bound."""

    theorem: str
    policy: str
    control: str
    ratio: Fraction
    bound: Fraction


def points_of(controls: Iterable[dict[str, Any]]) -> list[Point]:
    """Return every measured run of the controls, in their order."""
    return [
        Point(m["theorem"], m["policy"], c["id"], Fraction(m["ratio"]), Fraction(m["bound"]))
        for c in controls
        for m in c.get("measures", [])
    ]
