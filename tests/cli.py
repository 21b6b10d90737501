"""Run the command line as a user does: a subprocess, its exit code and its output."""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from evaluators.artifacts.schema import validator
from evaluators.cli import main

ROOT = Path(__file__).resolve().parents[1]
FIXTURES = ROOT / "tests" / "fixtures"
TRACES = ROOT.parent / "shared" / "traces"
ARTIFACT = ROOT / "output" / "tight-online-kv-cache-scheduling" / "exact-controls.json"


def run(*arguments: object, module: str = "evaluators") -> subprocess.CompletedProcess[str]:
    """Run `python -m module arguments` in the repository."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def call(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Do the same inside this process: for the many cases in which only the words matter."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    words = [str(word) for word in arguments]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words)
        except SystemExit as stop:
            code = int(stop.code or 0)
    return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())


def run_json(*arguments: object) -> tuple[int, dict[str, Any]]:
    """Run with --json; the output must be one line and obey the schema that it names."""
    result = call(*arguments, "--json")
    assert result.stdout.count("\n") == 1, result.stdout + result.stderr
    document = json.loads(result.stdout)
    assert not list(validator(document["schema"]).iter_errors(document))
    return result.returncode, document
