"""Lemma E.2 and theorem 3.2: strict only with predecessors, and false where the queue is skipped.

svf.md section 1.  The proofs need that nobody passes the head of the line: a request of larger
volume that slips past a blocked head blocks it again.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from ...policies.engine import simulate
from ...policies.scheduler import Options
from ..draft import Draft, Family, Parameters
from ..seeded import random_instance
from .runs import (
    SKIP,
    Shape,
    alpha,
    burst,
    judge,
    keep,
    paper_ratio,
    play,
    run,
    waiting_sides,
    within_proved,
)


def _strict(draft: Draft, p: Parameters) -> None:
    draft.describe(
        "One request: lemma E.2 as printed, (1 - alpha) M W_j < 2 sum(vol_i, i before j), reads "
        "0 < 0, and lemma E.1's 'strictly' reads o > o; with <= both hold (svf.md section 1).",
        reason="the strict inequality needs a predecessor: W = 0 and the sum is empty",
    )
    instance = draft.instance(burst(p["memory"], [(p["prompt"], p["output"])]))
    tel = play(draft, "svf", instance)
    ((_, left, right),) = waiting_sides(run("svf", instance))
    draft.holds("E.2 with <=", left, "<=", right)
    draft.holds("E.1 with >=", tel, ">=", instance.total_output)
    draft.refuted("E.2 as printed, with <", left, "<", right)
    draft.refuted("E.1 strictly: TEL > sum of o", tel, ">", instance.total_output)


def _with_predecessors(draft: Draft, p: Parameters) -> None:
    draft.describe(
        "A seeded burst under the head rule: E.2 holds with <= for every request, and strictly for "
        "every one that has a predecessor (svf.md section 1, the repair)."
    )
    instance = draft.instance(random_instance(p["seed"], p["n"], p["memory"], 0))
    tel = play(draft, "svf", instance)
    sides = waiting_sides(run("svf", instance))
    first, others = sides[0], sides[1:]
    draft.holds("the first: 0 <= 0", first[1], "<=", first[2])
    for request, left, right in others:
        draft.holds(f"request {request}", left, "<", right)
    within_proved(draft, "svf", instance, tel, draft.optimum(instance).value)


def _smallest_skip(draft: Draft, _: Parameters) -> None:
    draft.describe(
        "The smallest failure of E.2 when the queue is skipped: the long (0,4) slips past the "
        "blocked (3,1), which then waits for 4 rounds (svf.md section 1).",
        reason="under the skip rule a running request need not come before the waiting one",
    )
    instance = draft.instance(burst(5, [(1, 1), (3, 1), (0, 4)]))
    skipping = run("svf", instance, Options(SKIP))
    judge(draft, "svf, skipping", instance, skipping.schedule)
    play(draft, "svf", instance)
    draft.optimum(instance)
    request, left, right = waiting_sides(skipping)[1]
    draft.fact("starts", [skipping.starts()[i] for i in range(3)])
    draft.holds("the second in volume order waits for 4 rounds", skipping.starts()[request], "=", 4)
    draft.refuted("E.2 as printed for it, with one predecessor", left, "<", right)


def _failures(n: int, memory: int) -> tuple[int, int]:
    """Count bursts of n requests, and those where E.2 fails for one with a predecessor (skip)."""
    shapes = [(s, o) for o in range(1, memory + 1) for s in range(memory - o + 1)]
    total = failing = 0
    for chosen in product(shapes, repeat=n):
        instance = burst(memory, chosen)
        simulation = simulate(instance, [r.volume2 for r in instance.requests], SKIP)
        total += 1
        failing += any(left >= right for _, left, right in waiting_sides(simulation)[1:])
    return total, failing


def _skip_count(draft: Draft, p: Parameters) -> None:
    n, memory = p["n"], p["memory"]
    draft.describe(
        "All bursts of n requests in every order of ids, s >= 0: how often E.2 fails for a request "
        "with a predecessor when the queue is skipped; never in these cases below n = 3, M = 5.",
    )
    total, failing = _failures(n, memory)
    draft.fact("instances", total)
    draft.fact("failing", failing)
    expected = 6 if (n, memory) == (3, 5) else 0
    draft.holds("the six orders of e2-skip-smallest, nothing below", failing, "=", expected)


def _gadget(length: int, scale: int, shorts: int) -> list[Shape]:
    """Two longs of peaks 32 Q and 33 Q beside 2 + 1 shorts of 34 Q, 35 Q; the others hold 36 Q.

    Q = scale * length, M = 100 Q.  While both longs run, no short of 36 Q fits.
    """
    q = scale * length
    return [
        *[(34 * q - 1, 1)] * 2,
        (35 * q - 1, 1),
        *[(36 * q - 1, 1)] * shorts,
        (32 * q - length, length),
        (33 * q - length, length),
    ]


def _skip(draft: Draft, p: Parameters) -> None:
    length, scale, shorts = p["length"], p["scale"], p["shorts"]
    draft.describe(
        "Skipping breaks theorem 3.2 (svf.md section 1): one long fits beside two shorts, a second "
        "one beside one, and all other shorts wait for both.  With shorts about 2.9 sqrt(L) the "
        "ratio grows like sqrt(L / 2) at alpha = 9/25.",
        reason="theorem 3.2 needs that nobody passes the head of the line",
    )
    instance = keep(draft, burst(100 * scale * length, _gadget(length, scale, shorts)))
    skipping = run("svf", instance, Options(SKIP))
    worse = judge(draft, "svf, skipping", instance, skipping.schedule)
    head = play(draft, "svf", instance)
    draft.holds("alpha", alpha(instance), "=", Fraction(9, 25))
    ratio = Fraction(worse, head)
    draft.fact("ratio", ratio)
    if scale == 10:
        draft.holds("ratio^2 >= 2/5 L", ratio**2, ">=", Fraction(2 * length, 5))
    within_proved(draft, "svf", instance, head, min(head, worse))
    bound = paper_ratio(instance)
    draft.refuted("theorem 3.2 for skipping", Fraction(worse), "<=", bound * head)
    request, left, right = max(waiting_sides(skipping), key=lambda x: (x[1], -x[0]))
    draft.fact("longest_waiting", request)
    draft.fact("wait", skipping.starts()[request])
    draft.refuted("E.2 with <= for the longest waiting", left, "<=", right)


FAMILIES = (
    Family(
        "e2-strict",
        _strict,
        ({"memory": 3, "prompt": 0, "output": 1}, {"memory": 9, "prompt": 2, "output": 4}),
        "negative",
    ),
    Family(
        "e2-with-predecessors",
        _with_predecessors,
        tuple({"seed": 300 + i, "n": 3 + i, "memory": 6 + 2 * i} for i in range(4)),
    ),
    Family("e2-skip-smallest", _smallest_skip, ({},), "negative"),
    Family(
        "e2-skip-count",
        _skip_count,
        tuple(
            {"n": n, "memory": m}
            for n, m in ((2, 3), (2, 4), (2, 5), (2, 6), (2, 8), (3, 3), (3, 4), (3, 5))
        ),
    ),
    Family(
        "skip-breaks-the-theorem",
        _skip,
        (
            {"length": 95, "scale": 4, "shorts": 8},
            {"length": 49, "scale": 10, "shorts": 20},
            {"length": 100, "scale": 10, "shorts": 29},
            {"length": 400, "scale": 10, "shorts": 58},
            {"length": 1600, "scale": 10, "shorts": 116},
        ),
        "negative",
    ),
)
