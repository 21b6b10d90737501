"""Positive controls on small instances: the model's edges, the growth anomaly, the serial rule."""

from __future__ import annotations

from ...bounds import best_lower_bound, lower_bounds
from ...model import Instance, Schedule
from ...policies.online import SERIAL_RATIO, SerialRule, play
from ..draft import Draft, Family, Parameters
from ..seeded import random_instance


def _singleton(draft: Draft, p: Parameters) -> None:
    draft.describe("One request runs from its arrival: TEL = o, peak = s + o (DESIGN section 1).")
    instance = draft.instance(
        Instance.from_triples(p["memory"], [(p["arrival"], p["prompt"], p["output"])])
    )
    result = draft.schedule("at arrival", instance, Schedule({0: p["arrival"]}))
    best = draft.optimum(instance)
    draft.holds("TEL of a singleton is its output", result.tel, "=", p["output"])
    draft.holds("the optimum is the output", best.value, "=", p["output"])
    draft.holds("the peak is s + o", result.peak, "=", p["prompt"] + p["output"])


def _pair(draft: Draft, p: Parameters) -> None:
    together = 2 * (p["prompt"] + 1) <= p["memory"]
    word = "may run together" if together else "must run one after the other"
    draft.describe(f"Two units (0, s, 1) that {word}: 2(s + 1) against M.")
    instance = draft.instance(Instance.from_triples(p["memory"], [(0, p["prompt"], 1)] * 2))
    starts = {0: 0, 1: 0 if together else 1}
    result = draft.schedule("earliest", instance, Schedule(starts))
    if not together:
        draft.schedule("both at once", instance, Schedule({0: 0, 1: 0}), must_fail="memory")
    best = draft.optimum(instance)
    draft.optimum(instance, objective="makespan")
    draft.holds("this schedule is optimal", result.tel, "=", best.value)
    draft.holds("its TEL is 2 together and 3 in a row", result.tel, "=", 2 if together else 3)


def _peak_boundary(draft: Draft, p: Parameters) -> None:
    spare = p["spare"]
    word = "just fit (the peak is M)" if spare == 0 else "overflow by one unit in their last round"
    draft.describe(f"Two requests (0, 1, o), (0, 2, o) that {word}, started together.")
    peak = 3 + 2 * p["output"]
    instance = draft.instance(
        Instance.from_triples(peak + spare, [(0, 1, p["output"]), (0, 2, p["output"])])
    )
    starts = Schedule({0: 0, 1: 0})
    result = draft.schedule("together", instance, starts, must_fail="memory" if spare < 0 else "")
    draft.holds("the peak is 3 + 2o", result.peak, "=", peak)
    excess = sum(violation.excess or 0 for violation in result.violations)
    draft.holds("the excess is what M lacks", excess, "=", -spare)
    draft.optimum(instance)


def _growth(draft: Draft, _: Parameters) -> None:
    draft.describe(
        "Starting the long request later is better offline (tight.md section 5): at round 0 it "
        "has grown too large for the short one by the time that arrives."
    )
    instance = draft.instance(Instance.from_triples(4, [(0, 1, 3), (1, 1, 1)]))
    eager = draft.schedule("long at 0", instance, Schedule({0: 0, 1: 3}))
    late = draft.schedule("long at 1, together", instance, Schedule({0: 1, 1: 1}))
    best = draft.optimum(instance)
    draft.holds("delaying is strictly better", late.tel, "<", eager.tel)
    draft.holds("and optimal", late.tel, "=", best.value)


def _serial(draft: Draft, p: Parameters) -> None:
    draft.describe("The serial rule on a seeded instance: TEL <= n OPT (paper 1, theorem 1).")
    instance = draft.instance(random_instance(p["seed"], p["n"], p["memory"], p["span"]))
    result = draft.schedule("serial", instance, play(SerialRule, instance))
    best = draft.optimum(instance)
    draft.fact("proved_ratio", SERIAL_RATIO.at(p["n"]))
    draft.holds("TEL(serial) <= n OPT", result.tel, "<=", p["n"] * best.value)
    draft.holds("sum of outputs <= OPT", instance.total_output, "<=", best.value)


def _bounds(draft: Draft, p: Parameters) -> None:
    draft.describe("Every lower bound of `bounds` is at most the exact optimum (svf.md section 4).")
    instance = draft.instance(random_instance(p["seed"], p["n"], p["memory"], p["span"]))
    best = draft.optimum(instance)
    for bound in lower_bounds(instance):
        draft.holds(f"{bound.name} <= OPT", bound.value, "<=", best.value)
    draft.fact("best_lower_bound", best_lower_bound(instance).value)


FAMILIES = (
    Family(
        "singleton",
        _singleton,
        (
            {"memory": 2, "arrival": 0, "prompt": 1, "output": 1},
            {"memory": 9, "arrival": 4, "prompt": 3, "output": 6},
            {"memory": 10**20, "arrival": 10**20, "prompt": 10**19, "output": 10**19},
        ),
    ),
    Family(
        "two-units",
        _pair,
        ({"memory": 4, "prompt": 1}, {"memory": 3, "prompt": 1}, {"memory": 7, "prompt": 3}),
    ),
    Family(
        "peak-boundary",
        _peak_boundary,
        tuple({"output": o, "spare": spare} for o in (1, 2, 5) for spare in (0, -1)),
    ),
    Family("growth-anomaly", _growth, ({},)),
    Family(
        "serial-upper-bound",
        _serial,
        tuple({"seed": s, "n": 3 + s, "memory": 5 + 2 * s, "span": s} for s in range(5)),
    ),
    Family(
        "lower-bounds",
        _bounds,
        tuple(
            {"seed": 100 + s, "n": 4 + s % 4, "memory": 6 + s, "span": 3 * (s % 3)}
            for s in range(8)
        ),
    ),
)
