"""What the families share: runs of a scheduler, judged by replay, and lemma E.2's two sides."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ...model import AttemptSchedule, Instance, Schedule
from ...policies.rules import Rules, Simulation
from ...policies.scheduler import Options, proved
from ...policies.schedulers import scheduler_named
from ...ratios import largest_peak
from ...replay import replay
from ..draft import Draft

Shape = tuple[int, int]
"""(prompt, output)."""

# Up to so many requests the instance and the schedules are stored; above, facts only.
STORED_UP_TO = 40
SKIP = Rules(queue="skip")


def burst(memory: int, shapes: Iterable[Shape]) -> Instance:
    """Return requests of these shapes that all arrive in round 0; ids are their positions."""
    return Instance.from_triples(memory, [(0, s, o) for s, o in shapes])


def alpha(instance: Instance) -> Fraction:
    """Return P / M, the largest share of the memory that one request needs."""
    return Fraction(largest_peak(instance), instance.memory)


def keep(draft: Draft, instance: Instance) -> Instance:
    """Store the instance if it is small, else its size only."""
    if len(instance) <= STORED_UP_TO:
        return draft.instance(instance)
    draft.fact("requests", len(instance))
    draft.fact("memory", instance.memory)
    return instance


def judge(draft: Draft, name: str, instance: Instance, schedule: Schedule | AttemptSchedule) -> int:
    """Replay a feasible schedule, store it (or, of a large instance, its TEL), return its TEL."""
    if len(instance) <= STORED_UP_TO:
        return draft.schedule(name, instance, schedule).tel
    result = replay(instance, schedule)
    if not result.feasible:
        draft.faults.append(f"schedule {name!r} is infeasible: {result.violations[0].message}")
    draft.fact(f"tel: {name}", result.tel)
    return result.tel


def run(name: str, instance: Instance, options: Options | None = None) -> Simulation:
    """Run a scheduler by its name."""
    return scheduler_named(name).run(instance, options or Options())


def play(draft: Draft, name: str, instance: Instance, options: Options | None = None) -> int:
    """Run a scheduler with its default rules, judge the run, and return its TEL."""
    return judge(draft, name, instance, run(name, instance, options).schedule)


def within_proved(
    draft: Draft,
    name: str,
    instance: Instance,
    tel: int,
    other: int,
    options: Options | None = None,
) -> None:
    """Store that TEL is at most the proved ratio times the TEL of another feasible schedule."""
    ratio = proved(scheduler_named(name), instance, options or Options())
    if ratio is None:
        draft.faults.append(f"nothing is proved of {name}")
        return
    draft.holds(f"{name} is within {ratio.source}", Fraction(tel), "<=", ratio.value * other)


def paper_ratio(instance: Instance) -> Fraction:
    """Return 1 + 2 / (1 - alpha), theorem 3.2 (needs alpha < 1)."""
    return 1 + 2 / (1 - alpha(instance))


def waiting_sides(simulation: Simulation) -> list[tuple[int, int, int]]:
    """Return (id, left, right) of lemma E.2 as printed, in the order of the run.

    left = (M - P) W_j, which is at least (1 - alpha) M W_j for P = max(s + o); right is
    2 sum(vol_i) over i before j.
    """
    instance, starts = simulation.instance, simulation.starts()
    spare = instance.memory - largest_peak(instance)
    keyed = zip(simulation.keys, instance.requests, strict=True)
    sides, before = [], 0
    for _, request in sorted(keyed, key=lambda pair: (pair[0], pair[1].id)):
        sides.append((request.id, spare * (starts[request.id] - request.arrival), before))
        before += request.volume2
    return sides
