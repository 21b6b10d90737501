"""The command claims: list the ledger, explain one claim, record what was reviewed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..artifacts.canonical import Json, read_bytes, write_whole
from ..claims.consistency import ledger_faults
from ..claims.judge import Judged, Status, counts, derive_again, judge, judge_all, unused
from ..claims.ledger import DATA, PAPERS, REGISTER, Ledger, read_ledger, register_bytes
from ..claims.store import Store, read_store
from ..console import print_json, print_line, print_pairs, progress
from ..model import InputError
from .place import REPOSITORY


@dataclass(frozen=True, slots=True)
class ClaimFilter:
    """Which claims are listed; None means any."""

    status: str | None = None
    paper: str | None = None
    verdict: str | None = None

    def checked(self) -> ClaimFilter:
        """Return itself; raises InputError for an unknown status or paper."""
        for field, value, allowed in (
            ("status", self.status, [*Status]),
            ("paper", self.paper, [*PAPERS]),
        ):
            if value is not None and value not in allowed:
                raise InputError(field, f"must be one of {', '.join(allowed)}, got {value!r}")
        return self

    def takes(self, entry: Judged) -> bool:
        """Whether the claim is listed; a status also matches that of the repaired statement."""
        return (
            self.status in (None, entry.status, entry.support)
            and self.paper in (None, entry.claim.paper)
            and self.verdict in (None, entry.claim.verdict)
        )


def claims(
    identifier: str | None, chosen: ClaimFilter, check: bool, json: bool, root: Path | None
) -> int:
    """List the claims, or explain one; 1 if a listed claim is an error or the ledger is faulty.

    With `check`, controls are derived and closed forms decided again.
    """
    base = root or REPOSITORY
    chosen.checked()
    ledger, store = read_ledger(base), read_store(base)
    if identifier is not None:
        found = [judge(ledger.named(identifier), store, ledger.pins)]
        faults: list[str] = []
    else:
        found = [entry for entry in judge_all(ledger, store) if chosen.takes(entry)]
        faults = ledger_faults(ledger, store)
    if check:
        found = _checked(found, store)
    if json:
        print_json(_document(found, faults, unused(ledger, store)))
    elif identifier is not None:
        _explain(found[0], store)
    else:
        _list(found, faults, ledger, store)
    return 1 if faults or any(entry.faults for entry in found) else 0


def _checked(found: Sequence[Judged], store: Store) -> list[Judged]:
    with progress("claims") as report:
        return [derive_again(entry, store, report) for entry in found]


def pin(root: Path | None) -> int:
    """Record the ids and the hash of every theorem's statement as they are now: a review."""
    base = root or REPOSITORY
    ledger, store = read_ledger(base), read_store(base)
    names = [name for name in ledger.theorems() if name in store.theorems]
    pins = {name: str(store.theorems[name]["hash"]) for name in names}
    data = register_bytes((claim.id for claim in ledger.claims), pins)
    path = base / DATA / REGISTER
    changed = read_bytes(path) != data
    if changed:
        for name in sorted(pins.keys() | ledger.pins.keys()):
            if pins.get(name) != ledger.pins.get(name):
                print_line(f"{'recorded' if name in pins else 'removed'}: {name}")
        write_whole(path, data)
    print_line(f"{'written' if changed else 'nothing changed'}: {DATA}/{REGISTER}")
    return 0


def _list(found: Sequence[Judged], faults: Sequence[str], ledger: Ledger, store: Store) -> None:
    # Plain lines, not a table: ids stay whole, and grep works.
    width = max((len(entry.claim.id) for entry in found), default=0)
    for entry in found:
        claim = entry.claim
        print_line(f"{claim.id:<{width}}  {claim.verdict:<14}  {_word(entry):<37}  {claim.title}")
    for kind, name in unused(ledger, store):
        print_line(f"unused {kind}: {name}")
    for entry in found:
        for fault in entry.faults:
            print_line(f"ERROR: {entry.claim.id}: {fault}")
    for fault in faults:
        print_line(f"ERROR: {fault}")
    print_line(summary(found))


def _word(entry: Judged) -> str:
    if entry.status is Status.COUNTEREXAMPLE and entry.claim.supported:
        return f"{entry.status}; repaired: {entry.support}"
    return str(entry.status)


def summary(found: Sequence[Judged]) -> str:
    """Return the machine-readable last line: `claims=... theorem=... ... error=...`."""
    words = " ".join(f"{w.replace(' ', '_')}={n}" for w, n in counts(found).items())
    return f"claims={len(found)} {words}"


def _explain(entry: Judged, store: Store) -> None:
    claim = entry.claim
    rows = [
        ("claim", claim.id),
        ("where", f"{claim.paper}: {claim.number} ({claim.kind}, {claim.origin})"),
        ("title", claim.title),
        ("statement", claim.statement),
        ("verdict of the notes", f"{claim.verdict} ({claim.source})"),
        ("status", _word(entry) + (", derived again" if entry.derived else "")),
        ("why", claim.why),
        ("what holds", claim.repaired),
        ("not covered", claim.not_covered),
        ("implemented by", ", ".join(f"evaluators.{c}" for c in claim.code)),
    ]
    print_pairs("claim", [row for row in rows if row[1]])
    for item in entry.items:
        side = "against" if item.against else "for"
        number = f" ({item.count} controls)" if item.count > 1 else ""
        print_line(f"{side}: {item.kind} {item.pointer}{number}; check: {item.command}")
    for name in (*claim.supported.theorems, *claim.refuted.theorems):
        if name in store.theorems:
            print_line(f"\n{store.theorems[name]['source']}\n")
    print_line(f"check again: python -m evaluators claims {claim.id} --check")
    for fault in entry.faults:
        print_line(f"ERROR: {fault}")
    print_line(f"claim={claim.id} status={entry.status.replace(' ', '_')}")


def _document(
    found: Sequence[Judged], faults: Sequence[str], idle: Sequence[tuple[str, str]]
) -> dict[str, Json]:
    return {
        "schema": "onlinekv/claims-result/v1",
        "counts": {str(word): number for word, number in counts(found).items()},
        "claims": [judged_to_json(entry) for entry in found],
        "unused": [{"kind": kind, "name": name} for kind, name in idle],
        "faults": [*faults],
    }


def judged_to_json(entry: Judged) -> dict[str, Json]:
    """Return a judged claim as JSON data."""
    claim = entry.claim
    words: dict[str, Json] = {
        name: value for name, value in (("why", claim.why), ("repaired", claim.repaired)) if value
    }
    return {
        "id": claim.id,
        "paper": claim.paper,
        "number": claim.number,
        "title": claim.title,
        "statement": claim.statement,
        "verdict": claim.verdict,
        "status": str(entry.status),
        "support": str(entry.support),
        "derived": entry.derived,
        **words,
        "not_covered": claim.not_covered,
        "code": [*claim.code],
        "evidence": [
            {
                "kind": item.kind,
                "pointer": item.pointer,
                "against": item.against,
                "count": item.count,
                "command": item.command,
                **({"fault": item.fault} if item.fault else {}),
            }
            for item in entry.items
        ],
        "faults": [*entry.faults],
    }
