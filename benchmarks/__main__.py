"""`make bench`: every comparison in one run, printed and written to output/benchmarks/core.json."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from importlib.metadata import version
from typing import Any

from rich.console import Console
from rich.table import Table

from evaluators.artifacts.canonical import dumps, write_whole
from evaluators.artifacts.manifest import MANIFEST_PATH, build_manifest
from evaluators.commands.place import REPOSITORY
from evaluators.controls.registry import ARTIFACTS, products

from . import engine, nonclairvoyant, optimum, replay

PEERS = ("numpy", "numba", "ortools", "highspy", "simpy")
REQUIRED_VERIFY_SECONDS = 60


def verify_artifact() -> dict[str, Any]:
    """Time `python -m evaluators verify ARTIFACT` as a user runs it, start-up included."""
    begun = time.perf_counter_ns()
    command = [sys.executable, "-m", "evaluators", "verify", ARTIFACTS[0].path, "--lean", "off"]
    code = subprocess.run(command, cwd=REPOSITORY, capture_output=True, check=False).returncode
    elapsed = (time.perf_counter_ns() - begun) // 1000
    met = code == 0 and elapsed <= REQUIRED_VERIFY_SECONDS * 10**6
    return {"verify_us": elapsed, "exit_code": code, "met": met}


def summary(results: dict[str, Any]) -> list[tuple[str, str, str, bool]]:
    """Rows: what, measured, required, met."""
    best, check, verify = results["optimum"], results["replay"], results["verify"]
    runs, kills = results["engine"], results["nonclairvoyant"]
    return [
        (
            "optimum: median (better of CP-SAT, HiGHS) / ours",
            f"{best['median_ratio_hundredths'] / 100:.0f}x",
            f">= {optimum.REQUIRED_RATIO}x",
            bool(best["met"]),
        ),
        (
            "replay: 10^6 requests / numpy.sort of 8x10^6",
            f"{check['sorts_hundredths'] / 100:.2f}",
            f"<= {replay.REQUIRED_SORTS}",
            check["sorts_hundredths"] <= 100 * replay.REQUIRED_SORTS,
        ),
        (
            "replay: time(10^6) / time(10^5)",
            f"{check['growth_hundredths'] / 100:.2f}",
            f"<= {replay.REQUIRED_GROWTH}",
            check["growth_hundredths"] <= 100 * replay.REQUIRED_GROWTH,
        ),
        (
            "replay: resident memory",
            f"{check['max_resident_mebibytes']} MiB",
            f"< {replay.REQUIRED_MEBIBYTES} MiB",
            check["max_resident_mebibytes"] < replay.REQUIRED_MEBIBYTES,
        ),
        (
            "verify of the artifact without Lean",
            f"{verify['verify_us'] / 10**6:.1f} s",
            f"<= {REQUIRED_VERIFY_SECONDS} s",
            bool(verify["met"]),
        ),
        (
            "engine: 10^6 requests, FCFS and SVF, the slower",
            f"{runs['slowest_us'] / 10**6:.1f} s",
            f"< {engine.REQUIRED_SECONDS} s",
            runs["slowest_us"] < engine.REQUIRED_SECONDS * 10**6,
        ),
        *(
            (
                f"engine: {name}, the lower of FCFS and SVF",
                f"{runs[f'{name}_ratio_hundredths'] / 100:.0f}x",
                f">= {required}x",
                runs[f"{name}_ratio_hundredths"] >= 100 * required,
            )
            for name, required in engine.REQUIRED_RATIO.items()
        ),
        (
            "kills: Rect, 10^5 requests",
            f"{kills['rect_100000_us'] / 10**6:.1f} s",
            f"< {nonclairvoyant.REQUIRED_RECT_SECONDS} s",
            kills["rect_100000_us"] < nonclairvoyant.REQUIRED_RECT_SECONDS * 10**6,
        ),
        (
            "kills: Rect, time(10^5) / time(10^4)",
            f"{kills['rect_growth_hundredths'] / 100:.2f}",
            f"<= {nonclairvoyant.REQUIRED_EXPONENT_GROWTH}",
            kills["rect_growth_hundredths"] <= 100 * nonclairvoyant.REQUIRED_EXPONENT_GROWTH,
        ),
        (
            "kills: Route, 10^4 requests of mooncake_conversation",
            f"{kills['route_us'] / 10**6:.1f} s",
            f"< {nonclairvoyant.REQUIRED_ROUTE_SECONDS} s",
            kills["route_us"] < nonclairvoyant.REQUIRED_ROUTE_SECONDS * 10**6,
        ),
        (
            "kills: FairShare by a loop over rounds / ours",
            f"{kills['fair_share_rounds_ratio_hundredths'] / 100:.1f}x",
            f">= {nonclairvoyant.REQUIRED_RATIO}x",
            kills["fair_share_rounds_ratio_hundredths"] >= 100 * nonclairvoyant.REQUIRED_RATIO,
        ),
    ]


def main() -> int:
    """Run all, print the summary, write the file and list it in the manifest; 1 on a miss."""
    results = {"replay": replay.run(), "verify": verify_artifact(), "optimum": optimum.run()}
    results["engine"] = engine.run()
    results["nonclairvoyant"] = nonclairvoyant.run()
    table = Table("measurement", "measured", "required", "met", title="core benchmarks")
    rows = summary(results)
    for name, measured, required, met in rows:
        table.add_row(name, measured, required, "yes" if met else "NO")
    Console(width=100).print(table)
    document = {
        "schema": "onlinekv/benchmark/v1",
        "command": "make bench",
        "machine": {
            "cores": os.cpu_count() or 0,
            "architecture": platform.machine(),
            "python": platform.python_version(),
            "peers": {name: version(name) for name in PEERS},
        },
        "results": results,
    }
    write_whole(REPOSITORY / "output/benchmarks/core.json", dumps(document))
    write_whole(REPOSITORY / MANIFEST_PATH, build_manifest(REPOSITORY, products()))
    return 0 if all(row[-1] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
