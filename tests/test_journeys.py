"""What a learner does, in a real browser: START, a first exercise wrong and right, help, a whole chapter, the panel."""

import json
import os
from pathlib import Path

import nbformat
import pytest
from lab_in_browser import KEPT, NAMED, READY, Lab, browser_program, served

from autograder import cell_marks, paths
from autograder.authoring.build import KERNEL, to_notebook
from autograder.authoring.source import read
from helpers.course import model_answers, own_folder

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: make install")
pytestmark = pytest.mark.skipif(
    browser_program() is None, reason=f"no browser: put chromium on PATH, or name one in {NAMED}"
)

CHAPTER = "01_spam"
NOTEBOOK = f"{CHAPTER}/{CHAPTER}.ipynb"
PLAYED = paths.chapters() if os.environ.get("BOW2LORA_PLAY") == "all" else [CHAPTER]  # from top to bottom
HALF = ("> len(letters) / 2", ">= len(letters) / 2")  # half counts as more than half
AGAIN = "Run All Above Selected Cell"  # what START names for another day


def answers(chapter: str) -> dict[str, str]:
    """Return the code of the model answers by exercise."""
    return {name: answer.code for name, answer in model_answers.of_story(paths.source_text(chapter)).items()}


ANSWERS = answers(CHAPTER)
PANEL = """from helpers.chapters.rag.panel import Reply, panel

def ask(question):
    return Reply(f"You asked {question} [1]", [("a title", "some <b>text</b>", 0.5)], {"read": 0.001}, (1, 0, 7))

panel(ask)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder of one's own, which `bow2lora start` will bring up to date, with two notebooks more."""
    place = tmp_path_factory.mktemp("learner") / "course"
    own_folder.place(place)
    for chapter in PLAYED:
        nbformat.write(solved(chapter), place / chapter / "solved.ipynb")
    cell = nbformat.v4.new_code_cell(PANEL, id="panel")
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata={"kernelspec": KERNEL}), place / "panel.ipynb")
    return place


def solved(chapter: str) -> nbformat.NotebookNode:
    """Return the student's notebook with the model answers in it, and the small sizes of its show cells."""
    nb = nbformat.read(paths.release_notebook(chapter), as_version=4)
    teacher = {cell.id: cell for cell in to_notebook(read(paths.source_text(chapter))).cells}
    code = answers(chapter)
    for cell in nb.cells:
        small = teacher[cell.id].metadata.get("bow2lora", {}).get("small", {})
        cell.source = code.get(cell.id, cell_marks.sized(cell.source, small))
    return nb


@pytest.fixture(scope="module")
def lab(folder):
    """JupyterLab on that folder, and a page of the browser."""
    with served(folder, folder.parent) as address, sync_api.sync_playwright() as playwright:
        options = {"executable_path": browser_program(), "args": ["--no-sandbox"]}
        browser = playwright.chromium.launch(**options)
        yield Lab(browser.new_page(viewport={"width": 1280, "height": 900}), address)
        browser.close()


def test_it_opens_on_start_with_the_map(lab):
    lab.arrive()
    lab.page.wait_for_function("() => document.querySelector('.jp-RenderedMarkdown img')?.naturalWidth > 0")
    assert lab.page.get_by_role("heading", name="Start here").is_visible()
    lab.page.get_by_role("menuitem", name="Run", exact=True).click()
    assert lab.page.get_by_role("menuitem", name=AGAIN, exact=True).is_visible()
    assert f"**{AGAIN}**" in (paths.SOLUTIONS / "pages" / "START.py").read_text(encoding="utf-8").replace("\n# ", " ")
    lab.page.keyboard.press("Escape")
    lab.page.get_by_role("link", name="01 Spam").click()
    lab.page.wait_for_function(READY, arg=NOTEBOOK)
    lab.picture("chapter")


