"""Hand-ins as people's tools make them: what lies in the folder, the points that it earns, what the notes say of it."""

import copy
import difflib
import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import paths
from autograder.execution.results import Row as Result
from autograder.grading import sample_class
from autograder.grading.sample_class import Material
from helpers.files import write_whole

CHAPTER = sample_class.CHAPTER
NAME = f"{CHAPTER}.ipynb"
FULL, WITHOUT_JUDGE = 80.0, 74.0
WRONG = "return None  # an earlier state"
Files = dict[str, NotebookNode | str | bytes]


@dataclass(frozen=True)
class Row:
    """One hand-in: its files, its points by machine, and a part of a note on it; "" where there is to be none."""

    files: Callable[[Material], Files]
    points: float
    note: str = ""


def solved(m: Material, **answers: str) -> NotebookNode:
    """Return the chapter with all right answers but these."""
    return m.notebook(m.solutions | answers)


def run(nb: NotebookNode, first: int) -> NotebookNode:
    """Return a notebook whose code cells were run one after the other, the first with this count."""
    code = [c for c in nb.cells if c.cell_type == "code"]
    for count, cell in enumerate(code, first):
        cell.execution_count = count
    return nb


def appended(nb: NotebookNode, stale: NotebookNode) -> NotebookNode:
    """Return a notebook with all cells of another one behind its own, under the same ids."""
    nb.cells += copy.deepcopy(stale.cells)
    return nb


def earlier(m: Material) -> NotebookNode:
    """Return an earlier state, in which nothing is right yet."""
    nb = m.notebook({})
    for cell in nb.cells:
        cell.source = cell.source.replace("raise NotImplementedError()", WRONG)
    return nb


def with_own(nb: NotebookNode, source: str, ident: str = "mine") -> NotebookNode:
    """Return a notebook with a cell of the student's own on top."""
    nb.cells.insert(1, nbformat.v4.new_code_cell(source, id=ident))
    return nb


def with_essay(m: Material, cell: NotebookNode) -> NotebookNode:
    """Return everything right, and a cell below the first essay's, which is as it was handed out."""
    nb = solved(m)
    nb.cells.insert(next(i for i, c in enumerate(nb.cells, 1) if c.id == "essay-false-alarms"), cell)
    return nb


def written_with(nb: NotebookNode, version: str) -> NotebookNode:
    """Return a notebook that says which Python it was written with."""
    nb.metadata["language_info"] = {"name": "python", "version": version}
    return nb


def zipped(members: Files) -> bytes:
    """Return a zip with these files, the same bytes each time."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(zipfile.ZipInfo(name), encoded(content))
    return raw.getvalue()


def edition(m: Material, mine: NotebookNode, **others: NotebookNode) -> Files:
    """Return a student's whole folder: all notebooks as they were handed out, and those in mine/."""
    released = {p.stem: p for p in sorted(paths.RELEASE.glob("*/*.ipynb")) if p.stem == p.parent.name}
    files: Files = {f"students/notebooks/{name}/{name}.ipynb": p.read_bytes() for name, p in released.items()}
    files |= {f"students/mine/{name}/{name}.ipynb": nb for name, nb in others.items()}
    return files | {f"students/mine/{CHAPTER}/{NAME}": mine}


def other_chapter(m: Material) -> NotebookNode:
    """Return another chapter, in which a function has the name of one of this chapter's."""
    nb = nbformat.read(paths.release_notebook("08_rag"), as_version=4)
    nb.cells.append(nbformat.v4.new_code_cell(m.solutions["bm25"]))
    return nb


def conflict(ours: NotebookNode, theirs: NotebookNode, names: tuple[str, str], origin: str = "") -> str:
    """Return the file that git leaves of two states; origin: what diff3 writes between them."""
    a, b = (encoded(nb).decode().split("\n") for nb in (ours, theirs))
    lines: list[str] = []
    for what, a0, a1, b0, b1 in difflib.SequenceMatcher(a=a, b=b, autojunk=False).get_opcodes():
        if what == "equal":
            lines += a[a0:a1]
        else:
            middle = [f"||||||| {origin}", "what was there before"] if origin else []
            lines += [f"<<<<<<< {names[0]}", *a[a0:a1], *middle, "=======", *b[b0:b1], f">>>>>>> {names[1]}"]
    return "\n".join(lines)


