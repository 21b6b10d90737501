"""Several policies on one instance: what each costs, exactly, and whether its run is right.

Every schedule is replayed and every certificate that applies to it is checked; what fails is
listed in `Entry.faults`.  All numbers are integers or fractions; a picture or a table rounds them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import cast

from .artifacts.canonical import Json, to_json
from .bounds import LowerBound, best_lower_bound
from .certificates import CertificateError
from .certificates_kills import certify_run
from .memory import Convention
from .model import AttemptSchedule, InputError, Instance
from .policies.rules import PLAIN, Admission, Queue, Rules, Simulation
from .policies.scheduler import ListPolicy, Options, Scheduler, proved
from .policies.schedulers import every_ratio, scheduler_named
from .ratios import ProvedRatio
from .replay import Replay, replay

Report = Callable[[int, int, str], None]
GRID = 10**9
"""The per-token mean is rounded to multiples of 1 / GRID: exactly it is a fraction whose
denominator, a common multiple of the outputs, has hundreds of digits."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean, median (of two middle elements their mean), P95 (element ceil(0.95 n)) and maximum."""

    mean: Fraction
    median: Fraction
    p95: Fraction
    largest: Fraction


@dataclass(frozen=True, slots=True)
class Metrics:
    """What one schedule costs.  Times are in rounds, memory in units, throughput in tokens a round.

    `per_token` is (C - a) / o; `mean_occupancy` is the mean over the rounds 0..makespan-1.
    """

    latency: Spread
    per_token: Spread
    tel: int
    makespan: int
    preemptions: int
    wasted_rounds: int
    peak: int
    mean_occupancy: Fraction
    throughput: Fraction


@dataclass(frozen=True, slots=True)
class Entry:
    """One policy of a comparison: its run, the replay, its metrics, and what is wrong with it."""

    name: str
    run: Simulation
    result: Replay
    metrics: Metrics
    proved: ProvedRatio | None
    certificates: int
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Policies on one instance; `best` names the feasible entry of least TEL (None: there is none).

    `bound` is the best proved lower bound on the optimal TEL.
    """

    instance: Instance
    bound: LowerBound
    best: str | None
    entries: tuple[Entry, ...]

    @property
    def faults(self) -> list[str]:
        """Everything that is wrong, in the order of the entries."""
        return [fault for entry in self.entries for fault in entry.faults]

    def ratio(self, entry: Entry) -> Fraction:
        """TEL / lower bound, at least the true ratio to the optimum (1 without requests)."""
        bound = int(self.bound.value)
        return Fraction(entry.metrics.tel, bound) if bound else Fraction(1)

    def entry(self, name: str) -> Entry:
        """Return the entry of that policy; raises KeyError if it was not compared."""
        return {entry.name: entry for entry in self.entries}[name]


@dataclass(frozen=True, slots=True)
class RuleChoice:
    """Engine rules that a user sets for all policies; None leaves the policy's own."""

    queue: str | None = None
    admission: str | None = None
    max_running: int | None = None

    def rules(self, scheduler: Scheduler) -> Rules | None:
        """Return the rules for that scheduler, None if nothing is set; raises InputError."""
        if self == RuleChoice():
            return None
        own = scheduler.default_rules if isinstance(scheduler, ListPolicy) else PLAIN
        return Rules(
            cast(Queue, self.queue or own.queue),
            cast(Admission, self.admission or own.admission),
            own.max_running if self.max_running is None else self.max_running,
            own.convention,
            own.victim,
        )


def schedulers_named(names: Sequence[str]) -> list[Scheduler]:
    """Return the schedulers of those names; raises InputError if one is unknown or repeated."""
    if not names:
        raise InputError("policies", "must name at least one policy")
    for name in names:
        if names.count(name) > 1:
            raise InputError("policies", f"must be distinct, {name!r} is repeated")
    return [scheduler_named(name) for name in names]


def compare(
    instance: Instance,
    names: Sequence[str],
    options: Options | None = None,
    choice: RuleChoice | None = None,
    report: Report | None = None,
) -> Comparison:
    """Run the named policies on the instance, replay and certify each; raises InputError."""
    return compare_schedulers(instance, schedulers_named(names), options, choice, report)


