"""Paper 3's proved ratios, certificates and potentials, and broken runs that must be caught."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from evaluators import ratios_kills as proved
from evaluators.bounds import additive_bound, count_bound, lb2_bound
from evaluators.certificates import CertificateError
from evaluators.certificates_kills import certify_run, kill_certificates
from evaluators.certificates_kills.sums import doubled_q, pair_minima, waiting_charges
from evaluators.model import InputError, Instance
from evaluators.optimum import optimum
from evaluators.policies.nonclairvoyant.meta import merged_by
from evaluators.policies.nonclairvoyant.rect import EXPIRED, STARTED, RectLog
from evaluators.policies.nonclairvoyant.rectangles import (
    Rectangle,
    general_rect,
    most_used,
    plain_rect,
    play_rectangles,
    split_widths,
)
from evaluators.policies.scheduler import Options
from evaluators.policies.schedulers import SCHEDULERS
from evaluators.ratios import ProvedRatio
from evaluators.replay import replay
from evaluators.worst_kills import KINDS, Divisors, judge, random_burst, worst_ratios

PROMPT_HEAVY = Instance.from_triples(
    160, [(0, 27, 9)] * 11 + [(0, 28, 5)] * 23 + [(0, 28, 3)] * 3 + [(0, 11, 2)] * 3
)
MIXED = Instance.from_triples(24, [(0, 7, 5), (0, 2, 9), (0, 3, 3), (0, 12, 2), (0, 1, 7)])


def tiny(name, count, kinds=KINDS[:5]):
    rng = random.Random(f"bounds {name}")
    return [random_burst(rng, kinds[i % len(kinds)], "tiny") for i in range(count)]


def run_of(name, instance):
    return SCHEDULERS[name].run(instance, Options())


def test_no_ratio_is_exceeded_on_small_instances():
    found = worst_ratios(1, 60, "tiny")
    assert set(found) >= {"rect-large", "rect-prompt", "response", "route", "fair-share"}
    for worst in found.values():
        assert worst.total >= 1
        assert worst.makespan >= 1
        assert worst.runs > 0
    assert found["fair-share"].total < found["route"].total


def test_no_ratio_is_exceeded_on_larger_instances():
    assert all(worst.checked for worst in worst_ratios(1, 12, "large").values())


@pytest.mark.slow
def test_acceptance_5000_tiny_and_500_larger_instances():
    exact = worst_ratios(2026, 5_000, "tiny")
    bounded = worst_ratios(2026, 500, "large")
    for name, worst in exact.items():
        print(name, float(worst.total), float(worst.makespan), float(bounded[name].total))
    assert sum(worst.runs for worst in exact.values()) >= 5_000
    assert exact["route"].total > exact["fair-share"].total


def test_a_wrong_ratio_is_caught():
    result = replay(MIXED, run_of("route", MIXED).schedule)
    least = Divisors(Fraction(optimum(MIXED).value), Fraction(1))
    wrong = ProvedRatio(Fraction(2), "nobody")
    with pytest.raises(AssertionError, match=r"route: \d+ > 2 x \d+ \(nobody\)"):
        judge([wrong], "route", result, least)


def test_bounds_against_the_optimum():
    for instance in tiny("optimum", 150, KINDS):
        best = optimum(instance, objective="total-completion").value
        assert additive_bound(instance) <= best
        assert count_bound(instance) <= best
        assert lb2_bound(instance) == additive_bound(instance) - instance.total_arrival
        areas = [r.volume for r in instance.requests]
        pairs = sum(min(x, y) for x, y in product(areas, repeat=2))
        assert doubled_q(instance.requests) == pairs
        assert 6 * instance.memory * additive_bound(instance) == 3 * pairs + instance.memory * sum(
            2 * r.output + 1 for r in instance.requests
        )
    assert additive_bound(Instance.from_triples(2, [(0, 1, 1)])) == 1  # tight
    large = Instance.from_triples(20, [(0, 6, 3), (0, 6, 2), (0, 9, 1)])
    assert count_bound(large) == Fraction(1 + (1 + 2) + (1 + 2 + 3), 2)
    assert count_bound(Instance.from_triples(3, [])) == 0


def test_pair_sums():
    rng = random.Random(7)
    for _ in range(50):
        areas = {i: rng.randint(1, 6) for i in range(rng.randint(1, 8))}
        expected = {
            i: sum(3 * y if y <= x else 4 * x for j, y in areas.items() if j != i)
            for i, x in areas.items()
        }
        assert waiting_charges(areas) == expected
        values = list(areas.values())
        pairs = sum(min(x, y) for i, x in enumerate(values) for y in values[i + 1 :])
        assert pair_minima(values) == pairs


def test_the_potential_of_fair_share():
    assert proved.potential_slack(Fraction(49)) == Fraction(1, 1275)
    assert proved.potential_slack(Fraction(48)) < 0
    assert all(knot >= 0 for knot in proved.KNOTS)
    assert 2 * (1 + proved.KNOTS[0]) <= 49
    for index in range(len(proved.KNOTS)):
        slacks = []
        for change in (Fraction(1, 10), Fraction(-1, 10)):
            other = list(proved.KNOTS)
            other[index] += change
            slacks.append(proved.potential_slack(Fraction(49), tuple(other)))
        assert min(slacks) < 0


def test_the_slack_is_the_least_on_a_grid():
    """The exact least slack is below every sampled one, and near the least of them."""
    gamma, step = Fraction(49), Fraction(1, 4)

    def psi(v):
        cell = min(int(v / step), 7)
        low, high = proved.KNOTS[cell], proved.KNOTS[cell + 1]
        return low + (high - low) * (v - cell * step) / step

    def slack(v, w, xi):
        f = v * v / 16 * (1 - w / 4) * (1 - xi) ** 2 + v / 12 * xi
        return gamma * f + psi(w) - v * (2 + psi(v))

    grid = [Fraction(i, 10) for i in range(21)]
    cuts = [Fraction(i, 6) for i in range(7)]
    sampled = min(slack(v, w, xi) for v in grid for w in grid for xi in cuts)
    exact = proved.potential_slack(gamma)
    assert exact <= sampled
    # The smallest slack sits at (v, v') = (52/51, 2) (second reading, item 3).
    least = min(slack(Fraction(52, 51), Fraction(2), Fraction(i, 102)) for i in range(103))
    assert exact <= least < Fraction(1, 100)


def test_ratio_constants_hang_together():
    values = {
        name: [r.value for r in getattr(proved, name) if r.objective == "tel"]
        for name in ("RECT_LARGE", "RECT_PROMPT", "RESPONSE", "ROUTE", "ROUTE_2_5_1", "ROUTE_2_4_1")
    }
    prompt, response = values["RECT_PROMPT"], values["RESPONSE"]
    half = proved.RESPONSE_HALF_STEPS[0].value
    assert values["ROUTE"] == [
        8 * prompt[0] + 9 * response[0],
        8 * prompt[1] + 9 * response[0],
        8 * prompt[2] + 9 * response[1],
    ]
    assert values["ROUTE_2_5_1"] == [10 * prompt[2] + 5 * response[1]]
    assert values["ROUTE_2_4_1"] == [9 * prompt[2] + Fraction(11, 2) * half]
    assert [r.value for r in proved.ROUTE_ONLINE] == [v + 5 for v in values["ROUTE"]]
    assert proved.ROUTE_ONLINE_2_5_1[0].value == values["ROUTE_2_5_1"][0] + 20
    assert proved.ROUTE_ONLINE_2_4_1[0].value == values["ROUTE_2_4_1"][0] + 17
    assert 11 * values["RECT_LARGE"][0] <= values["ROUTE"][0]
    assert proved.merged_ratio(2, Fraction(17)) == proved.GENERAL_RECT[1].value
    assert proved.merged_ratio(2, Fraction(20)) == proved.GENERAL_RECT[0].value
    assert proved.SPLIT_MERGE[1].value == max(merged_by(2, 0, 5), merged_by(2, 1, 4))
    assert proved.THREE_REPLICAS_ONE[0].value == 2 * prompt[2] + 3 * half
    assert proved.THREE_REPLICAS_ONE_POWERS[0].value == 2 * prompt[2] + 3 * response[1]
    assert proved.THREE_REPLICAS[0].value == 3 * proved.THREE_REPLICAS_ONE[0].value
    assert proved.THREE_REPLICAS_POWERS[0].value == 3 * proved.THREE_REPLICAS_ONE_POWERS[0].value
    greedy = proved.greedy_ratio(Instance.from_triples(10, [(0, 2, 3), (0, 1, 1)]))
    assert greedy.value == 1 + Fraction(20, 6)


def fault(run, match):
    with pytest.raises(CertificateError, match=match):
        kill_certificates(run)


def rect_run(instance=PROMPT_HEAVY):
    run = run_of("rect-prompt", instance)
    kill_certificates(run)
    return run, run.log.rect.log


def test_a_start_that_passes_the_queue_is_caught():
    run, log = rect_run()
    places = [i for i, step in enumerate(log.steps) if step[1] == STARTED]
    first, second = places[0], places[-1]
    log.steps[first], log.steps[second] = (
        (log.steps[first][0], *log.steps[second][1:]),
        (log.steps[second][0], *log.steps[first][1:]),
    )
    fault(run, r"Rect starts a minimum .*: round 0: request \d+: \d+ <= \d+ is false")


def test_an_idle_rect_is_caught():
    """Drop the starts after the first expiration: memory lies idle while requests wait."""
    run, log = rect_run()
    cut = next(i for i, step in enumerate(log.steps) if step[1] == EXPIRED)
    rest = [s for s in log.steps[cut:] if s[1] != STARTED and s[0] == log.steps[cut][0]]
    log.steps[cut:] = [*rest[:1], (10**6, *rest[1][1:])]
    fault(run, r"M - Delta \+ 1 <= used while waiting .*: round \d+: ")


def test_a_lost_round_is_caught():
    run, log = rect_run(Instance.from_triples(8, [(0, 2, 2)]))
    log.steps[-1] = (log.steps[-1][0] + 2, *log.steps[-1][1:])
    fault(run, r"Rect active rounds <= 3p - 2 .*: round \d+: request 0: ")


def test_a_late_start_is_caught():
    instance = Instance.from_triples(8, [(0, 2, 1)])
    run, log = rect_run(instance)
    log.steps[:] = [(s[0] + 40, *s[1:]) for s in log.steps]
    fault(run, r"(used while waiting|H wait <= charges) .*: round \d+: ")


def delayed(run, by=10**6):
    """The same run with the last completion moved."""
    attempts = list(run.schedule.attempts)
    last = max(range(len(attempts)), key=lambda i: attempts[i].end if attempts[i].completed else 0)
    attempts[last] = replace(attempts[last], start=attempts[last].start + by)
    return replace(run, schedule=replace(run.schedule, attempts=tuple(attempts)))


@pytest.mark.parametrize(
    ("name", "statement"),
    [
        ("route", "Route completes by its stage"),
        ("route-online", "Route completes by its stage"),
        ("response", "Response completions as the phases say"),
        ("fair-share", "FairShare sum C <= sum of"),
        ("length-doubling", "LengthDoubling k"),
        ("area-greedy", "Greedy H C <= H o"),
        ("split-merge", "merge: C <="),
        ("sixteen", "window packed within 2L - 1"),
    ],
)
def test_a_late_completion_is_caught(name, statement):
    run = run_of(name, MIXED)
    assert kill_certificates(run)
    with pytest.raises(CertificateError) as caught:
        kill_certificates(delayed(run))
    assert caught.value.certificate.name.startswith(statement)


def test_tampered_phases_are_caught():
    run = run_of("response", MIXED)
    phases = run.log.response.log.phases
    original = list(phases)
    for index, change, name in (
        (1, {"parallel": 1}, "SPS M < peak"),
        (1, {"parallel": 99}, "SPS peak of k"),
        (2, {"begin": original[2].begin + 1}, "Response phase duration"),
        (1, {"members": (*original[-1].members, 3)}, "Response phase members"),
    ):
        phases[:] = original
        phases[index] = phases[index]._replace(**change)
        with pytest.raises(CertificateError) as caught:
            kill_certificates(run)
        assert caught.value.certificate.name.startswith(name)
        assert caught.value.certificate.round is not None


def test_a_false_certificate_of_route_is_caught():
    run = run_of("route", MIXED)
    run.log.log.certified[2] = 5  # request 2 has o = s
    fault(run, r"Route certificate: s < o .*: round 5: request 2: 4 <= 3 is false")


def test_a_tampered_share_is_caught():
    run = run_of("fair-share", MIXED)
    stage = run.log.stages[1]
    run.log.stages[1] = stage._replace(unfinished=stage.unfinished + 1)
    fault(run, r"FairShare M L / n doubles .*: round 1: ")
    run = run_of("fair-share", MIXED)
    stage = next(s for s in run.log.stages if s.items)
    wide = stage.items[0]._replace(width=10**6)
    run.log.stages[run.log.stages.index(stage)] = stage._replace(items=(wide, *stage.items[1:]))
    fault(run, "FairShare stage area <= k M L")


def test_total_completion_ratios_are_held_against_the_best_known():
    instance = Instance.from_triples(20, [(0, 1, 1), (50, 2, 3)])
    run = run_of("route-online", instance)
    tel = replay(instance, run.schedule).tel
    ratios = SCHEDULERS["route-online"].all_ratios(instance)
    assert all(r.objective == "total-completion" for r in ratios)
    assert SCHEDULERS["route-online"].ratios(instance, Options()) == []
    names = [c.name for c in certify_run(run, ratios, tel)]
    assert names.count("proved ratio of total completion") == len(ratios) == 3
    wrong = [ProvedRatio(Fraction(1, 2), "nobody", "", "total-completion")]
    with pytest.raises(CertificateError, match=r"proved ratio of total completion \(nobody\)"):
        certify_run(run, wrong, tel)


def test_runs_of_other_schedulers_have_no_kill_certificates():
    assert kill_certificates(run_of("svf", MIXED)) == []
    assert kill_certificates(run_of("route", Instance.from_triples(5, []))) == []


def rectangles(rng, memory):
    n = rng.randint(1, 5)
    return [Rectangle(i, rng.randint(1, memory), rng.randint(1, 6)) for i in range(n)]


def least_total(memory, items):
    """The least sum of completions of rectangles, by trying all starts up to the serial length."""
    best = [10**9]

    def extend(index, used, cost):
        if cost >= best[0]:
            return
        if index == len(items):
            best[0] = cost
            return
        item = items[index]
        for start in range(sum(r.height for r in items) - item.height + 1):
            rounds = range(start, start + item.height)
            if all(used.get(t, 0) + item.width <= memory for t in rounds):
                new = dict(used)
                for t in rounds:
                    new[t] = new.get(t, 0) + item.width
                extend(index + 1, new, cost + start + item.height)

    extend(0, {}, 0)
    return best[0]


def test_general_widths():
    rng = random.Random(11)
    for _ in range(40):
        memory = rng.randint(2, 9)
        items = rectangles(rng, memory)[:4]
        widths = {r.id: r.width for r in items}
        run = play_rectangles(memory, items, general_rect(memory, widths))
        assert most_used(items, run) <= memory
        assert run.total_completion <= 119 * least_total(memory, items)
        for number, strips in enumerate(split_widths(memory, widths)):
            part = [r for r in items if r.id in {s.request for s in strips}]
            alone = play_rectangles(memory, part, plain_rect(memory, {r.id: r.width for r in part}))
            for i, completion in alone.completions.items():
                assert run.completions[i] <= merged_by(2, number, completion)


def test_plain_rect_on_mixed_widths_is_not_competitive():
    """nonclairvoyant.md 3.6 (T4): one (1, M/2) and sqrt(M) of (M, 1) cost sqrt(M) times OPT."""
    previous = Fraction(0)
    for root in (8, 16, 32):
        memory = root * root
        items = [Rectangle(0, 1, memory // 2)]
        items += [Rectangle(i, memory, 1) for i in range(1, root + 1)]
        widths = {r.id: r.width for r in items}
        plain = play_rectangles(memory, items, plain_rect(memory, widths)).total_completion
        wides_first = sum(range(1, root + 1)) + root + memory // 2
        ratio = Fraction(plain, wides_first)
        assert ratio > 1.4 * previous
        merged = play_rectangles(memory, items, general_rect(memory, widths)).total_completion
        assert merged <= 7 * wides_first
        previous = ratio
    with pytest.raises(InputError, match=r"rectangle 0: width: must be in 1..3, got 4"):
        play_rectangles(3, [Rectangle(0, 4, 1)], plain_rect(3, {0: 4}))


def test_an_empty_rect_log_has_no_cases():
    from evaluators.certificates_kills.strips import (  # noqa: PLC0415
        StripChecks,
        check_strips,
        completion_bounds,
    )

    checks = StripChecks()
    check_strips(RectLog(5, ()), {}, checks)
    assert checks.certificates() == []
    assert completion_bounds(5, (), {}) == {}
