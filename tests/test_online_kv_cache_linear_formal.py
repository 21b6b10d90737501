"""Paper 1's linear formal layer: the lower bounds that are linear in n, as checked theorems."""

from __future__ import annotations

import unittest

import pytest

from tests.formal_layer import ALLOWED, NAMESPACE, theorems

pytestmark = pytest.mark.lean

LINEAR = {
    "linear_memory_quarter": "RatioAtLeast M n (min n (M - 1)) 4",
    "linear_memory_half": "RatioAtLeast M n n 2",
    "linear_memory_three_fifths": "RatioAtLeast M n (3 * n) 5",
    "golden_lower_bound": "RatioAtLeast M n (p * n) q",
    "deterministic_ratio_theta_linear": "RatioAtLeast (2 * (n - 1) * n) n (2 * n) 5",
}


class LinearLayer(unittest.TestCase):
    def test_each_bound_is_a_theorem_with_allowed_axioms(self) -> None:
        for name in LINEAR:
            with self.subTest(name):
                assert name in theorems()
                assert set(theorems()[name]["axioms"]) <= ALLOWED

    def test_each_proves_the_statement_of_its_name(self) -> None:
        for name, words in LINEAR.items():
            with self.subTest(name):
                entry = theorems()[name]
                assert entry["statement"] == f"{NAMESPACE}Statements.{name}"
                assert words in " ".join(entry["source"].split())

    def test_the_statements_rest_on_the_model_and_on_causality(self) -> None:
        for name in LINEAR:
            needed = {"Causal", "Valid", "Feasible", "IsOPT", "Serves", "TEL", "RatioAtLeast"}
            assert {NAMESPACE + word for word in needed} <= set(theorems()[name]["definitions"])

    def test_the_upper_bounds_beat_the_constant_1(self) -> None:
        for name in ("half_delay", "longest_first", "worst_memory_constant"):
            with self.subTest(name):
                assert set(theorems()[name]["axioms"]) <= ALLOWED
        assert "(2 * I.length + 9) * c" in theorems()["half_delay"]["source"]


if __name__ == "__main__":
    unittest.main()
