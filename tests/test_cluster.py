"""Many machines: a scheduler and workers of Dask's, some of them killed, and the same grades as on one machine."""

import contextlib
import gc
import json
import os
import shutil
import signal
import socket
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

dask = pytest.importorskip("dask")
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

    def __init__(self, folder: Path, stack: contextlib.ExitStack, settings: dict[str, str] | None = None):
        """settings: of Dask's, below distributed.comm."""
        self.folder, self.stack, self.workers = folder, stack, []
        names = {name: name.upper().replace("-", "_").replace(".", "__") for name in settings or {}}
        self.environment = {f"DASK_DISTRIBUTED__COMM__{names[name]}": value for name, value in (settings or {}).items()}
        protocol = ["--protocol", "tls"] if settings else []
        self.scheduler = self._start(
            "scheduler", "--port", "0", "--scheduler-file", str(folder / "s"), "--no-dashboard", *protocol
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
        environment |= self.environment
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


def told(address: str, *students: str, count: int = 2, trust_network: bool = True) -> dict[str, dict]:
    """Run jobs of nothing on the cluster; returns the results by student."""
    with Cluster(address, connect_timeout=TIMEOUT, trust_network=trust_network) as backend:
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

    with Cluster(machines.address, connect_timeout=TIMEOUT, trust_network=True) as backend:
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
    with Cluster(machines.address, connect_timeout=TIMEOUT, trust_network=True) as backend:
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
    words = ["grade", CHAPTER, "--course", str(tmp_path / "course"), "--scheduler", address, "--trust-network"]
    monkeypatch.setattr(sys, "argv", ["autograder", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert says in err and len(err.splitlines()) == 1, err
    assert not (tmp_path / "course" / "gradebook.db").exists()


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:8786", "ws://127.0.0.1:8786", "ucx://127.0.0.1:8786"])
def test_a_scheduler_that_anybody_reaches_is_refused_before_a_connection(tmp_path, monkeypatch, capsys, address):
    monkeypatch.setattr(cluster, "_client", lambda *_: pytest.fail("a connection was opened"))
    sample_class.make(tmp_path / "course", CLASS[:1])
    words = ["grade", CHAPTER, "--course", str(tmp_path / "course"), "--scheduler", address]
    monkeypatch.setattr(sys, "argv", ["autograder", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"error: {address}: {cluster.OPEN}\n"
    assert Cluster(address, trust_network=True).address == address  # the twins: said by somebody, or protected
    assert Cluster("tls://127.0.0.1:8786").address == "tls://127.0.0.1:8786"


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl makes the certificates")
def test_with_certificates_those_alone_who_have_one_get_jobs(tmp_path, quickly):
    with contextlib.ExitStack() as stack:
        folder = tmp_path / "dask"
        folder.mkdir()
        settings = certified(folder)
        machines = Machines(folder, stack, settings)
        machines.add("--no-nanny")
        assert machines.address.startswith("tls://")
        with dask.config.set({f"distributed.comm.{name}": value for name, value in settings.items()}):
            assert told(machines.address, "ada", trust_network=False)["ada"]["failure"] == ""
        with pytest.raises(CourseError, match=r"tls://.*: Dask knows no certificates here"):
            told(machines.address, "ada", trust_network=False)
        (folder / "other").mkdir()
        settings = certified(folder / "other")
        strange = dask.config.set({f"distributed.comm.{name}": value for name, value in settings.items()})
        with strange, pytest.raises(CourseError, match=r"tls://.*: no scheduler can be reached"):
            Cluster(machines.address, connect_timeout=5.0).__enter__()


def open_clients() -> list:
    """Dask's clients that would be closed when they are collected, in the middle of anything."""
    from distributed import Client

    clients = [thing for thing in gc.get_objects() if isinstance(thing, Client)]
    return [client for client in clients if client.status not in ("closed", "newly-created")]


def test_no_client_is_left_open_for_the_collector(machines, monkeypatch):
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{nobody.getsockname()[1]}"
        with pytest.raises(CourseError, match="no scheduler can be reached") as caught:
            Cluster(address, connect_timeout=0.5, trust_network=True).__enter__()
    assert open_clients() == [] and caught.value  # the error keeps the client, which cannot be collected yet
    machines.add("--no-nanny")
    with Cluster(machines.address, connect_timeout=TIMEOUT, trust_network=True) as backend:
        assert open_clients() == [backend.client]
        real = backend.client.close
        monkeypatch.setattr(type(backend.client), "close", lambda *_, **__: 1 / 0)
    assert open_clients() == []
    monkeypatch.undo()
    backend.client.status = "running"
    real()


def certified(folder: Path) -> dict[str, str]:
    """Make one certificate for all of a cluster; returns Dask's settings below distributed.comm."""
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    made += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(folder / "key"), "-out", str(folder / "cert")]
    subprocess.run(made, check=True, stderr=subprocess.DEVNULL)
    settings = {"require-encryption": "true", "tls.ca-file": str(folder / "cert")}
    for role in ("scheduler", "worker", "client"):
        settings |= {f"tls.{role}.key": str(folder / "key"), f"tls.{role}.cert": str(folder / "cert")}
    return settings


def test_only_plain_data_comes_back(machines, monkeypatch):
    monkeypatch.setattr(cluster, "run_text", no_text)
    machines.add("--no-nanny")
    with pytest.raises(CourseError) as error:
        told(machines.address, "ada")
    assert "Path" in str(error.value) or "serializ" in str(error.value)


def no_text(text: str) -> Path:
    """In place of the grader on a worker: answers with an object."""
    return Path(text[:1])
