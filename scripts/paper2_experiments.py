"""Paper 2's experiments with lengths only, as far as svf.md section 6 says they can be run.

Writes `experiments.csv` (every run, replayed and certified) and `orderings.md` (which of the
paper's orderings come out here, workload by workload) and prints the latter.  Workloads are ours:
synthetic lengths from `evaluators.generators`, and the lengths of public traces when
../shared/traces is there.  They are not the paper's data, and no number here is the paper's.
Not reproducible without its code and hardware: seconds per token, the axis of queries a second,
prefill cost, vLLM's preemption, the trained predictor (here: a seeded error within a factor).

    python scripts/paper2_experiments.py [--full] [--seed N] [--draws N] [--out DIR]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from math import ceil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from evaluators.artifacts.canonical import write_whole  # noqa: E402
from evaluators.comparison import (  # noqa: E402
    Comparison,
    Entry,
    RuleChoice,
    compare,
    compare_schedulers,
)
from evaluators.console import decimal, progress  # noqa: E402
from evaluators.generators import (  # noqa: E402
    generate_requests,
    law,
    poisson_milliseconds,
    raw_bits,
)
from evaluators.model import InputError, Instance, require_int  # noqa: E402
from evaluators.policies.conditional_mean import MEAN_ONE_BIT_SVF, conditional_means  # noqa: E402
from evaluators.policies.scheduler import ListPolicy, Options, Ranking  # noqa: E402
from evaluators.policies.views import OneBitView, one_bit  # noqa: E402
from evaluators.traces import read_trace  # noqa: E402

TRACES = ROOT.parent / "shared" / "traces"
POLICIES = ("fcfs", "predicted-sjf", "1-bit-svf", "predicted-svf", "oracle-sjf", "oracle-svf")
REPRODUCED, NOT_REPRODUCED, NO_DIFFERENCE = "reproduced", "NOT reproduced", "no difference"
MIXED = "depends on the draw"
VERDICTS = (REPRODUCED, NOT_REPRODUCED, NO_DIFFERENCE, MIXED)
COLUMNS = (
    *("experiment", "workload", "setting", "policy", "mean_latency", "p95_latency"),
    *("mean_per_token", "p95_per_token", "tokens_per_round", "makespan", "tel_over_bound"),
    *("proved", "certificates"),
)


@dataclass(frozen=True)
class Workload:
    """Lengths of requests and the memory to serve them in."""

    name: str
    memory: int
    lengths: Sequence[tuple[int, int]]

    def burst(self) -> Instance:
        """Everything arrives in round 0."""
        return self.at([0] * len(self.lengths))

    def poisson(self, load: Fraction, seed: int) -> Instance:
        """Poisson arrivals such that arrivals/round x mean volume = load x memory."""
        volume = sum(s * o + o * (o + 1) // 2 for s, o in self.lengths)
        rate = 1000 * load * self.memory * len(self.lengths) / volume  # a round counts as 1 ms
        return self.at(poisson_milliseconds(raw_bits(seed, 0), len(self.lengths), rate))

    def at(self, arrivals: Sequence[int]) -> Instance:
        """Return the instance with those arrivals."""
        triples = zip(arrivals, self.lengths, strict=True)
        return Instance.from_triples(self.memory, [(a, s, o) for a, (s, o) in triples])


def synthetic(name: str, memory: int, prompts: str, outputs: str, n: int, seed: int) -> Workload:
    """Draw lengths from two laws of `evaluators.generators`."""
    rows = generate_requests(n, None, law(prompts, "prompts", 0), law(outputs, "outputs", 1), seed)
    return Workload(name, memory, [(s, o) for _, s, o in rows])


def workloads(n: int, seed: int) -> list[Workload]:
    """Two synthetic workloads (short prompts, long prompts) and, if present, three traces."""
    found = [
        synthetic("chat", 16_384, "lognormal:60:1.1:2000", "lognormal:140:0.9:1024", n, seed),
        synthetic(
            "documents", 427_000, "lognormal:8000:0.7:32000", "lognormal:120:0.9:1024", n, seed
        ),
    ]
    for name, memory in (
        ("arena_vtc", 10_240),
        ("sharegpt8k_lengths", 41_408),
        ("vidur_arxiv_lengths", 41_408),
    ):
        path = TRACES / f"{name}.csv"
        if path.is_file():
            requests = read_trace(path).requests[:n]
            found.append(Workload(name, memory, [(r.prompt, r.output) for r in requests]))
    return found


@dataclass
class Report:
    """Rows of all runs, the verdicts on orderings, and faults (there must be none)."""

    rows: list[tuple[str, ...]] = field(default_factory=list)
    verdicts: dict[tuple[str, str], list[tuple[str, str]]] = field(default_factory=dict)
    spreads: dict[str, Fraction] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, experiment: str, workload: str, setting: str, found: Comparison) -> Comparison:
        """Keep every entry of a comparison as a row."""
        self.faults += [f"{experiment}, {workload}, {setting}: {f}" for f in found.faults]
        for entry in found.entries:
            cells = _cells(found, entry)
            self.rows.append((experiment, workload, setting, entry.name, *cells))
        return found

    def judge(self, experiment: str, workload: str, found: Comparison) -> None:
        """Hold the paper's orderings against one comparison of the six policies."""
        for ordering in ORDERINGS:
            word, numbers = ordering.check(found)
            place = (ordering.text, f"{workload}, {experiment}")
            self.verdicts.setdefault(place, []).append((word, numbers))


