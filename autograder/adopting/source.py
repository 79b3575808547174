"""The source of an assignment that others wrote: its notebooks, brought to nbgrader's newest format, and its files."""

import base64
import os
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.utils import is_grade, is_locked, is_solution, is_task

from autograder.execution.result_cache import digest
from helpers.errors import CourseError
from helpers.files import write_whole

SKIPPED = {".ipynb_checkpoints", "__pycache__", "__MACOSX"}  # and what begins with a dot
MAX_BYTES = 20_000_000  # of all files beside the notebooks: each submission's process gets them
LONGEST_NAME = 64  # characters of a cell's id in nbformat


@dataclass(frozen=True)
class Source:
    """An assignment. notebooks: by name, each cell's id its grade_id; files: those beside, {path: base64}."""

    assignment: str
    folder: Path
    notebooks: dict[str, NotebookNode]
    files: dict[str, str]

    @property
    def digest(self) -> str:
        """A digest of all that is read of the folder."""
        return digest_of(self.folder)


def read(folder: Path) -> Source:
    """Read the folder of an assignment; CourseError if it holds none that can be graded."""
    if folder.is_file():
        raise CourseError(f"{folder}: a file; give the folder in which it lies, such as source/ps1/")
    if not folder.is_dir():
        raise CourseError(f"{folder}: there is no such folder; give that of an assignment, such as source/ps1/")
    found = files_of(folder)
    notebooks = [path for path in found if path.suffix == ".ipynb" and path.parent == folder]
    if not notebooks:
        raise CourseError(f"{folder}: no notebook lies in it; give the folder of one assignment, such as source/ps1/")
    others = [path for path in found if path not in notebooks]
    size = sum(path.stat().st_size for path in others)
    if size > MAX_BYTES:
        raise CourseError(f"{folder}: the files beside the notebooks have {size:,} bytes, {MAX_BYTES:,} are allowed")
    files = {path.relative_to(folder).as_posix(): _coded(path) for path in others}
    read_ = {path.stem: _notebook(path) for path in notebooks}
    if not any(is_grade(cell) or is_task(cell) for notebook in read_.values() for cell in notebook.cells):
        raise CourseError(f"{folder}: no cell in it has points; mark the test cells with nbgrader's toolbar")
    return Source(folder.resolve().name, folder, read_, files)


def files_of(folder: Path) -> list[Path]:
    """Return the files of an assignment, in order, but for what programs leave there."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if _counts(name))
        found += [Path(place, name) for name in sorted(names) if _counts(name)]
    return found


def digest_of(folder: Path) -> str:
    """Return a digest of an assignment's files and their names."""
    return digest([[path.relative_to(folder).as_posix(), digest(path.read_bytes())] for path in files_of(folder)])


def write(source: Source, folder: Path) -> None:
    """Write the notebooks, as they were brought to the newest format, and the files into another folder.

    What was written there before and is no longer in the source is deleted.
    """
    contents = {f"{name}.ipynb": f"{nbformat.writes(nb)}\n".encode() for name, nb in source.notebooks.items()}
    contents |= {name: base64.b64decode(content) for name, content in source.files.items()}
    for path in files_of(folder):
        if path.relative_to(folder).as_posix() not in contents:
            path.unlink()
    for name, content in contents.items():
        _put(folder / name, content)


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, content)


def _counts(name: str) -> bool:
    return not name.startswith(".") and name not in SKIPPED and not name.endswith(".pyc")


def _coded(path: Path) -> str:
    return base64.b64encode(path.read_bytes()).decode()


def _notebook(path: Path) -> NotebookNode:
    """Read a notebook of any format of nbgrader's, as `nbgrader update` does."""
    try:
        notebook = MetadataValidator().upgrade_notebook_metadata(nbformat.read(path, nbformat.current_nbformat))
    except Exception as error:  # the file may hold anything, and nbformat raises what it meets
        words = (str(error).splitlines() or [type(error).__name__])[0]
        raise CourseError(f"{path}: not a notebook that can be read ({words})") from None
    _name_cells(notebook, path)
    return notebook


def _name_cells(notebook: NotebookNode, path: Path) -> None:
    """Give each cell that nbgrader knows its grade_id as its id, and the others one that nobody has."""
    marked = [cell for cell in notebook.cells if is_marked(cell)]
    taken = [cell.metadata.nbgrader.get("grade_id", "") for cell in marked]
    for name in taken:
        if not name or taken.count(name) > 1:
            raise CourseError(f"{path}: two cells have the grade_id '{name}', or one has none; give each its own")
        if len(name) > LONGEST_NAME:
            raise CourseError(f"{path}: the grade_id '{name}' has more than {LONGEST_NAME} characters; shorten it")
    used = set(taken)
    for number, cell in enumerate(notebook.cells):
        known = cell.get("id", "")
        if is_marked(cell):
            cell.id = cell.metadata.nbgrader.grade_id
        elif not known or known in used:
            cell.id = next(name for i in range(number, 10**9) if (name := f"cell-{i}") not in used)
        used.add(cell.id)
    notebook.nbformat_minor = max(notebook.nbformat_minor, 5)  # the first that has ids


def is_marked(cell: NotebookNode) -> bool:
    """Whether nbgrader has something to do with a cell."""
    return is_grade(cell) or is_solution(cell) or is_locked(cell) or is_task(cell)
