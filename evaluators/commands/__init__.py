"""What each command does; every function returns the exit code (DESIGN.md section 4)."""

from .artifacts import audit, build_artifacts, verify
from .instances import CommitChoice, InstanceChoice
from .run import RuleChoice, policies, run
from .schedules import Limits, optimum, replay

__all__ = [
    "CommitChoice",
    "InstanceChoice",
    "Limits",
    "RuleChoice",
    "audit",
    "build_artifacts",
    "optimum",
    "policies",
    "replay",
    "run",
    "verify",
]
