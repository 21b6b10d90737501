"""The bridge: small controls of an artifact, judged once more by Lean with its definitions.

The verifier writes one Lean file from the JSON alone.  For each stored schedule Lean decides if
it is feasible, its TEL, total completion, makespan and peak; for each tiny optimum that nothing is
cheaper, by enumeration.  The same bytes, judged by two implementations that share no code.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..artifacts.canonical import write_whole
from ..verdict import Layer
from .messages import parse
from .sources import Package
from .toolchain import Toolchain

MAX_REQUESTS = 5
MAX_MAKESPAN = 60
MAX_CHOICES = 150

_HEADER = """module

public import OnlineKvCache.Checks.Decide

public section

/-! Written by the verifier from an artifact; see evaluators/lean/bridge.py. -/

namespace OnlineKvCache.Bridge
"""
_FOOTER = "\nend OnlineKvCache.Bridge\n"
_RULES = {"papers": "Feasible", "corrupted": "CorruptedFeasible"}

Control = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bridge:
    """The Lean file, and for each line that a fault can name, what it is about."""

    source: str
    questions: int
    controls: int
    lines: tuple[tuple[int, str], ...]

    def about(self, line: int) -> str:
        """Return the control and question that a line of the file belongs to."""
        found = [text for first, text in self.lines if first <= line]
        return found[-1] if found else "the header"


def write_bridge(controls: Sequence[Control]) -> Bridge:
    """Return the Lean file that judges the small controls among `controls` (JSON data)."""
    parts, lines, line = [_HEADER], list[tuple[int, str]](), _HEADER.count("\n") + 1
    used = set()
    for index, control in enumerate(controls):
        if not _is_small(control):
            continue
        for what, text in _questions(f"c{index}", control):
            if what:
                lines.append((line, f"control {control['id']}: {what}"))
                used.add(control["id"])
            parts.append(text)
            line += text.count("\n")
    return Bridge("".join(parts) + _FOOTER, len(lines), len(used), tuple(lines))


def _is_small(control: Control) -> bool:
    instance = control.get("instance")
    if instance is None or not 0 < len(instance["requests"]) <= MAX_REQUESTS:
        return False
    latest = max(r["arrival"] for r in instance["requests"])
    work = sum(r["output"] for r in instance["requests"])
    return bool(latest + work <= MAX_MAKESPAN)


def _questions(name: str, control: Control) -> Iterator[tuple[str, str]]:
    """Yield (what is asked, Lean text); definitions ask nothing."""
    memory, requests = control["instance"]["memory"], control["instance"]["requests"]
    yield "", f"\n/-- {control['id']} -/\nabbrev {name} : List Request := {_requests(requests)}\n"
    for number, schedule in enumerate(control.get("schedules", [])):
        if "starts" not in schedule or not _is_complete(schedule, requests):
            continue
        label = f"{name}s{number}"
        yield "", f"abbrev {label} : Schedule := {_schedule(schedule['starts'])}\n"
        yield f"schedule {schedule['name']!r}", _judge(memory, name, label, schedule)
    for optimum in control.get("optima", []):
        if _is_enumerable(optimum, requests):
            yield "optimum", _optimum(memory, name, optimum)


def _is_complete(schedule: Control, requests: list[Control]) -> bool:
    """Lean's schedules are total: a schedule that misses or invents a request has no form there."""
    return {s["id"] for s in schedule["starts"]} == {r["id"] for r in requests} and all(
        s["start"] <= MAX_MAKESPAN for s in schedule["starts"]
    )


def _is_enumerable(optimum: Control, requests: list[Control]) -> bool:
    plain = optimum["objective"] == "tel" and optimum["convention"] == "papers"
    small = optimum["value"] ** len(requests) <= MAX_CHOICES
    return bool(plain and small and "commitment" not in optimum)


def _requests(requests: list[Control]) -> str:
    rows = (f"⟨{r['id']}, {r['arrival']}, {r['prompt']}, {r['output']}⟩" for r in requests)
    return f"[{', '.join(rows)}]"


def _schedule(starts: list[Control]) -> str:
    cases = "".join(f"if i = {s['id']} then {s['start']} else " for s in starts)
    return f"fun i => {cases}0"


def _judge(memory: int, name: str, label: str, schedule: Control) -> str:
    """Whether it is feasible, and its costs; a request before its arrival has no latency in Nat."""
    rule = f"{_RULES[schedule['convention']]} {memory} {name} {label}"
    facts = [rule if schedule["feasible"] else f"¬ {rule}"]
    kinds = {violation["kind"] for violation in schedule["violations"]}
    if "before-arrival" not in kinds:
        facts.append(f"TEL {name} {label} = {schedule['tel']}")
    facts.append(f"totalCompletion {name} {label} = {schedule['total_completion']}")
    facts.append(f"makespan {name} {label} = {schedule['makespan']}")
    if schedule["convention"] == "papers":
        facts.append(f"peakOccupancy {name} {label} = {schedule['peak']}")
    conjunction = " ∧\n    ".join(facts)
    return f"example : {conjunction} := by decide +kernel\n"


def _optimum(memory: int, name: str, optimum: Control) -> str:
    schedule, value = _schedule(optimum["starts"]), optimum["value"]
    return (
        f"example : IsOPT {memory} {name} {value} :=\n"
        f"  isOPT_of_search ({schedule}) (by decide +kernel) (by decide +kernel)\n"
        "    (by decide +kernel) (by decide +kernel)\n"
    )


def judge_controls(
    toolchain: Toolchain,
    package: Package,
    controls: Sequence[Control],
    layer: Layer,
    library: str = "",
) -> None:
    """Have Lean judge the small controls; each question counts, each fault names its control.

    A file that Lean has accepted is not asked about again while it and the library, whose content
    is named by the hash `library`, stay the same.
    """
    bridge = write_bridge(controls)
    layer.checked += bridge.questions
    accepted_before = package.root / "build" / "lean" / "bridge"
    parts = [bridge.source, library, toolchain.name]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    if library and accepted_before.is_file() and accepted_before.read_text() == key:
        return
    with tempfile.TemporaryDirectory(prefix="onlinekv-bridge.") as folder:
        path = Path(folder, "Bridge.lean")
        path.write_text(bridge.source, encoding="utf-8")
        accepted, output = toolchain.check_file(package, path)
    faults = bridge_faults(bridge, accepted, output)
    layer.reasons += faults
    if library and not faults:
        write_whole(accepted_before, key.encode())


def bridge_faults(bridge: Bridge, accepted: bool, output: str) -> list[str]:
    """Return one line per control and question that Lean refuses; one in any case if it fails."""
    found: dict[str, str] = {}
    for message in parse(output):
        if message.severity in ("error", "warning"):
            words = message.text.splitlines()[-1].strip()[:160]
            found.setdefault(bridge.about(message.line), words)
    reasons = [f"{about}: Lean says otherwise ({words})" for about, words in found.items()]
    if not accepted and not reasons:
        lines = output.strip().splitlines() or ["no message"]
        reasons = [f"the bridge file was refused: {lines[-1][:200]}"]
    return reasons
