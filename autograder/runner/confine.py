"""Turn a child that the zygote has just forked into a runner: it sees little, may do little, and dies with the zygote.

The zygote holds the few capabilities that this needs, and has run nothing of a student's.
"""

import contextlib
import os
import signal
import subprocess
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

from autograder.linux import limits, seccomp, syscalls
from autograder.linux.limits import ResourceLimits, bind

SCRATCH = "/scratch"  # the runner's current folder and home
MAX_SWEEPS = 1000
# In /proc, what counts for the whole machine: a runner could leave word in it for the next one.
COUNTERS = (
    *("stat", "vmstat", "loadavg", "diskstats", "interrupts", "softirqs", "schedstat", "zoneinfo", "buddyinfo"),
    *("pagetypeinfo", "slabinfo", "vmallocinfo", "timer_list", "swaps", "key-users", "locks"),
)
PROCESSORS = "/sys/devices/system/cpu"
OF_PROCESSORS = ("cpuidle", "cpufreq", "power", "thermal_throttle")  # what they have done since the machine began
FOLDERS_OF_COUNTERS = ("sys/fs", "sys/kernel/random", "pressure", "fs", "irq")
BUDGET = (0, 0)  # where `taken` has what may be used, below zero


@dataclass(frozen=True)
class Confinement:
    """How runners are confined. namespaces: False where there are none, and only limits bind.

    run_as: the user's number that a runner gets (None: the zygote's own).
    count_processes: whether the kernel counts a runner's processes apart from those of others.
    scratch: the runner's current folder and home.
    """

    limits: ResourceLimits = field(default_factory=ResourceLimits)
    namespaces: bool = True
    run_as: int | None = None
    count_processes: bool = True
    scratch: str = SCRATCH
    taken: dict[tuple[int, int], float] = field(default_factory=dict, compare=False)  # seconds, by process and start

    @classmethod
    def from_dict(cls, fields: dict) -> "Confinement":
        """From what the coordinator says in JSON."""
        return cls(**{**fields, "limits": ResourceLimits(**fields.get("limits", {}))})

    def fork(self) -> int:
        """Like os.fork; the child is process 1 of a new pid namespace, and all in it dies with it."""
        if not self.namespaces:
            return os.fork()
        own = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        syscalls.unshare(syscalls.NEWPID)
        pid = os.fork()
        if pid:
            syscalls.call("setns", own, syscalls.NEWPID)  # the next child, too, gets one below ours
        os.close(own)
        return pid

    def enter(self, *keep: int, cpu_seconds: int | None = None) -> None:
        """In the child: leave everything but the descriptors `keep`, and bind this process for good.

        cpu_seconds: in place of those of all runners, for one that has used some already.
        """
        _close_all_but(keep)
        if os.getpgrp() != os.getpid():
            os.setsid()  # a signal to its own process group must not reach the zygote's
        if self.namespaces:
            syscalls.unshare(syscalls.NEWNS | syscalls.NEWIPC)
            _die_first()
            _see_little(self.limits, self.run_as)
        bind(replace(self.limits, cpu_seconds=cpu_seconds or self.limits.cpu_seconds), self.count_processes)
        if self.namespaces:
            syscalls.forget_capabilities()
            _become(self.run_as)
            syscalls.set_capabilities()
        else:
            os.makedirs(self.scratch, exist_ok=True)  # noqa: PTH103  (after the fork, so the shortest way)
            os.environ.update(HOME=self.scratch, TMPDIR=self.scratch, MPLCONFIGDIR=self.scratch)
        os.chdir(self.scratch)
        _no_way_back()

    def adopt(self) -> None:
        """In the zygote: without namespaces, what a runner leaves behind falls to it."""
        if not self.namespaces:
            syscalls.prctl(syscalls.SET_CHILD_SUBREAPER, 1)

    def sweep(self) -> None:
        """In the zygote, after a runner: end what fell to it, remove its files. Namespaces need no sweeping."""
        if self.namespaces:
            return
        self._end_adopted()
        remove(self.scratch)

    def _end_adopted(self) -> None:
        for _ in range(MAX_SWEEPS):
            pids = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
            for pid in map(int, pids):
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            if not pids:
                return

    def begin(self, job: dict) -> None:
        """In the zygote, before a runner: all that it starts has one budget of processor time."""
        self.taken.clear()
        self.taken[BUDGET] = -limits.TOGETHER * (job.get("cpu_seconds") or self.limits.cpu_seconds)

    def _over_budget(self, pids: list[int]) -> bool:
        """Whether these processes and those that ended before have used it up; an ended one counts as last seen."""
        for pid in pids:
            begun, seconds = limits.processor_seconds(pid)
            self.taken[pid, begun] = max(seconds, self.taken.get((pid, begun), 0.0))
        return sum(self.taken.values()) > 0

    def watch(self) -> str:
        """In the zygote, while a runner runs: the reason to end it, or nothing. All that it sees is the runner's."""
        if not self.namespaces:
            return ""
        pids = [int(name) for name in os.listdir("/proc") if name.isdecimal() and int(name) != os.getpid()]  # noqa: PTH208
        found = {pid: limits.at_most(pid) for pid in pids}
        if sum(count for _, count in found.values()) > 2 * self.limits.processes:
            return "processes"
        if self._over_budget(pids):
            return "processor"
        left = self.limits.end_mb * 10**6 - _in_sockets()
        if sum(memory for memory, _ in found.values()) <= left:
            return ""
        return "memory" if sum(map(limits.own, pids)) > left else ""


