"""formal/AxiomReport.lean: the full `#print axioms` of every theorem of `Results`, for lake users.

Only an ordinary Lean sees the proofs of its own core library, so only there is the list complete.
The expected output names, for each theorem, the axioms that it may rest on at most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from .audit import ALLOWED_AXIOMS, RESULTS
from .sources import LIBRARY, SOURCE_FOLDER, Package, strip_comments

REPORT = f"{SOURCE_FOLDER}/AxiomReport.lean"
EXPECTED = f"{SOURCE_FOLDER}/AxiomReport.expected"
_ORDER = ("propext", "Classical.choice", "Quot.sound")
_COMMAND = re.compile(r"(?m)^#print axioms (\S+)$")
_LINE = re.compile(r"(?s)'([^'\s]+)' (?:depends on axioms: \[([^\]]*)\]|does not depend on any)")
_THEOREM = re.compile(r"(?m)^theorem (\S+)")
_HEAD = f"""import {RESULTS}

/-! Every axiom of every theorem of `Results`, those of the core library included:
`lake env lean {REPORT}`. Not a module, because modules refuse `#print axioms`; not part of the
library. `AxiomReport.expected` holds the most that may be printed; both files are written by
`python -m evaluators lean statements`. -/

"""


def source_theorems(package: Package) -> list[str]:
    """Return the theorems of `Results` as its source declares them, in order."""
    return [
        f"{LIBRARY}.{name}" for name in _THEOREM.findall(strip_comments(package.texts[RESULTS]))
    ]


def report_text(theorems: Iterable[str]) -> str:
    """Return the report for these theorems."""
    return _HEAD + "".join(f"#print axioms {name}\n" for name in theorems)


def expected_text(theorems: Iterable[str]) -> str:
    """Return the most that the report may print."""
    axioms = ", ".join(_ORDER)
    return "".join(f"'{name}' depends on axioms: [{axioms}]\n" for name in theorems)


def report_names(text: str) -> list[str]:
    """Return the theorems that a report prints, in order."""
    return _COMMAND.findall(text)


def parse_report(output: str) -> dict[str, frozenset[str]]:
    """Return the axioms of each theorem in the output of the report."""
    return {
        match[1]: frozenset(name.strip() for name in (match[2] or "").split(",") if name.strip())
        for match in _LINE.finditer(output)
    }


def judge_report(
    theorems: Iterable[str], expected: Mapping[str, frozenset[str]], output: str
) -> list[str]:
    """Return one line for each theorem that is missing or rests on more than is expected."""
    found = parse_report(output)
    reasons = []
    for name in theorems:
        if name not in found:
            reasons.append(f"the axiom report says nothing about {name}")
            continue
        allowed = expected.get(name, frozenset()) & ALLOWED_AXIOMS
        for axiom in sorted(found[name] - allowed):
            reasons.append(f"{name} rests on the axiom {axiom}, by the axiom report")
    return reasons
