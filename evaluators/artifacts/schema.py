"""JSON Schema 2020-12 for every file that we read or write, and one-line errors from it."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from ..model import InputError
from .canonical import Json

PREFIX = "onlinekv/"


def schema_names() -> list[str]:
    """Return the names of all schemas, such as `onlinekv/instance/v1`, sorted."""
    return sorted(
        PREFIX + entry.name.removesuffix(".json").replace(".", "/")
        for entry in files(__package__).joinpath("schemas").iterdir()
        if entry.name.endswith(".json")
    )


@cache
def validator(name: str) -> Draft202012Validator:
    """Return the validator of a schema by its name; raises KeyError for an unknown one."""
    if name not in schema_names():
        raise KeyError(name)
    filename = name.removeprefix(PREFIX).replace("/", ".") + ".json"
    text = files(__package__).joinpath("schemas", filename).read_text(encoding="utf-8")
    return Draft202012Validator(json.loads(text))


def field_path(error: ValidationError) -> str:
    """Return the place of an error as a field, such as `requests[2].output`."""
    path = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path
    )
    return path.lstrip(".") or "document"


def check(document: dict[str, Json], name: str) -> None:
    """Raise InputError for the first field (in document order) that breaks the named schema."""
    found = document.get("schema")
    if found != name:
        raise InputError("schema", f"must be {name!r}, got {found!r}")
    error = next(iter(validator(name).iter_errors(document)), None)
    if error is not None:
        described = error.schema.get("description") if isinstance(error.schema, dict) else None
        message = error.message if len(error.message) < 160 else error.message[:157] + "..."
        rule = f"{message} ({described})" if described else message
        raise InputError(field_path(error), rule)
