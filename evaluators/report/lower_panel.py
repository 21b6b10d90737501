"""The lower panel of a picture: arrivals and completions, by request or as counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from matplotlib.ticker import StrMethodFormatter

from .drawing import Drawing, colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_rows(axes: Axes, shown: Drawing) -> None:
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
            color=colour(run.group, shown),
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


def draw_counts(axes: Axes, shown: Drawing) -> None:
    """How many requests have arrived and how many have completed by each time."""
    arrivals = sorted(r.arrival for r in shown.result.instance.requests)
    completions = sorted(shown.result.completions.values())
    for times, label, shade, dashes in (
        (arrivals, "arrived", "#333333", "--"),
        (completions, "completed", "#000000", "-"),
    ):
        xs, ys = _steps(times)
        axes.plot(xs, ys, dashes, color=shade, drawstyle="steps-post", label=label, linewidth=1.2)
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
