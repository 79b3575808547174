"""Where a notebook's process ends too early, a new one goes on behind the cell that ended it.

The new process has nothing of the old one's. It runs the cells before that one once more, then those behind it, with
what is left of the same time; what was judged before stays as it is.
"""

from collections.abc import Callable
from dataclasses import replace

from autograder.jobs import Job, JobCell
from autograder.verdicts import Verdict

MAX_RESTARTS = 3
SHORTEST = 5.0  # seconds below which it is not worth a start
NOT_RUN, GOES_ON = "what follows was not run", "what follows was run in a new process"

RunOnce = Callable[[Job], Verdict]  # runs a job's cells in one process


def to_the_end(job: Job, run_once: RunOnce) -> Verdict:
    """Run a job in one process, or where that ends too early in up to `MAX_RESTARTS` more; returns what came of it."""
    part, last = job, run_once(job)
    whole = last
    for _ in range(MAX_RESTARTS):
        rest = remaining(part, last)
        if rest is None:
            break
        part, last = rest, run_once(rest)
        if last.failure:  # of the grader's own: what was judged before it stays
            break
        whole = joined(job, whole, last)
    return whole


def remaining(job: Job, verdict: Verdict) -> Job | None:
    """Return the job for a new process, or None if there is nothing to win, or no time is left.

    The cells that did not come to their end are not run again.
    """
    if not verdict.stopped:
        return None
    place = [cell.id for cell in job.cells].index(verdict.stopped)
    behind = job.cells[place + 1 :]
    total = job.limits.total - verdict.seconds
    counted = [total, verdict.processor_left, verdict.cpu_left]
    left = min(seconds for seconds in counted if seconds is not None)
    if not any(cell.kind == "check" for cell in behind) or left < SHORTEST:
        return None
    before = [cell for cell in job.cells[:place] if _is_run_again(cell) and cell.id not in verdict.unfinished]
    return replace(
        job,
        cells=(*before, *behind),
        limits=replace(job.limits, total=total, processor=verdict.processor_left, idle=verdict.idle_left),
        ended={**job.ended, **_why_unfinished(verdict)},
        cpu_seconds=verdict.cpu_left,
    )


def _is_run_again(cell: JobCell) -> bool:
    """Whether a cell is run again for what it makes: checks make nothing, test cells of others do for one another."""
    return cell.kind != "check" or bool(cell.test)


def _why_unfinished(verdict: Verdict) -> dict[str, str]:
    """Return how the cells ended that are not run again, as far as it may be told, by id."""
    cells = [cell for cell in verdict.cells if cell.id in verdict.unfinished]
    return {cell.id: cell.why_stopped for cell in cells if cell.why_stopped}


def joined(job: Job, first: Verdict, second: Verdict) -> Verdict:
    """Return what came of a job: the first process's part up to the cell that ended it, then the second one's."""
    ids = [cell.id for cell in job.cells]
    stop = ids.index(first.stopped)
    before, behind = ids[: stop + 1], ids[stop + 1 :]
    goes_on = [note.replace(NOT_RUN, GOES_ON) for note in first.notes]
    return replace(
        second,
        cells=[*_of(first.cells, before), *_of(second.cells, behind)],
        checks=[*_of(first.checks, before), *_of(second.checks, behind)],
        notes=list(dict.fromkeys([*goes_on, *second.notes])),
        seconds=first.seconds + second.seconds,
        starved=first.starved or second.starved,
        memory_mb=max(first.memory_mb, second.memory_mb),
    )


def _of(entries: list, ids: list[str]) -> list:
    return [entry for entry in entries if entry.id in ids]
