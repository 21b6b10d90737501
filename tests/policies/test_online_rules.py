"""The driver, causality of every rule, and the simple rules."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.model import InputError, Instance, Request
from evaluators.optimum import optimum
from evaluators.policies.online import (
    FcfsRule,
    RuleError,
    SerialRule,
    ShortestFirstRule,
    delayed_fifo,
    delayed_fifo_ratio,
    play,
)
from evaluators.replay import replay
from tests.policies.rule_cases import GENERAL, RULES, crowded, fits_for_good, play_every_round
from tests.strategies import instances

every_rule = pytest.mark.parametrize("name", RULES)


@every_rule
@given(instance=crowded())
@settings(max_examples=60, deadline=None)
def test_schedules_are_feasible_and_jumps_lose_nothing(name, instance):
    schedule = play(RULES[name], instance)
    assert replay(instance, schedule).feasible
    assert schedule.starts == play_every_round(RULES[name], instance)


@every_rule
@given(first=crowded(), second=crowded(), t=st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_the_future_changes_no_decision(name, first, second, t):
    known = [r for r in first.requests if r.arrival <= t]
    later = [
        Request(100 + r.id, t + 1 + r.arrival, 0, min(r.output, first.memory))
        for r in second.requests
    ]
    one = play(RULES[name], first).starts
    other = play(RULES[name], Instance.of(first.memory, [*known, *later])).starts
    for request in known:
        if min(one[request.id], other[request.id]) <= t:
            assert one[request.id] == other[request.id]


@pytest.mark.parametrize("name", GENERAL)
@given(instance=instances(min_n=1))
@settings(max_examples=60, deadline=None)
def test_proved_ratio_holds(name, instance):
    tel = replay(instance, play(RULES[name], instance)).tel
    assert tel <= GENERAL[name].at(len(instance)) * optimum(instance).value


@given(
    data=st.lists(st.tuples(st.integers(0, 12), st.integers(1, 8)), min_size=1, max_size=6),
    beta=st.sampled_from([Fraction(5, 8), Fraction(1), Fraction(1, 3)]),
)
@settings(max_examples=100, deadline=None)
def test_delayed_fifo_ratio_on_exclusive_instances(data, beta):
    memory = 20  # prompts of M/2 at least: no two requests fit together
    instance = Instance.from_triples(memory, [(a, 10, o) for a, o in data])
    tel = replay(instance, play(delayed_fifo(beta), instance)).tel
    assert tel <= delayed_fifo_ratio(beta).at(len(data)) * optimum(instance).value


@given(instance=crowded())
@settings(deadline=None)
def test_serial_is_the_chain(instance):
    free, chain = 0, {}
    for request in instance.requests:
        chain[request.id] = max(free, request.arrival)
        free = chain[request.id] + request.output
    assert play(SerialRule, instance).starts == chain


@given(instance=crowded())
@settings(deadline=None)
def test_fcfs_starts_each_head_in_its_first_fitting_round(instance):
    runs, t = [], 0
    for request in instance.requests:
        t = max(t, request.arrival)
        while not fits_for_good(instance.memory, runs, request, t):
            t += 1
        runs.append((request, t))
    assert play(FcfsRule, instance).starts == {request.id: b for request, b in runs}


def test_fcfs_starts_between_completions():
    # The first peaks at M: the second may run only once it has left.
    instance = Instance.from_triples(6, [(0, 1, 5), (0, 1, 3)])
    assert play(FcfsRule, instance).starts == {0: 0, 1: 5}
    # Started together they hold 9 in round 3; one round later the second holds only 3 there.
    instance = Instance.from_triples(8, [(0, 1, 4), (0, 0, 4)])
    assert play(FcfsRule, instance).starts == {0: 0, 1: 1}


def test_three_units_shortest_first_is_optimal():
    kinds = [(a, s, o) for a in range(4) for s, o in [(1, 1), (1, 2), (2, 1)]]
    for n in (1, 2, 3, 4):
        for triples in combinations_with_replacement(kinds, n):
            instance = Instance.from_triples(3, triples)
            tel = replay(instance, play(ShortestFirstRule, instance)).tel
            assert tel == optimum(instance, engine="python").value


class Stubborn:
    """Does as it is told by the test."""

    name = "stubborn"

    def __init__(self, chosen, wanted):
        self.chosen, self.wanted = chosen, wanted

    def decide(self, t, arrived):
        return self.chosen

    def next_decision(self, t):
        return self.wanted(t)


@pytest.mark.parametrize(
    ("chosen", "wanted", "message"),
    [
        ([], lambda t: None, "never starts 2 revealed"),
        ([], lambda t: t, "asks for a decision in the past"),
        ([7], lambda t: t + 1, "7 is not a revealed unstarted request"),
        ([0], lambda t: t + 1, "0 is not a revealed unstarted request"),
        ([2], lambda t: t + 1, "2 is not a revealed unstarted request"),
        ([], lambda t: t + 1, "without any start"),
    ],
)
def test_driver_refuses(chosen, wanted, message):
    late = [(99, 0, 1)] if chosen == [2] else []
    instance = Instance.from_triples(3, [(0, 0, 2), (0, 0, 2), *late])
    with pytest.raises(RuleError, match=message):
        play(lambda memory: Stubborn(chosen, wanted), instance, patience=50)


def test_driver_refuses_an_overflow():
    instance = Instance.from_triples(3, [(0, 0, 2), (0, 0, 2)])
    with pytest.raises(RuleError, match="round 1: holds 4 > memory 3"):
        play(lambda memory: Stubborn([0, 1], lambda t: None), instance)


def test_driver_accepts_nothing():
    assert play(SerialRule, Instance.of(3, [])).starts == {}


def test_beta_is_checked():
    with pytest.raises(InputError):
        delayed_fifo(Fraction(0))
    with pytest.raises(InputError):
        delayed_fifo_ratio(Fraction(3, 2))
    assert delayed_fifo_ratio(Fraction(5, 8)).slope == Fraction(5, 8)
