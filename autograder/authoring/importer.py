"""From an edited instructor's notebook back to its story and checks: nothing that the marks can say is lost."""

import re
import tempfile
from itertools import zip_longest
from pathlib import Path

import jupytext
import nbformat

from autograder import cell_marks, paths
from autograder.authoring.build import to_notebook
from autograder.authoring.notebook_cells import by_another_author, cells_of, complaints
from autograder.authoring.source import CHECKS, Cell, SourceError, cases_file, prose_file, read

TITLED = ("given", "show")
EMPTY = re.compile(r'(?m)^(# %% \[markdown\] text="\w+")\n#\n')  # as jupytext writes a text cell without text


def import_notebook(notebook: Path, target: Path | None = None) -> Path:
    """Write a notebook's story to `target` and its cases to checks/ beside it, if the text holds all of the notebook.

    target: None for the source of the chapter that the notebook is called like. Returns where the story is. Raises
    SourceError with a line for each thing that is in the way; then nothing is written, and no folder is made.
    """
    nb = read_notebook(notebook)
    if not nb.cells:
        raise SourceError(f"{notebook}: the notebook has no cells; save it and import it again")
    _update(notebook, nb)
    if _is_handed_out(nb):
        raise SourceError(f"{notebook}: this is the students' edition; edit and import the notebook of build/source")
    lines = complaints(notebook, nb)
    if lines:
        raise SourceError("\n".join([*lines, *_last_lines(notebook, nb, len(lines))]))
    target = target or _source_of(notebook)
    if target.suffix != ".py" or target.is_dir():
        raise SourceError(f"{target}: not a file that ends in .py; name one, as in --to {notebook.stem}.py")
    try:
        _write(notebook, nb, target)
    except OSError as error:
        raise SourceError(
            f"{target}: cannot be written ({error.strerror or error}); name another file with --to"
        ) from error
    return target


def _update(notebook: Path, nb: nbformat.NotebookNode) -> None:
    """Bring labels of older versions to nbgrader's of today, as `nbgrader update` does."""
    from nbgrader.nbgraderformat import MetadataValidator  # nbgrader takes 2 s to import

    try:
        MetadataValidator().upgrade_notebook_metadata(nb)
    except (AttributeError, KeyError, TypeError):
        problem = "nbgrader's metadata cannot be read; choose the labels of its cells anew in nbgrader's toolbar"
        raise SourceError(f"{notebook}: {problem}") from None


def _is_handed_out(nb: nbformat.NotebookNode) -> bool:
    """Whether a notebook is of the student edition: a check is one call there."""
    for cell in nb.cells:
        if cell_marks.from_metadata(cell) == "check" and cell.source in cell_marks.handed_out(cell)[1:]:
            return True
    return False


def _last_lines(notebook: Path, nb: nbformat.NotebookNode, count: int) -> list[str]:
    """Return what is said below complaints: how many there are, and what takes the work of others as it is."""
    last = []
    if count > 1:
        last.append(f"{notebook}: {count} things to mend; nothing was written")
    if by_another_author(nb):
        last.append(
            f"{notebook}: these are the rules of this course's chapters; "
            f"an assignment that others wrote is graded as it is: bow2lora adopt {notebook.parent}/"
        )
    return last


def _source_of(notebook: Path) -> Path:
    """Return the source of the chapter that a notebook is called like."""
    known = paths.chapters()
    if notebook.stem not in known:
        names = ", ".join(known) or "none here"
        raise SourceError(
            f"{notebook}: there is no chapter '{notebook.stem}' in solutions/ ({names}); "
            "rename the notebook, or name the file to write with --to"
        )
    return paths.source_text(notebook.stem)


def _write(notebook: Path, nb: nbformat.NotebookNode, target: Path) -> None:
    """Write a source beside its place, read it back, and put it there: folders are made when all is well."""
    there = next(folder for folder in target.absolute().parents if folder.exists())
    with tempfile.TemporaryDirectory(prefix=f".{target.name}.", dir=there) as folder:
        part = Path(folder) / target.name
        write_source(nb, part)
        try:
            again = to_notebook(read(part, total=None))
        except SourceError as error:
            wrong = str(error).replace(f"{folder}/", "")
            raise SourceError(f"{notebook}: the text would not be read again ({wrong})") from None
        _hold_all(notebook, nb, again)
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
    target.parent.mkdir(parents=True, exist_ok=True)
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
            raise SourceError(f"{path}: cell {i} would be lost or changed; nothing was written")


def _content(cell: nbformat.NotebookNode) -> tuple:
    """Return what must come back of a cell; the kind says all that nbgrader's labels mean."""
    meta, source = cell.metadata, cell_marks.VALUES.sub("", cell.source).strip("\n")
    kind, labels = cell_marks.from_metadata(cell), meta.get("nbgrader", {})
    grade_id = labels.get("grade_id") if kind in cell_marks.FLAGS else None
    points = labels.get("points") if kind in ("check", "essay") else None
    return cell.cell_type, source, kind, grade_id, points, sorted(meta.get("tags", [])), meta.get("bow2lora", {})


def to_text(nb: nbformat.NotebookNode) -> tuple[str, dict[tuple[str, str], str], dict[str, str]]:
    """Return the story of a notebook, the cases of its checks by (exercise, grade_id), and prose in files of its own.

    Building them again gives the same notebook.
    """
    out, cases, prose = nbformat.v4.new_notebook(), {}, {}
    for c in cells_of(nb):
        new = nbformat.v4.new_markdown_cell if c.cell_type == "markdown" else nbformat.v4.new_code_cell
        source = c.source
        if c.kind == "check":  # the build computes the values anew
            cases[c.name, c.grade_id], source = cell_marks.VALUES.sub("", source), ""
        if c.kind == "text" and c.name:
            prose[c.name], source = source, ""
        out.cells.append(new(source, metadata=_mark(c) | {"lines_to_next_cell": 1}))
    out.metadata["jupytext"] = {"notebook_metadata_filter": "-all", "cell_metadata_filter": "all"}
    return EMPTY.sub(r"\1\n", jupytext.writes(out, fmt="py:percent")), cases, prose


def _mark(c: Cell) -> dict:
    """Return the mark of a cell in jupytext's metadata."""
    if c.kind not in TITLED:
        return dict(c.options)
    return {"title": c.kind} | {name: value for name, value in c.options.items() if name != c.kind}


def read_notebook(path: Path) -> nbformat.NotebookNode:
    """Read an .ipynb; raises SourceError with one line when it is not a notebook."""
    try:
        return nbformat.read(path, as_version=4)
    except FileNotFoundError:
        raise SourceError(f"{path}: there is no such file") from None
    except Exception as error:
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise SourceError(f"{path}: not a notebook that can be read ({reason})") from None
