"""Many machines: the same jobs, handed to the workers of a Dask cluster as text, and recorded here as ever.

    dask scheduler                                                        on one machine
    dask worker tls://host:8786 --nthreads 1 --nworkers 4                 on each of the others, with this package
    python -m autograder grade 01_spam --scheduler tls://host:8786        where the course lies

Jobs hold the secret and the hidden tests, and a worker's answer is what is recorded: whoever can join gives the points.
So the address is tls://, whose certificates say who belongs to the cluster (Dask's settings, distributed.comm.tls), or
somebody says that nobody else reaches the network.

Nothing but str goes to and fro. A worker that dies costs nothing: Dask runs its job elsewhere, and gives up on a job
that was being run when several workers died (distributed.scheduler.allowed-failures, 3), which is that job's failure.
"""

import contextlib
import json
import logging
import re
import threading
import time
import uuid
from concurrent.futures import CancelledError
from typing import Any

from autograder.execution import dispatch, results
from autograder.execution.cluster_worker import run_text, versions
from autograder.execution.dispatch import Unreachable
from autograder.jobs import Job
from autograder.terminal import one_line
from helpers.errors import CourseError

CONNECT_TIMEOUT = 15.0  # seconds to reach the scheduler, to see a worker, and to see one again when all have gone
START_TIMEOUT = 120.0  # seconds for a worker to import what it needs
POLL_SECONDS = 2.0  # seconds between looks at the cluster while a job runs
AGAIN = "Nothing is lost: run the same command again."
PROTECTED = ("tls", "wss")
OPEN = (
    "whoever reaches this scheduler reads hidden tests and gives points; take tls:// with certificates, or say "
    "--trust-network where nobody else reaches it"
)
NO_CERTIFICATES = "Dask knows no certificates here; name them in its settings, below distributed.comm.tls"
PLAIN = ["msgpack"]  # how data travels: what is not text or a number cannot


class Cluster:
    """A backend: its workers hand their jobs to the cluster. Use it as a context; CourseError if nobody is there."""

    def __init__(
        self, address: str, sandbox: bool = True, connect_timeout: float | None = None, trust_network: bool = False
    ):
        """trust_network: nobody but the course's own people reaches the scheduler, so it may do without TLS."""
        _all_known(address, trust_network)
        self.address, self.sandbox, self.connect_timeout = address, sandbox, connect_timeout or CONNECT_TIMEOUT
        self.__name__ = dispatch.backend(sandbox).__name__  # a result does not depend on where it was made

    def __enter__(self) -> "Cluster":
        self.client = _client(self.address, self.connect_timeout)
        try:
            self._meet()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __call__(self) -> "ClusterWorker":
        return ClusterWorker(self)

    def close(self) -> None:
        """Leave the cluster as it is."""
        _close(self.client, self.connect_timeout)

    @property
    def size(self) -> int:
        """The number of processes that run jobs."""
        return len(self.workers())

    def workers(self) -> list[str]:
        """Return the addresses of the workers that are there now."""
        try:
            return list(self.client.nthreads())
        except (OSError, RuntimeError, ValueError):
            raise Unreachable(f"{self.address}: the scheduler is gone. {AGAIN}") from None

    def submit(self, job: Job | None, worker: str | None = None):
        """Hand in a job; returns Dask's future of the answer, a str."""
        text = json.dumps({"versions": versions(), "sandbox": self.sandbox, "job": job and job.to_json()})
        where = {"workers": [worker]} if worker else {}
        return self.client.submit(run_text, text, key=f"bow2lora-{uuid.uuid4()}", pure=False, **where)

    def _meet(self) -> None:
        """Let every worker say whether it is fit, and get ready."""
        try:
            self.client.wait_for_workers(1, timeout=self.connect_timeout)
        except TimeoutError:
            raise CourseError(f"{self.address}: there are no workers; start one: dask worker {self.address}") from None
        asked = {worker: self.submit(None, worker) for worker in self.workers()}
        until = time.monotonic() + START_TIMEOUT
        for worker, future in asked.items():
            try:
                answer = json.loads(future.result(max(0.0, until - time.monotonic())))
            except Exception as error:
                reason = "no answer in time" if isinstance(error, TimeoutError) else f"{type(error).__name__}: {error}"
                raise CourseError(f"{worker}: {one_line(reason)}") from None
            if reason := answer.get("refused") or answer.get("failure"):
                raise CourseError(f"{worker}: {reason}")


