"""The lower-bound families, played at every critical round and, by formula, at all rounds."""

from __future__ import annotations

from fractions import Fraction

from ...adversary import burst, streams
from ...adversary.branches import Branch
from ...adversary.fixed_memory import FixedMemoryFamily
from ...adversary.play import adversary
from ...optimum import optimum
from ...policies.online import FcfsRule, SerialRule
from ...policies.registry import POLICIES
from ..draft import Draft, Family, Parameters

EXACT_UP_TO = 9
RULES = tuple(sorted(POLICIES))


def _branch(draft: Draft, branch: Branch, share: Fraction) -> None:
    """Judge the comparators by replay, bound OPT, and state the forced ratio."""
    instance = draft.instance(branch.instance)
    for comparator in branch.comparators:
        result = draft.schedule(comparator.name, instance, comparator.schedule)
        draft.holds(f"{comparator.name}: the formula", result.tel, "=", comparator.tel)
    if len(instance) <= EXACT_UP_TO:
        best = draft.optimum(instance)
        draft.holds("OPT <= the comparator", best.value, "<=", branch.best.tel)
    draft.fact("floor", branch.floor)
    n = len(instance)
    draft.fact("forced_ratio", branch.factor)
    left, right = share.denominator * branch.floor, share.numerator * n * branch.best.tel
    draft.fact("meets_share", left >= right)


def _burst(draft: Draft, p: Parameters) -> None:
    k, b = p["k"], p["b"]
    draft.describe(
        "Paper 1's burst with M = 2(n-1)n and prompts M/2: a long started in round b, k shorts "
        "released in b + 1; any schedule pays `floor` (tight.md section 2)."
    )
    family = burst.BurstFamily.paper(k)
    branch = family.branch(b, b + 1)
    _branch(draft, branch, Fraction(2, 5))
    n = k + 1
    draft.holds("5 ALG >= 2n OPT", 5 * branch.floor, ">=", 2 * n * branch.best.tel)
    draft.holds("published: 12 ALG >= n OPT", 12 * branch.floor, ">=", n * branch.best.tel)


def _burst_formula(draft: Draft, p: Parameters) -> None:
    k = p["k"]
    length, n = k * (k + 1), k + 1
    draft.describe(
        "The burst at L = k(k+1) by formula, every b <= 3L + 4: 5 ALG >= 2n OPT; from L on OPT is "
        "constant and ALG increases (tight.md section 2)."
    )
    rounds = range(3 * length + 5)
    least = min(rounds, key=lambda b: (burst.burst_factor_at(k, length, b), b))
    factor = burst.burst_factor_at(k, length, least)
    draft.fact("rounds_checked", len(rounds))
    draft.fact("least_at", least)
    draft.fact("least_ratio_over_n", factor / n)
    draft.holds("5 ALG >= 2n OPT for every b", 5 * factor, ">=", Fraction(2 * n))
    draft.holds("the critical rounds decide", burst.burst_factor(k, length), "=", factor)


def _stream(draft: Draft, p: Parameters) -> None:
    k, length, b = p["k"], p["length"], p["b"]
    late = bool(p["late"])
    draft.describe(
        "The stream A1-A3 (tight.md section 3): long (0;1,L), shorts of M = L + 1 units released "
        "one per round from b + 1 (early) or from L (late)."
    )
    family = streams.StreamFamily.of(k, length)
    branch = family.branch(b, length if late else b + 1)
    _branch(draft, branch, Fraction(1, 2))
    other = streams.stream_factor_at(k, length, b)
    draft.holds("this branch is no better than the better one", branch.factor, "<=", other)
    proved = streams.proved_stream_ratio(k, length)
    draft.holds("the better branch forces what A1-A3 prove", other, ">=", proved)


def _stream_all(draft: Draft, p: Parameters) -> None:
    k, length = p["k"], p["length"]
    draft.describe("The stream by formula: the better branch at every b <= L (tight.md section 3).")
    factor = streams.stream_factor(k, length)
    draft.fact("forced_ratio", factor)
    proved = streams.proved_stream_ratio(k, length)
    draft.holds("A1, A2 or A3", factor, ">=", proved)
    draft.holds("and at most the golden limit (A4)", streams.compare_golden(k + 1, factor), "<=", 0)


def _fixed_memory(draft: Draft, p: Parameters) -> None:
    draft.describe(
        "Fixed memory M >= 7 (tight-sharp.md section 5): every rule has ratio >= N/10 at "
        "n = 17N^2 + 8N requests (M = 8: 50N^2 + 10N)."
    )
    family = FixedMemoryFamily.of(p["memory"], p["scale"])
    draft.fact("requests", family.requests)
    draft.fact("claim", family.claim())
    draft.holds("the claim is at least N/10", 10 * family.claim(), ">=", p["scale"])
    draft.holds("least lag over all choices >= N/5", 5 * family.worst_lag(), ">=", p["scale"])
    for name, factory in (("serial", SerialRule), ("fcfs", FcfsRule)):
        run = adversary(factory, family)
        draft.fact(f"ratio_against_{name}", run.ratio)
        draft.holds(f"{name} is forced as claimed", run.ratio, ">=", family.claim())


def _played(draft: Draft, p: Parameters) -> None:
    policy = POLICIES[RULES[p["rule"]]]
    k, length = p["k"], p["length"]
    draft.describe(
        f"The stream played against {policy.name}: its own decisions choose b; the run is causal, "
        "pays the floor, and its ratio is at least what the family claims."
    )
    run = adversary(policy.factory, streams.StreamFamily.of(k, length))
    best = run.best
    instance = draft.instance(best.branch.instance)
    result = draft.schedule(policy.name, instance, best.schedule)
    exact = optimum(instance)
    draft.fact("optimum", exact.value)
    draft.fact("ratio", run.ratio)
    draft.holds("TEL >= floor", result.tel, ">=", best.branch.floor)
    draft.holds("ratio >= claim", run.ratio, ">=", run.claim)
    draft.holds("OPT <= comparator", exact.value, "<=", best.comparator.tel)
    proved = policy.proved(len(instance)) * exact.value
    draft.holds("TEL <= proved ratio x OPT", Fraction(result.tel), "<=", proved)


def _stream_grid() -> tuple[Parameters, ...]:
    cases = []
    for k, length in ((1, 2), (1, 6), (2, 10), (3, 15), (1, 49)):
        edges = {0, length - 2 * k - 1, length - 2 * k, length - 1, length}
        for b in sorted(x for x in edges if x >= 0):
            cases.append({"k": k, "length": length, "b": b, "late": 0})
            if b + 1 < length:
                cases.append({"k": k, "length": length, "b": b, "late": 1})
    return tuple(cases)


FAMILIES = (
    Family(
        "burst",
        _burst,
        tuple({"k": k, "b": b} for k in (1, 2, 3) for b in burst.critical_rounds(k, k * (k + 1))),
    ),
    Family("burst-formula", _burst_formula, tuple({"k": k} for k in range(1, 61))),
    Family("stream", _stream, _stream_grid()),
    Family(
        "stream-formula",
        _stream_all,
        tuple(
            {"k": k, "length": length}
            for k in (1, 2, 3, 5, 8, 13)
            for length in sorted({k, 5 * k, 39 * k + 10})
        ),
    ),
    Family(
        "stream-played",
        _played,
        tuple(
            {"rule": rule, "k": k, "length": 5 * k} for rule in range(len(RULES)) for k in (1, 2, 3)
        ),
    ),
    Family(
        "fixed-memory",
        _fixed_memory,
        tuple({"memory": m, "scale": n} for m in (7, 8, 9) for n in (1, 3)),
    ),
)
