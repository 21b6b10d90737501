"""Debian's Chromium, headless, driven over a pipe: no port, no driver, no other package."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)


# The browser reads commands from descriptor 3 and answers on 4; the copies keep them apart.
_START = """
import os, sys
ends = [os.dup(int(end)) for end in sys.argv[1:3]]
ends = [os.dup(end) for end in ends] if set(ends) & {3, 4} else ends
for place, end in zip((3, 4), ends):
    os.dup2(end, place, inheritable=True)
os.execv(sys.argv[3], sys.argv[3:])
"""


def chromium() -> str | None:
    """Return the browser's program, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@dataclass
class Browser:
    """One page of a running browser; `errors` collects what its console complains about."""

    writer: int
    reader: int
    session: str = ""
    errors: list[str] = field(default_factory=list)
    _count: int = 0
    _rest: bytes = b""
    _seen: list[str] = field(default_factory=list)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send one command and return its result; events that come before it are noted."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.writer, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                assert "error" not in answer, answer
                return dict(answer["result"])
            self._note(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            data = os.read(self.reader, 1 << 20)
            assert data, "the browser has gone"
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(line))

    def _note(self, event: dict[str, Any]) -> None:
        method, parameters = event.get("method", ""), event.get("params", {})
        self._seen.append(method)
        if method == "Runtime.exceptionThrown":
            self.errors.append(str(parameters["exceptionDetails"]["text"]))
        if method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning"):
            self.errors.append(str([a.get("value") for a in parameters["args"]]))
        if method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(str(parameters["entry"]["text"]))

    def open(self, path: Path, width: int, height: int = 900, scripts: bool = True) -> None:
        """Load a file at a window size and wait until it has loaded."""
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        self._seen.clear()
        self.call("Page.navigate", url=path.resolve().as_uri())
        while "Page.loadEventFired" not in self._seen:
            self._note(self._next())

    def evaluate(self, expression: str) -> Any:
        """Return the value of a JavaScript expression (also where the page may run none)."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def screenshot(self, target: Path) -> None:
        """Write the window as PNG."""
        data = self.call("Page.captureScreenshot", format="png")["data"]
        target.write_bytes(base64.b64decode(data))


@contextmanager
def browser(program: str) -> Iterator[Browser]:
    """Start Chromium with a profile of its own, end it, and leave nothing behind."""
    to_browser, writer = os.pipe()
    reader, from_browser = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [program, *FLAGS, f"--user-data-dir={profile}"]
        process = subprocess.Popen(
            [sys.executable, "-c", _START, str(to_browser), str(from_browser), *command],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        try:
            page = Browser(writer, reader)
            target = page.call("Target.createTarget", url="about:blank")["targetId"]
            attached = page.call("Target.attachToTarget", targetId=target, flatten=True)
            page.session = attached["sessionId"]
            for domain in ("Page", "Runtime", "Log"):
                page.call(f"{domain}.enable")
            yield page
        finally:
            process.terminate()
            process.wait(timeout=20)
            os.close(writer)
            os.close(reader)
