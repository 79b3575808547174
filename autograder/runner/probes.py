"""What a runner must not be able to do, tried from inside one. Each returns "held: how" or "missing: why"."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from autograder.linux import syscalls

CROWDED = 5.0  # seconds for which memory is held
SEEN = 2.0  # seconds for which too many processes are there


def network(port: int, name: str) -> str:
    """Connect to a port on which the coordinator listens on this very machine, and to a socket with a name."""
    reached, why = [], ""
    for family, address in ((socket.AF_INET, ("127.0.0.1", port)), (socket.AF_UNIX, f"\0{name}")):
        try:
            with socket.socket(family) as tried:
                tried.settimeout(2)
                tried.connect(address)
            reached.append(family.name)
        except OSError as error:
            why = why or _why(error)
    return f"missing: a connection opened ({', '.join(reached)})" if reached else f"held: {why}"


def files(hidden: list[str]) -> str:
    """Open the coordinator's files: the course, a home, a temporary file of the coordinator's user."""
    for path in hidden:
        with contextlib.suppress(OSError):
            os.listdir(path) if Path(path).is_dir() else Path(path).read_bytes()[:1]  # noqa: PTH208
            return f"missing: {path} can be read"
    return f"held: {len(hidden)} places of the course are not there"


def writes(places: list[str]) -> str:
    """Write into the system, the packages and the course's own code, all of which a runner sees."""
    for place in places:
        if os.access(place, os.W_OK):
            return f"missing: {place} can be written"
    for place in places:
        with contextlib.suppress(OSError), open(f"{place}/.bow2lora-probe", "w"):  # noqa: PTH123
            os.remove(f"{place}/.bow2lora-probe")  # noqa: PTH107
            return f"missing: {place} can be written"
    return "held: all but the scratch folder is read-only"


def sight(coordinator: int) -> str:
    """See or signal the process that forked this one, or the coordinator."""
    shown = os.listdir("/proc") if Path("/proc").is_dir() else []  # noqa: PTH208
    seen = [int(name) for name in shown if name.isdecimal()]
    if set(seen) - {os.getpid()} or os.getppid() != 0:
        return f"missing: {len(seen)} processes are seen"
    with contextlib.suppress(OSError):
        os.kill(coordinator if coordinator != os.getpid() else coordinator + 1, 0)
        return "missing: the coordinator can be signalled"
    return "held: a pid namespace of its own"


def privileges() -> str:
    """Hold a capability, become root, or mount something."""
    fields = _status()
    if any(int(fields.get(name, "1"), 16) for name in ("CapEff", "CapPrm", "CapBnd", "CapAmb")):
        return "missing: the runner keeps capabilities"
    if fields.get("NoNewPrivs") != "1":
        return "missing: programs with the setuid bit give privileges"
    with contextlib.suppress(OSError):
        syscalls.mount("probe", os.getcwd(), "tmpfs", 0)  # noqa: PTH109
        return "missing: the runner can mount"
    return f"held: no capabilities, user {os.getuid()}"


def system_calls() -> str:
    """Make a user namespace, in which one would be root again; change which files lie in memory."""
    if _status().get("Seccomp") != "2":
        return "missing: no seccomp filter"
    with contextlib.suppress(OSError):
        syscalls.unshare(syscalls.NEWUSER)
        return "missing: the runner can make namespaces"
    with contextlib.suppress(OSError), open(sys.executable, "rb") as program:  # noqa: PTH123
        os.posix_fadvise(program.fileno(), 0, 0, os.POSIX_FADV_NORMAL)
        return "missing: the runner can say which files are kept in memory"
    return "held: a seccomp filter"


def memory(megabytes: int) -> str:
    """Take more memory than the limit."""
    try:
        block = bytearray(megabytes * 1_000_000)
    except MemoryError:
        return f"held: {megabytes} MB were refused"
    return f"missing: {len(block) // 1_000_000} MB were given"


def processes(limit: int) -> str:
    """Fork more processes than the limit; where the kernel does not count them, whoever does ends the runner."""
    children: list[int] = []
    try:
        for _ in range(limit + 1):
            pid = os.fork()
            if pid == 0:
                signal.pause()
            children.append(pid)
        time.sleep(SEEN)
    except OSError:
        return f"held: no more than {len(children)} children"
    finally:
        for pid in children:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return f"missing: {len(children)} children were started"


def crowd(count: int, megabytes: int) -> str:
    """Take memory in several processes, each within its own limit; whoever counts them together ends the runner."""
    children = []
    for _ in range(count):
        pid = os.fork()
        if pid == 0:
            block = b"x" * megabytes * 1_000_000
            time.sleep(CROWDED if block else 0)
            os._exit(0)
        children.append(pid)
    for pid in children:
        os.waitpid(pid, 0)
    return f"missing: {count} processes took {count * megabytes} MB"


def disk(megabytes: int) -> str:
    """Fill the scratch folder beyond the limit."""
    try:
        for number in range(8):
            Path(f"probe-{number}").write_bytes(bytes(megabytes * 1_000_000 // 4))
    except OSError as error:
        return f"held: {_why(error)}"
    finally:
        for number in range(8):
            Path(f"probe-{number}").unlink(missing_ok=True)
    return f"missing: {2 * megabytes} MB were written"


def environment(secrets: list[str]) -> str:
    """Read what the coordinator knows from the environment, one's own or that of a process before it."""
    found = sorted(name for name in secrets if name in os.environ)
    return f"missing: {', '.join(found)} can be read" if found else "held: the environment is new"


def stray() -> str:
    """Leave a process behind that holds on to the socket; the coordinator sees whether it lives on."""
    line = [sys.executable, "-S", "-c", "import time; time.sleep(5)"]
    subprocess.Popen(line, start_new_session=True, close_fds=False, pass_fds=_sockets())
    return "left"


def _sockets() -> list[int]:
    descriptors = (fd for fd in range(3, 64) if os.path.exists(f"/proc/self/fd/{fd}"))  # noqa: PTH110
    return [fd for fd in descriptors if os.readlink(f"/proc/self/fd/{fd}").startswith("socket")]  # noqa: PTH115


def _status() -> dict[str, str]:
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    fields = dict(line.split(":", 1) for line in lines)
    return {name: text.strip() for name, text in fields.items()}


def _why(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
