"""The notebook in autograded/, written by us from a result: what formgrader and the feedback show.

Each check cell has its report and one number, as nbgrader's own reading of a cell wants it; nothing that a student's
code put out is kept but plain text and the pixels of pictures, and no HTML that a student wrote is left to run in the
grader's browser.
"""

import itertools
import re
from collections.abc import Container, Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions
from nbgrader.utils import compute_checksum

from autograder import cell_marks
from autograder.adopted_table import UNPROVED, WHY_UNPROVED
from autograder.execution.results import STUDENTS, notes
from autograder.notebook_names import apart, joined, notebook_of, own_name
from autograder.submissions.collect import EXCHANGE_SECRET
from autograder.submissions.markup import typed
from autograder.submissions.outputs import Shown
from autograder.submissions.rebuild import OWN_ID
from autograder.terminal import clean
from helpers.files import write_whole

MAX_TEXT = 10_000  # characters of what a cell printed
MAX_OUTPUT = 400_000  # characters of what the student's cells printed, all together
NOTES = "grading-notes"
HANDED_IN = "as it was handed in; this cell is not run when grading:\n"


def autograded(
    notebook: NotebookNode, result: dict, schemes: dict[str, str] | None = None, shown: dict[str, str] | None = None,
    handed_in: Shown | None = None,
) -> NotebookNode:  # fmt: skip
    """Return the rebuilt notebook with the outputs that follow from the result; the notebook itself is changed.

    schemes: the mark schemes of essays and tasks, by id, for those who grade them in formgrader; feedback leaves them
    out.
    shown: the student's text cells as HTML, by id; without it they are shown as they were typed.
    handed_in: what stood below the show cells, by id, which nobody runs again (autograder.submissions.outputs).
    """
    cells = {cell["id"]: cell for cell in result["cells"]}
    checks = {check["id"]: check for check in result["checks"]}
    left = MAX_OUTPUT
    for cell in notebook.cells:
        kind = cell_marks.from_metadata(cell)
        if kind == "check":
            cell.outputs = _verdict(checks[cell.id])
        elif kind == cell_marks.TASK:
            _leave_to_a_person(cell)
        elif kind == "show":
            cell.outputs = _as_handed_in((handed_in or {}).get(cell.id, []))
        elif cell.cell_type == "code":
            cell.outputs = _outputs(cells.get(cell.id, {})) if left > 0 else []
            left -= sum(len(o.get("text") or o.get("evalue") or "") for o in cell.outputs)
    _mark_empty_essays(notebook)
    harmless(notebook, shown or {})
    notebook.cells = [one for cell in notebook.cells for one in (cell, *_scheme(cell, notebook, schemes or {}))]
    notebook.metadata["bow2lora"] = {"notes": list(notes(result)), "hash": result["hash"]}
    if notes(result):
        notebook.cells.insert(0, _notes(notes(result)))
    return notebook


def write(notebook: NotebookNode, folder: Path, timestamp: str | None, secret: str | None = None) -> None:
    """Write the notebook where nbgrader looks for it, for nobody to edit, and the files beside it.

    notebook: of an assignment with several all as one (see notebook_names); it is changed. secret: what nbgrader's
    exchange finds the way back to the student by; it goes on to the feedback from here.
    """
    for name, one in apart(folder.name, notebook).items():
        path = folder / f"{name}.ipynb"
        write_whole(path, nbformat.writes(one).encode() + b"\n")
        path.chmod(0o444)
    for name, text in (("timestamp.txt", timestamp and f"{timestamp}\n"), (EXCHANGE_SECRET, secret)):
        if text is None:
            (folder / name).unlink(missing_ok=True)
        else:
            write_whole(folder / name, text.encode())


def is_whole(folder: Path, notebooks: Sequence[str]) -> bool:
    """Whether all notebooks of an assignment lie in a folder in autograded/."""
    return all((folder / f"{name}.ipynb").is_file() for name in notebooks)


def read(folder: Path, notebooks: Sequence[str]) -> NotebookNode:
    """Return what was written into a folder in autograded/, without what was put there for those who grade.

    Several notebooks are one.
    """
    found = {name: nbformat.read(folder / f"{name}.ipynb", as_version=4) for name in notebooks}
    for notebook in found.values():
        notebook.cells = [cell for cell in notebook.cells if not cell.id.startswith((cell_marks.SCHEME_ID, NOTES))]
    return joined(folder.name, found)


def empty_essays(notebook: NotebookNode) -> set[str]:
    """Return the ids of the essays that were left as they were handed out, or without a word."""
    return {c.id for c in notebook.cells if cell_marks.from_metadata(c) == "essay" and _is_empty(c)}


def _is_empty(cell: NotebookNode) -> bool:
    """Whether nothing was written: what is handed out has nbgrader's checksum, a chapter's essay that of its source."""
    if cell.source.strip() in ("", ClearSolutions().text_stub):
        return True
    return "nbgrader" in cell.metadata and cell.metadata.nbgrader.get("checksum") == compute_checksum(cell)


def grounds(notebook: NotebookNode, by_hand: Container[str]) -> dict[str, list[NotebookNode]]:
    """Return the cells for which a person gives the points of these cells, by id.

    It is the answer itself; for a task, what the student wrote below it; for a test, all answers above it.
    """
    found: dict[str, list[NotebookNode]] = {}
    for at, cell in enumerate(notebook.cells):
        if cell.id in by_hand:
            is_task = cell_marks.from_metadata(cell) == cell_marks.TASK
            found[cell.id] = _written_for(notebook, at) if is_task else [cell]
    return found


