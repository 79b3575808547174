"""What a fork of the template becomes: an ipykernel that a notebook cannot tell from one that was started cold."""

import importlib.util
import os
import select
import sys
import threading

from autograder.kernels.request import Request


def become_kernel(request: Request) -> None:
    """Take on the folder, environment and output of the request, and serve its connection until shutdown."""
    from ipykernel.kernelapp import IPKernelApp

    _move_in(request)
    _own_random_numbers()
    _threads_of_blas()
    IPKernelApp.clear_instance()
    app = IPKernelApp.instance(parent_handle=request.client_pid)
    app.initialize(request.argv)
    _inline_figures()
    # ipykernel watches its parent, which is the template here; what it must end with is its client.
    app.poller = None if request.client is None else ClientWatch(request.client)
    app.start()


def _move_in(request: Request) -> None:
    for ours, theirs in ((request.stdout, 1), (request.stderr, 2)):
        os.dup2(ours, theirs)
        os.close(ours)
    os.environ.clear()
    os.environ.update(request.env)
    if request.cwd:
        os.chdir(request.cwd)
    sys.argv = [importlib.util.find_spec("ipykernel_launcher").origin, *request.argv]


def _own_random_numbers() -> None:
    """Seed NumPy and torch, which were seeded in the template, as their import does; random does so after a fork."""
    import numpy as np
    import torch

    np.random.seed()
    torch.default_generator.seed()


def _threads_of_blas() -> None:
    """Give NumPy the threads that the environment asks for; the template imported it with one."""
    from threadpoolctl import threadpool_limits

    asked = os.environ.get("OPENBLAS_NUM_THREADS") or os.environ.get("OMP_NUM_THREADS") or ""
    wanted = int(asked) if asked.isdigit() else len(os.sched_getaffinity(0))
    if wanted > 1:
        threadpool_limits(wanted, "blas")


def _inline_figures() -> None:
    """Choose matplotlib's backend as its import does in a kernel: ipykernel has set MPLBACKEND by now."""
    import matplotlib

    matplotlib.rcParams["backend"] = os.environ["MPLBACKEND"]


class ClientWatch(threading.Thread):
    """Ends this process when the client's process has ended, however that was."""

    def __init__(self, client: int):
        super().__init__(daemon=True)
        self.client = client

    def run(self) -> None:
        """Wait for the end of the client."""
        poll = select.poll()
        poll.register(self.client, select.POLLIN)
        poll.poll()
        os._exit(1)
