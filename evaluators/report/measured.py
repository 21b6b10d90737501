"""Measured against proved ratios: the runs that the committed artifacts hold, and their picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter, StrMethodFormatter

from ..console import decimal
from ..controls.measured.points import Point
from ..images import SALT, image_bytes

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f6000", "#000000")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
# Any: the stub asks for a dict keyed by one literal type with every setting of the library.
_SETTINGS: dict[Any, Any] = {**SALT, "font.size": 9}


@dataclass(frozen=True, slots=True)
class Row:
    """The worst run of one policy under one bound, in decimals for people."""

    theorem: str
    policy: str
    runs: int
    ratio: str
    bound: str


def rows_of(points: Sequence[Point]) -> list[Row]:
    """Return the worst run of each bound and policy: the one that comes nearest to its bound."""
    groups: dict[tuple[str, str], list[Point]] = {}
    for point in points:
        groups.setdefault((point.theorem, point.policy), []).append(point)
    rows = []
    for (theorem, policy), found in sorted(groups.items()):
        worst = max(found, key=lambda p: p.ratio / p.bound)
        rows.append(
            Row(theorem, policy, len(found), decimal(worst.ratio, 3), decimal(worst.bound, 3))
        )
    return rows


def draw_points(points: Sequence[Point]) -> bytes:
    """Return the scatter plot as SVG: proved on the x-axis, measured on the y-axis."""
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(9.0, 5.2), layout="constrained")
        axes = figure.subplots()
        names = sorted({point.theorem for point in points})
        for index, name in enumerate(names):
            chosen = [point for point in points if point.theorem == name]
            axes.plot(
                [float(p.bound) for p in chosen],
                [float(p.ratio) for p in chosen],
                linestyle="",
                marker=_MARKERS[index % len(_MARKERS)],
                markersize=4,
                alpha=0.6,
                color=_COLOURS[index % len(_COLOURS)],
                label=f"{name} ({len(chosen)})",
            )
        tallest = 1.6 * max((float(p.ratio) for p in points), default=2.0)
        axes.plot([1, tallest], [1, tallest], color="#333333", linewidth=1)
        axes.fill_between([1, tallest], [1, tallest], tallest, color="#c1121f", alpha=0.12)
        axes.annotate("above the line: impossible", xy=(1.1, tallest * 0.8), fontsize=8)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("proved ratio on that instance (logarithmic)")
        axes.set_ylabel("measured: cost / exact optimum (logarithmic)")
        axes.set_ylim(0.95, tallest)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(StrMethodFormatter("{x:g}"))
            axis.set_minor_formatter(NullFormatter())
        ticks = [tick for tick in (1, 1.5, 2, 3, 4, 6, 8, 12, 20, 50, 100) if tick <= tallest]
        axes.set_yticks(ticks)
        axes.grid(linewidth=0.4, color="#cccccc")
        figure.legend(loc="outside right upper", fontsize=8)
        return image_bytes(figure, "svg")
