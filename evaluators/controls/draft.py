"""How a control is written: its numbers come from the replay and the exact optimum, never by hand.

A family rebuilds a control from its parameters.  The verifier rebuilds it again and compares
every leaf, so a number in an artifact is believed only if it can be derived a second time.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..artifacts.canonical import Json, to_json
from ..artifacts.files import attempts_to_json, instance_to_json, starts_to_json
from ..memory import PAPERS, Convention
from ..model import AttemptSchedule, Instance, Schedule
from ..optimum import Commitment, Objective, Optimum, optimum
from ..replay import Replay, Violation, replay

Number = int | Fraction
Parameters = Mapping[str, int]

RELATIONS: dict[str, Callable[[Number, Number], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    ">=": operator.ge,
    ">": operator.gt,
    "!=": operator.ne,
}


@dataclass(frozen=True, slots=True)
class Family:
    """A family of controls: `build(parameters)` derives one; `grid` lists those of the artifact."""

    name: str
    build: Callable[[Draft, Parameters], None]
    grid: tuple[Parameters, ...]
    kind: str = "positive"

    def identifier(self, parameters: Parameters) -> str:
        """Return the control's id: the family and its parameters."""
        values = ",".join(f"{key}={value}" for key, value in sorted(parameters.items()))
        return f"{self.name}({values})" if values else self.name

    def derive(self, parameters: Parameters) -> Draft:
        """Rebuild one control from its parameters."""
        draft = Draft(self.identifier(parameters), self.name, self.kind, dict(parameters))
        self.build(draft, parameters)
        draft.finish()
        return draft


