"""Whether the open notebook asks what its checks try: after an update an older text may stand above a new check."""

import ast
import json
from pathlib import Path

from helpers.checks import cell


def older(chapter: str, exercise: str, names: dict) -> list[str]:
    """Return a line if the text or the docstrings of an exercise are not those of the course's present version.

    names: the notebook's. A notebook that is not at hand under the chapter's name is taken for the present one.
    """
    notebook = names.get("__vsc_ipynb_file__")
    folder = Path(notebook).parent if notebook else Path.cwd()
    own, present = _asked(_cells(folder / f"{chapter}.ipynb"), exercise), _asked(cell.notebook_cells(chapter), exercise)
    if all(own.get(part, text) == text for part, text in present.items()):
        return []
    return [
        f"The text of `{exercise}` in your notebook is not the one that this check belongs to: compare it with "
        f"{chapter}.ipynb of the course's present version."
    ]


def _cells(path: Path) -> list[dict]:
    try:
        return json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError):
        return []


def _asked(cells: list[dict], exercise: str) -> dict[str, list[str]]:
    """Return the words of the text before an exercise's cell, and of each docstring in it that is there."""
    text = ""
    for each in cells:
        source = "".join(each.get("source", ""))
        if each.get("cell_type") == "markdown":
            text = source
        elif each.get("id") == exercise:
            return {"": text.split()} | _docstrings(source)
    return {}


def _docstrings(source: str) -> dict[str, list[str]]:
    try:
        body = ast.parse(source).body
    except SyntaxError:
        return {}
    defined = [node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    stated = {node.name: ast.get_docstring(node) or "" for node in defined}
    return {name: text.split() for name, text in stated.items() if text}
