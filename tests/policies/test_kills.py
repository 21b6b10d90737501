"""Paper 3's policies: against the naive rounds, known runs, the information rule, bad policies."""

from __future__ import annotations

import random
from fractions import Fraction
from math import gcd

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.bounds import additive_bound
from evaluators.certificates_kills import kill_certificates, log_certificates
from evaluators.model import InputError, Instance, Request
from evaluators.optimum import optimum
from evaluators.policies.kill_schedulers import KILL_SCHEDULERS
from evaluators.policies.nonclairvoyant.engine import Decision, PolicyError, Start, play_kills
from evaluators.policies.nonclairvoyant.fair_share import FairShare, share
from evaluators.policies.nonclairvoyant.length_doubling import LengthDoubling
from evaluators.policies.nonclairvoyant.meta import merged_by, slot_begin
from evaluators.policies.nonclairvoyant.packing import AnyFit, Item
from evaluators.policies.nonclairvoyant.prefix import first_leak
from evaluators.policies.nonclairvoyant.rect import rect_large, rect_prompt
from evaluators.policies.nonclairvoyant.regimes import regimes
from evaluators.policies.nonclairvoyant.replicas import ThreeReplicas, judge_replicas
from evaluators.policies.nonclairvoyant.response import (
    ResponsePolicy,
    half_step_caps,
    power_caps,
)
from evaluators.policies.nonclairvoyant.route import Route
from evaluators.policies.nonclairvoyant.route_online import route_online, stage_end_after
from evaluators.policies.nonclairvoyant.sps import (
    duration,
    parallelism,
    peak,
    plain_parallelism,
    slice_start,
)
from evaluators.policies.scheduler import Options
from evaluators.policies.schedulers import SCHEDULERS
from evaluators.policies.views import NonClairvoyantView
from evaluators.replay import replay
from evaluators.worst_kills import KINDS, random_burst
from tests.policies.reference.kill_rounds import (
    fair_share_rounds,
    rect_rounds,
    response_rounds,
    route_rounds,
)
from tests.reference.naive_replay import naive_attempts_feasible

BLIND = [s for s in KILL_SCHEDULERS if s.make is not None]


def attempts_of(requests, policy):
    run = play_kills(requests, policy)
    return sorted((a.request, a.start, a.rounds, a.completed) for a in run.schedule.attempts)


def bursts(name, count, kinds=KINDS[:5], size="tiny"):
    rng = random.Random(f"kills {name}")
    return [random_burst(rng, kinds[i % len(kinds)], size) for i in range(count)]


@pytest.mark.parametrize("size", ["tiny", "large"])
def test_rect_response_route_fair_share_are_the_naive_rounds(size):
    for instance in bursts("naive", 40 if size == "tiny" else 10, size=size):
        memory, requests = instance.memory, list(instance.requests)
        found = attempts_of(requests, rect_large(memory))
        assert found == rect_rounds(memory, requests, large=True)
        if regimes(instance).prompt_heavy == len(instance):
            found = attempts_of(requests, rect_prompt(memory))
            assert found == rect_rounds(memory, requests, large=False)
        assert attempts_of(requests, ResponsePolicy(memory)) == response_rounds(memory, requests)
        route = attempts_of(requests, Route(memory, dummies=True))
        assert route == route_rounds(memory, requests)
        assert attempts_of(requests, FairShare(memory)) == fair_share_rounds(memory, requests)


def test_every_run_is_feasible_round_by_round():
    for instance in bursts("feasible", 30, KINDS):
        for scheduler in KILL_SCHEDULERS:
            try:
                run = scheduler.run(instance, Options())
            except InputError:
                continue
            assert replay(instance, run.schedule).feasible
            assert naive_attempts_feasible(instance, list(run.schedule.attempts))
            assert run.preemptions == sum(not a.completed for a in run.schedule.attempts)


# nonclairvoyant.md section 3: the worst instances found there, with their ratio to the optimum.
@pytest.mark.parametrize(
    ("name", "memory", "groups", "ratio"),
    [
        ("rect-large", 20, [(6, 9, 1), (6, 5, 4), (7, 3, 1)], Fraction(365, 58)),
        ("response", 18, [(1, 9, 2), (1, 5, 4)], Fraction(376, 55)),
        ("route", 18, [(5, 5, 3), (6, 3, 3)], Fraction(2157, 44)),
        ("route-dummies", 18, [(5, 5, 3), (6, 3, 3)], Fraction(2157, 44)),
        ("sixteen", 16, [(4, 5, 1), (2, 14, 1)], Fraction(87, 19)),
        ("split-merge", 19, [(1, 9, 4), (12, 4, 1)], Fraction(186, 17)),
    ],
)
def test_the_worst_known_instances(name, memory, groups, ratio):
    triples = [(0, s, o) for s, o, count in groups for _ in range(count)]
    instance = Instance.from_triples(memory, triples)
    scheduler = next(s for s in KILL_SCHEDULERS if s.name == name)
    policy = scheduler.policy(instance)
    cost = play_kills(instance.requests, policy).total_completion
    assert Fraction(cost, optimum(instance).value) == ratio


