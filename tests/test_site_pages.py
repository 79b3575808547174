"""What Sphinx reads of a chapter: stubs and outputs, one title, links and formulas as it takes them."""

import re
from pathlib import Path

import nbformat
import pytest
import yaml
from made_site import CHAPTER, ran

from autograder import cell_marks, paths
from autograder.authoring.build import fresh
from autograder.authoring.measure import SMALL
from autograder.authoring.source import read
from autograder.handout import leaks
from autograder.site import chapter, prose, reference
from autograder.site.accessible import accessible

pytestmark = pytest.mark.usefixtures("secrets_read_once")


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
    ran(tmp_path)
    before = nbformat.read(tmp_path / f"{CHAPTER}.ipynb", as_version=4)
    changed = next(c for c in before.cells if cell_marks.from_metadata(c) == "show")
    changed.source += "\n# of yesterday"
    nbformat.write(before, tmp_path / f"{CHAPTER}.ipynb")
    page = _page(tmp_path)
    for cell in (c for c in page.cells if c.cell_type == "code"):
        said = "".join(str(output) for output in cell.outputs)
        has = cell.id != changed.id and "check" not in cell.metadata.tags
        assert (f"printed by {cell.id}" in said) == has, cell.id
        assert not re.search("a warning|Slider|widget", said)
    assert chapter.OF_RUN in page.cells[1].source and chapter.SOME_CHANGED in page.cells[1].source


def test_outputs_of_a_short_run_stand_in_where_there_is_no_other_and_say_so(tmp_path):
    ran(tmp_path, SMALL)
    page = _page(tmp_path)
    sized = [c for c in nbformat.read(fresh(CHAPTER), as_version=4).cells if "small" in c.metadata.get("bow2lora", {})]
    shown = {c.id: c.source for c in page.cells}
    for cell in sized:
        for name, value in cell.metadata.bow2lora["small"].items():
            assert f"{name} = {value}" in shown[cell.id]
    assert (chapter.OF_SHORT_RUN if sized else chapter.OF_RUN) in page.cells[1].source
    ran(tmp_path)
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
