"""Compile and audit with an ordinary Lean installation."""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from ..model import InputError
from .build import BuildResult, Module
from .environment import Environment
from .messages import Message
from .messages import parse as parse_messages
from .probe import Job, audit_file, read_audit
from .sources import Package

_PATIENCE = 3600.0


def run_lake(lake: Path, root: Path, arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run lake in the package; raises InputError if it cannot be run."""
    try:
        return subprocess.run(
            [lake, *arguments],
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
            timeout=_PATIENCE,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError("lean", f"lake cannot be run: {error}") from None


def lake_build(
    lake: Path, package: Package, names: Sequence[str], progress: Callable[[int, int, str], None]
) -> BuildResult:
    """Compile the named modules, or all; lake's messages become the faults of their modules."""
    wanted = package.closure(names or package.modules)
    modules = [Module(name, package.path(name), "") for name in wanted]
    progress(0, len(modules), "lake build")
    begin = time.monotonic()
    targets = [f"+{name}" for name in (names or package.modules)]
    done = run_lake(lake, package.root, ["build", "--wfail", *targets])
    place_faults(modules, package, done.stdout + "\n" + done.stderr, done.returncode)
    progress(len(modules), len(modules), "lake build")
    return BuildResult(modules, package.root / ".lake", time.monotonic() - begin)


def place_faults(modules: list[Module], package: Package, output: str, code: int) -> None:
    """Give each error and warning to its module; a failure without a message to the first."""
    by_path = {module.path: module for module in modules}
    for message in parse_messages(output):
        if message.severity in ("error", "warning"):
            _place(by_path, modules, package, message)
    if code and not any(module.faults for module in modules):
        lines = [line for line in output.splitlines() if "error" in line.lower()]
        modules[0].faults.append((lines or ["lake build failed without a message"])[0].strip())


def _place(
    by_path: dict[str, Module], modules: list[Module], package: Package, message: Message
) -> None:
    path = Path(message.path)
    if path.is_absolute() and path.is_relative_to(package.root.resolve()):
        path = path.relative_to(package.root.resolve())
    by_path.get(path.as_posix().removeprefix("./"), modules[0]).faults.append(message.text.rstrip())


def lake_audit(lake: Path, package: Package, modules: Sequence[str]) -> Environment:
    """Run the audit over what lake compiled."""
    with tempfile.TemporaryDirectory(prefix="onlinekv-lean.") as name:
        target, file = Path(name) / "result.txt", Path(name) / "Audit.lean"
        job = Job(package.root / ".lake" / "build" / "lib" / "lean", tuple(modules), target)
        file.write_text(audit_file([job]), encoding="utf-8")
        done = run_lake(lake, package.root, ["env", "lean", str(file)])
        if done.returncode:
            lines = (done.stdout + done.stderr).strip().splitlines() or ["no message"]
            raise InputError("lean audit", lines[0][:300])
        return read_audit(target)
