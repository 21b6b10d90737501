"""The schedulers: what they may see, how they rank, and what is proved of their runs."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import ceil

import pytest
from mypy import api

from evaluators import ratios
from evaluators.certificates import CertificateError, certify
from evaluators.memory import engine_convention
from evaluators.model import InputError, Instance, Request
from evaluators.optimum import optimum
from evaluators.policies.adapter import engine_priorities, engine_priority
from evaluators.policies.conditional_mean import conditional_means
from evaluators.policies.kill_schedulers import KillScheduler
from evaluators.policies.one_bit import fourth_root
from evaluators.policies.rules import Rules
from evaluators.policies.scheduler import Options, Ranking, proved
from evaluators.policies.schedulers import SCHEDULERS, scheduler_named
from evaluators.policies.smallest_volume import SVF
from evaluators.policies.staggered import most_staggered, staggered_peak
from evaluators.policies.views import (
    NonClairvoyantView,
    clairvoyant,
    non_clairvoyant,
    one_bit,
    predicted,
)
from evaluators.replay import replay
from tests.policies.engine_cases import random_instance, seeded

NAMES = sorted(SCHEDULERS)
LISTS = [name for name in NAMES if hasattr(SCHEDULERS[name], "keys")]
BURST_ONLY = {"staggered", "cheaper-of-two"}
SETTINGS = [
    Rules(queue, admission)
    for queue in ("head", "skip")
    for admission in ("exact", "peak", "reserve", "prompt-only")
]


def runs_of(instance, seed, every_rule=False):
    """Each scheduler's run on the instance, with its options; test_kills has those with kills."""
    for name, scheduler in SCHEDULERS.items():
        if isinstance(scheduler, KillScheduler) or (name in BURST_ONLY and not instance.is_burst):
            continue
        for rules in [None, *SETTINGS] if every_rule and name in LISTS else [None]:
            options = Options(rules, seed=seed)
            yield scheduler, options, scheduler.run(instance, options)


def check_bounds(seed, count, every_rule=False):
    """Replay, certificates and ratios against the optimum, or the best schedule known."""
    rng = seeded(f"bounds {seed}")
    for index in range(count):
        instance = random_instance(rng, max_n=7, max_memory=16)
        best = optimum(instance, node_limit=5_000).upper
        for scheduler, options, run in runs_of(instance, index, every_rule):
            assert replay(instance, run.schedule).feasible, scheduler.name
            certify(run, scheduler.ratios(instance, options), best)


@pytest.mark.slow
def test_two_thousand_instances_break_no_bound():
    check_bounds(seed=1, count=2000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3])
def test_no_bound_breaks_under_any_rule(seed):
    check_bounds(seed, count=1500, every_rule=True)


@pytest.mark.slow
def test_larger_bursts_break_no_bound_against_each_other():
    rng = seeded("larger")
    for index in range(300):
        instance = random_instance(rng, max_n=60, max_memory=200, burst=index % 3 > 0)
        runs = list(runs_of(instance, index))
        best = min(replay(instance, run.schedule).tel for *_, run in runs)
        for scheduler, options, run in runs:
            certify(run, scheduler.ratios(instance, options), best)


def test_wrong_bounds_are_caught():
    """SVF / OPT is 4/3 here: any smaller constant is refuted, 4/3 itself is not."""
    instance = Instance.from_triples(6, [(0, 0, 3), (0, 3, 2)])
    best = optimum(instance).value
    run = SVF.run(instance, Options())
    certify(run, SVF.ratios(instance, Options()), best)
    for value in (Fraction(1), Fraction(13, 10)):
        wrong = ratios.ProvedRatio(value, "wrong on purpose")
        with pytest.raises(CertificateError, match=r"wrong on purpose.*8 <= .* is false"):
            certify(run, [wrong], best)
    certify(run, [ratios.ProvedRatio(Fraction(8, 6), "tight here")], best)


