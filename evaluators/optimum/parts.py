"""Solve one independent part: bounds and list schedules first, then the search in rising limits."""

from __future__ import annotations

from collections.abc import Callable

from ..memory import Convention
from . import coarse
from .budget import Budget
from .engines import Engine, EngineName, new_search, searchable
from .problem import Part, Problem, build
from .results import Established

Report = Callable[[int, int], None]

# Few requests are searched faster than a list schedule is improved.
FEW = 8
SWAPS = 20
MOST_SWAPS = 10_000
SWAP_WORK = 50_000_000
# The gap between the bounds is closed in about this many searches of rising limits: few when the
# end is waited for, more when the search may be cut short.
STEPS = 2
STEPS_WHEN_LIMITED = 8


class PartSolver:
    """lower <= least value of the part <= upper = value of `starts`.

    The value is the sum of the completions of the pending requests or their (and the running
    requests') largest completion, in absolute rounds.  `root` is the bound before any search.
    """

    def __init__(
        self,
        part: Part,
        memory: int,
        convention: Convention,
        engine: EngineName,
        *,
        makespan: bool,
    ) -> None:
        self.part = part
        self.makespan = makespan
        self.search: Engine | None = None
        if searchable(part):
            self.problem = build(part, memory, convention, largest_first=makespan)
            self.search = new_search(self.problem, engine, makespan=makespan)
            self._first_interval(self.problem, self.search)
        else:
            self._coarse_interval(memory, convention)
        self.root = self.lower

    def _first_interval(self, problem: Problem, search: Engine) -> None:
        self.lower = self._absolute(search.root_bound())
        self.upper = self._absolute(search.incumbent(orders(problem)))
        self._keep(problem, search)

    def _coarse_interval(self, memory: int, convention: Convention) -> None:
        completions = coarse.lower_completions(self.part, memory, convention)
        self.starts = coarse.upper_schedule(self.part, memory, convention, makespan=self.makespan)
        ends = [self.starts[r.id] + r.output for r in self.part.pending]
        if self.makespan:
            busy = [run.end for run in self.part.running]
            self.lower, self.upper = max([*completions, *busy]), max([*ends, *busy])
        else:
            self.lower, self.upper = sum(completions), sum(ends)

    def _absolute(self, value: int) -> int:
        shift = self.part.origin * (1 if self.makespan else len(self.part.pending))
        return value + shift

    def _keep(self, problem: Problem, search: Engine) -> None:
        starts = search.schedule()
        self.starts = {i: problem.origin + b for i, b in zip(problem.ids, starts, strict=True)}

    def settle(self, budget: Budget, report: Report) -> Established | None:
        """Search until lower = upper or a limit is reached; return that limit.

        Each search looks below a limit between the bounds: if it is exhausted in vain the limit
        is the new lower bound, else the schedule found is optimal.  So a search that is cut short
        leaves a good lower bound, and the last one rarely starts from a poor incumbent.
        """
        if self.lower == self.upper:
            return None
        if self.search is None:
            return "horizon too long for the search"
        self._improve(self.problem, self.search, budget)
        search, zero = self.search, self._absolute(0)
        steps = STEPS_WHEN_LIMITED if budget.limited else STEPS
        step = max(1, -(-(self.upper - self.lower) // steps))
        while self.lower < self.upper:
            limit = min(self.upper, self.lower + step)
            search.begin(limit - zero)
            finished = False
            while not finished:
                cut = budget.exceeded()
                if cut is not None:
                    return cut
                finished = budget.run(search)
                if search.found:
                    limit = self.upper = search.limit + zero
                    self._keep(self.problem, search)
                report(self.lower, self.upper)
            self.lower = limit
        return None

    def _improve(self, problem: Problem, search: Engine, budget: Budget) -> None:
        """Better list schedules before the search; more of them if it may be cut short."""
        n = len(problem.output)
        if n <= FEW:
            return
        swaps = min(MOST_SWAPS, SWAPS << (n // 2), SWAP_WORK // (n * problem.horizon))
        target = self.lower - self._absolute(0)
        while budget.exceeded() is None:
            self.upper = self._absolute(search.improve(swaps, target))
            if not budget.early() or self.upper == self.lower:
                break
        self._keep(problem, search)


def orders(problem: Problem) -> list[list[int]]:
    """Orders for list schedules: by volume (the numbering), output, arrival and peak."""
    jobs = range(len(problem.output))
    sizes = problem.weights[0]
    return [
        list(jobs),
        sorted(jobs, key=lambda j: problem.output[j]),
        sorted(jobs, key=lambda j: problem.ready[j]),
        sorted(jobs, key=lambda j: sizes[j][-1]),
    ]
