from __future__ import annotations

import csv
import importlib.util
import io
import json
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from evaluators.artifacts.schema import validator
from evaluators.commands.compare import CSV_HEADER, Outputs, Source, compare_policies
from evaluators.comparison import (
    GRID,
    RuleChoice,
    compare,
    compare_schedulers,
    held_by,
    queue_events,
)
from evaluators.controls.seeded import random_instance
from evaluators.memory import PAPERS, engine_convention
from evaluators.model import InputError, Instance, Schedule
from evaluators.plots import (
    BINS,
    MAX_POINTS,
    draw,
    latency_cdf,
    occupancy_points,
    queue_points,
    thinned,
)
from evaluators.policies.rules import Simulation
from evaluators.policies.scheduler import Options
from evaluators.policies.schedulers import SCHEDULERS
from evaluators.policies.smallest_volume import SVF
from evaluators.ratios import ProvedRatio

from .cli import FIXTURES, ROOT, TRACES

NAMES = ["fcfs", "sjf", "svf", "1-bit-svf", "honest-1-bit", "serial"]
CHOICES = [
    RuleChoice(),
    RuleChoice("skip", "peak"),
    RuleChoice("head", "prompt-only"),
    RuleChoice("skip", "prompt-only", 3),
]
TWO = Instance.from_triples(6, [(0, 0, 3), (0, 3, 2)])
ARENA = TRACES / "arena_vtc.csv"


