"""Run as a program with NUMBA_DISABLE_JIT=1: the kernels' own source against the plain twin.

Prints how many runs were compared.  Python integers do not overflow silently, and numpy warns.
"""

from __future__ import annotations

import sys

import numba

from evaluators.policies.engine import simulate
from tests.policies.engine_cases import (
    decisions,
    random_instance,
    random_keys,
    random_rules,
    seeded,
)


def main(count: int) -> int:
    assert numba.config.DISABLE_JIT
    rng = seeded("without compiler")
    compared = 0
    while compared < count:
        instance, rules = random_instance(rng), random_rules(rng)
        peak = rules.convention.peak
        if any(peak(r.prompt, r.output) > instance.memory for r in instance.requests):
            continue
        keys = random_keys(rng, instance)
        reserves = [instance.memory] * len(instance)
        plain, kernel = (
            simulate(instance, keys, rules, reserves, engine) for engine in ("plain", "compiled")
        )
        assert decisions(plain) == decisions(kernel)
        compared += 1
    return compared


if __name__ == "__main__":
    print(main(int(sys.argv[1])))
