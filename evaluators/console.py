"""What the commands print: tables, JSON, progress bars on a terminal, one-line errors."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from .artifacts.canonical import Json, dumps
from .verdict import Layer, Verdict, overall

Report = Callable[[int, int, str], None]
_STYLES = {Verdict.VERIFIED: "green", Verdict.REJECTED: "red", Verdict.NOT_CHECKED: "yellow"}
_PIPE_WIDTH = 110


def stdout() -> Console:
    """Return a console on standard output, of fixed width in a pipe."""
    return Console(
        highlight=False, soft_wrap=False, width=None if sys.stdout.isatty() else _PIPE_WIDTH
    )


def print_json(document: dict[str, Json]) -> None:
    """Write canonical JSON to standard output."""
    sys.stdout.write(dumps(document).decode("utf-8"))


def print_line(text: str) -> None:
    """Write one plain line to standard output, never wrapped nor coloured."""
    sys.stdout.write(text + "\n")


def print_pairs(title: str, rows: Sequence[tuple[str, str]]) -> None:
    """Print a two-column table of names and values."""
    table = Table(title=title, title_justify="left", show_header=False)
    table.add_column(style="bold")
    table.add_column(overflow="fold")
    for row in rows:
        table.add_row(*row)
    stdout().print(table)


def print_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table with a header."""
    table = Table(*header, title=title, title_justify="left")
    for row in rows:
        table.add_row(*row)
    stdout().print(table)


def print_layers(title: str, layers: Sequence[Layer]) -> None:
    """Print the verdict of every layer, then every reason, one a line."""
    table = Table("layer", "target", "verdict", "checked", "seconds", title=title)
    table.title_justify = "left"
    for layer in layers:
        word = f"[{_STYLES[layer.verdict]}]{layer.verdict}[/]"
        seconds = f"{layer.microseconds / 10**6:.2f}"
        table.add_row(layer.layer, layer.target, word, str(layer.checked), seconds)
    stdout().print(table)
    for layer in layers:
        for reason in layer.reasons:
            print_line(f"{layer.verdict}: {layer.target}: {layer.layer}: {reason}")


def summary_line(layers: Sequence[Layer]) -> str:
    """Return the machine-readable last line: `verdict=... layers=... checked=... ...`."""
    words = [layer.verdict for layer in layers]
    counts = " ".join(f"{word.lower().replace(' ', '_')}={words.count(word)}" for word in Verdict)
    checked = sum(layer.checked for layer in layers)
    missing = ",".join(
        layer.layer.replace(" ", "_") for layer in layers if layer.verdict is Verdict.NOT_CHECKED
    )
    verdict = overall(layers).replace(" ", "_")
    return f"verdict={verdict} checked={checked} {counts} layers_not_checked={missing or 'none'}"


def layers_to_json(layers: Sequence[Layer]) -> dict[str, Json]:
    """Return the layers as the document that `--json` prints."""
    return {
        "schema": "onlinekv/verify-result/v1",
        "verdict": str(overall(layers)),
        "complete": all(layer.ran for layer in layers),
        "layers": [
            {
                "layer": layer.layer,
                "target": layer.target,
                "verdict": str(layer.verdict),
                "checked": layer.checked,
                "microseconds": layer.microseconds,
                "reasons": list(layer.reasons),
            }
            for layer in layers
        ],
    }


@contextmanager
def progress(title: str) -> Iterator[Report]:
    """Yield report(done, total, text): a bar on standard error if it is a terminal, else silent."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda done, total, text: None
        return
    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(
        *columns, TextColumn("{task.fields[text]}"), console=console, transient=True
    ) as bar:
        task = bar.add_task(title, total=None, text="")
        yield lambda done, total, text: bar.update(task, completed=done, total=total, text=text)


def decimal(value: Fraction | int, digits: int = 3) -> str:
    """Return an exact number rounded half up to `digits` decimals, for people (not for files)."""
    scale = 10**digits
    units = (2 * Fraction(value) * scale + 1) // 2
    sign = "-" if units < 0 else ""
    whole, rest = divmod(abs(units), scale)
    return f"{sign}{whole:,}.{rest:0{digits}d}" if digits else f"{sign}{whole:,}"
