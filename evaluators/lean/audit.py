"""What the compiled proofs are worth: steps that each may reject, with their reasons.

Every step is load-bearing: for each there is a cheat in tests/formal/redteam that only it rejects
when the others are off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .environment import Constant, Environment
from .scan import scan
from .sources import LIBRARY, Package
from .vacuity import empty_hypotheses

ALLOWED_AXIOMS = frozenset({"propext", "Classical.choice", "Quot.sound"})
STATEMENTS = f"{LIBRARY}.Statements"
RESULTS = f"{LIBRARY}.Results"
CHECKS = f"{LIBRARY}.Checks"
_PROP = ("S", "0")


def is_statements(module: str) -> bool:
    """Whether a module holds headline statements: `Statements` itself or a file in its folder."""
    return module == STATEMENTS or module.startswith(f"{STATEMENTS}.")


@dataclass(frozen=True, slots=True)
class Audited:
    """A library as sources and as the environment of its compiled modules."""

    package: Package
    environment: Environment

    @property
    def statements(self) -> list[Constant]:
        """The headline statements: the named propositions of `Statements` and the files in it."""
        found = (c for c in self.environment.constants.values() if is_statements(c.module))
        return [c for c in found if c.kind == "definition" and c.type == _PROP and c.public]

    @property
    def theorems(self) -> list[Constant]:
        """The public theorems of `Results`: those of the headlines and their helpers."""
        found = self.environment.of_module(RESULTS)
        return sorted((c for c in found if c.kind == "theorem" and c.public), key=_name)

    def theorem_name(self, statement: str) -> str:
        """Return the name under which `Results` must prove a statement."""
        return statement.replace(f"{STATEMENTS}.", f"{LIBRARY}.", 1)


def _name(constant: Constant) -> str:
    return constant.name


def check_theorems(audited: Audited) -> list[str]:
    """Each statement has a theorem in `Results` whose type is exactly that constant."""
    environment = audited.environment
    reasons = [] if audited.statements else [f"{STATEMENTS} holds no named proposition"]
    proofs = {theorem.name: theorem for theorem in audited.theorems}
    for statement in audited.statements:
        name = audited.theorem_name(statement.name)
        if not statement.name.startswith(f"{STATEMENTS}."):
            reasons.append(f"{statement.name} must be in the namespace {STATEMENTS}")
        elif name not in proofs:
            reasons.append(f"no theorem {name} in {RESULTS} proves {statement.name}")
        elif proofs[name].type != ("C", statement.name, "0"):
            reasons.append(f"{name} does not prove exactly {statement.name}")
    expected = set(audited.package.modules)
    if environment.modules and set(environment.modules) != expected:
        reasons.append("the audited modules are not those of the library")
    return reasons


def check_axioms(audited: Audited) -> list[str]:
    """Nothing rests on an axiom outside the allow-list, and every constant used is known."""
    environment = audited.environment
    reasons = [
        f"{constant.name} is an axiom of our own"
        for constant in environment.constants.values()
        if constant.kind == "axiom"
    ]
    for theorem in audited.theorems:
        for name in sorted(environment.everything(theorem.name)):
            kind = environment.kind(name)
            if kind == "axiom" and name not in ALLOWED_AXIOMS:
                reasons.append(f"{theorem.name} rests on the axiom {name}{_meaning(name)}")
            elif kind == "unknown":
                reasons.append(f"{theorem.name} rests on {name}, which the audit cannot see")
    return reasons


def _meaning(axiom: str) -> str:
    if axiom == "sorryAx":
        return " (sorry)"
    native = ("ofReduce", "trustCompiler", "native")
    return " (native_decide)" if any(word in axiom for word in native) else ""


def check_kernel(audited: Audited) -> list[str]:
    """The kernel, started afresh from `Init`, accepts every constant of the library."""
    environment = audited.environment
    reasons = [f"the kernel refuses {name}" for name in environment.refused]
    return reasons if environment.replayed else [*reasons, "the kernel checked nothing"]


def check_attributes(audited: Audited) -> list[str]:
    """No constant is unsafe, partial, opaque, or replaced by other code when it runs.

    The compiler's own `f._unsafe_rec` is left out where no theorem or statement reaches it.
    """
    environment = audited.environment
    roots = [constant.name for constant in (*audited.theorems, *audited.statements)]
    reached = environment.reach(roots, lambda c: c.uses + c.constructors)
    return [
        f"{constant.name} is {word}"
        for constant in environment.constants.values()
        if constant.name in reached or not constant.name.endswith("._unsafe_rec")
        for word in (*constant.flags, *(["opaque"] if constant.kind == "opaque" else []))
    ]


def check_scan(audited: Audited) -> list[str]:
    """The sources hold none of the words that have no place in them."""
    return scan(audited.package)


def check_vacuity(audited: Audited) -> list[str]:
    """Each hypothesis of each statement has an inhabitant in `Checks` or `Results`."""
    environment = audited.environment
    modules = [m for m in environment.modules if m == RESULTS or m.startswith(CHECKS)]
    names = [statement.name for statement in audited.statements]
    return [
        f"{statement} assumes {name}, of which no theorem in Checks shows an inhabitant"
        for statement, name in empty_hypotheses(environment, names, modules)
    ]


Step = Callable[[Audited], list[str]]
STEPS: dict[str, Step] = {
    "scan": check_scan,
    "theorems": check_theorems,
    "axioms": check_axioms,
    "kernel": check_kernel,
    "attributes": check_attributes,
    "vacuity": check_vacuity,
}


def audit(audited: Audited, without: Iterable[str] = ()) -> dict[str, list[str]]:
    """Return the reasons of every step, by its name; `without` leaves steps out (tests only)."""
    return {name: step(audited) for name, step in STEPS.items() if name not in set(without)}


def checked_items(audited: Audited) -> int:
    """Return how many constants and theorems the audit looked at."""
    return len(audited.environment.constants) + len(audited.theorems)
