"""Where paper 3's constants come from: exact arithmetic, and each finite step checked on a range.

OPT is bounded below by Q/M and by O = sum of outputs (old), or by Q/M + O/3 (the additive bound
of nonclairvoyant-sharp.md 2.1, its sum(2o+1)/6 rounded down), where Q is half the ordered sum of
min(A_i, A_j).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from ...policies.nonclairvoyant.response import half_step_caps, power_caps
from ...policies.nonclairvoyant.sps import parallelism, peak, plain_parallelism
from ...ratios_kills import KNOTS, SHARPER_KNOTS, potential_slack
from ..draft import Draft, Family, Parameters


def from_two_bounds(area: Fraction | int, linear: Fraction | int) -> Fraction:
    """Return r with area Q/M + linear O <= r OPT by Q/M <= OPT and O <= OPT."""
    return Fraction(area) + linear


def from_additive(area: Fraction | int, linear: Fraction | int) -> Fraction:
    """Return r with area Q/M + linear O <= r OPT by Q/M + O/3 <= OPT and O <= OPT."""
    return Fraction(area) + max(Fraction(0), linear - Fraction(area) / 3)


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant as printed, its derivation, and the same in words."""

    value: Fraction
    derived: Callable[[], Fraction]
    words: str


def _c(value: int | str, derived: Callable[[], Fraction | int], words: str) -> Constant:
    return Constant(Fraction(value), lambda: Fraction(derived()), words)


# Rect: H sum(C) <= active H sum(p) + pair sum_{i<j} min(a); a <= shape A, H >= M / share.
def _rect(active: int, pair: int, shape: int, share: int) -> Fraction:
    return from_two_bounds(pair * shape * share, active)


def _rect_additive(active: int, pair: int, shape: int, share: int) -> Fraction:
    # sum_{i<j} min(A) <= Q, since Q counts the diagonal as well.
    return from_additive(pair * shape * share, active)


# Response: sum tau_r / k_r <= (7/2) tau_r^2 / M; per class the squares sum to `squares` times the
# lower class end squared; ordered pairs are 2 Q / A-units of tau^2/2, twice.
def _response(squares: Fraction, linear: int, additive: bool) -> Fraction:
    area = Fraction(7, 2) * squares * 2 * 2
    return (from_additive if additive else from_two_bounds)(area, linear)


OLD_SQUARES, NEW_SQUARES = Fraction(16, 3), Fraction(13, 3)


def _route(prompt: Fraction, response: Fraction, before: Fraction, after: Fraction) -> Fraction:
    """Response-heavy: stages until C^P are charged `before`, the run of C^R is charged `after`."""
    return before * prompt + after * response


def _equal_slots(prompt: int, response: Fraction) -> Fraction:
    return _route(Fraction(prompt), response, Fraction(8), Fraction(9))


