"""The time-indexed integer program, as plain numbers, and the line protocol of the oracles.

Variable x[j, t] = 1 when request j starts in round t, a_j <= t <= H - o_j with the horizon
H = max a + sum o, by which some optimal schedule has ended (it never idles once all requests have
arrived).  One start per request; in every round the sizes of the active requests sum up to at
most the memory.  For the makespan, z >= sum_t (t + o_j) x[j, t] for every j.

This module imports no solver, and each solver lives in a process of its own: ortools and highspy
cannot be loaded together.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..memory import Convention
from ..model import Instance, Request


@dataclass(frozen=True, slots=True)
class Program:
    """Variables as (request index, start round), and per round the (variable, size) terms."""

    memory: int
    arrivals: list[int]
    outputs: list[int]
    variables: list[tuple[int, int]]
    rounds: list[list[tuple[int, int]]]

    @property
    def horizon(self) -> int:
        """Number of rounds."""
        return len(self.rounds)

    def completion(self, variable: int) -> int:
        """Completion round of the request if this variable is 1."""
        j, t = self.variables[variable]
        return t + self.outputs[j]

    def delay(self, variable: int) -> int:
        """Completion minus arrival if this variable is 1."""
        return self.completion(variable) - self.arrivals[self.variables[variable][0]]


def program(instance: Instance, convention: Convention) -> Program:
    """Write down the integer program of an instance; its size is about n times the horizon."""
    requests = instance.requests
    horizon = max((r.arrival for r in requests), default=0) + instance.total_output
    variables: list[tuple[int, int]] = []
    rounds: list[list[tuple[int, int]]] = [[] for _ in range(horizon)]
    for j, r in enumerate(requests):
        sizes = [convention.size(r.prompt, age) for age in range(r.output)]
        for t in range(r.arrival, horizon - r.output + 1):
            for age, x in enumerate(sizes):
                rounds[t + age].append((len(variables), x))
            variables.append((j, t))
    return Program(
        instance.memory,
        [r.arrival for r in requests],
        [r.output for r in requests],
        variables,
        rounds,
    )


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a solver found: status word, value and bound if any, indices of the variables at 1."""

    status: str
    value: int | None
    bound: int | None
    chosen: list[int]
    built: float


Solver = Callable[[Program, bool, float], Outcome]


def serve(solve: Solver) -> None:
    """Answer one JSON line per problem read from stdin until it is closed.

    A problem holds memory, requests as [id, arrival, prompt, output], objective, time_limit and
    convention [name, first, block]; the answer holds status, value, bound, starts as [id, start],
    seconds_build (program and solver's model) and seconds_solve.
    """
    # Solvers print to the first file descriptor; answers keep a copy of it for themselves.
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        for line in sys.stdin:
            print(json.dumps(_answer(json.loads(line), solve)), file=answers, flush=True)


def _answer(problem: dict[str, Any], solve: Solver) -> dict[str, Any]:
    begun = time.perf_counter()
    requests = [Request(*row) for row in problem["requests"]]
    instance = Instance.of(problem["memory"], requests)
    integer_program = program(instance, Convention(*problem["convention"]))
    makespan = problem["objective"] == "makespan"
    outcome = solve(integer_program, makespan, problem["time_limit"])
    ended = time.perf_counter()
    shift = instance.total_arrival if problem["objective"] == "total-completion" else 0
    starts = [
        [instance.requests[j].id, t]
        for j, t in (integer_program.variables[v] for v in outcome.chosen)
    ]
    return {
        "status": outcome.status,
        "value": None if outcome.value is None else outcome.value + shift,
        "bound": None if outcome.bound is None else outcome.bound + shift,
        "starts": sorted(starts),
        "seconds_build": outcome.built - begun,
        "seconds_solve": ended - outcome.built,
    }
