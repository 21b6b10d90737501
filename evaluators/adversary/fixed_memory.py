"""Unbounded ratio at fixed M >= 7 (tight-sharp.md section 5): bin packing, all outputs are 1.

Round 0 brings two kinds, x and y.  After N rounds the rule has either too many y left or too many
requests in all; the branch releases fillers (c or d) that fit exactly beside the other kind, and
then one request of size M per round once the comparator is done, so that the rule's backlog is paid
in every one of those rounds.  Sizes are s + 1, the units held in the single round; TEL in rounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..model import Instance, Request, Schedule, require_int
from .branches import Branch, Comparator


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes of the kinds x, y, c = M - x, d = M - y, and `per_round` = how many x fill a round.

    Used (and checked by tests): c + x = d + y = M; 2c, 2d, c + y, d + 2x, 3y, 2y + x > M for M = 7
    and M >= 9.  For M = 8 the counts differ: 2y + x = M, and a round beside d holds 1 request.
    """

    x: int
    y: int
    c: int
    d: int
    per_round: int

    @classmethod
    def of(cls, memory: int) -> Sizes:
        """Return the sizes for M >= 7; raises InputError below."""
        require_int(memory, "memory", 7)
        if memory == 8:
            return cls(2, 3, 6, 5, 4)
        x = memory // 3
        y = x + (2 if memory % 3 == 2 else 1)
        return cls(x, y, memory - x, memory - y, 3)


@dataclass(frozen=True, slots=True)
class Lag:
    """State of a schedule after N rounds: y-requests done, requests done in all, and the lags.

    `c` and `d` bound from below how many rounds it is behind at the end of branch C and D:
    (2N - y_done) / 2 and (#x - done) / per_round.  One of them is at least N/5.
    """

    y_done: int
    done: int
    c: Fraction
    d: Fraction


