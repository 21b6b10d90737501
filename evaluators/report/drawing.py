"""What a picture shows: the replay, the groups and their colours, the stack of bands."""

from __future__ import annotations

from dataclasses import dataclass

from matplotlib.colors import to_rgb

from ..memory import PAPERS, Convention
from ..model import AttemptSchedule, Instance, Schedule
from ..replay import Replay, replay
from .bands import MAX_SINGLE, Band, Group, Run, group_bands, runs_of, single_bands

# Okabe and Ito's colours, told apart by most people with a colour deficiency.
_COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#999999")
# Light to dark for classes of growing volume (viridis, reversed).
_SEQUENCE = ("#fde725", "#95d840", "#3cbc75", "#238a8d", "#39568c", "#440154")


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn: the replay, the groups, the attempts, and the bands of the stack."""

    result: Replay
    groups: list[Group]
    runs: list[Run]
    bands: list[Band]

    @property
    def shapes(self) -> bool:
        """Whether a group is one shape, rather than a class of volumes."""
        return all(group.shape for group in self.groups)

    @property
    def single(self) -> bool:
        """Whether each attempt has its own band."""
        return len(self.runs) <= MAX_SINGLE


def drawing(
    instance: Instance, schedule: Schedule | AttemptSchedule, convention: Convention = PAPERS
) -> Drawing:
    """Return the exact geometry; infeasible schedules are drawn too, their excess marked."""
    groups, runs = runs_of(instance, schedule)
    few = len(runs) <= MAX_SINGLE
    bands = single_bands(runs, convention) if few else group_bands(runs, len(groups), convention)
    return Drawing(replay(instance, schedule, convention), groups, runs, bands)


def colour(group: int, shown: Drawing) -> str:
    """Return the colour of a group."""
    colours = _COLOURS if shown.shapes else _SEQUENCE
    return colours[group % len(colours)]


def ink(background: str) -> str:
    """Return black or white, whichever is read more easily on the colour."""
    red, green, blue = to_rgb(background)
    return "#000000" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.45 else "#ffffff"
