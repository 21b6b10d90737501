"""A second net under the audit of the environment: words that have no place in the library.

It reads the sources without comments and string contents.  Every rule has a test with a bad fixture
that shows that it can fail (tests/formal/test_scan.py).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from .sources import Package, header_imports, strip_comments


def _words(*words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.'])(?:{'|'.join(words)})(?![\w'])")


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern that must not occur, and what it would be."""

    name: str
    pattern: re.Pattern[str]
    what: str


RULES = (
    Rule("sorry", _words("sorry", "sorryAx", "admit", "stop"), "an unfinished proof"),
    Rule("axiom", _words("axiom"), "an axiom of our own"),
    Rule(
        "native",
        re.compile(
            r"\bnative_decide\b|\bbv_decide\b|\+native\b|\bnative\s*:=|\bofReduceBool\b"
            r"|\bofReduceNat\b|\btrustCompiler\b|\breduceBool\b"
        ),
        "a proof by running compiled code",
    ),
    Rule(
        "option",
        re.compile(r"\bset_option\s+(?!maxRecDepth\b|maxHeartbeats\b)[\w.]+"),
        "an option that may weaken the checks",
    ),
    Rule("modifier", _words("unsafe", "partial", "opaque"), "a definition the kernel cannot see"),
    Rule(
        "meta",
        _words(
            "meta",
            "run_cmd",
            "run_meta",
            "run_elab",
            "run_tac",
            "by_elab",
            "initialize",
            "builtin_initialize",
            "register_option",
            "simproc",
            "dsimproc",
            "simproc_decl",
        ),
        "code that runs while Lean checks",
    ),
    Rule("command", re.compile(r"(?m)(?<![\w.])#[a-z_]\w*"), "an interactive command"),
    Rule(
        "syntax",
        _words(
            "elab",
            "elab_rules",
            "macro",
            "macro_rules",
            "syntax",
            "declare_syntax_cat",
            "notation",
            "notation3",
            "infix",
            "infixl",
            "infixr",
            "prefix",
            "postfix",
            "binder_predicate",
            "unif_hint",
            "deriving_handler",
            "declare_config_elab",
        ),
        "syntax of our own, which may change what a statement says",
    ),
    Rule(
        "api",
        re.compile(
            r"\b(?:addDecl\w*|addAndCompile|setEnv|modifyEnv|importModules|CoreM|MetaM|TacticM"
            r"|TermElabM|CommandElabM|unsafeCast|unsafeIO|lcProof|lcUnreachable)\b"
        ),
        "a call into Lean itself",
    ),
    Rule("quoted name", re.compile("[«»]"), "a name that hides what it is"),
    Rule("literal", re.compile(r'\br#*"|[a-z]!"'), "a literal that the scan cannot read"),
)
_ATTRIBUTE_WORDS = (
    "expose simp reducible irreducible inline ext grind instance defeq elab_as_elim symm refl "
    "match_pattern specialize"
)
ATTRIBUTES = frozenset(_ATTRIBUTE_WORDS.split())
_ATTRIBUTES = re.compile(r"(?:@|\battribute\s*)\[([^\]]*)\]")


def scan(package: Package) -> list[str]:
    """Return one line for each thing in the sources that has no place there."""
    return [
        f"{package.path(name)}:{line}: {text}"
        for name, source in package.texts.items()
        for line, text in scan_text(source, frozenset(package.modules))
    ]


def scan_text(text: str, modules: frozenset[str]) -> Iterator[tuple[int, str]]:
    """Yield (line, what is wrong) for one source; `modules` are those that it may import."""
    bare = strip_comments(text)
    for rule in RULES:
        for match in rule.pattern.finditer(bare):
            yield _line(bare, match.start()), f"{match[0].strip()!r} is {rule.what}"
    for match in _ATTRIBUTES.finditer(bare):
        for name in _attribute_names(match[1]):
            if name not in ATTRIBUTES:
                yield _line(bare, match.start()), f"attribute {name!r} is not allowed"
    for name in header_imports(text):
        if name not in modules:
            yield 1, f"import of {name!r}, which is not part of the library"
    for index, character in enumerate(text):
        if unicodedata.category(character) in ("Cf", "Co", "Cn"):
            yield _line(text, index), f"invisible character U+{ord(character):04X}"


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _attribute_names(text: str) -> Iterator[str]:
    for entry in text.split(","):
        words = [word for word in entry.split() if word not in ("local", "scoped")]
        if words:
            yield words[0].lstrip("-")
