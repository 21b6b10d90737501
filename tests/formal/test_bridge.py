"""The bridge between the artifact and Lean: what is asked, and that a wrong number is refused."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from evaluators.artifacts.canonical import loads
from evaluators.lean.bridge import (
    CONTROLS_PER_FILE,
    SCHEDULERS,
    bridge_faults,
    judge_controls,
    write_bridge,
    write_bridges,
)
from evaluators.lean.sources import Package
from evaluators.lean.toolchain import Toolchain, choose
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


def scheduled(name: str) -> list[Any]:
    paths = ("output/measured-ratios/ratios.json", "output/nonclairvoyant/controls.json")
    documents: list[Any] = [loads((ROOT / path).read_bytes()) for path in paths]
    return [
        control
        for document in documents
        for control in document["controls"]
        if any(s.get("scheduler") == name for s in control.get("schedules", []))
    ]


@pytest.mark.parametrize(
    ("names", "least"),
    [(("svf",), 200), (("fair-share",), 100), (("rect-prompt", "rect-large"), 100)],
)
def test_lean_runs_its_own_schedulers(names: tuple[str, ...], least: int) -> None:
    controls = [control for name in names for control in scheduled(name)]
    bridges = write_bridges(controls)
    assert sum(bridge.questions for bridge in bridges) >= least
    assert all(bridge.controls <= CONTROLS_PER_FILE for bridge in bridges)
    assert "public import OnlineKvCache.Checks.Decide\npublic import" in bridges[0].source


@pytest.mark.lean
@pytest.mark.slow
@pytest.mark.parametrize("name", ["svf", "fair-share", "rect-prompt", "rect-large"])
def test_lean_refuses_a_run_that_is_not_its_own(name: str, toolchain: Toolchain) -> None:
    control = copy.deepcopy(scheduled(name)[3])
    schedule = next(s for s in control["schedules"] if s.get("scheduler") == name)
    if "starts" in schedule:
        schedule["starts"][-1]["start"] += 1
    else:
        next(a for a in schedule["attempts"] if a["completed"])["start"] += 1
    reasons = asked(toolchain, [scheduled(name)[3], control])
    assert len(reasons) == 1
    assert f"run of '{name}': Lean says otherwise" in reasons[0]


@pytest.fixture(scope="module")
def toolchain() -> Iterator[Toolchain]:
    """One Lean for all questions, with everything built that the bridge imports."""
    found = choose("auto", ROOT, lambda done, total, text: None)
    assert found is not None
    modules = ["Checks.Decide", *(module for module, _ in SCHEDULERS.values())]
    names = [f"OnlineKvCache.{module}" for module in modules]
    try:
        assert found.build(Package(ROOT), names, lambda done, total, text: None).ok
        yield found
    finally:
        found.stop()


def asked(toolchain: Toolchain, controls: list[Any]) -> list[str]:
    """Return the faults that Lean finds."""
    layer = Layer("lean bridge", "test")
    judge_controls(toolchain, Package(ROOT), controls, layer)
    return layer.reasons


@pytest.mark.lean
@pytest.mark.slow
@pytest.mark.parametrize("change", ["tel", "peak", "total_completion", "makespan", "feasible"])
def test_lean_refuses_a_changed_number(change: str, toolchain: Toolchain) -> None:
    """Lean judges the JSON by itself: one changed number and it names the control."""
    control = copy.deepcopy(next(c for c in CONTROLS if c["id"] == "growth-anomaly"))
    schedule = control["schedules"][0]
    schedule[change] = not schedule[change] if change == "feasible" else schedule[change] + 1
    reasons = asked(toolchain, [control])
    assert len(reasons) == 1
    assert reasons[0].startswith("control growth-anomaly: schedule 'long at 0': Lean says")
