"""Grading through the real path: a small class, its gradebook, its feedback, its CSV files."""

import csv
import html
import io
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.utils import compute_checksum, determine_grade
from quick_course import forge_cases
from rich.console import Console

from autograder import cell_marks, paths
from autograder.authoring.build import build
from autograder.cell_marks import HIDDEN
from autograder.cells import judged_cells, new_shell
from autograder.cells import run as run_cell
from autograder.execution.in_process_worker import InProcessWorker
from autograder.execution.results import Row
from autograder.gradebook.nbgrader_course import grading_config
from autograder.gradebook.nbgrader_steps import HideTests, Verdicts
from autograder.grading import sample_class
from autograder.grading.grade import grade, max_workers
from autograder.report import report
from helpers.checks import Check
from helpers.checks.values import describe
from helpers.errors import CourseError

CHAPTER = "01_spam"
LARGEST_PAGE = 150_000  # bytes of a page of feedback, besides pictures
TIMEOUT = 120  # seconds for one cell; a check stops an endless call after 10


def pat_ends_the_process(m: sample_class.Material) -> NotebookNode:
    """Ends the process that runs the notebook, in the eighth exercise."""
    return m.notebook(m.solutions | {"tfidf": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"})


def zoe_mischief(m: sample_class.Material) -> NotebookNode:
    """Wants something to run in the grader's browser or terminal."""
    nb = m.notebook(m.solutions | {"tf": f"print('\\x1b[2J\\x1b]0;owned\\x07done')\n{m.solutions['tf']}"})
    for c in nb.cells:
        if cell_marks.from_metadata(c) == "essay":
            c.source = "Because <script>alert(1)</script> [of](javascript:alert(2)) <img src=x onerror=alert(3)>."
        if c.id == "tf":
            c.outputs = [nbformat.v4.new_output("display_data", data={"text/html": "<script>alert(4)</script>"})]
    return nb


CLASS = (
    sample_class.ines_endless_function,
    pat_ends_the_process,
    sample_class.ada_right,
    sample_class.ben_another_way,
    sample_class.dan_untouched,
    sample_class.finn_copied_cell,
    sample_class.gina_deleted_check,
    sample_class.eve_mistakes,
    sample_class.nora_skips_checks,
    sample_class.pia_empty_file,
    zoe_mischief,
)


@dataclass
class Graded:
    """A graded course: its folder, the results by student, the lines that were printed."""

    course: Path
    results: dict[str, Row]
    lines: list[str]

    def total(self, student: str) -> float:
        """Return the points that were given by machine."""
        return self.results[student].total

    def again(self, **options) -> "Graded":
        """Grade the course once more."""
        return run(self.course, **options)


def run(course: Path, **options) -> Graded:
    """Grade a course."""
    lines: list[str] = []
    options = {"backend": InProcessWorker, "timeout": TIMEOUT} | options
    results = grade(CHAPTER, course, say=lines.append, **options)
    return Graded(course, {r.student: r for r in results}, lines)


@pytest.fixture(scope="module")
def graded(tmp_path_factory) -> Graded:
    """The small class, graded once."""
    build(CHAPTER)
    before = paths.release_notebook(CHAPTER).read_bytes()
    course = tmp_path_factory.mktemp("a course (2026) ")  # a folder as people have them
    sample_class.make(course, CLASS)
    (course / "submitted/ada-right" / CHAPTER / "numpy.py").write_text("raise SystemExit", encoding="utf-8")
    forge_cases(course / "submitted/dan-untouched" / CHAPTER)
    done = run(course)
    assert paths.release_notebook(CHAPTER).read_bytes() == before
    return done


def test_right_answers_get_all_points(graded):
    result = graded.results["ada-right"]
    assert result.scores == result.points and result.total == 80
    assert result.notes == ()


def test_right_answers_in_another_way_get_all_points(graded):
    assert graded.results["ben-another-way"].scores == graded.results["ada-right"].scores


def test_the_untouched_notebook_gets_none(graded):
    result = graded.results["dan-untouched"]
    assert result.total == 0 and len(result.scores) == 13


@pytest.mark.parametrize(
    ("student", "told"),
    [
        ("finn-copied-cell", "tf: there were several copies"),
        ("gina-deleted-check", "check-bag: the cell was missing"),
    ],
)
def test_damage_does_not_matter_and_is_told(graded, student, told):
    assert graded.total(student) == 80
    assert any(note.startswith(told) for note in graded.results[student].notes)


def test_tags_that_skip_checks_earn_what_the_honest_twin_earns(graded):
    assert graded.results["nora-skips-checks"].scores == graded.results["eve-mistakes"].scores
    assert 0 < graded.total("eve-mistakes") < 80


def test_an_endless_loop_costs_its_own_exercise_only(graded):
    result = graded.results["ines-endless-function"]
    lost = {name for name in result.scores if result.scores[name] != result.points[name]}
    assert lost == {"ngrams"} and result.scores["ngrams"] == 0
    assert result.notes == ("check-ngrams: a call did not come to an end and was stopped",)


def test_a_submission_that_ends_its_process_loses_one_exercise_and_stops_nobody(graded):
    result = graded.results["pat-ends-the-process"]
    assert {name for name in result.scores if result.scores[name] < result.points[name]} == {"tfidf"}
    assert result.notes == ("tfidf: the process ended in this cell; what follows was run in a new process",)
    assert len(graded.results) == len(CLASS) == len(graded.lines) - 1


def test_what_cannot_be_read_is_told_in_a_line(graded):
    result = graded.results["pia-empty-file"]
    assert result.total == 0 and set(result.essays.values()) == {0.0}
    assert result.notes == (f"{CHAPTER}.ipynb: the file is empty",)
    page = text_of(graded.course / "feedback/pia-empty-file" / CHAPTER / f"{CHAPTER}.html")
    assert "Notes on this submission" in page and "the file is empty" in page


def test_essays_wait_for_a_person_unless_they_are_empty(graded):
    assert graded.results["ada-right"].essays == {"false-alarms": None, "swap": None}
    assert graded.results["dan-untouched"].essays == {"false-alarms": 0.0, "swap": 0.0}


def gradebook_of(course: Path) -> Gradebook:
    """Open the gradebook of a course."""
    return Gradebook(f"sqlite:///{course / 'gradebook.db'}", "bow2lora")


def notebook_of(course: Path, student: str) -> NotebookNode:
    """Read a notebook of autograded/."""
    return nbformat.read(course / "autograded" / student / CHAPTER / f"{CHAPTER}.ipynb", as_version=4)


def test_the_gradebook_holds_what_is_printed(graded):
    with gradebook_of(graded.course) as gradebook:
        for student, result in graded.results.items():
            assert gradebook.find_submission(CHAPTER, student).score == pytest.approx(result.total)
        assert gradebook.find_assignment(CHAPTER).max_score == 100


def test_nbgrader_reads_the_same_points_from_the_notebooks(graded):
    for student, result in graded.results.items():
        nb = notebook_of(graded.course, student)
        nbformat.validate(nb)
        read = {c.id: determine_grade(c)[0] for c in nb.cells if cell_marks.from_metadata(c) in ("check", "essay")}
        assert {i: s for i, s in read.items() if i.startswith("check-")} == {
            f"check-{name}": score for name, score in result.scores.items()
        }
        assert {i.removeprefix("essay-"): s for i, s in read.items() if i.startswith("essay-")} == result.essays


def test_nothing_that_a_student_wrote_runs_in_a_browser_or_terminal(graded):
    nb = notebook_of(graded.course, "zoe-mischief")
    assert graded.total("zoe-mischief") == 80
    kinds = {o.output_type for c in nb.cells if c.cell_type == "code" for o in c.outputs}
    assert kinds <= {"stream", "execute_result", "error"} and "\x1b" not in nbformat.writes(nb)
    page = (graded.course / "feedback/zoe-mischief" / CHAPTER / f"{CHAPTER}.html").read_text(encoding="utf-8")
    for viewer in (page, formgrader_page(graded.course, "zoe-mischief")):
        soup = BeautifulSoup(viewer, "html.parser")
        assert not any("alert(" in script.text for script in soup.find_all("script"))
        assert not [tag for tag in soup.find_all(True) if {"onerror", "onload"} & set(tag.attrs)]
        assert not [a for a in soup.find_all("a") if a.get("href", "").startswith("javascript")]
        assert "Because" in soup.text and "alert(3)" in soup.text


def formgrader_page(course: Path, student: str) -> str:
    """Return what formgrader shows of a submission: its exporter, its template."""
    from nbconvert.exporters import HTMLExporter
    from nbgrader.server_extensions.formgrader import handlers

    config = grading_config(course)
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    names = ("assignment_id", "notebook_id", "submission_id", "base_url", "student", "last_name", "first_name")
    resources = dict.fromkeys([*names, "notebook_path"], "x") | {"index": 0, "total": 1}
    path = course / "autograded" / student / CHAPTER / f"{CHAPTER}.ipynb"
    return HTMLExporter(config=config).from_filename(str(path), resources=resources)[0]


def test_formgrader_has_a_box_for_every_point(graded):
    page = BeautifulSoup(formgrader_page(graded.course, "ada-right"), "html.parser")
    boxes = {box["id"] for box in page.select("input.score")}
    assert len(boxes) == 15 and {"check-tf", "essay-swap"} <= boxes


def text_of(page: Path) -> str:
    """Return the text of an HTML page, white space made even."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8"))).split())


def lines_of(source: str) -> set[str]:
    """Return the lines that are long enough to be told from others, white space made even."""
    return {" ".join(line.split()) for line in source.splitlines() if len(line.strip()) > 30}


def as_students_have_it(source):
    """Return a cell without its hidden cases and without the code of known mistakes."""
    return HIDDEN.sub("", cell_marks.MISTAKES.sub("", source))


def test_feedback_shows_reports_but_no_hidden_tests(graded):
    source = nbformat.read(paths.source_notebook(CHAPTER), as_version=4)
    checks = [c.source for c in source.cells if cell_marks.from_metadata(c) == "check"]
    known = " ".join(" ".join(as_students_have_it(c.source).split()) for c in source.cells)
    hidden = {line for c in checks for line in lines_of(c) if line not in known}
    pages = sorted((graded.course / "feedback").glob(f"*/{CHAPTER}/*.html"))
    assert len(pages) == len(CLASS) and len(hidden) > 100
    for page in pages:
        if "ben-another-way" in page.parts:  # whose own answer does what a hidden test does
            continue
        text, theirs = text_of(page), notebook_of(graded.course, page.parts[-3])
        checked = [c for c in theirs.cells if cell_marks.from_metadata(c) == "check"]
        said = set().union(*(lines_of(o.text) for c in checked for o in c.outputs[:1] if "text" in o))
        assert [line for line in said if line not in text] == []
        assert [line for line in hidden if line in text] == []


def test_feedback_needs_no_network_and_little_room(graded):
    for page in (graded.course / "feedback").glob(f"*/{CHAPTER}/*.html"):
        content = page.read_text(encoding="utf-8")
        soup = BeautifulSoup(content, "html.parser")
        assert soup(["script", "link", "iframe", "object", "embed"]) == [], page
        assert all(tag["src"].startswith("data:image/png;base64,") for tag in soup.find_all(src=True)), page
        assert not re.search(r"url\(|@import", content)
        assert content.count("<math") > 100 and "<code>$" not in content
        assert len(re.sub(r"data:image/png;base64,[^\"]*", "", content).encode()) <= LARGEST_PAGE, page


def test_who_grades_essays_reads_the_mark_scheme_and_students_do_not(graded):
    source = nbformat.read(paths.source_notebook(CHAPTER), as_version=4)
    schemes = [cell_marks.mark_scheme(c.source) for c in source.cells if cell_marks.from_metadata(c) == "essay"]
    lines = {line for scheme in schemes for line in scheme.splitlines()}
    assert len(schemes) == 2 and len(lines) > 5
    for page in (graded.course / "feedback").glob(f"*/{CHAPTER}/*.html"):
        text, seen = text_of(page), notebook_of(graded.course, page.parts[-3])
        assert "Mark scheme" not in text and [line for line in lines if line in text] == []
        assert all(any(line in c.source for c in seen.cells) for line in lines)


def test_feedback_shows_no_hidden_input(graded, monkeypatch):
    """The calls of hidden cases, on Eve's answers: what they are given and what came back is in no page."""
    monkeypatch.setenv("BOW2LORA_SECRET", (graded.course / "secret").read_text(encoding="utf-8").strip())
    secrets, shown = [], set()
    leave = Check.__exit__

    def watched(self, *error):
        for case, hidden in self.cases:
            (secrets.extend if hidden else shown.update)([case.call(), describe(case.value)])
        return leave(self, *error)

    monkeypatch.setattr(Check, "__exit__", watched)
    shell = new_shell()
    for cell in judged_cells(notebook_of(graded.course, "eve-mistakes").cells):
        run_cell(shell, cell.source)
    secrets = {" ".join(text.split()) for text in secrets if len(text) > 40 and text not in shown}
    assert len(secrets) > 50
    for page in (graded.course / "feedback").glob(f"*/{CHAPTER}/*.html"):
        text = text_of(page)
        assert [secret for secret in secrets if secret in text] == []


def test_no_file_of_a_student_reaches_the_kernel(graded):
    files = {p.name for p in (graded.course / "autograded/ada-right" / CHAPTER).rglob("*")}
    assert files == {f"{CHAPTER}.ipynb"}


def test_csv(graded):
    with (graded.course / "grades.csv").open(encoding="utf-8") as file:
        totals = {row["student_id"]: float(row["raw_score"]) for row in csv.DictReader(file)}
    assert totals == {student: pytest.approx(r.total) for student, r in graded.results.items()}
    with (graded.course / "questions.csv").open(encoding="utf-8") as file:
        rows = {row["student"]: row for row in csv.DictReader(file)}
    assert set(rows) == set(totals)
    for student, result in graded.results.items():
        assert {name: float(rows[student][name]) for name in result.scores} == result.scores
        assert float(rows[student]["total by machine"]) == result.total
        assert rows[student]["notes"] == "; ".join(result.notes)
    assert rows["ada-right"]["essay swap"] == "by hand" and rows["dan-untouched"]["essay swap"] == "0.0"


def test_a_second_run_grades_what_failed_or_changed_and_nothing_else(graded, tmp_path):
    course = tmp_path / "copy"
    shutil.copytree(graded.course, course)
    same = run(course)
    assert same.lines == [f"{CHAPTER}: {len(CLASS)} submissions, 0 of them new or changed"]
    assert same.results == graded.results
    page = course / "submitted/dan-untouched" / CHAPTER / f"{CHAPTER}.ipynb"
    shutil.copy(course / "submitted/ada-right" / CHAPTER / f"{CHAPTER}.ipynb", page)
    changed = run(course)
    assert changed.lines[0] == f"{CHAPTER}: {len(CLASS)} submissions, 1 of them new or changed"
    assert changed.total("dan-untouched") == 80
    assert changed.results["dan-untouched"].essays == graded.results["ada-right"].essays
    told = changed.lines[-1]
    assert told.startswith("  dan-untouched: 0 -> 80: rules 0 -> 6,") and told.endswith("(a new answer)")


def command(*arguments: str) -> subprocess.CompletedProcess:
    """Run the command line."""
    call = [sys.executable, "-m", "autograder", *arguments]
    return subprocess.run(call, capture_output=True, text=True, check=False)


def test_without_submissions_the_command_says_so_in_a_line_and_makes_nothing(tmp_path):
    done = command("grade", CHAPTER, "--course", str(tmp_path), "--no-sandbox")
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.startswith("error: ") and len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(CourseError, match="no submissions"):
        grade(CHAPTER, tmp_path, backend=InProcessWorker)


def cells(*outputs, source: str = "score", kind: str = "check") -> NotebookNode:
    """Return a notebook with one cell of 5 points that has these outputs."""
    new = nbformat.v4.new_markdown_cell if kind == "essay" else nbformat.v4.new_code_cell
    cell = new(source, id=f"{kind}-x", metadata=cell_marks.to_metadata(kind, {"points": 5}, f"{kind}-x"))
    if kind != "essay":
        cell.outputs = list(outputs)
    return nbformat.v4.new_notebook(cells=[cell])


def value(text: str) -> NotebookNode:
    """Return the output of a cell whose last line has this value."""
    return nbformat.v4.new_output("execute_result", data={"text/plain": text})


def stream(name: str, text: str) -> NotebookNode:
    """Return printed output."""
    return nbformat.v4.new_output("stream", name=name, text=text)


ERROR = nbformat.v4.new_output("error", ename="KeyError", evalue="x", traceback=["check(f, SECRET)"])


@pytest.mark.parametrize(
    ("outputs", "points"),
    [
        ([value("5.0")], 5), ([value("2.5")], 2.5), ([value("0.0")], 0),
        ([stream("stderr", "a warning"), stream("stdout", "report"), value("5.0")], 5),
        ([], 0), ([stream("stdout", "report")], 0), ([value("nan")], 0), ([value("inf")], 0), ([value("-1.0")], 0),
        ([value("6.0")], 0), ([value("np.float64(5.0)")], 0), ([value("None")], 0), ([value("'5'")], 0),
        ([value("5.0"), ERROR], 0), ([ERROR], 0), ([value("5.0"), value("1.0")], 1),
    ],
)  # fmt: skip
def test_a_check_earns_only_by_a_number_within_its_points(outputs, points):
    nb, _ = Verdicts().preprocess(cells(*outputs), {})
    assert determine_grade(nb.cells[0]) == (points, 5)
    assert "SECRET" not in nbformat.writes(nb)
    assert all(o.get("name") != "stderr" for o in nb.cells[0].outputs)


@pytest.mark.parametrize(("source", "empty"), [("YOUR ANSWER HERE", True), ("My answer.", False)])
def test_an_empty_essay_is_known_by_its_checksum(source, empty):
    nb, _ = Verdicts().preprocess(cells(source=source, kind="essay"), {})
    meta = nb.cells[0].metadata.nbgrader
    assert (meta.get("checksum") == compute_checksum(nb.cells[0])) == empty


def test_checks_alone_become_their_call():
    made = HideTests().preprocess(cells(source="a = 1\n### BEGIN HIDDEN TESTS\nb = 2\n### END HIDDEN TESTS"), {})[0]
    name = made.cells[0].metadata.nbgrader.grade_id.removeprefix(cell_marks.PREFIX["check"])
    assert made.cells[0].source == cell_marks.call(name)
    own = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("### BEGIN HIDDEN TESTS")])
    assert HideTests().preprocess(own, {})[0].cells[0].source == "### BEGIN HIDDEN TESTS"


