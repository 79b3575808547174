"""The site: nothing that students must not see, nothing from elsewhere, all links lead somewhere, all can read it."""

import html.parser
import re
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from lab_in_browser import NAMED, browser_program
from made_site import ADDRESS, CHAPTER, built
from site_in_browser import PHONE, Seen, reader

from autograder import paths
from autograder.authoring.source import read
from autograder.handout import leaks
from autograder.site import build
from helpers.errors import CourseError

LOADED = ("stylesheet", "icon", "preload", "prefetch", "preconnect", "modulepreload", "manifest", "apple-touch-icon")
# One page of each kind for axe-core, which takes seconds for a chapter.
KINDS = (
    "index.html",
    f"{CHAPTER}/{CHAPTER}.html",
    "search.html",
    "glossary.html",
    "references.html",
    "notation.html",
    "helpers/checks.html",
    "instructors/handbook.html",
    "measured/claims.html",
)
pytestmark = pytest.mark.usefixtures("secrets_read_once")


def _missing() -> str:
    for package in build.NEEDED:
        try:
            metadata.distribution(package)
        except metadata.PackageNotFoundError:
            return package
    return ""


needs_sphinx = pytest.mark.skipif(bool(_missing()), reason=f"{_missing()} is not installed: the extra `site`")
needs_browser = pytest.mark.skipif(
    browser_program() is None, reason=f"no browser: put chromium on PATH, or name one in {NAMED}"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    return built(tmp_path_factory.mktemp("site"))


class Tags(html.parser.HTMLParser):
    """The tags of a page with their attributes, and the ids in it."""

    def __init__(self, page: Path):
        super().__init__()
        self.found: list[tuple[str, dict]] = []
        self.feed(page.read_text(encoding="utf-8"))
        self.ids = {attributes["id"] for _, attributes in self.found if attributes.get("id")}

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def pages(site) -> dict[Path, Tags]:
    return {page: Tags(page) for page in site.rglob("*.html")}


def resources(tags: Tags) -> list[str]:
    """Return the addresses of what a browser loads with a page."""
    found = [attributes.get("src") for tag, attributes in tags.found if tag not in ("a", "form")]
    kept = [a for tag, a in tags.found if tag == "link" and a.get("rel") in LOADED]
    return [address for address in [*found, *(a.get("href") for a in kept)] if address]


@needs_sphinx
def test_nothing_is_loaded_from_elsewhere_and_all_that_is_loaded_is_there(site, pages):
    for page, tags in pages.items():
        for address in (a for a in resources(tags) if not a.startswith("data:")):
            parts = urlsplit(address)
            assert not (parts.scheme or parts.netloc), f"{page.name} loads {address}"
            assert (page.parent / unquote(parts.path)).is_file(), f"{page.name}: {address} is missing"
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert re.findall(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//[^)\"']*", text) == [], sheet
    assert any("mathjax" in a for a in resources(pages[site / CHAPTER / f"{CHAPTER}.html"]))


@needs_sphinx
def test_every_internal_link_leads_to_a_page_and_a_place_on_it(site, pages):
    count = 0
    for page, tags in pages.items():
        for address in (attributes.get("href") or "" for tag, attributes in tags.found if tag == "a"):
            parts = urlsplit(address)
            if parts.scheme or parts.netloc:
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            assert target in pages, f"{page.name}: {address}"
            assert parts.fragment in ("", "furo-main-content") or unquote(parts.fragment) in pages[target].ids, address
            count += 1
    assert count > 100


@needs_sphinx
def test_every_picture_is_told(pages):
    told = [a.get("alt") for tags in pages.values() for tag, a in tags.found if tag == "img"]
    assert len(told) > 10 and all(told)


@needs_sphinx
def test_no_secret_is_in_any_byte(site):
    assert build.ensure_no_leaks(site, fold=False) > 10
    text = build.plain_text((site / CHAPTER / f"{CHAPTER}.html").read_text(encoding="utf-8"))
    assert "printed by" in text and "raise NotImplementedError()" in text
    assert "BEGIN SOLUTION" not in text and "BEGIN HIDDEN" not in text


@needs_sphinx
def test_a_planted_answer_is_found_though_tags_cut_it_up(site):
    answer = next(c.source for c in read(paths.source_text(CHAPTER)) if c.name == "bm25" and c.kind == "exercise")
    inner = [line for line in leaks.REGION.search(answer)[0].splitlines() if "###" not in line]
    planted = site / "planted.html"
    words = "\n".join(re.sub(r"(\w+)", r"<span>\1</span>", line.replace("<", "&lt;")) for line in inner)
    planted.write_text(f"<pre>{words}</pre>", encoding="utf-8")
    try:
        with pytest.raises(CourseError, match=r"planted.html:\d+ holds a line of the solution"):
            build.ensure_no_leaks(site, fold=False)
        build.ensure_no_leaks(site, fold=True)
    finally:
        planted.unlink()


@needs_sphinx
def test_the_parts_of_the_course_are_there(site):
    front = (site / "index.html").read_text(encoding="utf-8")
    assert "Start here" in front and "progress()" not in front and ADDRESS in front
    for page in ("glossary", "references", "instructors/handbook", "measured/claims", "measured/benchmarks", "search"):
        assert (site / f"{page}.html").is_file(), page
    assert 'id="helpers.checks.check"' in (site / "helpers" / "checks.html").read_text(encoding="utf-8")
    assert (site / ".nojekyll").is_file() and not (site / "_sources").exists()


@needs_sphinx
def test_what_sphinx_warns_of_stops_it_and_the_old_site_stays(site, tmp_path, monkeypatch):
    made = {"index.md": b"# A\n\n[nowhere](b.md)\n\n```{toctree}\nmissing\n```\n"}
    monkeypatch.setattr(build, "sources", lambda *_: made)
    (tmp_path / build.MARK).write_text("the old site")
    with pytest.raises(CourseError, match=r"nothing was written:\n  index\.md"):
        build.build_site([CHAPTER], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [build.MARK]


def test_a_folder_with_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(CourseError, match="there is something else"):
        build.build_site([CHAPTER], tmp_path)


@pytest.mark.parametrize("option", [{"executed": Path("no/such/folder")}, {"address": "course.example"}])
def test_wrong_options_are_told_in_a_line(option, tmp_path):
    with pytest.raises(CourseError, match=rf"^--{next(iter(option))} {next(iter(option.values()))}: \w+"):
        build.build_site([CHAPTER], tmp_path / "site", **option)
    assert not (tmp_path / "site").exists()


def test_what_is_missing_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "NEEDED", ("no-such-package",))
    monkeypatch.setattr(build, "sources", lambda *_: {})
    with pytest.raises(CourseError, match=r'the site needs no-such-package: pip install .*"\.\[site\]"'):
        build.build_site([CHAPTER], tmp_path / "site")


# ------------------------------------------------------------------------------------------ in a browser
PLANTED = """<!doctype html><html lang="en"><head><title>p</title>
<script defer src="_static/mathjax/tex-svg.js"></script></head><body><main>
<h1>Faults</h1><div style="width: 700px; color: #ccc; background: #fff">Hardly to be read</div>
<p>A formula that nothing marks: $x^2$, one of no such name: \\(\\nosuch x\\), one not closed: \\(\\frac{1\\)</p>
<img src="gone.png"><img src="http://127.0.0.1:9/there.png" alt="elsewhere">
<div class="cell_input">
<pre style="overflow: auto; width: 99px">a = {"a": "a", "b": "b"}  # wider than a phone</pre></div>
</main></body></html>"""


@pytest.fixture(scope="module")
def browser(site):
    with reader(site) as opened:
        yield opened


@pytest.fixture(scope="module")
def seen(browser, site) -> dict[str, Seen]:
    names = [path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html"))]
    return {name: browser.see(name) for name in names}


def faults(seen: dict[str, Seen], kind: str) -> dict[str, list[str] | int]:
    """Return {page: faults} of one kind, for the pages that have any."""
    return {name: found for name, page in seen.items() if (found := getattr(page, kind))}


@needs_sphinx
@needs_browser
@pytest.mark.parametrize("kind", ["said", "elsewhere", "missing", "untold", "cut", "small", "wider"])
def test_no_page_of_the_site_has_a_fault(seen, kind):
    assert len(seen) > 20 and faults(seen, kind) == {}


@needs_sphinx
@needs_browser
def test_every_formula_is_set(seen):
    assert faults(seen, "left") == {}
    assert all(seen[f"{name}/{name}.html"].formulas > 10 for name in paths.chapters())


@needs_sphinx
@needs_browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser, scheme):
    found = {name: browser.findings(name, scheme) for name in KINDS}
    assert {name: places for name, places in found.items() if places} == {}


@needs_sphinx
@needs_browser
def test_faults_that_are_planted_are_seen(browser, site):
    (planted := site / "planted.html").write_text(PLANTED, encoding="utf-8")
    try:
        page = browser.see("planted.html")
        found = browser.findings("planted.html", "light")
    finally:
        planted.unlink()
    assert page.said and page.elsewhere == ["http://127.0.0.1:9/there.png"] and "gone.png" in page.missing[0]
    assert len(page.left) == 3 and len(page.untold) == 2 and len(page.cut) == 1 and page.wider > 300
    assert {line.partition(":")[0] for line in found} >= {"color-contrast", "image-alt"}


@needs_sphinx
@needs_browser
def test_a_reader_searches_reads_on_and_opens_the_contents_on_a_phone(browser):
    browser.open("index.html")
    browser.page.get_by_placeholder("Search").first.fill("naive Bayes")
    browser.page.keyboard.press("Enter")
    browser.page.locator("#search-results a").first.click()
    assert CHAPTER in browser.page.url
    browser.page.locator(".related-pages .next-page").click()
    assert f"{paths.chapters()[1]}.html" in browser.page.url
    browser.page.set_viewport_size(PHONE)
    link = browser.page.locator(".sidebar-tree").get_by_role("link", name="Glossary")
    assert link.bounding_box()["x"] < 0
    browser.picture("phone")
    browser.page.locator(".mobile-header label[for=__navigation]").click()
    link.click()
    assert "glossary.html" in browser.page.url
