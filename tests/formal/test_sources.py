"""Modules, imports, order, cache keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluators.lean.build import plan
from evaluators.lean.sources import Package, header_imports, import_order, strip_comments
from evaluators.model import InputError


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
