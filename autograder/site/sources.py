"""What Sphinx reads: {path: content} of the whole site, made from the course's own files."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import nbformat

from autograder import paths
from autograder.authoring.build import edition_files
from autograder.authoring.readme import BEGIN, END
from autograder.site import chapter, prose, reference

START = "notebooks/START.ipynb"
PAGES = {  # a file of the repository, and its page; START is the front page
    START: "index.md",
    "docs/instructors/handbook.md": "instructors/handbook.md",
    "docs/instructors/jupyterhub.md": "instructors/jupyterhub.md",
    "SECURITY.md": "instructors/security.md",
    "CONTRIBUTING.md": "instructors/contributing.md",
    "solutions/claims.md": "measured/claims.md",
    "tests/benchmarks/README.md": "measured/benchmarks.md",
}
MEASURED = "measured/chapters.md"
TO_DO = """## Do it yourself

This page is for reading. To write the exercises, have them checked and run the chapters, install the course:

    make lab

opens it in JupyterLab, on this page; you need Python 3.11, `pip` and `make`, and no GPU."""


def sources(
    chapters: Sequence[str], executed: Path | None, fold: bool = False, rooms: Sequence[str] | None = None
) -> dict[str, bytes]:
    """Return the files that Sphinx reads; as many chapters and rooms of helpers as asked."""
    known = dict(_known(chapters))
    made: dict[str, str] = {}
    for name in chapters:
        made[f"{name}/{name}.ipynb"] = nbformat.writes(chapter.page(name, executed, fold, known))
    for file, page in known.items():
        if file.endswith(".md"):
            made[page] = prose.ready((paths.ROOT / file).read_text(encoding="utf-8"), file, known)
    made[MEASURED] = prose.ready(_measured(), "README.md", known | {"README.md": MEASURED})
    made |= reference.pages(chapters, rooms)
    made["index.md"] = _front(known) + _contents(chapters, sorted(made))
    found = {name: text.encode("utf-8") for name, text in made.items()}
    return found | {path.relative_to(paths.RELEASE).as_posix(): path.read_bytes() for path in _drawings(chapters)}


def _known(chapters: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield (file of the repository, its page) for what links may lead to."""
    yield from ((f"notebooks/{name}/{name}.ipynb", f"{name}/{name}.ipynb") for name in chapters)
    yield from ((f"notebooks/{path.name}", path.name) for path in sorted(paths.RELEASE.glob("*.md")))
    yield from PAGES.items()


def _drawings(chapters: Sequence[str]) -> Iterator[Path]:
    for folder in (paths.RELEASE, *(paths.RELEASE / name for name in chapters)):
        yield from (path for path in edition_files(folder) if path.suffix == ".svg")


def _front(known: dict[str, str]) -> str:
    """Return START without its code and the section that the code belongs to."""
    cells = nbformat.read(paths.ROOT / START, as_version=4).cells
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    kept = re.split(r"(?m)^## (?!.*^## )", "\n\n".join(texts), flags=re.DOTALL)[0] if len(cells) > len(texts) else ""
    return f"{prose.ready(kept or texts[0], START, known).strip()}\n\n{TO_DO}\n"


def _measured() -> str:
    """Return the README's table of chapters as a page."""
    readme = (paths.ROOT / "README.md").read_text(encoding="utf-8")
    table = readme.partition(BEGIN)[2].partition(END)[0].strip()
    said = (
        "Each chapter's solved notebook, run from top to bottom by `make course`: on two cores without a GPU, and in "
        "the last column on a GPU, with the memory of its tensors."
    )
    return f"# What a chapter takes\n\n{said}\n\n{table}\n"


def _contents(chapters: Sequence[str], pages: Sequence[str]) -> str:
    """Return the tables of contents, which make the bar at the side and the order of the pages."""
    beside = [page for page in pages if "/" not in page and page != "index.md"]
    parts = {"Chapters": [f"{name}/{name}" for name in chapters], "Beside the chapters": beside}
    titles = {"measured": "What was measured", "helpers": "Reference of helpers", "instructors": "For instructors"}
    for folder, title in titles.items():
        parts[title] = [page for page in pages if page.startswith(f"{folder}/")]
    blocks = []
    for title, entries in parts.items():
        listed = "\n".join(entry.removesuffix(".md") for entry in entries)
        blocks.append(f"```{{toctree}}\n:hidden:\n:caption: {title}\n:titlesonly:\n\n{listed}\n```")
    return "\n" + "\n\n".join(blocks) + "\n"
