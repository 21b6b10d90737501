"""Whether a policy uses what it cannot know: equal prefixes of equal-looking instances.

Two instances with the same memory, ids, arrivals and prompts look alike until the first round after
which different sets have completed.  A non-clairvoyant policy decides the same in every round up to
that one (nonclairvoyant.md section 1, information rule); one that peeks at an output is caught.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...model import InputError, Instance
from ..views import non_clairvoyant
from .engine import Decision, KillPolicy, play_kills

MakePolicy = Callable[[Instance], KillPolicy]


@dataclass(frozen=True, slots=True)
class Leak:
    """A round in which the decisions differ although all that was visible before it is equal."""

    round: int
    first: Decision
    second: Decision


def first_leak(one: Instance, other: Instance, make: MakePolicy) -> Leak | None:
    """Run `make(instance)` on both; return the first difference that is a leak, None without one.

    Raises InputError if the instances differ in what is visible.
    """
    if _visible(one) != _visible(other):
        raise InputError("instances", "must differ in the outputs only")
    (first, done), (second, others_done) = _decisions(one, make), _decisions(other, make)
    divergence = _divergence(done, others_done)
    for now in sorted(first.keys() | second.keys()):
        if divergence is not None and now >= divergence:
            return None
        left, right = first.get(now, Decision()), second.get(now, Decision())
        if (list(left.starts), list(left.kills)) != (list(right.starts), list(right.kills)):
            return Leak(now, left, right)
    return None


def _visible(instance: Instance) -> object:
    return instance.memory, [non_clairvoyant(request) for request in instance.requests]


def _decisions(instance: Instance, make: MakePolicy) -> tuple[dict[int, Decision], dict[int, int]]:
    """What was decided in each round in which something starts or is killed; completions by id."""
    found: dict[int, Decision] = {}

    def watch(now: int, decision: Decision) -> None:
        if decision.starts or decision.kills:
            found[now] = decision

    run = play_kills(instance.requests, make(instance), watch)
    return found, run.completions


def _divergence(done: dict[int, int], others: dict[int, int]) -> int | None:
    """Return the first completion round that the runs do not share; the rounds before it agree.

    C = t + 1 for a request that completes in round t, so decisions of rounds < C saw the same.
    """
    return min((min(c, others[i]) for i, c in done.items() if c != others[i]), default=None)
