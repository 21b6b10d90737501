"""Which engine searches a problem: compiled where 64 bits suffice, plain Python otherwise."""

from __future__ import annotations

import importlib
from typing import Literal, Protocol, get_args

from ..model import InputError
from .problem import Part, Problem

EngineName = Literal["auto", "compiled", "python"]

# Beyond these a search would take too much memory: rounds, and rounds times requests.
LONGEST_HORIZON = 100_000
LARGEST_STACK = 1 << 25
# So few requests are searched in a millisecond, without loading (or first compiling) anything.
FEW = 4
_SAFE = 2**61


class Engine(Protocol):
    """A resumable search; see `plain.Search` for the rules."""

    @property
    def nodes(self) -> int:
        """Children examined so far, over all calls."""

    @property
    def limit(self) -> int:
        """Only values below this are looked for; the value of the best schedule once found."""

    @property
    def found(self) -> bool:
        """Whether a schedule of value `limit` was found since `begin`."""

    def root_bound(self) -> int:
        """Lower bound on every schedule's value."""

    def incumbent(self, orders: list[list[int]]) -> int:
        """Find the best list schedule of the given orders; return its value."""

    def improve(self, evaluations: int, target: int) -> int:
        """Look for better list schedules until `target` is met; return the best value."""

    def begin(self, limit: int) -> None:
        """Start to look for schedules of value below `limit`, from the root."""

    def run(self, nodes: int) -> bool:
        """Examine up to `nodes` more children; return whether the search is exhausted."""

    def schedule(self) -> list[int]:
        """Start of each job in the best schedule found."""


def searchable(part: Part) -> bool:
    """Whether the part is short enough to be searched round by round."""
    rounds = part.horizon + 2
    return rounds <= LONGEST_HORIZON and rounds * len(part.pending) <= LARGEST_STACK


def new_search(problem: Problem, engine: EngineName, *, makespan: bool) -> Engine:
    """Return a search by the named engine; raises InputError if that engine cannot do it."""
    if engine not in get_args(EngineName):
        raise InputError("engine", f"must be one of {', '.join(get_args(EngineName))}")
    tiny = engine == "auto" and len(problem.output) <= FEW
    if engine != "python" and not tiny:
        refusal = _refusal(problem)
        if refusal is None:
            compiled = importlib.import_module(".compiled", __package__)
            search: Engine = compiled.Search(problem, makespan=makespan)
            return search
        if engine == "compiled":
            raise InputError("engine", refusal)
    from . import plain  # noqa: PLC0415  (only when it is needed)

    return plain.Search(problem, makespan=makespan)


def _refusal(problem: Problem) -> str | None:
    """Why the compiled engine cannot be used, or None."""
    try:
        numba = importlib.import_module("numba")
    except ImportError:
        return "numba is not installed"
    if numba.config.DISABLE_JIT:
        return "numba is disabled"
    # The largest numbers formed: a weight times all rounds, and a sum of completions.
    rounds = problem.horizon + 2
    if max(problem.capacities) * rounds * 2 >= _SAFE or rounds * len(problem.output) >= _SAFE:
        return "64-bit integers could overflow"
    return None
