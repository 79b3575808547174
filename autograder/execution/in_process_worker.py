"""A submission's cells and checks in one child process, without a sandbox.

For tests, and for systems on which nothing else works: the code runs as the user, with the user's files, and may lie
about its own score. What was earned before the process ends or is stopped counts.
"""

import multiprocessing
import os
import socket
import time
from typing import Any

from autograder import cell_marks
from autograder.execution import results
from autograder.execution.continuation import NOT_RUN, to_the_end
from autograder.jobs import Job, JobCell
from autograder.processes.framing import receive, send
from autograder.processes.lifetime import block_sigint
from helpers.checks.timers import by_the_clock

# imported before the first fork
LOADED = ["__main__", "torch", "sklearn", "scipy.sparse", "autograder.cells", "helpers.checks", "helpers.plots"]
EMPTY_RESULT: dict = {"stdout": "", "error": None, "seconds": 0.0, "missing": []}
MAX_BYTES = 10**7  # of what is told of a cell
GRACE = 5.0  # seconds between asking a cell to stop and ending its process
PROTECTIONS = dict.fromkeys(["network", "files", "memory", "processes"], "missing: run without a sandbox")


class InProcessWorker:
    """Runs one job at a time, each in a child process of its own."""

    def __init__(self):
        os.environ.update(OMP_NUM_THREADS="1", PYTHONHASHSEED="0")  # sets keep their order from one run to the next
        forks = "forkserver" in multiprocessing.get_all_start_methods()
        self.context: Any = multiprocessing.get_context("forkserver" if forks else "spawn")
        if forks:
            self.context.set_forkserver_preload(LOADED)
        self.child: multiprocessing.Process | None = None
        self.closed = False

    def run(self, job: Job) -> dict:
        """Return the result of a job; a process that dies or hangs costs the cell that it was running."""
        started = time.monotonic()
        outcome = to_the_end(job, self._once)
        if self.closed:
            return results.new(job, failure="stopped")
        known = {name: outcome[name] for name in ("cells", "checks", "notes")}
        known["missing"] = results.missing_in(outcome["cells"])
        return results.new(job, **known, protections=PROTECTIONS, seconds=round(time.monotonic() - started, 3))

    def _once(self, job: Job) -> dict:
        """Run a job in one process, as far as that comes."""
        started = time.monotonic()
        ours, theirs = socket.socketpair()
        self.child = self.context.Process(target=_run, args=(job, theirs), daemon=True)
        with block_sigint():
            self.child.start()
        theirs.close()
        try:
            outcome = _watch(ours, job)
        finally:
            self.child.kill()
            self.child.join()
            ours.close()
        return outcome | {"seconds": time.monotonic() - started}

    def close(self) -> None:
        """End the child, if there is one."""
        self.closed = True
        if self.child is not None and self.child.pid is not None:
            self.child.kill()


def _watch(sock: socket.socket, job: Job) -> dict:
    """Receive what comes of each cell; one that takes too long or ends the process ends the run."""
    outcome: dict = {"cells": [], "checks": [], "notes": [], "stopped": "", "unfinished": []}
    end, ended = time.monotonic() + job.limits.total, ""
    longest = by_the_clock(job.limits.cell) + GRACE
    for cell in job.cells:
        cell_result = {} if ended else _receive(sock, min(longest, end - time.monotonic()))
        status = cell_result.get("status", "not run")
        if "check" in cell_result:
            outcome["checks"].append(cell_result["check"])
        shown = {name: cell_result.get(name, empty) for name, empty in EMPTY_RESULT.items()}
        outcome["cells"].append({"id": cell.id, "kind": cell.kind, "status": status} | shown)
        if not ended:
            outcome["notes"] += _notes(cell, status, cell_result)
        if status in ("died", "timeout"):
            outcome["unfinished"].append(cell.id)
        if not ended and status in ("died", "timeout") and "error" not in cell_result:
            ended = cell.id
            outcome["stopped"] = ended if time.monotonic() < end else ""
    return outcome


def _receive(sock: socket.socket, seconds: float) -> dict:
    """Return what the child says of its next cell: JSON, never anything that is unpickled."""
    try:
        return receive(sock, max(seconds, 0.0), MAX_BYTES)
    except TimeoutError:
        return {"status": "timeout"}
    except (EOFError, OSError, ValueError):
        return {"status": "died"}


def _notes(cell: JobCell, status: str, cell_result: dict) -> list[str]:
    report = cell_result.get("check", {}).get("report", "")
    ends = {
        "ok": "a call did not come to an end and was stopped" if "no answer within" in report else "",
        "died": f"the process ended in this cell; {NOT_RUN}",
        "timeout": "did not come to an end and was stopped",
    }
    return [f"{cell.id}: {ends[status]}"] if ends.get(status) else []


def _run(job: Job, sock: socket.socket) -> None:
    """In the child: run the cells in order and tell of each."""
    import torch

    from autograder.cells import new_shell
    from helpers.checks.stopped_cells import StoppedCells, why_stopped

    os.environ["BOW2LORA_SECRET"] = job.secret
    torch.set_num_threads(1)
    shell, stopped = new_shell(), StoppedCells()
    stopped.note_all(job.ended)
    for cell in job.cells:
        with stopped.explain(cell.id.removeprefix(cell_marks.PREFIX["check"])):
            cell_result = _run_cell(shell, cell, job.limits.cell)
        if cell.kind != "check":
            stopped.note(cell.id, why_stopped(cell_result))
        send(sock, cell_result)


def _error(error: BaseException) -> dict:
    from helpers.checks.case import message_of, students_line

    line, text = students_line(error)
    return {"name": type(error).__name__, "message": str(message_of(error))[:2000], "line": line, "text": text}


def _run_cell(shell, cell: JobCell, seconds: float) -> dict:
    from autograder.cells import run, score
    from helpers.checks.timers import CaseTimeout, limit

    started = time.monotonic()
    with limit(seconds):
        outcome = run(shell, cell.source)
    error = outcome.error
    status = "error" if error else "ok"
    if isinstance(error, CaseTimeout):
        status = "timeout"
    cell_result = {"status": status, "stdout": outcome.text[:10_000], "seconds": round(time.monotonic() - started, 3)}
    cell_result["missing"] = shell.missing
    cell_result["error"] = error and _error(error)
    if cell.kind == "check":
        points = score(outcome, cell.points or 0.0)
        judged: dict = {"status": "judged" if status == "ok" else "no score", "score": points, "likely": []}
        cell_result |= {
            "check": {"id": cell.id, "report": cell_result["stdout"], **judged},
            "stdout": "",
            "error": None,
        }
    return cell_result
