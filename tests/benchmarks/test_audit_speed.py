"""The audit's fork for each variant against a Jupyter kernel for each variant, in one run on one machine."""

import time

import nbformat
from nbclient import NotebookClient

from autograder import paths
from autograder.authoring.audit import audit
from autograder.authoring.source import read

EXERCISE = "ngrams"
KERNELS = 3


def test_fork_against_kernel():
    start = time.perf_counter()
    trials = audit("01_spam", [EXERCISE])
    fork = (time.perf_counter() - start) / len(trials)
    kernel = sum(_kernel_seconds() for _ in range(KERNELS)) / KERNELS
    print(f"\naudit, {len(trials)} variants of {EXERCISE}: {fork:.3f} s a variant, the chapter's imports included")
    print(f"nbclient, one kernel a variant: {kernel:.3f} s a variant")
    print(f"ratio: {kernel / fork:.1f} times faster")


def _kernel_seconds() -> float:
    """Run the given cells, one exercise and its check in a fresh kernel."""
    cells = [c for c in read(paths.source_text("01_spam")) if c.kind == "given" or c.name == EXERCISE]
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c.source) for c in cells])
    start = time.perf_counter()
    NotebookClient(nb, timeout=120, kernel_name="python3").execute()
    return time.perf_counter() - start
