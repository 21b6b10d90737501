from __future__ import annotations

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from evaluators import ratios
from evaluators.artifacts.canonical import dumps
from evaluators.artifacts.files import read_instance, read_schedule
from evaluators.model import AttemptSchedule
from evaluators.policies.scheduler import ListPolicy

from .cli import ARTIFACT, FIXTURES, ROOT, TRACES, call, run, run_json

ACCEPT, REJECT, MALFORMED = FIXTURES / "accept", FIXTURES / "reject", FIXTURES / "malformed"

# Every malformed file: the words that its one line must hold, after the name of the file.
WORDS = {
    "boolean.instance.json": "requests[0].output: True is not of type",
    "deep.instance.json": "nested too deeply",
    "duplicate-ids.instance.json": "requests[1].id: ids must be distinct, 0 is repeated",
    "duplicate-keys.instance.json": "memory: this key occurs twice",
    "empty-file.instance.json": "line 1, column 1: not valid JSON",
    "endless-integer.instance.json": "memory: integers have at most 4000 digits, got 6000",
    "exponent.instance.json": "requests[0].output: floats are not allowed",
    "extra-field.instance.json": "requests[0]: Additional properties are not allowed ('priority'",
    "float.instance.json": "requests[0].output: floats are not allowed",
    "huge-integer.instance.json": "memory: integers beyond 2^53 - 1 are written as decimal strings",
    "list.instance.json": "document: must be a JSON object",
    "missing-field.instance.json": "requests[0]: 'prompt' is a required property",
    "nan.instance.json": "requests[0].output: floats are not allowed",
    "negative.instance.json": "requests[1].arrival: -1 is less than the minimum of 0",
    "no-schema.instance.json": "schema: must be 'onlinekv/instance/v1', got None",
    "not-json.instance.json": "line 1, column 1: not valid JSON",
    "not-utf8.instance.json": "the file must be UTF-8",
    "null.instance.json": "requests[0].output: null is not allowed",
    "oversized.instance.json": "must have prompt + output <= memory, got id 0 with 3 + 5 > 7 (1 of",
    "string.instance.json": "requests[0].output: '5' does not match",
    "string16.instance.json": "requests[0].output: must be an integer, got str",
    "truncated.instance.json": "not valid JSON",
    "wrong-schema-name.instance.json": "got 'onlinekv/instances/v1'",
    "wrong-schema-version.instance.json": "got 'onlinekv/instance/v2'",
    "zero-memory.instance.json": "memory: 0 is less than the minimum of 1",
    "zero-output.instance.json": "requests[0].output: 0 is less than the minimum of 1",
    "both.schedule.json": "is valid under each of",
    "duplicate-starts.schedule.json": "starts[1].id: ids must be distinct",
    "float-start.schedule.json": "starts[0].start: floats are not allowed",
    "negative-start.schedule.json": "starts[0].start: -1 is less than the minimum of 0",
    "neither.schedule.json": "is not valid under any of the given schemas",
    "number-completed.schedule.json": "attempts[0].completed: 1 is not of type 'boolean'",
    "blank-line.trace.csv": "line 3: blank lines are not allowed",
    "empty-file.trace.csv": "line 1, column arrival_ms",
    "float.trace.csv": "line 2, column prompt_tokens: must be a plain integer",
    "huge-integer.trace.csv": "line 2, column output_tokens: must be a plain integer from 1 to",
    "missing-column.trace.csv": "line 1, column output_tokens",
    "negative.trace.csv": "line 2, column prompt_tokens: must be a plain integer from 0",
    "not-utf8.trace.csv": "the file must be UTF-8",
    "oversized.trace.csv": "got id 1 with 30 + 40 > 50 (2 of 3 requests too large); --drop-infeas",
    "quote.trace.csv": "line 2: not valid CSV",
    "repeated-column.trace.csv": "line 1, column arrival_ms: must name",
    "thousands.trace.csv": "line 2, column prompt_tokens: must be a plain integer",
    "thousands-unquoted.trace.csv": "line 2: must have 3 fields, got 4",
    "zero-output.trace.csv": "line 2, column output_tokens: must be a plain integer from 1",
}


