"""Pictures of a comparison: latency CDFs, memory over time, queue length over time.

Readable in black and white: each policy has its own dash pattern, and each its own colour of equal
weight.  Only pictures use floats.  Files of the same comparison have the same bytes on one
installation: no date, no creator, a fixed salt for SVG ids.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import EngFormatter

from .comparison import Comparison, Entry, queue_events
from .images import SALT, image_bytes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_POINTS = 2000
BINS = 120
Point = tuple[int, float]

_COLOURS = ("#000000", "#d55e00", "#0072b2", "#009e73", "#cc79a7", "#7f6000", "#56b4e9", "#e69f00")
_DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (6, 2),
    (1.2, 1.4),
    (7, 2, 1.2, 2),
    (3, 1.5),
    (9, 2, 1.2, 1.6, 1.2, 2),
    (10, 4),
)
# Any: the stub asks for a dict keyed by one literal type with every setting of the library.
_SETTINGS: dict[Any, Any] = {
    **SALT,
    "font.size": 10,
    "axes.grid": True,
    "grid.linewidth": 0.4,
    "grid.color": "#cccccc",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "path.simplify": False,
}


def draw(comparison: Comparison, title: str, form: str, round_ms: int | None = None) -> bytes:
    """Return the picture as the bytes of a PNG or SVG file."""
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=(8.0, 10.0), layout="constrained")
        latency, memory, queue = figure.subplots(3, 1)
        figure.suptitle(title, fontsize=11)
        unit = "rounds" if round_ms is None else f"rounds of {round_ms} ms"
        _draw_latency(latency, comparison, unit)
        _draw_memory(memory, comparison, unit)
        _draw_queue(queue, comparison, unit)
        memory.sharex(queue)
        count = len(comparison.entries)
        handles = [
            Line2D([], [], label=entry.name, **_style(index, count))
            for index, entry in enumerate(comparison.entries)
        ]
        columns = min(4, count)
        figure.legend(handles=handles, loc="outside lower center", ncols=columns, handlelength=4)
        return image_bytes(figure, form)


def _style(index: int, count: int) -> dict[str, Any]:
    """Colour and dashes by index; later lines are thinner, so that coinciding ones all show."""
    dashes = _DASHES[index % len(_DASHES)]
    return {
        "color": _COLOURS[index % len(_COLOURS)],
        "linestyle": (0, dashes) if dashes else "-",
        "linewidth": 2.6 - 1.3 * index / max(1, count - 1),
    }


def _plot(axes: Axes, style: dict[str, Any], points: Sequence[Point], steps: bool) -> None:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    axes.plot(xs, ys, drawstyle="steps-post" if steps else "default", **style)


def _plot_all(
    axes: Axes, comparison: Comparison, points: Callable[[Entry], list[Point]], steps: bool
) -> None:
    count = len(comparison.entries)
    for index, entry in enumerate(comparison.entries):
        _plot(axes, _style(index, count), points(entry), steps)


def _draw_latency(axes: Axes, comparison: Comparison, unit: str) -> None:
    _plot_all(axes, comparison, latency_cdf, True)
    axes.set_title("Latency: share of requests completed within x", loc="left", fontsize=10)
    axes.set_xscale("log")
    axes.set_xlabel(f"end-to-end latency ({unit}, logarithmic)")
    axes.set_ylabel("share of requests")
    axes.set_ylim(0, 1.02)


def _draw_memory(axes: Axes, comparison: Comparison, unit: str) -> None:
    _plot_all(axes, comparison, occupancy_points, False)
    capacity = comparison.instance.memory
    axes.axhline(capacity, color="#444444", linewidth=2.2, alpha=0.6)
    axes.annotate(
        f"capacity M = {capacity:,}",
        xy=(1.0, capacity),
        xycoords=("axes fraction", "data"),
        xytext=(0, 4),
        textcoords="offset points",
        ha="right",
    )
    axes.set_title("Memory held (mean over each stretch of time)", loc="left", fontsize=10)
    axes.set_xlabel(f"time ({unit})")
    axes.set_ylabel("units of KV cache")
    axes.yaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_ylim(0, capacity * 1.14)


def _draw_queue(axes: Axes, comparison: Comparison, unit: str) -> None:
    _plot_all(axes, comparison, queue_points, True)
    axes.set_title("Requests that wait", loc="left", fontsize=10)
    axes.set_xlabel(f"time ({unit})")
    axes.set_ylabel("requests")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter(EngFormatter(sep=""))
    axes.set_xlim(left=0)


def latency_cdf(entry: Entry) -> list[Point]:
    """Return (latency, share completed within it), at most MAX_POINTS of them."""
    values = entry.result.latencies
    n = len(values)
    count = min(n, MAX_POINTS)
    ranks = [1 + i * (n - 1) // max(1, count - 1) for i in range(count)]
    points = [(values[rank - 1], rank / n) for rank in ranks]
    return [(points[0][0], 0.0), *points] if points else []


def occupancy_points(entry: Entry) -> list[Point]:
    """Return (middle of a stretch, mean units held in it): BINS stretches of equal length."""
    makespan = entry.result.makespan
    edges = sorted({makespan * i // BINS for i in range(BINS + 1)})
    areas = _area_up_to(entry, edges)
    return [
        ((low + high) // 2, (after - before) / (high - low))
        for low, high, before, after in zip(edges, edges[1:], areas, areas[1:], strict=False)
    ]


def _area_up_to(entry: Entry, edges: Sequence[int]) -> list[float]:
    """Units x rounds held before each edge; inside a piece the units grow along a line."""
    areas: list[float] = []
    total = 0.0
    for piece in entry.result.profile.pieces():
        length = piece.last - piece.first + 1
        slope = (piece.held_last - piece.held_first) / (length - 1) if length > 1 else 0.0
        while len(areas) < len(edges) and edges[len(areas)] <= piece.last:
            x = max(0, edges[len(areas)] - piece.first)
            areas.append(total + x * piece.held_first + slope * x * (x - 1) / 2)
        total += length * (piece.held_first + piece.held_last) / 2
    return areas + [total] * (len(edges) - len(areas))


def queue_points(entry: Entry) -> list[Point]:
    """Return (round, waiting requests) where the number changes, thinned to MAX_POINTS."""
    events = queue_events(entry.run)
    lengths = accumulate(by for _, by in events)
    points = [(t, float(y)) for (t, _), y in zip(events, lengths, strict=True)]
    return thinned(points)


def thinned(points: Sequence[Point], limit: int = MAX_POINTS) -> list[Point]:
    """Return at most about `limit` points: of each group its smallest and its largest value.

    Extremes survive, so no peak disappears from the picture.
    """
    if len(points) <= limit:
        return list(points)
    size = -(-2 * len(points) // limit)
    kept: list[Point] = [points[0]]
    for first in range(0, len(points), size):
        kept += _extremes(points[first : first + size])
    return [*kept, points[-1]]


def _extremes(group: Sequence[Point]) -> Iterable[Point]:
    ends = {min(group, key=lambda p: p[1]), max(group, key=lambda p: p[1])}
    return sorted(ends)
