"""The commands that judge or make schedules: replay, optimum, run, policies."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TypeVar, cast, get_args

from ..artifacts.canonical import Json, dumps, to_json, write_whole
from ..artifacts.files import SCHEDULE_SCHEMA, read_instance, read_schedule, starts_to_json
from ..bounds import best_lower_bound
from ..console import decimal, print_json, print_line, print_pairs, print_table, progress
from ..controls.draft import replay_to_json
from ..memory import convention_named
from ..model import InputError, Instance, Schedule, require_int
from ..optimum import Commitment, Objective, Optimum
from ..optimum import optimum as exact_optimum
from ..optimum.engines import EngineName
from ..policies.online import play
from ..policies.registry import POLICIES, Policy, policy_named
from ..replay import Replay
from ..replay import replay as exact_replay
from ..traces import read_trace

MAX_SHOWN = 20
Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class InstanceChoice:
    """An instance file, or --memory with --request arrival,prompt,output given inline."""

    path: Path | None
    memory: int | None
    requests: list[str]

    def load(self) -> Instance:
        """Return the instance; raises InputError if neither or both forms are given."""
        if self.path is not None and self.requests:
            raise InputError("request", "give an instance file or --request, not both")
        if self.path is not None:
            instance = read_instance(self.path)
            return _at_memory(instance, self.memory, str(self.path))
        if not self.requests or self.memory is None:
            raise InputError("instance", "give a file, or --memory and at least one --request")
        return Instance.from_triples(self.memory, [_triple(text) for text in self.requests])


def _at_memory(instance: Instance, memory: int | None, source: str) -> Instance:
    if memory is None:
        return instance
    try:
        return Instance.of(memory, instance.requests)
    except InputError as error:
        raise error.at(source) from None


def _triple(text: str) -> tuple[int, int, int]:
    parts = [_plain_integer(part, "request") for part in text.split(",")]
    if len(parts) != 3:
        raise InputError("request", f"must be arrival,prompt,output, got {text!r}")
    return parts[0], parts[1], parts[2]


def _plain_integer(text: str, field: str) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 4000:
        raise InputError(field, f"must be an integer >= 0 of digits only, got {text[:24]!r}")
    return int(digits)


@dataclass(frozen=True, slots=True)
class CommitChoice:
    """--commit id=round with --now and --kills."""

    starts: list[str]
    now: int | None
    kills: bool

    def load(self) -> Commitment | None:
        """Return the commitment, None without one; raises InputError if it is incomplete."""
        if self.now is None:
            if self.starts or self.kills:
                raise InputError("now", "--commit and --kills need --now")
            return None
        pairs = []
        for text in self.starts:
            identifier, equals, start = text.partition("=")
            if not equals:
                raise InputError("commit", f"must be id=round, got {text!r}")
            pairs.append((_plain_integer(identifier, "commit"), _plain_integer(start, "commit")))
        if len(dict(pairs)) != len(pairs):
            raise InputError("commit", "each request is committed at most once")
        return Commitment(require_int(self.now, "now", 0), dict(pairs))


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
    json: bool,
) -> int:
    """Judge a schedule; 0 if it is feasible, 1 if not."""
    instance = read_instance(instance_path)
    schedule = read_schedule(schedule_path)
    rule = convention_named(convention, block)
    result = exact_replay(instance, schedule, rule)
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


def policies() -> int:
    """List the policies."""
    rows = []
    for policy in POLICIES.values():
        ratio = policy.ratio
        constant = f" + {ratio.constant}" if ratio.constant else ""
        rows.append([policy.name, policy.summary, policy.paper, f"{ratio.slope} n{constant}"])
    print_table("policies", ("name", "what it does", "paper", "TEL / OPT <="), rows)
    return 0


@dataclass(frozen=True, slots=True)
class _Load:
    """What `run` schedules: the instance, and how it came from a file."""

    instance: Instance
    dropped: int
    round_ms: int | None


def _load(path: Path, memory: int | None, round_ms: int, drop: bool) -> _Load:
    if path.suffix.lower() != ".csv":
        if drop:
            raise InputError("drop-infeasible", "applies to traces (.csv) only", str(path))
        return _Load(_at_memory(read_instance(path), memory, str(path)), 0, None)
    trace = read_trace(path, round_ms)
    if memory is None:
        raise InputError("memory", "--memory is required for a trace", str(path))
    try:
        instance, dropped = trace.instance(memory, drop)
    except InputError as error:
        hint = "; --drop-infeasible drops them" if "too large" in error.rule else ""
        raise InputError(error.field, error.rule + hint, str(path)) from None
    return _Load(instance, dropped, trace.round_ms)


def run(
    source: Path,
    policy_name: str,
    memory: int | None,
    round_ms: int,
    drop_infeasible: bool,
    schedule_path: Path | None,
    json: bool,
) -> int:
    """Schedule with a policy and replay the result; 1 if the replay or a proved ratio fails."""
    policy = policy_named(policy_name)
    load = _load(source, memory, round_ms, drop_infeasible)
    schedule, result = _schedule(policy, load.instance)
    document = _run_document(policy, load, result)
    faults = _faults(policy, load.instance, result, document)
    if schedule_path is not None:
        starts = starts_to_json(dict(schedule.starts))
        write_whole(schedule_path, dumps({"schema": SCHEDULE_SCHEMA, "starts": starts}))
    if json:
        print_json(document)
    else:
        _print_run(policy, load, result, document)
    for fault in faults:
        print_line(f"REJECTED: {fault}")
    return 1 if faults else 0


def _schedule(policy: Policy, instance: Instance) -> tuple[Schedule, Replay]:
    with progress(policy.name) as report:
        schedule = play(policy.factory, instance, progress=report)
    return schedule, exact_replay(instance, schedule)


def _best_known(policy: Policy, instance: Instance, result: Replay) -> tuple[int, str]:
    """Return the least TEL that we know to be feasible: this run's, or that of FCFS."""
    known = [(result.tel, policy.name)]
    if policy.name != "fcfs":
        known.append((_schedule(policy_named("fcfs"), instance)[1].tel, "fcfs"))
    return min(known)


