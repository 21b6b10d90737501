"""The engines against each other and the solvers; limits, huge integers, the table of states."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.memory import CORRUPTED, engine_convention
from evaluators.model import InputError, Instance
from evaluators.optimum import Commitment, cpsat, highs, optimum
from evaluators.optimum import compiled as compiled_module
from evaluators.optimum.dual import family
from evaluators.optimum.oracle import Oracle, solve_all
from tests.optimum.optimum_cases import check_schedule, instances, seeded

OBJECTIVES = ["tel", "total-completion", "makespan"]
SIZES = [(n, memory) for n in (3, 4, 5, 6, 7, 8) for memory in (6, 8, 12, 16)]


def solver_instances() -> list[Instance]:
    """216 instances that both solvers finish."""
    return [
        seeded(n, memory, seed, latest)
        for n, memory in SIZES
        for seed, latest in enumerate([0, 3, 6] * 3)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["cpsat", "highs"])
def test_tel_equals_solvers(solver):
    cases = solver_instances()
    assert len(cases) >= 200
    with Oracle(solver) as oracle:
        for instance in cases:
            answer = oracle.solve(instance, "tel", 60.0)
            assert answer.status == "optimal"
            result = optimum(instance)
            assert result.value == answer.value == answer.bound
            check_schedule(instance, result)


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["cpsat", "highs"])
@pytest.mark.parametrize("objective", ["total-completion", "makespan"])
def test_other_objectives_equal_solvers(solver, objective):
    cases = [seeded(n, memory, 50, 5) for n, memory in SIZES]
    for instance, answer in zip(cases, solve_all(solver, cases, objective, 60.0), strict=True):
        assert answer.status == "optimal"
        result = optimum(instance, objective=objective)
        assert result.value == answer.value
        check_schedule(instance, result)


def test_oracles_alone():
    instance = Instance.from_triples(7, [(0, 1, 5), (1, 1, 2), (2, 2, 1)])
    for solve in (cpsat, highs):
        answer = solve(instance)
        assert (answer.status, answer.value, answer.starts) == ("optimal", 10, {0: 1, 1: 1, 2: 3})
        assert solve(Instance.of(2, [])).value == 0
        with pytest.raises(InputError, match="too large"):
            solve(Instance.from_triples(10**30, [(0, 1, 10**20)]))


@given(instances(most=7, memory=10, latest=8), st.sampled_from(OBJECTIVES))
@settings(max_examples=150, deadline=None)
def test_engines_agree(instance, objective):
    one = optimum(instance, objective=objective, engine="compiled")
    two = optimum(instance, objective=objective, engine="python")
    assert one == two


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(("n", "memory"), [(9, 16), (10, 12), (12, 8)])
def test_engines_agree_on_larger_instances(n, memory, objective):
    """Same value, schedule, node count and bounds, with an exhausted and a cut search."""
    instance = seeded(n, memory, 3)
    for limit in (None, 150):
        one = optimum(instance, objective=objective, engine="compiled", node_limit=limit)
        two = optimum(instance, objective=objective, engine="python", node_limit=limit)
        assert one == two
        check_schedule(instance, one)


def test_engines_agree_after_a_commitment():
    instance = seeded(9, 16, 8, 12)
    first = min(instance.requests, key=lambda r: r.arrival)
    commitment = Commitment(first.arrival + 1, {first.id: first.arrival})
    for kills in (False, True):
        for convention in (CORRUPTED, engine_convention(1)):
            one, two = (
                optimum(
                    instance,
                    commitment=commitment,
                    kills=kills,
                    convention=convention,
                    engine=engine,
                )
                for engine in ("compiled", "python")
            )
            assert one == two


@given(instances(most=8, memory=16, latest=10), st.sampled_from(OBJECTIVES), st.integers(0, 60))
@settings(max_examples=100, deadline=None)
def test_node_limit_gives_a_proved_interval(instance, objective, limit):
    exact = optimum(instance, objective=objective)
    partial = optimum(instance, objective=objective, node_limit=limit)
    assert partial.root_lower <= partial.lower <= exact.value <= partial.upper
    assert partial.nodes <= limit
    assert (partial.established == "node limit") == (not partial.optimal)
    check_schedule(instance, partial)


def test_time_limit_and_progress():
    instance = seeded(24, 64, 1, 20)
    reports: list[tuple[int, int, int]] = []
    result = optimum(instance, time_limit=0.5, progress=lambda *report: reports.append(report))
    assert result.established == "time limit"
    assert result.lower < result.upper
    check_schedule(instance, result)
    assert len(reports) > 3
    nodes, lowers, uppers = zip(*reports, strict=True)
    assert list(nodes) == sorted(nodes)
    assert list(lowers) == sorted(lowers)
    assert list(uppers) == sorted(uppers, reverse=True)
    assert max(lowers) <= result.upper
    none = optimum(instance, time_limit=0.0)
    assert (none.nodes, none.lower, none.established) == (0, none.root_lower, "time limit")


def test_limit_with_kills_bounds_the_sets_not_tried():
    instance = seeded(10, 32, 5, 3)
    active = min(instance.requests, key=lambda r: (r.arrival, -r.output))
    commitment = Commitment(active.arrival + 1, {active.id: active.arrival})
    exact = optimum(instance, commitment=commitment, kills=True)
    for limit in (0, 1, 10, 100):
        partial = optimum(instance, commitment=commitment, kills=True, node_limit=limit)
        assert partial.lower <= exact.value <= partial.upper


def test_interrupt_leaves_the_search(monkeypatch):
    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        optimum(seeded(16, 32, 0), progress=stop)


# Integers of any size.

HUGE = 10**20


def test_long_gaps_cost_nothing():
    """Parts far apart are searched separately, each from its own first round."""
    near = [(0, 1, 5), (1, 1, 2), (2, 2, 1)]
    rows = [(a + i * HUGE, s, o) for i in range(3) for a, s, o in near]
    instance = Instance.from_triples(7, rows)
    result = optimum(instance)
    assert (result.value, result.optimal) == (30, True)
    check_starts = [result.starts[i] - (i // 3) * HUGE for i in range(9)]
    assert check_starts == [1, 1, 3] * 3
    assert optimum(instance, objective="makespan").value == 2 * HUGE + 6


def test_huge_memory_with_few_rounds():
    """64 bits would overflow: plain Python is used, and refusing it is an error."""
    scaled = [(0, HUGE, 5), (1, HUGE, 2), (2, 2 * HUGE, 1), (2, 1, 3)]
    instance = Instance.from_triples(3 * HUGE, scaled)
    result = optimum(instance)
    assert result.optimal
    assert result == optimum(instance, engine="python")
    with pytest.raises(InputError, match="64-bit"):
        optimum(instance, engine="compiled")


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_huge_horizon_gives_an_interval(objective):
    rows = [(0, HUGE, HUGE), (5, HUGE, HUGE), (HUGE, 0, 7), (3, 2, HUGE // 3)]
    instance = Instance.from_triples(3 * HUGE, rows)
    result = optimum(instance, objective=objective)
    assert result.established == "horizon too long for the search"
    assert 0 < result.lower < result.upper
    commitment = Commitment(4, {0: 1, 3: 3})
    for kills in (False, True):
        after = optimum(instance, objective=objective, commitment=commitment, kills=kills)
        assert 0 < after.lower <= after.upper
        assert result.lower <= after.upper


def test_huge_but_trivial():
    result = optimum(Instance.from_triples(3 * HUGE, [(7, HUGE, HUGE)]))
    assert (result.value, result.established) == (HUGE, "root bound met")


@given(instances(most=6, memory=12, latest=8), st.booleans())
@settings(max_examples=100, deadline=None)
def test_coarse_interval_is_right(instance, makespan):
    """The bounds for huge horizons, on instances small enough to be solved."""
    objective = "makespan" if makespan else "tel"
    exact = optimum(instance, objective=objective).value
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("evaluators.optimum.engines.LONGEST_HORIZON", 0)
        for convention in (engine_convention(1), None):
            if convention is None:
                result = optimum(instance, objective=objective)
                assert result.lower <= exact <= result.upper
                check_schedule(instance, result)
            else:
                result = optimum(instance, objective=objective, convention=convention)
                check_schedule(instance, result, first=0)


# The table of explored states.


def test_table_that_overflows_is_only_slower(monkeypatch):
    instance = seeded(11, 24, 2)
    usual = optimum(instance)
    monkeypatch.setattr(compiled_module.Search, "most_states", 4)
    monkeypatch.setattr(compiled_module.Search, "first_states", 4)
    small = optimum(instance, engine="compiled")
    assert small.value == usual.value
    assert small.nodes > usual.nodes
    check_schedule(instance, small)


def test_growing_table_changes_nothing(monkeypatch):
    instance = seeded(10, 24, 2)
    usual = optimum(instance)
    monkeypatch.setattr(compiled_module.Search, "first_states", 2)
    assert optimum(instance) == usual


COLLISIONS = """
from numba import njit
import evaluators.optimum.compiled as compiled
compiled._hash = njit(lambda mask, size: 0)
for name in ("_dominated", "_remember", "_relink", "_wait_child", "_search"):
    setattr(compiled, name, njit(getattr(compiled, name).py_func))
