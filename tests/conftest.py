"""Shared fixtures."""

from __future__ import annotations

import pytest

from evaluators.controls.draft import Family

from .derivation import derive_once


@pytest.fixture
def cached_derivation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive each control once per process."""
    monkeypatch.setattr(Family, "derive", derive_once)
