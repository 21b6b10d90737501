"""Inequalities that a correct run must satisfy, checked request by request in exact integers.

D = M - (largest size) + 1, where a request's size is its peak (or its reserve); W_j is the wait of
j and "i before j" the order (key, id).  With the head rule a waiting head proves that the running
requests' sizes sum to D at least, and everything that runs then comes before some waiting one:

* waiting (bursts, svf.md section 1, lemma E.2 repaired):
  D W_j <= sum of size_i o_i over i before j
* pathwise peak (svf.md section 2, Lemma 1 repaired):
  D W_j <= sum of size_i rem_i over i running at a_j, started before
         + sum of size_i o_i over i before j, started at a_j or later, arrived by start_j
* ratio, for every proved one, since OPT <= best known:
  TEL <= value * (best known TEL)

A broken one raises CertificateError with the request and the numbers: the run, the bound or the
proof is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from .policies.rules import Simulation
from .ratios import ProvedRatio
from .replay import replay

WAITING = "svf.md section 1, lemma E.2 repaired"
PATHWISE = "svf.md section 2, Lemma 1 repaired"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A checked inequality left <= right: how often, and where it is tightest.

    `request` is the id of the tightest case, that is the one with the largest left / right, or the
    worst broken one (None for a statement about the whole run); `left` and `right` are its sides.
    `round` is set where the statement is about a round of the run.
    """

    name: str
    source: str
    checked: int
    request: int | None
    left: Fraction
    right: Fraction
    round: int | None = None

    @property
    def slack(self) -> Fraction:
        """Return right - left, >= 0 if the certificate holds."""
        return self.right - self.left


