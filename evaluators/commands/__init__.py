"""What each command does; every function returns the exit code (DESIGN.md section 4)."""

from ..comparison import RuleChoice as CompareRules
from .artifacts import audit, build_artifacts
from .compare import Outputs, Source, compare_policies, generate
from .instances import CommitChoice, InstanceChoice
from .lean import lean_audit, lean_build, lean_setup, lean_statements
from .run import RuleChoice, policies, run
from .schedules import Limits, optimum, replay
from .verify import verify

__all__ = [
    "CommitChoice",
    "CompareRules",
    "InstanceChoice",
    "Limits",
    "Outputs",
    "RuleChoice",
    "Source",
    "audit",
    "build_artifacts",
    "compare_policies",
    "generate",
    "lean_audit",
    "lean_build",
    "lean_setup",
    "lean_statements",
    "optimum",
    "policies",
    "replay",
    "run",
    "verify",
]