def compare_schedulers(
    instance: Instance,
    schedulers: Sequence[Scheduler],
    options: Options | None = None,
    choice: RuleChoice | None = None,
    report: Report | None = None,
) -> Comparison:
    """Do the same with schedulers, of which the registry need not know.

    `choice` holds for every one; what is None in it is each one's own default.
    """
    given, chosen = options or Options(), choice or RuleChoice()
    asked = [
        given if chosen == RuleChoice() else replace(given, rules=chosen.rules(scheduler))
        for scheduler in schedulers
    ]
    runs: list[tuple[Simulation, Replay]] = []
    for scheduler, own in zip(schedulers, asked, strict=True):
        _tell(report, len(runs), len(schedulers), scheduler.name)
        run = scheduler.run(instance, own)
        runs.append((run, replay(instance, run.schedule, run.rules.convention)))
    known = [(r.tel, s.name) for s, (_, r) in zip(schedulers, runs, strict=True) if r.feasible]
    tel, best = min(known, default=(None, None))
    entries = [
        _entry(scheduler, own, run, result, tel)
        for scheduler, own, (run, result) in zip(schedulers, asked, runs, strict=True)
    ]
    _tell(report, len(runs), len(schedulers), "certified")
    return Comparison(instance, best_lower_bound(instance), best, tuple(entries))


def _tell(report: Report | None, done: int, total: int, text: str) -> None:
    if report is not None:
        report(done, total, text)


def _entry(
    scheduler: Scheduler, options: Options, run: Simulation, result: Replay, best: int | None
) -> Entry:
    faults = [f"{scheduler.name}: {violation.message}" for violation in result.violations[:1]]
    count = 0
    if result.feasible:
        try:
            ratios = every_ratio(scheduler, run.instance, options)
            count = sum(c.checked for c in certify_run(run, ratios, best))
        except CertificateError as error:
            faults.append(f"{scheduler.name}: {error}")
    return Entry(
        scheduler.name,
        run,
        result,
        measure(run, result),
        proved(scheduler, run.instance, options),
        count,
        tuple(faults),
    )


def measure(run: Simulation, result: Replay) -> Metrics:
    """Return the metrics of a run that was replayed."""
    makespan = result.makespan
    area = sum(
        held_by(run.rules.convention, prompt, end - start)
        for start, end, prompt in zip(
            result.profile.starts, result.profile.ends, result.profile.prompts, strict=True
        )
    )
    tokens = sum(r.output for r in run.instance.requests if r.id in result.completions)
    return Metrics(
        _spread(result.mean_latency, [Fraction(x) for x in _middle(result.latencies)]),
        per_token_spread(result),
        result.tel,
        makespan,
        run.preemptions,
        run.wasted_rounds,
        result.peak,
        Fraction(area, max(1, makespan)),
        Fraction(tokens, max(1, makespan)),
    )


def held_by(convention: Convention, prompt: int, rounds: int) -> int:
    """Sum over the rounds of a run of the units that it holds."""
    block, before = convention.block, prompt + convention.first - 1

    def blocks(units: int) -> int:
        """Sum of ceil(u / block) over u = 1..units."""
        whole, rest = divmod(units, block)
        return block * whole * (whole + 1) // 2 + rest * (whole + 1)

    # before = -1: its sum over u = 1..-1 lacks the term of u = 0, which is 0.
    return block * (blocks(before + rounds) - blocks(max(0, before)))


