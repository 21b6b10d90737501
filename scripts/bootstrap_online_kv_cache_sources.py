"""Writes the source ledger of paper 1 (see evaluators/controls/sources.py), bit-identical."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from evaluators.artifacts.canonical import write_whole
from evaluators.controls.sources import SOURCES_PATH, build_sources

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Write the ledger; print its path."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, default=ROOT / SOURCES_PATH)
    path: Path = parser.parse_args().output
    write_whole(path, build_sources())
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
