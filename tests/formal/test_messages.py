"""What Lean and lake print is kept word for word."""

from __future__ import annotations

from pathlib import Path

from evaluators.lean.build import Module
from evaluators.lean.lake import place_faults
from evaluators.lean.messages import faults, parse
from evaluators.lean.sources import Package

LEAN = """formal/OnlineKvCache/A.lean:3:9: error(lean.unknownIdentifier): Unknown constant `x`
  more about it
formal/OnlineKvCache/A.lean:5:0: warning: unused variable `h`
formal/OnlineKvCache/A.lean:7:0: info: 5
formal/OnlineKvCache/A.lean:8:0: error: last"""
LAKE = """⚠ [2/3] Building OnlineKvCache.A
warning: formal/OnlineKvCache/A.lean:5:0: unused variable `h`
error: ./formal/OnlineKvCache/B.lean:1:2: type mismatch
  second line
error: build failed"""


def test_lean_messages() -> None:
    found = parse(LEAN)
    assert [(m.line, m.severity) for m in found] == [
        (3, "error"), (5, "warning"), (7, "info"), (8, "error"),
    ]  # fmt: skip
    assert found[0].text == "\n".join(LEAN.splitlines()[:2])
    assert len(faults(LEAN)) == 3
    assert len(faults(LEAN, ("error",))) == 2
    assert parse("nothing of the kind\n") == []


def test_lake_messages_go_to_their_modules(tmp_path: Path) -> None:
    names = ("A", "B")
    modules = [Module(n, f"formal/OnlineKvCache/{n}.lean", "") for n in names]
    place_faults(modules, Package(tmp_path), LAKE, 1)
    assert modules[0].faults == ["warning: formal/OnlineKvCache/A.lean:5:0: unused variable `h`"]
    assert modules[1].faults[0].startswith("error: ./formal/OnlineKvCache/B.lean:1:2: type")
    assert "second line" in modules[1].faults[0]


def test_a_failure_without_a_message_is_still_one(tmp_path: Path) -> None:
    modules = [Module("A", "formal/OnlineKvCache/A.lean", "")]
    place_faults(modules, Package(tmp_path), "error: unknown toolchain", 1)
    assert modules[0].faults == ["error: unknown toolchain"]
