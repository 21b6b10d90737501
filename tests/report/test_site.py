"""The site: links resolve, it is whole without scripts, and a real browser is content with it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

from evaluators.claims.ledger import read_ledger
from evaluators.report.graph import Node, draw_graph, layers, reduced
from evaluators.report.site import PAGES

from ..cli import ROOT, call
from .browser import Browser, browser, chromium

pytestmark = pytest.mark.slow
WIDTHS = (390, 1280)
LOOKED_AT = ("index", "ledger", "statements", "errata", "ratios", "dependencies", "trust")
CLAIMS = ("svf-theorem-3.2", "tight-sharp-constant", "svf-lemma-e2", "tight-least-length")


class Links(HTMLParser):
    """Collects what a page links to or loads, and its anchors."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.targets.append(value)
            if name == "id" and value:
                self.anchors.add(value)


def parsed(path: Path) -> Links:
    links = Links()
    links.feed(path.read_text("utf-8"))
    return links


def broken_links(site: Path) -> list[str]:
    """Return every link of every page that leads to no file or no anchor, or out of the site."""
    pages = {path: parsed(path) for path in site.rglob("*.html")}
    faults = []
    for page, links in pages.items():
        for target in links.targets:
            address = urlparse(target)
            if address.scheme == "data":
                continue
            path = (page.parent / unquote(address.path)).resolve() if address.path else page
            known = pages.get(path)
            inside = path.is_file() and path.is_relative_to(site)
            anchored = not address.fragment or (known and address.fragment in known.anchors)
            if address.scheme or not inside or not anchored:
                faults.append(f"{page.relative_to(site)}: {target}")
    return faults


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as the command builds it, over a page of an earlier one that must go."""
    target = tmp_path_factory.mktemp("site").resolve()
    (target / "claims").mkdir()
    (target / "claims" / "nobody.html").write_text("old")
    result = call("report", "--target", target)
    assert result.returncode == 0, result.stderr
    assert re.match(r"report=.*index.html files=\d+ seconds=\d+\.\d\n", result.stdout)
    assert not (target / "claims" / "nobody.html").exists()
    return target


def test_every_claim_has_a_page_and_every_link_resolves(site: Path) -> None:
    ledger = read_ledger(ROOT)
    for claim in ledger.claims:
        assert (site / "claims" / f"{claim.slug}.html").is_file()
    assert broken_links(site) == []


def test_a_broken_link_would_be_found(site: Path, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html">b</a><a href="#c">c</a><img src="//x/y">')
    assert len(broken_links(tmp_path.resolve())) == 3


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for path in [*site.rglob("*.html"), *site.rglob("*.css"), *site.rglob("*.js")]:
        assert not re.search(r"(https?:)?//[a-z0-9.-]+\.[a-z]{2,}", path.read_text("utf-8")), path


def test_pages_say_what_they_must(site: Path) -> None:
    index = (site / "index.html").read_text("utf-8")
    assert index.count("<li><code>") <= 5  # what to read
    for word in ("theorem", "counterexample", "make verify", "Exact statement"):
        assert word in index
    claim = (site / "claims" / "svf-theorem-3.2.html").read_text("utf-8")
    for word in ("As printed", "What holds instead", "pictures/skip-breaks-the-theorem", "--check"):
        assert word in claim
    assert "linear_memory_half : Prop" in (site / "statements.html").read_text("utf-8")
    assert "svf/eq-81" in (site / "errata.html").read_text("utf-8")
    assert "Not covered" in (site / "claims" / "svf-theorem-3.4.html").read_text("utf-8")


def test_three_clicks_from_the_start_to_an_exact_statement(site: Path) -> None:
    links = parsed(site / "index.html")
    assert "statements.html#worst_memory_constant" in links.targets
    assert "worst_memory_constant" in parsed(site / "statements.html").anchors


def test_graph_layers_and_reduction() -> None:
    edges = {"a": [], "b": ["a"], "c": ["a", "b"]}
    assert layers(edges) == {"a": 0, "b": 1, "c": 2}
    assert reduced(edges) == {"a": set(), "b": {"a"}, "c": {"b"}}
    text = draw_graph([Node(x, x, "g") for x in "abc"], reduced(edges), "<t>")
    assert text.count("<rect") == 3
    assert text.count("<path") == 2
    assert "&lt;t&gt;" in text


@pytest.mark.skipif(chromium() is None, reason="no chromium (on Debian: apt-get install chromium)")
def test_in_a_real_browser(site: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    program = chromium()
    assert program is not None
    shots = tmp_path_factory.mktemp("screenshots")
    pages = [f"{name}.html" for name in LOOKED_AT] + [f"claims/{name}.html" for name in CLAIMS]
    assert {name for name, _ in PAGES} <= set(pages)
    with browser(program) as page:
        for width in WIDTHS:
            for name in pages:
                page.open(site / name, width)
                overflow = page.evaluate("document.documentElement.scrollWidth")
                assert overflow <= width, f"{name} is {overflow} wide at {width}"
                shot = shots / f"{name.replace('/', '-')}-{width}.png"
                page.screenshot(shot)
                assert shot.read_bytes().startswith(b"\x89PNG")
                sizes = page.evaluate("[...document.images].map(i => i.complete && i.naturalWidth)")
                assert "loading=" in (site / name).read_text() or all(sizes), name
        check_the_ledger(site, page)
        check_without_scripts(site, page)
        assert page.errors == []
        (shots / "bad.html").write_text("<script>throw new Error('seen')</script>")
        page.open(shots / "bad.html", 390)
        assert any("Uncaught" in error for error in page.errors)


def check_the_ledger(site: Path, page: Browser) -> None:
    """Filters and sorting work, also by the address."""
    page.open(site / "ledger.html", 1280)
    evaluate = page.evaluate
    rows = "[...document.querySelectorAll('#ledger tbody tr')].filter(r => !r.hidden)"
    total = evaluate(f"{rows}.length")
    assert total == len(read_ledger(ROOT).claims)
    evaluate(
        "(() => { const s = document.querySelectorAll('#controls select')[1];"
        "s.value = 'counterexample'; s.dispatchEvent(new Event('input')); })()"
    )
    some = evaluate(f"{rows}.length")
    assert 0 < some < total
    assert evaluate(f"{rows}.every(r => r.dataset.status === 'counterexample')")
    evaluate("document.querySelector('#ledger th button').click()")
    names = evaluate(f"{rows}.map(r => r.cells[0].textContent.trim())")
    assert names[0] < names[-1]
    evaluate("document.querySelector('#ledger th button').click()")
    assert evaluate(f"{rows}[0].cells[0].textContent.trim()") == names[-1]


def check_without_scripts(site: Path, page: Browser) -> None:
    """Without JavaScript the whole table is there and nothing is hidden."""
    page.open(site / "ledger.html", 390, scripts=False)
    text = page.evaluate("document.body.innerText")
    for claim in read_ledger(ROOT).claims:
        assert claim.id in text
    page.open(site / "index.html", 1280)
