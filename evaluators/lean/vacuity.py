"""No headline statement is about an empty class: each hypothesis has a proved inhabitant.

What a statement assumes is read off its elaborated form: the library's predicates (and types) in
the domain of a quantifier, after unfolding.  Each must be the conclusion of a theorem in `Checks`
or `Results` (or the type of a definition) that itself assumes nothing but lower bounds on numbers.
The check is for each predicate apart: that two of them can hold together is not shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .environment import Constant, Environment, Tokens

_DATA = frozenset({"Nat", "Int", "Bool", "String", "List", "Option"})
_ARITY = {"A": 2, "L": 2, "P": 2, "T": 3, "J": 1}


@dataclass(frozen=True, slots=True)
class Node:
    """An expression as a tree: its letter, the name or number in it, and its parts."""

    letter: str
    name: str = ""
    parts: tuple[Node, ...] = ()

    def spine(self) -> tuple[Node, list[Node]]:
        """Return the head of an application and its arguments."""
        node, arguments = self, []
        while node.letter == "A":
            arguments.append(node.parts[1])
            node = node.parts[0]
        return node, arguments[::-1]


def tree(tokens: Tokens) -> Node:
    """Read an expression in the prefix form of the audit."""
    node, rest = _tree(tokens, 0)
    if rest != len(tokens):
        raise ValueError("text after the expression")
    return node


def _tree(tokens: Tokens, at: int) -> tuple[Node, int]:
    letter, at = tokens[at], at + 1
    name = ""
    if letter == "S":
        end = _skip_level(tokens, at)
        return Node(letter, " ".join(tokens[at:end])), end
    if letter in ("C", "b", "N", "Q"):
        name, at = tokens[at], at + 1
        if letter == "C":
            count, at = int(tokens[at]), at + 1
            for _ in range(count):
                at = _skip_level(tokens, at)
        return Node(letter, name), at
    if letter == "J":
        name, at = tokens[at], at + 2
    parts = []
    for _ in range(_ARITY[letter]):
        part, at = _tree(tokens, at)
        parts.append(part)
    return Node(letter, name, tuple(parts)), at


def _skip_level(tokens: Tokens, at: int) -> int:
    left = 1
    while left:
        token, at = tokens[at], at + 1
        left -= 1
        if token == "p":
            at += 1
        left += {"s": 1, "m": 2, "i": 2}.get(token, 0)
    return at


def _body(node: Node) -> Node:
    while node.letter in ("L", "T"):
        node = node.parts[-1]
    return node


@dataclass(slots=True)
class Inhabitants:
    """Collects what is assumed and what is inhabited in one environment."""

    environment: Environment
    trees: dict[str, Node] = field(default_factory=dict)
    inhabited: set[str] = field(default_factory=set)

    def _tree_of(self, constant: Constant, tokens: Tokens, part: str) -> Node:
        key = f"{part} {constant.name}"
        if key not in self.trees:
            self.trees[key] = tree(tokens)
        return self.trees[key]

    def _ours(self, node: Node) -> Constant | None:
        return self.environment.constants.get(node.name) if node.letter == "C" else None

    def assumed(self, statement: str) -> set[str]:
        """Return the library's predicates and types that a statement quantifies over."""
        found: set[str] = set()
        self._positive(Node("C", statement), found, set())
        return found

    def _positive(self, node: Node, found: set[str], seen: set[str]) -> None:
        if node.letter == "P":
            found |= self._heads(node.parts[0])
            self._positive(node.parts[1], found, seen)
            return
        head, arguments = node.spine()
        if head.name in ("And", "Or", "Iff"):
            for argument in arguments:
                self._positive(argument, found, seen)
        elif head.name == "Exists" and len(arguments) == 2:
            self._positive(_body(arguments[1]), found, seen)
        elif (constant := self._ours(head)) and constant.name not in seen:
            seen.add(constant.name)
            for part in self._unfolded(constant):
                self._positive(part, found, seen)

    def _unfolded(self, constant: Constant) -> Iterable[Node]:
        """Return what a predicate says: the body of a definition, the fields of a structure."""
        if constant.kind == "definition":
            yield _body(self._tree_of(constant, constant.value, "value"))
        for name in constant.constructors:
            constructor = self.environment.constants[name]
            node = self._tree_of(constructor, constructor.type, "type")
            while node.letter == "P":
                yield node.parts[0]
                node = node.parts[1]

    def _heads(self, node: Node) -> set[str]:
        """Return the library's predicates that must hold for `node` to hold."""
        if node.letter == "P":
            return self._heads(node.parts[1])
        head, arguments = node.spine()
        if head.name in ("And", "Or", "Iff"):
            return {name for argument in arguments for name in self._heads(argument)}
        if head.name == "Exists" and len(arguments) == 2:
            return self._heads(arguments[0]) | self._heads(_body(arguments[1]))
        return {head.name} if self._ours(head) else set()

    def witnesses(self, modules: Iterable[str]) -> set[str]:
        """Return everything that is inhabited, by the theorems of `modules` and all definitions."""
        allowed = set(modules)
        sources = [
            c
            for c in self.environment.constants.values()
            if c.kind in ("definition", "constructor")
            or (c.kind == "theorem" and c.module in allowed and c.public)
        ]
        before = -1
        while before != len(self.inhabited):
            before = len(self.inhabited)
            for constant in sources:
                self._conclude(self._tree_of(constant, constant.type, "type"), set(), True)
        return self.inhabited

    def _conclude(self, node: Node, seen: set[str], bounds: bool) -> None:
        """Record what a proved type gives; `bounds`: its variables are free, so `3 <= x` holds."""
        while node.letter == "P":
            if not self._harmless(node.parts[0], bounds):
                return
            node = node.parts[1]
        head, arguments = node.spine()
        if head.name == "And":
            for argument in arguments:
                self._conclude(argument, seen, bounds)
        elif head.name == "Exists" and len(arguments) == 2:
            self._conclude(_body(arguments[1]), seen, False)
        elif (constant := self._ours(head)) and constant.name not in seen:
            seen.add(constant.name)
            self.inhabited.add(constant.name)
            if _ends_in_prop(self._tree_of(constant, constant.type, "type")):
                for part in self._unfolded(constant):
                    self._conclude(part, seen, bounds and constant.type == ("S", "0"))

    def _harmless(self, domain: Node, bounds: bool) -> bool:
        """Whether a quantifier's domain is data that exists, or a lower bound `3 <= x`."""
        head, arguments = domain.spine()
        if head.name == "LE.le" and len(arguments) == 4:
            literal, parts = arguments[2].spine()
            closed = literal.name == "OfNat.ofNat" and parts[1].letter == "N"
            return bounds and closed and arguments[3].letter == "b"
        if head.letter == "C":
            return head.name in _DATA or head.name in self.inhabited
        return False


def _ends_in_prop(node: Node) -> bool:
    while node.letter == "P":
        node = node.parts[1]
    return node.letter == "S" and node.name == "0"


def empty_hypotheses(
    environment: Environment, statements: Iterable[str], modules: Iterable[str]
) -> list[tuple[str, str]]:
    """Return (statement, hypothesis) for each hypothesis without a proved inhabitant."""
    found = Inhabitants(environment)
    witnessed = found.witnesses(modules)
    return [
        (statement, name)
        for statement in statements
        for name in sorted(found.assumed(statement) - witnessed)
    ]
