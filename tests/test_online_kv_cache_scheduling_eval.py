"""Paper 1's evaluator, under the name that paper 1 gives its tests (unittest and pytest run it)."""

from __future__ import annotations

import io
import tempfile
import unittest
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

from evaluators.artifacts.canonical import loads
from evaluators.controls.draft import Family
from evaluators.memory import CORRUPTED
from evaluators.model import Attempt, AttemptSchedule, Instance, Schedule
from evaluators.online_kv_cache_scheduling_eval import FAIL, PASS, main
from evaluators.optimum import Commitment, optimum
from evaluators.replay import replay
from tests.cli import ARTIFACT
from tests.derivation import derive_once


def evaluate(path: Path) -> tuple[int, list[str]]:
    """Exit code and lines of the entry point."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out):
        code = main(["--verify", str(path)])
    return code, out.getvalue().splitlines()


class EntryPoint(unittest.TestCase):
    """Each control is derived once: the verifier's own tests derive all of them again."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.enterClassContext(mock.patch.object(Family, "derive", derive_once))

    def test_passes_on_the_committed_artifact(self) -> None:
        code, lines = evaluate(ARTIFACT)
        assert (code, lines[-1]) == (0, PASS)

    def test_fails_on_a_changed_number_and_names_the_control(self) -> None:
        data = ARTIFACT.read_bytes()
        place = data.index(b'"value":10') + len(b'"value":1')
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "exact-controls.json")
            path.write_bytes(data[:place] + b"1" + data[place + 1 :])
            code, lines = evaluate(path)
        assert (code, lines[-1]) == (1, FAIL)
        assert any("must be 10, got 11" in line for line in lines), lines

    def test_cannot_judge_a_missing_file(self) -> None:
        code, lines = evaluate(Path("no-such-file.json"))
        assert code == 2
        assert lines == ["error: no-such-file.json: file: no such file or directory"]


class Model(unittest.TestCase):
    def test_memory_of_the_active_rounds_is_s_plus_1_to_s_plus_o(self) -> None:
        result = replay(Instance.from_triples(8, [(0, 3, 5)]), Schedule({0: 2}))
        assert [result.occupancy(t) for t in range(1, 8)] == [0, 4, 5, 6, 7, 8, 0]

    def test_latency_counts_from_the_arrival(self) -> None:
        result = replay(Instance.from_triples(8, [(4, 3, 5)]), Schedule({0: 6}))
        assert (result.tel, result.total_completion) == (7, 11)


class NegativeControls(unittest.TestCase):
    def test_corrupted_progress_is_cheaper_and_infeasible(self) -> None:
        for n, true, false in ((2, 3, 2), (3, 6, 3)):
            instance = Instance.from_triples(n, [(0, 1, 1)] * n)
            assert optimum(instance).value == true
            wrong = optimum(instance, convention=CORRUPTED)
            assert wrong.value == false
            assert not replay(instance, Schedule(wrong.starts)).feasible

    def test_total_latency_is_not_total_completion(self) -> None:
        instance = Instance.from_triples(2, [(1, 1, 1)])
        assert optimum(instance).value == 1
        assert optimum(instance, objective="total-completion").value == 2

    def test_kill_and_restart_changes_a_continuation_only(self) -> None:
        instance = Instance.from_triples(4, [(0, 1, 3), (1, 1, 1)])
        committed = Commitment(1, {0: 0})
        assert optimum(instance, commitment=committed).value == 6
        assert optimum(instance, commitment=committed, kills=True).value == 5
        assert optimum(instance).value == 5
        runs = (Attempt(0, 0, 1, False), Attempt(0, 1, 3, True), Attempt(1, 1, 1, True))
        assert replay(instance, AttemptSchedule(runs)).feasible


class Controls(unittest.TestCase):
    def test_every_family_of_the_paper_is_there(self) -> None:
        document = loads(ARTIFACT.read_bytes())
        assert isinstance(document, dict)
        families = {control["family"] for control in document["controls"]}  # type: ignore
        assert {
            "singleton",
            "peak-boundary",
            "corrupted-progress",
            "tel-is-not-total-completion",
            "kill-and-restart",
            "start-order-search",
            "burst",
            "burst-formula",
            "stream",
            "least-length",
            "game",
            "serial-upper-bound",
        } <= families


if __name__ == "__main__":
    unittest.main()
