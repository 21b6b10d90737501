"""The graphs of the report: folders of the library, all modules, theorems and definitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..lean.sources import LIBRARY, Package
from .graph import Node, draw_graph, reduced

Theorem = Mapping[str, Any]


def short(module: str) -> str:
    """Return a module's name without the library: `Model.Cost`."""
    return module.removeprefix(f"{LIBRARY}.")


def folder(module: str) -> str:
    """Return the folder of a module, or its own name at the top."""
    return short(module).partition(".")[0]


def module_graph(package: Package) -> str:
    """Return the graph of all modules but the root, which imports everything."""
    edges = {name: [*others] for name, others in package.imports.items() if name != LIBRARY}
    nodes = [Node(name, short(name), folder(name)) for name in sorted(edges)]
    return draw_graph(nodes, reduced(edges), "Imports of the library's modules")


def folder_graph(package: Package) -> str:
    """Return the graph of folders; of two that need each other, the later keeps its arrow only."""
    edges: dict[str, set[str]] = {}
    for name in package.order:
        if name != LIBRARY:
            own = edges.setdefault(folder(name), set())
            own |= {folder(other) for other in package.imports[name]} - {folder(name)}
    acyclic = _without_circles(edges)
    counts: dict[str, int] = {}
    for name in package.order:
        counts[folder(name)] = counts.get(folder(name), 0) + 1
    nodes = [Node(name, f"{name} ({counts[name]})", name) for name in sorted(edges)]
    return draw_graph(nodes, reduced(acyclic), "Folders of the library, with their modules counted")


def _without_circles(edges: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Drop the arrows that close a circle, in alphabetical order of their ends."""
    kept: dict[str, set[str]] = {name: set() for name in edges}

    def reaches(start: str, goal: str) -> bool:
        return start == goal or any(reaches(other, goal) for other in kept.get(start, ()))

    for name in sorted(edges):
        for other in sorted(edges[name]):
            if not reaches(other, name):
                kept[name].add(other)
    return kept


def needs_graph(theorems: Sequence[Theorem], modules: Mapping[str, str]) -> str:
    """Return the graph from theorems to the modules of the definitions that they unfold to."""
    edges: dict[str, set[str]] = {}
    nodes: list[Node] = []
    for theorem in theorems:
        name = str(theorem["theorem"])
        needed = {modules[d] for d in theorem["definitions"] if d in modules}
        edges[name] = needed
        last = name.rpartition(".")[2]
        nodes.append(Node(name, last, "theorem", f"statements.html#{last}"))
    used = sorted({module for needed in edges.values() for module in needed})
    nodes += [Node(module, short(module), folder(module)) for module in used]
    every = {**edges, **{module: set() for module in used}}
    return draw_graph(nodes, every, "Theorems and the modules of their definitions")
