"""The engine in plain Python integers: the readable twin of `engine_compiled.py`, for any size.

Time jumps from event to event: arrivals, completions, feasibility instants of waiting requests,
and (under prompt-only admission) overflows.  `Running` knows what the running requests will hold,
because nothing can stop them; under prompt-only admission it knows it until the next overflow.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterator

from .engine_problem import EXACT, PROMPT_ONLY, Problem, Runs


def run_plain(problem: Problem) -> Runs:
    """Run the problem and return its starts or attempts."""
    machine = _Machine(problem)
    if problem.mode == PROMPT_ONLY:
        machine.run_with_kills()
    else:
        machine.run()
    return Runs(machine.starts, machine.attempts)


class _Running:
    """The running requests as (end, start, position), sorted."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.runs: list[tuple[int, int, int]] = []

    def size(self, position: int, age: int) -> int:
        """Units held in round number `age` of a run."""
        p = self.problem
        return -(-(p.prompt[position] + age + p.first) // p.block) * p.block

    def held(self, u: int, skip: int = 0) -> int:
        """Units held in round u, without the first `skip` runs (completed by then)."""
        return sum(self.size(i, u - b) for _, b, i in self.runs[skip:])

    def first_above(self, units: int, first: int, end: int, skip: int = 0) -> int:
        """Return the first round in first..end-1 that holds more than `units`, `end` if none.

        Nothing may start or end inside, so that what is held only grows.
        """
        while first < end:
            middle = (first + end) // 2
            if self.held(middle, skip) > units:
                end = middle
            else:
                first = middle + 1
        return first

    def add(self, position: int, t: int) -> None:
        """Start a request in round t."""
        insort(self.runs, (t + self.problem.output[position], t, position))

    def release(self, t: int) -> list[tuple[int, int, int]]:
        """Remove and return the runs that have ended by round t."""
        count = bisect_right(self.runs, (t, t, len(self.problem.arrival)))
        done, self.runs = self.runs[:count], self.runs[count:]
        return done

    def earliest_fit(self, position: int, t: int) -> int:
        """Return the least start >= t at which the request fits beside the running ones."""
        if self.problem.mode == EXACT:
            for first, last in self._blocked(position, t):
                if first > t:
                    break
                t = max(t, last + 1)
            return t
        weight = self.problem.weight
        reserved = sum(weight[i] for _, _, i in self.runs)
        for end, _, i in self.runs:
            if reserved + weight[position] <= self.problem.memory:
                break
            reserved -= weight[i]
            t = end
        return t

    def _blocked(self, position: int, t: int) -> Iterator[tuple[int, int]]:
        """Yield the intervals of starts >= t that some round forbids, by their first start.

        Between completions the running requests only grow, so in each piece before..end-1 the
        candidate is stopped by the round end-1, or by its own last round if that lies inside.
        """
        p = self.problem
        s, o, peak = p.prompt[position], p.output[position], p.peak[position]
        before = t
        for index, (end, _, _) in enumerate(self.runs):
            room = p.memory - self.held(end - 1, index)
            if room < peak and before < end:
                # Its last round u = start + o - 1 may not be in the full end of the piece.
                yield self.first_above(p.memory - peak, before, end, index) + 1 - o, end - o
            # In round end-1 it holds at most `room` iff its age there is small enough.
            age = room // p.block * p.block - s - p.first
            yield end - o, min(end - 1, end - 2 - age)
            before = end


class _Machine:
    """Clock, waiting requests (by rank) and what has been decided."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.running = _Running(problem)
        self.waiting: list[int] = []
        self.arrived = 0
        self.starts = [-1] * len(problem.arrival)
        self.attempts: list[tuple[int, int, int, bool]] = []

    def run(self) -> None:
        """Run to the end without kills."""
        t: int | None = min(self.problem.arrival, default=None)
        while t is not None:
            self._arrive(t)
            self.running.release(t)
            self._admit(t)
            t = self._next_event(t)

    def _arrive(self, t: int) -> None:
        p = self.problem
        while self.arrived < len(p.arrival) and p.arrival[self.arrived] <= t:
            insort(self.waiting, p.rank[self.arrived])
            self.arrived += 1

    def _admit(self, t: int) -> None:
        left: list[int] = []
        for index, rank in enumerate(self.waiting):
            position = self.problem.order[rank]
            if len(self.running.runs) < self.problem.cap and self._fits(position, t):
                self.running.add(position, t)
                self.starts[position] = t
            elif self.problem.skip:
                left.append(rank)
            else:
                left += self.waiting[index:]
                break
        self.waiting = left

    def _fits(self, position: int, t: int) -> bool:
        if self.problem.mode == PROMPT_ONLY:
            return self.running.held(t) + self.running.size(position, 0) <= self.problem.memory
        return self.running.earliest_fit(position, t) == t

    def _next_event(self, t: int) -> int | None:
        """Return the next round in which something can change, None at the end."""
        p = self.problem
        events = [p.arrival[self.arrived]] if self.arrived < len(p.arrival) else []
        if self.waiting:
            events.append(self.running.runs[0][0])
            asked = self.waiting if p.skip else self.waiting[:1]
            if len(self.running.runs) < p.cap:
                events += [self.running.earliest_fit(p.order[rank], t) for rank in asked]
        return min(events, default=None)

    def run_with_kills(self) -> None:
        """Run to the end under prompt-only admission.

        As serving engines do: first the running requests get their next token, and on overflow
        victims are preempted; in a round with a preemption nobody is admitted.
        """
        t: int | None = min(self.problem.arrival, default=None)
        while t is not None:
            for end, b, i in self.running.release(t):
                self.attempts.append((i, b, end - b, True))
            self._arrive(t)
            killed = self._preempt(t)
            if not killed:
                self._admit(t)
            t = t + 1 if killed else self._next_change(t)

    def _preempt(self, t: int) -> bool:
        killed = False
        while self.running.held(t) > self.problem.memory:
            rank = self.problem.rank
            victim = max(
                self.running.runs,
                key=lambda run: (run[1] if self.problem.latest else 0, rank[run[2]]),
            )
            self.running.runs.remove(victim)
            insort(self.waiting, rank[victim[2]])
            self.attempts.append((victim[2], victim[1], t - victim[1], False))
            killed = True
        return killed

    def _next_change(self, t: int) -> int | None:
        """Return the next arrival, completion or overflow; growth never helps who waits."""
        p = self.problem
        events = [p.arrival[self.arrived]] if self.arrived < len(p.arrival) else []
        if self.running.runs:
            events.append(self.running.first_above(p.memory, t + 1, self.running.runs[0][0]))
        return min(events, default=None)
