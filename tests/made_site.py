"""Executed notebooks with outputs made up, and a site from them: what the tests of the site start from."""

import functools
from pathlib import Path

import nbformat
import pytest

from autograder import cell_marks, paths
from autograder.authoring.build import fresh
from autograder.handout import leaks
from autograder.site import build

CHAPTER = "01_spam"
ADDRESS = "https://course.example/"
SVG = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/%3E"
FIGURE = f'<img src="{SVG}" alt="Two bars, 0.91 and 0.87.">'


def ran(folder: Path, budget: str = "") -> None:
    """Write an executed notebook of the chapter, as `make course` does (or the tests: SMALL), with outputs made up."""
    nb = nbformat.read(fresh(CHAPTER), as_version=4)
    for cell in nb.cells:
        cell.source = cell_marks.sized(cell.source, cell.metadata.get("bow2lora", {}).get(budget, {}))
        if cell.cell_type == "code":
            cell.outputs = _outputs(f"printed by {cell.id} {budget}")
    path = folder / budget / f"{CHAPTER}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(nb, path)


def _outputs(words: str) -> list:
    new = nbformat.v4.new_output
    widget = {"application/vnd.jupyter.widget-view+json": {}, "text/plain": "Slider(value=1)"}
    return [
        new("stream", name="stdout", text=f"{words}\n"),
        new("stream", name="stderr", text="a warning\n"),
        new("display_data", data={"text/html": FIGURE, "text/plain": "<IPython.core.display.HTML object>"}),
        new("display_data", data=widget),
    ]


def built(folder: Path) -> Path:
    """Build a site of all chapters, one with outputs, and of one room of the library."""
    ran(folder / "executed")
    build.build_site(paths.chapters(), folder / "html", folder / "executed", address=ADDRESS, rooms=["checks"])
    return folder / "html"


@pytest.fixture(scope="module")
def secrets_read_once():
    """Read what students must not see once a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leaks, "secrets", functools.cache(leaks.secrets))
        yield
