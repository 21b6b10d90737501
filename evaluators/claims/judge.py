"""The status of a claim: computed from its evidence, never typed in.

`error` if a pointer is broken; `counterexample` if the statement as printed is refuted; else
`theorem`, `exact check`, `symbolic`, by the strongest evidence; `open` without any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from ..controls.draft import Family
from ..controls.registry import ARTIFACTS
from ..controls.verify import differences
from .ledger import WRONG, Claim, Evidence, Ledger
from .store import (
    Control,
    Store,
    artifact_name,
    artifact_path,
    code_fault,
    control_fault,
    form_fault,
    theorem_fault,
)

Progress = Callable[[int, int, str], None]
# Words of `not_covered` that a theorem makes untrue.
_NO_THEOREM = ("No theorem yet", "not in Lean yet", "Not in Lean", "proof is by pencil")


class Status(StrEnum):
    """The six words."""

    THEOREM = "theorem"
    EXACT = "exact check"
    SYMBOLIC = "symbolic"
    COUNTEREXAMPLE = "counterexample"
    OPEN = "open"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Item:
    """One pointer: its kind, what it points at, for or against, how many, and its fault."""

    kind: str
    pointer: str
    against: bool
    count: int
    fault: str
    command: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim with its status, that of its repaired statement, its evidence and its faults.

    `derived` says whether controls and closed forms were derived again, or only read.
    """

    claim: Claim
    status: Status
    support: Status
    items: tuple[Item, ...]
    faults: tuple[str, ...]
    derived: bool = False


def judge(claim: Claim, store: Store, pins: dict[str, str]) -> Judged:
    """Judge a claim by what is stored; `derive_again` does the rest."""
    items = (
        *_items(claim.supported, store, pins, against=False),
        *_items(claim.refuted, store, pins, against=True),
    )
    faults = [item.fault for item in items if item.fault]
    faults += [fault for fault in map(code_fault, claim.code) if fault]
    faults += _missing_words(claim)
    return _concluded(Judged(claim, Status.OPEN, Status.OPEN, items, tuple(faults)))


def judge_all(ledger: Ledger, store: Store) -> list[Judged]:
    """Judge every claim of the ledger, in its order."""
    return [judge(claim, store, ledger.pins) for claim in ledger.claims]


def _concluded(judged: Judged) -> Judged:
    support = _strongest(judged.claim.supported)
    status = Status.COUNTEREXAMPLE if judged.claim.refuted else support
    if judged.faults:
        status = support = Status.ERROR
    return replace(judged, status=status, support=support)


def _strongest(evidence: Evidence) -> Status:
    if evidence.theorems:
        return Status.THEOREM
    if evidence.controls:
        return Status.EXACT
    return Status.SYMBOLIC if evidence.closed_forms else Status.OPEN


def _missing_words(claim: Claim) -> Iterator[str]:
    """A claim without evidence says so; a wrong one says what holds instead, or why."""
    if not claim.supported and not claim.refuted and not claim.not_covered:
        yield "without evidence, `not_covered` must say what is missing"
    stale = [words for words in _NO_THEOREM if words in claim.not_covered]
    if claim.supported.theorems and stale:
        yield f"a theorem supports it, but `not_covered` says {stale[0]!r}"
    if claim.verdict in WRONG and not (claim.repaired or claim.why):
        yield f"{claim.verdict} needs `repaired` or `why`"


def _items(evidence: Evidence, store: Store, pins: dict[str, str], against: bool) -> Iterator[Item]:
    for name in evidence.theorems:
        fault = theorem_fault(store, name, pins)
        yield Item("theorem", name, against, 1, fault, "python -m evaluators lean audit")
    for pointer in evidence.controls:
        found = store.find(pointer)
        faults = [fault for fault in (control_fault(c, against) for c in found) if fault]
        if not found:
            faults = [f"control {pointer} is in no artifact"]
        command = f"python -m evaluators verify {artifact_path(pointer)} --lean off"
        yield Item("control", pointer, against, len(found), "; ".join(faults[:3]), command)
    for name in evidence.closed_forms:
        fault = form_fault(store, name, against)
        yield Item("closed form", name, against, 1, fault, "python -m evaluators verify --lean off")


def derive_again(judged: Judged, store: Store, progress: Progress | None = None) -> Judged:
    """Derive the claim's controls from their parameters and decide its closed forms again."""
    faults = list(judged.faults)
    controls = [(i.pointer, c) for i in judged.items for c in _found(i, store)]
    forms = [item for item in judged.items if item.kind == "closed form"]
    for done, (pointer, control) in enumerate(controls):
        if progress:
            progress(done, len(controls) + len(forms), str(control["id"]))
        faults += _derivation_faults(pointer, control)
    for item in forms:
        form = store.forms.get(item.pointer)
        faults += form.reasons() if form else []
    if progress:
        progress(1, 1, "")
    unique = tuple(dict.fromkeys(faults))
    return replace(_concluded(replace(judged, faults=unique)), derived=True)


def _found(item: Item, store: Store) -> list[Control]:
    return store.find(item.pointer) if item.kind == "control" else []


def _derivation_faults(pointer: str, control: Control) -> list[str]:
    family = _family(pointer, str(control["family"]))
    if family is None:
        return [f"control {control['id']}: no family {control['family']} derives it"]
    draft = family.derive(control["parameters"])
    # Any optimal schedule will do, so starts of optima are for `verify` to replay.
    found = [d for d in differences(draft.document(), control) if not d.startswith("optima[")]
    return [f"control {control['id']}: {reason}" for reason in (*draft.faults, *found)][:3]


def _family(pointer: str, name: str) -> Family | None:
    for artifact in ARTIFACTS:
        if artifact_name(artifact) == pointer.partition("#")[0]:
            return next((family for family in artifact.families if family.name == name), None)
    return None


def counts(judged: Sequence[Judged]) -> dict[str, int]:
    """Return how many claims have each status, every word present."""
    found = Counter(entry.status for entry in judged)
    return {word: found[word] for word in Status}


def unused(ledger: Ledger, store: Store) -> list[tuple[str, str]]:
    """Return the evidence that no claim uses, as (kind, name): theorems, families, closed forms."""
    both = [e for c in ledger.claims for e in (c.supported, c.refuted)]
    theorems = {t for e in both for t in e.theorems}
    forms = {f for e in both for f in e.closed_forms}
    used = {
        f"{p.partition('#')[0]}#{c['id']}" for e in both for p in e.controls for c in store.find(p)
    }
    found = [("theorem", name) for name in store.theorems if name not in theorems]
    for artifact, controls in store.controls.items():
        idle = [c for i, c in controls.items() if f"{artifact}#{i}" not in used]
        families = Counter(str(c["family"]) for c in idle)
        found += [("controls", f"{artifact}#{name} ({n})") for name, n in sorted(families.items())]
    return found + [("closed form", name) for name in store.forms if name not in forms]
