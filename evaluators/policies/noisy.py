"""SVF and SJF by predicted outputs; the prediction is wrong by a bounded factor, seeded.

As in the paper, exact look-ahead admission still uses the true output; admission `reserve` sums
s + floor(f o') instead, which a scheduler with predictions within a factor f does know.
"""

from __future__ import annotations

from ..model import Instance
from ..ratios import ProvedRatio, predicted_ratio
from .proved import for_bursts, in_general
from .rules import Rules
from .scheduler import ListPolicy, Ranking, System
from .smallest_volume import doubled_volume
from .views import PredictedView, Priority, predicted


def predicted_volume_order(view: PredictedView) -> int:
    """Return 2 s o' + o'^2 + o'."""
    return doubled_volume(view.prompt, view.predicted)


def predicted_output_order(view: PredictedView) -> int:
    """Return o'."""
    return view.predicted


def _ranking(system: System, priority: Priority[PredictedView]) -> Ranking[PredictedView]:
    def reserve(view: PredictedView) -> int:
        return min(view.prompt + int(system.factor * view.predicted), system.max_peak)

    return Ranking(predicted(system.factor, system.seed), priority, reserve)


def _svf_ratios(instance: Instance, system: System, rules: Rules) -> list[ProvedRatio]:
    return for_bursts(instance, rules, [predicted_ratio(instance, system.factor)])


def _sjf_ratios(instance: Instance, _system: System, rules: Rules) -> list[ProvedRatio]:
    return in_general(instance, rules)


PREDICTED_SVF = ListPolicy(
    "predicted-svf",
    "smallest volume first by outputs predicted within a factor f",
    "paper 2, section 5; ratio ours",
    "PredictedView",
    "burst: 2M(1+f^2)/D; else n",
    lambda system: _ranking(system, predicted_volume_order),
    _svf_ratios,
)
PREDICTED_SJF = ListPolicy(
    "predicted-sjf",
    "shortest output first by outputs predicted within a factor f",
    "paper 2, section 5",
    "PredictedView",
    "n",
    lambda system: _ranking(system, predicted_output_order),
    _sjf_ratios,
)
