"""Canonical JSON: RFC 8785 on the profile of DESIGN.md section 3, and a reader that is strict.

The profile: UTF-8, ASCII keys, no floats, no null; integers beyond +-(2^53 - 1) as decimal
strings; rationals as "p/q" in lowest terms with q > 0; one trailing line feed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

import rfc8785

from ..model import InputError

Json: TypeAlias = "bool | int | str | list[Json] | dict[str, Json]"

SAFE_INTEGER = 2**53 - 1
MAX_DIGITS = 4000
_DECIMAL = re.compile(r"-?[1-9][0-9]{15,}")
_RATIONAL = re.compile(r"(-?(?:0|[1-9][0-9]*))/([1-9][0-9]*)")


def to_json(value: object, field: str = "") -> Json:
    """Return `value` as plain JSON data: fractions become "p/q"; raises InputError on floats, null.

    Integers stay integers of any size here; `dumps` writes the large ones as decimal strings.
    """
    if isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str) or not key.isascii():
                raise InputError(field or "object", f"keys must be ASCII strings, got {key!r}")
        return {key: to_json(item, f"{field}.{key}".lstrip(".")) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [to_json(item, f"{field}[{index}]") for index, item in enumerate(value)]
    raise InputError(field or "value", f"not allowed in canonical JSON: {type(value).__name__}")


def _with_decimal_strings(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _with_decimal_strings(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_with_decimal_strings(item) for item in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > SAFE_INTEGER:
        return str(value)
    return value


def dumps(value: object) -> bytes:
    """Return the canonical bytes of `value`, with one trailing line feed."""
    return rfc8785.dumps(_with_decimal_strings(to_json(value))) + b"\n"


def digest(document: Mapping[str, Json]) -> str:
    """SHA-256 (hex) over the canonical bytes of `document` without its member `digest`."""
    rest = {key: value for key, value in document.items() if key != "digest"}
    return hashlib.sha256(dumps(rest)).hexdigest()


def parse_fraction(text: object, field: str) -> Fraction:
    """Return the rational written "p/q"; raises InputError unless it is in lowest terms, q > 0."""
    match = _RATIONAL.fullmatch(text) if isinstance(text, str) else None
    if match:
        value = Fraction(int(match[1]), int(match[2]))
        if f"{value.numerator}/{value.denominator}" == text:
            return value
    raise InputError(field, f"must be a rational 'p/q' in lowest terms with q > 0, got {text!r}")


@dataclass(frozen=True, slots=True)
class _Fault:
    """Stands in the parsed data for what the profile has no place for."""

    rule: str


class _Reader:
    """Hooks for json.loads that mark what the profile refuses; `_cleaned` then names the field."""

    def pairs(self, pairs: list[tuple[str, Json]]) -> dict[str, Json | _Fault]:
        result: dict[str, Json | _Fault] = {}
        for key, value in pairs:
            if key in result:
                result[key] = _Fault("this key occurs twice in one object")
            else:
                result[key] = value
        return result

    def integer(self, text: str) -> int | _Fault:
        if len(text) <= 17 and abs(int(text)) <= SAFE_INTEGER:
            return int(text)
        shown = text if len(text) <= 24 else f"{text[:12]}... ({len(text)} digits)"
        return _Fault(f"integers beyond 2^53 - 1 are written as decimal strings, got {shown}")

    def no_float(self, text: str) -> _Fault:
        return _Fault(f"floats are not allowed, integers are asked: got {text}")


def _cleaned(value: Json | _Fault | None) -> Json:
    """Turn decimal strings beyond 2^53 - 1 into integers; raise InputError for the first fault.

    The field of the error grows while the recursion unwinds.
    """
    part: int | str = ""
    try:
        if isinstance(value, dict):
            result: dict[str, Json] = {}
            for part, item in value.items():
                result[part] = _cleaned(item)
            return result
        if isinstance(value, list):
            items: list[Json] = []
            for part, item in enumerate(value):  # noqa: B007 - read by the handler below
                items.append(_cleaned(item))
            return items
    except InputError as error:
        name = f"[{part}]" if isinstance(part, int) else str(part)
        dot = "." if error.field and not error.field.startswith("[") else ""
        raise InputError(f"{name}{dot}{error.field}", error.rule) from None
    if value is None:
        raise InputError("", "null is not allowed")
    if isinstance(value, _Fault):
        raise InputError("", value.rule)
    return _integer_if_large(value) if isinstance(value, str) else value


def _integer_if_large(text: str) -> int | str:
    if not _DECIMAL.fullmatch(text):
        return text
    if len(text) > MAX_DIGITS:
        raise InputError("", f"integers have at most {MAX_DIGITS} digits, got {len(text)}")
    return int(text) if abs(int(text)) > SAFE_INTEGER else text


def loads(data: bytes) -> Json:
    """Parse JSON of the profile, in any layout; raises InputError with one clear line."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start}", "the file must be UTF-8") from None
    reader = _Reader()
    try:
        value = json.loads(
            text,
            object_pairs_hook=reader.pairs,
            parse_int=reader.integer,
            parse_float=reader.no_float,
            parse_constant=reader.no_float,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise InputError(where, f"not valid JSON: {error.msg.lower()}") from None
    except RecursionError:
        raise InputError("document", "nested too deeply") from None
    try:
        return _cleaned(value)
    except InputError as error:
        raise InputError(error.field or "document", error.rule) from None


def read_bytes(path: Path) -> bytes:
    """Return the file's bytes; raises InputError if it is missing or cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "cannot be read").lower()
        raise InputError("file", reason, str(path)) from None


def read_object(path: Path) -> dict[str, Json]:
    """Parse a file that must hold one JSON object of the profile; InputError names the file."""
    try:
        value = loads(read_bytes(path))
    except InputError as error:
        raise error.at(str(path)) from None
    if not isinstance(value, dict):
        raise InputError("document", "must be a JSON object", str(path))
    return value


def why_not_canonical(data: bytes, document: Json) -> str | None:
    """Return None if `data` is exactly the canonical form of `document`, else the reason."""
    canonical = dumps(document)
    if data == canonical:
        return None
    if data.replace(b"\r\n", b"\n") == canonical:
        return "bytes are not canonical: only line endings differ (CRLF instead of LF)"
    if data.strip() == canonical.strip():
        return "bytes are not canonical: only white space at the ends differs"
    return "bytes are not canonical (RFC 8785 on the profile of the documentation)"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all: into a temporary file beside it, then rename.

    Raises InputError naming the file when the folder cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError(
            "file", (error.strerror or "cannot be written").lower(), str(path)
        ) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
