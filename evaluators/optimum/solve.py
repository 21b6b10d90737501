"""`optimum`: the one entry point, over commitments, kills and independent parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from ..memory import PAPERS, Convention
from ..model import InputError, Instance, Request
from ..replay import Objective
from .budget import Budget, Progress
from .commitment import committed_runs, kill_sets
from .engines import EngineName
from .parts import PartSolver
from .problem import Run, split
from .results import Commitment, Established, Optimum


def optimum(
    instance: Instance,
    *,
    objective: Objective = "tel",
    convention: Convention = PAPERS,
    commitment: Commitment | None = None,
    kills: bool = False,
    node_limit: int | None = None,
    time_limit: float | None = None,
    engine: EngineName = "auto",
    progress: Progress | None = None,
) -> Optimum:
    """Exact offline optimum of `instance`, or a proved interval if a limit ends the search.

    `objective`: TEL = sum of (completion - arrival), total completion = sum of completions, or
    makespan = largest completion, all in rounds.  With a `commitment` the requests that it names
    keep their starts, and all others start in rounds >= max(arrival, now).  With `kills` every
    request still active at `now` may be killed there; it loses its progress and starts again.
    Killing it later would only hold memory for longer and finish nothing earlier, and a request
    that would be killed again need not be started, so the minimum over the sets killed at `now`
    is the optimum.  `node_limit` and `time_limit` (seconds) end the search early;
    `progress(nodes, lower, upper)` is called between its slices.  Ties are broken by id.

    Raises InputError for an unknown objective or engine, a request whose peak under `convention`
    exceeds the memory, and a commitment that is malformed or does not fit.
    """
    _check(instance, objective, convention)
    budget = Budget(node_limit, time_limit, progress)
    task = _Task(instance, objective, convention, engine, budget)
    if commitment is None:
        task.solve(instance.requests, (), 0)
        return task.result()
    runs = committed_runs(instance, convention, commitment, kills=kills)
    task.solve_continuations(runs, commitment.now, kills=kills)
    return task.result()


def _check(instance: Instance, objective: Objective, convention: Convention) -> None:
    if objective not in get_args(Objective):
        raise InputError("objective", f"must be one of {', '.join(get_args(Objective))}")
    for r in instance.requests:
        peak = convention.peak(r.prompt, r.output)
        if peak > instance.memory:
            raise InputError(
                f"request {r.id}",
                f"must have a peak <= memory under the {convention.name} convention, "
                f"got {peak} > {instance.memory}",
            )


@dataclass(frozen=True, slots=True)
class _Case:
    """A proved interval for one choice of the requests to kill, and its best schedule."""

    lower: int
    upper: int
    starts: dict[int, int]
    killed: tuple[int, ...]


class _Task:
    """One call of `optimum`: its arguments, and what has been proved so far."""

    def __init__(
        self,
        instance: Instance,
        objective: Objective,
        convention: Convention,
        engine: EngineName,
        budget: Budget,
    ) -> None:
        self.instance = instance
        self.objective = objective
        self.convention = convention
        self.engine = engine
        self.budget = budget
        self.best: _Case | None = None
        self.lowers: list[int] = []
        self.roots: list[int] = []
        self.cut: Established | None = None
        self.floor: int | None = None  # a bound for the kill sets not solved yet

    def solve_continuations(self, runs: Sequence[Run], now: int, *, kills: bool) -> None:
        """Solve for every set of requests killed at `now` (only the empty one without kills)."""
        memory, convention = self.instance.memory, self.convention
        if kills:
            self.floor = self._bound_all(runs, now)
        for dead in kill_sets(memory, convention, runs, now) if kills else [()]:
            cut = self.cut or self.budget.exceeded()
            if self.best is not None and cut is not None:
                self.cut = cut
                break
            kept = [run for run in runs if run not in dead]
            self.solve(self._others(kept), kept, now, tuple(run.request.id for run in dead))
        else:
            self.floor = None

    def _others(self, runs: Sequence[Run]) -> list[Request]:
        taken = {run.request.id for run in runs}
        return [r for r in self.instance.requests if r.id not in taken]

    def _bound_all(self, runs: Sequence[Run], now: int) -> int:
        """Lower bound for all sets at once.

        Whoever is killed completes later, and the pending requests are no better off than in an
        empty memory.
        """
        solvers = self._solvers(self._others(runs), (), now)
        return self._total(runs, [s.root for s in solvers])

    def solve(
        self,
        pending: Sequence[Request],
        runs: Sequence[Run],
        now: int,
        killed: tuple[int, ...] = (),
    ) -> None:
        """Solve for `pending` beside the fixed `runs`, unless the root bound rules it out."""
        solvers = self._solvers(pending, [run for run in runs if run.end > now], now)
        self.roots.append(self._total(runs, [s.root for s in solvers]))
        if self.best is None or self.roots[-1] < self.best.upper:
            for solver in solvers[-1:] if self.objective == "makespan" else solvers:
                self._settle(solver, runs, solvers)
        starts = {run.request.id: run.start for run in runs}
        for solver in solvers:
            starts |= solver.starts
        case = _Case(
            self._total(runs, [s.lower for s in solvers]),
            self._total(runs, [s.upper for s in solvers]),
            dict(sorted(starts.items())),
            tuple(sorted(killed)),
        )
        self.lowers.append(case.lower)
        if self.best is None or case.upper < self.best.upper:
            self.best = case

    def _solvers(
        self, pending: Sequence[Request], running: Sequence[Run], now: int
    ) -> list[PartSolver]:
        makespan = self.objective == "makespan"
        return [
            PartSolver(part, self.instance.memory, self.convention, self.engine, makespan=makespan)
            for part in split(pending, running, now)
        ]

    def _settle(
        self, solver: PartSolver, runs: Sequence[Run], solvers: Sequence[PartSolver]
    ) -> None:
        def report(_lower: int, _upper: int) -> None:
            if self.budget.progress is not None:
                lower = self._total(runs, [s.lower for s in solvers])
                upper = self._total(runs, [s.upper for s in solvers])
                best = upper if self.best is None else min(upper, self.best.upper)
                proved = min(lower, *self._known_lowers(best))
                self.budget.progress(self.budget.nodes, proved, best)

        cut = solver.settle(self.budget, report)
        self.cut = self.cut or cut

    def _total(self, runs: Sequence[Run], values: Sequence[int]) -> int:
        """Objective from the fixed runs and the values of the parts, in order of time."""
        if self.objective == "makespan":
            return max([0, *(run.end for run in runs), *values[-1:]])
        shift = self.instance.total_arrival if self.objective == "tel" else 0
        return sum(run.end for run in runs) + sum(values) - shift

    def _known_lowers(self, best: int) -> list[int]:
        floor = [] if self.floor is None else [self.floor]
        return [best, *self.lowers, *floor]

    def result(self) -> Optimum:
        """The optimum is the least over the cases."""
        assert self.best is not None, "the set of all active requests can always be killed"
        lower = min(self._known_lowers(self.best.upper))
        established: Established = "search exhausted" if self.budget.nodes else "root bound met"
        if lower < self.best.upper and self.cut is not None:
            established = self.cut
        return Optimum(
            self.objective,
            lower,
            self.best.upper,
            self.best.starts,
            self.best.killed,
            self.budget.nodes,
            min(*self.roots, self.best.upper),
            established,
        )