def test_seven_thirds_replaced_by_one_is_caught():
    """The sharpened bound tends to 7/3 for alpha -> 0; with 1 in its place it breaks at once."""
    instance = Instance.from_triples(640, [(0, 0, 8)] * 1000)
    scale = Fraction(640, ratios.headroom(instance))
    true = ratios.svf_sharpened_ratio(instance)
    assert true.value == 1 + Fraction(4, 3) * scale
    run = SVF.run(instance, Options())
    staggered = SCHEDULERS["staggered"].run(instance, Options())
    best = replay(instance, staggered.schedule).tel
    certify(run, [true], best)
    wrong = ratios.ProvedRatio(true.value * Fraction(3, 7), "7/3 replaced by 1")
    with pytest.raises(CertificateError, match="7/3 replaced by 1"):
        certify(run, [wrong], best)


# What a policy may see.


def test_a_peeking_policy_fails_at_run_time():
    request = Request(3, 0, 5, 7)
    for view in (non_clairvoyant(request), one_bit(4)(request), predicted(Fraction(2), 0)(request)):
        with pytest.raises(AttributeError):
            _ = view.output
        assert not hasattr(view, "__dict__")
    assert 7 not in tuple(non_clairvoyant(request))
    assert tuple(one_bit(4)(request)) == (3, 0, 5, True)

    def peek(view: NonClairvoyantView) -> int:
        return view.output

    instance = Instance.of(20, [request])
    ranking = Ranking(non_clairvoyant, peek, lambda view: view.prompt)
    with pytest.raises(AttributeError):
        [ranking.priority(ranking.observe(r)) for r in instance.requests]


PEEKS = """
from evaluators.policies.scheduler import Ranking
from evaluators.policies.views import (
    ClairvoyantView, NonClairvoyantView, OneBitView, Priority, non_clairvoyant,
)

def peek(view: NonClairvoyantView) -> int:
    return view.output

def shortest(view: ClairvoyantView) -> int:
    return view.output

smuggled: Priority[OneBitView] = shortest
ranking: Ranking[NonClairvoyantView] = Ranking(non_clairvoyant, shortest, lambda view: 1)
"""


def test_a_peeking_policy_fails_under_mypy(tmp_path):
    source = tmp_path / "peeks.py"
    source.write_text(PEEKS)
    report, _, code = api.run(
        ["--strict", "--ignore-missing-imports", "--config-file=", str(source)]
    )
    errors = [line for line in report.splitlines() if "peeks.py" in line and "error" in line]
    assert code == 1
    assert any('"NonClairvoyantView" has no attribute "output"' in line for line in errors)
    assert {line.split(":")[1] for line in errors} == {"8", "13", "14"}


# How they rank.


def keys(name, instance, **options):
    return SCHEDULERS[name].keys(instance, Options(**options))


def test_keys_by_hand():
    instance = Instance.from_triples(40, [(0, 3, 2), (1, 0, 16), (2, 5, 5), (2, 7, 4)])
    assert keys("fcfs", instance) == [0, 1, 2, 2]
    assert keys("sjf", instance) == [2, 16, 5, 4]
    assert keys("svf", instance) == [2 * v for v in (9, 136, 40, 38)]
    assert keys("oracle-svf", instance) == keys("svf", instance)
    # T = 16: b = 2, threshold 4, proxies 2 and 8.
    assert keys("1-bit-svf", instance) == [18, 72, 152, 34]
    # A declared T of 17 needs b = 3: threshold 9, proxies 3 and 27.
    assert keys("1-bit-svf", instance, max_output=17) == [30, 756, 42, 54]
    assert keys("predicted-svf", instance, factor=Fraction(1)) == keys("svf", instance)
    assert keys("predicted-sjf", instance, factor=Fraction(1)) == keys("sjf", instance)


def test_fourth_root():
    assert [fourth_root(v) for v in (0, 1, 2, 16, 17, 81, 82)] == [1, 1, 2, 2, 3, 3, 4]
    assert fourth_root(10**40) == 10**10
    assert fourth_root(10**40 + 1) == 10**10 + 1


def test_declared_limits_are_checked():
    instance = Instance.from_triples(40, [(0, 3, 9)])
    with pytest.raises(InputError, match="max-output"):
        keys("1-bit-svf", instance, max_output=8)
    with pytest.raises(InputError, match="max-peak"):
        keys("honest-1-bit", instance, max_peak=11)
    with pytest.raises(InputError, match="factor"):
        keys("predicted-svf", instance, factor=Fraction(1, 2))
    with pytest.raises(InputError, match="mean-output"):
        keys("mean-1-bit-svf", instance, mean_output=Fraction(1, 2))


