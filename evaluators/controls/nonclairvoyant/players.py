"""The schedulers of paper 3 and ours, as the controls run them: on bursts, by their names."""

from __future__ import annotations

from collections.abc import Iterable

from ...adversary.serial_play import Maker
from ...model import Instance, Request
from ...policies.kill_schedulers import KILL_SCHEDULERS, KillScheduler
from ...policies.nonclairvoyant.engine import KillPolicy, KillRun, play_kills

_BY_NAME = {scheduler.name: scheduler for scheduler in KILL_SCHEDULERS}


def players(*names: str) -> tuple[KillScheduler, ...]:
    """Return schedulers by their names."""
    return tuple(_BY_NAME[name] for name in names)


NON_CLAIRVOYANT = players(
    "fair-share",
    "fair-share-early",
    "length-doubling",
    "length-doubling-half-steps",
    "route",
    "route-2-4-1",
)
CLAIRVOYANT = players("area-greedy", "split-merge", "sixteen")


def maker(player: KillScheduler) -> Maker:
    """Return how an adversary makes a fresh policy of that scheduler."""

    def make(memory: int, requests: Iterable[Request]) -> KillPolicy:
        return player.policy(Instance(memory, tuple(requests)))

    return make


def play(player: KillScheduler, instance: Instance) -> KillRun:
    """Run a scheduler on a burst."""
    return play_kills(instance.requests, player.policy(instance))
