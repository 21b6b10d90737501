"""The source ledger of paper 1, under the name that paper 1 gives its tests."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from evaluators.artifacts.canonical import dumps, loads
from evaluators.controls.sources import SOURCES, SOURCES_PATH, build_sources, verify_sources
from evaluators.verdict import Verdict
from tests.cli import ROOT

COMMITTED = ROOT / SOURCES_PATH


class SourceLedger(unittest.TestCase):
    def test_the_committed_ledger_is_verified(self) -> None:
        assert verify_sources(COMMITTED).verdict is Verdict.VERIFIED

    def test_the_script_writes_the_same_bytes(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "sources.json")
            script = ROOT / "scripts" / "bootstrap_online_kv_cache_sources.py"
            command = [sys.executable, str(script), "--output", str(path)]
            subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
            assert path.read_bytes() == COMMITTED.read_bytes()

    def test_a_changed_ledger_is_rejected(self) -> None:
        document = loads(build_sources())
        assert isinstance(document, dict)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "sources.json")
            for key, words in (("digest", "digest: must be"), ("schema", "schema: must be")):
                path.write_bytes(dumps({**document, key: "0" * 64}))
                layer = verify_sources(path)
                assert layer.verdict is Verdict.REJECTED
                assert any(words in reason for reason in layer.reasons), layer.reasons
            path.write_bytes(build_sources().replace(b"jaillet-2025", b"jaillet-2024"))
            assert "file: differs from its generator" in verify_sources(path).reasons

    def test_every_entry_says_model_result_and_difference(self) -> None:
        assert len({source.key for source in SOURCES}) == len(SOURCES)
        for source in SOURCES:
            assert source.identifier or "no identifier" in source.note, source.key
            for text in (source.arrivals, source.lengths, source.interruption, source.objective):
                assert text, source.key
            assert len(source.proves) > 20, source.key
            assert len(source.differs) > 20, source.key


if __name__ == "__main__":
    unittest.main()
