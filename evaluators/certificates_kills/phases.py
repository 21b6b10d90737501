"""Certificates of Response: phases, durations, parallelism, and the completion of every request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from ..certificates import Certificate
from ..model import Request
from ..policies.nonclairvoyant.response import ResponseLog, half_step_caps, power_caps
from ..policies.nonclairvoyant.sps import duration, parallelism, peak, slice_start
from .sums import doubled_q
from .tightest import Tightest, certificates

SPS = "paper 3 section 6; nonclairvoyant.md 3.7"
PHASES = "paper 3 lemma 9; nonclairvoyant.md 3.8"


def isolated_completions(
    memory: int, requests: Iterable[Request], caps: Sequence[int]
) -> dict[int, int]:
    """Return the completion rounds of Response alone on a burst, in the fixed order of ids.

    By nonclairvoyant.md 3.8 phase by phase: rank j of a phase completes at its offset + o.
    """
    left = {r.id: r for r in sorted(requests, key=lambda r: r.id)}
    completions: dict[int, int] = {}
    begin = 0
    for cap in caps:
        members = [r for r in left.values() if r.prompt <= cap]
        if not members:
            continue
        k = parallelism(memory, cap, min(cap, memory - cap))
        for rank, request in enumerate(members):
            if request.output <= cap:
                completions[request.id] = begin + slice_start(rank, cap, k) + request.output
                del left[request.id]
        begin += duration(len(members), cap, k)
    return completions


@dataclass(slots=True)
class PhaseChecks:
    """The statements about Response, shared by all copies of a run."""

    peaks: Tightest = field(default_factory=lambda: Tightest("SPS peak of k* <= M", SPS))
    maximal: Tightest = field(default_factory=lambda: Tightest("SPS M < peak of k* + 1", SPS))
    half: Tightest = field(default_factory=lambda: Tightest("Response 2M <= 7 tau k", SPS))
    members: Tightest = field(
        default_factory=lambda: Tightest("Response phase members: o > last cap, s <= cap", PHASES)
    )
    lasts: Tightest = field(default_factory=lambda: Tightest("Response phase duration", PHASES))

    def certificates(self) -> list[Certificate]:
        """Return what was checked."""
        return certificates((self.peaks, self.maximal, self.half, self.members, self.lasts))


def check_phases(log: ResponseLog, requests: Mapping[int, Request], checks: PhaseChecks) -> None:
    """Check the phases of one copy; raises CertificateError with the round.

    A phase takes the members that 3.8 says: who has been in an earlier one outlived its cap.
    """
    memory, outlived = log.memory, dict[int, int]()
    for index, phase in enumerate(log.phases):
        cap, k, now = phase.cap, phase.parallel, phase.begin
        prompt = min(cap, memory - cap)
        checks.peaks.check(peak(k, cap, prompt), memory, now=now)
        checks.maximal.check(memory + 1, peak(k + 1, cap, prompt), now=now)
        checks.half.check(2 * memory, 7 * cap * k, now=now)
        for request in phase.members:
            held = requests[request]
            checks.members.check(held.prompt, cap, request=request, now=now)
            checks.members.check(
                outlived.get(request, 0) + 1, held.output, request=request, now=now
            )
            outlived[request] = cap
        if index + 1 < len(log.phases):
            following = log.phases[index + 1].begin
            rounds = duration(len(phase.members), cap, k)
            checks.lasts.check(abs(following - now - rounds), 0, now=now)
    if log.phases:
        checks.lasts.check(log.begin, log.phases[0].begin, now=log.begin)


def response_sums(
    log: ResponseLog, requests: Sequence[Request], completions: Mapping[int, int]
) -> list[Certificate]:
    """Certificates of a whole run on a burst: completions, durations, and the theorem's own bound.

    The latter, for o > s: M sum C <= c M sum o + g Q with (c, g) = (4, 224/3) for caps 2^r and
    (5, 182/3) for caps 1, 2, 3, 4, 6, 8, 12, ... (3.9 and sharp 2.4); other caps have none.
    """
    exact = Tightest("Response completions as the phases say", PHASES)
    alone = isolated_completions(log.memory, requests, log.caps)
    for request, completion in completions.items():
        exact.check(abs(completion - alone[request]), 0, request=request, now=completion)
    total = Tightest("Response sum C <= sum of D_r N_r", "nonclairvoyant.md 3.9")
    cost = sum(completions.values())
    left = sum(
        (phase.end - phase.begin) * _unfinished(phase.begin, completions) for phase in log.phases
    )
    total.check(cost, left)
    found = [exact, total]
    if requests and all(r.output > r.prompt for r in requests):
        found += _theorem(log, requests, cost, max(completions.values()))
    return certificates(found)


def _unfinished(now: int, completions: Mapping[int, int]) -> int:
    return sum(completion > now for completion in completions.values())


def _theorem(log: ResponseLog, requests: Sequence[Request], cost: int, last: int) -> list[Tightest]:
    powers = list(log.caps) == power_caps(log.memory)
    if not powers and list(log.caps) != half_step_caps(log.memory):
        return []
    theorem = Tightest("Response theorem", "nonclairvoyant.md 3.9, sharp 2.4")
    linear, area = (4, Fraction(224, 3)) if powers else (5, Fraction(182, 3))
    outputs = sum(r.output for r in requests)
    memory = log.memory
    theorem.check(memory * cost, linear * memory * outputs + area * doubled_q(requests) / 2)
    if not powers:
        return [theorem]
    span = Tightest("Response makespan", "nonclairvoyant.md 3.13")
    longest, volume = max(r.output for r in requests), sum(r.volume for r in requests)
    span.check(3 * memory * last, 12 * memory * longest + 112 * volume)
    return [theorem, span]
