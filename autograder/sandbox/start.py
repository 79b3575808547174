"""Start a zygote in the best sandbox that this machine has."""

import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from autograder.linux import cgroup
from autograder.linux.limits import ResourceLimits
from autograder.processes.child_process import Server, python
from autograder.runner.confine import SCRATCH, remove
from autograder.sandbox import bubblewrap, namespaces
from autograder.sandbox.view import COURSE, FIRST_FREE_USER, runner_user, view

BACKENDS = ("bubblewrap", "namespaces", "none")
RUNNER_ENTRY = "autograder.runner.zygote:serve"
PACKAGE_FOLDER = Path(__file__).resolve().parents[2]  # where the package autograder lies
REPEATABLE_ENVIRONMENT = {  # the same for judges and runners, so that results can be repeated, and processes be forked
    "MPLBACKEND": "agg",
    "PYTHONHASHSEED": "0",  # sets keep their order from one grading to the next
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "BOW2LORA_GRADING": "1",
}
ZYGOTE_MB = 1000  # what it has imported, and the pages of files
USER_ENVIRONMENT = {"USER": "student", "LOGNAME": "student", "LANG": "C.UTF-8"}
FOLDER_ENVIRONMENT = {"HOME": SCRATCH, "TMPDIR": SCRATCH, "MPLCONFIGDIR": SCRATCH}


@dataclass(frozen=True)
class Folder:
    """A folder for the working folders of runners that have no sandbox."""

    name: str

    def cleanup(self) -> None:
        """Remove it with all that was left there."""
        remove(self.name)


@dataclass(frozen=True)
class Sandbox:
    """How zygotes are started. protections: what was tried on this machine, for every result.

    hidden: folders that no runner may see (the course); they need not be named when they lie outside of what is shown.
    """

    backend: str
    limits: ResourceLimits = field(default_factory=ResourceLimits)
    hidden: tuple[Path, ...] = ()
    protections: dict[str, str] = field(default_factory=dict)

    def zygote(self, entry: str = RUNNER_ENTRY, imports: Iterable[str] | None = None) -> Server:
        """Start a zygote whose runners call `entry` (module:function of a socket).

        imports: the modules to import beforehand (default: what chapters use).
        """
        spec: dict = {"entry": entry, "imports": imports if imports is None else list(imports)}
        if self.backend == "none":
            return self._without_sandbox(spec)
        shown = view(self.hidden)
        user = runner_user(shown)
        spec["confine"] = self._confine(user)
        path = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "PYTHONPATH": COURSE}
        environment = {**REPEATABLE_ENVIRONMENT, **USER_ENVIRONMENT, **FOLDER_ENVIRONMENT, **path}

        def command(fd: int) -> list[str]:
            program = _zygote_command(spec, fd)
            if self.backend == "bubblewrap":
                line = bubblewrap.command(shown, program, environment)
            else:
                line = namespaces.command(shown.steps, program, environment, str(PACKAGE_FOLDER))
            return group.enter(line) if group else line

        group = self.group()
        return Server("the sandbox's zygote", command, {"PATH": os.defpath}, scratch=group)

    def group(self) -> cgroup.Group | None:
        """Make the control group of a zygote, which holds what it counts by itself and what the kernel alone sees."""
        limits = self.limits
        memory = ZYGOTE_MB + limits.end_mb + 2 * limits.scratch_mb
        return cgroup.make(memory * 1_000_000, 2 * limits.processes + 16)

    def _confine(self, user: int | None) -> dict:
        own = user >= FIRST_FREE_USER if user is not None else os.geteuid() != 0 and _kernel_version() >= (5, 14)
        return {"limits": self.limits.to_dict(), "run_as": user, "count_processes": own}

    def _without_sandbox(self, spec: dict) -> Server:
        spec["confine"] = {"limits": self.limits.to_dict(), "namespaces": False, "count_processes": False}
        environment = {
            **REPEATABLE_ENVIRONMENT,
            **USER_ENVIRONMENT,
            "PATH": os.defpath,
            "PYTHONPATH": str(PACKAGE_FOLDER),
        }
        scratch = Folder(tempfile.mkdtemp(prefix="bow2lora-"))
        spec["confine"]["scratch"] = f"{scratch.name}/runner"
        return Server("the zygote", lambda fd: _zygote_command(spec, fd), environment, scratch=scratch)


def _zygote_command(spec: dict, fd: int) -> list[str]:
    return python("-m", "autograder.runner.zygote", json.dumps({**spec, "control": fd}))


def _kernel_version() -> tuple[int, ...]:
    return tuple(int(part) for part in platform.release().split("-")[0].split(".")[:2])
