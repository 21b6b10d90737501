"""Readings of paper 3 that are refuted, each by its smallest case (nonclairvoyant.md section 3)."""

from __future__ import annotations

from fractions import Fraction

from ...model import Attempt, AttemptSchedule, Instance
from ...policies.nonclairvoyant import rectangles as strip
from ...policies.nonclairvoyant.rectangles import Rectangle, plain_rect
from ...policies.nonclairvoyant.response import power_caps
from ...policies.nonclairvoyant.sps import parallelism, slice_start
from ..draft import Draft, Family, Parameters


def _sps_peak(draft: Draft, p: Parameters) -> None:
    memory, tau, prompt, k = p["memory"], p["tau"], p["prompt"], p["k"]
    draft.describe(
        "The peak of staggered slices without rounding, k s + tau (k+1) / 2, is too small (3.7e).",
        reason="starts are integers: the k slices that it allows hold more than M together",
    )
    claimed = k * prompt + Fraction(tau * (k + 1), 2)
    draft.holds("the reading allows k", claimed, "<=", memory)
    instance = draft.instance(Instance.from_triples(memory, [(0, prompt, tau)] * (k + 1)))
    attempts = [Attempt(j, slice_start(j, tau, k), tau, completed=True) for j in range(k + 1)]
    draft.schedule(
        "k slices in parallel",
        instance,
        AttemptSchedule(tuple(attempts)),
        must_fail="memory",
    )
    draft.holds("the exact k* is smaller", parallelism(memory, tau, prompt), "<", k)
    draft.refuted("k <= k*", k, "<=", parallelism(memory, tau, prompt))


def _eligibility(draft: Draft, p: Parameters) -> None:
    memory, prompt, output = p["memory"], p["prompt"], p["output"]
    draft.describe(
        "Eligibility by the proxy prompt min(tau, M - tau) instead of tau starves requests (3.8).",
        reason="no phase both admits the request and is long enough for it",
    )
    draft.instance(Instance.from_triples(memory, [(0, prompt, output)]))
    caps = power_caps(memory)
    by_proxy = [tau for tau in caps if prompt <= min(tau, memory - tau) and output <= tau]
    by_cap = [tau for tau in caps if prompt <= tau and output <= tau]
    draft.fact("caps", [*caps])
    draft.holds("phases that finish it, by the cap", len(by_cap), ">=", 1)
    draft.refuted("phases that finish it, by the proxy", len(by_proxy), ">=", 1)


def _last_cap(draft: Draft, p: Parameters) -> None:
    memory, last = p["memory"], p["class"]
    draft.describe(
        "3 sum(tau_r^2, r <= c) <= 4 tau_c^2 fails where the last cap is cut off at M (3.9).",
        reason="the last cap is hardly longer than the one before it",
    )
    caps = power_caps(memory)[: last + 1]
    squares = 3 * sum(tau * tau for tau in caps)
    draft.fact("caps", [*caps])
    below = caps[-2] if last else 1
    draft.holds("the repaired form holds", squares, "<=", 16 * below * below)
    draft.refuted("relative to the last cap", squares, "<=", 4 * caps[-1] ** 2)


def _strict_packing(draft: Draft, _: Parameters) -> None:
    memory, height = 3, 2
    draft.describe(
        "Packing that never looks past the first waiting rectangle does not end by 2L - 1 (3.14).",
        reason="the wide one blocks the rest while most of the memory is idle",
    )
    rectangles = ((1, 1), (3, 1), (1, 2))
    area = sum(width * rounds for width, rounds in rectangles)
    draft.holds("the area is at most M L", area, "<=", memory * height)
    strict, any_fit = pack(memory, rectangles, False), pack(memory, rectangles, True)
    draft.fact("strict", strict)
    draft.fact("any fit", any_fit)
    draft.holds("any fit ends by 2L - 1", any_fit, "<=", 2 * height - 1)
    draft.refuted("strict order ends by 2L - 1", strict, "<=", 2 * height - 1)


def pack(memory: int, rectangles: tuple[tuple[int, int], ...], any_fit: bool) -> int:
    """Return when list scheduling of (width, height) ends, round by round: plain on purpose."""
    waiting, running, now = list(rectangles), list[tuple[int, int]](), 0
    while waiting or running:
        running = [(width, end) for width, end in running if end > now]
        for rectangle in list(waiting):
            if sum(width for width, _ in running) + rectangle[0] <= memory:
                waiting.remove(rectangle)
                running.append((rectangle[0], now + rectangle[1]))
            elif not any_fit:
                break
        now += 1
    return now - 1


def _mixed_widths(draft: Draft, p: Parameters) -> None:
    memory, root = p["root"] ** 2, p["root"]
    draft.describe(
        "Rect with mixed widths is not competitive: one (1, M/2) and sqrt(M) of (M, 1) (3.6)."
    )
    run = play_rectangles(memory, [(1, memory // 2), *[(memory, 1)] * root])
    other = sum(range(1, root + 1)) + root + memory // 2
    draft.fact("Rect", run)
    draft.fact("wide ones first", other)
    draft.holds("the ratio grows like sqrt(M)", 3 * run, ">=", root * other)


def play_rectangles(memory: int, rectangles: list[tuple[int, int]]) -> int:
    """Return the sum of completion times of Rect on (width, height), all widths in one strip."""
    found = [Rectangle(i, width, height) for i, (width, height) in enumerate(rectangles)]
    policy = plain_rect(memory, {r.id: r.width for r in found})
    return strip.play_rectangles(memory, found, policy).total_completion


FAMILIES = (
    Family(
        "sps-peak-without-rounding",
        _sps_peak,
        (
            {"memory": 2, "tau": 1, "prompt": 0, "k": 3},
            {"memory": 12, "tau": 3, "prompt": 1, "k": 4},
        ),
        "negative",
    ),
    Family(
        "eligibility-by-proxy",
        _eligibility,
        ({"memory": 4, "prompt": 1, "output": 3},),
        "negative",
    ),
    Family("last-cap-cut-off", _last_cap, ({"memory": 3, "class": 2},), "negative"),
    Family("strict-packing", _strict_packing, ({},), "negative"),
    Family("rect-with-mixed-widths", _mixed_widths, tuple({"root": r} for r in (4, 8, 16, 32, 64))),
)
