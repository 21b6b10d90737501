"""Runs a policy that may kill and restart, event by event: the round model of paper 3, section 2.

A policy is asked only when something happens (an arrival, a completion, an attempt that reached its
limit) or when it asked to be woken.  It sees `Report`s: ids, arrivals and prompts of what has
arrived, and which attempts ended.  No attribute of them holds an output; the engine alone knows
the outputs, so a policy learns one by completing the request.

An attempt of a request that has already completed is a *dummy* (paper 3, the black-box merge): the
engine reports its end as if it ran, and puts nothing into the batch and nothing into the schedule.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ...model import Attempt, AttemptSchedule, Request
from ..views import NonClairvoyantView, non_clairvoyant


class Start(NamedTuple):
    """Begin a fresh attempt now; kill it after `limit` rounds unless it completes by then."""

    request: int
    limit: int
    replica: int = 0


class Report(NamedTuple):
    """What happened since the last call; ids in ascending order.

    `completed`: the attempt ran as many rounds as the request has tokens (by the limit, if at the
    same time).  `expired`: it reached its limit first and lost its progress.
    """

    arrived: Sequence[NonClairvoyantView] = ()
    completed: Sequence[int] = ()
    expired: Sequence[int] = ()


class Decision(NamedTuple):
    """What to do in the round that begins now: first the kills, then the starts.

    `wake`: a later round in which to be asked even if nothing happens.
    """

    starts: Sequence[Start] = ()
    kills: Sequence[int] = ()
    wake: int | None = None


class KillPolicy(Protocol):
    """A scheduler with kills; one object serves one run."""

    def decide(self, now: int, report: Report, /) -> Decision:
        """Return what to do in round `now`.

        The last call reports the last completions; nothing is done any more.
        """
        ...


class PolicyError(AssertionError):
    """A policy broke the rules of the model, in one line: the round and what it did."""

    def __init__(self, now: int, text: str) -> None:
        self.round = now
        super().__init__(f"round {now}: {text}")


Watch = Callable[[int, Decision], None]


@dataclass(frozen=True, slots=True)
class KillRun:
    """The attempts of a run in the order in which they ended, and the replica of each.

    `completions` maps every id to its completion round; `decisions` counts calls of the policy.
    """

    schedule: AttemptSchedule
    replicas: Sequence[int]
    completions: dict[int, int]
    decisions: int

    @property
    def kills(self) -> int:
        """Number of killed attempts."""
        return sum(not attempt.completed for attempt in self.schedule.attempts)

    @property
    def wasted_rounds(self) -> int:
        """Rounds run by killed attempts."""
        return sum(attempt.rounds for attempt in self.schedule.attempts if not attempt.completed)

    @property
    def total_completion(self) -> int:
        """Sum of the completion rounds."""
        return sum(self.completions.values())


def play_kills(
    requests: Iterable[Request],
    policy: KillPolicy,
    watch: Watch | None = None,
    horizon: int | None = None,
) -> KillRun:
    """Run `policy` until every request has completed; the memory is the replay's to judge.

    `watch(round, decision)` sees every decision.  Raises PolicyError if the policy starts what has
    not arrived or already runs, kills what does not run, asks to be woken in the past, stops while
    requests are unfinished, or reaches round `horizon`.
    """
    return _Engine(requests, policy, watch, horizon).run()


_Active = tuple[int, int, bool, bool, int]
"""Start, end, whether it completes at the end, whether it is a dummy, replica: a plain tuple,
because an attempt costs little else."""


@dataclass(slots=True)
class _Ended:
    """The attempts of the result: plain tuples, which the garbage collector leaves alone."""

    attempts: list[tuple[int, int, int, bool]] = field(default_factory=list)
    replicas: list[int] = field(default_factory=list)


class _Engine:
    def __init__(
        self,
        requests: Iterable[Request],
        policy: KillPolicy,
        watch: Watch | None,
        horizon: int | None,
    ) -> None:
        ordered = sorted(requests, key=lambda r: (r.arrival, r.id), reverse=True)
        self.arriving = [(r.arrival, non_clairvoyant(r)) for r in ordered]
        self.outputs = {r.id: r.output for r in ordered}
        self.visible: set[int] = set()
        self.policy, self.watch, self.horizon = policy, watch, horizon
        self.running: dict[int, _Active] = {}
        self.ends: dict[int, list[int]] = {}  # round -> attempts that end there unless killed
        self.times: list[int] = []  # a heap of the keys of `ends`
        self.completions: dict[int, int] = {}
        self.ended = _Ended()
        self.decisions = 0

    def run(self) -> KillRun:
        now = 0
        while self.outputs:
            decision = self.policy.decide(now, self._report(now))
            if len(self.completions) == len(self.outputs):
                break
            self.decisions += 1
            if self.watch is not None:
                self.watch(now, decision)
            for request in decision.kills:
                self._kill(request, now)
            for start in decision.starts:
                self._start(start, now)
            now = self._next(now, decision.wake)
        schedule = AttemptSchedule(tuple(Attempt(*attempt) for attempt in self.ended.attempts))
        return KillRun(schedule, self.ended.replicas, self.completions, self.decisions)

    def _next(self, now: int, wake: int | None) -> int:
        """Return the next round in which something happens."""
        while self.times and not any(self._ends_at(self.times[0])):
            del self.ends[heapq.heappop(self.times)]
        times = [self.times[0]] if self.times else []
        if self.arriving:
            times.append(self.arriving[-1][0])
        if wake is not None:
            times.append(wake)
        if not times:
            raise PolicyError(now, f"nothing runs, {self._left()} requests are unfinished")
        after = min(times)
        if after <= now:
            raise PolicyError(now, f"asked to be woken in round {after}")
        if self.horizon is not None and after >= self.horizon:
            raise PolicyError(now, f"{self._left()} requests unfinished in round {self.horizon}")
        return after

    def _left(self) -> int:
        return len(self.outputs) - len(self.completions)

    def _ends_at(self, now: int) -> Iterator[bool]:
        """Say for each attempt that was to end in that round whether it still runs."""
        for request in self.ends[now]:
            active = self.running.get(request)
            yield active is not None and active[1] == now

    def _report(self, now: int) -> Report:
        completed: list[int] = []
        expired: list[int] = []
        if self.times and self.times[0] == now:
            running = self.running
            for request in sorted(self.ends.pop(heapq.heappop(self.times))):
                active = running.get(request)
                if active is None or active[1] != now:
                    continue  # killed, and perhaps started again
                del running[request]
                completes = active[2]
                (completed if completes else expired).append(request)
                if not active[3]:
                    self._record(request, active, now, completes)
        arrived: list[NonClairvoyantView] = []
        while self.arriving and self.arriving[-1][0] <= now:
            view = self.arriving.pop()[1]
            self.visible.add(view.id)
            arrived.append(view)
        return Report(arrived, completed, expired)

    def _record(self, request: int, active: _Active, now: int, completed: bool) -> None:
        start = active[0]
        self.ended.attempts.append((request, start, now - start, completed))
        self.ended.replicas.append(active[4])
        if completed:
            self.completions[request] = now

    def _kill(self, request: int, now: int) -> None:
        active = self.running.pop(request, None)
        if active is None or active[0] == now:
            raise PolicyError(now, f"kills request {request}, which does not run")
        if not active[3]:
            self._record(request, active, now, False)

    def _start(self, start: Start, now: int) -> None:
        request, limit, replica = start
        if request not in self.visible or request in self.running or limit < 1:
            raise PolicyError(now, f"cannot start request {request} for {limit} rounds")
        output = self.outputs[request]
        end = now + min(limit, output)
        dummy = request in self.completions
        self.running[request] = (now, end, output <= limit, dummy, replica)
        if end in self.ends:
            self.ends[end].append(request)
        else:
            self.ends[end] = [request]
            heapq.heappush(self.times, end)
