"""Where the repository is: the folder that holds this package, output/ and formal/."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