def _written_for(notebook: NotebookNode, at: int) -> list[NotebookNode]:
    """Return what the student wrote for the task, or the test, at this place of its notebook."""
    task = notebook.cells[at]
    if task.cell_type == "code":
        above = [cell for cell in notebook.cells[:at] if notebook_of(cell) == notebook_of(task)]
        return [cell for cell in above if cell_marks.from_metadata(cell) in STUDENTS]
    return list(itertools.takewhile(lambda cell: is_own(cell, notebook), notebook.cells[at + 1 :]))


def is_own(cell: NotebookNode, notebook: NotebookNode) -> bool:
    """Whether a cell of a rebuilt notebook is the student's own, and no part of what was handed out."""
    return "nbgrader" not in cell.metadata and _own_id(cell, notebook).startswith(OWN_ID)


def _own_id(cell: NotebookNode, notebook: NotebookNode) -> str:
    return own_name(notebook.metadata.get("notebooks", ()), cell.id)[1]


def _leave_to_a_person(cell: NotebookNode) -> None:
    """Say below a test that it was not run, and why; a task is a text."""
    if cell.cell_type == "code":
        why = cell.metadata.get("bow2lora", {}).get("why", "")
        cell.outputs = _stream(f"a person grades this test: {why}" if why else "a person grades this test")


def _verdict(check: dict) -> list[NotebookNode]:
    """Return a check cell's outputs: its report, then its score or an error without a traceback.

    A traceback would show the hidden tests; without any output nbgrader would give full points.
    """
    said = _stream(check["report"])
    if check.get("proof") == UNPROVED:
        said += _stream(WHY_UNPROVED)
    if check["status"] == "judged":
        return [*said, nbformat.v4.new_output("execute_result", data={"text/plain": str(float(check["score"]))})]
    return [*said, _error("NoScore", clean(check["reason"] or "the check came to no score"))]


def _outputs(cell: dict) -> list[NotebookNode]:
    """Return what a student's cell printed, and its error, as plain text."""
    error = cell.get("error")
    shown = _stream(str(cell.get("stdout", "")))
    if error:
        line = f"  (line {error['line']}: {error.get('text') or ''})" if error.get("line") else ""
        shown.append(_error(clean(str(error["name"])), clean(f"{error['message']}{line}")[:MAX_TEXT]))
    elif cell.get("status") in ("timeout", "died"):
        ends = "did not come to an end and was stopped" if cell["status"] == "timeout" else "ended the process"
        shown.append(_error("Stopped", f"this cell {ends}"))
    return shown


def _as_handed_in(parts: list[dict[str, str]]) -> list[NotebookNode]:
    """Return what the student saw below a cell; it says that it was not made here."""
    made = [
        nbformat.v4.new_output("display_data", data={"image/png": part["png"], "text/plain": "a picture"})
        if "png" in part
        else nbformat.v4.new_output("stream", name="stdout", text=part["text"])
        for part in parts
    ]
    return [*_stream(HANDED_IN), *made] if made else []


def _stream(text: str) -> list[NotebookNode]:
    shown = clean(text)[:MAX_TEXT]
    return [nbformat.v4.new_output("stream", name="stdout", text=shown)] if shown.strip() else []


def _error(name: str, message: str) -> NotebookNode:
    return nbformat.v4.new_output("error", ename=name, evalue=message, traceback=[f"{name}: {message}"])


def harmless(notebook: NotebookNode, shown: dict[str, str]) -> None:
    """Put HTML that may be shown in place of a student's Markdown: formgrader and feedback render what they get."""
    for cell in notebook.cells:
        theirs = cell_marks.from_metadata(cell) in ("essay", "exercise") or is_own(cell, notebook)
        if cell.cell_type == "markdown" and theirs and not _is_empty(cell):
            cell.source = shown.get(cell.id) or typed(cell.source)


def _mark_empty_essays(notebook: NotebookNode) -> None:
    """Give empty essays the checksum by which nbgrader knows them; with our mark scheme it never fits by itself."""
    empty = empty_essays(notebook)
    for cell in notebook.cells:
        if cell.id in empty:
            cell.metadata.nbgrader["checksum"] = compute_checksum(cell)


def _scheme(cell: NotebookNode, notebook: NotebookNode, schemes: dict[str, str]) -> list[NotebookNode]:
    """Return the cell with the mark scheme of an essay or a task, to stand below it."""
    if cell.id not in schemes:
        return []
    text = f"**Mark scheme** (feedback leaves it out)\n\n{schemes[cell.id]}"
    lines = re.sub(r"(?m)^(?=\d+ points?:)", "- ", text)
    made = nbformat.v4.new_markdown_cell(lines, id=f"{cell_marks.SCHEME_ID}{_own_id(cell, notebook)}")
    if name := notebook_of(cell):
        made.metadata["bow2lora"] = NotebookNode(notebook=name)
    return [made]


def _notes(lines: tuple[str, ...]) -> NotebookNode:
    """Return a cell that tells student and instructor what happened; indented text is shown as it is."""
    text = "\n".join(f"    {line}" for line in lines)
    return nbformat.v4.new_markdown_cell(f"**Notes on this submission**\n\n{text}", id=NOTES)
