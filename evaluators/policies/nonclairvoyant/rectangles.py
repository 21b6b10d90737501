"""Rect on rectangles of any widths and unknown heights (paper 3, section 9; nonclairvoyant.md 3.6).

A rectangle holds its width for as many rounds as its height.  Rect alone is not constant-
competitive when widths mix; merged from w <= M/2 and w > M/2 it is within 119 times the optimum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ...model import InputError, Request, require_int
from .copies import Alone
from .engine import KillPolicy, KillRun, play_kills
from .meta import BlackBoxMeta
from .rect import Rect, Strip


class Rectangle(NamedTuple):
    """Width in 1..M (units, known) and height >= 1 (rounds, unknown to the policy)."""

    id: int
    width: int
    height: int


def plain_rect(memory: int, widths: Mapping[int, int]) -> Alone:
    """Return Rect on all of the rectangles, which must arrive in round 0."""
    strips = [Strip(i, width) for i, width in widths.items()]
    return Alone(lambda _: Rect(memory, strips))


def split_widths(memory: int, widths: Mapping[int, int]) -> list[list[Strip]]:
    """Return the strips with w <= M/2 and those with w > M/2."""
    strips = [Strip(i, width) for i, width in widths.items()]
    narrow = [strip for strip in strips if 2 * strip.width <= memory]
    return [narrow, [strip for strip in strips if 2 * strip.width > memory]]


def general_rect(memory: int, widths: Mapping[int, int]) -> BlackBoxMeta:
    """Return the merge of Rect on the narrow and Rect on the wide rectangles."""
    parts = split_widths(memory, widths)
    return BlackBoxMeta(lambda _: [partial(Rect, memory, strips) for strips in parts])


def play_rectangles(memory: int, rectangles: Sequence[Rectangle], policy: KillPolicy) -> KillRun:
    """Run the policy; raises InputError for a rectangle that is out of range."""
    for r in rectangles:
        require_int(r.height, f"rectangle {r.id}: height", 1)
        if not 1 <= r.width <= memory:
            raise InputError(f"rectangle {r.id}: width", f"must be in 1..{memory}, got {r.width}")
    return play_kills([Request(r.id, 0, 0, r.height) for r in rectangles], policy)


def most_used(rectangles: Sequence[Rectangle], run: KillRun) -> int:
    """Return the largest total width held in a round, exactly, from the attempts alone."""
    widths = {r.id: r.width for r in rectangles}
    changes: list[tuple[int, int]] = []
    for attempt in run.schedule.attempts:
        width = widths[attempt.request]
        changes += [(attempt.start, width), (attempt.end, -width)]
    used = most = 0
    for _, change in sorted(changes):  # what ends in a round is free in it: negative changes first
        used += change
        most = max(most, used)
    return most
