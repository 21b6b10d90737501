"""LeanDojo, an optional extra: theorem -> premises, for people who train or search with them.

Nothing rests on it: our own walk of the environment is what the audit believes.  lean-dojo traces
a repository with `lake` and fetches Lean from GitHub; it reads no module files, so what it returns
may be incomplete, and the document says which headline theorems it did not see.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol

from ..artifacts.canonical import Json
from ..model import InputError
from .sources import LIBRARY

PREMISES_SCHEMA = "onlinekv/lean-premises/v1"
_HOST = ("github.com", 443)


class TracedTheorem(Protocol):
    """What the adapter uses of a traced theorem of lean-dojo 4.20."""

    theorem: Any

    def get_premise_full_names(self) -> list[str]:
        """Return the premises in the order of the proof, repeated as they are used."""
        ...


def missing(root: Path, reachable: Callable[[], bool] | None = None) -> list[str]:
    """Return what lean-dojo needs and this machine has not; empty if it can run."""
    found = []
    if importlib.util.find_spec("lean_dojo") is None:
        found.append("the package lean-dojo (pip install 'onlinekv[dojo]')")
    if shutil.which("lake") is None:
        found.append("lake, of an ordinary Lean installation, on PATH")
    if not _is_git(root):
        found.append("a git repository with a commit (lean-dojo traces commits)")
    if not (reachable or _reachable)():
        found.append(f"the network: {_HOST[0]} does not answer (lean-dojo fetches Lean from there)")
    return found


def _is_git(root: Path) -> bool:
    command = ["git", "-C", str(root), "rev-parse", "--verify", "HEAD"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _reachable() -> bool:
    try:
        with socket.create_connection(_HOST, timeout=3):
            return True
    except OSError:
        return False


def trace(root: Path) -> Sequence[TracedTheorem]:
    """Trace the repository with lean-dojo (minutes); raises InputError naming what is missing."""
    lacking = missing(root)
    if lacking:
        raise InputError("lean trace", f"cannot run, missing: {'; '.join(lacking)}")
    # Set before the import: lean-dojo reads it once, and refuses local repositories without it.
    os.environ["DISABLE_REMOTE_CACHE"] = "1"
    lean_dojo: Any = importlib.import_module("lean_dojo")
    with tempfile.TemporaryDirectory() as folder:
        repository = lean_dojo.LeanGitRepo.from_path(str(root))
        traced = lean_dojo.trace(repository, dst_dir=Path(folder) / "traced")
        return list(traced.get_traced_theorems())


def premises_document(
    traced: Iterable[TracedTheorem], expected: Iterable[str] = ()
) -> dict[str, Json]:
    """Return theorem -> premises for the library's theorems, and the expected ones not seen.

    Premises are distinct and sorted; a theorem is no premise of itself.
    """
    found: dict[str, set[str]] = {}
    for entry in traced:
        name = str(entry.theorem.full_name)
        if name == LIBRARY or name.startswith(f"{LIBRARY}."):
            found.setdefault(name, set()).update(set(entry.get_premise_full_names()) - {name})
    theorems: list[Json] = [
        {"theorem": name, "premises": [*sorted(found[name])]} for name in sorted(found)
    ]
    unseen: list[Json] = [*sorted(set(expected) - found.keys())]
    return {
        "schema": PREMISES_SCHEMA,
        "source": "lean-dojo; nothing of this repository rests on it",
        "theorems": theorems,
        "not_seen": unseen,
    }
