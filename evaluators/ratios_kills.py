"""Proved ratios of paper 3's algorithms and of ours, with kills, as exact fractions.

Each entry names its hypothesis; who lists one for a run answers for it (`policies/kill_schedulers`
does).  "published" is the constant that the paper states or that its own proof gives
(nonclairvoyant.md section 3); "sharp" is nonclairvoyant-sharp.md section 2, read a second time.
"""

from __future__ import annotations

from fractions import Fraction

from .model import Instance
from .ratios import ProvedRatio, largest_peak
from .replay import Objective

ANY_BURST = "burst"
LARGE = "burst, every request large: 4s > M"
PROMPT_HEAVY = "burst, every request prompt-heavy: 1 <= s, 4s <= M, o <= s"
RESPONSE_HEAVY = "burst, every request with o > s"
ARRIVALS = "any arrivals, against the least total completion time"

Row = tuple[int | Fraction, str]


def _list(condition: str, objective: Objective, *rows: Row) -> tuple[ProvedRatio, ...]:
    return tuple(
        ProvedRatio(Fraction(value), source, condition, objective) for value, source in rows
    )


RECT_LARGE = (
    *_list(
        LARGE,
        "tel",
        (36, "paper 3, Rect, large"),
        (31, "ours: nonclairvoyant.md 3.6"),
        (21, "ours: sharp 2.4, three machines"),
    ),
    *_list(LARGE, "makespan", (20, "ours: nonclairvoyant.md 3.13"), (9, "ours: sharp 2.4")),
)
RECT_PROMPT = (
    *_list(
        PROMPT_HEAVY,
        "tel",
        (36, "paper 3, Rect, prompt-heavy"),
        (31, "ours: nonclairvoyant.md 3.6"),
        (28, "ours: sharp 2.4, additive bound"),
    ),
    *_list(PROMPT_HEAVY, "makespan", (20, "ours: nonclairvoyant.md 3.13"), (15, "ours: sharp 2.4")),
)
RESPONSE = (
    *_list(
        RESPONSE_HEAVY,
        "tel",
        (Fraction(236, 3), "paper 3, Response"),
        (Fraction(224, 3), "ours: sharp 2.4, additive bound"),
    ),
    *_list(RESPONSE_HEAVY, "makespan", (Fraction(124, 3), "ours: nonclairvoyant.md 3.13")),
)
RESPONSE_HALF_STEPS = _list(
    RESPONSE_HEAVY, "tel", (Fraction(182, 3), "ours: sharp 2.4, caps 1, 2, 3, 4, 6, 8, 12, ...")
)
ROUTE = (
    *_list(
        ANY_BURST,
        "tel",
        (996, "ours: nonclairvoyant.md 3.12 (the paper says O(1))"),
        (956, "ours: nonclairvoyant.md 3.12 with 31"),
        (896, "ours: sharp 2.4"),
    ),
    *_list(ANY_BURST, "makespan", (372, "ours: nonclairvoyant.md 3.13 (the paper says O(1))")),
)
ROUTE_2_5_1 = _list(ANY_BURST, "tel", (Fraction(1960, 3), "ours: sharp 2.4, slots 2:5:1"))
ROUTE_2_4_1 = _list(
    ANY_BURST, "tel", (Fraction(1757, 3), "ours: sharp 2.4, slots 2:4:1, caps 1, 2, 3, 4, 6, ...")
)
ROUTE_ONLINE = _list(
    ARRIVALS,
    "total-completion",
    (1001, "ours: nonclairvoyant.md 3.19 (the paper says O(1))"),
    (961, "ours: nonclairvoyant.md 3.19 with 31"),
    (901, "ours: sharp 2.4"),
)
ROUTE_ONLINE_2_5_1 = _list(
    ARRIVALS, "total-completion", (Fraction(2020, 3), "ours: sharp 2.4, slots 2:5:1")
)
ROUTE_ONLINE_2_4_1 = _list(
    ARRIVALS, "total-completion", (Fraction(1808, 3), "ours: sharp 2.4, slots 2:4:1")
)
FAIR_SHARE = _list(
    ANY_BURST,
    "tel",
    (80, "ours: sharp 2.2, area and processing bounds"),
    (64, "ours: sharp 2.2, additive bound"),
    (49, "ours: sharp 2.2 step 8, potential"),
    (48, "ours: theorem fair_share_forty_eight (stages that end early have the same sums)"),
)
FAIR_SHARE_LONG_PROMPTS = _list(
    "burst, every request with s >= o", "tel", (Fraction(400, 9), "ours: sharp 2.2")
)
LENGTH_DOUBLING = _list(ANY_BURST, "makespan", (Fraction(76, 3), "ours: sharp 2.3"))
LENGTH_DOUBLING_HALF_STEPS = _list(ANY_BURST, "makespan", (Fraction(67, 3), "ours: sharp 2.3"))
LENGTH_DOUBLING_ONLINE = _list(
    "any arrivals", "makespan", (Fraction(152, 3), "ours: sharp 2.3, batches")
)
LENGTH_DOUBLING_ONLINE_HALF_STEPS = _list(
    "any arrivals", "makespan", (Fraction(134, 3), "ours: sharp 2.3, batches")
)
SPLIT_MERGE = _list(
    ANY_BURST,
    "tel",
    (35, "ours: nonclairvoyant.md 3.17, 7 x 5 (paper 3, theorem 3)"),
    (28, "ours: nonclairvoyant.md 3.17"),
)
SIXTEEN = _list(ANY_BURST, "tel", (16, "paper 3, theorem 4; packing by nonclairvoyant.md 3.14"))

