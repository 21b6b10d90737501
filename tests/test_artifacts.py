"""The verifier against tampering: every leaf of the artifact, every kind of file fault."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaluators.artifacts.canonical import Json, digest, dumps, loads
from evaluators.controls.draft import Draft, Family, Parameters
from evaluators.controls.registry import ARTIFACTS, Artifact, artifact_for
from evaluators.controls.verify import (
    _control_fault,
    differences,
    false_assertions,
    verify_artifact,
)
from evaluators.model import InputError
from evaluators.verdict import Layer, Verdict, overall

from .cli import ARTIFACT

CLAIM = ARTIFACTS[0]
DATA = ARTIFACT.read_bytes()
DOCUMENT: Any = loads(DATA)

Path_ = tuple[str | int, ...]


pytestmark = pytest.mark.usefixtures("cached_derivation")


def places(value: Json, path: Path_ = ()) -> Iterator[Path_]:
    """Every leaf, every key and every list element."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


def mutations(value: Json, path: Path_) -> Iterator[Json]:
    """All changes of one place: other value, other type, removed, renamed, doubled."""
    parent = value
    for step in path[:-1]:
        parent = parent[step]  # type: ignore[index,call-overload]
    last = path[-1]
    here = parent[last]  # type: ignore[index,call-overload]
    for change in changed_values(here):
        parent[last] = change  # type: ignore[index,call-overload]
        yield value
        parent[last] = here  # type: ignore[index,call-overload]
    if isinstance(parent, dict):
        del parent[str(last)]
        yield value
        parent[f"{last}x"] = here
        yield value
        del parent[f"{last}x"]
        parent[str(last)] = here
    elif isinstance(parent, list):
        index = int(last)
        del parent[index]
        yield value
        parent.insert(index, here)
        parent.insert(index, here)
        yield value
        del parent[index]


def changed_values(here: Json) -> list[Json]:
    if isinstance(here, bool):
        return [not here, int(here)]
    if isinstance(here, int):
        return [here + 1, str(here), *([bool(here)] if here in (0, 1) else [])]
    if isinstance(here, str):
        return [here + "x", "7/3" if "/" in here and here != "7/3" else "", 0]
    return [0]


@pytest.mark.slow
def test_every_leaf_of_every_control_is_compared() -> None:
    """Each control of the file against its derivation, changed one place at a time."""
    assert refused_changes(CLAIM, DOCUMENT) > 20_000


def refused_changes(artifact: Artifact, document: Any) -> int:
    """Change every place of every control in every way; each must be refused. Returns how many."""
    jobs = {family.identifier(p): (family, p) for family, p in artifact.jobs()}
    count = 0
    for stored in document["controls"]:
        family, parameters = jobs[stored["id"]]
        draft = family.derive(parameters)
        assert _control_fault(draft, stored) == ""
        for path in list(places(stored)):
            for changed in mutations(stored, path):
                count += 1
                assert _control_fault(draft, changed), (stored["id"], path)  # type: ignore[arg-type]
        assert _control_fault(draft, stored) == ""
    return count


def test_stored_comparisons_are_evaluated_whatever_the_size() -> None:
    """Integers beyond 2^53 - 1 are decimal strings, rationals are p/q."""
    sides = [(str(10**20), 10**19), ("7/2", 3), (3, "5/2"), (str(10**20), "1/3")]
    entries = [{"claim": "c", "left": a, "relation": ">", "right": b} for a, b in sides]
    assert not list(false_assertions({"assertions": entries}))  # type: ignore[dict-item]
    assert len(list(false_assertions({"refuted": entries}))) == len(sides)  # type: ignore[dict-item]


def rejected(data: bytes, tmp_path: Path) -> list[Layer]:
    path = tmp_path / "exact-controls.json"
    path.write_bytes(data)
    layers = verify_artifact(path, claim=CLAIM.claim)
    assert overall(layers) is Verdict.REJECTED
    return layers


def reasons(layers: list[Layer]) -> str:
    return "\n".join(reason for layer in layers for reason in layer.reasons)


def with_right_digest(document: dict[str, Json]) -> bytes:
    rest = {key: value for key, value in document.items() if key != "digest"}
    return dumps({**rest, "digest": digest(rest)})


