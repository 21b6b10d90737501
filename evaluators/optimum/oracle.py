"""Independent cross-checks: the time-indexed integer program by CP-SAT and by HiGHS.

Each solver runs in a process of its own and answers line by line, so that many instances share
one start-up.  The oracles are not part of any proof; tests and benchmarks compare with them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Literal

from ..memory import PAPERS, Convention
from ..model import InputError, Instance
from ..replay import Objective

SolverName = Literal["cpsat", "highs"]
# Sizes beyond which the solvers' 64-bit integers and floats, or the memory, would not do.
LARGEST_HORIZON = 1_000_000
LARGEST_MEMORY = 2**31


@dataclass(frozen=True, slots=True)
class OracleResult:
    """`status` is optimal, feasible (limit reached) or unknown; value >= optimum >= bound."""

    status: str
    value: int | None
    bound: int | None
    starts: dict[int, int]
    seconds_build: float
    seconds_solve: float


class Oracle:
    """A solver process; use it as a context manager and ask as often as needed."""

    def __init__(self, solver: SolverName) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"{__package__}.oracle_{solver}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Oracle:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self._process.kill()
        self._pipe(self._process.stdin).close()
        self._process.wait()
        self._pipe(self._process.stdout).close()

    def solve(
        self,
        instance: Instance,
        objective: Objective = "tel",
        time_limit: float = 15.0,
        convention: Convention = PAPERS,
    ) -> OracleResult:
        """Solve one instance; raises InputError if it is too large to be written down."""
        horizon = instance.total_output + max((r.arrival for r in instance.requests), default=0)
        if horizon * max(1, len(instance)) > LARGEST_HORIZON or instance.memory > LARGEST_MEMORY:
            raise InputError("instance", "is too large for a time-indexed integer program")
        if not instance.requests:
            return OracleResult("optimal", 0, 0, {}, 0.0, 0.0)
        problem = {
            "memory": instance.memory,
            "requests": [[r.id, r.arrival, r.prompt, r.output] for r in instance.requests],
            "objective": objective,
            "time_limit": time_limit,
            "convention": [convention.name, convention.first, convention.block],
        }
        stdin = self._pipe(self._process.stdin)
        stdin.write(json.dumps(problem) + "\n")
        stdin.flush()
        line = self._pipe(self._process.stdout).readline()
        if not line:
            raise RuntimeError(f"the solver process ended with code {self._process.wait()}")
        answer = json.loads(line)
        answer["starts"] = dict(answer["starts"])
        return OracleResult(**answer)

    @staticmethod
    def _pipe(stream: IO[str] | None) -> IO[str]:
        assert stream is not None, "both pipes were asked for"
        return stream


def cpsat(
    instance: Instance, objective: Objective = "tel", time_limit: float = 15.0
) -> OracleResult:
    """Solve with CP-SAT, one worker, `time_limit` in seconds of its own search."""
    return solve_all("cpsat", [instance], objective, time_limit)[0]


def highs(
    instance: Instance, objective: Objective = "tel", time_limit: float = 15.0
) -> OracleResult:
    """Solve with HiGHS, one thread, `time_limit` in seconds of its own search."""
    return solve_all("highs", [instance], objective, time_limit)[0]


def solve_all(
    solver: SolverName,
    instances: Sequence[Instance],
    objective: Objective = "tel",
    time_limit: float = 15.0,
) -> list[OracleResult]:
    """Solve many instances in one child process, in the given order."""
    with Oracle(solver) as oracle:
        return [oracle.solve(instance, objective, time_limit) for instance in instances]
