"""The marks of a chapter's text source, and the nbgrader metadata that they stand for.

    # %% exercise="tf"                        code the student writes
    # %% check="tf" points=4                  the checks of that exercise; its cases lie in checks/tf.py
    # %% [markdown] essay="why-idf" points=5  prose, graded by hand
    # %% given                                locked code that later cells need
    # %% show                                 the story told with the student's functions, skipped while judging
    # %% show exact=true                      the same; what it prints is compared with tests/expected
    # %% [markdown] text="quiz"               prose that lies in a file of its own, quiz.md

In a show cell a line `STEPS = 300  ### small: 60; gpu: 3000` gives a size, and what stands for it on the small budget
and on a GPU; `### BEGIN CLAIMS ... ### END CLAIMS` holds what only `make course` runs. Students see neither.

Any of them may carry `id="..."`, a grade_id of its own; otherwise the id follows from the name.
"""

import re

SCHEMA = 3
PERSON = "left to a person"  # of a test cell of others: see adopted_table
SHOW = "show"
TASK = "task"  # in no chapter; in what others wrote for nbgrader
EXACT = "nbval-check-output"  # the tag that nbval knows
FLAGS = {  # grade, locked, solution
    "exercise": (False, False, True),
    "check": (True, True, False),
    "essay": (True, False, True),
    "given": (False, True, False),
}
PREFIX = {"exercise": "", "check": "check-", "essay": "essay-", "given": "given-"}
OPTIONS = {
    "exercise": {"exercise", "id"},
    "check": {"check", "points", "id"},
    "essay": {"essay", "points", "id"},
    "given": {"given", "id"},
    "show": {"show", "exact"},
    "text": {"text"},
    "code": set(),
}
CALL = """# Press Shift+Enter to check `{name}`; the cases lie in checks/{name}.py.
from helpers.checks import check

check("{name}")"""
SCHEME_ID = "mark-scheme-"  # of a cell in autograded/ that only those who grade may see
CLAIMS = re.compile(r"(?ms)\n*^### BEGIN CLAIMS.*?^### END CLAIMS[^\n]*")
SIZE = re.compile(r"(?m)^(?P<name>\w+) = (?P<value>.+?)  ### small: (?P<small>[^;\n]+)(?:; gpu: (?P<gpu>[^;\n]+))?$")
SOLUTION = re.compile(r"(?m)^[ \t]*### (BEGIN|END) SOLUTION[^\n]*\n?")  # the lines around an answer
HIDDEN = re.compile(r"(?ms)^[ \t]*### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS[^\n]*\n?")
MISTAKES = re.compile(r"(?ms)^[ \t]*### BEGIN MISTAKES.*?### END MISTAKES[^\n]*\n?")
HEAD = "    check.mistake_values({  # {a mistake: {the number of a case: what it gives there}}\n"
FOOT = "    })\n"
FRAME = f"{HEAD}{FOOT}"  # of what students have in the place of mistakes
VALUES = re.compile(r"(?ms)^    check\.mistake_values\(\{.*?^    \}\)\n")  # what the build puts behind the mistakes

SCHEME = re.compile(r"(?ms)^[ \t]*### BEGIN MARK SCHEME[^\n]*\n(.*?)^[ \t]*### END MARK SCHEME")


def read_mark(cell) -> tuple[str, dict]:
    """Return the kind of a jupytext cell and its options; raises ValueError for an unknown mark."""
    options = {k: v for k, v in cell.metadata.items() if k != "lines_to_next_cell"}
    title = options.pop("title", None)
    if title in ("given", "show"):
        options[title] = True
    elif title is not None:
        raise ValueError(f"unknown mark '{title}'; the marks are exercise=, check=, essay=, given, show")
    kind = next((k for k in OPTIONS if k in options), "text" if cell.cell_type == "markdown" else "code")
    unknown = sorted(set(options) - OPTIONS[kind])
    if unknown:
        raise ValueError(f"unknown mark '{unknown[0]}' in a cell of kind {kind}")
    return kind, options


