"""The ten reports of users of serving engines (anchors.md), as instances.  Memory in tokens."""

from __future__ import annotations

import pytest

from evaluators.memory import engine_convention
from evaluators.model import InputError, Instance, Request, Schedule
from evaluators.optimum import Commitment, optimum
from evaluators.policies.lookahead import Running
from evaluators.policies.online import play
from evaluators.policies.registry import policy_named
from evaluators.replay import replay

FCFS = policy_named("fcfs").factory


def run_fcfs(instance: Instance) -> int:
    result = replay(instance, play(FCFS, instance))
    assert result.feasible
    return result.tel


def skip_schedule(instance: Instance, order: list[Request]) -> Schedule:
    """Burst list scheduling that skips whoever does not fit, round by round."""
    running, starts, waiting, t = Running(instance.memory), dict[int, int](), list(order), 0
    while waiting:
        for request in list(waiting):
            if running.earliest_fit(request, t) == t:
                running.start(request, t)
                starts[request.id] = t
                waiting.remove(request)
        t += 1
        running.release(t)
    return Schedule(starts)


def head_schedule(instance: Instance, order: list[Request]) -> Schedule:
    """Burst list scheduling in which nobody passes the head of the order."""
    running, starts, t = Running(instance.memory), dict[int, int](), 0
    for request in order:
        t = running.earliest_fit(request, t)
        running.release(t)
        running.start(request, t)
        starts[request.id] = t
    return Schedule(starts)


def test_1_admission_on_the_prompt_alone_thrashes() -> None:
    """VLLM PR 37307: four prompts fit, their growth does not."""
    instance = Instance.from_triples(444, [(0, 100, 40)] * 5)
    result = replay(instance, Schedule({0: 0, 1: 0, 2: 0, 3: 0, 4: 40}))
    assert 4 * 101 <= 444
    violation = result.violations[0]
    assert (violation.kind, violation.round, violation.active) == ("memory", 11, 4)
    assert run_fcfs(instance) == optimum(instance).value


def test_2_a_blocked_head_holds_back_requests_that_fit() -> None:
    """VLLM 31731, 33499."""
    instance = Instance.from_triples(1050, [(0, 900, 60), (0, 1000, 20), (0, 10, 10), (0, 10, 10)])
    best = optimum(instance)
    assert best.optimal
    assert run_fcfs(instance) > best.value


def test_3_strict_head_against_unbounded_skip() -> None:
    """VLLM PR 33499 (scaled by 64): skipping starves the big request."""
    triples = [(0, 128, 8), (1, 256, 8), *[(1, 16, 8)] * 8]
    instance = Instance.from_triples(300, triples)
    head = play(FCFS, instance)
    skip = {0: 0, **dict.fromkeys(range(2, 8), 1), 8: 8, 9: 8, 1: 16}
    result = replay(instance, Schedule(skip))
    assert result.feasible
    assert skip[1] > head.starts[1]
    assert result.tel < replay(instance, head).tel
    assert optimum(instance, node_limit=200_000).lower <= result.tel


def test_4_a_request_larger_than_the_pool_is_refused() -> None:
    """VLLM 39734."""
    with pytest.raises(InputError, match=r"requests\[0\]: must have prompt \+ output <= memory"):
        Instance.from_triples(76, [(0, 100, 5), (1, 5, 5)])


def test_5_blocks_of_16_both_need_one_more() -> None:
    """VLLM PR 57104: 511 usable blocks, prompts 4096 and 4080 hold all of them."""
    instance = Instance.from_triples(511 * 16, [(0, 4096, 8), (0, 4080, 8)])
    engine = engine_convention(16)
    result = replay(instance, Schedule({0: 0, 1: 0}), engine)
    assert result.occupancy(0) == 511 * 16
    assert [(v.round, v.excess) for v in result.violations] == [(1, 32)]
    assert replay(instance, Schedule({0: 0, 1: 8}), engine).feasible
    assert optimum(instance, convention=engine).value == 8 + 16


def test_6_priority_cannot_displace_a_running_request() -> None:
    """VLLM 40004, one sequence at a time: only a kill helps the short request."""
    instance = Instance.from_triples(60, [(0, 10, 50), (1, 49, 1)])
    commitment = Commitment(1, {0: 0})
    kept = optimum(instance, commitment=commitment)
    killed = optimum(instance, commitment=commitment, kills=True)
    assert kept.value == 50 + 50
    assert (killed.value, killed.killed) == (1 + 52, (0,))


def test_7_watermark_many_equal_requests() -> None:
    """VLLM PR 44594 (scaled by 50): exact look-ahead needs no watermark and never overflows."""
    instance = Instance.from_triples(5992, [(0, 20, 100)] * 128)
    result = replay(instance, play(FCFS, instance))
    assert result.feasible
    assert result.peak <= 5992
    all_at_once = replay(instance, Schedule(dict.fromkeys(range(128), 0)))
    assert all_at_once.peak == 128 * 120
    assert not all_at_once.feasible


def test_8_one_huge_declared_maximum_reserves_the_pool() -> None:
    """TensorRT-LLM 2866, 9412: reserving the declared s + o = M makes the others wait."""
    small = [(0, 10, 5)] * 4
    declared = Instance.from_triples(100, [(0, 10, 90), *small])
    assert declared.requests[0].peak == declared.memory
    true = Instance.from_triples(100, [(0, 10, 5), *small])
    reserved = replay(true, Schedule({0: 0, **dict.fromkeys(range(1, 5), 5)}))
    assert reserved.feasible
    assert (reserved.tel, optimum(true).value) == (45, 25)
    # Exact look-ahead needs no true length to see that the short ones end in time.
    assert set(play(FCFS, declared).starts.values()) == {0}


def test_9_many_short_prompts_with_long_outputs_thrash() -> None:
    """VLLM 5051 (scaled by 50): 16 prompts fit in round 0, two runs to the end."""
    instance = Instance.from_triples(100, [(0, 5, 40)] * 20)
    result = replay(instance, Schedule({i: 0 if i < 16 else 40 for i in range(20)}))
    assert result.occupancy(0) == 16 * 6
    assert result.violations[0].round == 1
    # Two hold 90 in their last round; a third may hold 10 there, so it starts in round 35: five
    # rounds before their completion, which full reservation would forbid.
    schedule = play(FCFS, instance)
    assert replay(instance, schedule).feasible
    assert [schedule.starts[i] for i in range(3)] == [0, 0, 35]


def test_10_skipping_breaks_the_svf_bound() -> None:
    """svf.md section 1: 13 requests, M = 38000; 979 > 33/8 x 237, alpha = 9/25."""
    triples = [(0, 12919, 1)] * 2 + [(0, 13299, 1)] + [(0, 13679, 1)] * 8
    triples += [(0, 12065, 95), (0, 12445, 95)]
    instance = Instance.from_triples(38000, triples)
    order = sorted(instance.requests, key=lambda r: (r.volume2, r.id))
    head = replay(instance, head_schedule(instance, order))
    skip = replay(instance, skip_schedule(instance, order))
    assert head.feasible
    assert skip.feasible
    assert (head.tel, skip.tel) == (237, 979)
    assert 8 * skip.tel > 33 * head.tel
