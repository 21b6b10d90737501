"""The search compiled by numba: the rules of `plain.py`, on arrays of 64-bit integers.

Read `plain.py` first; functions and rules correspond one to one.  The stack is explicit, so that
the search runs in slices: between two slices Python looks at the clock, reports progress and can
be interrupted.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from .problem import Problem

Array = npt.NDArray[np.int64]
LOOKUPS = 64
SAFE = 2**61

# Indices into the array of scalars that survives from slice to slice.
DEPTH, COST, STARTED, END, LIMIT, FOUND, NODES, ENTRIES, POOL = range(9)
DONE, SLICE_OVER, TABLE_FULL = range(3)


@njit(cache=True)
def _earliest(j, x, held, weights, offset, output, memory):  # type: ignore[no-untyped-def]
    o = output[j]
    base = offset[j]
    while True:
        u = o - 1
        while u >= 0 and held[x + u] + weights[base + u] <= memory:
            u -= 1
        if u < 0:
            return x
        x += 1


@njit(cache=True)
def _place(j, t, sign, held, weights, offset, output):  # type: ignore[no-untyped-def]
    base = offset[j]
    for d in range(held.shape[0]):
        for u in range(output[j]):
            held[d, t + u] += sign * weights[d, base + u]


@njit(cache=True)
def _fluid(d, t, end, early, pending, m, held, capacity, volume, lead, space, out):  # type: ignore[no-untyped-def]
    """Completions, in order, of shortest remaining volume first on the free area from t on."""
    # space[0]: jobs by release; space[1]: releases; space[2]: remaining volumes of the available.
    for i in range(m):
        j = pending[i]
        release = early[j] + lead[d, j]
        k = i
        while k > 0 and space[1, k - 1] > release:
            space[1, k] = space[1, k - 1]
            space[0, k] = space[0, k - 1]
            k -= 1
        space[1, k] = release
        space[0, k] = j
    left = space[2]
    available = 0
    arrived = 0
    done = 0
    u = t
    while done < m:
        if available == 0 and space[1, arrived] > u:
            u = space[1, arrived]
        while arrived < m and space[1, arrived] <= u:
            v = volume[d, space[0, arrived]]
            arrived += 1
            if v == 0:
                out[done] = u
                done += 1
                continue
            k = available
            while k > 0 and left[k - 1] < v:
                left[k] = left[k - 1]
                k -= 1
            left[k] = v
            available += 1
        if arrived == m and u >= end:
            total = 0
            while available > 0:
                available -= 1
                total += left[available]
                out[done] = u + (total + capacity - 1) // capacity
                done += 1
            return
        free = capacity - held[d, u]
        u += 1
        while free > 0 and available > 0:
            if left[available - 1] <= free:
                available -= 1
                free -= left[available]
                out[done] = u
                done += 1
            else:
                left[available - 1] -= free
                free = 0


@njit(cache=True)
def _bound(t, early, start, scalars, makespan, held, capacities, volume, lead, output, space):  # type: ignore[no-untyped-def]
    """Lower bound on the value of every completion of this node; stops once it reaches LIMIT."""
    n = len(output)
    pending = space[3]
    best = space[4]
    out = space[5]
    m = 0
    for j in range(n):
        if start[j] < 0:
            pending[m] = j
            c = early[j] + output[j]
            k = m
            while k > 0 and best[k - 1] > c:
                best[k] = best[k - 1]
                k -= 1
            best[k] = c
            m += 1
    end = scalars[END]
    value = _value(best, m, scalars, makespan)
    d = 0
    while d < len(capacities) and value < scalars[LIMIT]:
        _fluid(d, t, end, early, pending, m, held, capacities[d], volume, lead, space, out)
        for k in range(m):
            best[k] = max(best[k], out[k])
        value = _value(best, m, scalars, makespan)
        d += 1
    return value


@njit(cache=True)
def _value(best, m, scalars, makespan):  # type: ignore[no-untyped-def]
    if makespan:
        return max(scalars[END], best[m - 1]) if m else scalars[END]
    total = scalars[COST]
    for k in range(m):
        total += best[k]
    return total


@njit(cache=True)
def _improvable(t, after, start, ready, output, offset, held, weights, memory):  # type: ignore[no-untyped-def]
    """Whether a request could start earlier, in a window that ends in rounds t..after-1."""
    for u in range(t, after):
        for j in range(len(output)):
            x = u + 1 - output[j]
            b = start[j]
            if x < ready[j] or (0 <= b <= x):
                continue
            base = offset[j]
            r = u
            while r >= x:
                own = 0
                if b >= 0 and b <= r < b + output[j]:
                    own = weights[base + r - b]
                if held[r] - own + weights[base + r - x] > memory:
                    break
                r -= 1
            if r < x:
                return True
    return False


@njit(cache=True)
def _hash(mask, size):  # type: ignore[no-untyped-def]
    h = np.int64(0)
    for w in range(len(mask)):
        h = (h ^ mask[w]) * np.int64(-7046029254386353131)
        h ^= (h >> np.int64(29)) & np.int64(0x7FFFFFFFF)
    return h & (size - 1)


@njit(cache=True)
def _dominated(t, depth, mask, scalars, makespan, held, last, entry, heads, entries, masks, pool):  # type: ignore[no-untyped-def]
    """Whether an explored state with the same requests started is at least as good throughout."""
    cost = scalars[COST]
    end = scalars[END]
    seen = 0
    e = heads[_hash(mask, len(heads))]
    while e >= 0 and seen < LOOKUPS:
        same = True
        for w in range(len(mask)):
            if masks[e, w] != mask[w]:
                same = False
        if same:
            seen += 1
            other = entries[e, 1]
            stop = entries[e, 3]
            if entries[e, 2] <= cost and other <= t and not (makespan and stop > end):
                base = entries[e, 4] - other
                u = stop - 1
                while u >= t and pool[base + u] <= held[u]:
                    u -= 1
                if u < t and not (
                    entries[e, 2] == cost and other < t and _waits_for(e, depth, last, entry)
                ):
                    return True
        e = entries[e, 0]
    return False


@njit(cache=True)
def _waits_for(e, depth, last, entry):  # type: ignore[no-untyped-def]
    """Whether entry e is an ancestor that differs from this node only by waiting."""
    while depth >= 0:
        if entry[depth] == e:
            return True
        if last[depth] >= 0:
            return False
        depth -= 1
    return False


@njit(cache=True)
def _remember(t, mask, scalars, held, heads, entries, masks, pool):  # type: ignore[no-untyped-def]
    """Store the state; the caller has made sure that there is room."""
    e = scalars[ENTRIES]
    h = _hash(mask, len(heads))
    entries[e, 0] = heads[h]
    entries[e, 1] = t
    entries[e, 2] = scalars[COST]
    entries[e, 3] = scalars[END]
    entries[e, 4] = scalars[POOL]
    for w in range(len(mask)):
        masks[e, w] = mask[w]
    heads[h] = e
    p = scalars[POOL]
    for u in range(t, scalars[END]):
        pool[p] = held[u]
        p += 1
    scalars[POOL] = p
    scalars[ENTRIES] = e + 1
    return e


@njit(cache=True)
def _search(  # type: ignore[no-untyped-def]
    budget, makespan, scalars, ready, output, twin, capacities, offset, weights, volume, lead,
    held, start, best, mask, times, last, cursor, ends, entry, low, early, space,
    heads, entries, masks, pool,
):  # fmt: skip
    n = len(output)
    memory = capacities[0]
    sizes = weights[0]
    occupied = held[0]
    final = 0
    for j in range(n):
        final = max(final, ready[j])
    stop = scalars[NODES] + budget
    while scalars[DEPTH] >= 0:
        if scalars[NODES] >= stop:
            return SLICE_OVER
        depth = scalars[DEPTH]
        t = times[depth]
        child = depth + 1
        j = cursor[depth] if low[depth] < scalars[LIMIT] else n + 1
        while j < n and (
            start[j] >= 0 or early[depth, j] != t or (twin[j] >= 0 and start[twin[j]] < 0)
        ):
            j += 1
        cursor[depth] = j + 1
        if j < n:
            scalars[NODES] += 1
            _place(j, t, 1, held, weights, offset, output)
            start[j] = t
            mask[j // 62] |= np.int64(1) << np.int64(j % 62)
            scalars[COST] += t + output[j]
            scalars[STARTED] += 1
            ends[child] = scalars[END]
            scalars[END] = max(scalars[END], t + output[j])
            for k in range(n):
                if start[k] < 0:
                    x = early[depth, k]
                    if x == t and k < j:
                        x += 1
                    early[child, k] = _earliest(k, x, occupied, sizes, offset, output, memory)
            value = _bound(
                t, early[child], start, scalars, makespan, held, capacities, volume, lead, output,
                space,
            )  # fmt: skip
            if value < scalars[LIMIT] and scalars[STARTED] == n:
                scalars[LIMIT] = value
                scalars[FOUND] = 1
                best[:] = start
            if value < scalars[LIMIT]:
                times[child] = t
                last[child] = j
                cursor[child] = j + 1
                entry[child] = -1
                low[child] = value
                scalars[DEPTH] = child
            else:
                _undo(j, child, scalars, start, mask, ends, held, weights, offset, output)
            continue
        if j == n:
            # Let round t pass: the next decision is the first round in which something can start.
            cursor[depth] = n + 1
            after = np.int64(2**62)
            moved = False
            for k in range(n):
                if start[k] < 0:
                    x = early[depth, k]
                    if x == t:
                        moved = True
                        x = _earliest(k, t + 1, occupied, sizes, offset, output, memory)
                    early[child, k] = x
                    after = min(after, x)
            idle = scalars[END] <= t and final <= t
            if not idle:
                scalars[NODES] += 1
                value = low[depth]
                if moved:
                    value = _bound(
                        after, early[child], start, scalars, makespan, held, capacities, volume,
                        lead, output, space,
                    )  # fmt: skip
                if (
                    value < scalars[LIMIT]
                    and not _improvable(
                        t, after, start, ready, output, offset, occupied, sizes, memory
                    )
                    and not _dominated(
                        after, depth, mask, scalars, makespan, occupied, last, entry, heads,
                        entries, masks, pool,
                    )
                ):  # fmt: skip
                    room = max(np.int64(0), scalars[END] - after)
                    if scalars[ENTRIES] >= len(entries) or scalars[POOL] + room > len(pool):
                        scalars[NODES] -= 1
                        cursor[depth] = n
                        return TABLE_FULL
                    entry[child] = _remember(
                        after, mask, scalars, occupied, heads, entries, masks, pool
                    )
                    times[child] = after
                    last[child] = -1
                    cursor[child] = 0
                    low[child] = value
                    ends[child] = scalars[END]
                    scalars[DEPTH] = child
                    continue
        # Nothing is left to try here.
        if last[depth] >= 0:
            _undo(last[depth], depth, scalars, start, mask, ends, held, weights, offset, output)
        scalars[DEPTH] = depth - 1
    return DONE


@njit(cache=True)
def _undo(j, depth, scalars, start, mask, ends, held, weights, offset, output):  # type: ignore[no-untyped-def]
    t = start[j]
    _place(j, t, -1, held, weights, offset, output)
    start[j] = -1
    mask[j // 62] ^= np.int64(1) << np.int64(j % 62)
    scalars[COST] -= t + output[j]
    scalars[STARTED] -= 1
    scalars[END] = ends[depth]


@njit(cache=True)
def _insert(order, row, starts, makespan, ready, output, offset, weights, memory):  # type: ignore[no-untyped-def]
    """Start each job of the order at its earliest round given those before; return the value."""
    total = np.int64(0)
    latest = np.int64(0)
    for j in order:
        t = _earliest(j, ready[j], row, weights, offset, output, memory)
        starts[j] = t
        for u in range(output[j]):
            row[t + u] += weights[offset[j] + u]
        total += t + output[j]
        latest = max(latest, t + output[j])
    return latest if makespan else total


@njit(cache=True)
def _incumbent(  # type: ignore[no-untyped-def]
    orders, evaluations, target, makespan, busy, best, held, ready, output, offset, weights, memory
):
    """Best of the given orders, then swaps of two positions as long as they help."""
    n = len(output)
    starts = np.zeros(n, dtype=np.int64)
    value = np.int64(2**62)
    chosen = 0
    for i in range(len(orders)):
        v = _insert(
            orders[i], held.copy(), starts, makespan, ready, output, offset, weights, memory
        )
        v = max(v, busy) if makespan else v
        if v < value:
            value = v
            chosen = i
            best[:] = starts
    order = orders[chosen].copy()
    improved = True
    while improved and evaluations > 0 and value > target:
        improved = False
        for i in range(n):
            for k in range(i + 1, n):
                if evaluations <= 0 or value <= target:
                    return value
                evaluations -= 1
                order[i], order[k] = order[k], order[i]
                v = _insert(
                    order, held.copy(), starts, makespan, ready, output, offset, weights, memory
                )
                v = max(v, busy) if makespan else v
                if v < value:
                    value = v
                    best[:] = starts
                    improved = True
                else:
                    order[i], order[k] = order[k], order[i]
    return value


@njit(cache=True)
def _relink(heads, entries, masks, count):  # type: ignore[no-untyped-def]
    """Rebuild the chains of a table that has moved, in the order of storing."""
    for e in range(count):
        h = _hash(masks[e], len(heads))
        entries[e, 0] = heads[h]
        heads[h] = e


class Search:
    """A resumable search of one problem, TEL (sum of completions, counted from the origin) or
    makespan; the interface is that of `plain.Search`.
    """

    first_states = 1 << 16
    most_states = 1 << 21

    def __init__(self, problem: Problem, *, makespan: bool) -> None:
        n = len(problem.output)
        self.problem = problem
        self.makespan = makespan
        flat = [[x for row in rows for x in row] for rows in problem.weights]
        self._ready = np.array(problem.ready, dtype=np.int64)
        self._output = np.array(problem.output, dtype=np.int64)
        self._twin = np.array(problem.twin, dtype=np.int64)
        self._capacities = np.array(problem.capacities, dtype=np.int64)
        self._weights = np.array(flat, dtype=np.int64)
        self._offset = np.cumsum(self._output) - self._output
        self._volume = np.add.reduceat(self._weights, self._offset, axis=1)
        lead = [[row.count(0) for row in rows] for rows in problem.weights]
        self._lead = np.array(lead, dtype=np.int64)
        self._held = np.zeros((len(flat), problem.horizon + 1), dtype=np.int64)
        if problem.busy:
            self._held[:, : problem.busy] = problem.held
        depth = n + problem.horizon + 2
        self._start = np.full(n, -1, dtype=np.int64)
        self.best = np.full(n, -1, dtype=np.int64)
        self._mask = np.zeros(n // 62 + 1, dtype=np.int64)
        self._frames = np.empty((6, depth), dtype=np.int64)
        self._early = np.empty((depth, n), dtype=np.int64)
        self._space = np.empty((6, n), dtype=np.int64)
        self._scalars = np.zeros(9, dtype=np.int64)
        self._scalars[END] = problem.busy
        self._allocate(min(self.first_states, 4 << min(n, 14)))

    def _allocate(self, states: int) -> None:
        words = len(self._mask)
        self._heads = np.full(states, -1, dtype=np.int64)
        self._entries = np.empty((states, 5), dtype=np.int64)
        self._masks = np.empty((states, words), dtype=np.int64)
        self._pool = np.empty(states * 16, dtype=np.int64)
        self._scalars[ENTRIES] = self._scalars[POOL] = 0

    @property
    def nodes(self) -> int:
        """Children examined so far, over all calls."""
        return int(self._scalars[NODES])

    @property
    def limit(self) -> int:
        """Only values below this are looked for; the value of `best` once something is found."""
        return int(self._scalars[LIMIT])

    @property
    def found(self) -> bool:
        """Whether `best` holds a schedule of value `limit`."""
        return bool(self._scalars[FOUND])

    def root_bound(self) -> int:
        """Lower bound on every schedule's value."""
        self._scalars[LIMIT] = 2**62
        early = self._early[0]
        for j in range(len(early)):
            early[j] = self._first(j)
        t = early.min()
        return int(
            _bound(
                t, early, self._start, self._scalars, self.makespan, self._held, self._capacities,
                self._volume, self._lead, self._output, self._space,
            )
        )  # fmt: skip

    def _first(self, j: int) -> Any:
        return _earliest(
            j, self._ready[j], self._held[0], self._weights[0], self._offset, self._output,
            self._capacities[0],
        )  # fmt: skip

    def incumbent(self, orders: list[list[int]], evaluations: int, target: int) -> int:
        """Fill `best` with a list schedule, improved by at most `evaluations` swaps; its value."""
        value = _incumbent(
            np.array(orders, dtype=np.int64), evaluations, target, self.makespan,
            self.problem.busy, self.best, self._held[0], self._ready, self._output, self._offset,
            self._weights[0], self._capacities[0],
        )  # fmt: skip
        return int(value)

    def schedule(self) -> list[int]:
        """Start of each job in the best schedule found."""
        return [int(b) for b in self.best]

    def begin(self, limit: int) -> None:
        """Start to look for schedules of value below `limit`, from the root."""
        times, last, cursor, ends, entry, low = self._frames
        times[0] = self._early[0].min()
        last[0] = entry[0] = -1
        cursor[0] = low[0] = 0
        ends[0] = self.problem.busy
        self._scalars[DEPTH] = self._scalars[FOUND] = 0
        self._scalars[LIMIT] = limit
        self._scalars[ENTRIES] = self._scalars[POOL] = 0
        self._heads[:] = -1

    def run(self, nodes: int) -> bool:
        """Examine up to `nodes` more children; return whether the search is exhausted."""
        times, last, cursor, ends, entry, low = self._frames
        until = self.nodes + nodes
        while True:
            status = _search(
                until - self.nodes, self.makespan, self._scalars, self._ready, self._output,
                self._twin, self._capacities, self._offset, self._weights, self._volume,
                self._lead, self._held, self._start, self.best, self._mask, times, last, cursor,
                ends, entry, low, self._early, self._space, self._heads, self._entries,
                self._masks, self._pool,
            )  # fmt: skip
            if status != TABLE_FULL:
                return bool(status == DONE)
            self._make_room()

    def _make_room(self) -> None:
        """Enlarge the table of states; once it is as large as allowed, forget all states."""
        states, used = int(self._scalars[ENTRIES]), int(self._scalars[POOL])
        old = self._entries[:states], self._masks[:states], self._pool[:used]
        self._allocate(min(4 * len(self._heads), self.most_states))
        if len(self._entries) > states and len(self._pool) > 2 * used:
            self._entries[:states], self._masks[:states], self._pool[:used] = old
            self._scalars[ENTRIES], self._scalars[POOL] = states, used
            _relink(self._heads, self._entries, self._masks, states)
