"""Play a causal rule against a family: probe, answer, play again, and compare exactly."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..model import Schedule
from ..policies.online import RuleError, RuleFactory, play
from ..replay import replay
from .branches import Branch, Comparator, Family


class CausalityError(RuleError):
    """A rule decided differently before the release of a branch: it is not causal."""


@dataclass(frozen=True, slots=True)
class BranchRun:
    """A rule's schedule of one branch; a causal rule has `tel` >= the branch's floor."""

    branch: Branch
    schedule: Schedule
    tel: int

    @property
    def comparator(self) -> Comparator:
        """The cheapest comparator."""
        return self.branch.best

    @property
    def ratio(self) -> Fraction:
        """TEL(rule) / TEL(comparator): a lower bound on the rule's TEL / OPT."""
        return Fraction(self.tel, self.comparator.tel)


@dataclass(frozen=True, slots=True)
class AdversaryRun:
    """Everything that an adversary did to a rule; exact and recomputed by replay.

    `opening` is the rule's schedule of the opening alone (the probe), `claim` what the family
    forces from every rule, `runs` the branches that were played.
    """

    rule: str
    family: str
    claim: Fraction
    opening: Schedule
    runs: tuple[BranchRun, ...]

    @property
    def best(self) -> BranchRun:
        """The branch with the largest ratio; the first one on a tie."""
        return max(self.runs, key=lambda run: run.ratio)

    @property
    def ratio(self) -> Fraction:
        """The largest ratio: a lower bound on TEL(rule) / OPT over instances."""
        return self.best.ratio

    @property
    def confirmed(self) -> bool:
        """Whether the rule obeys each branch's floor and the family's claim is met."""
        obeyed = all(run.tel >= run.branch.floor for run in self.runs)
        return obeyed and self.ratio >= self.claim


def adversary(factory: RuleFactory, family: Family) -> AdversaryRun:
    """Let the rule play the opening, choose the branches by its starts, and play those.

    Raises CausalityError if a branch run departs from the probe before the branch's release;
    RuleError if the rule breaks the protocol or never finishes the opening; ValueError if a
    comparator is infeasible or does not cost what the family says.
    """
    opening = family.opening()
    probe = play(factory, opening)
    runs = tuple(_run(factory, probe, branch) for branch in family.answer(probe.starts))
    name = factory(opening.memory).name
    return AdversaryRun(name, family.name, family.claim(), probe, runs)


def _run(factory: RuleFactory, probe: Schedule, branch: Branch) -> BranchRun:
    for comparator in branch.comparators:
        check_comparator(branch, comparator)
    schedule = play(factory, branch.instance)
    _check_causal(factory(branch.instance.memory).name, probe, schedule, branch)
    return BranchRun(branch, schedule, replay(branch.instance, schedule).tel)


def check_comparator(branch: Branch, comparator: Comparator) -> None:
    """Replay a comparator; raise ValueError unless it is feasible and costs `comparator.tel`."""
    result = replay(branch.instance, comparator.schedule)
    where = f"branch {branch.name}, comparator {comparator.name}"
    if not result.feasible:
        raise ValueError(f"{where}: {result.violations[0].message}")
    if result.tel != comparator.tel:
        raise ValueError(f"{where}: costs {result.tel}, the formula says {comparator.tel}")


def _check_causal(name: str, probe: Schedule, final: Schedule, branch: Branch) -> None:
    """Compare the decisions of the two runs in all rounds before the release."""
    for identifier, start in probe.starts.items():
        other = final.starts[identifier]
        if min(start, other) < branch.release and start != other:
            raise CausalityError(
                f"{name}: {identifier} starts in round {start} alone and in round {other} in "
                f"branch {branch.name}, which differs only from round {branch.release} on"
            )
