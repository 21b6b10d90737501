"""The memory-time picture of an instance and a schedule: SVG or PNG.

Above, memory over time: each request is a trapezoid that grows from its prompt by one unit a
round and vanishes at its completion, stacked on those that started before it, under the line of
the capacity M.  A round t is drawn from t to t + 1, and the height at its end is what is held in
it.  Below, arrivals and completions: for few requests a row each, waiting drawn thin and running
thick; for many, how many have arrived and how many have completed.  More than MAX_SINGLE attempts
are drawn as one band for each group of like requests.  Only pictures use floats.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Patch
from matplotlib.ticker import EngFormatter, MaxNLocator, StrMethodFormatter

from ..artifacts.canonical import write_whole
from ..memory import PAPERS, Convention
from ..model import AttemptSchedule, Instance, Schedule
from ..plots import format_of
from ..replay import Replay, replay
from .bands import MAX_SINGLE, Band, Group, Run, group_bands, runs_of, single_bands

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_ROWS = 40
MAX_NAMES = 60
_OVER = "#c1121f"
# Okabe and Ito's colours, told apart by most people with a colour deficiency.
_COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999")
# Light to dark for classes of growing volume (viridis, reversed).
_SEQUENCE = ("#fde725", "#95d840", "#3cbc75", "#238a8d", "#39568c", "#440154")
# Any: the stub asks for a dict keyed by one literal type with every setting of the library.
_SETTINGS: dict[Any, Any] = {
    "svg.hashsalt": "onlinekv",
    "svg.fonttype": "path",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.6,
    "path.simplify": False,
}


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn: the replay, the groups, the attempts, and the bands of the stack."""

    result: Replay
    groups: list[Group]
    runs: list[Run]
    bands: list[Band]

    @property
    def shapes(self) -> bool:
        """Whether a group is one shape, rather than a class of volumes."""
        return all(group.shape for group in self.groups)

    @property
    def single(self) -> bool:
        """Whether each attempt has its own band."""
        return len(self.runs) <= MAX_SINGLE


def drawing(
    instance: Instance, schedule: Schedule | AttemptSchedule, convention: Convention = PAPERS
) -> Drawing:
    """Return the exact geometry; infeasible schedules are drawn too, their excess marked."""
    groups, runs = runs_of(instance, schedule)
    few = len(runs) <= MAX_SINGLE
    bands = single_bands(runs, convention) if few else group_bands(runs, len(groups), convention)
    return Drawing(replay(instance, schedule, convention), groups, runs, bands)


def draw(
    instance: Instance,
    schedule: Schedule | AttemptSchedule,
    form: str = "svg",
    title: str = "",
    convention: Convention = PAPERS,
) -> bytes:
    """Return the picture as the bytes of an SVG or PNG file; the same bytes on every run."""
    shown = drawing(instance, schedule, convention)
    with mpl.rc_context(_SETTINGS):
        rows = len(instance) if len(instance) <= MAX_ROWS and shown.single else 0
        lower = max(1.0, 0.16 * rows) if rows else 1.6
        layout = ConstrainedLayoutEngine(w_pad=0.15)
        figure = Figure(figsize=(9.0, 4.4 + lower), layout=layout)
        upper, below = figure.subplots(2, 1, sharex=True, height_ratios=[4.0, lower])
        figure.suptitle(title or _summary(shown), fontsize=10)
        _draw_memory(upper, shown)
        if rows:
            _draw_rows(below, shown)
        else:
            _draw_counts(below, shown)
        below.set_xlabel("time (rounds)")
        below.set_xlim(0, max(1, shown.result.makespan, *(x.attempt.end for x in shown.runs), 1))
        below.xaxis.set_major_locator(MaxNLocator(10, integer=True))
        below.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        _legend(figure, shown)
        metadata = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
        buffer = io.BytesIO()
        figure.savefig(buffer, format=form, dpi=150, metadata=metadata)
    return buffer.getvalue()


