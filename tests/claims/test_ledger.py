"""The ledger: its status is computed, evidence that goes missing turns a claim into an error."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from evaluators.artifacts.canonical import digest, dumps, read_object
from evaluators.claims.consistency import EQUATIONS, covered_equations, ledger_faults
from evaluators.claims.documents import ERRATA, marker_faults, theorems_block
from evaluators.claims.judge import Status, derive_again, judge, judge_all, unused
from evaluators.claims.ledger import DATA, DOUBTFUL, PAPERS, Evidence, Ledger, layout, read_ledger
from evaluators.claims.store import Store, code_fault, read_store
from evaluators.lean.statements import STATEMENTS_PATH
from evaluators.model import InputError

from ..cli import ROOT, call, run_json
from ..repository_copy import claim_of, edit_ledger

SVF = "svf/counterexamples"


@pytest.fixture(scope="module")
def ledger(original: Path) -> Ledger:
    return read_ledger(original)


@pytest.fixture(scope="module")
def kept(original: Path) -> Store:
    return read_store(original)


@pytest.fixture
def store(kept: Store) -> Store:
    """The store, to break: nothing of it is shared with other tests."""
    copied = {name: deepcopy(value) for name, value in kept.controls.items() if name == SVF}
    theorems = deepcopy(kept.theorems)
    return Store(kept.root, theorems, {**kept.controls, **copied}, dict(kept.forms))


def status(ledger: Ledger, store: Store, identifier: str) -> tuple[Status, tuple[str, ...]]:
    entry = judge(ledger.named(identifier), store, ledger.pins)
    return entry.status, entry.faults


def changed(ledger: Ledger, identifier: str, **members: Any) -> Ledger:
    claims = [replace(c, **members) if c.id == identifier else c for c in ledger.claims]
    return replace(ledger, claims=tuple(claims))


def without(ledger: Ledger, identifier: str) -> Ledger:
    return replace(ledger, claims=tuple(c for c in ledger.claims if c.id != identifier))


def test_every_claim_has_a_computed_status(ledger: Ledger, store: Store) -> None:
    judged = judge_all(ledger, store)
    assert not [(e.claim.id, e.faults) for e in judged if e.faults]
    assert not ledger_faults(ledger, store)
    assert {e.status for e in judged} == set(Status) - {Status.ERROR}
    for entry in judged:
        if entry.status is Status.OPEN:
            assert entry.claim.not_covered, entry.claim.id


def test_every_equation_of_paper_two_has_a_claim() -> None:
    ledger = read_ledger(ROOT)
    assert covered_equations(ledger) >= set(EQUATIONS)
    assert {claim.paper for claim in ledger.claims} == set(PAPERS)


def test_a_refuted_claim_says_what_holds_or_why() -> None:
    for claim in read_ledger(ROOT).claims:
        if claim.verdict in DOUBTFUL:
            assert claim.repaired or claim.why or claim.not_covered, claim.id
        if claim.refuted:
            assert claim.verdict in DOUBTFUL, claim.id


def test_a_deleted_theorem_is_an_error(ledger: Ledger, store: Store) -> None:
    assert status(ledger, store, "tight/a2") == (Status.THEOREM, ())
    del store.theorems["OnlineKvCache.linear_memory_half"]
    word, faults = status(ledger, store, "tight/a2")
    assert word is Status.ERROR
    assert "theorem OnlineKvCache.linear_memory_half is not in output/lean" in faults[0]


def test_the_command_lists_errors(repository: Path) -> None:
    document = read_object(repository / STATEMENTS_PATH)
    entries = cast(list[dict[str, Any]], document["theorems"])
    for entry in entries:
        if entry["theorem"].endswith("linear_memory_half"):
            entry["hash"] = "0" * 64
    document["digest"] = digest(document)
    (repository / STATEMENTS_PATH).write_bytes(dumps(document))
    listed = call("claims", "--paper", "tight", "--root", repository)
    assert listed.returncode == 1
    words = "ERROR: tight/a2: theorem OnlineKvCache.linear_memory_half: its statement is changed"
    assert words in listed.stdout
    pinned = call("claims", "--pin", "--root", repository)
    assert "recorded: OnlineKvCache.linear_memory_half" in pinned.stdout
    assert call("claims", "tight/a2", "--root", repository).returncode == 0
    assert "nothing changed" in call("claims", "--pin", "--root", repository).stdout


def test_an_unreviewed_statement_is_an_error(ledger: Ledger, store: Store) -> None:
    pins = {k: v for k, v in ledger.pins.items() if not k.endswith("linear_memory_half")}
    word, faults = status(replace(ledger, pins=pins), store, "tight/a2")
    assert word is Status.ERROR
    assert "its statement is not reviewed" in faults[0]


def test_a_forbidden_axiom_is_an_error(ledger: Ledger, store: Store) -> None:
    store.theorems["OnlineKvCache.linear_memory_half"]["axioms"] = ["sorryAx"]
    word, faults = status(ledger, store, "tight/a2")
    assert word is Status.ERROR
    assert "rests on sorryAx" in faults[0]


def test_a_deleted_control_is_an_error(ledger: Ledger, store: Store) -> None:
    assert status(ledger, store, "svf/lemma-e2")[0] is Status.COUNTEREXAMPLE
    controls = store.controls[SVF]
    store.controls[SVF] = {i: c for i, c in controls.items() if c["family"] != "e2-strict"}
    word, faults = status(ledger, store, "svf/lemma-e2")
    assert word is Status.ERROR
    assert faults == ("control svf/counterexamples#e2-strict is in no artifact",)


def test_a_control_that_refutes_nothing_is_no_counterexample(ledger: Ledger, store: Store) -> None:
    refuted = Evidence(controls=("svf/counterexamples#e2-with-predecessors",))
    word, faults = status(changed(ledger, "svf/lemma-e2", refuted=refuted), store, "svf/lemma-e2")
    assert word is Status.ERROR
    assert "refutes nothing" in faults[0]


def test_a_false_number_in_a_control_is_an_error(ledger: Ledger, store: Store) -> None:
    for control in store.controls[SVF].values():
        if control["family"] == "e2-with-predecessors":
            control["assertions"][0].update(left=10**9, relation="<=")
    word, faults = status(ledger, store, "svf/lemma-e2")
    assert word is Status.ERROR
    assert "evaluates the wrong way" in faults[0]


def test_a_deleted_closed_form_is_an_error(ledger: Ledger, store: Store) -> None:
    del store.forms["volume"]
    word, faults = status(ledger, store, "svf/eq-1")
    assert word is Status.ERROR
    assert faults == ("closed form volume is not in the registry",)


def test_code_that_is_gone_is_an_error() -> None:
    assert code_fault("bounds:lb2_bound") == ""
    assert (
        code_fault("bounds:no_such_bound")
        == "code bounds:no_such_bound: no no_such_bound in evaluators.bounds"
    )
    assert code_fault("nowhere:x") == "code nowhere:x: no module evaluators.nowhere"


def test_derive_again_catches_a_number_that_agrees_with_itself(
    ledger: Ledger, store: Store
) -> None:
    """What is stored may agree with itself and still be wrong: deriving it again shows it."""
    claim = ledger.named("svf/running-precede")
    claim = replace(claim, supported=Evidence())
    fine = derive_again(judge(claim, store, ledger.pins), store)
    assert (fine.status, fine.derived) == (Status.COUNTEREXAMPLE, True)
    store.controls[SVF]["e2-skip-smallest"]["instance"]["memory"] += 1
    entry = judge(claim, store, ledger.pins)
    assert entry.status is Status.COUNTEREXAMPLE
    again = derive_again(entry, store)
    assert again.status is Status.ERROR
    assert "control e2-skip-smallest: instance.memory: must be 5, got 6" in again.faults


def test_evidence_that_no_claim_uses_is_listed(ledger: Ledger, store: Store) -> None:
    less = changed(ledger, "svf/table-1", supported=Evidence())
    less = changed(less, "svf/sjf-unbounded", supported=Evidence())
    assert set(unused(less, store)) - set(unused(ledger, store)) == {
        ("closed form", "table-1"),
        ("controls", "svf/counterexamples#sjf-unbounded (4)"),
        ("theorem", "OnlineKvCache.shortest_job_first_unbounded"),
        ("theorem", "OnlineKvCache.svf_competitive_table"),
    }


def test_a_claim_without_evidence_must_say_so(ledger: Ledger, store: Store) -> None:
    silent = changed(ledger, "svf/table-1", supported=Evidence(), not_covered="")
    word, faults = status(silent, store, "svf/table-1")
    assert word is Status.ERROR
    assert "`not_covered` must say" in faults[0]


def test_words_that_a_theorem_makes_untrue_are_an_error(ledger: Ledger, store: Store) -> None:
    stale = changed(ledger, "tight/a2", not_covered="No theorem yet: a pencil proof.")
    word, faults = status(stale, store, "tight/a2")
    assert word is Status.ERROR
    assert "but `not_covered` says 'No theorem yet'" in faults[0]


def test_faults_of_the_register(ledger: Ledger, store: Store) -> None:
    ids = (*(i for i in ledger.registered if i != "svf/eq-1"), "svf/eq-999")
    pins = {**ledger.pins, "OnlineKvCache.nobody": "0" * 64}
    wrong = replace(ledger, registered=ids, pins=pins, claims=(*ledger.claims, ledger.claims[0]))
    faults = "\n".join(ledger_faults(wrong, store))
    assert "claim svf/eq-999 is registered but not in the ledger" in faults
    assert "claim svf/eq-1 is not in the register" in faults
    assert "theorem OnlineKvCache.nobody is registered, but no claim names it" in faults
    assert f"claim {ledger.claims[0].id} occurs 2 times" in faults


def test_an_equation_or_item_without_a_claim_is_a_fault(ledger: Ledger, store: Store) -> None:
    faults = ledger_faults(without(ledger, "svf/eq-66"), store)
    assert "equation (66) of paper 2 has no claim" in faults
    faults = ledger_faults(without(ledger, "nonclairvoyant/theorem-2"), store)
    assert "item 3.16 of the notes on paper 3 has no claim" in faults


def test_data_files_keep_their_layout(repository: Path) -> None:
    path = repository / DATA / "svf.json"
    document = json.loads(path.read_text("utf-8"))
    assert path.read_bytes() == layout(document)
    path.write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(InputError, match=r"^svf.json: file: is not laid out"):
        read_ledger(repository)
    document["claims"][0]["statu"] = "theorem"
    path.write_bytes(layout(document))
    with pytest.raises(InputError, match="statu"):
        read_ledger(repository)


def test_adding_evidence_is_one_line(repository: Path) -> None:
    path = repository / DATA / "svf.json"
    before = path.read_text("utf-8").splitlines()

    def add(claims: list[dict[str, Any]]) -> None:
        claim_of(claims, "svf/table-1")["supported_by"]["closed_forms"].append("svf-ratio")

    edit_ledger(repository, "svf", add)
    after = path.read_text("utf-8").splitlines()
    assert len(after) == len(before) + 1


def test_explain_one_claim() -> None:
    result = call("claims", "svf/running-precede")
    assert result.returncode == 0, result.stdout
    assert "against: control svf/counterexamples#e2-skip-smallest" in result.stdout
    assert "python -m evaluators verify output/svf/counterexamples.json" in result.stdout
    assert result.stdout.splitlines()[-1] == "claim=svf/running-precede status=counterexample"
    theorem = call("claims", "tight/a2")
    assert "def linear_memory_half : Prop :=" in theorem.stdout


def test_the_json_of_the_ledger() -> None:
    _, document = run_json("claims", "--paper", "svf", "--status", "counterexample")
    assert all(claim["paper"] == "svf" for claim in document["claims"])
    assert document["counts"]["counterexample"] > 5


def test_filters_and_bad_words() -> None:
    listed = call("claims", "--paper", "notes", "--verdict", "SUPERSEDED").stdout.splitlines()
    assert [line.split()[0] for line in listed if line.startswith("notes/")] == [
        "notes/lower-68-25"
    ]
    for arguments, words in (
        (("--status", "fine"), "status: must be one of theorem"),
        (("--paper", "four"), "paper: must be one of tight"),
        (("svf/no-such",), "claim: unknown: 'svf/no-such'"),
    ):
        result = call("claims", *arguments)
        assert result.returncode == 2
        assert words in result.stderr


def test_errata_lists_exactly_what_is_doubtful(original: Path, ledger: Ledger) -> None:
    text = (original / ERRATA).read_text("utf-8")
    found = set(re.findall(r"^`([a-z]+/[a-z0-9.-]+)`", text, re.MULTILINE))
    assert found == {c.id for c in ledger.claims if c.verdict in DOUBTFUL}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the generated block claims is missing"),
        ("<!-- begin generated: claims -->", "without its end"),
        ("<!-- end generated: claims -->", "without its begin"),
        ("<!-- begin generated: nonsense -->", "no block is called nonsense"),
    ],
)
def test_markers(text: str, words: str) -> None:
    assert any(words in fault for fault in marker_faults(text))


def test_the_headline_of_a_theorem_is_what_it_proves(ledger: Ledger) -> None:
    def headline(name: str) -> str:
        claim = ledger.headline(f"OnlineKvCache.{name}")
        return claim.id if claim else ""

    assert headline("half_delay") == "tight/sharp-half-delay"  # not the superseded 5n/6 + 3
    assert headline("memory_three") == "tight/sharp-memory-three"  # not the conjecture
    assert headline("optimum_exists") == "tight/optimum"
    assert headline("nobody") == ""


def test_a_theorem_that_only_refutes_names_what_it_refutes(ledger: Ledger, original: Path) -> None:
    wrong = ledger.refuted_by("OnlineKvCache.overtaking_breaks_the_bound")
    assert wrong is not None
    assert wrong.id == "svf/theorem-3.2"  # the claim that names it first, not lemma E.2
    assert ledger.refuted_by("OnlineKvCache.half_delay") is None
    table = theorems_block(ledger, read_store(original))
    assert f"`overtaking_breaks_the_bound` | Against “{wrong.title}”" in table
    assert "*Note: 182/3 with finer caps is not in the theorem.*" in table
    assert "no claim of the ledger uses it" not in table


@pytest.mark.parametrize("command", ["claims", "report", "audit", "lean trace"])
def test_help(command: str) -> None:
    shown = call(*command.split(), "--help")
    assert shown.returncode == 0
    assert f"python -m evaluators {command}" in " ".join(shown.stdout.split())
