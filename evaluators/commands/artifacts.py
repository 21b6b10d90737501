"""The command build-artifacts: what is generated under output/."""

from __future__ import annotations

from pathlib import Path

from ..artifacts.canonical import read_bytes, write_whole
from ..artifacts.manifest import MANIFEST_PATH, build_manifest
from ..console import print_line, progress
from ..controls.registry import ARTIFACTS, products
from ..controls.sources import SOURCES_PATH, build_sources
from .place import REPOSITORY


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
