"""The notebook in autograded/, written by us from a result: what formgrader and the feedback show.

Each check cell has its report and one number, as nbgrader's own reading of a cell wants it; nothing that a student's
code put out is kept but plain text and the pixels of pictures, and no HTML that a student wrote is left to run in the
grader's browser.
"""

import re
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearSolutions
from nbgrader.utils import compute_checksum

from autograder import cell_marks
from autograder.execution.results import notes
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

    schemes: the mark schemes of essays, by id, for those who grade them in formgrader; feedback leaves them out.
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
        elif kind == "show":
            cell.outputs = _as_handed_in((handed_in or {}).get(cell.id, []))
        elif cell.cell_type == "code":
            cell.outputs = _outputs(cells.get(cell.id, {})) if left > 0 else []
            left -= sum(len(o.get("text") or o.get("evalue") or "") for o in cell.outputs)
    harmless(notebook, shown or {})
    _mark_empty_essays(notebook)
    notebook.cells = [one for cell in notebook.cells for one in (cell, *_scheme(cell, schemes or {}))]
    notebook.metadata["bow2lora"] = {"notes": list(notes(result)), "hash": result["hash"]}
    if notes(result):
        notebook.cells.insert(0, _notes(notes(result)))
    return notebook


def write(notebook: NotebookNode, folder: Path, timestamp: str | None, secret: str | None = None) -> None:
    """Write the notebook where nbgrader looks for it, for nobody to edit, and the files beside it.

    secret: what nbgrader's exchange finds the way back to the student by; it goes on to the feedback from here.
    """
    path = folder / f"{folder.name}.ipynb"
    write_whole(path, nbformat.writes(notebook).encode() + b"\n")
    path.chmod(0o444)
    for name, text in (("timestamp.txt", timestamp and f"{timestamp}\n"), (EXCHANGE_SECRET, secret)):
        if text is None:
            (folder / name).unlink(missing_ok=True)
        else:
            write_whole(folder / name, text.encode())


def empty_essays(notebook: NotebookNode) -> set[str]:
    """Return the ids of the essays that were left as they were handed out, or without a word."""
    essays = [c for c in notebook.cells if cell_marks.from_metadata(c) == "essay"]
    return {c.id for c in essays if c.source.strip() in ("", ClearSolutions().text_stub)}


def _verdict(check: dict) -> list[NotebookNode]:
    """Return a check cell's outputs: its report, then its score or an error without a traceback.

    A traceback would show the hidden tests; without any output nbgrader would give full points.
    """
    said = _stream(check["report"])
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
        theirs = cell_marks.from_metadata(cell) == "essay" or cell.id.startswith(OWN_ID)
        if cell.cell_type == "markdown" and theirs and cell.source.strip() not in ("", ClearSolutions().text_stub):
            cell.source = shown.get(cell.id) or typed(cell.source)


def _mark_empty_essays(notebook: NotebookNode) -> None:
    """Give empty essays the checksum by which nbgrader knows them; with our mark scheme it never fits by itself."""
    empty = empty_essays(notebook)
    for cell in notebook.cells:
        if cell.id in empty:
            cell.metadata.nbgrader["checksum"] = compute_checksum(cell)


def _scheme(cell: NotebookNode, schemes: dict[str, str]) -> list[NotebookNode]:
    """Return the cell with an essay's mark scheme, to stand below what the student wrote."""
    if cell.id not in schemes:
        return []
    text = f"**Mark scheme** (feedback leaves it out)\n\n{schemes[cell.id]}"
    lines = re.sub(r"(?m)^(?=\d+ points?:)", "- ", text)
    return [nbformat.v4.new_markdown_cell(lines, id=f"{cell_marks.SCHEME_ID}{cell.id}")]


def _notes(lines: tuple[str, ...]) -> NotebookNode:
    """Return a cell that tells student and instructor what happened; indented text is shown as it is."""
    text = "\n".join(f"    {line}" for line in lines)
    return nbformat.v4.new_markdown_cell(f"**Notes on this submission**\n\n{text}", id=NOTES)
