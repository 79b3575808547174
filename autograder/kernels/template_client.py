"""The client's side: find the template that fits, start one where there is none, ask it for a kernel.

<jupyter's runtime folder>/bow2lora/   0700
    <key>.sock    one template for each Python, and each environment that matters before imports
    <key>.log     what it wrote when it last started
"""

import contextlib
import fcntl
import hashlib
import json
import os
import resource
import socket
import stat
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jupyter_core.paths import jupyter_runtime_dir

from autograder.ipc.fork_server import receive, send
from autograder.kernels.kernel_process import WarmProcess

PATIENCE = 60.0  # seconds until a template must have answered; on a cold disk imports are slow
LONGEST = 100  # characters of a socket's path; Linux takes 107
# Variables that are read when Python starts or a library is imported, too late for a fork. MPLBACKEND is not one: the
# kernel sees to it.
EARLY = ("PYTHON", "LD_", "OMP_", "GOMP_", "KMP_", "OPENBLAS_", "MKL_", "TORCH", "PYTORCH_", "CUDA_", "MPLCONFIGDIR",
         "BOW2LORA_", "HOME", "XDG_", "IPYTHONDIR", "TZ", "LANG", "LC_")  # fmt: skip


class NoWarmStart(Exception):
    """There is no warm kernel; the reason in a line."""


@dataclass(frozen=True)
class Order:
    """What a kernel is to be. python: the start of its command line; argv: ipykernel's arguments."""

    python: list[str]
    argv: list[str]
    env: dict[str, str]
    cwd: str | None = None
    stdout: int = 1
    stderr: int = 2
    independent: bool = False

    @property
    def key(self) -> str:
        """Name the template that fits; limits and priority are its own, and pass to its children."""
        early = {k: v for k, v in sorted(self.env.items()) if k.startswith(EARLY)}
        limits = [resource.getrlimit(n) for k, n in sorted(vars(resource).items()) if k.startswith("RLIMIT_")]
        basis = json.dumps([self.python, early, limits, os.nice(0)])
        return hashlib.sha256(basis.encode("utf-8", "surrogateescape")).hexdigest()[:16]

    @property
    def message(self) -> dict:
        """What the template is told."""
        return {"argv": self.argv, "cwd": self.cwd, "env": self.env, "independent": self.independent}


def start(order: Order, idle: float) -> WarmProcess:
    """Return a running kernel; NoWarmStart if there is none to be had. idle: of a template that has to be started."""
    path = folder() / f"{order.key}.sock"
    for _ in range(2):  # the first may find a template that was killed, or one that is out of date
        template = _connection(path, order, idle)
        try:
            send(template, order.message, (order.stdout, order.stderr))
            answer, fds = receive(template)
            if answer["op"] == "started":
                template.settimeout(PATIENCE)
                return WarmProcess(answer["pid"], fds[0], template)
        except TimeoutError:
            path.unlink(missing_ok=True)  # it hangs: nobody else shall wait for it
        except (EOFError, OSError):
            pass
        template.close()
    raise NoWarmStart(_last_words(path.with_suffix(".log")) or "the template does not answer")


def folder() -> Path:
    """Return the folder of the sockets, which is this user's alone; NoWarmStart if it is not."""
    path = Path(jupyter_runtime_dir()) / "bow2lora"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise NoWarmStart(f"{path} must be a folder that is yours alone (chmod 700)")
    if len(os.fsencode(path)) + 22 > LONGEST:
        raise NoWarmStart(f"{path} is too long a name for a socket in it; set JUPYTER_RUNTIME_DIR")
    return path


def _connection(path: Path, order: Order, idle: float) -> socket.socket:
    """Connect to the template, and start it first if nobody listens."""
    with _locked(path.with_suffix(".lock")):
        template = socket.socket(socket.AF_UNIX)
        template.settimeout(PATIENCE)
        try:
            template.connect(str(path))
        except (FileNotFoundError, ConnectionRefusedError):
            path.unlink(missing_ok=True)
            _launch(path, order, idle)
            template.connect(str(path))
        return template


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock, so that two clients at once start one template."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _launch(path: Path, order: Order, idle: float) -> None:
    """Start a template in the background; it listens when this returns, and imports meanwhile."""
    dropped = ("JPY_", "MPLBACKEND", "NBGRADER_")
    env = {k: v for k, v in order.env.items() if not k.startswith(dropped)}
    env["OPENBLAS_NUM_THREADS"] = "1"  # NumPy starts the others at its import, and then no fork is safe
    line = [*order.python, "-m", "autograder.kernels.fork_template", str(path), str(idle)]
    log = path.with_suffix(".log")
    with log.open("wb") as out:
        done = subprocess.run(
            line, env=env, cwd="/", stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip
    if done.returncode:
        raise NoWarmStart(_last_words(log) or f"the template does not start (exit code {done.returncode})")


def _last_words(log: Path) -> str:
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1].strip()[:300] if lines else ""
