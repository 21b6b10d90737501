"""FCFS and serial service: the order of arrival, which needs nothing about the output."""

from __future__ import annotations

from ..model import Instance
from ..ratios import ProvedRatio
from .proved import in_general
from .rules import Rules
from .scheduler import ListPolicy, Ranking, System
from .views import NonClairvoyantView, non_clairvoyant


def arrival_order(view: NonClairvoyantView) -> int:
    """Return the arrival round."""
    return view.arrival


def _ranking(system: System) -> Ranking[NonClairvoyantView]:
    def reserve(view: NonClairvoyantView) -> int:
        return min(view.prompt + system.max_output, system.max_peak)

    return Ranking(non_clairvoyant, arrival_order, reserve)


def _ratios(instance: Instance, _system: System, rules: Rules) -> list[ProvedRatio]:
    return in_general(instance, rules)


FCFS = ListPolicy(
    "fcfs",
    "first come first served, exact look-ahead, nobody passes the head",
    "paper 2, section 5",
    "NonClairvoyantView",
    "n",
    _ranking,
    _ratios,
)
SERIAL = ListPolicy(
    "serial",
    "one request at a time, by (arrival, id)",
    "paper 1, section 3",
    "NonClairvoyantView",
    "n",
    _ranking,
    _ratios,
    max_running=1,
)