def printed(results: list[Row], width: int) -> str:
    """Return the report as a terminal of this width shows it."""
    console = Console(width=width, record=True, file=io.StringIO())
    for part in report(results, CHAPTER, width):
        console.print(part)
    return console.export_text()


@pytest.mark.parametrize("width", [40, 80, 100, 200])
def test_no_column_of_fourteen_questions_is_lost(width):
    points = {f"question-{i}": 5.71 for i in range(1, 15)}
    scores = {name: i / 10 + 1 for i, name in enumerate(points, 1)}
    rows = [Row(f"student-with-a-long-name-{i}", scores, points, {"why": None}, (), 4.0) for i in range(2)]
    lines = printed(rows, width).splitlines()
    table = "\n".join(lines[: next(i for i, line in enumerate(lines) if line.startswith("Questions:"))])
    for shown in [*(f"{score:g}" for score in scores.values()), "24.5"]:
        assert len(re.findall(rf"(?<![\d.]){shown}(?![\d.])", table)) >= 2, shown
    assert table.count("open") == 2 and "\u2026" not in table
    assert max(map(len, lines)) <= width


def test_workers_are_as_many_as_cores_and_memory_allow(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(8)), raising=False)
    for gigabytes, workers in ((64, 8), (8, 5), (1, 1)):
        memory = SimpleNamespace(total=gigabytes * 10**9)
        monkeypatch.setattr("psutil.virtual_memory", lambda found=memory: found)
        assert max_workers() == workers


@pytest.mark.parametrize("width", [40, 140])
def test_a_chapter_of_essays_alone_has_a_report(width):
    assert "Questions: none." in printed([Row("ada", {}, {}, {"why": 3.0}, (), 0.1)], width)


@pytest.mark.parametrize("width", [80, 140])
def test_the_report_fits_and_takes_no_text_for_markup(width):
    points = dict.fromkeys(["rules", "naive-bayes"], 6.0)
    ada = Row("[red]ada", {"rules": 6.0, "naive-bayes": 2.18}, points, {"swap": None}, ("own[0]: stopped",), 4.0)
    ben = Row("ben", {"rules": 0.0, "naive-bayes": 0.0}, points, {"swap": 0.0}, (), 4.0)
    text = printed([ada, ben], width)
    assert all(word in text for word in ["[red]ada", "own[0]: stopped", "1 rules, 2 naive-bayes", "open", "8.2"])
    assert ("[red]ada: own[0]" in text) == (width == 80)  # a note has a line of its own where the table is narrow
    assert max(map(len, text.splitlines())) <= width