@pytest.mark.parametrize("mean", [Fraction(1), Fraction(3, 2), Fraction(5), Fraction(22, 7)])
def test_conditional_means_of_a_geometric_law(mean):
    q = 1 - 1 / mean
    for threshold in range(1, 7):
        short, long = conditional_means(mean, threshold)
        mass = [q ** (o - 1) / mean for o in range(1, threshold + 1)]
        assert short == sum(o * m for o, m in enumerate(mass, 1)) / sum(mass)
        assert sum(mass) * short + (1 - sum(mass)) * long == mean


def test_conditional_mean_keys_are_scaled_volumes():
    rng = seeded("means")
    for _ in range(50):
        instance = random_instance(rng)
        mean = Fraction(instance.total_output, len(instance))
        threshold = ceil(mean)
        means = conditional_means(mean, threshold)
        sizes = [means[r.output > threshold] for r in instance.requests]
        pairs = zip(instance.requests, sizes, strict=True)
        exact = [2 * r.prompt * o + o * o + o for r, o in pairs]
        found = keys("mean-1-bit-svf", instance, mean_output=mean)
        assert all(isinstance(key, int) for key in found)
        assert len({Fraction(k) / x for k, x in zip(found, exact, strict=True)}) == 1


def test_predictions_are_seeded_and_within_the_factor():
    factors = (Fraction(1), Fraction(5, 4), Fraction(2), Fraction(7, 2))
    for factor in factors:
        for output in (1, 2, 3, 10, 1000, 10**15):
            for identifier in range(40):
                guess = predicted(factor, 5)(Request(identifier, 0, 0, output)).predicted
                assert output <= factor * guess
                assert guess <= factor * output
    guesses = [predicted(Fraction(2), 0)(Request(i, 0, 0, 1000)).predicted for i in range(8)]
    assert guesses == GOLDEN
    again = [predicted(Fraction(2), 1)(Request(i, 0, 0, 1000)).predicted for i in range(8)]
    assert again != guesses
    ups = Counter(
        predicted(Fraction(2), 0)(Request(i, 0, 0, 1000)).predicted > 1000 for i in range(1000)
    )
    assert 400 < ups[True] < 600


GOLDEN = [1245, 1593, 539, 1527, 1060, 522, 975, 1505]


def test_reservations_cover_the_peaks():
    rng = seeded("reserve")
    for index in range(200):
        instance = random_instance(rng)
        for name in LISTS:
            run = SCHEDULERS[name].run(instance, Options(Rules(admission="reserve"), seed=index))
            pairs = zip(instance.requests, run.reserves, strict=True)
            assert all(r.peak <= reserve <= instance.memory for r, reserve in pairs), name


def test_one_bit_overflow_that_honest_reservation_avoids():
    """svf.md section 1: look-ahead by proxies would admit four (0,4) into M = 8, true peak 16."""
    instance = Instance.from_triples(8, [(0, 0, 4)] * 4)
    honest = SCHEDULERS["honest-1-bit"].run(instance, Options())
    assert sorted(honest.starts().values()) == [0, 0, 4, 4]
    assert replay(instance, honest.schedule).peak == 8


# What is proved.


def test_ratios_by_hand():
    # alpha = 1/2, D = M - P + 1.
    instance = Instance.from_triples(100, [(0, 30, 20), (0, 0, 16)])
    values = {r.source: r.value for r in SVF.ratios(instance, Options())}
    assert values["paper 2 theorem 3.2"] == 5
    assert values["ours: svf.md section 4"] == Fraction(200, 51)
    assert values["ours: svf-gap.md R1"] == Fraction(1900, 459)
    one_bit_svf = {r.source: r.value for r in SCHEDULERS["1-bit-svf"].ratios(instance, Options())}
    assert one_bit_svf["paper 2 theorem 3.3, explicit constant"] == 1 + 2 * 81 * 2
    assert one_bit_svf["ours: svf.md section 1, 1-bit SVF"] == Fraction(200 * 10, 51)
    assert proved(SVF, instance, Options()).value == 2  # n = 2
    assert SVF.ratios(instance, Options(Rules(admission="prompt-only"))) == []


