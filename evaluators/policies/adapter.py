"""Priorities for a serving engine: the integers that its PRIORITY scheduling takes.

Engines such as vLLM serve the smallest integer first and break ties by arrival.  The adapter
gives SVF the volume itself and other policies their key; where the engine's integers are too
narrow it gives dense ranks, which keep the order of the requests at hand only.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..model import InputError, Instance
from .smallest_volume import volume_order
from .views import ClairvoyantView


def engine_priority(view: ClairvoyantView) -> int:
    """Return the volume s o + o (o + 1) / 2: SVF as an engine's priority."""
    return volume_order(view) // 2


def fits(keys: Sequence[int], bits: int) -> bool:
    """Whether every key is a signed integer of that many bits; raises InputError below 2 bits."""
    if bits < 2:
        raise InputError("bits", f"must be >= 2, got {bits}")
    limit = 1 << (bits - 1)
    return all(-limit <= key < limit for key in keys)


def engine_priorities(instance: Instance, keys: Sequence[int], bits: int = 64) -> dict[int, int]:
    """Return an integer priority for each request id, in the order of the keys.

    The keys themselves if they fit into `bits`, else their dense ranks (equal keys, equal rank).
    Raises InputError if there are not as many keys as requests, or too few bits for the ranks.
    """
    if len(keys) != len(instance):
        raise InputError("keys", f"must be {len(instance)}, got {len(keys)}")
    given = list(keys)
    if not fits(given, bits):
        dense = {key: rank for rank, key in enumerate(sorted(set(given)))}
        given = [dense[key] for key in given]
        if not fits(given, bits):
            raise InputError("bits", f"{bits} bits hold fewer than {len(dense)} priorities")
    return {r.id: key for r, key in zip(instance.requests, given, strict=True)}
