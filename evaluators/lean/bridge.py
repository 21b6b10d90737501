"""The bridge: small controls of an artifact, judged once more by Lean with its definitions.

The verifier writes Lean files from the JSON alone.  For each stored schedule Lean decides if it is
feasible, its TEL, total completion, makespan and peak; for each tiny optimum that nothing is
cheaper, by enumeration.  Where a schedule names its scheduler, Lean runs its own definition of that
scheduler, the one that its theorems are about, and must come to the same starts or completions.
The same bytes, judged by two implementations that share no code.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
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
MAX_RUN_REQUESTS = 6
MAX_RUN_WORK = 120
MAX_RUN_END = 40
MAX_CHOICES = 150

CONTROLS_PER_FILE = 120

_HEADER = """module

public import OnlineKvCache.Checks.Decide
{imports}
public section

/-! Written by the verifier from an artifact; see evaluators/lean/bridge.py. -/

namespace OnlineKvCache.Bridge
"""
_FOOTER = "\nend OnlineKvCache.Bridge\n"
# The modules that define a scheduler, and what its run must be equal to.
SCHEDULERS = {
    "svf": ("Svf.Eval", "evalSvf {memory} {name} = {starts}"),
    "fair-share": (
        "Checks.FairShare",
        "Checks.fairShareBy {memory} {name} {end} = {reached}",
    ),
    "rect-prompt": (
        "NonClairvoyant.RectEval",
        "evalRect {memory} ({name}.map promptHeavyJob) = {completions}",
    ),
    "rect-large": (
        "NonClairvoyant.RectEval",
        "evalRect {memory} ({name}.map (largeJob {memory})) = {completions}",
    ),
}
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


def write_bridges(controls: Sequence[Control]) -> list[Bridge]:
    """Return the Lean files that judge the small controls, a bounded number in each."""
    small = [control for control in controls if _is_small(control)]
    ends = range(0, max(1, len(small)), CONTROLS_PER_FILE)
    return [write_bridge(small[first : first + CONTROLS_PER_FILE]) for first in ends]


def write_bridge(controls: Sequence[Control]) -> Bridge:
    """Return the Lean file that judges the small controls among `controls` (JSON data)."""
    header = _header(controls)
    parts, lines, line = [header], list[tuple[int, str]](), header.count("\n") + 1
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


def _header(controls: Sequence[Control]) -> str:
    named = {s.get("scheduler") for c in controls for s in c.get("schedules", [])}
    modules = sorted({SCHEDULERS[name][0] for name in named if name})
    imports = "".join(f"public import OnlineKvCache.{module}\n" for module in modules)
    return _HEADER.replace("{imports}", imports)


def _is_small(control: Control) -> bool:
    """Whether Lean is asked about the control at all; a run costs it less than a search."""
    instance = control.get("instance")
    scheduled = bool(_scheduled(control))
    if instance is None or (control.get("measures") and not scheduled):
        return False
    requests = instance["requests"]
    if not 0 < len(requests) <= (MAX_RUN_REQUESTS if scheduled else MAX_REQUESTS):
        return False
    latest = max(r["arrival"] for r in requests)
    work = sum(r["output"] for r in requests)
    return bool(latest + work <= (MAX_RUN_WORK if scheduled else MAX_MAKESPAN))


def _questions(name: str, control: Control) -> Iterator[tuple[str, str]]:
    """Yield (what is asked, Lean text); definitions ask nothing."""
    memory, requests = control["instance"]["memory"], control["instance"]["requests"]
    yield "", f"\n/-- {control['id']} -/\nabbrev {name} : List Request := {_requests(requests)}\n"
    if _scheduled(control):
        for schedule in _scheduled(control):
            asked = f"run of {schedule['scheduler']!r}"
            yield asked, _decided(memory, name, requests, schedule)
        return
    for number, schedule in enumerate(control.get("schedules", [])):
        if "starts" not in schedule or not _is_complete(schedule, requests):
            continue
        label = f"{name}s{number}"
        yield "", f"abbrev {label} : Schedule := {_schedule(schedule['starts'])}\n"
        yield f"schedule {schedule['name']!r}", _judge(memory, name, label, schedule)
    for optimum in control.get("optima", []):
        if _is_enumerable(optimum, requests):
            yield "optimum", _optimum(memory, name, optimum)


def _scheduled(control: Control) -> list[Control]:
    """Return the schedules of which Lean's own recursion must give the same.

    FairShare is defined round by round, so Lean is asked about its short runs only.
    """
    return [
        schedule
        for schedule in control.get("schedules", [])
        if schedule.get("scheduler") in SCHEDULERS
        and (schedule["scheduler"] != "fair-share" or schedule["makespan"] <= MAX_RUN_END)
    ]


def _decided(memory: int, name: str, requests: list[Control], schedule: Control) -> str:
    """Whether Lean's own run of the scheduler is the stored one."""
    starts = {s["id"]: s["start"] for s in schedule.get("starts", [])}
    ends = {a["id"]: a["start"] + a["rounds"] for a in _completed(schedule)}
    completions = [ends.get(r["id"], 0) for r in requests]
    values = {
        "starts": str([starts.get(r["id"], 0) for r in requests]),
        "completions": str(completions),
        "reached": f"[{', '.join(f'some {end}' for end in completions)}]",
        "end": str(max(completions)),
    }
    text = SCHEDULERS[schedule["scheduler"]][1].format(memory=memory, name=name, **values)
    return f"example : {text} := by decide +kernel\n"


def _completed(schedule: Control) -> list[Control]:
    return [attempt for attempt in schedule.get("attempts", []) if attempt["completed"]]


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
    bridges = write_bridges(controls)
    layer.checked += sum(bridge.questions for bridge in bridges)
    accepted_before = package.root / "build" / "lean" / "bridge"
    parts = [*(bridge.source for bridge in bridges), library, toolchain.name]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    if library and accepted_before.is_file() and accepted_before.read_text() == key:
        return
    faults = _ask(toolchain, package, bridges)
    layer.reasons += faults
    if library and not faults:
        write_whole(accepted_before, key.encode())


def _ask(toolchain: Toolchain, package: Package, bridges: Sequence[Bridge]) -> list[str]:
    """Have Lean check the files, side by side."""

    def check(bridge: Bridge) -> list[str]:
        with tempfile.TemporaryDirectory(prefix="onlinekv-bridge.") as folder:
            path = Path(folder, "Bridge.lean")
            path.write_text(bridge.source, encoding="utf-8")
            return bridge_faults(bridge, *toolchain.check_file(package, path))

    with ThreadPoolExecutor(len(bridges)) as threads:
        return [fault for faults in threads.map(check, bridges) for fault in faults]


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
