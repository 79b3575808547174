"""Our steps in stock nbgrader's autograde and feedback: rebuild, run to the end, score fail-closed, hide tests."""

import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from nbformat import NotebookNode
from nbgrader.converters.base import NbGraderException
from nbgrader.preprocessors import (
    ClearHiddenTests,
    ClearMarkScheme,
    ClearSolutions,
    Execute,
    NbGraderPreprocessor,
    OverwriteCells,
)
from nbgrader.utils import compute_checksum
from traitlets import Integer
from traitlets.config import Config

from autograder import cell_marks, first_cell, paths
from autograder.adopted_table import adopted
from autograder.execution.time_limits import TOTAL_SECONDS
from autograder.gradebook.graded_notebook import harmless
from autograder.submissions.markup import shown
from autograder.submissions.pictures import pasted
from autograder.submissions.rebuild import rebuild, students_texts


class Rebuild(NbGraderPreprocessor):
    """Replace the submission by the released notebook with the student's answers put in."""

    def preprocess(self, nb, resources):
        """Return the rebuilt notebook; what was repaired is kept in its metadata and logged."""
        if _is_adopted(self.config, resources):
            name = resources["nbgrader"]["assignment"]
            raise NbGraderException(f"{name} was adopted; it is graded by: bow2lora grade {name}")
        template = nbformat.read(paths.release_notebook(resources["nbgrader"]["notebook"]), as_version=4)
        submitted, pictures = pasted(nb)
        made, repairs = rebuild(template, submitted)
        harmless(made, {i: shown(text, pictures) for i, text in students_texts(made, template).items()})
        for line in repairs:
            self.log.warning("%s: %s", resources["nbgrader"]["student"], line)
        made.metadata["bow2lora"] = {"repairs": repairs}
        return made, resources


def _is_adopted(config: Config, resources: Mapping) -> bool:
    """Whether a notebook is of an assignment that was adopted in the course."""
    return resources.get("nbgrader", {}).get("assignment") in adopted(Path(str(config.CourseDirectory.root)))


class Overwrite(OverwriteCells):
    """nbgrader's, without a warning for each locked cell that the student's edition has in other words.

    The gradebook has a check's cases and the first cell as it was written, the released notebook a call and a guard.
    What a student did to them is gone by now: `Rebuild` has put the released cells back, and logged what it repaired.
    """

    def report_change(self, name: str, attr: str, old: Any, new: Any) -> None:
        """Warn of what only a hand on the notebook changes."""
        locked = name.startswith((cell_marks.PREFIX["check"], cell_marks.PREFIX["given"]))
        if not (locked and attr == "checksum"):
            super().report_change(name, attr, old, new)


class StudentView(NbGraderPreprocessor):
    """What only the course needs goes out of the student's sight.

    A check cell becomes one call, and its visible cases a file beside the notebook; claims are left out; "run all" goes
    on after a show cell whose exercise is not written yet; the first cell says so where the course is not installed, or
    a file beside the notebook hides it.
    """

    def preprocess(self, nb, resources):
        """Change all cells of a chapter, and put the first given cell's words on a missing course before it."""
        if _is_adopted(self.config, resources):
            return nb, resources
        nb, resources = super().preprocess(nb, resources)
        first = next((cell for cell in nb.cells if cell_marks.from_metadata(cell) == "given"), None)
        if first is not None:
            first.source = first_cell.guarded(first.source)
        return nb, resources

    def preprocess_cell(self, cell, resources, cell_index):
        """Change one cell if it is a check or a show cell."""
        kind = cell_marks.from_metadata(cell)
        if kind == "check":
            name = cell.metadata.nbgrader.grade_id.removeprefix(cell_marks.PREFIX["check"])
            cases = f"{cell_marks.visible(cell.source)}\n"
            resources.setdefault("outputs", {})[f"checks/{name}.py"] = cases.encode("utf-8")
            cell.source = cell_marks.call(name)
        if kind == "show":
            cell.source = cell_marks.CLAIMS.sub("", cell.source).strip("\n")
            cell.metadata.pop("bow2lora", None)
            cell.metadata["tags"] = [cell_marks.SHOW, "raises-exception"]
        return cell, resources


class RunCells(Execute):
    """Run the cells; a kernel that dies or hangs ends the run, and what was earned before it counts."""

    total_timeout = Integer(TOTAL_SECONDS, help="Seconds after which no further cell is started.").tag(config=True)

    def preprocess(self, nb, resources, **kwargs):
        """Run all cells; the reason of an early end is in the notes of the notebook."""
        self.ended, self.deadline = "", time.monotonic() + self.total_timeout
        self.shutdown_kernel = "immediate"  # nothing in it is worth the wait
        nb, resources = super().preprocess(nb, resources, **kwargs)
        add_notes(nb, [self.ended] if self.ended else [])
        return nb, resources

    def preprocess_cell(self, cell, resources, index):
        """Run one cell, if the run has not ended."""
        if not self.ended and time.monotonic() > self.deadline:
            self.ended = f"{cell.id}: not run, the whole took longer than {self.total_timeout} s"
        if self.ended:
            return cell, resources
        try:
            return super().preprocess_cell(cell, resources, index)
        except DeadKernelError:
            self.ended = f"{cell.id}: the process ended in this cell; nothing after it was run"
        except CellTimeoutError:
            self.ended = f"{cell.id}: could not be stopped after {self.timeout} s; nothing after it was run"
        return cell, resources


