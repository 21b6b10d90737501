"""The search compiled by numba: the rules of `plain.py`, on arrays of 64-bit integers.

Read `plain.py` first; functions and rules correspond one to one.  The stack is explicit, so that
the search runs in slices: between two slices Python looks at the clock, reports progress and can
be interrupted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from .problem import Problem

Array = npt.NDArray[np.int64]
LOOKUPS = 64
INFINITE = 2**62
# Swaps that leave a local optimum of the list schedules.
SHAKES = 3
# Job numbers per word of the set of started jobs.
WORD = 62

# Scalars that survive from slice to slice.
DEPTH, COST, STARTED, END, LIMIT, FOUND, NODES = range(7)
# Rows of the bounds' working space: pending jobs, lower bounds on the k-th completion, and of
# the fluid relaxation: completions, releases, volumes in order of release, volumes left.
PENDING, EACH, FLUID, RELEASE, VOLUME, LEFT = range(6)
# How a slice ends.
DONE, SLICE_OVER, TABLE_FULL = range(3)
# Columns of a stack frame: its round, the job started to get there (-1: none), the next job to
# try, the end of the activity before, its stored state (-1: none), its lower bound.
ROUND, JOB, CURSOR, END_BEFORE, STATE, LOW = range(6)
# Columns of a stored state: the next one in its chain, round, cost, end, where its memory begins.
NEXT, AT, SPENT, UNTIL, FROM = range(5)


class Jobs(NamedTuple):
    """The problem; `weights[d, offset[j] + age]` and `held[d, u]` as in `Problem`."""

    ready: Array
    output: Array
    twin: Array
    offset: Array
    capacities: Array
    weights: Array
    volume: Array
    lead: Array


class Node(NamedTuple):
    """The current node and the stack above it; `early[depth, j]` is j's earliest start there."""

    scalars: Array
    held: Array
    start: Array
    best: Array
    mask: Array
    frames: Array
    early: Array
    space: Array


class Table(NamedTuple):
    """Stored states in chains by hash; `used` counts states and words of `memory`."""

    heads: Array
    states: Array
    masks: Array
    memory: Array
    used: Array


# Called from one or two places each: inlining them saves the copies of the tuples.
_inlined = njit(cache=True, forceinline=True)

# Taking an array out of a tuple counts a reference, so the innermost loops work on local names.


@_inlined
def _earliest(held, weights, base, o, memory, x):  # type: ignore[no-untyped-def]
    """First round from x on in which a job fits; its sizes are weights[0, base : base + o]."""
    while True:
        age = o - 1
        while age >= 0 and held[0, x + age] + weights[0, base + age] <= memory:
            age -= 1
        if age < 0:
            return x
        x += 1


