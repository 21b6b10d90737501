"""The memory-time picture of an instance and a schedule: SVG or PNG.

Above, memory over time: each request is a trapezoid that grows from its prompt by one unit a
round and vanishes at its completion, stacked on those that started before it, under the line of
the capacity M.  A round t is drawn from t to t + 1, and the height at its end is what is held in
it.  Below, arrivals and completions: for few requests a row each, waiting drawn thin and running
thick; for many, how many have arrived and how many have completed.  More than MAX_SINGLE attempts
are drawn as one band for each group of like requests.  Only pictures use floats.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.patches import Patch
from matplotlib.ticker import EngFormatter, MaxNLocator, StrMethodFormatter

from ..artifacts.canonical import write_whole
from ..images import SALT, format_of, image_bytes
from ..memory import PAPERS, Convention
from ..model import AttemptSchedule, Instance, Schedule
from .bands import Band
from .drawing import Drawing, colour, drawing, ink
from .lower_panel import draw_counts, draw_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_ROWS = 40
MAX_NAMES = 60
_OVER = "#c1121f"
# Any: the stub asks for a dict keyed by one literal type with every setting of the library.
_SETTINGS: dict[Any, Any] = {
    **SALT,
    "svg.fonttype": "path",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "hatch.linewidth": 0.6,
    "path.simplify": False,
}


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
            draw_rows(below, shown)
        else:
            draw_counts(below, shown)
        below.set_xlabel("time (rounds)")
        below.set_xlim(0, max(1, shown.result.makespan, *(x.attempt.end for x in shown.runs), 1))
        below.xaxis.set_major_locator(MaxNLocator(10, integer=True))
        below.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        _legend(figure, shown)
        return image_bytes(figure, form)


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
            facecolors=[colour(band.group, shown) for band in bands],
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


def _hatch(axes: Axes, bands: Sequence[Band], pattern: str, line: str) -> None:
    outlines = [_outline(band) for band in bands if band.samples]
    if outlines:
        axes.add_collection(
            PolyCollection(
                outlines, facecolors="none", edgecolors=line, hatch=pattern, linewidths=0.5
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
            shade = ink(colour(band.group, shown))
            axes.text(x, y, name, ha="center", va="center", fontsize=8, color=shade)


def _legend(figure: Figure, shown: Drawing) -> None:
    handles = [
        Patch(
            facecolor=colour(i, shown),
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
