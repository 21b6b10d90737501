"""How much memory is held in each round: conventions and the occupancy profile.

The profile works on events (starts and ends), never on rounds: between two events the set of
active requests is fixed and every one of them only grows, so each piece is largest in its last
round.  Arrays of 64-bit integers are used when no sum can overflow; otherwise Python integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from .model import InputError, require_int

IntArray = npt.NDArray[np.int64]
_SAFE = 2**62


@dataclass(frozen=True, slots=True)
class Convention:
    """Units held by a request of prompt s in its round number `age` = 0, 1, ..., o-1.

    `papers`: s + age + 1 (DESIGN.md section 1, the default everywhere).
    `engine`: s + age, rounded up to whole blocks: what a serving engine such as vLLM allocates.
    `corrupted`: s + age, the off-by-one that paper 1 uses as a negative control; never a model.
    """

    name: str
    first: int
    block: int = 1

    def size(self, prompt: int, age: int) -> int:
        """Units held in round number `age` (0 for the first) by a request of that prompt."""
        return -(-(prompt + age + self.first) // self.block) * self.block

    def peak(self, prompt: int, output: int) -> int:
        """Units held in the last round; the largest, because sizes never shrink."""
        return self.size(prompt, output - 1)


PAPERS = Convention("papers", 1)
CORRUPTED = Convention("corrupted", 0)
DEFAULT_BLOCK = 16


def engine_convention(block: int = DEFAULT_BLOCK) -> Convention:
    """Return the serving-engine convention: peak s + o - 1, rounded up to whole blocks."""
    return Convention("engine", 0, require_int(block, "block", 1))


def convention_named(name: str, block: int = DEFAULT_BLOCK) -> Convention:
    """Return the convention of that name; raises InputError for an unknown one."""
    known = {"papers": PAPERS, "corrupted": CORRUPTED, "engine": engine_convention(block)}
    if name not in known:
        raise InputError("convention", f"must be one of {', '.join(known)}, got {name!r}")
    return known[name]


@dataclass(frozen=True, slots=True)
class Piece:
    """Rounds `first`..`last` without a start or an end inside: `active` requests, units held."""

    first: int
    last: int
    active: int
    held_first: int
    held_last: int


@dataclass(slots=True)
class Profile:
    """Occupancy of a set of runs (start, end, prompt), each active in rounds start..end-1.

    `runs` may be in any order; a run with start >= end is refused.  Times and prompts are
    integers of any size.
    """

    starts: Sequence[int]
    ends: Sequence[int]
    prompts: Sequence[int]
    convention: Convention = PAPERS
    _arrays: tuple[IntArray, IntArray] | None = field(default=None, repr=False, compare=False)

    def at(self, t: int) -> int:
        """Units held in round t, summed run by run in Python integers."""
        size = self.convention.size
        return sum(
            size(s, t - b)
            for b, e, s in zip(self.starts, self.ends, self.prompts, strict=True)
            if b <= t < e
        )

    def peak(self) -> tuple[int, int]:
        """Largest occupancy and the first round that attains it; (0, 0) without runs."""
        if not len(self.starts):
            return 0, 0
        if self._fits_int64():
            bounds, held = self._array_pieces()
            best = int(np.argmax(held))
            value, first, last = int(held[best]), int(bounds[best]), int(bounds[best + 1]) - 1
        else:
            top = max(self.pieces(), key=lambda piece: (piece.held_last, -piece.first))
            value, first, last = top.held_last, top.first, top.last
        return value, _first_reaching(self.at, value, first, last)

    def pieces(self) -> Iterator[Piece]:
        """Yield the pieces between consecutive events, in order of time (gaps included)."""
        for state in self._sweep():
            yield state.piece(state.first)

    def overfull(self, memory: int) -> list[Piece]:
        """Return the parts of pieces in which more than `memory` is held: every such round.

        The vectorised test decides first, so that a feasible schedule costs no Python loop.
        """
        if not len(self.starts):
            return []
        if self._fits_int64() and memory < _SAFE:
            _, held = self._array_pieces()
            if int(held.max()) <= memory:
                return []
        return [
            state.piece(_first_reaching(state.held, memory + 1, state.first, state.last))
            for state in self._sweep()
            if state.held(state.last) > memory
        ]

    def _fits_int64(self) -> bool:
        """Whether no intermediate sum of the array path can leave 64 bits."""
        largest = max(self.ends) + max(self.prompts) + self.convention.block + 2
        nonnegative = min(self.starts) >= 0 and min(self.prompts) >= 0
        return nonnegative and largest * (len(self.starts) + 1) < _SAFE

    def _array_pieces(self) -> tuple[IntArray, IntArray]:
        """Event rounds T, and the occupancy in the last round of each piece T[i]..T[i+1]-1."""
        if self._arrays is not None:
            return self._arrays
        block = self.convention.block
        starts = np.asarray(self.starts, dtype=np.int64)
        ends = np.asarray(self.ends, dtype=np.int64)
        base = np.asarray(self.prompts, dtype=np.int64) + self.convention.first - starts
        bounds = np.sort(np.concatenate([starts, ends]))
        bounds = bounds[np.concatenate([[True], bounds[1:] != bounds[:-1]])]
        last = bounds[1:] - 1
        quotient, residue = np.divmod(base, block)
        held = np.zeros(len(last), dtype=np.int64)
        for r in np.unique(residue):
            chosen = residue == r
            count, total = _active_sums(starts[chosen], ends[chosen], quotient[chosen], last)
            held += total + count * -(-(r + last) // block)
        self._arrays = bounds, held * block
        return self._arrays

    def _sweep(self) -> Iterator[_State]:
        """Walk over the sorted events in Python integers; the state is reused, read it at once."""
        block = self.convention.block
        changes: dict[int, list[tuple[int, int, int]]] = {}
        for b, e, s in zip(self.starts, self.ends, self.prompts, strict=True):
            quotient, residue = divmod(s + self.convention.first - b, block)
            changes.setdefault(b, []).append((1, quotient, residue))
            changes.setdefault(e, []).append((-1, -quotient, residue))
        state = _State(block)
        for state.first, after in pairwise(sorted(changes)):
            state.last = after - 1
            for sign, quotient, residue in changes[state.first]:
                state.change(sign, quotient, residue)
            yield state


@dataclass(slots=True)
class _State:
    """One piece of the sweep, first..last.

    A run with base s + first - b = block * q + r holds block * (q + ceil((r + t) / block)) in
    round t, so the counts per residue r and the sum of the quotients q suffice.
    """

    block: int
    first: int = 0
    last: int = 0
    quotients: int = 0
    counts: dict[int, int] = field(default_factory=dict)

    def change(self, sign: int, quotient: int, residue: int) -> None:
        self.quotients += quotient
        count = self.counts.pop(residue, 0) + sign
        if count:
            self.counts[residue] = count

    def held(self, t: int) -> int:
        steps = sum(count * -(-(r + t) // self.block) for r, count in self.counts.items())
        return self.block * (self.quotients + steps)

    def piece(self, first: int) -> Piece:
        active = sum(self.counts.values())
        return Piece(first, self.last, active, self.held(first), self.held(self.last))


def _first_reaching(held: Callable[[int], int], value: int, first: int, last: int) -> int:
    """First round of first..last, over which `held` never falls, that holds at least `value`."""
    while first < last:
        middle = (first + last) // 2
        if held(middle) >= value:
            last = middle
        else:
            first = middle + 1
    return first


def _active_sums(
    starts: IntArray, ends: IntArray, values: IntArray, rounds: IntArray
) -> tuple[IntArray, IntArray]:
    """For each round: how many runs are active, and the sum of their `values`."""
    begun, begun_sum = _counts_and_sums(starts, values, rounds)
    ended, ended_sum = _counts_and_sums(ends, values, rounds)
    return begun - ended, begun_sum - ended_sum


def _counts_and_sums(
    times: IntArray, values: IntArray, rounds: IntArray
) -> tuple[IntArray, IntArray]:
    order = np.argsort(times, kind="stable")
    prefix = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(values[order])])
    index = np.searchsorted(times[order], rounds, side="right")
    return index.astype(np.int64), prefix[index]
