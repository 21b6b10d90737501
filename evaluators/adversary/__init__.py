"""Lower-bound families, adaptive play against online rules, and the exact release game.

`burst` (paper 1), `streams` (A1-A4) and `fixed_memory` build branch instances with hindsight
comparators; `play.adversary` runs a causal rule against them; `game` solves small boxes exactly.
"""

from .branches import Branch, Comparator, Family, OneLong
from .burst import BurstFamily
from .fixed_memory import FixedMemoryFamily
from .game import GameResult, game_value
from .play import AdversaryRun, BranchRun, CausalityError, adversary
from .streams import StreamFamily

__all__ = [
    "AdversaryRun",
    "Branch",
    "BranchRun",
    "BurstFamily",
    "CausalityError",
    "Comparator",
    "Family",
    "FixedMemoryFamily",
    "GameResult",
    "OneLong",
    "StreamFamily",
    "adversary",
    "game_value",
]
