"""Every cheat is rejected by the steps that should reject it, and by no luck."""

from __future__ import annotations

import json

import pytest

from evaluators.lean.audit import STEPS, Audited, audit

from . import harness

STEP_NAMES = ["build", *STEPS, "drift"]


def rejecting(name: str) -> set[str]:
    return {step for step, found in harness.reasons(name).items() if found}


def test_every_step_has_a_cheat_and_every_cheat_a_step() -> None:
    expected = {name: harness.Case(name).expected for name in harness.CASES}
    assert {step for steps in expected.values() for step in steps} == set(STEP_NAMES)
    assert [name for name, steps in expected.items() if not steps] == ["accept"]


def test_expected_files_say_what_the_cheat_is() -> None:
    for name in harness.CASES:
        document = json.loads((harness.REDTEAM / name / "expected.json").read_text("utf-8"))
        assert set(document) == {"what", "steps"}
        assert document["what"].endswith(".")


@pytest.mark.lean
@pytest.mark.parametrize("name", harness.CASES)
def test_case(name: str) -> None:
    expected = harness.Case(name).expected
    found = harness.reasons(name)
    for step, words in expected.items():
        assert any(words in reason for reason in found[step]), (step, found[step])
    # With the checks of these steps removed nothing rejects it: each of them carries weight.
    assert rejecting(name) == set(expected), found


@pytest.mark.lean
@pytest.mark.parametrize("step", STEPS)
def test_a_removed_step_lets_its_cheats_through(step: str) -> None:
    names = [name for name in harness.CASES if step in harness.Case(name).expected]
    assert names
    for name in names:
        audited = harness.library(name)
        if audited is None:
            continue
        others = set(harness.Case(name).expected) - {step}
        assert any(audit(audited, without=others).values())
        assert not any(audit(audited, without={*others, step}).values())


@pytest.mark.lean
def test_the_kernel_checks_every_constant_of_the_control() -> None:
    control = harness.library("accept")
    assert isinstance(control, Audited)
    environment = control.environment
    made_by_kernel = ("constructor", "recursor")
    own = [c for c in environment.constants.values() if c.kind not in made_by_kernel]
    assert environment.replayed == len(own)
