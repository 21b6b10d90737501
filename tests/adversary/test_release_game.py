"""The exact game: the table of tight.md section 4, a game tree without pruning, its OPT routine."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

import pytest
from hypothesis import given, settings

from evaluators.adversary import game_value
from evaluators.adversary.game import TABLE, Costs, size_types
from evaluators.adversary.streams import stream_factor
from evaluators.model import InputError, Instance, Request, Schedule
from evaluators.optimum import Commitment, optimum
from evaluators.policies.online import play
from evaluators.replay import replay
from tests.policies.rule_cases import RULES
from tests.strategies import instances

LONG_TABLE = {
    (2, 14, 14): Fraction(27, 17),
    (2, 16, 16): Fraction(34, 21),
    (3, 6, 8): Fraction(16, 9),
    (3, 7, 6): Fraction(20, 11),
    (4, 4, 8): Fraction(3, 2),
    (4, 5, 4): Fraction(17, 11),
    (5, 4, 4): Fraction(3, 2),
    (6, 3, 5): Fraction(1),
    (6, 4, 3): Fraction(20, 13),
}
QUICK = [box for box in TABLE if box[0] * box[1] <= 16]


@pytest.mark.parametrize("box", QUICK)
def test_table(box):
    assert game_value(*box).value == TABLE[box]


@pytest.mark.slow
@pytest.mark.parametrize("box", [*(box for box in TABLE if box not in QUICK), *LONG_TABLE])
def test_larger_table(box):
    assert game_value(*box).value == {**TABLE, **LONG_TABLE}[box]


def naive_value(n, memory, horizon):
    """Minimax with neither bounds nor merging of positions; leaves by `evaluators.optimum`."""
    types = size_types(memory)

    def release(t, requests, starts):
        left = n - len(requests)
        counts = [left] if t == horizon else range(0 if requests else 1, left + 1)
        values = []
        for count in counts:
            for sizes in combinations_with_replacement(types, count):
                new = [Request(len(requests) + i, t, s, o) for i, (s, o) in enumerate(sizes)]
                values.append(answer(t, requests + new, starts))
        return max(values)

    def answer(t, requests, starts):
        instance = Instance.of(memory, requests)
        if len(requests) == n:
            least = optimum(instance, commitment=Commitment(t, starts), engine="python").value
            return Fraction(least, optimum(instance, engine="python").value)
        waiting = [r.id for r in requests if r.id not in starts]
        values = []
        for choice in range(2 ** len(waiting)):
            chosen = {i: t for bit, i in enumerate(waiting) if choice >> bit & 1}
            begun = [r for r in requests if r.id in starts or r.id in chosen]
            if replay(Instance.of(memory, begun), Schedule(starts | chosen)).feasible:
                values.append(release(t + 1, requests, starts | chosen))
        return min(values)

    return release(0, [], {})


@pytest.mark.parametrize("box", [(1, 4, 2), (2, 3, 3), (2, 4, 3), (2, 5, 2), (3, 3, 2)])
def test_equals_plain_minimax(box):
    assert game_value(*box).value == naive_value(*box)


@given(instance=instances(max_n=6))
@settings(max_examples=150, deadline=None)
def test_costs_are_the_optimum(instance):
    costs = Costs(instance.memory)
    requests = tuple(sorted((r.arrival, r.prompt, r.output) for r in instance.requests))
    assert costs.optimum(requests) == optimum(instance).value


def test_value_grows_with_the_horizon():
    values = [game_value(3, 4, horizon).value for horizon in range(6)]
    assert values == sorted(values)
    assert values[0] == 1
    values = [game_value(2, 6, horizon).value for horizon in range(9)]
    assert values == sorted(values)


@pytest.mark.parametrize("memory", [4, 6, 8])
def test_game_is_at_least_the_exclusive_family(memory):
    assert game_value(2, memory, memory).value >= stream_factor(1, memory - 1)


@pytest.mark.parametrize("name", ["serial", "fcfs", "main-filler", "e1"])
def test_every_rule_is_as_bad_as_the_game_says(name):
    # Over the whole box of two requests a causal rule's worst ratio is at least the game's value.
    memory, horizon = 5, 4
    worst = Fraction(0)
    for s1, o1 in size_types(memory):
        for s2, o2 in size_types(memory):
            for a in range(horizon + 1):
                instance = Instance.from_triples(memory, [(0, s1, o1), (a, s2, o2)])
                tel = replay(instance, play(RULES[name], instance)).tel
                worst = max(worst, Fraction(tel, optimum(instance, engine="python").value))
    assert worst >= game_value(2, memory, horizon).value


def test_search_counts():
    result = game_value(2, 4, 8)
    assert (result.requests, result.memory, result.horizon) == (2, 4, 8)
    assert result.leaves > 0
    assert result.nodes > 0


def test_parameters_are_checked():
    for box in ((0, 3, 1), (2, 1, 1), (2, 3, -1)):
        with pytest.raises(InputError):
            game_value(*box)
