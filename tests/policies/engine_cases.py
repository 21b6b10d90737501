"""Shared by the engine's tests: seeded random instances and rules, and the naive engine."""

from __future__ import annotations

import random

from evaluators.memory import PAPERS, engine_convention
from evaluators.model import Instance, Request
from evaluators.policies.rules import ADMISSIONS, QUEUES, VICTIMS, Rules
from tests.policies.reference.rounds import NaiveEngine


def random_instance(rng, max_n=12, max_memory=36, burst=None):
    """Bursts and streams, s >= 0, many ties, ids in any order."""
    memory, n = rng.randint(1, max_memory), rng.randint(1, max_n)
    burst = rng.random() < 0.5 if burst is None else burst
    requests, t = [], 0
    for identifier in rng.sample(range(n), n):
        output = rng.randint(1, max(1, memory // rng.choice([1, 2, 4])))
        prompt = rng.randint(0, min(memory - output, rng.choice([0, 2, memory])))
        t += 0 if burst else rng.choice([0, 0, 0, 1, 2, 5, 3 * memory])
        requests.append(Request(identifier, t, prompt, output))
    return Instance.of(memory, requests)


def random_rules(rng):
    convention = rng.choice([PAPERS, PAPERS, engine_convention(1), engine_convention(4)])
    return Rules(
        rng.choice(QUEUES),
        rng.choice(ADMISSIONS),
        rng.choice([None, None, 1, 2, 4]),
        convention,
        rng.choice(VICTIMS),
    )


def random_keys(rng, instance):
    rank = rng.choice(
        [
            lambda r: r.volume2,
            lambda r: r.arrival,
            lambda r: r.output,
            lambda r: rng.randint(-2, 2),
        ]
    )
    return [rank(r) for r in instance.requests]


def naive_run(instance, keys, rules, reserves=None):
    ids = [r.id for r in instance.requests]
    return NaiveEngine(
        instance,
        dict(zip(ids, keys, strict=True)),
        queue=rules.queue,
        admission=rules.admission,
        cap=rules.max_running,
        first=rules.convention.first,
        block=rules.convention.block,
        reserves=dict(zip(ids, reserves, strict=True)) if reserves else None,
        victim=rules.victim,
    ).run()


def decisions(run):
    """What a run decided, in a form to compare: starts, or sorted attempts."""
    if run.rules.admission != "prompt-only":
        return run.schedule.starts
    attempts = run.schedule.attempts
    return sorted((x.request, x.start, x.rounds, x.completed) for x in attempts)


def naive_decisions(engine):
    return engine.starts if engine.admission != "prompt-only" else sorted(engine.attempts)


def seeded(seed):
    return random.Random(seed)