@pytest.fixture(scope="module")
def chapter(lab) -> Lab:
    """Chapter 01, open, its first cell run."""
    lab.open(NOTEBOOK)
    assert "Ready." in lab.run("given-01")
    return lab


def test_a_first_exercise_is_not_started_then_wrong_and_named_then_right(chapter):
    chapter.run("rules")
    assert "not started yet" in chapter.run("check-rules")
    assert chapter.cut() == []
    assert HALF[0] in ANSWERS["rules"]
    chapter.write("rules", ANSWERS["rules"].replace(*HALF))
    chapter.run("rules")
    said = chapter.run("check-rules")
    assert "half is not more than half" in said and "WIN 100 now" in said
    chapter.picture("wrong")
    chapter.write("rules", ANSWERS["rules"])
    chapter.run("rules")
    said = chapter.run("check-rules")
    assert "1 of 13 exercises of 01_spam pass" in said and "6.0" not in said
    chapter.picture("right")


def test_help_comes_in_steps_and_the_answer_after_three_tries(chapter):
    assert "Hint 1" in (first := chapter.run_below("check-judge", 'hint("judge")')) and "Hint 2" not in first
    assert "Hint 2" in chapter.run_below("check-judge", 'hint("judge")')
    assert "try it first" in chapter.run_below("check-judge", 'answer("judge")')
    for value in (7, 8, 9):
        chapter.write("judge", f"def precision_recall_f1(labels, predictions):\n    return {value}, 0.0, 0.0\n")
        chapter.run("judge")
        assert "visible case" in chapter.run("check-judge")
    said = chapter.run_below("check-judge", 'answer("judge")')
    assert "def precision_recall_f1" in said and "Notice: " in said
    chapter.picture("answer")
    assert "the reference is in place" in chapter.run_below("check-judge", 'use_reference("judge")')


def test_start_says_how_far_one_is(chapter, folder):
    chapter.arrive()
    progress = next(c.id for c in nbformat.read(folder / "START.ipynb", as_version=4).cells if c.cell_type == "code")
    said = chapter.run(progress)
    assert "1 of 13" in said and "vocabulary" not in said.splitlines()[0] and "1 by use_reference" in said
    chapter.picture("progress")


@pytest.mark.parametrize("played", PLAYED)
def test_a_solved_chapter_runs_from_top_to_bottom_without_an_error_box(lab, played):
    lab.open(f"{played}/solved.ipynb")
    lab.run_all()
    outputs = lab.outputs()
    assert [cell for cell, found in outputs.items() for o in found if o["output_type"] == "error"] == []
    assert [cell for cell, found in outputs.items() for o in found if o.get("name") == "stderr"] == []
    points = {cell: o["data"]["text/plain"] for cell in outputs for o in outputs[cell] if "execution_count" in o}
    possible = {f"check-{c.name}": c.points for c in read(paths.source_text(played)) if c.kind == "check"}
    assert {check: float(points[check]) for check in possible} == possible
    for cell in [cell for cell, found in outputs.items() if "image/png" in json.dumps(found)]:
        lab.shown(cell)
        lab.picture(f"{played}-{cell}")
    lab.end_kernel()
    assert lab.errors == []


def test_the_panel_answers_what_is_typed(lab):
    lab.open("panel.ipynb")
    lab.run("panel")
    box = lab.page.get_by_placeholder("Ask the docs")
    box.fill("why?")
    box.press("Enter")
    lab.page.get_by_text("You asked why? [1]").wait_for()
    assert lab.page.locator("mark").inner_text() == "a title"
    assert "some <b>text</b>" in lab.page.locator("details pre").inner_text()
    lab.picture("panel")


def test_pictures_are_kept_only_where_somebody_asks(lab, tmp_path, monkeypatch):
    monkeypatch.setenv(KEPT, str(tmp_path))
    lab.picture("one")
    monkeypatch.delenv(KEPT)
    lab.picture("two")
    assert [path.name for path in tmp_path.iterdir()] == ["one.png"]
