"""A chapter's way through JupyterHub, in a real browser: two students and the instructor on one machine.

It needs what a class on a hub needs: root, JupyterHub, its proxy, and a browser.
"""

import csv
from pathlib import Path
from urllib.parse import quote

import pytest
from hub_machine import PASSWORD, Machine, machine, missing
from lab_in_browser import CELL, TIMEOUT, Lab, browser_program

from autograder import paths
from helpers.course import model_answers

if lacks := missing():
    pytest.skip(f"it needs {lacks}", allow_module_level=True)
sync_api = pytest.importorskip("playwright.sync_api")

CHAPTER = "01_spam"
NOTEBOOK = f"{CHAPTER}/{CHAPTER}.ipynb"
ESSAY = "essay-swap"
ANSWERS = {name: answer.code for name, answer in model_answers.of_story(paths.source_text(CHAPTER)).items()}
COMMENT = "Say it with your own numbers."
LIST = "() => { jupyterapp.commands.execute('nbgrader:open-assignment-list') }"
SAVED = """async () => {
  await jupyterapp.shell.currentWidget.context.save();
  return jupyterapp.shell.currentWidget.context.model.dirty;
}"""
LOOK = """import helpers, pathlib
try:
    told = list(pathlib.Path({folder!r}).iterdir())
except PermissionError:
    told = "shut"
print(told, helpers.__file__)"""
ESSAY_TEXT = f"([id, text]) => ({CELL})(id).model.sharedModel.setSource(text)"


