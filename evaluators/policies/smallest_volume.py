"""SVF: the smallest volume first, v = s o + o (o + 1) / 2 (paper 2, section 3)."""

from __future__ import annotations

from ..model import Instance
from ..ratios import ProvedRatio, svf_gap_ratio, svf_paper_ratio, svf_sharpened_ratio
from .proved import for_bursts
from .rules import Rules
from .scheduler import ListPolicy, Ranking, System
from .views import ClairvoyantView, clairvoyant


def volume_order(view: ClairvoyantView) -> int:
    """Return twice the volume, 2 s o + o^2 + o (paper 2, equation 1)."""
    return doubled_volume(view.prompt, view.output)


def doubled_volume(prompt: int, output: int) -> int:
    """Return 2 s o + o^2 + o."""
    return output * (2 * prompt + output + 1)


def _peak(view: ClairvoyantView) -> int:
    return view.prompt + view.output


def svf_ratios(instance: Instance, _system: System, rules: Rules) -> list[ProvedRatio]:
    """Return the paper's bound and both of ours, where they hold."""
    return for_bursts(
        instance,
        rules,
        [svf_paper_ratio(instance), svf_sharpened_ratio(instance)],
        [svf_gap_ratio(instance)],
    )


SVF = ListPolicy(
    "svf",
    "smallest volume first",
    "paper 2, algorithm 1",
    "ClairvoyantView",
    "burst: min(1 + 2/(1-alpha), max(2M/D, 1 + 4M/(3D)), 19M/(9D)); else n",
    lambda _: Ranking(clairvoyant, volume_order, _peak),
    svf_ratios,
)
