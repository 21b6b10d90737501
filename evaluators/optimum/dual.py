"""Dual-feasible functions: roundings of sizes that keep every feasible round feasible.

f is dual-feasible for memory M and capacity c when x_1 + ... + x_m <= M implies
f(x_1) + ... + f(x_m) <= c.  So the area argument holds for the rounded sizes too, and it is
stronger where fragmentation is unavoidable (two requests above M/2 never overlap).
Source: S. Fekete, J. Schepers, "New classes of fast lower bounds for bin packing problems",
Math. Programming 91 (2001), functions u^(k), scaled to integers.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DualFeasible:
    """u^(k) for k = `fractions` > 0, the identity for 0.

    u^(k) rounds x to floor((k+1)x/M)/k of the memory, but keeps x where (k+1)x/M is an integer;
    here everything is multiplied by k.
    """

    memory: int
    fractions: int = 0

    @property
    def capacity(self) -> int:
        """What the weights active in one round sum up to at most."""
        return self.memory * max(1, self.fractions)

    def __call__(self, size: int) -> int:
        """Weight of `size` units, 0 <= size <= memory."""
        k, memory = self.fractions, self.memory
        if k == 0:
            return size
        quotient, rest = divmod((k + 1) * size, memory)
        return k * size if rest == 0 else quotient * memory


def family(memory: int) -> list[DualFeasible]:
    """The functions used by the bounds, the identity first.

    On random instances u^(1) does nearly all of the work, u^(2) helps where sizes lie between a
    third and a half; further functions cut less than they cost.
    """
    return [
        DualFeasible(memory),
        DualFeasible(memory, fractions=1),
        DualFeasible(memory, fractions=2),
    ]
