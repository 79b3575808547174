"""The same view without bubblewrap: a small program that makes the namespaces itself and becomes the zygote.

After Eric Biederman's user namespaces and bubblewrap's order of steps: a new root on a tmpfs, bind mounts from the old
root, pivot_root, and the old root is gone. Started by `command` in a fresh process with one thread and no packages.
"""

import json
import os
import sys
from pathlib import Path

from autograder.runner import kernel
from autograder.runner.confine import SCRATCH

QUIET = kernel.MS_NOSUID | kernel.MS_NODEV
READ_ONLY = kernel.MS_BIND | kernel.MS_REMOUNT | kernel.MS_RDONLY | QUIET


def command(steps: tuple, program: list[str], environment: dict[str, str], code: str) -> list[str]:
    """Return the command that runs a program as process 1 in a view. code: the folder with the package autograder."""
    spec = json.dumps({"steps": steps, "program": program, "environment": environment})
    start = "import sys; sys.path.insert(0, sys.argv[1]); from autograder.sandbox.namespaces import main; main()"
    return [sys.executable, "-I", "-S", "-B", "-c", start, code, spec]


def main() -> None:
    """Enter new namespaces, then be the program's watchman: end with it, and it with us."""
    spec = json.loads(sys.argv[2])
    kernel.die_with_parent()
    _enter()
    pid = os.fork()
    if pid:
        _, status = os.waitpid(pid, 0)
        os._exit(0 if os.waitstatus_to_exitcode(status) == 0 else 1)
    kernel.die_with_parent()
    _build(spec["steps"])
    kernel.call("sethostname", b"sandbox", 7)
    kernel.keep_over_exec(*kernel.ZYGOTE_CAPABILITIES)
    os.execve(spec["program"][0], spec["program"], spec["environment"])


def _enter() -> None:
    user, group = os.geteuid(), os.getegid()
    spaces = kernel.NEWNS | kernel.NEWPID | kernel.NEWNET | kernel.NEWIPC | kernel.NEWUTS
    if user == 0:  # without a user namespace its runners can become a user that the kernel counts
        kernel.unshare(spaces)
        return
    kernel.unshare(spaces | kernel.NEWUSER)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def _build(steps: list) -> None:
    """Make the new root from the old one, go there, and let go of the old one."""
    kernel.mount("none", "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("root", "/tmp", "tmpfs", QUIET, "mode=0755")
    os.chdir("/tmp")
    for folder in ("old", "new"):
        Path(folder).mkdir()
    kernel.pivot_root(".", "old")
    os.chdir("/")
    kernel.mount("root", "/new", "tmpfs", QUIET, "mode=0755")
    for kind, source, target in steps:
        _step(kind, source, target)
    for place in [f"/new{target}" for kind, _, target in steps if kind == "mask"]:
        kernel.mount("none", place, None, READ_ONLY)
    os.chdir("/new")
    kernel.pivot_root(".", ".")  # the old root now lies on top of the new one
    kernel.call("umount2", b".", kernel.MNT_DETACH)
    kernel.mount("none", "/", None, READ_ONLY)
    os.chdir(SCRATCH)


def _step(kind: str, source: str, target: str) -> None:
    place, real = Path(f"/new{target}"), f"/old{source}"
    place.parent.mkdir(parents=True, exist_ok=True)
    if kind == "link":
        place.symlink_to(source)
    elif kind in ("mask", "scratch", "proc") or Path(real).is_dir():
        place.mkdir(exist_ok=True)
    elif not place.exists():
        place.touch()
    if kind in ("mask", "scratch"):
        kernel.mount("empty", str(place), "tmpfs", QUIET, "mode=0755")
    elif kind == "proc":
        kernel.mount("proc", str(place), "proc", QUIET | kernel.MS_NOEXEC)
    elif kind in ("bind", "device"):
        kernel.mount(real, str(place), None, kernel.MS_BIND | kernel.MS_REC)
        if kind == "bind":
            kernel.read_only(str(place), kernel.ATTR_NOSUID | kernel.ATTR_NODEV)
