"""The commands that make schedules: run and policies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import cast

from ..artifacts.canonical import Json, dumps, to_json, write_whole
from ..artifacts.files import SCHEDULE_SCHEMA, attempts_to_json, starts_to_json
from ..bounds import LowerBound, best_lower_bound
from ..certificates import CertificateError
from ..certificates_kills import certify_run
from ..comparison import RuleChoice as CompareRules
from ..console import decimal, print_json, print_line, print_pairs, print_table, progress
from ..controls.draft import replay_to_json
from ..images import format_of
from ..memory import convention_named
from ..model import Schedule
from ..policies.nonclairvoyant.regimes import regimes
from ..policies.rules import PLAIN, Simulation
from ..policies.scheduler import ListPolicy, Options, Scheduler, proved
from ..policies.schedulers import SCHEDULERS, every_ratio, scheduler_named
from ..ratios import ProvedRatio
from ..replay import Replay
from ..replay import replay as exact_replay
from .instances import Load, as_burst, load
from .pictures import draw_memory
from .regimes import regimes_to_json

REFERENCES = ("fcfs", "svf")


def policies() -> int:
    """List the policies."""
    rows = [[s.name, s.summary, s.sees, s.paper, s.guarantee] for s in SCHEDULERS.values()]
    header = ("name", "what it does", "what it sees", "paper", "TEL / OPT <=")
    print_table("policies", header, rows)
    return 0


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """The engine's settings as the command line gives them; None keeps the policy's own."""

    queue: str | None = None
    admission: str | None = None
    max_running: int | None = None
    convention: str | None = None
    block: int = 16
    seed: int = 0

    def options(self, scheduler: Scheduler) -> Options:
        """Return the options of a run; raises InputError for an unknown word."""
        rules = CompareRules(self.queue, self.admission, self.max_running).rules(scheduler)
        if self.convention:
            own = scheduler.default_rules if isinstance(scheduler, ListPolicy) else PLAIN
            convention = convention_named(self.convention, self.block)
            rules = replace(rules or own, convention=convention)
        return Options(rules=rules, seed=self.seed)


@dataclass(frozen=True, slots=True)
class RunFiles:
    """What a run also writes: its schedule, and a picture of its memory over time."""

    schedule: Path | None = None
    plot: Path | None = None

    def write(self, outcome: Outcome) -> None:
        """Write the files, each whole."""
        simulation = outcome.simulation
        if self.schedule is not None:
            write_whole(self.schedule, dumps(_schedule_document(simulation)))
        instance, convention = simulation.instance, simulation.rules.convention
        title = f"{outcome.scheduler.name}, M = {instance.memory}"
        draw_memory(self.plot, instance, simulation.schedule, convention, title)


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run, judged: its replay, bounds and faults."""

    scheduler: Scheduler
    load: Load
    simulation: Simulation
    result: Replay
    bound: LowerBound
    best: tuple[int, str]
    ratio: ProvedRatio | None
    faults: list[str]

    @property
    def measured(self) -> tuple[Fraction, Fraction]:
        """TEL / OPT lies between these; 1 for an instance that costs nothing."""
        tel, lower = self.result.tel, int(self.bound.value)
        if not lower:
            return Fraction(1), Fraction(1)
        return Fraction(tel, self.best[0]), Fraction(tel, lower)


def run(
    source: Path,
    policy: str,
    memory: int | None,
    round_ms: int,
    drop_infeasible: bool,
    rules: RuleChoice,
    files: RunFiles,
    json: bool,
    burst: bool = False,
) -> int:
    """Schedule with a policy and judge it; 1 if the replay, a certificate or a ratio fails."""
    scheduler = scheduler_named(policy)
    if files.plot is not None:
        format_of(files.plot)  # a bad suffix fails before the work
    given = load(source, memory, round_ms, drop_infeasible)
    if burst:
        given = replace(given, instance=as_burst(given.instance))
    outcome = _judged(scheduler, given, rules.options(scheduler))
    files.write(outcome)
    if json:
        print_json(_document(outcome))
    else:
        _print(outcome)
    for fault in outcome.faults:
        print_line(f"REJECTED: {fault}")
    return 1 if outcome.faults else 0


def _judged(scheduler: Scheduler, given: Load, options: Options) -> Outcome:
    instance = given.instance
    with progress(scheduler.name) as report:
        report(0, 4, "schedule")
        simulation = scheduler.run(instance, options)
        report(1, 4, "replay")
        result = exact_replay(instance, simulation.schedule, simulation.rules.convention)
        report(2, 4, "lower bounds")
        bound = best_lower_bound(instance)
        report(3, 4, "certificates")
        best = _best_known(simulation, result, scheduler.name)
        faults = [f"{scheduler.name}: {v.message}" for v in result.violations[:1]]
        if result.feasible:
            faults += _broken(simulation, every_ratio(scheduler, instance, options), best[0])
    return Outcome(
        scheduler,
        given,
        simulation,
        result,
        bound,
        best,
        proved(scheduler, instance, options),
        faults,
    )


