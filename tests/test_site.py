"""The site: nothing that students must not see, nothing from elsewhere, every link leads somewhere."""

import functools
import html.parser
import re
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest
import yaml

from autograder import marks, paths
from autograder.authoring.build import fresh
from autograder.authoring.measure import SMALL
from autograder.authoring.source import read
from autograder.handout import leaks
from autograder.site import build, chapter, prose, reference
from autograder.site.accessible import accessible
from helpers.errors import CourseError

CHAPTER = "01_spam"
ADDRESS = "https://course.example/"
LOADED = ("stylesheet", "icon", "preload", "prefetch", "preconnect", "modulepreload", "manifest", "apple-touch-icon")
FIGURE = '<img src="data:image/svg+xml;base64,PHN2Zy8+" alt="Two bars, 0.91 and 0.87.">'


def _missing() -> str:
    for package in build.NEEDED:
        try:
            metadata.distribution(package)
        except metadata.PackageNotFoundError:
            return package
    return ""


@pytest.fixture(autouse=True, scope="module")
def secrets_read_once():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leaks, "secrets", functools.cache(leaks.secrets))
        yield


needs_sphinx = pytest.mark.skipif(bool(_missing()), reason=f"{_missing()} is not installed: the extra `site`")


# ------------------------------------------------------------------------------------------ a page
def _ran(folder: Path, budget: str = "") -> None:
    """Write an executed notebook of the chapter, as `make course` does (or the tests: SMALL), with outputs made up."""
    nb = nbformat.read(fresh(CHAPTER), as_version=4)
    for cell in nb.cells:
        cell.source = marks.sized(cell.source, cell.metadata.get("bow2lora", {}).get(budget, {}))
        if cell.cell_type == "code":
            cell.outputs = _outputs(f"printed by {cell.id} {budget}")
    path = folder / budget / f"{CHAPTER}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nb, path)


def _outputs(words: str) -> list:
    new = nbformat.v4.new_output
    widget = {"application/vnd.jupyter.widget-view+json": {}, "text/plain": "Slider(value=1)"}
    return [
        new("stream", name="stdout", text=f"{words}\n"),
        new("stream", name="stderr", text="a warning\n"),
        new("display_data", data={"text/html": FIGURE, "text/plain": "<IPython.core.display.HTML object>"}),
        new("display_data", data=widget),
    ]


def _page(executed: Path | None = None, fold: bool = False) -> nbformat.NotebookNode:
    return chapter.page(CHAPTER, executed, fold, {f"notebooks/{CHAPTER}/{CHAPTER}.ipynb": f"{CHAPTER}/{CHAPTER}.ipynb"})


def _all_text(page: nbformat.NotebookNode) -> bytes:
    return nbformat.writes(page).encode()


def test_a_check_is_one_line_and_a_stub_has_no_answer():
    page = _page()
    nbformat.validate(page)
    by_kind = {kind: [c for c in page.cells if kind in c.metadata.get("tags", [])] for kind in ("check", "exercise")}
    names = [c.name for c in read(paths.source_text(CHAPTER)) if c.kind == "exercise"]
    assert [cell.source for cell in by_kind["check"]] == [f'check("{name}")' for name in names]
    assert all("raise NotImplementedError()" in cell.source for cell in by_kind["exercise"])
    assert leaks.places({"page": _all_text(page)}, leaks.secrets()) == []
    assert chapter.NOT_RUN in page.cells[1].source


def test_outputs_are_those_of_cells_that_ran_as_they_stand_without_warnings_and_widgets(tmp_path):
    _ran(tmp_path)
    ran = nbformat.read(tmp_path / f"{CHAPTER}.ipynb", as_version=4)
    changed = next(c for c in ran.cells if marks.from_metadata(c) == "show")
    changed.source += "\n# of yesterday"
    nbformat.write(ran, tmp_path / f"{CHAPTER}.ipynb")
    page = _page(tmp_path)
    for cell in (c for c in page.cells if c.cell_type == "code"):
        said = "".join(str(output) for output in cell.outputs)
        has = cell.id != changed.id and "check" not in cell.metadata.tags
        assert (f"printed by {cell.id}" in said) == has, cell.id
        assert not re.search("a warning|Slider|widget", said)
    assert chapter.OF_RUN in page.cells[1].source and chapter.SOME_CHANGED in page.cells[1].source


