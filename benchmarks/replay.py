"""Replay of a million requests against numpy.sort on 8,000,000 int64, in one process."""

from __future__ import annotations

import json
import random
import resource
import statistics
import subprocess
import sys
import time
from functools import partial
from typing import Any

import numpy as np

from evaluators.model import Instance, Request, Schedule
from evaluators.replay import replay

SIZES = (100_000, 1_000_000)
SORTED = 8_000_000
REPEATS = 3
MEMORY = 1_500_000
REQUIRED_SORTS = 20
REQUIRED_GROWTH = 15
REQUIRED_MEBIBYTES = 2048


def stream(n: int, seed: int) -> tuple[Instance, Schedule]:
    """n requests, one arriving per round and started 0..3 rounds later; feasible at MEMORY."""
    rng = random.Random(seed)
    requests = tuple(Request(i, i, rng.randint(1, 4000), rng.randint(1, 1000)) for i in range(n))
    return Instance(MEMORY, requests), Schedule({i: i + rng.randint(0, 3) for i in range(n)})


def best_of(action: Any) -> int:
    """Median of REPEATS timings, in microseconds."""
    times = []
    for _ in range(REPEATS):
        begun = time.perf_counter_ns()
        action()
        times.append((time.perf_counter_ns() - begun) // 1000)
    return int(statistics.median(times))


def sort_time(seed: int) -> int:
    """The peer's time; its array is freed on return."""
    values = np.random.default_rng(seed).integers(0, 2**62, SORTED, dtype=np.int64)
    return best_of(partial(np.sort, values))


def measure(seed: int) -> dict[str, Any]:
    """Time the sort and the replays here; a check that finds something would be a bug."""
    result: dict[str, Any] = {"sort_us": sort_time(seed)}
    for n in SIZES:
        instance, schedule = stream(n, seed)
        found = replay(instance, schedule)
        if not found.feasible:
            raise RuntimeError("the benchmark's schedule must be feasible")
        result[f"replay_{n}_us"] = best_of(partial(check, instance, schedule))
        result[f"peak_{n}"] = found.peak
    result["max_resident_mebibytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return result


def check(instance: Instance, schedule: Schedule) -> tuple[int, int, int, int]:
    """The whole verdict: feasibility and every cost."""
    found = replay(instance, schedule)
    return found.tel, found.makespan, found.peak, found.p95_latency


def run(seed: int = 1) -> dict[str, Any]:
    """Measure in a process of its own, so that its memory is the replay's alone."""
    command = [sys.executable, "-m", "benchmarks.replay", str(seed)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    result: dict[str, Any] = json.loads(output)
    small, large = (result[f"replay_{n}_us"] for n in SIZES)
    result["sorts_hundredths"] = 100 * large // result["sort_us"]
    result["growth_hundredths"] = 100 * large // small
    result["met"] = (
        result["sorts_hundredths"] <= 100 * REQUIRED_SORTS
        and result["growth_hundredths"] <= 100 * REQUIRED_GROWTH
        and result["max_resident_mebibytes"] < REQUIRED_MEBIBYTES
    )
    return result


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
