"""Which proved ratio holds for a run of the engine, given the instance and the rules."""

from __future__ import annotations

from collections.abc import Iterable

from ..model import Instance
from ..ratios import ProvedRatio, work_conserving_ratio
from .rules import Rules


def in_general(instance: Instance, rules: Rules) -> list[ProvedRatio]:
    """Return what holds for every priority: n without kills, nothing with them.

    A request that waits is never alone in an empty memory, whatever the queue rule and the cap.
    """
    return [] if rules.admission == "prompt-only" else [work_conserving_ratio(instance)]


def is_plain_burst(instance: Instance, rules: Rules) -> bool:
    """Whether the burst theorems of paper 2 speak of this run: burst, head, papers, no cap."""
    uncapped = rules.max_running is None or rules.max_running >= len(instance)
    papers = rules.convention.first == 1 and rules.convention.block == 1
    return instance.is_burst and rules.queue == "head" and uncapped and papers


def for_bursts(
    instance: Instance,
    rules: Rules,
    monotone: Iterable[ProvedRatio | None],
    exact: Iterable[ProvedRatio | None] = (),
) -> list[ProvedRatio]:
    """Return the general bounds and, where they apply, the bounds for bursts.

    `monotone` needs the waiting certificate only (exact look-ahead or sum of peaks), `exact` needs
    exact look-ahead.
    """
    found = in_general(instance, rules)
    if is_plain_burst(instance, rules):
        if rules.admission in {"exact", "peak"}:
            found += [ratio for ratio in monotone if ratio is not None]
        if rules.admission == "exact":
            found += [ratio for ratio in exact if ratio is not None]
    return found
