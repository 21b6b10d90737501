"""lakefile.lean, lean-toolchain, the axiom report and the list of modules agree with the tree."""

from __future__ import annotations

import re

from evaluators.lean.axiom_report import (
    EXPECTED,
    REPORT,
    judge_report,
    parse_report,
    report_names,
    report_text,
    source_theorems,
)
from evaluators.lean.home import RELEASE
from evaluators.lean.sources import LIBRARY, SOURCE_FOLDER, Package, strip_comments
from evaluators.lean.toolchain import wanted_release

from .harness import ROOT

PACKAGE = Package(ROOT)


def test_lakefile_names_our_library_and_folder() -> None:
    text = strip_comments((ROOT / "lakefile.lean").read_text(encoding="utf-8"))
    raw = (ROOT / "lakefile.lean").read_text(encoding="utf-8")
    assert re.findall(r"(?m)^package (\w+)", text) == [LIBRARY]
    assert re.findall(r"(?m)^lean_lib (\w+)", text) == [LIBRARY]
    assert re.findall(r'srcDir := "(\w+)"', raw) == [SOURCE_FOLDER]
    assert "@[default_target]" in text
    assert re.search(r"`warningAsError\s*,\s*true", text)


def test_toolchain_is_the_release_of_the_embedded_lean() -> None:
    text = (ROOT / "lean-toolchain").read_text(encoding="utf-8")
    assert text == f"leanprover/lean4:{RELEASE}\n"
    assert wanted_release(ROOT) == RELEASE


def test_the_root_module_imports_every_module() -> None:
    assert set(PACKAGE.imports[LIBRARY]) == set(PACKAGE.modules) - {LIBRARY}


def test_every_file_is_a_module_with_known_imports() -> None:
    assert PACKAGE.order
    for name, text in PACKAGE.texts.items():
        assert re.match(r"(?s)(?:/-.*?-/\s*)?module\n", text), name


def test_statements_and_results_name_the_same() -> None:
    statements = strip_comments(PACKAGE.texts[f"{LIBRARY}.Statements"])
    for name in re.findall(r"(?m)^def (\w+) : Prop", statements):
        assert f"{LIBRARY}.{name}" in source_theorems(PACKAGE)


def test_the_axiom_report_names_the_theorems_of_results() -> None:
    text = (ROOT / REPORT).read_text(encoding="utf-8")
    theorems = source_theorems(PACKAGE)
    assert sorted(report_names(text)) == sorted(theorems)
    assert text == report_text(report_names(text))
    assert not text.startswith("module")
    expected = parse_report((ROOT / EXPECTED).read_text(encoding="utf-8"))
    assert set(expected) == set(theorems)


def test_the_axiom_report_is_judged() -> None:
    expected = parse_report("'A.a' depends on axioms: [propext]\n'A.b' depends on axioms: [odd]\n")
    output = "'A.a' depends on axioms: [propext,\n Quot.sound]\n'A.b' depends on axioms: [odd]\n"
    assert judge_report(["A.a", "A.b", "A.c"], expected, output) == [
        "A.a rests on the axiom Quot.sound, by the axiom report",
        "A.b rests on the axiom odd, by the axiom report",
        "the axiom report says nothing about A.c",
    ]
    assert judge_report(["A.a"], expected, "'A.a' does not depend on any axioms\n") == []