def _cells(found: Comparison, entry: Entry) -> list[str]:
    metrics = entry.metrics
    values = [
        metrics.latency.mean,
        metrics.latency.p95,
        metrics.per_token.mean,
        metrics.per_token.p95,
        metrics.throughput,
    ]
    return [
        *(_plain(value) for value in values),
        str(metrics.makespan),
        _plain(found.ratio(entry)),
        "" if entry.proved is None else _plain(entry.proved.value),
        str(entry.certificates),
    ]


def _plain(value: Fraction) -> str:
    return decimal(value, 4).replace(",", "")


Value = Callable[[Entry], Fraction]


@dataclass(frozen=True)
class Ordering:
    """One ordering that the paper's text or tables state: `below` < each of `above`."""

    text: str
    value: Value
    below: str
    above: tuple[str, ...]

    def check(self, found: Comparison) -> tuple[str, str]:
        """Return a verdict and the numbers that decide it; below 0.1% there is no difference."""
        left = self.value(found.entry(self.below))
        value, name = min((self.value(found.entry(name)), name) for name in self.above)
        numbers = f"{self.below} {decimal(abs(left), 2)}, {name} {decimal(abs(value), 2)}"
        if abs(left - value) < abs(value) / 1000:
            return NO_DIFFERENCE, numbers
        return REPRODUCED if left < value else NOT_REPRODUCED, numbers


def _per_token(entry: Entry) -> Fraction:
    return entry.metrics.per_token.mean


def _mean(entry: Entry) -> Fraction:
    return entry.metrics.latency.mean


def _p95(entry: Entry) -> Fraction:
    return entry.metrics.per_token.p95


def _throughput(entry: Entry) -> Fraction:
    return -entry.metrics.throughput


REST = ("fcfs", "predicted-sjf", "1-bit-svf")
ORDERINGS = (
    Ordering("SVF (predicted) has the lowest average per token", _per_token, "predicted-svf", REST),
    Ordering("SVF (predicted) has the lowest mean latency (ours)", _mean, "predicted-svf", REST),
    Ordering("1-bit SVF is below FCFS per token, everywhere", _per_token, "1-bit-svf", ("fcfs",)),
    Ordering("Oracle SVF is the floor per token", _per_token, "oracle-svf", POLICIES[:-1]),
    Ordering("Oracle SVF is the floor of mean latency", _mean, "oracle-svf", POLICIES[:-1]),
    Ordering(
        "SVF (predicted) beats oracle SJF per token", _per_token, "predicted-svf", ("oracle-sjf",)
    ),
    Ordering(
        "1-bit SVF beats SJF (predicted) per token (the paper: LongBench)",
        *(_per_token, "1-bit-svf", ("predicted-sjf",)),
    ),
    Ordering(
        "1-bit SVF beats SJF (predicted) on mean latency (ours)",
        _mean,
        "1-bit-svf",
        ("predicted-sjf",),
    ),
    Ordering(
        "SVF throughput is above SJF's, both predicted (the paper: all but one column)",
        *(_throughput, "predicted-svf", ("predicted-sjf",)),
    ),
    Ordering(
        "P95 per token of oracle SJF is below oracle SVF's (the paper: 3 of 4 columns)",
        *(_p95, "oracle-sjf", ("oracle-svf",)),
    ),
)