class Person(Lab):
    """Somebody's browser, logged in to the hub."""

    def __init__(self, browser, made: Machine, who: str):
        super().__init__(browser.new_context(viewport={"width": 1280, "height": 900}).new_page(), "")
        self.made, self.who, self.steps, self.home = made, who, 0, made.home(who)
        self.address = f"{made.address}/user/{who}{{}}"
        self.log_in(PASSWORD)
        self.page.wait_for_url(f"**/user/{who}/lab**")
        self.arrived()

    def log_in(self, password: str) -> None:
        """Type name and password into the hub's page."""
        self.page.goto(f"{self.made.address}/hub/login")
        self.page.get_by_label("Username").fill(self.who)
        self.page.get_by_label("Password").fill(password)
        self.page.get_by_role("button", name="Sign in").click()

    def press(self, button: str, then: str) -> None:
        """Open the list of assignments, press a button there, and wait for what shows that it is done."""
        self.page.goto(self.address.format("/lab?reset"))
        self.arrived()
        self.page.evaluate(LIST)
        self.page.get_by_role("button", name=button, exact=True).click()
        self.page.locator(then).first.wait_for(state="attached")

    def arrived(self) -> None:
        """Wait until JupyterLab is there."""
        self.page.wait_for_function("() => window.jupyterapp !== undefined")
        self.page.evaluate("() => jupyterapp.restored.then(() => true)")

    def type(self, command: str) -> None:
        """Run a command in a terminal of JupyterLab; it has to succeed."""
        self.steps += 1
        done = self.home / f"step{self.steps}"
        self.page.goto(self.address.format("/lab?reset"))
        self.arrived()
        self.page.evaluate("() => jupyterapp.commands.execute('terminal:create-new').then(() => true)")
        self.page.locator(".xterm-helper-textarea").first.focus()
        self.page.keyboard.insert_text(f"cd {self.made.hub}/course; {command}; echo $? > {done}")
        self.page.keyboard.press("Enter")
        for _ in range(5 * TIMEOUT // 250):
            if said(done):
                break
            self.page.wait_for_timeout(250)
        assert said(done) == "0", f"{command}: {self.page.locator('.xterm-rows').first.inner_text()}"

    def save(self) -> None:
        """Save the notebook."""
        assert self.page.evaluate(SAVED) is False


def said(path: Path) -> str:
    """Return what a file holds, nothing while it is not there."""
    return path.read_text(encoding="utf-8").strip() if path.is_file() else ""


@pytest.fixture(scope="module")
def made():
    """The machine."""
    with machine() as found:
        yield found


@pytest.fixture(scope="module")
def browser():
    """A browser for all."""
    with sync_api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=browser_program(), args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture(scope="module")
def prof(made, browser) -> Person:
    """The instructor, who has released a chapter."""
    found = Person(browser, made, "prof")
    found.type("python -m autograder release 1 --course . && python -m nbgrader release_assignment 01_spam")
    return found


@pytest.fixture(scope="module")
def students(made, browser, prof) -> dict[str, Person]:
    """Two students who have fetched the chapter."""
    found = {who: Person(browser, made, who) for who in ("ada", "ben")}
    for student in found.values():
        student.press("Fetch", "#fetched_assignments_list button")
        student.picture(f"{student.who}-fetched")
    return found


def test_the_instructor_sees_the_course_and_the_chapter(prof):
    prof.page.evaluate("() => { jupyterapp.commands.execute('nbgrader:open-course-list') }")
    prof.page.locator("#formgrader_list .list_item", has_text="bow2lora").wait_for()
    prof.picture("prof-courses")
    prof.page.goto(prof.address.format("/formgrader/manage_assignments"))
    prof.page.get_by_role("link", name=CHAPTER).first.wait_for()
    prof.picture("prof-chapters")


def test_students_have_no_formgrader_and_a_wrong_password_opens_nothing(made, browser, students):
    answer = students["ada"].page.request.get(f"{made.address}/user/ada/formgrader/manage_assignments")
    assert answer.status == 404
    page = browser.new_context().new_page()
    stranger = Person.__new__(Person)
    stranger.page, stranger.made, stranger.who = page, made, "ben"
    stranger.log_in("wrong")
    page.get_by_text("Invalid username or password").wait_for()


def test_they_work_and_submit(made, students):
    for who, right in {"ada": True, "ben": False}.items():
        student = students[who]
        student.open(NOTEBOOK)
        assert "Ready." in student.run("given-01")
        student.write("rules", ANSWERS["rules"] if right else ANSWERS["rules"].replace("> len", ">= len"))
        student.run("rules")
        assert ("1 of 12" in student.run("check-rules")) is right
        student.page.evaluate(ESSAY_TEXT, [ESSAY, f"I am {who}: *click* is in both."])
        student.picture(f"{who}-works")
        student.save()
    told = students["ada"].run_below("given-01", LOOK.format(folder=str(made.hub / "course")))
    assert told.startswith("shut") and str(made.edition) in told
    told = students["ada"].run_below("given-01", LOOK.format(folder=str(made.checkout)))
    assert told.startswith("shut")
    for student in students.values():
        student.press("Submit", "#submitted_assignments_list .list_item")
        student.picture(f"{student.who}-submitted")


def test_the_instructor_collects_in_formgrader_and_grades(made, prof, students):
    prof.page.goto(prof.address.format("/formgrader/manage_assignments"))
    prof.page.locator("td.collect a").first.click()
    prof.page.get_by_text("Successfully collected").wait_for()
    prof.picture("prof-collected")
    assert {path.name for path in (made.hub / "course/submitted").iterdir()} == set(students)
    prof.type("python -m autograder grade 1")
    prof.picture("prof-graded")
    with (made.hub / "course/grades.csv").open(encoding="utf-8", newline="") as file:
        scores = {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}
    assert scores["ada"] == 6 > scores["ben"]


def test_an_essay_is_marked_in_formgrader(prof):
    listed = prof.address.format(f"/formgrader/api/submitted_notebooks/{CHAPTER}/{CHAPTER}")
    ada = next(one["id"] for one in prof.page.request.get(listed).json() if one["student"] == "ada")
    prof.page.goto(prof.address.format(f"/formgrader/submissions/{ada}/"))
    prof.page.get_by_text("I am ada").wait_for()
    prof.page.wait_for_load_state("networkidle")
    with prof.page.expect_response(lambda answer: "/formgrader/api/grade/" in answer.url and answer.ok):
        points = prof.page.locator(f"input.score[id='{ESSAY}']")
        points.fill("7.5")
        points.blur()
    with prof.page.expect_response(lambda answer: "/formgrader/api/comment/" in answer.url and answer.ok):
        comment = prof.page.locator(f"textarea.comment[id='{ESSAY}-comment']")
        comment.fill(COMMENT)
        comment.blur()
    prof.picture("prof-marks")


def test_the_page_comes_back_to_the_student_whose_work_it_is(made, prof, students):
    prof.type("python -m autograder grade 1 && python -m nbgrader release_feedback 01_spam")
    ada, ben = students["ada"], students["ben"]
    for student in (ada, ben):
        student.press("Fetch Feedback", "#submitted_assignments_list :text('view feedback')")
        student.picture(f"{student.who}-feedback")
    (page,) = (ada.home / CHAPTER / "feedback").glob(f"*/{CHAPTER}.html")
    ada.page.goto(ada.address.format(f"/files/{quote(str(page.relative_to(ada.home)))}"))
    ada.page.get_by_text(COMMENT).first.wait_for()
    ada.picture("ada-reads")
    text = ada.page.inner_text("body")
    assert "I am ada" in text and "I am ben" not in text and "13.5 / 100.0" in text
