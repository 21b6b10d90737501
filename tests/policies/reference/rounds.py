"""A deliberately naive engine: every round, straight from svf.md section 5 and DESIGN.md section 6.

It shares no code with the package but the data classes of model.py, and exists to be compared.
"""

from __future__ import annotations

from evaluators.model import Instance, Request


def held(request: Request, start: int, t: int, first: int, block: int) -> int:
    if not start <= t < start + request.output:
        return 0
    units = request.prompt + (t - start) + first
    while units % block:
        units += 1
    return units


class NaiveEngine:
    """One run; `starts` and `attempts` (id, start, rounds, completed) are its results."""

    def __init__(
        self, instance: Instance, keys: dict[int, int], *, queue="head", admission="exact",
        cap=None, first=1, block=1, reserves=None, victim="lowest-priority",
    ) -> None:  # fmt: skip
        self.instance, self.keys, self.queue, self.admission = instance, keys, queue, admission
        self.cap = len(instance) if cap is None else cap
        self.first, self.block, self.victim = first, block, victim
        self.reserves = reserves or {}
        self.running: list[tuple[Request, int]] = []
        self.waiting: list[Request] = []
        self.starts: dict[int, int] = {}
        self.attempts: list[tuple[int, int, int, bool]] = []

    def peak(self, r: Request) -> int:
        if self.admission == "reserve":
            return self.reserves[r.id]
        return max(held(r, 0, t, self.first, self.block) for t in range(r.output))

    def load(self, runs: list[tuple[Request, int]], t: int) -> int:
        return sum(held(r, b, t, self.first, self.block) for r, b in runs)

    def fits(self, r: Request, t: int) -> bool:
        memory = self.instance.memory
        if self.admission == "exact":
            runs = [*self.running, (r, t)]
            return all(self.load(runs, u) <= memory for u in range(t, t + r.output))
        if self.admission == "prompt-only":
            return self.load([*self.running, (r, t)], t) <= memory
        return sum(self.peak(x) for x, _ in self.running) + self.peak(r) <= memory

    def order(self, r: Request) -> tuple[int, int]:
        return self.keys[r.id], r.id

    def preempt(self, t: int) -> bool:
        killed = False
        while self.load(self.running, t) > self.instance.memory:

            def late(run: tuple[Request, int]) -> tuple[int, tuple[int, int]]:
                return run[1] if self.victim == "latest" else 0, self.order(run[0])

            victim = max(self.running, key=late)
            self.running.remove(victim)
            self.waiting.append(victim[0])
            self.attempts.append((victim[0].id, victim[1], t - victim[1], False))
            killed = True
        return killed

    def step(self, t: int) -> None:
        for r, b in list(self.running):
            if b + r.output <= t:
                self.running.remove((r, b))
                self.attempts.append((r.id, b, r.output, True))
        self.waiting += [r for r in self.instance.requests if r.arrival == t]
        if self.admission == "prompt-only" and self.preempt(t):
            return
        for r in sorted(self.waiting, key=self.order):
            if len(self.running) < self.cap and self.fits(r, t):
                self.running.append((r, t))
                self.waiting.remove(r)
                self.starts[r.id] = t
            elif self.queue == "head":
                return

    def run(self) -> NaiveEngine:
        t = 0
        while sum(done for *_, done in self.attempts) < len(self.instance):
            self.step(t)
            t += 1
        return self
