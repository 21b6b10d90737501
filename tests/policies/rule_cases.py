"""Shared by the tests of online rules: the rules, random instances, a driver without jumps."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from evaluators.model import Instance, Request
from evaluators.policies.algorithm_e import algorithm_e, algorithm_e_ratio
from evaluators.policies.main_filler import MAIN_FILLER_RATIO, MainFillerRule
from evaluators.policies.online import (
    FCFS_RATIO,
    SERIAL_RATIO,
    FcfsRule,
    SerialRule,
    ShortestFirstRule,
    delayed_fifo,
)

# Denominators small enough that b0 o is sometimes an integer; 5/8 is tight-sharp's choice.
B0 = Fraction(5, 8)
RULES = {
    "serial": SerialRule,
    "fcfs": FcfsRule,
    "shortest-first": ShortestFirstRule,
    "delayed-fifo": delayed_fifo(B0),
    "main-filler": MainFillerRule,
    "e1": algorithm_e(B0, 1),
    "e2": algorithm_e(Fraction(2, 3), 2),
    "e15": algorithm_e(),
}
GENERAL = {
    "serial": SERIAL_RATIO,
    "fcfs": FCFS_RATIO,
    "main-filler": MAIN_FILLER_RATIO,
    "e1": algorithm_e_ratio(B0, 1),
    "e2": algorithm_e_ratio(Fraction(2, 3), 2),
    "e15": algorithm_e_ratio(),
}


@st.composite
def crowded(draw, max_n=12, max_memory=40):
    """Instances with a few long requests, many short ones, and gaps without arrivals."""
    memory = draw(st.integers(4, max_memory))
    requests = []
    t = 0
    for identifier in draw(st.permutations(range(draw(st.integers(1, max_n))))):
        t += draw(st.sampled_from([0, 0, 0, 1, 2, 5, 3 * memory]))
        output = draw(st.integers(1, memory if draw(st.integers(0, 2)) == 0 else 1 + memory // 4))
        prompt = draw(st.integers(0, min(memory - output, draw(st.sampled_from([1, 3, memory])))))
        requests.append(Request(identifier, t, prompt, output))
    return Instance.of(memory, requests)


def play_every_round(factory, instance):
    """Ask the rule in every round from 0 on, whatever it says about its next decision."""
    rule = factory(instance.memory)
    starts = {}
    t = 0
    while len(starts) < len(instance):
        arrived = [r for r in instance.requests if r.arrival == t]
        for identifier in rule.decide(t, arrived):
            assert identifier not in starts
            starts[identifier] = t
        t += 1
    return starts


def fits_for_good(memory, runs, request, t):
    """Naive: whether `request` started in round t leaves every round within the memory."""
    return all(
        sum(r.prompt + u - b + 1 for r, b in [*runs, (request, t)] if b <= u < b + r.output)
        <= memory
        for u in range(t, t + request.output)
    )
