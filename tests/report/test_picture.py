"""The memory-time picture: its geometry is exact, and files are made for few and many requests."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluators.artifacts.files import instance_from_json, starts_from_json
from evaluators.memory import PAPERS, Convention, engine_convention
from evaluators.model import Attempt, AttemptSchedule, InputError, Instance, Request, Schedule
from evaluators.policies.scheduler import Options
from evaluators.policies.schedulers import scheduler_named
from evaluators.replay import replay
from evaluators.report import bands as geometry
from evaluators.report.bands import group_bands, group_requests, runs_of, single_bands
from evaluators.report.drawing import drawing
from evaluators.report.picture import draw, save

from ..cli import FIXTURES, ROOT, call

PNG = b"\x89PNG\r\n\x1a\n"


def random_instance(n: int, seed: int) -> tuple[Instance, Schedule]:
    rnd = random.Random(seed)
    requests = [
        Request(i, rnd.randint(0, 3 * n), rnd.randint(0, 20), rnd.randint(1, 30)) for i in range(n)
    ]
    starts = {r.id: r.arrival + rnd.randint(0, 9) for r in requests}
    return Instance.of(60, requests), Schedule(starts)


def total(found: list[geometry.Band]) -> dict[int, list[int]]:
    """Height of the whole stack at each sampled time, every value that it takes there."""
    heights: dict[int, list[int]] = {}
    for band in found:
        for time, _, above in band.samples:
            heights.setdefault(time, []).append(above)
    return heights


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 25), st.integers(0, 10**6), st.sampled_from([PAPERS, engine_convention(4)]))
def test_the_stack_holds_what_the_replay_says(n: int, seed: int, convention: Convention) -> None:
    instance, schedule = random_instance(n, seed)
    result = replay(instance, schedule, convention)
    groups, runs = runs_of(instance, schedule)
    ends = {run.attempt.end for run in runs}
    for found in (single_bands(runs, convention), group_bands(runs, len(groups), convention)):
        heights = total(found)
        for time in ends:
            assert result.occupancy(time - 1) in heights[time]
        assert max(max(x) for x in heights.values()) == result.peak


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 12), st.integers(0, 10**6))
def test_a_band_is_a_trapezoid_of_its_volume(n: int, seed: int) -> None:
    instance, schedule = random_instance(n, seed)
    _, runs = runs_of(instance, schedule)
    for band in single_bands(runs, PAPERS):
        assert band.run is not None
        request = band.run.request
        area2 = 0
        for (t, b, a), (u, c, d) in zip(band.samples[::2], band.samples[1::2], strict=True):
            area2 += (u - t) * (a - b + d - c)
        # The trapezoid from s to s + o; the rounds' total is larger by half a unit a round.
        assert area2 == request.volume2 - request.output
        assert band.samples[0][2] - band.samples[0][1] == request.prompt
        assert band.samples[-1][2] - band.samples[-1][1] == request.peak


def test_groups_are_shapes_if_few_and_classes_of_volume_if_many() -> None:
    few = [Request(i, 0, i % 3, 1) for i in range(30)]
    groups, member = group_requests(few)
    assert [g.label for g in groups] == [f"prompt {s}, output 1" for s in range(3)]
    assert [g.requests for g in groups] == [10, 10, 10]
    assert member[4] == 1
    many = [Request(i, 0, i, 1 + i % 7) for i in range(100)]
    groups, member = group_requests(many)
    assert len(groups) == 6
    assert sum(g.requests for g in groups) == 100
    volumes = {g: [r.volume for r in many if member[r.id] == g] for g in range(6)}
    assert all(max(volumes[g]) < min(volumes[g + 1]) for g in range(5))


def test_no_requests_and_huge_numbers() -> None:
    assert draw(Instance.of(5, []), Schedule({}), "png").startswith(PNG)
    big = 10**19
    instance = Instance.of(big, [Request(0, big, big // 2, big // 2)])
    assert draw(instance, Schedule({0: big}), "png").startswith(PNG)


def test_same_bytes_and_every_band_is_drawn() -> None:
    instance, schedule = random_instance(5, 3)
    first = draw(instance, schedule, "svg")
    assert first == draw(instance, schedule, "svg")
    assert first.startswith(b"<?xml")
    shown = drawing(instance, schedule)
    assert shown.single
    assert len(shown.bands) == 5


def test_kills_are_drawn_and_excess_is_marked() -> None:
    instance = Instance.from_triples(3, [(0, 1, 2), (0, 1, 2)])
    killed = AttemptSchedule(
        (Attempt(0, 0, 1, False), Attempt(1, 0, 2, True), Attempt(0, 2, 2, True))
    )
    assert len(drawing(instance, killed).bands) == 3
    text = draw(instance, killed, "svg").decode()
    assert "#c1121f" in text  # over the capacity in round 0
    feasible = draw(instance, Schedule({0: 0, 1: 2}), "svg").decode()
    assert "#c1121f" not in feasible


def test_the_thirteen_request_counterexample_is_drawn_whole() -> None:
    document = json.loads((ROOT / "output/svf/counterexamples.json").read_text())
    control = next(c for c in document["controls"] if c["id"].startswith("skip-breaks-the-theorem"))
    instance = instance_from_json(control["instance"])
    schedule = Schedule(starts_from_json(control["schedules"][0]["starts"]))
    shown = drawing(instance, schedule)
    assert len(shown.bands) == 13
    assert [g.requests for g in shown.groups] == [2, 1, 8, 1, 1]
    assert draw(instance, schedule, "png").startswith(PNG)


def test_five_thousand_requests_are_aggregated_and_keep_the_peak(tmp_path: Path) -> None:
    rnd = random.Random(5)
    requests = [Request(i, 3 * i, rnd.randint(20, 400), rnd.randint(1, 300)) for i in range(5000)]
    instance = Instance.of(20000, requests)
    schedule = scheduler_named("fcfs").run(instance, Options()).schedule
    shown = drawing(instance, schedule)
    assert not shown.single
    assert len(shown.bands) == 6
    assert len(shown.bands[0].samples) <= geometry.MAX_SAMPLES + 2
    assert max(above for _, _, above in shown.bands[-1].samples) == shown.result.peak
    save(tmp_path / "many.png", instance, schedule)
    assert (tmp_path / "many.png").read_bytes().startswith(PNG)


def test_replay_plot(tmp_path: Path) -> None:
    accept = FIXTURES / "accept"
    arguments = ["replay", accept / "anomaly.instance.json", accept / "anomaly.schedule.json"]
    for name in ("a.svg", "a.png"):
        assert call(*arguments, "--plot", tmp_path / name).returncode == 0
        assert (tmp_path / name).stat().st_size > 1000
    refused = call(*arguments, "--plot", tmp_path / "a.pdf")
    assert refused.returncode == 2
    assert "plot: must end in .png or .svg" in refused.stderr
    assert not (tmp_path / "a.pdf").exists()


def test_another_suffix_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="must end in"):
        save(tmp_path / "a.jpg", Instance.of(1, []), Schedule({}))
