"""The fork server: what it says of a child's end, whoever was first."""

import os
import signal
import socket
import sys
import time

import pytest

from autograder.ipc.fork_server import ForkServer, receive, send

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the grader forks on Linux alone")
TIMES = 100


def _work(_, sock):
    send(sock, {"pid": os.getpid()})
    time.sleep(60)


@pytest.fixture
def control():
    """The coordinator's end of a fork server's socket."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        ours.close()
        ForkServer(theirs, _work, returns=False).run()
        os._exit(0)
    theirs.close()
    receive(ours)
    yield ours
    ours.close()
    os.waitpid(pid, 0)


def _begin(control, number):
    ours, theirs = socket.socketpair()
    send(control, {"op": "job", "id": number, "job": {}}, (theirs.fileno(),))
    theirs.close()
    return ours, receive(ours)[0]["pid"]


def test_a_child_killed_from_outside_is_never_taken_for_one_that_was_told_to_end(control):
    """The coordinator sees the closed socket first and ends the job, while the kernel is still ending the child."""
    for number in range(TIMES):
        sock, pid = _begin(control, number)
        os.kill(pid, signal.SIGKILL)
        with pytest.raises(EOFError):
            receive(sock)
        send(control, {"op": "kill", "id": number})
        done = receive(control)[0]
        assert (done["id"], done["killed"], done["exit"]) == (number, "", -signal.SIGKILL)


def test_a_child_that_is_told_to_end_is_said_to_be(control):
    sock, _ = _begin(control, 1)
    with sock:
        send(control, {"op": "kill", "id": 1})
        assert receive(control)[0]["killed"] == "told"
