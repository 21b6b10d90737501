"""Which pictures a claim's page shows: schedules of the controls that refute or support it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ..artifacts.files import attempts_from_json, instance_from_json, starts_from_json
from ..claims.judge import Judged
from ..claims.store import Store
from ..memory import Convention, convention_named
from ..model import AttemptSchedule, Instance, Schedule
from .picture import draw

MAX_PICTURES = 2
MAX_REQUESTS = 6000


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture of the site: its file, what it shows in words, and the data it is drawn from."""

    file: str
    caption: str
    alt: str
    instance: Instance
    schedule: Schedule | AttemptSchedule
    convention: Convention

    def svg(self) -> bytes:
        """Draw it."""
        return draw(self.instance, self.schedule, "svg", convention=self.convention)


def pictures_of(entry: Judged, store: Store) -> list[Shown]:
    """Return at most MAX_PICTURES pictures; claims that are refuted only, their refutation first.

    The first control of each pointer is drawn: the notes list the smallest one first.
    """
    if not entry.claim.refuted:
        return []
    found: list[Shown] = []
    for against in (True, False):
        for item in entry.items:
            if item.kind == "control" and item.against is against:
                for control in store.find(item.pointer)[:1]:
                    found += _schedules(control)
    unique = {shown.file: shown for shown in found}
    return list(unique.values())[:MAX_PICTURES]


def _schedules(control: dict[str, Any]) -> Iterator[Shown]:
    """Yield the control's stored schedules, or its optimum if it stores none."""
    if "instance" not in control or len(control["instance"]["requests"]) > MAX_REQUESTS:
        return
    instance = instance_from_json(control["instance"])
    optima = [o for o in control.get("optima", []) if "starts" in o]
    entries = [*control.get("schedules", []), *({**o, "name": "an optimum"} for o in optima)]
    for entry in entries:
        try:
            rule = convention_named(str(entry["convention"]))
        except ValueError:
            continue
        if "starts" in entry:
            schedule: Schedule | AttemptSchedule = Schedule(starts_from_json(entry["starts"]))
        else:
            schedule = attempts_from_json(entry["attempts"])
        # Drawn by the papers' convention whatever the control tests: that is the truth.
        rule = convention_named("papers") if rule.name == "corrupted" else rule
        yield _shown(control, str(entry["name"]), instance, schedule, rule)


def _shown(
    control: dict[str, Any],
    name: str,
    instance: Instance,
    schedule: Schedule | AttemptSchedule,
    rule: Convention,
) -> Shown:
    key = sha256(f"{control['id']}/{name}".encode()).hexdigest()[:12]
    caption = f"{name}: {control['description']} Control {control['id']}."
    alt = f"Memory over time of {len(instance)} requests, schedule {name}"
    file = f"pictures/{control['family']}-{key}.svg"
    return Shown(file, caption, alt, instance, schedule, rule)


def draw_all(shown: Sequence[Shown], report: Callable[[int, int, str], None]) -> dict[str, bytes]:
    """Draw each picture once, by file."""
    unique = {picture.file: picture for picture in shown}
    made: dict[str, bytes] = {}
    for done, (file, picture) in enumerate(unique.items()):
        report(done, len(unique), file)
        made[file] = picture.svg()
    return made
