"""Readers and writers of instance and schedule files; every fault names file, field and rule."""

from __future__ import annotations

from pathlib import Path
from typing import cast

from ..model import (
    Attempt,
    AttemptSchedule,
    InputError,
    Instance,
    Request,
    Schedule,
    reject_duplicates,
    require_int,
)
from .canonical import Json, read_object
from .schema import check

INSTANCE_SCHEMA = "onlinekv/instance/v1"
SCHEDULE_SCHEMA = "onlinekv/schedule/v1"

_Entries = list[dict[str, int]]


def read_instance(path: Path) -> Instance:
    """Read an instance file; raises InputError (file, field, rule), also when s + o > M."""
    try:
        document = read_object(path)
        check(document, INSTANCE_SCHEMA)
        return instance_from_json(document)
    except InputError as error:
        raise error.at(str(path)) from None


def instance_from_json(document: dict[str, Json]) -> Instance:
    """Build the instance of a document with members `memory` and `requests`."""
    entries = cast(_Entries, document["requests"])
    requests = [Request(e["id"], e["arrival"], e["prompt"], e["output"]) for e in entries]
    return Instance.of(cast(int, document["memory"]), requests)


def instance_to_json(instance: Instance) -> dict[str, Json]:
    """Return members `memory` and `requests`, the requests sorted by (arrival, id)."""
    return {
        "memory": instance.memory,
        "requests": [
            {"id": r.id, "arrival": r.arrival, "prompt": r.prompt, "output": r.output}
            for r in instance.requests
        ],
    }


def read_schedule(path: Path) -> Schedule | AttemptSchedule:
    """Read a schedule file: starts, or attempts with kills; raises InputError.

    Requests that are missing or invented are for the replay to judge, not malformed here.
    """
    try:
        document = read_object(path)
        check(document, SCHEDULE_SCHEMA)
        if "starts" in document:
            return Schedule(starts_from_json(document["starts"]))
        return attempts_from_json(document["attempts"])
    except InputError as error:
        raise error.at(str(path)) from None


def starts_from_json(value: Json) -> dict[int, int]:
    """Return id -> start; raises InputError for a repeated id or a start that is no integer."""
    entries = cast(_Entries, value)
    for index, entry in enumerate(entries):
        require_int(entry["id"], f"starts[{index}].id", 0)
        require_int(entry["start"], f"starts[{index}].start", 0)
    reject_duplicates("starts", [entry["id"] for entry in entries])
    return {entry["id"]: entry["start"] for entry in entries}


def starts_to_json(starts: dict[int, int]) -> Json:
    """Return [{id, start}], sorted by id."""
    return [{"id": identifier, "start": starts[identifier]} for identifier in sorted(starts)]


def attempts_from_json(value: Json) -> AttemptSchedule:
    """Return the attempts in the order of the file; raises InputError."""
    entries = cast(_Entries, value)
    for index, entry in enumerate(entries):
        require_int(entry["id"], f"attempts[{index}].id", 0)
        require_int(entry["start"], f"attempts[{index}].start", 0)
        require_int(entry["rounds"], f"attempts[{index}].rounds", 1)
    return AttemptSchedule(
        tuple(Attempt(e["id"], e["start"], e["rounds"], bool(e["completed"])) for e in entries)
    )


def attempts_to_json(schedule: AttemptSchedule) -> Json:
    """Return [{id, start, rounds, completed}], in order of (start, id)."""
    return [
        {"id": x.request, "start": x.start, "rounds": x.rounds, "completed": x.completed}
        for x in sorted(schedule.attempts, key=lambda x: (x.start, x.request))
    ]
