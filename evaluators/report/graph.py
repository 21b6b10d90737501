"""Dependency graphs as inline SVG: layers from left to right, no library and no script."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

HEIGHT = 22
GAP = 8
COLUMN = 70
CHARACTER = 6.4
_FILLS = ("#e4effc", "#e3f4ea", "#fff4dc", "#efe9fb", "#fdeceb", "#e6f3f5", "#f1f1e4", "#eef1f5")

Edges = Mapping[str, Iterable[str]]


@dataclass(frozen=True, slots=True)
class Node:
    """A box: its name, its text, the group that colours it, and where it links to, if anywhere."""

    name: str
    text: str
    group: str
    link: str = ""


def reduced(edges: Edges) -> dict[str, set[str]]:
    """Return the edges without those that follow from others; the graph must have no circle."""
    below: dict[str, set[str]] = {}

    def reach(name: str) -> set[str]:
        if name not in below:
            found: set[str] = set()
            for other in edges.get(name, ()):
                found |= {other} | reach(other)
            below[name] = found
        return below[name]

    return {
        name: {
            other
            for other in others
            if not any(other in reach(third) for third in others if third != other)
        }
        for name, others in edges.items()
    }


def layers(edges: Edges) -> dict[str, int]:
    """Return the length of the longest path from each node downwards: its column."""
    found: dict[str, int] = {}

    def depth(name: str) -> int:
        if name not in found:
            found[name] = max((1 + depth(other) for other in edges.get(name, ())), default=0)
        return found[name]

    for name in edges:
        depth(name)
    return found


def _ordered(nodes: Sequence[Node], column: Mapping[str, int], edges: Edges) -> list[list[Node]]:
    """Return the nodes by column; in a column by the mean place of what they point at."""
    result: list[list[Node]] = []
    place: dict[str, float] = {}
    for x in range(max(column.values(), default=-1) + 1):
        here = [node for node in nodes if column[node.name] == x]

        def key(node: Node) -> tuple[float, str]:
            targets = [place[other] for other in edges.get(node.name, ()) if other in place]
            return (sum(targets) / len(targets) if targets else 0.0, node.name)

        here.sort(key=key)
        for index, node in enumerate(here):
            place[node.name] = index / max(1, len(here) - 1)
        result.append(here)
    return result


def draw_graph(nodes: Sequence[Node], edges: Edges, title: str) -> str:
    """Return an SVG element; an edge goes from a node to one on its left that it needs."""
    column = layers({node.name: [*edges.get(node.name, ())] for node in nodes})
    columns = _ordered(nodes, column, edges)
    groups = list(dict.fromkeys(node.group for node in nodes))
    tallest = max((len(here) for here in columns), default=0)
    height = tallest * (HEIGHT + GAP) + GAP
    boxes: dict[str, tuple[float, float, float]] = {}
    x = float(GAP)
    for here in columns:
        width = max((CHARACTER * len(node.text) + 16 for node in here), default=0)
        for index, node in enumerate(here):
            boxes[node.name] = (x, GAP + index * (HEIGHT + GAP), width)
        x += width + COLUMN
    width = max(x - COLUMN + GAP, 2.0 * GAP)
    parts = [
        f'<svg class="graph" role="img" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}"><title>{escape(title)}</title>'
    ]
    parts += [
        _edge(boxes[name], boxes[other])
        for name in boxes
        for other in sorted(edges.get(name, ()))
        if other in boxes
    ]
    parts += [_box(node, boxes[node.name], groups.index(node.group)) for node in nodes]
    return "".join([*parts, "</svg>"])


def _edge(source: tuple[float, float, float], target: tuple[float, float, float]) -> str:
    x1, y1 = source[0], source[1] + HEIGHT / 2
    x2, y2 = target[0] + target[2], target[1] + HEIGHT / 2
    bend = max(24.0, (x1 - x2) / 2)
    return (
        f'<path d="M{x1:.1f} {y1:.1f}C{x1 - bend:.1f} {y1:.1f} {x2 + bend:.1f} {y2:.1f} '
        f'{x2:.1f} {y2:.1f}" fill="none" stroke="#8a94a3" stroke-width="1" opacity=".55"/>'
    )


def _box(node: Node, box: tuple[float, float, float], group: int) -> str:
    x, y, width = box
    inner = (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{HEIGHT}" rx="5" '
        f'fill="{_FILLS[group % len(_FILLS)]}" stroke="#c3cad5"/>'
        f'<text x="{x + 8:.1f}" y="{y + 15:.1f}">{escape(node.text)}</text>'
        f"<title>{escape(node.name)}</title>"
    )
    if node.link:
        return f'<a href="{escape(node.link)}">{inner}</a>'
    return f"<g>{inner}</g>"
