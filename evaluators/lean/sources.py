"""The Lean sources of a package: modules, imports, their order, and the keys of the cache."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..artifacts.canonical import read_bytes
from ..model import InputError

LIBRARY = "OnlineKvCache"
SOURCE_FOLDER = "formal"
CORE = ("Init", "Std", "Lean")
_IMPORT = re.compile(r"(?:public\s+)?(?:meta\s+)?import\s+(?:all\s+)?([\w.«»]+)")


@dataclass(frozen=True)
class Package:
    """A checkout with `formal/OnlineKvCache/**.lean`, its library of the same name."""

    root: Path

    @property
    def source(self) -> Path:
        """The folder that module names are relative to."""
        return self.root / SOURCE_FOLDER

    @cached_property
    def modules(self) -> dict[str, Path]:
        """Every module of the library with its file, by name; raises InputError if there is none.

        Files beside the library, such as the report of axioms, are not modules of it.
        """
        paths = sorted((self.source / LIBRARY).rglob("*.lean"))
        root = self.source / f"{LIBRARY}.lean"
        if root.is_file():
            paths.append(root)
        if not paths:
            raise InputError("lean", f"no module {LIBRARY}", SOURCE_FOLDER)
        return {module_name(self.source, path): path for path in paths}

    def path(self, module: str) -> str:
        """Return the module's file, relative to the root, for people."""
        return self.modules[module].relative_to(self.root).as_posix()

    @cached_property
    def texts(self) -> dict[str, str]:
        """The text of every module, by name."""
        return {name: _read(path) for name, path in self.modules.items()}

    @cached_property
    def imports(self) -> dict[str, tuple[str, ...]]:
        """The library's modules that each module imports; raises InputError for unknown ones."""
        found = {name: header_imports(text) for name, text in self.texts.items()}
        for name, names in found.items():
            for other in names:
                if other not in self.modules and other.split(".")[0] not in CORE:
                    raise InputError("import", f"no such module: {other}", self.path(name))
        return {
            name: tuple(other for other in names if other in self.modules)
            for name, names in found.items()
        }

    @cached_property
    def order(self) -> list[str]:
        """All modules, each after its imports."""
        return import_order(self.imports)

    def closure(self, names: Iterable[str]) -> list[str]:
        """Return the modules that `names` need, themselves included, in import order."""
        wanted: set[str] = set()
        stack = list(names)
        while stack:
            name = stack.pop()
            if name not in self.modules:
                close = ", ".join(sorted(self.modules)[:3])
                raise InputError("module", f"no such module: {name} (there are {close}, ...)")
            if name not in wanted:
                wanted.add(name)
                stack += self.imports[name]
        return [name for name in self.order if name in wanted]

    def keys(self, salt: str) -> dict[str, str]:
        """Return each module's cache key: hash of its bytes, its imports' keys and `salt`."""
        keys: dict[str, str] = {}
        for name in self.order:
            parts = [salt, name, self.texts[name]]
            parts += [f"{other}={keys[other]}" for other in sorted(self.imports[name])]
            keys[name] = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        return keys


def _read(path: Path) -> str:
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("file", "must be UTF-8", str(path)) from None


def module_name(source: Path, path: Path) -> str:
    """Return the name of the module in a file: `OnlineKvCache.Model.Cost`."""
    return ".".join(path.relative_to(source).with_suffix("").parts)


def header_imports(text: str) -> list[str]:
    """Return the imported modules, in order; only the header is read, comments are skipped."""
    found = []
    for line in strip_comments(text).splitlines():
        words = line.strip()
        if not words or words in ("module", "prelude"):
            continue
        matches = _IMPORT.findall(words)
        if not matches or not _IMPORT.match(words):
            break
        found += [name.replace("«", "").replace("»", "") for name in matches]
    return found


def strip_comments(text: str) -> str:
    """Blank out comments (nested ones too) and string contents, keeping every line break.

    What remains is what the scan and the reader of headers look at.
    """
    result: list[str] = []
    at, depth = 0, 0
    while at < len(text):
        two = text[at : at + 2]
        if two == "/-" or (depth and two == "-/"):
            depth += 1 if two == "/-" else -1
            result.append("  ")
            at += 2
        elif depth:
            result.append("\n" if text[at] == "\n" else " ")
            at += 1
        elif two == "--":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif text[at] == '"' and not _is_char(text, at):
            end = _string_end(text, at)
            result.append('"' + re.sub(r"[^\n]", " ", text[at + 1 : end - 1]) + '"')
            at = end
        else:
            result.append(text[at])
            at += 1
    return "".join(result)


def _is_char(text: str, at: int) -> bool:
    """Whether the quotation mark is a character literal of its own, escaped or not."""
    before = text[at - 1 : at] if at else ""
    return before in ("'", "\\") and text[at + 1 : at + 2] == "'"


def _string_end(text: str, at: int) -> int:
    """Return the index after the string that starts at `at`; interpolations count as contents."""
    index = at + 1
    while index < len(text) and text[index] != '"':
        index += 2 if text[index] == "\\" else 1
    return min(index + 1, len(text))


def import_order(imports: Mapping[str, Iterable[str]]) -> list[str]:
    """Return the modules with every import first; raises InputError naming a cycle."""
    order: list[str] = []
    state: dict[str, int] = {}
    for start in sorted(imports):
        stack = [(start, iter(sorted(imports[start])))]
        if start in state:
            continue
        state[start] = 1
        while stack:
            name, rest = stack[-1]
            other = next(rest, None)
            if other is None:
                state[name] = 2
                order.append(name)
                stack.pop()
            elif state.get(other) == 1:
                names = [entry[0] for entry in stack]
                loop = " -> ".join([*names[names.index(other) :], other])
                raise InputError("import", f"modules import each other in a circle: {loop}")
            elif other not in state:
                state[other] = 1
                stack.append((other, iter(sorted(imports[other]))))
    return order
