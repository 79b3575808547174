"""From an edited instructor's notebook back to its story and checks: nothing that the marks can say is lost."""

import re
import tempfile
from itertools import zip_longest
from pathlib import Path

import jupytext
import nbformat

from autograder import cell_marks
from autograder.authoring.build import to_notebook
from autograder.authoring.source import CHECKS, SourceError, cases_file, prose_file, read

TITLED = ("given", "show")
EMPTY = re.compile(r'(?m)^(# %% \[markdown\] text="\w+")\n#\n')  # as jupytext writes a text cell without text


def import_notebook(notebook: Path, target: Path) -> None:
    """Write a notebook's story to `target` and its cases to checks/ beside it, if the text holds all of the notebook.

    Raises SourceError, and leaves everything as it is, where a cell would not come back as it was.
    """
    nb = read_notebook(notebook)
    if not nb.cells:
        raise SourceError(f"{notebook}: the notebook has no cells")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=target.parent) as folder:
        part = Path(folder) / target.name
        try:
            write_source(nb, part)
            _hold_all(notebook, nb, to_notebook(read(part, total=None)))
        except SourceError as error:
            raise SourceError(str(error).replace(str(part), f"{notebook}, as text")) from None
        _put(part, target)


def write_source(nb: nbformat.NotebookNode, story: Path) -> None:
    """Write a notebook as a story and the files of its checks."""
    text, cases, prose = to_text(nb)
    story.write_text(text, encoding="utf-8")
    files = {cases_file(story, *of): source for of, source in cases.items()}
    files |= {prose_file(story, name): source for name, source in prose.items()}
    for path, source in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(source.rstrip() + "\n", encoding="utf-8")


def _put(part: Path, target: Path) -> None:
    """Put a story and its checks in the place of those that are there, a file at a time."""
    checks = target.parent / CHECKS
    old = {path.name for path in checks.glob("*.py")}
    new = sorted((part.parent / CHECKS).glob("*.py"))
    if new:
        checks.mkdir(exist_ok=True)
    for path in new:
        path.replace(checks / path.name)
    for name in old - {path.name for path in new}:
        (checks / name).unlink()
    for path in part.parent.glob("*.md"):
        path.replace(target.parent / path.name)
    part.replace(target)


def _hold_all(path: Path, nb: nbformat.NotebookNode, again: nbformat.NotebookNode) -> None:
    """Raise SourceError for the first cell that the text does not hold."""
    for i, (cell, back) in enumerate(zip_longest(nb.cells, again.cells), 1):
        if cell is None or back is None or _content(cell) != _content(back):
            raise SourceError(
                f"{path}: cell {i} would be lost or changed (the text holds code and markdown cells with nbgrader's "
                "labels, no raw cells, no other tags, and no line that begins with # %%); the source was left as it is"
            )


def _content(cell: nbformat.NotebookNode) -> tuple:
    meta, source = cell.metadata, cell_marks.VALUES.sub("", cell.source).strip("\n")
    return cell.cell_type, source, meta.get("nbgrader"), meta.get("tags", []), meta.get("bow2lora")


def to_text(nb: nbformat.NotebookNode) -> tuple[str, dict[tuple[str, str], str], dict[str, str]]:
    """Return the story of a notebook, the cases of its checks by (exercise, grade_id), and prose in files of its own.

    Building them again gives the same notebook.
    """
    out, cases, prose = nbformat.v4.new_notebook(), {}, {}
    exercise, count = "", dict.fromkeys(cell_marks.OPTIONS, 0)
    for cell in nb.cells:
        kind = cell_marks.from_metadata(cell)
        count[kind] += 1
        exercise = cell.metadata["nbgrader"].get("grade_id", "") if kind == "exercise" else exercise
        new = nbformat.v4.new_markdown_cell if cell.cell_type == "markdown" else nbformat.v4.new_code_cell
        mark = _options(cell, kind, exercise, count[kind])
        source = cell_marks.with_sizes(cell.source, cell.metadata.get("bow2lora", {}))
        if kind == "check":  # the build computes the values anew
            source = cell_marks.VALUES.sub("", source)
            cases[mark["check"], cell.metadata["nbgrader"].get("grade_id", "")], source = source, ""
        if kind == "text" and mark:
            prose[mark["text"]], source = source, ""
        out.cells.append(new(source, metadata=mark | {"lines_to_next_cell": 1}))
    out.metadata["jupytext"] = {"notebook_metadata_filter": "-all", "cell_metadata_filter": "all"}
    return EMPTY.sub(r"\1\n", jupytext.writes(out, fmt="py:percent")), cases, prose


def _options(cell, kind: str, exercise: str, number: int) -> dict:
    """Return the mark of a cell in jupytext's metadata."""
    if kind == "text":
        named = re.fullmatch(r"text-([a-z]\w*)", cell.get("id", ""))
        return {"text": named[1]} if named else {}
    if kind == "show":
        exact = cell_marks.EXACT in cell.metadata.get("tags", [])
        return {"title": kind, "exact": True} if exact else {"title": kind}
    if kind not in cell_marks.FLAGS:
        return {}
    meta = cell.metadata["nbgrader"]
    prefix, grade_id = cell_marks.PREFIX[kind], meta.get("grade_id", "")
    name = grade_id.removeprefix(prefix)
    if kind == "check" and not grade_id.startswith(prefix):
        name = exercise
    options: dict[str, object] = {"title": kind} if kind in TITLED else {kind: name}
    if kind in ("check", "essay"):
        options["points"] = _number(meta.get("points", 0))
    default_id = f"{prefix}{number:02}" if kind == "given" else f"{prefix}{name}"
    if grade_id != default_id:
        options["id"] = grade_id
    return options


def _number(points: float) -> int | float:
    return int(points) if float(points).is_integer() else points


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """Read an .ipynb; raises SourceError with one line when it is not a notebook."""
    try:
        return nbformat.read(path, as_version=4)
    except FileNotFoundError:
        raise SourceError(f"{path}: there is no such file") from None
    except Exception as error:
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise SourceError(f"{path}: not a notebook that can be read ({reason})") from None
