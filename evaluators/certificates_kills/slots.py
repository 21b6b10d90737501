"""Certificates of Route and of the black-box merge: each request against its stage (3.10, 3.11)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import count

from ..certificates import Certificate
from ..model import Instance, Request
from ..policies.nonclairvoyant.meta import merged_by
from ..policies.nonclairvoyant.rect import RectLog, large_strips, prompt_strips
from ..policies.nonclairvoyant.regimes import is_large
from ..policies.nonclairvoyant.replicas import ThreeReplicas
from ..policies.nonclairvoyant.route import EQUAL_SLOTS, LARGE, PROMPT, RESPONSE, RouteLog
from ..policies.nonclairvoyant.route_online import admission_stage
from ..policies.views import non_clairvoyant
from .phases import PhaseChecks, check_phases, isolated_completions
from .strips import StripChecks, check_strips, completion_bounds
from .tightest import Tightest, certificates

STAGES = "paper 3 lemma 11; nonclairvoyant.md 3.11"
ARRIVALS = "nonclairvoyant.md 3.19"


@dataclass(frozen=True, slots=True)
class RouteBounds:
    """C^P, C^L and C^R of 3.11 by id: bounds of Rect alone, completions of Response alone."""

    prompt: Mapping[int, int]
    large: Mapping[int, int]
    response: Mapping[int, int]

    @classmethod
    def of(cls, log: RouteLog, instance: Instance) -> RouteBounds:
        """Compute them from the outputs; requests that arrive later count as present."""
        memory, requests = log.memory, instance.requests
        outputs = {r.id: r.output for r in requests}
        small = [r for r in requests if not is_large(memory, r.prompt)]
        strips = tuple(prompt_strips(non_clairvoyant(r) for r in small if r.prompt))
        wide = [non_clairvoyant(r) for r in requests if is_large(memory, r.prompt)]
        heavy = [r for r in small if r.output > r.prompt]
        return cls(
            completion_bounds(memory, strips, outputs),
            completion_bounds(memory, tuple(large_strips(memory, wide)), outputs),
            isolated_completions(memory, heavy, log.caps(memory)),
        )

    def pool(self, request: int) -> int:
        """Return the pool in which the request completes."""
        if request in self.response:
            return RESPONSE
        return LARGE if request in self.large else PROMPT

    def stage(self, request: int, weights: tuple[int, int, int]) -> int:
        """Return the first stage whose slots are long enough for the request's bounds."""
        needs = [
            (self.prompt.get(request, 0), weights[PROMPT]),
            (self.response.get(request, 0), weights[RESPONSE]),
            (self.large.get(request, 0), weights[LARGE]),
        ]
        return next(r for r in count() if all(need <= w << r for need, w in needs))

    def finish(self, request: int, weights: tuple[int, int, int], stage: int) -> int:
        """Return the round by which the request has completed if it does so in that stage."""
        pool = self.pool(request)
        before = sum(weights) * ((1 << stage) - 1) + (sum(weights[:pool]) << stage)
        return before + (self.prompt, self.response, self.large)[pool][request]

    def published(self, request: int) -> int:
        """Return 7 C^P, 8 max(C^P, C^R) + C^R or 11 C^L (3.11, equal slots)."""
        pool = self.pool(request)
        if pool == PROMPT:
            return 7 * self.prompt[request]
        if pool == LARGE:
            return 11 * self.large[request]
        answer = self.response[request]
        return 8 * max(self.prompt.get(request, 0), answer) + answer


def check_route(
    log: RouteLog, instance: Instance, completions: Mapping[int, int]
) -> list[Certificate]:
    """Check every copy and every request of a run of Route, with or without arrivals."""
    by_id = {r.id: r for r in instance.requests}
    outputs = {r.id: r.output for r in instance.requests}
    strips, phases = StripChecks(), PhaseChecks()
    for _, copy in log.slots:
        if isinstance(copy, RectLog):
            check_strips(copy, outputs, strips)
        else:
            check_phases(copy, by_id, phases)
    found = [_certified(log, by_id), *_stages(log, instance, completions)]
    return [*strips.certificates(), *phases.certificates(), *certificates(found)]


def _certified(log: RouteLog, requests: Mapping[int, Request]) -> Tightest:
    statement = Tightest("Route certificate: s < o", STAGES)
    for request, now in log.certified.items():
        held = requests[request]
        statement.check(held.prompt + 1, held.output, request=request, now=now)
    return statement


def _stages(log: RouteLog, instance: Instance, completions: Mapping[int, int]) -> list[Tightest]:
    bounds, weights = RouteBounds.of(log, instance), log.weights
    stages = Tightest("Route completes by its stage", STAGES)
    forms = Tightest("Route 7 C^P, 8 max(C^P, C^R) + C^R, 11 C^L", STAGES)
    late = Tightest("Route online max(B, 4a + 5)", ARRIVALS)
    for request in instance.requests:
        i, completion = request.id, completions[request.id]
        ready = bounds.stage(i, weights)
        admitted = admission_stage(request.arrival, sum(weights))
        # Admitted later than its bounds ask for: the slots of that stage are long enough as well.
        right = bounds.finish(i, weights, max(ready, admitted))
        stages.check(completion, right, request=i, now=completion)
        if weights == EQUAL_SLOTS:
            form = bounds.published(i)
            if not request.arrival:
                forms.check(completion, form, request=i, now=completion)
            else:
                form = max(form, 4 * request.arrival + 5)
                late.check(completion, form, request=i, now=completion)
    return [stages, forms, late]


def check_three_replicas(
    policy: ThreeReplicas, instance: Instance, completions: Mapping[int, int]
) -> list[Certificate]:
    """Check C <= C^P, C^L or 2 max(C^P, C^R) + C^R on three replicas (sharp section 4)."""
    bounds = RouteBounds.of(RouteLog(policy.memory, EQUAL_SLOTS, policy.caps), instance)
    statement = Tightest("replicas C^P, C^L, 2 max(C^P, C^R) + C^R", "sharp section 4")
    for request in instance.requests:
        i, pool = request.id, bounds.pool(request.id)
        if pool == RESPONSE:
            alone = bounds.response[i]
            right = 2 * max(bounds.prompt.get(i, 0), alone) + alone
        else:
            right = (bounds.large if pool == LARGE else bounds.prompt)[i]
        statement.check(completions[i], right, request=i, now=completions[i])
    return certificates([statement])


def merge_certificate(
    parts: list[dict[int, int]], completions: Mapping[int, int]
) -> list[Certificate]:
    """Check C <= (2G + 2g - 1) C_alone for every request; `parts` hold the completions alone."""
    statement = Tightest("merge: C <= (2G + 2g - 1) C alone", "paper 3 5.3; nonclairvoyant.md 3.10")
    for number, alone in enumerate(parts):
        for request, completion in alone.items():
            statement.check(
                completions[request],
                merged_by(len(parts), number, completion),
                request=request,
                now=completions[request],
            )
    return certificates([statement])
