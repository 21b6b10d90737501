"""What `adversary` refuses: rules that are not causal, that never start, and wrong comparators."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluators.adversary import CausalityError, Comparator, StreamFamily, adversary
from evaluators.adversary.play import check_comparator
from evaluators.model import Schedule
from evaluators.policies.online import RuleError, SerialRule


class Clairvoyant:
    """Cheats: knows from a side channel whether anything will follow the long."""

    name = "clairvoyant"
    runs = 0

    def __init__(self, memory):
        type(self).runs += 1
        self.delay = 0 if type(self).runs == 1 else 3
        self.waiting, self.free = [], 0

    def decide(self, t, arrived):
        self.waiting += arrived
        if t < max(self.free, self.delay) or not self.waiting:
            return []
        self.free = t + self.waiting[0].output
        return [self.waiting.pop(0).id]

    def next_decision(self, t):
        return t + 1


class Never:
    name = "never"

    def __init__(self, memory):
        pass

    def decide(self, t, arrived):
        return []

    def next_decision(self, t):
        return None


def test_a_cheat_is_found_out():
    Clairvoyant.runs = 0
    with pytest.raises(CausalityError, match="0 starts in round 0 alone and in round 3"):
        adversary(Clairvoyant, StreamFamily.of(2, 10))


def test_a_rule_that_never_starts_the_long():
    with pytest.raises(RuleError, match="never: round 0: never starts 1"):
        adversary(Never, StreamFamily.of(2, 10))


def test_comparators_are_replayed():
    branch = StreamFamily.of(2, 5).branch(0, 1)
    good = branch.best
    with pytest.raises(ValueError, match="costs 10, the formula says 11"):
        check_comparator(branch, replace(good, tel=good.tel + 1))
    crowded = Comparator("crowded", Schedule(dict.fromkeys(range(3), 9)), 0)
    with pytest.raises(ValueError, match="branch early, comparator crowded"):
        check_comparator(branch, crowded)


def test_run_is_reproducible():
    family = StreamFamily.of(3, 9)
    one, two = adversary(SerialRule, family), adversary(SerialRule, family)
    assert one == two
    assert one.best.comparator.name == "shorts-first"
