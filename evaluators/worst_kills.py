"""The worst ratios of paper 3's algorithms over seeded random instances, every run checked.

Tiny instances are held against the exact optimum, larger ones against lower bounds.  Each run is
replayed, its certificates are checked, and no proved ratio may be exceeded, for any objective.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from .bounds import additive_bound, best_lower_bound, count_bound, makespan_lower_bound
from .certificates_kills import kill_certificates
from .model import InputError, Instance
from .optimum import optimum
from .policies.kill_schedulers import KILL_SCHEDULERS, KillScheduler
from .policies.scheduler import Options
from .ratios import ProvedRatio
from .replay import Replay, replay

Size = Literal["tiny", "large"]
Report = Callable[[int, int, str], None]
KINDS = ("any", "large", "prompt-heavy", "response-heavy", "mixed", "arrivals")


@dataclass(frozen=True, slots=True)
class Worst:
    """The largest ratios met: `total` of sum C (or TEL for bursts, the same) and `makespan`.

    The divisor is the optimum (tiny) or a lower bound on it (large).  `instance` attains `total`;
    `runs` counts the runs and `checked` the certified cases.
    """

    total: Fraction
    makespan: Fraction
    instance: Instance
    runs: int
    checked: int


@dataclass(frozen=True, slots=True)
class Divisors:
    """What is at most the least total completion time, and at most the least makespan."""

    total: Fraction
    makespan: Fraction


def random_burst(rng: random.Random, kind: str, size: Size) -> Instance:
    """Return a random instance of that kind: M <= 18 and n <= 6, or M <= 300 and n <= 40."""
    memory = rng.randint(8, 18) if size == "tiny" else rng.randint(20, 300)
    count = rng.randint(1, 6) if size == "tiny" else rng.randint(2, 40)
    types = [_request(rng, kind, memory) for _ in range(rng.randint(1, count))]
    triples = [rng.choice(types) for _ in range(count)]
    if kind == "arrivals":
        triples = [(rng.randint(0, 3 * memory), s, o) for _, s, o in triples]
    return Instance.from_triples(memory, triples)


def _request(rng: random.Random, kind: str, memory: int) -> tuple[int, int, int]:
    if kind == "mixed":
        kind = rng.choice(KINDS[1:4])
    quarter = memory // 4
    if kind == "large":
        prompt = rng.randint(quarter + 1, memory - 1)
        return 0, prompt, rng.randint(1, memory - prompt)
    if kind == "prompt-heavy":
        prompt = rng.randint(1, quarter)
        return 0, prompt, rng.randint(1, prompt)
    if kind == "response-heavy":
        prompt = rng.randint(0, quarter)
        return 0, prompt, rng.randint(prompt + 1, memory - prompt)
    prompt = rng.randint(0, memory - 1)
    return 0, prompt, rng.randint(1, memory - prompt)


def divisors(instance: Instance, size: Size) -> Divisors:
    """Return the exact optima of a tiny instance, lower bounds of a large one."""
    if size == "tiny":
        total = optimum(instance, objective="total-completion")
        span = optimum(instance, objective="makespan")
        return Divisors(Fraction(total.lower), Fraction(span.lower))
    total_bound = max(
        best_lower_bound(instance).value + instance.total_arrival,
        additive_bound(instance),
        count_bound(instance),
    )
    return Divisors(total_bound, Fraction(makespan_lower_bound(instance)))


def worst_ratios(
    seed: int, count: int, size: Size, report: Report | None = None
) -> dict[str, Worst]:
    """Run every scheduler on `count` random instances; return the worst ratios by name.

    Raises AssertionError (a CertificateError for a certificate) as soon as a run is infeasible or
    breaks a certificate or a proved ratio.
    """
    rng = random.Random(f"worst kills {seed} {size}")
    found: dict[str, Worst] = {}
    for index in range(count):
        if report is not None:
            report(index, count, size)
        instance = random_burst(rng, KINDS[index % len(KINDS)], size)
        least = divisors(instance, size)
        for scheduler, result, checked in _runs(instance):
            judge(scheduler.all_ratios(instance), scheduler.name, result, least)
            total = result.total_completion / least.total
            span = result.makespan / least.makespan
            before = found.get(scheduler.name)
            found[scheduler.name] = _worse(before, Worst(total, span, instance, 1, checked))
    return found


def _runs(instance: Instance) -> Iterator[tuple[KillScheduler, Replay, int]]:
    for scheduler in KILL_SCHEDULERS:
        try:
            run = scheduler.run(instance, Options())
        except InputError:
            continue  # outside the scheduler's hypothesis
        result = replay(instance, run.schedule)
        if not result.feasible:
            raise AssertionError(f"{scheduler.name}: {result.violations[0].message}: {instance}")
        yield scheduler, result, sum(c.checked for c in kill_certificates(run))


def judge(ratios: list[ProvedRatio], name: str, result: Replay, least: Divisors) -> None:
    """Raise AssertionError if a proved ratio is exceeded.

    With the optimum as divisor that refutes the ratio.  With a lower bound it does not by itself
    (the proof of 16 compares with the optimum's own completions); it has to be looked at.
    """
    for ratio in ratios:
        if ratio.objective == "makespan":
            cost, divisor = Fraction(result.makespan), least.makespan
        else:
            cost, divisor = Fraction(result.total_completion), least.total
        if cost > ratio.value * divisor:
            raise AssertionError(
                f"{name}: {cost} > {ratio.value} x {divisor} ({ratio.source}): {result.instance}"
            )


def _worse(before: Worst | None, run: Worst) -> Worst:
    if before is None:
        return run
    return Worst(
        max(before.total, run.total),
        max(before.makespan, run.makespan),
        run.instance if run.total > before.total else before.instance,
        before.runs + 1,
        before.checked + run.checked,
    )
