"""Where a notebook's process ends too early, a new one goes on behind the cell that ended it.

The new process has nothing of the old one's. It runs the cells before that one once more, then those behind it, with
what is left of the same time; what was judged before stays as it is.
"""

from collections.abc import Callable
from dataclasses import replace

from autograder.jobs import Job
from helpers.checks.stopped_cells import why_stopped

MAX_RESTARTS = 3
SHORTEST = 5.0  # seconds below which it is not worth a start
NOT_RUN, GOES_ON = "what follows was not run", "what follows was run in a new process"

RunOnce = Callable[[Job], dict]  # runs a job's cells in one process, and says in "stopped" where that ended too early


def to_the_end(job: Job, run_once: RunOnce) -> dict:
    """Run a job in one process, or where that ends too early in up to `MAX_RESTARTS` more; returns what came of it."""
    part, last = job, run_once(job)
    outcome = last
    for _ in range(MAX_RESTARTS):
        rest = remaining(part, last)
        if rest is None:
            break
        part, last = rest, run_once(rest)
        if last.get("failure"):  # of the grader's own: what was judged before it stays
            break
        outcome = joined(job, outcome, last)
    return outcome


def remaining(job: Job, outcome: dict) -> Job | None:
    """Return the job for a new process, or None if there is nothing to win, or no time is left.

    outcome: as a judge says it, with "stopped": the id of the cell in which the process ended, "" if it did not;
    "unfinished": the cells that did not come to their end, which are not run again.
    """
    stopped = outcome.get("stopped", "")
    if not stopped:
        return None
    place = [cell.id for cell in job.cells].index(stopped)
    behind = job.cells[place + 1 :]
    total = job.limits.total - outcome["seconds"]
    left = [total, outcome.get("processor_left", total), outcome.get("cpu_left", total)]
    if not any(cell.kind == "check" for cell in behind) or min(left) < SHORTEST:
        return None
    unfinished = outcome["unfinished"]
    before = [cell for cell in job.cells[:place] if cell.kind != "check" and cell.id not in unfinished]
    return replace(
        job,
        cells=(*before, *behind),
        limits=replace(job.limits, total=total, processor=outcome.get("processor_left")),
        ended={**job.ended, **_why_unfinished(outcome)},
        cpu_seconds=outcome.get("cpu_left"),
        late=outcome.get("late", False),
    )


def _why_unfinished(outcome: dict) -> dict[str, str]:
    """Return how the cells ended that are not run again, as far as it may be told, by id."""
    cells = [cell for cell in outcome.get("cells", ()) if cell["id"] in outcome["unfinished"]]
    return {cell["id"]: why_stopped(cell) for cell in cells if why_stopped(cell)}


def joined(job: Job, first: dict, second: dict) -> dict:
    """Return what came of a job: the first process's part up to the cell that ended it, then the second one's."""
    ids = [cell.id for cell in job.cells]
    place = ids.index(first["stopped"])
    whole = first | second
    for kind in ("cells", "checks"):
        before = [entry for entry in first.get(kind, ()) if ids.index(entry["id"]) <= place]
        behind = [entry for entry in second.get(kind, ()) if ids.index(entry["id"]) > place]
        whole[kind] = [*before, *behind]
    goes_on = [note.replace(NOT_RUN, GOES_ON) for note in first["notes"]]
    whole["notes"] = list(dict.fromkeys([*goes_on, *second.get("notes", ())]))
    whole["seconds"] = first["seconds"] + second.get("seconds", 0.0)
    whole["starved"] = first.get("starved", False) or second.get("starved", False)
    whole["memory_mb"] = max(first.get("memory_mb", 0.0), second.get("memory_mb", 0.0))
    return whole
