"""For tests of warm kernels: a home for Jupyter with the kernelspec in it, kernels to run code in, a graded course."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest
from jupyter_client import KernelManager

from autograder import marks, paths
from autograder.authoring.build import build
from autograder.grading import sample_class
from autograder.kernels import kernelspec

CHAPTER = sample_class.CHAPTER
PARENT = "import os; print(os.getppid())"


def register(folder: Path) -> Path:
    """Make a folder for PYTHONPATH in which pyproject.toml's entry points are registered, installed anew or not."""
    project = tomllib.loads((paths.ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    about = folder / f"bow2lora-{project['version']}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: bow2lora\nVersion: {project['version']}\n")
    lines = [f"[{g}]\n" + "".join(f"{k} = {v}\n" for k, v in e.items()) for g, e in project["entry-points"].items()]
    (about / "entry_points.txt").write_text("\n".join(lines))
    return folder


def see(site: Path, patch: pytest.MonkeyPatch) -> None:
    """Let this process and those that it starts see the registered entry points."""
    patch.setenv("PYTHONPATH", os.pathsep.join([str(paths.ROOT), str(site)]))
    patch.setenv("OMP_NUM_THREADS", "1")
    patch.delenv("MPLBACKEND", raising=False)  # set by autograder.cells; in a kernel it hides the figures
    patch.syspath_prepend(str(site))


def move_in(home: Path, patch: pytest.MonkeyPatch) -> None:
    """Make a home for Jupyter and install the kernelspec there."""
    for name in ("DATA", "RUNTIME", "CONFIG"):
        patch.setenv(f"JUPYTER_{name}_DIR", str(home / name.lower()))
    done = autograder("kernel", "install", "--user")
    assert done.returncode == 0, done.stderr
    idle(home, 15)


def idle(home: Path, seconds: float) -> None:
    """Set the idle time of templates in the installed kernelspec."""
    path = home / "data" / "kernels" / kernelspec.NAME / "kernel.json"
    kernel = json.loads(path.read_text())
    kernel["metadata"]["kernel_provisioner"]["config"] = {"idle_seconds": seconds}
    path.write_text(json.dumps(kernel))


def autograder(*words: str) -> subprocess.CompletedProcess:
    """Run the command line in a process of its own."""
    return subprocess.run([sys.executable, "-m", "autograder", *words], capture_output=True, text=True, check=False)


class Kernel:
    """A kernel that was started by name, to run code in."""

    def __init__(self, name: str = kernelspec.NAME, **options):
        self.manager = KernelManager(kernel_name=name)
        self.manager.start_kernel(**options)
        self.client = self.manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=120)

    def __enter__(self) -> "Kernel":
        return self

    def __exit__(self, *_) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def run(self, code: str, timeout: float = 120) -> str:
        """Run code; returns what it printed, or the name of its error."""
        said = []
        reply = self.client.execute_interactive(code, timeout=timeout, output_hook=said.append)
        if reply["content"]["status"] == "aborted":  # it came too soon after an error, as ipykernel sees it
            return self.run(code, timeout)
        if reply["content"]["status"] != "ok":
            return reply["content"]["ename"]
        return "".join(m["content"]["text"] for m in said if m["msg_type"] == "stream").strip()

    @property
    def warm(self) -> bool:
        """Whether it is a fork of a template."""
        return is_template(int(self.run(PARENT)))


def is_template(pid: int) -> bool:
    """Whether the process is there and is a template."""
    try:
        return "autograder.kernels.fork_template" in Path(f"/proc/{pid}/cmdline").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def autograded(folder: Path, class_: tuple) -> str:
    """Grade with stock nbgrader in a course folder, without `show` cells; returns who has how many points for what."""
    shutil.copy(paths.ROOT / "nbgrader_config.py", folder)
    build(CHAPTER)
    shutil.copytree(paths.SOURCE / CHAPTER, folder / "build" / "source" / CHAPTER)
    sample_class.make(folder, class_)
    for path in (*folder.glob("build/source/*/*.ipynb"), *folder.glob("submitted/*/*/*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        notebook.cells = [cell for cell in notebook.cells if marks.from_metadata(cell) != "show"]
        nbformat.write(notebook, path)
    programs = Path(sys.executable).parent
    env = os.environ | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    for command in ("generate_assignment", "autograde"):
        done = subprocess.run(
            [programs / "nbgrader", command, CHAPTER], cwd=folder, env=env, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[-3000:]
    return "".join(f"{s},{score},{cells}\n" for s, score, cells in points(folder))


def points(folder: Path) -> list[tuple[str, float, str]]:
    """Return (student, points, points by cell) from the gradebook."""
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{folder}/gradebook.db", "bow2lora") as gradebook:
        found = sorted(gradebook.assignment_submissions(CHAPTER), key=lambda s: s.student.id)
        grades = [sorted((g.name, g.auto_score) for n in s.notebooks for g in n.grades) for s in found]
        return [(s.student.id, s.score, str(g)) for s, g in zip(found, grades, strict=True)]
