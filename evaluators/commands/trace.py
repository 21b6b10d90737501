"""The command lean trace: theorem -> premises by LeanDojo, where it can run."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from ..artifacts.canonical import dumps, write_whole
from ..console import print_line
from ..lean.dojo import premises_document, trace
from ..lean.statements import STATEMENTS_PATH, read_statements
from .place import REPOSITORY


def lean_trace(target: Path, root: Path | None) -> int:
    """Write theorem -> premises; InputError (exit code 2) says exactly what is missing."""
    base = root or REPOSITORY
    traced = trace(base)
    document: Any = read_statements(base / STATEMENTS_PATH)
    names = [str(entry["theorem"]) for entry in document["theorems"]]
    found = premises_document(traced, names)
    write_whole(target, dumps(found))
    theorems, unseen = cast(list[object], found["theorems"]), cast(list[object], found["not_seen"])
    print_line(f"written: {target} theorems={len(theorems)} not_seen={len(unseen)}")
    return 0
