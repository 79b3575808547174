"""A term, played through by our commands and nbgrader's own: `tests/test_term.py` judges what it leaves behind.

    python tests/term.py FOLDER --students 60

Three chapters as small as a chapter can be, in a checkout of their own (FOLDER/checkout); a third of the students hands
in by the exchange, a third by zips of Moodle, a third in folders. The last line says how long it took.
"""

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "docs/instructors/own_chapter/12_words"
CHAPTERS = ("10_words", "11_words", "12_words")
AGAIN = "nothing is lost: run the command again"
WAYS = ("exchange", "moodle", "folder")
GROUPS = ("lab1", "lab2")
FIRST = ("Ada", "Ben", "Chloé", "Dmytro", "Emine", "José María", "આશા", "Søren", "Anne-Marie", "O'Neil")
ANSWERS = {  # kind of answer: what stands in the cell, None as it was handed out
    "right": 'return max(tokens, key=len, default="")',
    "other": 'return sorted(tokens, key=lambda token: -len(token))[0] if tokens else ""',
    "edge": "return max(tokens, key=len)",
    "last": 'return sorted(tokens, key=len)[-1] if tokens else ""',
    "stops": "raise ValueError(len(tokens))",
    "blank": None,
}
EDGE = (
    '    check(longest_word, []).equals("", about="no words", edge=True)\n'  # the case that the first regrade takes out
)
ESSAYS = {"good": 14.0, "fair": 7.5, "none": 0.0}  # what the marker gives
WEIGHED = 60  # points of the exercise in chapter 11 after the second regrade, of 80
HOURS = {"10_words": 24, "11_words": -30, "12_words": 240}  # from now until a chapter is due
LATE = {"per_day": 10, "cap": 50, "grace_minutes": 15}
MORE = 24  # hours from now until chapter 11 is due for lab2


@dataclass
class Student:
    """Who somebody is, and what they do: kinds of answers and essays, and the hours from now at which work came."""

    id: str
    first: str
    last: str
    number: int
    way: str
    group: str
    answers: dict[str, str]
    essays: dict[str, str]
    hours: dict[str, float]

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"


def people(size: int) -> list[Student]:
    """Return the students of a term."""
    return [person(i) for i in range(size)]


def person(i: int) -> Student:
    """Return student i: all kinds of answers, essays and delays come up in each way of handing in."""
    way, turn = WAYS[i % 3], i // 3
    last = f"Quist{chr(97 + turn % 26)}{chr(97 + i % 26)}"
    kinds, essays = list(ANSWERS), list(ESSAYS)
    answers = {c: kinds[(turn + n) % len(kinds)] for n, c in enumerate(CHAPTERS)}
    written = {c: essays[(turn + 2 * n) % len(essays)] for n, c in enumerate(CHAPTERS)}
    hours = {c: arrival(c, way, turn) for c in CHAPTERS}
    student = f"s{i:03d}@uni.example" if way == "moodle" else f"s{i:03d}"
    return Student(student, FIRST[i % len(FIRST)], last, 5000 + i, way, GROUPS[turn % 2], answers, written, hours)


def arrival(chapter: str, way: str, turn: int) -> float:
    """Return when work comes, in hours from now: the exchange writes the time itself, others are early or late."""
    delay = {"10_words": (-2, 0.1, 49, -30), "11_words": (-12, -70, 0.2, 5), "12_words": (-1, 300, -3, -5)}[chapter]
    return 0.0 if way == "exchange" else HOURS[chapter] + delay[turn % 4] - turn / 50


def checkout(folder: Path) -> Path:
    """Make a checkout whose chapters are three copies of the handbook's."""
    for name in ("autograder", "helpers"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "datasets").mkdir()
    for name in ("pyproject.toml", "nbgrader_config.py", "requirements.lock", "datasets/registry.toml"):
        shutil.copy(ROOT / name, folder / name)
    for chapter in CHAPTERS:
        text = (EXAMPLE / "12_words.py").read_text(encoding="utf-8").replace("# 12 Words", f"# {chapter[:2]} Words")
        shutil.copytree(EXAMPLE, folder / "solutions" / chapter)
        (folder / "solutions" / chapter / "12_words.py").unlink()
        (folder / "solutions" / chapter / f"{chapter}.py").write_text(text, encoding="utf-8")
    return folder


