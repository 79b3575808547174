"""`bow2lora roster remove`: who leaves the course, or is to be deleted, taken out of every place that keeps something.

What is whose: the folders in submitted/, autograded/ and feedback/; submissions, points and comments in the gradebook
and its copies; notes, and results that nobody else's answers share, in build/graded/; rows of roster.csv, of
collected.json, of the essays' sheets and of requests/. Pages and tables of the class go as a whole: their commands
write them anew.

Exit codes: 0 done; 1 done, but some files still hold the id, or not done after the question; 2 wrong input.
"""

import csv
import io
import json
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autograder.report import safe_text
from autograder.report.commands import Course
from autograder.spelling import alike
from helpers.errors import CourseError
from helpers.files import write_whole

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

    from autograder.execution.result_cache import Store

OWN = ("submitted", "autograded", "feedback")
OF_THE_CLASS = (
    "reports/*", "returns/*.zip", "essays/*/*.html", "gradescope", "grades.csv", "questions.csv", "canvas.csv",
    "moodle.csv", "junit.xml",
)  # fmt: skip
MAX_BYTES = 20_000_000  # of a file that is searched for what is left
SHORTEST = 3  # letters of an id that is searched for


@dataclass(frozen=True)
class Removed:
    """What was taken out, as paths in the course; the class's pages and tables; files that still hold the id."""

    taken: list[str]
    of_the_class: list[str]
    left: list[str]


