"""The tables: L(k), sharp thresholds of the stream, game values, and seeded exact optima."""

from __future__ import annotations

from fractions import Fraction

from ...adversary import burst, streams
from ...adversary.game import TABLE, game_value
from ..draft import Draft, Family, Parameters
from ..seeded import random_instance

SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 5))


def _least_length(draft: Draft, p: Parameters) -> None:
    k = p["k"]
    draft.describe(
        "L(k): least L with 2 ALG >= n OPT for the burst at every b; L(k)/k^3 -> 1/6, so the burst "
        "needs cubic memory for 1/2 (tight.md section 2)."
    )
    length = burst.least_length(k)
    draft.fact("length", length)
    share = Fraction(1, 2)
    draft.holds("L(k) suffices", burst.burst_factor(k, length), ">=", share * (k + 1))
    if length > 1:
        draft.holds("L(k) - 1 fails", burst.burst_factor(k, length - 1), "<", share * (k + 1))


def _threshold(draft: Draft, p: Parameters) -> None:
    n, share = p["n"], SHARES[p["share"]]
    draft.describe(f"The stream forces {share} n from this L on, and not just below it.")
    length = streams.stream_threshold(n, share)
    draft.fact("length", length)
    draft.holds("holds at L", streams.stream_factor(n - 1, length), ">=", share * n)
    if length > 1:
        below = streams.stream_factor(n - 1, length - 1)
        draft.holds("fails at L - 1", below, "<", share * n)


def _game(draft: Draft, p: Parameters) -> None:
    n, memory, horizon = p["n"], p["memory"], p["horizon"]
    draft.describe(
        "Exact minimax value with exactly n requests, arrivals <= H, s >= 1: a lower bound on "
        "R_det(n, M), exact for the horizon (tight.md section 4)."
    )
    result = game_value(n, memory, horizon)
    draft.fact("value", result.value)
    draft.fact("leaves", result.leaves)
    draft.holds("the pencil table", result.value, "=", TABLE[n, memory, horizon])


def _seeded(draft: Draft, p: Parameters) -> None:
    draft.describe("A seeded instance on which the exact search, CP-SAT and HiGHS agree (tests).")
    instance = draft.instance(random_instance(p["seed"], p["n"], p["memory"], p["span"]))
    best = draft.optimum(instance)
    shortest = draft.optimum(instance, objective="makespan")
    draft.holds("TEL optimum >= sum of outputs", best.value, ">=", instance.total_output)
    longest = max(request.arrival + request.output for request in instance.requests)
    draft.holds("makespan optimum >= max(a + o)", shortest.value, ">=", longest)


SEEDED = tuple(
    {"seed": 200 + i, "n": 4 + i % 7, "memory": 5 + 2 * (i % 5), "span": 2 * (i % 4)}
    for i in range(20)
)

FAMILIES = (
    Family(
        "least-length",
        _least_length,
        tuple({"k": k} for k in (*range(1, 13), 20, 30, 40, 50, 60)),
    ),
    Family(
        "stream-threshold",
        _threshold,
        tuple(
            {"n": n, "share": share}
            for n in (2, 3, 4, 6, 9, 11, 21)
            for share in range(len(SHARES))
        ),
    ),
    Family(
        "game",
        _game,
        tuple({"n": n, "memory": m, "horizon": h} for n, m, h in sorted(TABLE)),
    ),
    Family("solvers-agree", _seeded, SEEDED),
)
