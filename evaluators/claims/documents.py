"""Documents that follow from the ledger: ERRATA.md, docs/NAMES.md, blocks in README.md.

A block stands between `<!-- begin generated: NAME -->` and `<!-- end generated: NAME -->`; the
audit compares it with what is computed, so a number in it cannot rot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..artifacts.canonical import read_bytes, write_whole
from ..verdict import Layer
from .judge import Judged, Status, counts, judge_all
from .ledger import DOUBTFUL, WRONG, Ledger, read_ledger
from .names import name_faults, names_document
from .store import Store, read_store

README = "README.md"
ERRATA = "ERRATA.md"
NAMES = "docs/NAMES.md"
_BLOCK = re.compile(
    r"(?s)(<!-- begin generated: ([a-z-]+) -->\n)(.*?)(<!-- end generated: ([a-z-]+) -->)"
)
_PAPERS = {"tight": "paper 1", "svf": "paper 2", "nonclairvoyant": "paper 3", "notes": "our notes"}


def errata(ledger: Ledger, judged: Sequence[Judged]) -> str:
    """Return ERRATA.md: every claim that is not true as printed, and what holds instead."""
    parts = [
        "# Errata\n\nWhat is false, misprinted, vacuous or unproven in the three papers, and in\n"
        "our own working notes; what holds instead, and the evidence. Written from the ledger by\n"
        "`python -m evaluators audit --write`; do not edit. `python -m evaluators claims ID`\n"
        "explains one entry.\n"
    ]
    for paper, title in ledger.titles.items():
        entries = [e for e in judged if e.claim.paper == paper and e.claim.verdict in DOUBTFUL]
        parts.append(f"\n## {title}\n")
        parts += [_erratum(entry) for entry in entries]
        if not entries:
            parts.append("\nNothing found.\n")
    return "".join(parts)


def _erratum(entry: Judged) -> str:
    claim = entry.claim
    lines = [
        f"\n### {claim.number}: {claim.title}\n\n`{claim.id}`, {claim.verdict}.\n\n",
        f"- **As {'printed' if claim.origin == 'paper' else 'stated'}**: {claim.statement}\n",
    ]
    if claim.why:
        label = "Why not" if claim.verdict in WRONG else "Remark"
        lines.append(f"- **{label}**: {claim.why}\n")
    if claim.repaired:
        lines.append(f"- **Instead**: {claim.repaired}\n")
    lines.append(f"- **Evidence**: {evidence_words(entry)}\n")
    if claim.not_covered:
        lines.append(f"- **Not covered**: {claim.not_covered}\n")
    return "".join(lines)


def evidence_words(entry: Judged) -> str:
    """Return the evidence in words: what refutes the statement, what supports what holds."""
    parts = []
    for against, label in ((True, "refuted by"), (False, "supported by")):
        named = [f"{i.kind} `{i.pointer}`" for i in entry.items if i.against is against]
        if named:
            parts.append(f"{label} {', '.join(named)}")
    return "; ".join(parts) or "none here"


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def counts_block(ledger: Ledger, judged: Sequence[Judged]) -> str:
    """Return the table of claims by paper and status."""
    words = [word for word in Status if word is not Status.ERROR]
    rows = []
    for paper in ledger.titles:
        found = counts([e for e in judged if e.claim.paper == paper])
        total = sum(found.values())
        rows.append([_PAPERS[paper], str(total), *(str(found[word]) for word in words)])
    every = counts(judged)
    rows.append(["all", str(len(judged)), *(str(every[word]) for word in words)])
    return _table(["claims of", "claims", *words], rows)


def theorems_block(ledger: Ledger, store: Store) -> str:
    """Return the table of headline theorems: the claim that each proves, and its axioms."""
    rows = []
    for name, entry in sorted(store.theorems.items()):
        axioms = ", ".join(entry["axioms"]) or "none"
        says = _says(ledger, name).replace("|", "\\|")
        rows.append([f"`{name.rpartition('.')[2]}`", says, axioms])
    return _table(["theorem", "says", "axioms"], rows)


def _says(ledger: Ledger, theorem: str) -> str:
    """Return the claim that a theorem proves, with what it leaves out, or the one it refutes."""
    claim = ledger.headline(theorem)
    if claim is not None:
        note = f" *Note: {claim.not_covered}*" if claim.not_covered else ""
        return f"{claim.title}: {claim.holds}{note}"
    wrong = ledger.refuted_by(theorem)
    if wrong is None:
        return "(no claim of the ledger uses it)"
    return f"Against “{wrong.title}” ({wrong.number}): {wrong.why}"


def blocks(ledger: Ledger, judged: Sequence[Judged], store: Store) -> dict[str, str]:
    """Return every generated block by its name."""
    return {"claims": counts_block(ledger, judged), "theorems": theorems_block(ledger, store)}


def _replaced(text: str, made: dict[str, str]) -> str:
    def put(match: re.Match[str]) -> str:
        return match[1] + made.get(match[2], match[3]) + match[4]

    return _BLOCK.sub(put, text)


def documents(
    root: Path, ledger: Ledger, store: Store, judged: Sequence[Judged]
) -> dict[str, bytes]:
    """Return what the generated documents must be, by path; README as it is, blocks replaced."""
    readme = read_bytes(root / README).decode("utf-8")
    made = {
        ERRATA: errata(ledger, judged),
        NAMES: names_document(),
        README: _replaced(readme, blocks(ledger, judged, store)),
    }
    return {name: text.encode("utf-8") for name, text in made.items()}


def write_documents(root: Path) -> list[str]:
    """Write the documents that differ; return their names."""
    changed = []
    ledger, store = read_ledger(root), read_store(root)
    for name, data in documents(root, ledger, store, judge_all(ledger, store)).items():
        path = root / name
        if not path.is_file() or path.read_bytes() != data:
            write_whole(path, data)
            changed.append(name)
    return changed


def documents_layer(root: Path, ledger: Ledger, store: Store, judged: Sequence[Judged]) -> Layer:
    """Compare the generated documents and blocks with the ledger; name the first line that differs.

    Also: every marker is one of ours, and every name in docs/NAMES.md exists.
    """
    layer = Layer("documents", README)
    with layer.timed():
        expected = documents(root, ledger, store, judged)
        for name, data in expected.items():
            path = root / name
            found = path.read_bytes() if path.is_file() else None
            layer.expect(found == data, f"{name}: {_first_difference(found, data)}")
        for fault in (*marker_faults(expected[README].decode("utf-8")), *name_faults(root)):
            layer.expect(False, fault)
    return layer


def _first_difference(found: bytes | None, expected: bytes) -> str:
    if found is None:
        return "missing (audit --write makes it)"
    if found.replace(b"\r\n", b"\n") == expected:
        return "only line endings differ (CRLF instead of LF)"
    ours, theirs = expected.decode().splitlines(), found.decode("utf-8", "replace").splitlines()
    for index, line in enumerate(ours):
        other = theirs[index] if index < len(theirs) else ""
        if line != other:
            return f"line {index + 1}: the ledger says {line[:90]!r}, the file {other[:90]!r}"
    return "has lines at its end that the ledger does not"


def marker_faults(text: str) -> Iterator[str]:
    """Return what is wrong with the markers: unknown names, ends that do not match, none at all."""
    names = re.findall(r"<!-- (begin|end) generated: (\S+) -->", text)
    known = {"claims", "theorems"}
    stack: list[str] = []
    for word, name in names:
        if name not in known:
            yield f"{README}: no block is called {name}"
        if word == "begin":
            stack.append(name)
        elif not stack or stack.pop() != name:
            yield f"{README}: `end generated: {name}` without its begin"
    if stack:
        yield f"{README}: `begin generated: {stack[0]}` without its end"
    for name in sorted(known - {name for word, name in names if word == "begin"}):
        yield f"{README}: the generated block {name} is missing"
