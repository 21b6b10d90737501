"""How the commands get an instance or a commitment: from a file, or from the command line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from ..artifacts.files import read_instance
from ..model import InputError, Instance, require_int
from ..optimum import Commitment
from ..traces import read_trace


@dataclass(frozen=True, slots=True)
class InstanceChoice:
    """An instance file, or --memory with --request arrival,prompt,output given inline."""

    path: Path | None
    memory: int | None
    requests: list[str]

    def load(self) -> Instance:
        """Return the instance; raises InputError if neither or both forms are given."""
        if self.path is not None and self.requests:
            raise InputError("request", "give an instance file or --request, not both")
        if self.path is not None:
            instance = read_instance(self.path)
            return at_memory(instance, self.memory, str(self.path))
        if not self.requests or self.memory is None:
            raise InputError("instance", "give a file, or --memory and at least one --request")
        return Instance.from_triples(self.memory, [_triple(text) for text in self.requests])


def at_memory(instance: Instance, memory: int | None, source: str) -> Instance:
    """Return the instance, at another memory if one is given; raises InputError naming `source`."""
    if memory is None:
        return instance
    try:
        return Instance.of(memory, instance.requests)
    except InputError as error:
        raise error.at(source) from None


def _triple(text: str) -> tuple[int, int, int]:
    parts = [_plain_integer(part, "request") for part in text.split(",")]
    if len(parts) != 3:
        raise InputError("request", f"must be arrival,prompt,output, got {text!r}")
    return parts[0], parts[1], parts[2]


def _plain_integer(text: str, field: str) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 4000:
        raise InputError(field, f"must be an integer >= 0 of digits only, got {text[:24]!r}")
    return int(digits)


@dataclass(frozen=True, slots=True)
class CommitChoice:
    """--commit id=round with --now and --kills."""

    starts: list[str]
    now: int | None
    kills: bool

    def load(self) -> Commitment | None:
        """Return the commitment, None without one; raises InputError if it is incomplete."""
        if self.now is None:
            if self.starts or self.kills:
                raise InputError("now", "--commit and --kills need --now")
            return None
        pairs = []
        for text in self.starts:
            identifier, equals, start = text.partition("=")
            if not equals:
                raise InputError("commit", f"must be id=round, got {text!r}")
            pairs.append((_plain_integer(identifier, "commit"), _plain_integer(start, "commit")))
        if len(dict(pairs)) != len(pairs):
            raise InputError("commit", "each request is committed at most once")
        return Commitment(require_int(self.now, "now", 0), dict(pairs))


@dataclass(frozen=True, slots=True)
class Load:
    """What is scheduled: the instance, and how it came from a file."""

    instance: Instance
    dropped: int = 0
    round_ms: int | None = None


def as_burst(instance: Instance) -> Instance:
    """Return the instance with all arrivals set to 0."""
    requests = [replace(request, arrival=0) for request in instance.requests]
    return Instance.of(instance.memory, requests)


def load(path: Path, memory: int | None, round_ms: int, drop: bool) -> Load:
    """Read an instance file or a trace; raises InputError."""
    if path.suffix.lower() != ".csv":
        if drop:
            raise InputError("drop-infeasible", "applies to traces (.csv) only", str(path))
        return Load(at_memory(read_instance(path), memory, str(path)))
    trace = read_trace(path, round_ms)
    if memory is None:
        raise InputError("memory", "--memory is required for a trace", str(path))
    try:
        instance, dropped = trace.instance(memory, drop)
    except InputError as error:
        hint = "; --drop-infeasible drops them" if "too large" in error.rule else ""
        raise InputError(error.field, error.rule + hint, str(path)) from None
    return Load(instance, dropped, trace.round_ms)
