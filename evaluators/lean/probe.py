"""Run the audit in Lean (`audit.lean`) over compiled modules and read its text.

The result is kept by the hash of all sources, so that an unchanged library is not audited twice.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..model import InputError
from .environment import Environment, parse
from .messages import faults
from .server import LeanServer, ServerLost, ServerPool

_CODE = Path(__file__).with_name("audit.lean")
_NEEDS = (
    "Lean.AddDecl",
    "Lean.CoreM",
    "Lean.Util.FoldConsts",
    "Lean.Compiler.ImplementedByAttr",
    "Lean.Compiler.ExternAttr",
)
_PATIENCE = 1800.0


@dataclass(frozen=True, slots=True)
class Job:
    """One library to audit: the folder of its compiled modules, their names, the result's file."""

    folder: Path
    modules: tuple[str, ...]
    target: Path

    def command(self) -> str:
        """Return the Lean command that does it."""
        names = ", ".join(f"`{name}" for name in self.modules)
        folder, target = (
            str(path.resolve()).replace("\\", "\\\\").replace('"', '\\"')
            for path in (self.folder, self.target)
        )
        return f'#eval EvaluatorAudit.audit "{folder}" [{names}] "{target}"'


def audit_file(jobs: Sequence[Job]) -> str:
    """Return the audit as one file: its imports, its code, and a command for each job."""
    imports = [f"public meta import {name}" for name in _NEEDS]
    code = _CODE.read_text(encoding="utf-8")
    return "\n".join(["module", "", *imports, "", code, *(job.command() for job in jobs), ""])


def load_audit(
    output: Path, key: str, modules: Sequence[str], pool: Callable[[], ServerPool]
) -> Environment:
    """Return the description of compiled modules, made now unless it is kept under `key`."""
    kept = output / ".audit" / f"{key}.txt"
    with contextlib.suppress(OSError, InputError):
        return parse(kept.read_text(encoding="utf-8"))
    shutil.rmtree(kept.parent, ignore_errors=True)
    kept.parent.mkdir(parents=True)
    job = Job(output, tuple(modules), kept.parent / "draft.txt")
    with pool().lease() as server:
        # The audit loads the whole library twice: it gets a heap of its own, before and after.
        server.stop()
        run_audit(server, [job], kept.parent)
        server.stop()
    found = read_audit(job.target)
    job.target.rename(kept)
    return found


def run_audit(server: LeanServer, jobs: Sequence[Job], folder: Path) -> None:
    """Audit some libraries with the embedded Lean, in `folder`; raises InputError if it fails."""
    file = folder / "Audit.lean"
    file.write_text(audit_file(jobs), encoding="utf-8")
    try:
        reply = server.run([file], [], folder, _PATIENCE)
    except ServerLost as error:
        raise InputError("lean audit", str(error)) from None
    if reply.code or faults(reply.output):
        first = (faults(reply.output) or [reply.output.strip()])[0]
        raise InputError("lean audit", first.replace("\n", " ")[:300])


def read_audit(target: Path) -> Environment:
    """Read the file that an audit wrote."""
    try:
        return parse(target.read_text(encoding="utf-8"))
    except OSError:
        raise InputError("lean audit", "the audit in Lean wrote no result") from None
