"""Every scheduler by name: list policies, timetables, paper 1's online rules, paper 3's with kills.

`registry.POLICIES` stays the list of online rules that adversaries play against; this is what
`run` and `compare` offer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..model import InputError, Instance
from ..ratios import ProvedRatio
from .conditional_mean import MEAN_ONE_BIT_SVF
from .first_come import FCFS, SERIAL
from .kill_schedulers import KILL_SCHEDULERS, KillScheduler
from .noisy import PREDICTED_SJF, PREDICTED_SVF
from .one_bit import HONEST_ONE_BIT, ONE_BIT_SVF
from .online import play
from .registry import POLICIES, Policy
from .rules import PLAIN, Simulation
from .scheduler import Options, Scheduler
from .shortest import SJF
from .smallest_volume import SVF
from .staggered import CheaperOfTwo, StaggeredLists


@dataclass(frozen=True, slots=True)
class RuleScheduler:
    """An online rule of `registry.py` as a scheduler; it has no rules to set and no keys."""

    policy: Policy

    @property
    def name(self) -> str:
        """Name in the registry."""
        return self.policy.name

    @property
    def summary(self) -> str:
        """What it does."""
        return self.policy.summary

    @property
    def paper(self) -> str:
        """Where it comes from."""
        return self.policy.paper

    @property
    def sees(self) -> str:
        """Online rules see whole requests once they have arrived."""
        return "Request, after its arrival"

    @property
    def guarantee(self) -> str:
        """Return the bound as a formula in n."""
        ratio = self.policy.ratio
        return f"{ratio.slope} n" + (f" + {ratio.constant}" if ratio.constant else "")

    def run(self, instance: Instance, options: Options) -> Simulation:
        """Play the rule; raises InputError if rules are set."""
        if options.rules not in {None, PLAIN}:
            raise InputError("rules", f"{self.name} has no queue and no admission to set")
        return Simulation(instance, PLAIN, (), play(self.policy.factory, instance))

    def ratios(self, instance: Instance, options: Options) -> list[ProvedRatio]:
        """Return the rule's bound, which holds for every instance."""
        value = self.policy.proved(len(instance))
        return [ProvedRatio(value, self.policy.ratio.source, self.policy.ratio.needs)]


_ALL: tuple[Scheduler, ...] = (
    SERIAL,
    FCFS,
    SJF,
    SVF,
    ONE_BIT_SVF,
    MEAN_ONE_BIT_SVF,
    HONEST_ONE_BIT,
    PREDICTED_SJF,
    PREDICTED_SVF,
    # The paper calls by these names what knows the true outputs.
    replace(SJF, name="oracle-sjf", summary="sjf under the name that paper 2 gives it"),
    replace(SVF, name="oracle-svf", summary="svf under the name that paper 2 gives it"),
    StaggeredLists(),
    CheaperOfTwo(),
    RuleScheduler(POLICIES["main-filler"]),
    RuleScheduler(POLICIES["algorithm-e"]),
    *KILL_SCHEDULERS,
)

SCHEDULERS: dict[str, Scheduler] = {scheduler.name: scheduler for scheduler in _ALL}


def every_ratio(scheduler: Scheduler, instance: Instance, options: Options) -> list[ProvedRatio]:
    """Return the proved bounds on any objective; `Scheduler.ratios` gives those on TEL."""
    if isinstance(scheduler, KillScheduler):
        return scheduler.all_ratios(instance)
    return scheduler.ratios(instance, options)


def scheduler_named(name: str) -> Scheduler:
    """Return the scheduler of that name; raises InputError for an unknown one."""
    if name not in SCHEDULERS:
        raise InputError("policy", f"must be one of {', '.join(SCHEDULERS)}, got {name!r}")
    return SCHEDULERS[name]
