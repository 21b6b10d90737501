"""The streams A1-A4: formulas against replay and the optimum, thresholds, the golden bound."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import pytest

from evaluators.adversary import StreamFamily
from evaluators.adversary.play import check_comparator
from evaluators.adversary.streams import (
    compare_golden,
    early_floor,
    golden_floor,
    late_floor,
    proved_stream_ratio,
    stream_factor,
    stream_factor_at,
    stream_floor,
    stream_holds,
    stream_pairs,
    stream_threshold,
)
from evaluators.model import InputError, Schedule
from evaluators.optimum import Commitment, optimum
from evaluators.replay import replay
from tests.adversary.adversary_cases import RULES, Held, check_run, pairwise_exclusive

QUARTER, HALF, THREE_FIFTHS = Fraction(1, 4), Fraction(1, 2), Fraction(3, 5)
SIZES = (2, 3, 4, 6, 9, 11, 21)
THRESHOLDS = {
    QUARTER: (1, 1, 1, 4, 6, 8, 16),
    HALF: (1, 6, 8, 15, 28, 36, 83),
    THREE_FIFTHS: (5, 9, 16, 34, 75, 107, 322),
}
SMALL = [(k, length) for k in (1, 2, 3) for length in (1, 2, 3, 5, 8)]


@pytest.mark.parametrize(("k", "length"), SMALL)
def test_branches_cost_what_the_formulas_say(k, length):
    family = StreamFamily.of(k, length)
    assert pairwise_exclusive(family.shape)
    for b in range(2 * length + 2):
        branches = family.answer({0: b})
        assert [branch.name for branch in branches] == ["early", "late"][: 1 + (b + 1 < length)]
        for branch in branches:
            for comparator in branch.comparators:
                check_comparator(branch, comparator)
            value = optimum(branch.instance).value
            assert value <= branch.best.tel
            if branch.name == "late":
                assert value == branch.best.tel == length + k
        assert branches[0].floor == early_floor(k, length, b)
        assert branches[-1].floor == (
            late_floor(k, length, b) if b < length else early_floor(k, length, b)
        )


@pytest.mark.parametrize(("k", "length"), SMALL)
def test_floor_is_the_best_continuation(k, length):
    for b in range(length + 2):
        for branch in StreamFamily.of(k, length).answer({0: b}):
            starts = {0: b} | {i: b + length + i - 1 for i in range(1, k + 1)}
            attained = replay(branch.instance, Schedule(starts))
            assert attained.feasible
            assert attained.tel == branch.floor
            committed = Commitment(branch.release, {0: b})
            assert optimum(branch.instance, commitment=committed).value == branch.floor


@pytest.mark.parametrize(("k", "length"), [*SMALL, (12, 60), (40, 200)])
def test_pairs_are_floors_and_comparators(k, length):
    family = StreamFamily.of(k, length)
    for b in [*range(min(length, 9)), length - 1, length, length + 3]:
        factors = [branch.factor for branch in family.answer({0: b})]
        # The family takes the best comparator; the pairs name those of the proofs.
        assert max(factors) >= stream_factor_at(k, length, b)
        assert stream_pairs(k, length, b)[0][0] == stream_floor(k, length, b, b + 1)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("k", "length"), [*SMALL, (1, 40), (4, 20), (10, 50), (10, 400)])
def test_every_rule_obeys(rule, k, length):
    run = check_run(rule, StreamFamily.of(k, length))
    assert run.ratio >= proved_stream_ratio(k, length)


@pytest.mark.parametrize("b", range(16))
def test_every_answer_is_punished(b):
    run = check_run(lambda memory: Held(memory, b, 10), StreamFamily.of(2, 10))
    assert run.opening.starts == {0: b}
    assert run.ratio >= Fraction(3, 2)


def test_larger_memory():
    family = StreamFamily.of(3, 15, memory=100)
    assert pairwise_exclusive(family.shape)
    assert check_run(RULES[1], family).ratio >= 2
    with pytest.raises(InputError):
        StreamFamily.of(3, 15, memory=15).opening()


def claims_hold(k, lengths):
    """A1, A2 and A3, every branch formula written out again, for every b."""
    n = k + 1
    for length in lengths:
        for b in range(2 * length + 4):
            pairs = [(b + n * length, b + length + 2 * k + 1 if b < length else length + k)]
            if b < length:
                pairs.append((length + n * b + k, length + k))
            assert any(4 * f >= min(n, length) * c for f, c in pairs)
            assert length < 5 * k or any(2 * f >= n * c for f, c in pairs)
            assert length < 39 * k + 10 or any(5 * f >= 3 * n * c for f, c in pairs)


@pytest.mark.parametrize("k", range(13))
def test_claims_for_every_b(k):
    claims_hold(k, range(1, 41))


@pytest.mark.slow
@pytest.mark.parametrize("k", range(41))
def test_claims_for_every_b_in_the_large_box(k):
    claims_hold(k, range(1, 130))
    if k < 12:
        claims_hold(k, range(39 * k + 5, 39 * k + 25))


@pytest.mark.parametrize(("k", "length"), [(k, m) for k in range(7) for m in (1, 2, 5, 11, 36)])
def test_factor_is_the_minimum_over_every_b(k, length):
    factor = stream_factor(k, length)
    assert factor == min(stream_factor_at(k, length, b) for b in range(3 * length + 3))
    assert factor >= proved_stream_ratio(k, length)
    assert stream_holds(k, length, factor)
    assert not stream_holds(k, length, factor + Fraction(1, 10**9))


@pytest.mark.parametrize("share", THRESHOLDS)
def test_sharp_thresholds(share):
    assert tuple(stream_threshold(n, share) for n in SIZES) == THRESHOLDS[share]


def test_threshold_needs_a_proved_share():
    with pytest.raises(KeyError):
        stream_threshold(5, Fraction(2, 3))


def test_golden_bound():
    assert compare_golden(4, Fraction(3)) == 0
    assert golden_floor(4, 7) == 3
    assert compare_golden(2, Fraction(-1)) == -1
    for n in (2, 3, 5, 6, 11, 41):
        low = golden_floor(n, 10**6)
        assert compare_golden(n, low) <= 0 < compare_golden(n, low + Fraction(1, 10**6))
        root = isqrt((5 * n * n - 4 * n) * 10**12)
        assert low == Fraction((2 - n) * 10**6 + root, 2 * 10**6) - Fraction(
            ((2 - n) * 10**6 + root) % 2, 2 * 10**6
        )
    shown = [golden_floor(n, 10000) for n in (2, 3, 5, 6, 11, 41)]
    assert [int(x * 1000) for x in shown] == [1732, 2372, 3623, 4244, 7342, 25889]


@pytest.mark.parametrize("n", [2, 3, 4, 6, 11])
def test_streams_approach_the_golden_bound_from_below(n):
    factors = [stream_factor(n - 1, length) for length in (20, 200, 2000)]
    assert factors == sorted(factors)
    assert all(compare_golden(n, factor) <= 0 for factor in factors)
    assert compare_golden(n, factors[-1] * Fraction(101, 100)) > 0
