"""Compile and audit every case of tests/formal/redteam once; the steps then judge the results.

The compiled cases are kept under build/ by the hash of everything that they depend on, so that two
test processes do not do it twice.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evaluators.lean.audit import Audited, audit
from evaluators.lean.build import build, default_jobs
from evaluators.lean.environment import Environment
from evaluators.lean.home import Home, locked, version_key
from evaluators.lean.install import setup
from evaluators.lean.probe import Job, audit_file, read_audit, run_audit
from evaluators.lean.server import ServerPool
from evaluators.lean.sources import Package
from evaluators.lean.statements import drift, statements_document

ROOT = Path(__file__).resolve().parents[2]
REDTEAM = Path(__file__).with_name("redteam")
CASES = sorted(path.name for path in REDTEAM.iterdir() if path.is_dir())
_PER_FILE = 4  # each audit takes about 150 megabytes of the heap of the embedded Lean


def silent(done: int, total: int, text: str) -> None:
    """Report nothing."""


def installed() -> Home:
    """The embedded Lean, installed if necessary."""
    return setup(silent)


@dataclass(frozen=True)
class Case:
    """One red-team project and what must be said about it."""

    name: str

    @property
    def package(self) -> Package:
        return Package(REDTEAM / self.name)

    @property
    def expected(self) -> dict[str, str]:
        """The steps that must reject it, each with words of its reason."""
        text = (REDTEAM / self.name / "expected.json").read_text(encoding="utf-8")
        return dict(json.loads(text)["steps"])


@cache
def folder_of(name: str) -> Path:
    """Return the folder of what Lean said about a case, named by all that it depends on."""
    parts = [version_key(), audit_file([])]
    for path in sorted((REDTEAM / name).rglob("*.lean")):
        parts += [str(path.relative_to(REDTEAM)), path.read_text(encoding="utf-8")]
    key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
    return ROOT / "build" / "redteam" / f"{name}-{key}"


@cache
def prepare() -> None:
    """Compile and audit every case that has changed."""
    scratch = ROOT / "build" / "redteam"
    with locked(scratch / ".lock"):
        names = [name for name in CASES if not (folder_of(name) / "done").is_file()]
        jobs = default_jobs()
        parts = [part for at in range(jobs) if (part := names[at::jobs])]
        with ThreadPoolExecutor(jobs) as threads:
            folders = [scratch / f"slot{at}" for at in range(len(parts))]
            list(threads.map(_prepare, parts, folders))


def _prepare(names: list[str], slot: Path) -> None:
    """Compile and audit some cases with a server of their own, one after another in `slot`."""
    slot.mkdir(parents=True, exist_ok=True)
    pool = ServerPool(installed(), [slot], [ROOT], 1)
    try:
        jobs = {name: _compile(Case(name), slot, pool) for name in names}
        for at in range(0, len(names), _PER_FILE):
            some = names[at : at + _PER_FILE]
            with pool.lease() as server:
                run_audit(server, [job for name in some if (job := jobs[name])], slot)
            for name in some:
                (folder_of(name) / "done").touch()
    finally:
        pool.stop()


def _compile(case: Case, slot: Path, pool: ServerPool) -> Job | None:
    """Compile strictly; if that fails, also with warnings allowed, for the other steps."""
    target = folder_of(case.name)
    shutil.rmtree(target, ignore_errors=True)
    result = build(case.package, [], slot, lambda: pool, silent)
    reasons = result.reasons
    if not result.ok:
        result = build(case.package, [], slot, lambda: pool, silent, strict=False)
    target.mkdir(parents=True)
    (target / "build.json").write_text(json.dumps(reasons), encoding="utf-8")
    if not result.ok:
        return None
    shutil.copytree(slot, target / "lib")
    names = tuple(module.name for module in result.modules)
    return Job(target / "lib", names, target / "audit.txt")


def library(name: str) -> Audited | None:
    """Return a compiled case, or None if it does not compile even with warnings."""
    prepare()
    file = folder_of(name) / "audit.txt"
    return Audited(Case(name).package, read_audit(file)) if file.is_file() else None


@cache
def reasons(name: str) -> dict[str, list[str]]:
    """Return the reasons of every step for a case; the control `accept` is the committed state."""
    prepare()
    text = (folder_of(name) / "build.json").read_text(encoding="utf-8")
    found = {"build": json.loads(text)}
    audited, control = library(name), library("accept")
    if audited is None:
        empty = Audited(Case(name).package, Environment())
        return {**found, "scan": audit(empty)["scan"]}
    assert control is not None
    found |= audit(audited)
    found["drift"] = drift(statements_document(control), statements_document(audited))
    return found
