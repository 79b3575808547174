"""What a student may read of a run: nothing that a process did after hidden inputs had come to it, but its points.

A function that is called sees its arguments. It may keep them, and print them in a later cell, raise them as the name
of an error, end a cell late, or return them where a report shows what came. So from the first hidden test on, the judge
keeps of a cell only whether there was anything to say, and of a check its score, the kinds of hidden cases that failed
and the known mistakes that explain them. If there was anything, the notebook runs once more without hidden tests, and
all else comes from that run.
"""

from dataclasses import replace

from autograder.jobs import Job
from autograder.judge.budget import USED_UP
from autograder.verdicts import CellVerdict, CheckVerdict, Verdict
from helpers.checks.scoring import STOPPED, Check


def without_words(cell: CellVerdict) -> CellVerdict:
    """Return a cell of which nothing is told; "withheld" says whether there was anything to tell."""
    return CellVerdict(cell.id, cell.kind, status="ok", withheld=cell.status != "ok" or bool(cell.stdout))


def without_values(verdict: CheckVerdict, check: Check | None) -> CheckVerdict:
    """Return a verdict in the check's own words; check: None if it came to no end."""
    report = f"{verdict.exercise}: no points, {verdict.reason}" if verdict.report else ""
    likely: list[str] = []
    if check:
        report, likely = check.text(values=False), check.likely(shown=False)
    full = verdict.status == "judged" and verdict.score == verdict.points
    return replace(verdict, report=report, likely=likely, seconds=0.0, withheld=not full)


def withheld(verdict: Verdict) -> bool:
    """Whether anything was kept back for which a second run is made: not for one that used up its processor time."""
    if any(check.reason == USED_UP for check in verdict.checks):
        return False
    of_cells = any(cell.withheld for cell in verdict.cells)
    of_checks = any(check.withheld for check in verdict.checks)
    return of_cells or of_checks


def again(job: Job, verdict: Verdict) -> Job:
    """Return the job of the second run: no hidden tests, and no check with full points, of which nothing is to be told.

    It depends on the points of the first run alone, which its student reads anyway.
    """
    full = {check.id for check in verdict.checks if check.withheld is False}
    return replace(job, visible=True, cells=tuple(cell for cell in job.cells if cell.id not in full))


def completed(first: Verdict, second: Verdict | None = None) -> Verdict:
    """Return the verdict of the first run with the words of the second one where the first one's were kept back."""
    told = second or Verdict()
    cells = {cell.id: cell for cell in told.cells}
    checks = {check.id: check for check in told.checks}
    notes = first.notes
    if notes and told.notes:  # where the first run was stopped would tell what it met there
        notes = told.notes
    return replace(
        first,
        cells=[_cell(cell, cells.get(cell.id)) for cell in first.cells],
        checks=[_check(check, checks.get(check.id)) for check in first.checks],
        notes=notes,
    )


def _cell(cell: CellVerdict, second: CellVerdict | None) -> CellVerdict:
    """Return a cell as it is, or as the second run has it where its own words were kept back."""
    if cell.withheld is None:
        return cell
    told = second or cell
    return replace(told, kind=cell.kind, withheld=None)


def _check(check: CheckVerdict, second: CheckVerdict | None) -> CheckVerdict:
    """The verdict, its first line, what the shown cases said in the second run, and the lines on hidden cases."""
    bare = replace(check, withheld=None)
    if check.withheld is None or not second or not check.report:
        return bare
    bare = replace(bare, seconds=second.seconds, likely=list(dict.fromkeys([*second.likely, *check.likely])))
    if check.reason == second.reason == STOPPED:
        return replace(bare, report=second.report)
    head, *hidden = check.report.split("\n")
    return replace(bare, report="\n".join([head, *second.report.split("\n")[1:], *hidden]))
