"""What a policy may see of a request, one type for each kind of knowledge.

A policy is a function from one of these views to an integer key, so it can use nothing that its
type does not name: a NonClairvoyantView has no attribute that holds the output, and a peek fails
under mypy and at run time.  The functions below are the only ones that read a request's output.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, TypeVar

from ..model import InputError, Request


class ClairvoyantView(NamedTuple):
    """All of a request: id, arrival (round), prompt and true output (tokens)."""

    id: int
    arrival: int
    prompt: int
    output: int


class OneBitView(NamedTuple):
    """Id, arrival, prompt, and whether the output exceeds the threshold of the classes."""

    id: int
    arrival: int
    prompt: int
    long: bool


class PredictedView(NamedTuple):
    """Id, arrival, prompt, and a predicted output (tokens)."""

    id: int
    arrival: int
    prompt: int
    predicted: int


class NonClairvoyantView(NamedTuple):
    """Id, arrival and prompt; nothing about the output."""

    id: int
    arrival: int
    prompt: int


View = TypeVar("View", ClairvoyantView, OneBitView, PredictedView, NonClairvoyantView)
Priority = Callable[[View], int]
"""A static priority: the smallest key goes first, ties by id."""


def clairvoyant(request: Request) -> ClairvoyantView:
    """Return the view that holds everything."""
    return ClairvoyantView(request.id, request.arrival, request.prompt, request.output)


def non_clairvoyant(request: Request) -> NonClairvoyantView:
    """Return the view without the output."""
    return NonClairvoyantView(request.id, request.arrival, request.prompt)


def one_bit(threshold: int) -> Callable[[Request], OneBitView]:
    """Return the view with one bit: output > threshold."""

    def observe(request: Request) -> OneBitView:
        long = request.output > threshold
        return OneBitView(request.id, request.arrival, request.prompt, long)

    return observe


_UNITS = 2**32


def predicted(factor: Fraction, seed: int) -> Callable[[Request], PredictedView]:
    """Return the view with a seeded prediction o' such that o / f <= o' <= f o.

    SHA-256 of the seed and the id gives one bit and u in 0..2^32-1.  With g = 1 + (f - 1) u / 2^32,
    o' is o g or (bit 0) o / g, rounded to the nearest integer, halves up, and then moved into
    ceil(o / f)..floor(f o).  The same on every machine and every Python.  Raises InputError for
    f < 1.
    """
    if factor < 1:
        raise InputError("factor", f"must be >= 1, got {factor}")

    def observe(request: Request) -> PredictedView:
        draw = hashlib.sha256(f"onlinekv predicted {seed} {request.id}".encode()).digest()
        guess = _perturbed(request.output, factor, int.from_bytes(draw[:4], "big"), draw[4] & 1)
        return PredictedView(request.id, request.arrival, request.prompt, guess)

    return observe


def _perturbed(output: int, factor: Fraction, unit: int, up: int) -> int:
    p, q = factor.numerator, factor.denominator
    top, bottom = q * _UNITS + (p - q) * unit, q * _UNITS  # g = top / bottom
    if not up:
        top, bottom = bottom, top
    nearest = (2 * output * top + bottom) // (2 * bottom)
    return max(-(-output * q // p), min(nearest, output * p // q))
