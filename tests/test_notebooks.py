"""The chapters, run from top to bottom on the small budget, and nbval on the executed notebook."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from autograder import marks, paths
from autograder.authoring.measure import EXECUTED, SMALL, run_chapter
from autograder.authoring.source import read

EXPECTED = Path(__file__).parent / "expected"


@pytest.fixture(scope="module", params=paths.chapters()[:4])  # the others: test_notebooks_later
def chapter(request):
    return request.param


@pytest.fixture(scope="module")
def measured(chapter, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOW2LORA_HOME", str(tmp_path_factory.mktemp("home")))
        return run_chapter(chapter, budget=SMALL)


def test_a_chapter_runs_from_top_to_bottom_with_full_points(chapter, measured):
    points = {c.grade_id: float(c.points) for c in read(paths.source_text(chapter)) if c.kind == "check"}
    assert measured["scores"] == points


def test_a_chapter_stays_within_two_and_a_half_gigabytes(measured):
    assert measured["peak_mb"] < 2560


def test_nothing_is_written_to_stderr(chapter, measured):
    nb = nbformat.read(EXECUTED / SMALL / f"{chapter}.ipynb", as_version=4)
    noise = [(c.id, o.text) for c in nb.cells for o in c.get("outputs", []) if o.get("name") == "stderr"]
    assert noise == []


def test_pictures_carry_their_alt_text(chapter, measured):
    nb = nbformat.read(EXECUTED / SMALL / f"{chapter}.ipynb", as_version=4)
    shown = [o.data["text/html"] for c in nb.cells for o in c.get("outputs", []) if "text/html" in o.get("data", {})]
    pictures = [tag for tag in shown if tag.startswith('<img src="data:image/png;base64,')]
    assert len(pictures) >= 4
    assert all(len(re.search(r'alt="([^"]*)"', tag)[1].split()) >= 8 for tag in pictures)


def test_the_exact_cells_print_what_is_committed(chapter, measured):
    cells = nbformat.read(EXECUTED / SMALL / f"{chapter}.ipynb", as_version=4).cells
    marked = [c for c in cells if marks.EXACT in c.metadata.get("tags", [])]
    printed = ["".join(o.text for o in c.outputs if o.get("name") == "stdout") for c in marked]
    assert printed == json.loads((EXPECTED / f"{chapter}.json").read_text(encoding="utf-8"))
    assert printed


@pytest.mark.parametrize("chapter", paths.chapters()[:1], indirect=True, scope="module")
def test_nbval_lax_passes_on_the_executed_notebook(chapter, measured, tmp_path):
    """It runs the cells once more, as far as there is something to compare: of the first chapter, that is enough."""
    nb = nbformat.read(EXECUTED / SMALL / f"{chapter}.ipynb", as_version=4)
    exact = [i for i, cell in enumerate(nb.cells) if marks.EXACT in cell.metadata.get("tags", [])]
    nb.cells = nb.cells[: exact[-1] + 1]
    nbformat.write(nb, tmp_path / f"{chapter}.ipynb")
    env = os.environ | {"BOW2LORA_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "pytest", "--nbval-lax", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-3000:]
