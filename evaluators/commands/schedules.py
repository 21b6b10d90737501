"""The commands that judge schedules and find the best one: replay and optimum."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast, get_args

from ..artifacts.canonical import Json, to_json
from ..artifacts.files import read_instance, read_schedule, starts_to_json
from ..console import decimal, print_json, print_line, print_pairs, print_table, progress
from ..controls.draft import replay_to_json
from ..images import format_of
from ..memory import convention_named
from ..model import InputError, Instance
from ..optimum import Objective, Optimum
from ..optimum import optimum as exact_optimum
from ..optimum.engines import EngineName
from ..replay import Replay
from ..replay import replay as exact_replay
from .instances import CommitChoice, InstanceChoice
from .pictures import draw_memory

MAX_SHOWN = 20
Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits and engine of the exact search."""

    nodes: int | None
    seconds: float | None
    engine: str


def replay(
    instance_path: Path,
    schedule_path: Path,
    convention: str,
    block: int,
    rounds: list[int],
    plot: Path | None,
    json: bool,
) -> int:
    """Judge a schedule, and draw it if asked; 0 if it is feasible, 1 if not."""
    if plot is not None:
        format_of(plot)
    instance = read_instance(instance_path)
    schedule = read_schedule(schedule_path)
    rule = convention_named(convention, block)
    result = exact_replay(instance, schedule, rule)
    draw_memory(plot, instance, schedule, rule)
    verdict = "VERIFIED" if result.feasible else "REJECTED"
    if json:
        document: dict[str, Json] = {
            "schema": "onlinekv/replay-result/v1",
            "verdict": verdict,
            "convention": rule.name,
            **replay_to_json(result),
            "mean": to_json(result.mean_latency),
            "p95": result.p95_latency,
        }
        if rounds:
            held = [{"round": t, "held": result.occupancy(t)} for t in rounds]
            document["occupancy"] = cast(Json, held)
        print_json(document)
    else:
        _print_replay(result, rule.name, rounds)
        print_line(f"verdict={verdict} violations={len(result.violations)} tel={result.tel}")
    return 0 if result.feasible else 1


def _print_replay(result: Replay, convention: str, rounds: list[int]) -> None:
    rows = [
        ("requests", str(len(result.instance))),
        ("convention", convention),
        ("total end-to-end latency (TEL)", f"{result.tel} rounds"),
        ("total completion time", f"{result.total_completion} rounds"),
        ("makespan", f"{result.makespan} rounds"),
        ("mean / P95 latency", f"{decimal(result.mean_latency)} / {result.p95_latency} rounds"),
        ("peak", f"{result.peak} of {result.instance.memory} units"),
    ]
    rows += [(f"held in round {t}", f"{result.occupancy(t)} units") for t in rounds]
    print_pairs("replay", rows)
    for violation in result.violations[:MAX_SHOWN]:
        print_line(f"REJECTED: {violation.kind}: {violation.message}")
    if len(result.violations) > MAX_SHOWN:
        print_line(f"... and {len(result.violations) - MAX_SHOWN} more (--json lists all)")


def optimum(
    choice: InstanceChoice,
    objective: str,
    convention: str,
    block: int,
    commit: CommitChoice,
    limits: Limits,
    json: bool,
) -> int:
    """Compute the exact optimum, or a proved interval under a limit; 0 in both cases."""
    instance = choice.load()
    with progress("optimum") as report:
        best = exact_optimum(
            instance,
            objective=cast(Objective, _one_of("objective", objective, get_args(Objective))),
            convention=convention_named(convention, block),
            commitment=commit.load(),
            kills=commit.kills,
            node_limit=_positive("node-limit", limits.nodes),
            time_limit=_positive("time-limit", limits.seconds),
            engine=cast(EngineName, _one_of("engine", limits.engine, get_args(EngineName))),
            progress=lambda nodes, lower, upper: report(
                nodes, nodes, f"nodes; optimum in [{lower}, {upper}]"
            ),
        )
    if json:
        print_json(_optimum_to_json(best, convention))
    else:
        _print_optimum(best, instance)
    return 0


def _one_of(field: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise InputError(field, f"must be one of {', '.join(allowed)}, got {value!r}")
    return value


def _positive(field: str, value: Number | None) -> Number | None:
    if value is not None and not value > 0:
        raise InputError(field, f"must be > 0, got {value}")
    return value


def _optimum_to_json(best: Optimum, convention: str) -> dict[str, Json]:
    return {
        "schema": "onlinekv/optimum-result/v1",
        "objective": best.objective,
        "convention": convention,
        "value": best.value,
        "optimal": best.optimal,
        "lower": best.lower,
        "upper": best.upper,
        "starts": starts_to_json(dict(best.starts)),
        "killed": list(best.killed),
        "nodes": best.nodes,
        "root_lower": best.root_lower,
        "established": best.established,
    }


def _print_optimum(best: Optimum, instance: Instance) -> None:
    status = "proved" if best.optimal else f"NOT PROVED, optimum in [{best.lower}, {best.upper}]"
    rows = [
        ("objective", best.objective),
        ("optimum" if best.optimal else "best found", str(best.value)),
        ("optimality", f"{status} ({best.established})"),
        ("lower bound at the root", str(best.root_lower)),
        ("nodes", f"{best.nodes:,}"),
    ]
    if best.killed:
        rows.append(("killed at the commitment", ", ".join(map(str, best.killed))))
    print_pairs("optimum", rows)
    shown = instance.requests[: 3 * MAX_SHOWN]
    rows_ = [
        [*(str(x) for x in (r.id, r.arrival, r.prompt, r.output)), str(best.starts[r.id])]
        for r in shown
    ]
    print_table("an optimal schedule", ("id", "arrival", "prompt", "output", "start"), rows_)
    if len(shown) < len(instance):
        print_line(f"... and {len(instance) - len(shown)} more (--json lists all)")
    starts = ",".join(str(best.starts[request.id]) for request in shown)
    print_line(f"value={best.value} optimal={str(best.optimal).lower()} starts={starts}")
