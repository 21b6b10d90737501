"""The audit against faults of files: each is made in a copy of the repository's covered files."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evaluators.artifacts.canonical import digest, dumps
from evaluators.artifacts.manifest import MANIFEST_PATH, audit_manifest, build_manifest
from evaluators.controls.registry import ARTIFACTS, products
from evaluators.model import InputError
from evaluators.verdict import Layer, Verdict, overall

from .cli import ROOT, call

ARTIFACT = ARTIFACTS[0].path
SCHEMA = "evaluators/artifacts/schemas/instance.v1.json"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A small repository: output/, the schemas and one Lean file, with a fresh manifest."""
    shutil.copytree(ROOT / "output", tmp_path / "output")
    (tmp_path / SCHEMA).parent.mkdir(parents=True)
    for path in (ROOT / SCHEMA).parent.glob("*.json"):
        shutil.copy(path, tmp_path / SCHEMA.rsplit("/", 1)[0] / path.name)
    (tmp_path / "formal").mkdir()
    (tmp_path / "formal" / "Example.lean").write_text("theorem t : True := trivial\n")
    (tmp_path / MANIFEST_PATH).write_bytes(build_manifest(tmp_path, products()))
    return tmp_path


def reasons(root: Path) -> str:
    layers = audit_manifest(root, products())
    assert overall(layers) is Verdict.REJECTED
    return "\n".join(reason for layer in layers for reason in layer.reasons)


def rewrite(root: Path, change: Any) -> None:
    """Change the manifest's document and give it the right digest again."""
    path = root / MANIFEST_PATH
    document = json.loads(path.read_text())
    change(document)
    document["digest"] = digest(document)
    path.write_bytes(dumps(document))


def test_a_fresh_manifest_is_verified(repository: Path) -> None:
    layers = audit_manifest(repository, products())
    assert [layer.verdict for layer in layers] == [Verdict.VERIFIED] * 3
    paths = [e["path"] for e in json.loads((repository / MANIFEST_PATH).read_text())["entries"]]
    assert {ARTIFACT, SCHEMA, "formal/Example.lean"} <= set(paths)


def test_the_committed_files_are_audited_by_the_command() -> None:
    result = call("audit", "--json")
    assert json.loads(result.stdout)["schema"] == "onlinekv/verify-result/v1"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (ARTIFACT, "sha256 differs from the manifest"),
        (SCHEMA, "sha256 differs from the manifest"),
        ("formal/Example.lean", "sha256 differs from the manifest"),
    ],
)
def test_a_changed_file(path: str, words: str, repository: Path) -> None:
    with (repository / path).open("ab") as stream:
        stream.write(b" ")
    assert f"{path}: {words}" in reasons(repository)


def test_crlf_copies_get_a_hint(repository: Path) -> None:
    path = repository / SCHEMA
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert f"{SCHEMA}: sha256 differs: only line endings differ" in reasons(repository)


@pytest.mark.parametrize("path", [ARTIFACT, SCHEMA, "formal/Example.lean"])
def test_a_missing_file(path: str, repository: Path) -> None:
    (repository / path).unlink()
    assert f"{path}: listed but missing" in reasons(repository)


@pytest.mark.parametrize("name", ["output/extra.json", "output/deep/x.txt", "output/.hidden"])
def test_an_unlisted_file_under_output(name: str, repository: Path) -> None:
    (repository / name).parent.mkdir(exist_ok=True)
    (repository / name).write_text("{}")
    assert reasons(repository) == f"{name}: not listed in the manifest"
    result = call("audit", "--root", repository)
    assert result.returncode == 1
    assert f"REJECTED: output/: listing: {name}: not listed in the manifest" in result.stdout
    # Building again does not adopt it.
    (repository / MANIFEST_PATH).write_bytes(build_manifest(repository, products()))
    assert name in reasons(repository)


def test_an_unlisted_lean_source_or_schema(repository: Path) -> None:
    (repository / "formal" / "New.lean").write_text("\n")
    assert "formal/New.lean: not listed in the manifest" in reasons(repository)


def test_an_entry_that_nothing_generates(repository: Path) -> None:
    (repository / "README.md").write_text("x")
    entry = {"path": "README.md", "sha256": "0" * 64, "claims": [], "command": "by hand"}
    rewrite(repository, lambda d: d["entries"].insert(0, entry))
    text = reasons(repository)
    assert "README.md: listed, but nothing generates it" in text
    assert "README.md: sha256 differs" in text


def test_an_entry_outside_the_repository(repository: Path) -> None:
    entry = {"path": "../etc", "sha256": "0" * 64, "claims": [], "command": "by hand"}
    rewrite(repository, lambda d: d["entries"].insert(0, entry))
    assert "../etc: listed but missing" in reasons(repository)


def test_changed_claims_or_command(repository: Path) -> None:
    rewrite(repository, lambda d: d["entries"][-1].update(command="rm -rf"))
    assert "claims or command differ from the generator's" in reasons(repository)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d["entries"].reverse(), "paths must be distinct and sorted"),
        (lambda d: d.update(schema="onlinekv/manifest/v2"), "schema: must be"),
        (lambda d: d["entries"][0].update(sha256="zz"), "entries[0].sha256"),
        (lambda d: d["entries"][0].pop("command"), "'command' is a required property"),
    ],
)
def test_a_malformed_manifest(change: Any, words: str, repository: Path) -> None:
    rewrite(repository, change)
    assert words in reasons(repository)


def test_wrong_digest_and_bytes(repository: Path) -> None:
    path = repository / MANIFEST_PATH
    good = path.read_bytes()
    path.write_bytes(good.replace(b"\n", b"\r\n"))
    assert "only line endings differ" in reasons(repository)
    document = json.loads(good)
    document["digest"] = "0" * 64
    path.write_bytes(dumps(document))
    assert "digest: must be" in reasons(repository)
    path.write_bytes(b"[]\n")
    assert "document: must be a JSON object" in reasons(repository)
    path.write_bytes(good[:100])
    with pytest.raises(InputError, match=r"^output/MANIFEST.json: line 1"):
        audit_manifest(repository, products())
    path.unlink()
    assert call("audit", "--root", repository).returncode == 2


@pytest.mark.usefixtures("cached_derivation")
@pytest.mark.slow
def test_build_artifacts_writes_the_same_bytes_and_checks(repository: Path) -> None:
    before = (repository / ARTIFACT).read_bytes()
    same = call("build-artifacts", "--root", repository)
    assert (same.returncode, same.stdout) == (0, "nothing changed\n")
    (repository / ARTIFACT).write_bytes(b"{}\n")
    check = call("build-artifacts", "--root", repository, "--check")
    assert check.returncode == 1
    assert check.stdout.startswith("differs: ")
    assert (repository / ARTIFACT).read_bytes() == b"{}\n"
    assert call("build-artifacts", "--root", repository).returncode == 0
    assert (repository / ARTIFACT).read_bytes() == before
    assert call("build-artifacts", "--root", repository, "--check").returncode == 0


def test_verdicts_add_up() -> None:
    good, bad, absent = Layer("a", "x", 1), Layer("b", "x", 1, ["no"]), Layer("c", "x", ran=False)
    assert overall([good, absent]) is Verdict.VERIFIED
    assert overall([good, bad, absent]) is Verdict.REJECTED
    assert overall([absent]) is Verdict.NOT_CHECKED
    empty = Layer("d", "x")
    with empty.timed():
        pass
    assert empty.verdict is Verdict.REJECTED
    assert empty.reasons == ["nothing to check"]