@_inlined
def _place(jobs, node, j, t, sign):  # type: ignore[no-untyped-def]
    """Add (sign 1) or remove (sign -1) job j started in round t."""
    held, weights, scalars, base, o = (
        node.held, jobs.weights, node.scalars, jobs.offset[j], jobs.output[j],
    )  # fmt: skip
    for d in range(len(held)):
        for age in range(o):
            held[d, t + age] += sign * weights[d, base + age]
    node.start[j] = t if sign > 0 else -1
    node.mask[j // WORD] ^= np.int64(1) << np.int64(j % WORD)
    scalars[COST] += sign * (t + o)
    scalars[STARTED] += sign


# Lower bounds.


@_inlined
def _bound(jobs, node, t, early, makespan):  # type: ignore[no-untyped-def]
    """Lower bound on every completion of this node; stops once it reaches the limit."""
    space, start, scalars, held = node.space, node.start, node.scalars, node.held
    output, lead, volume, capacities = jobs.output, jobs.lead, jobs.volume, jobs.capacities
    m = 0
    for j in range(len(output)):
        if start[j] < 0:
            space[PENDING, m] = j
            c = early[j] + output[j]
            k = m
            while k > 0 and space[EACH, k - 1] > c:
                space[EACH, k] = space[EACH, k - 1]
                k -= 1
            space[EACH, k] = c
            m += 1
    value = _value(scalars, space, m, makespan)
    for d in range(len(capacities)):
        if value >= scalars[LIMIT]:
            break
        _fluid(d, capacities[d], t, scalars[END], early, m, held, lead, volume, space)
        for k in range(m):
            space[EACH, k] = max(space[EACH, k], space[FLUID, k])
        value = _value(scalars, space, m, makespan)
    return value


@_inlined
def _value(scalars, space, m, makespan):  # type: ignore[no-untyped-def]
    """Objective if the m pending jobs complete at the rounds of `EACH`, in increasing order."""
    if makespan:
        return max(scalars[END], space[EACH, m - 1]) if m else scalars[END]
    total = scalars[COST]
    for k in range(m):
        total += space[EACH, k]
    return total


@_inlined
def _fluid(d, capacity, t, end, early, m, held, lead, volume, space):  # type: ignore[no-untyped-def]
    """Completions of the fluid relaxation under the d-th rounding, into the row `FLUID`."""
    for i in range(m):
        j = space[PENDING, i]
        r = early[j] + lead[d, j]
        k = i
        while k > 0 and space[RELEASE, k - 1] > r:
            space[RELEASE, k] = space[RELEASE, k - 1]
            space[VOLUME, k] = space[VOLUME, k - 1]
            k -= 1
        space[RELEASE, k] = r
        space[VOLUME, k] = volume[d, j]
    available = arrived = done = 0
    u = t
    while done < m:
        if available == 0 and space[RELEASE, arrived] > u:
            u = space[RELEASE, arrived]
        while arrived < m and space[RELEASE, arrived] <= u:
            v = space[VOLUME, arrived]
            arrived += 1
            if v == 0:
                space[FLUID, done] = u
                done += 1
                continue
            k = available
            while k > 0 and space[LEFT, k - 1] < v:  # descending: the smallest is last
                space[LEFT, k] = space[LEFT, k - 1]
                k -= 1
            space[LEFT, k] = v
            available += 1
        if arrived == m and u >= end:
            total = 0
            while available > 0:
                available -= 1
                total += space[LEFT, available]
                space[FLUID, done] = u + (total + capacity - 1) // capacity
                done += 1
            return
        free = capacity - held[d, u]
        u += 1
        while free > 0 and available > 0:
            if space[LEFT, available - 1] <= free:
                available -= 1
                free -= space[LEFT, available]
                space[FLUID, done] = u
                done += 1
            else:
                space[LEFT, available - 1] -= free
                free = 0


# Dominance.


@_inlined
def _improvable(jobs, node, t, after):  # type: ignore[no-untyped-def]
    """Whether a job could start earlier, in a window that ends in one of t..after-1."""
    ready, output, offset, start = jobs.ready, jobs.output, jobs.offset, node.start
    row, sizes, memory = node.held[0], jobs.weights[0], jobs.capacities[0]
    for u in range(t, after):
        for j in range(len(output)):
            x = u + 1 - output[j]
            if x < ready[j] or 0 <= start[j] <= x:
                continue
            if _could_run(row, sizes, memory, offset[j], output[j], start[j], x):
                return True
    return False


@_inlined
def _could_run(row, sizes, memory, base, o, b, x):  # type: ignore[no-untyped-def]
    """Whether a job that starts in b (-1: not yet) could start in x instead."""
    for r in range(x + o - 1, x - 1, -1):
        own = sizes[base + r - b] if 0 <= b <= r < b + o else 0
        if row[r] - own + sizes[base + r - x] > memory:
            return False
    return True


@_inlined
def _hash(mask, size):  # type: ignore[no-untyped-def]
    """Chain of the states in which these jobs are started; `size` is a power of two."""
    h = np.int64(0)
    for word in mask:
        h = (h ^ word) * np.int64(-7046029254386353131)
        h ^= (h >> np.int64(29)) & np.int64(0x7FFFFFFFF)
    return h & (size - 1)


@_inlined
def _dominated(node, table, t, depth):  # type: ignore[no-untyped-def]
    """Whether an explored state with the same jobs started is at least as good throughout."""
    states, masks, memory = table.states, table.masks, table.memory
    scalars, mask, row = node.scalars, node.mask, node.held[0]
    seen = 0
    e = table.heads[_hash(mask, len(table.heads))]
    while e >= 0 and seen < LOOKUPS:
        if _same(masks[e], mask):
            seen += 1
            if _at_least_as_good(states[e], memory, scalars, row, t) and not (
                states[e, SPENT] == scalars[COST] and states[e, AT] < t and _waits(node, depth, e)
            ):
                return True
        e = states[e, NEXT]
    return False


@_inlined
def _same(one, two):  # type: ignore[no-untyped-def]
    """Whether two sets of jobs are equal, word by word."""
    w = len(one) - 1
    while w >= 0 and one[w] == two[w]:
        w -= 1
    return w < 0


@_inlined
def _at_least_as_good(state, memory, scalars, row, t):  # type: ignore[no-untyped-def]
    """Whether a state is no later, no costlier, and holds no more in any round from t on."""
    if state[SPENT] > scalars[COST] or state[AT] > t:
        return False
    base = state[FROM] - state[AT]
    u = state[UNTIL] - 1
    while u >= t and memory[base + u] <= row[u]:
        u -= 1
    return u < t


@_inlined
def _waits(node, depth, e):  # type: ignore[no-untyped-def]
    """Whether state e belongs to the node at `depth` or to one that it only waited from."""
    while depth >= 0:
        if node.frames[depth, STATE] == e:
            return True
        if node.frames[depth, JOB] >= 0:
            return False
        depth -= 1
    return False


@_inlined
def _remember(node, table, t):  # type: ignore[no-untyped-def]
    """Store the state in round t; return its number, or -1 if there is no room."""
    e, p = table.used
    end = node.scalars[END]
    if e >= len(table.states) or p + max(0, end - t) > len(table.memory):
        return np.int64(-1)
    h = _hash(node.mask, len(table.heads))
    table.states[e, NEXT] = table.heads[h]
    table.states[e, AT] = t
    table.states[e, SPENT] = node.scalars[COST]
    table.states[e, UNTIL] = end
    table.states[e, FROM] = p
    table.masks[e] = node.mask
    table.heads[h] = e
    for u in range(t, end):
        table.memory[p] = node.held[0, u]
        p += 1
    table.used[0] = e + 1
    table.used[1] = p
    return e


@njit(cache=True)
def _relink(table):  # type: ignore[no-untyped-def]
    """Rebuild the chains of a table that has moved, in the order of storing."""
    for e in range(table.used[0]):
        h = _hash(table.masks[e], len(table.heads))
        table.states[e, NEXT] = table.heads[h]
        table.heads[h] = e


# The search itself.


@njit(cache=True)
def _search(jobs, node, table, budget, makespan, last_ready):  # type: ignore[no-untyped-def]
    """Go on until the search is exhausted, `budget` more children are examined, or no room."""
    scalars, frames = node.scalars, node.frames
    n = len(jobs.output)
    stop = scalars[NODES] + budget
    while scalars[DEPTH] >= 0:
        if scalars[NODES] >= stop:
            return SLICE_OVER
        depth = scalars[DEPTH]
        t = frames[depth, ROUND]
        j = _next_job(jobs, node, depth, t)
        if j < n:
            frames[depth, CURSOR] = j + 1
            if _start_child(jobs, node, depth, t, j, makespan):
                scalars[DEPTH] = depth + 1
        elif j == n and not (scalars[END] <= t and last_ready <= t):
            frames[depth, CURSOR] = n + 1
            entered = _wait_child(jobs, node, table, depth, t, makespan)
            if entered < 0:
                frames[depth, CURSOR] = n
                return TABLE_FULL
            scalars[DEPTH] = depth + entered
        else:
            _leave(jobs, node, depth)
            scalars[DEPTH] = depth - 1
    return DONE


@_inlined
def _next_job(jobs, node, depth, t):  # type: ignore[no-untyped-def]
    """Next job to start in round t; n: let the round pass; n + 1: nothing is left to try."""
    n = len(jobs.output)
    if node.frames[depth, LOW] >= node.scalars[LIMIT]:
        return n + 1
    start, early, twin = node.start, node.early[depth], jobs.twin
    j = node.frames[depth, CURSOR]
    while j < n and (start[j] >= 0 or early[j] != t or (twin[j] >= 0 and start[twin[j]] < 0)):
        j += 1
    return j


@_inlined
def _start_child(jobs, node, depth, t, j, makespan):  # type: ignore[no-untyped-def]
    """Start job j in round t, and no smaller job number any more; return whether to enter."""
    scalars, child = node.scalars, depth + 1
    scalars[NODES] += 1
    node.frames[child, JOB] = j
    node.frames[child, END_BEFORE] = scalars[END]
    _place(jobs, node, j, t, 1)
    scalars[END] = max(scalars[END], t + jobs.output[j])
    early, before = node.early[child], node.early[depth]
    start, held, weights, memory = node.start, node.held, jobs.weights, jobs.capacities[0]
    offset, output = jobs.offset, jobs.output
    for k in range(len(output)):
        if start[k] < 0:
            x = before[k] + 1 if before[k] == t and k < j else before[k]
            early[k] = _earliest(held, weights, offset[k], output[k], memory, x)
    low = _bound(jobs, node, t, early, makespan)
    if low < scalars[LIMIT] and scalars[STARTED] == len(jobs.output):
        scalars[LIMIT] = low
        scalars[FOUND] = 1
        node.best[:] = node.start
    if low >= scalars[LIMIT]:
        _leave(jobs, node, child)
        return False
    node.frames[child, ROUND] = t
    node.frames[child, CURSOR] = j + 1
    node.frames[child, STATE] = -1
    node.frames[child, LOW] = low
    return True


@_inlined
def _wait_child(jobs, node, table, depth, t, makespan):  # type: ignore[no-untyped-def]
    """Let round t pass, up to the next possible start; 1: enter, 0: cut, -1: no room."""
    scalars, child = node.scalars, depth + 1
    scalars[NODES] += 1
    early, before = node.early[child], node.early[depth]
    start, held, weights, memory = node.start, node.held, jobs.weights, jobs.capacities[0]
    offset, output = jobs.offset, jobs.output
    after = np.int64(INFINITE)
    moved = False
    for k in range(len(output)):
        if start[k] < 0:
            early[k] = before[k]
            if before[k] == t:
                early[k] = _earliest(held, weights, offset[k], output[k], memory, t + 1)
                moved = True
            after = min(after, early[k])
    low = node.frames[depth, LOW]
    if moved:
        low = _bound(jobs, node, after, early, makespan)
    if (
        low >= scalars[LIMIT]
        or _improvable(jobs, node, t, after)
        or _dominated(node, table, after, depth)
    ):
        return 0
    state = _remember(node, table, after)
    if state < 0:
        scalars[NODES] -= 1
        return -1
    node.frames[child, ROUND] = after
    node.frames[child, JOB] = -1
    node.frames[child, CURSOR] = 0
    node.frames[child, STATE] = state
    node.frames[child, LOW] = low
    return 1


@njit(cache=True)
def _root(jobs, node):  # type: ignore[no-untyped-def]
    """Earliest start of each job beside the running requests."""
    for j in range(len(jobs.output)):
        node.early[0, j] = _earliest(
            node.held,
            jobs.weights,
            jobs.offset[j],
            jobs.output[j],
            jobs.capacities[0],
            jobs.ready[j],
        )


@_inlined
def _leave(jobs, node, depth):  # type: ignore[no-untyped-def]
    """Take back the start that led to this frame, if any."""
    j = node.frames[depth, JOB]
    if j >= 0:
        _place(jobs, node, j, node.start[j], -1)
        node.scalars[END] = node.frames[depth, END_BEFORE]


# Incumbents.


@_inlined
def _insert(jobs, order, held, starts, busy, makespan):  # type: ignore[no-untyped-def]
    """Start each job of the order at its earliest round given those before; return the value."""
    total = np.int64(0)
    latest = np.int64(busy)
    ready, offset, output, memory = jobs.ready, jobs.offset, jobs.output, jobs.capacities[0]
    weights = jobs.weights
    for j in order:
        t = _earliest(held, weights, offset[j], output[j], memory, ready[j])
        starts[j] = t
        for age in range(output[j]):
            held[0, t + age] += weights[0, offset[j] + age]
        total += t + output[j]
        latest = max(latest, t + output[j])
    return latest if makespan else total


@njit(cache=True)
def _first_order(jobs, node, orders, order, busy, makespan):  # type: ignore[no-untyped-def]
    """Best of the given orders, into `order` and `node.best`; return its value."""
    starts = np.empty(len(order), dtype=np.int64)
    value = np.int64(INFINITE)
    for i in range(len(orders)):
        other = _insert(jobs, orders[i], node.held[:1].copy(), starts, busy, makespan)
        if other < value:
            value = other
            order[:] = orders[i]
            node.best[:] = starts
    return value


@njit(cache=True)
def _improve(jobs, node, chosen, value, luck, evaluations, target, busy, makespan):  # type: ignore[no-untyped-def]
    """Swap positions of the chosen order as long as it helps, shake, repeat; return the value."""
    n = len(chosen)
    starts = np.empty(n, dtype=np.int64)
    order = chosen.copy()
    current = value
    pairs = n * (n - 1) // 2
    vain = i = 0
    k = 0
    while evaluations > 0 and value > target and pairs > 0:
        if vain == pairs:  # no swap helps: shake the best order
            order[:] = chosen
            for _ in range(SHAKES):
                luck[0] = (luck[0] * 1103515245 + 12345) % 2147483648
                x = luck[0] // 65536 % n
                luck[0] = (luck[0] * 1103515245 + 12345) % 2147483648
                y = luck[0] // 65536 % n
                order[x], order[y] = order[y], order[x]
            current = np.int64(INFINITE)
            vain = 0
        else:
            k += 1
            if k >= n:
                i = i + 1 if i + 2 < n else 0
                k = i + 1
            order[i], order[k] = order[k], order[i]
        evaluations -= 1
        other = _insert(jobs, order, node.held[:1].copy(), starts, busy, makespan)
        if other >= current:
            order[i], order[k] = order[k], order[i]
            vain += 1
            continue
        vain = 0
        current = other
        if current < value:
            value = current
            chosen[:] = order
            node.best[:] = starts
    return value


class Search:
    """A resumable search of one problem; the interface is that of `plain.Search`."""

    first_states = 1 << 16
    most_states = 1 << 20

    def __init__(self, problem: Problem, *, makespan: bool) -> None:
        n = len(problem.output)
        self.problem = problem
        self.makespan = makespan
        self._jobs = _arrays(problem)
        held = np.zeros((len(problem.capacities), problem.horizon + 1), dtype=np.int64)
        if problem.busy:
            held[:, : problem.busy] = problem.held
        depth = n + problem.horizon + 2
        self._node = Node(
            np.zeros(7, dtype=np.int64),
            held,
            np.full(n, -1, dtype=np.int64),
            np.full(n, -1, dtype=np.int64),
            np.zeros(n // WORD + 1, dtype=np.int64),
            np.empty((depth, 6), dtype=np.int64),
            np.empty((depth, n), dtype=np.int64),
            np.empty((6, n), dtype=np.int64),
        )
        self._node.scalars[END] = problem.busy
        self._last_ready = max(problem.ready)
        self._table = self._new_table(min(self.first_states, 4 << min(n, 14)))

    def _new_table(self, states: int) -> Table:
        return Table(
            np.full(states, -1, dtype=np.int64),
            np.empty((states, 5), dtype=np.int64),
            np.empty((states, len(self._node.mask)), dtype=np.int64),
            np.empty(states * 16 + self.problem.horizon, dtype=np.int64),
            np.zeros(2, dtype=np.int64),
        )

    @property
    def nodes(self) -> int:
        """Children examined so far, over all calls."""
        return int(self._node.scalars[NODES])

    @property
    def limit(self) -> int:
        """Only values below this are looked for; the value of the best schedule once found."""
        return int(self._node.scalars[LIMIT])

    @property
    def found(self) -> bool:
        """Whether a schedule of value `limit` was found since `begin`."""
        return bool(self._node.scalars[FOUND])

    def schedule(self) -> list[int]:
        """Start of each job in the best schedule found."""
        return [int(b) for b in self._node.best]

    def root_bound(self) -> int:
        """Lower bound on every schedule's value."""
        jobs, node = self._jobs, self._node
        node.scalars[LIMIT] = INFINITE
        early = node.early[0]
        _root(jobs, node)
        return int(_bound(jobs, node, early.min(), early, self.makespan))

    def incumbent(self, orders: list[list[int]]) -> int:
        """Find the best list schedule of the given orders; return its value."""
        self._luck = np.ones(1, dtype=np.int64)
        self._order = np.array(orders[0], dtype=np.int64)
        table = np.array(orders, dtype=np.int64)
        busy, makespan = self.problem.busy, self.makespan
        self._value = int(_first_order(self._jobs, self._node, table, self._order, busy, makespan))
        return self._value

    def improve(self, evaluations: int, target: int) -> int:
        """Look for better list schedules until `target` is met; return the best value."""
        self._value = int(
            _improve(
                self._jobs,
                self._node,
                self._order,
                self._value,
                self._luck,
                evaluations,
                target,
                self.problem.busy,
                self.makespan,
            )
        )
        return self._value

    def begin(self, limit: int) -> None:
        """Start to look for schedules of value below `limit`, from the root."""
        node = self._node
        node.start[:] = -1
        self.root_bound()
        node.frames[0] = (node.early[0].min(), -1, 0, self.problem.busy, -1, 0)
        node.scalars[DEPTH] = node.scalars[FOUND] = 0
        node.scalars[LIMIT] = limit
        self._table.heads[:] = -1
        self._table.used[:] = 0

    def run(self, nodes: int) -> bool:
        """Examine up to `nodes` more children; return whether the search is exhausted."""
        until = self.nodes + nodes
        while True:
            status = _search(
                self._jobs,
                self._node,
                self._table,
                until - self.nodes,
                self.makespan,
                self._last_ready,
            )
            if status != TABLE_FULL:
                return bool(status == DONE)
            self._make_room()

    def _make_room(self) -> None:
        """Enlarge the table of states; once it is as large as allowed, forget all states."""
        old, (states, words) = self._table, self._table.used
        self._table = self._new_table(min(4 * len(old.heads), self.most_states))
        if len(self._table.heads) > len(old.heads):
            self._table.states[:states] = old.states[:states]
            self._table.masks[:states] = old.masks[:states]
            self._table.memory[:words] = old.memory[:words]
            self._table.used[:] = old.used
            _relink(self._table)


def _arrays(problem: Problem) -> Jobs:
    output = np.array(problem.output, dtype=np.int64)
    offset = np.cumsum(output) - output
    flat = [[x for row in rows for x in row] for rows in problem.weights]
    weights = np.array(flat, dtype=np.int64)
    return Jobs(
        np.array(problem.ready, dtype=np.int64),
        output,
        np.array(problem.twin, dtype=np.int64),
        offset,
        np.array(problem.capacities, dtype=np.int64),
        weights,
        np.add.reduceat(weights, offset, axis=1),
        np.array([[row.count(0) for row in rows] for rows in problem.weights], dtype=np.int64),
    )
