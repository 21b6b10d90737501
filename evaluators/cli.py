"""The command line: `python -m evaluators COMMAND`, also installed as `onlinekv`.

Exit codes: 0 all asked for was verified; 1 something was rejected; 2 could not run.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from .memory import DEFAULT_BLOCK
from .model import InputError
from .traces import DEFAULT_ROUND_MS

app = typer.Typer(
    name="onlinekv",
    help="Exact checks for KV-cache scheduling: replay, optimum, policies, audited artifacts.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one line of canonical JSON.")]
Rule = Annotated[str, typer.Option(help="Memory convention: papers, engine or corrupted.")]
Block = Annotated[int, typer.Option(help="Block size of the engine convention (tokens).")]
Lean = Annotated[
    str, typer.Option(help="Which Lean: auto, lake, embedded or off (nothing is proved then).")
]
Root = Annotated[
    Path | None, typer.Option(help="Repository with output/; default: the one this package is in.")
]


def _example(*lines: str) -> str:
    return "[bold]Example:[/] " + "; ".join(f"python -m evaluators {line}" for line in lines)


@app.command(epilog=_example("verify", "verify output/tight-online-kv-cache-scheduling/*.json"))
def verify(
    artifacts: Annotated[
        list[Path] | None, typer.Argument(help="Artifact files; default: all committed ones.")
    ] = None,
    lean: Lean = "auto",
    root: Root = None,
    json: JsonFlag = False,
) -> None:
    """Re-derive artifacts: form, digest, every number again, negative controls refused."""
    from .commands import verify

    raise typer.Exit(verify.verify(artifacts or [], lean, root, json))


@app.command(
    epilog=_example(
        "replay instance.json schedule.json --round 3",
        "replay instance.json schedule.json --plot picture.svg",
    )
)
def replay(
    instance: Annotated[Path, typer.Argument(help="Instance file (onlinekv/instance/v1).")],
    schedule: Annotated[Path, typer.Argument(help="Schedule file (onlinekv/schedule/v1).")],
    convention: Rule = "papers",
    block: Block = DEFAULT_BLOCK,
    round: Annotated[
        list[int] | None, typer.Option(help="Also print the units held in this round.", min=0)
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Also draw memory over time: .png or .svg.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Check someone's schedule exactly: feasible or every violation, and its costs."""
    from .commands import schedules

    raise typer.Exit(
        schedules.replay(instance, schedule, convention, block, round or [], plot, json)
    )


@app.command(
    epilog=_example(
        "optimum instance.json",
        "optimum --memory 7 --request 0,1,5 --request 1,1,2 --request 2,2,1",
    )
)
def optimum(
    instance: Annotated[Path | None, typer.Argument(help="Instance file.")] = None,
    memory: Annotated[int | None, typer.Option(help="Memory M; overrides the file's.")] = None,
    request: Annotated[
        list[str] | None,
        typer.Option(help="A request as arrival,prompt,output (instead of a file)."),
    ] = None,
    objective: Annotated[str, typer.Option(help="tel, total-completion or makespan.")] = "tel",
    convention: Rule = "papers",
    block: Block = DEFAULT_BLOCK,
    commit: Annotated[
        list[str] | None, typer.Option(help="A start already made, as id=round; needs --now.")
    ] = None,
    now: Annotated[
        int | None, typer.Option(help="All other requests start in this round or later.")
    ] = None,
    kills: Annotated[bool, typer.Option(help="Running requests may be killed at --now.")] = False,
    node_limit: Annotated[int | None, typer.Option(help="Stop after so many nodes.")] = None,
    time_limit: Annotated[float | None, typer.Option(help="Stop after so many seconds.")] = None,
    engine: Annotated[str, typer.Option(help="auto, compiled or python.")] = "auto",
    json: JsonFlag = False,
) -> None:
    """Exact offline optimum with a certificate; with a limit, a proved interval."""
    from .commands import instances, schedules

    raise typer.Exit(
        schedules.optimum(
            instances.InstanceChoice(instance, memory, request or []),
            objective,
            convention,
            block,
            instances.CommitChoice(commit or [], now, kills),
            schedules.Limits(node_limit, time_limit, engine),
            json,
        )
    )


