"""The marks of a chapter's text source, and the nbgrader metadata that they stand for.

    # %% exercise="tf"                        code the student writes
    # %% check="tf" points=4                  the checks of that exercise
    # %% [markdown] essay="why-idf" points=5  prose, graded by hand
    # %% given                                locked code that later cells need
    # %% show                                 the story told with the student's functions, skipped while judging

Any of them may carry `id="..."`, a grade_id of its own; otherwise the id follows from the name.
"""

import re

SCHEMA = 3
SHOW = "show"
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
    "show": {"show"},
    "text": set(),
    "code": set(),
}
SCHEME_ID = "mark-scheme-"  # of a cell in autograded/ that only those who grade may see
HIDDEN = re.compile(r"(?ms)^[ \t]*### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS[^\n]*\n?")

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
        return {"tags": [SHOW]}
    if kind not in FLAGS:
        return {}
    grade, locked, solution = FLAGS[kind]
    flags = {"grade": grade, "grade_id": grade_id, "locked": locked, "schema_version": SCHEMA}
    points = {"points": options["points"]} if grade else {}
    return {"nbgrader": flags | points | {"solution": solution, "task": False}}


def from_metadata(cell) -> str:
    """Return the kind of a notebook cell, judged by its nbgrader metadata and tags."""
    meta = cell.metadata.get("nbgrader", {})
    found = (bool(meta.get("grade")), bool(meta.get("locked")), bool(meta.get("solution")))
    if found[0] and not found[2]:
        return "check"
    if found[0] and found[2]:
        return "essay"
    if found[2]:
        return "exercise"
    if found[1]:
        return "given"
    return "show" if SHOW in cell.metadata.get("tags", []) else _unmarked(cell)


def visible(source: str) -> str:
    """Return the text of a cell without its hidden tests: what student and instructor both have."""
    return HIDDEN.sub("", source).strip()


def mark_scheme(source: str) -> str:
    """Return the mark scheme of an essay's source, "" if it has none."""
    found = SCHEME.search(source)
    return found[1].strip() if found else ""


def _unmarked(cell) -> str:
    return "text" if cell.cell_type == "markdown" else "code"
