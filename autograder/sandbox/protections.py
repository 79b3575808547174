"""Which protections hold on this machine: each is tried from inside a real runner, not looked up."""

import os
import socket
import sys
import sysconfig
import tempfile
from dataclasses import replace
from functools import partial

from autograder import paths
from autograder.linux.cgroup import Group
from autograder.linux.limits import ResourceLimits
from autograder.processes.child_process import Server
from autograder.processes.framing import receive, send
from autograder.sandbox.start import Sandbox
from autograder.sandbox.view import ANSWERS, COURSE, answers
from helpers.errors import CourseError

SMALL = ResourceLimits(memory_mb=100, processes=16, scratch_mb=8, file_mb=8, cpu_seconds=20)  # so that trying is quick
# Without these there is no sandbox to speak of; the others are limits and a second line.
ESSENTIAL = ("network", "files", "writes", "processes", "privileges", "strays", "environment")
PROBE_TIMEOUT = 20.0


def protections(sandbox: Sandbox) -> dict[str, str]:
    """Try each protection; returns {name: "held: how" | "missing: why"}. CourseError if the sandbox does not start."""
    with tempfile.NamedTemporaryFile() as mine, socket.create_server(("127.0.0.1", 0)) as port, _named() as name:
        tried = _calls(sandbox, mine.name, (port.getsockname()[1], name.getsockname()[1:].decode()))
        zygote = replace(sandbox, limits=SMALL).zygote("autograder.runner.snippet_runner:serve", imports=())
        try:
            zygote.ready()
            return _try_all(zygote, tried)
        finally:
            zygote.close()


def essentials_missing(found: dict[str, str]) -> list[str]:
    """The names of those protections that do not hold and without which there is no sandbox."""
    return [name for name in ESSENTIAL if not found.get(name, "").startswith("held")]


def _named() -> socket.socket:
    """A listening socket with a name that every process of the same network namespace can connect to (Linux)."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(f"\0bow2lora-{os.getpid()}-{id(listener)}")
    listener.listen()
    return listener


def _calls(sandbox: Sandbox, mine: str, address: tuple[int, str]) -> dict[str, str]:
    """What the runner is to call, by the name of the protection."""
    hidden = [mine, paths.ROOT / "solutions", paths.ROOT / "tests", paths.ROOT / "autograder", *sandbox.hidden]
    hidden += [path for folder in answers() for path in sorted(folder.iterdir())[:1]]
    hidden += [f"{COURSE}/helpers/{ANSWERS}/{path.name}" for path in paths.ROOT.glob(f"helpers/{ANSWERS}/*")]
    seen = ["/", "/usr", "/dev", COURSE, f"{COURSE}/helpers", sysconfig.get_path("purelib"), "/proc/sys/kernel"]
    return {
        "network": f"network{address}",
        "files": f"files({[str(path) for path in hidden]})",
        "writes": f"writes({seen})",
        "processes": f"sight({os.getpid()})",
        "privileges": "privileges()",
        "system calls": "system_calls()",
        "environment": f"environment({_secrets()})",
        "memory limit": f"memory({2 * SMALL.memory_mb})",
        "process limit": "",  # in a runner of its own, which may be ended for it
        "disk limit": f"disk({SMALL.scratch_mb})",
    }


def _secrets() -> list[str]:
    """The names in the coordinator's environment that nobody else need know."""
    return [name for name in os.environ if name == "BOW2LORA_SECRET" or name.startswith(("SSH_", "XDG_", "JUPYTER"))]


def _try_all(zygote: Server, tried: dict[str, str]) -> dict[str, str]:
    """Try everything in one runner, and whether what it leaves behind ends with it; what may end it, in others."""
    ours, theirs = socket.socketpair()
    zygote.submit({}, theirs)
    theirs.close()
    ours.settimeout(PROBE_TIMEOUT)
    ask = partial(_ask, ours)
    found = {name: ask(call) if call else "" for name, call in tried.items()}
    left = ask("stray()")
    zygote.end_job()
    zygote.hear(PROBE_TIMEOUT)
    found["strays"] = _gone(ours) if left == "left" else left
    ours.close()
    return found | {"process limit": _processes(zygote), "memory of all": _together(zygote)}


def _processes(zygote: Server) -> str:
    """Let a runner start more processes than it may: the kernel or the zygote counts them."""
    said, ended = _beyond(zygote, f"processes({4 * SMALL.processes})", "processes")
    return "held: counted by the zygote" if ended else said


def _together(zygote: Server) -> str:
    """Let a runner's processes take more memory together than is allowed, each of them less."""
    said, ended = _beyond(zygote, f"crowd(8, {SMALL.memory_mb // 2})", "memory")
    group = " and by a control group" if isinstance(zygote.scratch, Group) else ""
    return f"held: counted by the zygote{group}" if ended else said


def _beyond(zygote: Server, call: str, reason: str) -> tuple[str, bool]:
    """Return what a runner of its own says to a call, and whether the zygote has ended it for this reason."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.settimeout(PROBE_TIMEOUT)
        zygote.submit({}, theirs)
        theirs.close()
        said = _ask(ours, call)
        zygote.end_job()
        killed = (zygote.hear(PROBE_TIMEOUT) or {}).get("killed")
    return said, killed == reason


def _ask(ours: socket.socket, call: str) -> str:
    try:
        send(ours, {"source": f"from autograder.runner import probes\nprint(probes.{call})"})
        answer = receive(ours)
    except (EOFError, OSError) as error:
        return f"missing: the runner gave no answer ({type(error).__name__})"
    return answer["printed"].strip() or f"missing: it could not be tried ({answer['error']})"


def _gone(ours: socket.socket) -> str:
    """Whether nobody holds the other end of the socket any more."""
    ours.settimeout(0.5)
    try:
        return "held: they end with the runner" if ours.recv(1) == b"" else "missing: one wrote after the end"
    except TimeoutError:
        return "missing: a process lives on after the end of its runner"
    except OSError:
        return "held: they end with the runner"


def tried(sandbox: Sandbox) -> Sandbox:
    """Return the sandbox with what was found out about it."""
    if sys.platform != "linux":
        return replace(sandbox, protections={name: f"missing: {sys.platform} has no namespaces" for name in ESSENTIAL})
    try:
        return replace(sandbox, protections=protections(sandbox))
    except CourseError as error:
        return replace(sandbox, protections={name: f"missing: {error}" for name in ESSENTIAL})
