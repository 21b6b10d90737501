"""What each command does; every function returns the exit code (DESIGN.md section 4)."""

from ..comparison import RuleChoice as CompareRules
from .artifacts import build_artifacts
from .audit import ReceiptChoice, audit, write_generated
from .claims import ClaimFilter, claims, pin
from .compare import Outputs, Source, compare_policies, generate
from .instances import CommitChoice, InstanceChoice
from .lean import lean_audit, lean_build, lean_setup, lean_statements
from .report import report
from .run import RuleChoice, RunFiles, policies, run
from .schedules import Limits, optimum, replay
from .trace import lean_trace
from .verify import verify

__all__ = [
    "ClaimFilter",
    "CommitChoice",
    "CompareRules",
    "InstanceChoice",
    "Limits",
    "Outputs",
    "ReceiptChoice",
    "RuleChoice",
    "RunFiles",
    "Source",
    "audit",
    "build_artifacts",
    "claims",
    "compare_policies",
    "generate",
    "lean_audit",
    "lean_build",
    "lean_setup",
    "lean_statements",
    "lean_trace",
    "optimum",
    "pin",
    "policies",
    "replay",
    "report",
    "run",
    "verify",
    "write_generated",
]