def test_the_artifact_itself_is_verified() -> None:
    layers = verify_artifact(ARTIFACT)
    assert overall(layers) is Verdict.VERIFIED, reasons(layers)
    assert [layer.checked for layer in layers][2:] == [
        len(DOCUMENT["controls"]) + 1,
        sum(control["kind"] == "negative" for control in DOCUMENT["controls"]),
    ]


def test_any_digit_changed_is_rejected(tmp_path: Path) -> None:
    """Acceptance 2, on a seeded sample of all digits of the file."""
    digits = [i for i, byte in enumerate(DATA) if chr(byte).isdigit()]
    draw = random.Random(20261129)
    for place in draw.sample(digits, 12):
        byte = b"%d" % ((DATA[place] - 48 + draw.randint(1, 9)) % 10)
        text = reasons(rejected(DATA[:place] + byte + DATA[place + 1 :], tmp_path))
        head = DATA[:place]
        inside = head.rfind(b'"controls":[') != -1 and place < DATA.rindex(b'],"digest"')
        assert ("control " in text) == inside, (place, text)


def test_a_leading_zero_is_rejected_and_named(tmp_path: Path) -> None:
    place = DATA.index(b'"memory":10') + len(b'"memory":')
    text = reasons(rejected(DATA[:place] + b"00" + DATA[place + 2 :], tmp_path))
    assert "a number has a leading zero" in text
    assert "memory: must be 10, got 0" in text


def test_consistent_forgeries_are_rejected_too(tmp_path: Path) -> None:
    """The forger recomputes the digest: only the re-derivation is left."""
    draw = random.Random(7)
    document = copy.deepcopy(DOCUMENT)
    for path in draw.sample(list(places(document["controls"])), 3):
        for changed in mutations(document["controls"], path):
            layers = rejected(with_right_digest({**document, "controls": changed}), tmp_path)
            assert layers[1].verdict is Verdict.VERIFIED
            assert "control" in reasons(layers)


@pytest.mark.parametrize("key", ["claim", "generator", "schema"])
def test_header_changes_are_rejected(key: str, tmp_path: Path) -> None:
    document = {**DOCUMENT, key: DOCUMENT[key] + "x"}
    assert f"{key}: must be" in reasons(rejected(with_right_digest(document), tmp_path))


def test_missing_extra_and_reordered_controls(tmp_path: Path) -> None:
    controls = DOCUMENT["controls"]
    gone = {**DOCUMENT, "controls": controls[1:]}
    assert f"control {controls[0]['id']}: is missing" in reasons(
        rejected(with_right_digest(gone), tmp_path)
    )
    renamed = {**DOCUMENT, "controls": [*controls, {**controls[0], "id": "new"}]}
    assert "control new: is not one of the claim's controls" in reasons(
        rejected(with_right_digest(renamed), tmp_path)
    )
    swapped = {**DOCUMENT, "controls": [controls[1], controls[0], *controls[2:]]}
    assert "must stand in the order" in reasons(rejected(with_right_digest(swapped), tmp_path))
    doubled = {**DOCUMENT, "controls": [*controls, controls[0]]}
    assert "once each" in reasons(rejected(with_right_digest(doubled), tmp_path))
    nothing = {**DOCUMENT, "controls": []}
    assert "should be non-empty" in reasons(rejected(with_right_digest(nothing), tmp_path))
    wrong = {**DOCUMENT, "controls": 7}
    assert "controls: 7 is not of type 'array'" in reasons(
        rejected(with_right_digest(wrong), tmp_path)
    )


