"""Shared fixtures."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evaluators.controls.draft import Family

from .derivation import derive_once
from .repository_copy import copy_repository


@pytest.fixture
def cached_derivation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive each control once per process."""
    monkeypatch.setattr(Family, "derive", derive_once)


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A consistent copy of what the audit covers; nobody changes it."""
    return copy_repository(tmp_path_factory.mktemp("original") / "repository")


@pytest.fixture
def repository(original: Path, tmp_path: Path) -> Path:
    """A copy of the copy, for a test to break."""
    return Path(shutil.copytree(original, tmp_path / "repository"))
