"""Feedback pages by nbgrader's GenerateFeedback, several at a time, each with its time.

A page that takes too long, or ends its process, is written once more without Markdown and colours, and says so.
"""

import functools
import glob
import html
import itertools
import logging
import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nbconvert.exporters import HTMLExporter, TemplateExporter
from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter
from nbformat import NotebookNode
from pygments import lex
from pygments.lexers import PythonLexer
from pygments.token import Comment, Keyword, Operator, String, _TokenType

from autograder.adopted_table import notebooks
from autograder.course_secret import secret_for, secret_of
from autograder.gradebook.nbgrader_course import converter, grading_config
from autograder.linux.limits import limit_memory
from autograder.processes.helper_process import Failed, HelperProcess, Helpers
from autograder.submissions.collect import EXCHANGE_SECRET
from autograder.terminal import one_line
from helpers.errors import CourseError
from helpers.files import write_whole

LOG = Path("build/feedback.log")
SECONDS = 20  # of CPU time for one page
PAGES_PER_PROCESS = 6  # pages that one process has written before another one has imported nbconvert
MEGABYTES = 4_000  # of a process's address space
LARGEST = 5_000_000  # bytes of a page
DRAWING = re.compile(r'<img src="figures/\w+\.svg" alt="([^"<>]*)"\s*/?>')  # it lies beside the notebook only
PRE = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)
BLANKS = re.compile(r"\s*\n\s*")
CELL_NAME = re.compile(r' id="cell-id=[^"]*"')
WORDLESS = re.compile(r"<img(?![^<>]*\salt=)")
MARKS = {Keyword: "k", Operator.Word: "k", Comment: "c", String: "s"}  # classes of the page's style
NOTE = "<p><b>This page is shown as plain text: {}.</b></p>"


def pages(chapter: str, course: Path, student: str) -> list[Path]:
    """Return where a student's feedback pages lie, one for each notebook of the assignment."""
    folder = course / "feedback" / student / chapter
    return [folder / f"{notebook}.html" for notebook in notebooks(course, chapter)]


def write_pages(chapter: str, course: Path, students: list[str], workers: int) -> Iterator[tuple[str, str]]:
    """Write the feedback pages of these students; yields (student, reason why there is none, or nothing)."""
    if not students:
        return
    with Helpers(min(workers, math.ceil(len(students) / PAGES_PER_PROCESS)), Writer, chapter, course) as helpers:
        seconds = SECONDS * len(notebooks(course, chapter))
        yield from helpers.each(students, functools.partial(_written, seconds))


def _written(seconds: float, student: str, helper: HelperProcess) -> str:
    """Let the pages be written, at the second attempt as plain text; returns why there are none, or nothing."""
    try:
        helper.ask({"student": student, "plain": ""}, seconds)
    except Failed as reason:
        try:
            helper.ask({"student": student, "plain": f"writing it {reason}"}, seconds)
        except Failed as again:
            return str(again)
    return ""


class PageExporter(HTMLExporter):
    """nbconvert's exporter, ten times as fast: without parsing the whole page once more to add a few attributes.

    Its page has a style of its own in place of half a megabyte of styles (templates/feedback/course.html.j2).
    """

    template_file = "course.html.j2"

    def from_notebook_node(self, nb: NotebookNode, resources: dict | None = None, **rest) -> Any:
        """Return (the page, resources)."""
        resources = self._init_resources(resources)
        self.register_filter("highlight_code", self.filters.get("highlight_code", _highlighted))
        kinds = WidgetsDataTypeFilter(notebook_metadata=self._nb_metadata, parent=self, resources=resources)
        self.register_filter("filter_data_type", kinds)
        return TemplateExporter.from_notebook_node(self, nb, resources, **rest)


class Writer:
    """In a process: writes pages; whatever nbgrader and nbconvert say goes to the log."""

    def __init__(self, chapter: str, course: Path):
        self.chapter, self.course = chapter, course
        log = os.open(course / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        os.dup2(log, 1)
        os.dup2(log, 2)
        logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", force=True)
        limit_memory(MEGABYTES)

    def __call__(self, question: dict) -> None:
        """Write the pages of {"student": name, "plain": why they are plain text, or ""}."""
        config, student = grading_config(self.course), question["student"]
        if question["plain"]:
            config.HTMLExporter.filters = {"markdown2html": _plain, "highlight_code": _plain}
        for page in self._pages(student):
            page.unlink(missing_ok=True)
        try:
            writing = converter("GenerateFeedback", self.chapter, config, student_id=glob.escape(student))
            writing.exporter_class = PageExporter
            writing.start()
            for page in self._pages(student):
                _finish(page, question["plain"])
            self._for_the_exchange(student)
        except CourseError:
            raise
        except Exception as error:  # nbgrader raises its own class for anything
            logging.exception("feedback of %s", student)
            raise CourseError(f"ended in {type(error).__name__}: {error}".splitlines()[0]) from None

    def _pages(self, student: str) -> list[Path]:
        return pages(self.chapter, self.course, student)

    def _for_the_exchange(self, student: str) -> None:
        """Add what `nbgrader release_feedback` opens for everybody, for work that did not come by the exchange.

        Without it the command ends at the first such student; nobody can guess what their page is called there.
        """
        folder = self._pages(student)[0].parent
        secret = secret_for(secret_of(self.course), f"{self.chapter}\0{student}")
        for name, text in (("timestamp.txt", ""), (EXCHANGE_SECRET, secret)):
            if not (folder / name).exists():
                write_whole(folder / name, text.encode())


def _finish(written: Path, plain: str) -> None:
    """See that a page is there and no larger than a browser shows; a drawing becomes its words."""
    if not written.is_file():
        raise CourseError("left no page")
    if written.stat().st_size > LARGEST:
        written.unlink()
        raise CourseError(f"came to more than {LARGEST / 1e6:g} MB")
    content = _narrow(written.read_text(encoding="utf-8"))
    content = DRAWING.sub(r"<em>\1</em>", content)
    content = WORDLESS.sub('<img alt="a figure of this notebook"', content)
    if plain:
        content = content.replace("<body>", f"<body>{NOTE.format(html.escape(one_line(plain)))}", 1)
    write_whole(written, content.encode("utf-8"))


def _narrow(content: str) -> str:
    """Return a page without the blanks and the names of cells that templates leave around what is to be read."""
    parts = PRE.split(content)
    parts[::2] = [CELL_NAME.sub("", BLANKS.sub("\n", part)) for part in parts[::2]]
    return "".join(parts)


@functools.lru_cache(500)
def coloured(source: str) -> str:
    """Return code as HTML with keywords, text and comments marked; a mark on every name would be four times as long."""
    lexer, parts = PythonLexer(stripnl=False, ensurenl=False), []
    for mark, run in itertools.groupby(lex(source, lexer), lambda token: _mark(token[0])):
        text = html.escape("".join(text for _, text in run), quote=False)
        parts.append(f'<span class="{mark}">{text}</span>' if mark else text)
    return f'<div class="highlight"><pre>{"".join(parts)}</pre></div>'


def _mark(kind: _TokenType) -> str:
    return next((mark for parent, mark in MARKS.items() if kind in parent), "")


def _highlighted(source: str, **_) -> str:
    """Colour a cell's code; the cells that a chapter gives are the same on every page."""
    return coloured(source)


def _plain(source: str, **_) -> str:
    """In place of nbconvert's filters: text as it is."""
    return f"<pre>{html.escape(source)}</pre>"
