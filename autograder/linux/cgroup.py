"""A control group for a zygote and its runners, where this user may make one: the kernel's own limit of all together.

Version 2 (`memory.max`, `pids.max`) where its controllers are there, else version 1; linux/Documentation/admin-guide.
The kernel counts there what no process shows as its own: the buffers of sockets and pipes, files in memory.
"""

import contextlib
import itertools
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")
ENTER = 'for group in $0; do echo 0 > "$group/cgroup.procs" || exit 70; done; exec "$@"'  # a shell's: this, then be it
V1 = {"memory": "memory.limit_in_bytes", "pids": "pids.max"}
V2 = {"memory": "memory.max", "pids": "pids.max"}
SECONDS = 5.0  # for the kernel to empty a group whose processes were killed
_numbers = itertools.count()


@dataclass(frozen=True)
class Group:
    """The folders of one group: one in version 2, one for each controller in version 1."""

    folders: tuple[Path, ...]

    def enter(self, command: list[str]) -> list[str]:
        """Return the command line that goes into the group and then becomes the command."""
        return ["/bin/sh", "-c", ENTER, " ".join(map(str, self.folders)), *command]

    def cleanup(self) -> None:
        """Remove the group, when its processes have ended."""
        until = time.monotonic() + SECONDS
        for folder in self.folders:
            while folder.is_dir():
                with contextlib.suppress(OSError):
                    folder.rmdir()
                    break
                if time.monotonic() > until:
                    return
                time.sleep(0.01)


def make(memory: int, processes: int, root: Path = ROOT) -> Group | None:
    """Return a new group that holds so many bytes and processes; None where there is no way to make one."""
    name = f"bow2lora-{os.getpid()}-{next(_numbers)}"
    wanted = {"memory": memory, "pids": processes}
    for parents in _parents(root):
        group = Group(tuple(dict.fromkeys(parent / name for parent in parents.values())))
        try:
            for controller, parent in parents.items():
                (parent / name).mkdir(exist_ok=True)
                limits = V2 if len(group.folders) == 1 else V1
                (parent / name / limits[controller]).write_text(str(wanted[controller]), encoding="ascii")
            subprocess.run(group.enter(["true"]), check=True, stderr=subprocess.DEVNULL)
            return group
        except (OSError, subprocess.CalledProcessError):  # it may be made, but not entered
            group.cleanup()
    return None


def _parents(root: Path) -> list[dict[str, Path]]:
    """Return where a group might be made: {controller: folder}, the best place first.

    In version 2 a folder with processes hands no controllers on, so the place is beside this process's own.
    """
    own = _own()
    found = []
    for above in (root / own[""], (root / own[""]).parent) if "" in own else ():
        with contextlib.suppress(OSError):
            if {"memory", "pids"} <= set((above / "cgroup.subtree_control").read_text(encoding="ascii").split()):
                found.append(dict.fromkeys(V2, above))
    places = {name: _nearest(root / name, own[name]) for name in V1 if (root / name / "cgroup.procs").is_file()}
    return [*found, places] if len(places) == len(V1) else found


def _nearest(hierarchy: Path, own: str) -> Path:
    """Return this process's folder; in a container it may not be shown under its own name."""
    return hierarchy / own if (hierarchy / own).is_dir() else hierarchy


def _own() -> dict[str, str]:
    """Return this process's group by controller, "" for version 2."""
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    parts = [line.split(":", 2) for line in lines]
    return {name: path.lstrip("/") for _, names, path in parts for name in names.split(",")}
