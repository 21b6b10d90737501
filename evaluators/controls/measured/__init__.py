"""Measured ratios of every scheduler with a theorem, against the exact optimum."""

from .runs import FAMILIES

__all__ = ["FAMILIES"]
