"""Whether the ledger is complete and agrees with itself, and the layer that says so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ..lean.audit import RESULTS, is_statements
from ..lean.sources import Package, strip_comments
from ..lean.statements import STATEMENTS_PATH, source_of
from ..model import InputError
from ..verdict import Layer
from .judge import Judged, judge_all
from .ledger import DATA, Ledger, read_ledger
from .store import Store, read_store

# Paper 2 numbers its displayed equations to 97; section 3 of the notes on paper 3 its items to 19.
EQUATIONS = range(1, 98)
ITEMS = range(1, 20)
_SPAN = re.compile(r"\((\d+)[a-z]?\)(?:–\((\d+)[a-z]?\))?")
_ITEM = re.compile(r"\b3\.(\d+)\b")


def ledger_faults(ledger: Ledger, store: Store) -> list[str]:
    """Return what is wrong with the ledger as a whole; empty if nothing is."""
    return [*store.faults, *_register_faults(ledger), *_gaps(ledger)]


def _register_faults(ledger: Ledger) -> Iterator[str]:
    ids = [claim.id for claim in ledger.claims]
    for name, number in Counter(ids).items():
        if number > 1:
            yield f"claim {name} occurs {number} times"
    for name in sorted(set(ledger.registered) - set(ids)):
        yield f"claim {name} is registered but not in the ledger (removed or renamed)"
    for name in sorted(set(ids) - set(ledger.registered)):
        yield f"claim {name} is not in the register (claims --pin records it)"
    for name in sorted(ledger.pins.keys() - set(ledger.theorems())):
        yield f"theorem {name} is registered, but no claim names it"


def _gaps(ledger: Ledger) -> Iterator[str]:
    """Every displayed equation of paper 2 and every item of paper 3's notes has a claim."""
    seen = covered_equations(ledger)
    for number in EQUATIONS:
        if number not in seen:
            yield f"equation ({number}) of paper 2 has no claim"
    items = {
        int(found)
        for claim in ledger.claims
        if claim.paper == "nonclairvoyant"
        for found in _ITEM.findall(f"{claim.number} {claim.source}")
    }
    for number in ITEMS:
        if number not in items:
            yield f"item 3.{number} of the notes on paper 3 has no claim"


def covered_equations(ledger: Ledger) -> set[int]:
    """Return the numbers of paper 2's equations that the claims' numbers name, spans included."""
    seen: set[int] = set()
    for claim in ledger.claims:
        if claim.paper == "svf":
            for first, last in _SPAN.findall(claim.number):
                seen |= set(range(int(first), int(last or first) + 1))
    return seen


def ledger_layer(root: Path) -> Layer:
    """Check that every pointer of every claim points at evidence, and that nothing is missing."""
    layer = Layer("claims", DATA)
    with layer.timed():
        try:
            judge_ledger(layer, read_ledger(root), read_store(root))
        except InputError as error:
            layer.expect(False, str(error))
    return layer


def judge_ledger(layer: Layer, ledger: Ledger, store: Store) -> list[Judged]:
    """Judge every claim and the ledger as a whole; each fault is a reason of the layer."""
    judged = judge_all(ledger, store)
    for entry in judged:
        layer.expect(not entry.faults, f"{entry.claim.id}: {'; '.join(entry.faults)}")
    for fault in ledger_faults(ledger, store):
        layer.expect(False, fault)
    return judged


def statements_layer(root: Path, store: Store) -> Layer:
    """Compare the committed statements with the sources, as text: no Lean is needed.

    Text is weaker than the hash of the elaborated statement, which `lean audit` compares; it shows
    an edit at once, and a theorem that is gone or has another name.
    """
    layer = Layer("statement sources", STATEMENTS_PATH)
    with layer.timed():
        try:
            texts = Package(root).texts
        except InputError as error:
            layer.expect(False, str(error))
            return layer
        results = strip_comments(texts.get(RESULTS, ""))
        stated = "\n\n".join(text for module, text in texts.items() if is_statements(module))
        for name, entry in store.theorems.items():
            source = source_of(stated, str(entry["statement"]))
            layer.expect(
                source == entry["source"],
                f"{entry['statement']}: its source differs from the committed statement",
            )
            short = re.escape(name.rpartition(".")[2])
            proved = re.search(rf"\btheorem\s+{short}\b", results)
            layer.expect(bool(proved), f"{name}: no theorem of that name in Results.lean")
        for fault in store.faults:
            layer.expect(STATEMENTS_PATH not in fault, fault)
    return layer
