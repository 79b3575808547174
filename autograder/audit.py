"""The audit: every wrong variant must fail with its diagnosis, every right one must get full points.

One process runs the chapter's given cells and solutions; each variant is tried in a fork of it, so that nothing it
does is seen by the next.
"""

import multiprocessing as mp
from dataclasses import dataclass

import torch

from autograder import paths
from autograder.build import to_notebook
from autograder.execute import new_shell, run, score
from autograder.source import Cell, read
from autograder.variants import Variant, variants
from helpers.errors import CourseError

SECONDS = 120
MIN_WRONG, MIN_RIGHT = 3, 2


@dataclass(frozen=True)
class Trial:
    """One variant tried: its score, what the student would read, and whether that is as it must be."""

    variant: Variant
    score: float
    points: float
    text: str

    @property
    def verdict_ok(self) -> bool:
        """Right answers get all points, wrong ones do not."""
        return (self.score == self.points) == self.variant.right

    @property
    def diagnosed(self) -> bool:
        """The report names the mistake."""
        return self.variant.right or self.variant.says.lower() in self.text.lower()


def audit(chapter: str, only: list[str] | None = None) -> list[Trial]:
    """Try every variant of a chapter (of the exercises in `only`), and for each exercise its stub and its solution."""
    if "fork" not in mp.get_all_start_methods():
        raise CourseError("the audit forks a process for each variant, and this system cannot: use Linux or WSL")
    cells = read(paths.source_text(chapter))
    for name in set(only or []) - {c.name for c in cells if c.kind == "check"}:
        raise CourseError(f"{chapter} has no exercise '{name}'")
    wanted = variants(chapter) + _own(cells)
    torch.set_num_threads(1)  # a fork of a process whose thread pool has run would hang in its first product
    shell = new_shell()
    trials: list[Trial] = []
    for cell in cells:  # the solutions before an exercise are there when its variants run
        if cell.kind in ("given", "exercise"):
            outcome = run(shell, cell.source)
            if outcome.error:
                raise CourseError(f"{chapter}: the cell {cell.grade_id} raises {outcome.error!r}")
        if cell.kind == "check" and cell.name in (only or [cell.name]):
            run(shell, cell.source)  # imports what the check needs, once for all forks
            mine = [v for v in wanted if v.exercise == cell.name]
            trials += [_fork(shell, cell, v) for v in mine]
    return trials


def _own(cells: list[Cell]) -> list[Variant]:
    """The chapter's own two answers: the solution is right, the stub is wrong."""
    stubs = {c.id: c.source for c in _stubs(cells)}
    own = []
    for cell in cells:
        if cell.kind == "exercise":
            own.append(Variant(cell.name, "the solution", True, "", cell.source))
            own.append(Variant(cell.name, "the stub", False, "not started yet", stubs[cell.grade_id]))
    return own


def _stubs(cells: list[Cell]) -> list:
    from nbgrader.preprocessors import ClearSolutions

    return ClearSolutions().preprocess(to_notebook(cells), {})[0].cells


def _fork(shell, check: Cell, variant: Variant) -> Trial:
    """Run one variant and its check in a fork; a child that dies or hangs scores 0."""
    context = mp.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_try, args=(shell, check, variant, theirs))
    child.start()
    theirs.close()
    try:
        found, text = ours.recv() if ours.poll(SECONDS) else (0.0, "no answer in time")
    except EOFError:
        found, text = 0.0, "the process ended in this variant"
    child.kill()
    child.join()
    return Trial(variant, found, float(check.points), text)


def _try(shell, check: Cell, variant: Variant, pipe) -> None:
    """In the child: the variant, then the check, then score and text through the pipe."""
    outcome = run(shell, variant.source)
    judged = run(shell, check.source)
    own_error = f"{type(outcome.error).__name__}: {outcome.error}\n" if outcome.error else ""
    pipe.send((score(judged, float(check.points)), own_error + judged.text))


def short_counts(chapter: str) -> list[str]:
    """Return a line for each exercise that has too few variants, or variants of no exercise."""
    found = variants(chapter)
    exercises = [c.name for c in read(paths.source_text(chapter)) if c.kind == "exercise"]
    lines = [f"{v.exercise}: variants of an exercise that is not there" for v in found if v.exercise not in exercises]
    for name in exercises:
        wrong = sum(not v.right for v in found if v.exercise == name)
        right = sum(v.right for v in found if v.exercise == name)
        if wrong < MIN_WRONG or right < MIN_RIGHT:
            lines.append(f"{name}: {wrong} wrong and {right} right variants; {MIN_WRONG} and {MIN_RIGHT} are needed")
    return list(dict.fromkeys(lines))
