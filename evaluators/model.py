"""Requests, instances and schedules: the one convention of DESIGN.md section 1.

Time is discrete.  A request (id, arrival a, prompt s, output o) that starts in round b >= a is
active in rounds b, ..., b+o-1, holds s+1, ..., s+o units of memory there, and completes at b+o.
Everything is an exact Python integer.  This is the bottom module: it imports nothing of ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise


class InputError(ValueError):
    """Malformed input, in one line: where (file), what (field), and the rule that it breaks."""

    def __init__(self, field: str, rule: str, source: str = "") -> None:
        self.field = field
        self.rule = rule
        self.source = source
        super().__init__(": ".join(part for part in (source, field, rule) if part))

    def at(self, source: str) -> InputError:
        """Return the same error with the name of the file in which it was found."""
        return InputError(self.field, self.rule, source)


def require_int(value: object, field: str, minimum: int) -> int:
    """Return `value` if it is an integer (no boolean) >= `minimum`; else raise InputError."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InputError(field, f"must be an integer, got {type(value).__name__}")
    if value < minimum:
        raise InputError(field, f"must be an integer >= {minimum}, got {value}")
    return value


@dataclass(frozen=True, slots=True)
class Request:
    """One request: distinct `id`, `arrival` >= 0 (round), `prompt` >= 0, `output` >= 1 (tokens)."""

    id: int
    arrival: int
    prompt: int
    output: int

    @property
    def peak(self) -> int:
        """Memory held in the last round, s + o (units)."""
        return self.prompt + self.output

    @property
    def volume2(self) -> int:
        """Twice the memory-time area: 2v = 2so + o(o+1), an integer (paper 2, equation 1)."""
        return self.output * (2 * self.prompt + self.output + 1)

    @property
    def volume(self) -> int:
        """Memory-time area v = so + o(o+1)/2, an integer (paper 2, equation 1)."""
        return self.volume2 // 2

    def check(self, field: str = "request") -> Request:
        """Return the request; raise InputError naming the first field that is out of range."""
        require_int(self.id, f"{field}.id", 0)
        require_int(self.arrival, f"{field}.arrival", 0)
        require_int(self.prompt, f"{field}.prompt", 0)
        require_int(self.output, f"{field}.output", 1)
        return self


@dataclass(frozen=True, slots=True)
class Instance:
    """A memory capacity M >= 1 and requests sorted by (arrival, id), each with s + o <= M.

    Build it with `Instance.of`, which sorts and checks; the constructor trusts its arguments.
    """

    memory: int
    requests: tuple[Request, ...]

    @classmethod
    def of(cls, memory: int, requests: Iterable[Request]) -> Instance:
        """Check the fields, the ids and s + o <= M, sort by (arrival, id); raises InputError."""
        require_int(memory, "memory", 1)
        given = list(requests)
        for index, request in enumerate(given):
            request.check(f"requests[{index}]")
        reject_duplicates("requests", [request.id for request in given])
        reject_oversized(memory, given)
        return cls(memory, tuple(sorted(given, key=lambda r: (r.arrival, r.id))))

    @classmethod
    def from_triples(cls, memory: int, triples: Iterable[tuple[int, int, int]]) -> Instance:
        """Build an instance from (arrival, prompt, output) triples; ids are their positions."""
        return cls.of(memory, [Request(i, a, s, o) for i, (a, s, o) in enumerate(triples)])

    def __len__(self) -> int:
        return len(self.requests)

    @property
    def total_output(self) -> int:
        """Sum of the output lengths (rounds), P in the papers."""
        return sum(request.output for request in self.requests)

    @property
    def total_arrival(self) -> int:
        """Sum of the arrival rounds; total completion time = TEL + this."""
        return sum(request.arrival for request in self.requests)

    @property
    def is_burst(self) -> bool:
        """Whether every request arrives in round 0."""
        return all(request.arrival == 0 for request in self.requests)


def reject_duplicates(field: str, ids: list[int]) -> None:
    """Raise InputError if an id occurs twice, naming the first such id and its position."""
    if len(set(ids)) == len(ids):
        return
    seen: set[int] = set()
    for index, identifier in enumerate(ids):
        if identifier in seen:
            rule = f"ids must be distinct, {identifier} is repeated"
            raise InputError(f"{field}[{index}].id", rule)
        seen.add(identifier)


def oversized(memory: int, requests: Iterable[Request]) -> list[Request]:
    """Return the requests that can never run alone: s + o > M."""
    return [request for request in requests if request.prompt + request.output > memory]


def reject_oversized(memory: int, requests: list[Request]) -> None:
    """Raise InputError if some request has s + o > M, with a count and the first example."""
    too_large = oversized(memory, requests)
    if too_large:
        first = too_large[0]
        index = requests.index(first)
        raise InputError(
            f"requests[{index}]",
            f"must have prompt + output <= memory, got id {first.id} with {first.prompt} + "
            f"{first.output} > {memory} ({len(too_large)} of {len(requests)} requests too large)",
        )


@dataclass(frozen=True, slots=True)
class Schedule:
    """Start rounds without kills: `starts[id]` is the round b in which the request starts."""

    starts: Mapping[int, int]

    def attempts(self, instance: Instance) -> AttemptSchedule:
        """Return the same schedule as completed attempts, for the requests of `instance`."""
        return AttemptSchedule(
            tuple(
                Attempt(r.id, self.starts[r.id], r.output, True)
                for r in instance.requests
                if r.id in self.starts
            )
        )


@dataclass(frozen=True, slots=True)
class Attempt:
    """One run of a request (paper 3): started in round `start`, active for `rounds` rounds.

    A completed attempt has `rounds` = output; a killed one has fewer and loses its progress.
    """

    request: int
    start: int
    rounds: int
    completed: bool

    @property
    def end(self) -> int:
        """First round in which the attempt holds nothing any more."""
        return self.start + self.rounds


@dataclass(frozen=True, slots=True)
class AttemptSchedule:
    """A schedule with kills: attempts in any order (paper 3, section 2)."""

    attempts: tuple[Attempt, ...]

    def by_request(self) -> dict[int, list[Attempt]]:
        """Return each request's attempts in order of their start."""
        groups: dict[int, list[Attempt]] = {}
        for attempt in sorted(self.attempts, key=lambda x: (x.start, x.request, x.rounds)):
            groups.setdefault(attempt.request, []).append(attempt)
        return groups

    def overlaps(self) -> list[tuple[Attempt, Attempt]]:
        """Return the pairs of consecutive attempts of one request that share a round."""
        return [
            (first, second)
            for group in self.by_request().values()
            for first, second in pairwise(group)
            if second.start < first.end
        ]
