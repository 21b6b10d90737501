"""The policies by name: how to make one, what is proved of it, and where."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ..model import InputError
from .algorithm_e import algorithm_e, algorithm_e_ratio
from .main_filler import MAIN_FILLER_RATIO, MainFillerRule
from .online import FCFS_RATIO, SERIAL_RATIO, FcfsRule, LinearRatio, RuleFactory, SerialRule


@dataclass(frozen=True, slots=True)
class Policy:
    """A scheduler as the commands know it; `ratio` bounds TEL(policy) / OPT for n requests."""

    name: str
    summary: str
    paper: str
    factory: RuleFactory
    ratio: LinearRatio

    def proved(self, requests: int) -> Fraction:
        """Return the proved ratio for that many requests (1 without any)."""
        return self.ratio.at(max(1, requests))


_POLICIES = (
    Policy(
        "serial",
        "one request at a time, by (arrival, id)",
        "paper 1, section 3",
        SerialRule,
        SERIAL_RATIO,
    ),
    Policy(
        "fcfs",
        "first come first served, exact look-ahead, nobody passes the head",
        "paper 2, section 5",
        FcfsRule,
        FCFS_RATIO,
    ),
    Policy(
        "main-filler",
        "one main request and one filler beside it, half delay",
        "ours: tight-sharp.md section 1",
        MainFillerRule,
        MAIN_FILLER_RATIO,
    ),
    Policy(
        "algorithm-e",
        "the longest goes first: b0 = 5/8, K = 15",
        "ours: tight-sharp.md section 3",
        algorithm_e(),
        algorithm_e_ratio(),
    ),
)

POLICIES = {policy.name: policy for policy in _POLICIES}


def policy_named(name: str) -> Policy:
    """Return the policy of that name; raises InputError for an unknown one."""
    if name not in POLICIES:
        raise InputError("policy", f"must be one of {', '.join(POLICIES)}, got {name!r}")
    return POLICIES[name]
