"""The command verify: every artifact derived again, closed forms, files, and the proofs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

from ..artifacts.manifest import audit_manifest
from ..claims.consistency import ledger_layer
from ..closed_forms.registry import verify_closed_forms
from ..console import layers_to_json, print_json, print_layers, print_line, progress, summary_line
from ..controls.registry import ARTIFACTS, products
from ..controls.sources import SOURCES_PATH, verify_sources
from ..controls.verify import read_artifact, verify_artifact
from ..lean.toolchain import require_kind
from ..verdict import Layer, Verdict, overall
from .lean import BRIDGE, LAYERS, TARGET, LeanCheck, check_lean
from .place import REPOSITORY
from .theorems import print_theorems, theorems_json, worst_measures


def verify(artifacts: list[Path], lean: str, root: Path | None, json: bool) -> int:
    """Verify the given artifacts, or all committed ones with everything else that is claimed."""
    base = root or REPOSITORY
    paths = artifacts or [base / artifact.path for artifact in ARTIFACTS]
    layers: list[Layer] = []
    with progress("verify") as report:
        for path in paths:
            layers += verify_artifact(path, report)
        if not artifacts:
            layers.append(verify_closed_forms(report))
            layers.append(verify_sources(base / SOURCES_PATH))
    if not artifacts:
        layers += audit_manifest(base, products())
        layers.append(ledger_layer(base))
    # What a rejected artifact holds is neither judged by Lean nor shown as measured.
    controls = None if overall(layers) is Verdict.REJECTED else _controls(paths)
    proofs = _proofs(lean, base, controls, given=bool(artifacts))
    layers += proofs.layers
    return conclude("verify", layers, json, proofs, controls or ())


def _proofs(
    lean: str, base: Path, controls: Sequence[dict[str, Any]] | None, given: bool
) -> LeanCheck:
    """Check the proofs, and have Lean judge the controls unless something is rejected already.

    If the user asks about an artifact and it is rejected, minutes of Lean would add nothing.
    """
    if controls is not None:
        return check_lean(lean, base, controls)
    reason = "another layer rejects"
    if given:
        require_kind(lean)
        return LeanCheck([Layer(x, TARGET, reasons=[reason], ran=False) for x in LAYERS])
    proofs = check_lean(lean, base)
    for layer in proofs.layers:
        if layer.layer == BRIDGE:
            layer.reasons = [reason]
    return proofs


def _controls(paths: Sequence[Path]) -> list[dict[str, Any]]:
    """Return the controls of artifacts that have just been verified."""
    found: list[dict[str, Any]] = []
    for path in paths:
        document, _ = read_artifact(path)
        found += cast(list[dict[str, Any]], document["controls"])
    return found


def conclude(
    title: str,
    layers: Sequence[Layer],
    json: bool,
    proofs: LeanCheck | None = None,
    controls: Sequence[dict[str, Any]] = (),
) -> int:
    """Print the layers, each theorem with what was measured, and the verdict; 0 if VERIFIED."""
    theorems: list[dict[str, Any]] = []
    if proofs is not None and proofs.document is not None:
        theorems = cast(list[dict[str, Any]], proofs.document["theorems"])
    measured = worst_measures(controls)
    if json:
        document = layers_to_json(layers)
        if theorems:
            document["theorems"] = theorems_json(theorems, measured)
        print_json(document)
    else:
        print_layers(title, layers)
        print_theorems(theorems, measured)
        if proofs is not None and theorems:
            print_line(f"not seen: {proofs.unseen}")
        print_line(summary_line(layers))
    return 0 if overall(layers) is Verdict.VERIFIED else 1
