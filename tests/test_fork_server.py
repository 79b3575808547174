"""The fork server: what it says of a child's end, whoever was first."""

import os
import signal
import socket
import sys

import pytest

from autograder import paths
from autograder.processes.child_process import Server, python
from autograder.processes.framing import receive

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the grader forks on Linux alone")
TIMEOUT = 120.0  # a machine may be busy
TIMES = 100
SERVE = """
import os, socket, sys, time
from autograder.processes.fork_server import ForkServer
from autograder.processes.framing import send

def work(_, sock):
    send(sock, {"pid": os.getpid()})
    time.sleep(60)

ForkServer(socket.socket(fileno=int(sys.argv[1])), work, returns=False).run()
"""


@pytest.fixture
def server():
    """A fork server whose children say who they are, and sleep."""
    environment = {**os.environ, "PYTHONPATH": str(paths.ROOT)}
    started = Server("the server", lambda fd: python("-c", SERVE, str(fd)), environment)
    started.ready()
    yield started
    started.close()


def _begun(server):
    """Begin a job; returns its socket and its process."""
    ours, theirs = socket.socketpair()
    with theirs:
        server.submit({}, theirs)
    return ours, receive(ours)["pid"]


def test_a_child_killed_from_outside_is_never_taken_for_one_that_was_told_to_end(server):
    """The coordinator sees the closed socket first and ends the job, while the kernel is still ending the child."""
    for _ in range(TIMES):
        sock, pid = _begun(server)
        os.kill(pid, signal.SIGKILL)
        with sock, pytest.raises(EOFError):
            receive(sock)
        server.end_job()
        done = server.hear(TIMEOUT)
        assert (done["id"], done["killed"], done["exit"]) == (server.last, "", -signal.SIGKILL)


def test_a_child_that_is_told_to_end_is_said_to_be(server):
    sock, _ = _begun(server)
    with sock:
        server.end_job()
        assert server.hear(TIMEOUT)["killed"] == "told"
