"""Many machines: a scheduler and workers of Dask's, some of them killed, and the same grades as on one machine."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest

from autograder import paths
from autograder.__main__ import main
from autograder.execution import cluster, results, sandboxed_worker
from autograder.execution.cluster import Cluster
from autograder.execution.dispatch import Crew, Unreachable, outcomes
from autograder.gradebook import feedback_pages, recorder
from autograder.grading import grade, sample_class
from autograder.jobs import Job, JobLimits
from helpers.errors import CourseError

pytest.importorskip("distributed")
CHAPTER = "01_spam"
CLASS = (
    sample_class.ada_right,
    sample_class.ben_another_way,
    sample_class.cleo_half,
    sample_class.dan_untouched,
    sample_class.eve_mistakes,
    sample_class.finn_copied_cell,
    sample_class.kim_broken_cell,
)
TIMEOUT = 120.0  # a machine may be busy
HERE = Path(__file__).parent


class Machines:
    """A scheduler and workers, each a process of its own."""

    def __init__(self, folder: Path, stack: contextlib.ExitStack):
        self.folder, self.stack, self.workers = folder, stack, []
        self.scheduler = self._start(
            "scheduler", "--port", "0", "--scheduler-file", str(folder / "s"), "--no-dashboard"
        )
        until = time.monotonic() + TIMEOUT
        while not self.address:
            assert time.monotonic() < until, "the scheduler does not start"
            time.sleep(0.1)

    @property
    def address(self) -> str:
        """The scheduler's address, as soon as it has one."""
        with contextlib.suppress(OSError, ValueError):
            return json.loads((self.folder / "s").read_text())["address"]
        return ""

    def add(self, *options: str) -> subprocess.Popen:
        """Start a worker."""
        words = [self.address, "--nthreads", "1", "--no-dashboard", "--local-directory", str(self.folder), *options]
        self.workers.append(self._start("worker", *words))
        return self.workers[-1]

    def _start(self, what: str, *words: str) -> subprocess.Popen:
        path = os.pathsep.join([str(paths.ROOT), str(HERE)])
        environment = {**os.environ, "PYTHONPATH": path, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--host", "127.0.0.1", *words]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        started = subprocess.Popen(command, env=environment, cwd=self.folder, **quiet)
        self.stack.callback(started.wait)
        self.stack.callback(started.kill)
        return started


@pytest.fixture
def machines(tmp_path):
    with contextlib.ExitStack() as stack:
        (tmp_path / "dask").mkdir()
        yield Machines(tmp_path / "dask", stack)


def quick(text: str) -> str:
    """In place of the grader on a worker: a student called killer ends the process."""
    asked = json.loads(text)["job"]
    if asked is None:
        return json.dumps({"result": None})
    job = Job.from_json(asked)
    if job.student == "killer":
        os._exit(1)
    if job.student == "slow":
        time.sleep(600)
    return json.dumps({"result": results.new(job, notes=[f"by {os.getpid()}"])})


@pytest.fixture
def quickly(monkeypatch):
    monkeypatch.setattr(cluster, "run_text", quick)


def job(student: str) -> Job:
    """A job of nothing."""
    return Job(CHAPTER, student, "x", "", JobLimits(1.0, 1.0), ())


def told(address: str, *students: str, count: int = 2) -> dict[str, dict]:
    """Run jobs of nothing on the cluster; returns the results by student."""
    with Cluster(address, connect_timeout=TIMEOUT) as backend:
        items = ((student, job(student), None) for student in students)
        with Crew(backend, count) as crew:
            return {student: result for student, _, result in outcomes(items, crew)}


def test_a_killed_worker_costs_nothing(machines, tmp_path, monkeypatch):
    monkeypatch.setattr(feedback_pages, "write_pages", lambda *_: iter(()))
    recorded = Counter()
    mine = recorder.Recorder.record

    def counted(self, student, *rest):
        recorded[student] += 1
        mine(self, student, *rest)

    monkeypatch.setattr(recorder.Recorder, "record", counted)
    sample_class.make(tmp_path / "there", CLASS)
    sample_class.make(tmp_path / "here", CLASS)
    victim, _ = machines.add("--no-nanny"), machines.add("--no-nanny")
    family = []

    def kill_half_way(what: str, done: int, _: int) -> None:
        if what != "grading" or done < 3 or family:
            return
        busy = psutil.Process(victim.pid).children(recursive=True)
        if len(busy) >= 2:  # not in the moment between two submissions
            family.extend(busy)
            victim.send_signal(signal.SIGKILL)

    with Cluster(machines.address, connect_timeout=TIMEOUT) as backend:
        while backend.size < 2:
            time.sleep(0.1)
        lines: list[str] = []
        options = {"backend": backend, "workers": 2, "say": lines.append}
        rows = grade.grade(CHAPTER, tmp_path / "there", progress=kill_half_way, **options)
        again = grade.grade(CHAPTER, tmp_path / "there", **options)
    assert family, "the victim was never seen at work"
    assert victim.wait() == -signal.SIGKILL
    assert recorded == dict.fromkeys([r.student for r in rows], 1) and len(rows) == len(CLASS)
    assert again == rows
    assert any(line.endswith(f"{len(CLASS)} submissions, 0 of them new or changed") for line in lines)
    assert len(family) >= 2 and not [p for p in family if p.is_running() and p.status() != "zombie"]
    local = grade.grade(CHAPTER, tmp_path / "here", backend=sandboxed_worker.SandboxedWorker, say=lambda _: None)
    assert [(r.student, r.scores, r.essays, r.notes) for r in rows] == [
        (r.student, r.scores, r.essays, r.notes) for r in local
    ]
    kept = [
        sorted(p.name for p in (tmp_path / w / f"build/graded/{CHAPTER}/results").iterdir()) for w in ("there", "here")
    ]
    assert kept[0] == kept[1]  # the same hashes: what one has graded the other need not


def test_a_job_that_ends_its_workers_is_a_failure_of_its_own_alone(machines, quickly):
    machines.add("--nanny")
    found = told(machines.address, "ada", "killer", "ben", "cleo", count=1)
    assert {s for s, r in found.items() if r["failure"]} == {"killer"}
    assert found["killer"]["failure"] == "could not be graded: 2 workers died while they ran it"
    assert found["ben"]["notes"] == found["cleo"]["notes"] != found["ada"]["notes"]  # another process


@pytest.mark.parametrize("victim", ["scheduler", "every worker"])
def test_a_run_of_which_nobody_is_left_ends_in_a_line(machines, quickly, victim):
    target = {"every worker": machines.add("--no-nanny"), "scheduler": machines.scheduler}[victim]
    with Cluster(machines.address, connect_timeout=TIMEOUT) as backend:
        backend.connect_timeout = 5.0
        threading.Timer(1.0, target.kill).start()
        started = time.monotonic()
        told = pytest.raises(Unreachable, match=r"is gone|there are no workers any more")
        with told as error, Crew(backend, 2) as crew:
            list(outcomes([("slow", job("slow"), None)] * 2, crew))
    assert str(error.value).endswith("Nothing is lost: run the same command again.")
    assert time.monotonic() - started < 300  # the job would take 600


def test_other_versions_are_refused_in_a_line(machines, monkeypatch):
    machines.add("--no-nanny")
    mine = cluster.versions()
    monkeypatch.setattr(cluster, "versions", lambda: mine | {"torch": "1.0", "grader": "x"})
    with pytest.raises(
        CourseError, match=r"^tcp://.*: another edition of the course, torch [\d.+a-z]+ in place of 1.0$"
    ):
        told(machines.address, "ada")


@pytest.mark.parametrize(
    ("address", "says", "connect_timeout"),
    [
        ("tcp://127.0.0.1:1", "no scheduler", 1.0),
        ("nonsense://x", "no address of a scheduler", 1.0),
        (None, "no workers", 10.0),  # for the scheduler to be reached: a machine may be busy
    ],
)
def test_nobody_there_is_one_line_and_exit_code_2(
    request, tmp_path, monkeypatch, capsys, address, says, connect_timeout
):
    address = address or request.getfixturevalue("machines").address
    sample_class.make(tmp_path / "course", CLASS[:1])
    monkeypatch.setattr(cluster, "CONNECT_TIMEOUT", connect_timeout)
    words = ["grade", CHAPTER, "--course", str(tmp_path / "course"), "--scheduler", address]
    monkeypatch.setattr(sys, "argv", ["autograder", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert says in err and len(err.splitlines()) == 1, err
    assert not (tmp_path / "course" / "gradebook.db").exists()


def test_only_plain_data_comes_back(machines, monkeypatch):
    monkeypatch.setattr(cluster, "run_text", no_text)
    machines.add("--no-nanny")
    with pytest.raises(CourseError) as error:
        told(machines.address, "ada")
    assert "Path" in str(error.value) or "serializ" in str(error.value)


def no_text(text: str) -> Path:
    """In place of the grader on a worker: answers with an object."""
    return Path(text[:1])
