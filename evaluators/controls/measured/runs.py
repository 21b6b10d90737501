"""Seeded instances with their exact optimum, and what each theorem's scheduler costs there.

`verify` shows the worst of these ratios beside each theorem.  The runs of SVF are also decided by
Lean's own recursion (the bridge), so that the scheduler that is proved is the one that runs.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from ...model import Instance, Request
from ...policies.scheduler import Options
from ...policies.schedulers import scheduler_named
from ...replay import Replay, replay
from ..draft import Draft, Family, Parameters
from ..seeded import random_instance, seeded_integers
from .theorems import ARRIVALS, BURSTS, Measured

BURST_COUNT = 240
ARRIVAL_COUNT = 60
IN_LEAN = "svf"


def seeded_burst(seed: int, n: int, memory: int, peak: int) -> Instance:
    """Return n requests in round 0 with s + o <= peak, o >= 1, s >= 0 (needs 1 <= peak <= M)."""
    draw = seeded_integers(seed)
    requests = []
    for identifier in range(n):
        output = 1 + next(draw) % peak
        requests.append(Request(identifier, 0, next(draw) % (peak - output + 1), output))
    return Instance.of(memory, requests)


def measure(draft: Draft, instance: Instance, theorems: Iterable[Measured]) -> None:
    """Run each theorem's scheduler, and store its cost against the exact optimum."""
    optimum = draft.optimum(instance).value
    runs: dict[str, Replay] = {}
    for theorem in theorems:
        bound = theorem.bound(instance)
        if bound is None:
            continue
        if theorem.policy not in runs:
            runs[theorem.policy] = _judge(draft, theorem.policy, instance)
        draft.measure(theorem.theorem, theorem.policy, runs[theorem.policy].tel, optimum, bound)


def _judge(draft: Draft, policy: str, instance: Instance) -> Replay:
    """Replay a run; that of SVF is stored for Lean."""
    schedule = scheduler_named(policy).run(instance, Options()).schedule
    if policy == IN_LEAN:
        return draft.schedule(policy, instance, schedule, scheduler=policy)
    result = replay(instance, schedule)
    if not result.feasible:
        draft.faults.append(f"{policy} is infeasible: {result.violations[0].message}")
    return result


def _burst(draft: Draft, p: Parameters) -> None:
    draft.describe("A seeded burst: SVF and its relatives within their proved ratios.")
    instance = draft.instance(seeded_burst(p["seed"], p["n"], p["memory"], p["peak"]))
    measure(draft, instance, BURSTS)


# Bursts on which the volume order loses most (svf.md section 1), as (memory, (prompt, output) ...).
_HARD: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = (
    (6, ((0, 3), (3, 2))),
    (6, ((0, 1), (2, 1), (2, 1), (0, 2))),
    (7, ((0, 1), (0, 3), (5, 1), (5, 1))),
    (16, ((5, 1), (1, 3), (0, 5), (0, 5), (6, 2), (0, 5))),
    (5, ((1, 1), (3, 1), (0, 4))),
    (4, ((0, 4), (3, 1), (3, 1), (3, 1))),
)


def _hard(draft: Draft, p: Parameters) -> None:
    draft.describe("A burst on which the volume order is far from optimal (svf.md section 1).")
    memory, shapes = _HARD[p["case"]]
    triples = [(0, prompt, output) for prompt, output in shapes]
    measure(draft, draft.instance(Instance.from_triples(memory, triples)), BURSTS)


# Case of _HARD, policy, and a ratio that is not proved because it is false.
_TOO_SMALL = ((0, "svf", Fraction(5, 4)), (2, "svf", Fraction(3, 2)), (5, "1-bit-svf", Fraction(1)))


def _too_small(draft: Draft, p: Parameters) -> None:
    case, policy, ratio = _TOO_SMALL[p["case"]]
    draft.describe(
        f"{policy} is not within {ratio} of OPT.",
        reason="the exact optimum of this burst is smaller than the ratio allows",
    )
    memory, shapes = _HARD[case]
    instance = draft.instance(
        Instance.from_triples(memory, [(0, prompt, output) for prompt, output in shapes])
    )
    schedule = scheduler_named(policy).run(instance, Options()).schedule
    cost = draft.schedule(policy, instance, schedule).tel
    best = draft.optimum(instance).value
    draft.refuted(f"{policy} within {ratio}", Fraction(cost, best), "<=", ratio)


def _arrivals(draft: Draft, p: Parameters) -> None:
    draft.describe("Seeded arrivals: the online rules of paper 1 within their proved ratios.")
    instance = draft.instance(random_instance(p["seed"], p["n"], p["memory"], p["span"]))
    measure(draft, instance, ARRIVALS)


def _burst_grid() -> tuple[Parameters, ...]:
    grid = []
    for i in range(BURST_COUNT):
        memory = 4 + (7 * i) % 15
        peak = max(1, memory * (1 + i % 4) // 4)
        grid.append({"seed": 5000 + i, "n": 2 + i % 5, "memory": memory, "peak": peak})
    return tuple(grid)


def _arrival_grid() -> tuple[Parameters, ...]:
    return tuple(
        {"seed": 7000 + i, "n": 2 + i % 4, "memory": 3 + i % 10, "span": i % 6}
        for i in range(ARRIVAL_COUNT)
    )


FAMILIES = (
    Family("burst-ratio", _burst, _burst_grid()),
    Family("hard-burst-ratio", _hard, tuple({"case": case} for case in range(len(_HARD)))),
    Family(
        "too-small-ratio",
        _too_small,
        tuple({"case": case} for case in range(len(_TOO_SMALL))),
        "negative",
    ),
    Family("arrival-ratio", _arrivals, _arrival_grid()),
)
