"""SVF starves a request at load 1 (svf.md section 3)."""

from __future__ import annotations

from fractions import Fraction

from ...model import Instance
from ..draft import Draft, Family, Parameters
from .runs import alpha, judge, keep, play, run


def _starvation(draft: Draft, p: Parameters) -> None:
    rounds = p["rounds"]
    draft.describe(
        "M = 4: one (0,2) of volume 3 at round 0, two (1,1) of volume 2 in every round: alpha = "
        "1/2, load 1.  The run shows a finite prefix: with arrivals in rounds 0..H-1 the (0,2) "
        "starts in round H, so in no continuation does it start before H, since decisions depend "
        "on earlier arrivals only.  That it never starts if they go on follows by induction.",
        reason="the volume order alone does not prevent starvation",
    )
    triples = [(0, 0, 2), *((t, 1, 1) for t in range(rounds) for _ in range(2))]
    instance = keep(draft, Instance.from_triples(4, triples))
    simulation = run("svf", instance)
    judge(draft, "svf", instance, simulation.schedule)
    play(draft, "fcfs", instance)
    start = simulation.starts()[0]
    draft.fact("start", start)
    draft.holds("alpha", alpha(instance), "=", Fraction(1, 2))
    stream = sum(r.volume for r in instance.requests[1:])
    draft.holds("the stream alone is a load of 1", stream, "=", 4 * rounds)
    others = max(simulation.starts()[r.id] - r.arrival for r in instance.requests[1:])
    draft.holds("no other request waits", others, "=", 0)
    draft.holds("FCFS starts it at once", run("fcfs", instance).starts()[0], "=", 0)
    draft.refuted("it starts while the stream lasts", start, "<", rounds)


FAMILIES = (
    Family(
        "starvation",
        _starvation,
        tuple({"rounds": rounds} for rounds in (5, 200, 2000)),
        "negative",
    ),
)