def test_every_malformed_fixture_has_its_words() -> None:
    assert sorted(WORDS) == sorted(path.name for path in MALFORMED.iterdir())


@pytest.mark.parametrize("name", sorted(WORDS))
def test_malformed_input_is_one_line_and_exit_2(name: str, tmp_path: Path) -> None:
    path, written = MALFORMED / name, tmp_path / "schedule.json"
    if name.endswith(".schedule.json"):
        result = call("replay", ACCEPT / "anomaly.instance.json", path)
    else:
        memory = ["--memory", "50"] if name.endswith(".csv") else []
        result = call("run", path, "--schedule", written, *memory)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith(f"error: {path}: ")
    assert result.stderr.count("\n") == 1
    assert WORDS[name] in result.stderr
    assert len(result.stderr) < 600
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("command", ["replay", "optimum", "run", "verify"])
def test_missing_file(command: str) -> None:
    files = ["nowhere.json"] * (2 if command == "replay" else 1)
    result = run(command, *files)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "error: nowhere.json: file: no such file or directory\n"


@pytest.mark.parametrize("name", ["anomaly", "kill", "huge", "empty"])
def test_accepted_schedules(name: str) -> None:
    code, result = run_json(
        "replay", ACCEPT / f"{name}.instance.json", ACCEPT / f"{name}.schedule.json"
    )
    assert code == 0
    assert (result["verdict"], result["feasible"], result["violations"]) == ("VERIFIED", True, [])
    expected = {"anomaly": 10, "kill": 7, "huge": str(3 * 10**30 + 10**30 + 1), "empty": 0}
    if name != "huge":
        assert result["tel"] == expected[name]


@pytest.mark.parametrize(
    ("name", "request_", "round_"),
    [
        ("missing", 2, None),
        ("invented", 9, None),
        ("before-arrival", 1, 0),
        ("memory", 2, 2),
        ("length", 0, 1),
    ],
)
def test_rejected_schedules(name: str, request_: int, round_: int | None) -> None:
    kinds = {"invented": "unknown"}
    schedule = REJECT / f"{name}.schedule.json"
    code, result = run_json("replay", ACCEPT / "anomaly.instance.json", schedule)
    assert code == 1
    assert (result["verdict"], result["feasible"]) == ("REJECTED", False)
    found = result["violations"][0]
    assert (found["kind"], found["request"]) == (kinds.get(name, name), request_)
    assert found.get("round") == round_
    text = run("replay", ACCEPT / "anomaly.instance.json", schedule)
    assert text.returncode == 1
    assert text.stdout.splitlines()[-1].startswith("verdict=REJECTED violations=1")
    assert f"REJECTED: {found['kind']}: {found['message']}" in text.stdout


def test_replay_prints_occupancy_and_other_conventions() -> None:
    files = ACCEPT / "anomaly.instance.json", ACCEPT / "anomaly.schedule.json"
    _, result = run_json("replay", *files, "--round", 1, "--round", 3)
    assert result["occupancy"] == [{"round": 1, "held": 4}, {"round": 3, "held": 7}]
    code, result = run_json("replay", *files, "--convention", "engine", "--block", 4)
    assert (code, result["convention"]) == (1, "engine")
    assert call("replay", *files, "--convention", "wrong").returncode == 2


def test_acceptance_3_optimum_and_corrupted_pairs() -> None:
    inline = ["--memory", 7, "--request", "0,1,5", "--request", "1,1,2", "--request", "2,2,1"]
    result = run("optimum", *inline)
    assert result.returncode == 0
    assert result.stdout.splitlines()[-1] == "value=10 optimal=true starts=1,1,3"
    code, best = run_json("optimum", ACCEPT / "anomaly.instance.json")
    assert code == 0
    assert (best["value"], best["optimal"], best["lower"], best["upper"]) == (10, True, 10, 10)
    assert best["starts"] == [{"id": i, "start": b} for i, b in enumerate((1, 1, 3))]
    pair = ["--memory", 2, "--request", "0,1,1", "--request", "0,1,1"]
    assert run_json("optimum", *pair)[1]["value"] == 3
    assert run_json("optimum", *pair, "--convention", "corrupted")[1]["value"] == 2


