"""Instances and checks shared by the tests of the optimum."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from evaluators.model import Instance
from evaluators.optimum import Optimum
from tests.reference.brute_force import cost, feasible


def seeded(n: int, memory: int, seed: int, latest: int = 6) -> Instance:
    """n random requests: prompt in 0..M-1, output in 1..M-s, arrival in 0..latest."""
    rng = random.Random(f"{n}-{memory}-{seed}-{latest}")
    rows = []
    for _ in range(n):
        prompt = rng.randint(0, memory - 1)
        output = rng.randint(1, memory - prompt)
        rows.append((rng.randint(0, latest), prompt, output))
    return Instance.from_triples(memory, rows)


@st.composite
def instances(
    draw: st.DrawFn, most: int = 4, memory: int = 6, latest: int = 4, fewest: int = 0
) -> Instance:
    """Instances of at most `most` requests; equal requests are frequent."""
    capacity = draw(st.integers(2, memory))
    rows = []
    for _ in range(draw(st.integers(fewest, most))):
        prompt = draw(st.integers(0, capacity - 1))
        output = draw(st.integers(1, capacity - prompt))
        rows.append((draw(st.integers(0, latest)), prompt, output))
    return Instance.from_triples(capacity, rows)


def check_schedule(
    instance: Instance,
    result: Optimum,
    *,
    first: int = 1,
    block: int = 1,
    now: int = 0,
    committed: dict[int, int] | None = None,
) -> None:
    """Replay the schedule naively: complete, causal, within the memory, and of the stated value."""
    fixed = committed or {}
    assert sorted(result.starts) == sorted(r.id for r in instance.requests)
    attempts = [(r, result.starts[r.id], r.output) for r in instance.requests]
    for r, start, _ in attempts:
        if r.id in fixed and r.id not in result.killed:
            assert start == fixed[r.id]
        else:
            assert start >= max(r.arrival, now)
    for r in instance.requests:
        if r.id in result.killed:
            assert fixed[r.id] < now < fixed[r.id] + r.output
            attempts.append((r, fixed[r.id], now - fixed[r.id]))
    assert feasible(instance.memory, attempts, first, block)
    completions = {r.id: result.starts[r.id] + r.output for r in instance.requests}
    assert cost(result.objective, completions, instance.requests) == result.upper
    assert result.root_lower <= result.lower <= result.upper == result.value
    assert result.optimal == (result.lower == result.upper)
