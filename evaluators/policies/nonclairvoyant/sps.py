"""Staggered parallel slices: the exact peak and the largest parallelism (nonclairvoyant.md 2.3).

`m` identical requests of prompt s run for tau rounds each; rank j starts at floor(j tau / k), so at
most k overlap.
"""

from __future__ import annotations

from bisect import bisect_right
from math import gcd

from ...model import InputError


def slice_start(rank: int, tau: int, k: int) -> int:
    """Return the offset floor(rank tau / k) at which the slice of that rank starts."""
    return rank * tau // k


def duration(count: int, tau: int, k: int) -> int:
    """Return how many rounds `count` slices take: floor((count - 1) tau / k) + tau, 0 for none."""
    return slice_start(count - 1, tau, k) + tau if count else 0


def peak(k: int, tau: int, prompt: int) -> int:
    """Return k s + (tau (k + 1) + k - gcd(tau, k)) / 2, the most units held (for count >= k)."""
    return k * prompt + (tau * (k + 1) + k - gcd(tau, k)) // 2


def parallelism(memory: int, tau: int, prompt: int) -> int:
    """Return k*, the largest k >= 1 with peak <= memory; raises InputError if s + tau > M."""
    if prompt + tau > memory:
        raise InputError("tau", f"must be <= memory - prompt = {memory - prompt}, got {tau}")
    # The peak is strictly increasing in k, and k s + k >= k.
    return bisect_right(range(1, memory + 1), memory, key=lambda k: peak(k, tau, prompt))


def plain_parallelism(memory: int, tau: int, prompt: int) -> int:
    """Return the largest k by the peak without gcd, (2M - tau + 1) // (2s + tau + 1) (Lean)."""
    return (2 * memory - tau + 1) // (2 * prompt + tau + 1)
