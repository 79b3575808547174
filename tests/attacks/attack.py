"""What an attack is, and what its code may use."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

ANSWERS = ("none", "half", "mistakes", "right")


@dataclass(frozen=True)
class Attack:
    """One submission that attacks; its honest twin has the same answers and nothing of the rest.

    tries: one sentence. code: goes into the answer cell `cell` (before the answer, where there is one); cells: code for
    further answer cells. notebook: changes the notebook, a plain dict, in place. files: further files of the submission
    (path: text). links: paths of the submission that are links, with their targets relative to the course. after: does
    the rest to the submission's folder: what is no regular file, or no JSON. folder and file: names in place of <name>
    and 01_spam.ipynb. shows: how success would show besides points. alone: on some grader others lose by it, so it
    gets a course of its own at once.
    """

    name: str
    tries: str
    code: str = ""
    cell: str = "rules"
    cells: Mapping[str, str] = field(default_factory=dict)
    answers: str = "none"
    notebook: Callable[[dict], None] | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    links: Mapping[str, str] = field(default_factory=dict)
    folder: str = ""
    file: str = "01_spam.ipynb"
    after: "Callable[[Path, Setting], None] | None" = None
    shows: str = "points"
    alone: bool = False

    @property
    def student(self) -> str:
        """The name of the submission's folder."""
        return self.folder or self.name

    @property
    def token(self) -> str:
        """What a successful attack leaves behind; put together at run time, so that no source holds it."""
        return f"touched-{self.name}"


@dataclass(frozen=True)
class Setting:
    """Where the attacks are let loose: everything they may reach lies in `root`.

    course: the course folder; port: where the harness listens (TCP and UDP); namespace: the harness's pid namespace,
    in which only marked processes may be signalled; session: the harness's own session of processes.
    """

    root: Path
    port: int = 9
    namespace: str = ""
    session: int = 0

    @property
    def course(self) -> Path:
        """The course that is graded."""
        return self.root / "course"

    def canary(self, attack: Attack) -> Path:
        """Return the file outside every scratch folder that must not come into being."""
        return self.root / "canaries" / attack.name


PREAMBLE = Template('''
import contextlib, ctypes, gc, json, os, pathlib, re, signal, socket, struct, subprocess, sys, threading, time
CANARY, COURSE, PORT = pathlib.Path("$canary"), pathlib.Path("$course"), $port
TOKEN = "-".join(["touched", "$name"])
MARK, NAMESPACE, SESSION = "BOW2LORA_ATTACKED=$root", "$namespace", $session


def touch(path=CANARY):
    """Leave the token where nothing may be left."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(TOKEN)


def ours(pid):
    """Whether a process belongs to the grader under attack: nobody else's may be touched."""
    try:
        if NAMESPACE and os.readlink("/proc/self/ns/pid") != NAMESPACE:
            return True  # whatever can be seen here was made for this submission
        return pid > 1 and MARK in open(f"/proc/{pid}/environ").read().split("\\0")
    except OSError:
        return False


def ancestors():
    """The grader's processes above this one, nearest first."""
    pid, found = os.getpid(), []
    while True:
        try:
            pid = int(re.search(r"PPid:\\s*(\\d+)", open(f"/proc/{pid}/status").read())[1])
        except (OSError, TypeError):
            return found
        if pid <= 0 or pid in found or not ours(pid):
            return found
        found.append(pid)


def detach(code):
    """Start a process that outlives this one; it ends by itself within 25 s."""
    head = f"import os, pathlib, sys, time\\nCANARY = pathlib.Path({str(CANARY)!r})\\nTOKEN = {TOKEN!r}\\n"
    head += f"COURSE = pathlib.Path({str(COURSE)!r})\\n"
    return subprocess.Popen([sys.executable, "-c", head + code, str(CANARY)], start_new_session=True)
''')


def preamble(attack: Attack, setting: Setting) -> str:
    """Return the names that every attack's code may use: CANARY, COURSE, PORT, TOKEN, touch, ancestors, detach."""
    return PREAMBLE.substitute(
        canary=setting.canary(attack),
        course=setting.course,
        root=setting.root,
        port=setting.port,
        name=attack.name,
        namespace=setting.namespace,
        session=setting.session,
    )
