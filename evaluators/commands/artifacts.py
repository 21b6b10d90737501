"""The commands that judge or write files under output/: verify, audit, build-artifacts."""

from __future__ import annotations

from pathlib import Path

from ..artifacts.canonical import read_bytes, write_whole
from ..artifacts.manifest import MANIFEST_PATH, audit_manifest, build_manifest
from ..console import layers_to_json, print_json, print_layers, print_line, progress, summary_line
from ..controls.registry import ARTIFACTS, products
from ..controls.sources import SOURCES_PATH, build_sources, verify_sources
from ..controls.verify import verify_artifact
from ..model import InputError
from ..verdict import Layer, Verdict, overall

REPOSITORY = Path(__file__).resolve().parents[2]
LEAN_REASON = "the proofs are not part of this version: no theorem was checked"


def verify(artifacts: list[Path], lean: str, root: Path | None, json: bool) -> int:
    """Verify the given artifacts, or all committed ones together with the manifest."""
    if lean != "off":
        raise InputError("lean", f"must be off in this version, got {lean!r}: {LEAN_REASON}")
    base = root or REPOSITORY
    layers: list[Layer] = []
    with progress("verify") as report:
        for path in artifacts or [base / artifact.path for artifact in ARTIFACTS]:
            layers += verify_artifact(path, report)
    if not artifacts:
        layers.append(verify_sources(base / SOURCES_PATH))
        layers += audit_manifest(base, products())
    layers.append(Layer("lean", "formal/", reasons=[LEAN_REASON], ran=False))
    return _conclude("verify", layers, json)


def audit(root: Path | None, json: bool) -> int:
    """Check the manifest against the files."""
    return _conclude("audit", audit_manifest(root or REPOSITORY, products()), json)


def _conclude(title: str, layers: list[Layer], json: bool) -> int:
    if json:
        print_json(layers_to_json(layers))
    else:
        print_layers(title, layers)
        print_line(summary_line(layers))
    return 0 if overall(layers) is Verdict.VERIFIED else 1


def build_artifacts(root: Path | None, check: bool) -> int:
    """Write every artifact, then the manifest; with `check`, only say what would change."""
    base = root or REPOSITORY
    changed = []
    built: list[tuple[str, bytes]] = []
    with progress("build") as report:
        for artifact in ARTIFACTS:
            built.append((artifact.path, artifact.build(report)))
    built.append((SOURCES_PATH, build_sources()))
    for name, data in built:
        changed += _put(base / name, data, check)
    if not (check and changed):
        changed += _put(base / MANIFEST_PATH, build_manifest(base, products()), check)
    for line in changed or ["nothing changed"]:
        print_line(line)
    return 1 if check and changed else 0


def _put(path: Path, data: bytes, check: bool) -> list[str]:
    if path.is_file() and read_bytes(path) == data:
        return []
    if not check:
        write_whole(path, data)
    return [f"{'differs' if check else 'written'}: {path}"]
