"""The receipt of an audit: what was checked, at which commit, with which digests.  Unsigned.

The shape is in-toto's Statement v1: `_type`, `subject` (files and their SHA-256), `predicateType`,
`predicate`.  It proves nothing by itself: compare it with an audit of your own.
"""

from __future__ import annotations

import platform
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from ..artifacts.canonical import Json, read_object
from ..artifacts.manifest import MANIFEST_PATH
from ..artifacts.schema import field_path, validator
from ..lean.home import RELEASE
from ..model import InputError
from ..verdict import Layer, overall
from .judge import Judged, counts
from .store import Store

STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:onlinekv:audit-receipt:v1"
RECEIPT_SCHEMA = "onlinekv/receipt/v1"
_UNSIGNED = "none: this receipt is unsigned and proves nothing without an audit of your own"
_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Proofs:
    """What is known of the proofs: which Lean, the kernel's verdict, what it cannot show."""

    kind: str = "off"
    kernel: str = "NOT CHECKED"
    not_seen: str = "everything: the proofs were not checked"


def receipt(
    root: Path, store: Store, judged: Sequence[Judged], layers: Sequence[Layer], proofs: Proofs
) -> dict[str, Json]:
    """Return the receipt; raises InputError if the manifest cannot be read."""
    commit, dirty = commit_of(root)
    entries = cast(list[dict[str, str]], read_object(root / MANIFEST_PATH)["entries"])
    return {
        "_type": STATEMENT_TYPE,
        "subject": [{"name": e["path"], "digest": {"sha256": e["sha256"]}} for e in entries],
        "predicateType": PREDICATE_TYPE,
        "predicate": {
            "schema": RECEIPT_SCHEMA,
            "signature": _UNSIGNED,
            "commit": commit,
            "dirty": dirty,
            "finished": datetime.now(UTC).isoformat(timespec="seconds"),
            "python": platform.python_version(),
            "lean": {
                "kind": proofs.kind,
                "version": RELEASE,
                "kernel": proofs.kernel,
                "not_seen": proofs.not_seen,
            },
            "theorems": _theorems(store),
            "claims": _claims(judged),
            "counts": {str(word): number for word, number in counts(judged).items()},
            "verdict": str(overall(layers)),
            "layers": [_layer(layer) for layer in layers],
        },
    }


def _theorems(store: Store) -> Json:
    return {
        name: {"hash": entry["hash"], "axioms": [*entry["axioms"]]}
        for name, entry in sorted(store.theorems.items())
    }


def _claims(judged: Sequence[Judged]) -> Json:
    return {entry.claim.id: str(entry.status) for entry in judged}


def _layer(layer: Layer) -> Json:
    return {
        "layer": layer.layer,
        "target": layer.target,
        "verdict": str(layer.verdict),
        "checked": layer.checked,
        "microseconds": layer.microseconds,
    }


def commit_of(root: Path) -> tuple[str, bool]:
    """Return the commit and whether tracked or new files differ; `unknown` outside of git."""
    head = _git(root, "rev-parse", "HEAD")
    if head is None:
        return "unknown", True
    return head.strip(), bool(_git(root, "status", "--porcelain"))


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def read_receipt(path: Path) -> dict[str, Json]:
    """Read a receipt; raises InputError if it is not of the shape."""
    document = read_object(path)
    try:
        predicate = document.get("predicate")
        schema = predicate.get("schema") if isinstance(predicate, dict) else None
        if schema != RECEIPT_SCHEMA:
            raise InputError("predicate.schema", f"must be {RECEIPT_SCHEMA!r}, got {schema!r}")
        # The shape has no member `schema` at its top, so the validator is asked itself.
        for error in validator(RECEIPT_SCHEMA).iter_errors(document):
            raise InputError(field_path(error), error.message)
    except InputError as error:
        raise error.at(str(path)) from None
    return document


def against(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return every difference between two receipts but times, one line each."""
    before, now = old["predicate"], new["predicate"]
    lines = [
        f"{name}: the receipt says {before[name]!r}, now {now[name]!r}"
        for name in ("commit", "dirty", "verdict")
        if before[name] != now[name]
    ]
    lines += _changes("file", _digests(old), _digests(new))
    lines += _changes("theorem", before["theorems"], now["theorems"])
    lines += _changes("claim", before["claims"], now["claims"])
    lines += _changes("lean", before["lean"], now["lean"])
    return lines


def _digests(document: Mapping[str, Any]) -> dict[str, str]:
    return {entry["name"]: entry["digest"]["sha256"] for entry in document["subject"]}


def _changes(kind: str, before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted(before.keys() | now.keys()):
        if name not in now:
            yield f"{kind} {name}: is in the receipt, not here"
        elif name not in before:
            yield f"{kind} {name}: is here, not in the receipt"
        elif before[name] != now[name]:
            yield f"{kind} {name}: the receipt says {_short(before[name])}, now {_short(now[name])}"


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."
