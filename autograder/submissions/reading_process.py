"""The intake: whatever touches a student's files happens in processes of its own, several beside one another.

The coordinator knows names of folders only. A file that takes too long, or brings its process down, costs its own
submission: it has no points, with the reason, and is read again by the next run.
"""

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder.linux.limits import limit_memory
from autograder.processes.helper_process import Failed, HelperProcess, Helpers
from autograder.submissions.collect import Collected, collect, date_of, fingerprint, uncollected
from autograder.submissions.markup import shown, typed
from autograder.submissions.rebuild import students_texts

SECONDS = 30  # of CPU time to read one submission
SHOW_SECONDS = 10  # of CPU time to render its text cells
MEGABYTES = 4_000  # of a process's address space
PROCESSES = min(2, os.cpu_count() or 1)


class Intake:
    """Reads submissions; for each there is an answer, whatever a student handed in. Use it as a context.

    template: the released notebook with the hidden tests. reader: for tests.
    """

    def __init__(self, template: NotebookNode, count: int = PROCESSES, reader: "type[SubmissionReader] | None" = None):
        self.template = template
        self.helpers = Helpers(count, reader or SubmissionReader, template)

    def __enter__(self) -> "Intake":
        return self

    def __exit__(self, *_) -> None:
        self.helpers.close()

    def fingerprints(self, folders: Iterable[Path]) -> Iterator[tuple[Path, str]]:
        """Yield (folder, digest of what it holds), "" where that cannot be told."""
        return self.helpers.each(folders, _fingerprint)

    def dates(self, folders: Iterable[Path]) -> Iterator[tuple[Path, str | None]]:
        """Yield (folder, when the work in it came), None where nothing says so."""
        return self.helpers.each(folders, _date)

    def collected(self, folders: Iterable[Path]) -> Iterator[tuple[Path, Collected]]:
        """Yield (folder, the rebuilt submission) as they are ready."""
        return self.helpers.each(folders, partial(_collected, template=self.template))


class SubmissionReader:
    """In the process: answers with what lies in a folder, as JSON."""

    def __init__(self, template: NotebookNode):
        self.template = template
        limit_memory(MEGABYTES)

    def __call__(self, question: dict) -> object:
        """Answer {what: folder} of fingerprint, date, collect, or {"show": {id: text}, "pictures": {digest: ...}}."""
        (what, given), *_ = question.items()
        if what == "show":
            return {i: shown(text, question["pictures"]) for i, text in given.items()}
        if what == "fingerprint":
            return fingerprint(Path(given))
        if what == "date":
            return date_of(Path(given))
        one = collect(Path(given), self.template)
        told = {"notebook": one.notebook, "repairs": one.repairs, "timestamp": one.timestamp}
        return told | {"outputs": one.outputs, "pictures": one.pictures, "secret": one.secret}


def _fingerprint(folder: Path, helper: HelperProcess) -> str:
    try:
        return helper.ask({"fingerprint": str(folder)}, SECONDS)
    except Failed:
        return ""


def _date(folder: Path, helper: HelperProcess) -> str | None:
    try:
        return helper.ask({"date": str(folder)}, SECONDS)
    except Failed:
        return None


def _collected(folder: Path, helper: HelperProcess, template: NotebookNode) -> Collected:
    try:
        told = helper.ask({"collect": str(folder)}, SECONDS)
    except Failed as reason:
        return uncollected(folder, template, f"the notebook could not be read: reading it {reason}")
    notebook = nbformat.from_dict(told["notebook"])
    kept = {name: told[name] for name in ("outputs", "pictures", "secret")}
    one = Collected(folder, notebook, tuple(told["repairs"]), told["timestamp"], **kept)
    texts = students_texts(notebook, template)
    return _with_texts(one, texts, helper) if texts else one


def _with_texts(one: Collected, texts: dict[str, str], helper: HelperProcess) -> Collected:
    """Return the submission with its text cells as HTML; as they were typed, if rendering them takes too long."""
    try:
        return replace(one, shown=helper.ask({"show": texts, "pictures": one.pictures}, SHOW_SECONDS))
    except Failed as reason:
        told = f"the text cells are shown as they were typed: rendering them {reason}"
        return replace(one, shown={i: typed(t) for i, t in texts.items()}, repairs=(*one.repairs, told))