@dataclass(frozen=True, slots=True)
class FixedMemoryFamily:
    """Parameters M >= 7, scale N >= 1 and the length T >= 1 of the final stream.

    With the default T = 17N^2 (M = 8: 50N^2) both branches have n = 17N^2 + 8N (50N^2 + 10N)
    requests and every rule has ratio >= N/10, hence >= sqrt(n)/50 (sqrt(n)/78).
    """

    memory: int
    scale: int
    stream: int
    name: str = "fixed-memory"

    @classmethod
    def of(cls, memory: int, scale: int, stream: int | None = None) -> FixedMemoryFamily:
        """Check the parameters; raises InputError."""
        Sizes.of(memory)
        require_int(scale, "N", 1)
        length = (50 if memory == 8 else 17) * scale**2 if stream is None else stream
        return cls(memory, scale, require_int(length, "T", 1))

    @property
    def sizes(self) -> Sizes:
        """Sizes of the kinds."""
        return Sizes.of(self.memory)

    @property
    def x_count(self) -> int:
        """Number of x (3N, for M = 8: 4N); also the number of c in branch C.  There are 2N y."""
        return self.sizes.per_round * self.scale

    @property
    def requests(self) -> int:
        """Number n of requests of each branch."""
        return 2 * self.x_count + 2 * self.scale + self.stream

    def opening(self) -> Instance:
        """Return phase 1: the x (ids from 0) and the y, all in round 0."""
        return Instance.of(self.memory, self._opening())

    def claim(self) -> Fraction:
        """Return T (N/5) / (cost + T), cost that of branch C; at least N/10 with the default T."""
        return Fraction(self.stream * self.scale, 5 * (self.cost_c() + self.stream))

    def cost_c(self) -> int:
        """TEL of branch C's comparator before the stream: 13N^2 + 4N, for M = 8 21N^2 + 5N."""
        n = self.scale
        return 21 * n * n + 5 * n if self.memory == 8 else 13 * n * n + 4 * n

    def cost_d(self) -> int:
        """TEL of branch D's comparator before the stream: (15N^2 + 7N)/2, for M = 8 8N^2 + 4N."""
        n = self.scale
        return 8 * n * n + 4 * n if self.memory == 8 else (15 * n * n + 7 * n) // 2

    def lag(self, starts: Mapping[int, int]) -> Lag:
        """Account for the opening's requests that are started (hence done) in rounds 0..N-1."""
        done = [i for i in range(self.x_count + 2 * self.scale) if starts[i] < self.scale]
        y_done = sum(1 for i in done if i >= self.x_count)
        return self.lag_of(y_done, len(done))

    def lag_of(self, y_done: int, done: int) -> Lag:
        """Return the lags after `done` requests, `y_done` of kind y, in the first N rounds."""
        behind_c = Fraction(2 * self.scale - y_done, 2)
        return Lag(y_done, done, behind_c, Fraction(self.x_count - done, self.sizes.per_round))

    def worst_lag(self) -> Fraction:
        """Return the least max(lag C, lag D) over everything that N rounds can do, exactly.

        O(N^3) over the reachable numbers of x and y done; the proof says that it is >= N/5.
        """
        reachable = {(0, 0)}
        for _ in range(self.scale):
            reachable = {
                (min(x + i, self.x_count), min(y + j, 2 * self.scale))
                for x, y in reachable
                for i, j in self._fillings()
            }
        lags = (self.lag_of(y, x + y) for x, y in reachable)
        return min(max(lag.c, lag.d) for lag in lags)

    def answer(self, starts: Mapping[int, int]) -> Sequence[Branch]:
        """Return the branch in which the rule lags more (C on a tie)."""
        lag = self.lag(starts)
        return [self.branch_c(lag.c) if lag.c >= lag.d else self.branch_d(lag.d)]

    def branch_c(self, lag: Fraction) -> Branch:
        """Return branch C: `x_count` c's in round N, then T stream requests."""
        n, first = self.scale, self._first_filler
        fillers = [Request(first + i, n, self.sizes.c - 1, 1) for i in range(self.x_count)]
        starts = {self.x_count + i: i // 2 for i in range(2 * n)}
        starts |= {i: n + i for i in range(self.x_count)}
        starts |= {first + i: n + i for i in range(self.x_count)}
        stream = self._stream(first + self.x_count, n + self.x_count, self.stream)
        return self._branch("C", [*fillers, *stream], starts, self.cost_c(), lag)

    def branch_d(self, lag: Fraction) -> Branch:
        """Return branch D: 2N d's in round N, then a stream longer by `x_count` - 2N."""
        n, sizes, first = self.scale, self.sizes, self._first_filler
        fillers = [Request(first + i, n, sizes.d - 1, 1) for i in range(2 * n)]
        starts = {i: i // sizes.per_round for i in range(self.x_count)}
        starts |= {self.x_count + i: n + i for i in range(2 * n)}
        starts |= {first + i: n + i for i in range(2 * n)}
        stream = self._stream(first + 2 * n, 3 * n, self.stream + self.x_count - 2 * n)
        return self._branch("D", [*fillers, *stream], starts, self.cost_d(), lag)

    @property
    def _first_filler(self) -> int:
        """Id after those of the opening."""
        return self.x_count + 2 * self.scale

    def _stream(self, first: int, release: int, length: int) -> list[Request]:
        """Return one request of size M per round, from `release` on."""
        return [Request(first + i, release + i, self.memory - 1, 1) for i in range(length)]

    def _branch(
        self, name: str, later: list[Request], starts: dict[int, int], cost: int, lag: Fraction
    ) -> Branch:
        """Complete the comparator by the stream, which it serves at once.

        In each round of the stream at least lag + 1 requests of any rule are unfinished.
        """
        stream = [request for request in later if request.id not in starts]
        starts = starts | {request.id: request.arrival for request in stream}
        instance = Instance.of(self.memory, [*self._opening(), *later])
        unfinished = max(1, -(-lag.numerator // lag.denominator) + 1)
        comparator = Comparator("hindsight", Schedule(starts), cost + len(stream))
        return Branch(name, instance, self.scale, unfinished * len(stream), (comparator,))

    def _opening(self) -> Iterator[Request]:
        sizes = self.sizes
        for i in range(self.x_count):
            yield Request(i, 0, sizes.x - 1, 1)
        for i in range(2 * self.scale):
            yield Request(self.x_count + i, 0, sizes.y - 1, 1)

    def _fillings(self) -> list[tuple[int, int]]:
        """Return how many x and y a round can hold: the most x for each number of y."""
        sizes = self.sizes
        return [
            ((self.memory - j * sizes.y) // sizes.x, j) for j in range(self.memory // sizes.y + 1)
        ]