from evaluators.optimum import optimum
from tests.optimum.optimum_cases import seeded
result = optimum(seeded(8, 16, 4))
print(result.value, result.nodes)
"""


@pytest.mark.slow
def test_hash_collisions_never_prune():
    """All states in one chain: states are compared in full, so the search is the same."""
    run = subprocess.run(
        [sys.executable, "-c", COLLISIONS], capture_output=True, text=True, check=True
    )
    usual = optimum(seeded(8, 16, 4))
    assert run.stdout.split() == [str(usual.value), str(usual.nodes)]


def test_without_numba_plain_python_is_used():
    code = (
        "import sys; sys.modules['numba'] = None\n"
        "from evaluators.optimum import optimum\n"
        "from evaluators.model import Instance\n"
        "instance = Instance.from_triples(7, [(0, 1, 5), (1, 1, 2), (2, 2, 1)])\n"
        "print(optimum(instance).value)\n"
        "try: optimum(instance, engine='compiled')\n"
        "except ValueError as error: print(error)\n"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "10\nengine: numba is not installed\n"


@given(st.integers(1, 60), st.data())
@settings(max_examples=200, deadline=None)
def test_dual_feasible_functions(memory, data):
    """Sizes that fit into the memory have weights that fit into the capacity."""
    sizes: list[int] = []
    while sum(sizes) < memory and len(sizes) < 12:
        sizes.append(data.draw(st.integers(0, memory - sum(sizes))))
    for function in family(memory):
        assert sum(map(function, sizes)) <= function.capacity
        assert all(0 <= function(x) <= function(x + 1) for x in range(memory))
