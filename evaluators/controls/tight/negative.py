"""Negative controls: false claims about the model that must be refused, each for its reason."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement

from ...adversary.game import size_types
from ...memory import CORRUPTED
from ...model import Attempt, AttemptSchedule, Instance, Schedule
from ...optimum import Commitment, optimum
from ..draft import Draft, Family, Parameters
from .insertion import best_insertion


def _corrupted(draft: Draft, p: Parameters) -> None:
    n = p["n"]
    draft.describe(
        f"{n} requests (0,1,1) with M = {n}: the off-by-one progress s + (t - b) runs all at once.",
        reason="the corrupted optimum overflows the memory in the papers' convention",
    )
    instance = draft.instance(Instance.from_triples(n, [(0, 1, 1)] * n))
    true = draft.optimum(instance)
    false = draft.optimum(instance, convention=CORRUPTED)
    starts = Schedule(dict(false.starts))
    draft.schedule("corrupted optimum, corrupted rule", instance, starts, CORRUPTED)
    real = draft.schedule("corrupted optimum, true rule", instance, starts, must_fail="memory")
    draft.holds("true peak of the corrupted optimum", real.peak, "=", 2 * n)
    draft.refuted("the corrupted optimum is the optimum", false.value, "=", true.value)


_CHANGED = {2: Fraction(3, 6), 3: Fraction(19, 45), 4: Fraction(71, 171), 5: Fraction(192, 465)}


def _corrupted_count(draft: Draft, p: Parameters) -> None:
    draft.describe(
        "All instances with n = 2, s >= 1, arrivals 0..2: how often the corruption changes OPT.",
        reason="a checker with the corrupted progress disagrees on the counted instances",
    )
    triples = [(a, s, o) for a in range(3) for s, o in size_types(p["memory"])]
    total = changed = 0
    for pair in combinations_with_replacement(triples, 2):
        instance = Instance.from_triples(p["memory"], pair)
        total += 1
        true, false = optimum(instance).value, optimum(instance, convention=CORRUPTED).value
        changed += true != false
    draft.fact("instances", total)
    draft.fact("changed", changed)
    draft.holds("the pencil count", Fraction(changed, total), "=", _CHANGED[p["memory"]])
    draft.refuted("corrupted progress changes no optimum", changed, "=", 0)


def _tel_is_not_completion(draft: Draft, p: Parameters) -> None:
    shift = p["shift"]
    draft.describe(
        "TEL against total completion time on (a,1,3), (a+1,1,1), M = 4: the best schedule is the "
        "same, the values and the ratio of a worse schedule are not (tight.md section 5).",
        reason="total completion time is TEL plus the sum of the arrivals, which is not 0",
    )
    instance = draft.instance(Instance.from_triples(4, [(shift, 1, 3), (shift + 1, 1, 1)]))
    worse = draft.schedule("long first", instance, Schedule({0: shift, 1: shift + 3}))
    best = draft.optimum(instance)
    total = optimum(instance, objective="total-completion")
    draft.fact("total_completion_optimum", total.value)
    draft.holds("sum of C = TEL + sum of a", total.value, "=", best.value + instance.total_arrival)
    draft.holds("TEL ratio of the worse schedule is 6/5", 5 * worse.tel, "=", 6 * best.value)
    draft.refuted("the optima agree", total.value, "=", best.value)
    left, right = worse.total_completion * best.value, worse.tel * total.value
    draft.refuted("the ratios agree (cross-multiplied)", left, "=", right)


_KILLS = (
    (4, ((0, 1, 3), (1, 1, 1))),
    (5, ((0, 1, 4), (1, 4, 1))),
    (4, ((0, 1, 3), (1, 1, 1), (1, 1, 1))),
)


def _kill_and_restart(draft: Draft, p: Parameters) -> None:
    memory, triples = _KILLS[p["case"]]
    draft.describe(
        "The long request is committed to round 0; killing it when the shorts arrive is strictly "
        "better, although kills never lower the offline optimum (tight.md section 5).",
        reason="'no restart' is load-bearing: with kills the continuation is cheaper",
    )
    instance = draft.instance(Instance.from_triples(memory, triples))
    commitment = Commitment(1, {0: 0})
    kept = draft.optimum(instance, commitment=commitment)
    killed = draft.optimum(instance, commitment=commitment, kills=True)
    free = draft.optimum(instance)
    attempts = [Attempt(0, 0, 1, completed=False)]
    attempts += [
        Attempt(r.id, killed.starts[r.id], r.output, completed=True) for r in instance.requests
    ]
    with_kill = draft.schedule("kill at 1", instance, AttemptSchedule(tuple(attempts)))
    draft.holds("TEL of the attempts", with_kill.tel, "=", killed.value)
    draft.holds("kills never beat the offline optimum", killed.value, ">=", free.value)
    draft.refuted("kills do not help after a commitment", killed.value, "=", kept.value)


def _kill_count(draft: Draft, p: Parameters) -> None:
    memory = p["memory"]
    draft.describe(
        "All pairs: a first request started at 0, a second one arriving in 1..3 (s >= 1).",
        reason="killing the first request helps on the counted instances only",
    )
    gains = total = 0
    for s, o in size_types(memory):
        for arrival in (1, 2, 3):
            for t, q in size_types(memory):
                instance = Instance.from_triples(memory, [(0, s, o), (arrival, t, q)])
                commitment = Commitment(arrival, {0: 0})
                kept = optimum(instance, commitment=commitment).value
                killed = optimum(instance, commitment=commitment, kills=True).value
                total += 1
                gains += killed < kept
    draft.fact("instances", total)
    draft.fact("gains", gains)
    draft.holds("the pencil count: none at M = 3, one at M = 4", gains, "=", memory - 3)
    draft.refuted("killing helps on every instance", gains, "=", total)


_ORDERS = (
    (7, ((0, 1, 5), (1, 1, 2), (2, 2, 1))),
    (7, ((0, 1, 6), (1, 1, 2), (2, 2, 1))),
)


def _start_order(draft: Draft, p: Parameters) -> None:
    memory, triples = _ORDERS[p["case"]]
    draft.describe(
        "All start orders with earliest insertion miss the optimum (tight.md, D): moving a request "
        "earlier makes it larger in each later common round.",
        reason="earliest insertion over all orders is not an exact solver",
    )
    instance = draft.instance(Instance.from_triples(memory, triples))
    cost, schedule = best_insertion(instance)
    draft.schedule("best order, earliest insertion", instance, schedule)
    best = draft.optimum(instance)
    draft.holds("insertion costs one more", cost, "=", best.value + 1)
    draft.refuted("the best order is optimal", cost, "=", best.value)


_RULES: tuple[tuple[str, str, Schedule | AttemptSchedule], ...] = (
    ("starts before its arrival", "before-arrival", Schedule({0: 0, 1: 1})),
    ("misses a request", "missing", Schedule({0: 0})),
    ("invents a request", "unknown", Schedule({0: 0, 1: 2, 2: 9})),
    (
        "completes after too few rounds",
        "length",
        AttemptSchedule((Attempt(0, 0, 1, True), Attempt(1, 2, 1, True))),
    ),
    (
        "kills an attempt that has run to its end",
        "length",
        AttemptSchedule((Attempt(0, 0, 2, False), Attempt(0, 3, 2, True), Attempt(1, 2, 1, True))),
    ),
    (
        "runs a request twice at once",
        "overlap",
        AttemptSchedule((Attempt(0, 0, 1, False), Attempt(0, 0, 2, True), Attempt(1, 2, 1, True))),
    ),
    (
        "runs a request again after it has completed",
        "after-completion",
        AttemptSchedule((Attempt(0, 0, 2, True), Attempt(0, 4, 1, False), Attempt(1, 2, 1, True))),
    ),
)


def _broken_rule(draft: Draft, p: Parameters) -> None:
    text, kind, schedule = _RULES[p["case"]]
    draft.describe(f"A schedule that {text}.", reason=f"the replay names {kind!r}")
    instance = draft.instance(Instance.from_triples(9, [(0, 1, 2), (2, 1, 1)]))
    draft.schedule(text, instance, schedule, must_fail=kind)


def _cases(items: tuple[object, ...]) -> tuple[Parameters, ...]:
    return tuple({"case": index} for index in range(len(items)))


FAMILIES = (
    Family("corrupted-progress", _corrupted, ({"n": 2}, {"n": 3}), "negative"),
    Family(
        "corrupted-progress-count",
        _corrupted_count,
        tuple({"memory": m} for m in (2, 3, 4, 5)),
        "negative",
    ),
    Family(
        "tel-is-not-total-completion",
        _tel_is_not_completion,
        ({"shift": 0}, {"shift": 100}),
        "negative",
    ),
    Family("kill-and-restart", _kill_and_restart, _cases(_KILLS), "negative"),
    Family("kill-and-restart-count", _kill_count, ({"memory": 3}, {"memory": 4}), "negative"),
    Family("start-order-search", _start_order, _cases(_ORDERS), "negative"),
    Family("broken-rule", _broken_rule, _cases(_RULES), "negative"),
)
