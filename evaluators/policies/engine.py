"""Runs a static priority over an instance with arrivals, event by event.

The order is (key, id), smallest first: the priority of every paper's list scheduler and of the
engines' PRIORITY policy.  Decisions up to round t depend on the requests with arrival <= t only:
both twins look at a request when it arrives, and ranks are compared, never counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ..model import Attempt, AttemptSchedule, InputError, Instance, Schedule
from .engine_compiled import run_compiled
from .engine_plain import run_plain
from .engine_problem import PROMPT_ONLY, Problem, Runs, problem_of
from .rules import Rules, Simulation

EngineChoice = Literal["auto", "compiled", "plain"]

# Up to these numbers of requests `auto` takes the plain twin: loading the compiled one costs more.
SMALL_HEAD = 64
SMALL_SKIP = 16


def simulate(
    instance: Instance,
    keys: Sequence[int],
    rules: Rules | None = None,
    reserves: Sequence[int] | None = None,
    engine: EngineChoice = "auto",
) -> Simulation:
    """Schedule `instance` in the order of `keys` (one for each request, in its order).

    `reserves` are the declared peaks that admission `reserve` sums up.  `auto` uses the compiled
    engine unless the instance is small or 64 bits might not suffice.  Raises InputError if
    `compiled` is asked for in the latter case, if keys or reserves do not match the requests, or
    if a request can never run alone (its peak under the convention, or its reserve, is too large).
    """
    rules = rules or Rules()
    problem = problem_of(instance, keys, rules, reserves)
    runs = _run(problem, engine)
    if problem.mode != PROMPT_ONLY:
        ids = [request.id for request in instance.requests]
        schedule = Schedule(dict(zip(ids, runs.starts, strict=True)))
        return Simulation(instance, rules, keys, schedule, reserves)
    attempts = tuple(
        Attempt(instance.requests[i].id, start, rounds, done)
        for i, start, rounds, done in runs.attempts
    )
    killed = [attempt.rounds for attempt in attempts if not attempt.completed]
    return Simulation(
        instance, rules, keys, AttemptSchedule(attempts), reserves, len(killed), sum(killed)
    )


def _run(problem: Problem, engine: EngineChoice) -> Runs:
    if engine not in {"auto", "compiled", "plain"}:
        raise InputError("engine", f"must be one of auto, compiled, plain, got {engine!r}")
    small = len(problem.arrival) <= (SMALL_SKIP if problem.skip else SMALL_HEAD)
    plain = engine == "plain" or (engine == "auto" and small)
    runs = None if plain else run_compiled(problem)
    if runs is not None:
        return runs
    if engine == "compiled":
        raise InputError("engine", "the numbers do not fit into 64 bits; use plain or auto")
    return run_plain(problem)
