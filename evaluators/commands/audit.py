"""The command audit: files, statements, ledger and documents agree; receipts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..artifacts.canonical import Json, dumps, write_whole
from ..artifacts.manifest import audit_manifest
from ..claims.consistency import judge_ledger, statements_layer
from ..claims.documents import README, documents_layer, write_documents
from ..claims.judge import Judged
from ..claims.ledger import DATA, read_ledger
from ..claims.receipt import Proofs, against, read_receipt, receipt
from ..claims.store import Store, read_store
from ..console import print_line
from ..controls.registry import products
from ..model import InputError
from ..verdict import Layer
from .lean import check_lean
from .place import REPOSITORY
from .verify import conclude


@dataclass(frozen=True, slots=True)
class ReceiptChoice:
    """Where the receipt is written, and which one the audit is compared with."""

    write: Path | None = None
    against: Path | None = None


def audit(
    root: Path | None, json: bool, lean: str = "off", choice: ReceiptChoice | None = None
) -> int:
    """Check what is committed against itself; with `lean` also the proofs. 0 if VERIFIED."""
    base, chosen = root or REPOSITORY, choice or ReceiptChoice()
    old = read_receipt(chosen.against) if chosen.against else None
    store = read_store(base)
    layers, judged = audit_layers(base, store)
    proofs = Proofs()
    if lean != "off":
        found = check_lean(lean, base)
        # The bridge judges artifacts, which `verify` gives it; an audit has none.
        layers += found.layers[:3]
        proofs = Proofs(found.lean, str(found.layers[1].verdict), found.unseen)
    new = receipt(base, store, judged, layers, proofs) if chosen.write or old else None
    if old and new:
        layers.append(_compared(old, new, str(chosen.against)))
    code = conclude("audit", layers, json)
    if chosen.write and new:
        write_whole(chosen.write, dumps(new))
        if not json:
            print_line(f"receipt written, unsigned: {chosen.write}")
    return code


def audit_layers(base: Path, store: Store) -> tuple[list[Layer], list[Judged]]:
    """Return the layers that need no Lean (manifest, statements as text, ledger, documents).

    With them the judged claims; documents are not checked if the ledger cannot be read.
    """
    claims, judged = Layer("claims", DATA), []
    documents = Layer("documents", README, reasons=["the ledger cannot be read"], ran=False)
    with claims.timed():
        try:
            ledger = read_ledger(base)
            judged = judge_ledger(claims, ledger, store)
            documents = documents_layer(base, ledger, store, judged)
        except InputError as error:
            claims.expect(False, str(error))
    manifest = audit_manifest(base, products())
    return [*manifest, statements_layer(base, store), claims, documents], judged


def _compared(old: dict[str, Json], new: dict[str, Json], name: str) -> Layer:
    layer = Layer("receipt", name)
    with layer.timed():
        layer.expect(True, "")
        for line in against(old, new):
            layer.expect(False, line)
    return layer


def write_generated(root: Path | None) -> int:
    """Write README's blocks, ERRATA.md and docs/NAMES.md from the ledger."""
    changed = write_documents(root or REPOSITORY)
    for name in changed:
        print_line(f"written: {name}")
    if not changed:
        print_line("nothing changed")
    return 0
