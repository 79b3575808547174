"""Main of the judge server: it imports what checks need, and forks one judge for each submission.

Its one argument is JSON: {"control": 5, "entry": "module:function"}; the entry is called with the job
and the socket to the runner, and what it returns is the verdict.
"""

import contextlib
import importlib
import json
import os
import socket
import sys
from dataclasses import dataclass

from autograder import cell_marks
from autograder.course_imports import imports, load
from autograder.jobs import Job, JobCell
from autograder.judge.test_runs import SHOWN
from autograder.processes.fork_server import ForkServer
from autograder.processes.lifetime import end_with_parent

IMPORTS = (
    "autograder.judge.judge",
    "numpy.testing",
    "scipy.sparse",
    "scipy.stats",
    "sklearn.metrics",
    "torch.nn.functional",
    "helpers.checks",
)
ENTRY = "autograder.judge.server:judged"
CLOCK_FACTOR_ALONE = 1.5  # in place of CLOCK_FACTOR, for a job beside which nothing else runs
MEMORY_MB = 2048  # of a judge, beyond what its server has


def main() -> None:
    """Import, then serve until the coordinator is gone."""
    spec = json.loads(sys.argv[1])
    control = socket.socket(fileno=spec["control"])
    os.set_inheritable(control.fileno(), False)
    end_with_parent()
    module, name = spec["entry"].split(":")
    for one in IMPORTS if spec["entry"] == ENTRY else ():
        importlib.import_module(one)
    if "sklearn.metrics" in sys.modules:
        sys.modules["sklearn.metrics"].f1_score([0, 1], [0, 1])  # its first call reads about all packages
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)  # a fork of a process whose thread pool has run would hang
    entry = getattr(importlib.import_module(module), name)

    def work(job: dict, sock: socket.socket) -> object:
        end_with_parent()
        return entry(job, sock)

    prepare = prepared if spec["entry"] == ENTRY else lambda _: None
    ForkServer(control, work, returns=True, prepare=prepare).run()


def prepared(job: dict) -> None:
    """Compile the instructor's check cells and import what they need, once for all submissions of a chapter."""
    from autograder.judge.given import read_ahead
    from autograder.judge.judge import compiled

    whole = Job.from_json({name: value for name, value in job.items() if name != "folder"})
    if whole.is_adopted:
        return  # what others wrote is read in a process of its own
    for cell in whole.cells:
        source = _source(cell, whole.shown is None)
        if cell.kind in ("check", "given"):
            read_ahead(cell.kind, source)
        if cell.kind == "check":
            with contextlib.suppress(SyntaxError, ValueError):  # told when the check is judged
                compiled(source, cell.id)
                load(imports(cell.source))


def judged(job: dict, sock: socket.socket) -> dict:
    """In a fork: judge one submission over the socket to its runner. job, result: see autograder.jobs and .verdicts.

    The job may have "folder" besides, in which the instructor's files lie.
    """
    from autograder.ipc.channel import Channel
    from autograder.judge import test_cells
    from autograder.judge.judge import judge
    from autograder.linux.limits import limit_memory

    # A check may make much of little: count up to a number that came, multiply vectors.
    limit_memory(MEMORY_MB, beyond_present=True)
    folder = job.pop("folder", "")
    whole = Job.from_json(job)
    limits = _limits(whole)
    if folder:
        test_cells.use_folder(folder, whole.files)
    verdict = judge(
        Channel(sock), cells_of(whole), limits, whole.secret, whole.shown, whole.ended, whole.way, whole.files
    )
    return verdict.to_json()


def cells_of(job: Job) -> list["JudgedCell"]:
    """Return the cells that a job's run judges: in the first one checks have their shown cases alone."""
    return [_cell(cell, job.way == SHOWN if cell.test else job.shown is None) for cell in job.cells]


def _limits(job: Job):
    """Return the limits of a job; where nothing else runs beside it, those by the clock are nearer."""
    from autograder.judge.judge import TimeLimits
    from helpers.checks.timers import CLOCK_FACTOR, by_the_clock

    clock_factor = CLOCK_FACTOR_ALONE if job.exclusive else CLOCK_FACTOR
    check = by_the_clock(min(job.limits.cell, TimeLimits.check), clock_factor)
    processor = job.limits.processor or TimeLimits.processor
    idle = TimeLimits.idle if job.limits.idle is None else job.limits.idle
    return TimeLimits(
        cell=job.limits.cell,
        total=job.limits.total,
        check=check,
        processor=processor,
        idle=idle,
        clock_factor=clock_factor,
    )


@dataclass(frozen=True)
class JudgedCell:
    """As much of a notebook's code cell as judging needs; importing nbformat takes longer than judging."""

    id: str
    source: str
    metadata: dict
    cell_type: str = "code"


def _cell(cell: JobCell, visible: bool) -> JudgedCell:
    """Return the cell that a job speaks of, without its hidden tests if only what is `visible` counts."""
    metadata = cell_marks.to_metadata(cell.kind, {"points": cell.points}, cell.id)
    if cell.test:
        metadata["bow2lora"] = {"test": cell.test, "own": cell.own, "answers": cell.answers}
    return JudgedCell(cell.id, _source(cell, visible), metadata)


def _source(cell: JobCell, visible: bool) -> str:
    return cell_marks.visible(cell.source) if visible and cell.kind == "check" else cell.source


if __name__ == "__main__":
    main()