@pytest.mark.parametrize("k", range(1, 7))
def test_one_large_request_under_route(k):
    """nonclairvoyant.md 3.12: a single large request with o = 2^k + 1 costs 23 * 2^k - 3."""
    request = Request(0, 0, 2**10, 2**k + 1)
    assert play_kills([request], Route(2**11)).completions == {0: 23 * 2**k - 3}


@pytest.mark.parametrize("scheduler", BLIND, ids=lambda s: s.name)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_decisions_depend_on_completions_only(scheduler, data):
    seed = data.draw(st.integers(0, 10**6))
    kinds = {"rect-large": "large", "rect-prompt": "prompt-heavy", "route-online": "arrivals"}
    kind = kinds.get(scheduler.name, "any")
    one = random_burst(random.Random(seed), kind, "tiny")
    memory = one.memory
    longest = [min(r.prompt, memory) if kind == "prompt-heavy" else memory for r in one.requests]
    outputs = [
        data.draw(st.integers(1, min(memory - r.prompt, top)))
        for r, top in zip(one.requests, longest, strict=True)
    ]
    other = Instance.of(
        memory,
        [Request(r.id, r.arrival, r.prompt, o) for r, o in zip(one.requests, outputs, strict=True)],
    )
    assert first_leak(one, other, lambda instance: scheduler.make(instance.memory)) is None


class Peeking:
    """Cheats: shortest output first, one at a time."""

    def __init__(self, instance):
        self.order = sorted(instance.requests, key=lambda r: (r.output, r.id))

    def decide(self, now, report):
        return Decision([Start(self.order.pop(0).id, 10**6)] if self.order else [])


def test_a_peeking_policy_is_caught():
    one = Instance.from_triples(20, [(0, 3, 9), (0, 3, 2), (0, 3, 5)])
    other = Instance.from_triples(20, [(0, 3, 2), (0, 3, 9), (0, 3, 5)])
    leak = first_leak(one, other, Peeking)
    assert leak is not None
    assert (leak.round, leak.first.starts[0].request, leak.second.starts[0].request) == (0, 1, 0)
    later = Instance.from_triples(20, [(0, 3, 4), (0, 3, 2), (0, 3, 3)])
    # Equal until request 1 completes in both, then 2 before 0 in one run, unlike the other.
    other = Instance.from_triples(20, [(0, 3, 3), (0, 3, 2), (0, 3, 4)])
    leak = first_leak(later, other, Peeking)
    assert leak is not None
    assert leak.round == 2
    with pytest.raises(InputError, match="outputs only"):
        first_leak(one, Instance.from_triples(20, [(0, 3, 9)]), Peeking)


def test_views_hold_no_output():
    view = NonClairvoyantView(0, 0, 3)
    assert not hasattr(view, "output")
    seen = []

    class Watching(FairShare):
        def decide(self, now, report):
            seen.extend(report.arrived)
            return super().decide(now, report)

    play_kills([Request(0, 0, 3, 7), Request(1, 0, 2, 4)], Watching(20))
    assert [type(v) for v in seen] == [NonClairvoyantView] * 2
    # The policy object holds the memory and views; nothing in it is a Request.
    assert not any(isinstance(v, Request) for v in vars(Route(9)).values())


class Scripted:
    def __init__(self, *decisions):
        self.decisions = list(decisions)

    def decide(self, now, report):
        return self.decisions.pop(0) if self.decisions else Decision()


@pytest.mark.parametrize(
    ("decisions", "message"),
    [
        ([], "round 0: nothing runs, 2 requests are unfinished"),
        ([Decision([Start(7, 1)])], "round 0: cannot start request 7 for 1 rounds"),
        ([Decision([Start(1, 1)])], "round 0: cannot start request 1 for 1 rounds"),
        ([Decision([Start(0, 0)])], "round 0: cannot start request 0 for 0 rounds"),
        ([Decision([Start(0, 1), Start(0, 1)])], "round 0: cannot start request 0"),
        ([Decision(kills=[0])], "round 0: kills request 0, which does not run"),
        ([Decision([Start(0, 2)], wake=0)], "round 0: asked to be woken in round 0"),
        ([Decision([Start(0, 2)], wake=1), Decision([Start(0, 2)])], "round 1: cannot start"),
        ([Decision(wake=10)] * 3, "round 3: asked to be woken in round 3|unfinished in round 9"),
    ],
)
def test_broken_policies_are_named_with_the_round(decisions, message):
    requests = [Request(0, 0, 1, 5), Request(1, 3, 1, 2)]
    if not decisions:
        requests[1] = Request(1, 0, 1, 2)
    with pytest.raises(PolicyError, match=message):
        play_kills(requests, Scripted(*decisions), horizon=9)


