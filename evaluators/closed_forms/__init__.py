"""Closed forms of paper 2, each decided by sympy and checked on an exact grid.

The framework, the laws on the grid, one module per topic, and the registry with the layer that
`verify` runs.
"""

from .framework import Check, ClosedForm, Goal, Outcome, Sample
from .registry import COVERED, REGISTRY, verify_closed_forms

__all__ = [
    "COVERED",
    "REGISTRY",
    "Check",
    "ClosedForm",
    "Goal",
    "Outcome",
    "Sample",
    "verify_closed_forms",
]
