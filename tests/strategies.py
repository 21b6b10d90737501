"""Hypothesis strategies for instances and schedules."""

from __future__ import annotations

from hypothesis import strategies as st

from evaluators.model import Attempt, Instance, Request


@st.composite
def instances(
    draw: st.DrawFn, max_n: int = 6, max_memory: int = 12, span: int = 6, min_n: int = 0
) -> Instance:
    """Instances with s >= 0, ids in any order, optional bursts."""
    memory = draw(st.integers(1, max_memory))
    n = draw(st.integers(min_n, max_n))
    burst = draw(st.booleans())
    ids = draw(st.permutations(range(n)))
    requests = []
    for identifier in ids:
        output = draw(st.integers(1, memory))
        prompt = draw(st.integers(0, memory - output))
        arrival = 0 if burst else draw(st.integers(0, span))
        requests.append(Request(identifier, arrival, prompt, output))
    return Instance.of(memory, requests)


@st.composite
def starts_for(draw: st.DrawFn, instance: Instance, slack: int = 12) -> dict[int, int]:
    """Starts that may be early, late or overfull."""
    return {
        r.id: draw(st.integers(max(0, r.arrival - 1), r.arrival + slack)) for r in instance.requests
    }


@st.composite
def attempts_for(draw: st.DrawFn, instance: Instance, slack: int = 10) -> list[Attempt]:
    """Attempts that are often, but not always, well formed."""
    result = []
    for r in instance.requests:
        t = r.arrival + draw(st.integers(-1 if r.arrival else 0, 3))
        for _ in range(draw(st.integers(0, 2))):
            rounds = draw(st.integers(1, max(1, r.output)))
            result.append(Attempt(r.id, t, rounds, False))
            t += rounds + draw(st.integers(-1, 2))
        if draw(st.integers(0, 9)):
            rounds = r.output if draw(st.integers(0, 9)) else draw(st.integers(1, r.output))
            result.append(Attempt(r.id, max(t, 0), rounds, True))
    return result
