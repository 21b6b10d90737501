"""Paper 1's own entry point: `--verify ARTIFACT`, with a fixed last line on success.

python -m evaluators.online_kv_cache_scheduling_eval \
    --verify output/tight-online-kv-cache-scheduling/exact-controls.json
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .console import print_layers, print_line, progress
from .controls.verify import verify_artifact
from .model import InputError
from .verdict import Verdict, overall

PASS = "TIGHT_ONLINE_KV_CACHE_EXACT_CONTROLS_PASS"
FAIL = "TIGHT_ONLINE_KV_CACHE_EXACT_CONTROLS_FAIL"
CLAIM = "tight-online-kv-cache-scheduling"


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify one artifact of paper 1; 0 and PASS, 1 and FAIL, or 2 if it cannot be judged."""
    parser = argparse.ArgumentParser(
        prog="python -m evaluators.online_kv_cache_scheduling_eval",
        description="Re-derive paper 1's exact controls: every number, every negative control.",
    )
    parser.add_argument("--verify", type=Path, required=True, metavar="ARTIFACT")
    path: Path = parser.parse_args(arguments).verify
    try:
        with progress("verify") as report:
            layers = verify_artifact(path, report, claim=CLAIM)
    except InputError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    print_layers("exact controls of paper 1", layers)
    verified = overall(layers) is Verdict.VERIFIED
    print_line(PASS if verified else FAIL)
    return 0 if verified else 1


if __name__ == "__main__":
    sys.exit(main())
