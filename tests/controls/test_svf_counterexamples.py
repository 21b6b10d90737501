"""Paper 2's counterexamples: every leaf is compared, and the programs against their definitions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from evaluators.artifacts.canonical import digest, dumps, loads
from evaluators.controls import svf
from evaluators.controls.registry import ARTIFACTS, artifact_for, products
from evaluators.controls.seeded import random_instance
from evaluators.controls.svf.programs import lp_4, program_3
from evaluators.controls.svf.runs import burst, waiting_sides
from evaluators.controls.verify import verify_artifact
from evaluators.model import Instance
from evaluators.policies.engine import simulate
from evaluators.verdict import Verdict, overall
from tests.cli import ROOT
from tests.test_artifacts import refused_changes

CLAIM = next(artifact for artifact in ARTIFACTS if artifact.claim == "svf-counterexamples")
PATH = ROOT / CLAIM.path
DATA = PATH.read_bytes()
DOCUMENT: Any = loads(DATA)
CONTROLS = {control["id"]: control for control in DOCUMENT["controls"]}

pytestmark = pytest.mark.usefixtures("cached_derivation")


@pytest.mark.slow
def test_the_artifact_is_registered_found_and_verified() -> None:
    assert CLAIM.path in [entry.path for entry in products()]
    assert artifact_for({}, Path("elsewhere/svf/counterexamples.json")) is CLAIM
    layers = verify_artifact(PATH)
    assert overall(layers) is Verdict.VERIFIED, [layer.reasons for layer in layers]
    assert CLAIM.build() == DATA
    assert len(DATA) < 150_000


def test_every_leaf_of_every_control_is_compared() -> None:
    assert refused_changes(CLAIM, DOCUMENT) > 10_000


def test_consistent_forgeries_of_the_file_are_rejected(tmp_path: Path) -> None:
    """A changed number with the right digest: the re-derivation names the control."""
    path = tmp_path / "counterexamples.json"
    draw = random.Random(4)
    for wanted in draw.sample(sorted(CONTROLS), 6):
        document = loads(DATA)
        control = next(c for c in document["controls"] if c["id"] == wanted)  # type: ignore[index,call-overload,union-attr]
        claims = [*control["assertions"], *control.get("refuted", [])]  # type: ignore[index,call-overload,union-attr,misc]
        entry = draw.choice(claims)
        entry["left"] = 0 if entry["left"] != 0 else 1  # type: ignore[index,call-overload]
        rest = {key: value for key, value in document.items() if key != "digest"}  # type: ignore[union-attr]
        path.write_bytes(dumps({**rest, "digest": digest(rest)}))
        layers = verify_artifact(path)
        assert overall(layers) is Verdict.REJECTED
        assert any(wanted in reason for layer in layers for reason in layer.reasons)


def test_every_negative_control_refutes_and_gives_its_reason() -> None:
    for control in CONTROLS.values():
        assert control["description"]
        if control["kind"] == "negative":
            assert control["reason"]
            assert control["refuted"]
    assert {family.name for family in svf.FAMILIES} == {c["family"] for c in CONTROLS.values()}


def refuted(identifier: str) -> list[tuple[Any, str, Any]]:
    return [(e["left"], e["relation"], e["right"]) for e in CONTROLS[identifier]["refuted"]]


def tels(identifier: str) -> list[int]:
    return [schedule["tel"] for schedule in CONTROLS[identifier]["schedules"]]


def test_the_numbers_of_the_notes() -> None:
    """svf.md's printed numbers, where they are exact."""
    skip = "skip-breaks-the-theorem(length=95,scale=4,shorts=8)"
    assert tels(skip) == [979, 237]
    assert len(CONTROLS[skip]["instance"]["requests"]) == 13
    assert CONTROLS[skip]["instance"]["memory"] == 38_000
    assert Fraction(979, 237) > Fraction(33, 8) == Fraction(4125, 1000)
    assert refuted(skip) == [("979/1", "<=", "7821/8"), (2_407_680, "<=", 269_800)]
    assert CONTROLS[skip]["facts"]["wait"] == 99
    assert CONTROLS["e2-skip-smallest"]["facts"]["starts"] == [0, 4, 0]
    assert refuted("e2-skip-smallest") == [(4, "<", 4)]
    assert refuted("horizon(horizon=0)") == [(3, "=", 6)]
    assert refuted("horizon(horizon=1)") == [(5, "=", 6)]
    assert refuted("lp-and-area-incomparable(case=0)") == [("1/3", ">=", "1/1")]
    assert refuted("lp-and-area-incomparable(case=1)") == [("9/5", ">=", "5/2")]
    assert refuted("lp-is-for-bursts") == [("6/1", "<=", 3)]
    assert refuted("volume-order(case=0)") == [(8, "=", 6)]
    assert refuted("volume-order(case=1)") == [(7, "=", 6)]
    assert refuted("lb2-below-area(copies=1,memory=4,output=2,prompt=2)") == [
        ("41/24", ">=", "7/4")
    ]
    assert refuted("one-bit-overflow(copies=4,longest=16,memory=8,output=4)") == [(16, "<=", 8)]
    assert refuted("starvation(rounds=2000)") == [(2000, "<", 2000)]


def lp_by_rounds(volumes: tuple[int, ...], memory: int) -> Fraction:
    """LP (4)'s objective if the volumes are served in this order, M units at each time t."""
    total, time, left = Fraction(0), 1, memory
    for volume in volumes:
        remaining = volume
        while remaining:
            served = min(remaining, left)
            total += Fraction(time * served, volume)
            remaining, left = remaining - served, left - served
            if not left:
                time, left = time + 1, memory
    return total


def test_lp_4_is_the_best_order_of_the_knapsack() -> None:
    for seed in range(40):
        instance = random_instance(seed, 1 + seed % 5, 4 + seed % 9, 0)
        orders = permutations(request.volume for request in instance.requests)
        best = min(lp_by_rounds(order, instance.memory) for order in orders)
        assert lp_4(instance) == best


def test_program_3_is_the_least_over_all_starts() -> None:
    for seed in range(12):
        instance = random_instance(400 + seed, 2 + seed % 2, 5, seed % 3)
        latest = max(request.arrival for request in instance.requests)
        for horizon in range(latest, latest + 6):
            ranges = [range(r.arrival, horizon + 1) for r in instance.requests]
            costs = [
                sum(
                    k + r.output - r.arrival for k, r in zip(starts, instance.requests, strict=True)
                )
                for starts in product(*ranges)
                if all(load(instance, starts, t) <= instance.memory for t in range(1, horizon + 1))
            ]
            assert program_3(instance, horizon) == min(costs)


def load(instance: Instance, starts: tuple[int, ...], t: int) -> int:
    pairs = zip(starts, instance.requests, strict=True)
    return sum(r.prompt + t - k for k, r in pairs if k < t <= k + r.output)


def test_waiting_sides_follow_the_order_of_keys_then_ids() -> None:
    instance = burst(5, [(0, 4), (3, 1), (1, 1), (1, 1)])
    run = simulate(instance, [r.volume2 for r in instance.requests])
    assert [(i, right) for i, _, right in waiting_sides(run)] == [(2, 0), (3, 4), (1, 8), (0, 16)]
    starts = run.starts()
    assert all(left == starts[i] for i, left, _ in waiting_sides(run))
