"""Programs and lower bounds of paper 2 that are not what it says: (3), (4), 3.1; and our LB2."""

from __future__ import annotations

from ...bounds import area_bound, integral_area_bound, lb2_bound
from ...model import Instance
from ..draft import Draft, Family, Parameters
from ..seeded import random_instance
from .programs import lp_4, program_3
from .runs import alpha, burst


def _horizon(draft: Draft, p: Parameters) -> None:
    horizon = p["horizon"]
    draft.describe(
        "Program (3) allows every horizon up to sum(a + o), and checks the memory up to it only: "
        "M = 1, three (0,1), true optimum 6 (svf.md section 1).",
        reason="the horizon must be bounded from below, not from above",
    )
    instance = draft.instance(burst(1, [(0, 1)] * 3))
    best = draft.optimum(instance)
    value = program_3(instance, horizon)
    draft.fact("program_3", value)
    most = sum(r.arrival + r.output for r in instance.requests)
    draft.holds("the horizon is allowed", horizon, "<=", most)
    draft.holds("the full horizon is exact", program_3(instance, most), "=", best.value)
    draft.refuted("program (3) with this horizon is the optimum", value, "=", best.value)


def _long_horizon(draft: Draft, p: Parameters) -> None:
    draft.describe(
        "Program (3) is exact for every horizon >= max a + sum o, so also for sum(a + o) "
        "(svf.md section 1, the repair), here on a seeded instance."
    )
    instance = draft.instance(random_instance(p["seed"], 3, 5, p["span"]))
    best = draft.optimum(instance)
    least = max(r.arrival for r in instance.requests) + instance.total_output
    for horizon in (least, least + 2):
        draft.holds(f"horizon {horizon}", program_3(instance, horizon), "=", best.value)


_SINGLES = ((3, 0, 1), (4, 0, 4))


def _incomparable(draft: Draft, p: Parameters) -> None:
    memory, prompt, output = _SINGLES[p["case"]]
    draft.describe(
        "LP (4) and proposition 3.1 are incomparable, so neither is 'tighter'; "
        "sum(ceil(V_j / M)) dominates both (svf.md section 1).",
        reason="LP (4) rounds times up and splits requests, proposition 3.1 does neither",
    )
    instance = draft.instance(burst(memory, [(prompt, output)]))
    best = draft.optimum(instance)
    lp, area, integral = lp_4(instance), area_bound(instance), integral_area_bound(instance)
    draft.fact("lp_4", lp)
    draft.fact("proposition_3_1", area)
    draft.holds("sum of ceilings >= LP (4)", integral, ">=", lp)
    draft.holds("sum of ceilings >= proposition 3.1", integral, ">=", area)
    draft.holds("sum of ceilings <= OPT", integral, "<=", best.value)
    if p["case"] == 0:
        draft.refuted("proposition 3.1 is at least LP (4)", area, ">=", lp)
    else:
        draft.refuted("LP (4) is at least proposition 3.1", lp, ">=", area)


def _ceilings(draft: Draft, p: Parameters) -> None:
    draft.describe(
        "A seeded burst: LP (4) and proposition 3.1 <= sum(ceil(V_j / M)) <= OPT "
        "(svf.md section 1)."
    )
    instance = draft.instance(random_instance(p["seed"], p["n"], p["memory"], 0))
    best = draft.optimum(instance)
    integral = integral_area_bound(instance)
    draft.holds("LP (4)", lp_4(instance), "<=", integral)
    draft.holds("proposition 3.1", area_bound(instance), "<=", integral)
    draft.holds("sum of ceilings <= OPT", integral, "<=", best.value)


def _arrivals(draft: Draft, _: Parameters) -> None:
    draft.describe(
        "LP (4) relaxes (3) for bursts only: M = 4, three (3,1) that arrive in rounds 0, 1, 2 cost "
        "3, LP (4) says 6 (svf.md section 1).",
        reason="LP (4) counts completion times, not latencies",
    )
    instance = draft.instance(Instance.from_triples(4, [(0, 3, 1), (1, 3, 1), (2, 3, 1)]))
    best = draft.optimum(instance)
    value = lp_4(instance)
    draft.fact("lp_4", value)
    draft.holds("it bounds total completion", value, "<=", best.value + instance.total_arrival)
    draft.refuted("LP (4) is a lower bound on OPT", value, "<=", best.value)


def _lb2(draft: Draft, p: Parameters) -> None:
    draft.describe(
        "LB2, the mean busy time bound, does not dominate proposition 3.1, against svf.md section "
        "4, step 4: one request with 3 v > M (2 o + 1).  Use the larger of the two.",
        reason="LB2 = proposition 3.1 + sum(M (2o + 1) - 3v) / 6M, which can be negative",
    )
    instance = draft.instance(burst(p["memory"], [(p["prompt"], p["output"])] * p["copies"]))
    best = draft.optimum(instance)
    lb2, area, m = lb2_bound(instance), area_bound(instance), p["memory"]
    draft.fact("lb2", lb2)
    draft.fact("proposition_3_1", area)
    draft.fact("alpha", alpha(instance))
    excess = sum(m * (2 * r.output + 1) - 3 * r.volume for r in instance.requests)
    draft.holds("the difference", 6 * m * (lb2 - area), "=", excess)
    draft.holds("LB2 <= OPT", lb2, "<=", best.value)
    draft.holds("proposition 3.1 <= OPT", area, "<=", best.value)
    draft.refuted("LB2 is at least proposition 3.1", lb2, ">=", area)


FAMILIES = (
    Family("horizon", _horizon, ({"horizon": 0}, {"horizon": 1}), "negative"),
    Family(
        "horizon-repaired",
        _long_horizon,
        tuple({"seed": 320 + i, "span": i} for i in range(4)),
    ),
    Family("lp-and-area-incomparable", _incomparable, ({"case": 0}, {"case": 1}), "negative"),
    Family(
        "ceilings-dominate",
        _ceilings,
        tuple({"seed": 330 + i, "n": 3 + i, "memory": 5 + 3 * i} for i in range(4)),
    ),
    Family("lp-is-for-bursts", _arrivals, ({},), "negative"),
    Family(
        "lb2-below-area",
        _lb2,
        (
            {"memory": 4, "prompt": 2, "output": 2, "copies": 1},
            {"memory": 10, "prompt": 7, "output": 2, "copies": 1},
            {"memory": 10, "prompt": 7, "output": 2, "copies": 3},
        ),
        "negative",
    ),
)
