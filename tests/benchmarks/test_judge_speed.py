"""What judging over a channel costs: a whole submission after the fork, and one round trip."""

import os
import socket
import time

import nbformat
import numpy as np
import torch

from autograder.authoring import build
from autograder.cells import judged_cells, new_shell, run
from autograder.ipc.channel import Channel
from autograder.judge.conversation import Conversation
from autograder.judge.judge import TimeLimits, judge
from autograder.judge.proxies import Names
from autograder.runner.answer_loop import serve

TIMES = 5
LIMITS = TimeLimits(cell=30.0, total=300.0)


def forked(use):
    """Use a channel to a runner that is a fork of this process; returns what comes of it."""
    ours, theirs = socket.socketpair()
    child = os.fork()
    if not child:
        ours.close()
        serve(Channel(theirs))
        os._exit(0)
    theirs.close()
    try:
        return use(Channel(ours))
    finally:
        ours.close()
        os.waitpid(child, 0)


def seconds(what, times: int = TIMES) -> float:
    """Return the least seconds that a call took."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        what()
        taken.append(time.perf_counter() - started)
    return min(taken)


def test_a_whole_submission():
    torch.set_num_threads(1)
    cells = judged_cells(nbformat.read(build.fresh("01_spam"), as_version=4).cells)
    shell = new_shell()
    for cell in cells:  # what the cells import, once for all
        assert run(shell, cell.source).error is None
    here = seconds(lambda: [run(new_shell(), cell.source) for cell in cells])
    judged = seconds(lambda: forked(lambda channel: judge(channel, cells, LIMITS)))
    found = forked(lambda channel: judge(channel, cells, LIMITS))
    assert found.score == sum(check.points for check in found.checks)
    conversation = sum(cell.seconds for cell in found.cells)
    print(f"\nchapter 01, the solution: {judged:.3f} s judged with its fork, {here:.3f} s in one process")
    print(f"of that, running the {len(found['cells'])} cells: {conversation:.3f} s")


def test_a_round_trip():
    torch.set_num_threads(1)
    values = {"a number": 1, "200 words": ["word"] * 200, "100 x 100 floats": np.zeros((100, 100))}
    values["a tensor of 4 MB"] = torch.zeros(1000, 1000)

    def measure(channel):
        conversation = Conversation(channel, seconds=100)
        conversation.ask({"op": "cell", "id": "f", "source": "def f(x): return x", "seconds": 5}, [], 5)
        function = Names(conversation)["f"]
        return {name: seconds(lambda v=value: function(v), 200) for name, value in values.items()}

    for name, taken in forked(measure).items():
        print(f"\nthere and back, {name}: {1e6 * taken:.0f} microseconds", end="")
