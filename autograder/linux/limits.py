"""What a runner may use: the numbers, and how a process is bound by them."""

import os
import socket
from collections.abc import Iterable
from dataclasses import asdict, dataclass

try:
    import resource
except ImportError:  # Windows has no limits
    resource = None  # type: ignore[assignment]

CELL_SECONDS = 60  # of CPU time, that a cell may take
PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
TOGETHER = 2  # times the processor time of one process that all of a runner's may take


@dataclass(frozen=True)
class ResourceLimits:
    """What one submission may use beyond what the zygote holds already.

    memory_mb: of all its processes together; cpu_seconds: of each process, which has enough for two cells that use
    theirs up; processes: threads count, too.
    """

    memory_mb: int = 1024
    cpu_seconds: int = 2 * CELL_SECONDS
    processes: int = 64
    open_files: int = 256
    file_mb: int = 64
    scratch_mb: int = 128

    @property
    def end_mb(self) -> int:
        """At which all processes are ended: half as much again, so that one alone gets its MemoryError first."""
        return self.memory_mb * 3 // 2

    def to_dict(self) -> dict:
        """As JSON holds it."""
        return asdict(self)


def bind(limits: ResourceLimits, count_processes: bool) -> None:
    """Bind this process and its children by rlimits, and let others go first (nice).

    count_processes: whether RLIMIT_NPROC counts the runner alone, and not all that its user runs.
    """
    limit_memory(limits.memory_mb, beyond_present=True)
    _set("RLIMIT_CPU", limits.cpu_seconds)
    _set("RLIMIT_FSIZE", limits.file_mb * 1_000_000)
    _set("RLIMIT_NOFILE", limits.open_files)
    _set("RLIMIT_MEMLOCK", 0)
    _set("RLIMIT_MSGQUEUE", 0)
    if count_processes:
        _set("RLIMIT_NPROC", limits.processes)
    os.nice(5)


def limit_memory(megabytes: int, *, beyond_present: bool = False) -> None:
    """Let this process map no more than so much, where the system can limit it, and leave no core behind.

    What would take more is a MemoryError. beyond_present: so much more than it has mapped already.
    """
    mapped = _mapped() if beyond_present else 0
    _set("RLIMIT_AS", mapped + megabytes * 1_000_000)
    _set("RLIMIT_CORE", 0)


def _set(name: str, value: int) -> None:
    """Lower a limit, where the system has it; macOS refuses some."""
    which = getattr(resource, name, None)
    if resource is None or which is None:
        return
    hard = resource.getrlimit(which)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    try:
        resource.setrlimit(which, (value, value))
    except (ValueError, OSError):
        return


def _mapped() -> int:
    """Bytes of address space that this process has now; torch alone maps gigabytes."""
    try:
        with open("/proc/self/statm") as statm:  # noqa: PTH123  (after the fork, so the shortest way)
            return int(statm.read().split()[0]) * PAGE
    except FileNotFoundError:
        return 8_000_000_000


def at_most(pid: int) -> tuple[int, int]:
    """Return the bytes of memory of a process, what it shares included, and its threads; (0, 0) when it is gone.

    The file is read as bytes: a process may give itself a name that is no text.
    """
    try:
        with open(f"/proc/{pid}/status", "rb") as status:  # noqa: PTH123
            return _bytes(status, b"RssAnon", b"RssShmem", b"VmSwap", also=b"Threads")
    except OSError:
        return 0, 0


def processor_seconds(pid: int) -> tuple[int, float]:
    """Return when a process began, in the kernel's ticks, and its own processor time; (0, 0) when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123
            fields = stat.read().rpartition(b")")[2].split()
    except OSError:
        return 0, 0.0
    return int(fields[19]), (int(fields[11]) + int(fields[12])) / TICKS


def own(pid: int) -> int:
    """Return the bytes of a process's memory, what it shares divided among all who share it (proportional set size).

    Reading it walks through all of its memory, so it is read where `at_most` is too much. Where it may not be read,
    all counts as its own.
    """
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as sums:  # noqa: PTH123
            return _bytes(sums, b"Pss_Anon", b"Pss_Shmem", b"SwapPss")[0]
    except OSError:
        return at_most(pid)[0]


def _bytes(lines: Iterable[bytes], *names: bytes, also: bytes = b"") -> tuple[int, int]:
    fields = dict(line.split(b":", 1) for line in lines if b":" in line)
    kilobytes = sum(int(fields.get(name, b"0 kB").split()[0]) for name in names)
    return kilobytes * 1024, int(fields.get(also, b"0"))


def sockets() -> int:
    """Return how many sockets there are in this network namespace, those included that lie in a message (Linux)."""
    try:
        with open("/proc/net/sockstat", "rb") as counts:  # noqa: PTH123
            return int(counts.readline().split()[2])
    except (OSError, IndexError, ValueError):
        return 0


def socket_bytes() -> int:
    """Return the most that one Unix socket holds for its reader: the kernel lets the last piece go over the limit."""
    with socket.socket(socket.AF_UNIX) as one:
        return 2 * one.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
