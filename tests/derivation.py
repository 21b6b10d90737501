"""Derive each control once per process, where the derivation itself is not under test."""

from __future__ import annotations

from evaluators.controls.draft import Draft, Family, Parameters

_ORIGINAL = Family.derive
_DRAFTS: dict[tuple[object, str], Draft] = {}


def derive_once(self: Family, parameters: Parameters) -> Draft:
    """Stand in for `Family.derive`."""
    key = (self.build, self.identifier(parameters))
    if key not in _DRAFTS:
        _DRAFTS[key] = _ORIGINAL(self, parameters)
    return _DRAFTS[key]
