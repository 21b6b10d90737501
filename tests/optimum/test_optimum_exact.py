"""The optimum against brute force, and the named counterexamples of tight.md."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.memory import CORRUPTED, PAPERS, engine_convention
from evaluators.model import InputError, Instance, Request
from evaluators.optimum import Commitment, optimum
from tests.optimum.optimum_cases import check_schedule, instances
from tests.reference.brute_force import brute_force, feasible

ENGINES = ["compiled", "python"]
OBJECTIVES = ["tel", "total-completion", "makespan"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("objective", OBJECTIVES)
@given(instance=instances())
@settings(max_examples=60, deadline=None)
def test_equals_brute_force(instance, objective, engine):
    result = optimum(instance, objective=objective, engine=engine)
    assert result.optimal
    assert result.value == brute_force(instance, objective)
    check_schedule(instance, result)


@pytest.mark.parametrize(
    ("convention", "first", "block"),
    [(CORRUPTED, 0, 1), (engine_convention(1), 0, 1), (engine_convention(2), 0, 2)],
)
@given(instance=instances())
@settings(max_examples=40, deadline=None)
def test_other_conventions(instance, convention, first, block):
    peaks = [convention.peak(r.prompt, r.output) for r in instance.requests]
    if any(peak > instance.memory for peak in peaks):
        with pytest.raises(InputError, match="peak"):
            optimum(instance, convention=convention)
        return
    for engine in ENGINES:
        result = optimum(instance, convention=convention, engine=engine)
        assert result.value == brute_force(instance, first=first, block=block)
        check_schedule(instance, result, first=first, block=block)


@given(instance=instances(most=3, fewest=1), data=st.data())
@settings(max_examples=150, deadline=None)
def test_commitments(instance, data):
    now = data.draw(st.integers(0, 7))
    early = [r for r in instance.requests if r.arrival < now]
    chosen = data.draw(st.lists(st.sampled_from(early), unique=True)) if early else []
    fixed = {r.id: data.draw(st.integers(r.arrival, now - 1)) for r in chosen}
    if not feasible(instance.memory, [(r, fixed[r.id], r.output) for r in chosen]):
        with pytest.raises(InputError, match="exceeds the memory"):
            optimum(instance, commitment=Commitment(now, fixed))
        return
    for objective in OBJECTIVES:
        for kills in (False, True):
            expected = brute_force(instance, objective, now=now, starts=fixed, kills=kills)
            for engine in ENGINES:
                result = optimum(
                    instance,
                    objective=objective,
                    commitment=Commitment(now, fixed),
                    kills=kills,
                    engine=engine,
                )
                assert result.value == expected
                assert result.optimal
                assert kills or not result.killed
                check_schedule(instance, result, now=now, committed=fixed)


@given(instances(most=3, memory=4), instances(most=2, memory=4), st.integers(0, 12))
@settings(max_examples=60, deadline=None)
def test_parts_are_independent(one, two, gap):
    """Groups far enough apart are solved one by one; near ones are not (the cut is exact)."""
    memory = max(one.memory, two.memory)
    rows = [(r.arrival, r.prompt, r.output) for r in one.requests]
    rows += [(r.arrival + gap, r.prompt, r.output) for r in two.requests]
    instance = Instance.from_triples(memory, rows)
    for objective in OBJECTIVES:
        result = optimum(instance, objective=objective)
        assert result.value == brute_force(instance, objective)
        check_schedule(instance, result)


def test_waiting_can_reach_into_the_next_group():
    """Shorts first: the long request ends in round 6, later than 0 + the sum of the outputs."""
    rows = [(0, 7, 3), (1, 9, 1), (1, 9, 1)]
    for late in (4, 5, 6, 7):
        instance = Instance.from_triples(10, [*rows, (late, 9, 1)])
        result = optimum(instance)
        assert result.value == brute_force(instance)
        check_schedule(instance, result)
        check_schedule(instance, optimum(instance, node_limit=0))


@given(instances(most=6, memory=9, latest=9), st.integers(0, 10**30))
@settings(max_examples=40, deadline=None)
def test_time_shift_and_total_completion(instance, shift):
    """TEL does not depend on the origin of time; total completion is TEL + sum of arrivals."""
    value = optimum(instance).value
    moved = Instance.of(
        instance.memory,
        [Request(r.id, r.arrival + shift, r.prompt, r.output) for r in instance.requests],
    )
    assert optimum(moved).value == value
    total = optimum(moved, objective="total-completion").value
    assert total == value + moved.total_arrival


def insertion(instance: Instance, order: tuple[Request, ...]) -> int:
    """TEL of starting each request of the order as early as it fits."""
    placed: list[tuple[Request, int, int]] = []
    for r in order:
        b = r.arrival
        while not feasible(instance.memory, [*placed, (r, b, r.output)]):
            b += 1
        placed.append((r, b, r.output))
    return sum(b + o - r.arrival for r, b, o in placed)


@pytest.mark.parametrize(
    ("triples", "best", "by_orders"),
    [
        ([(0, 1, 5), (1, 1, 2), (2, 2, 1)], 10, 11),
        ([(0, 1, 6), (1, 1, 2), (2, 2, 1)], 11, 12),
    ],
)
@pytest.mark.parametrize("engine", ENGINES)
def test_growth_anomaly(triples, best, by_orders, engine):
    """Start orders with earliest insertion miss the optimum (tight.md, anomaly D)."""
    instance = Instance.from_triples(7, triples)
    result = optimum(instance, engine=engine)
    assert result.value == best
    check_schedule(instance, result)
    assert min(insertion(instance, order) for order in permutations(instance.requests)) == by_orders
    if best == 10:
        assert result.starts == {0: 1, 1: 1, 2: 3}


@pytest.mark.parametrize(
    ("memory", "triples", "without", "with_kill"),
    [
        (4, [(0, 1, 3), (1, 1, 1)], 6, 5),
        (5, [(0, 1, 4), (1, 4, 1)], 8, 7),
        (4, [(0, 1, 3), (1, 1, 1), (1, 1, 1)], 9, 7),
    ],
)
def test_kill_and_restart(memory, triples, without, with_kill):
    """A kill changes the best continuation after a commitment, never the optimum itself."""
    instance = Instance.from_triples(memory, triples)
    commitment = Commitment(1, {0: 0})
    kept = optimum(instance, commitment=commitment)
    killed = optimum(instance, commitment=commitment, kills=True)
    assert (kept.value, kept.killed) == (without, ())
    assert (killed.value, killed.killed) == (with_kill, (0,))
    assert optimum(instance).value == with_kill


def test_delaying_helps():
    """Starting the long request later, together with the short one, is better (tight.md, 5)."""
    instance = Instance.from_triples(4, [(0, 1, 3), (1, 1, 1)])
    assert optimum(instance).starts == {0: 1, 1: 1}
    assert optimum(instance, commitment=Commitment(1, {0: 0})).value == 6


@pytest.mark.parametrize(("n", "true", "corrupted"), [(2, 3, 2), (3, 6, 3)])
def test_corrupted_progress(n, true, corrupted):
    instance = Instance.from_triples(n, [(0, 1, 1)] * n)
    assert optimum(instance, convention=PAPERS).value == true
    assert optimum(instance, convention=CORRUPTED).value == corrupted


@pytest.mark.parametrize(
    ("memory", "triples"),
    [
        # States with the same requests started that differ in what they hold.
        (5, [(0, 2, 3), (0, 2, 2), (2, 0, 3), (2, 2, 2), (0, 0, 2)]),
        # Equal outputs, different prompts: no order between them.
        (5, [(1, 4, 1), (1, 0, 1), (2, 2, 1)]),
        (7, [(2, 3, 3), (3, 3, 2), (1, 4, 3)]),
    ],
)
@pytest.mark.parametrize("engine", ENGINES)
def test_instances_that_a_wrong_rule_gets_wrong(memory, triples, engine):
    instance = Instance.from_triples(memory, triples)
    assert optimum(instance, engine=engine).value == brute_force(instance)


def test_the_best_kill_is_not_the_first():
    """Of two running requests the second one is killed, or both; brute force agrees."""
    rows = [(0, 0, 2), (0, 0, 4), (1, 3, 1), (1, 3, 1)]
    instance = Instance.from_triples(5, rows)
    commitment = Commitment(1, {0: 0, 1: 0})
    result = optimum(instance, commitment=commitment, kills=True)
    assert result.killed == (1,)
    assert result.value == brute_force(instance, now=1, starts={0: 0, 1: 0}, kills=True)
    check_schedule(instance, result, now=1, committed={0: 0, 1: 0})


def test_empty_instance():
    for objective in OBJECTIVES:
        result = optimum(Instance.of(3, []), objective=objective)
        assert (result.value, result.starts, result.established) == (0, {}, "root bound met")


@pytest.mark.parametrize(
    ("now", "starts", "match"),
    [
        (1, {7: 0}, r"starts\[7\]: must name a request"),
        (3, {1: 0}, r"starts\[1\]: must be an integer >= 1"),
        (1, {0: 1}, r"starts\[0\]: must be < now = 1"),
        (-1, {}, r"now: must be an integer >= 0"),
        (4, {0: 0, 1: 1, 2: 1}, "exceeds the memory in round 1"),
    ],
)
def test_bad_commitments(now, starts, match):
    instance = Instance.from_triples(4, [(0, 1, 3), (1, 1, 2), (1, 1, 2)])
    with pytest.raises(InputError, match=match):
        optimum(instance, commitment=Commitment(now, starts))


def test_commitment_that_only_a_kill_can_continue():
    instance = Instance.from_triples(6, [(0, 1, 4), (0, 1, 4)])
    commitment = Commitment(1, {0: 0, 1: 0})
    with pytest.raises(InputError, match="exceeds the memory in round 2"):
        optimum(instance, commitment=commitment)
    result = optimum(instance, commitment=commitment, kills=True)
    assert len(result.killed) == 1
    assert result.value == 12


def test_bad_arguments():
    instance = Instance.from_triples(4, [(0, 1, 3), (1, 1, 1)])
    with pytest.raises(InputError, match="objective"):
        optimum(instance, objective="latency")
    with pytest.raises(InputError, match="engine"):
        optimum(instance, engine="fast")
