"""What the optimum is asked for, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..replay import Objective

Established = Literal[
    "root bound met",
    "search exhausted",
    "node limit",
    "time limit",
    "horizon too long for the search",
]


@dataclass(frozen=True, slots=True)
class Commitment:
    """Decisions made before round `now`: `starts[id]` < now; the rest starts from `now` on."""

    now: int
    starts: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Optimum:
    """A proved interval for the least objective value, and the best schedule found.

    `lower` <= optimum <= `upper` = the value of `starts` (rounds; for TEL and total completion
    summed over the requests).  `optimal` says that both agree.  `starts` maps every id to the
    start of its completed attempt, `killed` names the requests killed at the commitment's `now`.
    `nodes` counts the children examined, `root_lower` is the bound before any search, and
    `established` says how the search ended.
    """

    objective: Objective
    lower: int
    upper: int
    starts: dict[int, int]
    killed: tuple[int, ...]
    nodes: int
    root_lower: int
    established: Established

    @property
    def value(self) -> int:
        """The best value found, equal to the optimum if `optimal`."""
        return self.upper

    @property
    def optimal(self) -> bool:
        """Whether `value` is proved to be the optimum."""
        return self.lower == self.upper
