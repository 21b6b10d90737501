"""Seeded traces for users without one: Poisson or burst arrivals, random lengths, integers.

The same numbers on every machine: the random bits are the raw 64-bit stream of numpy's PCG64,
which numpy promises not to change (unlike its distributions), and everything after them is integer
arithmetic or the correctly rounded functions of `decimal`.  Arrivals, prompts and outputs have
streams of their own (SeedSequence with spawn_key 0, 1 and 2), so changing one law leaves the other
numbers as they are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

import numpy as np

from .model import InputError, require_int
from .traces import COLUMNS

MAX_REQUESTS = 10**7
MAX_LENGTH = 10**6
MAX_MEAN = 10**4
MAX_MILLISECONDS = 10**15
BITS = 64
_BLOCK = 1024
_DECIMALS = Context(prec=28, rounding=ROUND_HALF_EVEN)
Row = tuple[int, int, int]


def raw_bits(seed: int, stream: int) -> Iterator[int]:
    """Yield the integers 0..2^64-1 of a stream: PCG64 of SeedSequence(seed, spawn_key)."""
    source = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(stream,)))
    while True:
        yield from source.random_raw(_BLOCK).tolist()


@dataclass(frozen=True, slots=True)
class Law:
    """A law of lengths: `draw` makes an integer from the stream; it is moved into least..most."""

    text: str
    draw: Callable[[Iterator[int]], int]
    least: int
    most: int

    def lengths(self, bits: Iterator[int], count: int) -> list[int]:
        """Return `count` lengths."""
        return [min(self.most, max(self.least, self.draw(bits))) for _ in range(count)]


FORMS = "constant:N, uniform:LOW:HIGH, geometric:MEAN[:MAX] or lognormal:MEDIAN:SIGMA[:MAX]"


def law(text: str, field: str, least: int) -> Law:
    """Return the law of a text; raises InputError.

    `constant:N`; `uniform:LOW:HIGH`; `geometric:MEAN` on 1, 2, ...; `lognormal:MEDIAN:SIGMA`
    rounded to integers.  Draws above MAX (default 10^6) count as MAX, as a server's limit does.
    """
    name, *parts = text.strip().split(":")
    makers: dict[str, tuple[int, int, Callable[[list[str], str], Callable[..., int]]]] = {
        "constant": (1, 1, _constant),
        "uniform": (2, 2, _uniform),
        "geometric": (1, 2, _geometric),
        "lognormal": (2, 3, _lognormal),
    }
    if name not in makers:
        raise InputError(field, f"must be {FORMS}, got {text[:40]!r}")
    fewest, parameters, make = makers[name]
    if not fewest <= len(parts) <= parameters:
        raise InputError(field, f"must be {FORMS}, got {text[:40]!r}")
    limited = name in {"geometric", "lognormal"} and len(parts) == parameters
    most = _integer(parts.pop(), field, max(1, least)) if limited else MAX_LENGTH
    return Law(text.strip(), make(parts, field), least, most)


def _integer(text: str, field: str, least: int) -> int:
    plain = text.isascii() and text.isdigit() and len(text) <= 7
    if not plain or not least <= int(text) <= MAX_LENGTH:
        raise InputError(field, f"must hold integers {least}..{MAX_LENGTH}, got {text[:24]!r}")
    return int(text)


def _ratio(text: str, field: str, least: int, most: int) -> Fraction:
    try:
        value = Fraction(text) if len(text) <= 24 and "e" not in text.lower() else None
    except (ValueError, ZeroDivisionError):
        value = None
    if value is None or not least <= value <= most:
        rule = f"must hold a number {least}..{most} such as 200, 1.5 or 3/2, got {text[:24]!r}"
        raise InputError(field, rule)
    return value


def _constant(parts: list[str], field: str) -> Callable[[Iterator[int]], int]:
    value = _integer(parts[0], field, 0)
    return lambda bits: value


def _uniform(parts: list[str], field: str) -> Callable[[Iterator[int]], int]:
    low, high = _integer(parts[0], field, 0), _integer(parts[1], field, 0)
    if low > high:
        raise InputError(field, f"uniform needs LOW <= HIGH, got {low} and {high}")
    return lambda bits: low + ((high - low + 1) * next(bits) >> BITS)


def _geometric(parts: list[str], field: str) -> Callable[[Iterator[int]], int]:
    """P(o > k) = (1 - 1/mean)^k, by inversion of a table of the tails in units of 2^-128."""
    stay = 1 - 1 / _ratio(parts[0], field, 1, MAX_MEAN)
    tails, tail = [], 1 << 2 * BITS
    while tail >> BITS:
        tails.append(-(tail >> BITS))
        tail = tail * stay.numerator // stay.denominator
    # o is the number of k >= 0 with u < P(o > k), u uniform; the negated tails rise.
    return lambda bits: bisect_left(tails, -next(bits))


def _lognormal(parts: list[str], field: str) -> Callable[[Iterator[int]], int]:
    median = _ratio(parts[0], field, 1, MAX_LENGTH)
    sigma = _decimal(_ratio(parts[1], field, 0, 5))
    middle = _decimal(median)

    def draw(bits: Iterator[int]) -> int:
        scale = _DECIMALS.exp(_DECIMALS.multiply(sigma, normal(bits)))
        return int(_DECIMALS.multiply(middle, scale).to_integral_value(ROUND_HALF_EVEN))

    return draw


def _decimal(value: Fraction) -> Decimal:
    return _DECIMALS.divide(Decimal(value.numerator), Decimal(value.denominator))


def normal(bits: Iterator[int]) -> Decimal:
    """Return a standard normal number by Marsaglia's polar method, to 28 digits."""
    unit = 1 << (BITS - 1)
    while True:
        x, y = next(bits) - unit, next(bits) - unit
        square = x * x + y * y
        if 0 < square < unit * unit:
            break
    share = _DECIMALS.divide(Decimal(square), Decimal(unit * unit))
    factor = _DECIMALS.sqrt(
        _DECIMALS.divide(_DECIMALS.multiply(Decimal(-2), _DECIMALS.ln(share)), share)
    )
    return _DECIMALS.multiply(_DECIMALS.divide(Decimal(x), Decimal(unit)), factor)


