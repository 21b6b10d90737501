"""Which Lean is taken; the layers of verify; the commands. No Lean is needed here."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluators.commands import lean as commands
from evaluators.lean.build import BuildResult, Module, Progress
from evaluators.lean.environment import Environment, parse
from evaluators.lean.server import mounts
from evaluators.lean.sources import Package
from evaluators.lean.toolchain import EmbeddedLean, LakeLean, choose, find_lake
from evaluators.model import InputError
from evaluators.verdict import Verdict

from .harness import ROOT, silent
from .test_environment import audited, library

REPLY = "Lean (version {}, x86_64-unknown-linux-gnu, commit abc, Release)"


def fake_lake(folder: Path, version: str) -> Path:
    folder.mkdir(parents=True)
    for name in ("lake", "lean"):
        (folder / name).write_text(f"#!/bin/sh\necho '{REPLY.format(version)}'\n")
        (folder / name).chmod(0o755)
    return folder / "lake"


def test_lake_is_taken_from_path_then_elan(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert find_lake(ROOT, str(tmp_path), home) is None
    elan = fake_lake(home / ".elan" / "bin", "4.28.0")
    assert find_lake(ROOT, str(tmp_path), home) == elan
    old = fake_lake(tmp_path / "old", "4.27.0")
    assert find_lake(ROOT, str(old.parent), home) == elan
    new = fake_lake(tmp_path / "new", "4.28.0")
    assert find_lake(ROOT, str(new.parent), home) == new


def test_elan_is_not_made_to_download(tmp_path: Path) -> None:
    lake = fake_lake(tmp_path / ".elan" / "bin", "4.28.0")
    toolchains = tmp_path / ".elan" / "toolchains"
    toolchains.mkdir()
    assert find_lake(ROOT, str(tmp_path), tmp_path) is None
    (toolchains / "leanprover--lean4---v4.28.0").mkdir()
    assert find_lake(ROOT, str(tmp_path), tmp_path) == lake


def test_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert choose("off", ROOT, silent) is None
    assert isinstance(choose("auto", ROOT, silent), EmbeddedLean)
    with pytest.raises(InputError, match=r"no lake with Lean v4.28.0"):
        choose("lake", ROOT, silent)
    with pytest.raises(InputError, match="must be one of auto, lake, embedded, off"):
        choose("coq", ROOT, silent)
    lake = fake_lake(tmp_path / ".elan" / "bin", "4.28.0")
    for kind in ("auto", "lake"):
        found = choose(kind, ROOT, silent)
        assert isinstance(found, LakeLean)
        assert found.lake == lake
    (tmp_path / "lean-toolchain").write_text("leanprover/lean4:v4.99.0\n")
    with pytest.raises(InputError, match=r"asks for v4.99.0, but the embedded Lean is v4.28.0"):
        choose("embedded", tmp_path, silent)
    with pytest.raises(InputError, match="lean-toolchain: file: no such file"):
        choose("embedded", tmp_path / "nowhere", silent)


def test_off_is_not_checked() -> None:
    layers = commands.check_lean("off", ROOT).layers
    assert [layer.layer for layer in layers] == list(commands.LAYERS)
    assert {layer.verdict for layer in layers} == {Verdict.NOT_CHECKED}
    assert all(layer.reasons for layer in layers)


class FakeLean:
    """Compiles nothing and describes a fixed library."""

    name = "fake"
    unseen = "everything"

    def __init__(self, environment: Environment, fault: str = "") -> None:
        self.described = environment
        self.fault = fault

    def build(self, package: Package, names: list[str], progress: Progress) -> BuildResult:
        modules = [Module(name, package.path(name), "") for name in package.order]
        modules[0].faults = [self.fault] if self.fault else []
        return BuildResult(modules, package.root)

    def environment(self, package: Package, result: BuildResult) -> Environment:
        return self.described

    def axiom_report(self, package: Package) -> str | None:
        return None

    def check_file(self, package: Package, file: Path) -> tuple[bool, str]:
        return True, ""

    def stop(self) -> None:
        """Nothing runs."""


@pytest.fixture
def lean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeLean:
    fake = FakeLean(parse(library()))
    audited(tmp_path, library())
    monkeypatch.setattr(commands, "choose", lambda kind, root, report: fake)
    return fake


def words(root: Path) -> list[str]:
    layers = commands.check_lean("auto", root).layers
    assert layers[-1].layer == commands.BRIDGE
    assert layers[-1].verdict is Verdict.NOT_CHECKED
    return [str(layer.verdict) for layer in layers[:-1]]


def test_layers_write_and_compare(tmp_path: Path, lean: FakeLean, capsys) -> None:
    assert words(tmp_path) == ["VERIFIED", "VERIFIED", "REJECTED"]
    assert commands.lean_statements(check=True, root=tmp_path) == 1
    assert commands.lean_statements(check=False, root=tmp_path) == 0
    assert words(tmp_path) == ["VERIFIED"] * 3
    assert commands.lean_statements(check=True, root=tmp_path) == 0
    assert commands.lean_audit(json=True, root=tmp_path) == 0
    assert commands.lean_audit(json=False, root=tmp_path) == 0
    lean.described = parse(library("Bad"))
    assert words(tmp_path) == ["VERIFIED", "REJECTED", "REJECTED"]
    assert commands.lean_audit(json=False, root=tmp_path) == 1
    assert commands.lean_statements(check=False, root=tmp_path) == 1
    capsys.readouterr()


def test_a_broken_build_is_shown_as_lean_prints_it(tmp_path, lean: FakeLean, capsys) -> None:
    lean.fault = "formal/OnlineKvCache/Model.lean:3:9: error: nonsense"
    assert words(tmp_path) == ["REJECTED", "NOT CHECKED", "NOT CHECKED"]
    assert commands.lean_build([], root=tmp_path) == 1
    out = capsys.readouterr().out
    assert out.startswith(f"{lean.fault}\n")
    assert out.splitlines()[-1].startswith("lean_build=failed modules=5")
    lean.fault = ""
    assert commands.lean_build([], root=tmp_path) == 0


def test_build_needs_a_lean(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="must be auto, lake or embedded"):
        commands.lean_build([], "off", ROOT)


def test_mounts_are_top_level_folders() -> None:
    assert mounts([Path("/srv/a"), Path("/srv/b"), Path("/tmp"), Path("/")]) == "/srv"
