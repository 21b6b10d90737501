"""Adversaries against one non-clairvoyant scheduler with kills, played and not only calculated.

A deterministic scheduler is watched while nobody completes; then outputs are fixed that agree with
all that it has seen.  What it does on the fixed instance is the engine's and the replay's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from ..model import Attempt, Instance, Request
from ..policies.nonclairvoyant.engine import KillPolicy, play_kills

Maker = Callable[[int, Iterable[Request]], KillPolicy]
"""From the memory and the requests to a policy; one that is not clairvoyant ignores outputs."""


def three_minus(make: Maker, n: int, first: int, size: int) -> tuple[str, Instance]:
    """Return the case and the instance of the bound 3 - 2/(n+1) - eps (n >= 3).

    Prompts are `size` = K and M = 2K, so that never two run at once.  Case A: in some round T of
    first..K-1 no attempt is carried over from the round before; then o = y + 1, y the longest
    attempt so far.  Case B: one attempt runs through all of them; then it needs K rounds and the
    others y + 1.  (second-reading-svf-nonclairvoyant.md section 4a.)
    """
    watched = Instance(2 * size, tuple(Request(i, 0, size, size) for i in range(n)))
    run = play_kills(watched.requests, make(watched.memory, watched.requests))
    attempts = [a for a in run.schedule.attempts if a.start < size]
    for now in range(first, size):
        if not any(a.start < now < a.start + a.rounds for a in attempts):
            longest = _longest(attempts, n, now)
            return "A", _with_outputs(watched, [y + 1 for y in longest])
    through = next(a for a in attempts if a.start < first and a.start + a.rounds >= size)
    longest = _longest([a for a in attempts if a.request != through.request], n, size)
    outputs = [size if i == through.request else y + 1 for i, y in enumerate(longest)]
    return "B", _with_outputs(watched, outputs)


def three_minus_bound(case: str, n: int, first: int, size: int) -> Fraction:
    """Return what the adversary forces: case A at T = first, its worst; case B with K = size."""
    if case == "A":
        return 1 + Fraction(2 * n * first, (n + 1) * (first + n))
    return Fraction(n * size, size + n * (first + n))


def _longest(attempts: Iterable[Attempt], n: int, now: int) -> list[int]:
    """Return for each request the longest attempt of the rounds before `now`."""
    longest = [0] * n
    for attempt in attempts:
        ran = min(attempt.rounds, now - attempt.start)
        longest[attempt.request] = max(longest[attempt.request], ran)
    return longest


def _with_outputs(instance: Instance, outputs: Iterable[int]) -> Instance:
    pairs = zip(instance.requests, outputs, strict=True)
    return Instance(instance.memory, tuple(Request(r.id, r.arrival, r.prompt, o) for r, o in pairs))


def last_to_start(make: Maker, m: int) -> Instance:
    """Return the instance on which the makespan is at least 2m - 1 and the least one m (m >= 2).

    m(m-1)+1 requests with s = m^2, M = m(s+m); outputs 1, but m for the request that is the last
    to receive a round (ties by id).
    """
    size, count = m * m, m * (m - 1) + 1
    watched = Instance(m * (size + m), tuple(Request(i, 0, size, 1) for i in range(count)))
    run = play_kills(watched.requests, make(watched.memory, watched.requests))
    first: dict[int, int] = {}
    for attempt in run.schedule.attempts:
        first[attempt.request] = min(attempt.start, first.get(attempt.request, attempt.start))
    last = max(first, key=lambda request: (first[request], request))
    return _with_outputs(watched, [m if i == last else 1 for i in range(count)])
