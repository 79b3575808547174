"""The chapters, run from top to bottom on the small budget with other right answers than the course's own.

Which set of answers a chapter gets follows from its sources, so that a change of them may try another one; all sets run
in `make world`. And nbval on an executed notebook.
"""

import os
import re
import subprocess
import sys

import nbformat
import pytest
from world import right_answers

from autograder import cell_marks, paths
from autograder.authoring.right_answers import chosen, sets


@pytest.fixture(scope="module", params=paths.chapters()[:4])  # the others: test_notebooks_later
def chapter(request):
    return request.param


@pytest.fixture(scope="module")
def measured(chapter, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOW2LORA_HOME", str(tmp_path_factory.mktemp("home")))
        return right_answers.run(chapter, chosen(chapter))


def test_a_chapter_goes_on_after_other_right_answers_with_full_points(chapter, measured, record_property):
    record_property("said at the end", f"{chapter}: ran with set {chosen(chapter)} of {len(sets(chapter))}")
    assert measured["wrong"] == {}
    assert measured["scores"] == right_answers.points_of(chapter)


def test_a_chapter_stays_within_two_and_a_half_gigabytes(measured):
    assert measured["peak_mb"] < 2560


def test_pictures_carry_their_alt_text(chapter, measured):
    nb = right_answers.executed(chapter)
    shown = [o.data["text/html"] for c in nb.cells for o in c.get("outputs", []) if "text/html" in o.get("data", {})]
    pictures = [tag for tag in shown if tag.startswith('<img src="data:image/png;base64,')]
    assert len(pictures) >= 4
    assert all(len(re.search(r'alt="([^"]*)"', tag)[1].split()) >= 8 for tag in pictures)


def test_a_chapter_has_cells_whose_prints_are_compared(chapter):
    assert right_answers.expected_prints(chapter)


@pytest.mark.parametrize("chapter", paths.chapters()[:1], indirect=True, scope="module")
def test_nbval_lax_passes_on_the_executed_notebook(chapter, measured, tmp_path):
    """It runs the cells once more, as far as there is something to compare: of the first chapter, that is enough."""
    nb = right_answers.executed(chapter)
    exact = [i for i, cell in enumerate(nb.cells) if cell_marks.EXACT in cell.metadata.get("tags", [])]
    nb.cells = nb.cells[: exact[-1] + 1]
    nbformat.write(nb, tmp_path / f"{chapter}.ipynb")
    env = os.environ | {"BOW2LORA_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "pytest", "--nbval-lax", "-q", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=env, cwd=tmp_path)
    assert done.returncode == 0, done.stdout[-3000:]
