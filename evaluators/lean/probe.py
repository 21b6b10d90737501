"""Run the audit in Lean (`audit.lean`) over compiled modules and read its text.

The library is audited in parts, and the result of each is kept by the hash of its sources and of
what they import, so that what is unchanged is not audited twice.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from ..model import InputError
from .build import Module, content_key
from .environment import Environment, merge, parse
from .home import locked
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
PART_BYTES = 220_000


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


def parts_of(modules: Sequence[Module], sizes: Mapping[str, int]) -> list[list[Module]]:
    """Split modules, in import order, into parts whose sources have at most about PART_BYTES.

    The heap of the embedded Lean ends at 2 GB: one audit of everything would outgrow it.
    """
    parts: list[list[Module]] = []
    filled = PART_BYTES
    for module in modules:
        if filled + sizes[module.name] > PART_BYTES:
            parts.append([])
            filled = 0
        parts[-1].append(module)
        filled += sizes[module.name]
    return parts


def load_audit(
    output: Path,
    modules: Sequence[Module],
    sizes: Mapping[str, int],
    salt: str,
    pool: Callable[[], ServerPool],
) -> Environment:
    """Return the description of compiled modules: part by part, each made unless it is kept.

    A part is kept under the hash of its modules with all that they import, and of `salt`.
    """
    folder = output / ".audit"
    files = {
        folder / f"{content_key(part, audit_file([]), salt)}.txt": part
        for part in parts_of(modules, sizes)
    }
    found = _kept(files)
    if len(found) < len(files):
        # Another process may be at it: then this one waits, and takes what that one has kept.
        with locked(output / ".audit.lock"):
            folder.mkdir(parents=True, exist_ok=True)
            found |= _kept(files.keys() - found.keys())
            missing = {file: part for file, part in files.items() if file not in found}
            found |= _audit_parts(output, missing, pool()) if missing else {}
            for stale in set(folder.iterdir()) - set(files):
                stale.unlink() if stale.is_file() else shutil.rmtree(stale)
    return merge([found[file] for file in files])


def _kept(files: Iterable[Path]) -> dict[Path, Environment]:
    return {file: kept for file in files if (kept := _read_kept(file)) is not None}


def _read_kept(file: Path) -> Environment | None:
    with contextlib.suppress(OSError, InputError):
        return parse(file.read_text(encoding="utf-8"))
    return None


def _audit_parts(
    output: Path, missing: Mapping[Path, list[Module]], pool: ServerPool
) -> dict[Path, Environment]:
    """Audit the parts side by side; return what each says, by the file in which it is kept."""

    def audit_part(file: Path, part: list[Module]) -> Environment:
        with tempfile.TemporaryDirectory(prefix="part.", dir=file.parent) as name:
            job = Job(output, tuple(module.name for module in part), Path(name, "draft.txt"))
            with pool.lease() as server:
                # An audit loads much at once: it gets a heap of its own, before and after.
                server.stop()
                run_audit(server, [job], Path(name))
                server.stop()
            found = read_audit(job.target)
            job.target.rename(file)
            return found

    with ThreadPoolExecutor(pool.size) as threads:
        try:
            jobs = {file: threads.submit(audit_part, file, part) for file, part in missing.items()}
            return {file: job.result() for file, job in jobs.items()}
        except BaseException:
            pool.stop()  # the threads that wait for an answer then end at once
            raise


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
