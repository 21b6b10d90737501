"""Which certificates a run has, by the policy that kept its log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import singledispatch
from itertools import accumulate

from ..bounds import additive_bound
from ..certificates import Certificate, certify
from ..model import AttemptSchedule, Instance
from ..policies.clairvoyant.greedy import GreedyPolicy, full_area
from ..policies.clairvoyant.sixteen import Sixteen
from ..policies.clairvoyant.split_merge import SplitMerge, parts
from ..policies.nonclairvoyant.engine import play_kills
from ..policies.nonclairvoyant.fair_share import FairShare
from ..policies.nonclairvoyant.length_doubling import LengthDoubling
from ..policies.nonclairvoyant.rect import RectPolicy
from ..policies.nonclairvoyant.replicas import ThreeReplicas
from ..policies.nonclairvoyant.response import ResponsePolicy
from ..policies.nonclairvoyant.route import Route
from ..policies.rules import Simulation
from ..ratios import ProvedRatio
from .packed import check_fair_share, check_length_doubling, check_sixteen
from .phases import PhaseChecks, check_phases, response_sums
from .slots import check_route, check_three_replicas, merge_certificate
from .strips import StripChecks, check_strips, effective_height, heights
from .sums import pair_minima
from .tightest import Tightest, certificates

Completions = Mapping[int, int]


def certify_run(
    run: Simulation, ratios: Iterable[ProvedRatio] = (), best_known: int | None = None
) -> list[Certificate]:
    """Return every certificate of the run: the order's, the ratios', and those of its log.

    Raises CertificateError for a broken one.  Ratios on the makespan are left to the log's.
    """
    return certify(run, ratios, best_known) + kill_certificates(run)


def kill_certificates(run: Simulation) -> list[Certificate]:
    """Return the certificates of a policy of paper 3, [] for any other.

    The run must be feasible: every request completes.  Raises CertificateError for a broken one.
    """
    if run.log is None or not len(run.instance):
        return []
    return log_certificates(run.log, run.instance, _completions(run))


def _completions(run: Simulation) -> dict[int, int]:
    if isinstance(run.schedule, AttemptSchedule):
        return {a.request: a.end for a in run.schedule.attempts if a.completed}
    starts = run.schedule.starts
    return {r.id: starts[r.id] + r.output for r in run.instance.requests}


@singledispatch
def log_certificates(
    _log: object, _instance: Instance, _completions: Completions
) -> list[Certificate]:
    """Return the certificates of a policy object that ran on the instance (replicas too)."""
    return []


@log_certificates.register
def _(log: RectPolicy, instance: Instance, completions: Completions) -> list[Certificate]:
    outputs = {r.id: r.output for r in instance.requests}
    checks = StripChecks()
    check_strips(log.rect.log, outputs, checks)
    return checks.certificates() + _rect_sums(log, instance, completions)


def _rect_sums(log: RectPolicy, instance: Instance, done: Completions) -> list[Certificate]:
    """The theorems' own forms: H sum C <= 3H sum p + 7 sum min(a), and the sharper ones."""
    memory, strips = instance.memory, tuple(log.rect.log.strips)
    p = heights(strips, {r.id: r.output for r in instance.requests})
    h, cost, total = effective_height(memory, strips), sum(done.values()), sum(p.values())
    areas = [strip.width * p[strip.request] for strip in strips]
    general = Tightest("Rect H sum C <= 3H sum p + 7 sum min(a)", "nonclairvoyant.md 3.6")
    general.check(h * cost, 3 * h * total + 7 * pair_minima(areas))
    if all(strip.width == memory for strip in strips):
        serial = Tightest("Rect large sum C <= 3D + 7O", "nonclairvoyant-sharp.md 2.4")
        serial.check(cost, 3 * total + 7 * pair_minima(p.values()))
        return certificates([general, serial])
    sharp = Tightest("Rect prompt-heavy sum C <= 28 additive bound", "nonclairvoyant-sharp.md 2.4")
    sharp.check(cost, 28 * additive_bound(instance))
    return certificates([general, sharp])


@log_certificates.register
def _(log: ResponsePolicy, instance: Instance, completions: Completions) -> list[Certificate]:
    checks, phases = PhaseChecks(), log.response.log
    check_phases(phases, {r.id: r for r in instance.requests}, checks)
    return checks.certificates() + response_sums(phases, instance.requests, completions)


@log_certificates.register
def _(log: Route, instance: Instance, completions: Completions) -> list[Certificate]:
    return check_route(log.log, instance, completions)


@log_certificates.register
def _(log: ThreeReplicas, instance: Instance, completions: Completions) -> list[Certificate]:
    return check_three_replicas(log, instance, completions)


@log_certificates.register
def _(log: FairShare, instance: Instance, completions: Completions) -> list[Certificate]:
    return check_fair_share(log, instance, completions)


@log_certificates.register
def _(log: LengthDoubling, instance: Instance, completions: Completions) -> list[Certificate]:
    return check_length_doubling(log, instance, completions)


@log_certificates.register
def _(log: Sixteen, _instance: Instance, completions: Completions) -> list[Certificate]:
    return check_sixteen(log, completions)


@log_certificates.register
def _(_log: GreedyPolicy, instance: Instance, completions: Completions) -> list[Certificate]:
    """H C_i <= H o_i + sum of a_j before i, with H = M - l + 1 (nonclairvoyant.md 3.16)."""
    statement = Tightest("Greedy H C <= H o + areas before", "paper 3 theorem 2")
    order = sorted(instance.requests, key=lambda r: (r.volume2, r.id))
    room = instance.memory - max(r.peak for r in order) + 1
    before = [0, *accumulate(full_area(r) for r in order)]
    for area, r in zip(before, order, strict=False):
        statement.check(
            room * (completions[r.id] - r.output), area, request=r.id, now=completions[r.id]
        )
    return certificates([statement])


@log_certificates.register
def _(log: SplitMerge, instance: Instance, completions: Completions) -> list[Certificate]:
    alone = [
        play_kills(part, GreedyPolicy(instance.memory, part, width)).completions
        for part, width in zip(parts(instance.memory, instance.requests), log.widths, strict=True)
    ]
    return merge_certificate(alone, completions)
