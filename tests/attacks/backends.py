"""The graders under attack: this project's, stock nbgrader with nothing of ours, or any command line."""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from autograder import paths
from autograder.authoring import build
from autograder.grading.sample_class import CHAPTER

from .attack import Setting

TIMEOUT = 15  # seconds for one cell
SECRET = "hidden-secret-of-the-course"
STOCK_CONFIG = f"""c = get_config()
c.CourseDirectory.course_id = "stock"
c.CourseDirectory.source_directory = "build/source"
c.Execute.timeout = {TIMEOUT}
c.ClearMarkScheme.enforce_metadata = False  # our rubrics stand in answer cells; stock does not release them otherwise
"""
PRESENT = (sys.executable, "-m", "autograder", "grade", CHAPTER, "--course", "{course}", "--timeout", str(TIMEOUT))


@dataclass
class Ran:
    """What a grader printed, line by line with the time of each, and how it ended (None: it was stopped)."""

    lines: list[tuple[float, str]] = field(default_factory=list)
    code: int | None = 0
    seconds: float = 0.0

    @property
    def text(self) -> str:
        """All that came on the terminal."""
        return "".join(line for _, line in self.lines)


@dataclass(frozen=True)
class Backend:
    """A grader: commands with {course} in them, run one after the other.

    They work in the course's folder, since what attacks do to the working folder must not meet the project.
    """

    name: str
    commands: tuple[tuple[str, ...], ...]
    stock: bool = False

    def grade(self, setting: Setting, limit: float) -> Ran:
        """Grade the course; stop everything after `limit` seconds."""
        if self.stock:
            self._lay_out(setting)
        ran, started = Ran(), time.monotonic()
        for command in self.commands:
            words = [word.replace("{course}", str(setting.course)) for word in command]
            code = _run(words, setting, limit - (time.monotonic() - started), ran)
            ran.code = code if code or code is None else ran.code
            if code is None:
                break
        ran.seconds = time.monotonic() - started
        return ran

    def _lay_out(self, setting: Setting) -> None:
        """Give stock nbgrader the instructor's notebook and a configuration of its own."""
        shutil.copytree(paths.SOURCE, setting.course / "build" / "source", dirs_exist_ok=True)
        (setting.course / "nbgrader_config.py").write_text(STOCK_CONFIG, encoding="utf-8")


def present() -> Backend:
    """Return this project's grader."""
    build.fresh(CHAPTER)
    return Backend("autograder", (PRESENT,))


def lesser(machine: str) -> Backend:
    """Return this project's grader as it runs on a machine that has less (tests.attacks.lesser)."""
    build.fresh(CHAPTER)
    return Backend(machine, ((sys.executable, "-m", "tests.attacks.lesser", machine, *PRESENT[3:]),))


def stock() -> Backend:
    """Return stock nbgrader: generate, autograde, feedback, export."""
    build.fresh(CHAPTER)
    return Backend("nbgrader", ((sys.executable, "-m", "tests.attacks.stock"),), stock=True)


def environment(setting: Setting) -> dict[str, str]:
    """Return the environment of a grader: a home and temporary files of its own, and the mark of this run."""
    home = setting.root / "home"
    (home / "tmp").mkdir(parents=True, exist_ok=True)
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {name: str(home) for name in ("HOME", "BOW2LORA_HOME")}
    own |= {"IPYTHONDIR": str(home / ".ipython"), "JUPYTER_DATA_DIR": str(home / ".jupyter"), "PATH": programs}
    own |= {"TMPDIR": str(home / "tmp"), "BOW2LORA_SECRET": SECRET, "PYTHONPATH": str(paths.ROOT)}
    return os.environ | own | {"BOW2LORA_ATTACKED": str(setting.root), "JUPYTER_RUNTIME_DIR": str(home / "runtime")}


def _run(words: list[str], setting: Setting, limit: float, ran: Ran) -> int | None:
    """Run one command in a session of its own; returns its exit code, or None if it had to be stopped."""
    process = subprocess.Popen(
        words, cwd=setting.course, env=environment(setting), text=True, errors="replace", bufsize=1,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip
    reader = threading.Thread(target=_read, args=(process.stdout, ran.lines), daemon=True)
    reader.start()
    try:
        code = process.wait(max(limit, 1))
    except subprocess.TimeoutExpired:
        code = None
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    reader.join(2)  # a process left behind may hold the pipe
    return code


def _read(stream, lines: list[tuple[float, str]]) -> None:
    for line in stream:
        lines.append((time.monotonic(), line))


def alive(setting: Setting) -> dict[int, str]:
    """Return the processes of this run that still live, with their command lines."""
    mark, found = f"BOW2LORA_ATTACKED={setting.root}".encode(), {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            marked = mark in (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if words and (marked or str(setting.root / "canaries") in words) and int(folder.name) != os.getpid():
            found[int(folder.name)] = words
    return found


def end(pids) -> None:
    """End processes, stopped ones too."""
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            continue