def nested(m: Material) -> str:
    """Return a conflict within the other side of a conflict, as a second merge leaves it."""
    text = conflict(solved(m), m.notebook({"judge": m.solutions["judge"]}), ("HEAD", "release-2"))
    head, _, rest = text.partition("=======\n")
    return f"{head}=======\n<<<<<<< a\nof one\n=======\nof another\n>>>>>>> b\n{rest}"


def broken(m: Material, old: str, new: str, **more: str) -> Files:
    """Return everything right, but for the characters of a keyboard in `judge`."""
    source = m.solutions["judge"]
    assert old in source
    return {NAME: solved(m, judge=source.replace(old, new), **more)}


def doubled(m: Material, between: str) -> Files:
    """Return everything right, one cell's text twice in it."""
    return {NAME: solved(m, tf=m.solutions["tf"] + between + m.solutions["tf"])}


def borrowed(m: Material) -> str:
    """Return a right answer that uses a helper of another cell."""
    return "def ngrams(tokens, n):\n    return [' '.join(piece) for piece in windows(tokens, n)]"


WINDOWS = "def windows(tokens, n):\n    return [tokens[i : i + n] for i in range(len(tokens) - n + 1)]"
STALE_WINDOWS = "def windows(tokens, n):\n    return []"
IN_A_CELL = "<<<<<<< HEAD\n{}\n=======\n>>>>>>> release-2"
SEVERAL = f"several notebooks: {{}} counts (answers: 13), not {NAME} (0)"
ROWS: dict[str, Row] = {
    "the untouched original beside Jupyter's copy": Row(
        lambda m: {NAME: m.notebook({}), f"{CHAPTER}-Copy1.ipynb": solved(m)}, FULL,
        SEVERAL.format(f"{CHAPTER}-Copy1.ipynb"),
    ),
    "nbgitpuller's copy": Row(
        lambda m: {NAME: m.notebook({}), f"{CHAPTER}__20261124104101.ipynb": solved(m)}, FULL,
        SEVERAL.format(f"{CHAPTER}__20261124104101.ipynb"),
    ),
    "an early copy beside the right file": Row(
        lambda m: {NAME: solved(m), f"{CHAPTER}-Copy1.ipynb": m.notebook({"judge": m.solutions["judge"]})}, FULL,
        f"several notebooks: {NAME} counts (answers: 13), not {CHAPTER}-Copy1.ipynb (1)",
    ),
    "two with as many answers: the name decides": Row(
        lambda m: {NAME: solved(m), "a.ipynb": earlier(m)}, FULL, f"{NAME} counts (answers: 13), not a.ipynb (13)"
    ),
    "two of nbgitpuller's copies: the newer": Row(
        lambda m: {f"{CHAPTER}__20261101000000.ipynb": earlier(m), f"{CHAPTER}__20261102000000.ipynb": solved(m)}, FULL,
        f"{CHAPTER}__20261102000000.ipynb: taken as {NAME}",
    ),
    "a draft that is untouched": Row(lambda m: {NAME: solved(m), "draft.ipynb": m.notebook({})}, FULL),
    "a zip of the whole edition": Row(
        lambda m: {"students.zip": zipped(edition(m, solved(m)))}, FULL,
        f"students.zip/students/mine/{CHAPTER}/{NAME}: taken as {NAME}",
    ),
    "the whole edition, another chapter answered": Row(
        lambda m: {"students.zip": zipped(edition(m, m.notebook({}), **{"08_rag": other_chapter(m)}))}, 0.0,
        f"/{CHAPTER}/{NAME}: taken as {NAME}",
    ),
    "the whole edition as folders": Row(
        lambda m: edition(m, solved(m)), FULL, f"students/mine/{CHAPTER}/{NAME}: taken as {NAME}"
    ),
    "a stale copy of all cells, run before": Row(
        lambda m: {NAME: appended(run(solved(m), 200), run(earlier(m), 1))}, FULL,
        "there were several copies, the one run last counts",
    ),
    "a stale copy of all cells in front, run before": Row(
        lambda m: {NAME: appended(run(earlier(m), 1), run(solved(m), 200))}, FULL,
        "there were several copies, the one run last counts",
    ),
    "a stale copy of all cells, never run": Row(
        lambda m: {NAME: appended(solved(m), earlier(m))}, FULL, "the one before the cells stood twice counts"
    ),
    "a stale copy of all cells, untouched": Row(
        lambda m: {NAME: appended(run(solved(m), 5), run(m.notebook({}), 90))}, FULL, "there were several copies"
    ),
    "a stale copy with a helper of the student's": Row(
        lambda m: {NAME: appended(
            run(with_own(solved(m, ngrams=borrowed(m)), WINDOWS), 200), run(with_own(earlier(m), STALE_WINDOWS), 1)
        )}, FULL, "own cells: there were several copies",
    ),
    "a cell's text twice, on lines of their own": Row(
        lambda m: doubled(m, "\n"), FULL, "tf: the text stood twice in the cell and was taken once"
    ),
    "a cell's text twice, without a break": Row(
        lambda m: doubled(m, ""), FULL, "tf: the text stood twice in the cell and was taken once"
    ),
    "git's conflict, HEAD is the student's": Row(
        lambda m: {NAME: conflict(solved(m), m.notebook({}), ("HEAD", "release-2"))}, FULL, "the side HEAD was read"
    ),
    "git's conflict with the origin": Row(
        lambda m: {NAME: conflict(solved(m), m.notebook({}), ("HEAD", "release-2"), "1f2e3d4")}, FULL,
        "the side HEAD was read",
    ),
    "git's conflict in a conflict": Row(lambda m: {NAME: nested(m)}, FULL, "the side HEAD was read"),
    "git's conflict after a stash": Row(
        lambda m: {NAME: conflict(m.notebook({}), solved(m), ("Updated upstream", "Stashed changes"))}, FULL,
        "the side Stashed changes was read",
    ),
    "git's conflict in a cell's text": Row(
        lambda m: {NAME: solved(m, judge=IN_A_CELL.format(m.solutions["judge"]))}, WITHOUT_JUDGE,
        "judge: conflict markers of git in line 1",
    ),
    "U+00A0 to indent with": Row(
        lambda m: broken(m, "\n    ", "\n\u00a0   "), WITHOUT_JUDGE,
        "judge: does not parse, line 2 holds U+00A0 (a blank that Python does not take)",
    ),
    "typographic quotation marks": Row(
        lambda m: {NAME: solved(m, judge=f"kind = \u201craw\u201d\n{m.solutions['judge']}")}, WITHOUT_JUDGE,
        "judge: does not parse, line 1 holds U+201C",
    ),
    "full-width brackets": Row(
        lambda m: broken(m, "precision_recall_f1(", "precision_recall_f1\uff08"), WITHOUT_JUDGE,
        "judge: does not parse, line 1 holds U+FF08",
    ),
    "a minus that is none": Row(
        lambda m: {NAME: solved(m, judge=f"{m.solutions['judge']}\n\nx = 3 \u2212 1")}, WITHOUT_JUDGE, "holds U+2212"
    ),
    "a blank of no width": Row(lambda m: broken(m, "return ", "return\u200b "), WITHOUT_JUDGE, "holds U+200B"),
    "a byte order mark within": Row(lambda m: broken(m, "def ", "\ufeffdef "), WITHOUT_JUDGE, "holds U+FEFF"),
    "such characters in texts and comments": Row(
        lambda m: {NAME: solved(m, judge=f"# \u201c\u00a0\uff08\nkind = '\u00a0\u2212'\n{m.solutions['judge']}")}, FULL
    ),
    "a newer Python": Row(
        lambda m: {NAME: written_with(solved(m, judge=f"{m.solutions['judge']}\n\nx = 1 of tomorrow"), "3.99.1")},
        WITHOUT_JUDGE, "judge: does not parse; written with Python 3.99, graded with",
    ),
    "a newer Python, nothing of it used": Row(lambda m: {NAME: written_with(solved(m), "3.99.1")}, FULL),
    "a version that is none": Row(lambda m: {NAME: written_with(solved(m, judge="def ("), "9" * 10**6)}, WITHOUT_JUDGE),
    "the essay in a cell of its own": Row(
        lambda m: {NAME: with_essay(m, nbformat.v4.new_markdown_cell(sample_class.ESSAY, id="mine"))}, FULL,
        "essay-false-alarms: the answer stood in cells of its own below",
    ),
    "the essay as comments in a code cell": Row(
        lambda m: {NAME: with_essay(m, nbformat.v4.new_code_cell(f"# {sample_class.ESSAY}", id="mine"))}, FULL,
        "essay-false-alarms: the answer stood in cells of its own below",
    ),
    "a byte order mark, lines of Windows": Row(
        lambda m: {NAME: b"\xef\xbb\xbf" + encoded(solved(m)).replace(b"\n", b"\r\n")}, FULL
    ),
}  # fmt: skip
FEW = (  # what `make test` takes
    "the untouched original beside Jupyter's copy",
    "the whole edition, another chapter answered",
    "a stale copy of all cells, run before",
    "a cell's text twice, without a break",
    "git's conflict, HEAD is the student's",
    "full-width brackets",
    "the essay as comments in a code cell",
    "a newer Python",
)


