"""The commands about proofs: lean setup, build, audit, statements; and the layers of verify."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..artifacts.canonical import Json, dumps, read_bytes, write_whole
from ..console import (
    Report,
    print_json,
    print_layers,
    print_line,
    print_table,
    progress,
    summary_line,
)
from ..lean.audit import Audited, audit, checked_items
from ..lean.axiom_report import (
    EXPECTED,
    REPORT,
    expected_text,
    judge_report,
    parse_report,
    report_text,
    source_theorems,
)
from ..lean.bridge import judge_controls
from ..lean.build import content_key
from ..lean.environment import Environment
from ..lean.install import setup
from ..lean.sources import Package
from ..lean.statements import (
    STATEMENTS_PATH,
    drift,
    read_statements,
    statements_document,
)
from ..lean.toolchain import Toolchain, choose
from ..model import InputError
from ..verdict import Layer, Verdict, overall
from .place import REPOSITORY

BRIDGE = "lean bridge"
LAYERS = ("lean build", "lean audit", "lean statements", BRIDGE)
TARGET = "formal/"
_OFF = "--lean off: no theorem was checked"


def lean_setup() -> int:
    """Install the embedded Lean unless it is there."""
    with progress("lean setup") as report:
        home = setup(report)
    print_line(f"embedded Lean ready in {home.root}")
    return 0


def lean_build(modules: Sequence[str], kind: str = "auto", root: Path | None = None) -> int:
    """Compile the named modules, or all; print faults as Lean does, and the times."""
    package = Package(root or REPOSITORY)
    with progress("lean build") as report:
        toolchain = _chosen(kind, package.root, report)
        try:
            result = toolchain.build(package, modules, report)
        finally:
            toolchain.stop()
    for text in result.reasons:
        print_line(text)
    rows = [
        [m.name, f"{m.milliseconds / 1000:.1f}", _state(m.cached, m.skipped, bool(m.faults))]
        for m in result.modules
    ]
    print_table(f"lean build ({toolchain.name})", ["module", "seconds", "result"], rows)
    made = sum(not m.cached and not m.skipped for m in result.modules)
    print_line(
        f"lean_build={'ok' if result.ok else 'failed'} modules={len(rows)} "
        f"compiled={made} seconds={result.seconds:.1f}"
    )
    return 0 if result.ok else 1


def _state(cached: bool, skipped: bool, failed: bool) -> str:
    if failed:
        return "failed"
    return "skipped" if skipped else "unchanged" if cached else "compiled"


def _chosen(kind: str, root: Path, report: Report) -> Toolchain:
    toolchain = choose(kind, root, report)
    if toolchain is None:
        raise InputError("lean", "must be auto, lake or embedded here, got 'off'")
    return toolchain


def lean_audit(json: bool, kind: str = "auto", root: Path | None = None) -> int:
    """Build and audit; print the verdict of each layer and the axioms of each theorem."""
    found = check_lean(kind, root or REPOSITORY)
    if json:
        print_json(audit_result(found))
    else:
        if found.document is not None:
            header = ["theorem", "axioms", "definitions"]
            print_table("theorems", header, _rows(found.document))
            print_line(f"not seen: {found.unseen}")
        print_layers("lean audit", found.layers)
        print_line(summary_line(found.layers))
    return 0 if overall(found.layers) is Verdict.VERIFIED else 1


def audit_result(found: LeanCheck) -> dict[str, Json]:
    """Return the audit as data: {theorem: {axioms, definitions}}, verdicts, what is not seen."""
    theorems: dict[str, Json] = {}
    for entry in _theorems(found.document):
        theorems[str(entry["theorem"])] = {
            "axioms": entry["axioms"],
            "definitions": entry["definitions"],
        }
    return {
        "schema": "onlinekv/lean-audit-result/v1",
        "verdict": str(overall(found.layers)),
        "lean": found.lean,
        "not_seen": found.unseen,
        "theorems": theorems,
        "layers": [
            {"layer": x.layer, "verdict": str(x.verdict), "reasons": list(x.reasons)}
            for x in found.layers
        ],
    }


def _theorems(document: dict[str, Json] | None) -> list[dict[str, Json]]:
    entries = document["theorems"] if document else []
    assert isinstance(entries, list)
    return [entry for entry in entries if isinstance(entry, dict)]


def _rows(document: dict[str, Json]) -> list[list[str]]:
    rows = []
    for entry in _theorems(document):
        axioms, definitions = entry["axioms"], entry["definitions"]
        assert isinstance(axioms, list)
        assert isinstance(definitions, list)
        names = ", ".join(map(str, axioms)) or "none"
        rows.append([str(entry["theorem"]), names, str(len(definitions))])
    return rows


def lean_statements(check: bool, kind: str = "auto", root: Path | None = None) -> int:
    """Write the headline statements and the axiom report; with `check`, only say what differs."""
    base = root or REPOSITORY
    found = check_lean(kind, base)
    document = found.document
    broken = [layer for layer in found.layers[:2] if layer.verdict is not Verdict.VERIFIED]
    if broken or document is None:
        print_layers("lean statements", broken)
        return 1
    theorems = source_theorems(Package(base))
    changed = [
        name
        for name, data in (
            (STATEMENTS_PATH, dumps(document)),
            (REPORT, report_text(theorems).encode("utf-8")),
            (EXPECTED, expected_text(theorems).encode("utf-8")),
        )
        if _put(base / name, data, check)
    ]
    for name in changed:
        print_line(f"{'differs' if check else 'written'}: {name}")
    if not changed:
        print_line("nothing changed")
    return 1 if check and changed else 0


def _put(path: Path, data: bytes, check: bool) -> bool:
    if path.is_file() and read_bytes(path) == data:
        return False
    if not check:
        write_whole(path, data)
    return True


@dataclass(slots=True)
class LeanCheck:
    """What the layers found, with which Lean, and what that Lean cannot show."""

    layers: list[Layer]
    lean: str = "off"
    unseen: str = "everything"
    document: dict[str, Json] | None = None


def check_lean(kind: str, root: Path, controls: Sequence[dict[str, Any]] = ()) -> LeanCheck:
    """Build, audit, compare the statements, and have Lean judge the small `controls` again.

    The document is there if the library compiled.
    """
    with progress("lean") as report:
        toolchain = choose(kind, root, report)
        if toolchain is None:
            return LeanCheck([Layer(n, TARGET, reasons=[_OFF], ran=False) for n in LAYERS])
        try:
            return _check_with(toolchain, Package(root), controls, report)
        finally:
            toolchain.stop()


def _check_with(
    toolchain: Toolchain, package: Package, controls: Sequence[dict[str, Any]], report: Report
) -> LeanCheck:
    built, audited, stated, bridged = (Layer(name, TARGET) for name in LAYERS)
    found = LeanCheck([built, audited, stated, bridged], toolchain.name, toolchain.unseen)
    with built.timed():
        result = toolchain.build(package, [], report)
        built.checked += len(result.modules)
        built.reasons += result.reasons
    if not result.ok:
        for layer in (audited, stated, bridged):
            layer.ran = False
            layer.reasons.append("the library does not compile")
        return found
    report(0, 1, "audit: the kernel checks every declaration again")
    with audited.timed():
        library = _judge_audit(audited, package, toolchain.environment(package, result))
        report_output = toolchain.axiom_report(package)
        if report_output is not None:
            _judge_report(audited, package, report_output)
    with stated.timed():
        found.document = statements_document(library)
        _judge_statements(stated, package.root, found.document)
    if not controls:
        bridged.ran, bridged.reasons = False, ["no artifact was given to judge"]
        return found
    report(0, 1, "bridge: Lean judges the artifact's small controls")
    with bridged.timed():
        judge_controls(toolchain, package, controls, bridged, content_key(result.modules))
    return found


def _judge_audit(layer: Layer, package: Package, environment: Environment) -> Audited:
    found = Audited(package, environment)
    for name, reasons in audit(found).items():
        layer.reasons += [f"{name}: {reason}" for reason in reasons]
    layer.checked += checked_items(found)
    return found


def _judge_report(layer: Layer, package: Package, output: str) -> None:
    theorems = source_theorems(package)
    expected = parse_report(read_bytes(package.root / EXPECTED).decode("utf-8"))
    layer.checked += len(theorems)
    layer.reasons += judge_report(theorems, expected, output)


def _judge_statements(layer: Layer, root: Path, document: dict[str, Json]) -> None:
    path = root / STATEMENTS_PATH
    try:
        expected = read_statements(path)
    except InputError as error:
        layer.expect(False, str(error))
        return
    layer.checked += len(_theorems(document))
    layer.reasons += drift(expected, document)
