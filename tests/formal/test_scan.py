"""Each pattern of the scan has a bad source that it finds and a good one that it leaves alone."""

from __future__ import annotations

import pytest

from evaluators.lean.scan import ATTRIBUTES, RULES, scan_text

BAD = {
    "sorry": ["theorem a : 1 = 2 := by sorry", "theorem a : True := by\n  admit", "  stop\n"],
    "axiom": ["axiom a : False", "private axiom a : False"],
    "native": [
        "by native_decide",
        "by decide +native",
        "decide (config := {native := true})",
        "Lean.ofReduceBool a b rfl",
        "by bv_decide",
        "Lean.trustCompiler",
    ],
    "option": [
        "set_option debug.skipKernelTC true",
        "set_option\n  warningAsError false in",
        "set_option linter.all false",
        "set_option maxRecDepthX 5",
    ],
    "modifier": ["unsafe def a := 1", "partial def a := a", "opaque a : Nat"],
    "meta": ["run_cmd skip", "meta def a := 1", "initialize x : Nat ← pure 1", "by run_tac skip"],
    "command": ["#eval 1", "#exit", "  #print axioms a", "#guard_msgs in"],
    "syntax": [
        'elab "x" : term => pure 1',
        'macro "x" : term => `(1)',
        "local macro_rules | `(1) => `(2)",
        'syntax "x" : term',
        'local notation "x" => 1',
        'infixl:65 " + " => f',
        'scoped prefix:max "-" => f',
    ],
    "api": ["addDecl d", "x.addDeclCore 0", "def f : MetaM Unit", "Lean.setEnv e", "unsafeCast x"],
    "quoted name": ["theorem «a b» : True := trivial"],
    "literal": ['s!"{sorry}"', 'r#"a"#'],
}
GOOD = """module

public import OnlineKvCache.Model

@[expose] public section

/-! No sorry, no axiom, `native_decide`; set_option debug.x -/

/-- unsafe partial macro #eval -/
@[simp] theorem notations_partial (h : stop' = 1) : "sorry axiom" = "sorry axiom" := by
  set_option maxRecDepth 2000 in
  exact rfl -- sorry
attribute [local simp] foo.prefixes
"""
MODULES = frozenset({"OnlineKvCache.Model"})


def test_every_rule_has_a_bad_fixture() -> None:
    assert set(BAD) == {rule.name for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_rule_can_fail(rule) -> None:
    for text in BAD[rule.name]:
        assert any(rule.what in found for _, found in scan_text(text, MODULES)), text


def test_a_good_source_passes() -> None:
    assert list(scan_text(GOOD, MODULES)) == []


@pytest.mark.parametrize(
    "text",
    [
        "@[implemented_by f] def a := 1",
        '@[simp, extern "c"] def a := 1',
        "attribute [local csimp] a",
        "attribute\n  [-simp, macro_inline] a",
    ],
)
def test_other_attributes_are_found(text: str) -> None:
    assert any("is not allowed" in found for _, found in scan_text(text, MODULES))


def test_attributes_are_an_allow_list() -> None:
    for name in ("implemented_by", "extern", "csimp", "export", "init", "simproc", "macro_inline"):
        assert name not in ATTRIBUTES


def test_foreign_imports_and_invisible_characters_are_found() -> None:
    assert list(scan_text("module\n\nimport Lean\n", MODULES)) == [
        (1, "import of 'Lean', which is not part of the library")
    ]
    assert list(scan_text("a\n\u202eb", MODULES)) == [(2, "invisible character U+202E")]


def test_the_line_is_told() -> None:
    assert [line for line, _ in scan_text("module\n\n\naxiom a : False", MODULES)] == [4]