@app.command(
    epilog=_example(
        "run trace.csv --policy fcfs --memory 41408 --round-ms 25",
        "run instance.json --policy svf --json",
        "run instance.json --policy svf --plot memory.svg",
    )
)
def run(
    source: Annotated[Path, typer.Argument(help="Instance file (.json) or trace (.csv).")],
    policy: Annotated[str, typer.Option(help="Policy; `policies` lists them.")] = "fcfs",
    memory: Annotated[int | None, typer.Option(help="Memory M (required for a trace).")] = None,
    round_ms: Annotated[
        int, typer.Option(help="Milliseconds per round, for a trace.")
    ] = DEFAULT_ROUND_MS,
    burst: Annotated[bool, typer.Option("--burst", help="Set all arrivals to 0.")] = False,
    drop_infeasible: Annotated[
        bool, typer.Option("--drop-infeasible", help="Drop requests with prompt + output > M.")
    ] = False,
    queue: Annotated[str | None, typer.Option(help="Queue rule: head or skip.")] = None,
    admission: Annotated[
        str | None, typer.Option(help="Admission: exact, peak, prompt-only or reserve.")
    ] = None,
    max_running: Annotated[
        int | None, typer.Option(help="Most requests that run at once (max_num_seqs).")
    ] = None,
    convention: Annotated[
        str | None, typer.Option(help="Memory convention of the engine: papers or engine.")
    ] = None,
    block: Block = DEFAULT_BLOCK,
    seed: Annotated[int, typer.Option(help="Seed of predicted policies.", min=0)] = 0,
    schedule: Annotated[
        Path | None, typer.Option(help="Also write the schedule to this file.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Also draw memory over time: .png or .svg.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Schedule an instance or a trace: costs, lower bound, measured and proved ratio."""
    from .commands import run

    rules = run.RuleChoice(queue, admission, max_running, convention, block, seed)
    files = run.RunFiles(schedule, plot)
    raise typer.Exit(
        run.run(source, policy, memory, round_ms, drop_infeasible, rules, files, json, burst)
    )


@app.command(
    epilog=_example(
        "compare trace.csv --policies fcfs,sjf,svf,1-bit-svf --memory 10240 --plot out.png",
        "compare trace.csv --memory 10240 --burst --queue skip --csv out.csv",
    )
)
def compare(
    source: Annotated[Path, typer.Argument(help="Instance file (.json) or trace (.csv).")],
    policies: Annotated[
        str, typer.Option(help="Policies, separated by commas; `policies` lists them.")
    ] = "fcfs,sjf,svf,1-bit-svf",
    memory: Annotated[int | None, typer.Option(help="Memory M (required for a trace).")] = None,
    round_ms: Annotated[
        int, typer.Option(help="Milliseconds per round, for a trace.")
    ] = DEFAULT_ROUND_MS,
    burst: Annotated[bool, typer.Option("--burst", help="Set all arrivals to 0.")] = False,
    drop_infeasible: Annotated[
        bool, typer.Option("--drop-infeasible", help="Drop requests with prompt + output > M.")
    ] = False,
    queue: Annotated[
        str | None, typer.Option(help="head or skip; default: each policy's own.")
    ] = None,
    admission: Annotated[
        str | None,
        typer.Option(help="exact, peak, prompt-only or reserve; default: each policy's own."),
    ] = None,
    max_running: Annotated[
        int | None, typer.Option(help="At most so many requests run at once.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the predictors.")] = 0,
    csv: Annotated[Path | None, typer.Option(help="Also write the numbers to this file.")] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Also draw latencies, memory and queue: .png or .svg.")
    ] = None,
    json: JsonFlag = False,
) -> None:
    """Compare policies on one trace: latencies, memory, throughput, distance to the optimum."""
    from . import comparison
    from .commands import compare

    raise typer.Exit(
        compare.compare_policies(
            compare.Source(source, memory, round_ms, burst, drop_infeasible),
            policies,
            comparison.RuleChoice(queue, admission, max_running),
            seed,
            compare.Outputs(csv, plot, json),
        )
    )


@app.command(
    epilog=_example("generate trace.csv --requests 1000 --rate 5 --outputs geometric:200 --seed 1")
)
def generate(
    target: Annotated[Path, typer.Argument(help="Trace to write (.csv).")],
    requests: Annotated[int, typer.Option(help="Number of requests.")] = 1000,
    rate: Annotated[
        str, typer.Option(help="Poisson arrivals a second, such as 5, 2.5 or 1/3; or burst.")
    ] = "5",
    prompts: Annotated[
        str,
        typer.Option(
            help="Law of the prompts: constant:N, uniform:LOW:HIGH, geometric:MEAN[:MAX] or "
            "lognormal:MEDIAN:SIGMA[:MAX]."
        ),
    ] = "lognormal:200:1:4096",
    outputs: Annotated[
        str, typer.Option(help="Law of the outputs, in the same words.")
    ] = "geometric:200:2048",
    seed: Annotated[int, typer.Option(help="Seed; the same file on every machine.")] = 0,
) -> None:
    """Write a seeded random trace, for users without one."""
    from .commands import compare

    raise typer.Exit(compare.generate(target, requests, rate, prompts, outputs, seed))


@app.command(epilog=_example("policies"))
def policies() -> None:
    """List the policies with their source and proved ratio."""
    from .commands import run

    raise typer.Exit(run.policies())


@app.command(
    epilog=_example("audit", "audit --receipt receipt.json", "audit --against receipt.json")
)
def audit(
    receipt: Annotated[
        Path | None, typer.Option(help="Also write an unsigned in-toto receipt to this file.")
    ] = None,
    against: Annotated[
        Path | None, typer.Option(help="Name every difference from this receipt.")
    ] = None,
    write: Annotated[
        bool,
        typer.Option("--write", help="Write ERRATA.md, docs/NAMES.md and README's blocks; only."),
    ] = False,
    lean: Annotated[
        str, typer.Option(help="Also check the proofs: auto, lake, embedded, or off.")
    ] = "off",
    root: Root = None,
    json: JsonFlag = False,
) -> None:
    """Check hashes, statements, the ledger and the documents made from it; write receipts."""
    from .commands import audit

    if write:
        raise typer.Exit(audit.write_generated(root))
    choice = audit.ReceiptChoice(receipt, against)
    raise typer.Exit(audit.audit(root, json, lean, choice))


@app.command(
    epilog=_example("claims --paper svf", "claims svf/theorem-3.2 --check", "claims --pin")
)
def claims(
    claim: Annotated[str | None, typer.Argument(help="Explain this claim.")] = None,
    status: Annotated[
        str | None,
        typer.Option(help="theorem, 'exact check', symbolic, counterexample, open or error."),
    ] = None,
    paper: Annotated[str | None, typer.Option(help="tight, svf, nonclairvoyant or notes.")] = None,
    verdict: Annotated[
        str | None, typer.Option(help="Verdict of the notes, such as FALSE.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Derive controls and closed forms again.")
    ] = False,
    pin: Annotated[
        bool, typer.Option("--pin", help="Record ids and statements as reviewed; only.")
    ] = False,
    root: Root = None,
    json: JsonFlag = False,
) -> None:
    """The ledger: every claim of the papers and ours, its status computed from its evidence."""
    from .commands import claims

    if pin:
        raise typer.Exit(claims.pin(root))
    chosen = claims.ClaimFilter(status, paper, verdict)
    raise typer.Exit(claims.claims(claim, chosen, check, json, root))


@app.command(epilog=_example("report", "report --target site"))
def report(
    target: Annotated[
        Path | None, typer.Option(help="Folder of the site; default: build/report.")
    ] = None,
    root: Root = None,
) -> None:
    """Build a static site of results, claims, errata and pictures; no Lean, no network."""
    from .commands import report

    raise typer.Exit(report.report(target, root))


@app.command("build-artifacts", epilog=_example("build-artifacts", "build-artifacts --check"))
def build_artifacts(
    root: Root = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if a file would change.")
    ] = False,
) -> None:
    """Derive every artifact and the manifest again; bit-identical on every run."""
    from .commands import artifacts

    raise typer.Exit(artifacts.build_artifacts(root, check))


lean_app = typer.Typer(no_args_is_help=True, help="Proofs: set up a Lean, build, audit.")
app.add_typer(lean_app, name="lean")


@lean_app.command("setup", epilog=_example("lean setup"))
def lean_setup() -> None:
    """Install the embedded Lean into a cache folder, unless it is there."""
    from .commands import lean as proofs

    raise typer.Exit(proofs.lean_setup())


@lean_app.command("build", epilog=_example("lean build", "lean build OnlineKvCache.Results"))
def lean_build(
    modules: Annotated[
        list[str] | None, typer.Argument(help="Modules, with what they import; default: all.")
    ] = None,
    lean: Lean = "auto",
    root: Root = None,
) -> None:
    """Compile the library; errors and warnings as Lean prints them, and the times."""
    from .commands import lean as proofs

    raise typer.Exit(proofs.lean_build(modules or [], lean, root))


@lean_app.command("audit", epilog=_example("lean audit --json"))
def lean_audit(lean: Lean = "auto", root: Root = None, json: JsonFlag = False) -> None:
    """Build, let the kernel check again, and list the axioms that each theorem reaches."""
    from .commands import lean as proofs

    raise typer.Exit(proofs.lean_audit(json, lean, root))


@lean_app.command("statements", epilog=_example("lean statements --check"))
def lean_statements(
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if something differs.")
    ] = False,
    lean: Lean = "auto",
    root: Root = None,
) -> None:
    """Write the hashes of the headline statements and of every definition behind them."""
    from .commands import lean as proofs

    raise typer.Exit(proofs.lean_statements(check, lean, root))


@lean_app.command("trace", epilog=_example("lean trace premises.json"))
def lean_trace(
    target: Annotated[Path, typer.Argument(help="File to write (JSON).")],
    root: Root = None,
) -> None:
    """Write theorem -> premises by LeanDojo (optional extra `dojo`; needs lake and the network)."""
    from .commands import trace

    raise typer.Exit(trace.lean_trace(target, root))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; malformed input prints one line and exits with 2."""
    try:
        app(args=arguments)
    except InputError as error:
        line = " ".join(str(error).split())
        sys.stderr.write(f"error: {line}\n")
        sys.exit(2)
