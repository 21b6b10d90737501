"""Deliberately naive runs with kills: every round, straight from nonclairvoyant.md section 2.

Shares no code with the package but `Request`.  Attempts are (id, start, rounds, completed).
"""

from __future__ import annotations

from evaluators.model import Request

Attempts = list[tuple[int, int, int, bool]]


class Clock:
    """The truth: rounds, outputs, what is complete, and the attempts that were really run."""

    def __init__(self, memory: int, requests: list[Request]) -> None:
        self.memory, self.t = memory, 0
        self.by_id = {r.id: r for r in requests}
        self.done: dict[int, int] = {}
        self.attempts: Attempts = []

    def record(self, i: int, start: int, dummy: bool, completed: bool) -> None:
        if not dummy and self.t > start:
            self.attempts.append((i, start, self.t - start, completed))
            if completed:
                self.done[i] = self.t

    def round(self, batch: dict[int, tuple[int, bool]]) -> None:
        """One round for the batch id -> (start, dummy): the memory must suffice."""
        real = [(i, start) for i, (start, dummy) in batch.items() if not dummy]
        held = sum(self.by_id[i].prompt + (self.t - start) + 1 for i, start in real)
        assert held <= self.memory, (self.t, held)
        self.t += 1


class RectRounds:
    """Section 2.1, one round at a time; strips are (id, width, cap or None)."""

    def __init__(self, clock: Clock, strips: list[tuple[int, int, int | None]]) -> None:
        self.clock, self.width = clock, {i: w for i, w, _ in strips}
        self.cap = {i: c for i, _, c in strips}
        self.queue = [(w, i, 0) for i, w, _ in strips]
        self.active: dict[int, tuple[int, int, bool]] = {}
        self.certified: list[int] = []
        self.scan()

    def scan(self) -> None:
        while self.queue:
            budget, i, level = min(self.queue)
            if sum(self.width[j] for j in self.active) + self.width[i] > self.clock.memory:
                return
            self.queue.remove((budget, i, level))
            self.active[i] = (level, self.clock.t, i in self.clock.done)

    def round(self, last: bool = False) -> None:
        self.clock.round({i: (start, dummy) for i, (_, start, dummy) in self.active.items()})
        events = []
        for i, (level, start, _) in self.active.items():
            x = self.clock.t - start
            if x == self.clock.by_id[i].output:
                events.append((0, i))
            elif x == self.cap[i]:
                events.append((1, i))
            elif x == 2**level:
                events.append((2, i))
        for kind, i in sorted(events):
            level, start, dummy = self.active.pop(i)
            self.clock.record(i, start, dummy, kind == 0)
            if kind == 1:
                self.certified.append(i)
            if kind == 2:
                self.queue.append((self.width[i] * 2 ** (level + 1), i, level + 1))
            if not last:
                self.scan()

    def kill(self) -> None:
        for i, (_, start, dummy) in self.active.items():
            self.clock.record(i, start, dummy, False)


