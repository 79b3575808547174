"""The runs of a submission whose test cells others wrote, each with a new process; of each notebook at most three.

    shown    the proved tests, without their hidden parts; all words that are told of a submission come from it
    hidden   the proved tests whole, where a hidden part may still cost points; whether each passes is told, no word
    trial    all tests inside, with their words, for the instructor's own notebooks
    inside   the unproved tests, in the student's own process, which says itself whether each passes; no word either

A proved test is judged in another process, on the data that the student's gives. An unproved one cannot be: it looks at
objects, or at what was printed, and a process that is the student's can say anything of that. So its points are marked.
Its text, and that of locked cells, was compiled outside, and the cells before it are the restored ones, so no tag, no
input transformer and no edit of the notebook changes it.
"""

from collections.abc import Callable
from dataclasses import replace

from autograder.adopted_table import PROVED, UNPROVED
from autograder.cell_marks import has_hidden
from autograder.jobs import Job
from autograder.verdicts import CheckVerdict, Verdict

SHOWN, HIDDEN, INSIDE, TRIAL = "shown", "hidden", "inside", "trial"
HIDDEN_FAILS = "a hidden test fails"
FAILS = "the test fails; it is run in the notebook's own process, which tells no more"

RunOnce = Callable[[Job], Verdict]


def verdict_of(job: Job, run_once: RunOnce) -> Verdict:
    """Run the notebooks of a job one after the other, each in processes of its own; returns what came of all.

    A job that has a way already is run in that alone.
    """
    whole = Verdict()
    for name in dict.fromkeys(cell.notebook for cell in job.cells):
        part = replace(job, cells=tuple(cell for cell in job.cells if cell.notebook == name))
        whole = _both(whole, run_once(part) if job.way else _of_notebook(part, run_once))
    return whole


def _both(first: Verdict, second: Verdict) -> Verdict:
    return replace(
        second,
        cells=[*first.cells, *second.cells],
        checks=[*first.checks, *second.checks],
        notes=list(dict.fromkeys([*first.notes, *second.notes])),
        memory_mb=max(first.memory_mb, second.memory_mb),
        failure=first.failure or second.failure,
    )


def _of_notebook(job: Job, run_once: RunOnce) -> Verdict:
    """Run the cells of one notebook, and its tests by what is known of each."""
    proofs = {cell.id: cell.test for cell in job.checks}
    shown = run_once(_way(job, SHOWN))
    if shown.failure:
        return shown
    earned = {check.id: check for check in shown.checks}
    hidden = [c.id for c in job.checks if proofs[c.id] == PROVED and has_hidden(c.source) and earned[c.id].score]
    told = dict(earned)
    failure = ""
    if hidden:
        second = run_once(_way(job, HIDDEN))
        failure = second.failure
        found = {check.id: check for check in second.checks}
        told |= {id_: _with_hidden(earned[id_], found.get(id_)) for id_ in hidden}
    if UNPROVED in proofs.values():
        third = run_once(_way(job, INSIDE))
        failure = failure or third.failure
        told |= {check.id: _unproved(check) for check in third.checks if proofs[check.id] == UNPROVED}
    checks = [told[cell.id] for cell in job.checks if cell.id in told]
    return replace(shown, checks=checks, failure=failure)


def _way(job: Job, way: str) -> Job:
    """Return the job of one run: what a test makes is there for the tests behind it, so all tests are run."""
    if way == INSIDE:
        return replace(job, way=way)
    kept = [cell for cell in job.cells if cell.test != UNPROVED]
    return replace(job, way=way, cells=tuple(kept))


def _with_hidden(shown: CheckVerdict, hidden: CheckVerdict | None) -> CheckVerdict:
    """Return what the shown part of a test said, with the points of the whole."""
    if hidden is None:
        return replace(shown, score=0.0, status="no score", reason="the hidden part came to no end")
    if hidden.status != "judged":
        return replace(shown, score=0.0, status=hidden.status, reason=hidden.reason)
    lines = shown.report.splitlines()[1:]
    if hidden.score < shown.score:
        lines.append(HIDDEN_FAILS)
    return replace(shown, score=hidden.score, report=report(shown, hidden.score, lines))


def _unproved(inside: CheckVerdict) -> CheckVerdict:
    lines = [FAILS] if inside.status == "judged" and inside.score < inside.points else []
    return replace(inside, proof=UNPROVED, report=report(inside, inside.score, lines, f", {UNPROVED}"))


def report(check: CheckVerdict, score: float, lines: list[str], mark: str = "") -> str:
    """Return what is said of a test: its points, then the lines."""
    return "\n".join([f"{check.exercise}: {score:g} of {check.points:g} points{mark}", *lines])
