"""The static site: pages from the ledger, the statements and the artifacts; no Lean, no network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt

from ..artifacts.canonical import write_whole
from ..claims.documents import ERRATA
from ..claims.judge import Judged, counts, judge_all
from ..claims.ledger import WRONG, Ledger, read_ledger
from ..claims.receipt import commit_of
from ..claims.store import Store, read_store
from ..controls.measured.points import points_of
from ..lean.sources import Package
from ..lean.statements import STATEMENTS_PATH, read_statements
from .dependencies import folder_graph, module_graph, needs_graph, short
from .figures import Shown, draw_all, pictures_of
from .measured import draw_points, rows_of

Progress = Callable[[int, int, str], None]
SHOWCASE = "svf/theorem-3.2"
PAGES = (
    ("index.html", "Results"),
    ("ledger.html", "Claims"),
    ("statements.html", "Statements"),
    ("errata.html", "Errata"),
    ("ratios.html", "Ratios"),
    ("dependencies.html", "Dependencies"),
    ("trust.html", "Trust"),
)
_DETAILS = ("lemma", "equation", "table", "erratum")
READING = (
    (
        "formal/OnlineKvCache/Statements/",
        "every theorem’s statement, in words and in Lean: four short files",
    ),
    (
        "formal/OnlineKvCache/Model/",
        "requests, memory, feasible schedules, costs: four short files",
    ),
    ("formal/OnlineKvCache/Online/", "schedulers, what is revealed, causality, the ratio"),
    ("evaluators/replay.py", "what feasible means, every cost, every violation (with memory.py)"),
    (
        "evaluators/controls/verify.py",
        "what the verifier compares, and that it compares everything",
    ),
)


@dataclass(slots=True)
class Site:
    """What the pages are made from."""

    root: Path
    ledger: Ledger
    store: Store
    judged: list[Judged]
    modules: dict[str, str] = field(default_factory=dict)

    @property
    def theorems(self) -> list[dict[str, Any]]:
        """The headline theorems in the order of their claims, with what pages say of them."""
        place = {claim.id: index for index, claim in enumerate(self.ledger.claims)}
        last = len(place)

        def key(entry: dict[str, Any]) -> tuple[int, str]:
            return (place[entry["claim"].id] if entry["claim"] else last, entry["theorem"])

        return sorted((self._theorem(name) for name in self.store.theorems), key=key)

    def _theorem(self, name: str) -> dict[str, Any]:
        entry = self.store.theorems[name]
        last = name.rpartition(".")[2]
        groups: dict[str, list[str]] = {}
        for definition in entry["definitions"]:
            module = short(self.modules.get(definition, "?"))
            groups.setdefault(module, []).append(definition.removeprefix("OnlineKvCache."))
        claim = self.ledger.headline(name)
        return {
            **entry,
            "short": last,
            "claim": claim,
            "title": claim.title if claim else last.replace("_", " "),
            "claims": [c for c in self.ledger.claims if name in _named(c)],
            "modules": sorted(groups.items()),
        }


def _named(claim: Any) -> tuple[str, ...]:
    return (*claim.supported.theorems, *claim.refuted.theorems)


def load_site(root: Path) -> Site:
    """Read ledger and evidence; raises InputError if the ledger or the statements are broken."""
    ledger, store = read_ledger(root), read_store(root)
    document: Any = read_statements(root / STATEMENTS_PATH)
    modules = {str(d["name"]): str(d["module"]) for d in document["definitions"]}
    return Site(root, ledger, store, judge_all(ledger, store), modules)


def build_site(root: Path, target: Path, report: Progress) -> list[str]:
    """Write the site into `target`, and remove pages of an earlier one; return the files."""
    site = load_site(root)
    pictures = {e.claim.id: pictures_of(e, site.store) for e in site.judged}
    made = draw_all([p for found in pictures.values() for p in found], report)
    points = points_of(c for found in site.store.controls.values() for c in found.values())
    if points:
        made["pictures/ratios.svg"] = draw_points(points)
    for entry in files(__package__).joinpath("static").iterdir():
        made[f"static/{entry.name}"] = entry.read_bytes()
    made |= {name: text.encode("utf-8") for name, text in _pages(site, pictures, points).items()}
    for done, (name, data) in enumerate(made.items()):
        report(done, len(made), name)
        write_whole(target / name, data)
    _remove_stale(target, set(made))
    return sorted(made)


def _remove_stale(target: Path, made: set[str]) -> None:
    for folder in (target, target / "claims", target / "pictures"):
        for path in [*folder.glob("*.html"), *folder.glob("*.svg")]:
            if path.relative_to(target).as_posix() not in made:
                path.unlink()


def _pages(
    site: Site, pictures: Mapping[str, list[Shown]], points: Sequence[Any]
) -> dict[str, str]:
    environment = Environment(
        loader=PackageLoader("evaluators.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    commit, dirty = commit_of(site.root)
    common = {"pages": PAGES, "commit": commit, "dirty": dirty}

    def page(template: str, here: str, up: str = "", **values: Any) -> str:
        made = environment.get_template(template)
        return made.render(**common, here=here, up=up, **values) + "\n"

    package = Package(site.root)
    theorems = site.theorems
    result = {
        "index.html": page("index.html", "index.html", **_index(site, pictures)),
        "ledger.html": page("ledger.html", "ledger.html", judged=site.judged),
        "statements.html": page("statements.html", "statements.html", theorems=theorems),
        "ratios.html": page("ratios.html", "ratios.html", points=len(points), rows=rows_of(points)),
        "dependencies.html": page(
            "dependencies.html",
            "dependencies.html",
            folders=folder_graph(package),
            modules=module_graph(package),
            needs=needs_graph(theorems, site.modules),
            number=len(package.modules) - 1,
        ),
        "errata.html": page("text.html", "errata.html", **_text(site, ERRATA, "Errata")),
        "trust.html": page("text.html", "trust.html", **_text(site, "TRUST.md", "Trust")),
    }
    for index, entry in enumerate(site.judged):
        near = [
            site.judged[i].claim if 0 <= i < len(site.judged) else None
            for i in (index - 1, index + 1)
        ]
        result[f"claims/{entry.claim.slug}.html"] = page(
            "claim.html",
            "ledger.html",
            "../",
            **_claim(site, entry, theorems),
            pictures=pictures[entry.claim.id],
            before=near[0],
            after=near[1],
        )
    return result


def _index(site: Site, pictures: Mapping[str, list[Shown]]) -> dict[str, Any]:
    wrong = [e for e in site.judged if e.claim.verdict in WRONG and e.claim.paper != "notes"]
    found = pictures.get(SHOWCASE, [])
    showcase = None
    if found:
        slug = site.ledger.named(SHOWCASE).slug
        first = found[0]
        showcase = {"file": first.file, "alt": first.alt, "caption": first.caption, "slug": slug}
    return {
        "counts": {str(word): number for word, number in counts(site.judged).items()},
        "total": len(site.judged),
        "groups": _headlines(site),
        "proved": len(site.store.theorems),
        "wrong": len(wrong),
        "showcase": showcase,
        "reading": READING,
    }


def _headlines(site: Site) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return, for each paper, the claims that theorems prove, each with all its theorems.

    Lemmas and equations have their pages; the first page shows results.
    """
    cards: dict[str, dict[str, Any]] = {}
    for theorem in site.theorems:
        claim = theorem["claim"]
        if claim is not None and claim.kind not in _DETAILS:
            card = cards.setdefault(claim.id, {"claim": claim, "theorems": []})
            card["theorems"].append(theorem["short"])
    groups = [
        (title, [card for card in cards.values() if card["claim"].paper == paper])
        for paper, title in site.ledger.titles.items()
    ]
    return [(title, found) for title, found in groups if found]


def _claim(site: Site, entry: Judged, theorems: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    names = set(_named(entry.claim))
    controls = {
        item.pointer: site.store.find(item.pointer)[0].get("description", "")
        for item in entry.items
        if item.kind == "control" and item.count
    }
    forms = {name: form.statement for name, form in site.store.forms.items()}
    return {
        "e": entry,
        "title": site.ledger.titles[entry.claim.paper],
        "theorems": [t for t in theorems if t["theorem"] in names],
        "words": {"control": controls, "closed form": forms},
        "wrong": WRONG,
    }


def _text(site: Site, name: str, label: str) -> dict[str, Any]:
    """Return a Markdown file of the repository as HTML; raw HTML in it is not passed through."""
    path = site.root / name
    text = path.read_text("utf-8") if path.is_file() else f"# {label}\n\n{name} is missing.\n"
    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return {"label": label, "body": body}
