# ruff: noqa: C901, PLR0912, PLR0915 (one function per kernel: numba compiles it whole)
"""The engine compiled by numba: the rules of `engine_plain.py`, on 64-bit integers.

Running requests lie sorted by their end in ends[lo:hi]; a run with base s + first - b = block q + r
holds block (q + ceil((r + u) / block)) in round u, so the sum of the q and the counts per residue r
give the occupancy of any round.  With the head rule the queue is a binary heap of ranks.  With the
skip rule it is a segment tree over ranks that holds, below each node and for each class 2^c <= o <
2^(c+1) of outputs, the smallest prompt: a request that is no longer and no larger fits wherever
another fits, so a node is opened only if (smallest prompt, 2^c) fits for some class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from .engine_problem import EXACT, PROMPT_ONLY, WEIGHTS, Problem, Runs

Array = npt.NDArray[np.int64]
ABSENT = 2**62

# Scalars of the running set: its first and last place, sum of quotients, sum of weights.
LO, HI, QUOTIENTS, RESERVED = range(4)


class Data(NamedTuple):
    """The problem as arrays; `settings` = memory, first, block, mode, cap, latest, last round."""

    settings: Array
    arrival: Array
    prompt: Array
    output: Array
    weight: Array
    rank: Array
    order: Array


MEMORY, FIRST, BLOCK, MODE, CAP, LATEST, LAST_ROUND = range(7)


class Live(NamedTuple):
    """The running set: ends (sorted), bases and positions; counts per residue and a copy."""

    ends: Array
    bases: Array
    jobs: Array
    counts: Array
    left: Array
    scalars: Array


class Tree(NamedTuple):
    """Segment tree over ranks, root 1, leaves from `len(smallest) // 2` on.

    `smallest[node, c]` is the smallest prompt (or weight) below the node in output class c,
    `room[c]` the largest that (.., 2^c) may have now; `stack` is working space.
    """

    smallest: Array
    room: Array
    stack: Array


def run_compiled(problem: Problem) -> Runs | None:
    """Run the problem; None if the numbers do not fit into 64 bits."""
    if not problem.arrival:
        return Runs([], [])
    if not problem.fits_int64:
        return None
    data = _data(problem)
    if problem.mode == PROMPT_ONLY:
        count, attempts = _run_with_kills(data, problem.skip)
        if count < 0:
            return None
        rows = attempts[:count].tolist()
        return Runs([], [(i, b, rounds, bool(done)) for i, b, rounds, done in rows])
    run = _run_skip if problem.skip else _run_head
    return Runs(run(data).tolist(), [])


def _data(p: Problem) -> Data:
    settings = [p.memory, p.first, p.block, p.mode, p.cap, int(p.latest), p.last_safe_round]
    columns = (settings, p.arrival, p.prompt, p.output, p.weight, p.rank, p.order)
    return Data(*(np.array(column, dtype=np.int64) for column in columns))


# The running set.


@njit(cache=True)
def _new_live(n, block):  # type: ignore[no-untyped-def]
    return Live(
        np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64),
        np.zeros(block, np.int64), np.empty(block, np.int64), np.zeros(4, np.int64),
    )  # fmt: skip


@njit(cache=True)
def _held(counts, quotients, block, u):  # type: ignore[no-untyped-def]
    """Units held in round u by runs with these counts per residue."""
    if block == 1:
        return quotients + counts[0] * u
    total = quotients
    for r in range(block):
        if counts[r]:
            total += counts[r] * ((r + u + block - 1) // block)
    return block * total


@njit(cache=True)
def _add(live, data, i, t):  # type: ignore[no-untyped-def]
    """Start request i in round t; the arrays are moved down when they are full."""
    ends, bases, jobs, scalars = live.ends, live.bases, live.jobs, live.scalars
    lo, hi = scalars[LO], scalars[HI]
    if hi == len(ends):
        for k in range(hi - lo):
            ends[k], bases[k], jobs[k] = ends[lo + k], bases[lo + k], jobs[lo + k]
        lo, hi = 0, hi - lo
        scalars[LO] = 0
    end = t + data.output[i]
    base = data.prompt[i] + data.settings[FIRST] - t
    k = hi
    while k > lo and ends[k - 1] > end:
        ends[k], bases[k], jobs[k] = ends[k - 1], bases[k - 1], jobs[k - 1]
        k -= 1
    ends[k], bases[k], jobs[k] = end, base, i
    scalars[HI] = hi + 1
    block = data.settings[BLOCK]
    scalars[QUOTIENTS] += base // block
    scalars[RESERVED] += data.weight[i]
    live.counts[base % block] += 1


@njit(cache=True)
def _remove(live, data, k):  # type: ignore[no-untyped-def]
    """Remove the run in place k; in place LO this moves nothing."""
    ends, bases, jobs, scalars = live.ends, live.bases, live.jobs, live.scalars
    block = data.settings[BLOCK]
    scalars[QUOTIENTS] -= bases[k] // block
    scalars[RESERVED] -= data.weight[jobs[k]]
    live.counts[bases[k] % block] -= 1
    while k > scalars[LO]:
        ends[k], bases[k], jobs[k] = ends[k - 1], bases[k - 1], jobs[k - 1]
        k -= 1
    scalars[LO] += 1


@njit(cache=True)
def _release(live, data, t):  # type: ignore[no-untyped-def]
    """Remove what has ended by round t; return how many."""
    scalars = live.scalars
    before = scalars[LO]
    while scalars[LO] < scalars[HI] and live.ends[scalars[LO]] <= t:
        _remove(live, data, scalars[LO])
    return scalars[LO] - before


@njit(cache=True)
def _earliest(live, data, s, o, t, limit):  # type: ignore[no-untyped-def]
    """Least start >= t of (s, o) beside the running ones; any value >= limit if none is below."""
    ends, bases, left, scalars = live.ends, live.bases, live.left, live.scalars
    settings = data.settings
    memory, block, first = settings[MEMORY], settings[BLOCK], settings[FIRST]
    if settings[MODE] == WEIGHTS:  # s is the weight
        reserved = scalars[RESERVED]
        k = scalars[LO]
        while reserved + s > memory:
            t = ends[k]
            if t >= limit:
                return t
            reserved -= data.weight[live.jobs[k]]
            k += 1
        return t
    peak = -(-(s + o - 1 + first) // block) * block
    quotients = scalars[QUOTIENTS]
    for r in range(block):
        left[r] = live.counts[r]
    before = t
    for k in range(scalars[LO], scalars[HI]):
        end = ends[k]
        room = memory - _held(left, quotients, block, end - 1)
        if room < peak and before < end:
            # Its own last round u = start + o - 1 may not lie in the full end of the piece.
            u, above = before, end - 1
            while u < above:
                middle = (u + above) // 2
                if _held(left, quotients, block, middle) + peak > memory:
                    above = middle
                else:
                    u = middle + 1
            if u + 1 - o > t:
                return t
            t = max(t, end - o + 1)
        if end - o > t:
            return t
        # In round end - 1 it holds at most `room` iff its age there is small enough.
        age = room // block * block - s - first
        t = max(t, min(end, end - 1 - age))
        if t >= limit:
            return t
        quotients -= bases[k] // block
        left[bases[k] % block] -= 1
        before = end
    return t


# The heap of ranks.


@njit(cache=True)
def _push(heap, size, rank):  # type: ignore[no-untyped-def]
    k = size
    while k > 0 and heap[(k - 1) // 2] > rank:
        heap[k] = heap[(k - 1) // 2]
        k = (k - 1) // 2
    heap[k] = rank
    return size + 1


@njit(cache=True)
def _pop(heap, size):  # type: ignore[no-untyped-def]
    size -= 1
    last = heap[size]
    k = 0
    while 2 * k + 1 < size:
        child = 2 * k + 1
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= last:
            break
        heap[k] = heap[child]
        k = child
    heap[k] = last
    return size


# The segment tree over ranks.


@njit(cache=True)
def _class_of(data, i):  # type: ignore[no-untyped-def]
    """Output class of request i; without look-ahead all are in one."""
    if data.settings[MODE] != EXACT:
        return 0
    c, o = 0, data.output[i]
    while o > 1:
        o //= 2
        c += 1
    return c


@njit(cache=True)
def _new_tree(data, n):  # type: ignore[no-untyped-def]
    leaves = 1
    while leaves < n:
        leaves *= 2
    classes = 1
    for i in range(n):
        classes = max(classes, _class_of(data, i) + 1)
    return Tree(
        np.full((2 * leaves, classes), ABSENT, np.int64),
        np.empty(classes, np.int64),
        np.empty(128, np.int64),
    )


@njit(cache=True)
def _set_leaf(tree, data, i, size):  # type: ignore[no-untyped-def]
    """Let request i wait with this size, or (ABSENT) wait no more."""
    smallest, c = tree.smallest, _class_of(data, i)
    k = len(smallest) // 2 + data.rank[i]
    smallest[k, c] = size
    k //= 2
    while k:
        value = min(smallest[2 * k, c], smallest[2 * k + 1, c])
        if smallest[k, c] == value:
            break
        smallest[k, c] = value
        k //= 2


@njit(cache=True)
def _set_rooms(tree, live, data, t):  # type: ignore[no-untyped-def]
    """Set `room`: the largest sizes that fit in round t."""
    settings, scalars, room = data.settings, live.scalars, tree.room
    memory, block, mode = settings[MEMORY], settings[BLOCK], settings[MODE]
    if mode == WEIGHTS:
        room[0] = memory - scalars[RESERVED]
        return
    quotients, left = scalars[QUOTIENTS], live.left
    for r in range(block):
        left[r] = live.counts[r]
    if mode == PROMPT_ONLY:
        free = memory - _held(left, quotients, block, t)
        room[0] = free // block * block - settings[FIRST]
        return
    k, o, tightest = scalars[LO], 1, ABSENT
    for c in range(len(room)):
        # Completions by t + o stop every longer request as well; its own last round only this one.
        while k < scalars[HI] and live.ends[k] <= t + o:
            free = memory - _held(left, quotients, block, live.ends[k] - 1)
            size = free // block * block - settings[FIRST] - (live.ends[k] - 1 - t)
            tightest = min(tightest, size)
            quotients -= live.bases[k] // block
            left[live.bases[k] % block] -= 1
            k += 1
        free = memory - _held(left, quotients, block, t + o - 1)
        room[c] = min(tightest, free // block * block - settings[FIRST] - (o - 1))
        o *= 2


@njit(cache=True)
def _first_fit(tree, live, data, t, start):  # type: ignore[no-untyped-def]
    """First rank >= start whose request fits in round t; -1 if none."""
    smallest, room, stack = tree.smallest, tree.room, tree.stack
    leaves = len(smallest) // 2
    _set_rooms(tree, live, data, t)
    stack[0], depth = 1, 1
    while depth:
        depth -= 1
        k = stack[depth]
        last = k
        while last < leaves:
            last = 2 * last + 1
        if last - leaves < start:
            continue
        c = 0
        while c < len(room) and smallest[k, c] > room[c]:
            c += 1
        if c == len(room):
            continue
        if k < leaves:
            stack[depth], stack[depth + 1] = 2 * k + 1, 2 * k
            depth += 2
            continue
        i = data.order[k - leaves]
        if data.settings[MODE] != EXACT:
            return k - leaves
        if _earliest(live, data, smallest[k, c], data.output[i], t, t + 1) == t:
            return k - leaves
    return -1


@njit(cache=True)
def _next_fit(tree, live, data, t, limit):  # type: ignore[no-untyped-def]
    """Least round in t..limit in which a waiting request fits, `limit` if none before."""
    smallest, stack = tree.smallest, tree.stack
    leaves, classes = len(smallest) // 2, len(tree.room)
    stack[0], depth = 1, 1
    while depth:
        depth -= 1
        k = stack[depth]
        for c in range(classes):
            size = smallest[k, c]
            if size == ABSENT:
                continue
            o = data.output[data.order[k - leaves]] if k >= leaves else 1 << c
            fit = _earliest(live, data, size, o, t, limit)
            if fit < limit:
                if k >= leaves:
                    limit = fit
                else:
                    stack[depth], stack[depth + 1] = 2 * k + 1, 2 * k
                    depth += 2
                break
    return limit


# The runs.


@njit(cache=True)
def _run_head(data):  # type: ignore[no-untyped-def]
    """Starts by position under the head rule, without kills."""
    settings, arrival = data.settings, data.arrival
    n = len(arrival)
    sizes = data.weight if settings[MODE] == WEIGHTS else data.prompt
    live = _new_live(n, settings[BLOCK])
    scalars = live.scalars
    starts = np.full(n, -1, np.int64)
    heap = np.empty(n, np.int64)
    waiting, arrived, known, fit = 0, 0, -1, 0
    t = arrival[0]
    while True:
        while arrived < n and arrival[arrived] <= t:
            waiting = _push(heap, waiting, data.rank[arrived])
            arrived += 1
        _release(live, data, t)
        full = False
        while waiting:
            if scalars[HI] - scalars[LO] >= settings[CAP]:
                full = True
                break
            i = data.order[heap[0]]
            # What fits first does not change before someone starts.
            if i != known:
                fit = _earliest(live, data, sizes[i], data.output[i], t, ABSENT)
                known = i
            if fit > t:
                break
            waiting = _pop(heap, waiting)
            starts[i] = t
            _add(live, data, i, t)
            known = -1
        if waiting:
            t = live.ends[scalars[LO]] if full else fit
            if arrived < n:
                t = min(t, arrival[arrived])
        elif arrived < n:
            t = arrival[arrived]
        else:
            return starts


@njit(cache=True)
def _run_skip(data):  # type: ignore[no-untyped-def]
    """Starts by position under the skip rule, without kills."""
    settings, arrival = data.settings, data.arrival
    n = len(arrival)
    sizes = data.weight if settings[MODE] == WEIGHTS else data.prompt
    live, tree = _new_live(n, settings[BLOCK]), _new_tree(data, n)
    scalars = live.scalars
    starts = np.full(n, -1, np.int64)
    waiting, arrived, started = 0, 0, 0
    wake = t = arrival[0]  # nobody who waits fits before `wake`
    while started < n:
        new = arrived
        while arrived < n and arrival[arrived] <= t:
            _set_leaf(tree, data, arrived, sizes[arrived])
            arrived += 1
        waiting += arrived - new
        _release(live, data, t)
        full = scalars[HI] - scalars[LO] >= settings[CAP]
        next_arrival = arrival[arrived] if arrived < n else ABSENT
        if t < wake and arrived - new == 1:
            # Only the one that has just arrived can fit.  If it starts, the others fit no earlier.
            i = arrived - 1
            fit = _earliest(live, data, sizes[i], data.output[i], t, wake)
            if fit == t and not full:
                _set_leaf(tree, data, i, ABSENT)
                _add(live, data, i, t)
                starts[i] = t
                started += 1
                waiting -= 1
            else:
                wake = min(wake, live.ends[scalars[LO]] if full else fit)
            t = min(wake, next_arrival)
            continue
        rank = _first_fit(tree, live, data, t, 0)
        while rank >= 0 and scalars[HI] - scalars[LO] < settings[CAP]:
            i = data.order[rank]
            _set_leaf(tree, data, i, ABSENT)
            _add(live, data, i, t)
            starts[i] = t
            started += 1
            waiting -= 1
            # Who did not fit before fits even less now.
            rank = _first_fit(tree, live, data, t, rank + 1)
        wake = ABSENT
        if waiting:
            wake = live.ends[scalars[LO]]
            if settings[MODE] != WEIGHTS and scalars[HI] - scalars[LO] < settings[CAP]:
                wake = _next_fit(tree, live, data, t, wake)
        t = min(wake, next_arrival)
    return starts


@njit(cache=True)
def _record(attempts, count, i, start, rounds, done):  # type: ignore[no-untyped-def]
    if count == len(attempts):
        larger = np.empty((2 * count, 4), np.int64)
        larger[:count] = attempts
        attempts = larger
    attempts[count, 0], attempts[count, 1] = i, start
    attempts[count, 2], attempts[count, 3] = rounds, done
    return attempts


@njit(cache=True)
def _victim(live, data):  # type: ignore[no-untyped-def]
    """Place of the run to preempt: the last by rank, or by (start, rank)."""
    scalars = live.scalars
    best = scalars[LO]
    for k in range(scalars[LO] + 1, scalars[HI]):
        i, j = live.jobs[k], live.jobs[best]
        later = live.ends[k] - data.output[i] - live.ends[best] + data.output[j]
        if not data.settings[LATEST]:
            later = 0
        if later > 0 or (later == 0 and data.rank[i] > data.rank[j]):
            best = k
    return best


@njit(cache=True)
def _run_with_kills(data, skip):  # type: ignore[no-untyped-def]
    """Attempts (position, start, rounds, completed) and their number, -1 if 64 bits may end."""
    settings, arrival = data.settings, data.arrival
    n, memory, block = len(arrival), settings[MEMORY], settings[BLOCK]
    live, tree = _new_live(n, block), _new_tree(data, n if skip else 1)
    scalars, counts = live.scalars, live.counts
    attempts = np.empty((2 * n, 4), np.int64)
    heap = np.empty(n, np.int64)
    made, waiting, arrived, completed = 0, 0, 0, 0
    t = arrival[0]
    while completed < n:
        if t > settings[LAST_ROUND]:
            return -1, attempts
        first = scalars[LO]
        done = _release(live, data, t)
        for k in range(first, first + done):
            i = live.jobs[k]
            o = data.output[i]
            attempts = _record(attempts, made, i, live.ends[k] - o, o, 1)
            made += 1
        completed += done
        while arrived < n and arrival[arrived] <= t:
            if skip:
                _set_leaf(tree, data, arrived, data.prompt[arrived])
                waiting += 1
            else:
                waiting = _push(heap, waiting, data.rank[arrived])
            arrived += 1
        killed = False
        while _held(counts, scalars[QUOTIENTS], block, t) > memory:
            k = _victim(live, data)
            i = live.jobs[k]
            start = live.ends[k] - data.output[i]
            attempts = _record(attempts, made, i, start, t - start, 0)
            made += 1
            _remove(live, data, k)
            if skip:
                _set_leaf(tree, data, i, data.prompt[i])
                waiting += 1
            else:
                waiting = _push(heap, waiting, data.rank[i])
            killed = True
        rank = 0
        while not killed and waiting and scalars[HI] - scalars[LO] < settings[CAP]:
            if skip:
                rank = _first_fit(tree, live, data, t, rank)
                if rank < 0:
                    break
                _set_leaf(tree, data, data.order[rank], ABSENT)
                waiting -= 1
            else:
                room = memory - _held(counts, scalars[QUOTIENTS], block, t)
                rank = heap[0]
                if data.prompt[data.order[rank]] + settings[FIRST] > room // block * block:
                    break
                waiting = _pop(heap, waiting)
            _add(live, data, data.order[rank], t)
        if killed:
            t += 1
            continue
        following = arrival[arrived] if arrived < n else ABSENT
        if scalars[HI] > scalars[LO]:
            # The first overflow before the next completion, or that completion.
            u, above = t + 1, live.ends[scalars[LO]]
            while u < above:
                middle = (u + above) // 2
                if _held(counts, scalars[QUOTIENTS], block, middle) > memory:
                    above = middle
                else:
                    u = middle + 1
            following = min(following, u)
        t = following
    return made, attempts
