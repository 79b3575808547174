"""Other Pythons at hand read every line of ours without a warning: the packages, the checks, what students get.

Whether they run it needs an environment of each with PyTorch: `make install PYTHON=python3.13` in a clone of its own.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from autograder import paths
from world.recorded import record

VERSIONS = ("3.12", "3.13")
READ = """
import sys
for path in sys.stdin.read().split("\\n"):
    compile(open(path, encoding="utf-8").read(), path, "exec")
"""


def python(version: str) -> str | None:
    """Return a Python of this version: on PATH, or where pyenv keeps them."""
    kept = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    candidates = [shutil.which(f"python{version}"), *map(str, kept)]
    return next((path for path in candidates if path and _is_version(path, version)), None)


def _is_version(path: str, version: str) -> bool:
    done = subprocess.run([path, "--version"], capture_output=True, text=True)
    return done.stdout.startswith(f"Python {version}.")


def sources(folder: Path) -> list[Path]:
    """Return all Python files of ours, the code of the student notebooks among them, written to a folder."""
    ours = [
        path
        for top in ("autograder", "helpers", "solutions", "datasets")
        for path in paths.ROOT.joinpath(top).rglob("*.py")
    ]
    for notebook in paths.RELEASE.rglob("*.ipynb"):
        cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        (folder / f"{notebook.stem}.py").write_text("\n\n".join(code), encoding="utf-8")
    return [*ours, *paths.RELEASE.rglob("checks/*.py"), *folder.glob("*.py")]


@pytest.mark.parametrize("version", VERSIONS)
def test_another_python_reads_all_of_it(version, tmp_path):
    program = python(version)
    if program is None:
        pytest.skip(f"there is no Python {version} here")
    files = sources(tmp_path)
    command = [program, "-W", "error", "-c", READ]
    done = subprocess.run(command, input="\n".join(map(str, files)), capture_output=True, text=True)
    record(f"python_{version}", {"files": len(files), "read": done.returncode == 0})
    assert done.returncode == 0, done.stderr[-2000:]
