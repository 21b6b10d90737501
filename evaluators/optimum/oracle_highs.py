"""HiGHS as an oracle: `python -m evaluators.optimum.oracle_highs`, JSON lines."""

from __future__ import annotations

import math
import time

import highspy
import numpy as np

from .time_indexed import Outcome, Program, serve


def solve(program: Program, makespan: bool, time_limit: float) -> Outcome:
    """Minimise TEL or the makespan with one thread; TEL is integral, so a gap below 1 closes it."""
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("time_limit", time_limit)
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.setOptionValue("mip_abs_gap", 0.999)
    highs.passModel(_linear_program(program, makespan))
    built = time.perf_counter()
    highs.run()
    info = highs.getInfo()
    solved = highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    if not solved and info.primal_solution_status != 2:
        return Outcome("unknown", None, None, [], built)
    values = highs.getSolution().col_value
    chosen = [v for v in range(len(program.variables)) if values[v] > 0.5]
    value = round(info.objective_function_value)
    bound = value if solved else math.ceil(info.mip_dual_bound - 1e-6)
    return Outcome("optimal" if solved else "feasible", value, bound, chosen, built)


def _linear_program(program: Program, makespan: bool) -> highspy.HighsLp:
    """Row by row: one start per request, the memory of each round, the makespan's definition."""
    x, n = len(program.variables), len(program.outputs)
    columns: list[list[int]] = [[] for _ in range(n)]
    for v, (j, _) in enumerate(program.variables):
        columns[j].append(v)
    rows = [(group, [1] * len(group), 1.0, 1.0) for group in columns]
    for terms in program.rounds:
        columns_, sizes = [v for v, _ in terms], [c for _, c in terms]
        rows.append((columns_, sizes, -highspy.kHighsInf, float(program.memory)))
    if makespan:
        for group in columns:
            ends = [program.completion(v) for v in group]
            rows.append(([*group, x], [*ends, -1], -highspy.kHighsInf, 0.0))
    lp = highspy.HighsLp()
    lp.num_col_ = x + makespan
    lp.num_row_ = len(rows)
    cost = [0] * x + [1] if makespan else [program.delay(v) for v in range(x)]
    lp.col_cost_ = np.array(cost, dtype=float)
    lp.col_lower_ = np.zeros(lp.num_col_)
    lp.col_upper_ = np.array([1.0] * x + [float(program.horizon)] * makespan)
    lp.row_lower_ = np.array([row[2] for row in rows])
    lp.row_upper_ = np.array([row[3] for row in rows])
    lp.integrality_ = [highspy.HighsVarType.kInteger] * lp.num_col_
    lp.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    lp.a_matrix_.start_ = np.cumsum([0, *(len(row[0]) for row in rows)])
    lp.a_matrix_.index_ = np.array([v for row in rows for v in row[0]])
    lp.a_matrix_.value_ = np.array([c for row in rows for c in row[1]], dtype=float)
    return lp


if __name__ == "__main__":
    serve(solve)
