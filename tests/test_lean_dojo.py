"""The LeanDojo adapter against a recorded trace: no lean-dojo, no lake, no network."""

from __future__ import annotations

import json
import sys
import types
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evaluators.artifacts.schema import check
from evaluators.lean import dojo
from evaluators.lean.dojo import PREMISES_SCHEMA, missing, premises_document, trace
from evaluators.model import InputError

from .cli import FIXTURES, ROOT, call


@dataclass
class Recorded:
    """A traced theorem of the record, with the two members that the adapter uses."""

    theorem: Any
    premises: list[str]

    def get_premise_full_names(self) -> list[str]:
        return self.premises


def recorded() -> list[Recorded]:
    entries = json.loads((FIXTURES / "dojo" / "traced.json").read_text())
    return [
        Recorded(types.SimpleNamespace(full_name=e["full_name"]), e["premises"]) for e in entries
    ]


def test_the_document_of_a_recorded_trace() -> None:
    expected = ["OnlineKvCache.linear_memory_half", "OnlineKvCache.half_delay"]
    document = premises_document(recorded(), expected)
    check(document, PREMISES_SCHEMA)
    assert document["theorems"] == [
        {
            "theorem": "OnlineKvCache.linear_memory_half",
            "premises": ["Nat.le_trans", "OnlineKvCache.ratio_half"],
        },
        {"theorem": "OnlineKvCache.memory_three", "premises": ["Nat.le_refl"]},
    ]
    assert document["not_seen"] == ["OnlineKvCache.half_delay"]


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "lean_dojo", None)
    monkeypatch.setattr(dojo.importlib.util, "find_spec", lambda name: None)
    words = missing(tmp_path, reachable=lambda: False)
    assert [w.split()[0] for w in words] == ["the", "lake,", "a", "the"]
    assert "pip install 'onlinekv[dojo]'" in words[0]
    assert "lake" in words[1]
    assert "git repository" in words[2]
    assert "network" in words[3]


def test_the_command_says_what_is_missing_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dojo, "_reachable", lambda: False)
    result = call("lean", "trace", tmp_path / "premises.json")
    assert result.returncode == 2
    assert "lean trace: cannot run, missing: " in result.stderr
    assert "does not answer" in result.stderr
    assert not (tmp_path / "premises.json").exists()


def test_a_trace_goes_through_lean_dojo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With everything there the adapter opens the repository and returns what was traced."""
    seen: dict[str, Any] = {}

    class Repository:
        @classmethod
        def from_path(cls, path: str) -> str:
            seen["path"] = path
            return "repository"

    def traced(repository: str, dst_dir: Path) -> Any:
        assert repository == "repository"
        assert not dst_dir.exists()
        return types.SimpleNamespace(get_traced_theorems=recorded)

    fake = types.SimpleNamespace(LeanGitRepo=Repository, trace=traced)
    monkeypatch.setitem(sys.modules, "lean_dojo", fake)
    monkeypatch.setattr(dojo, "missing", lambda root: [])
    monkeypatch.setenv("DISABLE_REMOTE_CACHE", "0")
    assert len(trace(ROOT)) == 4
    assert seen["path"] == str(ROOT)
    result = call("lean", "trace", tmp_path / "premises.json")
    assert result.returncode == 0, result.stderr
    document = json.loads((tmp_path / "premises.json").read_text())
    assert document["theorems"][0]["theorem"] == "OnlineKvCache.linear_memory_half"
    assert "OnlineKvCache.half_delay" in document["not_seen"]
    monkeypatch.setattr(dojo, "missing", lambda root: ["lake"])
    with pytest.raises(InputError, match="missing: lake"):
        trace(ROOT)
