"""The audit's text, the graph over all modules, statement hashes, and hypotheses with members."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from evaluators.lean import probe
from evaluators.lean.audit import Audited, audit, check_axioms
from evaluators.lean.build import Module
from evaluators.lean.environment import Environment, display, merge, names_in, parse
from evaluators.lean.probe import PART_BYTES, Job, audit_file, parts_of
from evaluators.lean.sources import Package
from evaluators.lean.statements import drift, source_of, statement_hash, statements_document
from evaluators.lean.vacuity import empty_hypotheses, tree
from evaluators.model import InputError

LIB = "OnlineKvCache"


def token(name: str) -> str:
    return "".join(f'."{part}"' if not part.isdigit() else f".{part}" for part in name.split("."))


def const(name: str, levels: int = 0) -> str:
    return f"C {token(name)} {levels}"


def lines(name: str, kind: str, module: str, type_: str, value: str = "", uses: str = "") -> str:
    own, where = token(f"{LIB}.{name}"), token(f"{LIB}.{module}")
    text = f"const {own} {kind} {where} \ntype {own} {type_} \n"
    if value:
        text += f"value {own} {value} \n"
    used = " ".join(token(use) for use in uses.split())
    return f"{text}uses {own} {used} \n"


def forall(domain: str, body: str) -> str:
    return f"P {domain} {body}"


# def Good (n : Nat) : Prop := n = n;  def Bad (n : Nat) : Prop := False
PREDICATE = f"P {const('Nat')} S 0"
GOOD = lines("Good", "definition", "Model", PREDICATE, f"L {const('Nat')} {const('True')}")
BAD = lines("Bad", "definition", "Model", PREDICATE, f"L {const('Nat')} {const('False')}")


def statement(predicate: str) -> str:
    # ∀ n, predicate n → True
    value = forall(const("Nat"), forall(f"A {const(f'{LIB}.{predicate}')} b 0", const("True")))
    return lines("Statements.s", "definition", "Statements", "S 0", value)


def library(predicate: str = "Good", proof_uses: str = "", more: str = "") -> str:
    proof = lines("s", "theorem", "Results", const(f"{LIB}.Statements.s"), "",
                  f"{LIB}.Statements.s {LIB}.lemma {proof_uses}")  # fmt: skip
    lemma = lines("lemma", "theorem", "Lemmas", const("True"), "", "True hidden")
    witness = lines("Checks.w", "theorem", "Checks.Basic", f"A {const(f'{LIB}.Good')} N 3")
    modules = "".join(
        f"module {token(f'{LIB}.{m}')} \n"
        for m in ("Model", "Statements", "Lemmas", "Results", "Checks.Basic")
    )
    imported = f"imported {token('True')} inductive\nimported {token('hidden')} theorem\n"
    core = f"imported {token('sorryAx')} axiom\nimported {token('propext')} axiom\n"
    return (
        modules + GOOD + BAD + statement(predicate) + proof + lemma + witness + more
        + imported + core + "replayed .7\nend\n"
    )  # fmt: skip


def audited(root: Path, text: str) -> Audited:
    folder = root / "formal" / LIB
    for name in ("Model", "Statements", "Lemmas", "Results", "Checks/Basic"):
        path = folder / f"{name}.lean"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("module\n")
    return Audited(Package(root), parse(text))


def rejecting(found: Audited) -> dict[str, list[str]]:
    return {step: reasons for step, reasons in audit(found).items() if reasons}


def test_names() -> None:
    assert display('."A"."b\'"') == "A.b'"
    assert display('."_private"."A".0."x"') == "_private.A.0.x"
    assert display('."a b"."c.d"') == "«a b».«c.d»"


def test_a_good_library_passes(tmp_path: Path) -> None:
    assert rejecting(audited(tmp_path, library())) == {}


def test_axioms_are_found_through_other_modules(tmp_path: Path) -> None:
    text = library().replace('."True" ."hidden"', '."True" ."hidden" ."sorryAx"')
    found = audited(tmp_path, text)
    assert found.environment.axioms(f"{LIB}.s") == {"sorryAx"}
    assert rejecting(found) == {
        "axioms": [f"{LIB}.s rests on the axiom sorryAx (sorry)"],
    }
    allowed = audited(tmp_path, library(proof_uses="propext"))
    assert allowed.environment.axioms(f"{LIB}.s") == {"propext"}
    assert rejecting(allowed) == {}


def test_an_unknown_constant_is_not_trusted(tmp_path: Path) -> None:
    found = audited(tmp_path, library(proof_uses="mystery"))
    assert check_axioms(found) == [f"{LIB}.s rests on mystery, which the audit cannot see"]


def test_a_statement_in_any_file_of_statements_wants_its_theorem(tmp_path: Path) -> None:
    more = lines("Statements.t", "definition", "Statements.More", "S 0", const("False"))
    assert audit(audited(tmp_path, library(more=more)))["theorems"] == [
        f"no theorem {LIB}.t in {LIB}.Results proves {LIB}.Statements.t"
    ]
    elsewhere = lines("Statements.t", "definition", "StatementsOld", "S 0", const("False"))
    assert audit(audited(tmp_path, library(more=elsewhere)))["theorems"] == []


def test_an_axiom_of_ours_is_found_out_of_reach(tmp_path: Path) -> None:
    found = audited(tmp_path, library(more=lines("ax", "axiom", "Lemmas", const("False"))))
    assert rejecting(found) == {"axioms": [f"{LIB}.ax is an axiom of our own"]}


def test_flags_and_refusals(tmp_path: Path) -> None:
    more = lines("f", "definition", "Lemmas", const("Nat"), "N 1").replace(
        '"Lemmas" \n', '"Lemmas" unsafe \n', 1
    )
    assert rejecting(audited(tmp_path, library(more=more))) == {
        "attributes": [f"{LIB}.f is unsafe"]
    }
    helper = more.replace('."f"', '."f"."_unsafe_rec"')
    assert rejecting(audited(tmp_path, library(more=helper))) == {}
    text = library(more=f"refused {token(f'{LIB}.lemma')} \n")
    assert rejecting(audited(tmp_path, text)) == {"kernel": [f"the kernel refuses {LIB}.lemma"]}
    nothing = library().replace("replayed .7", "replayed .0")
    assert rejecting(audited(tmp_path, nothing)) == {"kernel": ["the kernel checked nothing"]}


def test_an_empty_hypothesis_is_found(tmp_path: Path) -> None:
    found = rejecting(audited(tmp_path, library("Bad")))
    assert list(found) == ["vacuity"]
    assert f"assumes {LIB}.Bad" in found["vacuity"][0]


@pytest.mark.parametrize(
    ("type_", "counts"),
    [
        (f"A {const(f'{LIB}.Bad')} N 3", True),
        (forall(const("Nat"), f"A {const(f'{LIB}.Bad')} b 0"), True),
        # 3 ≤ n → Bad n: some n is at least 3
        (
            forall(
                const("Nat"),
                forall(
                    f"A A A A {const('LE.le', 1)} 0 {const('Nat')} {const('instLENat')} "
                    f"A A A {const('OfNat.ofNat', 1)} 0 {const('Nat')} N 3 {const('i')} b 0",
                    f"A {const(f'{LIB}.Bad')} b 1",
                ),
            ),
            True,
        ),
        (f"A A {const('And')} {const('True')} A {const(f'{LIB}.Bad')} N 3", True),
        # False → Bad 3 and Bad 4 → Bad 3 show nothing
        (forall(const("False"), f"A {const(f'{LIB}.Bad')} N 3"), False),
        (forall(f"A {const(f'{LIB}.Bad')} N 4", f"A {const(f'{LIB}.Bad')} N 3"), False),
        (f"A {const('Not')} A {const(f'{LIB}.Bad')} N 3", False),
    ],
)
def test_what_counts_as_an_inhabitant(type_: str, counts: bool) -> None:
    for module in ("Checks.More", "Lemmas"):
        more = lines("w2", "theorem", module, type_)
        environment = parse(library("Bad", more=more))
        modules = [f"{LIB}.Checks.More", f"{LIB}.Checks.Basic"]
        empty = empty_hypotheses(environment, [f"{LIB}.Statements.s"], modules)
        assert (empty == []) == (counts and module == "Checks.More")


def test_a_changed_definition_is_a_changed_statement() -> None:
    name = f"{LIB}.Statements.s"
    before = parse(library())
    assert before.meaning(name) == {name, f"{LIB}.Good"}
    changed = library().replace(GOOD, GOOD.replace('"True"', '"False"'))
    assert statement_hash(before, name) != statement_hash(parse(changed), name)
    elsewhere = library().replace(BAD, BAD.replace('"False"', '"True"'))
    assert statement_hash(before, name) == statement_hash(parse(elsewhere), name)


def test_drift_names_what_changed(tmp_path: Path) -> None:
    before = statements_document(audited(tmp_path, library()))
    assert drift(before, before) == []
    changed = library().replace(GOOD, GOOD.replace('"True"', '"False"'))
    assert drift(before, statements_document(audited(tmp_path, changed))) == [
        f"{LIB}.s: changed (hash)",
        f"definition {LIB}.Good: changed (hash)",
    ]
    other = statements_document(audited(tmp_path, library("Bad")))
    assert f"definition {LIB}.Bad: not in the committed document" in drift(before, other)
    extra = library(more=lines("t", "theorem", "Results", const("True")))
    assert drift(before, statements_document(audited(tmp_path, extra))) == [
        "the helper theorems of Results differ from the committed list"
    ]


def test_a_theorem_must_be_there_and_be_exact(tmp_path: Path) -> None:
    exact = f"type {token(f'{LIB}.s')} {const(f'{LIB}.Statements.s')}"
    assert exact in library()
    other = library().replace(exact, f"type {token(f'{LIB}.s')} {const('True')}")
    assert rejecting(audited(tmp_path, other)) == {
        "theorems": [f"{LIB}.s does not prove exactly {LIB}.Statements.s"]
    }
    renamed = library().replace(f"{token(f'{LIB}.s')} ", f"{token(f'{LIB}.r')} ")
    assert rejecting(audited(tmp_path, renamed)) == {
        "theorems": [f"no theorem {LIB}.s in {LIB}.Results proves {LIB}.Statements.s"]
    }


@pytest.mark.parametrize(
    "text", ["", "module", 'module ."A"\n', 'odd ."A"\nend', 'type ."A" S 0\nend', "const\nend"]
)
def test_a_cut_off_or_odd_text_is_one_line(text: str) -> None:
    with pytest.raises(InputError, match="lean audit"):
        parse(text)


def test_expressions() -> None:
    tokens = (
        parse(
            'const ."a" definition ."m" \n'
            'type ."a" P S m s 0 p ."u" T C ."Nat" 2 0 s p ."v" N 5 J ."S" 1 A b 0 Q "x y" \nend'
        )
        .constants["a"]
        .type
    )
    assert names_in(tokens) == ("Nat", "S")
    node = tree(tokens)
    assert [part.letter for part in node.parts] == ["S", "T"]
    assert [part.letter for part in node.parts[1].parts] == ["C", "N", "J"]
    with pytest.raises(ValueError, match="text after"):
        tree((*tokens, "b", "0"))


def test_the_source_of_a_statement() -> None:
    text = (
        "/-- Other. -/\ndef a : Prop := True\n\n/-- Says\nmore. -/\ndef ab : Prop :=\n  1 = 1\n\nx"
    )
    assert source_of(text, "L.Statements.ab") == "/-- Says\nmore. -/\ndef ab : Prop :=\n  1 = 1"
    assert source_of(text, "L.Statements.a") == "/-- Other. -/\ndef a : Prop := True"
    assert source_of(text, "L.Statements.none") == ""


def test_the_audit_is_one_file_with_a_call_for_each_library(tmp_path: Path) -> None:
    text = audit_file([Job(tmp_path / 'a"b', ("A.B", "C"), tmp_path / "r")])
    assert text.startswith("module\n\npublic meta import Lean.AddDecl\n")
    assert '[`A.B, `C] "' in text.splitlines()[-1]
    assert 'a\\"b"' in text


def test_an_empty_environment_is_rejected(tmp_path: Path) -> None:
    found = Audited(audited(tmp_path, library()).package, Environment())
    assert set(rejecting(found)) >= {"theorems", "kernel"}


def part(own: str, foreign: str = "") -> Environment:
    return parse(f"{own}{foreign}replayed .3\nend\n")


def seen(name: str, kind: str, type_: str, value: str = "") -> str:
    own = token(f"{LIB}.{name}")
    text = f"foreign {own} {kind}\nftype {own} {type_} \n"
    return text + (f"fvalue {own} {value} \n" if value else "")


DEFINED = lines("d", "definition", "A", const("Nat"), "N 1")
PROVED = lines("t", "theorem", "A", const("True"), "", "True")


@pytest.mark.parametrize(
    ("foreign", "fits"),
    [
        (seen("d", "definition", const("Nat"), "N 1"), True),
        (seen("d", "axiom", const("Nat")), True),
        (seen("t", "axiom", const("True")), True),
        (seen("d", "definition", const("Nat"), "N 2"), False),
        (seen("d", "definition", const("True"), "N 1"), False),
        (seen("d", "theorem", const("Nat")), False),
        (seen("t", "axiom", const("False")), False),
        (seen("gone", "axiom", const("True")), False),
    ],
)
def test_parts_must_see_each_other_as_they_are(foreign: str, fits: bool) -> None:
    user = lines("u", "theorem", "B", const("True"), "", f"{LIB}.t")
    whole = merge([part(DEFINED + PROVED), part(user, foreign)])
    assert whole.replayed == 6
    assert {constant.module for constant in whole.constants.values()} == {f"{LIB}.A", f"{LIB}.B"}
    assert bool(whole.refused) is not fits
    assert fits or whole.refused[0].endswith("as another module sees it")


def test_a_constant_of_two_parts_and_a_part_without_kernel_are_refused() -> None:
    other = lines("d", "definition", "A", const("Nat"), "N 2")
    assert merge([part(DEFINED), part(other)]).refused == [f"{LIB}.d"]
    again = lines("t", "theorem", "B", const("True"), "", "sorryAx")
    whole = merge([part(PROVED), part(again)])
    assert not whole.refused
    assert "sorryAx" in whole.constants[f"{LIB}.t"].uses
    assert merge([part(DEFINED), parse(PROVED + "replayed .0\nend\n")]).replayed == 0


def test_a_library_is_audited_in_parts_of_bounded_size() -> None:
    modules = [Module(name, f"{name}.lean", "k") for name in "ABCD"]
    sizes = {"A": PART_BYTES // 2, "B": PART_BYTES // 2, "C": PART_BYTES + 1, "D": 1}
    found = [[module.name for module in names] for names in parts_of(modules, sizes)]
    assert found == [["A", "B"], ["C"], ["D"]]


def test_two_audits_at_once_make_each_part_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []

    class Server:
        def stop(self) -> None:
            pass

    class Pool:
        size = 1

        @contextmanager
        def lease(self) -> Iterator[Server]:
            yield Server()

    def run(server: object, jobs: list[Job], folder: Path) -> None:
        made.append(folder)
        time.sleep(0.2)
        assert folder.is_dir()
        jobs[0].target.write_text(library())

    monkeypatch.setattr(probe, "run_audit", run)
    modules = [Module("A", "A.lean", "key")]
    with ThreadPoolExecutor(2) as threads:
        audits = [
            threads.submit(probe.load_audit, tmp_path, modules, {"A": 1}, "salt", Pool)
            for _ in range(2)
        ]
        assert all(f"{LIB}.s" in found.result().constants for found in audits)
    assert len(made) == 1