class ResponseRounds:
    """Section 2.4 with alpha = 2, one round at a time."""

    def __init__(self, clock: Clock, ids: list[int]) -> None:
        self.clock, self.left, self.r, self.tau = clock, sorted(ids), -1, 1
        self.active: dict[int, tuple[int, int, bool]] = {}
        self.next_phase()

    def next_phase(self) -> None:
        self.members: list[int] = []
        while self.left and not self.members:
            self.r += 1
            assert self.r < 64
            self.tau = min(2**self.r, self.clock.memory)
            self.members = [i for i in self.left if self.clock.by_id[i].prompt <= self.tau]
        self.begin = self.clock.t
        self.k = self.most() if self.members else 1
        self.end = self.begin + (len(self.members) - 1) * self.tau // self.k + self.tau

    def most(self) -> int:
        """The largest k whose pipeline of slices never holds more than M, round by round."""
        tau, k = self.tau, 1
        prompt = min(tau, self.clock.memory - tau)
        while True:
            starts = [j * tau // (k + 1) for j in range(k + 1)]
            held = (
                sum(prompt + t - b + 1 for b in starts if b <= t < b + tau) for t in range(2 * tau)
            )
            if max(held) > self.clock.memory:
                return k
            k += 1

    def round(self, last: bool = False) -> None:
        for j, i in enumerate(self.members):
            if self.begin + j * self.tau // self.k == self.clock.t:
                self.active[i] = (0, self.clock.t, i in self.clock.done)
        self.clock.round({i: (start, dummy) for i, (_, start, dummy) in self.active.items()})
        for i, (_, start, dummy) in list(self.active.items()):
            x = self.clock.t - start
            if x == self.clock.by_id[i].output or x == self.tau:
                completed = x == self.clock.by_id[i].output
                self.clock.record(i, start, dummy, completed)
                del self.active[i]
                if completed:
                    self.left.remove(i)
        if self.members and self.clock.t == self.end and not last:
            self.next_phase()

    def kill(self) -> None:
        for i, (_, start, dummy) in self.active.items():
            self.clock.record(i, start, dummy, False)


def rect_rounds(memory: int, requests: list[Request], large: bool) -> Attempts:
    clock = Clock(memory, requests)
    strips = [(r.id, memory, None) if large else (r.id, 2 * r.prompt, r.prompt) for r in requests]
    rect = RectRounds(clock, strips)
    while len(clock.done) < len(requests):
        rect.round()
    return sorted(clock.attempts)


def response_rounds(memory: int, requests: list[Request]) -> Attempts:
    clock = Clock(memory, requests)
    response = ResponseRounds(clock, [r.id for r in requests])
    while len(clock.done) < len(requests):
        response.round()
    return sorted(clock.attempts)


def route_rounds(memory: int, requests: list[Request]) -> Attempts:
    """Section 2.6 with dummies, slots P, R, L of 2^r rounds each."""
    clock = Clock(memory, requests)
    large = [r.id for r in requests if 4 * r.prompt > memory]
    pool = [r.id for r in requests if 4 * r.prompt <= memory and r.prompt]
    answers = [r.id for r in requests if not r.prompt]
    stage = 0
    while len(clock.done) < len(requests):
        for slot in range(3):
            if slot == 0:
                prompts = {i: clock.by_id[i].prompt for i in pool}
                copy = RectRounds(clock, [(i, 2 * prompts[i], prompts[i]) for i in pool])
            elif slot == 1:
                copy = ResponseRounds(clock, answers)
            else:
                copy = RectRounds(clock, [(i, memory, None) for i in large])
            for x in range(2**stage):
                copy.round(x == 2**stage - 1)
                if len(clock.done) == len(requests):
                    return sorted(clock.attempts)
            copy.kill()
            if slot == 0:
                answers = answers + copy.certified
                pool = [i for i in pool if i not in copy.certified]
        stage += 1
    return sorted(clock.attempts)


def fair_share_rounds(memory: int, requests: list[Request]) -> Attempts:
    """FairShare of nonclairvoyant-sharp.md 2.2, stages of exactly 2L - 1 rounds."""
    clock = Clock(memory, requests)
    length = 1
    while True:
        left = [r.id for r in requests if r.id not in clock.done]
        most = {}
        for i in left:
            s = clock.by_id[i].prompt
            fits = [
                x
                for x in range(1, length + 1)
                if s + x <= memory and len(left) * x * (s + x) <= memory * length
            ]
            if fits:
                most[i] = max(fits)
        waiting, active = sorted(most), {}
        for _ in range(2 * length - 1):
            for i in list(waiting):
                used = sum(clock.by_id[j].prompt + most[j] for j in active)
                if used + clock.by_id[i].prompt + most[i] <= memory:
                    active[i] = (clock.t, False)
                    waiting.remove(i)
            clock.round(active)
            for i, (start, _) in list(active.items()):
                x = clock.t - start
                if x == clock.by_id[i].output or x == most[i]:
                    clock.record(i, start, False, x == clock.by_id[i].output)
                    del active[i]
            if len(clock.done) == len(requests):
                return sorted(clock.attempts)
        assert not waiting
        assert not active
        length *= 2
