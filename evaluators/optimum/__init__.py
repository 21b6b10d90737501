"""Exact offline optimum of TEL, total completion or makespan, with proved intervals.

`optimum` searches round by round (the rules: `plain.py`; compiled by numba: `compiled.py`).  The
time-indexed integer programs of `oracle` are independent cross-checks by CP-SAT and HiGHS.
"""

from ..replay import Objective
from .commitment import committed_runs
from .oracle import OracleResult, cpsat, highs
from .results import Commitment, Established, Optimum
from .solve import optimum

__all__ = [
    "Commitment",
    "Established",
    "Objective",
    "Optimum",
    "OracleResult",
    "committed_runs",
    "cpsat",
    "highs",
    "optimum",
]
