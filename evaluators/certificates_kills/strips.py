"""Certificates of Rect: the queue, the utilisation, and every request's bound (3.4, 3.5)."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..certificates import Certificate
from ..policies.nonclairvoyant.rect import (
    COMPLETED,
    EXPIRED,
    STARTED,
    RectLog,
    Strip,
)
from .sums import waiting_charges
from .tightest import Tightest, certificates

QUEUE = "paper 3 lemma 4; nonclairvoyant.md 3.4"
PER_REQUEST = "paper 3 lemma 5; nonclairvoyant.md 3.5"


def heights(strips: tuple[Strip, ...], outputs: Mapping[int, int]) -> dict[int, int]:
    """Return p_i: the output, or the cap if the request is certified first."""
    return {
        s.request: outputs[s.request] if s.cap is None else min(s.cap, outputs[s.request])
        for s in strips
    }


def effective_height(log_memory: int, strips: tuple[Strip, ...]) -> int:
    """Return H = max(least width, M - largest width)."""
    widths = [strip.width for strip in strips]
    return max(min(widths), log_memory - max(widths))


def completion_bounds(
    memory: int, strips: tuple[Strip, ...], outputs: Mapping[int, int]
) -> dict[int, int]:
    """Return the bound of 3.5 (refined) on the rounds until each request leaves the strip.

    C_i <= 3 p_i - 2 + (1 / H) sum over j != i of (3 a_j if a_j <= a_i else 4 a_i), rounded down.
    It holds for Rect on any subset too, because it only decreases when requests are deleted.
    """
    if not strips:
        return {}
    p = heights(strips, outputs)
    charges = waiting_charges({s.request: s.width * p[s.request] for s in strips})
    h = effective_height(memory, strips)
    return {i: 3 * p[i] - 2 + charge // h for i, charge in charges.items()}


@dataclass(slots=True)
class StripChecks:
    """The statements about Rect, shared by all copies of a run."""

    order: Tightest = field(default_factory=lambda: Tightest("Rect starts a minimum", QUEUE))
    queue: Tightest = field(
        default_factory=lambda: Tightest("Rect active budget <= pending budget", QUEUE)
    )
    least: Tightest = field(
        default_factory=lambda: Tightest("Rect least pending budget never decreases", QUEUE)
    )
    used: Tightest = field(
        default_factory=lambda: Tightest("Rect M - Delta + 1 <= used while waiting", PER_REQUEST)
    )
    fits: Tightest = field(default_factory=lambda: Tightest("Rect used <= M", PER_REQUEST))
    active: Tightest = field(
        default_factory=lambda: Tightest("Rect active rounds <= 3p - 2", PER_REQUEST)
    )
    waits: Tightest = field(default_factory=lambda: Tightest("Rect H wait <= charges", PER_REQUEST))

    def certificates(self) -> list[Certificate]:
        """Return what was checked."""
        return certificates(
            (
                self.order,
                self.queue,
                self.least,
                self.used,
                self.fits,
                self.active,
                self.waits,
            )
        )


def check_strips(log: RectLog, outputs: Mapping[int, int], checks: StripChecks) -> None:
    """Replay the log of one copy; raises CertificateError with the round of a broken statement."""
    if log.strips:
        _StripReplay(log, outputs, checks).run()


class _StripReplay:
    """The queue and the active set, rebuilt from the steps alone."""

    def __init__(self, log: RectLog, outputs: Mapping[int, int], checks: StripChecks) -> None:
        self.log, self.checks = log, checks
        strips = tuple(log.strips)
        self.widths = {strip.request: strip.width for strip in strips}
        self.pending = [(width, i) for i, width in self.widths.items()]
        heapq.heapify(self.pending)
        self.budgets: list[tuple[int, int, int]] = []  # of active attempts: -budget, id, level
        self.level: dict[int, int] = {}
        self.started: dict[int, int] = {}
        self.rounds = dict.fromkeys(self.widths, 0)
        self.used, self.least, self.now = 0, 0, log.begin
        self.emptied = False
        self.threshold = log.memory - max(self.widths.values()) + 1
        self.heights = heights(strips, outputs)
        areas = {i: self.widths[i] * p for i, p in self.heights.items()}
        self.charges = waiting_charges(areas)
        self.h = effective_height(log.memory, strips)

    def run(self) -> None:
        for now, kind, request, level in self.log.steps:
            if kind == STARTED:
                self._begin(now, request, level)
                continue
            if self.now != self.log.killed:  # the ends of a slot's last round are not scanned
                self._settled()
            if now > self.now:
                self._pass(now)
            self._end(now, kind, request, level)
        if self.log.killed is None:
            self._settled()
        elif self.log.killed > self.now:
            self._pass(self.log.killed)

    def _begin(self, now: int, request: int, level: int) -> None:
        if now > self.now:  # it could have started when something ended: rounds passed idle
            self._settled()
            self._pass(now)
        budget = self.widths[request] << level
        least, first = heapq.heappop(self.pending)
        self.checks.order.check(budget, least, request=request, now=now)
        self.checks.order.check(abs(request - first), 0, request=request, now=now)
        heapq.heappush(self.budgets, (-budget, request, level))
        self.level[request], self.started[request] = level, now
        self.used += self.widths[request]
        self.checks.fits.check(self.used, self.log.memory, request=request, now=now)

    def _settled(self) -> None:
        """Check the queue after an event and its starts."""
        budgets, level = self.budgets, self.level
        while budgets and level.get(budgets[0][1]) != budgets[0][2]:
            heapq.heappop(budgets)
        if self.pending:
            least = self.pending[0][0]
            if budgets:
                self.checks.queue.check(-budgets[0][0], least, now=self.now)
            # An empty queue counts as infinite: it stays empty.
            before = least + 1 if self.emptied else self.least
            self.checks.least.check(before, least, now=self.now)
            self.least = least
        else:
            self.emptied = True

    def _pass(self, now: int) -> None:
        """Rounds self.now..now-1 belong to the state settled last."""
        if self.pending:
            self.checks.used.check(self.threshold, self.used, now=self.now)
        self.now = now

    def _end(self, now: int, kind: int, request: int, level: int) -> None:
        del self.level[request]
        rounds = now - self.started.pop(request)
        self.rounds[request] += rounds
        self.used -= self.widths[request]
        if kind == EXPIRED:
            heapq.heappush(self.pending, (self.widths[request] << (level + 1), request))
            return
        p, active = self.heights[request], self.rounds[request]
        if kind == COMPLETED or p == rounds:
            self.checks.active.check(active, 3 * p - 2, request=request, now=now)
            waited = now - self.log.begin - active
            self.checks.waits.check(
                self.h * waited, self.charges[request], request=request, now=now
            )
