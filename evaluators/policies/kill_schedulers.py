"""Paper 3's algorithms and ours as schedulers for `run` and `compare`.

The non-clairvoyant ones are made from the memory alone and see reports of the engine only; the
instance with its outputs stays with the engine.  `hypothesis` says which instances a scheduler
takes; whoever runs it knows the outputs and refuses the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .. import ratios_kills as proved
from ..model import InputError, Instance, Request
from ..ratios import ProvedRatio
from .clairvoyant.greedy import GreedyPolicy
from .clairvoyant.sixteen import Sixteen
from .clairvoyant.split_merge import SplitMerge
from .nonclairvoyant.engine import KillPolicy, play_kills
from .nonclairvoyant.fair_share import FairShare
from .nonclairvoyant.length_doubling import LengthDoubling
from .nonclairvoyant.rect import rect_large, rect_prompt
from .nonclairvoyant.regimes import is_large, is_prompt_heavy
from .nonclairvoyant.response import ResponsePolicy, half_step_caps
from .nonclairvoyant.route import Route
from .nonclairvoyant.route_online import route_online
from .rules import PLAIN, Simulation
from .scheduler import Options

Ratios = Callable[[Instance], Iterable[ProvedRatio]]
Takes = Callable[[int, Request], bool]


@dataclass(frozen=True, slots=True)
class KillScheduler:
    """A scheduler of paper 3; `make` gets the memory (`clairvoyant`: and the requests).

    `takes(memory, request)` is its hypothesis on each request, in words `hypothesis`; `online` says
    whether it takes arrivals after round 0.
    """

    name: str
    summary: str
    paper: str
    guarantee: str
    bounds: Ratios
    make: Callable[[int], KillPolicy] | None = None
    clairvoyant: Callable[[int, tuple[Request, ...]], KillPolicy] | None = None
    takes: Takes | None = None
    hypothesis: str = ""
    online: bool = False

    @property
    def sees(self) -> str:
        """Name of what it decides by."""
        return "ClairvoyantView" if self.make is None else "NonClairvoyantView and completions"

    def policy(self, instance: Instance) -> KillPolicy:
        """Return a policy for one run on the instance."""
        if self.make is not None:
            return self.make(instance.memory)
        assert self.clairvoyant is not None
        return self.clairvoyant(instance.memory, instance.requests)

    def run(self, instance: Instance, options: Options) -> Simulation:
        """Run the policy; raises InputError outside the hypothesis, and if rules are set."""
        if options.rules not in {None, PLAIN}:
            raise InputError("rules", f"{self.name} has no queue and no admission to set")
        self._refuse(instance)
        policy = self.policy(instance)
        run = play_kills(instance.requests, policy)
        return Simulation(
            instance, PLAIN, (), run.schedule, None, run.kills, run.wasted_rounds, policy
        )

    def _refuse(self, instance: Instance) -> None:
        if not self.online and not instance.is_burst:
            late = next(i for i, r in enumerate(instance.requests) if r.arrival)
            request = instance.requests[late]
            raise InputError(
                f"requests[{late}].arrival",
                f"must be 0 for {self.name} (burst), got {request.arrival} for id {request.id}",
            )
        if self.takes is None:
            return
        for index, request in enumerate(instance.requests):
            if not self.takes(instance.memory, request):
                raise InputError(
                    f"requests[{index}]",
                    f"{self.name} takes {self.hypothesis}, got id {request.id} with prompt "
                    f"{request.prompt}, output {request.output} at memory {instance.memory}",
                )

    def ratios(self, instance: Instance, options: Options) -> list[ProvedRatio]:
        """Return every proved bound on TEL / OPT for the run."""
        found = self.all_ratios(instance)
        return [ratio for ratio in found if ratio.objective == "tel"]

    def all_ratios(self, instance: Instance) -> list[ProvedRatio]:
        """Return the proved bounds for every objective."""
        return list(self.bounds(instance))


def _always(*ratios: ProvedRatio) -> Ratios:
    return lambda _: ratios


def _for_response(ratios: Iterable[ProvedRatio]) -> Ratios:
    """Response runs any burst; its ratio needs o > s for every request."""

    def found(instance: Instance) -> Iterable[ProvedRatio]:
        return ratios if all(r.output > r.prompt for r in instance.requests) else ()

    return found


def _fair_share(instance: Instance) -> list[ProvedRatio]:
    long = all(r.prompt >= r.output for r in instance.requests)
    return [*proved.FAIR_SHARE, *(proved.FAIR_SHARE_LONG_PROMPTS if long else ())]


def _online(burst: Iterable[ProvedRatio], arrivals: Iterable[ProvedRatio]) -> Ratios:
    """Return the bounds for bursts on bursts, and those for arrivals always."""
    return lambda instance: [*(burst if instance.is_burst else ()), *arrivals]


_PAPER = "paper 3"
_OURS = "ours: nonclairvoyant-sharp.md"

KILL_SCHEDULERS: tuple[KillScheduler, ...] = (
    KillScheduler(
        "rect-large",
        "large requests one at a time, levels 2^r, kill and restart",
        _PAPER,
        "large: 21 (paper: 36)",
        _always(*proved.RECT_LARGE),
        rect_large,
        takes=lambda memory, r: is_large(memory, r.prompt),
        hypothesis="large requests (4 prompt > memory)",
    ),
    KillScheduler(
        "rect-prompt",
        "prompt-heavy requests as rectangles of width 2s, levels 2^r",
        _PAPER,
        "prompt-heavy: 28 (paper: 36)",
        _always(*proved.RECT_PROMPT),
        rect_prompt,
        takes=is_prompt_heavy,
        hypothesis="prompt-heavy requests (4 prompt <= memory, output <= prompt)",
    ),
    KillScheduler(
        "response",
        "staggered slices, caps 2^r",
        _PAPER,
        "o > s: 224/3 (paper: 236/3)",
        _for_response(proved.RESPONSE),
        ResponsePolicy,
    ),
    KillScheduler(
        "response-half-steps",
        "staggered slices, caps 1, 2, 3, 4, 6, 8, 12, ...",
        _OURS,
        "o > s: 182/3",
        _for_response(proved.RESPONSE_HALF_STEPS),
        lambda memory: ResponsePolicy(memory, half_step_caps),
    ),
    KillScheduler(
        "route",
        "Rect and Response in turns, requests certified response-heavy on the way",
        _PAPER,
        "896; makespan 372",
        _always(*proved.ROUTE),
        Route,
    ),
    KillScheduler(
        "route-dummies",
        "route as the paper has it: completed requests stay as dummies",
        _PAPER,
        "896; makespan 372",
        _always(*proved.ROUTE),
        lambda memory: Route(memory, dummies=True),
    ),
    KillScheduler(
        "route-2-5-1",
        "route with slots 2:5:1",
        _OURS,
        "1960/3",
        _always(*proved.ROUTE_2_5_1),
        lambda memory: Route(memory, (2, 5, 1)),
    ),
    KillScheduler(
        "route-2-4-1",
        "route with slots 2:4:1 and caps 1, 2, 3, 4, 6, 8, 12, ...",
        _OURS,
        "1757/3",
        _always(*proved.ROUTE_2_4_1),
        lambda memory: Route(memory, (2, 4, 1), half_step_caps),
    ),
    KillScheduler(
        "route-online",
        "route with arrivals, admitted at the start of a stage",
        _PAPER,
        "total completion: 901; bursts: 896",
        _online(proved.ROUTE, proved.ROUTE_ONLINE),
        route_online,
        online=True,
    ),
    KillScheduler(
        "fair-share",
        "equal shares of memory-time in doubling stages of 2L - 1 rounds",
        _OURS,
        "48",
        _fair_share,
        FairShare,
    ),
    KillScheduler(
        "fair-share-early",
        "fair-share whose stages end when nothing runs or waits",
        _OURS,
        "48",
        _fair_share,
        lambda memory: FairShare(memory, early=True),
    ),
    KillScheduler(
        "length-doubling",
        "everyone once for each cap 2^r, any-fit; arrivals in batches",
        _OURS,
        "makespan: 76/3 (arrivals 152/3)",
        _online(proved.LENGTH_DOUBLING, proved.LENGTH_DOUBLING_ONLINE),
        LengthDoubling,
        online=True,
    ),
    KillScheduler(
        "length-doubling-half-steps",
        "length-doubling with caps 1, 2, 3, 4, 6, 8, 12, ...",
        _OURS,
        "makespan: 67/3 (arrivals 134/3)",
        _online(proved.LENGTH_DOUBLING_HALF_STEPS, proved.LENGTH_DOUBLING_ONLINE_HALF_STEPS),
        lambda memory: LengthDoubling(memory, half_step_caps),
        online=True,
    ),
    KillScheduler(
        "area-greedy",
        "smallest area first, full rectangles reserved, nobody passes the first",
        "paper 3, theorem 2",
        "1 + 2M/(M - l + 1), l the largest peak",
        lambda instance: [proved.greedy_ratio(instance)],
        clairvoyant=GreedyPolicy,
    ),
    KillScheduler(
        "split-merge",
        "area-greedy on the small and on the large requests in turns",
        "paper 3, theorem 3",
        "28",
        _always(*proved.SPLIT_MERGE),
        clairvoyant=SplitMerge,
    ),
    KillScheduler(
        "sixteen",
        "doubling windows, least areas first, packed by any-fit",
        "paper 3, theorem 4",
        "16",
        _always(*proved.SIXTEEN),
        clairvoyant=Sixteen,
    ),
)