def orderings(report: Report, loads: Sequence[Workload], seed: int) -> None:
    """Burst, and Poisson arrivals at loads 1/2 and 9/10."""
    options = Options(seed=seed)
    for load in loads:
        found = report.add(
            "burst", load.name, f"seed {seed}", compare(load.burst(), POLICIES, options)
        )
        report.judge("burst", load.name, found)
        for share in (Fraction(1, 2), Fraction(9, 10)):
            instance = load.poisson(share, seed)
            setting = f"load {share}, seed {seed}"
            found = report.add("poisson", load.name, setting, compare(instance, POLICIES, options))
            if share > Fraction(1, 2):
                report.judge(f"Poisson load {share}", load.name, found)
            else:
                best = min(_mean(entry) for entry in found.entries)
                worst = max(_mean(entry) for entry in found.entries)
                spread = max(report.spreads.get(load.name, Fraction(0)), worst / best - 1)
                report.spreads[load.name] = spread


def alpha_sweep(report: Report, load: Workload) -> None:
    """SVF against the lower bound while alpha = P/M goes to 1."""
    largest = max(s + o for s, o in load.lengths)
    ratios = []
    for alpha in map(Fraction, ("1/20", "1/10", "1/4", "1/2", "3/4", "9/10", "1")):
        instance = replace(load, memory=ceil(largest / alpha)).burst()
        found = report.add(
            "alpha sweep", load.name, f"alpha {alpha}", compare(instance, ["svf", "sjf"])
        )
        ratios.append(f"{alpha}: {decimal(found.ratio(found.entry('svf')))}")
    report.notes.append(f"SVF / lower bound by alpha ({load.name}): {', '.join(ratios)}.")


def one_bit_sweep(report: Report, n: int, seed: int) -> None:
    """1-bit SVF against SVF while T grows: on random lengths, and on the Omega(sqrt T) family."""
    random: list[tuple[int, Fraction]] = []
    family: list[tuple[int, Fraction]] = []
    for b in (2, 3, 4, 5, 6):
        t = b**4
        chat = synthetic(
            f"chat, outputs <= {t}",
            16_384,
            "lognormal:60:1.1:2000",
            f"lognormal:140:0.9:{t}",
            n,
            seed,
        )
        bigs = 8 * b
        worst = Workload(
            "Omega(sqrt T) family", 8 * t, [(0, t)] * bigs + [(1, b * b + 1)] * bigs * b * b
        )
        for load, ratios in ((chat, random), (worst, family)):
            found = compare(load.burst(), ["svf", "1-bit-svf"], Options(max_output=t))
            report.add("T sweep", load.name, f"T {t}", found)
            value = Fraction(found.entry("1-bit-svf").metrics.tel, found.entry("svf").metrics.tel)
            ratios.append((t, value))
    for name, ratios in (("chat", random), ("Omega(sqrt T) family", family)):
        text = ", ".join(f"{t}: {decimal(value)}" for t, value in ratios)
        report.notes.append(f"1-bit SVF / SVF by T ({name}): {text}.")
    grows = all(x < y for (_, x), (_, y) in pairwise(family))
    report.notes.append(f"On the family the ratio {'grows' if grows else 'DOES NOT grow'} with T.")


def with_threshold(theta: int, mean: Fraction) -> ListPolicy[OneBitView]:
    """Return the 1-bit policy whose classes count as conditional means of a geometric law.

    The means are rounded down to multiples of 1/1000, so that keys stay small integers.
    """
    common = 1000
    short, long = (int(value * common) for value in conditional_means(mean, theta))

    def key(view: OneBitView) -> int:
        scaled = long if view.long else short
        return scaled * (2 * view.prompt * common + scaled + common)

    return replace(
        MEAN_ONE_BIT_SVF,
        name=f"1-bit-theta-{theta}",
        ranking=lambda system: Ranking(one_bit(theta), key, lambda view: system.max_peak),
    )