class ClusterWorker:
    """Runs one job at a time, somewhere in the cluster."""

    def __init__(self, cluster: Cluster):
        self.cluster, self.closed = cluster, threading.Event()
        self.future: Any = None

    def run(self, job: Job) -> dict:
        """Return the result of a job; Unreachable if there is nobody left to run it."""
        from distributed.scheduler import KilledWorker

        self.future = self.cluster.submit(job)
        try:
            answer = json.loads(self._answer())
        except KilledWorker as killed:
            died = f"{killed.allowed_failures + 1} workers died while they ran it"
            return results.new(job, failure=f"{results.NOT_GRADED}{died}")
        finally:
            self.future.release()
        if "refused" in answer:  # a worker that has come since
            raise Unreachable(f"a worker of {self.cluster.address}: {answer['refused']}. {AGAIN}")
        return answer.get("result") or results.new(job, failure=answer["failure"])

    def _answer(self) -> str:
        """Wait for the answer as long as somebody is there who may give it."""
        seen = time.monotonic()
        while not self.closed.is_set():
            with contextlib.suppress(TimeoutError):
                try:
                    return self.future.result(POLL_SECONDS)
                except CancelledError:
                    raise Unreachable(f"{self.cluster.address}: the scheduler is gone. {AGAIN}") from None
            seen = time.monotonic() if self.cluster.workers() else seen
            if time.monotonic() - seen > self.cluster.connect_timeout:
                raise Unreachable(f"{self.cluster.address}: there are no workers any more. {AGAIN}")
        raise Unreachable("stopped")

    def close(self) -> None:
        """Take the job back, also from another thread; a worker that runs it already ends it first."""
        self.closed.set()
        if self.future is not None:
            with contextlib.suppress(Exception):
                self.future.cancel()


def _all_known(address: str, trust_network: bool) -> None:
    """Raise CourseError for what is no address, and for one at which anybody may be a worker."""
    if not re.fullmatch(r"(tcp|tls|wss?|ucx)://\S+:\d+", address):
        raise CourseError(f"{address}: no address of a scheduler; one looks like tls://host:8786")
    if not (trust_network or address.startswith(PROTECTED)):
        raise CourseError(f"{address}: {OPEN}")


def _client(address: str, connect_timeout: float):
    try:
        from distributed import Client
    except ImportError:
        raise CourseError('--scheduler needs Dask: pip install "bow2lora[cluster]"') from None
    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is said in a line
    options = {"set_as_default": False, "serializers": PLAIN, "deserializers": PLAIN}

    class Closing(Client):
        """A client that closes itself if it cannot connect."""

        def __init__(self):
            try:
                super().__init__(address, timeout=connect_timeout, **options)
            except BaseException:
                _close(self, connect_timeout)
                raise

    try:
        return Closing()
    except OSError as error:
        reason = one_line(str(error)) or "no answer"
        raise CourseError(f"{address}: no scheduler can be reached ({reason})") from None
    except TypeError:  # distributed's way to say so
        raise CourseError(f"{address}: {NO_CERTIFICATES}") from None


def _close(client, timeout: float) -> None:
    """Close a client for good.

    One that is still open when Python collects it is closed then, and waits for a lock of Dask's. The same thread may
    hold it, to start the next client, and then waits for ever.
    """
    with contextlib.suppress(Exception):
        client.close(timeout=timeout)
    client.status = "closed"
