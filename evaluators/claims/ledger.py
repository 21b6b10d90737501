"""The ledger as data: one JSON file per paper under `data/`, and the register beside them.

The files are written by people: JSON with one value a line, in exactly the layout of `layout`, so
that a change of one pointer is a change of one line.  The register lists the ids and the hash of
each theorem's statement that was reviewed (`claims --pin` writes it).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from ..artifacts.canonical import Json, loads, read_bytes
from ..artifacts.schema import check
from ..model import InputError

CLAIMS_SCHEMA = "onlinekv/claims/v1"
REGISTER_SCHEMA = "onlinekv/claims-register/v1"
DATA = "evaluators/claims/data"
REGISTER = "register.json"
PAPERS = ("tight", "svf", "nonclairvoyant", "notes")
WRONG = ("FALSE", "REPAIRED", "VACUOUS")
DOUBTFUL = (*WRONG, "UNPROVEN", "NOT REPRODUCED", "SUPERSEDED")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Pointers: Lean theorems, `artifact#control` or `artifact#family`, closed forms."""

    theorems: tuple[str, ...] = ()
    controls: tuple[str, ...] = ()
    closed_forms: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.theorems or self.controls or self.closed_forms)


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: what it says, the verdict of the notes, its evidence, what is not covered.

    `supported` is evidence for the repaired statement where there is one, else for the statement.
    `refuted` is evidence against the statement as printed.  `code` names what implements it.
    """

    id: str
    paper: str
    origin: str
    kind: str
    number: str
    title: str
    statement: str
    verdict: str
    why: str
    repaired: str
    supported: Evidence
    refuted: Evidence
    code: tuple[str, ...]
    not_covered: str
    source: str

    @property
    def holds(self) -> str:
        """What holds: the repaired statement where there is one."""
        return self.repaired or self.statement

    @property
    def slug(self) -> str:
        """The id as the name of a file."""
        return self.id.replace("/", "-")


@dataclass(frozen=True, slots=True)
class Ledger:
    """All claims in the order of the files, the papers' titles, and the register."""

    titles: dict[str, str]
    claims: tuple[Claim, ...]
    registered: tuple[str, ...]
    pins: dict[str, str]

    def named(self, identifier: str) -> Claim:
        """Return the claim of that id; raises InputError with the nearest ids."""
        for claim in self.claims:
            if claim.id == identifier:
                return claim
        words = identifier.rpartition("/")[2]
        near = [c.id for c in self.claims if words and words in c.id] or [self.claims[0].id, "..."]
        raise InputError("claim", f"unknown: {identifier!r} (there are {', '.join(near[:5])})")

    def headline(self, theorem: str) -> Claim | None:
        """Return the claim that a theorem proves: one that holds and names it first.

        Of equals the last one: sharper results stand later.
        """
        found = [
            (
                claim.verdict not in ("HOLDS", "PROVED"),
                claim.kind == "conjecture",
                claim.supported.theorems.index(theorem),
                len(claim.supported.theorems),
                claim.kind != "theorem",
                -index,
            )
            for index, claim in enumerate(self.claims)
            if theorem in claim.supported.theorems
        ]
        return self.claims[-min(found)[-1]] if found else None

    def refuted_by(self, theorem: str) -> Claim | None:
        """Return the claim that a theorem refutes as printed: one that names it first."""
        found = [c for c in self.claims if theorem in c.refuted.theorems]
        return min(found, key=lambda c: c.refuted.theorems.index(theorem), default=None)

    def theorems(self) -> list[str]:
        """Return every theorem that some claim names, sorted."""
        return sorted(
            {t for c in self.claims for t in (*c.supported.theorems, *c.refuted.theorems)}
        )


def read_ledger(root: Path) -> Ledger:
    """Read all files; raises InputError (file, field, rule) for one that is malformed."""
    titles: dict[str, str] = {}
    claims: list[Claim] = []
    for paper in PAPERS:
        document = _read(root / DATA / f"{paper}.json", CLAIMS_SCHEMA)
        titles[paper] = str(document["title"])
        entries = cast(list[dict[str, Any]], document["claims"])
        claims += [_claim(entry, paper) for entry in entries]
    register = _read(root / DATA / REGISTER, REGISTER_SCHEMA)
    pins = cast(dict[str, str], register["theorems"])
    return Ledger(titles, tuple(claims), tuple(cast(list[str], register["claims"])), dict(pins))


def _read(path: Path, schema: str) -> dict[str, Json]:
    data = read_bytes(path)
    try:
        return _parsed(data, schema)
    except InputError as error:
        raise error.at(path.name) from None


@lru_cache(maxsize=16)
def _parsed(data: bytes, schema: str) -> dict[str, Json]:
    """Parse and check a data file once per process, by its bytes; nobody changes the result."""
    document = loads(data)
    if not isinstance(document, dict):
        raise InputError("document", "must be a JSON object")
    check(document, schema)
    if data != layout(document):
        raise InputError("file", "is not laid out as `claims --pin` writes it (one value a line)")
    return document


def layout(document: dict[str, Json]) -> bytes:
    """Return the bytes of a data file: keys in the given order, one value a line, UTF-8."""
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode("utf-8")


def _claim(entry: dict[str, Any], paper: str) -> Claim:
    if not str(entry["id"]).startswith(f"{paper}/"):
        raise InputError("id", f"must begin with {paper}/, got {entry['id']!r}", f"{paper}.json")
    return Claim(
        id=entry["id"],
        paper=paper,
        origin=entry["origin"],
        kind=entry["kind"],
        number=entry["number"],
        title=entry["title"],
        statement=entry["statement"],
        verdict=entry["verdict"],
        why=entry.get("why", ""),
        repaired=entry.get("repaired", ""),
        supported=_evidence(entry["supported_by"]),
        refuted=_evidence(entry["refuted_by"]),
        code=tuple(entry["code"]),
        not_covered=entry["not_covered"],
        source=entry["source"],
    )


def _evidence(entry: dict[str, list[str]]) -> Evidence:
    return Evidence(
        tuple(entry["theorems"]), tuple(entry["controls"]), tuple(entry["closed_forms"])
    )


def register_bytes(claims: Iterable[str], pins: dict[str, str]) -> bytes:
    """Return the bytes of the register."""
    theorems: Json = {name: pins[name] for name in sorted(pins)}
    return layout({"schema": REGISTER_SCHEMA, "claims": [*sorted(claims)], "theorems": theorems})
