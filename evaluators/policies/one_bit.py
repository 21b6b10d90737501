"""1-bit SVF: volumes of two representative outputs, and its honest form that reserves by class.

With b = ceil(T^(1/4)), T the largest output, a request is long if o > b^2; short ones count as b
tokens, long ones as b^3 (paper 2, theorem 3.3, with T replaced by b^4 as svf.md repairs it).  The
order needs one bit; exact look-ahead does not: `1-bit-svf` admits by the true output, as the
paper's analysis does.  `honest-1-bit` reserves min(s + b^2, T) or T for the whole run, T the
largest s + o, and needs the bit alone (svf.md section 1).
"""

from __future__ import annotations

from math import isqrt

from ..model import Instance
from ..ratios import ProvedRatio, honest_ratio, one_bit_paper_ratio, one_bit_ratio
from .proved import for_bursts, in_general, is_plain_burst
from .rules import Rules
from .scheduler import ListPolicy, Ranking, System
from .smallest_volume import doubled_volume
from .views import OneBitView, one_bit


def fourth_root(value: int) -> int:
    """Return the least b >= 1 with b^4 >= value, exactly."""
    b = isqrt(isqrt(max(value, 1)))
    return b if b**4 >= value else b + 1


def _order(b: int, view: OneBitView) -> int:
    return doubled_volume(view.prompt, b**3 if view.long else b)


def _reserve(b: int, longest: int, view: OneBitView) -> int:
    return longest if view.long else min(view.prompt + b * b, longest)


def _ranking(b: int, longest: int) -> Ranking[OneBitView]:
    return Ranking(
        one_bit(b * b), lambda view: _order(b, view), lambda view: _reserve(b, longest, view)
    )


def _one_bit_ratios(instance: Instance, system: System, rules: Rules) -> list[ProvedRatio]:
    b = fourth_root(system.max_output)
    return for_bursts(
        instance, rules, [one_bit_paper_ratio(instance, b), one_bit_ratio(instance, b)]
    )


def _honest_ratios(instance: Instance, system: System, rules: Rules) -> list[ProvedRatio]:
    b = fourth_root(system.max_peak)
    if is_plain_burst(instance, rules) and rules.admission == "reserve":
        return [*in_general(instance, rules), honest_ratio(instance, b, system.max_peak)]
    return for_bursts(instance, rules, [one_bit_ratio(instance, b)])


ONE_BIT_SVF = ListPolicy(
    "1-bit-svf",
    "volume order by one bit of the output, admission by the true output",
    "paper 2, theorem 3.3",
    "OneBitView",
    "burst: min(1 + 2 b^4/(1-alpha), 2M(1+b^2)/D), b = ceil(T^(1/4)); else n",
    lambda system: _ranking(fourth_root(system.max_output), system.max_peak),
    _one_bit_ratios,
)
HONEST_ONE_BIT = ListPolicy(
    "honest-1-bit",
    "volume order by one bit, admission by class reservation",
    "ours: svf.md section 1",
    "OneBitView",
    "burst: 2M b^2 (1+b^2)/(M-R+1), R the largest reserve; else n",
    lambda system: _ranking(fourth_root(system.max_peak), system.max_peak),
    _honest_ratios,
    Rules(admission="reserve"),
)
