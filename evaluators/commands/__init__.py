"""What each command does; every function returns the exit code (DESIGN.md section 4)."""

from .artifacts import audit, build_artifacts, verify
from .schedules import (
    CommitChoice,
    InstanceChoice,
    Limits,
    optimum,
    policies,
    replay,
    run,
)

__all__ = [
    "CommitChoice",
    "InstanceChoice",
    "Limits",
    "audit",
    "build_artifacts",
    "optimum",
    "policies",
    "replay",
    "run",
    "verify",
]