def wanted(values: list[Fraction]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    ordered = sorted(values)
    p95 = ordered[-(-95 * len(ordered) // 100) - 1]
    return sum(ordered, Fraction(0)) / len(ordered), median(ordered), p95, ordered[-1]


def found_in(spread: Any) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    return spread.mean, spread.median, spread.p95, spread.largest


@pytest.mark.parametrize("choice", CHOICES, ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_metrics_are_what_a_loop_over_rounds_finds(choice: RuleChoice, seed: int) -> None:
    instance = random_instance(seed, 5 + 7 * seed, 14, 20 * (seed % 3))
    comparison = compare(instance, NAMES, None, choice)
    assert comparison.faults == []
    for entry in comparison.entries:
        result, metrics = entry.result, entry.metrics
        done = result.completions
        delays = [Fraction(done[r.id] - r.arrival) for r in instance.requests]
        outputs = [r.output for r in instance.requests]
        assert found_in(metrics.latency) == wanted(delays)
        tokens = wanted([d / o for d, o in zip(delays, outputs, strict=True)])
        assert found_in(metrics.per_token)[1:] == tokens[1:]
        assert abs(metrics.per_token.mean - tokens[0]) * 2 * GRID <= 1
        held = [result.occupancy(t) for t in range(metrics.makespan)]
        assert metrics.mean_occupancy == Fraction(sum(held), metrics.makespan)
        assert metrics.peak == max(held)
        assert metrics.makespan == max(done.values())
        assert metrics.throughput == Fraction(sum(outputs), metrics.makespan)
        assert comparison.ratio(entry) == Fraction(metrics.tel, int(comparison.bound.value))
        assert sum(y for _, y in occupancy_points(entry)) > 0
        assert _queue_by_events(entry.run) == _queue_by_rounds(entry.run, metrics.makespan)


def _queue_by_events(run: Simulation) -> list[int]:
    events, last = dict(queue_events(run)), max(run.starts().values())
    lengths, now = [], 0
    for t in range(last + 1):
        now += events.get(t, 0)
        lengths.append(now)
    assert all(t <= last or by == 0 for t, by in events.items())
    return lengths


def _queue_by_rounds(run: Simulation, makespan: int) -> list[int]:
    schedule = run.schedule
    if isinstance(schedule, Schedule):
        schedule = schedule.attempts(run.instance)
    last = max(run.starts().values())
    lengths = []
    for t in range(last + 1):
        arrived = {r.id for r in run.instance.requests if r.arrival <= t}
        busy = {a.request for a in schedule.attempts if a.start <= t < a.end}
        done = {a.request for a in schedule.attempts if a.completed and a.end <= t}
        lengths.append(len(arrived - busy - done))
    return lengths


@pytest.mark.parametrize("convention", [PAPERS, engine_convention(1), engine_convention(4)])
def test_the_area_of_a_run_is_the_sum_of_its_rounds(convention: Any) -> None:
    for prompt in range(10):
        for rounds in range(10):
            area = sum(convention.size(prompt, age) for age in range(rounds))
            assert held_by(convention, prompt, rounds) == area


def test_best_known_bound_and_ratio_of_the_small_example() -> None:
    comparison = compare(TWO, ["svf", "sjf"])
    assert comparison.best == "sjf"
    assert [entry.metrics.tel for entry in comparison.entries] == [8, 6]
    assert comparison.entry("svf").proved is not None
    with pytest.raises(KeyError):
        comparison.entry("fcfs")


def test_no_requests() -> None:
    comparison = compare(Instance.of(5, []), ["fcfs", "svf"])
    assert comparison.faults == []
    assert [entry.metrics.makespan for entry in comparison.entries] == [0, 0]
    assert comparison.ratio(comparison.entries[0]) == 1
    assert draw(comparison, "empty", "png").startswith(b"\x89PNG")


def test_a_rule_leaves_the_other_defaults_of_a_policy() -> None:
    honest, serial = SCHEDULERS["honest-1-bit"], SCHEDULERS["serial"]
    rules = RuleChoice(max_running=2).rules(honest)
    assert rules is not None
    assert (rules.admission, rules.max_running) == ("reserve", 2)
    run = compare_schedulers(TWO, [serial], None, RuleChoice(max_running=2)).entries[0].run
    assert run.rules.max_running == 1
    assert RuleChoice().rules(honest) is None


def test_a_wrong_bound_is_a_fault() -> None:
    wrong = replace(SVF, proved_ratios=lambda *_: [ProvedRatio(Fraction(1), "wrong on purpose")])
    comparison = compare_schedulers(TWO, [wrong, SCHEDULERS["sjf"]])
    assert len(comparison.faults) == 1
    assert comparison.faults[0].startswith("svf: proved ratio (wrong on purpose): 8 <= 6 is false")


class Overfull:
    """Starts everything in round 0."""

    name, summary, paper, sees, guarantee = "overfull", "", "", "", ""

    def run(self, instance: Instance, options: Options) -> Simulation:
        starts = {request.id: 0 for request in instance.requests}
        return Simulation(instance, SVF.default_rules, (), Schedule(starts))

    def ratios(self, instance: Instance, options: Options) -> list[ProvedRatio]:
        return []


def trace(folder: Path, rows: str = "0,0,3\n0,3,2\n30,1,1\n") -> Path:
    path = folder / "trace.csv"
    path.write_text("arrival_ms,prompt_tokens,output_tokens\n" + rows)
    return path


def test_an_infeasible_run_is_rejected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(SCHEDULERS, "overfull", Overfull())
    source = Source(trace(tmp_path), 6, 25, True, False)
    assert compare_policies(source, "overfull", RuleChoice(), 0, Outputs()) == 1
    out = capsys.readouterr().out
    assert "REJECTED: overfull: rounds 0..0 hold up to" in out
    assert out.splitlines()[-1].startswith("verdict=REJECTED policies=1 best=none")
    assert compare_policies(source, "overfull,svf", RuleChoice(), 0, Outputs(json=True)) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["verdict"] == "REJECTED"
    assert document["best_known"] == "svf"
    assert not list(validator(document["schema"]).iter_errors(document))


def test_the_files_and_the_json_agree(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = Source(trace(tmp_path), 6, 25, False, False)
    table, picture = tmp_path / "new" / "t.csv", tmp_path / "new" / "p.svg"
    outputs = Outputs(table, picture, True)
    assert compare_policies(source, " svf, sjf", RuleChoice("skip"), 3, outputs) == 0
    text = capsys.readouterr().out
    document = json.loads(text)
    assert text.count("\n") == 1
    assert not list(validator(document["schema"]).iter_errors(document))
    assert (document["round_ms"], document["seed"], document["burst"]) == (25, 3, False)
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert table.read_text().splitlines()[0] == CSV_HEADER
    assert [row["policy"] for row in rows] == ["svf", "sjf"]
    for row, entry in zip(rows, document["policies"], strict=True):
        assert row["queue"] == entry["queue"] == "skip"
        assert int(row["tel"]) == entry["tel"]
        exact = Fraction(entry["mean_occupancy"])
        assert abs(Fraction(row["mean_occupancy"]) - exact) <= Fraction(1, 2 * 10**6)
    first = picture.read_bytes()
    assert first.startswith(b"<?xml")
    compare_policies(source, "svf,sjf", RuleChoice("skip"), 3, outputs)
    assert picture.read_bytes() == first
    assert sorted(p.name for p in table.parent.iterdir()) == ["p.svg", "t.csv"]


def test_the_table_of_an_instance_file(capsys: pytest.CaptureFixture[str]) -> None:
    path = next(iter(sorted((FIXTURES / "accept").glob("*.instance.json"))))
    assert (
        compare_policies(Source(path, None, 25, True, False), "fcfs", RuleChoice(), 0, Outputs())
        == 0
    )
    out = capsys.readouterr().out
    assert "latency (rounds)" in out
    assert "proved: TEL(fcfs) <= " in out
    assert "verdict=VERIFIED policies=1 best=fcfs" in out


def attempt(folder: Path, **changes: Any) -> str:
    """Run with one thing wrong; return the error and check that nothing was written."""
    path = changes.pop("path", None) or trace(folder)
    before = sorted(folder.rglob("*"))
    values: dict[str, Any] = {
        "memory": 6,
        "round_ms": 25,
        "burst": False,
        "drop": False,
        "policies": "fcfs,svf",
        "choice": RuleChoice(),
        "seed": 0,
        "outputs": Outputs(folder / "t.csv"),
    } | changes
    source = Source(path, values["memory"], values["round_ms"], values["burst"], values["drop"])
    with pytest.raises(InputError) as error:
        compare_policies(
            source, values["policies"], values["choice"], values["seed"], values["outputs"]
        )
    assert sorted(folder.rglob("*")) == before
    return str(error.value)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"policies": "fcfs,best"}, "policy: must be one of serial, fcfs"),
        ({"policies": "svf,svf"}, "policies: must be distinct"),
        ({"policies": " , "}, "policies: must name at least one"),
        ({"memory": None}, "--memory is required for a trace"),
        ({"memory": 4}, "--drop-infeasible drops them"),
        ({"memory": 0}, "memory: must be an integer >= 1"),
        ({"round_ms": 0}, "round-ms: must be an integer >= 1"),
        ({"seed": -1}, "seed: must be an integer >= 0"),
        ({"choice": RuleChoice("jump")}, "queue: must be one of head, skip"),
        ({"choice": RuleChoice(None, "maybe")}, "admission: must be one of exact"),
        ({"choice": RuleChoice(None, None, 0)}, "max-running: must be an integer >= 1"),
        ({"choice": RuleChoice("skip"), "policies": "main-filler"}, "rules: main-filler has no"),
        ({"outputs": Outputs(None, Path("picture.pdf"))}, "plot: must end in .png or .svg"),
    ],
)
def test_bad_input_is_one_line_and_writes_nothing(
    changes: dict[str, Any], words: str, tmp_path: Path
) -> None:
    message = attempt(tmp_path, **changes)
    assert words in message
    assert "\n" not in message


def test_outputs_never_overwrite_the_input_or_a_folder(tmp_path: Path) -> None:
    path = trace(tmp_path)
    assert "would overwrite the input" in attempt(tmp_path, outputs=Outputs(path))
    assert "this is a folder" in attempt(tmp_path, outputs=Outputs(tmp_path))
    both = tmp_path / "x.svg"
    assert "must differ from --plot" in attempt(tmp_path, outputs=Outputs(both, both))
    file = next(iter(sorted((FIXTURES / "accept").glob("*.instance.json"))))
    assert "applies to traces" in attempt(tmp_path, path=file, drop=True)
    assert "must have prompt + output <= memory" in attempt(tmp_path, path=file, memory=1)


def test_infeasible_requests_can_be_dropped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = Source(trace(tmp_path), 4, 25, False, True)
    assert compare_policies(source, "fcfs", RuleChoice(), 0, Outputs()) == 0
    assert capsys.readouterr().out.startswith("2 requests (1 dropped), arrivals as given, memory 4")


def test_points_of_the_pictures() -> None:
    comparison = compare(random_instance(1, 3000, 40, 4000), ["svf", "fcfs"])
    for entry in comparison.entries:
        assert len(latency_cdf(entry)) <= MAX_POINTS + 1
        assert latency_cdf(entry)[-1] == (int(entry.metrics.latency.largest), 1.0)
        stretches = occupancy_points(entry)
        assert len(stretches) == BINS
        edges = [entry.metrics.makespan * i // BINS for i in range(BINS + 1)]
        for (_, mean), low, high in list(zip(stretches, edges, edges[1:], strict=False))[::17]:
            held = sum(entry.result.occupancy(t) for t in range(low, min(high, low + 400)))
            assert high - low > 400 or mean == pytest.approx(held / (high - low))
        queue = queue_points(entry)
        assert len(queue) <= 2 * MAX_POINTS
        assert queue[-1][1] == 0


def test_thinning_keeps_every_extreme() -> None:
    points = [(t, float((t * 7919) % 1009)) for t in range(9000)]
    kept = thinned(points)
    assert len(kept) <= MAX_POINTS + 2
    assert kept == sorted(kept)
    assert max(y for _, y in kept) == max(y for _, y in points)
    assert min(y for _, y in kept) == min(y for _, y in points)
    assert thinned(points[:10]) == points[:10]


@pytest.mark.parametrize("form", ["png", "svg"])
def test_pictures_of_the_same_comparison_have_the_same_bytes(form: str) -> None:
    comparison = compare(random_instance(2, 60, 30, 50), list(SCHEDULERS)[:9])
    assert draw(comparison, "title", form, 25) == draw(comparison, "title", form, 25)
    assert b"Date" not in draw(comparison, "title", form)


@pytest.mark.skipif(not ARENA.is_file(), reason=f"{ARENA} is not there")
def test_svf_beats_sjf_and_fcfs_on_the_arena_burst(tmp_path: Path) -> None:
    instance, _ = Source(ARENA, 10_240, 25, True, False).load()
    comparison = compare(instance, ["fcfs", "sjf", "svf", "1-bit-svf"])
    assert comparison.faults == []
    assert comparison.best == "svf"
    means = {entry.name: entry.metrics.latency.mean for entry in comparison.entries}
    assert means["svf"] < means["sjf"] < means["fcfs"]
    assert comparison.ratio(comparison.entry("svf")) < Fraction(6, 5)


def test_the_experiments_of_paper_2_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = ROOT / "scripts" / "paper2_experiments.py"
    spec = importlib.util.spec_from_file_location("paper2_experiments", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
        assert module.main(["--requests", "40", "--draws", "2", "--out", str(tmp_path)]) == 0
        text = capsys.readouterr().out
        assert (tmp_path / "orderings.md").read_text() == text
        rows = list(csv.DictReader(io.StringIO((tmp_path / "experiments.csv").read_text())))
        assert f"{len(rows)} runs replayed" in text
        assert ", 0 faults." in text
        assert len({row["experiment"] for row in rows}) == 8
        assert module.main(["--seed", "-1", "--out", str(tmp_path / "no")]) == 2
        assert not (tmp_path / "no").exists()
    finally:
        del sys.modules[spec.name]