def to_metadata(kind: str, options: dict, grade_id: str) -> dict:
    """Return the notebook metadata (nbgrader schema 3) of a marked cell."""
    if kind == "show":
        return {"tags": [SHOW, EXACT] if options.get("exact") else [SHOW]}
    if kind not in FLAGS:
        return {}
    grade, locked, solution = FLAGS[kind]
    flags = {"grade": grade, "grade_id": grade_id, "locked": locked, "schema_version": SCHEMA}
    points = {"points": options["points"]} if grade else {}
    return {"nbgrader": flags | points | {"solution": solution, "task": False}}


def from_metadata(cell) -> str:
    """Return the kind of a notebook cell, judged by its nbgrader metadata and tags.

    TASK is what nbgrader calls a task, a locked text with points that a person gives for what stands below it, another
    locked text with points, and a test cell that `adopt` left to a person.
    """
    meta = cell.metadata.get("nbgrader", {})
    if meta.get("task") or cell.metadata.get("bow2lora", {}).get("test") == PERSON:
        return TASK
    found = (bool(meta.get("grade")), bool(meta.get("locked")), bool(meta.get("solution")))
    if found[0] and not found[2]:
        return "check" if cell.cell_type == "code" else TASK
    if found[0] and found[2]:
        return "essay"
    if found[2]:
        return "exercise"
    if found[1]:
        return "given"
    return "show" if SHOW in cell.metadata.get("tags", []) else _unmarked(cell)


def visible(source: str) -> str:
    """Return the text of a cell without its hidden tests and the code of its mistakes."""
    return MISTAKES.sub("", HIDDEN.sub("", source)).strip()


def has_hidden(source: str) -> bool:
    """Whether a cell has hidden tests."""
    return HIDDEN.search(source) is not None


def call(name: str) -> str:
    """Return a check cell as students have it: one call, whose cases lie in checks/<name>.py."""
    return CALL.format(name=name)


def handed_out(cell) -> list[str]:
    """Return the texts in which an instructor's cell may have been handed out: a check is a call, or its cases."""
    name = str(cell.metadata.get("nbgrader", {}).get("grade_id", "")).removeprefix(PREFIX["check"])
    open_ = cell.metadata.get("bow2lora", {}).get("handed_out", visible(cell.source))
    return [open_, *([call(name)] if from_metadata(cell) == "check" else [])]


def without_sizes(source: str) -> tuple[str, dict[str, dict[str, str]]]:
    """Return a cell's text as students see its sizes, and the other sizes: {"small": {"STEPS": "60"}, "gpu": {...}}."""
    sizes: dict[str, dict[str, str]] = {}
    for found in SIZE.finditer(source):
        for budget in ("small", "gpu"):
            if found[budget]:
                sizes.setdefault(budget, {})[found["name"]] = found[budget]
    return SIZE.sub(r"\g<name> = \g<value>", source), sizes


def with_sizes(source: str, sizes: dict[str, dict[str, str]]) -> str:
    """Return a cell's text with the other sizes as comments again: the way back from `without_sizes`."""
    for name, small in sizes.get("small", {}).items():
        gpu = sizes.get("gpu", {}).get(name)
        note = f"  ### small: {small}"
        if gpu:
            note += f"; gpu: {gpu}"
        found = _line_of(name, source)
        if found:
            source = source[: found.end()] + note + source[found.end() :]
    return source


def sized(source: str, sizes: dict[str, str]) -> str:
    """Return a cell's text with other sizes put in: {"STEPS": "60"}."""
    for name, value in sizes.items():
        found = _line_of(name, source)
        if found:
            source = f"{source[: found.start()]}{name} = {value}{source[found.end() :]}"
    return source


def _line_of(name: str, source: str) -> re.Match[str] | None:
    """Return the first line of a cell that gives a value to a name."""
    return re.search(rf"(?m)^{name} = .*$", source)


def mark_scheme(source: str) -> str:
    """Return the mark scheme of an essay's source, "" if it has none."""
    found = SCHEME.search(source)
    return found[1].strip() if found else ""


def _unmarked(cell) -> str:
    return "text" if cell.cell_type == "markdown" else "code"
