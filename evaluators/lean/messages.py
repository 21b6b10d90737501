"""What Lean says: messages with file, line and column, exactly as Lean prints them."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

_HEAD = re.compile(
    r"(?:(?P<early>error|warning|info|trace): )?"
    r"(?P<path>[^\s:][^:\n]*\.lean):(?P<line>\d+):(?P<column>\d+): "
    r"(?:(?P<late>error|warning|info|trace)(?:\([^)\n]*\))?: )?(?P<text>.*)"
)


@dataclass(frozen=True, slots=True)
class Message:
    """One message; `text` is the whole of it, its first line as Lean prints it."""

    path: str
    line: int
    severity: str
    text: str


def parse(output: str) -> list[Message]:
    """Return the messages in Lean's (or lake's) output; lines before the first one are dropped.

    Lean writes `file:1:2: error: text`, lake writes `error: file:1:2: text`.
    """
    messages: list[Message] = []
    for line in output.splitlines():
        match = _HEAD.fullmatch(line)
        if match:
            severity = match["early"] or match["late"] or "info"
            messages.append(Message(match["path"], int(match["line"]), severity, line))
        elif messages:
            last = messages[-1]
            text = f"{last.text}\n{line}"
            messages[-1] = Message(last.path, last.line, last.severity, text)
    return messages


def faults(output: str, severities: Collection[str] = ("error", "warning")) -> list[str]:
    """Return errors and warnings, which are as bad here, each as Lean prints it."""
    return [m.text.rstrip() for m in parse(output) if m.severity in severities]
