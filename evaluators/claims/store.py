"""The evidence that there is: statements of theorems, controls of artifacts, closed forms."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import Any, cast

from ..artifacts.canonical import digest, loads, read_bytes
from ..closed_forms.framework import ClosedForm
from ..closed_forms.registry import REGISTRY
from ..controls.registry import ARTIFACTS, Artifact
from ..controls.verify import false_assertions
from ..lean.audit import ALLOWED_AXIOMS
from ..lean.statements import STATEMENTS_PATH, read_statements
from ..model import InputError

Control = dict[str, Any]
OUTPUT = "output/"


@dataclass(slots=True)
class Store:
    """What pointers can point at, read once from a repository; `faults`: what cannot be read."""

    root: Path
    theorems: dict[str, dict[str, Any]] = field(default_factory=dict)
    controls: dict[str, dict[str, Control]] = field(default_factory=dict)
    forms: dict[str, ClosedForm] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def find(self, pointer: str) -> list[Control]:
        """Return the controls of `artifact#id` or `artifact#family`; empty if there are none."""
        name, _, wanted = pointer.partition("#")
        found = self.controls.get(name, {})
        if wanted in found:
            return [found[wanted]]
        return [control for control in found.values() if control.get("family") == wanted]


def read_store(root: Path, forms: Sequence[ClosedForm] = REGISTRY) -> Store:
    """Read statements and artifacts; a file that is missing or broken is a fault of the store."""
    store = Store(root, forms={form.id: form for form in forms})
    try:
        document = read_statements(root / STATEMENTS_PATH)
        entries = cast(list[dict[str, Any]], document["theorems"])
        store.theorems = {str(entry["theorem"]): entry for entry in entries}
    except InputError as error:
        store.faults.append(_inside(root, error))
    for artifact in ARTIFACTS:
        try:
            store.controls[artifact_name(artifact)] = _controls(root / artifact.path)
        except InputError as error:
            store.faults.append(_inside(root, error))
    return store


def _inside(root: Path, error: InputError) -> str:
    """Return the message with paths relative to the root: the same on every machine."""
    return str(error).replace(f"{root}/", "")


def artifact_name(artifact: Artifact) -> str:
    """Return the artifact's name in pointers: its path without output/ and .json."""
    return artifact.path.removeprefix(OUTPUT).removesuffix(".json")


def artifact_path(pointer: str) -> str:
    """Return the path of the artifact that a pointer names."""
    return f"{OUTPUT}{pointer.partition('#')[0]}.json"


def _controls(path: Path) -> dict[str, Control]:
    try:
        return _parsed(read_bytes(path))
    except InputError as error:
        raise error.at(str(path)) from None


@lru_cache(maxsize=8)
def _parsed(data: bytes) -> dict[str, Control]:
    """Parse an artifact once per process, by its bytes; nobody changes what is returned."""
    document = loads(data)
    if not isinstance(document, dict):
        raise InputError("document", "must be a JSON object")
    if document.get("digest") != digest(document):
        raise InputError("digest", "differs from the document's")
    return {str(c["id"]): c for c in cast(list[Control], document["controls"])}


def theorem_fault(store: Store, name: str, pins: dict[str, str]) -> str:
    """Say why a theorem is no evidence: unknown, another statement than reviewed, an axiom."""
    entry = store.theorems.get(name)
    if entry is None:
        return f"theorem {name} is not in {STATEMENTS_PATH}"
    if pins.get(name) != entry["hash"]:
        word = "changed since it was reviewed" if name in pins else "not reviewed"
        return f"theorem {name}: its statement is {word} (claims --pin records it)"
    bad = sorted(set(entry["axioms"]) - ALLOWED_AXIOMS)
    return f"theorem {name} rests on {', '.join(bad)}" if bad else ""


def control_fault(control: Control, negative: bool) -> str:
    """Say why a stored control is no evidence, from its own numbers alone.

    As evidence against a claim it must refuse something: a false statement or a schedule.
    """
    name = f"control {control['id']}"
    for fault in false_assertions(control):
        return f"{name}: {fault}"
    refuses = control.get("refuted") or any("must_fail" in s for s in control.get("schedules", []))
    if negative and not (control.get("kind") == "negative" and refuses):
        return f"{name} refutes nothing"
    return ""


def form_fault(store: Store, name: str, negative: bool) -> str:
    """Say why a closed form is no evidence, without deciding it again."""
    form = store.forms.get(name)
    if form is None:
        return f"closed form {name} is not in the registry"
    return (
        f"closed form {name} holds no misprint to refute" if negative and not form.printed else ""
    )


def code_fault(pointer: str) -> str:
    """Say why `module:name` (module below `evaluators`, name perhaps dotted) names nothing."""
    module, _, name = pointer.partition(":")
    try:
        found = importlib.import_module(f"evaluators.{module}")
    except ImportError:
        return f"code {pointer}: no module evaluators.{module}"
    try:
        attrgetter(name)(found)
    except AttributeError:
        return f"code {pointer}: no {name} in evaluators.{module}"
    return ""
