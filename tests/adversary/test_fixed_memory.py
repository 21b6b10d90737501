"""The family of tight-sharp.md section 5: sizes, costs, lags, and every rule's ratio >= N/10."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from evaluators.adversary import FixedMemoryFamily
from evaluators.adversary.fixed_memory import Sizes
from evaluators.adversary.play import check_comparator
from evaluators.model import InputError
from evaluators.optimum import optimum
from tests.adversary.adversary_cases import RULES, Packer, check_run

MEMORIES = (7, 8, 9, 10, 11, 16, 30)
ORDERS = {
    "large-first": lambda size: -size,
    "small-first": lambda size: size,
    "middle-first": lambda size: abs(size - 3),
}


def packer(order):
    return lambda memory: Packer(memory, ORDERS[order])


@pytest.mark.parametrize("memory", [7, *range(9, 400)])
def test_sizes(memory):
    z = Sizes.of(memory)
    assert z.c + z.x == z.d + z.y == memory
    assert 3 * z.x <= memory < 4 * z.x
    assert 2 * z.y <= memory < 3 * z.y
    assert z.y > z.x
    assert 2 * z.x > z.y
    for too_much in (2 * z.y + z.x, 2 * z.c, 2 * z.d, z.c + z.y, z.d + 2 * z.x, z.d + z.x + z.y):
        assert too_much > memory


def test_sizes_of_the_text():
    assert Sizes.of(7) == Sizes(2, 3, 5, 4, 3)
    assert Sizes.of(8) == Sizes(2, 3, 6, 5, 4)
    with pytest.raises(InputError):
        Sizes.of(6)


@pytest.mark.parametrize("memory", MEMORIES)
def test_a_round_holds_what_the_proof_says(memory):
    z = Sizes.of(memory)
    rounds = [(i, j) for i, j in product(range(6), repeat=2) if i * z.x + j * z.y <= memory]
    if memory == 8:
        assert max(j + 2 * (i + j) for i, j in rounds) == 8
    else:
        assert max(j + (i + j) for i, j in rounds) == 4
    assert max(j for _, j in rounds) == 2
    assert max(i + j for i, j in rounds) == z.per_round


@pytest.mark.parametrize("memory", MEMORIES)
@pytest.mark.parametrize("scale", [1, 2, 3, 7])
def test_comparators(memory, scale):
    family = FixedMemoryFamily.of(memory, scale)
    n = scale
    branches = [family.branch_c(Fraction(n, 5)), family.branch_d(Fraction(n, 5))]
    for branch in branches:
        check_comparator(branch, branch.best)
        assert len(branch.instance) == family.requests
        assert branch.release == n
        assert {r.output for r in branch.instance.requests} == {1}
        assert min(r.prompt for r in branch.instance.requests) >= 1
    if memory == 8:
        assert family.requests == 50 * n * n + 10 * n
        assert (family.cost_c(), family.cost_d()) == (21 * n * n + 5 * n, 8 * n * n + 4 * n)
        assert max(family.cost_c(), family.cost_d()) <= 50 * n * n
    else:
        assert family.requests == 17 * n * n + 8 * n
        assert (family.cost_c(), 2 * family.cost_d()) == (13 * n * n + 4 * n, 15 * n * n + 7 * n)
    assert family.claim() >= Fraction(n, 10)
    # Both branches force the claim, by the lag N/5 alone.
    for branch in branches:
        assert Fraction(branch.floor, branch.best.tel) >= family.claim()


@pytest.mark.parametrize("memory", range(7, 17))
@pytest.mark.parametrize("scale", [1, 3, 5, 10])
def test_one_lag_is_a_fifth_whatever_is_done(memory, scale):
    assert FixedMemoryFamily.of(memory, scale).worst_lag() >= Fraction(scale, 5)


def test_worst_lag_over_every_first_phase():
    family = FixedMemoryFamily.of(7, 2)
    z = family.sizes
    rounds = [(i, j) for i in range(4) for j in range(3) if i * z.x + j * z.y <= 7]
    lags = [
        family.lag_of(min(4, a[1] + b[1]), min(6, a[0] + b[0]) + min(4, a[1] + b[1]))
        for a, b in product(rounds, repeat=2)
    ]
    assert min(max(lag.c, lag.d) for lag in lags) == family.worst_lag() == Fraction(1, 2)


@pytest.mark.parametrize("rule", [*RULES, *map(packer, ORDERS)])
@pytest.mark.parametrize("memory", [7, 8, 9, 11])
def test_every_rule_obeys(rule, memory):
    check_run(rule, FixedMemoryFamily.of(memory, 4))


def test_both_branches_are_used():
    used = {
        check_run(packer(order), FixedMemoryFamily.of(7, 6)).best.branch.name for order in ORDERS
    }
    assert used == {"C", "D"}


@pytest.mark.parametrize("order", ORDERS)
def test_lag_accounting(order):
    family = FixedMemoryFamily.of(7, 10)
    run = check_run(packer(order), family)
    lag = family.lag(run.opening.starts)
    done = [r for r in family.opening().requests if run.opening.starts[r.id] < 10]
    assert lag.done == len(done)
    assert lag.y_done == sum(1 for r in done if r.prompt + 1 == family.sizes.y)
    assert 2 * lag.c + 3 * lag.d >= family.scale
    assert run.claim >= 1
    # In every round of the stream at least lag + 1 requests are unfinished.
    branch, starts = run.best.branch, run.best.schedule.starts
    stream = [r.arrival for r in branch.instance.requests if r.prompt + 1 == 7]
    behind = lag.c if branch.name == "C" else lag.d
    for t in stream:
        open_now = [r for r in branch.instance.requests if r.arrival <= t <= starts[r.id]]
        assert len(open_now) >= behind + 1


@pytest.mark.slow
def test_smallest_branches_against_the_optimum():
    for memory in (7, 8):
        family = FixedMemoryFamily.of(memory, 1, stream=1)
        for branch in (family.branch_c(Fraction(0)), family.branch_d(Fraction(0))):
            assert optimum(branch.instance).value <= branch.best.tel


@pytest.mark.slow
@pytest.mark.parametrize("memory", [7, 8, 9])
@pytest.mark.parametrize("order", ORDERS)
def test_the_ratio_grows(memory, order):
    ratios = [
        check_run(packer(order), FixedMemoryFamily.of(memory, n)).ratio for n in (5, 10, 20, 40)
    ]
    assert ratios == sorted(ratios)
    assert ratios[-1] >= 4


def test_parameters_are_checked():
    for memory, scale, stream in ((6, 1, 1), (7, 0, 1), (7, 1, 0)):
        with pytest.raises(InputError):
            FixedMemoryFamily.of(memory, scale, stream)
