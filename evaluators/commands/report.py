"""The command report: the static site under build/report/."""

from __future__ import annotations

import time
from pathlib import Path

from ..console import print_line, progress
from ..report.site import build_site
from .place import REPOSITORY

TARGET = "build/report"


def report(target: Path | None, root: Path | None) -> int:
    """Build the site; 0, or InputError if what it is made from cannot be read."""
    base = root or REPOSITORY
    folder = target or base / TARGET
    begin = time.perf_counter()
    with progress("report") as bar:
        made = build_site(base, folder, bar)
    seconds = time.perf_counter() - begin
    print_line(f"report={folder / 'index.html'} files={len(made)} seconds={seconds:.1f}")
    return 0
