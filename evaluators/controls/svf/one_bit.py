"""1-bit SVF: what its order loses, and why its admission needs the true output (theorem 3.3)."""

from __future__ import annotations

from fractions import Fraction

from ...policies.one_bit import fourth_root
from ...policies.scheduler import Options
from ..draft import Draft, Family, Parameters
from .runs import alpha, burst, keep, play, run, within_proved


def _overflow(draft: Draft, p: Parameters) -> None:
    memory, copies, output, longest = p["memory"], p["copies"], p["output"], p["longest"]
    draft.describe(
        "The look-ahead of 1-bit SVF with its proxy in place of the true output: T = 16, so b = 2 "
        "and a short request counts as b tokens; the plan fills M, the truth is twice as large.  "
        "True outputs, or reserving by class, do not overflow (svf.md section 1).",
        reason="the bit bounds neither the output nor the peak by the proxy",
    )
    b = fourth_root(longest)
    instance = draft.instance(burst(memory, [(0, output)] * copies))
    planned = burst(memory, [(0, b)] * copies)
    draft.holds("the requests are short", output, "<=", b * b)
    plan = run("svf", planned)
    starts = plan.schedule
    predicted = sum(r.peak for r in planned.requests)
    draft.fact("predicted_peak", predicted)
    true = draft.schedule("admitted by the proxy", instance, starts, must_fail="memory")
    draft.holds("all start at once", max(plan.starts().values()), "=", 0)
    draft.holds("the plan fits", predicted, "<=", memory)
    draft.fact("true_peak", true.peak)
    play(draft, "1-bit-svf", instance, Options(max_output=longest))
    play(draft, "honest-1-bit", instance, Options(max_peak=memory))
    draft.refuted("look-ahead with proxies keeps the memory", true.peak, "<=", memory)


# b, batches of bigs, a true lower bound on the ratio.
_ROOTS = (
    (2, 2, Fraction(2)),
    (2, 8, Fraction(269, 100)),
    (3, 6, Fraction(623, 100)),
    (4, 4, Fraction(942, 100)),
    (5, 3, Fraction(1248, 100)),
    (2, 10, Fraction(270, 100)),
    (4, 5, Fraction(943, 100)),
    (5, 4, Fraction(1250, 100)),
)


def _root(draft: Draft, p: Parameters) -> None:
    b, batches, least = _ROOTS[p["case"]]
    longest, memory = b**4, 8 * b**4
    draft.describe(
        "1-bit SVF loses a factor of order sqrt(T): M = 8T, bigs (0,T) go before b^2 times as many "
        "smalls (1, b^2 + 1), which are long as well and have the larger proxy; T = b^4 "
        "(svf.md section 1).  So O(sqrt T) is the right order for fixed alpha."
    )
    bigs = 8 * batches
    shapes = [*[(0, longest)] * bigs, *[(1, b * b + 1)] * (bigs * b * b)]
    instance = keep(draft, burst(memory, shapes))
    options = Options(max_output=longest)
    simulation = run("1-bit-svf", instance, options)
    draft.holds(
        "every big has the smaller proxy",
        max(simulation.keys[:bigs]),
        "<",
        min(simulation.keys[bigs:]),
    )
    bit = play(draft, "1-bit-svf", instance, options)
    svf = play(draft, "svf", instance)
    draft.holds("alpha", alpha(instance), "=", Fraction(1, 8))
    draft.fact("ratio", Fraction(bit, svf))
    draft.holds("the ratio is at least as noted", Fraction(bit, svf), ">=", least)
    within_proved(draft, "1-bit-svf", instance, bit, svf, options)


FAMILIES = (
    Family(
        "one-bit-overflow",
        _overflow,
        ({"memory": 8, "copies": 4, "output": 4, "longest": 16},),
        "negative",
    ),
    Family(
        "one-bit-root",
        _root,
        tuple({"case": case} for case in range(len(_ROOTS))),
    ),
)
