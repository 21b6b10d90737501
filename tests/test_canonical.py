from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.artifacts import canonical
from evaluators.artifacts.canonical import (
    SAFE_INTEGER,
    digest,
    dumps,
    loads,
    parse_fraction,
    read_object,
    to_json,
    why_not_canonical,
    write_whole,
)
from evaluators.artifacts.schema import check, schema_names, validator
from evaluators.model import InputError

texts = st.text(st.characters(blacklist_categories=["Cs"])).filter(
    lambda text: not canonical._DECIMAL.fullmatch(text)
)
leaves = st.booleans() | st.integers(-(10**30), 10**30) | texts
trees = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(max_codepoint=126), max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(trees)
@settings(max_examples=300, deadline=None)
def test_round_trip(tree: object) -> None:
    data = dumps(tree)
    again = loads(data)
    assert again == tree
    assert dumps(again) == data
    assert why_not_canonical(data, again) is None
    assert data.endswith(b"\n")
    assert data.count(b"\n") == 1


@pytest.mark.parametrize("edge", [SAFE_INTEGER, -SAFE_INTEGER, SAFE_INTEGER + 1, -SAFE_INTEGER - 1])
def test_integers_at_the_edge(edge: int) -> None:
    written = json.loads(dumps([edge]))[0]
    assert written == (edge if abs(edge) <= SAFE_INTEGER else str(edge))
    assert loads(dumps([edge])) == [edge]


@given(st.fractions())
def test_rationals(value: Fraction) -> None:
    text = to_json(value)
    assert parse_fraction(text, "x") == value


@pytest.mark.parametrize("text", ["2/4", "1/0", "-0/1", "1/-2", "01/2", "1", "", " 1/2", 3, None])
def test_bad_rationals(text: object) -> None:
    with pytest.raises(InputError, match="x: must be a rational"):
        parse_fraction(text, "x")


@pytest.mark.parametrize("value", [1.5, None, {"k": [0, {"f": 2.0}]}, {1: 2}, {"é": 1}, {1, 2}])
def test_what_the_profile_has_no_place_for(value: object) -> None:
    with pytest.raises(InputError):
        dumps(value)


def test_faults_name_their_field() -> None:
    with pytest.raises(InputError, match=r"^a\[1\]\.b: floats are not allowed.*1\.0$"):
        loads(b'{"a": [1, {"b": 1.0}]}')
    with pytest.raises(InputError, match=r"^document: null is not allowed$"):
        loads(b"null")
    with pytest.raises(InputError, match=r"^a: this key occurs twice in one object$"):
        loads(b'{"a": 1, "a": 1}')


def test_why_not_canonical_gives_hints() -> None:
    document = {"a": 1, "b": [True]}
    data = dumps(document)
    assert "only line endings differ" in (
        why_not_canonical(data.replace(b"\n", b"\r\n"), document) or ""
    )
    assert "white space at the ends" in (why_not_canonical(data + b"\n", document) or "")
    assert "white space at the ends" in (why_not_canonical(data.rstrip(), document) or "")
    assert "RFC 8785" in (why_not_canonical(b'{"b":[true],"a":1}\n', document) or "")


def test_digest_ignores_only_itself() -> None:
    document = {"a": 1, "digest": "x"}
    assert digest(document) == digest({"a": 1})
    assert digest(document) != digest({"a": 2})


def test_write_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "deep" / "file.json"
    write_whole(path, b"one\n")
    assert path.read_bytes() == b"one\n"

    def fail(*_: object) -> None:
        raise OSError("no")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no"):
        write_whole(path, b"two\n")
    assert path.read_bytes() == b"one\n"
    assert [p.name for p in path.parent.iterdir()] == ["file.json"]


def test_read_object_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("[]")
    with pytest.raises(InputError, match=rf"^{path}: document: must be a JSON object$"):
        read_object(path)
    with pytest.raises(InputError, match="file: is a directory"):
        read_object(tmp_path)


def descriptions_missing(schema: object, path: str) -> list[str]:
    """Every property must carry a description (DESIGN.md section 3)."""
    found = []
    if isinstance(schema, dict):
        for name, part in schema.get("properties", {}).items():
            if not part.get("description"):
                found.append(f"{path}.{name}")
        for key, part in schema.items():
            found += descriptions_missing(part, f"{path}.{key}")
    elif isinstance(schema, list):
        for part in schema:
            found += descriptions_missing(part, path)
    return found


@pytest.mark.parametrize("name", schema_names())
def test_schemas_are_valid_and_described(name: str) -> None:
    schema = validator(name).schema
    validator(name).check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    members = schema["properties"]
    if "predicate" in members:  # a receipt: in-toto's shape has no room for it at the top
        members = members["predicate"]["properties"]
    assert members["schema"]["const"] == name
    assert descriptions_missing(schema, name) == []


def test_the_description_lint_can_fail() -> None:
    assert descriptions_missing({"properties": {"a": {"type": "string"}}}, "x") == ["x.a"]


def test_check_reports_the_first_field() -> None:
    with pytest.raises(InputError, match="schema: must be 'onlinekv/instance/v1', got 3"):
        check({"schema": 3}, "onlinekv/instance/v1")
    with pytest.raises(KeyError):
        validator("onlinekv/nothing/v1")
