"""The embedded Lean itself: build, cache, faults, crashes, time-outs, the committed statements."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluators.lean.server import LeanServer, ServerLost
from evaluators.lean.sources import Package
from evaluators.lean.toolchain import EmbeddedLean

from .harness import ROOT, installed, silent
from .test_sources import make

pytestmark = pytest.mark.lean


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LeanServer]:
    folder = tmp_path_factory.mktemp("lean")
    with LeanServer(installed(), [folder], [folder]) as running:
        yield running


def run(server: LeanServer, folder: Path, text: str, patience: float = 300) -> tuple[int, str]:
    file = folder / "Test.lean"
    file.write_text(text)
    reply = server.run([file], [], folder, patience)
    return reply.code, reply.output


def test_truth_falsehood_and_utf8(server: LeanServer, tmp_path: Path) -> None:
    assert run(server, tmp_path, "module\nexample : ∀ n : Nat, n ≤ n := Nat.le_refl\n") == (0, "")
    code, output = run(server, tmp_path, "module\nexample : (1 : Nat) = 2 := rfl\n")
    assert code == 1
    assert f"{tmp_path}/Test.lean:2:" in output
    assert ": error" in output


def test_it_restarts_after_a_time_out_and_after_a_crash(server: LeanServer, tmp_path: Path) -> None:
    slow = "module\nexample : (List.range 100000).length = 7 := by\n  iterate 100000 (try decide)\n"
    with pytest.raises(ServerLost, match="did not answer within 1 s"):
        run(server, tmp_path, slow, patience=1)
    before = server.starts
    assert run(server, tmp_path, "module\nexample : True := trivial\n")[0] == 0
    assert server.starts == before + 1
    assert server._process is not None
    server._process.kill()
    server._process.wait()
    assert run(server, tmp_path, "module\nexample : True := trivial\n")[0] == 0
    assert server.starts == before + 2


def test_build_caches_and_shows_faults(tmp_path: Path) -> None:
    make(tmp_path, A="", B="A", C="")
    file = tmp_path / "formal" / "OnlineKvCache" / "A.lean"
    file.write_text("module\n\npublic section\n\ntheorem a (h : 1 = 1) : True := trivial\n")
    lean = EmbeddedLean(installed, tmp_path / "out", jobs=1)
    try:
        result = lean.build(Package(tmp_path), [], silent)
        warned = {m.name[-1]: (bool(m.faults), m.skipped) for m in result.modules}
        assert warned == {"A": (True, False), "B": (False, True), "C": (False, False)}
        assert result.reasons[0].startswith("formal/OnlineKvCache/A.lean:5:11: error")
        file.write_text("module\n\npublic section\n\ntheorem a : True := trivial\n")
        result = lean.build(Package(tmp_path), [], silent)
        assert result.ok
        assert [m.cached for m in result.modules if m.name.endswith("C")] == [True]
    finally:
        lean.stop()
    begin = time.monotonic()
    again = EmbeddedLean(pytest.fail, tmp_path / "out").build(Package(tmp_path), [], silent)
    assert again.ok
    assert all(module.cached for module in again.modules)
    assert time.monotonic() - begin < 5


def test_the_library_compiles() -> None:
    lean = EmbeddedLean(installed)
    try:
        result = lean.build(Package(ROOT), [], silent)
    finally:
        lean.stop()
    assert result.ok, result.reasons