def test_wrong_digest_and_crlf(tmp_path: Path) -> None:
    wrong = {**DOCUMENT, "digest": "0" * 64}
    layers = rejected(dumps(wrong), tmp_path)
    assert [layer.verdict for layer in layers if layer.layer == "digest"] == [Verdict.REJECTED]
    crlf = rejected(DATA.replace(b"\n", b"\r\n"), tmp_path)
    assert "only line endings differ (CRLF instead of LF)" in reasons(crlf)
    rejected(dumps({k: v for k, v in DOCUMENT.items() if k != "digest"}), tmp_path)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (DATA[: len(DATA) // 2], "not valid JSON"),
        (b"\xff" + DATA, "must be UTF-8"),
        (b"[]\n", "must be a JSON object"),
        (b'{"claim":"none"}\n', "claim: must be one of"),
        (DATA.replace(b'"tel":3', b'"tel":3.0', 1), "tel: floats are not allowed"),
        (DATA.replace(b'"tel":3', b'"tel":null', 1), "tel: null is not allowed"),
        (DATA.replace(b'"tel":3', b'"tel":3,"tel":3', 1), "tel: this key occurs twice"),
    ],
)
def test_files_that_cannot_be_judged(data: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_bytes(data)
    with pytest.raises(InputError, match=words) as caught:
        verify_artifact(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_the_artifact_is_found_by_claim_then_by_name() -> None:
    assert artifact_for({"claim": CLAIM.claim}, Path("x.json")) is CLAIM
    assert artifact_for({}, Path(CLAIM.path)) is CLAIM
    assert artifact_for({"claim": "other"}, Path("x"), CLAIM.claim) is CLAIM


def test_building_is_bit_identical() -> None:
    assert CLAIM.build() == DATA


def test_a_false_statement_cannot_be_built() -> None:
    def lie(draft: Draft, _: Parameters) -> None:
        draft.describe("false")
        draft.holds("two is three", 2, "=", 3)

    artifact = Artifact("x.json", "lie", (Family("a-lie", lie, ({},)),))
    with pytest.raises(RuntimeError, match="two is three: 2 = 3 is false"):
        artifact.build()


def test_a_negative_control_that_fails_nothing_is_a_fault() -> None:
    def toothless(draft: Draft, _: Parameters) -> None:
        draft.describe("nothing is refused", reason="none")

    def holds(draft: Draft, _: Parameters) -> None:
        draft.describe("a true claim", reason="none")
        draft.refuted("one is one", 1, "=", 1)

    for build, words in ((toothless, "must state a reason"), (holds, "should fail but holds")):
        draft = Family(words, build, ({},), "negative").derive({})
        assert any(words in fault for fault in draft.faults)


def test_another_optimal_schedule_is_as_good() -> None:
    """What the search returns among equals is no claim; a worse or illegal schedule is refused."""
    jobs = {family.identifier(p): (family, p) for family, p in CLAIM.jobs()}
    family, parameters = jobs["two-units(memory=3,prompt=1)"]
    stored = copy.deepcopy(
        next(c for c in DOCUMENT["controls"] if c["id"] == family.identifier(parameters))
    )
    starts = stored["optima"][0]["starts"]
    assert [entry["start"] for entry in starts] == [0, 1]
    starts[0]["start"], starts[1]["start"] = 1, 0
    assert _control_fault(family.derive(parameters), stored) == ""
    for wrong in ([0, 0], [1, 2], [0, 2]):
        starts[0]["start"], starts[1]["start"] = wrong
        assert "optima[0].starts" in _control_fault(family.derive(parameters), stored)


@pytest.mark.parametrize("legal", [True, False])
def test_an_optimal_continuation_obeys_its_commitment(legal: bool) -> None:
    family, parameters = next(
        (f, p) for f, p in CLAIM.jobs() if f.identifier(p) == "kill-and-restart(case=2)"
    )
    stored = copy.deepcopy(family.derive(parameters).document())
    kept, killed, free = stored["optima"]  # type: ignore[misc]
    # The continuation with kills needs its kill: without it the same starts break the commitment.
    if not legal:
        kept["starts"], kept["value"] = killed["starts"], killed["value"]  # type: ignore[index,call-overload]
        assert "optima[0]" in _control_fault(family.derive(parameters), stored)
    else:
        swapped = {e["id"]: e["start"] for e in killed["starts"]}  # type: ignore[index,call-overload,union-attr]
        swapped[1], swapped[2] = swapped[2], swapped[1]
        killed["starts"] = [{"id": i, "start": b} for i, b in sorted(swapped.items())]  # type: ignore[index,call-overload]
        assert _control_fault(family.derive(parameters), stored) == ""
        assert free


def test_differences_count_types_and_name_paths() -> None:
    assert list(differences({"a": [1, True]}, {"a": [1, True]})) == []
    assert list(differences({"a": [1, True]}, {"a": [1, 1]})) == ["a[1]: must be True, got 1"]
    assert list(differences({"a": 1}, {"b": 1})) == ["a: is missing", "b: is not expected"]
    assert list(differences([1], [1, 2], "x")) == ["x: must have 1 elements, got 2"]
