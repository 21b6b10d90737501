"""Three replicas, one regime each (nonclairvoyant-sharp.md section 4).

Replica P runs Rect on the small requests for ever, replica L runs Rect on the large ones, and
replica R runs Response in stages of 2^r rounds on what was certified before the stage begins.
Each replica has a memory of M.  Total completion time <= 238 times the optimum of one replica.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...memory import Piece, Profile
from ...model import Attempt, AttemptSchedule, Instance, Request
from ...replay import Violation, replay
from ..views import NonClairvoyantView
from .copies import Copy
from .engine import Decision, KillRun, Report, Start
from .rect import Rect, large_strips, prompt_strips
from .regimes import is_large
from .response import Caps, Response, half_step_caps
from .route import LARGE, PROMPT, RESPONSE


class ThreeReplicas:
    """The policy, for bursts; a start names its replica: PROMPT, RESPONSE or LARGE of `route`."""

    def __init__(self, memory: int, caps: Caps = half_step_caps) -> None:
        self.memory, self.caps = memory, caps
        self.prompt: Rect = Rect(memory, ())
        self.large: Rect = Rect(memory, ())
        self.response: Response | None = None
        self.views: dict[int, NonClairvoyantView] = {}
        self.certified: dict[int, int] = {}
        self.pool: list[NonClairvoyantView] = []
        self.stage_end = 0
        self.stage = 0
        self.now = 0

    def decide(self, now: int, report: Report) -> Decision:
        """Ask each replica about its own ends; R after P, so that a certificate of now counts."""
        self.now = now
        if now == 0:
            starts = self._open(sorted(report.arrived, key=lambda view: view.id))
        else:
            starts = [(PROMPT, s) for s in self.prompt.handle(now, _own(self.prompt, report))]
            starts += [(LARGE, s) for s in self.large.handle(now, _own(self.large, report))]
        done = set(report.completed)
        kills: list[int] = []
        mine = Report() if self.response is None else _own(self.response, report)
        self.pool = [view for view in self.pool if view.id not in done]
        if now == self.stage_end:
            if self.response is not None:
                self.response.close(now, mine)
                kills = sorted(self.response.running)
            starts += [(RESPONSE, s) for s in self._next_stage(now)]
        elif self.response is not None:
            starts += [(RESPONSE, s) for s in self.response.handle(now, mine)]
        wakes = [self.stage_end]
        if self.response is not None and self.response.wake is not None:
            wakes.append(self.response.wake)
        return Decision([s._replace(replica=k) for k, s in starts], kills, min(wakes))

    def _open(self, views: Sequence[NonClairvoyantView]) -> list[tuple[int, Start]]:
        small = [v for v in views if v.prompt and not is_large(self.memory, v.prompt)]
        self.pool = [view for view in views if not view.prompt]
        self.views = {view.id: view for view in small}
        self.prompt = Rect(self.memory, prompt_strips(small), self._certify)
        large = [view for view in views if is_large(self.memory, view.prompt)]
        self.large = Rect(self.memory, large_strips(self.memory, large))
        starts = [(PROMPT, s) for s in self.prompt.begin(0)]
        return starts + [(LARGE, s) for s in self.large.begin(0)]

    def _certify(self, request: int) -> None:
        self.pool.append(self.views[request])
        self.certified[request] = self.now

    def _next_stage(self, now: int) -> Sequence[Start]:
        self.stage_end = now + (1 << self.stage)
        self.stage += 1
        self.response = Response(self.memory, self.pool, self.caps) if self.pool else None
        return [] if self.response is None else self.response.begin(now)


def _own(copy: Copy, report: Report) -> Report:
    """Return the ends of the attempts that this replica runs."""
    running = copy.running
    completed = [request for request in report.completed if request in running]
    return Report((), completed, [request for request in report.expired if request in running])


@dataclass(frozen=True, slots=True)
class ReplicaVerdict:
    """What is wrong with a run: broken attempt rules, and overfull pieces by replica."""

    violations: tuple[Violation, ...]
    overfull: dict[int, list[Piece]]

    @property
    def feasible(self) -> bool:
        """Whether nothing is violated."""
        return not self.violations and not any(self.overfull.values())


def judge_replicas(memory: int, requests: Sequence[Request], run: KillRun) -> ReplicaVerdict:
    """Replay a run on replicas: the attempt rules over all, and <= `memory` units on each.

    The pooled memory of the replay is as large as the replicas' together, so that it cannot be the
    pooled sum that fails: memory is judged replica by replica.
    """
    replicas = sorted(set(run.replicas))
    pooled = Instance.of(memory * max(1, len(replicas)), requests)
    prompts = {request.id: request.prompt for request in requests}
    overfull: dict[int, list[Piece]] = {}
    for replica in replicas:
        runs: list[Attempt] = [
            attempt
            for attempt, where in zip(run.schedule.attempts, run.replicas, strict=True)
            if where == replica
        ]
        profile = Profile(
            [x.start for x in runs], [x.end for x in runs], [prompts[x.request] for x in runs]
        )
        overfull[replica] = profile.overfull(memory)
    return ReplicaVerdict(
        replay(pooled, AttemptSchedule(run.schedule.attempts)).violations, overfull
    )
