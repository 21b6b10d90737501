"""The manifest: every artifact, schema and Lean source with its SHA-256 and how to rebuild it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from ..model import InputError
from ..verdict import Layer
from .canonical import Json, digest, dumps, loads, read_bytes, why_not_canonical
from .schema import check

MANIFEST_SCHEMA = "onlinekv/manifest/v1"
MANIFEST_PATH = "output/MANIFEST.json"
BENCHMARKS = ("output/benchmarks/core.json",)
_COVERED = (
    "evaluators/artifacts/schemas/*.json",
    "evaluators/claims/data/*.json",
    "formal/**/*.lean",
    "formal/AxiomReport.expected",
    "lakefile.lean",
    "lean-toolchain",
)


@dataclass(frozen=True, slots=True)
class Product:
    """A generated file: its path in the repository, the claims that rest on it, its command."""

    path: str
    claims: tuple[str, ...]
    command: str


def covered_files(root: Path, products: Iterable[Product]) -> dict[str, Product]:
    """Return what the manifest must list: existing products, schemas and Lean sources, by path."""
    benches = [Product(path, (), "make bench") for path in BENCHMARKS]
    found = {p.path: p for p in [*products, *benches] if (root / p.path).is_file()}
    for pattern in _COVERED:
        for path in sorted(root.glob(pattern)):
            name = path.relative_to(root).as_posix()
            found[name] = Product(name, (), "by hand")
    return dict(sorted(found.items()))


def build_manifest(root: Path, products: Iterable[Product]) -> bytes:
    """Return the canonical bytes of the manifest of the files as they are now."""
    entries: list[Json] = [
        {
            "path": name,
            "sha256": hashlib.sha256(read_bytes(root / name)).hexdigest(),
            "claims": list(product.claims),
            "command": product.command,
        }
        for name, product in covered_files(root, products).items()
    ]
    document: dict[str, Json] = {"schema": MANIFEST_SCHEMA, "entries": entries}
    return dumps({**document, "digest": digest(document)})


def audit_manifest(root: Path, products: Iterable[Product]) -> list[Layer]:
    """Check the manifest, every hash in it, and that nothing is missing or unlisted.

    Raises InputError if there is no manifest, or if it is not JSON of the profile.
    """
    products = list(products)
    path = root / MANIFEST_PATH
    try:
        data = read_bytes(path)
        document = loads(data)
    except InputError as error:
        raise error.at(MANIFEST_PATH) from None
    form = Layer("manifest", MANIFEST_PATH)
    hashes = Layer("hashes", MANIFEST_PATH)
    listing = Layer("listing", "output/")
    with form.timed():
        _check_form(form, data, document)
    if form.reasons:
        reason = "the manifest is rejected"
        return [
            form,
            *(Layer(x.layer, x.target, ran=False, reasons=[reason]) for x in (hashes, listing)),
        ]
    entries = cast(list[dict[str, str]], cast(dict[str, Json], document)["entries"])
    with hashes.timed():
        for entry in entries:
            reason = _hash_fault(root, entry["path"], entry["sha256"])
            hashes.expect(not reason, f"{entry['path']}: {reason}")
    with listing.timed():
        covered = covered_files(root, products)
        expected = covered.keys() | {product.path for product in products}
        _check_listing(listing, root, [entry["path"] for entry in entries], expected)
        for entry in entries:
            _check_origin(listing, entry, covered)
    return [form, hashes, listing]


def _check_form(layer: Layer, data: bytes, document: Json) -> None:
    if not isinstance(document, dict):
        layer.expect(False, "document: must be a JSON object")
        return
    why = why_not_canonical(data, document)
    layer.expect(why is None, f"file: {why}")
    try:
        check(document, MANIFEST_SCHEMA)
    except InputError as error:
        layer.expect(False, str(error))
        return
    found = document["digest"]
    layer.expect(found == digest(document), f"digest: must be {digest(document)}, got {found}")
    paths = [cast(dict[str, str], entry)["path"] for entry in cast(list[Json], document["entries"])]
    layer.expect(paths == sorted(set(paths)), "entries: paths must be distinct and sorted")


def _hash_fault(root: Path, name: str, expected: str) -> str:
    path = root / name
    if not path.is_file() or not path.resolve().is_relative_to(root.resolve()):
        return "listed but missing"
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() == expected:
        return ""
    if hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest() == expected:
        return "sha256 differs: only line endings differ (CRLF instead of LF)"
    return "sha256 differs from the manifest"


def _files_under_output(root: Path) -> Iterator[str]:
    for path in sorted((root / "output").rglob("*")):
        if path.is_file() or path.is_symlink():
            yield path.relative_to(root).as_posix()


def _check_listing(layer: Layer, root: Path, listed: list[str], expected: Set[str]) -> None:
    known = {*listed, MANIFEST_PATH}
    for name in sorted({*_files_under_output(root), *expected}):
        layer.expect(name in known, f"{name}: not listed in the manifest")


def _check_origin(
    layer: Layer, entry: Mapping[str, object], covered: Mapping[str, Product]
) -> None:
    name = str(entry["path"])
    product = covered.get(name)
    if product is None:
        layer.expect(False, f"{name}: listed, but nothing generates it")
        return
    same = entry["claims"] == list(product.claims) and entry["command"] == product.command
    layer.expect(same, f"{name}: claims or command differ from the generator's")
