"""Where the reports' material lies: results as the grader keeps them, essays and penalties as the gradebook does."""

import json
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import adopted_table, cell_marks, paths
from autograder.execution.result_cache import Store
from autograder.execution.results import FORMAT
from autograder.notebook_names import joined
from autograder.report.standing import Marks
from autograder.submissions.collect import student_id
from autograder.submissions.files import folders
from helpers.errors import CourseError

FOLDERS = (Path("build/graded"), Path("build/results"))  # as the grader keeps them; as result files alone


def present(results: list[dict], course: Path, chapter: str) -> tuple[list[dict], list[str]]:
    """Return the results of those whose work lies in submitted/, and the names of the others, who have withdrawn.

    Where no work of the chapter lies there, as in an archive of results alone, everybody counts; of a team the work
    lies in one of their folders.
    """
    here = {student_id(f) for f in folders(chapter, course)}
    if not here:
        return results, []
    gone = {r["student"] for r in results} - here
    if gone:
        gone -= {student for student, (_, folder) in Store(course, chapter).teams().items() if folder in here}
    return [r for r in results if r["student"] not in gone], sorted(gone)


def results(course: Path, chapter: str) -> list[dict]:
    """Return the results of a chapter's submissions; CourseError if there are none, or if a file is damaged."""
    found = [result for folder in FOLDERS for result in from_folder(course / folder / chapter)]
    if not found:
        if paths.chapters():
            adopted_table.asked([chapter], course)  # no advice to grade what there is not
        where = course / FOLDERS[0] / chapter
        elsewhere = "" if course == Path() else f" --course {shlex.quote(str(course))}"
        name = shlex.quote(chapter)
        raise CourseError(f"{where}: no results; run first: python -m autograder grade {name}{elsewhere}")
    return found


def earlier(folder: Path, chapter: str) -> list[dict]:
    """Return a chapter's results in a folder, of a course or of results alone; CourseError if there are none."""
    places = [*(folder / kept / chapter for kept in FOLDERS), folder / chapter, folder]
    found = next((results for place in places if (results := list(from_folder(place)))), [])
    mine = [result for result in found if result.get("chapter", chapter) == chapter]
    if not mine:
        raise CourseError(f"{folder}: no earlier results of {chapter}")
    return mine


def from_folder(folder: Path) -> Iterator[dict]:
    """Yield the results in a folder: of .json files, or one in which the grader keeps results/ and students/.

    There a note on each student names the result by its hash, and holds it if the grading failed.
    """
    for path in sorted((folder / "students").glob("*.json")):
        note = _read(path)
        if not {"student", "hash"} <= set(note):
            raise CourseError(f"{path}: no note on a student; delete it and grade again")
        result = note.get("failed") or from_file(folder / "results" / f"{note['hash']}.json")
        yield result | {"student": note["student"], "repairs": note.get("repairs", [])}
    for path in sorted(folder.glob("*.json")):
        yield from_file(path)


def from_file(path: Path) -> dict:
    """Return the result in a file; CourseError if it holds none."""
    result = _read(path)
    whole = isinstance(result.get("checks"), list) and "student" in result
    if not whole or result.get("format") != FORMAT:
        raise CourseError(f"{path}: no result of format {FORMAT}; delete it and grade again")
    return result


def _read(path: Path) -> dict:
    try:
        found = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        raise CourseError(f"{path}: damaged, it is no JSON; delete it and grade again") from None
    return found if isinstance(found, dict) else {}


def marks(course: Path, chapter: str) -> Marks:
    """Return what the gradebook knows of each student (gradebook.manual_grades); {} where there is none yet."""
    from autograder.gradebook.nbgrader_course import course_config  # nbgrader takes 2 s to import
    from autograder.gradebook.recorder import Recorder

    recorder = Recorder(course_config(course), chapter)
    address = recorder.course.db_url
    if address.startswith("sqlite:///") and not Path(address.removeprefix("sqlite:///")).is_file():
        return {}
    with recorder:
        return recorder.ledger()


def released(chapter: str, course: Path | None = None) -> NotebookNode | None:
    """Return the chapter as a course hands it out, where it does so in its own way, else as the checkout does.

    The notebooks of an adopted assignment are one here (see autograder.notebook_names). None if it was not released.
    """
    if course is not None:
        own = course / "build" / "release" / chapter
        if (found := _joined(own, adopted_table.notebooks(course, chapter))) is not None:
            return found
    return _joined(paths.release_notebook(chapter).parent, (chapter,))


def source(chapter: str, course: Path) -> NotebookNode | None:
    """Return the instructor's notebook, of an adopted assignment all as one; None if the course has none of its own."""
    return _joined(course / "build" / "source" / chapter, adopted_table.notebooks(course, chapter))


def _joined(folder: Path, names: Sequence[str]) -> NotebookNode | None:
    """Return the notebooks in an assignment's folder as one; None if one is missing."""
    files = {name: folder / f"{name}.ipynb" for name in names}
    if not all(path.is_file() for path in files.values()):
        return None
    return joined(folder.name, {name: nbformat.read(path, as_version=4) for name, path in files.items()})


def essay_points(chapter: str, course: Path | None = None) -> dict[str, float]:
    """Return {essay: points} of the released chapter; {} if it was not released.

    Of an adopted assignment it is all that a person grades.
    """
    table = None if course is None else adopted_table.read(course, chapter)
    if table is not None:
        return dict(table.by_hand)
    notebook = released(chapter, course)
    cells = notebook.cells if notebook is not None else []
    essays = [c for c in cells if cell_marks.from_metadata(c) == "essay"]
    return {c.id.removeprefix(cell_marks.PREFIX["essay"]): float(c.metadata["nbgrader"]["points"]) for c in essays}


def title(chapter: str, course: Path | None = None) -> str:
    """Return the first heading of the released chapter; its name if it was not released."""
    own = course is not None and chapter in adopted_table.adopted(course)
    notebook = released(chapter, course if own else None)
    cells = notebook.cells if notebook is not None else []
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    rows = [row for text in texts for row in text.splitlines()]
    return next((row.removeprefix("# ").strip() for row in rows if row.startswith("# ")), chapter)
