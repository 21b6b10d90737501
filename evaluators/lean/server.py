"""A warm embedded Lean: one process checks many files, and is replaced before its heap ends."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import IO, Any

from ..model import InputError
from .home import Home

MEMORY_LIMIT = 1400  # megabytes; the WebAssembly heap ends at 2,048 and a file adds about 100
START_PATIENCE = 240.0
_READY = b"lean server: ready"
_ALWAYS_MOUNTED = {"/home", "/tmp"}


class ServerLost(Exception):
    """The process died or did not answer in time; its work is lost, a new one can be started."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What Lean did with one request."""

    code: int
    output: str
    milliseconds: int
    megabytes: int


def mounts(paths: Sequence[Path]) -> str:
    """Return the top-level folders that Lean must see for these paths, separated by colons."""
    tops = {"/" + path.resolve().parts[1] for path in paths if len(path.resolve().parts) > 1}
    return ":".join(sorted(tops - _ALWAYS_MOUNTED))


class LeanServer:
    """A Lean that imports from `search` and sees the folders of `visible`; a context manager.

    It starts at the first request, and again after a crash, a timeout or when its heap is full.
    """

    def __init__(self, home: Home, search: Sequence[Path], visible: Sequence[Path]) -> None:
        self._home = home
        self._search = [path.resolve() for path in search]
        self._visible = [home.root, *search, *visible]
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: Path | None = None
        self._closed = False
        self.starts = 0

    def __enter__(self) -> LeanServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End for good: also a thread that waits for an answer must not start it again."""
        self._closed = True
        self.stop()

    def stop(self) -> None:
        """End our own process, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def run(
        self,
        files: Sequence[Path],
        options: Sequence[tuple[str, str]],
        folder: Path,
        patience: float,
    ) -> Reply:
        """Have Lean read `files` with command-line options, in `folder`; raises ServerLost."""
        if self._closed:
            raise ServerLost("the build was interrupted")
        if self._process is None or self._process.poll() is not None:
            self._start()
        request = {
            "cwd": str(folder.resolve()),
            "options": [list(option) for option in options],
            "files": [str(path) for path in files],
        }
        try:
            answer = self._ask(json.dumps(request).encode(), patience)
        except (OSError, ValueError) as error:
            self.stop()
            raise ServerLost(_why_lost(error, patience)) from None
        reply = Reply(answer["code"], answer["output"], answer["milliseconds"], answer["megabytes"])
        if reply.code not in (0, 1) or reply.megabytes > MEMORY_LIMIT:
            self.stop()
        if reply.code not in (0, 1):
            raise ServerLost(reply.output.strip().splitlines()[-1] if reply.output else "it ended")
        return reply

    def _start(self) -> None:
        self.stop()
        self._folder = Path(tempfile.mkdtemp(prefix="onlinekv-lean."))
        environment = dict(
            os.environ,
            LEAN_SERVE=str(self._folder / "socket"),
            LEAN_MOUNTS=mounts(self._visible),
            LEAN_PATH=":".join(str(path) for path in self._search),
        )
        with (self._folder / "log").open("wb") as log:
            self._process = self._spawn(environment, log)
        self.starts += 1
        self._await_ready(self._folder / "log")

    def _spawn(self, environment: dict[str, str], log: IO[bytes]) -> subprocess.Popen[bytes]:
        home = self._home
        files = [str(home.javascript), str(home.blank)]
        try:
            return subprocess.Popen(
                [str(home.node), "--stack-size=8000", *files],
                cwd=self._home.root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        except OSError as error:
            raise InputError("lean", f"the embedded Lean cannot be started: {error}") from None

    def _await_ready(self, log: Path) -> None:
        end = time.monotonic() + START_PATIENCE
        while _READY not in log.read_bytes():
            if self._process is None or self._process.poll() is not None or time.monotonic() > end:
                lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
                self.stop()
                last = lines[-1][:200] if lines else "no message"
                raise InputError("lean", f"the embedded Lean did not start: {last}")
            time.sleep(0.05)

    def _ask(self, request: bytes, patience: float) -> dict[str, Any]:
        assert self._folder is not None
        data = bytearray()
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(patience)
            connection.connect(str(self._folder / "socket"))
            connection.sendall(request)
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
            while chunk := connection.recv(1 << 20):
                data += chunk
        answer = json.loads(bytes(data))
        if not isinstance(answer, dict):
            raise ValueError("no answer")
        return answer


def _why_lost(error: Exception, patience: float) -> str:
    if isinstance(error, TimeoutError):
        return f"Lean did not answer within {patience:.0f} s"
    return "the Lean process ended without an answer"


class ServerPool:
    """Some warm servers with the same view of the world, each used by one thread at a time."""

    def __init__(self, home: Home, search: Sequence[Path], visible: Sequence[Path], size: int):
        self.size = size
        self._all = [LeanServer(home, search, visible) for _ in range(size)]
        self._free: SimpleQueue[LeanServer] = SimpleQueue()
        for server in self._all:
            self._free.put(server)

    @contextlib.contextmanager
    def lease(self) -> Iterator[LeanServer]:
        """Lend a server, waiting for a free one."""
        server = self._free.get()
        try:
            yield server
        finally:
            self._free.put(server)

    @property
    def starts(self) -> int:
        """How often a server was started."""
        return sum(server.starts for server in self._all)

    def stop(self) -> None:
        """End every server for good."""
        for server in self._all:
            server.close()
