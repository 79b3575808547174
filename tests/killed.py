"""Kill `grade` at random moments: what the runs leave behind together is what one undisturbed run leaves behind.

    python tests/killed.py FOLDER --kills 10 --seed 1

Twenty submissions of chapter 01, real ones, no two with the same answers: four teams of two, of whom one member or both
handed in, and five that came late. Each run but the last is ended by a SIGKILL of the coordinator: when it has taken
some steps (a result that is kept, a student's note, a page), at random two to seven, and up to half a second later. So
each kill hits a run at its work, however busy the machine is. An undisturbed run that lies in FOLDER already is not
made again.
What is compared: every row of grades, each table's number of rows, feedback pages, and both CSVs; the seconds of a run
are no part of it. Exit code 0 only where all of it is the same, no run that was not killed failed, and no temporary
file is left.
"""

import argparse
import csv
import json
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from nbgrader.api import Gradebook

from autograder import paths
from autograder.authoring import build
from autograder.grading import sample_class
from autograder.grading.sample_class import CHAPTER, STUDENTS

LAST = 20  # submissions; the sample class has fewer, so some are handed in by two
TEAMS = {f"Team {number}": [f"s{2 * number:02}", f"s{2 * number + 1:02}"] for number in range(4)}
SOLO = ("s01", "s05")  # members who hand in nothing: the other one's work is theirs
STEPS = (2, 7)  # that a run takes before it is killed
LATE = {"s00": 3, "s04": 2, "s09": 5, "s14": 6, "s17": 3}  # days of October; it is due on the first
SLOW = {"ines_endless_function", "jon_endless_cell"}  # minutes of endless loops show nothing here
DUE = '[due]\n"01_spam" = 2026-10-01T23:59:00+00:00\n\n[late]\nper_day = 10\ncap = 50\n'
NOT_COMPARED = re.compile(r"\d+(\.\d+)? s(econds)?\b|\d{4}-\d\d-\d\d[T ][\d:.]+")
TEMPORARY = re.compile(r"\.tmp|~$|\.new$|\.old$|-journal$")


def make(course: Path) -> None:
    """Write the submissions and course.toml."""
    build.fresh(CHAPTER)
    kinds = [one for one in STUDENTS if one.__name__ not in SLOW]
    sample_class.make(course, tuple(kinds))
    works = sorted((course / "submitted").iterdir())
    (course / "submitted").rename(course / "works")
    for number in range(LAST + len(SOLO)):
        student = f"s{number:02}"
        if student not in SOLO:
            work = course / "works" / works[number % len(works)].name
            shutil.copytree(work, course / "submitted" / student)
            own_answer(course / "submitted" / student / CHAPTER / f"{CHAPTER}.ipynb", student)
            if student in LATE:
                stamp = course / "submitted" / student / CHAPTER / "timestamp.txt"
                stamp.write_text(f"2026-10-{LATE[student]:02} 12:00:00 UTC", encoding="utf-8")
    shutil.rmtree(course / "works")
    groups = "".join(f'"{name}" = {members}\n' for name, members in TEAMS.items())
    words = f'{DUE}\n[teams]\n"{CHAPTER}" = ["Team *"]\n\n[groups]\n{groups}'
    (course / "course.toml").write_text(words.replace("'", '"'), encoding="utf-8")
    (course / "secret").write_text("killed-and-killed-again", encoding="ascii")


def own_answer(path: Path, student: str) -> None:
    """Write a student's name into the first answer, where it can be read: the same answers are graded once."""
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return
    for cell in notebook["cells"]:
        if cell.get("id") == "rules":
            cell["source"] = f"{''.join(cell['source'])}\n# {student}"
    path.write_text(json.dumps(notebook), encoding="utf-8")


def command(course: Path) -> list[str]:
    """Return the command line of a run."""
    return [sys.executable, "-m", "autograder", "grade", CHAPTER, "--course", str(course)]


def graded(course: Path) -> float:
    """Grade without being disturbed; return the seconds."""
    started = time.monotonic()
    ran = subprocess.run(command(course), cwd=paths.ROOT, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"an undisturbed run ended with code {ran.returncode}: {(ran.stdout + ran.stderr)[-400:]}")
    return time.monotonic() - started


def steps(course: Path) -> int:
    """Return how many results, notes on students and pages there are."""
    kept = (course / "build" / "graded" / CHAPTER).rglob("*.json")
    return len([*kept, *(course / "feedback").rglob("*.html")])


def killed(course: Path, more: int, after: float) -> str:
    """Grade, and end the run by SIGKILL after so many steps and then seconds; return what happened."""
    before = steps(course)
    begun = subprocess.Popen(command(course), cwd=paths.ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while begun.poll() is None and steps(course) < before + more:
        time.sleep(0.02)
    try:
        return f"had ended before, code {begun.wait(after)}"
    except subprocess.TimeoutExpired:
        begun.send_signal(signal.SIGKILL)
        begun.wait()
    return f"killed {after:.2f} s after {more} steps; of all steps {steps(course)} are done"


def left(course: Path) -> dict[str, object]:
    """Return what runs leave behind, without what differs from run to run."""
    found: dict[str, object] = {}
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "bow2lora") as gradebook:
        for one in gradebook.assignment_submissions(CHAPTER):
            found[f"total of {one.student.id}"] = (round(one.score, 6), round(one.late_submission_penalty or 0.0, 6))
            for notebook in one.notebooks:
                for grade in notebook.grades:
                    found[f"{one.student.id}, {grade.cell.name}"] = (grade.auto_score, grade.manual_score)
    with sqlite3.connect(course / "gradebook.db") as base:
        for (table,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            found[f"rows of {table}"] = base.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]
    for path in sorted((course / "feedback").rglob("*.html")):
        found[str(path.relative_to(course))] = NOT_COMPARED.sub("", _text(path))
    for path in sorted(course.rglob("*.csv")):
        found[str(path.relative_to(course))] = list(_rows(path))
    found["temporary files"] = [str(p.relative_to(course)) for p in course.rglob("*") if TEMPORARY.search(p.name)]
    return found


def _text(page: Path) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page.read_text(encoding="utf-8")).split())


def _rows(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        table = csv.DictReader(file)
        for row in table:
            yield [f"{name}={NOT_COMPARED.sub('', value or '')}" for name, value in row.items() if name != "seconds"]


def differences(one: dict[str, object], other: dict[str, object]) -> list[str]:
    """Return the names of what is not the same, or is in one alone."""
    return sorted(name for name in {**one, **other} if one.get(name) != other.get(name))


def main() -> None:
    """Make the course twice, grade one, kill and kill again the other, compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    quiet, loud = chosen.folder / "undisturbed", chosen.folder / "killed"
    for course in (quiet, loud):
        if not course.is_dir():
            course.mkdir(parents=True)
            make(course)
    print(f"undisturbed: {graded(quiet):.1f} s, {steps(quiet)} steps, {len(left(quiet))} things to compare", flush=True)
    drawn = random.Random(chosen.seed)
    for number in range(chosen.kills):
        print(f"run {number + 1}: {killed(loud, drawn.randint(*STEPS), drawn.uniform(0.0, 0.5))}", flush=True)
    print(f"last run: {graded(loud):.1f} s", flush=True)
    found = differences(left(quiet), left(loud))
    print("the same" if not found else f"{len(found)} differ: {', '.join(found[:20])}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
