"""A consistent copy of what the audit covers, in which tests may break things."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from evaluators.artifacts.manifest import MANIFEST_PATH, build_manifest
from evaluators.claims.documents import write_documents
from evaluators.claims.ledger import DATA, layout
from evaluators.controls.registry import products

from .cli import ROOT

FOLDERS = ("output", "formal", "evaluators/artifacts/schemas", DATA, "docs")
FILES = ("README.md", "ERRATA.md", "lakefile.lean", "lean-toolchain")


def copy_repository(target: Path) -> Path:
    """Copy the covered files; the copy's manifest and documents are made fresh, so it passes."""
    for folder in FOLDERS:
        shutil.copytree(ROOT / folder, target / folder)
    for name in FILES:
        shutil.copy(ROOT / name, target / name)
    write_documents(target)
    refresh(target)
    return target


def refresh(root: Path) -> None:
    """Make the manifest of the copy again, as someone would who wants to hide a change."""
    (root / MANIFEST_PATH).write_bytes(build_manifest(root, products()))


def edit_ledger(root: Path, paper: str, change: Any) -> None:
    """Apply `change` to the list of claims of one paper, keeping the layout."""
    path = root / DATA / f"{paper}.json"
    document = json.loads(path.read_text("utf-8"))
    change(document["claims"])
    path.write_bytes(layout(document))


def claim_of(claims: list[dict[str, Any]], identifier: str) -> dict[str, Any]:
    """Return the entry of that id."""
    return next(claim for claim in claims if claim["id"] == identifier)
