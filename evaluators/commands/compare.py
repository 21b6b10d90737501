"""The commands `compare` (several policies on one instance) and `generate` (traces to try)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from ..artifacts.canonical import Json, write_whole
from ..comparison import Comparison, Entry, RuleChoice, Spread, compare, comparison_to_json
from ..console import decimal, print_json, print_line, print_table, progress
from ..generators import generate_requests, trace_bytes
from ..generators import law as length_law
from ..images import format_of
from ..model import InputError, Instance, require_int
from ..policies.nonclairvoyant.regimes import regimes
from ..policies.scheduler import Options
from .instances import as_burst, load
from .regimes import regimes_to_json

PLACES = 6
CSV_HEADER = (
    "policy,queue,admission,mean_latency,median_latency,p95_latency,max_latency,"
    "mean_per_token,median_per_token,p95_per_token,max_per_token,tel,makespan,preemptions,"
    "wasted_rounds,peak,mean_occupancy,throughput,lower_bound,ratio,proved,feasible"
)


LATENCY_HEADER = ("policy", "mean", "median", "P95", "max", "TEL/bound")
TOKEN_HEADER = ("policy", "mean", "median", "P95", "max", "tokens/round")
MEMORY_HEADER = ("policy", "makespan", "preempted", "peak", "mean held")


@dataclass(frozen=True, slots=True)
class Source:
    """What to compare on: a trace or an instance file, and how to read it."""

    path: Path
    memory: int | None
    round_ms: int
    burst: bool
    drop_infeasible: bool

    @property
    def is_trace(self) -> bool:
        """Whether the file is a trace in CSV."""
        return self.path.suffix.lower() == ".csv"

    def load(self) -> tuple[Instance, int]:
        """Return the instance and the number of dropped requests; raises InputError."""
        given = load(self.path, self.memory, self.round_ms, self.drop_infeasible)
        instance = given.instance
        if self.burst:
            instance = as_burst(instance)
        return instance, given.dropped


@dataclass(frozen=True, slots=True)
class Outputs:
    """Files to write besides the table, and whether JSON is printed instead of it."""

    csv: Path | None = None
    plot: Path | None = None
    json: bool = False

    def check(self, source: Path) -> None:
        """Refuse, before any work, targets that cannot be files of their own."""
        for field, path in (("csv", self.csv), ("plot", self.plot)):
            if path is None:
                continue
            if path.is_dir():
                raise InputError(field, "must be a file, this is a folder", str(path))
            if path.resolve() == source.resolve():
                raise InputError(field, "would overwrite the input", str(path))
        if self.plot is not None:
            format_of(self.plot)
        if self.csv is not None and self.plot is not None and self.csv == self.plot:
            raise InputError("csv", "must differ from --plot", str(self.csv))


def compare_policies(
    source: Source, policies: str, choice: RuleChoice, seed: int, outputs: Outputs
) -> int:
    """Compare policies (names separated by commas); 1 if a run or a proved bound fails."""
    names = [name.strip() for name in policies.split(",") if name.strip()]
    options = Options(seed=require_int(seed, "seed", 0))
    outputs.check(source.path)
    instance, dropped = source.load()
    with progress("compare") as report:
        found = compare(instance, names, options, choice, report)
    document = _document(source, found, dropped, seed)
    picture = b"" if outputs.plot is None else _picture(source, found, outputs.plot)
    if outputs.csv is not None:
        write_whole(outputs.csv, csv_bytes(found))
    if outputs.plot is not None:
        write_whole(outputs.plot, picture)
    if outputs.json:
        print_json(document)
    else:
        _print(source, found, dropped)
    return 1 if found.faults else 0


def _document(source: Source, found: Comparison, dropped: int, seed: int) -> dict[str, Json]:
    document = comparison_to_json(found)
    document |= {"dropped": dropped, "burst": source.burst, "seed": seed}
    document["regimes"] = regimes_to_json(found.instance)
    if source.is_trace:
        document["round_ms"] = source.round_ms
    return document


def _picture(source: Source, found: Comparison, path: Path) -> bytes:
    from ..plots import draw  # noqa: PLC0415  (matplotlib loads only for a picture)

    arrivals = "all requests arrive in round 0" if source.burst else "arrivals as given"
    title = f"{source.path.name}: {len(found.instance):,} requests, {arrivals}"
    round_ms = source.round_ms if source.is_trace else None
    return draw(found, title, format_of(path), round_ms)


def csv_bytes(found: Comparison) -> bytes:
    """Return one row for each policy; decimals are exact values rounded half up to 6 places."""
    rows = [CSV_HEADER, *(_csv_row(found, entry) for entry in found.entries)]
    return ("\n".join(rows) + "\n").encode()


def _csv_row(found: Comparison, entry: Entry) -> str:
    metrics, rules = entry.metrics, entry.run.rules
    cells = [entry.name, rules.queue, rules.admission]
    for spread in (metrics.latency, metrics.per_token):
        cells += [_plain(x) for x in _values(spread)]
    cells += [
        *map(str, (metrics.tel, metrics.makespan, metrics.preemptions, metrics.wasted_rounds)),
        str(metrics.peak),
        *map(_plain, (metrics.mean_occupancy, metrics.throughput)),
        str(int(found.bound.value)),
        _plain(found.ratio(entry)),
        "" if entry.proved is None else _plain(entry.proved.value),
        "yes" if entry.result.feasible else "no",
    ]
    return ",".join(cells)


def _plain(value: Fraction) -> str:
    return decimal(value, PLACES).replace(",", "")


def _values(spread: Spread) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    return spread.mean, spread.median, spread.p95, spread.largest


def _print(source: Source, found: Comparison, dropped: int) -> None:
    arrivals = "arrivals set to 0" if source.burst else "arrivals as given"
    unit = f"rounds of {source.round_ms} ms" if source.is_trace else "rounds"
    print_line(
        f"{len(found.instance):,} requests ({dropped:,} dropped), {arrivals}, "
        f"memory {found.instance.memory:,}"
    )
    print_line(f"large / prompt-heavy / response-heavy: {regimes(found.instance).text()}")
    entries = found.entries
    rows = [_latency_row(entry, found.ratio(entry)) for entry in entries]
    print_table(f"latency ({unit})", LATENCY_HEADER, _aligned(rows))
    rows = [_token_row(entry) for entry in entries]
    print_table("latency per output token, throughput", TOKEN_HEADER, _aligned(rows))
    rows = [_memory_row(entry) for entry in entries]
    print_table("time and memory", MEMORY_HEADER, _aligned(rows))
    for entry in entries:
        if entry.proved is not None:
            value = decimal(entry.proved.value)
            print_line(f"proved: TEL({entry.name}) <= {value} OPT ({entry.proved.source})")
    for fault in found.faults:
        print_line(f"REJECTED: {fault}")
    verdict = "REJECTED" if found.faults else "VERIFIED"
    bound = f"{int(found.bound.value)} lower_bound_name={found.bound.name.replace(' ', '_')}"
    print_line(
        f"verdict={verdict} policies={len(found.entries)} best={found.best or 'none'} "
        f"lower_bound={bound} "
        f"certificates={sum(entry.certificates for entry in found.entries)}"
    )


def _aligned(rows: list[list[str]]) -> list[list[str]]:
    """Pad the numbers on the left, so that a column ends on one line."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        [row[0], *(cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True))]
        for row in rows
    ]


