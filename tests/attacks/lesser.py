"""The grader as it runs on a machine that has less; what follows is the command line of `python -m autograder`.

    python -m tests.attacks.lesser no-groups grade 01_spam --course course

namespaces: there is no bubblewrap. no-groups: no control group can be made. old-kernel: neither, and the kernel does
not count a runner's processes apart from others. no-sandbox: no namespaces either, and it is told to go on. in-process:
as on macOS and Windows, where checks run beside the student's code.
"""

import sys

from autograder import __main__ as program
from autograder.execution import dispatch
from autograder.execution.in_process_worker import InProcessWorker
from autograder.linux import cgroup
from autograder.sandbox import choose
from autograder.sandbox.start import Sandbox

MACHINES = ("namespaces", "no-groups", "old-kernel", "no-sandbox", "in-process")


def main() -> None:
    """Take away what the first word says, then be the grader."""
    machine, *words = sys.argv[1:]
    if machine not in MACHINES:
        sys.exit(f"{machine}: the machines are {', '.join(MACHINES)}")
    if machine in ("namespaces", "old-kernel"):
        choose._candidates = lambda: ["namespaces"]
    if machine in ("no-groups", "old-kernel"):
        cgroup.make = lambda *_: None
    if machine == "old-kernel":
        confine = Sandbox._confine
        Sandbox._confine = lambda self, user: confine(self, user) | {"count_processes": False}
    if machine == "in-process":
        dispatch.backend = lambda *_, **__: InProcessWorker
    sys.argv = [sys.argv[0], *words, *(["--no-sandbox"] if machine == "no-sandbox" else [])]
    program.main()


if __name__ == "__main__":
    main()
