"""From a chapter's text source to the instructor's notebook and, by nbgrader, to the student's."""

import contextlib
import copy
import io
import logging
import re
from collections.abc import Callable
from pathlib import Path

import nbformat

from autograder import cell_marks, paths
from autograder.authoring import figures
from autograder.authoring.known_mistakes import with_mistake_values, with_released_digits
from autograder.authoring.source import Cell, SourceError, digest, read
from helpers.files import write_whole

ADAPTED = paths.SOURCE.parent / "adapted"  # notebooks as one course has them, on their way to its students
Edition = dict[Path, bytes]
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}


def to_notebook(cells: list[Cell]) -> nbformat.NotebookNode:
    """Return the instructor's notebook: every id and every bit of metadata follows from the source."""
    nb = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for c in cells:
        new = nbformat.v4.new_markdown_cell if c.cell_type == "markdown" else nbformat.v4.new_code_cell
        source, sizes = cell_marks.without_sizes(c.source) if c.kind == "show" else (c.source, {})
        metadata = cell_marks.to_metadata(c.kind, c.options, c.grade_id) | ({"bow2lora": sizes} if sizes else {})
        nb.cells.append(new(source, id=c.grade_id, metadata=metadata))
    nbformat.validate(nb)
    return nb


def write(nb: nbformat.NotebookNode, path: Path) -> None:
    """Write a notebook with sorted keys and a final newline: the same content gives the same bytes."""
    write_whole(path, f"{nbformat.writes(nb)}\n".encode())


def build(chapter: str) -> Path:
    """Write build/source/<chapter>/<chapter>.ipynb and its figures/ from the text source; raises SourceError.

    In its checks the values of known mistakes stand beside their code.
    """
    path, state = paths.source_notebook(chapter), _state(chapter)
    cells = read(paths.source_text(chapter))
    write(to_notebook(with_mistake_values(cells)), path)
    figures.draw_all(paths.source_text(chapter), cells, path.parent)
    write_whole(_note_of(chapter), state)
    return path


def fresh(chapter: str) -> Path:
    """Return the instructor's notebook, built anew if the source has changed; it need not exist without a source."""
    text, built, note = paths.source_text(chapter), paths.source_notebook(chapter), _note_of(chapter)
    if text.is_file() and not (built.is_file() and note.is_file() and note.read_bytes() == _state(chapter)):
        build(chapter)
    return built


def build_missing() -> None:
    """Write the instructor's notebooks that are not there, as in a fresh clone: nbgrader looks for them first.

    A chapter with a mistake in its source stays missing; `release` names the mistake.
    """
    for chapter in paths.chapters():
        if not paths.source_notebook(chapter).is_file():
            with contextlib.suppress(SourceError):
                build(chapter)


def _note_of(chapter: str) -> Path:
    """Return the note on what the instructor's notebook was built from."""
    return paths.SOURCE.parent / "made_of" / chapter


def _state(chapter: str) -> bytes:
    """Return a digest of a chapter's folder, its figures included."""
    folder = paths.source_text(chapter).parent
    return digest(folder, (p for p in folder.rglob("*") if p.suffix in (".py", ".md"))).encode()


def generate(chapter: str, adapt: Callable[[nbformat.NotebookNode], nbformat.NotebookNode] | None = None) -> Edition:
    """Build a chapter and return the student edition that nbgrader generates from it, without a gradebook.

    adapt: makes of the instructor's notebook the one of a course (see adapted). Returns the notebook, its drawings and
    the visible cases of its checks, by their paths in notebooks/.
    """
    from autograder.gradebook.nbgrader_course import converter, course_config  # nbgrader takes 2 s to import

    built, config = build(chapter), course_config()
    if adapt is not None:
        config.CourseDirectory.source_directory = str(ADAPTED)
        write(adapt(nbformat.read(built, as_version=4)), ADAPTED / chapter / built.name)
        figures.copy_all(built.parent, ADAPTED / chapter)
    config.GenerateAssignment.no_database, config.SaveCells.enabled = True, False
    config.CourseDirectory.release_directory = "build/generated"
    log = io.StringIO()
    try:
        with contextlib.redirect_stderr(log):
            converter("GenerateAssignment", chapter, config, level=logging.ERROR).start()
    except Exception as error:
        reasons = re.findall(r"^\w+(?:Error|Exception): .*", log.getvalue(), re.MULTILINE) or [str(error)]
        raise SourceError(f"{paths.source_text(chapter)}:1: nbgrader could not generate it: {reasons[0]}") from error
    generated = paths.ROOT / "build" / "generated" / chapter
    edition = {paths.RELEASE / chapter / p.relative_to(generated): p.read_bytes() for p in edition_files(generated)}
    for path, content in edition.items():
        if path.suffix == ".py" and path.is_file():
            check = with_released_digits(content.decode(), path.read_text(encoding="utf-8"))
            edition[path] = check.encode()
    return edition


def edition_files(folder: Path) -> list[Path]:
    """Return the files of a chapter's student edition in its folder: notebook, drawings, cases of its checks."""
    return sorted(path for pattern in ("*.ipynb", "figures/*.svg", "checks/*.py") for path in folder.glob(pattern))


def with_hidden_tests(released: nbformat.NotebookNode, source: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Return the released notebook with the check cells of the instructor's, which is what is graded."""
    return _with_checks(released, {cell.id: cell.source for cell in source.cells})


def with_visible_cases(released: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
    """Return the released notebook with the visible cases beside it in its check cells: for who has no source."""
    files = folder.glob("checks/*.py")
    return _with_checks(
        released, {f"{cell_marks.PREFIX['check']}{p.stem}": p.read_text("utf-8").rstrip() for p in files}
    )


def _with_checks(released: nbformat.NotebookNode, texts: dict[str, str]) -> nbformat.NotebookNode:
    nb = copy.deepcopy(released)
    for cell in nb.cells:
        if cell_marks.from_metadata(cell) == "check":
            cell.source = texts.get(cell.id, cell.source)  # an edition of before may have more
    return nb


def release(chapter: str, check: bool = False) -> bool:
    """Write the student edition to notebooks/ (or only compare); returns whether it was the same before.

    An edition that cannot be generated leaves the old one alone.
    """
    edition, there = generate(chapter), edition_files(paths.RELEASE / chapter)
    same = {path: path.read_bytes() for path in there} == edition
    if not (check or same):
        for path, content in edition.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
        for path in set(there) - set(edition):
            path.unlink()
    return same
