"""How far from optimal the volume order can be, and the length order (svf.md section 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from ...model import Instance, Schedule
from ..draft import Draft, Family, Parameters
from .runs import Shape, alpha, burst, judge, keep, play, within_proved

# Memory, shapes, SVF, OPT, alpha, as svf.md prints them.
_ORDERS: tuple[tuple[int, tuple[Shape, ...], int, int, Fraction], ...] = (
    (6, ((0, 3), (3, 2)), 8, 6, Fraction(5, 6)),
    (6, ((0, 1), (2, 1), (2, 1), (0, 2)), 7, 6, Fraction(1, 2)),
    (7, ((0, 1), (0, 3), (5, 1), (5, 1)), 13, 8, Fraction(6, 7)),
    (16, ((5, 1), (1, 3), (0, 5), (0, 5), (6, 2), (0, 5)), 31, 22, Fraction(1, 2)),
)


def _volume_order(draft: Draft, p: Parameters) -> None:
    memory, shapes, tel, value, share = _ORDERS[p["case"]]
    draft.describe(
        "Smallest volume first is optimal for LP (4), not for the problem, also at alpha = 1/2.",
        reason="volumes say nothing of which requests fit together",
    )
    instance = draft.instance(burst(memory, shapes))
    found, best = play(draft, "svf", instance), draft.optimum(instance).value
    draft.fact("ratio", Fraction(found, best))
    draft.holds("alpha", alpha(instance), "=", share)
    draft.holds("SVF pays as noted", found, "=", tel)
    draft.holds("OPT is as noted", best, "=", value)
    within_proved(draft, "svf", instance, found, best)
    draft.refuted("the volume order is optimal", found, "=", best)


# N -> (SJF, SVF).
_SJF = {16: (116, 63), 64: (712, 223), 256: (4880, 831), 1024: (35872, 3199)}


def _sjf(draft: Draft, p: Parameters) -> None:
    n, root = p["n"], p["root"]
    draft.describe(
        "SJF is unbounded at alpha = 1/2: M = 2N, 2 sqrt(N) units of half the memory go before N "
        "small (0,2).  Against SVF the ratio is above sqrt(N) / 3."
    )
    draft.holds("N is a square", root * root, "=", n)
    instance = keep(draft, burst(2 * n, [*[(n - 1, 1)] * (2 * root), *[(0, 2)] * n]))
    sjf, svf = play(draft, "sjf", instance), play(draft, "svf", instance)
    draft.holds("alpha", alpha(instance), "=", Fraction(1, 2))
    draft.holds("SJF", sjf, "=", _SJF[n][0])
    draft.holds("SVF", svf, "=", _SJF[n][1])
    draft.fact("ratio", Fraction(sjf, svf))
    draft.holds("3 SJF > sqrt(N) SVF", 3 * sjf, ">", root * svf)
    within_proved(draft, "svf", instance, svf, min(svf, sjf))


def _alternating(draft: Draft, memory: int, large: Shape, small: Shape, pairs: int) -> None:
    """SVF on n large units and n smalls of equal volume, in turn, against all large ones first.

    A large unit does not fit beside a small one, `small` takes l rounds and runs l times at once
    if one starts in each round: SVF pays n (n (l + 1) + 1), the other schedule n (2n + l), so the
    ratio tends to (l + 1) / 2.
    """
    instance = keep(draft, burst(memory, [large, small] * pairs))
    length = small[1]
    svf = play(draft, "svf", instance)
    starts = {2 * i: i for i in range(pairs)} | {2 * i + 1: pairs + i for i in range(pairs)}
    other = judge(draft, "large ones first", instance, Schedule(starts))
    volumes = {r.volume for r in instance.requests}
    draft.fact("alpha", alpha(instance))
    draft.fact("ratio", Fraction(svf, other))
    draft.holds("all volumes are equal", len(volumes), "=", 1)
    draft.holds("SVF = n (n (l + 1) + 1)", svf, "=", pairs * (pairs * (length + 1) + 1))
    draft.holds("the other schedule costs n (2n + l)", other, "=", pairs * (2 * pairs + length))
    within_proved(draft, "svf", instance, svf, other)
    near = Fraction((length + 1) * pairs, 2 * pairs + length)
    draft.holds("the ratio exceeds (l + 1) n / (2n + l)", Fraction(svf, other), ">", near)
    draft.refuted("at most one request runs at a time", _concurrency(instance, starts), "<=", 1)
    draft.refuted("SVF loses nothing where alpha -> 1", svf, "<=", other)


def _concurrency(instance: Instance, starts: Mapping[int, int]) -> int:
    """Return the largest number of requests that run in one round."""
    running = Counter(
        t for r in instance.requests for t in range(starts[r.id], starts[r.id] + r.output)
    )
    return max(running.values())


_REMARK = (
    "With alpha = 1 the paper says that scheduling ceases; but SVF by the head rule loses a factor "
    "that grows with the memory, although the optimum does not run one at a time."
)


def _alpha_one(draft: Draft, p: Parameters) -> None:
    length = p["length"]
    memory = length * (length + 1) // 2
    draft.describe(
        f"{_REMARK}  (M-1,1) and (0,l) in turn, M = l(l+1)/2: near (l+1)/2, about sqrt(M/2).",
        reason="alpha is the largest share of one request, not the share of each",
    )
    _alternating(draft, memory, (memory - 1, 1), (0, length), p["pairs"])


def _alpha_large(draft: Draft, p: Parameters) -> None:
    draft.describe(
        f"{_REMARK}  M = 360 and alpha = 9/10: (323,1) and (36,8) in turn, near 9/2.",
        reason="alpha is the largest share of one request, not the share of each",
    )
    _alternating(draft, 360, (323, 1), (36, 8), p["pairs"])


# c, batches, a true lower bound on the ratio.
_IDENTICAL = (
    (2, 10, Fraction(132, 100)),
    (2, 60, Fraction(1464, 1000)),
    (4, 60, Fraction(1687, 1000)),
    (8, 60, Fraction(1797, 1000)),
    (16, 60, Fraction(1852, 1000)),
)


def _identical(draft: Draft, p: Parameters) -> None:
    copies, batches, least = _IDENTICAL[p["case"]]
    length = 2 * copies - 1
    draft.describe(
        "Identical (0,L), M = cL: SVF runs batches of c at once, starts floor(i L / (2c - 1)) fit "
        "as well (here L = 2c - 1); with more batches the ratio tends to 2 - alpha = 2 - 1/c."
    )
    n = copies * batches
    instance = keep(draft, burst(copies * length, [(0, length)] * n))
    svf = play(draft, "svf", instance)
    staggered = {i: i * length // (2 * copies - 1) for i in range(n)}
    other = judge(draft, "staggered", instance, Schedule(staggered))
    limit = 2 - alpha(instance)
    draft.fact("ratio", Fraction(svf, other))
    draft.fact("limit", limit)
    draft.holds("SVF runs batches", svf, "=", copies * length * batches * (batches + 1) // 2)
    draft.holds("staggered, by formula", other, "=", n * length + n * (n - 1) // 2)
    draft.holds("the ratio is at least as noted", Fraction(svf, other), ">=", least)
    draft.holds("and below 2 - alpha", Fraction(svf, other), "<", limit)
    within_proved(draft, "svf", instance, svf, other)


FAMILIES = (
    Family(
        "volume-order",
        _volume_order,
        tuple({"case": case} for case in range(len(_ORDERS))),
        "negative",
    ),
    Family(
        "sjf-unbounded",
        _sjf,
        tuple({"n": root * root, "root": root} for root in (4, 8, 16, 32)),
    ),
    Family(
        "alpha-one",
        _alpha_one,
        (
            {"length": 2, "pairs": 12},
            {"length": 4, "pairs": 12},
            {"length": 4, "pairs": 28},
            {"length": 8, "pairs": 28},
            {"length": 16, "pairs": 28},
            {"length": 32, "pairs": 200},
        ),
        "negative",
    ),
    Family("alpha-nine-tenths", _alpha_large, ({"pairs": 12}, {"pairs": 171}), "negative"),
    Family(
        "identical-requests",
        _identical,
        tuple({"case": case} for case in range(len(_IDENTICAL))),
    ),
)
