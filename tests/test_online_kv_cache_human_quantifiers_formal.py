"""Paper 1: every quantifier in the open, the memory fixed before the scheduler."""

from __future__ import annotations

import unittest

import pytest

from tests.formal_layer import ALLOWED, NAMESPACE, theorems

pytestmark = pytest.mark.lean

NAME = "deterministic_worst_memory_ratio_theta_linear_human_quantifiers"


class HumanQuantifiers(unittest.TestCase):
    def test_the_published_name_is_a_theorem(self) -> None:
        entry = theorems()[NAME]
        assert entry["statement"] == f"{NAMESPACE}Statements.{NAME}"
        assert set(entry["axioms"]) <= ALLOWED

    def test_the_quantifiers_stand_in_the_published_order(self) -> None:
        source = " ".join(theorems()[NAME]["source"].split())
        places = [
            source.index(words)
            for words in (
                "∃ A : Scheduler, ∀ M, Causal M A",
                "TEL I S ≤ I.length * c",
                "∀ k, 1 ≤ k → ∀ A, Causal (2 * k * (k + 1)) A →",
                "∃ I c, Valid (2 * k * (k + 1)) I ∧ I.length = k + 1",
                "∀ S, Serves (2 * k * (k + 1)) A I S →",
                "(k + 1) * c ≤ 12 * TEL I S ∧ 2 * (k + 1) * c ≤ 5 * TEL I S",
            )
        ]
        assert places == sorted(places)

    def test_the_optimum_exists_is_unique_and_positive(self) -> None:
        source = " ".join(theorems()["optimum_exists"]["source"].split())
        assert "∃ c, IsOPT M I c ∧ 0 < c ∧ ∀ d, IsOPT M I d → d = c" in source


if __name__ == "__main__":
    unittest.main()
