"""The exact checker: whether a schedule is feasible, what it costs, and what breaks it.

`replay` judges starts or attempts with kills (paper 3) against an instance.  It names every
violation and loops over events, never over rounds.  All values are exact integers or fractions.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from .memory import PAPERS, Convention, Piece, Profile
from .model import Attempt, AttemptSchedule, Instance, Request, Schedule

Objective = Literal["tel", "total-completion", "makespan"]
"""The costs of a schedule that theorems bound and the optimum minimises."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule.  For `kind == "memory"` it covers the rounds `round`..`last_round`.

    Inside that stretch no request starts or ends, so the excess goes from `excess` to
    `last_excess` in equal steps (papers' convention); `request` is the one started last.
    """

    kind: str
    request: int
    message: str
    round: int | None = None
    excess: int | None = None
    last_round: int | None = None
    last_excess: int | None = None
    active: int | None = None


@dataclass(frozen=True)
class Replay:
    """What a schedule does: violations, completions (by id) and the costs that follow.

    Costs count the requests that complete; with a violation of kind "missing" they are partial.
    """

    instance: Instance
    violations: tuple[Violation, ...]
    completions: dict[int, int]
    profile: Profile

    @property
    def feasible(self) -> bool:
        """Whether nothing is violated."""
        return not self.violations

    @cached_property
    def latencies(self) -> list[int]:
        """Sorted end-to-end latencies C - a (rounds)."""
        done = self.completions
        return sorted(done[r.id] - r.arrival for r in self.instance.requests if r.id in done)

    @property
    def tel(self) -> int:
        """Total end-to-end latency, the sum of C - a (paper 1)."""
        done = self.completions
        arrived = sum(r.arrival for r in self.instance.requests if r.id in done)
        return self.total_completion - arrived

    @property
    def total_completion(self) -> int:
        """Total completion time, the sum of C (paper 3)."""
        return sum(self.completions.values())

    @property
    def makespan(self) -> int:
        """Last completion max C; 0 without requests."""
        return max(self.completions.values(), default=0)

    @cached_property
    def peak(self) -> int:
        """Largest occupancy over all rounds (units)."""
        return self.profile.peak()[0]

    @property
    def mean_latency(self) -> Fraction:
        """TEL / n; 0 without requests."""
        return Fraction(self.tel, max(1, len(self.completions)))

    @property
    def p95_latency(self) -> int:
        """Element ceil(0.95 n) of the sorted latencies (DESIGN.md section 1); 0 without any."""
        rank = -(-95 * len(self.latencies) // 100)
        return self.latencies[rank - 1] if rank else 0

    def per_token_latency(self) -> dict[int, Fraction]:
        """(C - a)/o of each completed request, by id."""
        return {
            r.id: Fraction(self.completions[r.id] - r.arrival, r.output)
            for r in self.instance.requests
            if r.id in self.completions
        }

    def occupancy(self, t: int) -> int:
        """Units held in round t."""
        return self.profile.at(t)


def replay(
    instance: Instance,
    schedule: Schedule | AttemptSchedule,
    convention: Convention = PAPERS,
) -> Replay:
    """Check a schedule exactly and return its costs and every violation, in a fixed order.

    Rules: each request completes exactly once and none is invented; no attempt begins before
    the arrival; a completed attempt lasts exactly o rounds, a killed one 1..o-1 rounds; attempts
    of one request do not overlap and none follows its completion; in every round at most M units
    are held.  O(n log n) in the number of attempts.
    """
    if isinstance(schedule, Schedule):
        violations, runs = _judge_starts(instance, schedule)
        completions = dict(zip(runs.requests, runs.ends, strict=True))
    else:
        violations, runs, completions = _judge_attempts(instance, schedule)
    violations += _early(runs)
    profile = Profile(runs.starts, runs.ends, runs.prompts, convention)
    violations += _memory(profile, instance.memory, runs)
    return Replay(instance, tuple(violations), completions, profile)


@dataclass(slots=True)
class _Runs:
    """Runs as columns (a million of them fit), each active in rounds start..end-1."""

    requests: list[int]
    arrivals: list[int]
    prompts: list[int]
    starts: list[int]
    ends: list[int]


def _judge_starts(instance: Instance, schedule: Schedule) -> tuple[list[Violation], _Runs]:
    begun = schedule.starts
    requests: Sequence[Request] = instance.requests
    violations: list[Violation] = []
    if len(begun) != len(requests) or any(r.id not in begun for r in requests):
        known = {request.id for request in requests}
        violations = [_unknown(i) for i in sorted(begun.keys() - known)]
        violations += _missing(instance, begun)
        requests = [request for request in requests if request.id in begun]
    starts = [begun[request.id] for request in requests]
    runs = _Runs(
        [request.id for request in requests],
        [request.arrival for request in requests],
        [request.prompt for request in requests],
        starts,
        [b + request.output for b, request in zip(starts, requests, strict=True)],
    )
    return violations, runs


def _unknown(identifier: int) -> Violation:
    return Violation("unknown", identifier, f"request {identifier} is not in the instance")


def _missing(instance: Instance, done: Mapping[int, int]) -> Iterator[Violation]:

    for request in instance.requests:
        if request.id not in done:
            yield Violation("missing", request.id, f"request {request.id} never completes")


def _early(runs: _Runs) -> Iterator[Violation]:
    for request, start, arrival in zip(runs.requests, runs.starts, runs.arrivals, strict=True):
        if start < arrival:
            text = f"request {request} starts in round {start}, before its arrival {arrival}"
            yield Violation("before-arrival", request, text, round=start)


def _judge_attempts(
    instance: Instance, schedule: AttemptSchedule
) -> tuple[list[Violation], _Runs, dict[int, int]]:
    """Violations of the attempt rules, the runs of known requests, and completions by id."""
    by_id = {request.id: request for request in instance.requests}
    violations: list[Violation] = []
    runs: list[Attempt] = []
    completions: dict[int, int] = {}
    for identifier, group in sorted(schedule.by_request().items()):
        if identifier not in by_id:
            violations.append(_unknown(identifier))
            continue
        for run in group:
            violations += _length(run, by_id[identifier].output)
            if identifier in completions:
                violations.append(_again(run))
            elif run.completed:
                completions[identifier] = run.end
        runs += [run for run in group if run.rounds >= 1]
    for first, second in schedule.overlaps():
        text = f"request {first.request} has two attempts active in round {second.start}"
        violations.append(Violation("overlap", first.request, text, round=second.start))
    columns = _Runs(
        [run.request for run in runs],
        [by_id[run.request].arrival for run in runs],
        [by_id[run.request].prompt for run in runs],
        [run.start for run in runs],
        [run.end for run in runs],
    )
    return [*violations, *_missing(instance, completions)], columns, completions


def _length(run: Attempt, output: int) -> Iterator[Violation]:
    allowed = run.rounds == output if run.completed else 1 <= run.rounds < output
    if not allowed:
        rule = f"exactly {output}" if run.completed else f"1..{output - 1}"
        word = "completed" if run.completed else "killed"
        text = f"request {run.request}: a {word} attempt runs {rule} rounds, not {run.rounds}"
        yield Violation("length", run.request, text, round=run.start)


def _again(run: Attempt) -> Violation:
    text = f"request {run.request} starts again in round {run.start} after it has completed"
    return Violation("after-completion", run.request, text, round=run.start)


def _memory(profile: Profile, memory: int, runs: _Runs) -> Iterator[Violation]:
    pieces = profile.overfull(memory)
    for piece, last_started in zip(pieces, _last_started(pieces, runs), strict=True):
        yield Violation(
            "memory",
            last_started,
            f"rounds {piece.first}..{piece.last} hold up to {piece.held_last} > {memory}, "
            f"{piece.active} active, request {last_started} started last",
            round=piece.first,
            excess=piece.held_first - memory,
            last_round=piece.last,
            last_excess=piece.held_last - memory,
            active=piece.active,
        )


def _last_started(pieces: list[Piece], runs: _Runs) -> Iterator[int]:
    """For each piece, in order of time, the active request with the largest (start, id)."""
    waiting = sorted(zip(runs.starts, runs.requests, runs.ends, strict=True), reverse=True)
    started: list[tuple[int, int, int]] = []
    for piece in pieces:
        while waiting and waiting[-1][0] <= piece.first:
            start, request, end = waiting.pop()
            heapq.heappush(started, (-start, -request, end))
        while started[0][2] <= piece.first:
            heapq.heappop(started)
        yield -started[0][1]
