"""Main + filler against a naive simulation written from tight-sharp.md section 1, and its ratio."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from evaluators.model import Instance
from evaluators.optimum import optimum
from evaluators.policies.main_filler import MAIN_FILLER_RATIO, MainFillerRule
from evaluators.policies.online import play
from evaluators.replay import replay
from tests.policies.rule_cases import crowded
from tests.strategies import instances


def naive(instance):
    """Round by round: tracks are (request, start) pairs, everything recomputed each time."""
    starts = {}
    main = filler = None
    t = 0
    while len(starts) < len(instance):
        if main and main[1] + main[0].output == t:
            main = None
        if filler and filler[1] + filler[0].output == t:
            filler = None
        ripe = [
            q
            for q in instance.requests
            if q.id not in starts and 2 * (t - q.arrival) >= q.output and q.arrival <= t
        ]
        ripe.sort(key=lambda q: (q.output, q.id))
        if main is None and ripe:
            main = ripe.pop(0), t
            starts[main[0].id] = t
        if main and filler is None:
            j, b = main
            fitting = [
                q
                for q in ripe
                if (q.output, q.id) < (j.output, j.id)
                and t + q.output <= b + j.output
                and j.prompt + (t - b + q.output) + q.prompt + q.output <= instance.memory
            ]
            if fitting:
                filler = fitting[0], t
                starts[filler[0].id] = t
        t += 1
    return starts


@given(instance=crowded())
@settings(max_examples=200, deadline=None)
def test_equals_the_naive_simulation(instance):
    assert play(MainFillerRule, instance).starts == naive(instance)


@given(instance=instances(min_n=1, max_n=7))
@settings(max_examples=150, deadline=None)
def test_three_tel_at_most_two_n_plus_nine_opt(instance):
    tel = replay(instance, play(MainFillerRule, instance)).tel
    assert 3 * tel <= (2 * len(instance) + 9) * optimum(instance).value


def test_ratio_is_the_one_of_the_paper():
    assert [3 * MAIN_FILLER_RATIO.at(n) for n in (1, 10, 100)] == [11, 29, 209]


def test_a_filler_is_below_the_main_and_ends_with_it():
    # Ripe in 1: id 1 is the main; id 0 is larger, id 2 equals it in output but not in key.
    instance = Instance.from_triples(20, [(0, 1, 4), (0, 1, 1), (0, 1, 1)])
    assert play(MainFillerRule, instance).starts == {0: 3, 1: 1, 2: 2}
    # Under the long main (5..14) the shorts, ripe in 6 and 7, run one after the other.
    instance = Instance.from_triples(20, [(0, 1, 10), (5, 1, 2), (5, 1, 3)])
    assert play(MainFillerRule, instance).starts == {0: 5, 1: 6, 2: 8}


@pytest.mark.slow
@given(instance=instances(min_n=6, max_n=8, span=12, max_memory=16))
@settings(max_examples=600, deadline=None)
def test_ratio_with_more_requests(instance):
    tel = replay(instance, play(MainFillerRule, instance)).tel
    assert 3 * tel <= (2 * len(instance) + 9) * optimum(instance).value
