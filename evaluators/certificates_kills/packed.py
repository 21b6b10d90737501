"""Certificates of FairShare, LengthDoubling and the 16-approximation: packing lengths and sums."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..bounds import additive_bound
from ..certificates import Certificate
from ..model import Instance, Request
from ..policies.clairvoyant.sixteen import Sixteen
from ..policies.nonclairvoyant.fair_share import FairShare, ShareStage
from ..policies.nonclairvoyant.length_doubling import Batch, LengthDoubling
from ..policies.nonclairvoyant.packing import Item
from ..policies.nonclairvoyant.response import half_step_caps, power_caps
from .sums import doubled_q
from .tightest import Tightest, certificates

PACK = "nonclairvoyant.md 3.14 (Garey and Graham)"
SHARES = "nonclairvoyant-sharp.md 2.2"
LENGTHS = "nonclairvoyant-sharp.md 2.3"


def _area(items: Iterable[Item]) -> int:
    return sum(item.width * item.height for item in items)


def check_fair_share(
    policy: FairShare, instance: Instance, completions: Mapping[int, int]
) -> list[Certificate]:
    """Check stages, areas, step 1 and the theorem's own forms of a run on a burst."""
    memory, k = policy.memory, policy.replicas
    cost = sum(completions.values())
    stages = [*policy.stages, policy.current]
    lasts = Tightest("FairShare stage <= 2L - 1 (3L - 1 on replicas)", PACK)
    area = Tightest("FairShare stage area <= k M L", SHARES)
    doubles = Tightest("FairShare M L / n doubles", f"{SHARES} step 3")
    for stage, following in zip(stages, [*stages[1:], None], strict=True):
        last = max((completions[i.request] for i in stage.items), default=0)
        end = stage.busy if following else min(last, stage.end)
        rounds = (2 if k == 1 else 3) * stage.length - 1
        lasts.check(end - stage.begin, rounds, now=stage.begin)
        area.check(_area(stage.items), k * memory * stage.length, now=stage.begin)
        if following:
            doubles.check(
                2 * stage.length * following.unfinished,
                following.length * stage.unfinished,
                now=following.begin,
            )
    return certificates([lasts, area, doubles, *_share_sums(stages, policy, instance, cost)])


def _share_sums(
    stages: Sequence[ShareStage], policy: FairShare, instance: Instance, cost: int
) -> list[Tightest]:
    k, memory, requests = policy.replicas, policy.memory, instance.requests
    paid = Tightest("FairShare sum C <= sum of (stage) n_r", f"{SHARES} step 1")
    paid.check(cost, sum(((2 if k == 1 else 3) * s.length - 1) * s.unfinished for s in stages))
    outputs, n, q2 = sum(r.output for r in requests), len(requests), doubled_q(requests)
    short = Tightest("FairShare short proof", f"{SHARES} step 7, section 4")
    if k > 1:
        short.check(k * memory * cost, 48 * q2 + 24 * k * memory * outputs)
        return [paid, short]
    short.check(memory * cost, 32 * q2 + memory * (16 * outputs - 13 * n))
    sharp = Tightest("FairShare sum C <= 49 additive bound", f"{SHARES} step 8")
    sharp.check(cost, 49 * additive_bound(instance))
    return [paid, short, sharp]


def check_length_doubling(
    policy: LengthDoubling, instance: Instance, completions: Mapping[int, int]
) -> list[Certificate]:
    """Check the packing length of every phase, and every batch against its own bounds."""
    by_id = {r.id: r for r in instance.requests}
    packs = Tightest("LengthDoubling k(M + 1)(T - h) <= 2V", f"{LENGTHS} step 1")
    sums = Tightest("LengthDoubling batch makespan", f"{LENGTHS} step 3")
    for batch in policy.batches:
        last = max(completions[i] for i in batch.requests)
        _check_batch(policy, batch, last, packs)
        _check_span(policy, batch, [by_id[i] for i in batch.requests], last, sums)
    return certificates([packs, sums])


def _check_batch(policy: LengthDoubling, batch: Batch, last: int, packs: Tightest) -> None:
    scale = policy.replicas * (policy.memory + 1)
    for index, phase in enumerate(batch.phases):
        end = phase.end if index + 1 < len(batch.phases) else last
        tallest = max(item.height for item in phase.items)
        packs.check(scale * (end - phase.begin - tallest), 2 * _area(phase.items), now=phase.begin)


def _check_span(
    policy: LengthDoubling, batch: Batch, requests: Sequence[Request], last: int, sums: Tightest
) -> None:
    """T <= 4 max o + (64/3) sum A / (k M), or 5 and 52/3 for the caps 1, 2, 3, 4, 6, 8, ..."""
    memory, caps = policy.memory, list(policy.caps)
    known = {tuple(power_caps(memory)): (4, 64), tuple(half_step_caps(memory)): (5, 52)}
    if tuple(caps) not in known:
        return
    linear, area = known[tuple(caps)]
    longest, volume = max(r.output for r in requests), sum(r.volume for r in requests)
    pooled = policy.replicas * memory
    left, right = 3 * pooled * (last - batch.begin), 3 * linear * pooled * longest + area * volume
    sums.check(left, right, now=batch.begin)


def check_sixteen(policy: Sixteen, completions: Mapping[int, int]) -> list[Certificate]:
    """Check that every window is packed in 2L - 1 rounds and ends by 4L - 2."""
    packs = Tightest("window packed within 2L - 1", PACK)
    ends = Tightest("window L ends by 4L - 2", "paper 3 theorem 4; nonclairvoyant.md 3.15")
    areas = Tightest("window area <= M L", "paper 3 theorem 4; nonclairvoyant.md 3.15")
    for window in policy.windows:
        last = max((completions[item.request] for item in window.items), default=window.begin)
        packs.check(last - window.begin, 2 * window.length - 1, now=window.begin)
        ends.check(window.end, 4 * window.length - 2, now=window.begin)
        areas.check(_area(window.items), policy.memory * window.length, now=window.begin)
    return certificates([packs, ends, areas])
