"""The variant of theorem 3.5: each class counts as its conditional mean under a geometric law.

With o ~ Geo(mu), q = 1 - mu and threshold theta, O_0 = E[o | o <= theta] = 1/mu -
theta q^theta / (1 - q^theta) and O_1 = E[o | o > theta] = 1/mu + theta.  Both are rational;
keys are multiplied by the square of their common denominator and stay integers.  Here
1/mu is the declared mean output and theta its ceiling.  The theorem needs a stationary stream and
conditions that svf.md section 2 lists; on bursts nothing beyond n is proved.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import ceil, lcm

from ..model import InputError, Instance
from ..ratios import ProvedRatio
from .proved import in_general
from .rules import Rules
from .scheduler import ListPolicy, Ranking, System
from .views import OneBitView, one_bit


def conditional_means(mean: Fraction, threshold: int) -> tuple[Fraction, Fraction]:
    """Return O_0 and O_1 of a geometric law of that mean; raises InputError for a mean < 1."""
    if mean < 1:
        raise InputError("mean-output", f"must be >= 1, got {mean}")
    tail = (1 - 1 / Fraction(mean)) ** threshold
    return mean - threshold * tail / (1 - tail), mean + threshold


def _ranking(system: System) -> Ranking[OneBitView]:
    threshold = ceil(system.mean_output)
    means = conditional_means(system.mean_output, threshold)
    common = lcm(*(mean.denominator for mean in means))
    short, long = (int(mean * common) for mean in means)

    @cache
    def key(prompt: int, is_long: bool) -> int:
        scaled = long if is_long else short  # O times the common denominator
        return scaled * (2 * prompt * common + scaled + common)

    def reserve(view: OneBitView) -> int:
        longest = system.max_peak
        return longest if view.long else min(view.prompt + threshold, longest)

    return Ranking(one_bit(threshold), lambda view: key(view.prompt, view.long), reserve)


def _ratios(instance: Instance, _system: System, rules: Rules) -> list[ProvedRatio]:
    return in_general(instance, rules)


MEAN_ONE_BIT_SVF = ListPolicy(
    "mean-1-bit-svf",
    "volume order by one bit, classes count as their conditional means",
    "paper 2, theorem 3.5",
    "OneBitView",
    "n",
    _ranking,
    _ratios,
)
