"""A submission's cells and checks in one child process, without a sandbox.

For tests, and for systems on which nothing else works: the code runs as the user, with the user's files, and may lie
about its own score. What was earned before the process ends or is stopped counts.
"""

import multiprocessing
import os
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from autograder import cell_marks
from autograder.execution import results
from autograder.execution.continuation import NOT_RUN, to_the_end
from autograder.jobs import Job, JobCell
from autograder.processes.framing import receive, send
from autograder.processes.lifetime import block_sigint
from autograder.verdicts import UNFINISHED, CellError, CellVerdict, CheckVerdict, Verdict
from helpers.checks.timers import by_the_clock

# imported before the first fork
LOADED = ["__main__", "torch", "sklearn", "scipy.sparse", "autograder.cells", "helpers.checks", "helpers.plots"]
MAX_BYTES = 10**7  # of what is told of a cell
UNIX_ADDRESS = 104  # bytes of the longest name of a socket, with the byte that ends it (macOS; Linux has 108)
GRACE = 5.0  # seconds between asking a cell to stop and ending its process
PROTECTIONS = dict.fromkeys(["network", "files", "memory", "processes"], "missing: run without a sandbox")


class InProcessWorker:
    """Runs one job at a time, each in a child process of its own."""

    def __init__(self):
        os.environ.update(OMP_NUM_THREADS="1", PYTHONHASHSEED="0")  # sets keep their order from one run to the next
        forks = _can_fork()
        self.context: Any = multiprocessing.get_context("forkserver" if forks else "spawn")
        if forks:
            self.context.set_forkserver_preload(LOADED)
        self.child: multiprocessing.Process | None = None
        self.closed = False

    def run(self, job: Job) -> dict:
        """Return the result of a job; a process that dies or hangs costs the cell that it was running."""
        if job.is_adopted:
            return results.new(job, failure=f"{results.NOT_GRADED}what `adopt` took is graded on Linux alone")
        started = time.monotonic()
        verdict = to_the_end(job, self._once)
        if self.closed:
            return results.new(job, failure="stopped")
        return results.of(job, verdict, PROTECTIONS, time.monotonic() - started)

    def _once(self, job: Job) -> Verdict:
        """Run a job in one process, as far as that comes."""
        started = time.monotonic()
        folder = tempfile.mkdtemp()  # its own, so that `open("words.txt", "w")` in a cell harms nobody's file
        ours, theirs = socket.socketpair()
        self.child = self.context.Process(target=_run, args=(job, theirs, folder), daemon=True)
        with block_sigint():
            self.child.start()
        theirs.close()
        try:
            verdict = _watch(ours, job)
        finally:
            self.child.kill()
            self.child.join()
            ours.close()
            _remove(folder)
        return replace(verdict, seconds=time.monotonic() - started)

    def close(self) -> None:
        """End the child, if there is one."""
        self.closed = True
        if self.child is not None and self.child.pid is not None:
            self.child.kill()


def _remove(folder: str) -> None:
    """Remove a folder, however deep its folders are."""
    try:
        shutil.rmtree(folder, ignore_errors=True)
    except RecursionError:  # at about 1,000, where Python is older than 3.13
        subprocess.run(["rm", "-rf", folder], check=False)


def _can_fork() -> bool:
    """Whether there is a server that forks; it listens at a file for temporary ones, whose name must be short."""
    address = len(os.fsencode(tempfile.gettempdir())) + len("/pymp-12345678/listener-12345678")
    return "forkserver" in multiprocessing.get_all_start_methods() and address < UNIX_ADDRESS


@dataclass(frozen=True)
class Answer:
    """What the child says of one cell; ended: whether the child can say nothing of the next one."""

    cell: CellVerdict
    check: CheckVerdict | None = None
    ended: bool = False


ANSWER = TypeAdapter(Answer)


def _watch(sock: socket.socket, job: Job) -> Verdict:
    """Receive what comes of each cell; one that takes too long or ends the process ends the run."""
    verdict, ended = Verdict(), False
    end = time.monotonic() + job.limits.total
    longest = by_the_clock(job.limits.cell) + GRACE
    for cell in job.cells:
        answer = Answer(CellVerdict(cell.id, cell.kind))
        if not ended:
            answer = _receive(sock, cell, min(longest, end - time.monotonic()))
            verdict.notes.extend(_notes(answer))
        verdict.cells.append(answer.cell)
        if answer.check:
            verdict.checks.append(answer.check)
        if answer.cell.status in UNFINISHED:
            verdict.unfinished.append(cell.id)
        if answer.ended:
            ended = True
            verdict = replace(verdict, stopped=cell.id if time.monotonic() < end else "")
    return verdict


def _receive(sock: socket.socket, cell: JobCell, seconds: float) -> Answer:
    """Return what the child says of its next cell: JSON, each part of its type, never anything that is unpickled."""
    try:
        return ANSWER.validate_python(receive(sock, max(seconds, 0.0), MAX_BYTES))
    except TimeoutError:
        status = "timeout"
    except (EOFError, OSError, ValueError):
        status = "died"
    return Answer(CellVerdict(cell.id, cell.kind, status), ended=True)


def _notes(answer: Answer) -> list[str]:
    report = answer.check.report if answer.check else ""
    ends = {
        "ok": "a call did not come to an end and was stopped" if "no answer within" in report else "",
        "died": f"the process ended in this cell; {NOT_RUN}",
        "timeout": "did not come to an end and was stopped",
    }
    end = ends.get(answer.cell.status)
    return [f"{answer.cell.id}: {end}"] if end else []


def _run(job: Job, sock: socket.socket, folder: str) -> None:
    """In the child: run the cells in order, in a folder, and tell of each."""
    import torch

    from autograder.cells import new_shell
    from helpers.checks.stopped_cells import StoppedCells

    os.environ["BOW2LORA_SECRET"] = job.secret
    os.chdir(folder)
    torch.set_num_threads(1)
    shell, stopped = new_shell(), StoppedCells()
    stopped.note_all(job.ended)
    for cell in job.cells:
        with stopped.explain(cell.id.removeprefix(cell_marks.PREFIX["check"])):
            cell_verdict, check = _run_cell(shell, cell, job.limits.cell)
        if cell.kind != "check":
            stopped.note(cell.id, cell_verdict.why_stopped)
        send(sock, {"cell": asdict(cell_verdict), "check": check and asdict(check)})


def _error(error: BaseException) -> CellError:
    from helpers.checks.case import message_of, students_line

    line, text = students_line(error)
    return CellError(type(error).__name__, str(message_of(error))[:2000], line, text)


def _run_cell(shell, cell: JobCell, seconds: float) -> tuple[CellVerdict, CheckVerdict | None]:
    from autograder.cells import run, score
    from helpers.checks.timers import CaseTimeout, limit

    started = time.monotonic()
    with limit(seconds):
        outcome = run(shell, cell.source)
    error = outcome.error
    status = "error" if error else "ok"
    if isinstance(error, CaseTimeout):
        status = "timeout"
    taken, printed = round(time.monotonic() - started, 3), outcome.text[:10_000]
    verdict = CellVerdict(cell.id, cell.kind, status, taken, missing=shell.missing)
    if cell.kind != "check":
        return replace(verdict, stdout=printed, error=_error(error) if error else None), None
    check = CheckVerdict(
        cell.id,
        cell.id.removeprefix(cell_marks.PREFIX["check"]),
        cell.points or 0.0,
        score=score(outcome, cell.points or 0.0),
        status="judged" if status == "ok" else "no score",
        report=printed,
    )
    return verdict, check
