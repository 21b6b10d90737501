"""Measured ratios: every run is within its theorem, and what exceeds one is a fault."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from evaluators.artifacts.canonical import loads
from evaluators.commands.theorems import (
    first_sentence,
    print_theorems,
    theorems_json,
    worst_measures,
)
from evaluators.controls.draft import Draft
from evaluators.controls.measured.runs import measure, seeded_burst
from evaluators.controls.measured.theorems import ARRIVALS, BURSTS
from evaluators.controls.registry import ARTIFACTS
from evaluators.controls.verify import verify_artifact
from evaluators.model import Instance
from evaluators.verdict import Verdict, overall
from tests.cli import ROOT
from tests.test_artifacts import refused_changes

CLAIM = next(artifact for artifact in ARTIFACTS if artifact.claim == "measured-ratios")
PATH = ROOT / CLAIM.path
DOCUMENT: Any = loads(PATH.read_bytes())
PROVED = {
    entry["theorem"].rpartition(".")[2]
    for entry in loads((ROOT / "output/lean/statements.json").read_bytes())["theorems"]  # type: ignore[index,call-overload,union-attr]
}

pytestmark = pytest.mark.usefixtures("cached_derivation")


def test_the_artifact_is_verified_and_every_measured_theorem_is_proved() -> None:
    layers = verify_artifact(PATH)
    assert overall(layers) is Verdict.VERIFIED, [layer.reasons for layer in layers]
    assert CLAIM.build() == PATH.read_bytes()
    worst = worst_measures(DOCUMENT["controls"])
    assert set(worst) <= PROVED
    assert all(entry.runs >= 60 and entry.gap >= 0 for entry in worst.values())


def test_changes_of_a_sample_of_controls_are_refused() -> None:
    sample = {**DOCUMENT, "controls": DOCUMENT["controls"][::60]}
    families = replace(CLAIM, families=tuple(_sampled()))
    assert refused_changes(families, sample) > 500


def _sampled() -> list[Any]:
    kept = {control["id"] for control in DOCUMENT["controls"][::60]}
    return [
        replace(family, grid=tuple(p for p in family.grid if family.identifier(p) in kept))
        for family in CLAIM.families
    ]


def test_lean_gets_runs_of_svf_on_more_than_two_hundred_instances() -> None:
    marked = [
        control["id"]
        for control in DOCUMENT["controls"]
        for schedule in control.get("schedules", [])
        if schedule.get("scheduler") == "svf" and len(control["instance"]["requests"]) <= 6
    ]
    assert len(set(marked)) >= 200


def test_a_run_above_its_theorem_is_a_fault() -> None:
    instance = Instance.from_triples(6, [(0, 0, 3), (0, 3, 2)])
    draft = Draft("x", "x", "positive", {})
    measure(draft, instance, [replace(BURSTS[0], bound=lambda _: Fraction(5, 4))])
    assert draft.faults == ["svf exceeds svf_competitive: 8 > 5/4 * 6"]
    draft = Draft("x", "x", "positive", {})
    measure(draft, instance, [BURSTS[0]])
    assert not draft.faults


def test_seeded_bursts_keep_to_their_peak() -> None:
    for seed in range(50):
        instance = seeded_burst(seed, 5, 12, 1 + seed % 12)
        assert instance.is_burst
        assert max(request.peak for request in instance.requests) <= 1 + seed % 12
    pairs = [(t.theorem, t.policy) for t in (*BURSTS, *ARRIVALS)]
    assert len(set(pairs)) == len(pairs)


def _control(name: str, *measures: tuple[str, str, str]) -> dict[str, Any]:
    return {
        "id": name,
        "measures": [
            {"theorem": theorem, "policy": "p", "ratio": ratio, "bound": bound}
            for theorem, ratio, bound in measures
        ],
    }


def test_the_worst_run_of_a_theorem_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    controls = [
        _control("a", ("t", "3/2", "2"), ("u", "1", "3")),
        _control("b", ("t", "7/4", "5")),
        _control("c", ("t", "7/4", "3")),
    ]
    worst = worst_measures(controls)
    assert (worst["t"].point.control, worst["t"].runs, worst["t"].gap) == ("c", 3, Fraction(5, 4))
    source = "/-- The ratio is\n  small: at most 3. More. -/\ndef t : Prop := True"
    theorem = {"theorem": "L.t", "source": source, "axioms": ["propext"]}
    other = {"theorem": "L.w", "source": "def w : Prop := True", "axioms": []}
    print_theorems([theorem, other], worst)
    shown = capsys.readouterr().out.splitlines()
    assert shown[0] == "theorem L.t: The ratio is small"
    assert shown[1].startswith("  axioms: propext; worst measured cost/OPT: 7/4 by p, proved")
    assert shown[2:] == ["theorem L.w: ", "  axioms: none"]
    first, second = theorems_json([theorem, other], worst)
    assert isinstance(first, dict)
    assert isinstance(second, dict)
    assert first["measured"] == worst["t"].to_json()
    assert "measured" not in second
    assert first_sentence("") == ""


def test_the_artifact_stays_readable() -> None:
    assert Path(PATH).stat().st_size < 600_000
