"""Algorithm E: the choice of F against all subsets, the rule against a naive simulation."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.model import InputError, Instance, Request
from evaluators.optimum import optimum
from evaluators.policies.algorithm_e import (
    algorithm_e,
    algorithm_e_ratio,
    choose_block,
    largest_room,
)
from evaluators.policies.online import play
from evaluators.replay import replay
from tests.policies.rule_cases import crowded
from tests.strategies import instances


def key(q):
    return q.output, q.id


def admissible(memory, longest, block, rest):
    total = rest + sum(q.output for q in block)
    return total <= longest.output and all(
        longest.prompt + total + q.prompt + q.output <= memory for q in block
    )


def least_left_out(memory, longest, ripe, unfit, rest):
    """Try every subset; None if none with at most `unfit` left out is admissible."""
    for left_out in range(min(unfit, len(ripe)) + 1):
        for block in combinations(ripe, len(ripe) - left_out):
            if admissible(memory, longest, block, rest):
                return left_out
    return None


@st.composite
def pending(draw):
    """A capacity, the key-largest request J and some ripe smaller ones."""
    memory = draw(st.integers(6, 30))
    output = draw(st.integers(2, memory))
    longest = Request(99, 0, draw(st.integers(0, memory - output)), output)
    ripe = []
    for i in range(draw(st.integers(0, 7))):
        small = draw(st.integers(1, max(1, output // 3)))
        ripe.append(Request(i, 0, draw(st.integers(0, memory - small)), small))
    return memory, longest, sorted(ripe, key=key), draw(st.integers(1, 4))


@given(case=pending(), rest=st.integers(0, 6))
@settings(max_examples=400, deadline=None)
def test_finds_an_admissible_set_whenever_there_is_one(case, rest):
    memory, longest, ripe, unfit = case
    block = choose_block(memory, longest, ripe, unfit, rest)
    expected = least_left_out(memory, longest, ripe, unfit, rest)
    assert (block is None) == (expected is None)
    if block is not None:
        members = [q for q in ripe if q.id not in block.left_out]
        assert len(block.left_out) == expected
        assert admissible(memory, longest, members, rest)
        assert not admissible(memory, longest, members, block.room + 1)


@given(case=pending())
@settings(max_examples=200, deadline=None)
def test_largest_room_is_where_admissibility_ends(case):
    memory, longest, ripe, unfit = case
    room = largest_room(memory, longest, ripe, unfit)
    for rest in range(longest.output + 2):
        found = least_left_out(memory, longest, ripe, unfit, rest) is not None
        assert found == (rest <= room)


class Naive:
    """Round by round from tight-sharp.md section 3; shares only the choice among admissible F."""

    def __init__(self, instance, b0, unfit):
        self.instance, self.b0, self.unfit = instance, b0, unfit
        self.starts = {}
        self.reserved = {}
        self.main = None
        self.busy = 0
        self.superseded = 0

    def ripe(self, t):
        return sorted(
            (
                q
                for q in self.instance.requests
                if q.id not in self.starts
                and q.id not in self.reserved
                and q.arrival + ceil(self.b0 * q.output) <= t
            ),
            key=key,
        )

    def run(self):
        t = 0
        while len(self.starts) < len(self.instance):
            self.step(t)
            t += 1
        return self.starts

    def end(self):
        return self.starts[self.main.id] + self.main.output

    def step(self, t):
        revealed = [q for q in self.instance.requests if q.arrival <= t]
        if not revealed:
            return
        if self.main and self.end() == t:
            self.main = None
        longest = max(revealed, key=key)
        if longest in self.ripe(t) and self.busy <= t:
            self.first(t, longest)
        ripe = self.ripe(t)
        if self.main is None and ripe:
            self.main = ripe[0]
            self.starts[self.main.id] = t
        if longest not in self.ripe(t) and self.busy <= t and self.main:
            self.fill(t)
        for identifier, begin in list(self.reserved.items()):
            if begin == t:
                self.starts[identifier] = self.reserved.pop(identifier)

    def first(self, t, longest):
        memory = self.instance.memory
        others = [q for q in self.ripe(t) if q != longest]
        m = self.main
        rest = self.end() - t if m else 0
        if m and longest.prompt + rest + m.prompt + m.output > memory:
            return
        if least_left_out(memory, longest, others, self.unfit, rest) is None:
            return
        left_out = choose_block(memory, longest, others, self.unfit, rest).left_out
        self.superseded += m is not None
        self.main = longest
        self.starts[longest.id] = t
        self.busy = t + rest
        for q in others:
            if q.id not in left_out:
                self.reserved[q.id] = self.busy
                self.busy += q.output

    def fill(self, t):
        j, b = self.main, self.starts[self.main.id]
        for q in self.ripe(t):
            peak = j.prompt + (t - b + q.output) + q.prompt + q.output
            ends_in_time = t + q.output <= b + j.output
            if key(q) < key(j) and ends_in_time and peak <= self.instance.memory:
                self.starts[q.id] = t
                self.busy = t + q.output
                return


PARAMETERS = [(Fraction(5, 8), 1), (Fraction(2, 3), 2), (Fraction(89, 144), 3)]


@pytest.mark.parametrize(("b0", "unfit"), PARAMETERS)
@given(instance=crowded(max_n=14))
@settings(max_examples=120, deadline=None)
def test_equals_the_naive_simulation(instance, b0, unfit):
    assert play(algorithm_e(b0, unfit), instance).starts == Naive(instance, b0, unfit).run()


@given(instance=instances(min_n=1, max_n=7))
@settings(max_examples=80, deadline=None)
def test_ratio(instance):
    for b0, unfit in PARAMETERS:
        tel = replay(instance, play(algorithm_e(b0, unfit), instance)).tel
        bound = algorithm_e_ratio(b0, unfit).at(len(instance))
        assert tel <= bound * optimum(instance).value


def test_the_longest_supersedes_a_running_main():
    # The short main (ripe in 4) runs 4..9; J = (0; 0, 8) is ripe in 5 and supersedes it in 5.
    instance = Instance.from_triples(30, [(0, 0, 8), (0, 0, 6), (0, 1, 1)])
    naive = Naive(instance, Fraction(5, 8), 1)
    starts = naive.run()
    assert naive.superseded == 1
    assert starts == {0: 5, 1: 4, 2: 1}
    assert play(algorithm_e(Fraction(5, 8), 1), instance).starts == starts


def test_the_shrinking_rest_of_the_main_admits_the_longest_between_events():
    # J = (prompt 12, output 8) needs 12 + rest + 13 <= 28 to start beside m = (6, 7).
    # Both ripe in 5: with K = 1 the other may be left out, so J goes first at once.
    instance = Instance.from_triples(28, [(0, 12, 8), (0, 6, 7)])
    assert play(algorithm_e(Fraction(5, 8), 1), instance).starts == {0: 5, 1: 13}
    instance = Instance.from_triples(28, [(1, 12, 8), (0, 6, 7)])
    # m starts in 5; J is ripe in 6 with rest 6; admitted when the rest is 3: round 9.
    assert play(algorithm_e(Fraction(5, 8), 1), instance).starts == {0: 9, 1: 5}


def test_bound_of_the_text():
    assert algorithm_e_ratio().slope == Fraction(80, 123)
    assert algorithm_e_ratio().constant == 71
    two_thirds = Fraction(2, 3)
    slopes = [algorithm_e_ratio(Fraction(5, 8), k).slope for k in (9, 10)]
    assert slopes[0] == two_thirds > slopes[1]


@pytest.mark.parametrize(
    ("b0", "unfit"), [(Fraction(3, 5), 1), (Fraction(7, 10), 1), (Fraction(5, 8), 0)]
)
def test_parameters_are_checked(b0, unfit):
    with pytest.raises(InputError):
        algorithm_e(b0, unfit)
    with pytest.raises(InputError):
        algorithm_e_ratio(b0, unfit)