def _broken(simulation: Simulation, ratios: list[ProvedRatio], best_known: int) -> list[str]:
    """Say what should be impossible: a broken certificate, a measured ratio above a proved one."""
    try:
        certify_run(simulation, ratios, best_known)
    except CertificateError as error:
        return [str(error)]
    return []


def _best_known(simulation: Simulation, result: Replay, name: str) -> tuple[int, str]:
    """Return the least TEL that we know to be feasible: this run's, or that of FCFS or SVF."""
    known = [(result.tel, name)] if result.feasible else []
    instance = simulation.instance
    for other in REFERENCES:
        if other == name and simulation.rules == PLAIN:
            continue
        schedule = scheduler_named(other).run(instance, Options()).schedule
        known.append((exact_replay(instance, schedule).tel, other))
    return min(known, key=lambda pair: pair[0])


def _schedule_document(simulation: Simulation) -> dict[str, Json]:
    schedule = simulation.schedule
    if isinstance(schedule, Schedule):
        return {"schema": SCHEDULE_SCHEMA, "starts": starts_to_json(dict(schedule.starts))}
    return {"schema": SCHEDULE_SCHEMA, "attempts": attempts_to_json(schedule)}


def _document(outcome: Outcome) -> dict[str, Json]:
    result, rules = outcome.result, outcome.simulation.rules
    low, high = outcome.measured
    ratio: dict[str, Json] = {
        "measured_lower": to_json(low),
        "measured_upper": to_json(high),
        "best_known": outcome.best[1],
    }
    if outcome.ratio is not None:
        ratio["proved"] = to_json(outcome.ratio.value)
        ratio["proved_source"] = outcome.ratio.source
    document: dict[str, Json] = {
        "schema": "onlinekv/run-result/v1",
        "policy": outcome.scheduler.name,
        "queue": rules.queue,
        "admission": rules.admission,
        "memory": outcome.load.instance.memory,
        "requests": len(outcome.load.instance),
        "dropped": outcome.load.dropped,
        "regimes": regimes_to_json(outcome.load.instance),
        **{k: v for k, v in replay_to_json(result).items() if k != "violations"},
        "preemptions": outcome.simulation.preemptions,
        "lower_bound": int(outcome.bound.value),
        "lower_bound_name": outcome.bound.name,
        "ratio": ratio,
        "mean": to_json(result.mean_latency),
        "p95": result.p95_latency,
    }
    if outcome.load.round_ms is not None:
        document["round_ms"] = outcome.load.round_ms
    return document


def _print(outcome: Outcome) -> None:
    result, instance, given = outcome.result, outcome.load.instance, outcome.load
    low, high = outcome.measured
    rules = outcome.simulation.rules
    rows = [
        ("policy", f"{outcome.scheduler.name}: {outcome.scheduler.summary}"),
        ("queue / admission", f"{rules.queue} / {rules.admission}"),
        ("requests", f"{len(instance):,} scheduled, {given.dropped:,} dropped"),
        ("large / prompt- / response-heavy", regimes(instance).text()),
        ("mean latency", _time(result.mean_latency, given.round_ms)),
        ("P95 latency", _time(result.p95_latency, given.round_ms)),
        ("last completion", _time(result.makespan, given.round_ms)),
        ("TEL", f"{result.tel:,} rounds"),
        ("total completion time", f"{result.total_completion:,} rounds"),
        ("peak", f"{result.peak:,} of {instance.memory:,} units"),
        ("preemptions", f"{outcome.simulation.preemptions:,}"),
        ("lower bound on OPT", f"{int(outcome.bound.value):,} rounds ({outcome.bound.name})"),
        (
            "measured TEL / OPT",
            f"in [{decimal(low)}, {decimal(high)}] (best known: {outcome.best[1]})",
        ),
        ("proved TEL / OPT", _proved(outcome.ratio)),
    ]
    if given.round_ms is not None:
        rows.insert(2, ("round", f"{given.round_ms} ms"))
    print_pairs("run", rows)
    if given.dropped:
        print_line(f"dropped {given.dropped} requests with prompt + output > {instance.memory}")
    print_line(
        f"policy={outcome.scheduler.name} feasible={str(result.feasible).lower()} "
        f"tel={result.tel} peak={result.peak} lower_bound={int(outcome.bound.value)} "
        f"ratio=[{cast(str, to_json(low))},{cast(str, to_json(high))}]"
    )


def _proved(ratio: ProvedRatio | None) -> str:
    if ratio is None:
        return "nothing is proved for these settings"
    condition = f"; {ratio.condition}" if ratio.condition else ""
    return f"<= {decimal(ratio.value)} ({ratio.source}{condition})"


def _time(rounds: Fraction | int, round_ms: int | None) -> str:
    text = f"{decimal(rounds, 3 if isinstance(rounds, Fraction) else 0)} rounds"
    if round_ms is None:
        return text
    return f"{text} ({decimal(Fraction(rounds) * round_ms / 1000)} s)"
