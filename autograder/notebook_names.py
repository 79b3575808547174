"""An assignment's notebooks as one, and apart again: how a cell is called where an assignment has several notebooks.

A chapter is an assignment with one notebook of its own name, and its cells keep their names. What others wrote for
nbgrader has notebooks with other names, as `ps1` has `problem1` and `problem2`; there a cell's name begins with its
notebook's: `problem1--squares`.
"""

from collections.abc import Iterable, Mapping

from nbformat import NotebookNode

BETWEEN = "--"


def full_name(assignment: str, notebook: str, cell: str) -> str:
    """Return what a cell of one of an assignment's notebooks is called in the assignment."""
    return cell if notebook == assignment else f"{notebook}{BETWEEN}{cell}"


def own_name(notebooks: Iterable[str], cell: str) -> tuple[str, str]:
    """Return (its notebook, "" if it is the assignment's only one, and its name there) of a cell of an assignment."""
    for notebook in sorted(notebooks, key=len, reverse=True):
        if cell.startswith(f"{notebook}{BETWEEN}"):
            return notebook, cell.removeprefix(f"{notebook}{BETWEEN}")
    return "", cell


def notebook_of(cell: NotebookNode) -> str:
    """Return which notebook a cell of several as one is of, "" where there is but one."""
    return cell.metadata.get("bow2lora", {}).get("notebook", "")


def joined(assignment: str, notebooks: Mapping[str, NotebookNode]) -> NotebookNode:
    """Return the notebooks of an assignment as one, which `apart` takes apart; that of a chapter is itself.

    Each cell's metadata say in "bow2lora" which notebook it is of; the notebooks that were given are changed.
    """
    if list(notebooks) == [assignment]:
        return notebooks[assignment]
    cells = []
    for name, notebook in notebooks.items():
        for cell in notebook.cells:
            cell.id = full_name(assignment, name, cell.id)
            cell.metadata.setdefault("bow2lora", NotebookNode())["notebook"] = name
            cells.append(cell)
    metadata = NotebookNode(notebooks={name: notebook.metadata for name, notebook in notebooks.items()})
    first = next(iter(notebooks.values()))
    return NotebookNode(nbformat=first.nbformat, nbformat_minor=first.nbformat_minor, metadata=metadata, cells=cells)


def apart(assignment: str, notebook: NotebookNode) -> dict[str, NotebookNode]:
    """Return the notebooks of an assignment by name, with their cells' own names.

    A cell that is of none, such as the notes on a submission, goes to the first; the notebook that was given is
    changed.
    """
    of_each = notebook.metadata.get("notebooks")
    if not of_each:
        return {assignment: notebook}
    found = {name: _empty(notebook, metadata) for name, metadata in of_each.items()}
    for cell in notebook.cells:
        name = notebook_of(cell) or next(iter(of_each))
        cell.id = cell.id.removeprefix(full_name(assignment, name, ""))
        found[name].cells.append(cell)
    return found


def _empty(like: NotebookNode, metadata: Mapping) -> NotebookNode:
    return NotebookNode(
        nbformat=like.nbformat, nbformat_minor=like.nbformat_minor, metadata=NotebookNode(metadata), cells=[]
    )
