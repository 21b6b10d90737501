"""The whole formal layer: it builds without warnings, the audit and the statements agree."""

from __future__ import annotations

import unittest

import pytest

from evaluators.verdict import Verdict
from tests.cli import ROOT
from tests.formal_layer import ALLOWED, checked, theorems

pytestmark = pytest.mark.lean

LIBRARY = ROOT / "formal" / "OnlineKvCache"
STATEMENTS = [LIBRARY / "Statements.lean", *sorted((LIBRARY / "Statements").glob("*.lean"))]


class WholeLayer(unittest.TestCase):
    def test_build_audit_and_statements_are_verified(self) -> None:
        for layer in checked().layers[:3]:
            with self.subTest(layer.layer):
                assert layer.verdict is Verdict.VERIFIED, layer.reasons

    def test_every_headline_theorem_stays_within_the_allowed_axioms(self) -> None:
        assert len(theorems()) >= 13
        for entry in theorems().values():
            assert set(entry["axioms"]) <= ALLOWED

    def test_statements_can_be_read_in_one_sitting(self) -> None:
        """Issue 3, acceptance 5: under 250 lines, no proof, a sentence of words for each Prop."""
        texts = [file.read_text(encoding="utf-8") for file in STATEMENTS]
        for text in texts:
            assert len(text.splitlines()) < 250
            for word in ("theorem ", ":= by", " by\n", "sorry"):
                assert word not in text
        for name in theorems():
            before, found, _ = "\n".join(texts).partition(f"def {name} : Prop")
            assert found, name
            assert before.rstrip().endswith("-/"), name

    def test_what_cannot_be_seen_is_said(self) -> None:
        assert "library" in checked().unseen


if __name__ == "__main__":
    unittest.main()