def remove(place: str) -> None:
    """Remove a folder with all that a student left in it, or what they put in its place.

    Python's own way goes as deep as its recursion does, and stops at a folder that may not be entered. chmod would
    follow a link that it is given by name.
    """
    if not Path(place).is_symlink():
        subprocess.run(["chmod", "-R", "u+rwx", place], stderr=subprocess.DEVNULL, check=False)
    subprocess.run(["rm", "-rf", place], stderr=subprocess.DEVNULL, check=False)


def _in_sockets() -> int:
    """The most that may wait in the sockets of all processes, which no process shows as its memory."""
    return limits.sockets() * limits.socket_bytes()


def _close_all_but(keep: tuple[int, ...]) -> None:
    """Close what was inherited; what anybody prints past Python goes nowhere."""
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    places = [2, *sorted(keep), os.sysconf("SC_OPEN_MAX")]
    for before, behind in pairwise(places):
        os.closerange(before + 1, behind)


def _die_first() -> None:
    """When memory is short, the kernel takes the runner, not the coordinator."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as score:  # noqa: PTH123
        score.write("1000")


def _see_little(limits: ResourceLimits, run_as: int | None) -> None:
    """In a new mount namespace: all is read-only, /proc shows this runner alone, scratch folders are new and small."""
    syscalls.mount("none", "/", None, syscalls.MS_REC | syscalls.MS_PRIVATE)
    with contextlib.suppress(OSError):  # before Linux 5.12 what the sandbox made read-only must do
        syscalls.read_only("/")
    quiet = syscalls.MS_NOSUID | syscalls.MS_NODEV
    syscalls.mount("proc", "/proc", "proc", quiet | syscalls.MS_NOEXEC | syscalls.MS_RDONLY)
    _mask_counters()
    user = os.getuid() if run_as is None else run_as
    group = os.getgid() if run_as is None else run_as
    options = f"size={limits.scratch_mb}m,nr_inodes=20000,mode=0700,uid={user},gid={group}"
    syscalls.mount("scratch", SCRATCH, "tmpfs", quiet, options)
    syscalls.mount("shared", "/dev/shm", "tmpfs", quiet | syscalls.MS_NOEXEC, options)


def _mask_counters() -> None:
    """Let nothing be read there; what this kernel has not, or does not let be covered, is passed over."""
    for name in COUNTERS:
        with contextlib.suppress(OSError):
            syscalls.mount("/dev/null", f"/proc/{name}", None, syscalls.MS_BIND)
    folders = [f"/proc/{name}" for name in FOLDERS_OF_COUNTERS]
    for name in OF_PROCESSORS:
        folders += map(str, [*Path(PROCESSORS).glob(name), *Path(PROCESSORS).glob(f"cpu[0-9]*/{name}")])
    for folder in folders:
        with contextlib.suppress(OSError):
            syscalls.mount("masked", folder, "tmpfs", syscalls.MS_RDONLY | syscalls.MS_NOSUID, "size=4k")


def _become(user: int | None) -> None:
    """Take another user's number, for good."""
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def _no_way_back() -> None:
    """No exec gives privileges; no other process may trace this one; it dies with the zygote."""
    syscalls.prctl(syscalls.SET_NO_NEW_PRIVS, 1)
    syscalls.prctl(syscalls.SET_DUMPABLE, 0)
    syscalls.die_with_parent()
    with contextlib.suppress(OSError):  # protections() says when there is none
        seccomp.apply()
