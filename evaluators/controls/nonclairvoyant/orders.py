"""No single priority order is competitive; Route and FairShare are (nonclairvoyant.md 3.18).

Types thin = (1, t^2) and wide = (M-1, 1), M = t^4 (t^2 + 1).  With K = t^4, W = t^3: instance A is
one thin and t wide ones, instance B is K thin and W wide ones.  No thin and wide request overlap,
no two wide ones do, K thin ones run together.  Whatever the order, one of A and B costs t/3 OPT.
"""

from __future__ import annotations

from fractions import Fraction

from ...model import Instance, Request, Schedule
from ...policies.kill_schedulers import KillScheduler
from ...replay import replay
from ..draft import Draft, Family, Parameters
from .players import NON_CLAIRVOYANT, play

# Up to so many thin and wide requests the schedules of B are replayed, not only calculated.
REPLAYED_T = 4


def memory_of(t: int) -> int:
    """Return M = t^4 (t^2 + 1)."""
    return t**4 * (t * t + 1)


def mixed(t: int, thin: int, wide: int) -> Instance:
    """Return `thin` requests (1, t^2) and then `wide` requests (M - 1, 1), all in round 0."""
    memory = memory_of(t)
    shapes = [(1, t * t)] * thin + [(memory - 1, 1)] * wide
    return Instance(memory, tuple(Request(i, 0, s, o) for i, (s, o) in enumerate(shapes)))


def thin_first(t: int, thin: int, wide: int) -> dict[int, int]:
    """Return the starts when the thin ones go first, together, and then the wide ones in turn."""
    return dict.fromkeys(range(thin), 0) | {thin + j: t * t + j for j in range(wide)}


def wide_first(thin: int, wide: int) -> dict[int, int]:
    """Return the starts when the wide ones go first, in turn, and then the thin ones together."""
    return dict.fromkeys(range(thin), wide) | {thin + j: j for j in range(wide)}


def thin_first_cost(t: int, thin: int, wide: int) -> int:
    """Return its sum of completion times."""
    return thin * t * t + wide * t * t + wide * (wide + 1) // 2


def wide_first_cost(t: int, thin: int, wide: int) -> int:
    """Return its sum of completion times."""
    return wide * (wide + 1) // 2 + thin * (wide + t * t)


def _orders(draft: Draft, p: Parameters) -> None:
    t = p["t"]
    draft.describe(
        "Both orders of the two types lose at least t/3: thin first on A = 1 thin + t wide, wide "
        "first on B = t^4 thin + t^3 wide; the other order bounds OPT from above."
    )
    many, more = t**4, t**3
    bad_a, good_a = thin_first_cost(t, 1, t), wide_first_cost(t, 1, t)
    bad_b, good_b = wide_first_cost(t, many, more), thin_first_cost(t, many, more)
    draft.fact("M", memory_of(t))
    draft.fact("thin first on A", bad_a)
    draft.fact("OPT of A at most", good_a)
    draft.fact("wide first on B", bad_b)
    draft.fact("OPT of B at most", good_b)
    draft.holds("thin first loses t/3", Fraction(bad_a, good_a), ">=", Fraction(t, 3))
    draft.holds("wide first loses t/3", Fraction(bad_b, good_b), ">=", Fraction(t, 3))
    if t <= REPLAYED_T:
        for label, instance, starts, cost in (
            ("thin first on A", mixed(t, 1, t), thin_first(t, 1, t), bad_a),
            ("wide first on A", mixed(t, 1, t), wide_first(1, t), good_a),
            ("wide first on B", mixed(t, many, more), wide_first(many, more), bad_b),
            ("thin first on B", mixed(t, many, more), thin_first(t, many, more), good_b),
        ):
            _replayed(draft, label, instance, starts, cost)


def _replayed(
    draft: Draft, label: str, instance: Instance, starts: dict[int, int], cost: int
) -> None:
    result = replay(instance, Schedule(starts))
    draft.holds(f"{label}: feasible", int(result.feasible), "=", 1)
    draft.holds(f"{label}: the cost", result.total_completion, "=", cost)


def _bounded(draft: Draft, p: Parameters) -> None:
    t, player = p["t"], NON_CLAIRVOYANT[p["scheduler"]]
    draft.describe(
        f"{player.name} on the families that no single order survives: its ratio to OPT stays "
        "bounded while t grows."
    )
    draft.fact("scheduler", player.name)
    _at_most(draft, player, "A", mixed(t, 1, t), wide_first_cost(t, 1, t))
    many, more = t**4, t**3
    _at_most(draft, player, "B", mixed(t, many, more), thin_first_cost(t, many, more))


def _at_most(
    draft: Draft, player: KillScheduler, name: str, instance: Instance, optimum: int
) -> None:
    """Compare with an upper bound on OPT, so that the ratio is not flattered."""
    result = replay(instance, play(player, instance).schedule)
    draft.holds(f"{name}: feasible", int(result.feasible), "=", 1)
    draft.fact(f"{name}: sum of completion times", result.total_completion)
    draft.fact(f"{name}: ratio", Fraction(result.total_completion, optimum))
    # 49 is FairShare's proved ratio; Route is far below its own 896.
    draft.holds(f"{name}: at most 49", result.total_completion, "<=", 49 * optimum)


FAMILIES = (
    Family("priority-orders", _orders, tuple({"t": t} for t in range(1, 9))),
    Family(
        "orders-bounded",
        _bounded,
        tuple({"scheduler": s, "t": t} for s in (0, 4) for t in range(2, 9)),
    ),
)