class Verdicts(NbGraderPreprocessor):
    """Leave in each check cell what it printed and one score; without a score, an error, which earns nothing.

    nbgrader itself gives full points to a check without output, and none to one with a line on stderr.
    """

    def preprocess(self, nb, resources):
        """Set the outputs of all check cells, mark empty essays as such, and note what stopped."""
        notes: list[str] = []
        for cell in nb.cells:
            if cell.cell_type == "code":
                notes += _stopped(cell)
        for cell in nb.cells:
            if cell_marks.from_metadata(cell) == "check":
                cell.outputs = _judged(cell)
            if cell_marks.from_metadata(cell) == "essay" and cell.source.strip() == ClearSolutions().text_stub:
                # nbgrader gives 0 at once where the checksum still fits; with our mark scheme it never does
                cell.metadata.nbgrader["checksum"] = compute_checksum(cell)
        add_notes(nb, notes)
        return nb, resources


def _stopped(cell: NotebookNode) -> list[str]:
    """Return a line if a cell ended in an error or a function in it did not come to an end."""
    if any("no answer within" in text for text in _texts(cell)):  # what a check says of an endless call
        return [f"{cell.id}: a call did not come to an end and was stopped"]
    error = next((o for o in cell.outputs if o.output_type == "error"), None)
    if error is None or cell_marks.from_metadata(cell) == "show":
        return []
    if error.ename in ("CellTimeoutError", "KeyboardInterrupt"):  # the reply, or what the interrupt left behind
        return [f"{cell.id}: did not come to an end and was stopped"]
    return [f"{cell.id}: stopped with {error.ename}"]


def _judged(cell: NotebookNode) -> list[NotebookNode]:
    """Return a check cell's outputs: its report, then its score or an error without a traceback.

    A traceback would show the hidden tests.
    """
    report = "".join(_texts(cell))
    said = [nbformat.v4.new_output("stream", name="stdout", text=report)] if report else []
    values = [o.data.get("text/plain", "") for o in cell.outputs if o.output_type == "execute_result"]
    found = _number(values[-1]) if values else math.nan
    if any(o.output_type == "error" for o in cell.outputs) or not 0 <= found <= cell.metadata.nbgrader["points"]:
        text = f"{cell.id}: the check came to no score"
        return [*said, nbformat.v4.new_output("error", ename="NoScore", evalue=text, traceback=[text])]
    return [*said, nbformat.v4.new_output("execute_result", data={"text/plain": str(found)})]


def _texts(cell: NotebookNode) -> list[str]:
    return [o.text for o in cell.outputs if o.output_type == "stream" and o.name == "stdout"]


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan


def add_notes(nb: NotebookNode, lines: list[str]) -> None:
    """Keep lines for the grader's report in the notebook's metadata."""
    ours = nb.metadata.setdefault("bow2lora", NotebookNode())
    ours["notes"] = [*ours.get("notes", []), *lines]


class HideTests(NbGraderPreprocessor):
    """Take out mark schemes, show cells of which nothing came, and of checks all but the call.

    A check's report says what it called; the visible cases are a file beside the student's notebook. The tests of
    others stay as students have them, without what is hidden.
    """

    def preprocess(self, nb, resources):
        """Leave out the mark schemes, then shorten the checks."""
        clear_tests = ClearHiddenTests(enforce_metadata=False)
        clear_schemes = ClearMarkScheme(enforce_metadata=False, check_attachment_leakage=False)
        nb.cells = [cell for cell in nb.cells if not cell.get("id", "").startswith(cell_marks.SCHEME_ID)]
        nb.cells = [cell for cell in nb.cells if cell_marks.from_metadata(cell) != "show" or cell.outputs]
        for i, cell in enumerate(nb.cells):
            if "test" in cell.metadata.get("bow2lora", {}):
                clear_tests.preprocess_cell(cell, resources, i)
            elif cell_marks.from_metadata(cell) == "check":
                cell.source = cell_marks.call(cell.metadata.nbgrader.grade_id.removeprefix(cell_marks.PREFIX["check"]))
            elif cell_marks.from_metadata(cell) == cell_marks.TASK:
                clear_schemes.preprocess_cell(cell, resources, i)
        return nb, resources
