"""What each command does; every function returns the exit code (DESIGN.md section 4)."""

from .artifacts import audit, build_artifacts
from .instances import CommitChoice, InstanceChoice
from .lean import lean_audit, lean_build, lean_setup, lean_statements
from .run import RuleChoice, policies, run
from .schedules import Limits, optimum, replay
from .verify import verify

__all__ = [
    "CommitChoice",
    "InstanceChoice",
    "Limits",
    "RuleChoice",
    "audit",
    "build_artifacts",
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
