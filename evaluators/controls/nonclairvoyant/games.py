"""Lower bounds for every deterministic non-clairvoyant scheduler with kills.

The serial games by exact dynamic programming, and two adversaries played against each of our
schedulers (nonclairvoyant-sharp.md section 3; second-reading-svf-nonclairvoyant.md section 4).
"""

from __future__ import annotations

from fractions import Fraction

from ...adversary.serial_game import serial_value
from ...adversary.serial_play import last_to_start, three_minus, three_minus_bound
from ...model import Instance, Schedule
from ...replay import replay
from ..draft import Draft, Family, Parameters
from .players import NON_CLAIRVOYANT, maker, play

# Grid, requests, p, q: no scheduler guarantees p/q ("exceeded"), or one does exactly ("value").
_GAMES: tuple[tuple[tuple[int, ...], int, int, int, str], ...] = (
    ((1, 2), 2, 5, 4, "value"),
    ((1, 2, 3), 2, 7, 5, "value"),
    ((1, 2, 3, 4), 2, 3, 2, "value"),
    (tuple(range(1, 7)), 2, 8, 5, "value"),
    (tuple(range(1, 13)), 2, 7, 4, "value"),
    (tuple(range(1, 33)), 2, 71, 38, "value"),
    ((1, 2, 4, 8, 16, 32, 64), 2, 9, 5, "value"),
    ((2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128), 3, 7, 3, "value"),
    ((2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96), 4, 62, 25, "exceeded"),
    ((1, 2, 3, 5, 8, 13, 21, 34, 55, 89), 5, 249, 100, "exceeded"),
    ((2, 3, 4, 6, 8, 12, 16, 24, 32), 6, 5, 2, "exceeded"),
    ((1, 2, 3, 5, 8, 13, 21, 34), 8, 66, 25, "exceeded"),
    ((1, 2, 3, 5, 8, 13, 21, 34, 55), 8, 8, 3, "exceeded"),
)
# Ten requests take half a minute: they stay in the long tests.
TEN = ((1, 2, 3, 5, 8, 13, 21, 34), 10, 68, 25)


def _game(draft: Draft, p: Parameters) -> None:
    grid, n, top, bottom, word = _GAMES[p["case"]]
    draft.describe(
        f"Serial game: {n} requests with prompt {grid[-1]}, M = {2 * grid[-1]}, outputs in "
        f"{list(grid)}: the value of {bottom} ALG - {top} OPT over all schedulers with kills."
    )
    draft.fact("grid", [*grid])
    draft.fact("requests", n)
    draft.fact("ratio", Fraction(top, bottom))
    value = serial_value(grid, n, top, bottom)
    draft.fact("value", value)
    draft.holds("the ratio is forced", value, "=" if word == "value" else ">", 0)


def _three(draft: Draft, p: Parameters) -> None:
    player = NON_CLAIRVOYANT[p["scheduler"]]
    n, first, size = p["n"], p["first"], p["size"]
    draft.describe(
        f"The adversary of 3 - 2/(n+1) - eps against {player.name}: prompts K, M = 2K; outputs are "
        "fixed after watching the scheduler while nobody completes "
        "(second-reading-svf-nonclairvoyant.md section 4a)."
    )
    case, instance = three_minus(maker(player), n, first, size)
    run = play(player, instance)
    result = replay(instance, run.schedule)
    draft.fact("scheduler", player.name)
    draft.fact("case", case)
    draft.holds("the run is feasible", int(result.feasible), "=", 1)
    optimum = _serial_optimum([request.output for request in instance.requests])
    draft.fact("sum of completion times", result.total_completion)
    draft.fact("OPT", optimum)
    draft.fact("ratio", Fraction(result.total_completion, optimum))
    bound = three_minus_bound(case, n, first, size)
    draft.fact("bound", bound)
    draft.holds("the adversary's bound", Fraction(result.total_completion, optimum), ">=", bound)


def _serial_optimum(outputs: list[int]) -> int:
    """Return OPT where no two requests fit together: one by one, the shortest first."""
    clock = cost = 0
    for output in sorted(outputs):
        clock += output
        cost += clock
    return cost


def _makespan(draft: Draft, p: Parameters) -> None:
    player = NON_CLAIRVOYANT[p["scheduler"]]
    m = p["m"]
    draft.describe(
        f"Makespan 2 - 1/m against {player.name}: m(m-1)+1 requests, s = m^2, M = m(s+m), the last "
        "one to receive a round has output m, all others 1 (nonclairvoyant-sharp.md section 3)."
    )
    instance = last_to_start(maker(player), m)
    run = play(player, instance)
    result = replay(instance, run.schedule)
    draft.fact("scheduler", player.name)
    draft.fact("makespan", result.makespan)
    draft.holds("the run is feasible", int(result.feasible), "=", 1)
    draft.holds("makespan >= 2m - 1", result.makespan, ">=", 2 * m - 1)
    long = max(instance.requests, key=lambda request: request.output)
    draft.holds("OPT >= m", long.output, "=", m)
    # The long one beside m - 1 short ones a round: m^2 - m short ones in m rounds.
    shorts = [r for r in instance.requests if r.id != long.id]
    starts = {long.id: 0} | {r.id: i // (m - 1) for i, r in enumerate(shorts)}
    best = _judged(draft, instance, starts)
    draft.holds("OPT = m", best, "=", m)


def _judged(draft: Draft, instance: Instance, starts: dict[int, int]) -> int:
    result = replay(instance, Schedule(starts))
    draft.holds("the other schedule is feasible", int(result.feasible), "=", 1)
    return result.makespan


_PLAYERS = range(len(NON_CLAIRVOYANT))

FAMILIES = (
    Family("serial-game", _game, tuple({"case": case} for case in range(len(_GAMES)))),
    Family(
        "three-minus",
        _three,
        tuple(
            {"scheduler": scheduler, "n": n, "first": 30 * n, "size": 60 * n * n}
            for scheduler in _PLAYERS
            for n in (3, 4, 6)
        ),
    ),
    Family(
        "makespan-two",
        _makespan,
        tuple({"scheduler": scheduler, "m": m} for scheduler in _PLAYERS for m in (2, 3, 5, 8)),
    ),
)