def _latency_row(entry: Entry, ratio: Fraction) -> list[str]:
    values = _values(entry.metrics.latency)
    return [entry.name, *(decimal(x, 1) for x in values), decimal(ratio)]


def _token_row(entry: Entry) -> list[str]:
    values = _values(entry.metrics.per_token)
    return [entry.name, *(decimal(x, 2) for x in values), decimal(entry.metrics.throughput, 2)]


def _memory_row(entry: Entry) -> list[str]:
    metrics = entry.metrics
    whole = (metrics.makespan, metrics.preemptions, metrics.peak)
    return [entry.name, *(f"{x:,}" for x in whole), decimal(metrics.mean_occupancy, 1)]


def generate(target: Path, requests: int, rate: str, prompts: str, outputs: str, seed: int) -> int:
    """Write a seeded trace; `rate` is requests a second as p or p/q or a decimal, or `burst`."""
    if target.is_dir():
        raise InputError("target", "must be a file, this is a folder", str(target))
    if target.suffix.lower() != ".csv":
        raise InputError("target", f"must end in .csv, got {target.name!r}")
    pace = None if rate == "burst" else _rate(rate)
    laws = length_law(prompts, "prompts", 0), length_law(outputs, "outputs", 1)
    with progress("generate") as report:
        rows = generate_requests(requests, pace, *laws, seed, report)
    write_whole(target, trace_bytes(rows))
    span = rows[-1][0] if rows else 0
    tokens = sum(output for _, _, output in rows)
    print_line(f"wrote={target} requests={len(rows)} span_ms={span} output_tokens={tokens}")
    return 0


def _rate(text: str) -> Fraction:
    try:
        value = Fraction(text) if len(text) <= 24 and "e" not in text.lower() else Fraction(0)
    except (ValueError, ZeroDivisionError):
        value = Fraction(0)
    if value <= 0:
        rule = f"must be `burst` or requests a second > 0 such as 5, 2.5 or 1/3, got {text[:24]!r}"
        raise InputError("rate", rule)
    return value
