"""The memory-time picture that `run` and `replay` draw on demand."""

from __future__ import annotations

from pathlib import Path

from ..memory import Convention
from ..model import AttemptSchedule, Instance, Schedule


def draw_memory(
    path: Path | None,
    instance: Instance,
    schedule: Schedule | AttemptSchedule,
    convention: Convention,
    title: str = "",
) -> None:
    """Write the picture if a file is asked for; its name has been checked by `format_of`."""
    if path is None:
        return
    from ..report.picture import save  # noqa: PLC0415  (matplotlib loads only for a picture)

    save(path, instance, schedule, title, convention)