class Draft:
    """A control under construction.  `faults` lists what contradicts its own statement."""

    def __init__(self, identifier: str, family: str, kind: str, parameters: dict[str, int]) -> None:
        self.identifier = identifier
        self.faults: list[str] = []
        self._refusals = 0
        self.kind = kind
        self._document: dict[str, Json] = {
            "id": identifier,
            "family": family,
            "kind": kind,
            "parameters": to_json(parameters),
        }
        self._lists: dict[str, list[Json]] = {"assertions": []}
        self._facts: dict[str, Json] = {}

    def describe(self, text: str, reason: str = "") -> None:
        """Say what the control shows and where it is proved; `reason`: why a negative one fails."""
        self._document["description"] = text
        if reason:
            self._document["reason"] = reason

    def instance(self, instance: Instance) -> Instance:
        """Store the instance."""
        self._document["instance"] = instance_to_json(instance)
        return instance

    def schedule(
        self,
        name: str,
        instance: Instance,
        schedule: Schedule | AttemptSchedule,
        convention: Convention = PAPERS,
        must_fail: str = "",
        scheduler: str = "",
    ) -> Replay:
        """Replay a schedule and store the verdict: feasible, or refused for `must_fail`.

        `scheduler` names the rule of which Lean's own recursion must give the same schedule.
        """
        result = replay(instance, schedule, convention)
        kinds = {violation.kind for violation in result.violations}
        if must_fail:
            self._refusals += 1
            if kinds != {must_fail}:
                self.faults.append(f"schedule {name!r} must fail for {must_fail!r}, got {kinds}")
        elif kinds:
            self.faults.append(f"schedule {name!r} is infeasible: {result.violations[0].message}")
        entry: dict[str, Json] = {"name": name, "convention": convention.name}
        if scheduler:
            entry["scheduler"] = scheduler
        if isinstance(schedule, Schedule):
            entry["starts"] = starts_to_json(dict(schedule.starts))
        else:
            entry["attempts"] = attempts_to_json(schedule)
        if must_fail:
            entry["must_fail"] = must_fail
        self._lists.setdefault("schedules", []).append({**entry, **replay_to_json(result)})
        return result

    def optimum(
        self,
        instance: Instance,
        objective: Objective = "tel",
        convention: Convention = PAPERS,
        commitment: Commitment | None = None,
        kills: bool = False,
    ) -> Optimum:
        """Compute the exact optimum and store its value, and for TEL an optimal schedule.

        Any optimal schedule will do there (the verifier replays it), so that a better search does
        not change what is true.  Its cost determines it up to that, which a makespan's does not.
        """
        best = optimum(
            instance, objective=objective, convention=convention, commitment=commitment, kills=kills
        )
        if not best.optimal:
            self.faults.append("the optimum could not be established")
        entry: dict[str, Json] = {
            "objective": objective,
            "convention": convention.name,
            "value": best.value,
        }
        if objective == "tel":
            entry["starts"] = starts_to_json(dict(best.starts))
        if commitment is not None:
            entry["commitment"] = {
                "now": commitment.now,
                "starts": starts_to_json(dict(commitment.starts)),
                "kills": kills,
            }
        self._lists.setdefault("optima", []).append(entry)
        return best

    def fact(self, name: str, value: Number | bool | str | list[Json]) -> None:
        """Store one more derived number."""
        self._facts[name] = to_json(value)

    def holds(self, claim: str, left: Number, relation: str, right: Number) -> None:
        """Store an exact comparison; it is a fault if it is false."""
        self._lists["assertions"].append(_comparison(claim, left, relation, right))
        if not RELATIONS[relation](left, right):
            self.faults.append(f"{claim}: {left} {relation} {right} is false")

    def refuted(self, claim: str, left: Number, relation: str, right: Number) -> None:
        """Store a claim that must be false (negative controls); it is a fault if it is true."""
        self._refusals += 1
        self._lists.setdefault("refuted", []).append(_comparison(claim, left, relation, right))
        if RELATIONS[relation](left, right):
            self.faults.append(f"{claim}: {left} {relation} {right} should fail but holds")

    def measure(
        self,
        theorem: str,
        policy: str,
        cost: int,
        optimum: int,
        bound: Fraction,
        objective: Objective = "tel",
    ) -> None:
        """Store what a run costs against the optimum; it is a fault to exceed the theorem."""
        self._lists.setdefault("measures", []).append(
            {
                "theorem": theorem,
                "policy": policy,
                "objective": objective,
                "cost": cost,
                "optimum": optimum,
                "ratio": to_json(Fraction(cost, optimum)),
                "bound": to_json(bound),
            }
        )
        if cost > bound * optimum:
            self.faults.append(f"{policy} exceeds {theorem}: {cost} > {bound} * {optimum}")

    def finish(self) -> None:
        """Check what only the whole control shows: a negative one must refuse something."""
        if self.kind == "negative" and not (self._refusals and "reason" in self._document):
            self.faults.append("a negative control must state a reason and fail for it")

    def document(self) -> dict[str, Json]:
        """Return the control as JSON data."""
        facts: dict[str, Json] = {"facts": self._facts} if self._facts else {}
        return {**self._document, **self._lists, **facts}


def _comparison(claim: str, left: Number, relation: str, right: Number) -> Json:
    return {"claim": claim, "left": to_json(left), "relation": relation, "right": to_json(right)}


def replay_to_json(result: Replay) -> dict[str, Json]:
    """Return feasibility, violations and costs as JSON data."""
    return {
        "feasible": result.feasible,
        "violations": [violation_to_json(violation) for violation in result.violations],
        "tel": result.tel,
        "total_completion": result.total_completion,
        "makespan": result.makespan,
        "peak": result.peak,
    }


def violation_to_json(violation: Violation) -> Json:
    """Return a violation as JSON data, without the members that do not apply."""
    members = (
        ("kind", violation.kind),
        ("request", violation.request),
        ("message", violation.message),
        ("round", violation.round),
        ("excess", violation.excess),
        ("last_round", violation.last_round),
        ("last_excess", violation.last_excess),
        ("active", violation.active),
    )
    return {key: value for key, value in members if value is not None}
