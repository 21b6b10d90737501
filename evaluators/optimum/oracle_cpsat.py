"""CP-SAT (ortools) as an oracle: `python -m evaluators.optimum.oracle_cpsat`, JSON lines."""

from __future__ import annotations

import math
import time

from ortools.sat.python import cp_model

from .time_indexed import Outcome, Program, serve

_STATUS = {cp_model.OPTIMAL: "optimal", cp_model.FEASIBLE: "feasible"}


def solve(program: Program, makespan: bool, time_limit: float) -> Outcome:
    """Minimise TEL or the makespan with one worker."""
    model = cp_model.CpModel()
    x = [model.new_bool_var("") for _ in program.variables]
    of_request: list[list[int]] = [[] for _ in program.outputs]
    for v, (j, _) in enumerate(program.variables):
        of_request[j].append(v)
    for group in of_request:
        model.add_exactly_one(x[v] for v in group)
    for terms in program.rounds:
        model.add(
            cp_model.LinearExpr.weighted_sum([x[v] for v, _ in terms], [c for _, c in terms])
            <= program.memory
        )
    if makespan:
        last = model.new_int_var(0, program.horizon, "")
        for group in of_request:
            ends = [program.completion(v) for v in group]
            model.add(cp_model.LinearExpr.weighted_sum([x[v] for v in group], ends) <= last)
        model.minimize(last)
    else:
        delays = [program.delay(v) for v in range(len(x))]
        model.minimize(cp_model.LinearExpr.weighted_sum(x, delays))
    built = time.perf_counter()
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = time_limit
    status = _STATUS.get(solver.solve(model), "unknown")
    if status == "unknown":
        return Outcome(status, None, None, [], built)
    chosen = [v for v in range(len(x)) if solver.value(x[v])]
    bound = math.ceil(solver.best_objective_bound - 1e-6)
    return Outcome(status, round(solver.objective_value), bound, chosen, built)


if __name__ == "__main__":
    serve(solve)