def save(
    path: Path,
    instance: Instance,
    schedule: Schedule | AttemptSchedule,
    title: str = "",
    convention: Convention = PAPERS,
) -> None:
    """Write the picture whole, as .svg or .png by its name; raises InputError for another name."""
    write_whole(path, draw(instance, schedule, format_of(path), title, convention))


def _summary(shown: Drawing) -> str:
    result = shown.result
    over = result.peak - result.instance.memory
    word = (
        "feasible" if result.feasible else "infeasible" + (f", {over:,} over" if over > 0 else "")
    )
    return (
        f"{len(result.instance):,} requests, TEL {result.tel:,}, makespan {result.makespan:,}, "
        f"peak {result.peak:,} of {result.instance.memory:,}: {word}"
    )


def _outline(band: Band) -> list[tuple[float, float]]:
    above = [(float(time), float(top)) for time, _, top in band.samples]
    below = [(float(time), float(base)) for time, base, _ in band.samples]
    return above + below[::-1]


def _draw_memory(axes: Axes, shown: Drawing) -> None:
    capacity = shown.result.instance.memory
    killed = [b.run is not None and not b.run.attempt.completed for b in shown.bands]
    bands = [band for band in shown.bands if band.samples]
    axes.add_collection(
        PolyCollection(
            [_outline(band) for band in bands],
            facecolors=[_colour(band.group, shown) for band in bands],
            edgecolors="#333333" if shown.single else "none",
            linewidths=0.5 if len(bands) <= MAX_NAMES else 0.25,
            hatch=None,
        )
    )
    _hatch(axes, [b for b, k in zip(shown.bands, killed, strict=True) if k], "////", "#333333")
    _draw_excess(axes, shown, capacity)
    axes.axhline(capacity, color="#000000", linewidth=1.4)
    axes.annotate(
        f"capacity M = {capacity:,}",
        xy=(0.0, capacity),
        xycoords=("axes fraction", "data"),
        xytext=(3, 3),
        textcoords="offset points",
    )
    if len(shown.runs) <= MAX_NAMES:
        _name_bands(axes, shown)
    top = max([capacity, *(above for band in bands for _, _, above in band.samples)])
    axes.set_ylim(0, top * 1.1)
    axes.set_ylabel("memory held (units)")
    axes.yaxis.set_major_formatter(EngFormatter(sep=""))


def _hatch(axes: Axes, bands: Sequence[Band], pattern: str, colour: str) -> None:
    outlines = [_outline(band) for band in bands if band.samples]
    if outlines:
        axes.add_collection(
            PolyCollection(
                outlines, facecolors="none", edgecolors=colour, hatch=pattern, linewidths=0.5
            )
        )


def _draw_excess(axes: Axes, shown: Drawing, capacity: int) -> None:
    """Mark the rounds that hold more than M, and how much more in the worst of them."""
    broken = [v for v in shown.result.violations if v.kind == "memory"]
    for violation in broken:
        assert violation.round is not None
        assert violation.last_round is not None
        axes.fill_between(
            [violation.round, violation.last_round + 1],
            capacity,
            shown.result.peak * 1.1,
            color=_OVER,
            alpha=0.25,
            linewidth=0,
            zorder=3,
        )
    if broken:
        text = f"over by {shown.result.peak - capacity:,}"
        axes.annotate(
            text, xy=(1, 1), xycoords="axes fraction", ha="right", va="top", color=_OVER, zorder=4
        )


def _name_bands(axes: Axes, shown: Drawing) -> None:
    """Write the id of a request into the widest stretch of its band, if there is room."""
    span = max(1, max((x.attempt.end for x in shown.runs), default=1))
    top = max(shown.result.instance.memory, shown.result.peak)
    for band in shown.bands:
        if band.run is None or not band.samples:
            continue
        pieces = zip(band.samples[::2], band.samples[1::2], strict=True)
        (t, b, a), (u, c, d) = max(pieces, key=lambda piece: piece[1][0] - piece[0][0])
        if u - t >= span / 45 and (a - b + d - c) / 2 >= top / 28:
            name = str(band.run.request.id)
            x, y = (t + u) / 2, (a + b + c + d) / 4
            ink = _ink(_colour(band.group, shown))
            axes.text(x, y, name, ha="center", va="center", fontsize=8, color=ink)


