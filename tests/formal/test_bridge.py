"""The bridge between the artifact and Lean: what is asked, and that a wrong number is refused."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from evaluators.artifacts.canonical import loads
from evaluators.lean.bridge import bridge_faults, judge_controls, write_bridge
from evaluators.lean.sources import Package
from evaluators.lean.toolchain import choose
from evaluators.verdict import Layer
from tests.cli import ARTIFACT, ROOT

DOCUMENT: Any = loads(ARTIFACT.read_bytes())
CONTROLS = DOCUMENT["controls"]


def test_questions_cover_feasible_and_infeasible_schedules_and_optima() -> None:
    bridge = write_bridge(CONTROLS)
    assert bridge.questions >= 100
    for text in (
        "example : Feasible ",
        "example : ¬ Feasible ",
        "example : CorruptedFeasible ",
        "IsOPT ",
        "peakOccupancy ",
    ):
        assert text in bridge.source
    assert all(line < 100_000 for line, _ in bridge.lines)


def test_faults_name_control_and_schedule() -> None:
    bridge = write_bridge(CONTROLS)
    line, about = bridge.lines[3]
    found = bridge_faults(bridge, False, f"x/Bridge.lean:{line}:2: error: it is false\n")
    assert found == [f"{about}: Lean says otherwise (x/Bridge.lean:{line}:2: error: it is false)"]
    assert bridge_faults(bridge, True, "") == []
    assert bridge_faults(bridge, False, "no such import\n") == [
        "the bridge file was refused: no such import"
    ]


def test_large_controls_are_left_out() -> None:
    small = [c for c in CONTROLS if c["id"].startswith("two-units")]
    large = copy.deepcopy(small)
    large[0]["instance"]["requests"][0]["arrival"] = 10**6
    assert write_bridge(large).questions < write_bridge(small).questions


@pytest.mark.lean
@pytest.mark.slow
@pytest.mark.parametrize("change", ["tel", "peak", "total_completion", "makespan", "feasible"])
def test_lean_refuses_a_changed_number(change: str, tmp_path: Path) -> None:
    """Lean judges the JSON by itself: one changed number and it names the control."""
    control = copy.deepcopy(next(c for c in CONTROLS if c["id"] == "growth-anomaly"))
    schedule = control["schedules"][0]
    schedule[change] = not schedule[change] if change == "feasible" else schedule[change] + 1
    toolchain = choose("auto", ROOT, lambda done, total, text: None)
    assert toolchain is not None
    package, layer = Package(ROOT), Layer("lean bridge", "test")
    try:
        names = ["OnlineKvCache.Checks.Decide"]
        assert toolchain.build(package, names, lambda done, total, text: None).ok
        judge_controls(toolchain, package, [control], layer)
    finally:
        toolchain.stop()
    assert len(layer.reasons) == 1
    assert layer.reasons[0].startswith("control growth-anomaly: schedule 'long at 0': Lean says")
