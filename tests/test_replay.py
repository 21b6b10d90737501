from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.memory import CORRUPTED, PAPERS, Profile, convention_named, engine_convention
from evaluators.model import Attempt, AttemptSchedule, InputError, Instance, Request, Schedule
from evaluators.replay import Replay, replay

from .reference.naive_replay import (
    naive_attempts_feasible,
    naive_held,
    naive_overfull,
    naive_peak,
    naive_starts_feasible,
)
from .strategies import attempts_for, instances, starts_for


def excesses(result: Replay) -> dict[int, int]:
    """Expand memory violations to excess by round (papers' convention: linear pieces)."""
    found: dict[int, int] = {}
    for v in result.violations:
        if v.kind == "memory":
            assert v.round is not None
            assert v.last_round is not None
            assert v.excess
            assert v.active
            for t in range(v.round, v.last_round + 1):
                assert t not in found
                found[t] = v.excess + v.active * (t - v.round)
            assert found[v.last_round] == v.last_excess
    return found


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_starts_agree_with_the_naive_reference(data: st.DataObject) -> None:
    instance = data.draw(instances())
    starts = data.draw(starts_for(instance))
    result = replay(instance, Schedule(starts))
    runs = [(starts[r.id], r.output, r.prompt) for r in instance.requests]
    assert result.feasible == naive_starts_feasible(instance, starts)
    assert excesses(result) == naive_overfull(runs, instance.memory)
    assert result.peak == naive_peak(runs)
    assert result.tel == sum(starts[r.id] + r.output - r.arrival for r in instance.requests)
    assert result.total_completion == result.tel + instance.total_arrival
    assert result.makespan == max((b + o for b, o, _ in runs), default=0)
    for t in range(0, 20, 3):
        assert result.occupancy(t) == naive_held(runs, t)


@given(st.data())
@settings(max_examples=400, deadline=None)
def test_attempts_agree_with_the_naive_reference(data: st.DataObject) -> None:
    instance = data.draw(instances(max_n=4))
    attempts = data.draw(attempts_for(instance))
    result = replay(instance, AttemptSchedule(tuple(attempts)))
    assert result.feasible == naive_attempts_feasible(instance, attempts)


@given(st.data(), st.sampled_from([(0, 1), (1, 1), (0, 3), (0, 16)]), st.integers(0, 10**30))
@settings(max_examples=300, deadline=None)
def test_profile_in_every_convention_and_at_any_size(
    data: st.DataObject, rule: tuple[int, int], shift: int
) -> None:
    offset, block = rule
    convention = {(1, 1): PAPERS, (0, 1): CORRUPTED}.get(rule, engine_convention(block))
    shift = data.draw(st.sampled_from([0, shift]))
    instance = data.draw(instances(min_n=1))
    starts = data.draw(starts_for(instance))
    runs = [(starts[r.id] + shift, r.output, r.prompt) for r in instance.requests]
    profile = Profile(
        [b for b, _, _ in runs], [b + o for b, o, _ in runs], [s for _, _, s in runs], convention
    )
    value, first = profile.peak()
    assert value == naive_peak(runs, offset, block)
    assert naive_held(runs, first, offset, block) == value
    assert first == min(b for b, _, _ in runs) or profile.at(first - 1) < value
    covered = {}
    for piece in profile.overfull(instance.memory):
        for t in range(piece.first, piece.last + 1):
            covered[t] = profile.at(t) - instance.memory
        assert profile.at(piece.first) == piece.held_first
        assert profile.at(piece.last) == piece.held_last
    assert covered == naive_overfull(runs, instance.memory, offset, block)


def test_both_paths_give_the_same_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(i % 7, i % 7 + 3 + i % 5, i % 4) for i in range(50)]
    columns = [list(c) for c in zip(*rows, strict=True)]
    array = Profile(*columns)
    swept = Profile(*columns)
    monkeypatch.setattr(Profile, "_fits_int64", lambda self: False)
    slow = swept.peak(), swept.overfull(40)
    monkeypatch.undo()
    assert (array.peak(), array.overfull(40)) == slow


@pytest.mark.parametrize("size", [2**31, 2**62, 2**63, 2**64 + 1, 10**40])
def test_no_overflow_near_the_edge_of_64_bits(size: int) -> None:
    instance = Instance.from_triples(2 * size + 2, [(0, size, 1), (size, size, 1), (size, 1, size)])
    result = replay(instance, Schedule({0: 0, 1: size, 2: size}))
    assert result.feasible
    assert result.peak == max(size + 1 + 2, 1 + size)
    over = replay(instance, Schedule({0: 2 * size - 1, 1: 2 * size - 1, 2: size}))
    assert [v.excess for v in over.violations] == [2 * (size + 1) + size + 1 - 2 * size - 2]


