"""Which Lean: an ordinary installation with `lake`, or the embedded one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from ..model import InputError
from .axiom_report import REPORT
from .build import PATIENCE, STRICT, BuildResult, Progress, build, default_jobs
from .environment import Environment
from .home import RELEASE, Home, cache_folder, version_key
from .install import setup
from .lake import lake_audit, lake_build, run_lake
from .probe import load_audit
from .server import ServerLost, ServerPool
from .sources import Package

KINDS = ("auto", "lake", "embedded", "off")
TOOLCHAIN_FILE = "lean-toolchain"
_UNSEEN_EMBEDDED = (
    "the embedded core library holds no proofs of its own theorems: which axioms those use is "
    "shown only by an ordinary Lean (lake env lean formal/AxiomReport.lean)"
)
_UNSEEN_LAKE = "the proofs of the core library are not walked; formal/AxiomReport.lean shows them"


class Toolchain(Protocol):
    """A Lean that compiles a package and describes what it compiled."""

    name: str
    unseen: str

    def build(self, package: Package, names: Sequence[str], progress: Progress) -> BuildResult:
        """Compile the named modules, or all; faults are in the result."""
        ...

    def environment(self, package: Package, result: BuildResult) -> Environment:
        """Describe what was compiled, after the kernel has checked it again."""
        ...

    def axiom_report(self, package: Package) -> str | None:
        """Return the output of the axiom report, or None where Lean refuses it."""
        ...

    def check_file(self, package: Package, file: Path) -> tuple[bool, str]:
        """Return whether Lean accepts a file that imports the compiled library, and its output."""
        ...

    def stop(self) -> None:
        """End what is running."""
        ...


class EmbeddedLean:
    """The WebAssembly Lean; it is installed and started only when something must be done."""

    name = "embedded"
    unseen = _UNSEEN_EMBEDDED

    def __init__(
        self,
        install: Callable[[], Home],
        output: Path | None = None,
        visible: Sequence[Path] = (),
        strict: bool = True,
        jobs: int | None = None,
    ) -> None:
        self._install = install
        self._output = output
        self._visible = list(visible)
        self._strict = strict
        self._jobs = jobs
        self._pool: ServerPool | None = None

    def output(self, package: Package) -> Path:
        """Return the folder of compiled modules: git-ignored, one for each version of Lean."""
        return self._output or package.root / "build" / "lean" / version_key()

    def pool(self, package: Package) -> ServerPool:
        """Return the warm servers of this package, made at the first call."""
        if self._pool is None:
            output = self.output(package)
            visible = [package.root, *self._visible]
            jobs = self._jobs or default_jobs()
            self._pool = ServerPool(self._install(), [output], visible, jobs)
        return self._pool

    def build(self, package: Package, names: Sequence[str], progress: Progress) -> BuildResult:
        """Compile the named modules, or all, that have changed."""
        return build(
            package,
            names,
            self.output(package),
            lambda: self.pool(package),
            progress,
            self._strict,
        )

    def environment(self, package: Package, result: BuildResult) -> Environment:
        """Describe the compiled modules; the description is kept beside them, by content."""
        sizes = {name: len(text) for name, text in package.texts.items()}
        output, salt = self.output(package), version_key()
        return load_audit(output, result.modules, sizes, salt, lambda: self.pool(package))

    def axiom_report(self, package: Package) -> str | None:
        """Return None: in the embedded build every file is a module, which refuses the report."""
        return None

    def check_file(self, package: Package, file: Path) -> tuple[bool, str]:
        """Have a warm server check a file, which must be under the package or a temporary one."""
        try:
            with self.pool(package).lease() as server:
                reply = server.run([file.resolve()], STRICT, package.root, PATIENCE)
        except ServerLost as error:
            return False, str(error)
        return reply.code == 0, reply.output

    def stop(self) -> None:
        """End the servers."""
        if self._pool is not None:
            self._pool.stop()
            self._pool = None


class LakeLean:
    """An ordinary Lean: `lake` compiles and caches by itself."""

    name = "lake"
    unseen = _UNSEEN_LAKE

    def __init__(self, lake: Path) -> None:
        self.lake = lake

    def build(self, package: Package, names: Sequence[str], progress: Progress) -> BuildResult:
        """Compile with `lake build`."""
        return lake_build(self.lake, package, names, progress)

    def environment(self, package: Package, result: BuildResult) -> Environment:
        """Run the same audit as with the embedded Lean."""
        return lake_audit(self.lake, package, [module.name for module in result.modules])

    def axiom_report(self, package: Package) -> str | None:
        """Return what `#print axioms` says about every theorem of `Results`."""
        return run_lake(self.lake, package.root, ["env", "lean", REPORT]).stdout

    def check_file(self, package: Package, file: Path) -> tuple[bool, str]:
        """Check a file with `lake env lean`."""
        done = run_lake(
            self.lake, package.root, ["env", "lean", "-DwarningAsError=true", str(file.resolve())]
        )
        return done.returncode == 0, done.stdout + done.stderr

    def stop(self) -> None:
        """Nothing runs in the background."""


def find_lake(root: Path, path: str | None = None, home: Path | None = None) -> Path | None:
    """Return a `lake` (PATH, then ~/.elan/bin) whose Lean is the release of `lean-toolchain`."""
    elan = (home or Path.home()) / ".elan" / "bin"
    for folder in (path if path is not None else os.environ.get("PATH"), str(elan)):
        found = shutil.which("lake", path=folder)
        if found and _release(Path(found), root) == wanted_release(root):
            return Path(found)
    return None


def wanted_release(root: Path) -> str:
    """Return the release that `lean-toolchain` names, such as `v4.28.0`."""
    file = root / TOOLCHAIN_FILE
    try:
        return file.read_text(encoding="utf-8").strip().rpartition(":")[2]
    except OSError:
        raise InputError("file", "no such file", TOOLCHAIN_FILE) from None


def _release(lake: Path, root: Path) -> str | None:
    """Return the release of the Lean behind `lake`.

    A `lean` of elan would download what `lean-toolchain` asks for, so there only the installed
    toolchains are looked at.
    """
    toolchains = lake.parent.parent / "toolchains"
    if toolchains.is_dir():
        wanted = wanted_release(root)
        return wanted if (toolchains / f"leanprover--lean4---{wanted}").is_dir() else None
    try:
        result = subprocess.run(
            [lake.with_name("lean"), "--version"],
            cwd=root,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r"version (\d+\.\d+\.\d+(?:-rc\d+)?)", result.stdout)
    return f"v{match[1]}" if match else None


def require_kind(kind: str) -> None:
    """Raise InputError unless `kind` is a word that `choose` knows."""
    if kind not in KINDS:
        raise InputError("lean", f"must be one of {', '.join(KINDS)}, got {kind!r}")


def choose(kind: str, root: Path, progress: Progress) -> Toolchain | None:
    """Return the Lean that `kind` asks for, None for `off`; raises InputError if there is none."""
    require_kind(kind)
    if kind == "off":
        return None
    lake = find_lake(root) if kind in ("auto", "lake") else None
    if lake is not None:
        return LakeLean(lake)
    if kind == "lake":
        rule = f"no lake with Lean {wanted_release(root)} on PATH or in ~/.elan/bin"
        raise InputError("lean", f"{rule}; use --lean embedded")
    if wanted_release(root) != RELEASE:
        rule = f"asks for {wanted_release(root)}, but the embedded Lean is {RELEASE}"
        raise InputError(TOOLCHAIN_FILE, rule)
    return EmbeddedLean(lambda: setup(progress, cache_folder()))
