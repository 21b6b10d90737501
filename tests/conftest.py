"""Shared fixtures."""

from __future__ import annotations

import pytest

from evaluators.controls.draft import Draft, Family, Parameters

_DRAFTS: dict[tuple[object, str], Draft] = {}


@pytest.fixture
def cached_derivation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive each control once per process, where the derivation itself is not under test."""
    original = Family.derive

    def derive(self: Family, parameters: Parameters) -> Draft:
        key = (self.build, self.identifier(parameters))
        if key not in _DRAFTS:
            _DRAFTS[key] = original(self, parameters)
        return _DRAFTS[key]

    monkeypatch.setattr(Family, "derive", derive)
