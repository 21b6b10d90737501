"""How an engine admits requests: queue rule, admission test, cap and memory convention.

These axes are independent of the priority (DESIGN.md section 6).  The papers' theorems speak of
`head` with `exact`; the other settings are what serving engines do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ..memory import PAPERS, Convention
from ..model import AttemptSchedule, InputError, Instance, Schedule, require_int

Queue = Literal["head", "skip"]
"""`head`: nobody passes the first that does not fit.  `skip`: whoever fits may start."""

Admission = Literal["exact", "peak", "prompt-only", "reserve"]
"""`exact`: in every round of its run the candidate fits beside the running requests.
`peak`: the sum of the peaks of the running requests and the candidate is at most M.
`reserve`: the same with a declared upper bound on each peak.
`prompt-only`: the candidate's first round fits now; a later overflow preempts with recompute.
A preempted request starts again from its prompt (paper 3's kill), which is harsher than an engine
that keeps the tokens and recomputes their cache only.
"""

Victim = Literal["lowest-priority", "latest"]
"""Whom `prompt-only` preempts on overflow: the last by (key, id), or the last by (start, key, id).
vLLM does the former under PRIORITY and the latter under FCFS.
"""

QUEUES: tuple[Queue, ...] = get_args(Queue)
ADMISSIONS: tuple[Admission, ...] = get_args(Admission)
VICTIMS: tuple[Victim, ...] = get_args(Victim)


@dataclass(frozen=True, slots=True)
class Rules:
    """The engine's settings; `max_running` is what engines call max_num_seqs (None: no cap).

    Raises InputError for an unknown word or a cap below 1.
    """

    queue: Queue = "head"
    admission: Admission = "exact"
    max_running: int | None = None
    convention: Convention = PAPERS
    victim: Victim = "lowest-priority"

    def __post_init__(self) -> None:
        _one_of("queue", self.queue, QUEUES)
        _one_of("admission", self.admission, ADMISSIONS)
        _one_of("victim", self.victim, VICTIMS)
        if self.max_running is not None:
            require_int(self.max_running, "max-running", 1)


def _one_of(field: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise InputError(field, f"must be one of {', '.join(allowed)}, got {value!r}")


PLAIN = Rules()
"""The rules that the papers' theorems speak of."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What a run did: its schedule and counts, and the static order that it followed.

    `keys[i]` belongs to `instance.requests[i]`; smaller goes first, ties by id; empty if the
    scheduler follows no static order.  `reserves` are
    the declared peaks under `reserve`.  `preemptions` counts kills, `wasted_rounds` the rounds of
    the killed attempts; `schedule` is an AttemptSchedule under `prompt-only` and for the policies
    of paper 3, whose `log` is the policy object that ran: what it recorded for the certificates.
    """

    instance: Instance
    rules: Rules
    keys: Sequence[int]
    schedule: Schedule | AttemptSchedule
    reserves: Sequence[int] | None = None
    preemptions: int = 0
    wasted_rounds: int = 0
    log: object = None

    def starts(self) -> dict[int, int]:
        """Return the start round of each request's completed run, by id."""
        if isinstance(self.schedule, Schedule):
            return dict(self.schedule.starts)
        return {run.request: run.start for run in self.schedule.attempts if run.completed}