def _run_document(policy: Policy, load: _Load, result: Replay) -> dict[str, Json]:
    bound = best_lower_bound(load.instance)
    best, name = _best_known(policy, load.instance, result)
    document: dict[str, Json] = {
        "schema": "onlinekv/run-result/v1",
        "policy": policy.name,
        "memory": load.instance.memory,
        "requests": len(load.instance),
        "dropped": load.dropped,
        **{k: v for k, v in replay_to_json(result).items() if k != "violations"},
        "lower_bound": int(bound.value),
        "lower_bound_name": bound.name,
        "ratio": {
            "measured_lower": to_json(_ratio(result.tel, best)),
            "measured_upper": to_json(_ratio(result.tel, int(bound.value))),
            "proved": to_json(policy.proved(len(load.instance))),
            "proved_source": policy.ratio.source,
            "best_known": name,
        },
        "mean": to_json(result.mean_latency),
        "p95": result.p95_latency,
    }
    if load.round_ms is not None:
        document["round_ms"] = load.round_ms
    return document


def _ratio(cost: int, reference: int) -> Fraction:
    """Return cost / reference; an instance without requests costs 0 and has ratio 1."""
    return Fraction(cost, reference) if reference else Fraction(1)


def _faults(
    policy: Policy, instance: Instance, result: Replay, document: dict[str, Json]
) -> list[str]:
    """Say what should be impossible: an infeasible run, or a measured ratio above a proved one."""
    faults = [f"{policy.name}: {violation.message}" for violation in result.violations[:1]]
    ratio = cast(dict[str, str], document["ratio"])
    if Fraction(ratio["measured_lower"]) > policy.proved(len(instance)):
        faults.append(f"{policy.name}: measured ratio {ratio['measured_lower']} exceeds the proved")
    return faults


def _print_run(policy: Policy, load: _Load, result: Replay, document: dict[str, Json]) -> None:
    instance = load.instance
    ratio = cast(dict[str, str], document["ratio"])
    low, high = (
        decimal(Fraction(ratio["measured_lower"])),
        decimal(Fraction(ratio["measured_upper"])),
    )
    rows = [
        ("policy", f"{policy.name}: {policy.summary}"),
        ("requests", f"{len(instance):,} scheduled, {load.dropped:,} dropped"),
        ("mean latency", _time(result.mean_latency, load.round_ms)),
        ("P95 latency", _time(result.p95_latency, load.round_ms)),
        ("last completion", _time(result.makespan, load.round_ms)),
        ("TEL", f"{result.tel:,} rounds"),
        ("total completion time", f"{result.total_completion:,} rounds"),
        ("peak", f"{result.peak:,} of {instance.memory:,} units"),
        (
            "lower bound on OPT",
            f"{document['lower_bound']:,} rounds ({document['lower_bound_name']})",
        ),
        ("measured TEL / OPT", f"in [{low}, {high}] (best known: {ratio['best_known']})"),
        ("proved TEL / OPT", f"<= {decimal(Fraction(ratio['proved']))} ({policy.ratio.source})"),
    ]
    if load.round_ms is not None:
        rows.insert(1, ("round", f"{load.round_ms} ms"))
    print_pairs("run", rows)
    if load.dropped:
        print_line(f"dropped {load.dropped} requests with prompt + output > {instance.memory}")
    print_line(
        f"policy={policy.name} feasible={str(result.feasible).lower()} tel={result.tel} "
        f"peak={result.peak} lower_bound={document['lower_bound']} "
        f"ratio=[{ratio['measured_lower']},{ratio['measured_upper']}]"
    )


def _time(rounds: Fraction | int, round_ms: int | None) -> str:
    text = f"{decimal(rounds, 3 if isinstance(rounds, Fraction) else 0)} rounds"
    if round_ms is None:
        return text
    return f"{text} ({decimal(Fraction(rounds) * round_ms / 1000)} s)"
