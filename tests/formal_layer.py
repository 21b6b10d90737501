"""What the tests of paper 1's formal layer share: one check of the whole library per process."""

from __future__ import annotations

from functools import cache
from typing import Any

from evaluators.commands.lean import LeanCheck, check_lean
from tests.cli import ROOT

NAMESPACE = "OnlineKvCache."
ALLOWED = {"propext", "Classical.choice", "Quot.sound"}


@cache
def checked() -> LeanCheck:
    """Build, audit and compare the statements; installs the embedded Lean if there is none."""
    return check_lean("auto", ROOT)


@cache
def theorems() -> dict[str, Any]:
    """Each headline theorem's entry, by its name without the namespace."""
    document: Any = checked().document
    assert document is not None, [layer.reasons for layer in checked().layers]
    return {entry["theorem"].removeprefix(NAMESPACE): entry for entry in document["theorems"]}