CONSTANTS: dict[str, Constant] = {
    "rect-large": _c(36, lambda: _rect(4, 8, 4, 1), "4 + 8*4: M o < 4A, H = M"),
    "rect-prompt": _c(36, lambda: _rect(4, 8, 2, 2), "4 + 8*2*2: a <= 2A, H >= M/2"),
    "rect-large-31": _c(31, lambda: _rect(3, 7, 4, 1), "3 + 7*4: active <= 3p - 2, 3 + 4 a pair"),
    "rect-prompt-31": _c(31, lambda: _rect(3, 7, 2, 2), "3 + 7*2*2"),
    "rect-prompt-28": _c(28, lambda: _rect_additive(3, 7, 2, 2), "3 <= 28/3: linear part is free"),
    "rect-large-21": _c(
        21, lambda: 7 * 3, "3D + 7O with 3 OPT >= D + O: at most three large at once"
    ),
    "rect-general": _c(140, lambda: (4 * 2 - 1) * (4 + 8 * 2), "merge of two parts, 7 * 20"),
    "rect-general-119": _c(119, lambda: 7 * (3 + 7 * 2), "7 * 17"),
    "response": _c("236/3", lambda: _response(OLD_SQUARES, 4, False), "4 + (7/2)(16/3)*4"),
    "response-additive": _c("224/3", lambda: _response(OLD_SQUARES, 4, True), "4 <= 224/9"),
    "response-half-steps": _c(
        "182/3", lambda: _response(NEW_SQUARES, 5, True), "(7/2)(13/3)*4, 5 <= 182/9"
    ),
    "route-996": _c(996, lambda: _equal_slots(36, Fraction(236, 3)), "8*36+9*236/3"),
    "route-956": _c(956, lambda: _equal_slots(31, Fraction(236, 3)), "8*31+9*236/3"),
    "route-896": _c(896, lambda: _equal_slots(28, Fraction(224, 3)), "8*28+9*224/3"),
    "route-2-5-1": _c(
        "1960/3",
        lambda: _route(Fraction(28), Fraction(224, 3), Fraction(10), Fraction(5)),
        "10*28 + 5*224/3",
    ),
    "route-2-4-1": _c(
        "1757/3",
        lambda: _route(Fraction(28), Fraction(182, 3), Fraction(9), Fraction(11, 2)),
        "9*28 + (11/2)(182/3)",
    ),
    "route-online": _c(1001, lambda: 996 + 5, "996 + 5: C <= max(B, 4a + 5), 4a + 5 <= 5(a + o)"),
    "route-online-901": _c(901, lambda: 896 + 5, "896 + 5"),
    "makespan-route": _c(372, lambda: 9 * (4 + Fraction(7, 2) * Fraction(32, 3)), "9 * 124/3"),
    "makespan-doubling": _c("76/3", lambda: 4 + 2 * Fraction(32, 3), "4 + (2/M) (32/3) sum A"),
    "makespan-half-steps": _c("67/3", lambda: 5 + 2 * Fraction(26, 3), "5 + (2/M) (26/3) sum A"),
    "fair-share-80": _c(80, lambda: from_two_bounds(64, 16), "64 Q/M + 16 O"),
    "fair-share-64": _c(64, lambda: from_additive(64, 16), "16 <= 64/3: the linear part is free"),
    "fair-share-pooled": _c(96, lambda: from_additive(96, 24), "24 <= 96/3, M replaced by k M"),
    "fair-share-three-for-one": _c("136/3", lambda: from_additive(32, 24), "32 Q/M + 24 O, k = 3"),
    "sixteen": _c(16, lambda: 4 * 2 * 2, "stage L ends by 4L - 2, L < 2 * 2C"),
    "sixteen-rectangles": _c(8, lambda: 4 * 2, "stage L ends by 4L - 2, L < 2 C"),
    "split-merge": _c(28, lambda: max(5 * (1 + 2 * 2), 7 * 4), "max(5*5, 7*4), small part first"),
    "three-replicas": _c(238, lambda: 2 * 28 + 3 * Fraction(182, 3), "2*28 + 3*182/3"),
    "three-replicas-powers": _c(280, lambda: 2 * 28 + 3 * Fraction(224, 3), "2*28 + 3*224/3"),
    "three-replicas-three": _c(714, lambda: 3 * 238, "OPT with three replicas: Q/(3M)"),
}
_NAMES = tuple(CONSTANTS)


def _constant(draft: Draft, p: Parameters) -> None:
    name = _NAMES[p["constant"]]
    constant = CONSTANTS[name]
    draft.describe(f"{name} = {constant.value}: {constant.words}.")
    draft.fact("name", name)
    draft.holds(name, constant.derived(), "=", constant.value)


def _cap_sums(draft: Draft, p: Parameters) -> None:
    most = p["memories"]
    draft.describe(
        "Sums of the caps relative to the lower class end: doubling 4 and 16/3, half steps 5 and "
        "13/3 (nonclairvoyant.md 3.9, nonclairvoyant-sharp.md 2.3), for every M up to a limit."
    )
    for name, caps_of, linear, squares in (
        ("doubling", power_caps, 4, OLD_SQUARES),
        ("half steps", half_step_caps, 5, NEW_SQUARES),
    ):
        worst_sum = worst_squares = Fraction(0)
        for memory in range(1, most + 1):
            total = square = 0
            below = 0
            for cap in caps_of(memory):
                total += cap
                square += cap * cap
                # A request of the class needs more than the cap below it.
                worst_sum = max(worst_sum, Fraction(total, below + 1))
                worst_squares = max(worst_squares, Fraction(square, (below + 1) ** 2))
                below = cap
        draft.fact(f"{name}: sum", worst_sum)
        draft.fact(f"{name}: squares", worst_squares)
        draft.holds(f"{name}: sum", worst_sum, "<=", linear)
        draft.holds(f"{name}: squares", worst_squares, "<=", squares)


