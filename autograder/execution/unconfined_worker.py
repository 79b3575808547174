"""The worker of `--no-sandbox` on Linux: nothing shuts its runners off, and they are judged in another process."""

from autograder.execution.sandboxed_worker import SandboxedWorker, chosen_once
from autograder.sandbox.protections import tried
from autograder.sandbox.start import Sandbox


def no_sandbox() -> Sandbox:
    """None: runners are processes of this user. What holds all the same was tried once."""
    return chosen_once("none", lambda: tried(Sandbox("none")))


class UnconfinedWorker(SandboxedWorker):
    """A worker whose runners are shut off from nothing; what they send is judged in another process all the same."""

    def __init__(self):
        super().__init__(no_sandbox())
