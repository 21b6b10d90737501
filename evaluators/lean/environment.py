"""The compiled library as the audit in Lean describes it: constants, what each uses, closures.

The text is made by `audit.lean`; the graph over all modules is stitched together here.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from ..model import InputError

Tokens = tuple[str, ...]
_COMPONENT = r'\.(?:"(?:[^"\\]|\\.)*"|\d+)'
_TOKEN = re.compile(rf'(?:{_COMPONENT})+|"(?:[^"\\]|\\.)*"|[^\s"]+')
_PART = re.compile(_COMPONENT)
_PLAIN = re.compile(r"[^\W\d][\w!?'₀-₉]*")


def display(name: str) -> str:
    """Return a name as people write it: `."A"."b"` is `A.b`; odd components stand in «»."""
    parts = []
    for part in _PART.findall(name):
        if part[1] != '"':
            parts.append(part[1:])
        else:
            text = part[2:-1]
            parts.append(text if _PLAIN.fullmatch(text) else f"«{text}»")
    return ".".join(parts)


@dataclass(slots=True)
class Constant:
    """One constant: its kind, module, flags, type, value (of definitions) and what it uses."""

    name: str
    kind: str
    module: str
    flags: Tokens = ()
    type: Tokens = ()
    value: Tokens = ()
    constructors: Tokens = ()
    uses: Tokens = ()

    @property
    def public(self) -> bool:
        """Whether it was written by hand under this name: neither private nor auxiliary."""
        return not any(part.startswith(("_", "«")) for part in self.name.split("."))

    @property
    def own_hash(self) -> str:
        """Hash of what a definition says: kind, type, value, constructors; of a proof its type."""
        parts = [self.kind, " ".join(self.type), " ".join(self.value), " ".join(self.constructors)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@dataclass(slots=True)
class Environment:
    """All constants of the library and the kinds of the core constants that they use."""

    constants: dict[str, Constant] = field(default_factory=dict)
    modules: list[str] = field(default_factory=list)
    imported: dict[str, str] = field(default_factory=dict)
    foreign: dict[str, Constant] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)
    replayed: int = 0

    def of_module(self, *modules: str) -> Iterator[Constant]:
        """Yield the constants of these modules."""
        return (c for c in self.constants.values() if c.module in modules)

    def reach(self, names: Iterable[str], step: Callable[[Constant], Tokens]) -> set[str]:
        """Return every constant (also of the core) that is reached from `names` by `step`."""
        seen: set[str] = set()
        stack = list(names)
        while stack:
            name = stack.pop()
            if name in seen:
                continue
            seen.add(name)
            constant = self.constants.get(name)
            if constant is not None:
                stack += step(constant)
        return seen

    def everything(self, name: str) -> set[str]:
        """Return all that a theorem rests on: statements, definitions and proofs."""
        return self.reach([name], lambda c: c.uses + c.constructors)

    def meaning(self, name: str) -> set[str]:
        """Return the library's constants that the meaning of `name` unfolds to, with itself.

        Proofs do not matter for a meaning: of a theorem only its type is followed.
        """
        reached = self.reach([name], _stated)
        return {other for other in reached if other in self.constants}

    def axioms(self, name: str) -> set[str]:
        """Return the axioms that are reached from `name` through the library."""
        return {other for other in self.everything(name) if self.kind(other) == "axiom"}

    def kind(self, name: str) -> str:
        """Return the kind of a constant of the library or of the core, or "unknown"."""
        constant = self.constants.get(name)
        return constant.kind if constant else self.imported.get(name, "unknown")


def _stated(constant: Constant) -> Tokens:
    names = names_in(constant.type) + constant.constructors
    return names if constant.kind == "theorem" else names + names_in(constant.value)


def names_in(tokens: Tokens) -> Tokens:
    """Return the constants that an expression names, structures of projections included."""
    return tuple(token for before, token in pairwise(tokens) if before in "CJ")


def parse(text: str) -> Environment:
    """Read the audit's text; raises InputError if it is cut off or not of this form."""
    lines = text.splitlines()
    if not lines or lines[-1] != "end":
        raise InputError("lean audit", "the audit in Lean was cut off")
    found = Environment()
    for line in lines[:-1]:
        words = tuple(_word(token) for token in _TOKEN.findall(line))
        try:
            _read(found, words[0], words[1], words[2:])
        except (IndexError, KeyError):
            raise InputError("lean audit", f"unexpected line {line[:60]!r}") from None
    return found


def merge(parts: Sequence[Environment]) -> Environment:
    """Return the audit of a library from the audits of its parts.

    What a part has seen of another is refused unless the other's own audit says the same: the same
    type, the same value where one was seen, and a theorem at most as an axiom.
    """
    whole = Environment()
    for part in parts:
        whole.refused += part.refused
        for name, constant in part.constants.items():
            other = whole.constants.get(name)
            if other is not None:
                # Lean makes the equations of a definition anew in each module that asks for them.
                whole.refused += [name] if other.own_hash != constant.own_hash else []
            before = other.uses if other is not None else ()
            whole.constants[name] = replace(constant, uses=before + constant.uses)
        whole.modules += part.modules
        whole.imported |= part.imported
    for part in parts:
        whole.refused += [
            f"{seen.name} as another module sees it"
            for seen in part.foreign.values()
            if not _agrees(seen, whole.constants.get(seen.name))
        ]
    if all(part.replayed for part in parts):
        whole.replayed = sum(part.replayed for part in parts)
    return whole


def _agrees(seen: Constant, own: Constant | None) -> bool:
    """Whether a constant as another module sees it is the constant itself, or less of it."""
    if own is None or seen.type != own.type:
        return False
    if seen.kind == "axiom":
        return own.kind in {"axiom", "theorem", "definition", "opaque"}
    value = seen.value == own.value or seen.kind == "theorem"
    return seen.kind == own.kind and value and seen.constructors == own.constructors


def _word(token: str) -> str:
    return display(token) if token[0] == "." else token


# What a line says of a constant: of the library's own, or of one that a part sees from outside.
_MEMBERS = {"type": "type", "value": "value", "ctors": "constructors", "uses": "uses"}
_SEEN = {"ftype": "type", "fvalue": "value", "fctors": "constructors"}


def _read(found: Environment, word: str, name: str, rest: Tokens) -> None:
    if word in _MEMBERS:
        setattr(found.constants[name], _MEMBERS[word], rest)
    elif word in _SEEN:
        setattr(found.foreign[name], _SEEN[word], rest)
    else:
        _read_other(found, word, name, rest)


def _read_other(found: Environment, word: str, name: str, rest: Tokens) -> None:
    match word:
        case "module":
            found.modules.append(name)
        case "const":
            found.constants[name] = Constant(name, rest[0], rest[1], rest[2:])
        case "foreign":
            found.foreign[name] = Constant(name, rest[0], "")
        case "imported":
            found.imported[name] = rest[0]
        case "refused":
            found.refused.append(name)
        case "replayed":
            found.replayed = int(name)
        case _:
            raise KeyError(word)
