"""Seeded instances that are the same on every machine and every Python."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from ..model import Instance, Request


def seeded_integers(seed: int) -> Iterator[int]:
    """Yield an endless stream of 256-bit integers: SHA-256 of the seed and a counter."""
    counter = 0
    while True:
        yield int.from_bytes(hashlib.sha256(f"onlinekv {seed} {counter}".encode()).digest(), "big")
        counter += 1


def random_instance(seed: int, n: int, memory: int, span: int) -> Instance:
    """Return n requests: arrival 0..span, 1 <= o <= M - 1, 1 <= s <= M - o (needs M >= 2)."""
    draw = seeded_integers(seed)
    requests = []
    for identifier in range(n):
        arrival = next(draw) % (span + 1)
        output = 1 + next(draw) % (memory - 1)
        prompt = 1 + next(draw) % (memory - output)
        requests.append(Request(identifier, arrival, prompt, output))
    return Instance.of(memory, requests)
