"""`run` and `compare` with paper 3's policies: bursts, arrivals, regimes, refusals."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluators.artifacts.files import read_instance, read_schedule
from evaluators.certificates import CertificateError
from evaluators.model import AttemptSchedule
from evaluators.policies.kill_schedulers import KILL_SCHEDULERS
from evaluators.replay import replay

from .cli import FIXTURES, call, run_json

MEMORY = "64"
NAMES = [s.name for s in KILL_SCHEDULERS if s.takes is None]


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    rows = [(i * 30, 1 + 7 * i % 30, 1 + 5 * i % 23) for i in range(40)]
    path = tmp_path / "trace.csv"
    lines = ["arrival_ms,prompt_tokens,output_tokens", *(",".join(map(str, r)) for r in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("name", NAMES)
def test_run_on_a_burst(trace: Path, name: str) -> None:
    code, document = run_json("run", trace, "--policy", name, "--memory", MEMORY, "--burst")
    assert code == 0
    assert document["feasible"] is True
    assert sum(document["regimes"].values()) == document["requests"] == 40
    assert document["tel"] == document["total_completion"]


@pytest.mark.parametrize("name", ["route-online", "length-doubling"])
def test_run_with_arrivals(trace: Path, name: str) -> None:
    code, document = run_json("run", trace, "--policy", name, "--memory", MEMORY)
    assert code == 0
    assert document["feasible"] is True
    assert document["tel"] < document["total_completion"]
    assert "proved" not in document["ratio"]  # nothing is proved of TEL with arrivals


def test_offline_policies_refuse_arrivals(trace: Path) -> None:
    result = call("run", trace, "--policy", "fair-share", "--memory", MEMORY)
    assert result.returncode == 2
    assert "must be 0 for fair-share (burst)" in result.stdout + result.stderr


def test_compare_reports_regimes_and_certificates(trace: Path) -> None:
    names = ",".join(["svf", *NAMES])
    code, document = run_json("compare", trace, "--memory", MEMORY, "--burst", "--policies", names)
    assert code == 0
    assert document["verdict"] == "VERIFIED"
    assert set(document["regimes"]) == {"large", "prompt_heavy", "response_heavy"}
    entries = {entry["policy"]: entry for entry in document["policies"]}
    assert entries["route"]["preemptions"] > 0
    assert all(entries[name]["certificates"] > 0 for name in NAMES)
    text = call("compare", trace, "--memory", MEMORY, "--burst", "--policies", "svf").stdout
    assert "large / prompt-heavy / response-heavy: " in text


def test_the_schedule_file_holds_attempts(tmp_path: Path) -> None:
    source, target = FIXTURES / "accept" / "anomaly.instance.json", tmp_path / "out.json"
    assert call("run", source, "--policy", "route-online", "--schedule", target).returncode == 0
    schedule = read_schedule(target)
    assert isinstance(schedule, AttemptSchedule)
    assert replay(read_instance(source), schedule).feasible


def test_a_broken_certificate_is_a_rejection(trace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from evaluators.certificates_kills import packed  # noqa: PLC0415

    monkeypatch.setattr(packed, "doubled_q", lambda requests: -(10**9))
    result = call("run", trace, "--policy", "fair-share", "--memory", MEMORY, "--burst")
    assert result.returncode == 1
    assert "REJECTED: FairShare short proof" in result.stdout + result.stderr
    assert CertificateError.__name__ not in result.stdout + result.stderr
