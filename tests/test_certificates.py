"""The certificates against their definitions, and broken ones caught with their numbers."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from evaluators.certificates import CertificateError, certify, waiting_certificates
from evaluators.memory import engine_convention
from evaluators.model import Instance, Schedule
from evaluators.policies.engine import simulate
from evaluators.policies.rules import Rules
from evaluators.policies.scheduler import Options
from evaluators.policies.schedulers import SCHEDULERS
from evaluators.ratios import ProvedRatio
from tests.policies.engine_cases import random_instance, random_keys, seeded

WAITING, PATHWISE = "waiting certificate", "pathwise peak certificate"


def sizes_of(run):
    if run.rules.admission == "reserve":
        return list(run.reserves)
    return [run.rules.convention.peak(r.prompt, r.output) for r in run.instance.requests]


def sides(run, kind):
    """Left and right by the definitions, request by request, every pair looked at."""
    starts, sizes, requests = run.starts(), sizes_of(run), run.instance.requests
    headroom = run.instance.memory - max(sizes) + 1
    rows = list(zip(requests, run.keys, sizes, strict=True))
    result = {}
    for j, key, _ in rows:
        right = 0
        for i, other, size in rows:
            before = (other, i.id) < (key, j.id)
            if kind == WAITING:
                right += size * i.output if before else 0
                continue
            if starts[i.id] < j.arrival:
                right += size * max(0, starts[i.id] + i.output - j.arrival)
            elif before and i.arrival <= starts[j.id]:
                right += size * i.output
        result[j.id] = headroom * (starts[j.id] - j.arrival), right
    return result


def is_tightest(run, certificate):
    """Whether it holds everywhere and names a request where left / right is largest."""
    expected = sides(run, certificate.name)
    used = {i: Fraction(left, right) for i, (left, right) in expected.items() if left}
    most = max(used.values(), default=Fraction(0))
    return (
        all(left <= right for left, right in expected.values())
        and (certificate.left, certificate.right) == expected[certificate.request]
        and used.get(certificate.request, Fraction(0)) == most
    )


def random_run(rng, **size):
    rules = Rules("head", rng.choice(["exact", "exact", "peak", "reserve"]))
    instance = random_instance(rng, **size)
    reserves = [rng.randint(r.peak, instance.memory) for r in instance.requests]
    return simulate(instance, random_keys(rng, instance), rules, reserves)


def check_definitions(seed, count, **size):
    rng = seeded(seed)
    for _ in range(count):
        run = random_run(rng, **size)
        found = {c.name: c for c in certify(run)}
        assert set(found) == {PATHWISE} | ({WAITING} if run.instance.is_burst else set())
        for certificate in found.values():
            assert is_tightest(run, certificate)
            assert certificate.checked == len(run.instance)


def test_certificates_are_their_definitions():
    check_definitions("definitions", 600)


@pytest.mark.slow
def test_certificates_are_their_definitions_at_length():
    check_definitions("long", 3000, max_n=30, max_memory=80)


def test_by_hand():
    # (3,2) waits until (0,3) has left: D = 6 - 5 + 1 = 2, W = 3, p o of the first is 9.
    instance = Instance.from_triples(6, [(0, 0, 3), (0, 3, 2)])
    run = SCHEDULERS["svf"].run(instance, Options())
    assert run.starts() == {0: 0, 1: 3}
    waiting, pathwise = waiting_certificates(run)
    assert sides(run, WAITING) == {0: (0, 0), 1: (6, 9)}
    assert (waiting.request, waiting.left, waiting.right, waiting.slack) == (1, 6, 9, 3)
    assert (pathwise.request, pathwise.checked, pathwise.slack) == (1, 2, 3)


def test_skipping_breaks_the_waiting_certificate():
    triples = [(0, 12919, 1)] * 2 + [(0, 13299, 1)] + [(0, 13679, 1)] * 8
    triples += [(0, 12065, 95), (0, 12445, 95)]
    instance = Instance.from_triples(38000, triples)
    run = SCHEDULERS["svf"].run(instance, Options(Rules("skip")))
    assert certify(run) == []
    pretended = replace(run, rules=Rules())
    with pytest.raises(CertificateError) as error:
        certify(pretended)
    broken = error.value.certificate
    assert (broken.name, broken.slack < 0) == (WAITING, True)
    assert f"request {broken.request}: {broken.left} <= {broken.right}" in str(error.value)
    # The smallest failure: (0,4) passes (3,1), which then waits 4 rounds; D = 2, 8 > 2.
    small = Instance.from_triples(5, [(0, 1, 1), (0, 3, 1), (0, 0, 4)])
    skipped = SCHEDULERS["svf"].run(small, Options(Rules("skip")))
    with pytest.raises(CertificateError):
        certify(replace(skipped, rules=Rules()))


def test_a_late_start_is_caught_with_and_without_a_burst():
    for arrival in (0, 2):
        instance = Instance.from_triples(10, [(0, 1, 2), (arrival, 1, 2), (arrival, 2, 3)])
        run = SCHEDULERS["svf"].run(instance, Options())
        certify(run)
        late = replace(run, schedule=Schedule({**run.starts(), 1: arrival + 50}))
        with pytest.raises(CertificateError) as error:
            certify(late)
        assert error.value.certificate.request == 1


def test_a_wrong_headroom_would_be_caught():
    """With M + 1 in place of D the certificate is false already for two requests."""
    instance = Instance.from_triples(4, [(0, 0, 4), (0, 0, 4)])
    run = SCHEDULERS["svf"].run(instance, Options())
    assert run.starts() == {0: 0, 1: 4}
    assert sides(run, WAITING)[1] == (1 * 4, 16)
    assert 16 - (instance.memory + 1) * 4 < 0


def test_other_runs_have_ratio_certificates_only():
    instance = Instance.from_triples(10, [(0, 1, 2), (0, 1, 3), (0, 2, 3)])
    for rules in (Rules("skip"), Rules(admission="prompt-only"), Rules(max_running=2)):
        run = SCHEDULERS["svf"].run(instance, Options(rules))
        assert certify(run) == []
        assert len(certify(run, [ProvedRatio(Fraction(3), "n")], 8)) == 1
    for name in ("staggered", "main-filler"):
        assert certify(SCHEDULERS[name].run(instance, Options())) == []


def test_engine_convention_uses_its_own_peaks():
    rng = seeded("engine convention")
    for _ in range(200):
        instance = random_instance(rng)
        convention = engine_convention(1)
        run = simulate(instance, random_keys(rng, instance), Rules(convention=convention))
        assert all(is_tightest(run, certificate) for certificate in certify(run))


def test_ratio_certificates():
    instance = Instance.from_triples(6, [(0, 0, 3), (0, 3, 2)])
    run = SCHEDULERS["svf"].run(instance, Options())
    ratio = certify(run, [ProvedRatio(Fraction(4, 3), "tight")], 6)[-1]
    assert (ratio.name, ratio.left, ratio.right, ratio.slack) == ("proved ratio", 8, 8, 0)
    with pytest.raises(CertificateError, match=r"proved ratio \(low\): 8 <= 39/5 is false"):
        certify(run, [ProvedRatio(Fraction(13, 10), "low")], 6)
    # Without a better schedule nothing below the run's own cost can be said.
    certify(run, [ProvedRatio(Fraction(1), "vacuous")])
    with pytest.raises(CertificateError):
        certify(run, [ProvedRatio(Fraction(9, 10), "below one")])
