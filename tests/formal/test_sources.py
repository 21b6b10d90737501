"""Modules, imports, order, cache keys."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evaluators.lean.build import build, plan
from evaluators.lean.server import Reply
from evaluators.lean.sources import Package, header_imports, import_order, strip_comments
from evaluators.model import InputError

from .harness import silent


def make(root: Path, **modules: str) -> Package:
    folder = root / "formal" / "OnlineKvCache"
    folder.mkdir(parents=True, exist_ok=True)
    for name, imports in modules.items():
        lines = "".join(f"public import OnlineKvCache.{other}\n" for other in imports.split())
        (folder / f"{name}.lean").write_text(f"module\n\n{lines}\n-- {name}\n")
    return Package(root)


def test_order_and_closure(tmp_path: Path) -> None:
    package = make(tmp_path, A="", B="A", C="A B", D="")
    names = [name.rpartition(".")[2] for name in package.order]
    assert names.index("A") < names.index("B") < names.index("C")
    assert package.closure(["OnlineKvCache.B"]) == ["OnlineKvCache.A", "OnlineKvCache.B"]
    assert package.path("OnlineKvCache.A") == "formal/OnlineKvCache/A.lean"


def test_a_circle_is_one_line() -> None:
    with pytest.raises(InputError, match="circle: A -> B -> C -> A"):
        import_order({"A": ["B"], "B": ["C"], "C": ["A"], "D": []})
    with pytest.raises(InputError, match="circle: A -> A"):
        import_order({"A": ["A"]})


def test_a_long_chain_is_no_recursion() -> None:
    chain = {f"M{i:05}": [f"M{i + 1:05}"] for i in range(5000)}
    assert import_order({**chain, "M05000": []})[0] == "M05000"


def test_missing_modules_are_one_line(tmp_path: Path) -> None:
    package = make(tmp_path, A="Nowhere")
    with pytest.raises(InputError, match=r"formal/OnlineKvCache/A.lean: import: no such module"):
        _ = package.imports
    with pytest.raises(InputError, match=r"no such module: OnlineKvCache.Z"):
        make(tmp_path, A="").closure(["OnlineKvCache.Z"])
    with pytest.raises(InputError, match="no module OnlineKvCache"):
        _ = Package(tmp_path / "empty").modules


def test_keys_depend_on_source_imports_and_toolchain(tmp_path: Path) -> None:
    before = make(tmp_path, A="", B="A", C="").keys("lean")
    (tmp_path / "formal/OnlineKvCache/A.lean").write_text("module\n\n-- changed\n")
    after = Package(tmp_path).keys("lean")
    assert [name for name in before if before[name] != after[name]] == [
        "OnlineKvCache.A",
        "OnlineKvCache.B",
    ]
    assert not set(after.values()) & set(Package(tmp_path).keys("other").values())


def test_only_a_record_with_the_same_key_is_reused(tmp_path: Path) -> None:
    package, output = make(tmp_path, A=""), tmp_path / "out"
    (name,) = package.modules
    folder = output / "OnlineKvCache"
    folder.mkdir(parents=True)
    key = package.keys("salt")[name]

    def cached() -> bool:
        return plan(package, [], output, "salt")[0].cached

    record = folder / "A.json"
    record.write_text(f'{{"key": "{key}", "milliseconds": 7}}')
    assert not cached()  # a record without its compiled module
    (folder / "A.olean").touch()
    assert cached()
    assert plan(package, [], output, "salt")[0].milliseconds == 7
    for text in ("", "{", '{"key": 1}', f'{{"key": "{key[1:]}", "milliseconds": 7}}'):
        record.write_text(text)
        assert not cached()


def test_header_imports() -> None:
    text = (
        "/- import Fake -/\nmodule\n-- import No\n\npublic import A.B\nimport all C\n"
        "public meta import Lean.CoreM\n\ndef x := 1\nimport D\n"
    )
    assert header_imports(text) == ["A.B", "C", "Lean.CoreM"]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("a -- b\nc", "a \nc"),
        ("a /- b /- c -/ d -/ e", "a" + " " * 19 + "e"),
        ('"sorry -- " x', '"         " x'),
        ('"a\\"sorry" y', '"        " y'),
        ("'\"' sorry '\"'", "'\"' sorry '\"'"),
        ("/- open\nsorry", "       \n     "),
    ],
)
def test_comments_and_strings_are_blanked(text: str, rest: str) -> None:
    assert strip_comments(text) == rest


class FakePool:
    """A server that compiles everything, and edits a source meanwhile."""

    size = 1
    starts = 0

    def __init__(self, edited: Path | None = None) -> None:
        self.edited = edited
        self.asked: list[str] = []

    @contextmanager
    def lease(self) -> Iterator[FakePool]:
        yield self

    def stop(self) -> None:
        """Nothing runs."""

    def run(self, files, options, folder: Path, patience: float) -> Reply:
        self.asked.append(files[0].stem)
        Path(dict(options)["o"]).write_text("compiled")
        if self.edited is not None:
            self.edited.write_text("module\n\n-- edited\n")
        return Reply(0, "", 5, 100)


def test_only_what_changed_is_compiled_again(tmp_path: Path) -> None:
    output = tmp_path / "out"
    first, second, third = FakePool(), FakePool(), FakePool()
    assert build(make(tmp_path, A="", B="A", C=""), [], output, lambda: first, silent).ok
    assert sorted(first.asked) == ["A", "B", "C"]
    assert build(Package(tmp_path), [], output, lambda: second, silent).ok
    assert second.asked == []
    (tmp_path / "formal/OnlineKvCache/A.lean").write_text("module\n\n-- new\n")
    assert build(Package(tmp_path), [], output, lambda: third, silent).ok
    assert third.asked == ["A", "B"]
    assert not list((output / ".draft").iterdir())


def test_a_source_that_changes_meanwhile_is_not_kept(tmp_path: Path) -> None:
    package, output = make(tmp_path, A="", B="A"), tmp_path / "out"
    pool = FakePool(package.modules["OnlineKvCache.A"])
    result = build(package, [], output, lambda: pool, silent)
    assert result.reasons == [
        "formal/OnlineKvCache/A.lean: the file was changed while it was compiled"
    ]
    assert [module.skipped for module in result.modules] == [False, True]
    assert not (output / "OnlineKvCache" / "A.olean").exists()