def test_violation_names_request_round_and_excess() -> None:
    instance = Instance.from_triples(7, [(0, 1, 5), (1, 1, 2), (2, 2, 1)])
    (violation,) = replay(instance, Schedule({0: 0, 1: 1, 2: 2})).violations
    assert (violation.kind, violation.request, violation.round, violation.excess) == (
        "memory",
        2,
        2,
        3,
    )
    assert "rounds 2..2 hold up to 10 > 7" in violation.message


def test_missing_unknown_and_early_are_all_named() -> None:
    instance = Instance.from_triples(9, [(0, 1, 2), (4, 1, 2)])
    result = replay(instance, Schedule({1: 3, 7: 0}))
    assert [(v.kind, v.request) for v in result.violations] == [
        ("unknown", 7),
        ("missing", 0),
        ("before-arrival", 1),
    ]
    assert not result.feasible
    assert result.completions == {1: 5}


def test_costs_of_kills_and_metrics() -> None:
    instance = Instance.from_triples(5, [(0, 1, 4), (1, 4, 1)])
    attempts = (Attempt(0, 0, 1, False), Attempt(1, 1, 1, True), Attempt(0, 2, 4, True))
    result = replay(instance, AttemptSchedule(attempts))
    assert result.feasible
    assert (result.tel, result.makespan, result.peak) == (7, 6, 5)
    assert result.mean_latency == Fraction(7, 2)
    assert result.p95_latency == 6
    assert result.per_token_latency() == {0: Fraction(3, 2), 1: Fraction(1)}


def test_p95_is_element_ceil_095n() -> None:
    for n in (1, 19, 20, 21, 100):
        instance = Instance.from_triples(2, [(0, 1, 1)] * n)
        result = replay(instance, Schedule({i: i for i in range(n)}))
        assert result.p95_latency == -(-95 * n // 100)


def test_empty_instance() -> None:
    result = replay(Instance.of(1, []), Schedule({}))
    assert result.feasible
    assert (result.tel, result.makespan, result.peak, result.p95_latency) == (0, 0, 0, 0)
    assert result.mean_latency == 0


def test_engine_convention_peaks_at_s_plus_o_minus_1_in_blocks() -> None:
    engine = engine_convention(16)
    assert engine.peak(16, 1) == 16
    assert engine.peak(16, 2) == 32
    assert convention_named("papers").peak(16, 2) == 18
    with pytest.raises(InputError, match="convention: must be one of"):
        convention_named("vllm")
    with pytest.raises(InputError, match="block: must be an integer >= 1"):
        engine_convention(0)


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (Request(0, -1, 1, 1), "requests[0].arrival"),
        (Request(0, 0, -1, 1), "requests[0].prompt"),
        (Request(0, 0, 1, 0), "requests[0].output"),
        (Request(True, 0, 1, 1), "requests[0].id"),
        (Request(0, 0, 1.0, 1), "requests[0].prompt"),  # type: ignore[arg-type]
        (Request(0, 0, 5, 5), "requests[0]"),
    ],
)
def test_instance_refuses_bad_requests(request_: Request, field: str) -> None:
    with pytest.raises(InputError) as caught:
        Instance.of(9, [request_])
    assert caught.value.field == field


def test_instance_is_sorted_and_measured() -> None:
    instance = Instance.of(9, [Request(5, 2, 1, 1), Request(3, 2, 1, 1), Request(9, 0, 2, 3)])
    assert [r.id for r in instance.requests] == [9, 3, 5]
    assert (len(instance), instance.total_output, instance.total_arrival) == (3, 5, 4)
    assert not instance.is_burst
    assert instance.requests[0].volume == 2 * 3 + 3 * 4 // 2
    with pytest.raises(InputError, match=r"requests\[1\].id: ids must be distinct, 3 is repeated"):
        Instance.of(9, [Request(3, 0, 1, 1), Request(3, 0, 1, 1)])


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_a_wrong_size_would_be_noticed(data: st.DataObject) -> None:
    """Negative control: with the corrupted progress the naive reference must disagree."""
    instance = data.draw(instances(min_n=1))
    starts = data.draw(starts_for(instance))
    runs = [(starts[r.id], r.output, r.prompt) for r in instance.requests]
    wrong = replay(instance, Schedule(starts), CORRUPTED)
    assert wrong.peak < naive_peak(runs)
