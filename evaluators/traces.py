"""Readers of request traces in CSV: `arrival_ms,prompt_tokens,output_tokens`, one request a row.

Further columns are ignored.  Ids are row numbers from 0; arrivals become rounds, rounded up: a
request that arrives inside a round can start with the next one at the earliest.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from .artifacts.canonical import SAFE_INTEGER, read_bytes
from .model import InputError, Instance, Request, oversized, require_int

COLUMNS = ("arrival_ms", "prompt_tokens", "output_tokens")
DEFAULT_ROUND_MS = 25


@dataclass(frozen=True, slots=True)
class Trace:
    """The rows of a trace as requests with arrivals in rounds of `round_ms` milliseconds."""

    requests: tuple[Request, ...]
    round_ms: int

    def instance(self, memory: int, drop_infeasible: bool = False) -> tuple[Instance, int]:
        """Return the instance at that memory and the number of dropped requests (s + o > M).

        Without `drop_infeasible` such requests raise InputError with their count and the first.
        """
        if not drop_infeasible:
            return Instance.of(memory, self.requests), 0
        too_large = {request.id for request in oversized(memory, self.requests)}
        kept = [request for request in self.requests if request.id not in too_large]
        return Instance.of(memory, kept), len(too_large)


def read_trace(path: Path, round_ms: int = DEFAULT_ROUND_MS) -> Trace:
    """Read a trace file; raises InputError naming file, line, column and rule."""
    try:
        require_int(round_ms, "round-ms", 1)
        return Trace(tuple(_rows(_decode(read_bytes(path)), round_ms)), round_ms)
    except InputError as error:
        raise error.at(str(path)) from None


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"byte {error.start}", "the file must be UTF-8") from None


def _rows(text: str, round_ms: int) -> list[Request]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, [])
        places = [_column(header, name) for name in COLUMNS]
        return [
            _request(row, len(header), places, reader.line_num, identifier, round_ms)
            for identifier, row in enumerate(reader)
        ]
    except csv.Error as error:
        raise InputError(f"line {reader.line_num}", f"not valid CSV: {error}") from None


def _column(header: list[str], name: str) -> int:
    if header.count(name) != 1:
        rule = f"must name {', '.join(COLUMNS)} once each, got {','.join(header)[:80]!r}"
        raise InputError(f"line 1, column {name}", rule)
    return header.index(name)


def _request(
    row: list[str], width: int, places: list[int], line: int, identifier: int, round_ms: int
) -> Request:
    if not row:
        raise InputError(f"line {line}", "blank lines are not allowed")
    if len(row) != width:
        raise InputError(f"line {line}", f"must have {width} fields, got {len(row)}")
    arrival, prompt, output = (
        _integer(row[place], f"line {line}, column {name}", minimum)
        for place, name, minimum in zip(places, COLUMNS, (0, 0, 1), strict=True)
    )
    return Request(identifier, -(-arrival // round_ms), prompt, output)


def _integer(text: str, field: str, minimum: int) -> int:
    shown = text if len(text) <= 24 else f"{text[:12]}... ({len(text)} characters)"
    digits = text.removeprefix("-")
    rule = f"must be a plain integer from {minimum} to 2^53 - 1 (digits only), got {shown!r}"
    if not (digits.isascii() and digits.isdigit()) or len(digits) > 16:
        raise InputError(field, rule)
    value = int(text)
    if not minimum <= value <= SAFE_INTEGER:
        raise InputError(field, rule)
    return value
