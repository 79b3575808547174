"""Main of the zygote: it imports what chapters use, runs nothing, and forks a confined runner for each submission.

Started inside the sandbox by autograder.sandbox; its one argument is JSON:

    {"control": 5, "entry": "autograder.runner.zygote:serve", "imports": ["torch", ...] or null (what chapters use),
     "confine": {...}}
"""

import importlib
import json
import os
import random
import socket
import sys
from collections.abc import Callable, Iterable
from functools import cache

from autograder import course_imports
from autograder.processes.fork_server import ForkServer, threads
from autograder.runner.confine import Confinement

# Imported once, shared by all runners. None of them may start a thread, and no operation of torch may run here:
# a child of a process whose OpenMP has run hangs in its first product (pytorch issue 17199).
IMPORTS = (
    "IPython.core.interactiveshell",
    "numpy.testing",
    "scipy.sparse",
    "scipy.stats",
    "sklearn.feature_extraction.text",
    "sklearn.linear_model",
    "sklearn.metrics",
    "sklearn.naive_bayes",
    "torch.nn.functional",
    "torch.utils.data",
    "matplotlib.pyplot",
    "helpers.course.artifacts",
    "helpers.checks",
    "helpers.data",
    "helpers.device",
    "helpers.course.leaderboard",
    "helpers.course.notebook",
    "helpers.plots",
    "helpers.training",
    "helpers.models.word_vectors",
    "autograder.runner.answer_loop",
)


def main() -> None:
    """Import, then serve runners until the coordinator is gone."""
    spec = json.loads(sys.argv[1])
    control = socket.socket(fileno=spec["control"])
    os.set_inheritable(control.fileno(), False)
    load(IMPORTS if spec["imports"] is None else spec["imports"])
    entry = _find(spec["entry"])
    getattr(sys.modules[entry.__module__], "warm", lambda: None)()
    how = Confinement.from_dict(spec["confine"])
    how.adopt()
    work = ConfinedChild(entry, how).work

    def prepare(job: dict) -> None:
        course_imports.load(job.get("imports", ()))
        how.begin(job)

    ForkServer(control, work, returns=False, fork=how.fork, watch=how.watch, prepare=prepare, after=how.sweep).run()


def load(names: Iterable[str]) -> None:
    """Import the modules; RuntimeError where that starts a thread."""
    for name in names:
        importlib.import_module(name)
        if threads() != 1:
            raise RuntimeError(f"importing {name} starts a thread, and a fork of several threads may hang")


class ConfinedChild:
    """What a forked child does: confine itself, draw its own random numbers, answer the judge."""

    def __init__(self, entry: Callable[[socket.socket], None], confinement: Confinement):
        self.entry, self.confinement = entry, confinement

    def work(self, job: dict, sock: socket.socket) -> None:
        """Serve one submission over the socket."""
        self.confinement.enter(sock.fileno(), cpu_seconds=job.get("cpu_seconds"))
        reseed(job.get("seed", 0))
        self.entry(sock)


def reseed(seed: int) -> None:
    """Seed the libraries that are there: forks of one zygote would all draw the same numbers otherwise, or none."""
    random.seed(seed)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)
    if "torch" in sys.modules:
        sys.modules["torch"].manual_seed(seed)


def serve(sock: socket.socket) -> None:
    """Answer the judge: what a runner does unless told otherwise."""
    from autograder.ipc.channel import Channel
    from autograder.runner.answer_loop import serve

    serve(Channel(sock), _shell())


def warm() -> None:
    """Called in the zygote by `main`, if the module of the entry has such a function: half of a runner's start."""
    _shell()


@cache
def _shell():
    from autograder.cells import new_shell

    return new_shell()


def _find(entry: str) -> Callable[[socket.socket], None]:
    module, name = entry.split(":")
    return getattr(importlib.import_module(module), name)


if __name__ == "__main__":
    main()
