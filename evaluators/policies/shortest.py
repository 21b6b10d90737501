"""SJF: the shortest output first.  Its ratio to SVF is unbounded on bursts (svf.md section 1)."""

from __future__ import annotations

from ..model import Instance
from ..ratios import ProvedRatio
from .proved import in_general
from .rules import Rules
from .scheduler import ListPolicy, Ranking, System
from .views import ClairvoyantView, clairvoyant


def output_order(view: ClairvoyantView) -> int:
    """Return the output."""
    return view.output


def _peak(view: ClairvoyantView) -> int:
    return view.prompt + view.output


def _ratios(instance: Instance, _system: System, rules: Rules) -> list[ProvedRatio]:
    return in_general(instance, rules)


SJF = ListPolicy(
    "sjf",
    "shortest output first",
    "paper 2, section 5",
    "ClairvoyantView",
    "n",
    lambda _: Ranking(clairvoyant, output_order, _peak),
    _ratios,
)
