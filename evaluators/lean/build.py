"""Compile the library with the embedded Lean: in import order, cached by content.

A compiled module is used again only if its record holds the key of its source, its imports and the
toolchain.  Files are made in a draft folder and renamed; the record is written last, so that a
build that was cut off leaves nothing that looks finished.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from ..artifacts.canonical import write_whole
from .home import locked, version_key
from .messages import faults
from .server import LeanServer, Reply, ServerLost, ServerPool
from .sources import Package

Progress = Callable[[int, int, str], None]
STRICT = (("D", "warningAsError=true"),)
PATIENCE = 900.0  # seconds for one module
_GIGABYTES_PER_SERVER = 4  # the process holds about 3 when its heap is full
_PARTS = (".olean", ".olean.server", ".olean.private", ".ir")


@dataclass(slots=True)
class Module:
    """What became of one module: its cache key, its faults, and how long Lean took."""

    name: str
    path: str
    key: str
    milliseconds: int = 0
    cached: bool = False
    faults: list[str] = field(default_factory=list)
    skipped: bool = False


@dataclass(slots=True)
class BuildResult:
    """All modules that were asked for, in import order, and the folder of the compiled files."""

    modules: list[Module]
    output: Path
    seconds: float = 0.0

    @property
    def reasons(self) -> list[str]:
        """Every fault, as Lean prints it; a module whose import failed is not listed."""
        return [text for module in self.modules for text in module.faults]

    @property
    def ok(self) -> bool:
        """Whether every module compiled without an error or a warning."""
        return not any(module.faults or module.skipped for module in self.modules)


def default_jobs() -> int:
    """Return how many servers to run: one a core, two at most, with memory for each."""
    return max(1, min(2, os.cpu_count() or 1, _free_gigabytes() // _GIGABYTES_PER_SERVER))


def _free_gigabytes() -> int:
    """Return the memory that is available now; where it is unknown, enough for one server."""
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return _GIGABYTES_PER_SERVER
    match = re.search(r"MemAvailable:\s*(\d+) kB", text)
    return int(match[1]) >> 20 if match else _GIGABYTES_PER_SERVER


def plan(package: Package, names: Sequence[str], output: Path, salt: str) -> list[Module]:
    """Return the modules that are needed for `names`, each marked if its result can be reused."""
    keys = package.keys(salt)
    result = []
    for name in package.closure(names or package.modules):
        module = Module(name, package.path(name), keys[name])
        record = _read_record(output, name)
        if record.get("key") == module.key and _part(output, name, ".olean").is_file():
            module.cached = True
            module.milliseconds = int(record["milliseconds"])
        result.append(module)
    return result


def _stem(output: Path, name: str) -> Path:
    return output.joinpath(*name.split("."))


def _part(output: Path, name: str, suffix: str) -> Path:
    stem = _stem(output, name)
    return stem.with_name(stem.name + suffix)


def _read_record(output: Path, name: str) -> dict[str, str]:
    try:
        record = json.loads(_part(output, name, ".json").read_text(encoding="utf-8"))
        return {"key": str(record["key"]), "milliseconds": str(int(record["milliseconds"]))}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


@dataclass(slots=True)
class Builder:
    """Compiles the modules of a plan with some warm servers."""

    package: Package
    output: Path
    pool: ServerPool
    progress: Progress
    strict: bool = True
    patience: float = PATIENCE

    def run(self, modules: list[Module]) -> None:
        """Compile what is not cached."""
        with ThreadPoolExecutor(self.pool.size) as threads:
            try:
                self._schedule(modules, threads)
            except BaseException:
                self.pool.stop()  # the threads that wait for an answer then end at once
                raise

    def _schedule(self, modules: list[Module], threads: ThreadPoolExecutor) -> None:
        waiting = {m.name: m for m in modules if not m.cached}
        finished = {m.name: m for m in modules if m.cached}
        running: dict[Future[None], Module] = {}
        while waiting or running:
            for module in self._startable(waiting, finished):
                if len(running) == self.pool.size:
                    break
                del waiting[module.name]
                if module.skipped:
                    finished[module.name] = module
                else:
                    running[threads.submit(self._compile, module)] = module
            text = ", ".join(module.name for module in running.values())
            self.progress(len(finished), len(modules), text)
            for future in wait(running, return_when=FIRST_COMPLETED).done if running else ():
                future.result()
                module = running.pop(future)
                finished[module.name] = module

    def _startable(
        self, waiting: Mapping[str, Module], finished: Mapping[str, Module]
    ) -> list[Module]:
        """Return waiting modules whose imports are finished; mark those whose imports failed."""
        result = []
        for name, module in waiting.items():
            imports = [finished.get(other) for other in self.package.imports[name]]
            if all(imports):
                module.skipped = any(other.faults or other.skipped for other in imports if other)
                result.append(module)
        return result

    def _compile(self, module: Module) -> None:
        with self.pool.lease() as server:
            self._compile_on(server, module)

    def _compile_on(self, server: LeanServer, module: Module) -> None:
        draft = self.output / ".draft" / module.name
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        try:
            reply = self._ask(server, module, draft / "module.olean")
            module.milliseconds = reply.milliseconds
            module.faults = faults(
                reply.output, ("error", "warning") if self.strict else ("error",)
            )
            if reply.code and not module.faults:
                module.faults = [f"{module.path}: {reply.output.strip() or 'Lean failed'}"]
            if not module.faults and not self._unchanged(module):
                module.faults = [f"{module.path}: the file was changed while it was compiled"]
            if not module.faults:
                self._keep(module, draft)
        except ServerLost as error:
            module.faults = [f"{module.path}: {error}"]
        finally:
            shutil.rmtree(draft, ignore_errors=True)

    def _unchanged(self, module: Module) -> bool:
        """Whether the file still holds the text that the key was taken from."""
        text = self.package.modules[module.name].read_bytes()
        return text == self.package.texts[module.name].encode("utf-8")

    def _keep(self, module: Module, draft: Path) -> None:
        """Keep the compiled files; the record that makes them valid is written last."""
        record = _part(self.output, module.name, ".json")
        record.unlink(missing_ok=True)
        keep_parts(draft, self.output, module.name)
        text = json.dumps({"key": module.key, "milliseconds": module.milliseconds})
        write_whole(record, text.encode())

    def _ask(self, server: LeanServer, module: Module, target: Path) -> Reply:
        """Compile one module; a crash of a server that was used before is tried once more."""
        options = [
            *(STRICT if self.strict else ()),
            ("R", str(self.package.source)),
            ("o", str(target)),
        ]
        arguments = ([Path(module.path)], options, self.package.root, self.patience)
        begin = time.monotonic()
        starts = server.starts
        try:
            return server.run(*arguments)
        except ServerLost:
            fresh = server.starts > starts
            if fresh or time.monotonic() - begin >= self.patience:
                raise
            return server.run(*arguments)


def keep_parts(draft: Path, output: Path, name: str) -> None:
    """Move the files that Lean made as `draft/module.*` into the place of the module `name`."""
    for suffix in reversed(_PARTS):
        part = draft / f"module{suffix}"
        if part.is_file():
            target = _part(output, name, suffix)
            target.parent.mkdir(parents=True, exist_ok=True)
            os.replace(part, target)


def build(
    package: Package,
    names: Sequence[str],
    output: Path,
    pool: Callable[[], ServerPool],
    progress: Progress,
    strict: bool = True,
) -> BuildResult:
    """Compile the named modules, or all, with what they import.

    `pool` is asked for only if something must be compiled.  Raises InputError for cyclic or missing
    imports and for an unknown module; faults of the sources are in the result.  Only tests build
    without `strict`, which lets warnings pass.
    """
    begin = time.monotonic()
    salt = f"{version_key()} {'strict' if strict else 'lax'}"
    result = BuildResult(plan(package, names, output, salt), output)
    if not all(module.cached for module in result.modules):
        servers = pool()
        with locked(output / ".lock"):
            result.modules = plan(package, names, output, salt)
            Builder(package, output, servers, progress, strict).run(result.modules)
    result.seconds = time.monotonic() - begin
    return result


def content_key(modules: Sequence[Module], *more: str) -> str:
    """Return a hash of a set of compiled modules and of further texts."""
    parts = [f"{module.name}={module.key}" for module in modules] + list(more)
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