def test_optimum_continuation_and_limits() -> None:
    kill = ["--memory", 4, "--request", "0,1,3", "--request", "1,1,1"]
    commit = ["--now", 1, "--commit", "0=0"]
    assert run_json("optimum", *kill, *commit)[1]["value"] == 6
    killed = run_json("optimum", *kill, *commit, "--kills")[1]
    assert (killed["value"], killed["killed"]) == (5, [0])
    assert run_json("optimum", *kill, "--objective", "makespan")[1]["objective"] == "makespan"
    many = [x for i in range(14) for x in ("--request", f"{i % 3},{1 + i % 5},{2 + i % 7}")]
    code, bounded = run_json("optimum", "--memory", 23, *many, "--node-limit", 10)
    assert code == 0
    assert bounded["lower"] <= bounded["upper"] == bounded["value"]
    assert bounded["established"] in ("node limit", "root bound met")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "instance: give a file, or --memory and at least one --request"),
        (["--memory", 7, "--request", "0,1"], "request: must be arrival,prompt,output"),
        (["--memory", 7, "--request", "0,x,1"], "request: must be an integer >= 0 of digits only"),
        (["--memory", 7, "--request", "0,1,0"], "requests[0].output: must be an integer >= 1"),
        (["--memory", 0, "--request", "0,1,1"], "memory: must be an integer >= 1"),
        (
            ["--memory", 7, "--request", "0,1,1", "--commit", "0=0"],
            "now: --commit and --kills need",
        ),
        (
            ["--memory", 7, "--request", "0,1,1", "--now", 1, "--commit", "0"],
            "commit: must be id=round",
        ),
        (
            ["--memory", 7, "--request", "0,1,1", "--now", 1, "--commit", "0=0", "--commit", "0=0"],
            "commit: each request is committed at most once",
        ),
        (["--memory", 7, "--request", "0,1,1", "--now", 1, "--commit", "5=0"], "commit"),
        (["--memory", 7, "--request", "0,1,1", "--objective", "mean"], "objective: must be one of"),
        (["--memory", 7, "--request", "0,1,1", "--engine", "fast"], "engine: must be one of"),
        (["--memory", 7, "--request", "0,1,1", "--node-limit", 0], "node-limit: must be > 0"),
        (["--memory", 7, "--request", "0,1,1", "--convention", "x"], "convention: must be one of"),
    ],
)
def test_optimum_refuses_bad_usage(arguments: list[object], words: str) -> None:
    result = call("optimum", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert words in result.stderr


def test_instance_file_and_inline_exclude_each_other() -> None:
    path = ACCEPT / "anomaly.instance.json"
    assert call("optimum", path, "--request", "0,1,1").returncode == 2
    smaller = call("optimum", path, "--memory", 5)
    assert smaller.returncode == 2
    assert "must have prompt + output <= memory" in smaller.stderr
    assert run_json("optimum", path, "--memory", 100)[1]["value"] == 8


def test_run_on_an_instance_writes_a_schedule_that_replays(tmp_path: Path) -> None:
    written = tmp_path / "schedule.json"
    path = ACCEPT / "anomaly.instance.json"
    code, result = run_json("run", path, "--policy", "fcfs", "--schedule", written)
    assert code == 0
    assert result["tel"] >= 10
    assert result["ratio"]["proved"] == "3/1"
    assert written.read_bytes() == dumps(json.loads(written.read_text()))
    assert read_schedule(written)
    assert call("replay", path, written).returncode == 0
    assert [p.name for p in tmp_path.iterdir()] == ["schedule.json"]


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_run_draws_memory_over_time(suffix: str, tmp_path: Path) -> None:
    picture = tmp_path / f"memory.{suffix}"
    instance = FIXTURES / "accept" / "anomaly.instance.json"
    done = call("run", instance, "--policy", "svf", "--plot", picture)
    assert done.returncode == 0
    assert picture.read_bytes()[:5] == (b"\x89PNG\r" if suffix == "png" else b"<?xml")


def test_run_refuses_another_kind_of_picture_and_writes_nothing(tmp_path: Path) -> None:
    instance = FIXTURES / "accept" / "anomaly.instance.json"
    done = call("run", instance, "--plot", tmp_path / "p.gif", "--schedule", tmp_path / "s.json")
    assert done.returncode == 2
    assert "plot: must end in" in done.stderr
    assert not list(tmp_path.iterdir())


def test_run_with_an_engine_s_settings(tmp_path: Path) -> None:
    trace, written = tmp_path / "t.csv", tmp_path / "s.json"
    trace.write_text("arrival_ms,prompt_tokens,output_tokens\n0,3,5\n0,3,5\n0,1,1\n")
    settings = ["--admission", "prompt-only", "--queue", "skip", "--max-running", 2]
    code, result = run_json(
        "run", trace, "--memory", 8, "--round-ms", 10, *settings, "--schedule", written
    )
    assert (code, result["admission"], result["queue"]) == (0, "prompt-only", "skip")
    assert result["preemptions"] >= 1
    assert "proved" not in result["ratio"]
    assert isinstance(read_schedule(written), AttemptSchedule)
    text = call("run", trace, "--memory", 8, *settings)
    assert "nothing is proved for these settings" in text.stdout
    _, engine = run_json("run", trace, "--memory", 16, "--convention", "engine", "--block", 4)
    assert engine["peak"] % 4 == 0


def test_a_broken_certificate_is_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong proved ratio (1/2) must make `run` fail."""
    wrong = ratios.ProvedRatio(Fraction(1, 2), "a lie", "")
    monkeypatch.setattr(ListPolicy, "ratios", lambda self, instance, options: [wrong])
    result = call("run", ACCEPT / "anomaly.instance.json", "--policy", "svf")
    assert result.returncode == 1
    assert "REJECTED: " in result.stdout
    assert "a lie" in result.stdout


@pytest.mark.parametrize("policy", ["serial", "fcfs", "svf", "1-bit-svf", "predicted-svf"])
def test_run_policies_of_paper_2(policy: str) -> None:
    code, result = run_json("run", ACCEPT / "anomaly.instance.json", "--policy", policy)
    assert (code, result["feasible"]) == (0, True)
    assert Fraction(result["ratio"]["measured_lower"]) <= Fraction(result["ratio"]["proved"])


@pytest.mark.parametrize("policy", ["serial", "fcfs", "main-filler", "algorithm-e"])
def test_run_on_a_trace(policy: str) -> None:
    trace = ACCEPT / "small.trace.csv"
    code, result = run_json("run", trace, "--policy", policy, "--memory", 8, "--round-ms", 10)
    assert code == 0
    assert result["feasible"]
    assert (result["requests"], result["dropped"], result["round_ms"]) == (3, 0, 10)
    assert result["lower_bound"] <= result["tel"]
    assert call("run", trace, "--policy", policy, "--memory", 8).returncode == 0


def test_run_drops_infeasible_requests_only_when_told() -> None:
    trace = MALFORMED / "oversized.trace.csv"
    code, result = run_json("run", trace, "--memory", 50, "--drop-infeasible")
    assert (code, result["requests"], result["dropped"]) == (0, 1, 2)
    text = call("run", trace, "--memory", 50, "--drop-infeasible")
    assert "dropped 2 requests with prompt + output > 50" in text.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--policy", "lifo", "--memory", 9], "policy: must be one of serial, fcfs"),
        ([], "memory: --memory is required for a trace"),
        (["--memory", 9, "--round-ms", 0], "round-ms: must be an integer >= 1"),
        (["--memory", 9, "--queue", "lifo"], "queue: must be one of head, skip"),
        (["--memory", 9, "--admission", "all"], "admission: must be one of exact, peak"),
        (["--memory", 9, "--max-running", 0], "max-running: must be an integer >= 1"),
        (
            ["--memory", 9, "--policy", "main-filler", "--queue", "skip"],
            "rules: main-filler has no",
        ),
    ],
)
def test_run_refuses_bad_usage(arguments: list[object], words: str) -> None:
    result = call("run", ACCEPT / "small.trace.csv", *arguments)
    assert (result.returncode, result.stdout) == (2, "")
    assert words in result.stderr
    assert call("run", ACCEPT / "anomaly.instance.json", "--drop-infeasible").returncode == 2


@pytest.mark.parametrize(
    "name", ["float.instance.json", "truncated.instance.json", "quote.trace.csv"]
)
def test_malformed_input_in_a_process_of_its_own(name: str) -> None:
    result = run("run", MALFORMED / name, "--memory", 50)
    assert (result.returncode, result.stdout) == (2, "")
    assert WORDS[name] in result.stderr
    assert result.stderr.count("\n") == 1


def test_unwritable_schedule_is_one_line() -> None:
    result = call("run", ACCEPT / "anomaly.instance.json", "--schedule", "/proc/nowhere/x.json")
    assert result.returncode == 2
    assert result.stderr.startswith("error: /proc/nowhere/x.json: file: ")


def test_policies_and_help() -> None:
    listed = call("policies")
    assert listed.returncode == 0
    assert "main-filler" in listed.stdout
    names = ["verify", "replay", "optimum", "run", "compare", "generate", "policies", "audit"]
    names += ["build-artifacts", "lean build", "lean audit"]
    for command in names:
        shown = call(*command.split(), "--help")
        assert shown.returncode == 0
        assert "python -m evaluators " + command in " ".join(shown.stdout.split())
    assert call("--help").returncode == 0
    assert call("no-such-command").returncode == 2


def test_compare_and_generate_end_to_end(tmp_path: Path) -> None:
    trace, table, picture = tmp_path / "t.csv", tmp_path / "o.csv", tmp_path / "o.svg"
    made = call("generate", trace, "--requests", 30, "--outputs", "geometric:20", "--seed", 1)
    assert made.returncode == 0, made.stderr
    arguments = ["--memory", 6000, "--policies", "fcfs,svf", "--burst"]
    result = call("compare", trace, *arguments, "--csv", table, "--plot", picture)
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines()[-1].startswith("verdict=VERIFIED policies=2 ")
    assert sorted(os.listdir(tmp_path)) == ["o.csv", "o.svg", "t.csv"]
    code, document = run_json("compare", trace, *arguments)
    assert (code, len(document["policies"])) == (0, 2)
    wrong = call("compare", trace, "--memory", 6000, "--policies", "fcfs,lifo")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("error: policy: must be one of")


@pytest.mark.slow
def test_the_committed_artifact_is_verified() -> None:
    result = run("verify", "--lean", "off")
    last = result.stdout.splitlines()[-1]
    assert result.returncode == 0, result.stdout
    assert last.startswith("verdict=VERIFIED ")
    assert last.endswith("layers_not_checked=lean_build,lean_audit,lean_statements,lean_bridge")


@pytest.mark.usefixtures("cached_derivation")
def test_verify_as_json_says_what_was_not_checked() -> None:
    code, document = run_json("verify", ARTIFACT, "--lean", "off")
    assert code == 0
    assert not document["complete"]
    assert {x["layer"]: x["verdict"] for x in document["layers"]} == {
        "form": "VERIFIED",
        "digest": "VERIFIED",
        "controls": "VERIFIED",
        "negative controls": "VERIFIED",
        "lean build": "NOT CHECKED",
        "lean audit": "NOT CHECKED",
        "lean statements": "NOT CHECKED",
        "lean bridge": "NOT CHECKED",
    }
    wrong = call("verify", ARTIFACT, "--lean", "coq")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "lean: must be one of auto, lake, embedded, off" in wrong.stderr


def test_entry_point_of_paper_1() -> None:
    module = "evaluators.online_kv_cache_scheduling_eval"
    good = run("--verify", ARTIFACT.relative_to(ROOT), module=module)
    assert good.returncode == 0
    assert good.stdout.splitlines()[-1] == "TIGHT_ONLINE_KV_CACHE_EXACT_CONTROLS_PASS"
    assert run("--verify", "none.json", module=module).returncode == 2
    assert run(module=module).returncode == 2


@pytest.mark.usefixtures("cached_derivation")
def test_a_rejected_artifact_does_not_wait_for_lean(tmp_path: Path) -> None:
    data = ARTIFACT.read_bytes()
    bad = tmp_path / "exact-controls.json"
    bad.write_bytes(data.replace(b'"tel":3', b'"tel":4', 1))
    code, document = run_json("verify", bad)
    verdicts = {x["layer"]: x["verdict"] for x in document["layers"]}
    assert (code, document["verdict"]) == (1, "REJECTED")
    assert verdicts["controls"] == "REJECTED"
    assert verdicts["lean build"] == verdicts["lean bridge"] == "NOT CHECKED"
    assert call("verify", bad, "--lean", "coq").returncode == 2


def test_help_does_not_wait_for_large_libraries() -> None:
    code = "import evaluators.cli, sys; print(*sorted(sys.modules))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    assert "typer" in loaded
    assert not {"matplotlib", "numba", "sympy"} & set(loaded)


@pytest.mark.usefixtures("cached_derivation")
def test_a_rejected_artifact_without_controls_is_judged(tmp_path: Path) -> None:
    document = json.loads(ARTIFACT.read_bytes())
    del document["controls"]
    bad = tmp_path / "exact-controls.json"
    bad.write_text(json.dumps(document))
    code, result = run_json("verify", bad, "--lean", "off")
    assert (code, result["verdict"]) == (1, "REJECTED")
    assert "theorems" not in result


@pytest.mark.slow
def test_entry_point_rejects_a_changed_digit(tmp_path: Path) -> None:
    data = ARTIFACT.read_bytes()
    place = data.index(b'"tel":3') + len(b'"tel":')
    bad = tmp_path / "exact-controls.json"
    bad.write_bytes(data[:place] + b"4" + data[place + 1 :])
    result = run("--verify", bad, module="evaluators.online_kv_cache_scheduling_eval")
    assert result.returncode == 1
    assert result.stdout.splitlines()[-1] == "TIGHT_ONLINE_KV_CACHE_EXACT_CONTROLS_FAIL"
    words = "control two-units(memory=3,prompt=1): schedules[0].tel: must be 3, got 4"
    assert words in result.stdout


def test_output_is_silent_about_progress_in_a_pipe() -> None:
    result = run("optimum", ACCEPT / "anomaly.instance.json")
    assert result.stderr == ""


@pytest.mark.skipif(not TRACES.is_dir(), reason="the real traces are not beside this checkout")
def test_acceptance_4_real_trace() -> None:
    code, result = run_json(
        "run",
        TRACES / "azure_conv_2023.csv",
        *("--policy", "fcfs", "--memory", 41408, "--round-ms", 25),
    )
    assert code == 0
    assert (result["requests"], result["feasible"]) == (19366, True)
    assert result["peak"] <= 41408
    assert result["lower_bound"] <= result["tel"]
    refused = call("run", TRACES / "mooncake_conversation.csv", "--memory", 41408)
    assert refused.returncode == 2
    assert "558 of 12031 requests too large" in refused.stderr


def test_instances_read_back() -> None:
    instance = read_instance(ACCEPT / "huge.instance.json")
    assert instance.memory == 3 * 10**30
