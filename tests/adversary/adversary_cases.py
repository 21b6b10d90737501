"""Shared by the adversary tests: rules beyond those of the package, and a check of one run."""

from __future__ import annotations

from fractions import Fraction

from evaluators.adversary import OneLong, adversary
from evaluators.policies.algorithm_e import algorithm_e
from evaluators.policies.main_filler import MainFillerRule
from evaluators.policies.online import FcfsRule, SerialRule, ShortestFirstRule, delayed_fifo

RULES = [
    SerialRule,
    FcfsRule,
    ShortestFirstRule,
    MainFillerRule,
    delayed_fifo(Fraction(5, 8)),
    delayed_fifo(Fraction(1, 9)),
    algorithm_e(Fraction(5, 8), 1),
    algorithm_e(Fraction(2, 3), 3),
]


class Held(ShortestFirstRule):
    """Holds the longest outputs back until a given round: any b is some causal rule's answer."""

    name = "held"

    def __init__(self, memory, until, output):
        super().__init__(memory)
        self.until, self.output = until, output

    def release(self, request):
        return max(request.arrival, self.until if request.output >= self.output else 0)


class Packer:
    """For outputs 1: fills every round greedily in a given order of sizes."""

    name = "packer"

    def __init__(self, memory, order):
        self.memory, self.order, self.waiting = memory, order, []

    def decide(self, t, arrived):
        self.waiting += arrived
        self.waiting.sort(key=lambda r: (self.order(r.prompt + 1), r.id))
        room, started, left = self.memory, [], []
        for r in self.waiting:
            if r.prompt + 1 <= room:
                room -= r.prompt + 1
                started.append(r.id)
            else:
                left.append(r)
        self.waiting = left
        return started

    def next_decision(self, t):
        return t + 1 if self.waiting else None


def check_run(factory, family):
    """Play, and recheck what the run says about itself."""
    run = adversary(factory, family)
    assert run.confirmed
    assert run.family == family.name
    for branch_run in run.runs:
        branch = branch_run.branch
        assert branch_run.tel >= branch.floor
        assert branch_run.ratio >= branch.factor
        assert branch.best.tel == min(c.tel for c in branch.comparators)
    assert run.ratio == max(r.ratio for r in run.runs) >= run.claim
    return run


def pairwise_exclusive(shape: OneLong) -> bool:
    short = shape.short_prompt + 1
    return shape.long_prompt + 1 + short > shape.memory and 2 * short > shape.memory
