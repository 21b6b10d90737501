"""Which artifacts exist, which families of controls each holds, and how they are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..artifacts.canonical import Json, digest, dumps
from ..artifacts.manifest import Product
from ..model import InputError
from . import measured, nonclairvoyant, sources, svf, tight
from .draft import Family, Parameters

LEAN_STATEMENTS = "output/lean/statements.json"
CONTROLS_SCHEMA = "onlinekv/exact-controls/v1"


@dataclass(frozen=True, slots=True)
class Artifact:
    """One committed artifact: its path, the claim that it supports, and its families."""

    path: str
    claim: str
    families: tuple[Family, ...]

    def header(self) -> dict[str, Json]:
        """Return the members that are the same on every run."""
        return {
            "schema": CONTROLS_SCHEMA,
            "claim": self.claim,
            "generator": "python -m evaluators build-artifacts",
        }

    def jobs(self) -> list[tuple[Family, Parameters]]:
        """Return each control to be derived, in the order of the file."""
        return [(family, values) for family in self.families for values in family.grid]

    def build(self, progress: Callable[[int, int, str], None] | None = None) -> bytes:
        """Derive every control and return the canonical bytes; raises RuntimeError on a fault."""
        controls: list[Json] = []
        jobs = self.jobs()
        for done, (family, parameters) in enumerate(jobs):
            if progress:
                progress(done, len(jobs), family.identifier(parameters))
            draft = family.derive(parameters)
            controls.append(draft.document())
            if draft.faults:
                raise RuntimeError(f"control {draft.identifier}: {draft.faults[0]}")
        document: dict[str, Json] = {**self.header(), "controls": controls}
        return dumps({**document, "digest": digest(document)})

    def product(self) -> Product:
        """Return the artifact as the manifest lists it."""
        return Product(self.path, (self.claim,), "python -m evaluators build-artifacts")


ARTIFACTS: tuple[Artifact, ...] = (
    Artifact(
        "output/tight-online-kv-cache-scheduling/exact-controls.json",
        "tight-online-kv-cache-scheduling",
        tight.FAMILIES,
    ),
    Artifact("output/svf/counterexamples.json", "svf-counterexamples", svf.FAMILIES),
    Artifact("output/measured-ratios/ratios.json", "measured-ratios", measured.FAMILIES),
    Artifact(
        "output/nonclairvoyant/controls.json", "nonclairvoyant-controls", nonclairvoyant.CONTROLS
    ),
    Artifact(
        "output/nonclairvoyant/hard-families.json", "nonclairvoyant-hard", nonclairvoyant.HARD
    ),
    Artifact(
        "output/nonclairvoyant/constants.json",
        "nonclairvoyant-constants",
        nonclairvoyant.CONSTANTS,
    ),
)


def products() -> list[Product]:
    """Return every generated file."""
    ledger = Product(sources.SOURCES_PATH, (ARTIFACTS[0].claim,), sources.GENERATOR)
    proofs = Product(LEAN_STATEMENTS, (ARTIFACTS[0].claim,), "python -m evaluators lean statements")
    return [*(artifact.product() for artifact in ARTIFACTS), ledger, proofs]


def artifact_for(document: dict[str, Json], path: Path, claim: str | None = None) -> Artifact:
    """Return the artifact of `claim`, else of the document's claim, else of the file's name.

    Raises InputError if neither its claim nor its path is one of ours.
    """
    for artifact in ARTIFACTS:
        if artifact.claim == (claim or document.get("claim")):
            return artifact
    for artifact in ARTIFACTS:
        if Path(artifact.path).parts[-2:] == path.parts[-2:]:
            return artifact
    known = ", ".join(artifact.claim for artifact in ARTIFACTS)
    raise InputError("claim", f"must be one of {known}, got {document.get('claim')!r}", str(path))
