"""The search in plain Python integers: the reference for `compiled.py`, and its fallback.

Time is decided round by round: in a round, start some of the requests that fit (in increasing
job number, so that no set is tried twice), then let the round pass.  Active requests cannot be
stopped, so everything that they will hold is known; a start is allowed when the whole future
fits.  Start orders with earliest insertion would not be exact: a request that starts earlier is
larger in every later round (tight.md, anomaly D).

A node is cut when one of these holds; each keeps at least one optimal schedule.

1. Its lower bound reaches the limit (`bound`).
2. A state with the same requests started was explored before, no later in time, at no more cost,
   holding no more in any round to come (`dominated`): whatever this node can still do, that state
   could do too.  States are compared in full, never by a hash.  An ancestor of equal cost that
   only waited is not such a state: it is being explored, through this very node.
3. A request could run in a window of past rounds, strictly earlier than it does (`improvable`):
   every schedule below this node is strictly worse than some other one. For the makespan the
   argument is about schedules that are best by (makespan, sum of completions): the shift never
   raises the makespan and lowers the sum, so none of those is cut.  Rule 2 respects that order
   without comparing makespans: where the other state ends later it holds more, or else it has
   ended before the requests still to start.
4. Nothing is active and no arrival is left: waiting only shifts the rest of the schedule.
5. Of requests with equal prompt and output the one that may start earlier starts first.

Rules 2 and 3 do not cut each other's witness: rule 3 never cuts an optimal schedule, and by
induction over the order in which nodes are closed, once a node that contains an optimal schedule
is closed the incumbent is optimal; rule 2 refers only to closed nodes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from .problem import Problem

LOOKUPS = 64
SHAKES = 3
Visit = Iterator["Visit"]


@dataclass(slots=True)
class State:
    """A state explored earlier: round, cost, end of the activity, memory held from then on."""

    t: int
    cost: int
    end: int
    held: list[int]
    waited_from: State | None


class Search:
    """A resumable search of one problem.

    The value is the sum of the completions (for TEL and total completion) or the largest one,
    counted from the problem's origin.  Only values below `limit` are looked for; `found` tells
    whether `best` has the value `limit`.  `nodes` counts the children examined.
    """

    def __init__(self, problem: Problem, *, makespan: bool) -> None:
        self.problem = problem
        self.makespan = makespan
        self.jobs = range(len(problem.output))
        self.sizes = problem.weights[0]
        self.volume = [[sum(row) for row in rows] for rows in problem.weights]
        self.lead = [[row.count(0) for row in rows] for rows in problem.weights]
        self.held = [held + [0] * (problem.horizon + 1 - len(held)) for held in problem.held]
        self.start = [-1 for _ in self.jobs]
        self.best = [-1 for _ in self.jobs]
        self.started = 0
        self.cost = 0
        self.end = problem.busy
        self.limit = 0
        self.found = False
        self.nodes = 0
        self.order: list[int] = []
        self.order_value = 0
        self.luck = 1
        self.states: dict[int, list[State]] = {}
        self._stack: list[Visit] = []

    # What fits, and what is held.

    def earliest(self, j: int, t: int, row: list[int]) -> int:
        """First round from t on in which job j can start, given the memory held in `row`."""
        sizes, memory = self.sizes[j], self.problem.memory
        while any(row[t + age] + x > memory for age, x in enumerate(sizes)):
            t += 1
        return t

    def place(self, j: int, t: int, sign: int) -> None:
        """Add (sign 1) or remove (sign -1) job j started in round t."""
        for row, weights in zip(self.held, self.problem.weights, strict=True):
            for age, x in enumerate(weights[j]):
                row[t + age] += sign * x
        self.start[j] = t if sign > 0 else -1
        self.started ^= 1 << j
        self.cost += sign * (t + self.problem.output[j])

    # Lower bounds.

    def bound(self, t: int, early: dict[int, int]) -> int:
        """Lower bound on every completion of this node; stops once it reaches the limit.

        The k-th smallest completion of the pending jobs is at least the k-th smallest of
        (earliest start + output), and at least that of the fluid relaxation of each rounding.
        """
        output = self.problem.output
        best = sorted(x + output[j] for j, x in early.items())
        value = self.value(best)
        for d in range(len(self.held)):
            if value >= self.limit:
                break
            best = [max(pair) for pair in zip(best, self.fluid(d, t, early), strict=True)]
            value = self.value(best)
        return value

    def value(self, completions: list[int]) -> int:
        """Objective if the pending jobs complete at these rounds, in increasing order."""
        if self.makespan:
            return max([self.end, *completions])
        return self.cost + sum(completions)

    def fluid(self, d: int, t: int, early: dict[int, int]) -> list[int]:
        """Completions, in order, of the preemptive fluid relaxation under the d-th rounding.

        Job j is available from its first round of positive weight; in each round the free weight
        serves the smallest remaining volumes first, which maximises the number finished by every
        round; a completion counts at the end of its round.
        """
        volume, lead, capacity = self.volume[d], self.lead[d], self.problem.capacities[d]
        waiting = sorted((x + lead[j], volume[j]) for j, x in early.items())
        waiting.reverse()
        left: list[int] = []
        done: list[int] = []
        u = t
        while waiting or left:
            if not left:
                u = max(u, waiting[-1][0])
            while waiting and waiting[-1][0] <= u:
                v = waiting.pop()[1]
                if v:
                    left.append(v)
                else:
                    done.append(u)
            left.sort(reverse=True)
            if not waiting and u >= self.end:
                total = 0
                while left:
                    total += left.pop()
                    done.append(u - -total // capacity)
                break
            free = capacity - self.held[d][u]
            u += 1
            while free > 0 and left:
                used = min(free, left[-1])
                free -= used
                left[-1] -= used
                if left[-1] == 0:
                    left.pop()
                    done.append(u)
        return done

    # Dominance.

    def improvable(self, t: int, after: int) -> bool:
        """Whether a job could start earlier, in a window that ends in one of t..after-1."""
        return any(
            self.could_run(j, u + 1 - self.problem.output[j])
            for u in range(t, after)
            for j in self.jobs
        )

    def could_run(self, j: int, x: int) -> bool:
        """Whether job j, which starts after round x or not at all yet, could start in x."""
        b = self.start[j]
        if x < self.problem.ready[j] or 0 <= b <= x:
            return False
        row, sizes, memory = self.held[0], self.sizes[j], self.problem.memory
        for age, size in enumerate(sizes):
            r = x + age
            own = sizes[r - b] if 0 <= b <= r < b + len(sizes) else 0
            if row[r] - own + size > memory:
                return False
        return True

    def dominated(self, t: int, waited_from: State | None) -> bool:
        """Whether an explored state with the same jobs started is at least as good throughout."""
        known = self.states.get(self.started, [])
        return any(
            self.at_least_as_good(state, t)
            and not (state.cost == self.cost and state.t < t and waits(waited_from, state))
            for state in reversed(known[-LOOKUPS:])
        )

    def at_least_as_good(self, state: State, t: int) -> bool:
        """Whether `state` is no later, no costlier, and holds no more in any round from t on."""
        if state.cost > self.cost or state.t > t:
            return False
        row = self.held[0]
        return all(state.held[u - state.t] <= row[u] for u in range(t, state.end))

    # The search itself.

    def root_bound(self) -> int:
        """Lower bound on every schedule's value."""
        early = self.root()
        self.limit = 1 + self.problem.horizon * (len(self.jobs) + 1)
        return self.bound(min(early.values()), early)

    def root(self) -> dict[int, int]:
        """Earliest start of each job."""
        return {j: self.earliest(j, self.problem.ready[j], self.held[0]) for j in self.jobs}

    def begin(self, limit: int) -> None:
        """Start to look for schedules of value below `limit`, from the root."""
        self.limit = limit
        self.found = False
        self.states = {}
        early = self.root()
        self._stack = [self.visit(min(early.values()), early, 0, 0, None)]

    def run(self, nodes: int) -> bool:
        """Examine up to `nodes` more children; return whether the search is exhausted."""
        stop = self.nodes + nodes
        while self._stack:
            if self.nodes >= stop:
                return False
            child = next(self._stack[-1], None)
            if child is None:
                self._stack.pop()
            else:
                self._stack.append(child)
        return True

    def visit(
        self, t: int, early: dict[int, int], first: int, low: int, state: State | None
    ) -> Visit:
        """Explore the node in round t in which jobs below `first` are settled for this round.

        `early` holds the earliest start of every pending job, `low` the node's lower bound,
        `state` its stored state if nothing has been started in this round yet.  Each child is
        yielded to `run`, which explores it and comes back.
        """
        for j in self.jobs[first:]:
            if low >= self.limit:
                return
            twin = self.problem.twin[j]
            if early.get(j) == t and (twin < 0 or self.start[twin] >= 0):
                yield self.visit_start(j, t, early)
        if low < self.limit:
            yield self.visit_wait(t, early, low, state)

    def visit_start(self, j: int, t: int, early: dict[int, int]) -> Visit:
        """The child in which job j starts in round t, and no smaller job number any more."""
        self.nodes += 1
        before = self.end
        self.place(j, t, 1)
        self.end = max(before, t + self.problem.output[j])
        row = self.held[0]
        rest = {
            k: self.earliest(k, x + (x == t and k < j), row) for k, x in early.items() if k != j
        }
        low = self.bound(t, rest)
        if low < self.limit and not rest:
            self.limit, self.found, self.best = low, True, list(self.start)
        if low < self.limit:
            yield self.visit(t, rest, j + 1, low, None)
        self.place(j, t, -1)
        self.end = before

    def visit_wait(self, t: int, early: dict[int, int], low: int, state: State | None) -> Visit:
        """The child in which round t passes: the next decision is the next possible start."""
        if self.end <= t and max(self.problem.ready) <= t:
            return
        self.nodes += 1
        row = self.held[0]
        rest = {k: self.earliest(k, t + 1, row) if x == t else x for k, x in early.items()}
        after = min(rest.values())
        if rest != early:
            low = self.bound(after, rest)
        if low < self.limit and not (self.improvable(t, after) or self.dominated(after, state)):
            known = State(after, self.cost, self.end, row[after : self.end], state)
            self.states.setdefault(self.started, []).append(known)
            yield self.visit(after, rest, 0, low, known)

    # Incumbents.

    def schedule(self) -> list[int]:
        """Start of each job in the best schedule found."""
        return list(self.best)

    def incumbent(self, orders: list[list[int]]) -> int:
        """Find the best list schedule of the given orders; return its value."""
        self.order = list(min(orders, key=lambda order: self.insert(order)[0]))
        self.order_value, self.best = self.insert(self.order)
        return self.order_value

    def improve(self, evaluations: int, target: int) -> int:
        """Look for better list schedules until `target` is met; return the best value.

        Swap two positions as long as that helps; at a local optimum shake the best order.
        """
        order = list(self.order)
        current: int | None = self.order_value
        pairs = list(combinations(self.jobs, 2))
        tried = vain = 0
        while evaluations > 0 and self.order_value > target and pairs:
            if vain == len(pairs):
                order, current, vain = self.shaken(), None, 0
            else:
                i, k = pairs[tried % len(pairs)]
                tried += 1
                order[i], order[k] = order[k], order[i]
            evaluations -= 1
            value, starts = self.insert(order)
            if current is not None and value >= current:
                order[i], order[k] = order[k], order[i]
                vain += 1
                continue
            current, vain = value, 0
            if value < self.order_value:
                self.order, self.order_value, self.best = list(order), value, starts
        return self.order_value

    def shaken(self) -> list[int]:
        """The best order after a few pseudo-random swaps."""
        order = list(self.order)
        for _ in range(SHAKES):
            i, k = self.random() % len(order), self.random() % len(order)
            order[i], order[k] = order[k], order[i]
        return order

    def random(self) -> int:
        """Next number of a fixed linear congruential sequence."""
        self.luck = (self.luck * 1103515245 + 12345) % 2**31
        return self.luck >> 16

    def insert(self, order: Iterable[int]) -> tuple[int, list[int]]:
        """Start each job of the order at its earliest round given those before it."""
        row = list(self.held[0])
        starts = [0 for _ in self.jobs]
        for j in order:
            starts[j] = self.earliest(j, self.problem.ready[j], row)
            for age, x in enumerate(self.sizes[j]):
                row[starts[j] + age] += x
        completions = [b + o for b, o in zip(starts, self.problem.output, strict=True)]
        if self.makespan:
            return max(self.problem.busy, *completions), starts
        return sum(completions), starts


def waits(state: State | None, ancestor: State) -> bool:
    """Whether `ancestor` is `state` or differs from it only by waiting."""
    while state is not None:
        if state is ancestor:
            return True
        state = state.waited_from
    return False
