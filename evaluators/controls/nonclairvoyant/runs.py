"""Exact small instances with runs and optima: every scheduler of paper 3 and ours.

The runs of FairShare and Rect are also decided by Lean's own recursion (the bridge).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from ...model import Instance, Request
from ...optimum import Objective, optimum
from ...policies.kill_schedulers import KillScheduler
from ...ratios import best_ratio
from ...replay import Replay, replay
from ..draft import Draft, Family, Parameters
from ..seeded import random_instance, seeded_integers
from .players import CLAIRVOYANT, NON_CLAIRVOYANT, play, players

RUNS, RECTANGLES, TRIES = 120, 60, 60
(RECT_PROMPT, RECT_LARGE, RESPONSE, RESPONSE_HALF_STEPS) = players(
    "rect-prompt", "rect-large", "response", "response-half-steps"
)


def proved(player: KillScheduler, instance: Instance, objective: Objective) -> Fraction | None:
    """Return the smallest ratio that is proved for the run, None if nothing is."""
    best = best_ratio(r for r in player.all_ratios(instance) if r.objective == objective)
    return None if best is None else best.value


def prompt_heavy(seed: int, n: int, memory: int) -> Instance:
    """Return n requests with 4 s <= M and 1 <= o <= s (needs M >= 4)."""
    draw = seeded_integers(seed)
    prompts = [1 + next(draw) % (memory // 4) for _ in range(n)]
    shapes = [(s, 1 + next(draw) % s) for s in prompts]
    return _burst(memory, shapes)


def large(seed: int, n: int, memory: int) -> Instance:
    """Return n requests with 4 s > M and s + o <= M (needs M >= 4)."""
    draw = seeded_integers(seed)
    low = memory // 4 + 1
    prompts = [low + next(draw) % (memory - low) for _ in range(n)]
    return _burst(memory, [(s, 1 + next(draw) % (memory - s)) for s in prompts])


def response_heavy(seed: int, n: int, memory: int) -> Instance:
    """Return n requests with s < o and s + o <= M (needs M >= 3)."""
    draw = seeded_integers(seed)
    prompts = [1 + next(draw) % ((memory - 1) // 2) for _ in range(n)]
    return _burst(memory, [(s, s + 1 + next(draw) % (memory - 2 * s)) for s in prompts])


def any_shape(seed: int, n: int, memory: int) -> Instance:
    """Return n requests with s >= 1, o >= 1 and s + o <= M (needs M >= 2)."""
    return random_instance(seed, n, memory, 0)


def _burst(memory: int, shapes: list[tuple[int, int]]) -> Instance:
    return Instance(memory, tuple(Request(i, 0, s, o) for i, (s, o) in enumerate(shapes)))


def _total(
    draft: Draft, player: KillScheduler, instance: Instance, best: int, lean: str = ""
) -> Replay:
    """Judge a run against the optimum and what is proved; store it where Lean decides it."""
    schedule = play(player, instance).schedule
    if lean:
        result = draft.schedule(player.name, instance, schedule, scheduler=lean)
    else:
        result = replay(instance, schedule)
        draft.holds(f"{player.name}: feasible", int(result.feasible), "=", 1)
        draft.fact(f"{player.name}: sum of completion times", result.total_completion)
    bound = proved(player, instance, "tel")
    if bound is not None:
        ratio = Fraction(result.total_completion, best)
        draft.holds(f"{player.name}: proved ratio", ratio, "<=", bound)
    return result


def _makespan(
    draft: Draft, player: KillScheduler, instance: Instance, result: Replay, best: int
) -> None:
    bound = proved(player, instance, "makespan")
    if bound is not None:
        draft.fact(f"{player.name}: makespan", result.makespan)
        draft.holds(f"{player.name}: proved makespan", Fraction(result.makespan, best), "<=", bound)


def _runs(draft: Draft, p: Parameters) -> None:
    draft.describe("A seeded burst: every scheduler with kills, and the clairvoyant ones.")
    instance = draft.instance(any_shape(p["seed"], p["n"], p["memory"]))
    best = draft.optimum(instance).value
    shortest = draft.optimum(instance, objective="makespan").value
    for player in (*NON_CLAIRVOYANT, *CLAIRVOYANT):
        lean = "fair-share" if player.name == "fair-share" else ""
        result = _total(draft, player, instance, best, lean)
        _makespan(draft, player, instance, result, shortest)
        _measure(draft, player, instance, result, best, shortest)


# Theorem of `Results.lean`, and the ratio that it proves where that is not the smallest known.
_THEOREMS: dict[str, tuple[str, Objective, Fraction | None]] = {
    "fair-share": ("fair_share_forty_eight", "tel", Fraction(48)),
    "sixteen": ("sixteen_approximation", "tel", Fraction(16)),
    "area-greedy": ("area_greedy", "tel", None),
    "length-doubling": ("length_doubling", "makespan", Fraction(76, 3)),
    "length-doubling-half-steps": ("length_doubling", "makespan", Fraction(67, 3)),
    "rect-prompt": ("rect_competitive", "tel", Fraction(28)),
    "rect-large": ("rect_competitive", "tel", Fraction(21)),
}


def _measure(
    draft: Draft,
    player: KillScheduler,
    instance: Instance,
    result: Replay,
    best: int,
    shortest: int,
) -> None:
    """Store the runs that theorems of `Results.lean` speak of."""
    if player.name not in _THEOREMS:
        return
    theorem, objective, value = _THEOREMS[player.name]
    bound = value or proved(player, instance, objective)
    assert bound is not None
    cost, least = (result.makespan, shortest) if objective == "makespan" else (result.tel, best)
    draft.measure(theorem, player.name, cost, least, bound, objective)


def _rect(draft: Draft, player: KillScheduler, instance: Instance) -> None:
    draft.describe(f"{player.name} on a seeded burst of its regime, against the exact optimum.")
    draft.instance(instance)
    best = draft.optimum(instance).value
    result = _total(draft, player, instance, best, player.name)
    _measure(draft, player, instance, result, best, best)


def _rect_prompt(draft: Draft, p: Parameters) -> None:
    _rect(draft, RECT_PROMPT, prompt_heavy(p["seed"], p["n"], p["memory"]))


def _rect_large(draft: Draft, p: Parameters) -> None:
    _rect(draft, RECT_LARGE, large(p["seed"], p["n"], p["memory"]))


def _response(draft: Draft, p: Parameters) -> None:
    draft.describe("Response, both cap sequences, on a seeded burst with s < o.")
    instance = draft.instance(response_heavy(p["seed"], p["n"], p["memory"]))
    best = draft.optimum(instance).value
    for player in (RESPONSE, RESPONSE_HALF_STEPS):
        _total(draft, player, instance, best)


Drawn = Callable[[int, int, int], Instance]
# Scheduler, and the bursts on which its theorem speaks.
SEARCHED: tuple[tuple[KillScheduler, Drawn], ...] = (
    *((player, any_shape) for player in (*NON_CLAIRVOYANT, *CLAIRVOYANT)),
    (RECT_PROMPT, prompt_heavy),
    (RECT_LARGE, large),
    (RESPONSE, response_heavy),
    (RESPONSE_HALF_STEPS, response_heavy),
)


def candidates(draw: Drawn, seed: int, tries: int) -> Iterator[Instance]:
    """Yield seeded bursts with n = 1..5 and M = 8..16, some with equal requests."""
    for i in range(tries):
        numbers = seeded_integers(seed + i)
        n, memory = 1 + next(numbers) % 5, 8 + next(numbers) % 9
        found = draw(next(numbers) % 2**30, n, memory)
        if i % 3 == 0:  # families of equal requests are often the worst
            first = found.requests[0]
            found = _burst(memory, [(first.prompt, first.output)] * n)
        yield found


def _search(player: KillScheduler, draw: Drawn, seed: int, tries: int) -> tuple[Fraction, Instance]:
    """Return the largest exact ratio among the candidates, and the first burst that has it."""
    ratios = (
        (Fraction(play(player, instance).total_completion, optimum(instance).value), instance)
        for instance in candidates(draw, seed, tries)
    )
    return max(ratios, key=lambda pair: pair[0])


def _worst(draft: Draft, p: Parameters) -> None:
    player, draw = SEARCHED[p["scheduler"]]
    draft.describe(
        f"The burst on which a seeded search of {p['tries']} found {player.name} farthest from OPT."
    )
    worst, instance = _search(player, draw, p["seed"], p["tries"])
    draft.fact("scheduler", player.name)
    draft.fact("ratio", worst)
    draft.instance(instance)
    result = draft.schedule(player.name, instance, play(player, instance).schedule)
    best = draft.optimum(instance).value
    draft.holds("the ratio", Fraction(result.total_completion, best), "=", worst)
    bound = proved(player, instance, "tel")
    if bound is not None:
        draft.holds("within what is proved", worst, "<=", bound)


# Scheduler of SEARCHED, and a ratio that it does not keep.
_TOO_SMALL = ((0, 6), (4, 30), (8, 4))


def _too_small(draft: Draft, p: Parameters) -> None:
    index, ratio = _TOO_SMALL[p["case"]]
    player, draw = SEARCHED[index]
    draft.describe(
        f"{player.name} is not within {ratio} of OPT.",
        reason="a seeded search finds a burst with a larger exact ratio",
    )
    worst, instance = _search(player, draw, p["seed"], p["tries"])
    draft.instance(instance)
    draft.schedule(player.name, instance, play(player, instance).schedule)
    draft.refuted(f"{player.name} within {ratio}", worst, "<=", ratio)


def _grid(count: int, seed: int, low: int, span: int, most: int) -> tuple[Parameters, ...]:
    return tuple(
        {"seed": seed + i, "n": 1 + i % most, "memory": low + (5 * i) % span} for i in range(count)
    )


FAMILIES = (
    Family("kill-runs", _runs, _grid(RUNS, 9000, 3, 10, 5)),
    Family("rect-prompt-runs", _rect_prompt, _grid(RECTANGLES, 9200, 8, 13, 5)),
    Family("rect-large-runs", _rect_large, _grid(RECTANGLES, 9300, 4, 9, 4)),
    Family("response-runs", _response, _grid(30, 9400, 4, 9, 5)),
    Family(
        "worst-found",
        _worst,
        tuple({"scheduler": i, "seed": 9500, "tries": TRIES} for i in range(len(SEARCHED))),
    ),
    Family(
        "too-small-ratio",
        _too_small,
        tuple({"case": i, "seed": 9500, "tries": TRIES} for i in range(len(_TOO_SMALL))),
        "negative",
    ),
)
