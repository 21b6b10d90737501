"""The serial game's dynamic program against plain recursion, and the played adversaries."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.adversary.serial_game import MAX_POSITIONS, plain_value, positions, serial_value
from evaluators.adversary.serial_play import last_to_start, three_minus, three_minus_bound
from evaluators.controls.nonclairvoyant.games import TEN
from evaluators.controls.nonclairvoyant.players import NON_CLAIRVOYANT, maker, play
from evaluators.model import InputError
from evaluators.policies.clairvoyant.greedy import GreedyPolicy
from evaluators.policies.kill_schedulers import KillScheduler
from evaluators.replay import replay


@settings(max_examples=60, deadline=None)
@given(
    grid=st.lists(st.integers(1, 12), min_size=1, max_size=4, unique=True).map(sorted),
    n=st.integers(1, 4),
    p=st.integers(1, 12),
    q=st.integers(1, 6),
)
def test_the_program_gives_the_value_of_the_recursion(
    grid: list[int], n: int, p: int, q: int
) -> None:
    assert serial_value(grid, n, p, q) == plain_value(grid, n, p, q)


def test_two_requests_by_hand() -> None:
    """Outputs in {1, 2}: 5/4, neither less nor more."""
    assert serial_value([1, 2], 2, 5, 4) == 0
    assert serial_value([1, 2], 2, 6, 5) > 0
    assert serial_value([1, 2], 2, 4, 3) < 0


def test_one_request_loses_nothing() -> None:
    assert serial_value([3, 5, 9], 1, 1, 1) == 0


@pytest.mark.parametrize(
    ("grid", "n", "field"),
    [([2, 1], 2, "grid"), ([], 2, "grid"), ([0, 1], 2, "grid"), ([1], 0, "n")],
)
def test_bad_games_are_refused(grid: list[int], n: int, field: str) -> None:
    with pytest.raises(InputError) as caught:
        serial_value(grid, n, 1, 1)
    assert caught.value.field == field


def test_a_game_too_large_is_refused() -> None:
    grid = list(range(1, 20))
    assert positions(grid, 9) > MAX_POSITIONS
    with pytest.raises(InputError, match="positions"):
        serial_value(grid, 9, 1, 1)


@pytest.mark.slow
def test_ten_requests_force_more_than_68_over_25() -> None:
    grid, n, p, q = TEN
    assert serial_value(grid, n, p, q) > 0
    assert serial_value(grid, n, 137, 50) <= 0


@pytest.mark.parametrize("player", NON_CLAIRVOYANT, ids=lambda player: player.name)
def test_the_adversary_of_three_keeps_its_promise(player: KillScheduler) -> None:
    for n in (3, 5):
        case, instance = three_minus(maker(player), n, 20 * n, 40 * n * n)
        total = play(player, instance).total_completion
        outputs = sorted(request.output for request in instance.requests)
        best = sum((n - i) * output for i, output in enumerate(outputs))
        bound = three_minus_bound(case, n, 20 * n, 40 * n * n)
        assert Fraction(total, best) >= bound > 2
        again = three_minus(maker(player), n, 20 * n, 40 * n * n)
        assert again == (case, instance)


def test_a_scheduler_that_runs_on_meets_case_b() -> None:
    """Run to completion, one by one: one attempt runs through every round that is watched."""
    n, first, size = 3, 300, 20_000
    case, instance = three_minus(lambda m, r: GreedyPolicy(m, tuple(r)), n, first, size)
    assert case == "B"
    assert sorted(r.output for r in instance.requests) == [1, 1, size]
    assert three_minus_bound("B", n, first, size) > Fraction(28, 10)


@pytest.mark.parametrize("player", NON_CLAIRVOYANT, ids=lambda player: player.name)
def test_the_last_request_to_start_is_the_long_one(player: KillScheduler) -> None:
    for m in (2, 4):
        instance = last_to_start(maker(player), m)
        assert sorted({r.output for r in instance.requests}) == [1, m]
        result = replay(instance, play(player, instance).schedule)
        assert result.feasible
        assert result.makespan >= 2 * m - 1
