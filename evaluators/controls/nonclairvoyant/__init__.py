"""Paper 3 and our sharper algorithms: runs with optima, hard families, games, and constants."""

from . import constants, games, orders, readings, runs

CONTROLS = runs.FAMILIES
HARD = (*orders.FAMILIES, *games.FAMILIES, *readings.FAMILIES)
CONSTANTS = constants.FAMILIES

__all__ = ["CONSTANTS", "CONTROLS", "HARD"]
