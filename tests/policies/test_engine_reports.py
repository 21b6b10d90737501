"""The ten reports of users of serving engines (anchors.md), run by the engine."""

from __future__ import annotations

import pytest

from evaluators.memory import engine_convention
from evaluators.model import InputError, Instance
from evaluators.policies.engine import simulate
from evaluators.policies.rules import Rules
from evaluators.policies.scheduler import Options
from evaluators.policies.schedulers import SCHEDULERS
from evaluators.replay import replay

THRASH = Rules(admission="prompt-only")
SKIP = Rules("skip")


def fcfs(instance, rules=None, **options):
    run = SCHEDULERS["fcfs"].run(instance, Options(rules, **options))
    assert replay(instance, run.schedule, run.rules.convention).feasible
    return run


def tel(run):
    return replay(run.instance, run.schedule, run.rules.convention).tel


def thrashes(instance, convention=None):
    """Prompt-only admission kills and pays; exact look-ahead does neither."""
    rules = THRASH if convention is None else Rules("head", "prompt-only", None, convention)
    exact = Rules() if convention is None else Rules(convention=convention)
    careless, careful = fcfs(instance, rules), fcfs(instance, exact)
    assert careful.preemptions == 0
    assert careless.preemptions > 0
    assert careless.wasted_rounds >= careless.preemptions
    return careless, careful


def test_1_admission_on_the_prompt_alone_thrashes():
    careless, careful = thrashes(Instance.from_triples(444, [(0, 100, 40)] * 5))
    # Four prompts fit; from round 11 on only three sequences do.
    first = min(x.end for x in careless.schedule.attempts if not x.completed)
    assert first == 11
    assert tel(careless) >= tel(careful)


def test_2_a_blocked_head_holds_back_requests_that_fit():
    instance = Instance.from_triples(1050, [(0, 900, 60), (0, 1000, 20), (0, 10, 10), (0, 10, 10)])
    head, skip = fcfs(instance), fcfs(instance, SKIP)
    assert min(head.starts()[2], head.starts()[3]) >= 60
    assert (skip.starts()[2], skip.starts()[3]) == (0, 0)
    assert tel(skip) < tel(head)


def test_3_skip_starves_the_big_request():
    triples = [(0, 128, 8), (1, 256, 8), *[(1, 16, 8)] * 8]
    instance = Instance.from_triples(300, triples)
    head, skip = fcfs(instance), fcfs(instance, SKIP)
    assert skip.starts()[1] > head.starts()[1]
    assert tel(skip) < tel(head)
    # With more small ones coming, skipping delays the big one until they stop.
    more = [*triples, *[(t, 16, 8) for t in range(2, 200)]]
    assert fcfs(Instance.from_triples(300, more), SKIP).starts()[1] >= 200


def test_4_a_request_larger_than_the_pool_is_refused():
    with pytest.raises(InputError, match=r"requests\[0\]"):
        Instance.from_triples(76, [(0, 100, 5), (1, 5, 5)])
    # s <= M < s + o - 1 livelocks an engine; here it is refused before the run.
    blocks = Rules(convention=engine_convention(16))
    with pytest.raises(InputError, match="wait for ever"):
        fcfs(Instance.from_triples(90, [(0, 70, 20)]), blocks)


def test_5_blocks_of_16_both_need_one_more():
    instance = Instance.from_triples(511 * 16, [(0, 4096, 8), (0, 4080, 8)])
    careless, careful = thrashes(instance, engine_convention(16))
    first = careless.schedule.attempts[0]
    assert (first.request, first.start, first.rounds, first.completed) == (1, 0, 1, False)
    assert careful.starts() == {0: 0, 1: 8}
    assert careless.starts() == {0: 0, 1: 8}


def test_6_priority_cannot_displace_a_running_request():
    instance = Instance.from_triples(60, [(0, 10, 50), (1, 10, 1)])
    one = Rules(max_running=1)
    run = SCHEDULERS["svf"].run(instance, Options(one))
    assert run.starts() == {0: 0, 1: 50}
    without_cap = SCHEDULERS["svf"].run(instance, Options())
    assert without_cap.starts() == {0: 0, 1: 1}


def test_7_preemptions_and_throughput():
    careless, careful = thrashes(Instance.from_triples(5992, [(0, 20, 100)] * 128))
    assert replay(careful.instance, careful.schedule).peak <= 5992
    assert careless.preemptions >= 128 - 5992 // 120
    peaks = fcfs(careless.instance, Rules(admission="peak"))
    assert replay(peaks.instance, peaks.schedule).makespan >= 300


def test_8_one_huge_declared_maximum_reserves_the_pool():
    instance = Instance.from_triples(100, [(0, 10, 5), *[(0, 10, 5)] * 4])
    reserve = Rules(admission="reserve")
    run = simulate(instance, [0] * 5, reserve, reserves=[100, 15, 15, 15, 15])
    assert run.starts() == {0: 0, 1: 5, 2: 5, 3: 5, 4: 5}
    assert tel(run) == 45
    assert tel(fcfs(instance)) == 25
    # Everybody declares the limit of the model: one at a time.
    declared = fcfs(instance, reserve, max_output=90, max_peak=100)
    assert sorted(declared.starts().values()) == [0, 5, 10, 15, 20]


def test_9_many_short_prompts_with_long_outputs_thrash():
    careless, careful = thrashes(Instance.from_triples(100, [(0, 5, 40)] * 20))
    assert sum(x.start == 0 for x in careless.schedule.attempts) == 16
    assert [careful.starts()[i] for i in range(3)] == [0, 0, 35]
    assert tel(careless) > tel(careful)


def test_10_skipping_breaks_the_svf_bound():
    triples = [(0, 12919, 1)] * 2 + [(0, 13299, 1)] + [(0, 13679, 1)] * 8
    triples += [(0, 12065, 95), (0, 12445, 95)]
    instance = Instance.from_triples(38000, triples)
    head, skip = (SCHEDULERS["svf"].run(instance, Options(rules)) for rules in (Rules(), SKIP))
    assert 8 * tel(skip) > 33 * tel(head)
