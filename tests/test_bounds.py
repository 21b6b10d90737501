from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings

from evaluators.bounds import (
    area_bound,
    best_lower_bound,
    fluid_srpt_bound,
    integral_area_bound,
    integral_area_processing_bound,
    lb2_bound,
    lower_bounds,
    makespan_lower_bound,
    mean_busy_time_bound,
    processing_bound,
)
from evaluators.model import Instance
from evaluators.optimum import optimum

from .strategies import instances

GRID = Fraction(1, 2**24)


@given(instances(max_n=6, max_memory=10))
@settings(max_examples=300, deadline=None)
def test_no_bound_exceeds_the_optimum(instance: Instance) -> None:
    best = optimum(instance)
    assert best.optimal
    for bound in lower_bounds(instance):
        assert bound.value <= best.value, bound
    assert best_lower_bound(instance).value <= best.value
    assert makespan_lower_bound(instance) <= optimum(instance, objective="makespan").value


@given(instances(max_n=6, max_memory=10))
@settings(max_examples=300, deadline=None)
def test_order_of_the_bounds(instance: Instance) -> None:
    """svf.md section 1 and 4: which bound dominates which."""
    assert integral_area_bound(instance) >= area_bound(instance)
    assert integral_area_processing_bound(instance) >= integral_area_bound(instance)
    assert fluid_srpt_bound(instance) >= integral_area_processing_bound(instance)
    assert fluid_srpt_bound(instance) >= processing_bound(instance)
    assert mean_busy_time_bound(instance) >= lb2_bound(instance) - len(instance) * GRID
    if instance.is_burst:
        assert fluid_srpt_bound(instance) == integral_area_processing_bound(instance)


def test_published_comparisons() -> None:
    """svf.md section 1: LP (4) and proposition 3.1 are incomparable; the latter's two values."""
    assert area_bound(Instance.from_triples(3, [(0, 0, 1)])) == Fraction(1, 3)
    assert area_bound(Instance.from_triples(4, [(0, 0, 4)])) == Fraction(5, 2)
    assert integral_area_bound(Instance.from_triples(1, [(0, 0, 1)] * 3)) == 6


def test_lb2_does_not_always_dominate_the_area_bound() -> None:
    """A fault in svf.md section 4 ("LB2 < Prop 3.1 never"): smallest counterexample, n = 1, M = 4.

    One request dominates iff 3v <= M(2o + 1), which fails for (s, o) = (2, 2) at M = 4.
    """
    instance = Instance.from_triples(4, [(0, 2, 2)])
    assert lb2_bound(instance) == Fraction(41, 24)
    assert area_bound(instance) == Fraction(7, 4)
    smaller = [(m, s, o) for m in (1, 2, 3) for o in range(1, m + 1) for s in range(m - o + 1)]
    for m, s, o in smaller:
        one = Instance.from_triples(m, [(0, s, o)])
        assert lb2_bound(one) >= area_bound(one)


def test_area_bound_is_for_bursts_as_printed() -> None:
    """svf.md: M=4, three (3,1) at 0,1,2 have TEL 3; without subtracting arrivals it would say 6."""
    staggered = Instance.from_triples(4, [(0, 3, 1), (1, 3, 1), (2, 3, 1)])
    assert optimum(staggered).value == 3
    assert area_bound(staggered) == 6 - 3
    assert fluid_srpt_bound(staggered) == 3


def test_mean_busy_time_can_be_the_best() -> None:
    instance = Instance.from_triples(40, [(0, 0, 10)] * 30)
    best = best_lower_bound(instance)
    assert best.name.startswith("LB2") or "mean busy" in best.name
    assert best.value > fluid_srpt_bound(instance)


def test_huge_numbers_stay_exact() -> None:
    big = 10**25
    instance = Instance.from_triples(2 * big, [(big, big, big), (0, 0, big)])
    assert processing_bound(instance) == 2 * big
    assert fluid_srpt_bound(instance) >= 2 * big
    assert best_lower_bound(instance).value >= 2 * big


def test_empty() -> None:
    instance = Instance.of(3, [])
    assert all(bound.value == 0 for bound in lower_bounds(instance))
    assert makespan_lower_bound(instance) == 0
