"""Image files: which kinds there are, and bytes that are the same on every run.

This module does not load matplotlib, so that a command can refuse a file's name at once.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from .model import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = {".png": "png", ".svg": "svg"}
# A fixed salt for the ids in SVG files; part of the settings of every picture.
SALT = {"svg.hashsalt": "onlinekv"}


def format_of(path: Path) -> str:
    """Return png or svg by the name of the file; raises InputError for another suffix."""
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise InputError("plot", f"must end in {' or '.join(FORMATS)}, got {path.name!r}")
    return FORMATS[suffix]


def image_bytes(figure: Figure, form: str) -> bytes:
    """Return a figure as the bytes of a PNG or SVG file, without date and creator."""
    metadata = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, dpi=150, metadata=metadata)
    return buffer.getvalue()