def test_dummies_report_their_end_and_leave_no_attempt():
    requests = [Request(0, 0, 1, 2), Request(1, 0, 1, 6)]
    reports = []

    class Repeat:
        def decide(self, now, report):
            reports.append((now, list(report.completed), list(report.expired)))
            if now == 0:
                return Decision([Start(0, 9), Start(1, 9)])
            return Decision([Start(0, 3)] if now == 2 else [])

    run = play_kills(requests, Repeat())
    assert reports == [(0, [], []), (2, [0], []), (4, [0], []), (6, [1], [])]
    assert [(a.request, a.start, a.rounds) for a in run.schedule.attempts] == [(0, 0, 2), (1, 0, 6)]
    assert run.replicas == [0, 0]


def test_kills_are_recorded():
    class Killing:
        def decide(self, now, report):
            if now == 0:
                return Decision([Start(0, 9)], wake=2)
            return Decision([Start(0, 9)], [0]) if now == 2 else Decision()

    run = play_kills([Request(0, 0, 1, 4)], Killing())
    assert (run.kills, run.wasted_rounds, run.completions) == (1, 2, {0: 6})


def test_the_peak_of_staggered_slices_is_exact():
    for tau in range(1, 13):
        for k in range(1, 13):
            starts = [slice_start(j, tau, k) for j in range(3 * k)]
            for s in (0, 1, 5):
                held = max(
                    sum(s + t - b + 1 for b in starts if b <= t < b + tau)
                    for t in range(duration(3 * k, tau, k))
                )
                assert held == peak(k, tau, s)
            assert peak(k, tau, 0) == Fraction(tau * (k + 1) + k - gcd(tau, k), 2)
    # The peak without the gcd term is too small: M = 2, tau = 1, s = 0 would allow k = 3.
    assert parallelism(2, 1, 0) == 2
    with pytest.raises(InputError, match="tau: must be <= memory - prompt = 3, got 4"):
        parallelism(5, 4, 2)
    assert duration(0, 5, 2) == 0


def test_parallelism_bounds():
    for memory in range(1, 60):
        for tau in range(1, memory + 1):
            s = min(tau, memory - tau)
            k, plain = parallelism(memory, tau, s), plain_parallelism(memory, tau, s)
            assert peak(k, tau, s) <= memory < peak(k + 1, tau, s)
            assert 2 * memory <= 7 * tau * k
            assert k == 1 or 2 * tau <= memory
            if 2 * tau <= memory:
                assert 1 <= plain <= k
                assert peak(plain, tau, s) <= memory
                assert 2 * memory <= 7 * tau * plain


def test_caps():
    assert power_caps(20) == [1, 2, 4, 8, 16, 20]
    assert power_caps(16) == [1, 2, 4, 8, 16]
    assert power_caps(5, Fraction(5, 4)) == [1, 2, 3, 4, 5]
    assert half_step_caps(20) == [1, 2, 3, 4, 6, 8, 12, 16, 20]
    assert half_step_caps(6) == [1, 2, 3, 4, 6]
    assert power_caps(1) == half_step_caps(1) == [1]
    with pytest.raises(InputError, match="alpha: must be > 1, got 1"):
        power_caps(5, Fraction(1))


@pytest.mark.parametrize("alpha", [Fraction(3, 2), Fraction(5, 4), Fraction(3)])
def test_response_with_other_factors(alpha):
    for instance in bursts(f"alpha {alpha}", 30, ("response-heavy",)):
        policy = ResponsePolicy(instance.memory, lambda m: power_caps(m, alpha))
        run = play_kills(instance.requests, policy)
        assert replay(instance, run.schedule).feasible


def test_eligibility_by_the_proxy_would_starve():
    """nonclairvoyant.md 3.8: M = 4, s = 1, o = 3 completes; the proxy prompts are 1, 2, 0."""
    run = play_kills([Request(0, 0, 1, 3)], ResponsePolicy(4))
    assert run.completions == {0: 1 + 2 + 3}
    assert [min(tau, 4 - tau) for tau in power_caps(4)] == [1, 2, 0]


