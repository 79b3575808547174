"""A chapter as the site shows it: the student's notebook, with the outputs of a run of the solved one."""

from collections.abc import Mapping
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from autograder import cell_marks, paths
from autograder.authoring.build import fresh
from autograder.authoring.measure import SMALL
from autograder.site import prose

SHOWN = ("text/html", "text/plain", "image/png", "image/svg+xml")  # of an output; a widget needs Python
SHORT, STALE = "short", "stale"
OF_RUN = "The outputs are those of a run of the solved chapter."
OF_SHORT_RUN = (
    "The outputs are those of a short run of the solved chapter, on the sizes of the tests: some cells train for fewer "
    "steps than the text speaks of, and their figures come out worse. `make course` makes the full run."
)
NOT_RUN = "The cells were not run for this page."
CHANGED = "The chapter has changed since it was run, so its outputs are left out."
SOME_CHANGED = "Cells that have changed since then stand without."
FOLDED = "Below each exercise lies an answer, in a fold: try first."
READ = "To write the exercises yourself, open this chapter in JupyterLab: `make lab`."


def page(chapter: str, executed: Path | None, fold: bool, known: Mapping[str, str]) -> NotebookNode:
    """Return the notebook that MyST reads: stubs, one line for a check, outputs where the cells ran as they stand.

    executed: the folder of executed notebooks; fold: put the course's answers into closed folds.
    """
    released = nbformat.read(paths.release_notebook(chapter), as_version=4)
    built = {c.id: c for c in nbformat.read(fresh(chapter), as_version=4).cells}
    runs = _runs(executed, chapter)
    here = paths.release_notebook(chapter).relative_to(paths.RELEASE.parent).as_posix()
    made = nbformat.v4.new_notebook(metadata={"kernelspec": released.metadata.kernelspec})
    for cell in released.cells:
        ran = [run[cell.id] for run in runs if cell.id in run]
        made.cells += _cells(cell, built.get(cell.id), ran, fold)
    texts = [c for c in made.cells if c.cell_type == "markdown"]
    for cell, text in zip(texts, prose.one_title([c.source for c in texts]), strict=True):
        cell.source = prose.ready(text, here, known)
    made.cells.insert(1, nbformat.v4.new_markdown_cell(_note(made, bool(runs), fold), id="about-this-page"))
    return made


def _runs(folder: Path | None, chapter: str) -> list[dict[str, NotebookNode]]:
    """Return the cells by id of the whole run and of the short one, as far as they are there."""
    files = [folder / f"{chapter}.ipynb", folder / SMALL / f"{chapter}.ipynb"] if folder else []
    return [_by_id(file) for file in files if file.is_file()]


def _by_id(file: Path) -> dict[str, NotebookNode]:
    return {cell.id: cell for cell in nbformat.read(file, as_version=4).cells}


def _cells(cell: NotebookNode, built: NotebookNode | None, ran: list, fold: bool) -> list[NotebookNode]:
    """Return what stands for a cell of the student's notebook: itself, and below a stub perhaps the answer."""
    kind = cell_marks.from_metadata(cell)
    if cell.cell_type == "markdown":
        return [nbformat.v4.new_markdown_cell(cell.source, id=cell.id)]
    source, outputs, tags = _shown_check(cell) if kind == "check" else _shown(cell, built, ran)
    made = nbformat.v4.new_code_cell(source, id=cell.id, metadata={"tags": [kind, *tags]}, outputs=outputs)
    return [made, _answer(built)] if fold and kind == "exercise" and built else [made]


def _shown_check(cell: NotebookNode) -> tuple[str, list, list[str]]:
    """Return the last line of a check, which is the call, without outputs and tags."""
    return cell.source.strip().splitlines()[-1], [], []


def _shown(cell: NotebookNode, built: NotebookNode | None, ran: list[NotebookNode]) -> tuple[str, list, list[str]]:
    """Return a cell's code, the outputs of the first run in which it was this cell, and tags.

    A cell that ran with the sizes of another budget is shown with these, and tagged as SHORT where they are small; one
    that was another when it ran is tagged as STALE.
    """
    budgets = {"": {}, **(built.metadata.get("bow2lora", {}) if built else {})}
    for run in ran:
        for budget, sizes in budgets.items():
            if built and cell_marks.sized(built.source, sizes) == run.source:
                outputs = [kept for output in run.outputs if (kept := _output(output))]
                tags = [SHORT] if budget == SMALL else []
                return cell_marks.sized(cell.source, sizes), outputs, tags
    return cell.source, [], [STALE] if ran else []


def _output(output: NotebookNode) -> NotebookNode | None:
    """Return an output without what the site cannot show; None for warnings and widgets."""
    if output.output_type == "stream":
        return output if output.name == "stdout" else None
    data = {kind: text for kind, text in output.get("data", {}).items() if kind in SHOWN}
    widget = len(data) < len(output.get("data", {})) and set(data) == {"text/plain"}  # its name alone says nothing
    return nbformat.v4.new_output("display_data", data=data) if data and not widget else None


def _answer(built: NotebookNode) -> NotebookNode:
    code = cell_marks.SOLUTION.sub("", built.source).rstrip()
    text = f'<details class="answer"><summary>The course\'s answer</summary>\n\n````python\n{code}\n````\n\n</details>'
    return nbformat.v4.new_markdown_cell(text, id=f"answer-{built.id}"[:64])


def _note(made: NotebookNode, ran: bool, fold: bool) -> str:
    """Return what stands under the title: what the page is, and where its outputs come from."""
    tags = [tag for cell in made.cells for tag in cell.metadata.get("tags", [])]
    said = [READ]
    if any(cell.get("outputs") for cell in made.cells):
        said.append(OF_SHORT_RUN if SHORT in tags else OF_RUN)
        if STALE in tags:
            said.append(SOME_CHANGED)
    else:
        said.append(CHANGED if ran else NOT_RUN)
    if fold:
        said.append(FOLDED)
    return ":::{note}\n" + " ".join(said) + "\n:::"
