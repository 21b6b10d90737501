"""Symbol and name: what the papers write, what Lean calls it, and what Python calls it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..lean.sources import Package
from ..model import InputError
from .store import code_fault


@dataclass(frozen=True, slots=True)
class Name:
    """One row: symbols, meaning, a Lean declaration (or field), and `module:attribute.attribute`.

    Either name may be empty where one side has no such thing.
    """

    symbol: str
    meaning: str
    lean: str
    python: str


NAMES = (
    Name("(a, s, o), (s_i, o_i)", "request: arrival, prompt, output", "Request", "model:Request"),
    Name("s + o, p", "peak of a request", "Request.peak", "model:Request.peak"),
    Name("M", "memory", "", "model:Instance"),
    Name("I, J", "valid instance", "Valid", "model:Instance.of"),
    Name("a = 0 for all", "burst", "Burst", "model:Instance.is_burst"),
    Name("b, k, x_i", "start (k and x_i in papers 2 and 3)", "start", "model:Schedule"),
    Name("s + (t−b) + 1", "units held in round t", "memory", "memory:Convention.size"),
    Name("Σ memory", "units held by all in round t", "occupancy", "replay:Replay.occupancy"),
    Name("≤ M in every round", "feasible", "Feasible", "replay:Replay.feasible"),
    Name("C = b + o", "completion", "completion", "replay:Replay"),
    Name("C − a, F", "latency, flow", "latency", "replay:Replay.latencies"),
    Name("TEL, Σ(C−a)", "total end-to-end latency", "TEL", "replay:Replay.tel"),
    Name("ΣC", "total completion", "totalCompletion", "replay:Replay.total_completion"),
    Name("max C", "makespan", "makespan", "replay:Replay.makespan"),
    Name("OPT", "least TEL of a feasible schedule", "IsOPT", "optimum.solve:optimum"),
    Name("2·vol, 2A", "twice the memory-time area", "twiceVolume", "model:Request.volume2"),
    Name("vol, A", "memory-time area", "", "model:Request.volume"),
    Name("A, ALG", "deterministic scheduler", "Scheduler", "policies.online:play"),
    Name("known up to t", "what is revealed", "Revealed", ""),
    Name("online", "depends on what is revealed only", "Causal", "policies.online:play"),
    Name("A serves I", "starts everything, feasibly", "Serves", "policies.online:play"),
    Name("R(n,M) ≥ p/q", "lower bound on the ratio", "RatioAtLeast", ""),
    Name("R(n,M) ≤ p/q", "upper bound on the ratio", "RatioAtMost", "ratios:ProvedRatio"),
    Name("P, D = M−P+1", "largest peak, headroom", "", "ratios:headroom"),
    Name("attempt", "one run, perhaps killed", "Attempt", "model:Attempt"),
    Name("kills", "schedule of attempts", "AttemptsFeasible", "model:AttemptSchedule"),
    Name("s + (t−b)", "corrupted progress", "corruptedMemory", "memory:CORRUPTED"),
    Name("main + filler", "half delay", "halfDelay", "policies.main_filler:MainFillerRule"),
    Name("E", "the longest goes first", "longestFirst", "policies.algorithm_e:algorithm_e"),
    Name("SVF", "smallest volume first", "", "policies.smallest_volume:SVF"),
    Name("1-bit SVF", "smallest proxy volume first", "", "policies.one_bit:ONE_BIT_SVF"),
    Name("FS", "fair share", "", "policies.nonclairvoyant.fair_share:FairShare"),
    Name("LD", "length doubling", "", "policies.nonclairvoyant.length_doubling:LengthDoubling"),
    Name("Route", "routing by regimes", "", "policies.nonclairvoyant.route:Route"),
    Name("Rect", "rectangle strip", "", "policies.nonclairvoyant.rect:Rect"),
    Name("SPS, Response", "staggered slices", "", "policies.nonclairvoyant.response:Response"),
    Name("PACK", "any-fit packing", "", "policies.nonclairvoyant.packing:AnyFit"),
)


def name_faults(root: Path) -> list[str]:
    """Return the names that do not exist: a Lean declaration that no source declares, and so on."""
    try:
        package = Package(root)
        sources = "\n".join(package.texts.values())
    except InputError as error:
        return [str(error)]
    return [fault for row in NAMES for fault in _faults(row, sources)]


def _faults(row: Name, sources: str) -> Iterator[str]:
    word = r"(?m)^(?:public |noncomputable )*(?:def|abbrev|structure|inductive|theorem) +"
    if row.lean and not re.search(word + re.escape(row.lean) + r"(?![\w.])", sources):
        yield f"docs/NAMES.md: Lean declares no {row.lean}"
    if row.python and code_fault(row.python):
        yield f"docs/NAMES.md: Python has no evaluators.{row.python}"


def names_document() -> str:
    """Return docs/NAMES.md."""
    head = (
        "# Symbols and names\n\n"
        "What the papers write, what it is called in Lean (namespace `OnlineKvCache`) and in\n"
        "Python (package `evaluators`). Written by `python -m evaluators audit --write`; the\n"
        "audit checks that every name exists.\n\n"
        "| papers | meaning | Lean | Python |\n|---|---|---|---|\n"
    )
    rows = [
        f"| {r.symbol} | {r.meaning} | {_code(r.lean)} | {_code(r.python.replace(':', '.'))} |\n"
        for r in NAMES
    ]
    return head + "".join(rows)


def _code(text: str) -> str:
    return f"`{text}`" if text else ""