def _draw_rows(axes: Axes, shown: Drawing) -> None:
    """One row for each request: from its arrival, thin while it waits, thick while it runs."""
    requests = shown.result.instance.requests
    row = {request.id: index for index, request in enumerate(requests)}
    first: dict[int, int] = {}
    for run in shown.runs:
        y = row[run.request.id]
        first.setdefault(y, run.attempt.start)
        hatch = None if run.attempt.completed else "////"
        axes.barh(
            y,
            run.attempt.rounds,
            left=run.attempt.start,
            height=0.62,
            color=_colour(run.group, shown),
            edgecolor="#333333",
            linewidth=0.5,
            hatch=hatch,
            zorder=2,
        )
    for request in requests:
        y = row[request.id]
        end = shown.result.completions.get(request.id, first.get(y, request.arrival))
        axes.plot([request.arrival, end], [y, y], color="#333333", linewidth=0.7, zorder=1)
    arrivals = [r.arrival for r in requests]
    axes.plot(arrivals, range(len(requests)), linestyle="", marker=">", color="#333333", ms=4)
    done = [(c, row[i]) for i, c in shown.result.completions.items()]
    axes.plot(
        [c for c, _ in done],
        [y for _, y in done],
        linestyle="",
        marker="o",
        color="#000000",
        ms=3.5,
    )
    axes.set_yticks(range(len(requests)), [str(r.id) for r in requests], fontsize=7)
    axes.set_ylim(len(requests) - 0.4, -0.6)
    axes.set_ylabel("request")


def _marks(axes: Axes, xs: Sequence[int], ys: Sequence[int], marker: str) -> None:
    axes.plot(xs, ys, marker, color="#000000", markersize=3.6, zorder=4, clip_on=False)


def _draw_counts(axes: Axes, shown: Drawing) -> None:
    """How many requests have arrived and how many have completed by each time."""
    arrivals = sorted(r.arrival for r in shown.result.instance.requests)
    completions = sorted(shown.result.completions.values())
    for times, label, colour, dashes in (
        (arrivals, "arrived", "#333333", "--"),
        (completions, "completed", "#000000", "-"),
    ):
        xs, ys = _steps(times)
        axes.plot(xs, ys, dashes, color=colour, drawstyle="steps-post", label=label, linewidth=1.2)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("requests")
    axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.legend(loc="lower right", frameon=False, ncols=2)


def _steps(times: Sequence[int]) -> tuple[list[int], list[int]]:
    """Counts at distinct times, from 0 on; at most about 2,000 of them, the last included."""
    counts = sorted({t: k + 1 for k, t in enumerate(times)}.items())
    step = max(1, len(counts) // 2000)
    kept = [*counts[::step], *counts[-1:]]
    return [0, *(t for t, _ in kept)], [0, *(n for _, n in kept)]


def _colour(group: int, shown: Drawing) -> str:
    colours = _COLOURS if shown.shapes else _SEQUENCE
    return colours[group % len(colours)]


def _ink(colour: str) -> str:
    """Black or white, whichever is read more easily on the colour."""
    red, green, blue = to_rgb(colour)
    return "#000000" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.45 else "#ffffff"


def _legend(figure: Figure, shown: Drawing) -> None:
    handles = [
        Patch(
            facecolor=_colour(i, shown),
            edgecolor="#333333",
            label=f"{group.label} ({group.requests:,})",
        )
        for i, group in enumerate(shown.groups)
    ]
    if any(not run.attempt.completed for run in shown.runs):
        handles.append(Patch(facecolor="none", edgecolor="#333333", hatch="////", label="killed"))
    if handles:
        columns = 3 if len(handles) <= 6 else 4
        figure.legend(handles=handles, loc="outside lower center", ncols=columns, fontsize=8)