def poisson_milliseconds(bits: Iterator[int], count: int, rate: Fraction) -> list[int]:
    """Return the first `count` arrivals (ms, rounded down) of a Poisson stream, `rate` a second."""
    mean = _decimal(1000 / rate)
    arrivals, clock = [], Decimal(0)
    for _ in range(count):
        share = _DECIMALS.divide(Decimal(next(bits) + 1), Decimal(1 << BITS))
        clock = _DECIMALS.subtract(clock, _DECIMALS.multiply(mean, _DECIMALS.ln(share)))
        arrivals.append(int(clock))
    if arrivals and arrivals[-1] > MAX_MILLISECONDS:
        raise InputError("rate", f"too low: the last arrival is after {MAX_MILLISECONDS} ms")
    return arrivals


def generate_requests(
    count: int,
    rate: Fraction | None,
    prompts: Law,
    outputs: Law,
    seed: int,
    report: Callable[[int, int, str], None] = lambda done, total, text: None,
) -> list[Row]:
    """Return (arrival_ms, prompt, output) rows in order of arrival; rate None means a burst."""
    require_int(count, "requests", 0)
    if count > MAX_REQUESTS:
        raise InputError("requests", f"must be at most {MAX_REQUESTS}, got {count}")
    require_int(seed, "seed", 0)
    arrivals = [0] * count
    if rate is not None:
        report(0, 3, "arrivals")
        arrivals = poisson_milliseconds(raw_bits(seed, 0), count, rate)
    report(1, 3, "prompts")
    prompt_lengths = prompts.lengths(raw_bits(seed, 1), count)
    report(2, 3, "outputs")
    output_lengths = outputs.lengths(raw_bits(seed, 2), count)
    return list(zip(arrivals, prompt_lengths, output_lengths, strict=True))


def trace_bytes(rows: Sequence[Row]) -> bytes:
    """Return the rows as a trace file: the header of `traces.py`, integers, line feeds."""
    lines = [",".join(COLUMNS), *(",".join(map(str, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode()
