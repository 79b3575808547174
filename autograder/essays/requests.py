"""Regrade requests: what students ask in a file of their own, a table for markers, the answer in the feedback.

    requests/<chapter>/<student>.md     the student's: a line "# tf" for each question, what they ask below it
    requests/<chapter>/answers.csv      the markers': an answer, and other points where they are due

An answer is kept in the comment on the question, so the next feedback page has it. What the student asked is not: a
comment is rendered as Markdown. Of a team all get the answer: it is one work.
"""

import csv
import difflib
import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.utils import is_grade, is_solution

from autograder import cell_marks
from autograder.adopted_table import HandGraded, hand_graded
from autograder.essays.answers import CONSONANTS, authors
from autograder.gradebook.nbgrader_course import course_config
from autograder.gradebook.recorder import Recorder
from autograder.notebook_names import BETWEEN, notebook_of
from autograder.report import csvs, safe_text
from autograder.report.load import released
from autograder.spelling import alike
from autograder.spreadsheets import opened
from autograder.submissions import files
from autograder.submissions.collect import gradebook_name
from autograder.submissions.notebooks import tried
from helpers.errors import CourseError

FOLDER, ANSWERS = Path("requests"), "answers.csv"
SUFFIXES = (".md", ".txt")
COLUMNS = ("student", "question", "asked", "points", "of", "new points", "answer")
HEAD = "Regrade request"
TOLD = re.compile(rf"{HEAD} \((?P<mark>[a-z]+)\): (?P<answer>.*)\n*")
HEADING = re.compile(r"(?m)^#+[ \t]*(.*?)[ \t]*#*[ \t]*$")
LETTERS = 6  # of the mark of a request
MAX_BYTES, MAX_ASKED = 50_000, 900  # of a file; characters of what is asked on one question
MAX_SECTIONS = 50  # of a file: each is a row of the table, or a line on the terminal


@dataclass(frozen=True)
class Request:
    """What somebody asks on a question, and what came of it: "" where it is open."""

    student: str
    question: str
    asked: str
    points: float
    of: float
    answer: str = ""


def requests(course: Path, chapter: str) -> tuple[list[Request], list[str]]:
    """Return what students ask, by file and then as they ask it, and a line on each thing that cannot be one."""
    with Recorder(course_config(course), chapter) as recorder:
        if not recorder.has_chapter():
            raise CourseError(f"{course}: {chapter} was not graded yet")
        grades, comments, possible = recorder.grades(), recorder.comments(), recorder.possible()
    known = questions(course, chapter, possible)
    students = {alike(student): student for student in grades}
    found: list[Request] = []
    told: list[str] = []
    for path in sorted((course / FOLDER / chapter).glob("*")):
        if path.suffix.lower() not in SUFFIXES:
            continue
        student = students.get(alike(gradebook_name(path.stem)))
        raw = tried(files.read, path, MAX_BYTES)
        if student is None or isinstance(raw, str):
            reason = "nobody of this name has been graded" if student is None else raw
            told.append(f"{safe_text.name(path.name)}: {reason}")
            continue
        wanted = list(islice(sections(raw.decode("utf-8-sig", "replace")), MAX_SECTIONS + 1))
        if len(wanted) > MAX_SECTIONS:
            told.append(f"{safe_text.name(path.name)}: more than {MAX_SECTIONS} questions; the first ones are taken")
        for question, asked in wanted[:MAX_SECTIONS]:
            cell = known.cell(question)
            if cell is None:
                told.append(f"{safe_text.name(path.name)}: {known.unknown(question)}")
                continue
            if known.by_hand.table and known.commented(cell) not in comments[student]:
                told.append(f"{safe_text.name(path.name)}: {known.name(cell)}: its notebook has no cell for an answer")
                continue
            auto, manual, extra, _ = grades[student][cell]
            points = (auto or 0.0 if manual is None else manual) + (extra or 0.0)
            said = TOLD.search(comments[student].get(known.commented(cell), (None, None))[1] or "")
            answer = said["answer"] if said and said["mark"] == mark_of(asked) else ""
            found.append(Request(student, known.name(cell), asked, points, possible[cell], answer))
    return found, told


def sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield (question, what is asked, in a line) of a student's file; what is above the first heading is neither."""
    headings = list(HEADING.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    for heading, end in zip(headings, ends, strict=True):
        asked = safe_text.line(text[heading.end() : end], MAX_ASKED)
        if asked:
            yield heading[1], asked


def mark_of(asked: str) -> str:
    """Return a few letters by which an answer is known as one to this request, and not to an earlier one."""
    return hashlib.sha256(asked.encode()).hexdigest()[:LETTERS].translate(CONSONANTS)


@dataclass(frozen=True)
class Questions:
    """The graded cells of an assignment: the points of each, and what students call them.

    answers: of an adopted assignment, the answer's cell for each test, by which the gradebook keeps a comment on it.
    """

    possible: Mapping[str, float]
    by_hand: HandGraded
    answers: Mapping[str, str]

    def cell(self, question: str) -> str | None:
        """Return the id of the graded cell that somebody names; None if there is none.

        A cell of one of several notebooks may be named without its notebook, if no other has such a cell.
        """
        name = question.strip().strip("`").casefold()
        cells = sorted(self.possible, key=lambda cell: cell in self.by_hand)
        named = [cell for cell in cells if self.name(cell).casefold() == name]
        short = [cell for cell in cells if cell.casefold().endswith(f"{BETWEEN}{name}")]
        return next(iter(named or (short if len(short) == 1 else [])), None)

    def name(self, cell: str) -> str:
        """Return what students call a graded cell."""
        return self.by_hand.name(cell) if cell in self.by_hand else cell.removeprefix(cell_marks.PREFIX["check"])

    def commented(self, cell: str) -> str:
        """Return the id of the cell whose comment speaks of a graded cell: an essay's own, else the exercise's."""
        if self.by_hand.table:
            return self.answers.get(cell, cell)
        return cell if cell in self.by_hand else self.name(cell)

    def unknown(self, question: str) -> str:
        """Return that there is no such question, and the one that may be meant."""
        near = difflib.get_close_matches(question.casefold(), list(map(self.name, self.possible)), n=1)
        return f"there is no question '{safe_text.name(question)}'" + (f"; is it {near[0]}?" if near else "")


def questions(course: Path, chapter: str, possible: Mapping[str, float]) -> Questions:
    """Return the graded cells of a chapter, or of an adopted assignment. possible: the points of each."""
    by_hand = hand_graded(course, chapter)
    notebook = released(chapter, course) if by_hand.table else None
    return Questions(possible, by_hand, _answers(notebook) if notebook is not None else {})


def _answers(notebook: NotebookNode) -> dict[str, str]:
    """Return, by the id of a cell that is graded and holds no answer, that of the answer above it, else below it."""
    found: dict[str, str] = {}
    of_each: dict[str, list[NotebookNode]] = {}
    for cell in notebook.cells:
        of_each.setdefault(notebook_of(cell), []).append(cell)
    for of_one in of_each.values():
        last = next((cell.id for cell in of_one if is_solution(cell)), None)
        for cell in of_one:
            last = cell.id if is_solution(cell) else last
            if last is not None and is_grade(cell) and not is_solution(cell):
                found[cell.id] = last
    return found


def write(found: list[Request], path: Path) -> None:
    """Write the table for markers; what they have typed there and not recorded yet stays."""
    before_this = _rows(path) if path.is_file() else []
    typed = {(row["student"], row["question"], row["asked"]): row for row in before_this}
    rows: list[list] = [list(COLUMNS)]
    for one in found:
        row = [one.student, one.question, one.asked]
        before = typed.get((_cell(one.student), one.question, _cell(one.asked)), {})
        new, answer = before.get("new points", ""), one.answer or before.get("answer", "")
        rows.append([*row, round(one.points, 2), one.of, new, answer])
    csvs.save(rows, path)


def _cell(text: str) -> str:
    return str(safe_text.cell(text))


def _rows(path: Path) -> list[dict[str, str]]:
    content, separator = opened(path)
    table = csv.DictReader(content, delimiter=separator)
    missing = [name for name in COLUMNS if name not in (table.fieldnames or ())]
    if missing:
        raise CourseError(f"{path}: there is no column '{missing[0]}'; `requests list` writes the table")
    rows = []
    for row in table:
        rows.append({name: (row[name] or "").strip() for name in COLUMNS})
    return rows


def record(course: Path, chapter: str, path: Path) -> tuple[int, list[str]]:
    """Put the answers of the table into the gradebook; returns how many, and a line on each row that is wrong."""
    asked, _ = requests(course, chapter)
    known = {(_cell(one.student), one.question, _cell(one.asked)): one for one in asked}
    answers: dict[tuple[str, str], tuple[float | None, str]] = {}
    refused = []
    for line, row in enumerate(_rows(path), 2):
        if not row["answer"]:
            continue
        try:
            one = known.get((row["student"], row["question"], row["asked"]))
            if one is None:
                raise CourseError("nobody asks this now; `requests list` writes the table anew")
            key = one.student, one.question
            answers[key] = _points(row["new points"], one.of), f"{HEAD} ({mark_of(one.asked)}): {_plain(row['answer'])}"
        except CourseError as error:
            refused.append(f"{path}, row {line}: {error}")
    _give(course, chapter, answers)
    return len(answers), refused


def _points(text: str, most: float) -> float | None:
    """Return other points, None where they stay."""
    if not text:
        return None
    try:
        value = float(text.replace(",", "."))
    except ValueError:
        value = -1.0
    if not 0 <= value <= most:
        raise CourseError(f"'{safe_text.name(text)}' is no number of points from 0 to {most:g}")
    return value


def _plain(text: str) -> str:
    """Return an answer in a line, without the apostrophe that kept a spreadsheet from computing it."""
    plain = safe_text.line(text, MAX_ASKED)
    return plain[1:] if plain[:2] in ("'=", "'+", "'-", "'@") else plain


def _give(course: Path, chapter: str, answers: Mapping[tuple[str, str], tuple[float | None, str]]) -> None:
    """Write answers into the comments of those who asked, and of all in their team, before what stands there."""
    with Recorder(course_config(course), chapter) as recorder:
        known, comments = questions(course, chapter, recorder.possible()), recorder.comments()
        teams: dict[str, tuple[str, ...]] = {}
        for together in authors(course, chapter, comments).values():
            teams |= dict.fromkeys(together, together)
        points: dict[tuple[str, str], float] = {}
        said: dict[tuple[str, str], str] = {}
        for (student, question), (new, answer) in answers.items():
            cell = known.cell(question)
            assert cell is not None  # it was asked on this one
            for who in teams[student]:
                before = TOLD.sub("", comments[who].get(known.commented(cell), (None, None))[1] or "")
                said[who, known.commented(cell)] = f"{answer}\n\n{before}".strip()
                if new is not None:
                    points[who, cell] = new
        recorder.answer_by_hand(points, said)