def test_shares():
    for budget in range(40):
        for prompt in range(8):
            for longest in (0, 1, 3, 9):
                best = max(x for x in range(longest + 1) if x * (prompt + x) <= budget)
                assert share(budget, longest, prompt) == best


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 12),
    st.lists(st.tuples(st.integers(1, 12), st.integers(1, 6)), max_size=9),
    st.booleans(),
)
def test_any_fit_is_a_scan_of_everything_that_waits(memory, sizes, pooled):
    items = [Item(i, min(w, memory), h) for i, (w, h) in enumerate(sizes)]
    packing = AnyFit(memory, [items], 2 if pooled else 1)
    starts = packing.begin(0)
    rooms, expected = [memory] * (2 if pooled else 1), []
    for item in items:
        fit = next((k for k, room in enumerate(rooms) if room >= item.width), None)
        if fit is not None:
            rooms[fit] -= item.width
            expected.append((item.request, item.height, fit))
    assert starts == expected


def test_slots():
    assert [slot_begin(3, r, g) for r in range(2) for g in range(3)] == [0, 1, 2, 3, 5, 7]
    for parts in (1, 2, 3):
        for number in range(parts):
            for alone in range(1, 200):
                stage = (alone - 1).bit_length()
                done = slot_begin(parts, stage, number) + alone
                assert done <= merged_by(parts, number, alone) <= (4 * parts - 1) * alone
    for arrival in range(500):
        assert stage_end_after(arrival) <= max(3, 4 * arrival + 5)


def test_online_route_admits_at_the_start_of_a_stage():
    request = Request(0, 4, 1, 1)
    run = play_kills([request], route_online(20))
    assert run.schedule.attempts[0].start == 9  # stages begin in rounds 0, 3, 9, 21, ...


@pytest.mark.parametrize("name", ["route-online", "length-doubling"])
def test_online_runs_are_certified(name):
    for instance in bursts(f"online {name}", 40, ("arrivals",)):
        run = SCHEDULERS[name].run(instance, Options())
        assert replay(instance, run.schedule).feasible
        assert sum(c.checked for c in kill_certificates(run)) >= len(instance)


REPLICAS = {
    "regimes": (ThreeReplicas, 238, 714),
    "regimes, caps 2^r": (lambda m: ThreeReplicas(m, power_caps), 280, 840),
    "pooled FairShare": (lambda m: FairShare(m, replicas=3), Fraction(136, 3), 96),
    "pooled LengthDoubling": (lambda m: LengthDoubling(m, half_step_caps, replicas=3), None, None),
}


@pytest.mark.parametrize("name", REPLICAS)
def test_replicas_are_judged_one_by_one(name):
    make, one, three = REPLICAS[name]
    for instance in bursts("replicas", 40):
        memory, requests = instance.memory, instance.requests
        policy = make(memory)
        run = play_kills(requests, policy)
        assert judge_replicas(memory, requests, run).feasible
        assert log_certificates(policy, instance, run.completions)
        if one is None:
            continue
        assert run.total_completion <= one * optimum(instance).value
        # Three replicas embed in one of memory 3M, whose optimum the additive bound is below.
        if not regimes(instance).large:
            pooled = Instance.of(3 * memory, requests)
            assert run.total_completion <= three * additive_bound(pooled)


def test_an_overfull_replica_is_named():
    requests = [Request(0, 0, 3, 2), Request(1, 0, 3, 2)]
    both = Scripted(Decision([Start(0, 9, 1), Start(1, 9, 1)]))
    verdict = judge_replicas(6, requests, play_kills(requests, both))
    assert not verdict.feasible
    assert [(p.first, p.held_last) for p in verdict.overfull[1]] == [(0, 10)]
    apart = Scripted(Decision([Start(0, 9, 0), Start(1, 9, 1)]))
    assert judge_replicas(6, requests, play_kills(requests, apart)).feasible


def test_schedulers_refuse_what_they_do_not_take():
    stream = Instance.from_triples(9, [(0, 1, 1), (2, 1, 1)])
    with pytest.raises(InputError, match=r"requests\[1\].arrival: must be 0 for fair-share"):
        SCHEDULERS["fair-share"].run(stream, Options())
    burst = Instance.from_triples(9, [(0, 3, 1), (0, 1, 4)])
    with pytest.raises(InputError, match=r"requests\[1\]: rect-large takes large requests"):
        SCHEDULERS["rect-large"].run(burst, Options())
    with pytest.raises(InputError, match=r"requests\[0\]: rect-prompt takes prompt-heavy"):
        SCHEDULERS["rect-prompt"].run(burst, Options())


def test_regimes_of_a_mixed_burst():
    found = regimes(Instance.from_triples(16, [(0, 5, 1), (0, 4, 4), (0, 4, 5), (0, 0, 1)]))
    assert (found.large, found.prompt_heavy, found.response_heavy) == (1, 1, 2)
    assert found.text() == "25.0% / 25.0% / 50.0%"
