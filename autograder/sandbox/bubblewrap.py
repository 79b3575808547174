"""A view made by bubblewrap (https://github.com/containers/bubblewrap): the options for bwrap."""

import os
from pathlib import Path

from autograder.linux import syscalls
from autograder.runner.confine import SCRATCH
from autograder.sandbox.view import View

OPTIONS = {
    "bind": ["--ro-bind"],
    "device": [
        "--dev-bind"
    ],  # not --dev: for an ordinary user it takes a second user namespace, without our capabilities
    "link": ["--symlink"],
    "mask": ["--perms", "0755", "--tmpfs"],
    "scratch": ["--tmpfs"],
    "proc": ["--proc"],
}


def command(view: View, program: list[str], environment: dict[str, str]) -> list[str]:
    """Return the command that runs a program as process 1 in the view, without network, with what a zygote may.

    Root needs no user namespace, and without one its runners can become a user that the kernel counts.
    """
    line = ["bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    if os.geteuid() != 0:
        line.append("--unshare-user")
    line += ["--die-with-parent", "--as-pid-1", "--hostname", "sandbox", "--clearenv"]
    for name, value in environment.items():
        line += ["--setenv", name, value]
    for capability in syscalls.zygote_capabilities():
        line += ["--cap-add", capability]
    known = {Path("/")}
    for kind, source, target in view.steps:
        for folder in reversed(Path(target).parents):
            if folder not in known:
                line += ["--perms", "0755", "--dir", str(folder)]  # the default is 0700
            known.add(folder)
        line += OPTIONS[kind]
        if source:
            line.append(source)
        line.append(target)
    for kind, _, target in view.steps:
        if kind == "mask":
            line += ["--remount-ro", target]
    return [*line, "--remount-ro", "/", "--chdir", SCRATCH, "--", *program]