def remove_command(
    student: Annotated[str, typer.Argument(help="The student's id: the name of the folder in submitted/.")],
    course: Course = Path(),
    keep_points: Annotated[
        bool, typer.Option("--keep-points", help="Take them out of roster.csv alone: who left, and keeps the points.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Take a student out: work, points, comments, pages and the row of roster.csv."""
    name = safe_text.name(student)
    spelled(student, course.resolve())
    if not keep_points and not yes:
        typer.confirm(f"All work and points of '{name}' go, and do not come back. Go on?", abort=True)
    done = remove(student, course, keep_points)
    for path in done.taken:
        print(f"taken out: {path}")
    for path in done.of_the_class:
        print(f"removed, since it is of the whole class: {path}")
    if done.of_the_class:
        print("`bow2lora report`, `export`, `essays export` and `return` write the class's pages and tables anew")
    if done.left:
        print(f"still holds '{name}', look yourself: {', '.join(done.left)}", file=sys.stderr)
        raise typer.Exit(1)


def remove(student: str, course: Path, keep_points: bool = False) -> Removed:
    """Take a student out; keep_points: out of roster.csv alone. Raises CourseError for an id that is nobody's."""
    from autograder.gradebook import students

    course = course.resolve()
    places = _places(course, student)
    student = spelled(student, course)
    taken = _from_roster(course, students.rows(course), student)
    if keep_points:
        return Removed([*taken, *_own_copies(course, student)], [], [])
    taken += _hand_on(course, student)
    taken += [*_from_essay_sheets(course, student), *_from_requests(course, student)]
    for folder in places:
        shutil.rmtree(folder)
        taken.append(_in(course, folder))
    taken += [*_from_gradebooks(course, student), *_from_results(course, student), *_from_record(course, student)]
    gone = [path for pattern in OF_THE_CLASS for path in sorted(course.glob(pattern))]
    for path in gone:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    return Removed(taken, [_in(course, path) for path in gone], list(_left(course, student)))


def spelled(student: str, course: Path) -> str:
    """Return a student's id as the course spells it; raises CourseError for an id that is nobody's."""
    from autograder.gradebook import students

    names = [row["id"] for row in students.rows(course) if alike(row["id"]) == alike(student)]
    names += [folder.name for folder in _places(course, student)]
    if not names and student not in _graded(course):
        raise CourseError(f"{course}: there is no student '{safe_text.name(student)}'")
    return next(iter(names), student)


def _places(course: Path, student: str) -> list[Path]:
    return [folder for name in OWN for folder in _named(course / name, student)]


def _in(course: Path, path: Path) -> str:
    return path.relative_to(course).as_posix()


def _named(folder: Path, student: str) -> list[Path]:
    """Return the student's folders in a folder: a name from outside leads nowhere else."""
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in found if alike(path.name) == alike(student) and path.is_dir() and not path.is_symlink()]


def _graded(course: Path) -> set[str]:
    from autograder.gradebook.nbgrader_course import grading_config
    from autograder.gradebook.recorder import Recorder

    with Recorder(grading_config(course), "") as recorder:
        return {known.id for known in recorder.gradebook.students}


def _from_roster(course: Path, people: list[dict[str, str]], student: str) -> list[str]:
    from autograder.gradebook import students
    from autograder.report import csvs

    stay = [row for row in people if alike(row["id"]) != alike(student)]
    if len(stay) == len(people):
        return []
    columns = list(people[0])
    table = [columns]
    for row in stay:
        table.append([row.get(column, "") for column in columns])
    csvs.save(table, course / students.ROSTER)
    return [students.ROSTER]


def _own_copies(course: Path, student: str) -> Iterator[str]:
    """Give who leaves a team a copy of its work, which is graded as theirs from then on; yield what was made."""
    for chapter, store in _stores(course):
        _, holder = store.teams().get(student, ("", student))
        for folder in _named(course / "submitted", holder):
            if alike(holder) != alike(student):
                yield _copied(course, folder / chapter, student)


def _hand_on(course: Path, student: str) -> Iterator[str]:
    """Put the work that a student handed in for a team into the folder of another of it; yield what was made."""
    for chapter, store in _stores(course):
        mates = {mate: name for mate, (name, holder) in store.teams().items() if alike(holder) == alike(student)}
        mates.pop(student, None)
        free = [mate for mate in sorted(mates) if not (course / "submitted" / mate / chapter).exists()]
        holder = min(free or mates, default="")
        for folder in _named(course / "submitted", student) if free else []:
            yield _copied(course, folder / chapter, holder)
        for mate, name in mates.items():
            store.write_note(store.note(mate) | {"team": {"name": name, "folder": holder}})


def _stores(course: Path) -> Iterator[tuple[str, "Store"]]:
    """Yield each chapter that was graded, with what is known of its students."""
    from autograder.execution.result_cache import Store

    for folder in sorted((course / "build" / "graded").glob("*")):
        yield folder.name, Store(course, folder.name)


def _copied(course: Path, folder: Path, student: str) -> str:
    """Copy a submission, but for the exchange's way back to who handed it in; return what to say of it."""
    from autograder.submissions.collect import EXCHANGE_SECRET

    to = course / "submitted" / student / folder.name
    if not to.exists():
        shutil.copytree(folder, to, symlinks=True, ignore=shutil.ignore_patterns(EXCHANGE_SECRET))
    return f"{_in(course, folder)}, copied as the team's work to {_in(course, to)}"


def _from_gradebooks(course: Path, student: str) -> list[str]:
    """Take a student out of the gradebook and of its copies."""
    from nbgrader.api import Gradebook

    from autograder.gradebook.nbgrader_course import grading_config
    from autograder.gradebook.recorder import Recorder

    taken = []
    with Recorder(grading_config(course), "") as recorder:
        if _take_out(recorder.gradebook, student):
            taken.append("gradebook")
    for path in sorted((course / "build").glob("gradebook_before_*.db")):
        with Gradebook(f"sqlite:///{path}") as book:
            if _take_out(book, student):
                taken.append(_in(course, path))
    return taken


def _take_out(book: "Gradebook", student: str) -> bool:
    from nbgrader.api import MissingEntry

    try:
        book.remove_student(student)
    except MissingEntry:
        return False
    return True


def _from_results(course: Path, student: str) -> list[str]:
    """Remove the notes on a student, and the results that are nobody else's."""
    taken = []
    for folder in sorted((course / "build" / "graded").glob("*")):
        notes = {path: _json(path) for path in sorted((folder / "students").glob("*.json"))}
        mine = {path: note for path, note in notes.items() if note.get("student") == student}
        theirs = {note.get("hash") for path, note in notes.items() if path not in mine}
        own = {note.get("hash") for note in mine.values()} - theirs
        results = [folder / "results" / f"{name}.json" for name in own]
        for path in sorted([*mine, *filter(Path.is_file, results)]):
            path.unlink()
            taken.append(_in(course, path))
    return taken


def _from_record(course: Path, student: str) -> list[str]:
    from autograder.gradebook.teams import RECORD

    record = _json(course / RECORD)
    if not any(student in chapter for chapter in record.values()):
        return []
    for chapter in record.values():
        chapter.pop(student, None)
    write_whole(course / RECORD, (json.dumps(record, indent=1, ensure_ascii=False) + "\n").encode("utf-8"))
    return [RECORD]


def _json(path: Path) -> dict[str, Any]:
    """Return what a file holds, {} where it is no dict of JSON."""
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _from_essay_sheets(course: Path, student: str) -> list[str]:
    """Remove the rows of a student's answers; points of others that are not imported yet stay."""
    from autograder.essays.answers import number

    sheets = sorted(course.glob("essays/*/marks.csv"))
    mine = [
        path for path in sheets if _without(path, "answer", lambda row: number(course, student, row["essay"] or ""))
    ]
    return [_in(course, path) for path in mine]


def _from_requests(course: Path, student: str) -> list[str]:
    """Remove what a student asked, and the rows of it."""
    own = [path for path in sorted(course.glob("requests/*/*")) if alike(path.stem) == alike(student)]
    tables = [path for path in sorted(course.glob("requests/*/answers.csv")) if path not in own]
    for path in own:
        path.unlink()
    name = str(safe_text.cell(student))
    changed = [path for path in tables if _without(path, "student", lambda row: name)]
    return [_in(course, path) for path in [*own, *changed]]


def _without(path: Path, column: str, mine: Callable[[dict[str, str]], str]) -> bool:
    """Take a student's rows out of a table; returns whether there were any. mine: what the column holds in them."""
    rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8-sig"))))
    stay = [row for row in rows if row.get(column) != mine(row)]
    if len(stay) < len(rows):
        out = io.StringIO()
        table = csv.DictWriter(out, list(rows[0]))
        table.writeheader()
        table.writerows(stay)
        write_whole(path, out.getvalue().encode("utf-8-sig"))
    return len(stay) < len(rows)


def _left(course: Path, student: str) -> Iterator[str]:
    """Yield the files that still hold the id: dates in course.toml, an export that was imported, a log."""
    if len(student) < SHORTEST:
        return
    for path in sorted(course.rglob("*")):
        small = path.is_file() and path.stat().st_size <= MAX_BYTES
        if small and (student in path.name or student.encode() in path.read_bytes()):
            yield _in(course, path)
