"""All closed forms, the equations of paper 2 that they cover, and the layer that checks them."""

from __future__ import annotations

from collections.abc import Callable

from ..verdict import Layer
from . import (
    areas,
    geometry,
    moments,
    one_bit,
    penalty,
    poisson,
    priority_queue,
    proxies,
    proxy_queue,
    ratios,
    sharpened,
    survivors,
)
from .framework import ClosedForm

Progress = Callable[[int, int, str], None]

REGISTRY: tuple[ClosedForm, ...] = (
    *geometry.FORMS,
    *ratios.FORMS,
    *sharpened.FORMS,
    *proxies.FORMS,
    *areas.FORMS,
    *moments.FORMS,
    *priority_queue.FORMS,
    *proxy_queue.FORMS,
    *one_bit.FORMS,
    *penalty.FORMS,
    *survivors.FORMS,
    *poisson.FORMS,
)


def _span(first: int, last: int) -> tuple[str, ...]:
    return tuple(map(str, range(first, last + 1)))


# The rows of the equation index in svf.md section 8 whose check is sympy.
COVERED: tuple[str, ...] = (
    "1",
    "43",
    *_span(44, 48),
    "51",
    "53",
    "54",
    "55",
    "56",
    "line before 60",
    *_span(60, 65),
    "67",
    *_span(71, 80),
    "81",
    *_span(89, 94),
)


def verify_closed_forms(
    progress: Progress | None = None, forms: tuple[ClosedForm, ...] = REGISTRY
) -> Layer:
    """Check every closed form by both halves and refute every misprint; one item per form."""
    layer = Layer("closed forms", "paper 2")
    with layer.timed():
        for done, form in enumerate(forms):
            if progress:
                progress(done, len(forms), form.id)
            reasons = form.reasons()
            layer.expect(not reasons, "; ".join(reasons))
        if progress:
            progress(len(forms), len(forms), "")
    return layer