def theta_sweep(report: Report, n: int, seed: int) -> None:
    """Where to cut short from long, on geometric outputs, against SVF and FCFS."""
    mean = Fraction(200)
    load = synthetic("geometric", 16_384, "lognormal:60:1.1:2000", f"geometric:{mean}", n, seed)
    schedulers = [with_threshold(theta, mean) for theta in (1, 50, 100, 200, 400, 800, 5000)]
    found = report.add(
        "theta sweep", load.name, "1/mu = 200", compare_schedulers(load.burst(), schedulers)
    )
    text = ", ".join(f"{e.name[12:]}: {decimal(_mean(e), 1)}" for e in found.entries)
    report.notes.append(f"Mean latency by theta (geometric outputs, mean 200): {text}.")
    best = min(found.entries, key=_mean).name[12:]
    report.notes.append(
        f"Best theta: {best}; the largest theta makes every request short, that is zero bits "
        "(theorem 3.5's bound is smallest there, so the bound cannot show that the bit helps)."
    )


def queue_rules(report: Report, loads: Sequence[Workload]) -> None:
    """Stop at the first that does not fit, or let whoever fits pass."""
    names = ("fcfs", "sjf", "svf", "1-bit-svf")
    for load in loads:
        pair = [
            report.add("queue rule", load.name, rule, compare(load.burst(), names, None, choice))
            for rule, choice in (("head", RuleChoice("head")), ("skip", RuleChoice("skip")))
        ]
        changes = []
        for name in names:
            head, skip = (_mean(found.entry(name)) for found in pair)
            changes.append(f"{name} {decimal(100 * (skip / head - 1), 1)}%")
        report.notes.append(f"Mean latency, skip against head ({load.name}): {', '.join(changes)}.")


def noise(report: Report, loads: Sequence[Workload], seed: int) -> None:
    """Predictions that are wrong by up to a factor."""
    for load in loads:
        texts = []
        for factor in map(Fraction, ("1", "5/4", "2", "4", "8")):
            options = Options(factor=factor, seed=seed)
            found = compare(load.burst(), ["predicted-svf", "predicted-sjf"], options)
            report.add("predictor error", load.name, f"factor {factor}", found)
            svf, sjf = (decimal(_per_token(entry), 2) for entry in found.entries)
            texts.append(f"{factor}: {svf} / {sjf}")
        report.notes.append(
            f"Per token, SVF / SJF by the predictor's factor ({load.name}): {', '.join(texts)}."
        )


def running_cap(report: Report, load: Workload) -> None:
    """A large memory that is never full, without and with a cap of 256 running requests."""
    roomy = replace(load, memory=427_000)
    share = Fraction(1, 20)
    for cap in (None, 256):
        choice = RuleChoice(max_running=cap)
        found = compare(roomy.burst(), ["fcfs", "sjf", "svf"], None, choice)
        report.add("running cap", load.name, f"cap {cap or 'none'}", found)
        text = ", ".join(f"{e.name} {decimal(_per_token(e), 2)}" for e in found.entries)
        report.notes.append(f"Per token at M = 427,000, burst, cap {cap or 'none'}: {text}.")
    found = compare(roomy.poisson(share, 0), ["fcfs", "sjf", "svf"])
    report.add("running cap", load.name, f"Poisson load {share}, cap none", found)


def csv_text(report: Report) -> str:
    """Return every run as CSV; decimals are exact values rounded half up to 4 places."""
    rows = [COLUMNS, *report.rows]
    return "".join(",".join(_quoted(cell) for cell in row) + "\n" for row in rows)


def _quoted(cell: str) -> str:
    return f'"{cell}"' if "," in cell else cell


def markdown(report: Report, n: int, seed: int, draws: int) -> str:
    """Return the verdicts and the notes as a document."""
    return "\n".join(_lines(report, n, seed, draws)) + "\n"