ONE_REPLICA = "burst; replicas of memory M against one replica's optimum"
SAME_REPLICAS = "burst; k replicas of memory M against the optimum on k replicas"
THREE_REPLICAS_ONE = _list(ONE_REPLICA, "tel", (238, "ours: sharp section 4"))
THREE_REPLICAS_ONE_POWERS = _list(ONE_REPLICA, "tel", (280, "ours: sharp section 4, caps 2^r"))
THREE_REPLICAS = _list(SAME_REPLICAS, "tel", (714, "ours: sharp section 4"))
THREE_REPLICAS_POWERS = _list(SAME_REPLICAS, "tel", (840, "ours: sharp section 4, caps 2^r"))
POOLED_FAIR_SHARE = _list(SAME_REPLICAS, "tel", (96, "ours: sharp section 4"))
POOLED_FAIR_SHARE_THREE_ONE = _list(
    ONE_REPLICA, "tel", (Fraction(136, 3), "ours: sharp section 4, k = 3")
)
POOLED_LENGTH_DOUBLING = _list(
    SAME_REPLICAS, "makespan", (Fraction(67, 3), "ours: sharp section 4, caps 1, 2, 3, 4, 6, ...")
)
GENERAL_RECT = _list(
    "rectangles of any widths, merged in two parts",
    "tel",
    (140, "ours: nonclairvoyant.md 3.6 (T4)"),
    (119, "ours: sharp 2.4"),
)


def greedy_ratio(instance: Instance) -> ProvedRatio:
    """1 + 2M / (M - l + 1) with l = max(s + o) (paper 3, theorem 2): 3 + o(1) for l = o(M)."""
    room = instance.memory - largest_peak(instance) + 1
    return ProvedRatio(1 + Fraction(2 * instance.memory, room), "paper 3, theorem 2", ANY_BURST)


def merged_ratio(parts: int, ratio: Fraction) -> Fraction:
    """Return (4G - 1) times the worst ratio of the G parts of a black-box merge (paper 3, 5.3)."""
    return (4 * parts - 1) * ratio


# nonclairvoyant-sharp.md 2.2, step 8: psi at v = 0, 1/4, ..., 2, linear in between.
KNOTS = tuple(
    Fraction(*pair)
    for pair in (
        (29, 50), (31, 50), (67, 100), (29, 40), (79, 100), (87, 100), (97, 100), (219, 200),
        (63, 50),
    )
)  # fmt: skip


# Ours, found while formalising step 8: with these the inequality holds for 48, with slack 0.
SHARPER_KNOTS = tuple(Fraction(n, 168) for n in (102, 109, 117, 127, 139, 153, 171, 194, 224))


def potential_slack(gamma: Fraction, knots: tuple[Fraction, ...] = KNOTS) -> Fraction:
    """Return the least slack of v (2 + psi(v)) <= gamma f(v, v', xi) + psi(v').

    f = (v^2 / 16)(1 - v' / 4)(1 - xi)^2 + (v / 12) xi on [0, 2]^2 x [0, 1]; psi has the given
    values at v = 0, h, 2h, ..., 2.  A slack >= 0 and psi >= 0 prove that the total completion time
    of FairShare is at most gamma OPT, gamma >= 2 (1 + psi(0)).  Exact: for a fixed v the slack is
    concave in v' on each cell (a minimum over xi of functions linear in v'), so v' at the knots
    suffices; over xi it is minimal at 0 or at an inner point, and each piece is a quadratic in v.
    """
    step = Fraction(2, len(knots) - 1)
    least: Fraction | None = None
    for j, end in enumerate(knots):
        c = 1 - j * step / 4
        for i in range(len(knots) - 1):
            cell = _Cell(i * step, (i + 1) * step, knots[i], (knots[i + 1] - knots[i]) / step)
            found = cell.least_slack(gamma, c, end)
            least = found if least is None else min(least, found)
    assert least is not None
    return least


class _Cell:
    """psi(v) = value + slope (v - low) on low..high."""

    def __init__(self, low: Fraction, high: Fraction, value: Fraction, slope: Fraction) -> None:
        self.low, self.high, self.slope = low, high, slope
        self.at_zero = value - slope * low

    def least_slack(self, gamma: Fraction, c: Fraction, end: Fraction) -> Fraction:
        """Return the least slack for v' with 1 - v' / 4 = c and psi(v') = end.

        The derivative in xi at 0 is v / 12 - v^2 c / 8: the minimum is at xi = 0 if v c <= 2 / 3,
        else inside, where f = v / 12 - 1 / (36 c).
        """
        turn = Fraction(2, 3) / c
        # slack = a v^2 + b v + d on each piece
        b = -2 - self.at_zero
        pieces = []
        if self.low <= turn:
            first = (gamma * c / 16 - self.slope, b, end)
            pieces.append(_least(first, self.low, min(turn, self.high)))
        if turn < self.high:
            second = (-self.slope, b + gamma / 12, end - gamma / (36 * c))
            pieces.append(_least(second, max(turn, self.low), self.high))
        return min(pieces)


def _least(
    quadratic: tuple[Fraction, Fraction, Fraction], low: Fraction, high: Fraction
) -> Fraction:
    """Return the least value of a v^2 + b v + d on low..high."""
    a, b, d = quadratic
    points = [low, high]
    if a > 0:
        points.append(min(max(-b / (2 * a), low), high))
    return min(a * v * v + b * v + d for v in points)
