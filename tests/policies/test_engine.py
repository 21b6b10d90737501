"""The engine: both twins against each other and against every round; refusals; causality."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from evaluators.memory import PAPERS, engine_convention
from evaluators.model import AttemptSchedule, InputError, Instance, Request
from evaluators.optimum import optimum
from evaluators.policies.engine import _run, simulate
from evaluators.policies.engine_problem import problem_of
from evaluators.policies.online import FcfsRule, SerialRule, play
from evaluators.policies.rules import Rules
from evaluators.policies.scheduler import Options
from evaluators.policies.schedulers import SCHEDULERS
from evaluators.replay import replay
from tests.policies.engine_cases import (
    decisions,
    naive_decisions,
    naive_run,
    random_instance,
    random_keys,
    random_rules,
    seeded,
)

SKIP = Rules("skip")
THRASH = Rules(admission="prompt-only")


def runnable(instance, convention):
    return all(convention.peak(r.prompt, r.output) <= instance.memory for r in instance.requests)


def three_ways(seed, count, **size):
    rng = seeded(seed)
    compared = 0
    while compared < count:
        instance, rules = random_instance(rng, **size), random_rules(rng)
        if not runnable(instance, rules.convention):
            continue
        keys = random_keys(rng, instance)
        peak = rules.convention.peak
        reserves = [
            rng.randint(peak(r.prompt, r.output), instance.memory) for r in instance.requests
        ]
        plain, compiled = (
            simulate(instance, keys, rules, reserves, engine) for engine in ("plain", "compiled")
        )
        assert decisions(plain) == naive_decisions(naive_run(instance, keys, rules, reserves))
        assert decisions(compiled) == decisions(plain)
        assert compiled.preemptions == plain.preemptions
        assert compiled.wasted_rounds == plain.wasted_rounds
        assert replay(instance, compiled.schedule, rules.convention).feasible
        compared += 1


def test_both_twins_agree_with_every_round():
    three_ways(seed=1, count=700)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3, 4])
def test_both_twins_agree_with_every_round_at_length(seed):
    three_ways(seed, count=2500, max_n=16, max_memory=48)


@pytest.mark.parametrize("queue", ["head", "skip"])
@pytest.mark.parametrize("admission", ["exact", "peak", "prompt-only"])
def test_twins_agree_on_longer_queues(queue, admission):
    rng = seeded(f"{queue}/{admission}")
    rules = Rules(queue, admission)
    for n, memory in ((60, 90), (150, 400), (300, 150)):
        requests = []
        for i in range(n):
            output = rng.randint(1, memory // 3)
            prompt = rng.randint(0, memory // 2)
            requests.append(Request(i, rng.randint(0, 2 * n), prompt, output))
        instance = Instance.of(memory, requests)
        keys = [r.volume2 for r in instance.requests]
        plain, compiled = (
            simulate(instance, keys, rules, engine=engine) for engine in ("plain", "compiled")
        )
        assert decisions(plain) == decisions(compiled)


@pytest.mark.parametrize("name", ["fcfs", "serial"])
def test_engine_and_online_rule_are_the_same_scheduler(name):
    rule = {"fcfs": FcfsRule, "serial": SerialRule}[name]
    rng = seeded(name)
    for _ in range(300):
        instance = random_instance(rng)
        starts = SCHEDULERS[name].run(instance, Options()).starts()
        assert starts == play(rule, instance).starts


def test_numbers_beyond_64_bits_go_to_the_plain_twin():
    huge = 10**30
    instance = Instance.from_triples(
        6 * huge, [(0, 0, 3 * huge), (0, 3 * huge, 2 * huge), (5 * huge, 0, 1)]
    )
    keys = [r.volume2 for r in instance.requests]
    for rules in (Rules(), SKIP, THRASH):
        run = simulate(instance, keys, rules)
        assert replay(instance, run.schedule).feasible
        with pytest.raises(InputError, match="do not fit into 64 bits"):
            simulate(instance, keys, rules, engine="compiled")
    assert simulate(instance, keys).starts() == {0: 0, 1: 3 * huge, 2: 5 * huge}


def test_both_twins_agree_at_the_edge_of_64_bits():
    rng = seeded("edge")
    for _ in range(150):
        small, rules = random_instance(rng), random_rules(rng)
        if rules.admission in {"reserve", "prompt-only"} or rules.convention.block > 1:
            continue
        keys = random_keys(rng, small)
        shift = 0
        while problem_of(scaled(small, shift + 1), keys, rules, None).fits_int64:
            shift += 1
        largest = scaled(small, shift)
        assert shift > 30
        plain, compiled = (
            _run(problem_of(largest, keys, rules, None), engine) for engine in ("plain", "compiled")
        )
        assert plain.starts == compiled.starts


def scaled(instance, shift):
    return Instance.of(
        instance.memory << shift,
        [
            Request(r.id, r.arrival << shift, r.prompt << shift, r.output << shift)
            for r in instance.requests
        ],
    )


def test_the_kernels_without_the_compiler():
    command = [sys.executable, "-W", "error", "-m", "tests.policies.without_compiler", "300"]
    root = Path(__file__).parents[2]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)}
    done = subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "300\n"), done.stderr


def test_auto_takes_the_compiled_engine_for_long_queues():
    rng = seeded("auto")
    for rules in (Rules(), SKIP, THRASH):
        requests = [Request(i, rng.randint(0, 90), 3, rng.randint(1, 9)) for i in range(100)]
        instance = Instance.of(30, requests)
        keys = [r.volume2 for r in instance.requests]
        auto, plain = (simulate(instance, keys, rules, engine=e) for e in ("auto", "plain"))
        assert decisions(auto) == decisions(plain)


def test_keys_may_have_any_size_in_the_compiled_engine():
    instance = Instance.from_triples(5, [(0, 4, 1)] * 3)
    assert simulate(instance, [7**90, -1, 7**89], engine="compiled").starts() == {1: 0, 2: 1, 0: 2}


def test_idle_time_costs_nothing():
    far = 10**12
    instance = Instance.from_triples(9, [(0, 1, 5), (far, 1, 5), (far, 5, 4), (3 * far, 0, 9)])
    for rules in (Rules(), SKIP, THRASH):
        for engine in ("plain", "compiled"):
            run = simulate(instance, [0, 1, 2, 3], rules, engine=engine)
            assert run.starts()[3] == 3 * far


def test_nothing_to_do():
    empty = Instance.of(3, [])
    for engine in ("plain", "compiled"):
        for rules in (Rules(), SKIP, THRASH):
            run = simulate(empty, [], rules, engine=engine)
            assert run.starts() == {}
            assert isinstance(run.schedule, AttemptSchedule) == (rules is THRASH)


@pytest.mark.parametrize(
    ("field", "make"),
    [
        ("queue", lambda: Rules(queue="first")),
        ("admission", lambda: Rules(admission="hope")),
        ("victim", lambda: Rules(victim="any")),
        ("max-running", lambda: Rules(max_running=0)),
        ("keys", lambda: simulate(Instance.from_triples(3, [(0, 0, 1)]), [])),
        (
            "reserves",
            lambda: simulate(
                Instance.from_triples(3, [(0, 0, 1)]), [0], Rules(admission="reserve")
            ),
        ),
        ("engine", lambda: simulate(Instance.of(3, []), [], engine="fast")),
    ],
)
def test_refusals(field, make):
    with pytest.raises(InputError) as error:
        make()
    assert error.value.field == field


def test_what_can_never_run_alone_is_refused():
    instance = Instance.from_triples(20, [(0, 1, 2), (0, 10, 9)])
    engine = Rules(convention=engine_convention(16))
    with pytest.raises(InputError, match=r"requests\[1\]: .*peak <= memory 20, got 32 for id 1"):
        simulate(instance, [0, 0], engine)
    reserve = Rules(admission="reserve")
    with pytest.raises(InputError, match=r"requests\[0\]: .*reservation <= memory 20, got 21"):
        simulate(instance, [0, 0], reserve, [21, 19])


# Known values of svf.md.


def tel(instance, run):
    return replay(instance, run.schedule).tel


def svf(instance, rules=None):
    return SCHEDULERS["svf"].run(instance, Options(rules=rules))


def test_volume_order_is_not_optimal():
    instance = Instance.from_triples(6, [(0, 0, 3), (0, 3, 2)])
    assert (tel(instance, svf(instance)), optimum(instance).value) == (8, 6)
    half = Instance.from_triples(6, [(0, 0, 1), (0, 2, 1), (0, 2, 1), (0, 0, 2)])
    assert (tel(half, svf(half)), optimum(half).value) == (7, 6)


def test_largest_ratio_that_was_found_exhaustively():
    instance = Instance.from_triples(7, [(0, 0, 1), (0, 0, 3), (0, 5, 1), (0, 5, 1)])
    assert (tel(instance, svf(instance)), optimum(instance).value) == (13, 8)


def test_skip_example():
    instance = Instance.from_triples(5, [(0, 1, 1), (0, 3, 1), (0, 0, 4)])
    assert [r.volume for r in instance.requests] == [2, 4, 10]
    assert svf(instance, SKIP).starts() == {0: 0, 1: 4, 2: 0}
    assert svf(instance).starts() == {0: 0, 1: 1, 2: 1}


def test_sixteen_equal_requests_run_in_two_waves():
    instance = Instance.from_triples(64, [(0, 0, 8)] * 16)
    assert svf(instance).starts() == {i: 8 * (i >= 8) for i in range(16)}


def test_thirteen_requests():
    triples = [(0, 12919, 1)] * 2 + [(0, 13299, 1)] + [(0, 13679, 1)] * 8
    triples += [(0, 12065, 95), (0, 12445, 95)]
    instance = Instance.from_triples(38000, triples)
    assert tel(instance, svf(instance)) == 237
    assert tel(instance, svf(instance, SKIP)) == 979


def test_a_single_request():
    instance = Instance.from_triples(9, [(4, 3, 6)])
    for name, scheduler in SCHEDULERS.items():
        if name in {"serial", "fcfs", "sjf", "svf", "1-bit-svf", "predicted-svf", "honest-1-bit"}:
            assert scheduler.run(instance, Options()).starts() == {0: 4}


def test_starvation_at_alpha_one_half():
    """svf.md section 3: two (1,1) in each round keep (0,2) out for as long as they come."""
    rounds = 200
    triples = [(0, 0, 2)] + [(t, 1, 1) for t in range(rounds) for _ in range(2)]
    instance = Instance.from_triples(4, triples)
    assert svf(instance).starts()[0] == rounds


def test_shortest_first_is_unbounded_against_smallest_volume():
    previous = 0.0
    for n in (16, 64, 256):
        k = 2 * int(n**0.5)
        triples = [(0, n - 1, 1)] * k + [(0, 0, 2)] * n
        instance = Instance.from_triples(2 * n, triples)
        sjf = SCHEDULERS["sjf"].run(instance, Options())
        ratio = tel(instance, sjf) / tel(instance, svf(instance))
        assert ratio > 1.7 * previous
        previous = ratio


# Causality.


@pytest.mark.parametrize("queue", ["head", "skip"])
@pytest.mark.parametrize("admission", ["exact", "peak", "reserve", "prompt-only"])
def test_the_future_changes_no_decision(queue, admission):
    rng = seeded(f"future/{queue}/{admission}")
    rules = Rules(queue, admission, rng.choice([None, 3]))
    for _ in range(60):
        first, second = random_instance(rng, burst=False), random_instance(rng, burst=False)
        t = rng.randint(0, 30)
        known = [r for r in first.requests if r.arrival <= t]
        later = [
            Request(100 + r.id, t + 1 + r.arrival, 0, min(r.output, first.memory))
            for r in second.requests
        ]
        other = Instance.of(first.memory, [*known, *later])
        options = Options(rules, max_output=first.memory, max_peak=first.memory, mean_output=3)
        for name, scheduler in SCHEDULERS.items():
            if not hasattr(scheduler, "keys"):
                continue
            one, two = (decided_by(scheduler.run(x, options), t) for x in (first, other))
            assert one == two, name


def decided_by(run, t):
    """Starts and kills up to round t."""
    if run.rules.admission != "prompt-only":
        return {i: b for i, b in run.starts().items() if b <= t}
    return {
        (x.request, x.start, x.end if not x.completed and x.end <= t else None)
        for x in run.schedule.attempts
        if x.start <= t
    }


def test_default_convention_is_the_papers():
    assert Rules().convention == PAPERS
