"""Ten ways to tamper with the repository; the audit rejects each and names it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluators.artifacts.canonical import digest, dumps
from evaluators.artifacts.manifest import MANIFEST_PATH
from evaluators.artifacts.schema import validator

from .cli import call, run_json
from .repository_copy import claim_of, edit_ledger, refresh

SVF = "output/svf/counterexamples.json"
SCHEMA = "evaluators/artifacts/schemas/instance.v1.json"
STATEMENTS = "formal/OnlineKvCache/Statements/TightRatio.lean"
RESULTS = "formal/OnlineKvCache/Results.lean"


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def edited_artifact(root: Path) -> None:
    document = json.loads((root / SVF).read_text())
    document["controls"][0]["instance"]["memory"] += 1
    document["digest"] = digest(document)
    (root / SVF).write_bytes(dumps(document))


def edited_statement(root: Path) -> None:
    replace(root / STATEMENTS, "RatioAtLeast M n n 2", "RatioAtLeast M n 1 2")
    refresh(root)


def extra_file(root: Path) -> None:
    (root / "output/svf/more.json").write_text("{}\n")


def swapped_digests(root: Path) -> None:
    document = json.loads((root / MANIFEST_PATH).read_text())
    first, second = (
        e
        for e in document["entries"]
        if e["path"].startswith("formal/OnlineKvCache/M")
        and e["path"].endswith(("Cost.lean", "Memory.lean"))
    )
    first["sha256"], second["sha256"] = second["sha256"], first["sha256"]
    document["digest"] = digest(document)
    (root / MANIFEST_PATH).write_bytes(dumps(document))


def crlf(root: Path) -> None:
    (root / SVF).write_bytes((root / SVF).read_bytes().replace(b"\n", b"\r\n"))


def changed_readme_number(root: Path) -> None:
    text = (root / "README.md").read_text("utf-8")
    row = next(line for line in text.splitlines() if line.startswith("| paper 2 |"))
    number = row.split("|")[2].strip()
    replace(root / "README.md", row, row.replace(number, str(int(number) + 1), 1))


def removed_claim(root: Path) -> None:
    def remove(claims: list[dict[str, object]]) -> None:
        claims.remove(claim_of(claims, "svf/eq-24"))

    edit_ledger(root, "svf", remove)
    refresh(root)
    assert call("audit", "--write", "--root", root).returncode == 0


def changed_schema(root: Path) -> None:
    replace(root / SCHEMA, '"minimum": 1', '"minimum": 0')


def renamed_theorem(root: Path) -> None:
    replace(root / RESULTS, "theorem half_delay ", "theorem half_delay_rule ")
    refresh(root)


TAMPERS: dict[Callable[[Path], None], str] = {
    edited_artifact: f"{SVF}: sha256 differs from the manifest",
    edited_statement: "OnlineKvCache.Statements.linear_memory_half: its source differs",
    extra_file: "output/svf/more.json: not listed in the manifest",
    swapped_digests: "formal/OnlineKvCache/Model/Cost.lean: sha256 differs from the manifest",
    crlf: f"{SVF}: sha256 differs: only line endings differ (CRLF instead of LF)",
    changed_readme_number: "README.md: line ",
    removed_claim: "claim svf/eq-24 is registered but not in the ledger",
    changed_schema: f"{SCHEMA}: sha256 differs from the manifest",
    renamed_theorem: "OnlineKvCache.half_delay: no theorem of that name in Results.lean",
}


def test_the_untouched_copy_is_verified(repository: Path) -> None:
    result = call("audit", "--root", repository)
    assert result.returncode == 0, result.stdout
    assert result.stdout.splitlines()[-1].startswith("verdict=VERIFIED ")


@pytest.mark.parametrize("tamper", TAMPERS, ids=lambda tamper: tamper.__name__)
def test_a_tamper_is_named(tamper: Callable[[Path], None], repository: Path) -> None:
    tamper(repository)
    result = call("audit", "--root", repository)
    assert result.returncode == 1
    named = [line for line in result.stdout.splitlines() if TAMPERS[tamper] in line]
    assert named, result.stdout
    assert all(line.startswith("REJECTED: ") for line in named)


def test_a_stale_receipt_is_named(repository: Path, tmp_path: Path) -> None:
    receipt = tmp_path / "receipt.json"
    made = call("audit", "--root", repository, "--receipt", receipt)
    assert made.returncode == 0, made.stdout
    assert "unsigned" in made.stdout
    same = call("audit", "--root", repository, "--against", receipt)
    assert same.returncode == 0, same.stdout
    (repository / "formal/OnlineKvCache/Model/New.lean").write_text("module\n")
    refresh(repository)
    stale = call("audit", "--root", repository, "--against", receipt)
    assert stale.returncode == 1
    assert "file formal/OnlineKvCache/Model/New.lean: is here, not in the receipt" in stale.stdout
    changed = json.loads(receipt.read_text())
    changed["predicate"]["commit"] = "0" * 40
    changed["predicate"]["claims"]["svf/eq-1"] = "open"
    changed["predicate"]["theorems"]["OnlineKvCache.half_delay"]["axioms"] = []
    receipt.write_bytes(dumps(changed))
    stale = call("audit", "--root", repository, "--against", receipt)
    assert "commit: the receipt says '0000" in stale.stdout
    assert "claim svf/eq-1: the receipt says open, now symbolic" in stale.stdout
    assert "theorem OnlineKvCache.half_delay: the receipt says" in stale.stdout


def test_a_receipt_has_the_shape_of_an_in_toto_statement(repository: Path, tmp_path: Path) -> None:
    receipt = tmp_path / "receipt.json"
    assert call("audit", "--root", repository, "--receipt", receipt).returncode == 0
    document = json.loads(receipt.read_text())
    assert sorted(document) == ["_type", "predicate", "predicateType", "subject"]
    assert document["_type"] == "https://in-toto.io/Statement/v1"
    assert set(document["subject"][0]) == {"name", "digest"}
    assert set(document["subject"][0]["digest"]) == {"sha256"}
    predicate = document["predicate"]
    assert not list(validator(predicate["schema"]).iter_errors(document))
    assert predicate["lean"]["kernel"] == "NOT CHECKED"
    assert predicate["signature"].startswith("none")
    assert sum(predicate["counts"].values()) == len(predicate["claims"])


def test_a_receipt_that_is_none_is_malformed(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text('{"_type": "x"}')
    result = call("audit", "--against", path)
    assert result.returncode == 2
    assert "predicate.schema: must be 'onlinekv/receipt/v1'" in result.stderr


def test_the_audit_of_the_committed_files_is_json() -> None:
    _, document = run_json("audit")
    layers = {layer["layer"] for layer in document["layers"]}
    assert layers >= {"manifest", "hashes", "listing", "statement sources", "claims", "documents"}
