"""Re-derive an artifact: form, schema, digest, every control rebuilt, negative controls refused.

A matching hash is necessary, never sufficient: each control is derived again from its parameters
and compared leaf by leaf, also when the digest already differs, so that the verdict can name the
control that was changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain, islice
from pathlib import Path
from typing import cast

from ..artifacts.canonical import Json, digest, loads, parse_fraction, read_bytes, why_not_canonical
from ..artifacts.schema import check
from ..model import InputError
from ..verdict import Layer
from .draft import RELATIONS, Draft
from .optimal import with_accepted_schedules
from .registry import CONTROLS_SCHEMA, Artifact, artifact_for

Progress = Callable[[int, int, str], None]

MAX_REASONS = 3

# A digit changed to a leading zero is no JSON any more, but it is plainly a changed artifact.
_LEADING_ZERO = re.compile(rb"(?<=[:,\[])(-?)0+(?=[0-9])")


def differences(expected: Json, found: Json, path: str = "") -> Iterator[str]:
    """Yield `path: must be X, got Y` for every leaf that differs, in document order.

    Types count: true is not 1.
    """
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in sorted(expected.keys() | found.keys()):
            name = f"{path}.{key}".lstrip(".")
            if key not in found:
                yield f"{name}: is missing"
            elif key not in expected:
                yield f"{name}: is not expected"
            else:
                yield from differences(expected[key], found[key], name)
    elif isinstance(expected, list) and isinstance(found, list):
        if len(expected) != len(found):
            yield f"{path}: must have {len(expected)} elements, got {len(found)}"
        for index, (left, right) in enumerate(zip(expected, found, strict=False)):
            yield from differences(left, right, f"{path}[{index}]")
    elif type(expected) is not type(found) or expected != found:
        yield f"{path}: must be {_shown(expected)}, got {_shown(found)}"


def _shown(value: Json) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def read_artifact(path: Path) -> tuple[dict[str, Json], list[str]]:
    """Read an artifact and the faults of its form; raises InputError if it cannot be judged."""
    data = read_bytes(path)
    try:
        document, why = _parse(data)
    except InputError as error:
        raise error.at(str(path)) from None
    if not isinstance(document, dict):
        raise InputError("document", "must be a JSON object", str(path))
    return document, [f"file: {why}"] if why else []


def _parse(data: bytes) -> tuple[Json, str | None]:
    try:
        document = loads(data)
    except InputError:
        repaired = _LEADING_ZERO.sub(rb"\1", data)
        if repaired == data:
            raise
        return loads(repaired), "bytes are not canonical: a number has a leading zero"
    return document, why_not_canonical(data, document)


def verify_artifact(
    path: Path, progress: Progress | None = None, claim: str | None = None
) -> list[Layer]:
    """Verify one artifact file and return a layer each for form, digest, controls, negatives.

    With `claim` it must be that claim's artifact, whatever the file says of itself.

    Raises InputError if the file is missing, is not JSON of the profile, or names no artifact.
    """
    document, faults = read_artifact(path)
    target = _short(path)
    form, hashed = Layer("form", target), Layer("digest", target)
    with form.timed():
        form.expect(not faults, "; ".join(faults))
        try:
            check(document, CONTROLS_SCHEMA)
            form.expect(True, "")
        except InputError as error:
            form.expect(False, str(error))
    artifact = artifact_for(document, path, claim)
    with hashed.timed():
        right, found = digest(document), document.get("digest")
        hashed.expect(found == right, f"digest: must be {right}, got {found}")
    rebuilt, negatives = Layer("controls", target), Layer("negative controls", target)
    with rebuilt.timed():
        _check_header(rebuilt, artifact, document)
        drafts = _check_controls(rebuilt, artifact, document, progress)
    with negatives.timed():
        for draft in drafts:
            if draft.kind == "negative":
                negatives.expect(not draft.faults, f"control {draft.identifier}: {draft.faults}")
    return [form, hashed, rebuilt, negatives]


def _short(path: Path) -> str:
    """Return the path relative to the working folder where that is shorter."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)


def _check_header(layer: Layer, artifact: Artifact, document: dict[str, Json]) -> None:
    expected = artifact.header()
    found = {key: value for key, value in document.items() if key not in ("controls", "digest")}
    for difference in differences(cast(Json, expected), found):
        layer.expect(False, difference)
    layer.expect(True, "")


def _check_controls(
    layer: Layer, artifact: Artifact, document: dict[str, Json], progress: Progress | None
) -> list[Draft]:
    """Rebuild every control that the claim needs; compare each with the stored one."""
    stored = _stored_controls(document)
    jobs = artifact.jobs()
    drafts = []
    for done, (family, parameters) in enumerate(jobs):
        identifier = family.identifier(parameters)
        if progress:
            progress(done, len(jobs), identifier)
        draft = family.derive(parameters)
        drafts.append(draft)
        reason = _control_fault(draft, stored.pop(identifier, None))
        layer.expect(not reason, f"control {identifier}: {reason}")
    for identifier in stored:
        layer.expect(False, f"control {identifier}: is not one of the claim's controls")
    order = [family.identifier(parameters) for family, parameters in jobs]
    found = [c.get("id") for c in _control_list(document)]
    if not layer.reasons and found != order:
        layer.expect(False, "controls: must stand in the order of the generator, once each")
    return drafts


def _control_list(document: dict[str, Json]) -> list[dict[str, Json]]:
    controls = document.get("controls")
    return [c for c in controls if isinstance(c, dict)] if isinstance(controls, list) else []


def _stored_controls(document: dict[str, Json]) -> dict[str, dict[str, Json]]:
    return {str(control.get("id")): control for control in _control_list(document)}


def _control_fault(draft: Draft, stored: dict[str, Json] | None) -> str:
    if stored is None:
        return "is missing"
    derived = with_accepted_schedules(draft.document(), stored)
    found = chain(draft.faults, differences(derived, stored), false_assertions(stored))
    shown = list(islice(found, MAX_REASONS))
    return "; ".join(shown) + ("; ..." if next(found, None) else "")


def false_assertions(control: dict[str, Json]) -> Iterator[str]:
    """Evaluate the stored comparisons once more, from the file alone."""
    for member, expected in (("assertions", True), ("refuted", False)):
        entries = control.get(member, [])
        for index, entry in enumerate(entries if isinstance(entries, list) else []):
            if not isinstance(entry, dict) or entry.get("relation") not in RELATIONS:
                yield f"{member}[{index}]: is malformed"
                continue
            relation = RELATIONS[str(entry["relation"])]
            if relation(_number(entry.get("left")), _number(entry.get("right"))) is not expected:
                yield f"{member}[{index}]: {entry.get('claim')}: evaluates the wrong way"


def _number(value: Json | None) -> Fraction:
    """Read a stored number; anything else counts as 0 (the comparison of leaves reports it)."""
    if isinstance(value, int):
        return Fraction(value)
    try:
        # Integers beyond 2^53 - 1 are stored as decimal strings.
        return parse_fraction(value, "number") if "/" in str(value) else Fraction(int(str(value)))
    except (InputError, ValueError):
        return Fraction(0)