class Term:
    """The term in a folder; it runs in the process that imports the checkout's own modules."""

    def __init__(self, folder: Path, students: list[Student], workers: int):
        from in_exchange import Exchange

        self.folder, self.course, self.students = folder, folder / "course", students
        self.workers = ["--workers", str(workers)] if workers else []
        self.now, self.steps, self.said = datetime.now(UTC).replace(microsecond=0), {}, {}
        self.course.mkdir()
        (self.course / "secret").write_text("of the term\n", encoding="utf-8")  # the same hidden inputs each time
        self.exchange = Exchange(folder, self.course)

    def by(self, way: str) -> list[Student]:
        return [s for s in self.students if s.way == way]

    def run(self, step: str, *words: str, code: int = 0) -> str:
        """Run a command of ours in the course's folder, and keep what it said."""
        from typer.testing import CliRunner

        from autograder.__main__ import app

        begun = time.perf_counter()
        os.chdir(self.course)
        told = CliRunner().invoke(app, list(words))
        if AGAIN in str(told.exception):  # a machine that has too much else to do
            told = CliRunner().invoke(app, list(words))
        if told.exit_code != code:
            raise SystemExit(
                f"bow2lora {' '.join(words)}: exit code {told.exit_code}\n{told.output}\n{told.exception!r}"
            )
        self.steps[step] = self.steps.get(step, 0) + time.perf_counter() - begun
        self.said.setdefault(step, []).append(told.output)
        return told.output

    def play(self) -> None:
        """Play the term."""
        self.rosters()
        self.hand_out()
        for chapter in CHAPTERS:
            self.hand_in(chapter)
            self.run("grade", "grade", chapter, *self.workers)
            self.essays(chapter)
        self.regrades()
        for chapter in CHAPTERS:
            self.give_back(chapter)
            self.export(chapter)
        self.keep()

    def rosters(self) -> None:
        """Bring in a plain CSV, Moodle's list of participants and Canvas's gradebook; and the dates."""
        plain = [(s.id, s.name, f"{s.id}@uni.example", s.group) for s in self.by("exchange")]
        table(self.folder / "plain.csv", ["id", "name", "email", "group"], plain)
        moodle = [(s.first, s.last, s.id, s.group) for s in self.by("moodle")]
        table(self.folder / "moodle.csv", ["First name", "Last name", "Email address", "Groups"], moodle)
        canvas = [(f"{s.last}, {s.first}", s.number, f"S{s.number}", s.id, s.group) for s in self.by("folder")]
        points = [("    Points Possible", "", "", "", "")]
        table(self.folder / "canvas.csv", ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"], points + canvas)
        for name in ("plain", "moodle", "canvas"):
            self.run("roster", "roster", "import", str(self.folder / f"{name}.csv"))
        (self.course / "course.toml").write_text(self.dates(), encoding="utf-8")

    def dates(self) -> str:
        due = "".join(f'"{c}" = {self.at(HOURS[c]).isoformat()}\n' for c in CHAPTERS)
        late = "".join(f"{name} = {value}\n" for name, value in LATE.items())
        return f'[due]\n{due}[late]\n{late}[extensions."11_words"]\nlab2 = {self.at(MORE).isoformat()}\n'

    def at(self, hours: float) -> datetime:
        return self.now + timedelta(hours=hours)

    def hand_out(self) -> None:
        """Write the student edition, and release the chapters to the exchange."""
        self.run("handout", "handout", "--to", str(self.folder / "students"))
        self.run("release", "release", *CHAPTERS, "--course", str(self.course))
        for chapter in CHAPTERS:
            self.exchange.instructor("release_assignment", chapter)

    def hand_in(self, chapter: str) -> None:
        """Let everybody hand in, each third in its way."""
        begun = time.perf_counter()
        for s in self.by("exchange"):
            self.exchange.student(s.id, "fetch_assignment", chapter)
            path = self.exchange.home(s.id) / chapter / f"{chapter}.ipynb"
            path.write_text(answered(path, s, chapter), encoding="utf-8")
            self.exchange.student(s.id, "submit", chapter)
        self.exchange.instructor("collect", chapter)
        self.steps["exchange"] = self.steps.get("exchange", 0) + time.perf_counter() - begun
        handed_out = self.folder / "students/notebooks" / chapter / f"{chapter}.ipynb"
        self.folders(handed_out, chapter)
        path = self.folder / f"{chapter}_moodle.zip"
        with zipfile.ZipFile(path, "w") as packed:
            for s in self.by("moodle"):
                name = f"{s.name}_{s.number}_assignsubmission_file_/{chapter}.ipynb"
                when = self.at(s.hours[chapter]).timetuple()[:6]
                packed.writestr(zipfile.ZipInfo(name, when), answered(handed_out, s, chapter))
        self.run("collect", "collect", chapter, str(path), "--zone", "UTC")

    def folders(self, handed_out: Path, chapter: str) -> None:
        """Put work into folders by hand, every other one under a name that a browser gives; late work with its date."""
        for n, s in enumerate(self.by("folder")):
            path = self.course / "submitted" / s.id / chapter / f"{chapter}{' (1)' * (n % 2)}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_text(answered(handed_out, s, chapter), encoding="utf-8")
            when = f"{self.at(s.hours[chapter]):%Y-%m-%d %H:%M:%S} UTC\n"
            path.with_name("timestamp.txt").write_text(when, encoding="utf-8")

    def essays(self, chapter: str) -> None:
        """Mark the essays as somebody who reads the page does, some of them twice."""
        self.run("essays", "essays", "export", chapter)
        folder = self.course / "essays" / chapter
        page = (folder / "poor-guess.html").read_text(encoding="utf-8")
        with (folder / "marks.csv").open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        kinds = {row["answer"]: kind for row in rows for kind in ESSAYS if f"a {kind} answer" in answer_of(page, row)}
        given = [(r["answer"], r["essay"], ESSAYS[kinds[r["answer"]]], r["of"], kinds[r["answer"]]) for r in rows]
        header = ["answer", "essay", "points", "of", "comment"]
        table(folder / "first.csv", header, given)
        table(folder / "second.csv", header, [(*row[:2], max(row[2] - 1, 0), *row[3:]) for row in given[:20]])
        second = ["--second", str(folder / "second.csv")]
        self.run("essays", "essays", "import", chapter, str(folder / "first.csv"), *second)

    def regrades(self) -> None:
        """Take a case out of the check of chapter 10; weigh the exercise of chapter 11 otherwise; tell of both."""
        from autograder import paths

        cases = paths.SOLUTIONS / CHAPTERS[0] / "checks/longest.py"
        text = cases.read_text(encoding="utf-8")
        assert EDGE in text
        cases.write_text(text.replace(EDGE, ""), encoding="utf-8")
        with (self.course / "course.toml").open("a", encoding="utf-8") as file:
            file.write(f"\n[chapters.{CHAPTERS[1]}]\npoints = {{longest = {WEIGHED}}}\n")
        for chapter in CHAPTERS:
            before = self.folder / "before"
            shutil.copytree(self.course / "build/graded" / chapter, before / "build/graded" / chapter)
            self.run(f"regrade {chapter}", "grade", chapter, *self.workers)
            self.run(f"report {chapter}", "report", chapter, "--before", str(before))

    def give_back(self, chapter: str) -> None:
        """Return the pages by the exchange and in a zip for Moodle."""
        begun = time.perf_counter()
        self.exchange.instructor("release_feedback", chapter)
        for s in self.by("exchange"):
            self.exchange.student(s.id, "fetch_feedback", chapter)
        self.steps["feedback"] = self.steps.get("feedback", 0) + time.perf_counter() - begun
        self.run("return", "return", chapter)

    def export(self, chapter: str) -> None:
        """Write what each system imports."""
        for form, name in {"canvas": "canvas.csv", "moodle": "moodle.csv", "junit": "junit.xml", "csv": "csv"}.items():
            to = self.course / "exports" / chapter / name
            code = 1 if form == "moodle" else 0  # Canvas gives no addresses, and says so
            self.run("export", "export", chapter, "--format", form, "--to", str(to), code=code)
        to = self.course / "exports" / chapter / "gradescope"
        self.run("export", "export", chapter, "--format", "gradescope", "--to", str(to))

    def keep(self) -> None:
        """Write down who did what, and what was said."""
        told = {"students": [asdict(s) for s in self.students], "said": self.said, "steps": self.steps}
        (self.folder / "term.json").write_text(json.dumps(told, indent=1), encoding="utf-8")


def answer_of(page: str, row: dict[str, str]) -> str:
    """Return the part of the page that holds an answer."""
    return page.partition(f'<article id="{row["answer"]}">')[2].partition("</article>")[0]


def answered(path: Path, student: Student, chapter: str) -> str:
    """Return a notebook with a student's answers in it; no two have the same code."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    body, essay = ANSWERS[student.answers[chapter]], student.essays[chapter]
    for cell in notebook["cells"]:
        if cell["id"] == "longest" and body is not None:
            cell["source"] = f"def longest_word(tokens):\n    # {student.id}\n    {body}"
        if cell["id"] == "essay-poor-guess" and essay != "none":
            cell["source"] = f"This is a {essay} answer, and {student.last} wrote it: *unfortunately* the rent is due."
    return json.dumps(notebook, ensure_ascii=False)


def table(path: Path, header: list[str], rows: list[tuple]) -> None:
    """Write a CSV."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def play(folder: Path, size: int, workers: int = 0) -> subprocess.CompletedProcess:
    """Make the checkout and play the term in a process that imports it."""
    folder.mkdir(parents=True, exist_ok=True)
    env = os.environ | {"PYTHONPATH": str(checkout(folder / "checkout"))}
    words = [sys.executable, __file__, str(folder), "--students", str(size), "--workers", str(workers), "--inside"]
    return subprocess.run(words, env=env, cwd=folder, capture_output=True, text=True, check=False)


def main() -> int:
    """Play a term; exit code 0 when it went through."""
    reader = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    reader.add_argument("folder", type=Path)
    reader.add_argument("--students", type=int, default=60)
    reader.add_argument("--workers", type=int, default=0, help="submissions graded at once (default: the grader's)")
    reader.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    given = reader.parse_args()
    begun = time.perf_counter()
    if given.inside:
        Term(given.folder.resolve(), people(given.students), given.workers).play()
        return 0
    done = play(given.folder.resolve(), given.students, given.workers)
    print(f"{done.stdout}{done.stderr}{given.students} students, {len(CHAPTERS)} chapters: ", end="")
    print(f"{time.perf_counter() - begun:.0f} seconds, exit code {done.returncode}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
