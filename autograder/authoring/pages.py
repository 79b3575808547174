"""The pages that go with all chapters: START.ipynb with its drawings, the Markdown pages, glossary and references."""

from pathlib import Path

import jupytext
import nbformat

from autograder import first_cell, paths
from autograder.authoring import figures, glossary, references, start_page
from autograder.authoring.build import KERNEL
from autograder.authoring.source import Cell
from helpers.files import write_whole

START = "START"
ALONE, CLASS = "alone", "class"  # who reads: the learner who has the answers, too, and the student of a class


def pages(reader: str = ALONE) -> dict[Path, bytes]:
    """Return what stands in notebooks/ beside the chapters, by its path there; START has some cells for one reader."""
    sources = paths.SOLUTIONS / "pages"
    contents = {paths.RELEASE / page.name: page.read_bytes() for page in sorted(sources.glob("*.md"))}
    lists = [module for module in (glossary, references) if module.SOURCE.is_file()]
    contents |= {paths.RELEASE / module.PAGE: module.page().encode() for module in lists}
    story = sources / f"{START}.py"
    if story.is_file():
        notebook = _notebook(story, reader)
        contents[paths.RELEASE / f"{START}.ipynb"] = f"{nbformat.writes(notebook)}\n".encode()
        drawn = paths.ROOT / "build" / "pages"
        mark = f"{story.name}:1"
        texts = [Cell("text", "", {}, c.id, c.cell_type, c.source, story, 1, mark) for c in notebook.cells]
        figures.draw_all(story, texts, drawn)
        contents |= {paths.RELEASE / p.relative_to(drawn): p.read_bytes() for p in sorted(drawn.glob("figures/*.svg"))}
    return contents


def _notebook(story: Path, reader: str) -> nbformat.NotebookNode:
    story_cells = jupytext.reads(story.read_text(encoding="utf-8"), fmt="py:percent").cells
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}})
    for i, cell in enumerate(story_cells, 1):
        if cell.metadata.get("reader", reader) != reader:
            continue
        new = nbformat.v4.new_markdown_cell if cell.cell_type == "markdown" else nbformat.v4.new_code_cell
        notebook.cells.append(new(start_page.filled(cell.source), id=f"{START.lower()}-{i:02}"))
    first = next(cell for cell in notebook.cells if cell.cell_type == "code")
    first.source = first_cell.guarded(first.source)
    return notebook


def release_pages(check: bool = False) -> dict[Path, bool]:
    """Write the pages (or only compare); returns whether each was the same before."""
    same = {}
    for path, content in pages().items():
        same[path] = path.is_file() and path.read_bytes() == content
        if not (check or same[path]):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
    return same
