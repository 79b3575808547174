"""The two runs of a submission: first the shown cases, of which all is told; then the hidden ones, of which nothing is.

A function that is called sees its arguments. It may keep them, and print them in a later cell, raise them as the name
of an error, end a cell late, or return them where a report shows what came. So all words, names, statuses and times
come from a run that ends before a hidden input is in any process of the submission. Another run, in a process of its
own, asks hidden cases alone; of it are told the points, the kinds of hidden cases that fail, and the known mistakes
that explain them. No case is judged twice: how the shown ones went is handed on from judge to judge.
"""

from dataclasses import replace

from autograder import cell_marks
from autograder.jobs import Job
from autograder.judge.student_errors import students_error
from autograder.verdicts import CellVerdict, CheckVerdict, Verdict
from helpers.checks.case import Case
from helpers.checks.scoring import Check

HANDED_ON = ("passed", "changed", "likely", "general", "of_numbers", "label", "edge", "weight")  # of a case, as it is


def of_shown(verdict: CheckVerdict, check: Check | None) -> CheckVerdict:
    """Return the verdict of a first run, with its cases if hidden ones may still change the points.

    They may not where the check or the process came to an end too early, nor where nothing is written yet.
    """
    if verdict.status != "judged" or verdict.reason or check is None or check.stopped or check.objection:
        return verdict
    if check.shown() and all(case.not_started for case in check.shown()):
        return verdict
    return replace(verdict, cases=[_handed_on(case) for case in check.shown()])


def _handed_on(case: Case) -> dict:
    error = None
    if case.error:
        types = [f"{cls.__module__}.{cls.__qualname__}" for cls in type(case.error).__mro__]
        error = {"types": types, "message": str(case.error)[:1]}  # whether there are words
    return {name: getattr(case, name) for name in HANDED_ON} | {"functions": sorted(case.functions), "error": error}


def recalled(found: dict) -> dict:
    """Return the fields of a case that was handed on."""
    error = students_error(found["error"]) if found["error"] else None
    return found | {"functions": frozenset(found["functions"]), "error": error}


def without_words(cell: CellVerdict) -> CellVerdict:
    """Return a cell of which nothing is told."""
    return CellVerdict(cell.id, cell.kind, status="ok")


def without_values(verdict: CheckVerdict, check: Check | None) -> CheckVerdict:
    """Return a verdict in the check's own words; check: None if it came to no end."""
    report = f"{verdict.exercise}: no points, {verdict.reason}" if verdict.report else ""
    likely: list[str] = []
    if check:
        report, likely = check.text(values=False), check.likely(shown=False)
    return replace(verdict, report=report, likely=likely, seconds=0.0)


def of_hidden(job: Job, first: Verdict) -> Job | None:
    """Return the job of the second run, None if no hidden case can change the points."""
    shown = {check.id: check.cases for check in first.checks if check.cases is not None}
    asked = {cell.id for cell in job.checks if cell_marks.has_hidden(cell.source) and cell.id in shown}
    if first.failure or not asked:
        return None
    cells = tuple(cell for cell in job.cells if cell.kind != "check" or cell.id in asked)
    shown_of_asked = {id_: shown[id_] for id_ in asked}
    return replace(job, cells=cells, shown=shown_of_asked, exclusive=first.starved)


def joined(job: Job, first: Verdict, second: Verdict | None = None) -> Verdict:
    """Return what came of a job: the words of its first run, and the points of both."""
    hidden = second or Verdict()
    judged = {check.id: check for check in hidden.checks}
    asked = {cell.id for cell in job.checks if cell_marks.has_hidden(cell.source)}
    return replace(
        first,
        checks=[_check(check, judged.get(check.id), check.id in asked) for check in first.checks],
        notes=first.notes or hidden.notes,
        memory_mb=max(first.memory_mb, hidden.memory_mb),
        failure=first.failure or hidden.failure,
    )


def _check(check: CheckVerdict, hidden: CheckVerdict | None, asked: bool) -> CheckVerdict:
    """The points and the first line of the second run, what the shown cases said, and the lines on hidden ones."""
    told = replace(check, cases=None)
    if not asked:
        return told
    if check.cases is None or hidden is None:
        return replace(told, score=0.0)
    head, *lines = hidden.report.split("\n")
    report = "\n".join([head, *check.report.split("\n")[1:], *lines])
    likely = list(dict.fromkeys([*check.likely, *hidden.likely]))
    return replace(hidden, report=report, likely=likely, seconds=check.seconds, cases=None)
