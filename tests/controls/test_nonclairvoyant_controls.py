"""Paper 3's artifacts: verified, every leaf compared, and each control can fail."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from evaluators import ratios_kills
from evaluators.artifacts.canonical import loads
from evaluators.controls.draft import Draft
from evaluators.controls.nonclairvoyant import constants, orders, readings, runs
from evaluators.controls.nonclairvoyant.constants import from_additive, from_two_bounds
from evaluators.controls.registry import ARTIFACTS
from evaluators.controls.verify import verify_artifact
from evaluators.model import Schedule
from evaluators.replay import replay
from evaluators.verdict import Verdict, overall
from tests.cli import ROOT
from tests.test_artifacts import refused_changes

CLAIMS = [a for a in ARTIFACTS if a.claim.startswith("nonclairvoyant-")]
DOCUMENTS: dict[str, Any] = {a.claim: loads((ROOT / a.path).read_bytes()) for a in CLAIMS}

COSTLY = {"orders-bounded", "worst-found", "too-small-ratio", "serial-game", "kill-runs"}

pytestmark = pytest.mark.usefixtures("cached_derivation")


@pytest.mark.parametrize("artifact", CLAIMS, ids=lambda artifact: artifact.claim)
@pytest.mark.slow
def test_each_artifact_is_verified_and_rebuilt_to_the_byte(artifact: Any) -> None:
    path = ROOT / artifact.path
    layers = verify_artifact(path)
    assert overall(layers) is Verdict.VERIFIED, [layer.reasons for layer in layers]
    assert artifact.build() == path.read_bytes()


def test_changes_of_a_sample_of_controls_are_refused() -> None:
    for artifact in CLAIMS:
        controls = DOCUMENTS[artifact.claim]["controls"]
        cheap = [c for c in controls if c["family"] not in COSTLY]
        sample = cheap[:: max(1, len(cheap) // 5)]
        kept = {control["id"] for control in sample}
        families = tuple(
            replace(f, grid=tuple(p for p in f.grid if f.identifier(p) in kept))
            for f in artifact.families
        )
        document = {**DOCUMENTS[artifact.claim], "controls": sample}
        assert refused_changes(replace(artifact, families=families), document) > 100


def test_each_negative_control_has_a_reason_and_refutes_something() -> None:
    negative = [
        control
        for document in DOCUMENTS.values()
        for control in document["controls"]
        if control["kind"] == "negative"
    ]
    assert {c["family"] for c in negative} == {
        "sps-peak-without-rounding",
        "eligibility-by-proxy",
        "last-cap-cut-off",
        "strict-packing",
        "too-small-ratio",
        "fair-share-potential-below",
    }
    assert all(control["reason"] and control["refuted"] for control in negative)


@pytest.mark.parametrize(
    ("family", "parameters"),
    [
        ("sps-peak-without-rounding", {"memory": 3, "tau": 1, "prompt": 0, "k": 3}),
        ("eligibility-by-proxy", {"memory": 8, "prompt": 1, "output": 3}),
        ("last-cap-cut-off", {"memory": 4, "class": 2}),
    ],
)
def test_a_negative_control_that_holds_is_a_fault(family: str, parameters: dict[str, int]) -> None:
    found = next(f for f in readings.FAMILIES if f.name == family)
    assert found.derive(parameters).faults


def test_a_run_that_exceeds_its_bound_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    family, parameters = runs.FAMILIES[0], {"seed": 9004, "n": 5, "memory": 12}
    assert not family.derive(parameters).faults
    draft = Draft("x", "kill-runs", "positive", dict(parameters))
    monkeypatch.setattr(runs, "proved", lambda *_: Fraction(1))
    family.build(draft, parameters)
    assert any("route: proved ratio" in fault for fault in draft.faults)


def test_the_additive_bound_frees_the_linear_part() -> None:
    assert from_two_bounds(64, 16) == 80
    assert from_additive(64, 16) == 64
    assert from_additive(3, 4) == 6
    assert constants.CONSTANTS["route-956"].derived() == 956


def test_every_ratio_that_the_schedulers_state_is_derived() -> None:
    derived = {constant.value for constant in constants.CONSTANTS.values()} | {
        Fraction(49),
        Fraction(48),
    }
    stated = {
        ratio.value
        for name in ("ROUTE", "ROUTE_2_5_1", "ROUTE_2_4_1", "FAIR_SHARE", "LENGTH_DOUBLING")
        for ratio in getattr(ratios_kills, name)
    }
    assert stated <= derived


@pytest.mark.parametrize("t", [1, 2, 3])
def test_both_orders_of_the_hard_families_by_replay(t: int) -> None:
    for thin, wide in ((1, t), (t**4, t**3)):
        instance = orders.mixed(t, thin, wide)
        for starts, cost in (
            (orders.thin_first(t, thin, wide), orders.thin_first_cost(t, thin, wide)),
            (orders.wide_first(thin, wide), orders.wide_first_cost(t, thin, wide)),
        ):
            result = replay(instance, Schedule(starts))
            assert result.feasible
            assert result.total_completion == cost


def test_regimes_of_the_seeded_bursts() -> None:
    for seed in range(60):
        n, memory = 1 + seed % 5, 8 + seed % 9
        for request in runs.prompt_heavy(seed, n, memory).requests:
            assert 4 * request.prompt <= memory
            assert 1 <= request.output <= request.prompt
        for request in runs.large(seed, n, memory).requests:
            assert 4 * request.prompt > memory >= request.peak
        for request in runs.response_heavy(seed, n, memory).requests:
            assert 1 <= request.prompt < request.output
            assert request.peak <= memory


def test_packing_and_rectangles_by_hand() -> None:
    assert readings.pack(3, ((1, 1), (3, 1), (1, 2)), any_fit=True) == 3
    assert readings.pack(3, ((1, 1), (3, 1), (1, 2)), any_fit=False) == 4
    assert readings.play_rectangles(2, [(2, 1), (2, 1)]) == 3


def test_lean_gets_a_hundred_runs_each() -> None:
    marked = [
        schedule["scheduler"]
        for control in DOCUMENTS["nonclairvoyant-controls"]["controls"]
        for schedule in control.get("schedules", [])
        if "scheduler" in schedule
    ]
    assert marked.count("fair-share") >= 100
    assert marked.count("rect-prompt") + marked.count("rect-large") >= 100
