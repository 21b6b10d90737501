"""The formulas at random rational points, against definitions that know nothing of sympy."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.closed_forms import geometry, laws, moments, one_bit, penalty, poisson
from evaluators.closed_forms import priority_queue as queue
from evaluators.closed_forms import proxy_queue as proxy
from evaluators.model import Request

RATIONALS = st.fractions(min_value=0, max_value=50, max_denominator=12)
POSITIVE = st.fractions(min_value=Fraction(1, 12), max_value=50, max_denominator=12)
MUS = st.fractions(min_value=Fraction(1, 20), max_value=Fraction(19, 20), max_denominator=20)
LOADS = st.lists(RATIONALS, min_size=1, max_size=8)


@given(st.integers(0, 10**6), st.integers(1, 10**6))
@settings(deadline=None)
def test_volume_agrees_with_the_model(prompt: int, output: int) -> None:
    request = Request(0, 0, prompt, output)
    s, o = Fraction(prompt), Fraction(output)
    assert geometry.volume(s, o) == request.volume
    assert geometry.volume_by_peak(Fraction(request.peak), o) == request.volume
    assert request.peak * output + geometry.peak_slack(s, o) == request.volume2


@given(MUS, st.integers(0, 3), st.integers(1, 60))
@settings(deadline=None)
def test_newton_mean_lies_between_partial_sums(mu: Fraction, degree: int, cut: int) -> None:
    """E[o^d] - E[o^d; o <= n] = q^n E[(n+o)^d], at least 0 and at most q^n (n+1)^d E[o^d]."""
    whole = laws.geometric_mean(lambda k: Fraction(k) ** degree, degree, mu)
    part = laws.short_part(lambda k: Fraction(k) ** degree, cut, mu)
    tail = (1 - mu) ** cut
    assert part < whole <= part + tail * (cut + 1) ** degree * whole


@given(LOADS, POSITIVE, POSITIVE)
@settings(deadline=None)
def test_recurrence_has_the_unrolled_solution(
    loads: list[Fraction], last: Fraction, w0: Fraction
) -> None:
    d = queue.rates(loads, last)
    waits = queue.solve(w0, loads, d, [Fraction(0)] * len(loads))
    for v, wait in enumerate(waits):
        assert wait == queue.unrolled(w0, d[0], d[v], d[v + 1])
        assert wait * d[v] == queue.auxiliary(w0, loads[: v + 1], waits[: v + 1])
    total = sum((x * w for x, w in zip(loads, waits, strict=True)), Fraction(0))
    assert total == queue.queued_volume(w0, d[0], sum(loads, Fraction(0)))


@given(LOADS, POSITIVE, POSITIVE, st.lists(st.fractions(0, 1), min_size=8, max_size=8))
@settings(deadline=None)
def test_proxy_waits_stay_below_their_bound(
    loads: list[Fraction], spare: Fraction, w0: Fraction, shares: list[Fraction]
) -> None:
    rate = sum(loads, spare)
    q = proxy.Queue(loads, rate, w0, lambda k, wait: shares[k] * wait)
    for k, bound in enumerate(q.bounds):
        assert bound <= proxy.unrolled(rate, w0, q.r[k], q.r[k + 1])
        if k:
            assert bound <= proxy.stepped(rate, q.r[k - 1], q.r[k + 1], q.bounds[k - 1])
    work = sum((x * w for x, w in zip(loads, q.waits, strict=True)), Fraction(0))
    assert work <= proxy.middle(rate, w0, q.r[-1])


@given(MUS, st.integers(1, 15))
@settings(deadline=None, max_examples=60)
def test_penalty_from_the_law(mu: Fraction, theta: int) -> None:
    now, later = (one_bit.direct_classes(mu, theta + i) for i in (0, 1))
    assert now.penalty == one_bit.epsilon(mu, Fraction(theta))
    assert now.first[0] == one_bit.short_proxy(mu, Fraction(theta))
    assert later.penalty < now.penalty
    assert later.penalty <= penalty.decay_factor(mu, Fraction(theta)) * now.penalty
    volume = moments.mean_volume(mu, Fraction(0))
    assert volume / (volume - now.penalty) <= penalty.penalty_bound(mu) < 2


@given(MUS, MUS, RATIONALS, MUS)
@settings(deadline=None)
def test_sharper_ratio_is_below_the_paper(
    mu: Fraction, rho: Fraction, es: Fraction, alpha: Fraction
) -> None:
    sharper = poisson.sharper_ratio(mu, rho, es)
    assert 1 < sharper <= poisson.sharper_bound(mu, rho) < poisson.paper_ratio(alpha, mu, rho)
    assert poisson.volume_branch(alpha, rho, mu, es) < 1 / mu
