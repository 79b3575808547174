"""The same view without bubblewrap: a small program that makes the namespaces itself and becomes the zygote.

After Eric Biederman's user namespaces and bubblewrap's order of steps: a new root on a tmpfs, bind mounts from the old
root, pivot_root, and the old root is gone. Started by `command` in a fresh process with one thread and no packages.
"""

import json
import os
import sys
from pathlib import Path

from autograder.linux import syscalls
from autograder.runner.confine import SCRATCH

QUIET = syscalls.MS_NOSUID | syscalls.MS_NODEV
READ_ONLY = syscalls.MS_BIND | syscalls.MS_REMOUNT | syscalls.MS_RDONLY | QUIET


def command(steps: tuple, program: list[str], environment: dict[str, str], code: str) -> list[str]:
    """Return the command that runs a program as process 1 in a view. code: the folder with the package autograder."""
    spec = json.dumps({"steps": steps, "program": program, "environment": environment})
    start = "import sys; sys.path.insert(0, sys.argv[1]); from autograder.sandbox.namespaces import main; main()"
    return [sys.executable, "-I", "-S", "-B", "-c", start, code, spec]


def main() -> None:
    """Enter new namespaces, then be the program's watchman: end with it, and it with us."""
    spec = json.loads(sys.argv[2])
    syscalls.die_with_parent()
    _enter()
    pid = os.fork()
    if pid:
        _, status = os.waitpid(pid, 0)
        os._exit(0 if os.waitstatus_to_exitcode(status) == 0 else 1)
    syscalls.die_with_parent()
    _build(spec["steps"])
    syscalls.call("sethostname", b"sandbox", 7)
    syscalls.keep_over_exec(*syscalls.zygote_capabilities().values())
    os.execve(spec["program"][0], spec["program"], spec["environment"])


def _enter() -> None:
    user, group = os.geteuid(), os.getegid()
    spaces = syscalls.NEWNS | syscalls.NEWPID | syscalls.NEWNET | syscalls.NEWIPC | syscalls.NEWUTS
    if user == 0:  # without a user namespace its runners can become a user that the kernel counts
        syscalls.unshare(spaces)
        return
    syscalls.unshare(spaces | syscalls.NEWUSER)
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
    Path("/proc/self/gid_map").write_text(f"{group} {group} 1")


def _build(steps: list) -> None:
    """Make the new root from the old one, go there, and let go of the old one."""
    syscalls.mount("none", "/", None, syscalls.MS_REC | syscalls.MS_PRIVATE)
    syscalls.mount("root", "/tmp", "tmpfs", QUIET, "mode=0755")
    os.chdir("/tmp")
    for folder in ("old", "new"):
        Path(folder).mkdir()
    syscalls.pivot_root(".", "old")
    os.chdir("/")
    syscalls.mount("root", "/new", "tmpfs", QUIET, "mode=0755")
    for kind, source, target in steps:
        _step(kind, source, target)
    for place in [f"/new{target}" for kind, _, target in steps if kind == "mask"]:
        syscalls.mount("none", place, None, READ_ONLY)
    os.chdir("/new")
    syscalls.pivot_root(".", ".")  # the old root now lies on top of the new one
    syscalls.call("umount2", b".", syscalls.MNT_DETACH)
    syscalls.mount("none", "/", None, READ_ONLY)
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
        syscalls.mount("empty", str(place), "tmpfs", QUIET, "mode=0755")
    elif kind == "proc":
        syscalls.mount("proc", str(place), "proc", QUIET | syscalls.MS_NOEXEC)
    elif kind in ("bind", "device"):
        syscalls.mount(real, str(place), None, syscalls.MS_BIND | syscalls.MS_REC)
        if kind == "bind":
            syscalls.read_only(str(place), syscalls.ATTR_NOSUID | syscalls.ATTR_NODEV)
