"""How long a zygote takes to start, and a runner from its fork to its first answer, in each sandbox of this machine."""

import shutil
import socket
import statistics
import time

import pytest

from autograder.execution.sandboxed_worker import SandboxedWorker
from autograder.ipc.channel import Channel
from autograder.sandbox.protections import protections
from autograder.sandbox.start import Sandbox

RUNNERS = 20
EMPTY = {
    "cells": [{"id": "a", "kind": "exercise", "source": "a = 1"}],
    "limits": {"cell": 5.0, "total": 20.0},
    "secret": "",
}


@pytest.mark.parametrize("backend", ["bubblewrap", "namespaces", "none"])
def test_speed(backend):
    if backend == "bubblewrap" and not shutil.which("bwrap"):
        pytest.skip("bubblewrap is not there")
    start = time.perf_counter()
    zygote = Sandbox(backend).zygote()
    zygote.ready()
    started = time.perf_counter() - start
    answers, ends = zip(*[_runner(zygote) for _ in range(RUNNERS)], strict=True)
    zygote.close()
    print(f"\n{backend}: the zygote starts in {started:.2f} s, with all that chapters import")
    print(f"  fork to first answer: median {_ms(answers)}, slowest {1000 * max(answers):.0f} ms of {RUNNERS}")
    print(f"  end of a runner: median {_ms(ends)}")
    print(f"  one submission of one empty cell, judge and all: median {_ms(_submissions(backend))}")
    assert statistics.median(answers) < 0.1


def test_trying_the_protections():
    start = time.perf_counter()
    protections(Sandbox("namespaces"))
    print(f"\nall protections tried in {time.perf_counter() - start:.2f} s, once for a class")


def _runner(zygote) -> tuple[float, float]:
    """Return the seconds until a runner answers, and until it is gone."""
    start = time.perf_counter()
    ours, theirs = socket.socketpair()
    with ours, theirs:
        zygote.submit({"seed": 0}, theirs)
        channel = Channel(ours)
        channel.send({"op": "get", "name": "missing"})
        channel.receive(10)
        answered = time.perf_counter()
        zygote.end_job()
        zygote.hear(10)
    return answered - start, time.perf_counter() - answered


def _submissions(backend: str) -> list[float]:
    worker = SandboxedWorker(Sandbox(backend))
    worker.start()
    seconds = [worker.run(EMPTY)["seconds"] for _ in range(RUNNERS)]
    worker.close()
    return seconds


def _ms(seconds) -> str:
    return f"{1000 * statistics.median(seconds):.0f} ms"