def _lines(report: Report, n: int, seed: int, draws: int) -> Iterator[str]:
    yield "# Paper 2's experiments with lengths only"
    yield ""
    last = seed + draws - 1
    yield f"Up to {n} requests a workload; orderings with the seeds {seed}..{last}, which"
    yield "draw synthetic lengths, Poisson arrivals and predictions; sweeps with the first seed."
    yield "Predictions are within a factor 2 unless said; below 0.1% there is no difference."
    yield "Our workloads and our numbers; the paper's data and code were not available."
    yield ""
    yield "## Orderings of the paper"
    for ordering in ORDERINGS:
        yield from _ordering_lines(ordering.text, report)
    yield ""
    yield "## Sweeps"
    yield ""
    spreads = (f"{name} {decimal(100 * value, 2)}%" for name, value in report.spreads.items())
    yield "- Poisson at load 1/2, worst against best mean latency of the six policies, largest"
    yield f"  over the draws: {', '.join(spreads)}."
    yield from (f"- {note}" for note in report.notes)
    yield ""
    yield "## Checks"
    yield ""
    checked = sum(int(row[-1]) for row in report.rows)
    yield f"{len(report.rows)} runs replayed, {checked} certificates, {len(report.faults)} faults."
    yield from (f"- REJECTED: {fault}" for fault in report.faults)


def _ordering_lines(text: str, report: Report) -> Iterator[str]:
    places = {where: found for (mine, where), found in report.verdicts.items() if mine == text}
    merged = [_merged([word for word, _ in found]) for found in places.values()]
    counts = ", ".join(f"{word} in {merged.count(word)}" for word in VERDICTS if word in merged)
    yield ""
    yield f"**{text}**: {counts} of {len(merged)} settings"
    yield ""
    yield "| setting | verdict | draws | numbers of the first draw |"
    yield "|---|---|---|---|"
    for word, (where, found) in zip(merged, places.items(), strict=True):
        words = [word for word, _ in found]
        draws = ", ".join(f"{words.count(w)} {w}" for w in VERDICTS if w in words)
        yield f"| {where} | {word} | {draws} | {found[0][1]} |"


def _merged(words: Sequence[str]) -> str:
    """Return the verdict of all draws, or that they differ."""
    return words[0] if len(set(words)) == 1 else MIXED


def experiments(n: int, seed: int, draws: int) -> Report:
    """Run everything: the orderings for several draws, the sweeps for the first."""
    report = Report()
    loads = workloads(n, seed)

    def all_orderings() -> None:
        for draw in range(seed, seed + draws):
            orderings(report, workloads(n, draw), draw)

    steps: list[tuple[str, Callable[[], None]]] = [
        ("orderings", all_orderings),
        ("alpha", lambda: alpha_sweep(report, loads[0])),
        ("T", lambda: one_bit_sweep(report, n, seed)),
        ("theta", lambda: theta_sweep(report, n, seed)),
        ("queue rule", lambda: queue_rules(report, loads)),
        ("predictor", lambda: noise(report, loads[:2], seed)),
        ("cap", lambda: running_cap(report, loads[0])),
    ]
    with progress("paper 2") as tell:
        for done, (name, step) in enumerate(steps):
            tell(done, len(steps), name)
            step()
    return report


def main(arguments: Sequence[str] | None = None) -> int:
    """Write both files; 1 if a run or a proved bound fails, 2 if the input is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="20,000 requests instead of 2,000")
    parser.add_argument("--requests", type=int, default=None, help="requests a workload")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--draws", type=int, default=5, help="seeds for the orderings")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "paper2")
    chosen = parser.parse_args(arguments)
    n = (20_000 if chosen.full else 2_000) if chosen.requests is None else chosen.requests
    try:
        draws = require_int(chosen.draws, "draws", 1)
        report = experiments(require_int(n, "requests", 1), chosen.seed, draws)
        text = markdown(report, n, chosen.seed, draws)
        write_whole(chosen.out / "experiments.csv", csv_text(report).encode())
        write_whole(chosen.out / "orderings.md", text.encode())
    except InputError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(text)
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