def _seven_halves(draft: Draft, p: Parameters) -> None:
    most = p["memories"]
    draft.describe(
        "2M <= 7 tau k in every phase of Response, with the exact peak and the one without gcd "
        "(nonclairvoyant.md 3.7d); and k* is maximal."
    )
    worst, maximal = Fraction(0), 0
    for memory in range(2, most + 1):
        for tau in range(1, memory + 1):
            proxy = min(tau, memory - tau)
            k = parallelism(memory, tau, proxy)
            worst = max(worst, Fraction(memory, tau * k))
            if 2 * tau <= memory:
                worst = max(worst, Fraction(memory, tau * plain_parallelism(memory, tau, proxy)))
            maximal += peak(k, tau, proxy) <= memory < peak(k + 1, tau, proxy)
    pairs = sum(range(2, most + 1))
    draft.fact("pairs", pairs)
    draft.fact("largest M / (tau k)", worst)
    draft.holds("M / (tau k)", worst, "<=", Fraction(7, 2))
    draft.holds("k* is the largest", maximal, "=", pairs)


def _stages(draft: Draft, p: Parameters) -> None:
    most = p["rounds"]
    draft.describe(
        "Stage arithmetic of the merges (nonclairvoyant.md 3.10, 3.11): what ends after C rounds "
        "of its own run ends in the merge by (2G+2g-1) C; Route: 7, 11, and 8 max + C^R."
    )
    meta = route = 0
    for rounds in range(1, most + 1):
        stage = (rounds - 1).bit_length()
        for parts in range(1, 5):
            for part in range(1, parts + 1):
                end = parts * (2**stage - 1) + (part - 1) * 2**stage + rounds
                meta += end > (2 * parts + 2 * part - 1) * rounds
        route += 3 * (2**stage - 1) + rounds > 7 * rounds
        route += 3 * (2**stage - 1) + 2 * 2**stage + rounds > 11 * rounds
        for other in range(1, rounds + 1):
            route += 3 * (2**stage - 1) + 2**stage + other > 8 * rounds + other
    draft.holds("violations of the merge", meta, "=", 0)
    draft.holds("violations of Route's", route, "=", 0)


_POTENTIALS = {49: KNOTS, 48: SHARPER_KNOTS}


def _potential(draft: Draft, p: Parameters) -> None:
    value, knots = Fraction(p["ratio"]), _POTENTIALS[p["ratio"]]
    draft.describe(
        f"FairShare's {value}: v (2 + psi(v)) <= {value} f(v, v', xi) + psi(v') for psi with nine "
        "rational knots (nonclairvoyant-sharp.md 2.2 step 8), minimised exactly over every cell."
    )
    draft.fact("knots", [str(knot) for knot in knots])
    slack = potential_slack(value, knots)
    draft.fact("smallest slack", slack)
    draft.holds("the inequality", slack, ">=", 0)
    draft.holds("what is left at the start", 1 + knots[0], "<=", value / 2)


def _below(draft: Draft, p: Parameters) -> None:
    draft.describe(
        f"Neither potential proves {p['ratio']}.",
        reason="in some cell the left side exceeds the right",
    )
    slack = max(potential_slack(Fraction(p["ratio"]), knots) for knots in _POTENTIALS.values())
    draft.refuted("the inequality", slack, ">=", 0)


FAMILIES = (
    Family("fair-share-potential-below", _below, ({"ratio": 47},), "negative"),
    Family("fair-share-potential", _potential, ({"ratio": 49}, {"ratio": 48})),
    Family("constant", _constant, tuple({"constant": i} for i in range(len(_NAMES)))),
    Family("cap-sums", _cap_sums, ({"memories": 400},)),
    Family("seven-halves", _seven_halves, ({"memories": 120},)),
    Family("stage-arithmetic", _stages, ({"rounds": 140},)),
)
