"""Main + filler: the causal rule with 3 TEL <= (2n + 9) OPT for every M (tight-sharp.md 1, 2)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..model import Request
from .online import LinearRatio, RipeQueue, Run, earliest, key_of

MAIN_FILLER_RATIO = LinearRatio(Fraction(2, 3), Fraction(3), "tight-sharp.md section 2, B'")


def fits_under(memory: int, main: Run, request: Request, t: int) -> bool:
    """Whether a request started in round t ends by the main's completion and fits beside it.

    Both only grow, so their last common round decides (tight-sharp.md section 1, gap 1).
    """
    last = t + request.output
    return (
        last <= main.end
        and main.request.prompt + last - main.start + request.prompt + request.output <= memory
    )


class MainFillerRule:
    """At most two requests run: a main, and beside it one filler that ends no later.

    A request is ripe from round a + ceil(o/2) on.  In each round, in this order: completions leave;
    if no main runs, the key-smallest ripe request starts as main; if a main runs and no filler, the
    key-smallest ripe request below the main's key that ends by the main's completion and fits
    beside it starts as filler (tight-sharp.md section 1; keys are (output, id)).
    Ratio (2n + 9) / 3: `MAIN_FILLER_RATIO`.
    """

    name = "main-filler"

    def __init__(self, memory: int) -> None:
        self.memory = memory
        self.queue = RipeQueue()
        self.main: Run | None = None
        self.filler: Run | None = None

    def decide(self, t: int, arrived: Sequence[Request]) -> Sequence[int]:
        """Fill the free tracks."""
        for request in arrived:
            self.queue.add(request, request.arrival + (request.output + 1) // 2)
        self.queue.advance(t)
        self._complete(t)
        started = []
        if self.main is None and len(self.queue):
            self.main = self._start(next(iter(self.queue)), t)
            started.append(self.main.request.id)
        if self.main is not None and self.filler is None:
            filler = smallest_filler(self.memory, self.main, self.queue, t)
            if filler is not None:
                self.filler = self._start(filler, t)
                started.append(filler.id)
        return started

    def next_decision(self, _t: int) -> int | None:
        """Return the next completion or ripe round: what does not fit now fits no later."""
        main = self.main.end if self.main else None
        filler = self.filler.end if self.filler else None
        return earliest(main, filler, self.queue.next_ripe())

    def _complete(self, t: int) -> None:
        if self.main is not None and self.main.end <= t:
            self.main = None
        if self.filler is not None and self.filler.end <= t:
            self.filler = None

    def _start(self, request: Request, t: int) -> Run:
        self.queue.take(request)
        return Run(request, t)


def smallest_filler(memory: int, main: Run, queue: RipeQueue, t: int) -> Request | None:
    """Return the key-smallest ripe request below the main's key that fits beside it in round t."""
    for request in queue:
        if key_of(request) >= key_of(main.request) or t + request.output > main.end:
            return None
        if fits_under(memory, main, request, t):
            return request
    return None
