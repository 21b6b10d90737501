from __future__ import annotations

import os
import pty
import subprocess
import sys
from fractions import Fraction

import pytest

from evaluators.console import decimal, layers_to_json, progress, summary_line
from evaluators.verdict import Layer

from .cli import FIXTURES, ROOT


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (Fraction(1, 3), 3, "0.333"),
        (Fraction(2, 3), 3, "0.667"),
        (Fraction(1, 2), 0, "1"),
        (Fraction(-5, 2), 1, "-2.5"),
        (12345678, 0, "12,345,678"),
        (10**30, 1, "1" + ",000" * 10 + ".0"),
    ],
)
def test_decimal_is_exact_rounding(value: Fraction | int, digits: int, text: str) -> None:
    assert decimal(value, digits) == text


def test_summary_names_every_layer_that_did_not_run() -> None:
    layers = [Layer("form", "x", 2), Layer("lean proofs", "y", ran=False, reasons=["no Lean"])]
    assert summary_line(layers) == (
        "verdict=VERIFIED checked=2 verified=1 rejected=0 not_checked=1 "
        "layers_not_checked=lean_proofs"
    )
    assert summary_line([Layer("a", "x", 1, ["no"])]).startswith("verdict=REJECTED ")
    document = layers_to_json(layers)
    assert (document["verdict"], document["complete"]) == ("VERIFIED", False)


def test_progress_is_silent_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("work") as report:
        report(1, 2, "half")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_progress_shows_a_bar_on_a_terminal() -> None:
    """Standard error is a terminal here, standard output is a pipe."""
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
    instance = FIXTURES / "accept" / "anomaly.instance.json"
    command = [sys.executable, "-m", "evaluators", "run", str(instance), "--policy", "fcfs"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=follower, env=environment
    ) as process:
        os.close(follower)
        shown = b""
        try:
            while chunk := os.read(leader, 4096):
                shown += chunk
        except OSError:
            pass
        assert process.stdout is not None
        out = process.stdout.read().decode()
    os.close(leader)
    assert process.returncode == 0
    assert "fcfs" in shown.decode(errors="replace")
    assert "━" in shown.decode(errors="replace")
    assert out.splitlines()[-1].startswith("policy=fcfs feasible=true")
