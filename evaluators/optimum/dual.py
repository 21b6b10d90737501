"""Dual-feasible functions: roundings of sizes that keep every feasible round feasible.

f is dual-feasible for memory M and capacity c when x_1 + ... + x_m <= M implies
f(x_1) + ... + f(x_m) <= c.  So the area argument holds for the rounded sizes too, and it is
stronger where fragmentation is unavoidable (two requests above M/2 never overlap).
Source: S. Fekete, J. Schepers, "New classes of fast lower bounds for bin packing problems",
Math. Programming 91 (2001), functions u^(k) and U^(eps), scaled to integers.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DualFeasible:
    """`fractions` = k > 0: u^(k); otherwise U^(eps) with eps = `threshold` (0: the identity)."""

    memory: int
    fractions: int = 0
    threshold: int = 0

    @property
    def capacity(self) -> int:
        """What the weights active in one round sum up to at most."""
        return self.memory * max(1, self.fractions)

    def __call__(self, size: int) -> int:
        """Weight of `size` units, 0 <= size <= memory."""
        k, memory = self.fractions, self.memory
        if k:
            quotient, rest = divmod((k + 1) * size, memory)
            return k * size if rest == 0 else quotient * memory
        if size > memory - self.threshold:
            return memory
        return size if size >= self.threshold else 0


def family(memory: int) -> list[DualFeasible]:
    """The functions used by the bounds, the identity first."""
    chosen = [DualFeasible(memory)]
    chosen += [DualFeasible(memory, fractions=k) for k in (1, 2, 3)]
    thresholds = {memory // 3, memory // 4} - {0, 1}
    chosen += [DualFeasible(memory, threshold=e) for e in sorted(thresholds)]
    return chosen
