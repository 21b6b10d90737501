"""Run the audit in Lean (`audit.lean`) over compiled modules and read its text.

With the embedded build the audit's own code is compiled once and kept; its result is kept by the
hash of all sources, so that an unchanged library is not audited twice.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from ..artifacts.canonical import write_whole
from ..model import InputError
from .build import keep_parts
from .environment import Environment, parse
from .messages import faults
from .server import LeanServer, ServerLost, ServerPool

_CODE = Path(__file__).with_name("audit.lean")
_NEEDS = (
    "Lean.AddDecl",
    "Lean.CoreM",
    "Lean.Util.FoldConsts",
    "Lean.Compiler.ImplementedByAttr",
    "Lean.Compiler.ExternAttr",
)
_PATIENCE = 1800.0


def audit_text(call: Sequence[str]) -> str:
    """Return the audit as one file: its imports, its code, and the calls."""
    imports = [f"public meta import {name}" for name in _NEEDS]
    code = _CODE.read_text(encoding="utf-8")
    return "\n".join(["module", "", *imports, "", "public section", "", code, *call, ""])


def audit_call(modules: Sequence[str], target: Path) -> str:
    """Return the command that audits `modules` and writes the result to `target`."""
    names = ", ".join(f"`{name}" for name in modules)
    path = str(target).replace("\\", "\\\\").replace('"', '\\"')
    return f'#eval EvaluatorAudit.audit [{names}] "{path}"'


def load_audit(
    output: Path, key: str, modules: Sequence[str], pool: Callable[[], ServerPool]
) -> Environment:
    """Return the description of compiled modules, made now unless it is kept under `key`."""
    kept = output / ".audit" / f"{key}.txt"
    try:
        return parse(kept.read_text(encoding="utf-8"))
    except (OSError, InputError):
        pass
    with pool().lease() as server:
        text = _run(server, output, modules)
    found = parse(text)
    write_whole(kept, text.encode("utf-8"))
    return found


def _run(server: LeanServer, output: Path, modules: Sequence[str]) -> str:
    code = audit_text([])
    name = f"EvaluatorAudit{hashlib.sha256(code.encode()).hexdigest()[:8]}"
    folder = output / ".audit"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if not (output / f"{name}.olean").is_file():
        _check(server, folder / f"{name}.lean", code, [("o", str(folder / "module.olean"))])
        keep_parts(folder, output, name)
    target = folder / "result.txt"
    call = f"module\n\npublic meta import {name}\n\n{audit_call(modules, target)}\n"
    _check(server, folder / f"{name}Call.lean", call, [])
    try:
        return target.read_text(encoding="utf-8")
    except OSError:
        raise InputError("lean audit", "the audit in Lean wrote no result") from None


def _check(
    server: LeanServer, file: Path, text: str, options: Sequence[tuple[str, str]]
) -> None:
    file.write_text(text, encoding="utf-8")
    where = ("R", str(file.parent))
    try:
        reply = server.run([file], [*options, where], file.parent, _PATIENCE)
    except ServerLost as error:
        raise InputError("lean audit", str(error)) from None
    if reply.code or faults(reply.output):
        first = (faults(reply.output) or [reply.output.strip()])[0]
        raise InputError("lean audit", first.replace("\n", " ")[:300])
