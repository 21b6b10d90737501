"""The regimes of paper 3 at memory M, with the cutoff M / 4 on the prompt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from ...model import Instance, Request


def is_large(memory: int, prompt: int) -> bool:
    """Whether 4 s > M."""
    return 4 * prompt > memory


def is_prompt_heavy(memory: int, request: Request) -> bool:
    """Whether 4 s <= M and o <= s."""
    return not is_large(memory, request.prompt) and request.output <= request.prompt


def is_response_heavy(memory: int, request: Request) -> bool:
    """Whether 4 s <= M and o > s."""
    return not is_large(memory, request.prompt) and request.output > request.prompt


@dataclass(frozen=True, slots=True)
class Regimes:
    """How many requests are large, prompt-heavy and response-heavy; each is exactly one."""

    large: int
    prompt_heavy: int
    response_heavy: int

    def shares(self) -> tuple[Fraction, Fraction, Fraction]:
        """Return the shares of the three, 0 without requests."""
        total = max(1, self.large + self.prompt_heavy + self.response_heavy)
        counts = self.large, self.prompt_heavy, self.response_heavy
        large, prompt, response = (Fraction(count, total) for count in counts)
        return large, prompt, response

    def text(self) -> str:
        """Return the shares in percent for people, rounded half up."""
        tenths = [(2000 * share + 1) // 2 for share in self.shares()]
        return " / ".join(f"{x // 10}.{x % 10}%" for x in tenths)


def regimes(instance: Instance) -> Regimes:
    """Return the counts for an instance at its memory."""
    memory = instance.memory
    return Regimes(
        _count(is_large(memory, r.prompt) for r in instance.requests),
        _count(is_prompt_heavy(memory, r) for r in instance.requests),
        _count(is_response_heavy(memory, r) for r in instance.requests),
    )


def _count(flags: Iterable[bool]) -> int:
    return sum(flags)
