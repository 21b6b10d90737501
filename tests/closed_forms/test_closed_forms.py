"""Every closed form holds, every corrupted twin and every misprint is rejected by both halves."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
import sympy
from closed_form_twins import (
    VECTORS,
    grid_rejects,
    mutants,
    rewritten,
    scaled,
    symbolic_rejects,
    twins,
)

from evaluators.closed_forms import COVERED, REGISTRY, ClosedForm, verify_closed_forms
from evaluators.closed_forms.framework import Check, Goal, Sample, has_sign, is_zero
from evaluators.closed_forms.geometry import FORMS as GEOMETRY
from evaluators.verdict import Verdict

SVF = Path(__file__).resolve().parents[3] / "shared" / "math" / "svf.md"
BY_ID = {form.id: form for form in REGISTRY}
MISPRINTS = [form for form in REGISTRY if form.printed is not None]


def name(form: ClosedForm) -> str:
    return form.id


@pytest.mark.parametrize("form", REGISTRY, ids=name)
def test_form_holds(form: ClosedForm) -> None:
    found = form.check()
    assert found.holds, (found.unproved, found.witness)
    assert found.goals > 0
    assert found.samples >= 4


@pytest.mark.parametrize("form", REGISTRY, ids=name)
def test_twin_is_rejected_by_each_half(form: ClosedForm) -> None:
    text, formula = twins(form)[0]
    check = form.check.of(formula)
    assert symbolic_rejects(check), text
    assert grid_rejects(check), text


@pytest.mark.slow
@pytest.mark.parametrize("form", REGISTRY, ids=name)
def test_every_changed_number_is_rejected_by_each_half(form: ClosedForm) -> None:
    for text, formula in twins(form):
        check = form.check.of(formula)
        assert symbolic_rejects(check), text
        assert grid_rejects(check), text


@pytest.mark.parametrize("form", [x for x in REGISTRY if x.id not in VECTORS], ids=name)
def test_rewritten_formula_is_accepted(form: ClosedForm) -> None:
    """Control for the twins: the same rewriting without a changed number is not rejected."""
    check = form.check.of(rewritten(form.check.formula))
    assert not symbolic_rejects(check)
    assert not grid_rejects(check)


@pytest.mark.parametrize("form", REGISTRY, ids=name)
def test_grid_is_exact(form: ClosedForm) -> None:
    for sample in form.check.samples(form.check.formula):
        assert isinstance(sample.left, Fraction), sample
        assert isinstance(sample.right, Fraction), sample


@pytest.mark.parametrize("form", MISPRINTS, ids=name)
def test_misprint_fails_at_its_witness(form: ClosedForm) -> None:
    assert form.printed is not None
    found = form.printed()
    assert found.refuted
    witness = form.misprint()
    assert witness is not None
    assert not witness.holds()
    assert witness.left != witness.right
    corrected = [x for x in form.check.samples(form.check.formula) if x.point == witness.point]
    assert corrected
    assert all(sample.holds() for sample in corrected)


def test_the_misprints_are_the_known_ones() -> None:
    found = {form.equation[0]: form.misprint() for form in MISPRINTS}
    assert {key: str(value).split(": not ")[1] for key, value in found.items()} == {
        "51": "6 = 11",
        "54": "486 = 459",
        "line before 60": "25/7 = 3",
        "79": "42/13 = 15/4",
        "81": "14/9 = 1",
    }


def test_residual_of_the_printed_81() -> None:
    """svf.md: as printed, (81) is off by W_0 (1 - r^2)."""
    form = BY_ID["proxy-workload-closed"]
    assert form.printed is not None
    r, w0, load = sympy.symbols("r W0 L")
    wrong = form.printed.formula(r, w0, load) - w0 * load / (r - load)
    assert is_zero(wrong - w0 * (1 - r**2))


def test_ids_and_texts() -> None:
    assert len(BY_ID) == len(REGISTRY)
    assert all(form.statement and form.source for form in REGISTRY)


def test_covered_equations_have_a_form() -> None:
    named = {equation for form in REGISTRY for equation in form.equation}
    assert set(COVERED) <= named
    assert len(set(COVERED)) == len(COVERED)


def sympy_rows(text: str) -> set[str]:
    """Equation numbers of the rows of section 8 whose check names sympy."""
    index = text[text.index("## 8. Equation index") :]
    found: set[str] = set()
    for line in index.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(cells) < 3 or "sympy" not in cells[-1]:
            continue
        if not re.fullmatch(r"[\d,\-]+", cells[0]):
            found.add(cells[0])
            continue
        for part in cells[0].split(","):
            first, _, last = part.partition("-")
            found.update(str(n) for n in range(int(first), int(last or first) + 1))
    return found


@pytest.mark.skipif(not SVF.exists(), reason="../shared/math/svf.md is not in this checkout")
def test_covered_is_what_svf_md_asks() -> None:
    assert set(COVERED) == sympy_rows(SVF.read_text(encoding="utf-8"))


def test_row_parser() -> None:
    text = "## 8. Equation index\n| 1 | x | sympy |\n| 54,56-57 | y | sympy, simulation |\n"
    text += "| line before 60 | z | sympy |\n| 6 | w | run |\n"
    assert sympy_rows(text) == {"1", "54", "56", "57", "line before 60"}


def test_layer_verifies_and_reports_progress() -> None:
    seen: list[tuple[int, int, str]] = []
    layer = verify_closed_forms(lambda done, total, what: seen.append((done, total, what)))
    assert layer.layer == "closed forms"
    assert layer.verdict is Verdict.VERIFIED, layer.reasons
    assert layer.checked == len(REGISTRY)
    assert layer.microseconds < 30_000_000
    assert [row[0] for row in seen] == list(range(len(REGISTRY) + 1))
    assert all(row[1] == len(REGISTRY) for row in seen)


def test_layer_rejects_a_corrupted_form() -> None:
    volume = GEOMETRY[0]
    text, formula = mutants(volume.check.formula)[0]
    broken = replace(volume, check=volume.check.of(formula))
    layer = verify_closed_forms(forms=(GEOMETRY[1], broken))
    assert layer.verdict is Verdict.REJECTED
    assert layer.checked == 2
    assert len(layer.reasons) == 1
    assert layer.reasons[0].startswith("volume: not proved: identity; volume: s=0, o=1"), text


def test_layer_rejects_a_misprint_that_is_none() -> None:
    form = BY_ID["proxy-workload-closed"]
    layer = verify_closed_forms(forms=(replace(form, printed=form.check),))
    assert layer.reasons == ["proxy-workload-closed: the printed form is not refuted"]


def test_layer_rejects_a_form_without_goals_or_samples_or_value() -> None:
    volume = GEOMETRY[0]
    empty = replace(volume.check, goals=lambda formula: (), samples=lambda formula: ())
    undefined = volume.check.of(lambda s, o: o / (s - s))
    forms = tuple(replace(volume, check=check) for check in (empty, undefined))
    layer = verify_closed_forms(forms=forms)
    assert len(layer.reasons) == 2
    assert layer.reasons[0] == "volume: nothing to check"
    assert verify_closed_forms(forms=()).verdict is Verdict.REJECTED


def test_zero_is_decided_by_normal_forms() -> None:
    q, t = sympy.Symbol("q", positive=True), sympy.Symbol("t", integer=True, positive=True)
    assert is_zero(q ** (t + 1) - q * q**t)
    assert is_zero((1 - q ** (2 * t)) / (1 - q**t) - 1 - q**t)
    assert not is_zero(q ** (t + 1) - q**t)
    assert not is_zero(sympy.Rational(1, 10**40) * q)
    assert not is_zero(sympy.nan)


def test_sign_is_decided_by_terms() -> None:
    x, y = sympy.symbols("x y", positive=True)
    n = sympy.Symbol("n", nonnegative=True)
    assert has_sign((x + y) ** 2 - x**2, strict=True)
    assert has_sign(n * x, strict=False)
    assert not has_sign(n * x, strict=True)
    assert not has_sign(x - y, strict=False)
    assert not has_sign(-x / (1 + y), strict=False)
    assert has_sign(-x / (-1 - y), strict=True)


def test_goals_and_samples_know_their_relation() -> None:
    x = sympy.Symbol("x", positive=True)
    assert Goal("", x, "<", 2 * x).decided()
    assert not Goal("", 2 * x, "<=", x).decided()
    assert not Goal("", x, "<", x).decided()
    one, two = Fraction(1), Fraction(2)
    assert Sample({}, one, "<=", one).holds()
    assert not Sample({}, one, "<", one).holds()
    assert not Sample({}, two, "<=", one).holds()
    assert not Sample({}, one, "=", two).holds()


def test_a_check_can_be_given_another_formula() -> None:
    check = GEOMETRY[0].check
    other = check.of(scaled(check.formula, Fraction(2)))
    assert isinstance(other, Check)
    assert not other().holds
    assert other().refuted
