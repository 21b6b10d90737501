"""Exact optimum against CP-SAT and HiGHS on seeded random instances, side by side in one run."""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from rich.console import Console
from rich.table import Table

from evaluators.model import Instance
from evaluators.optimum import OracleResult, optimum
from evaluators.optimum.oracle import Oracle, SolverName

REQUESTS = (6, 8, 10, 12, 14, 16)
MEMORIES = (8, 16, 32)
LATEST_ARRIVAL = 6
REQUIRED_RATIO = 20


def random_instance(n: int, memory: int, rng: random.Random) -> Instance:
    """n requests with prompt in 0..M-1, output in 1..M-s, arrival in 0..6, all uniform."""
    rows = []
    for _ in range(n):
        prompt = rng.randint(0, memory - 1)
        output = rng.randint(1, memory - prompt)
        rows.append((rng.randint(0, LATEST_ARRIVAL), prompt, output))
    return Instance.from_triples(memory, rows)


def instances(seed: int, per_cell: int) -> list[tuple[int, int, Instance]]:
    return [
        (n, memory, random_instance(n, memory, random.Random(f"{seed}/{n}/{memory}/{i}")))
        for n in REQUESTS
        for memory in MEMORIES
        for i in range(per_cell)
    ]


def solved_by(
    solver: SolverName, cases: list[tuple[int, int, Instance]], limit: float
) -> list[OracleResult]:
    with Oracle(solver) as oracle:
        return [oracle.solve(instance, "tel", limit) for _, _, instance in cases]


def measure(cases: list[tuple[int, int, Instance]], limit: float) -> list[dict[str, Any]]:
    """Microseconds per instance: ours alone first, then both solvers, each on its own core."""
    optimum(cases[0][2])  # loads the compiled search
    optimum(random_instance(9, 16, random.Random(0)))
    rows: list[dict[str, Any]] = []
    for n, memory, instance in cases:
        begun = time.perf_counter()
        result = optimum(instance)
        elapsed = time.perf_counter() - begun
        rows.append(
            {
                "requests": n,
                "memory": memory,
                "value": result.value,
                "optimal": result.optimal,
                "nodes": result.nodes,
                "ours_us": round(elapsed * 1e6),
            }
        )
    with ThreadPoolExecutor(2) as pool:
        futures = {name: pool.submit(solved_by, name, cases, limit) for name in ("cpsat", "highs")}
        for name, future in futures.items():
            for row, answer in zip(rows, future.result(), strict=True):
                row[f"{name}_us"] = round((answer.seconds_build + answer.seconds_solve) * 1e6)
                row[f"{name}_finished"] = answer.status == "optimal"
                row[f"{name}_agrees"] = answer.status != "optimal" or answer.value == row["value"]
    for row in rows:
        times = [row[f"{name}_us"] for name in ("cpsat", "highs") if row[f"{name}_finished"]]
        row["ratio_hundredths"] = 100 * min(times) // row["ours_us"] if times else None
    return rows


def summary(rows: list[dict[str, Any]], seed: int, limit: float) -> dict[str, Any]:
    """The figures that the project promises; integers only, times in microseconds."""
    ratios = [row["ratio_hundredths"] for row in rows if row["ratio_hundredths"] is not None]
    for row in rows:
        if row["ratio_hundredths"] is None:
            del row["ratio_hundredths"]
    corner = [row for row in rows if (row["requests"], row["memory"]) == (16, 16)]
    median = int(statistics.median_low(ratios)) if ratios else 0
    agree = all(row["cpsat_agrees"] and row["highs_agrees"] for row in rows)
    finished = all(row["optimal"] for row in corner)
    return {
        "seed": seed,
        "limit_us": round(limit * 1e6),
        "instances": len(rows),
        "ours_finished": sum(row["optimal"] for row in rows),
        "cpsat_finished": sum(row["cpsat_finished"] for row in rows),
        "highs_finished": sum(row["highs_finished"] for row in rows),
        "compared": len(ratios),
        "median_ratio_hundredths": median,
        "required_ratio_hundredths": 100 * REQUIRED_RATIO,
        "all_values_agree": agree,
        "n16_m16_all_finished": finished,
        "met": bool(median >= 100 * REQUIRED_RATIO and agree and finished),
        "rows": rows,
    }


def table(rows: list[dict[str, Any]]) -> Table:
    result = Table(title="Exact optimum: median milliseconds (finished of all)")
    for heading in ("n", "M", "ours", "slowest", "CP-SAT", "HiGHS", "median ratio"):
        result.add_column(heading, justify="right")
    for n in REQUESTS:
        for memory in MEMORIES:
            cell = [r for r in rows if (r["requests"], r["memory"]) == (n, memory)]
            if cell:
                result.add_row(str(n), str(memory), *_texts(cell))
    return result


def _texts(cell: list[dict[str, Any]]) -> list[str]:
    def column(name: str, finished: str) -> str:
        times = statistics.median(row[f"{name}_us"] for row in cell)
        return f"{times / 1000:.2f} ({sum(row[finished] for row in cell)}/{len(cell)})"

    ratios = [row["ratio_hundredths"] for row in cell if "ratio_hundredths" in row]
    return [
        column("ours", "optimal"),
        f"{max(row['ours_us'] for row in cell) / 1000:.2f}",
        column("cpsat", "cpsat_finished"),
        column("highs", "highs_finished"),
        f"{statistics.median(ratios) / 100:.0f}x" if ratios else "neither finished",
    ]


def run(seed: int = 2026, limit: float = 15.0, per_cell: int = 4) -> dict[str, Any]:
    """Measure, print the table, return the figures.  `limit`: seconds per instance and solver."""
    console = Console()
    rows = measure(instances(seed, per_cell), limit)
    result = summary(rows, seed, limit)
    console.print(table(rows))
    console.print(
        f"{result['instances']} instances; finished: ours {result['ours_finished']}, "
        f"CP-SAT {result['cpsat_finished']}, HiGHS {result['highs_finished']} in {limit:g} s; "
        f"median ratio to the better one {result['median_ratio_hundredths'] / 100:.0f}x "
        f"(required {REQUIRED_RATIO}x) on {result['compared']}; "
        f"values {'agree' if result['all_values_agree'] else 'DIFFER'}"
    )
    return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--limit", type=float, default=15.0, help="seconds per solver")
    parser.add_argument("--per-cell", type=int, default=4)
    parser.add_argument("--json", help="write the figures to this file")
    arguments = parser.parse_args()
    figures = run(arguments.seed, arguments.limit, arguments.per_cell)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(figures, file, indent=1)