def test_outputs_of_a_short_run_stand_in_where_there_is_no_other_and_say_so(tmp_path):
    _ran(tmp_path, SMALL)
    page = _page(tmp_path)
    sized = [c for c in nbformat.read(fresh(CHAPTER), as_version=4).cells if "small" in c.metadata.get("bow2lora", {})]
    shown = {c.id: c.source for c in page.cells}
    for cell in sized:
        for name, value in cell.metadata.bow2lora["small"].items():
            assert f"{name} = {value}" in shown[cell.id]
    assert (chapter.OF_SHORT_RUN if sized else chapter.OF_RUN) in page.cells[1].source
    _ran(tmp_path)
    assert "printed by" in (whole := _all_text(_page(tmp_path)).decode()) and f" {SMALL}\\n" not in whole


def test_answers_lie_in_closed_folds_and_nothing_else_does():
    page = _page(fold=True)
    solved = {c.grade_id: c.source for c in read(paths.source_text(CHAPTER)) if c.kind == "exercise"}
    folds = {c.id.removeprefix("answer-"): c.source for c in page.cells if c.id.startswith("answer-")}
    assert folds.keys() == solved.keys() and all('<details class="answer">' in text for text in folds.values())
    others = {run: whose for run, whose in leaks.secrets().items() if not whose.startswith("solution")}
    assert leaks.places({"page": _all_text(page)}, others) == []
    assert leaks.places({"page": _all_text(page)}, leaks.secrets()) != []


def test_the_workflow_builds_and_publishes_the_site():
    workflow = yaml.safe_load((paths.ROOT / ".github" / "workflows" / "site.yml").read_text(encoding="utf-8"))
    steps = workflow["jobs"]["site"]["steps"]
    commands = " ".join(step.get("run", "") for step in steps)
    assert '-e ".[site]"' in commands and "python -m autograder site --address" in commands
    assert all(step["uses"].startswith("actions/") for step in steps if "uses" in step)
    assert workflow["permissions"] == {"contents": "read", "pages": "write", "id-token": "write"}


# ------------------------------------------------------------------------------------------ its prose
def test_formulas_in_a_hint_are_marked_for_mathjax_and_code_is_left_alone():
    hint = "<details><summary>Hint for $x_1$</summary><code>cost$ = a$</code> is $a < b$</details> and $c$"
    made = prose.formulas_in_html(hint)
    assert r'Hint for <span class="math notranslate nohighlight">\(x_1\)</span>' in made
    assert r"\(a &lt; b\)" in made and "<code>cost$ = a$</code>" in made and made.endswith(" and $c$")
    open_fold = "<details><summary>Answer</summary>\n\n$x$\n\n</details>"
    assert prose.formulas_in_html(open_fold) == open_fold  # Markdown, which MyST reads


def test_a_page_has_one_title_and_its_parts_are_a_level_deeper():
    assert prose.one_title(["# A\n## b", "# Part\n## c", "### d"]) == ["# A\n## b", "## Part\n### c", "#### d"]


def test_links_lead_to_pages_of_the_site_or_are_words():
    known = {"notebooks/a/a.ipynb": "a/a.ipynb", "notebooks/b.md": "b.md", "notebooks/START.ipynb": "index.md"}
    text = "[b](../b.md), [start](../START.ipynb), [gone](../c/c.ipynb), [x](https://x.example), ![p](figures/p.svg)"
    made = prose.relinked(text, "notebooks/a/a.ipynb", known)
    assert made == "[b](../b.md), [start](../index.md), gone, [x](https://x.example), ![p](figures/p.svg)"
    assert prose.relinked("```\n[a](c.md)\n```", "notebooks/b.md", known) == "```\n[a](c.md)\n```"


def test_a_docstring_becomes_restructured_text():
    lines = ["Return `x` times *2.", "", "x: a number,", "  or more_", "y, z: others", "", "    >>> 1", ""]
    reference.readable(None, "function", "f", None, None, lines)
    assert lines[0] == r"Return ``x``\  times \*2."
    assert lines[2:4] == [r"* x: a number, or more\_", "* y, z: others"]
    assert lines[5:8] == ["::", "", "    >>> 1"]


def test_what_scrolls_can_be_focused_and_headings_have_levels():
    made = accessible(
        '<p class="caption" role="heading">A</p><pre>x</pre>f(<dl>\n<dd><em>a</em>,</dd><dd>b</dd>\n</dl>)'
    )
    assert 'role="heading" aria-level="2">A' in made and '<pre tabindex="0">x' in made
    assert '<ul class="parameters"><li><em>a</em>,</li><li>b</li></ul>' in made
    assert accessible("<dl class='x'><dt>a</dt><dd>b</dd></dl>") == "<dl class='x'><dt>a</dt><dd>b</dd></dl>"


# ------------------------------------------------------------------------------------------ the whole
@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    _ran(folder / "executed")
    build.build_site([CHAPTER], folder / "html", folder / "executed", address=ADDRESS, rooms=["checks"])
    return folder / "html"


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
