"""What the commands ask of a scheduler, and the list policies that the engine runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, Protocol

from ..model import Instance, Request, require_int
from ..ratios import ProvedRatio, best_ratio
from .engine import EngineChoice, simulate
from .rules import PLAIN, Rules, Simulation
from .views import Priority, View


@dataclass(frozen=True, slots=True)
class Options:
    """What a user may set; None means the default that the field names.

    rules: the policy's own (`Scheduler.default_rules`).  max_output: T for the outputs, default
    the instance's largest.  max_peak: T for s + o, default the instance's largest.  mean_output:
    default the instance's mean, rounded up.  factor and seed: of the predictor.
    """

    rules: Rules | None = None
    max_output: int | None = None
    max_peak: int | None = None
    mean_output: Fraction | None = None
    factor: Fraction = Fraction(2)
    seed: int = 0
    engine: EngineChoice = "auto"


@dataclass(frozen=True, slots=True)
class System:
    """What is declared before the first request arrives; a policy sees this and its views only.

    A default taken from the instance stands for an operator who knows the limits of the model
    served; pass the limits in `Options` for a run that depends on no later arrival.
    """

    memory: int
    max_output: int
    max_peak: int
    mean_output: Fraction
    factor: Fraction
    seed: int

    @classmethod
    def of(cls, instance: Instance, options: Options) -> System:
        """Fill the defaults; raises InputError if a declared limit is below a request's size."""
        output = max((r.output for r in instance.requests), default=1)
        peak = max((r.peak for r in instance.requests), default=1)
        mean = -(-instance.total_output // len(instance)) if len(instance) else 1
        return cls(
            instance.memory,
            _at_least("max-output", options.max_output, output),
            _at_least("max-peak", options.max_peak, peak),
            Fraction(mean) if options.mean_output is None else options.mean_output,
            options.factor,
            options.seed,
        )


def _at_least(field: str, declared: int | None, needed: int) -> int:
    return needed if declared is None else require_int(declared, field, needed)


class Scheduler(Protocol):
    """A named scheduler: how it runs, and what is proved of that run."""

    @property
    def name(self) -> str:
        """Name in the registry."""
        ...

    @property
    def summary(self) -> str:
        """What it does, in one line."""
        ...

    @property
    def paper(self) -> str:
        """Where it comes from."""
        ...

    @property
    def sees(self) -> str:
        """Name of the view that it decides by."""
        ...

    @property
    def guarantee(self) -> str:
        """The proved ratio as a formula, for listings."""
        ...

    def run(self, instance: Instance, options: Options, /) -> Simulation:
        """Schedule the instance; raises InputError if it cannot take it."""
        ...

    def ratios(self, instance: Instance, options: Options, /) -> list[ProvedRatio]:
        """Return every proved bound on TEL / OPT that holds for that run."""
        ...


def proved(scheduler: Scheduler, instance: Instance, options: Options) -> ProvedRatio | None:
    """Return the best proved bound for the run, None if nothing is proved."""
    return best_ratio(scheduler.ratios(instance, options))


@dataclass(frozen=True, slots=True)
class Ranking(Generic[View]):
    """How a policy looks at a request, ranks it, and bounds its peak (under `reserve`)."""

    observe: Callable[[Request], View]
    priority: Priority[View]
    reserve: Callable[[View], int]


RatioList = Callable[[Instance, System, Rules], list[ProvedRatio]]


@dataclass(frozen=True, slots=True)
class ListPolicy(Generic[View]):
    """A static priority that the engine runs: `ranking` makes it from what is declared."""

    name: str
    summary: str
    paper: str
    sees: str
    guarantee: str
    ranking: Callable[[System], Ranking[View]]
    proved_ratios: RatioList
    default_rules: Rules = PLAIN
    max_running: int | None = None

    def rules(self, options: Options) -> Rules:
        """Return the rules of a run; a policy's own cap (serial: 1) always holds."""
        rules = options.rules or self.default_rules
        if self.max_running is None:
            return rules
        return Rules(rules.queue, rules.admission, self.max_running, rules.convention, rules.victim)

    def keys(self, instance: Instance, options: Options) -> list[int]:
        """Return the priority of each request, in the order of `instance.requests`."""
        ranking = self.ranking(System.of(instance, options))
        observe, priority = ranking.observe, ranking.priority
        return [priority(observe(request)) for request in instance.requests]

    def run(self, instance: Instance, options: Options) -> Simulation:
        """Run the engine in the order of the keys."""
        rules = self.rules(options)
        reserves = None
        if rules.admission == "reserve":
            ranking = self.ranking(System.of(instance, options))
            reserves = [ranking.reserve(ranking.observe(r)) for r in instance.requests]
        return simulate(instance, self.keys(instance, options), rules, reserves, options.engine)

    def ratios(self, instance: Instance, options: Options) -> list[ProvedRatio]:
        """Return every proved bound that holds for the run."""
        return self.proved_ratios(instance, System.of(instance, options), self.rules(options))
