"""On a machine of the cluster: one worker of the grader in each process of Dask's, kept from job to job.

What comes in and goes out is JSON. {"versions": {...}, "sandbox": true, "job": {...} or null} is asked; the answer is
{"result": {...}}, {"failure": "why this job could not be run"}, or {"refused": "why nothing is run here"}.
"""

import functools
import json
import threading
from multiprocessing import util

from autograder import paths
from autograder.execution import dispatch, results
from autograder.execution.result_cache import digest, environment
from autograder.jobs import Job
from autograder.terminal import one_line
from helpers.errors import CourseError

_lock = threading.Lock()  # a process of Dask's may have several threads; there is one worker
_workers: dict[bool, dispatch.Worker] = {}


def run_text(text: str) -> str:
    """Run a job, or without one get ready for the first; never raises."""
    asked = json.loads(text)
    with _lock:
        try:
            return json.dumps(_run(asked))
        except Exception as error:
            return json.dumps({"failure": one_line(f"{results.NOT_GRADED}{type(error).__name__}: {error}")})


def _run(asked: dict) -> dict:
    if others := differences(asked["versions"], versions()):
        return {"refused": others}
    try:
        worker = _worker(asked["sandbox"])
    except CourseError as error:
        return {"refused": one_line(str(error))}
    if asked["job"]:
        return {"result": worker.run(Job.from_json(asked["job"]))}
    dispatch.ready(worker)
    return {"result": None}


def _worker(sandbox: bool) -> dispatch.Worker:
    """This process's worker; it ends with the process, however that ends (see autograder.processes.child_process)."""
    if sandbox not in _workers:
        _workers[sandbox] = dispatch.backend(sandbox)()
        util.Finalize(None, _workers[sandbox].close, exitpriority=1)  # multiprocessing's children call no atexit
    return _workers[sandbox]


@functools.cache
def versions() -> dict[str, str]:
    """What must be the same here and where the results are recorded."""
    ours = sorted((paths.ROOT / "autograder").rglob("*.py"))
    return environment() | {"grader": digest([digest(p.read_bytes()) for p in ours])}


def differences(wanted: dict[str, str], found: dict[str, str]) -> str:
    """Return what differs, in a few words; "" if nothing does."""
    names = [name for name in {**wanted, **found} if wanted.get(name) != found.get(name)]
    code = []
    if {"code", "grader"} & set(names):
        code = ["another edition of the course"]
    pins = [f"{n} {found.get(n)} in place of {wanted.get(n)}" for n in names if n not in ("code", "grader")]
    return ", ".join(code + pins)