class CertificateError(AssertionError):
    """A proved inequality does not hold for a run, in one line: which one, where, the numbers."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        where = "" if certificate.round is None else f"round {certificate.round}: "
        where += "" if certificate.request is None else f"request {certificate.request}: "
        super().__init__(
            f"{certificate.name} ({certificate.source}): {where}{certificate.left} <= "
            f"{certificate.right} is false, slack {certificate.slack}"
        )


@dataclass(frozen=True, slots=True)
class _Columns:
    """A run by position: who, when, how much; `order` lists positions by (key, id)."""

    ids: list[int]
    arrival: list[int]
    start: list[int]
    output: list[int]
    size: list[int]
    order: list[int]
    headroom: int


def certify(
    run: Simulation, ratios: Iterable[ProvedRatio] = (), best_known: int | None = None
) -> list[Certificate]:
    """Return every certificate that applies to the run; raises CertificateError for a broken one.

    `ratios` are the proved ratios to hold against the run: those on TEL, and those on the total
    completion time, which is TEL and the sum of arrivals.  `best_known` is the TEL of some feasible
    schedule of the same instance (by default the run's own, against which only a ratio below 1
    can fail).  The static-order certificates need the head rule, no cap and no kills.
    """
    found = list(waiting_certificates(run)) if _has_static_order(run) else []
    tel = replay(run.instance, run.schedule, run.rules.convention).tel
    best = tel if best_known is None else min(tel, best_known)
    shifts = {"tel": 0, "total-completion": run.instance.total_arrival}
    for ratio in ratios:
        if ratio.objective in shifts:
            shift = shifts[ratio.objective]
            found.append(ratio_certificate(ratio, tel + shift, best + shift))
    for certificate in found:
        if certificate.slack < 0:
            raise CertificateError(certificate)
    return found


def ratio_certificate(ratio: ProvedRatio, cost: int, best_known: int) -> Certificate:
    """Cost <= value * best known; `best_known` >= OPT, so a failure refutes cost <= value * OPT."""
    name = "proved ratio" if ratio.objective == "tel" else "proved ratio of total completion"
    return Certificate(name, ratio.source, 1, None, Fraction(cost), ratio.value * best_known)


def _has_static_order(run: Simulation) -> bool:
    rules = run.rules
    uncapped = rules.max_running is None or rules.max_running >= len(run.instance)
    return (
        len(run.keys) == len(run.instance) > 0
        and rules.queue == "head"
        and rules.admission != "prompt-only"
        and uncapped
    )


def waiting_certificates(run: Simulation) -> Iterator[Certificate]:
    """Yield the pathwise peak certificate, and for bursts the waiting certificate, unjudged."""
    columns = _columns(run)
    if run.instance.is_burst:
        yield _tightest("waiting certificate", WAITING, columns, _burst_bounds(columns))
    yield _tightest("pathwise peak certificate", PATHWISE, columns, _pathwise_bounds(columns))


def _columns(run: Simulation) -> _Columns:
    requests, starts = run.instance.requests, run.starts()
    sizes = _sizes(run)
    ids = [r.id for r in requests]
    return _Columns(
        ids,
        [r.arrival for r in requests],
        [starts[i] for i in ids],
        [r.output for r in requests],
        sizes,
        sorted(range(len(ids)), key=lambda i: (run.keys[i], ids[i])),
        run.instance.memory - max(sizes) + 1,
    )


def _sizes(run: Simulation) -> list[int]:
    if run.rules.admission == "reserve" and run.reserves is not None:
        return list(run.reserves)
    peak = run.rules.convention.peak
    return [peak(r.prompt, r.output) for r in run.instance.requests]


def _tightest(name: str, source: str, columns: _Columns, bounds: Sequence[int]) -> Certificate:
    waits = zip(columns.start, columns.arrival, strict=True)
    lefts = [columns.headroom * (start - arrival) for start, arrival in waits]
    sides = list(zip(lefts, bounds, strict=True))
    slacks = [right - left for left, right in sides]
    worst = min(range(len(sides)), key=slacks.__getitem__)
    if slacks[worst] >= 0:
        worst = max(range(len(sides)), key=lambda i: _used(*sides[i]))
    left, right = sides[worst]
    return Certificate(
        name, source, len(sides), columns.ids[worst], Fraction(left), Fraction(right)
    )


def _used(left: int, right: int) -> int:
    """How much of the right side is used, left / right in units of 2^-64, rounded down."""
    return (left << 64) // right if left else 0


def _burst_bounds(columns: _Columns) -> list[int]:
    """Sum of size_i o_i over i before j, by position."""
    bounds = [0] * len(columns.ids)
    total = 0
    for i in columns.order:
        bounds[i] = total
        total += columns.size[i] * columns.output[i]
    return bounds


def _pathwise_bounds(columns: _Columns) -> list[int]:
    """Both sums of the pathwise peak certificate, by position.

    Who comes before j and arrives by start_j starts by start_j under the head rule, so the second
    sum ranges over the starts in a_j..start_j.  A request that breaks that rule is left out, which
    makes the right side smaller and the check stricter, never weaker.
    """
    bounds = _residuals(columns)
    times = sorted(set(columns.start))
    place = {t: k for k, t in enumerate(times, 1)}
    tree = _PrefixSums(len(times))
    # The places of the first starts >= a_j, found by merging two sorted lists.
    first, k = [0] * len(columns.ids), 0
    for i in sorted(range(len(first)), key=columns.arrival.__getitem__):
        while k < len(times) and times[k] < columns.arrival[i]:
            k += 1
        first[i] = k
    for i in columns.order:
        bounds[i] += tree.up_to(place[columns.start[i]]) - tree.up_to(first[i])
        tree.add(place[columns.start[i]], columns.size[i] * columns.output[i])
    return bounds


def _residuals(columns: _Columns) -> list[int]:
    """Sum of size_i rem_i over the i with start_i < a_j < start_i + o_i, by position of j."""
    n = len(columns.ids)
    ends = [b + o for b, o in zip(columns.start, columns.output, strict=True)]
    begun = sorted(range(n), key=columns.start.__getitem__)
    ended = sorted(range(n), key=ends.__getitem__)
    sizes = columns.size
    begun_sizes = [0, *accumulate(sizes[i] for i in begun)]
    begun_areas = [0, *accumulate(sizes[i] * ends[i] for i in begun)]
    ended_sizes = [0, *accumulate(sizes[i] for i in ended)]
    ended_areas = [0, *accumulate(sizes[i] * ends[i] for i in ended)]
    bounds, x, y = [0] * n, 0, 0
    for j in sorted(range(n), key=columns.arrival.__getitem__):
        t = columns.arrival[j]
        while x < n and columns.start[begun[x]] < t:
            x += 1
        while y < n and ends[ended[y]] <= t:
            y += 1
        active = begun_sizes[x] - ended_sizes[y]
        bounds[j] = begun_areas[x] - ended_areas[y] - t * active
    return bounds


class _PrefixSums:
    """Fenwick tree: add at a place 1..n, sum of the places 1..k."""

    def __init__(self, n: int) -> None:
        self.sums = [0] * (n + 1)

    def add(self, place: int, value: int) -> None:
        sums = self.sums
        while place < len(sums):
            sums[place] += value
            place += place & -place

    def up_to(self, place: int) -> int:
        total, sums = 0, self.sums
        while place:
            total += sums[place]
            place &= place - 1
        return total
