"""The headline statements as data: what each says, hashed with all that it unfolds to.

A hash is taken over the elaborated expressions, with no pretty-printer in between and without names
of bound variables, so that a changed definition, notation or instance is seen as a changed
statement, however the source looks.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from ..artifacts.canonical import Json, digest, read_object
from ..artifacts.schema import check as check_schema
from ..model import InputError
from .audit import Audited
from .environment import Environment
from .home import RELEASE

SCHEMA = "onlinekv/lean-statements/v1"
STATEMENTS_PATH = "output/lean/statements.json"


def statement_hash(environment: Environment, name: str) -> str:
    """Return a hash of a statement and of every definition of the library that it unfolds to."""
    lines = [
        f"{other} {environment.constants[other].own_hash}"
        for other in sorted(environment.meaning(name))
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def source_of(text: str, statement: str) -> str:
    """Return the docstring and the definition of a statement as they stand in the source."""
    short = re.escape(statement.rpartition(".")[2])
    pattern = rf"(?s)(/--(?:(?!-/).)*-/\s*)?^def {short}\b.*?(?=\n\n|\Z)"
    match = re.search(pattern, text, re.MULTILINE)
    return match[0].strip() if match else ""


def statements_document(audited: Audited) -> dict[str, Json]:
    """Return the document of all headline statements, their definitions and their axioms."""
    environment = audited.environment
    meaning: set[str] = set()
    theorems: list[Json] = []
    for statement in sorted(audited.statements, key=lambda c: c.name):
        names = environment.meaning(statement.name)
        meaning |= names
        name = audited.theorem_name(statement.name)
        text = audited.package.texts[statement.module]
        theorems.append(
            {
                "theorem": name,
                "statement": statement.name,
                "source": source_of(text, statement.name),
                "hash": statement_hash(environment, statement.name),
                "definitions": [*sorted(names - {statement.name})],
                "axioms": [*sorted(environment.axioms(name))],
            }
        )
    headlines = {audited.theorem_name(statement.name) for statement in audited.statements}
    helpers = [t.name for t in audited.theorems if t.name not in headlines]
    document: dict[str, Json] = {
        "schema": SCHEMA,
        "lean": RELEASE,
        "theorems": theorems,
        "helpers": [*helpers],
        "definitions": [_definition(environment, name) for name in sorted(meaning)],
    }
    return {**document, "digest": digest(document)}


def _definition(environment: Environment, name: str) -> Json:
    constant = environment.constants[name]
    return {
        "name": name,
        "kind": constant.kind,
        "module": constant.module,
        "hash": constant.own_hash,
    }


def read_statements(path: Path) -> dict[str, Json]:
    """Read the committed document; raises InputError if it is missing or malformed."""
    document = read_object(path)
    try:
        check_schema(document, SCHEMA)
        if document["digest"] != digest(document):
            raise InputError("digest", "differs from the document's")
    except InputError as error:
        raise error.at(str(path)) from None
    return document


def drift(expected: dict[str, Json], found: dict[str, Json]) -> list[str]:
    """Return one line for each difference between the committed document and the proofs."""
    reasons = []
    definitions = _changes(expected, found, "definitions", "name")
    for name, word in _changes(expected, found, "theorems", "theorem").items():
        reasons.append(f"{name}: {word}")
    for name, word in definitions.items():
        reasons.append(f"definition {name}: {word}")
    if expected["helpers"] != found["helpers"]:
        reasons.append("the helper theorems of Results differ from the committed list")
    if not reasons and expected != found:
        reasons.append("the document differs from the committed one")
    return reasons


def _changes(
    expected: dict[str, Json], found: dict[str, Json], member: str, key: str
) -> dict[str, str]:
    before, now = _by_name(expected[member], key), _by_name(found[member], key)
    words = {}
    for name in sorted(before.keys() | now.keys()):
        if name not in now:
            words[name] = "missing or renamed"
        elif name not in before:
            words[name] = "not in the committed document"
        elif before[name] != now[name]:
            words[name] = f"changed ({', '.join(_differing(before[name], now[name]))})"
    return words


def _differing(before: dict[str, Json], now: dict[str, Json]) -> list[str]:
    return [member for member in now if before.get(member) != now[member]]


def _by_name(entries: Json, key: str) -> dict[str, dict[str, Json]]:
    assert isinstance(entries, list)
    return {str(entry[key]): entry for entry in entries if isinstance(entry, dict)}