def encoded(content: NotebookNode | str | bytes) -> bytes:
    """Return what stands in a file, a notebook as nbformat writes it."""
    if isinstance(content, bytes):
        return content
    text = content if isinstance(content, str) else json.dumps(content, indent=1, ensure_ascii=False)
    return text.encode("utf-8")


def student(row: str) -> str:
    """Return the name of the student who hands in a row."""
    return "".join(letter if letter.isalnum() else "-" for letter in row)


def hand_in(course: Path, rows: list[str]) -> None:
    """Write the submissions of these rows into a course."""
    material = Material()
    for row in rows:
        for name, content in ROWS[row].files(material).items():
            write_whole(course / "submitted" / student(row) / CHAPTER / name, encoded(content))


def graded(course: Path, rows: list[str]) -> dict[str, dict]:
    """Grade these rows as one class; returns {row: {"points", "essays", "notes"}}."""
    from autograder.authoring.build import build
    from autograder.execution.in_process_worker import InProcessWorker
    from autograder.grading.grade import grade

    build(CHAPTER)
    hand_in(course, rows)
    found = {r.student: r for r in grade(CHAPTER, course, backend=InProcessWorker, say=lambda _: None)}
    return {row: _outcome(found[student(row)]) for row in rows}


def _outcome(row: Result) -> dict:
    essays = {name: "open" if points is None else points for name, points in row.essays.items()}
    return {"points": row.total, "essays": essays, "notes": list(row.notes)}


def faults(row: str, found: dict) -> list[str]:
    """Return what came otherwise than the row says."""
    expected, notes = ROWS[row], found["notes"]
    essay = found["essays"]["false-alarms"]
    if ("essay" in row) != (essay == "open"):
        return [f"{row}: the essay is {essay}"]
    told = [f"{row}: {found['points']:g} points, expected {expected.points:g}"]
    wrong = told if found["points"] != expected.points else []
    if expected.note and not any(expected.note in note for note in notes):
        wrong = [*wrong, f"{row}: no note with '{expected.note}', but {notes}"]
    unasked = [note for note in notes if not note.startswith(("judge: stopped", "check-judge"))]
    return wrong + ([f"{row}: notes that nobody asked for: {unasked}"] if unasked and not expected.note else [])
