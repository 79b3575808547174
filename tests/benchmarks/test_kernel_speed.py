"""A warm kernel beside a cold one: until torch has multiplied, and per submission of stock nbgrader autograde."""

import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from autograder import paths
from autograder.authoring.build import build
from autograder.grading import sample_class
from autograder.kernels import kernelspec
from tests import warm

ROUNDS = 5
CLASS = (sample_class.ada_right, sample_class.ben_another_way, sample_class.cleo_half, sample_class.eve_mistakes)
PRODUCT = "import torch; float((torch.ones(500, 500) @ torch.ones(500, 500)).sum())"


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """A home for Jupyter with the kernelspec in it."""
    (tmp_path / "site").mkdir()
    warm.see(warm.register(tmp_path / "site"), monkeypatch)
    warm.move_in(tmp_path / "home", monkeypatch)
    return tmp_path


def product(kernel: str) -> float:
    """Seconds from no kernel to torch's first product."""
    start = time.perf_counter()
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(PRODUCT)])
    NotebookClient(notebook, kernel_name=kernel).execute()
    assert float(notebook.cells[0].outputs[0].data["text/plain"]) == 500**3
    return time.perf_counter() - start


def test_a_kernel_with_torch(home):
    first = product(kernelspec.NAME)  # starts the template
    both = [(product(kernelspec.NAME), product("python3")) for _ in range(ROUNDS)]  # in turn, so that load meets both
    mine, theirs = (statistics.median(column) for column in zip(*both, strict=True))
    print(f"\nkernel, import torch, a product: warm {mine:.2f} s, cold {theirs:.2f} s, ratio {theirs / mine:.1f}")
    print(f"the first, with the start of the template: {first:.2f} s")


def autograde(course: Path) -> float:
    """Seconds of `nbgrader autograde` for the class."""
    start = time.perf_counter()
    words = [sys.executable, "-m", "nbgrader", "autograde", warm.CHAPTER]
    subprocess.run(words, cwd=course, check=True, capture_output=True)
    return time.perf_counter() - start


def test_stock_autograde(home):
    paths.put_environment_on_path()
    build(warm.CHAPTER)
    seconds = {}
    for name in ("warm", "cold"):
        course = home / name
        shutil.copytree(paths.SOURCE / warm.CHAPTER, course / "build" / "source" / warm.CHAPTER)
        shutil.copy(paths.ROOT / "nbgrader_config.py", course)
        sample_class.make(course, CLASS)
        words = [sys.executable, "-m", "nbgrader", "generate_assignment", warm.CHAPTER]
        subprocess.run(words, cwd=course, check=True, capture_output=True, env=dict(os.environ))
        if name == "warm":
            product(kernelspec.NAME)
        seconds[name] = autograde(course) / len(CLASS)
        shutil.rmtree(home / "home" / "data" / "kernels", ignore_errors=True)
    mine, theirs = seconds["warm"], seconds["cold"]
    print(f"\nnbgrader autograde, {len(CLASS)} submissions of {warm.CHAPTER}: warm {mine:.2f} s each, ", end="")
    print(f"cold {theirs:.2f} s, ratio {theirs / mine:.1f}; nbgrader's own start is in both")