def _middle(values: Sequence[int]) -> list[int]:
    """Elements (n+1)//2, n//2+1, ceil(0.95 n) and n of a sorted list, counted from 1."""
    n = len(values)
    if not n:
        return [0, 0, 0, 0]
    return [values[rank - 1] for rank in ((n + 1) // 2, n // 2 + 1, -(-95 * n // 100), n)]


def _spread(mean: Fraction, middle: Sequence[Fraction]) -> Spread:
    low, high, p95, largest = middle
    return Spread(mean, (low + high) / 2, p95, largest)


def per_token_spread(result: Replay) -> Spread:
    """Return the spread of (C - a) / o; the order is decided on integers, exactly."""
    done = result.completions
    pairs = [(done[r.id] - r.arrival, r.output) for r in result.instance.requests if r.id in done]
    if not pairs:
        return Spread(*[Fraction(0)] * 4)
    # Different fractions with denominators <= o differ by 1/o^2 at least: so do the integers.
    shift = 2 * max(output for _, output in pairs).bit_length()
    pairs.sort(key=lambda pair: (pair[0] << shift) // pair[1])
    middle = [Fraction(*pairs[index]) for index in _middle(range(len(pairs)))]
    return _spread(_rounded(_mean_of_quotients(pairs)), middle)


def _mean_of_quotients(pairs: Sequence[tuple[int, int]]) -> Fraction:
    totals: dict[int, int] = {}
    for latency, output in pairs:
        totals[output] = totals.get(output, 0) + latency
    common = lcm(*totals)
    total = sum(latency * (common // output) for output, latency in totals.items())
    return Fraction(total, common * len(pairs))


def _rounded(value: Fraction) -> Fraction:
    """Round half up to a multiple of 1 / GRID."""
    return Fraction((2 * value * GRID + 1) // 2, GRID)


def queue_events(run: Simulation) -> list[tuple[int, int]]:
    """Return (round, change of the number of waiting requests), sorted, one entry a round.

    A request waits from its arrival to its start, and again from a kill to its next start.
    """
    changes: dict[int, int] = {}

    def change(t: int, by: int) -> None:
        changes[t] = changes.get(t, 0) + by

    for request in run.instance.requests:
        change(request.arrival, 1)
    if isinstance(run.schedule, AttemptSchedule):
        for attempt in run.schedule.attempts:
            change(attempt.start, -1)
            if not attempt.completed:
                change(attempt.end, 1)
    else:
        for start in run.schedule.starts.values():
            change(start, -1)
    return sorted(changes.items())


def comparison_to_json(comparison: Comparison) -> dict[str, Json]:
    """Return the part of onlinekv/compare-result/v1 that the comparison determines."""
    document: dict[str, Json] = {
        "schema": "onlinekv/compare-result/v1",
        "verdict": "REJECTED" if comparison.faults else "VERIFIED",
        "faults": list(comparison.faults),
        "memory": comparison.instance.memory,
        "requests": len(comparison.instance),
        "lower_bound": int(comparison.bound.value),
        "lower_bound_name": comparison.bound.name,
        "policies": [_entry_to_json(comparison, entry) for entry in comparison.entries],
    }
    if comparison.best is not None:
        document["best_known"] = comparison.best
    return document


def _entry_to_json(comparison: Comparison, entry: Entry) -> dict[str, Json]:
    metrics, rules = entry.metrics, entry.run.rules
    document: dict[str, Json] = {
        "policy": entry.name,
        "queue": rules.queue,
        "admission": rules.admission,
        "feasible": entry.result.feasible,
        "certificates": entry.certificates,
        "latency": _spread_to_json(metrics.latency),
        "per_token": _spread_to_json(metrics.per_token),
        "tel": metrics.tel,
        "makespan": metrics.makespan,
        "preemptions": metrics.preemptions,
        "wasted_rounds": metrics.wasted_rounds,
        "peak": metrics.peak,
        "mean_occupancy": to_json(metrics.mean_occupancy),
        "throughput": to_json(metrics.throughput),
        "ratio": to_json(comparison.ratio(entry)),
    }
    if rules.max_running is not None:
        document["max_running"] = rules.max_running
    if entry.proved is not None:
        value = to_json(entry.proved.value)
        document["proved"] = {"value": value, "source": entry.proved.source}
    return document


def _spread_to_json(spread: Spread) -> dict[str, Json]:
    return {
        "mean": to_json(spread.mean),
        "median": to_json(spread.median),
        "p95": to_json(spread.p95),
        "max": to_json(spread.largest),
    }