def test_burst_bounds_hold_for_their_rules_only():
    burst = Instance.from_triples(100, [(0, 1, 2)] * 5)
    stream = Instance.from_triples(100, [(i, 1, 2) for i in range(5)])
    sources = {r.source for r in SVF.ratios(burst, Options())}
    assert len(sources) == 4
    without_gap = {r.source for r in SVF.ratios(burst, Options(Rules(admission="peak")))}
    assert sources - without_gap == {"ours: svf-gap.md R1"}
    for instance, rules in (
        (stream, Rules()),
        (burst, Rules("skip")),
        (burst, Rules(max_running=4)),
        (burst, Rules(convention=engine_convention(1))),
        (burst, Rules(admission="reserve")),
    ):
        assert [r.value for r in SVF.ratios(instance, Options(rules))] == [5]
    assert len(SVF.ratios(burst, Options(Rules(max_running=5)))) == 4


def test_full_requests_leave_the_papers_bound_undefined():
    instance = Instance.from_triples(4, [(0, 3, 1)] * 3)
    assert ratios.svf_paper_ratio(instance) is None
    assert ratios.one_bit_paper_ratio(instance, 1) is None
    assert ratios.svf_sharpened_ratio(instance).value == 8


# Staggered lists and the adapter.


def test_staggered_peak_is_exact():
    for prompt in range(4):
        for output in range(1, 9):
            for kappa in range(1, 12):
                starts = [j * output // kappa for j in range(4 * kappa)]
                top = max(
                    sum(prompt + t - b + 1 for b in starts if b <= t < b + output)
                    for t in range(2 * output, 3 * output)
                )
                assert staggered_peak(prompt, output, kappa) == top


def test_most_staggered():
    for memory in range(1, 40):
        for output in range(1, memory + 1):
            for prompt in range(memory - output + 1):
                kappa = most_staggered(memory, prompt, output)
                assert staggered_peak(prompt, output, kappa) <= memory
                assert staggered_peak(prompt, output, kappa + 1) > memory


def test_staggering_beats_smallest_volume_on_long_queues():
    instance = Instance.from_triples(64, [(0, 0, 16)] * 400)
    tels = {
        name: replay(instance, SCHEDULERS[name].run(instance, Options()).schedule).tel
        for name in ("svf", "staggered", "cheaper-of-two")
    }
    assert tels["cheaper-of-two"] == tels["staggered"] < tels["svf"]


def test_timetables_refuse_what_they_cannot_do():
    stream = Instance.from_triples(9, [(0, 1, 1), (1, 1, 1)])
    for name in BURST_ONLY:
        with pytest.raises(InputError, match="burst"):
            SCHEDULERS[name].run(stream, Options())
    burst = Instance.from_triples(9, [(0, 1, 1)])
    for name in (*BURST_ONLY, "main-filler", "algorithm-e"):
        with pytest.raises(InputError, match="rules"):
            SCHEDULERS[name].run(burst, Options(Rules("skip")))


def test_engine_priorities():
    instance = Instance.from_triples(40, [(0, 3, 2), (0, 0, 16), (0, 5, 5)])
    assert [engine_priority(clairvoyant(r)) for r in instance.requests] == [9, 136, 40]
    given = [9, 136, 40]
    assert engine_priorities(instance, given) == {0: 9, 1: 136, 2: 40}
    assert engine_priorities(instance, given, bits=8) == {0: 0, 1: 2, 2: 1}
    assert engine_priorities(instance, [5, 5, 10**30]) == {0: 0, 1: 0, 2: 1}
    with pytest.raises(InputError, match="bits"):
        engine_priorities(instance, [1, 2, 9], bits=2)
    with pytest.raises(InputError, match="keys"):
        engine_priorities(instance, [1])
    ranks = engine_priorities(instance, SVF.keys(instance, Options()), bits=8)
    order = sorted(instance.requests, key=lambda r: (ranks[r.id], r.id))
    assert order == sorted(instance.requests, key=lambda r: (r.volume, r.id))


def test_registry():
    assert all(SCHEDULERS[name].name == name for name in NAMES)
    for scheduler in SCHEDULERS.values():
        texts = (scheduler.summary, scheduler.paper, scheduler.sees, scheduler.guarantee)
        assert all(texts)
    with pytest.raises(InputError, match=r"must be one of serial, fcfs, sjf, svf"):
        scheduler_named("lifo")
